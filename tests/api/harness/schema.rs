//! The committed description as a yardstick: every object of an answer must match its schema, have all its nullable properties, and
//! have no property that the schema does not know.
use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

/// The committed description.
pub static DESCRIPTION: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../openapi.json")).expect("JSON"));

static STRICT: LazyLock<Value> = LazyLock::new(|| {
    let mut schemas = DESCRIPTION["components"]["schemas"].clone();
    for schema in schemas.as_object_mut().expect("an object").values_mut() {
        close(schema);
    }
    schemas
});

fn is_nullable(property: &Value) -> bool {
    let names_null = |value: &Value| *value == "null" || value["type"] == "null";
    property["type"].as_array().is_some_and(|types| types.iter().any(names_null))
        || property["oneOf"].as_array().is_some_and(|choices| choices.iter().any(names_null))
}

fn close(schema: &mut Value) {
    let Some(properties) = schema["properties"].as_object() else { return };
    let nullable: Vec<Value> =
        properties.iter().filter(|(_, property)| is_nullable(property)).map(|(name, _)| name.as_str().into()).collect();
    let mut required = schema["required"].as_array().cloned().unwrap_or_default();
    required.extend(nullable);
    required.sort_by_key(ToString::to_string);
    required.dedup();
    schema["required"] = required.into();
    schema["additionalProperties"] = false.into();
}

/// Holds a value to a component of the description.
#[track_caller]
pub fn hold(component: &str, value: &Value, place: &str) {
    static VALIDATORS: Mutex<Option<HashMap<String, std::sync::Arc<Validator>>>> = Mutex::new(None);
    let validator = VALIDATORS
        .lock()
        .expect("no panic inside")
        .get_or_insert_default()
        .entry(component.to_owned())
        .or_insert_with(|| {
            let schema = json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$ref": format!("#/components/schemas/{component}"),
                "components": { "schemas": &*STRICT },
            });
            std::sync::Arc::new(jsonschema::validator_for(&schema).expect("a schema"))
        })
        .clone();
    let faults: Vec<String> =
        validator.iter_errors(value).map(|fault| format!("{} at {}", fault, fault.instance_path())).collect();
    assert!(faults.is_empty(), "{place} is no {component}: {faults:#?}");
}

/// The operation whose path template fits a path.
pub fn template(path: &str) -> Option<&'static str> {
    let paths: &'static Map<String, Value> = DESCRIPTION["paths"].as_object().expect("an object");
    paths.keys().map(String::as_str).find(|template| {
        let (parts, named) = (path.split('/').collect::<Vec<_>>(), template.split('/').collect::<Vec<_>>());
        parts.len() == named.len()
            && parts.iter().zip(&named).all(|(part, name)| part == name || (name.starts_with('{') && !part.is_empty()))
    })
}

/// Headers of HTTP itself, which no description lists.
const TRANSPORT: [&str; 5] = ["connection", "content-length", "content-type", "date", "transfer-encoding"];

/// Holds status and headers of an answer to what the description says can come.
#[track_caller]
pub fn described(method: &str, path: &str, status: u16, headers: &[(String, String)], place: &str) {
    let Some(template) = template(path) else { return };
    let Some(operation) = DESCRIPTION["paths"][template].get(method.to_ascii_lowercase()) else { return };
    let response = &operation["responses"][status.to_string()];
    assert!(response.is_object(), "{place}: the description has no such status");
    let known: Vec<String> =
        response["headers"].as_object().expect("headers").keys().map(|name| name.to_ascii_lowercase()).collect();
    for (name, _) in headers.iter().filter(|(name, _)| !TRANSPORT.contains(&name.as_str())) {
        assert!(known.contains(name), "{place}: the description has no header {name}");
    }
}

/// The component that the body of an answer must be.
pub fn component(method: &str, path: &str, status: u16) -> Option<&'static str> {
    let operation = &DESCRIPTION["paths"][template(path)?][method.to_ascii_lowercase()];
    let content = &operation["responses"][status.to_string()]["content"]["application/json"];
    content["schema"]["$ref"].as_str()?.rsplit('/').next()
}
