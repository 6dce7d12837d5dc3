//! The machine-readable description of the service, from the handlers and views. What every operation shares (key, errors, request
//! identifier) is added here once.
use crate::server::described;
use crate::view;
use axum::body::Bytes;
use glosa_host::Snapshot;
use serde_json::{Map, Value, json};
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

/// Operation and the errors it can answer with.
const ERRORS: [(&str, &str, &[u16]); 8] = [
    ("/v1/reports", "post", &[401, 409, 413, 422, 429, 503]),
    ("/v1/reports/{report_id}", "get", &[401, 404, 422, 429, 503]),
    ("/v1/reports/{report_id}/events", "get", &[401, 404, 422, 429, 503]),
    ("/v1/metrics", "get", &[401, 422]),
    ("/v1/metrics/{metric_id}", "get", &[401, 404, 422]),
    ("/v1/text-types", "get", &[401, 422]),
    ("/v1/text-types/{domain_slug}/{text_type_slug}", "get", &[401, 404, 422]),
    ("/v1/text-types/{domain_slug}/{text_type_slug}/glossaries", "get", &[401, 404, 422]),
];

fn error_description(path: &str, status: u16) -> &'static str {
    match (status, path) {
        (401, _) => "The API key is missing, invalid, inactive or revoked.",
        (404, path) if path.starts_with("/v1/reports") => "There is no such report.",
        (404, path) if path.starts_with("/v1/metrics") => "There is no such metric for the analysis language.",
        (404, _) => "There is no such genre in the language.",
        (409, _) => "The Idempotency-Key was used with a different payload.",
        (413, _) => "The text exceeds the word limit.",
        (422, "/v1/reports") => {
            "The request is not valid, the genre is unknown, or the text type needs domain_slug (code ambiguous-genre)."
        }
        (422, path) if path.starts_with("/v1/metrics") => {
            "The request is not valid, or the genre filter is incomplete or unknown."
        }
        (422, path) if path.starts_with("/v1/text-types") => {
            "The request is not valid or the language is not supported."
        }
        (422, _) => "The identifier cannot be one.",
        (429, "/v1/reports") => "The request rate is exceeded.",
        (429, "/v1/reports/{report_id}") => "The status rate or the minimum polling interval is exceeded.",
        (429, _) => "The rate or the number of open streams is exceeded.",
        (503, "/v1/reports") => "The analysis queue is unavailable.",
        _ => "The protection of requests is temporarily unavailable.",
    }
}

fn error_response(path: &str, status: u16) -> Value {
    let mut headers = Map::new();
    if matches!(status, 429 | 503) {
        headers.insert(
            "Retry-After".into(),
            json!({
                "description": "Seconds to wait before the request may come again.",
                "schema": { "type": "integer", "minimum": 1 }
            }),
        );
    }
    json!({
        "description": error_description(path, status),
        "headers": headers,
        "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/ApiProblem" } } }
    })
}

fn request_id_header() -> Value {
    json!({
        "description": "Identifier to retain for support.",
        "schema": { "type": "string" }
    })
}

/// The description, ready to be written. Categories may grow with the rules, so their list is an extensible one.
pub fn document(snapshot: &Snapshot) -> Value {
    let (_, mut api) = described().split_for_parts();
    api.merge(Components::openapi());
    let mut document = serde_json::to_value(&api).unwrap_or_default();
    document["info"] = json!({
        "title": "glosa",
        "summary": "Text analysis reports",
        "description": "Send a text, a language and a genre; receive measurements and recommendations with places in the text.",
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
    for (path, method, statuses) in ERRORS {
        let responses = &mut document["paths"][path][method]["responses"];
        for status in statuses {
            responses[status.to_string()] = error_response(path, *status);
        }
        if let Some(responses) = responses.as_object_mut() {
            for response in responses.values_mut() {
                response["headers"]["X-Request-ID"] = request_id_header();
            }
        }
    }
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
    let retry = json!({ "type": "integer", "minimum": 1 });
    let paths = &mut document["paths"];
    paths["/v1/reports"]["post"]["responses"]["202"]["headers"]["Retry-After"]["schema"] = retry.clone();
    paths["/v1/reports/{report_id}"]["get"]["responses"]["200"]["headers"]["Retry-After"]["schema"] = retry;
    let events = &mut paths["/v1/reports/{report_id}/events"]["get"]["responses"]["200"]["content"];
    *events = json!({ "text/event-stream": {} });
    if let Some(paths) = paths.as_object_mut() {
        for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(|item| item.values_mut()) {
            default_languages(operation);
        }
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
