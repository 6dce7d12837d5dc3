//! `rules schema`: JSON Schemas of the YAML files, made from the types that read them.

use std::path::Path;

use super::docs::write_or_check;
use crate::Failure;

pub(super) fn run(out: &Path, check: bool) -> Result<(), Failure> {
    let files = glosa_host::schemas().into_iter().map(|(name, schema)| {
        let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
        (format!("{name}.schema.json"), text + "\n")
    });
    write_or_check(out, files.collect(), check, "rules schema")
}
