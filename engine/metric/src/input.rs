//! What a metric is given and where it puts what it found.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use glosa_text::Document;

use crate::phrases::PhraseHits;
use crate::{Finding, Glossaries, Inflect, MetricError, Params, Structure, Views};

/// A measurement or rule that can run on a document. Instances are shared between threads and keep no state.
pub trait Metric: Send + Sync {
    /// Reads the input and fills the sink.
    fn run(&self, input: &Input, out: &mut Sink) -> Result<(), MetricError>;
}

/// Everything that a metric may read.
#[derive(Clone)]
pub struct Input {
    /// The analysed text.
    pub document: Arc<Document>,
    /// Thresholds of the genre or the language; reads are recorded.
    pub params: Arc<Params>,
    /// Glossaries that the variant listed, resolved for the genre.
    pub glossaries: Arc<Glossaries>,
    /// What metrics share of the document; made when the first of them asks.
    pub views: Arc<Views>,
    /// Hits of phrase tables and glossaries, found in one pass over the text.
    pub hits: Arc<PhraseHits>,
    /// Recommended structure of the genre in the language of the text.
    pub structure: Arc<Structure>,
    /// Inflection of the language.
    pub inflect: Arc<dyn Inflect>,
    /// Time left and the wish to stop.
    pub budget: Budget,
    /// Occurrences that the rules found; set only for measurements, which run after the rules.
    pub occurrences: u32,
    /// Set while examples run: density gates are open, so that one sentence is enough to show a rule.
    pub trial: bool,
}

/// When a metric has to end.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// After this moment the metric is stopped.
    pub deadline: Option<Instant>,
    /// Set when the job was given up.
    pub stop: Arc<AtomicBool>,
}

impl Budget {
    /// Whether the metric has to end now.
    pub fn exhausted(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }
}

/// The value of a measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A count.
    Integer(i64),
    /// A ratio or score; `report` rounds it half up to two decimals and drops what is not finite.
    Real(f64),
}

/// Where a metric puts its results.
#[derive(Debug, Default)]
pub struct Sink {
    /// Findings of a rule, in any order.
    pub findings: Vec<Finding>,
    /// Value of a measurement; `None` leaves the measurement out of the report.
    pub value: Option<Number>,
    /// Why the search ended before the end of the text, where a limit ended it. What was found until then stands.
    pub ended: Option<String>,
    /// Values for the wording of the whole recommendation.
    pub facts: std::collections::BTreeMap<String, crate::Fact>,
}

impl Sink {
    /// Adds a finding.
    pub fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Sets the value.
    pub fn measure(&mut self, value: Number) {
        self.value = Some(value);
    }
}
