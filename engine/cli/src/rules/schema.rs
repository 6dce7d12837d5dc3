//! `rules schema`: JSON Schemas of the YAML files, made from the types that read them and the names that there are, and
//! the first line of every file, which tells editors the schema.

use std::fs;
use std::path::{Path, PathBuf};

use super::docs::write_or_check;
use super::new::path_from;
use crate::{Failure, RootOptions};

const LINE: &str = "# yaml-language-server: $schema=";

pub(super) fn run(roots: &RootOptions, out: Option<&Path>, check: bool) -> Result<(), Failure> {
    let snapshot = roots.load()?;
    let found = roots.find()?;
    let root = found.folders.last().expect("roots have a first folder");
    let own = root.join("rules/schemas");
    let files = glosa_host::schemas(&snapshot).into_iter().map(|(name, schema)| {
        let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
        (format!("{name}.schema.json"), text + "\n")
    });
    write_or_check(out.unwrap_or(&own), files.collect(), check, "rules schema")?;
    if out.is_some() {
        return Ok(());
    }
    let mut stale = Vec::new();
    for (path, kind) in glosa_host::files_with_schema(root) {
        let text =
            fs::read_to_string(&path).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let line = format!("{LINE}{}", path_from(folder, &own.join(format!("{kind}.schema.json"))));
        if text.lines().next() == Some(line.as_str()) {
            continue;
        }
        let rest = match text.split_once('\n') {
            Some((first, rest)) if first.starts_with(LINE) => rest,
            _ => &text,
        };
        if !check {
            fs::write(&path, format!("{line}\n{rest}"))
                .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
        }
        stale.push(path);
    }
    told(&stale, check)
}

fn told(stale: &[PathBuf], check: bool) -> Result<(), Failure> {
    if stale.is_empty() {
        return Ok(());
    }
    if check {
        let names: Vec<_> = stale.iter().map(|path| format!("  {}", path.display())).collect();
        return Err(Failure::failed(format!(
            "the line that names the schema is missing or differs; run `rules schema`:\n{}",
            names.join("\n")
        )));
    }
    anstream::eprintln!("{} files have their line now", stale.len());
    Ok(())
}
