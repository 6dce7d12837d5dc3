//! `rules time`: what each metric of a genre costs on a text.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use glosa_report::Trial;
use glosa_text::Language;

use crate::roots::read_text;
use crate::{Failure, RootOptions, check};

const ROUNDS: u32 = 5;

pub(super) fn run(roots: &RootOptions, file: &Path, language: Language, genre: &str) -> Result<(), Failure> {
    let text = read_text(file)?;
    let snapshot = roots.load()?;
    let (_, edition) = check::find(&snapshot.catalog, language, genre)?;
    let mut costs = Vec::new();
    let empty = time(|| {
        drop(snapshot.engine.runtime.analyse(language, &text, glosa_text::Layout::new(&text, &edition.headings)))
    });
    for step in &edition.plan.steps {
        let trial = Trial {
            variant: step.variant.clone(),
            params: (*step.params).clone(),
            glossaries: step.glossaries.clone(),
            structure: edition.structure.clone(),
            headings: Arc::clone(&edition.headings),
            gates_open: false,
        };
        let mut outcome = Ok(());
        let whole = time(|| outcome = trial.run(&snapshot.engine, &text).map(drop));
        outcome.map_err(|error| Failure::failed(error.to_string()))?;
        costs.push((whole.saturating_sub(empty), &step.variant.metric));
    }
    costs.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
    let words = text.split_whitespace().count().max(1);
    anstream::println!("{:>10}  analysis ({words} words)", format!("{} µs", empty.as_micros()));
    for (cost, metric) in costs {
        let share = cost.as_secs_f64() / empty.as_secs_f64().max(1e-9);
        anstream::println!("{:>10}  {metric} ({share:.3} of the analysis)", format!("{} µs", cost.as_micros()));
    }
    Ok(())
}

fn time(mut work: impl FnMut()) -> std::time::Duration {
    work();
    let rounds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    rounds.min().unwrap_or_default()
}
