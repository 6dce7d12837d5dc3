//! `rules time`: what each metric of a genre costs on a text.
//!
//! Times are those that the thread computed, not those on the wall; the parts take turns, and each is told by the median
//! of its rounds. What metrics share is no metric's cost and has a row of its own.

use std::path::Path;

use cpu_time::ThreadTime;
use glosa_report::{Sample, costs};
use glosa_text::Language;

use crate::roots::read_text;
use crate::{Failure, RootOptions, check};

const ROUNDS: u32 = 25;

pub(super) fn run(roots: &RootOptions, file: &Path, language: Language, genre: &str) -> Result<(), Failure> {
    let text = read_text(file)?;
    let snapshot = roots.load()?;
    let (_, edition) = check::find(&snapshot.catalog, language, genre)?;
    let start = ThreadTime::now();
    let costs = costs(&snapshot.engine, edition, language, &text, ROUNDS, &|| start.elapsed())
        .map_err(|error| Failure::failed(error.to_string()))?;
    let analysis = costs.analysis.median.as_secs_f64().max(1e-9);
    let row = |name: &str, sample: Sample| {
        let micros = |time: std::time::Duration| time.as_secs_f64() * 1e6;
        let share = sample.median.as_secs_f64() / analysis;
        anstream::println!(
            "{:>12.1} µs ±{:>9.1}  {share:>8.4}  {name}",
            micros(sample.median),
            micros(sample.spread) / 2.0
        );
    };
    anstream::println!(
        "median of {ROUNDS} rounds, half of them within ±, share of the analysis; {} words",
        costs.words
    );
    row("(analysis)", costs.analysis);
    row("(trees of the sentences that metrics ask about)", costs.trees);
    row("(shared by metrics: phrases, counts, vocabulary)", costs.shared);
    row("(as many metrics that do nothing)", costs.nothing);
    row("(the whole report)", costs.whole);
    let mut metrics = costs.metrics;
    metrics.sort_by_key(|(_, sample)| std::cmp::Reverse(sample.median));
    for (name, sample) in metrics {
        row(&name, sample);
    }
    Ok(())
}
