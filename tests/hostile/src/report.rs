//! A report of a made-up text: whether there is one, and what it cost.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glosa_catalog::{Genre, GenreEdition, Step};
use glosa_host::{Roots, Snapshot};
use glosa_report::{BuildError, Progress, ReportResult, build};
use glosa_text::Language;

/// Everything of the checkout.
pub fn snapshot() -> Snapshot {
    let roots = Roots::find(Some(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))), &[]).expect("the checkout");
    glosa_host::load(&roots).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

/// A language with a genre in which every metric of the language is active.
pub struct Case<'s> {
    snapshot: &'s Snapshot,
    genre: &'s Genre,
    edition: GenreEdition,
    language: Language,
}

/// The letter of plain-language administration with every metric switched on.
pub fn case(snapshot: &Snapshot, language: Language) -> Case<'_> {
    let genres = snapshot.catalog.genres().iter().filter(|genre| genre.editions.contains_key(&language));
    let genre = genres.max_by_key(|genre| genre.editions[&language].plan.steps.len()).expect("a genre");
    let mut edition = genre.editions[&language].clone();
    let plan = &mut edition.plan;
    for ((metric, of), source) in snapshot.sources() {
        let there = plan.steps.iter().any(|step| *step.variant.metric == **metric);
        let entry = snapshot.engine.registry.get(metric).filter(|_| *of == language && !there);
        let Some(variant) = entry.and_then(|entry| entry.variant(language)) else { continue };
        if variant.available() {
            plan.tables.extend(source.glossaries.iter().map(|(_, glossary)| glossary.table).chain(variant.table));
            plan.steps.push(Step {
                variant: variant.clone(),
                params: variant.defaults.clone(),
                glossaries: source.glossaries.clone(),
                yields_to: Arc::new([]),
            });
        }
    }
    plan.tables.sort_unstable();
    plan.tables.dedup();
    Case { snapshot, genre, edition, language }
}

impl Case<'_> {
    /// The report of a text.
    ///
    /// # Errors
    /// What failed it.
    pub fn report(&self, text: &str, on: &mut dyn FnMut(Progress)) -> Result<ReportResult, BuildError> {
        let stop = Arc::new(AtomicBool::new(false));
        build(&self.snapshot.engine, (self.genre, &self.edition), self.language, text, on, &stop)
    }

    /// The same without metrics: the analysis, and the search for phrases.
    pub fn bare(mut self) -> Self {
        self.edition.plan.steps.clear();
        self
    }

    /// Its language.
    pub fn language(&self) -> Language {
        self.language
    }
}
