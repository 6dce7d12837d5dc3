//! The machine-readable description and its page.
use crate::harness::schema::DESCRIPTION;
use crate::harness::{World, process};
use serde_json::{Value, json};

statements! {
    /// The description is public, the same at both addresses, and the committed one.
    [4, 187, 189]
    fn the_description_is_published(world) {
        let mut client = world.client();
        client.key = String::new();
        let served = client.get("/openapi.json");
        assert_eq!(served.header("content-type"), Some("application/json"));
        assert_eq!(served.json(), *DESCRIPTION);
        assert_eq!(client.get("/v1/openapi.json").json(), *DESCRIPTION);
        assert_eq!(world.client().post(&schema("ReportRequest")["examples"][0]).status, 202);
        let named = world.database.serve_only(&[("GLOSA_BASE_URL", "https://example.org")]);
        assert_eq!(client.at(&named.address).get("/openapi.json").json()["servers"], json!([{"url": "https://example.org"}]));
    }

    /// The description follows the rules: a category that a reload brings is in it.
    [186, 187]
    fn the_description_follows_a_reload(world) {
        let root = tempfile::tempdir().expect("a folder");
        let shipped = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for shared in ["rules", "genres"] {
            std::fs::create_dir(root.path().join(shared)).expect("made");
            for file in std::fs::read_dir(shipped.join(shared)).expect("a folder").map(|file| file.expect("a file")) {
                if file.path().is_file() {
                    std::fs::copy(file.path(), root.path().join(shared).join(file.file_name())).expect("copied");
                }
            }
        }
        let folder = root.path().to_str().expect("UTF-8");
        let second = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(second.path().join("rules")).expect("made");
        let more = second.path().to_str().expect("UTF-8");
        let server = world.database.serve_only(&[("GLOSA_ROOT", folder), ("GLOSA_EXTRA_ROOTS", more)]);
        let client = world.client().at(&server.address);
        let categories = || client.get("/openapi.json").json()["components"]["schemas"]["Metric"]["properties"]["category"]["x-extensible-enum"].clone();
        let before = categories();
        let file = root.path().join("rules/categories.yaml");
        let text = std::fs::read_to_string(&file).expect("read");
        let more = text.replacen("rules:\n", "rules:\n  - id: newly-made\n    names: {es: Nueva, ca: Nova, en: New}\n", 1);
        assert_ne!(text, more);
        std::fs::write(&file, more).expect("written");
        server.signal("HUP");
        let after = crate::harness::until("the new category", || Some(categories()).filter(|now| *now != before));
        assert_eq!(after[0], "newly-made");
        assert_eq!(after.as_array().map(Vec::len), before.as_array().map(|before| before.len() + 1));
    }

    /// The documentation page needs no key and nothing from elsewhere.
    [1]
    fn the_page_works_without_network(world) {
        let mut client = world.client();
        client.key = String::new();
        assert_eq!(client.get("/docs").status, 303);
        let page = client.get("/docs/");
        assert_eq!(page.status, 200);
        let page = page.text();
        assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("src=\"//"), "{page}");
        for file in ["swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-standalone-preset.js", "swagger-initializer.js"] {
            assert!(page.contains(file));
            assert_eq!(client.get(&format!("/docs/{file}")).status, 200, "{file}");
        }
        assert!(client.get("/docs/swagger-initializer.js").text().contains("/openapi.json"));
    }
}

fn schema(name: &str) -> &'static Value {
    &DESCRIPTION["components"]["schemas"][name]
}

#[test]
fn the_committed_description_is_current() {
    let made = process::run_well(&["openapi"], &Vec::new());
    assert_eq!(
        made,
        include_str!("../../openapi.json"),
        "run `cargo run -q -- openapi > openapi.json` and look at what changed"
    );
}

#[test]
fn the_description_says_what_the_interface_says() {
    assert_eq!(DESCRIPTION["openapi"], "3.1.0");
    assert_eq!(DESCRIPTION["info"]["version"], "1.0.0");
    assert!(DESCRIPTION.get("webhooks").is_none() && !DESCRIPTION.to_string().contains("\"callbacks\""));
    let paths = DESCRIPTION["paths"].as_object().expect("paths");
    assert_eq!(paths.len(), 8);
    assert!(paths.keys().all(|path| path.starts_with("/v1/")));
    assert_eq!(DESCRIPTION["security"], json!([{"ApiKey": []}]));
    let request = schema("ReportRequest");
    assert_eq!(request["additionalProperties"], false);
    assert_eq!(request["required"], json!(["text", "text_type_slug"]));
    assert_eq!(request["properties"]["language"]["default"], "es");
    for name in ["text", "text_type_slug", "domain_slug"] {
        assert_eq!(request["properties"][name]["minLength"], 1);
    }
    assert_eq!(schema("LanguageCode")["enum"], json!(["es", "ca", "en"]));
    assert_eq!(schema("ReportStatus")["enum"], json!(["queued", "running", "completed", "failed"]));
    assert_eq!(schema("ReportPhase")["enum"], json!(["analyzing", "building"]));
    assert_eq!(schema("SentenceConnector")["properties"]["scope"]["pattern"], "^(intra|inter)$");
    assert_eq!(schema("ReportResult")["properties"]["schema_version"]["const"], "2.0");
    assert_eq!(schema("ReportResult")["properties"]["offset_unit"]["const"], "unicode_code_points");
    assert_eq!(schema("ReportFailure")["properties"]["code"]["const"], "analysis_failed");
    for name in ["Metric", "Recommendation"] {
        let categories = schema(name)["properties"]["category"]["x-extensible-enum"].as_array().expect("a list");
        assert!(
            categories.contains(&json!("sentences")) && categories.contains(&json!("readability")),
            "{categories:?}"
        );
    }
    let key = &DESCRIPTION["paths"]["/v1/reports"]["post"]["parameters"][0];
    assert_eq!(
        (&key["name"], &key["schema"]["minLength"], &key["schema"]["maxLength"]),
        (&json!("Idempotency-Key"), &json!(1), &json!(255))
    );
    for (component, required) in [
        ("ReportAccepted", json!(["report_id", "status", "status_url", "events_url"])),
        ("Report", json!(["report_id", "status"])),
        ("ReportFailure", json!(["message"])),
        ("ReportResult", json!(["language", "genre"])),
        ("Measurement", json!(["metric_id", "value", "unit", "implementation_version"])),
        ("Recommendation", json!(["id", "metric_id", "implementation_version", "metric_title", "category", "summary"])),
        ("Occurrence", json!(["id", "text"])),
        ("SentenceConnector", json!(["start", "end", "text", "relation", "scope"])),
        ("ApiProblem", json!(["type", "title", "status", "detail", "instance", "code", "request_id"])),
        ("PublicTextTypeDetail", json!(["language", "domain", "text_type", "report_defaults"])),
        ("Glossary", json!(["key", "title", "entry_count", "active_entry_count", "source_level", "inherited"])),
    ] {
        assert_eq!(schema(component)["required"], required, "{component}");
    }
    for status in ["400", "401", "405", "414", "429", "431", "500", "503"] {
        let lacking = paths.iter().find(|(_, item)| {
            item.as_object().is_none_or(|item| item.values().any(|operation| operation["responses"][status].is_null()))
        });
        assert!(lacking.is_none(), "{status}: {lacking:?}");
    }
    let occurrence = schema("Occurrence");
    assert!(occurrence["description"].as_str().is_some_and(|text| text.contains("suggestion")));
    assert!(
        occurrence["properties"]["replacement"]["description"].as_str().is_some_and(|text| text.contains("suggestion"))
    );
    let creation = &DESCRIPTION["paths"]["/v1/reports"]["post"]["responses"];
    assert!(["408", "409", "413", "422"].iter().all(|status| creation[*status].is_object()));
    assert!(creation["202"]["headers"]["Idempotent-Replayed"].is_object());
    for operation in paths.values().flat_map(|item| item.as_object().expect("operations").values()) {
        for (status, response) in operation["responses"].as_object().expect("responses") {
            assert!(response["description"].as_str().is_some_and(|text| !text.is_empty()));
            assert!(response["headers"]["X-Request-ID"].is_object(), "{status}");
            if status.starts_with(['4', '5']) {
                assert!(response["content"]["application/problem+json"].is_object(), "{status}");
            }
        }
    }
}

/// Tests of this module on one database, and the statements they cover.
pub const ALONE: &[(&str, &[u16])] = &[
    ("the_committed_description_is_current", &[187]),
    ("the_description_says_what_the_interface_says", &[1, 9, 14, 113, 156, 168, 179, 187, 188, 196, 198]),
];
