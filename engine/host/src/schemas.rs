//! JSON Schemas of the YAML files, for editors: made from the types that read them, with the names that there are.
//!
//! An editor then offers metrics, thresholds, profiles, categories, occurrences, glossaries and lists, and marks a name
//! that does not exist.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use glosa_catalog::{DomainFile, GenreFile, Names, OccurrenceFile, ProfileFile, StructureFile};
use glosa_metric::{Capability, MetricFile, ParamType, schema};
use glosa_text::Language;
use schemars::schema_for;
use serde_json::{Map, Value, json};

use crate::judged_figures::FigureNotes;
use crate::load::CategoriesFile;
use crate::{JudgedFigures, Snapshot};

/// Names that files may use, beside those of metrics and genres.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownNames {
    /// Profiles of genres.
    pub profiles: BTreeSet<String>,
    /// Keys of glossaries, in any language.
    pub glossaries: BTreeSet<String>,
    /// Keys of occurrences.
    pub occurrences: BTreeSet<String>,
    /// Shared lists of words, in any language.
    pub lists: BTreeSet<String>,
}

/// Name and schema of each kind of file.
pub fn schemas(snapshot: &Snapshot) -> Vec<(&'static str, Value)> {
    let mut all = vec![
        ("metric", schema::metric()),
        ("variant", schema::variant()),
        ("docs", schema::docs()),
        ("glossary", schema::glossary()),
        ("list", schema::list()),
        ("readings", schema::readings()),
        ("profile", schema_for!(ProfileFile).to_value()),
        ("domain", schema_for!(DomainFile).to_value()),
        ("genre", schema_for!(GenreFile).to_value()),
        ("structure", schema_for!(StructureFile).to_value()),
        ("occurrences", schema_for!(OccurrenceFile).to_value()),
        ("categories", schema_for!(CategoriesFile).to_value()),
        ("capabilities", schema_for!(BTreeMap<Capability, Names>).to_value()),
        ("figures", schema_for!(FigureNotes).to_value()),
        ("judged", schema_for!(BTreeMap<String, JudgedFigures>).to_value()),
        ("notes", schema_for!(BTreeMap<String, Names>).to_value()),
        ("pins", schema_for!(BTreeMap<String, BTreeMap<String, String>>).to_value()),
    ];
    for (kind, schema) in &mut all {
        name(kind, schema, snapshot);
    }
    all
}

/// Puts the names that exist into a schema.
fn name(kind: &str, schema: &mut Value, snapshot: &Snapshot) {
    let known = &snapshot.known;
    let metrics = || snapshot.engine.registry.entries().iter().map(|entry| &entry.manifest);
    let mut put = |pointer: &str, value: Value| {
        if let Some(place) = schema.pointer_mut(pointer) {
            let description = place.get("description").cloned();
            *place = value;
            if let (Some(description), Value::Object(place)) = (description, place) {
                place.insert("description".into(), description);
            }
        }
    };
    match kind {
        "metric" => {
            let categories: BTreeSet<&str> = snapshot.categories.iter().map(|category| category.id.as_str()).collect();
            put("/properties/category", json!({"enum": categories}));
            let ids: BTreeSet<&str> = metrics().map(|manifest| manifest.id.as_str()).collect();
            put("/properties/yields_to/items", json!({"enum": ids}));
        }
        "variant" => {
            let keys = one_or_several(&json!({"enum": known.glossaries}));
            put("/properties/glossaries", keys.clone());
            put("/$defs/tests/properties/glossary", keys.clone());
            put("/$defs/step/anyOf/1/properties/glossary", keys);
            let genres: Vec<String> =
                snapshot.catalog.genres().iter().map(|genre| format!("{}/{}", genre.domain.slug, genre.slug)).collect();
            put("/$defs/example/anyOf/1/properties/genre", json!({"enum": genres}));
            let lists = known.lists.iter().map(|name| format!("${name}"));
            let terms = known.glossaries.iter().map(|key| format!("@{key}"));
            let words: Vec<String> = lists.chain(terms).collect();
            let any = json!({"type": ["string", "number", "boolean"]});
            put("/$defs/scalar", json!({"anyOf": [{"enum": words}, any]}));
        }
        "genre" | "profile" => {
            let all: Map<String, Value> = metrics().map(|manifest| (manifest.id.clone(), setting(manifest))).collect();
            put("/properties/metrics", json!({"type": "object", "additionalProperties": false, "properties": all}));
            put("/properties/profile", json!({"enum": known.profiles}));
        }
        "structure" => {
            put("/$defs/ContentFile/properties/occurrence", json!({"enum": known.occurrences}));
        }
        _ => {}
    }
}

fn one_or_several(one: &Value) -> Value {
    json!({"anyOf": [one, {"type": "array", "items": one}]})
}

/// What a genre may say of a metric.
fn setting(manifest: &MetricFile) -> Value {
    let thresholds: Map<String, Value> = manifest
        .params
        .iter()
        .map(|(key, spec)| {
            let mut one = match spec.kind {
                ParamType::Flag => json!({"type": "boolean"}),
                ParamType::Integer => json!({"type": "integer"}),
                ParamType::Number => json!({"type": "number"}),
                ParamType::Text => json!({"type": "string"}),
                ParamType::List => json!({"type": "array", "items": {"type": ["string", "number", "boolean"]}}),
            };
            if let Value::Object(one) = &mut one {
                one.extend(spec.min.map(|min| ("minimum".to_owned(), json!(min))));
                one.extend(spec.max.map(|max| ("maximum".to_owned(), json!(max))));
            }
            let each: Map<String, Value> = Language::ALL.iter().map(|l| (l.code().to_owned(), one.clone())).collect();
            let by_language = json!({"type": "object", "additionalProperties": false, "properties": each});
            (key.clone(), json!({"description": spec.meaning, "anyOf": [one, by_language]}))
        })
        .collect();
    let switch = json!({"enum": ["on", "off", true, false]});
    json!({"anyOf": [switch, {"type": "object", "additionalProperties": false, "properties": thresholds}]})
}

/// The files of a root that have a schema, each with its kind, sorted by path.
pub fn files_with_schema(root: &Path) -> Vec<(PathBuf, &'static str)> {
    let mut found = Vec::new();
    for part in ["rules", "genres", "glossaries"] {
        walk(&root.join(part), &mut |path| {
            let inside: Vec<String> = path
                .strip_prefix(root)
                .iter()
                .flat_map(|p| p.iter())
                .map(|p| p.to_string_lossy().into_owned())
                .collect();
            let inside: Vec<&str> = inside.iter().map(String::as_str).collect();
            found.extend(kind(&inside).map(|kind| (path.to_owned(), kind)));
        });
    }
    found.sort();
    found
}

fn kind(inside: &[&str]) -> Option<&'static str> {
    let (file, folders) = inside.split_last()?;
    let stem = file.strip_suffix(".yaml")?;
    let of_language = stem.parse::<Language>().is_ok();
    match (folders, stem) {
        (["rules"], "categories") => Some("categories"),
        (["rules"], "capabilities") => Some("capabilities"),
        (["rules"], "figures") => Some("figures"),
        (["rules"], "judged") => Some("judged"),
        (["rules"], "notes") => Some("notes"),
        (["rules"], "pins") => Some("pins"),
        (["rules"], _) if stem.strip_prefix("readings.").is_some_and(|code| code.parse::<Language>().is_ok()) => {
            Some("readings")
        }
        (["rules", "lists"], _) => Some("list"),
        (["rules", "native" | "schemas" | "scripts", ..], _) => None,
        (["rules", _], "metric") => Some("metric"),
        (["rules", _], _) if of_language => Some("variant"),
        (["rules", _, "docs"], _) if of_language => Some("docs"),
        (["genres"], "occurrences") => Some("occurrences"),
        (["genres", "profiles"], _) => Some("profile"),
        (["genres", _], "domain") => Some("domain"),
        (["genres", _, _], "genre") => Some("genre"),
        (["genres", _, _], _) if of_language => Some("structure"),
        (["glossaries", ..], _) => Some("glossary"),
        _ => None,
    }
}

fn walk(dir: &Path, visit: &mut dyn FnMut(&Path)) {
    let entries = std::fs::read_dir(dir).into_iter().flatten().filter_map(Result::ok);
    for path in entries.map(|entry| entry.path()) {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() && !hidden && !path.ends_with("rules/native") {
            walk(&path, visit);
        } else if path.is_file() && !hidden {
            visit(&path);
        }
    }
}
