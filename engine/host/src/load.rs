//! From roots to a snapshot: read everything, check everything, and only then build.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use glosa_catalog::{Catalog, CatalogSources, GlossaryShelf, Names};
use glosa_lingua::Runtime;
use glosa_metric::{
    Capability, DocsFile, Glossaries, MetricEntry, Problem, Readings, Registry, Variant, did_you_mean, phrase_rows,
};
use glosa_report::{Engine, Notes};
use glosa_text::Language;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::compile::Compiler;
use crate::glossary_files::Shelves;
use crate::judged_figures::FigureNotes;
use crate::metric_folder::{MetricFolder, VariantFolder, follow, read_all, read_shared};
use crate::reader::{Reader, Unread};
use crate::snapshot::{Category, Snapshot, VariantSource};
use crate::word_lists::{Participles, SharedLists};
use crate::{
    KnownNames, Roots, genre_files, judged_figures, loops, phrase_tables, reading_files, remarks, row_examples,
};

/// Time on the clock after which a metric has run away and fails the report. No sound metric comes near it on any text or
/// machine, so it decides nothing else: scripts are held to what they compute.
const METRIC_DEADLINE: Duration = Duration::from_secs(600);

/// `rules/categories.yaml`: the categories in linguistic order.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CategoriesFile {
    /// Those of rules.
    rules: Vec<Category>,
    /// Those of measurements.
    measurements: Vec<Category>,
}

/// Versions chosen where several variants of one metric exist: metric, then language.
type Pins = BTreeMap<String, BTreeMap<Language, String>>;

/// Loads the shipped models and everything under the roots.
pub fn load(roots: &Roots) -> Result<Snapshot, Vec<Problem>> {
    load_with(Arc::new(models()?), roots)
}

/// Loads what reports of one language need, which is quicker; whatever is wrong with it is told by loading everything.
pub fn load_language(roots: &Roots, language: Language) -> Result<Snapshot, Vec<Problem>> {
    let runtime = Arc::new(models()?);
    let loaded = read(runtime.clone(), roots, Some(language), false);
    if loaded.problems.is_empty() { Ok(loaded.snapshot) } else { load_with(runtime, roots) }
}

/// Loads everything under the roots on a runtime that is already there; this is what hot reload does.
pub fn load_with(runtime: Arc<Runtime>, roots: &Roots) -> Result<Snapshot, Vec<Problem>> {
    let Loaded { snapshot, problems, .. } = read(runtime, roots, None, false);
    if problems.is_empty() { Ok(snapshot) } else { Err(problems) }
}

/// What the roots hold: what is right of it, and what is wrong. For those who work on one rule, or look at all of them;
/// a service takes nothing from roots with problems.
#[derive(Debug)]
pub struct Loaded {
    /// Everything that has no problem.
    pub snapshot: Snapshot,
    /// What keeps a service from starting.
    pub problems: Vec<Problem>,
    /// What does no harm and is hardly meant.
    pub remarks: Vec<Problem>,
    /// Ends of the paths that a metric is read from, beside those of its own folder.
    reads: BTreeMap<String, BTreeSet<String>>,
}

impl Loaded {
    /// The problems that concern a metric: those of its folder and of what it reads, and those of no metric or glossary.
    pub fn concerning(&self, id: &str) -> Vec<Problem> {
        let own = format!("rules/{id}/");
        let reads = self.reads.get(id);
        let of_all = ["rules/categories.yaml", "rules/capabilities.yaml", "rules/pins.yaml", "rules/lists/"];
        let concerns = |file: &str| {
            let elsewhere = ["rules/", "glossaries/", "genres/"].iter().any(|part| file.contains(part));
            let read = reads.is_some_and(|ends| ends.iter().any(|end| file.ends_with(end)));
            read || !elsewhere || of_all.iter().any(|part| file.contains(part))
        };
        let found = self.problems.iter().filter(|p| format!("{}/", p.file).contains(&own) || concerns(&p.file));
        found.cloned().collect()
    }
}

/// Loads what is right under the roots, and names what is wrong or hardly meant.
///
/// # Errors
/// The language models are damaged.
pub fn load_what_is_right(roots: &Roots) -> Result<Loaded, Vec<Problem>> {
    Ok(read(Arc::new(models()?), roots, None, true))
}

fn models() -> Result<Runtime, Vec<Problem>> {
    Runtime::new().map_err(|error| {
        vec![
            Problem::of("engine/lingua/models", error.to_string())
                .help("reinstall glosa: its language models are damaged"),
        ]
    })
}

/// Reads the corrections of the tagger of a language alone.
///
/// # Errors
/// Everything that is wrong with them.
pub fn load_readings(roots: &Roots, runtime: &Runtime, language: Language) -> Result<Readings, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut unread = Unread::default();
    let mut readings = BTreeMap::new();
    for (n, folder) in roots.folders.iter().enumerate() {
        let mut reader = Reader::new(folder, n == 0, Some(language), &mut problems, &mut unread);
        reading_files::read(&mut reader, runtime, &Participles::new(runtime), &mut readings);
    }
    if problems.is_empty() { Ok(readings.remove(&language).unwrap_or_default()) } else { Err(problems) }
}

fn read(runtime: Arc<Runtime>, roots: &Roots, only: Option<Language>, with_remarks: bool) -> Loaded {
    let mut problems = Vec::new();
    let mut unread = Unread::default();
    roots.check(&mut problems);
    let mut metrics: Vec<MetricFolder> = Vec::new();
    let mut shelves = Shelves::default();
    let mut sources = CatalogSources::default();
    let mut categories = None;
    let mut capabilities = BTreeMap::new();
    let mut notes = Notes::default();
    let mut pins = Pins::new();
    let mut figures = BTreeMap::new();
    let mut figure_notes = FigureNotes::default();
    let mut shared = BTreeMap::new();
    let mut lists = SharedLists::default();
    let mut readings = BTreeMap::new();
    let participles = Participles::new(&runtime);
    for (n, folder) in roots.folders.iter().enumerate() {
        let mut reader = Reader::new(folder, n == 0, only, &mut problems, &mut unread);
        if n == 0 {
            categories = reader.yaml::<CategoriesFile>(&reader.path("rules/categories.yaml"));
            capabilities = read_capabilities(&mut reader);
            notes = reader.yaml(&reader.path("rules/notes.yaml")).unwrap_or_default();
        }
        let figures_file = reader.path("rules/figures.yaml");
        if figures_file.is_file() {
            figure_notes = reader.yaml(&figures_file).unwrap_or_default();
        }
        let pins_file = reader.path("rules/pins.yaml");
        if pins_file.is_file() {
            pins.extend(reader.yaml::<Pins>(&pins_file).unwrap_or_default());
        }
        judged_figures::read(&mut reader, &mut figures);
        metrics.extend(read_all(&mut reader));
        read_shared(&mut reader, &mut shared);
        lists.read(&mut reader);
        reading_files::read(&mut reader, &runtime, &participles, &mut readings);
        shelves.read(&mut reader);
        genre_files::read(&mut reader, &mut sources);
    }
    shelves.finish(&unread, &mut problems);
    follow(&mut metrics, &unread, &mut problems);
    let (rule_categories, categories) = match categories {
        None => (BTreeSet::new(), Vec::new()),
        Some(file) => {
            let ids = file.rules.iter().map(|c| c.id.clone()).collect();
            (ids, file.rules.into_iter().chain(file.measurements).collect::<Vec<_>>())
        }
    };
    if !categories.is_empty() {
        check_categories(&metrics, &categories, &rule_categories, &mut problems);
    }
    let readings: BTreeMap<Language, Arc<Readings>> =
        readings.into_iter().map(|(language, readings)| (language, Arc::new(readings))).collect();
    let inflect = crate::compile::inflector(&runtime);
    if only.is_none() && !unread.variants {
        unused_scripts(&shared, &metrics, &mut problems);
    }
    let mut remarks = Vec::new();
    if with_remarks {
        remarks = remarks::of_files(&runtime, &metrics, &shelves, &shared, &unread);
    }
    let advice = if only.is_none() { loops::advice(&metrics, &shelves) } else { Vec::new() };
    let reads = metrics.iter().map(|folder| (folder.manifest.id.clone(), folder.reads())).collect();
    let known_names = KnownNames {
        profiles: sources.profiles.iter().map(|profile| profile.name.clone()).collect(),
        glossaries: shelves.read.iter().map(|glossary| glossary.key.clone()).collect(),
        occurrences: sources.occurrences.1.0.keys().cloned().collect(),
        lists: lists.names(),
    };
    let mut compiler = Compiler::new(&runtime, roots, &shared, lists, &participles, &mut problems);
    let mut entries = Vec::new();
    let mut variant_sources = BTreeMap::new();
    let mut by_id: BTreeMap<String, Vec<MetricFolder>> = BTreeMap::new();
    for folder in metrics {
        by_id.entry(folder.manifest.id.clone()).or_default().push(folder);
    }
    let known: Vec<String> = by_id.keys().cloned().collect();
    for (id, folders) in by_id {
        let entry = metric(&id, folders, &mut compiler, &mut shelves, &mut variant_sources, &pins, &unread);
        entries.extend(Some(entry).filter(|entry| !entry.docs.is_empty()));
    }
    let conditions = compiler.conditions(&shelves.read);
    compiler.finish(only.is_none() && !unread.variants);
    let order: Vec<String> = categories.iter().map(|c| c.id.clone()).collect();
    let registry = Registry::new(&order, entries);
    unread.catalog.metrics.extend(known.into_iter().filter(|id| registry.get(id).is_none()));
    if only.is_none() {
        check_references(&registry, &pins, &unread, &mut problems);
    }
    let phrases = phrase_tables::indexes(&runtime, &shelves, &conditions, &mut problems);
    let rows = row_examples::of(&shelves.read);
    sources.shelf = shelves.shelf;
    sources.unread = unread.catalog;
    let (catalog, found) = Catalog::build(&sources, &registry);
    problems.extend(found);
    let registry = Arc::new(registry);
    let engine = Engine { runtime, readings, inflect, phrases, registry, notes, metric_deadline: METRIC_DEADLINE };
    // A slower look at all genres, for those who write rules and those who serve them.
    if problems.is_empty() && only.is_none() {
        problems.extend(loops::find(&engine, &catalog, &advice));
    }
    for list in [&mut problems, &mut remarks] {
        list.sort();
        list.dedup();
    }
    let outputs = variant_sources.keys().map(|key| (key.clone(), OnceLock::new())).collect();
    let snapshot = Snapshot {
        engine,
        catalog,
        categories,
        capabilities,
        outputs,
        sources: variant_sources,
        figures,
        figure_notes,
        known: known_names,
        rows,
    };
    Loaded { snapshot, problems, remarks, reads }
}

/// A shared script that no variant uses is forgotten or misspelt.
fn unused_scripts(shared: &BTreeMap<String, (String, String)>, metrics: &[MetricFolder], problems: &mut Vec<Problem>) {
    let variants = metrics.iter().flat_map(|folder| folder.variants.values());
    let used: BTreeSet<&str> = variants.flat_map(|v| v.variant.uses().iter().map(|name| name.as_str())).collect();
    for (name, (file, _)) in shared.iter().filter(|(name, _)| !used.contains(name.as_str())) {
        problems.push(
            Problem::of(file, "no variant uses this script").help(format!(
                "write `uses: [{name}]` beside `script:` or `measure:` of a variant, or delete the file"
            )),
        );
    }
}

fn read_capabilities(reader: &mut Reader<'_>) -> BTreeMap<Capability, Names> {
    let path = reader.path("rules/capabilities.yaml");
    let Some(notes) = reader.yaml::<BTreeMap<Capability, Names>>(&path) else { return BTreeMap::new() };
    for capability in Capability::ALL {
        if !notes.contains_key(&capability) {
            let at = reader.name(&path);
            reader.problems.push(
                Problem::of(at, format!("no note for the capability `{}`", capability.name()))
                    .help("add it in es, ca and en"),
            );
        }
    }
    notes
}

fn check_categories(
    metrics: &[MetricFolder],
    categories: &[Category],
    rules: &BTreeSet<String>,
    problems: &mut Vec<Problem>,
) {
    for folder in metrics {
        let manifest = &folder.manifest;
        let file = format!("rules/{}/metric.yaml", manifest.id);
        let known = categories.iter().map(|c| c.id.as_str());
        if !known.clone().any(|c| c == manifest.category) {
            let problem = Problem::of(&file, format!("unknown category `{}`", manifest.category))
                .near(&folder.source, &["category:", &manifest.category]);
            problems.push(match did_you_mean(&manifest.category, known.clone()) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => {
                    problem.help(format!("rules/categories.yaml has: {}", known.clone().collect::<Vec<_>>().join(", ")))
                }
            });
        }
        let is_rule = manifest.kind == glosa_metric::Kind::Rule;
        let doubled = categories.iter().filter(|c| c.id == manifest.category).count() > 1;
        if !doubled && is_rule != rules.contains(&manifest.category) && known.clone().any(|c| c == manifest.category) {
            let message = format!("category `{}` is not one of {}s", manifest.category, manifest.kind.name());
            let problem = Problem::of(&file, message).near(&folder.source, &["category:", &manifest.category]);
            problems.push(problem.help("see the two lists of rules/categories.yaml"));
        }
    }
}

fn metric(
    id: &str,
    folders: Vec<MetricFolder>,
    compiler: &mut Compiler<'_>,
    shelves: &mut Shelves,
    sources: &mut BTreeMap<(String, Language), VariantSource>,
    pins: &Pins,
    unread: &Unread,
) -> MetricEntry {
    let mut entry: Option<MetricEntry> = None;
    for folder in folders {
        let manifest = folder.manifest;
        let mut variants = Vec::new();
        for (language, file) in folder.variants {
            for key in &file.variant.glossaries {
                if !shelves.shelf.has(language, key) && !unread.glossaries.contains(&(language, key.clone())) {
                    let known = shelves.shelf.keys(language);
                    let missing = Problem::of(&file.file, format!("glossary `{key}` has no file in {language}"))
                        .near(&file.source, &[key]);
                    let near = did_you_mean(key, known.iter().copied());
                    compiler.problem(missing.help(match near {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("write glossaries/{key}.{language}.yaml"),
                    }));
                }
            }
            wordings(&file, language, folder.docs.get(&language).map(Arc::as_ref), compiler);
            let rows = phrase_rows(&file.variant);
            let table = (!rows.is_empty()).then(|| shelves.next_table(language));
            let columns = |key: &str| shelves.shelf.columns(language, key);
            let mut compiled = compiler.variants(&manifest, language, &file, table, &columns);
            if let Some(table) = table.filter(|_| !compiled.is_empty()) {
                shelves.tables.entry(language).or_default().push((table, rows));
                shelves.files.insert((language, table), file.file.clone());
            }
            if let Some(pinned) = pins.get(id).and_then(|p| p.get(&language)) {
                for variant in &mut compiled {
                    variant.enabled &= variant.version == *pinned;
                }
            }
            let glossaries = example_glossaries(&shelves.shelf, language, &file.variant.glossaries);
            let runs = compiled.iter().any(|v| v.enabled);
            if runs || !sources.contains_key(&(id.to_owned(), language)) {
                let VariantFolder { file, source, variant, .. } = file;
                let source = VariantSource { file, source, examples: variant.examples, glossaries };
                sources.insert((id.to_owned(), language), source);
            }
            variants.extend(compiled.into_iter().map(Arc::new));
        }
        match &mut entry {
            None => entry = Some(MetricEntry { manifest, docs: folder.docs, variants }),
            Some(first) => {
                first.docs.extend(folder.docs);
                first.variants.extend(variants);
            }
        }
    }
    let entry = entry.expect("a metric id comes from at least one folder");
    one_active(&entry, compiler);
    entry
}

/// The wordings that alternatives of a pattern name are those of the documentation.
fn wordings(file: &VariantFolder, language: Language, docs: Option<&DocsFile>, compiler: &mut Compiler<'_>) {
    let Some(report) = docs.and_then(|docs| docs.report.as_ref()) else { return };
    let named = file
        .variant
        .pattern()
        .into_iter()
        .flat_map(|pattern| &pattern.choices)
        .filter_map(|choice| choice.wording.as_ref());
    for name in named.clone().filter(|name| !report.wordings.contains_key(&name.value)) {
        let known = report.wordings.keys().map(String::as_str);
        let help = match did_you_mean(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write it under `report:`, `wordings:` of docs/{language}.yaml"),
        };
        let problem = Problem::of(&file.file, format!("the documentation has no wording `{}`", name.value));
        compiler.problem(problem.at(name.at.line.into(), name.at.column.into()).show(&file.source).help(help));
    }
    for name in report.wordings.keys().filter(|name| !file.variant.partial && !named.clone().any(|n| n.value == **name))
    {
        let problem =
            Problem::of(&file.file, format!("no alternative has the wording `{name}` of docs/{language}.yaml"));
        compiler.problem(problem.help(format!("write `wording: {name}` beside its `match`, or delete the wording")));
    }
}

fn one_active(entry: &MetricEntry, compiler: &mut Compiler<'_>) {
    for language in Language::ALL {
        let active: Vec<&Arc<Variant>> =
            entry.variants.iter().filter(|v| v.language == language && v.enabled).collect();
        if let [first, second, ..] = active.as_slice() {
            let message = format!(
                "two active variants of `{}` for {language}: {} {} and {} {}",
                entry.manifest.id, first.origin, first.version, second.origin, second.version
            );
            let help = if first.version == second.version {
                format!(
                    "delete one, or set `enabled: false` in it; to keep both and choose one in rules/pins.yaml (`{}: {{ \
                     {language}: {} }}`), give the other another version first",
                    entry.manifest.id, second.version
                )
            } else {
                format!(
                    "choose one in rules/pins.yaml: `{}: {{ {language}: {} }}`, or set `enabled: false` in the other",
                    entry.manifest.id, second.version
                )
            };
            compiler.problem(Problem::of(second.origin.to_string(), message).help(help));
        }
    }
}

fn example_glossaries(shelf: &GlossaryShelf, language: Language, keys: &[String]) -> Arc<Glossaries> {
    let found = keys.iter().filter_map(|key| Some((key.clone(), shelf.any(language, key)?.clone())));
    Arc::new(Glossaries::new(found.collect()))
}

/// Names in `yields_to` and in pins are metrics and versions that exist.
fn check_references(registry: &Registry, pins: &Pins, unread: &Unread, problems: &mut Vec<Problem>) {
    let there = |id: &str| registry.get(id).is_some() || unread.catalog.metrics.contains(id);
    let known = || registry.entries().iter().map(|e| e.manifest.id.as_str());
    let unknown = |file: String, id: &str| {
        let near = did_you_mean(id, known());
        let help = near.map_or("`cargo rules list` lists all metrics".to_owned(), |n| format!("did you mean `{n}`?"));
        Problem::of(file, format!("unknown metric `{id}`")).help(help)
    };
    for entry in registry.entries() {
        for id in entry.manifest.yields_to.iter().filter(|id| !there(id)) {
            problems.push(unknown(format!("rules/{}/metric.yaml", entry.manifest.id), id));
        }
    }
    for (id, versions) in pins {
        let Some(entry) = registry.get(id) else {
            if !there(id) {
                problems.push(unknown("rules/pins.yaml".into(), id));
            }
            continue;
        };
        for (language, version) in versions {
            let of_language: Vec<_> = entry.variants.iter().filter(|v| v.language == *language).collect();
            if !of_language.iter().any(|v| v.version == *version) {
                let there: Vec<_> = of_language.iter().map(|v| v.version.as_str()).collect();
                problems.push(
                    Problem::of("rules/pins.yaml", format!("`{id}` has no version {version} for {language}"))
                        .help(format!("there are: {}", there.join(", "))),
                );
            }
        }
    }
}
