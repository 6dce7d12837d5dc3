//! One metric folder: manifest, documentation, variants and scripts, read and checked as files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glosa_metric::{DocsFile, Kind, MetricFile, OfMetric, PerLanguage, Problem, VariantFile, did_you_mean};
use glosa_text::Language;

use crate::reader::{Reader, Unread};

/// A variant file and its script.
pub(crate) struct VariantFolder {
    pub file: String,
    pub source: String,
    pub variant: VariantFile,
    pub script: Option<(String, String)>,
    /// Captures of the patterns of all languages whose variants run the same script.
    pub captures: Vec<String>,
    /// Lists of their own that they have.
    pub lists: Vec<String>,
}

impl MetricFolder {
    /// Ends of the paths of what its variants read beside the files of the folder.
    pub(crate) fn reads(&self) -> BTreeSet<String> {
        let of_variant = |(language, folder): (&Language, &VariantFolder)| {
            let glossaries = folder.variant.glossaries.iter().map(move |key| format!("/{key}.{language}.yaml"));
            let scripts = folder.variant.uses().iter().map(|name| format!("scripts/{}.rhai", name.value));
            glossaries.chain(scripts).collect::<Vec<_>>()
        };
        self.variants.iter().flat_map(of_variant).collect()
    }
}

/// A metric folder as read.
pub(crate) struct MetricFolder {
    pub manifest: MetricFile,
    pub source: String,
    pub docs: BTreeMap<Language, Arc<DocsFile>>,
    pub variants: BTreeMap<Language, VariantFolder>,
}

fn language_of(name: &str, extension: &str) -> Option<Language> {
    name.strip_suffix(extension)?.parse().ok()
}

/// Folders beside the metrics: shared lists of words, compiled families, the schemas for editors, shared scripts.
const RESERVED: [&str; 4] = ["lists", "native", "schemas", SHARED];
/// Scripts of functions that several rules call.
const SHARED: &str = "scripts";

/// Reads all metric folders of a root.
pub(crate) fn read_all(reader: &mut Reader<'_>) -> Vec<MetricFolder> {
    let entries = reader.list(&reader.path("rules"));
    let folders = entries.into_iter().filter(|(name, path)| path.is_dir() && !RESERVED.contains(&name.as_str()));
    folders.filter_map(|(name, path)| read(reader, &name, &path)).collect()
}

/// Reads the shared scripts of a root: name, then file and text.
pub(crate) fn read_shared(reader: &mut Reader<'_>, shared: &mut BTreeMap<String, (String, String)>) {
    for (name, path) in reader.list(&reader.path(&format!("rules/{SHARED}"))) {
        let Some(key) = name.strip_suffix(".rhai") else {
            stray(reader, &path, &["<name>.rhai"]);
            continue;
        };
        let Some(text) = reader.text(&path) else { continue };
        let shown = reader.name(&path);
        if let Some((other, _)) = shared.insert(key.to_owned(), (shown.clone(), text)) {
            reader.problems.push(
                Problem::of(shown, format!("a shared script of this name is there already: {other}"))
                    .help("give one of them another name"),
            );
        }
    }
}

fn read(reader: &mut Reader<'_>, id: &str, dir: &Path) -> Option<MetricFolder> {
    let file = dir.join("metric.yaml");
    let name = reader.name(&file);
    if !file.is_file() {
        reader.unread.catalog.metrics.insert(id.to_owned());
        reader.problems.push(
            Problem::of(reader.name(dir), "a metric folder without metric.yaml")
                .help("write metric.yaml, or make the folder with `cargo rules new`"),
        );
        return None;
    }
    let (manifest, source) = match reader.yaml_and_text::<MetricFile>(&file) {
        Some((manifest, source)) => (Some(manifest), source),
        None => {
            reader.unread.catalog.metrics.insert(id.to_owned());
            (None, String::new())
        }
    };
    let noted = reader.problems.len();
    let docs = read_docs(reader, &dir.join("docs"), manifest.as_ref());
    let docs_are_broken = reader.problems.len() > noted;
    let variants = read_variants(reader, dir);
    let manifest = manifest?;
    if manifest.id != id {
        let wrong = format!("id `{}` differs from the folder `{id}`", manifest.id);
        reader.problems.push(
            Problem::of(&name, wrong)
                .near(&source, &["id:"])
                .help("the folder name is the public name: make them equal"),
        );
    }
    if manifest.kind == Kind::Measurement && manifest.unit.is_none() {
        reader.problems.push(Problem::of(&name, "a measurement without `unit`").help("add the unit, such as `words`"));
    }
    for (key, spec) in &manifest.params {
        for value in Language::ALL.iter().filter_map(|l| spec.default.get(*l)) {
            if let Err(wrong) = spec.accept(value) {
                let problem = Problem::of(&name, format!("default of `{key}`: {wrong}"));
                reader.problems.push(problem.near(&source, &[&format!("{key}:")]).help(spec.meaning.clone()));
                break;
            }
        }
    }
    if docs.is_empty() && !docs_are_broken {
        let dir = reader.name(&dir.join("docs"));
        reader
            .problems
            .push(Problem::of(dir, format!("`{id}` has no documentation")).help("write es.yaml, ca.yaml and en.yaml"));
    }
    Some(MetricFolder { manifest, source, docs, variants })
}

/// Gives thresholds whose default is that of another metric this one's.
pub(crate) fn follow(metrics: &mut [MetricFolder], unread: &Unread, problems: &mut Vec<Problem>) {
    let defaults: BTreeMap<(String, String), PerLanguage> = metrics
        .iter()
        .flat_map(|folder| folder.manifest.params.iter().map(|(key, spec)| (folder.manifest.id.clone(), key, spec)))
        .map(|(id, key, spec)| ((id, key.clone()), spec.default.clone()))
        .collect();
    let ids: BTreeSet<String> = metrics.iter().map(|folder| folder.manifest.id.clone()).collect();
    for MetricFolder { manifest, source, .. } in metrics {
        let file = format!("rules/{}/metric.yaml", manifest.id);
        for (key, spec) in &mut manifest.params {
            let PerLanguage::Of(OfMetric { of }) = spec.default.clone() else { continue };
            let wrong = match defaults.get(&(of.clone(), key.clone())) {
                None if unread.catalog.metrics.contains(&of) => continue,
                None if ids.contains(&of) => Some((
                    format!("`{of}` has no threshold `{key}`"),
                    "a threshold follows one of the same name: give both the same name, or write the value".to_owned(),
                )),
                None => {
                    let near = did_you_mean(&of, ids.iter().map(String::as_str));
                    let help = near
                        .map_or("`cargo rules list` lists all metrics".to_owned(), |n| format!("did you mean `{n}`?"));
                    Some((format!("unknown metric `{of}`"), help))
                }
                Some(PerLanguage::Of(_)) => Some((
                    format!("`{key}` of `{of}` follows another threshold itself"),
                    "name the metric that has the value".to_owned(),
                )),
                Some(value) => {
                    let of_language = |language: &Language| value.get(*language);
                    let bad = Language::ALL.iter().filter_map(of_language).find_map(|value| spec.accept(value).err());
                    spec.default = value.clone();
                    bad.map(|wrong| (format!("`{key}` of `{of}`: {wrong}"), spec.meaning.clone()))
                }
            };
            if let Some((said, help)) = wrong {
                problems.push(Problem::of(&file, said).near(source, &["of:"]).help(help));
            }
            spec.of = Some(of);
        }
    }
}

fn read_docs(reader: &mut Reader<'_>, dir: &Path, manifest: Option<&MetricFile>) -> BTreeMap<Language, Arc<DocsFile>> {
    let mut docs = BTreeMap::new();
    let files = reader.list(dir);
    let complete = reader.only().is_some_and(|only| dir.join(format!("{only}.yaml")).is_file());
    for (name, path) in files {
        let Some(language) = language_of(&name, ".yaml") else {
            stray(reader, &path, &["es.yaml", "ca.yaml", "en.yaml"]);
            continue;
        };
        if complete && !reader.wants(language) {
            continue;
        }
        let Some(file) = reader.yaml::<DocsFile>(&path) else { continue };
        if manifest.is_some_and(|m| m.kind == Kind::Rule) && file.report.is_none() {
            let at = reader.name(&path);
            reader
                .problems
                .push(Problem::of(at, "a rule needs the wording of its report").help("add `report:` with `summary`"));
        }
        docs.insert(language, Arc::new(file));
    }
    docs
}

fn read_variants(reader: &mut Reader<'_>, dir: &Path) -> BTreeMap<Language, VariantFolder> {
    let mut variants = BTreeMap::new();
    let mut scripts: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut unread: BTreeSet<Language> = BTreeSet::new();
    let scripted = reader.only().is_none_or(|only| is_scripted(reader, &dir.join(format!("{only}.yaml"))));
    for (name, path) in reader.list_of(dir) {
        match name.as_str() {
            "metric.yaml" | "docs" | "snapshots" | "README.md" => {}
            _ if name.ends_with(".rhai") => drop(scripts.insert(name, path)),
            _ => match language_of(&name, ".yaml") {
                None => stray(reader, &path, &["metric.yaml", "es.yaml", "ca.yaml", "en.yaml", "docs", "snapshots"]),
                Some(language) if !scripted && !reader.wants(language) => {}
                Some(language) => {
                    let Some(source) = reader.text(&path) else {
                        unread.insert(language);
                        continue;
                    };
                    let file = reader.name(&path);
                    let (variant, problems) = VariantFile::read_with_problems(&file, &source);
                    reader.problems.extend(problems);
                    if variant.as_ref().is_none_or(|variant| variant.partial) {
                        unread.insert(language);
                    }
                    if let Some(variant) = variant {
                        let folder = VariantFolder {
                            file,
                            source,
                            variant,
                            script: None,
                            captures: Vec::new(),
                            lists: Vec::new(),
                        };
                        variants.insert(language, folder);
                    }
                }
            },
        }
    }
    let mut named = BTreeSet::new();
    for variant in variants.values_mut() {
        let Some(name) = variant.variant.script().map(|script| script.file.clone()) else { continue };
        named.insert(name.clone());
        match scripts.get(&name) {
            Some(path) => {
                let shown = reader.name(path);
                variant.script = reader.text(path).map(|source| (shown, source));
            }
            None => {
                let problem = Problem::of(&variant.file, format!("the script `{name}` is not in the folder"))
                    .near(&variant.source, &["script:"]);
                let near = did_you_mean(&name, scripts.keys().map(String::as_str));
                reader.problems.push(match near {
                    Some(near) => problem.help(format!("did you mean `{near}`?")),
                    None => problem.help("write the script beside the file, with the ending .rhai"),
                });
            }
        }
    }
    let whole = reader.only().is_none();
    reader.unread.variants |= !unread.is_empty();
    let unnamed = scripts.iter().filter(|(name, _)| whole && unread.is_empty() && !named.contains(*name));
    for (name, path) in unnamed {
        let at = reader.name(path);
        reader.problems.push(
            Problem::of(at, "no variant runs this script")
                .help(format!("write `script: {name}` in a variant of this folder, or delete the file")),
        );
    }
    for (name, path) in reader.list(&dir.join("snapshots")) {
        let language = name.strip_suffix(".snap").and_then(|stem| stem.parse::<Language>().ok());
        let known = language.is_some_and(|l| variants.contains_key(&l) || unread.contains(&l));
        if whole && !known && !name.ends_with(".snap.new") {
            stray(reader, &path, &["a picture for each variant, <language>.snap"]);
        }
    }
    same_names(&mut variants);
    variants.retain(|language, _| reader.wants(*language));
    variants
}

/// Whether a variant runs a script, which may name what only the variant of another language has.
fn is_scripted(reader: &mut Reader<'_>, file: &Path) -> bool {
    file.is_file() && reader.text(file).is_some_and(|text| text.lines().any(|line| line.starts_with("script:")))
}

/// What the variants of one script have in any language, none is told that it lacks.
fn same_names(variants: &mut BTreeMap<Language, VariantFolder>) {
    let mut captures: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut lists: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for VariantFolder { variant, .. } in variants.values() {
        if let Some(script) = variant.script().map(|script| &script.file) {
            captures.entry(script.clone()).or_default().extend(variant.captures());
            let own = variant.lists.iter().map(|list| list.name.value.clone());
            lists.entry(script.clone()).or_default().extend(own);
        }
    }
    let of_script = |known: &BTreeMap<String, BTreeSet<String>>, folder: &VariantFolder| {
        let found = folder.variant.script().and_then(|script| known.get(&script.file));
        found.into_iter().flatten().cloned().collect()
    };
    for folder in variants.values_mut() {
        folder.captures = of_script(&captures, folder);
        folder.lists = of_script(&lists, folder);
    }
}

fn stray(reader: &mut Reader<'_>, path: &Path, expected: &[&str]) {
    let at = reader.name(path);
    reader
        .problems
        .push(Problem::of(at, "nothing reads this file").help(format!("expected here: {}", expected.join(", "))));
}
