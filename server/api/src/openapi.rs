//! The machine-readable description of the service, from the handlers, their refusals and the views. What every operation shares (key,
//! headers of all answers) is added here once.
use crate::server::described;
use crate::view;
use axum::body::Bytes;
use glosa_host::Snapshot;
use serde_json::{Value, json};
use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(components(schemas(
    view::ApiProblem,
    view::ProblemItem,
    view::HttpValidationError,
    view::ValidationError,
    view::ReportResult,
    view::ReportEvent,
)))]
struct Components;

fn text_header(description: &str) -> Value {
    json!({ "description": description, "schema": { "type": "string" } })
}

/// What holds for every answer of every operation. The rates are those of [`crate::extract`], which tell them in every answer.
fn common(operation: &mut Value) {
    let is_rated = operation["tags"][0] == "Reports";
    let responses = &mut operation["responses"];
    let unchanged = responses["304"]["headers"].as_object().cloned().unwrap_or_default();
    for response in responses.as_object_mut().into_iter().flat_map(|all| all.values_mut()) {
        let is_json = !response["content"]["application/json"].is_null();
        let headers = &mut response["headers"];
        headers["X-Request-ID"] = text_header("Identifier to retain for support.");
        headers["X-Content-Type-Options"] = text_header("`nosniff`.");
        headers["Cache-Control"] = text_header("Whether the answer may be kept: reports and errors not at all.");
        if is_json {
            headers["Vary"] = text_header("`Accept-Encoding`, where the answer could be compressed.");
            headers["Content-Encoding"] = text_header("`gzip`, where the answer is compressed.");
            for (name, header) in &unchanged {
                headers[name] = header.clone();
            }
        }
        if is_rated {
            headers["RateLimit-Policy"] = text_header("The rate of the account: requests and the seconds for them.");
            headers["RateLimit"] = text_header("Requests that may still come at once, and seconds until all may.");
        }
        if let Some(wait) = headers.get_mut("Retry-After") {
            wait["schema"] = json!({ "type": "integer", "minimum": 1 });
        }
    }
}

/// The description, ready to be written. Categories may grow with the rules, so their list is an extensible one.
pub fn document(snapshot: &Snapshot) -> Value {
    let (_, mut api) = described().split_for_parts();
    api.merge(Components::openapi());
    let mut document = serde_json::to_value(&api).unwrap_or_default();
    document["info"] = json!({
        "title": "glosa",
        "summary": "Text analysis reports",
        "description": "Send a text, a language and a genre; receive measurements and recommendations with places in the text. Query parameters that an operation does not name are ignored.",
        "version": "1.0.0",
        "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" }
    });
    document["servers"] = json!([{ "url": "/" }]);
    document["security"] = json!([{ "ApiKey": [] }]);
    document["tags"] = json!([
        { "name": "Reports", "description": "Create reports and read them." },
        { "name": "Catalogs", "description": "Metrics, genres and glossaries." }
    ]);
    document["components"]["securitySchemes"] = json!({
        "ApiKey": { "type": "http", "scheme": "bearer", "description": "An active API key." }
    });
    finish(&mut document);
    let mut categories: Vec<&str> = Vec::new();
    for category in &snapshot.categories {
        if !categories.contains(&category.id.as_str()) {
            categories.push(&category.id);
        }
    }
    for schema in ["Metric", "Recommendation"] {
        document["components"]["schemas"][schema]["properties"]["category"]["x-extensible-enum"] = json!(categories);
    }
    document
}

/// What the derive macros cannot say.
fn finish(document: &mut Value) {
    let paths = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    for operation in paths.filter_map(Value::as_object_mut).flat_map(|item| item.values_mut()) {
        common(operation);
        default_languages(operation);
    }
    let schemas = &mut document["components"]["schemas"];
    for (schema, property, value) in [
        ("ReportResult", "schema_version", "2.0"),
        ("ReportResult", "offset_unit", "unicode_code_points"),
        ("ReportFailure", "code", "analysis_failed"),
    ] {
        schemas[schema]["properties"][property]["const"] = value.into();
    }
    schemas["Measurement"]["properties"]["value"] = json!({
        "type": ["integer", "number"],
        "description": "The value."
    });
    schemas["ReportRequest"]["additionalProperties"] = false.into();
    schemas["Metric"]["properties"]["example"] = json!({
        "description": "A true output of the variant, as reports have it.",
        "oneOf": [
            { "$ref": "#/components/schemas/Measurement" },
            { "$ref": "#/components/schemas/Recommendation" }
        ]
    });
}

fn default_languages(operation: &mut Value) {
    let parameters = operation["parameters"].as_array_mut();
    for parameter in parameters.into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default();
        if matches!(name, "language" | "documentation_language") {
            let schema = parameter["schema"].take();
            let mut with_default = json!({ "default": "es" });
            match schema.get("$ref") {
                Some(_) => with_default["allOf"] = json!([schema]),
                None => {
                    with_default = schema;
                    with_default["default"] = "es".into();
                }
            }
            parameter["schema"] = with_default;
        }
    }
}

/// The description with the categories of the rules in use, as it is committed and, with the address of the service where one is set, served.
pub fn text(base_url: Option<&str>, snapshot: &Snapshot) -> Bytes {
    let mut document = document(snapshot);
    if let Some(base_url) = base_url {
        document["servers"] = json!([{ "url": base_url }]);
    }
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text.into()
}
