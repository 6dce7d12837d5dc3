//! JSON Schemas of the YAML files, for editors: made from the types that read them.

use glosa_catalog::{DomainFile, GenreFile, ProfileFile, StructureFile};
use glosa_metric::schema;
use schemars::schema_for;
use serde_json::Value;

/// Name and schema of each kind of file.
pub fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("metric", schema::metric()),
        ("variant", schema::variant()),
        ("docs", schema::docs()),
        ("glossary", schema::glossary()),
        ("list", schema::list()),
        ("profile", schema_for!(ProfileFile).to_value()),
        ("domain", schema_for!(DomainFile).to_value()),
        ("genre", schema_for!(GenreFile).to_value()),
        ("structure", schema_for!(StructureFile).to_value()),
    ]
}
