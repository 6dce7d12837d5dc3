//! Advice that leads in a circle: a replacement that a rule of the same genre marks, the rule itself or another one. Who follows it
//! is told to change the text again.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use glosa_catalog::{Catalog, Step};
use glosa_metric::{EntryKind, Kind, Located, Problem, Structure, VariantFile};
use glosa_report::{Engine, Trial};
use glosa_text::Language;

use crate::glossary_files::Shelves;
use crate::metric_folder::MetricFolder;

/// The replacements of one row.
pub(crate) struct Advice {
    language: Language,
    from: From,
    file: Arc<str>,
    source: Arc<str>,
    term: Located<String>,
    texts: Vec<String>,
}

/// What offers a row.
enum From {
    /// A glossary, by its table.
    Glossary(u32),
    /// The phrase table of a metric.
    Metric(String),
}

/// The rows of all glossaries and phrase tables that offer replacements.
pub(crate) fn advice(metrics: &[MetricFolder], shelves: &Shelves) -> Vec<Advice> {
    let mut found = Vec::new();
    for folder in metrics {
        for (language, variant) in &folder.variants {
            let (file, source): (Arc<str>, Arc<str>) = (variant.file.as_str().into(), variant.source.as_str().into());
            for fix in literal_fixes(&variant.variant) {
                found.push(Advice {
                    language: *language,
                    from: From::Metric(folder.manifest.id.clone()),
                    file: file.clone(),
                    source: source.clone(),
                    texts: vec![fix.value.clone()],
                    term: fix,
                });
            }
            for row in variant.variant.rows().iter().filter(|row| !row.allow) {
                found.push(Advice {
                    language: *language,
                    from: From::Metric(folder.manifest.id.clone()),
                    file: file.clone(),
                    source: source.clone(),
                    term: row.phrase.clone(),
                    texts: row.to.clone(),
                });
            }
        }
    }
    let files: Vec<(Arc<str>, Arc<str>)> =
        shelves.read.iter().map(|glossary| (glossary.file.as_str().into(), glossary.source.as_str().into())).collect();
    for (number, glossary) in shelves.read.iter().enumerate() {
        let table = shelves
            .files
            .iter()
            .find(|((language, _), file)| *language == glossary.language && **file == glossary.file);
        let Some(((_, table), _)) = table else { continue };
        let rows = glossary.entries.iter().zip(&glossary.rows);
        for (entry, nodes) in rows.filter(|(entry, _)| entry.active && entry.kind != EntryKind::Allow) {
            let (file, source) = files[nodes.from.map_or(number, |(file, _)| file)].clone();
            let texts: Vec<String> = entry.replacement.iter().chain(&entry.alternatives).cloned().collect();
            found.push(Advice {
                language: glossary.language,
                from: From::Glossary(*table),
                file,
                source,
                term: Located { value: entry.term.clone(), at: Default::default() },
                texts,
            });
        }
    }
    found.retain(|advice| advice.texts.iter().any(|text| !text.is_empty()));
    found
}

/// The replacements of a pattern that say the same whatever was found.
fn literal_fixes(variant: &VariantFile) -> Vec<Located<String>> {
    let Some(pattern) = variant.pattern() else { return Vec::new() };
    let choices = pattern
        .choices
        .iter()
        .flat_map(|choice| choice.fix.iter().flatten().chain(choice.alternatives.iter().flatten()));
    let all = pattern.fix.iter().chain(&pattern.alternatives).chain(choices);
    all.filter(|text| !text.contains('{')).cloned().collect()
}

/// The circles of the genres of a catalog, each once.
pub(crate) fn find(engine: &Engine, catalog: &Catalog, advice: &[Advice]) -> Vec<Problem> {
    let mut marked = Marked { engine, phrases: HashMap::new(), tried: HashMap::new() };
    let mut found = BTreeMap::new();
    for genre in catalog.genres() {
        for (language, edition) in &genre.editions {
            let steps = edition.plan.steps.iter().filter(|step| step.variant.kind == Kind::Rule);
            let rules: Vec<Rule<'_>> = steps.map(Rule::of).collect();
            let glossaries = rules.iter().flat_map(|rule| rule.step.glossaries.iter());
            let offered: BTreeSet<u32> = glossaries.map(|(_, glossary)| glossary.table).collect();
            let runs: HashSet<&str> = rules.iter().map(|rule| &*rule.step.variant.metric).collect();
            for (number, advice) in advice.iter().enumerate().filter(|(_, advice)| advice.language == *language) {
                let active = match &advice.from {
                    From::Glossary(table) => offered.contains(table),
                    From::Metric(metric) => runs.contains(metric.as_str()),
                };
                if !active {
                    continue;
                }
                for text in advice.texts.iter().filter(|text| !text.is_empty()) {
                    for rule in marked.by(*language, text, &rules) {
                        found
                            .entry((number, text.clone(), rule))
                            .or_insert_with(|| format!("{}/{}", genre.domain.slug, genre.slug));
                    }
                }
            }
        }
    }
    let problem = |((number, text, rule), genre): ((usize, String, String), String)| {
        let Advice { file, source, term, .. } = &advice[number];
        let said = match term.value == text {
            true => format!("the replacement `{text}` is marked by `{rule}` (in {genre})"),
            false => format!("`{}` becomes `{text}`, which `{rule}` marks (in {genre})", term.value),
        };
        let problem = Problem::of(file.as_ref(), said)
            .help("propose what no rule of the genre marks, or take away the row that marks it");
        match term.at.line {
            0 => problem.near(source, &["term:", &term.value]),
            line => problem.at(line.into(), term.at.column.into()).show(source),
        }
    };
    found.into_iter().map(problem).collect()
}

/// A rule of a genre with the tables that it reads.
struct Rule<'s> {
    step: &'s Step,
    tables: Vec<u32>,
}

impl<'s> Rule<'s> {
    fn of(step: &'s Step) -> Self {
        let tables = step.glossaries.iter().map(|(_, glossary)| glossary.table).chain(step.variant.table).collect();
        Rule { step, tables }
    }
}

/// What rules say of single replacements, asked once.
struct Marked<'e> {
    engine: &'e Engine,
    /// Tables with a phrase of the text.
    phrases: HashMap<(Language, String), BTreeSet<u32>>,
    tried: HashMap<(Language, String, String, BTreeSet<u32>), bool>,
}

impl Marked<'_> {
    /// The rules that mark a text that stands alone.
    fn by(&mut self, language: Language, text: &str, rules: &[Rule<'_>]) -> Vec<String> {
        let engine = self.engine;
        let hit = self.phrases.entry((language, text.to_owned())).or_insert_with(|| {
            let Some(index) = engine.phrases.get(&language) else { return BTreeSet::new() };
            let document = engine.analyse(language, text, &HashSet::new());
            let all: Vec<u32> = index.tables().into_iter().collect();
            index.scan(&document, &all).tables().collect()
        });
        if hit.is_empty() {
            return Vec::new();
        }
        let hit = hit.clone();
        let mut found = Vec::new();
        for Rule { step, tables } in rules {
            let own: BTreeSet<u32> = tables.iter().copied().filter(|table| hit.contains(table)).collect();
            if own.is_empty() {
                continue;
            }
            let question = (language, text.to_owned(), step.variant.metric.to_string(), own);
            let marks = *self.tried.entry(question).or_insert_with(|| {
                let trial = Trial {
                    variant: step.variant.clone(),
                    params: (*step.params).clone(),
                    glossaries: step.glossaries.clone(),
                    structure: Arc::new(Structure::default()),
                    headings: Arc::new(HashSet::new()),
                    gates_open: true,
                };
                let said = trial.run(engine, text).ok().and_then(|outcome| outcome.recommendation);
                said.is_some_and(|said| said.occurrences.iter().any(|occurrence| occurrence.start.is_some()))
            });
            if marks {
                found.push(step.variant.metric.to_string());
            }
        }
        found
    }
}
