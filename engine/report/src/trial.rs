//! One metric alone on one text: for examples, `rules run` and the catalogue's `example`.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glosa_catalog::{Plan, Step};
use glosa_metric::{Glossaries, ParamValues, Structure, Variant};

use crate::build::{Run, analyse};
use crate::{BuildError, Engine, Measurement, Recommendation, apply};

/// What one metric is tried with.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The metric.
    pub variant: Arc<Variant>,
    /// Thresholds that replace the language's defaults.
    pub params: ParamValues,
    /// Glossaries by key.
    pub glossaries: Arc<Glossaries>,
    /// Structure that the text should have.
    pub structure: Arc<Structure>,
    /// Folded headings that the layout knows.
    pub headings: Arc<HashSet<String>>,
    /// Whether density gates stay open.
    pub gates_open: bool,
}

/// A trial that gave no result.
pub type TrialError = BuildError;

/// What one metric says of one text.
#[derive(Clone, Debug, Default)]
pub struct TrialOutcome {
    /// Its recommendation, if it found anything.
    pub recommendation: Option<Recommendation>,
    /// Its value, if it is a measurement that applies.
    pub measurement: Option<Measurement>,
    /// The text after all edits.
    pub edited: String,
    /// Placeholders of the wording that the metric gave no value for.
    pub unknown_facts: Vec<String>,
    /// Names of the values that the wording may show.
    pub known_facts: Vec<String>,
    /// Thresholds that it read.
    pub applied: ParamValues,
}

impl Trial {
    /// Runs the metric on a text.
    pub fn run(&self, engine: &Engine, text: &str) -> Result<TrialOutcome, TrialError> {
        let mut params = ParamValues::clone(&self.variant.defaults);
        params.extend(self.params.clone());
        let tables = self.glossaries.iter().map(|(_, g)| g.table).chain(self.variant.table);
        let mut tables: Vec<u32> = tables.collect();
        tables.sort_unstable();
        let step = Step {
            variant: self.variant.clone(),
            params: Arc::new(params),
            glossaries: self.glossaries.clone(),
            yields_to: Arc::new([]),
        };
        let plan = Plan { steps: vec![step], tables };
        let document = analyse(engine, self.variant.language, text, &self.headings, &plan);
        let stop = Arc::new(AtomicBool::new(false));
        let run = Run::new(engine, document, self.structure.clone(), stop, self.gates_open);
        let mut outcome = run.plan(&plan)?;
        let recommendation = outcome.recommendations.pop();
        let mut edits: Vec<_> =
            recommendation.iter().flat_map(|r| &r.occurrences).flat_map(|o| o.edits.iter().cloned()).collect();
        edits.sort_by_key(|e| std::cmp::Reverse((e.start, e.end)));
        Ok(TrialOutcome {
            edited: apply(text, &edits),
            recommendation,
            measurement: outcome.measurements.pop(),
            unknown_facts: outcome.unknown_facts,
            known_facts: outcome.known_facts,
            applied: outcome.applied.remove(&*self.variant.metric).unwrap_or_else(BTreeMap::new),
        })
    }
}
