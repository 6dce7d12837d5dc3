//! Everything that was loaded, immutable behind one `Arc`.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, OnceLock};

use glosa_catalog::{Catalog, Names};
use glosa_metric::{Capability, Examples, Glossaries, ParamValues, Structure, Variant};
use glosa_report::{Engine, Trial};
use glosa_text::Language;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::KnownNames;
use crate::judged_figures::{FigureNotes, RuleFigures};
use crate::row_examples::RowTest;

/// One immutable state of rules, genres, glossaries and runtime. A job keeps the snapshot that it started with.
#[derive(Debug)]
pub struct Snapshot {
    /// What reports are made with.
    pub engine: Engine,
    /// Genres.
    pub catalog: Catalog,
    /// Categories of rules in linguistic order, then those of measurements.
    pub categories: Vec<Category>,
    /// Notes on missing capabilities.
    pub capabilities: BTreeMap<Capability, Names>,
    /// One true output of each variant, by metric and language, made when somebody asks for it.
    pub(crate) outputs: BTreeMap<(String, Language), OnceLock<Option<serde_json::Value>>>,
    /// Names that files may use.
    pub known: KnownNames,
    pub(crate) sources: BTreeMap<(String, Language), VariantSource>,
    /// What people said of the rules, with the number of documents that were judged.
    pub(crate) figures: BTreeMap<(String, Language), (usize, RuleFigures)>,
    /// How they are told.
    pub(crate) figure_notes: FigureNotes,
    /// Examples of the rows of glossaries.
    pub(crate) rows: Vec<RowTest>,
}

/// A category of metrics.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Category {
    /// Public name.
    pub id: String,
    /// Names that people read.
    pub names: Names,
    /// How much its places matter: `note` where absent. Rules only.
    #[serde(default)]
    pub severity: Severity,
}

/// How much a place matters. Reports do not tell it: it is for those who gate on them and for editors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Advice: the text would be better.
    #[default]
    Note,
    /// Against what people expect of a written text.
    Warning,
    /// Wrong in any text.
    Error,
}

/// The file of a variant, for people and for trying the variant out.
#[derive(Clone, Debug)]
pub struct VariantSource {
    /// Path from its root.
    pub file: String,
    /// Text of the file.
    pub source: String,
    /// Its examples.
    pub examples: Examples,
    /// Glossaries of the language-wide level, or of the first place that has one.
    pub glossaries: Arc<Glossaries>,
}

impl Snapshot {
    /// How much the places of a category of rules matter.
    pub fn severity(&self, category: &str) -> Severity {
        self.categories.iter().find(|known| known.id == category).map_or(Severity::Note, |known| known.severity)
    }

    /// Files and examples of the variants, by metric and language.
    pub fn sources(&self) -> &BTreeMap<(String, Language), VariantSource> {
        &self.sources
    }

    /// One true output of a variant, for the catalogue; `None` where it has none.
    pub fn example(&self, metric: &str, language: Language) -> Option<&serde_json::Value> {
        let output = self.outputs.get(&(metric.to_owned(), language))?;
        output.get_or_init(|| crate::examples::output(self, metric, language)).as_ref()
    }

    /// A trial of the variant that reports of a language use, outside any genre or inside one (domain, text type).
    pub fn trial(&self, metric: &str, language: Language, genre: Option<(&str, &str)>) -> Option<Trial> {
        let variant: &Arc<Variant> = self.engine.registry.get(metric)?.variant(language)?;
        let source = self.sources.get(&(metric.to_owned(), language))?;
        let mut trial = Trial {
            variant: variant.clone(),
            params: ParamValues::new(),
            glossaries: source.glossaries.clone(),
            structure: Arc::new(Structure::default()),
            headings: Arc::new(HashSet::new()),
            gates_open: true,
        };
        if let Some((domain, text_type)) = genre {
            let (_, edition) = self.catalog.find(language, Some(domain), text_type).ok()?;
            trial.structure = edition.structure.clone();
            trial.headings = edition.headings.clone();
            if let Some(step) = edition.plan.steps.iter().find(|s| &*s.variant.metric == metric) {
                trial.glossaries = step.glossaries.clone();
            }
        }
        Some(trial)
    }

    /// What people said of the places of a rule in judged documents: how many documents they read, and the figures. `None` where
    /// nobody judged any.
    pub fn figures(&self, metric: &str, language: Language) -> Option<(usize, RuleFigures)> {
        self.figures.get(&(metric.to_owned(), language)).copied()
    }

    /// The figures of a rule on texts of a language, in a sentence; empty where nobody judged any of its places.
    pub fn judged_note(&self, metric: &str, language: Language, documentation: Language) -> String {
        let figures = self.figures(metric, language);
        figures.map_or_else(String::new, |(of, figures)| self.figure_notes.told(documentation, of, &figures))
    }

    /// Why a variant is not available, in a language; `None` when it is.
    pub fn availability_note(&self, variant: &Variant, language: Language) -> Option<String> {
        if let Some(note) = &variant.unavailable {
            return note.get(&language).cloned();
        }
        let notes: Vec<&str> =
            variant.missing.iter().filter_map(|c| self.capabilities.get(&c)).map(|n| n.get(language)).collect();
        (!variant.available()).then(|| notes.join(" "))
    }
}
