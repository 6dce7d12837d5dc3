//! JSON Schemas of the YAML files, for editors: made from the types that read them.

use glosa_catalog::{DomainFile, GenreFile, ProfileFile, StructureFile};
use glosa_metric::{DocsFile, GlossaryFile, MetricFile};
use schemars::schema_for;
use serde_json::Value;

/// Name and schema of each kind of file.
pub fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("metric", schema_for!(MetricFile).to_value()),
        ("docs", schema_for!(DocsFile).to_value()),
        ("glossary", schema_for!(GlossaryFile).to_value()),
        ("profile", schema_for!(ProfileFile).to_value()),
        ("domain", schema_for!(DomainFile).to_value()),
        ("genre", schema_for!(GenreFile).to_value()),
        ("structure", schema_for!(StructureFile).to_value()),
    ]
}
