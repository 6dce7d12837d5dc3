//! Metrics, genres and glossaries.
use crate::harness::{Client, World, schema};
use crate::reports::genres;
use serde_json::{Value, json};

fn metrics(client: &Client, query: &str) -> Vec<Value> {
    let response = client.get(&format!("/v1/metrics{query}"));
    assert_eq!(response.status, 200, "{}", response.text());
    response.json()["metrics"].as_array().expect("metrics").clone()
}

fn ids(metrics: &[Value]) -> Vec<(String, String, String)> {
    let word = |metric: &Value, name: &str| metric[name].as_str().expect("text").to_owned();
    metrics
        .iter()
        .map(|metric| (word(metric, "id"), word(metric, "analysis_language"), word(metric, "implementation_version")))
        .collect()
}

statements! {
    /// Filters narrow the list and nothing else.
    [117, 118, 123, 126, 127]
    fn metrics_are_filtered(world) {
        let client = world.client();
        let all = metrics(&client, "");
        assert!(all.iter().any(|metric| metric["enabled"] == false));
        let mut together = Vec::new();
        for kind in ["measurement", "rule"] {
            let of_kind = metrics(&client, &format!("?kind={kind}"));
            assert!(of_kind.iter().all(|metric| metric["kind"] == kind));
            together.extend(ids(&of_kind));
        }
        let mut whole = ids(&all);
        together.sort();
        whole.sort();
        assert_eq!(together, whole);
        let filters = [("analysis_language", "es"), ("analysis_language", "ca"), ("analysis_language", "en"), ("enabled", "true"), ("enabled", "false")];
        for (name, value) in filters {
            let some = metrics(&client, &format!("?{name}={value}"));
            assert!(!some.is_empty(), "{name}={value}");
            let fits = |metric: &Value| metric[name].to_string().trim_matches('"') == value;
            assert!(some.iter().all(fits));
            assert_eq!(ids(&some), ids(&all.iter().filter(|metric| fits(metric)).cloned().collect::<Vec<_>>()));
        }
        for metric in &all {
            assert!(metric["genre_scope"].is_null());
            let available = metric["available"].as_bool().expect("a flag");
            assert_eq!(metric["availability_note"].is_null(), available, "{metric}");
            assert!(available || metric["enabled"] == false, "{metric}");
        }
        assert!(client.get("/v1/metrics").json()["genre"].is_null());
    }

    /// Filters that cannot be are refused, all at once.
    [9, 119, 120, 121, 122, 175]
    fn filters_are_checked(world) {
        let client = world.client();
        for query in ["kind=Rule", "kind=measurements", "kind=", "enabled=maybe", "enabled=", "kind=rule&kind=rule"] {
            client.get(&format!("/v1/metrics?{query}")).is_problem(422, "validation-error");
        }
        for query in ["analysis_language=fr", "documentation_language=ES", "analysis_language=", "documentation_language=es-ES"] {
            client.get(&format!("/v1/metrics?{query}")).is_problem(422, "unsupported-language");
        }
        let both = client.get("/v1/metrics?kind=x&enabled=y&analysis_language=z").is_problem(422, "validation-error");
        assert_eq!(both["errors"].as_array().map(Vec::len), Some(3));
        for (path, start) in [("/v1/metrics", "?"), ("/v1/metrics/long-sentence", "?analysis_language=es&")] {
            for empty in ["domain_slug=&text_type_slug=folleto", "domain_slug=salud&text_type_slug=", "domain_slug="] {
                let problem = client.get(&format!("{path}{start}{empty}")).is_problem(422, "validation-error");
                assert_eq!(problem["errors"][0]["type"], "string_too_short");
            }
            for half in ["domain_slug=salud", "text_type_slug=folleto"] {
                client.get(&format!("{path}{start}{half}")).is_problem(422, "incomplete-genre-filter");
            }
            client.get(&format!("{path}{start}domain_slug=salud&text_type_slug=none")).is_problem(422, "unknown-genre");
        }
        client
            .get("/v1/metrics?analysis_language=en&domain_slug=pruebas&text_type_slug=llano")
            .is_problem(422, "unknown-genre");
        assert_eq!(client.get("/v1/metrics?domain_slug=pruebas&text_type_slug=llano").status, 200);
        assert_eq!(client.get("/v1/metrics?unknown=1&language=fr").json(), client.get("/v1/metrics").json());
    }

    /// One metric is found by its identifier and language.
    [126, 128, 130]
    fn one_metric_is_found(world) {
        let client = world.client();
        client.get("/v1/metrics/long-sentence").is_problem(422, "validation-error");
        client.get("/v1/metrics/long-sentence?analysis_language=xx").is_problem(422, "unsupported-language");
        client.get("/v1/metrics/none?analysis_language=es").is_problem(404, "metric-not-found");
        client.get("/v1/metrics/breaks-on-purpose?analysis_language=ca").is_problem(404, "metric-not-found");
        let fallback = client.get("/v1/metrics/breaks-on-purpose?analysis_language=es&documentation_language=en").json();
        assert_eq!(fallback["documentation_language"], "es");
        for language in ["es", "ca", "en"] {
            let target = format!("/v1/metrics/long-sentence?analysis_language=es&documentation_language={language}");
            assert_eq!(client.get(&target).json()["documentation_language"], language);
        }
        let judged = client.get("/v1/metrics/plain-equivalent?analysis_language=ca&documentation_language=en").json();
        let limits = judged["documentation"]["limitations"].as_str().expect("a text");
        assert!(limits.contains("Readers who had no part in the catalogue judged"), "{limits}");
        let default = client.get("/v1/metrics/long-sentence?analysis_language=en").json();
        assert_eq!(default["documentation_language"], "es");
        let off = client.get("/v1/metrics/off-on-purpose?analysis_language=es").json();
        assert_eq!((&off["available"], &off["enabled"]), (&json!(true), &json!(false)));
    }

    /// Examples are objects of reports, made by the metric itself.
    [129]
    fn examples_are_outputs(world) {
        let all = metrics(&world.client(), "");
        let mut seen = 0;
        for metric in &all {
            let Some(example) = metric.get("example") else { continue };
            let component = if metric["kind"] == "rule" { "Recommendation" } else { "Measurement" };
            schema::hold(component, example, &metric["id"].to_string());
            assert_eq!(example["metric_id"], metric["id"]);
            assert_eq!(example["implementation_version"], metric["implementation_version"]);
            seen += 1;
        }
        assert!(seen > 30, "{seen}");
    }

    /// What a genre says of the metrics.
    [123, 124, 125]
    fn genres_scope_metrics(world) {
        let client = world.client();
        let mut opt_outs = 0;
        for (language, domain, slug) in genres(&client) {
            let target = format!("/v1/metrics?analysis_language={language}&domain_slug={domain}&text_type_slug={slug}");
            let catalog = client.get(&target).json();
            assert_eq!(catalog["genre"]["domain"]["slug"], domain);
            assert_eq!(catalog["genre"]["text_type"]["slug"], slug);
            let all = catalog["metrics"].as_array().expect("metrics");
            assert!(all.iter().all(|metric| !metric["genre_scope"].is_null()));
            assert!(all.iter().all(|metric| metric["enabled"] == true || metric["genre_scope"]["enabled"] == false));
            assert!(all.iter().any(|metric| metric["genre_scope"]["enabled"] == true));
            opt_outs += all.iter().filter(|metric| metric["enabled"] == true && metric["genre_scope"]["enabled"] == false).count();
        }
        assert!(opt_outs > 0, "every genre runs everything");
    }

    /// Genres of a language.
    [9, 132, 134]
    fn genres_are_listed(world) {
        let client = world.client();
        assert_eq!(client.get("/v1/text-types").json(), client.get("/v1/text-types?language=es").json());
        for language in ["es", "ca", "en"] {
            let catalog = client.get(&format!("/v1/text-types?language={language}")).json();
            assert_eq!(catalog["language"], language);
            for domain in catalog["domains"].as_array().expect("domains") {
                let genres = domain["text_types"].as_array().expect("genres");
                assert!(!genres.is_empty());
                assert!(domain["clear_language"] == false || genres.iter().all(|genre| genre["clear_language"] == true));
            }
        }
        for wrong in ["fr", "ES", "", "es-ES"] {
            client.get(&format!("/v1/text-types?language={wrong}")).is_problem(422, "unsupported-language");
        }
    }

    /// The detail of a genre.
    [84, 135, 137, 138]
    fn a_genre_has_a_detail(world) {
        let client = world.client();
        let mut with_structure = 0;
        for (language, domain, slug) in genres(&client) {
            let detail = client.get(&format!("/v1/text-types/{domain}/{slug}?language={language}")).json();
            assert_eq!(detail["domain"]["text_types"], json!([]));
            assert_eq!(detail["domain"]["slug"], domain);
            assert_eq!(detail["text_type"]["slug"], slug);
            with_structure += usize::from(detail["structure"].as_array().is_some_and(|sections| !sections.is_empty()));
        }
        assert!(with_structure > 10);
        for path in ["/v1/text-types/salud/none", "/v1/text-types/none/folleto"] {
            client.get(path).is_problem(404, "genre-not-found");
            client.get(&format!("{path}/glossaries")).is_problem(404, "genre-not-found");
        }
        for tail in ["", "/glossaries"] {
            client.get(&format!("/v1/text-types/pruebas/llano{tail}?language=ca")).is_problem(404, "genre-not-found");
            client.get(&format!("/v1/text-types/pruebas/llano{tail}?language=xx")).is_problem(422, "unsupported-language");
        }
    }

    /// Glossaries of a genre: the most specific level that holds rows wins whole; contents are not shown.
    [139, 140, 141, 142, 143]
    fn glossaries_follow_the_cascade(world) {
        let client = world.client();
        for (language, domain, slug) in genres(&client) {
            let body = client.get(&format!("/v1/text-types/{domain}/{slug}/glossaries?language={language}")).json();
            let target = format!("/v1/metrics?analysis_language={language}&domain_slug={domain}&text_type_slug={slug}");
            let runs: Vec<Value> = metrics(&client, target.strip_prefix("/v1/metrics").expect("a prefix"))
                .into_iter()
                .filter(|metric| metric["genre_scope"]["enabled"] == true)
                .map(|metric| metric["id"].clone())
                .collect();
            for glossary in body["glossaries"].as_array().expect("glossaries") {
                assert!(glossary["entry_count"].as_u64() >= glossary["active_entry_count"].as_u64());
                assert_eq!(glossary["inherited"] == false, glossary["source_level"] == "text_type", "{glossary}");
                for used in glossary["used_by_metrics"].as_array().expect("a list") {
                    assert!(runs.contains(used), "{domain}/{slug}: {glossary}");
                }
            }
        }
        let marks = |slug: &str| {
            let body = client.get(&format!("/v1/text-types/pruebas/{slug}/glossaries")).json();
            let glossaries = body["glossaries"].as_array().expect("glossaries").clone();
            let found = glossaries.into_iter().find(|glossary| glossary["key"] == "marcas").expect("the glossary");
            (found["source_level"].clone(), found["entry_count"].clone(), found["active_entry_count"].clone())
        };
        assert_eq!(marks("fallo"), (json!("text_type"), json!(1), json!(1)));
        assert_eq!(marks("llano"), (json!("domain"), json!(2), json!(1)));
        for target in ["/v1/metrics", "/v1/text-types", "/v1/text-types/pruebas/fallo/glossaries", "/v1/text-types/pruebas/fallo"] {
            assert!(!client.get(target).text().contains("marcasecreta"), "{target}");
        }
    }

    /// Catalogs are private, carry a tag, and answer 304 to it.
    [11, 131]
    fn catalogs_have_tags(world) {
        let client = world.client();
        for target in [
            "/v1/metrics",
            "/v1/metrics/long-sentence?analysis_language=es",
            "/v1/text-types",
            "/v1/text-types/salud/folleto",
            "/v1/text-types/salud/folleto/glossaries",
        ] {
            let first = client.get(target);
            assert!(first.header("cache-control").is_some_and(|value| value.contains("private")));
            let tag = first.header("etag").expect("a tag").to_owned();
            for sent in [tag.clone(), format!("\"x\", {tag}"), "*".to_owned()] {
                let again = client.send("GET", target, &[("If-None-Match", &sent)], b"");
                assert_eq!((again.status, again.body.len()), (304, 0), "{target}");
                assert_eq!(again.header("etag"), Some(tag.as_str()));
                let head = client.send("HEAD", target, &[("If-None-Match", &sent)], b"");
                for unchanged in [&again, &head] {
                    assert_eq!((unchanged.status, unchanged.header("content-length")), (304, None), "{target}");
                    assert_eq!(unchanged.header("vary"), Some("accept-encoding"));
                    assert_eq!(unchanged.header("cache-control"), first.header("cache-control"));
                }
            }
            assert_eq!(client.send("GET", target, &[("If-None-Match", "\"other\"")], b"").status, 200);
        }
    }
}
