//! What runs where no genre is named: the rules that every genre of the language runs, with the language's own thresholds.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use glosa_catalog::{Domain, Genre, GenreEdition, Names, Plan, Step};
use glosa_host::Snapshot;
use glosa_metric::{Kind, Structure};
use glosa_text::Language;

/// A genre without a name, and its edition in a language.
pub(crate) fn common(snapshot: &Snapshot, language: Language) -> (Genre, GenreEdition) {
    let editions: Vec<&GenreEdition> =
        snapshot.catalog.genres().iter().filter_map(|genre| genre.editions.get(&language)).collect();
    let mut steps = Vec::new();
    let first = editions.first().map(|edition| edition.plan.steps.as_slice()).unwrap_or_default();
    for step in first.iter().filter(|step| step.variant.kind == Kind::Rule) {
        let runs = |edition: &&GenreEdition| edition.plan.steps.iter().any(|s| s.variant.metric == step.variant.metric);
        let source = snapshot.sources().get(&(step.variant.metric.to_string(), language));
        if let Some(source) = source.filter(|_| editions.iter().all(runs)) {
            let params = Arc::new(step.variant.defaults.as_ref().clone());
            steps.push(Step { params, glossaries: source.glossaries.clone(), ..step.clone() });
        }
    }
    let of_step =
        |step: &Step| step.glossaries.iter().map(|(_, g)| g.table).chain(step.variant.table).collect::<Vec<u32>>();
    let mut tables: Vec<u32> = steps.iter().flat_map(of_step).collect();
    tables.sort_unstable();
    tables.dedup();
    let names = || Names { es: String::new(), ca: String::new(), en: String::new() };
    let domain = Arc::new(Domain { slug: String::new(), names: names(), clear_language: false });
    let genre = Genre { domain, slug: String::new(), names: names(), clear_language: false, editions: BTreeMap::new() };
    let edition = GenreEdition {
        structure: Arc::new(Structure::default()),
        headings: Arc::new(HashSet::new()),
        plan: Plan { steps, tables },
        scope: BTreeMap::new(),
        glossaries: Vec::new(),
    };
    (genre, edition)
}
