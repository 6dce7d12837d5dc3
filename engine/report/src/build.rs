//! Running the plan of a genre on a text.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use glosa_catalog::{Genre, GenreEdition, Plan, Step};
use glosa_metric::phrases::PhraseHits;
use glosa_metric::{
    Budget, Capability, Fixed, Inflect, Input, Kind, MetricError, Number, ParamValues, Params, Sink, Structure, Views,
};
use glosa_text::{Document, Language, Span, feature};

use crate::assemble::{Assembled, Page, Said, recommendation};
use crate::clusters::Clusters;
use crate::edits::Taken;
use crate::overlap::{Places, audible};
use crate::prose::Silenced;
use crate::{
    Engine, GenreName, Measurement, MeasurementValue, Prose, Recommendation, ReportResult, TextDomain, TextType,
};

/// What is being done, for those who wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Linguistic analysis.
    Analyzing,
    /// Applying rules.
    Building,
}

/// What happens while a report is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A phase begins.
    Phase(Phase),
    /// A limit ended the search of a rule before the end of the text. The report says so only where the rule has found something.
    CutShort {
        /// Its id.
        metric: String,
        /// Where it came from.
        origin: String,
        /// Which limit. The message is for logs, not for callers.
        why: String,
        /// Places found until then.
        places: usize,
    },
}

/// Why there is no report.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BuildError {
    /// A metric failed twice on this text. The message is for logs, not for callers.
    #[error("metric `{metric}` ({origin}): {error}")]
    Metric {
        /// Its id.
        metric: String,
        /// Where it came from.
        origin: String,
        /// What happened.
        error: MetricError,
    },
    /// The job was given up.
    #[error("stopped")]
    Stopped,
}

/// Analyses a text and applies the plan of its genre. The same engine, genre and text give the same result, byte for
/// byte. `on` hears of each phase and of rules cut short; setting `stop` ends the work between two metrics, or inside one that watches it.
pub fn build(
    engine: &Engine,
    (genre, edition): (&Genre, &GenreEdition),
    language: Language,
    text: &str,
    on: &mut dyn FnMut(Progress),
    stop: &Arc<AtomicBool>,
) -> Result<ReportResult, BuildError> {
    build_prose(engine, (genre, edition), language, &Prose::plain(text), on, stop)
}

/// The same for prose that was taken out of a file.
pub fn build_prose(
    engine: &Engine,
    (genre, edition): (&Genre, &GenreEdition),
    language: Language,
    prose: &Prose<'_>,
    on: &mut dyn FnMut(Progress),
    stop: &Arc<AtomicBool>,
) -> Result<ReportResult, BuildError> {
    on(Progress::Phase(Phase::Analyzing));
    let text = prose.text;
    let document = engine.analyse_laid_out(language, text, prose.layout(&edition.headings));
    let document = parsed(engine, document, &edition.plan);
    on(Progress::Phase(Phase::Building));
    let mut run = Run::new(engine, document, edition.structure.clone(), stop.clone(), false);
    run.silenced = prose.silenced;
    let outcome = run.plan(&edition.plan)?;
    outcome.cut_short.into_iter().for_each(on);
    let result = ReportResult {
        schema_version: "2.0".into(),
        offset_unit: "unicode_code_points".into(),
        language: language.code().into(),
        genre: GenreName {
            domain: TextDomain { slug: genre.domain.slug.clone(), name: genre.domain.names.get(language).to_owned() },
            text_type: TextType { slug: genre.slug.clone(), name: genre.names.get(language).to_owned() },
        },
        measurements: outcome.measurements,
        recommendations: outcome.recommendations,
        applied_thresholds: outcome.applied,
    };
    debug_assert!(crate::violations(&result, text).is_empty(), "{:?}", crate::violations(&result, text));
    Ok(result)
}

/// The text as a plan needs it: parsed only where a step asks for trees.
pub(crate) fn analyse(
    engine: &Engine,
    language: Language,
    text: &str,
    headings: &HashSet<String>,
    plan: &Plan,
) -> Arc<Document> {
    parsed(engine, engine.analyse(language, text, headings), plan)
}

fn parsed(engine: &Engine, document: Document, plan: &Plan) -> Arc<Document> {
    Arc::new(if plan.needs(Capability::Dependency) { engine.runtime.parse_document(document) } else { document })
}

/// One document on its way through a plan.
pub(crate) struct Run<'e> {
    pub engine: &'e Engine,
    pub document: Arc<Document>,
    pub structure: Arc<Structure>,
    pub stop: Arc<AtomicBool>,
    pub trial: bool,
    /// What no rule, or some rule, is to say.
    pub silenced: Option<Silenced<'e>>,
    inflect: Arc<dyn Inflect>,
    genders: RefCell<HashMap<String, Option<String>>>,
    /// What the metrics share.
    pub views: Arc<Views>,
}

#[derive(Default)]
pub(crate) struct Outcome {
    pub measurements: Vec<Measurement>,
    pub recommendations: Vec<Recommendation>,
    pub applied: BTreeMap<String, ParamValues>,
    pub unknown_facts: Vec<String>,
    pub known_facts: Vec<String>,
    /// Rules that a limit ended.
    pub cut_short: Vec<Progress>,
}

struct Found<'p> {
    step: &'p Step,
    said: Said,
}

impl<'e> Run<'e> {
    pub(crate) fn new(
        engine: &'e Engine,
        document: Arc<Document>,
        structure: Arc<Structure>,
        stop: Arc<AtomicBool>,
        trial: bool,
    ) -> Self {
        let inflect = engine.inflect.clone();
        let (genders, views, silenced) = (RefCell::default(), Arc::default(), None);
        Run { engine, document, structure, stop, trial, silenced, inflect, genders, views }
    }
}

impl Run<'_> {
    pub(crate) fn plan(&self, plan: &Plan) -> Result<Outcome, BuildError> {
        let hits = self.hits(plan);
        self.steps(plan, &hits)
    }

    /// The phrases of all tables of a plan.
    pub(crate) fn hits(&self, plan: &Plan) -> Arc<PhraseHits> {
        let index = self.engine.phrases.get(&self.document.language());
        Arc::new(index.map(|index| index.scan(&self.document, &plan.tables)).unwrap_or_default())
    }

    /// Runs the metrics and words what they found.
    pub(crate) fn steps(&self, plan: &Plan, hits: &Arc<PhraseHits>) -> Result<Outcome, BuildError> {
        let mut outcome = Outcome::default();
        let mut found = Vec::new();
        let mut places = Places::default();
        for step in plan.steps.iter().filter(|s| s.variant.kind == Kind::Rule) {
            let (mut sink, applied) = self.step(step, hits, 0)?;
            if let Some(silenced) = self.silenced {
                let silent = |place: Option<Span>| silenced(&step.variant.metric, place);
                sink.findings = audible(sink.findings, &silent);
            }
            outcome.applied.insert(step.variant.metric.to_string(), applied);
            places.note(&step.variant.metric, &sink.findings);
            outcome.cut_short.extend(sink.ended.as_ref().map(|why| Progress::CutShort {
                metric: step.variant.metric.to_string(),
                origin: step.variant.origin.to_string(),
                why: why.clone(),
                places: sink.findings.len(),
            }));
            let said = Said { findings: sink.findings, facts: sink.facts, ended: sink.ended.is_some() };
            found.push(Found { step, said });
        }
        let mut taken = Taken::default();
        let gender = |word: &str| self.gender(word);
        let clusters = Clusters::new(self.document.text(), self.document.index());
        let page = Page {
            document: &self.document,
            clusters: &clusters,
            notes: &self.engine.notes,
            gender: &gender,
            inflect: &*self.engine.inflect,
        };
        for Found { step, mut said } in found {
            let Some(entry) = self.engine.registry.get(&step.variant.metric) else { continue };
            said.findings = places.keep(&step.yields_to, said.findings);
            if let Some(Assembled { recommendation, unknown_facts, known_facts }) =
                recommendation(&page, entry, &step.variant, said, &mut taken)
            {
                outcome.recommendations.push(recommendation);
                outcome.unknown_facts.extend(unknown_facts);
                outcome.known_facts.extend(known_facts);
            }
        }
        let occurrences = outcome.recommendations.iter().map(|r| r.occurrences.len() as u32).sum();
        for step in plan.steps.iter().filter(|s| s.variant.kind == Kind::Measurement) {
            let (sink, _) = self.step(step, hits, occurrences)?;
            outcome.measurements.extend(self.measurement(step, sink.value));
        }
        Ok(outcome)
    }

    /// The gender of a word that stands alone, where the runtime knows it.
    fn gender(&self, word: &str) -> Option<String> {
        if let Some(known) = self.genders.borrow().get(word) {
            return known.clone();
        }
        let document = self.engine.analyse(self.document.language(), word, &HashSet::new());
        let token = document.tokens().first().filter(|token| token.flags.known());
        let gender = token.and_then(|token| feature(document.string(token.feats), "Gender")).map(str::to_owned);
        self.genders.borrow_mut().insert(word.to_owned(), gender.clone());
        gender
    }

    fn measurement(&self, step: &Step, value: Option<Number>) -> Option<Measurement> {
        let value = match value? {
            Number::Integer(n) => MeasurementValue::Integer(n),
            Number::Real(x) => MeasurementValue::Number(Fixed::round(x)?.0),
        };
        let entry = self.engine.registry.get(&step.variant.metric)?;
        Some(Measurement {
            metric_id: entry.manifest.id.clone(),
            value,
            unit: entry.manifest.unit.clone().unwrap_or_default(),
            implementation_version: step.variant.version.clone(),
        })
    }

    /// Runs one metric; a failure is tried once more before it fails the report.
    fn step(&self, step: &Step, hits: &Arc<PhraseHits>, occurrences: u32) -> Result<(Sink, ParamValues), BuildError> {
        let mut last = None;
        for _ in 0..2 {
            if self.stop.load(Ordering::Relaxed) {
                return Err(BuildError::Stopped);
            }
            let params = Arc::new(Params::new(step.params.clone()));
            let deadline = (!self.trial).then(|| Instant::now() + self.engine.metric_deadline);
            let input = Input {
                document: self.document.clone(),
                params: params.clone(),
                glossaries: step.glossaries.clone(),
                views: self.views.clone(),
                hits: hits.clone(),
                structure: self.structure.clone(),
                inflect: self.inflect.clone(),
                budget: Budget { deadline, stop: self.stop.clone() },
                occurrences,
                trial: self.trial,
            };
            let mut sink = Sink::default();
            match catch_unwind(AssertUnwindSafe(|| step.variant.run.run(&input, &mut sink))) {
                Ok(Ok(())) => return Ok((sink, params.applied())),
                Ok(Err(error)) => last = Some(error),
                Err(panic) => last = Some(MetricError::Panicked(message(&*panic))),
            }
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(BuildError::Stopped);
        }
        Err(BuildError::Metric {
            metric: step.variant.metric.to_string(),
            origin: step.variant.origin.to_string(),
            error: last.unwrap_or_else(|| MetricError::Failed("no result".into())),
        })
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".into())
}
