//! What a report costs, part by part: for `rules time` and the benchmark of the catalogue.
//!
//! All parts are measured in turns, round by round, and each is told by its median, so that neither a busy moment nor
//! the part before it is charged to one of them. What metrics share is made before any of them is measured and has a
//! row of its own.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use glosa_catalog::{GenreEdition, Plan, Step};
use glosa_metric::{Input, Metric, MetricError, ParamValues, Sink, Variant, Views};
use glosa_text::Language;

use crate::build::{Run, analyse};
use crate::{BuildError, Engine};

/// A part that takes less than this is run several times in a round.
const LEAST: Duration = Duration::from_micros(400);
const MOST_REPEATS: u32 = 1000;

/// The time of one part, over the rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// The middle of all rounds.
    pub median: Duration,
    /// The first and the third quarter of the rounds lie so far apart.
    pub spread: Duration,
}

/// What the parts of one report cost.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    /// Orthographic words of the text.
    pub words: usize,
    /// As many metrics as the plan has, none of which does anything.
    pub nothing: Sample,
    /// Linguistic analysis of the text, without trees.
    pub analysis: Sample,
    /// The trees that the plan asks for. They are made before any metric is measured.
    pub trees: Sample,
    /// Sentence units whose trees the plan asks for, and all of them.
    pub parsed: (usize, usize),
    /// What is made once for all metrics: hits of all phrase tables, counts, vocabulary.
    pub shared: Sample,
    /// Analysis, all metrics and the report.
    pub whole: Sample,
    /// Each metric by itself, with the wording of what it found, in the order of the plan.
    pub metrics: Vec<(Arc<str>, Sample)>,
}

struct Part<'p> {
    work: Box<dyn FnMut() -> Result<(), BuildError> + 'p>,
    repeats: u32,
    rounds: Vec<Duration>,
}

impl<'p> Part<'p> {
    fn new(work: impl FnMut() -> Result<(), BuildError> + 'p) -> Self {
        Part { work: Box::new(work), repeats: 1, rounds: Vec::new() }
    }

    fn time(&mut self, clock: &dyn Fn() -> Duration) -> Result<Duration, BuildError> {
        let start = clock();
        for _ in 0..self.repeats {
            (self.work)()?;
        }
        Ok(clock().saturating_sub(start) / self.repeats)
    }

    fn warm(&mut self, clock: &dyn Fn() -> Duration) -> Result<(), BuildError> {
        self.time(clock)?;
        let once = self.time(clock)?.as_nanos().max(1);
        self.repeats = (LEAST.as_nanos() / once).clamp(1, MOST_REPEATS.into()) as u32;
        Ok(())
    }

    fn sample(&self) -> Sample {
        let mut rounds = self.rounds.clone();
        rounds.sort_unstable();
        let at = |quarter: usize| rounds.get(rounds.len() * quarter / 4).copied().unwrap_or_default();
        Sample { median: at(2), spread: at(3).saturating_sub(at(1)) }
    }
}

/// Does nothing, as a metric.
struct Nothing;

impl Metric for Nothing {
    fn run(&self, _: &Input, _: &mut Sink) -> Result<(), MetricError> {
        Ok(())
    }
}

fn idle(step: &Step) -> Step {
    let variant = Variant { run: Arc::new(Nothing), ..Variant::clone(&step.variant) };
    Step { variant: Arc::new(variant), params: Arc::new(ParamValues::new()), ..step.clone() }
}

/// Measures the parts of the report on a text. `clock` says how long this thread has computed; each part is run twice
/// for nothing and then once, or often, a round.
///
/// # Errors
/// A metric that fails on this text.
pub fn costs(
    engine: &Engine,
    edition: &GenreEdition,
    language: Language,
    text: &str,
    rounds: u32,
    clock: &dyn Fn() -> Duration,
) -> Result<Costs, BuildError> {
    let stop = Arc::new(AtomicBool::new(false));
    let run = |document| Run::new(engine, document, edition.structure.clone(), stop.clone(), false);
    let fresh = || run(analyse(engine, language, text, &edition.headings, &edition.plan));
    let plan = &edition.plan;
    let ready = fresh();
    let hits = ready.hits(plan);
    ready.steps(plan, &hits)?;
    let asked: Vec<u32> = ready.document.trees_made().collect();
    let mut bare = Some(engine.analyse(language, text, &edition.headings));
    let idle = Plan { steps: plan.steps.iter().map(idle).collect(), tables: Vec::new() };
    let mut parts = vec![
        Part::new(|| ready.steps(&idle, &hits).map(drop)),
        Part::new(|| {
            drop(fresh());
            Ok(())
        }),
        Part::new(|| {
            let document = bare.take().map(|document| engine.runtime.parse_document(document));
            for sentence in document.iter().flat_map(|document| asked.iter().map(|n| document.syntax(*n))) {
                std::hint::black_box(sentence);
            }
            bare = document;
            Ok(())
        }),
        Part::new(|| {
            drop(ready.hits(plan));
            Views::default().warm(&ready.document);
            Ok(())
        }),
        Part::new(|| fresh().plan(plan).map(drop)),
    ];
    for step in &plan.steps {
        let alone = Plan { steps: vec![step.clone()], tables: Vec::new() };
        let (ready, hits) = (&ready, &hits);
        parts.push(Part::new(move || ready.steps(&alone, hits).map(drop)));
    }
    for part in &mut parts {
        part.warm(clock)?;
    }
    for _ in 0..rounds {
        for part in &mut parts {
            let spent = part.time(clock)?;
            part.rounds.push(spent);
        }
    }
    let samples: Vec<Sample> = parts.iter().map(Part::sample).collect();
    let names = plan.steps.iter().map(|step| step.variant.metric.clone());
    Ok(Costs {
        words: ready.document.words().len(),
        nothing: samples[0],
        analysis: samples[1],
        trees: samples[2],
        parsed: (asked.len(), ready.document.sentences().len()),
        shared: samples[3],
        whole: samples[4],
        metrics: names.zip(samples[5..].iter().copied()).collect(),
    })
}
