//! Creating reports: the body, the answer, the genre.
use crate::harness::client::letter;
use crate::harness::kept::Kept;
use crate::harness::{Client, World};
use serde_json::{Value, json};
use std::collections::HashSet;

/// Every genre as (language, domain, text type), from the catalogs.
pub fn genres(client: &Client) -> Vec<(String, String, String)> {
    let mut genres = Vec::new();
    for language in ["es", "ca", "en"] {
        let catalog = client.get(&format!("/v1/text-types?language={language}")).json();
        for domain in catalog["domains"].as_array().expect("domains") {
            for text_type in domain["text_types"].as_array().expect("genres") {
                let word = |value: &Value| value.as_str().expect("a slug").to_owned();
                genres.push((language.to_owned(), word(&domain["slug"]), word(&text_type["slug"])));
            }
        }
    }
    assert!(genres.len() > 20);
    genres
}

/// A text type that exists in several domains of a language, and its domains.
pub fn ambiguous(client: &Client) -> (String, String, Vec<String>) {
    let all = genres(client);
    let (language, _, slug) = all
        .iter()
        .find(|(language, domain, slug)| {
            all.iter().any(|(other, elsewhere, same)| other == language && elsewhere != domain && same == slug)
        })
        .expect("a slug in two domains");
    let domains = all.iter().filter(|(other, _, same)| other == language && same == slug);
    (language.clone(), slug.clone(), domains.map(|(_, domain, _)| domain.clone()).collect())
}

fn faults(problem: &Value) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let faults = problem["errors"].as_array().expect("faults");
    faults.iter().map(|fault| (word(&fault["pointer"]), word(&fault["type"]))).collect()
}

statements! {
    /// The answer to a creation.
    [2, 11, 31, 32, 33, 34, 54]
    fn a_report_is_accepted(world) {
        let client = world.client();
        let response = client.post(&letter("Hola."));
        assert_eq!(response.status, 202);
        let body = response.json();
        let id = body["report_id"].as_str().expect("an id");
        assert_eq!(body["status"], "queued");
        assert_eq!(body["status_url"], format!("/v1/reports/{id}"));
        assert_eq!(body["events_url"], format!("/v1/reports/{id}/events"));
        assert_eq!(response.header("location"), body["status_url"].as_str());
        assert!(response.retry_after().expect("a wait") >= 1);
        assert_eq!(response.header("cache-control"), Some("no-store"));
        assert_eq!(client.get(response.header("location").expect("a place")).status, 200);
    }

    /// Identifiers look alike and never come twice, and the state told is the same while workers wait for work.
    [32, 37]
    fn identifiers_are_unique(world) {
        let mut kept = Kept::new(&world.client());
        let mut seen = HashSet::new();
        let body = letter("Hola.").to_string();
        for _ in 0..50 {
            for response in kept.post(body.as_bytes(), &[None; 20]) {
                let body = response.json();
                assert_eq!((response.status, &body["status"]), (202, &"queued".into()));
                let id = body["report_id"].as_str().expect("an id").to_owned();
                let digits = id.strip_prefix("rep_").expect("a prefix");
                assert!(digits.len() == 26 && digits.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()), "{id}");
                assert!(seen.insert(id));
            }
        }
        assert_eq!(seen.len(), 1_000);
    }

    /// Texts of one character of any kind are texts.
    [15, 16, 101]
    fn every_text_of_one_character_completes(world) {
        let client = world.client();
        for text in ["a", " ", "\n", "\u{0}", "\u{feff}", "👩", "\u{301}", "\u{ad}", "\r", "\u{10ffff}"] {
            let result = client.result(&letter(text));
            assert_eq!(result["schema_version"], "2.0", "{text:?}");
        }
    }

    /// The text is a string of at least one character.
    [15, 175]
    fn text_is_required(world) {
        let client = world.client();
        for (text, kind) in [
            (json!(""), "string_too_short"),
            (Value::Null, "string_type"),
            (json!(1), "string_type"),
            (json!(["a"]), "string_type"),
        ] {
            let mut body = letter("");
            body["text"] = text;
            let problem = client.post(&body).is_problem(422, "validation-error");
            assert_eq!(faults(&problem), [("/text".to_owned(), kind.to_owned())]);
        }
        let missing = client.post(&json!({"text_type_slug": "notificacion"})).is_problem(422, "validation-error");
        assert_eq!(faults(&missing), [("/text".to_owned(), "missing".to_owned())]);
    }

    /// The slugs are strings of at least one character; the domain may be absent or null.
    [18, 19, 26]
    fn slugs_are_checked(world) {
        let client = world.client();
        for slug in [json!(""), Value::Null, json!(3)] {
            let problem = client.post(&json!({"text": "a", "text_type_slug": slug})).is_problem(422, "validation-error");
            assert_eq!(faults(&problem)[0].0, "/text_type_slug");
        }
        for domain in [json!(""), json!(3), json!({})] {
            let body = json!({"text": "a", "text_type_slug": "notificacion", "domain_slug": domain});
            assert_eq!(faults(&client.post(&body).is_problem(422, "validation-error"))[0].0, "/domain_slug");
        }
        let absent = client.result(&json!({"text": "Hola.", "text_type_slug": "notificacion"}));
        let null = client.result(&json!({"text": "Hola.", "text_type_slug": "notificacion", "domain_slug": null}));
        assert_eq!(absent, null);
    }

    /// Three languages, Spanish when none is named.
    [9, 20, 83]
    fn languages_are_three(world) {
        let client = world.client();
        let mut body = letter("Hola.");
        assert_eq!(client.result(&body)["language"], "es");
        for language in ["es", "ca", "en"] {
            body["language"] = language.into();
            assert_eq!(client.result(&body)["language"], language);
        }
        for language in ["fr", "ES", "es-ES", "", " es"] {
            body["language"] = language.into();
            client.post(&body).is_problem(422, "unsupported-language");
        }
        for language in [Value::Null, json!(1), json!(["es"])] {
            body["language"] = language;
            client.post(&body).is_problem(422, "validation-error");
        }
    }

    /// The caller's identifier comes back character by character.
    [21, 22]
    fn external_ids_come_back_unchanged(world) {
        let client = world.client();
        for id in ["", " a ", "\u{0}", "e\u{301}", "é", "👩\u{200d}👩", "\u{202e}abc", "a\r\nb: c", &"ñ".repeat(2048)] {
            let mut body = letter("Hola.");
            body["external_id"] = id.into();
            let response = client.post(&body);
            assert_eq!(response.status, 202, "{id:?}");
            assert_eq!(response.json()["external_id"], id);
            let report = client.finished(response.json()["report_id"].as_str().expect("an id"));
            assert_eq!(report["external_id"], id);
        }
        let mut body = letter("Hola.");
        body["external_id"] = "a".repeat(4097).into();
        assert_eq!(faults(&client.post(&body).is_problem(422, "validation-error"))[0].0, "/external_id");
        body["external_id"] = Value::Null;
        assert!(client.post(&body).json()["external_id"].is_null());
    }

    /// Properties that the interface does not know are refused, all of them at once and beside other faults.
    [12, 14, 175]
    fn unknown_properties_are_refused(world) {
        let client = world.client();
        let mut body = letter("");
        for name in ["metrics", "status", "account_id", "a/b~c"] {
            body[name] = json!([]);
        }
        let problem = client.post(&body).is_problem(422, "validation-error");
        let mut found = faults(&problem);
        found.sort();
        let expected = ["/a~1b~0c", "/account_id", "/metrics", "/status"].map(|pointer| (pointer.to_owned(), "extra_forbidden".to_owned()));
        let mut expected = expected.to_vec();
        expected.push(("/text".to_owned(), "string_too_short".to_owned()));
        expected.sort();
        assert_eq!(found, expected);
        for fault in problem["errors"].as_array().expect("faults") {
            assert_eq!(fault["loc"][0], "body");
            assert!(fault["msg"].is_string());
        }
    }

    /// What is no JSON object in UTF-8 is refused like any other fault of the body.
    [17, 28, 29, 30]
    fn only_one_json_object_is_a_body(world) {
        let client = world.client();
        let good = letter("Hola.").to_string();
        let lone = r#"{"text":"\ud800","text_type_slug":"notificacion"}"#;
        let twice = r#"{"text":"a","text":"b","text_type_slug":"notificacion"}"#;
        let deep = "[".repeat(100_000);
        let trailing = format!("{good} 1");
        for body in ["", "{", "[]", "\"a\"", "null", "1", &trailing, lone, twice, &deep, "{\"text\": \"a\u{0}"] {
            client.post_bytes(body.as_bytes()).is_problem(422, "validation-error");
        }
        let latin = b"{\"text\":\"\xf1\",\"text_type_slug\":\"notificacion\"}";
        client.post_bytes(latin).is_problem(422, "validation-error");
        let with_type = |headers: &[(&str, &str)]| client.send("POST", "/v1/reports", headers, good.as_bytes());
        for wrong in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
            with_type(&[("Content-Type", wrong)]).is_problem(422, "validation-error");
        }
        with_type(&[]).is_problem(422, "validation-error");
        for charset in ["iso-8859-1", "utf-16", ""] {
            with_type(&[("Content-Type", &format!("application/json; charset={charset}"))]).is_problem(422, "validation-error");
        }
        for other in ["text/plain", "application/json"] {
            with_type(&[("Content-Type", "application/json"), ("Content-Type", other)]).is_problem(422, "validation-error");
        }
        let marked = client.post_bytes(format!("\u{feff}{good}").as_bytes());
        assert_eq!(marked.status, 202, "a byte order mark is no part of the value: {}", marked.text());
        client.post_bytes(format!("\u{feff}\u{feff}{good}").as_bytes()).is_problem(422, "validation-error");
        with_type(&[("Content-Type", "application/json"), ("Content-Encoding", "gzip")]).is_problem(422, "validation-error");
        for right in ["application/json; charset=utf-8", "application/json; charset=\"UTF-8\"", "Application/JSON", "application/json; version=1"] {
            assert_eq!(with_type(&[("Content-Type", right)]).status, 202);
        }
    }

    /// Genres are found for the language, by the text type alone where that is enough.
    [23, 24, 25, 26, 27]
    fn genres_are_found_or_refused(world) {
        let client = world.client();
        let unknown = client.post(&json!({"text": "a", "text_type_slug": "no-such-genre"})).is_problem(422, "unknown-genre");
        assert_eq!(faults(&unknown)[0].0, "/text_type_slug");
        let mut only_spanish = json!({"text": "a", "text_type_slug": "llano"});
        assert_eq!(client.post(&only_spanish).status, 202);
        only_spanish["language"] = "en".into();
        client.post(&only_spanish).is_problem(422, "unknown-genre");
        let (language, slug, domains) = ambiguous(&client);
        let mut body = json!({"text": "a", "text_type_slug": slug, "language": language});
        let problem = client.post(&body).is_problem(422, "ambiguous-genre");
        assert_eq!(problem["errors"][0]["ctx"]["domains"], json!(domains));
        for domain in domains {
            body["domain_slug"] = domain.clone().into();
            assert_eq!(client.result(&body)["genre"]["domain"]["slug"], domain);
        }
    }

    /// Every genre of the catalogs is accepted in its language, with the fields that its detail says to send.
    [26, 133, 136]
    fn every_listed_genre_is_accepted(world) {
        let client = world.client();
        let all = genres(&client);
        for (language, domain, slug) in &all {
            let detail = client.get(&format!("/v1/text-types/{domain}/{slug}?language={language}")).json();
            let mut body = detail["report_defaults"].clone();
            assert_eq!(body, json!({"language": language, "domain_slug": domain, "text_type_slug": slug}));
            body["text"] = "Hola.".into();
            assert_eq!(client.post(&body).status, 202, "{body}");
            let namesakes = all.iter().filter(|(other, _, same)| other == language && same == slug).count();
            if namesakes == 1 {
                let alone = json!({"text": "Hola.", "text_type_slug": slug, "language": language});
                assert_eq!(client.post(&alone).status, 202, "{alone}");
            }
        }
    }

    /// The estimate grows with the text and with nothing else.
    [35, 71]
    fn estimates_depend_on_the_length_alone(world) {
        let client = world.client();
        let estimate = |length: usize| client.post(&letter(&"a ".repeat(length / 2))).json()["estimated_seconds"].as_u64().expect("a number");
        let lengths = [2, 1_000, 20_000, 39_000];
        let first: Vec<u64> = lengths.into_iter().map(estimate).collect();
        assert!(first.is_sorted() && first[0] >= 1, "{first:?}");
        for _ in 0..50 {
            client.create(&letter("Una más."));
        }
        let loaded: Vec<u64> = lengths.into_iter().map(estimate).collect();
        assert_eq!(first, loaded);
        let response = client.post(&letter("Hola.")).json();
        let report = client.finished(response["report_id"].as_str().expect("an id"));
        assert_eq!(report["estimated_seconds"], response["estimated_seconds"]);
    }
}
