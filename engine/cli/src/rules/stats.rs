//! `rules stats`: how often each rule speaks in the texts of a folder, which places it marks, and what has changed since an
//! earlier run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glosa_report::{BuildError, Occurrence, build};
use glosa_text::{CodePoints, Language};
use serde::{Deserialize, Serialize};

use crate::roots::read_text;
use crate::{Failure, RootOptions, check};

/// Characters beside a place that are shown.
const BESIDE: usize = 60;

/// What is asked beside the table.
pub(super) struct Asked<'a> {
    pub show: Option<&'a str>,
    pub sample: usize,
    pub save: Option<&'a Path>,
    pub against: Option<&'a Path>,
}

/// The counts of one run.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    texts: usize,
    words: usize,
    /// By metric.
    metrics: BTreeMap<String, Count>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Count {
    places: usize,
    texts: usize,
}

impl Counts {
    fn density(&self, metric: &str) -> f64 {
        let places = self.metrics.get(metric).map_or(0, |count| count.places);
        places as f64 * 1000.0 / self.words.max(1) as f64
    }
}

pub(super) fn run(
    roots: &RootOptions,
    corpus: &Path,
    language: Language,
    genre: &str,
    asked: &Asked<'_>,
) -> Result<(), Failure> {
    let earlier = asked.against.map(read_counts).transpose()?;
    let snapshot = roots.load()?;
    if let Some(id) = asked.show {
        super::chosen(&snapshot, Some(id))?;
    }
    let (genre, edition) = check::find(&snapshot.catalog, language, genre)?;
    let read = fs::read_dir(corpus).map_err(|e| Failure::usage(format!("{}: {e}", corpus.display())))?;
    let mut files: Vec<_> = read.filter_map(|entry| entry.ok().map(|e| e.path())).filter(|p| p.is_file()).collect();
    files.sort();
    let mut counts = Counts { texts: files.len(), ..Counts::default() };
    let mut shown = Vec::new();
    let mut left_out: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for file in &files {
        let text = read_text(file)?;
        counts.words += text.split_whitespace().count();
        let stop = Arc::new(AtomicBool::new(false));
        let mut edition = edition.clone();
        // A metric that fails on a text is left out of that text: the others still count.
        let result = loop {
            match build(&snapshot.engine, (genre, &edition), language, &text, &mut |_| {}, &stop) {
                Ok(result) => break result,
                Err(BuildError::Metric { metric, origin, error })
                    if edition.plan.steps.iter().any(|step| *step.variant.metric == *metric) =>
                {
                    edition.plan.steps.retain(|step| *step.variant.metric != *metric);
                    let said = format!("{}: {origin}: {error}", file.display());
                    left_out.entry(metric).or_insert((0, said)).0 += 1;
                }
                Err(error) => return Err(Failure::failed(format!("{}: {error}", file.display()))),
            }
        };
        for recommendation in result.recommendations {
            if asked.show == Some(recommendation.metric_id.as_str()) {
                shown.extend(recommendation.occurrences.iter().map(|o| in_context(file, &text, o)));
            }
            let count = counts.metrics.entry(recommendation.metric_id).or_default();
            count.places += recommendation.occurrences.len();
            count.texts += 1;
        }
    }
    if let Some(id) = asked.show {
        print_sample(id, &shown, asked.sample);
    } else if let Some(earlier) = &earlier {
        print_changes(&counts, earlier);
    } else {
        print_table(&counts);
    }
    for (metric, (texts, said)) in &left_out {
        anstream::eprintln!(
            "{metric} failed on {texts} of {} texts, which are missing from its counts: {said}",
            files.len()
        );
    }
    if let Some(path) = asked.save {
        let text = serde_json::to_string_pretty(&counts).unwrap_or_default();
        super::new::write(path, &(text + "\n"))?;
    }
    Ok(())
}

fn read_counts(path: &Path) -> Result<Counts, Failure> {
    let text = read_text(path)?;
    serde_json::from_str(&text).map_err(|error| {
        Failure::usage(format!("{}: {error}; it has to be a file that `rules stats --save` wrote", path.display()))
    })
}

fn print_table(counts: &Counts) {
    let mut rows: Vec<_> = counts.metrics.iter().collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(count.places));
    anstream::println!("{} texts, {} words", counts.texts, counts.words);
    anstream::println!("{:>8} {:>10} {:>6}  metric", "places", "per 1,000", "texts");
    for (metric, Count { places, texts }) in rows {
        anstream::println!("{places:>8} {:>10.2} {texts:>6}  {metric}", counts.density(metric));
    }
}

/// What has become more or less, the greatest change first; rules that speak as often as before are counted only.
fn print_changes(now: &Counts, before: &Counts) {
    anstream::println!(
        "{} texts, {} words; before {} texts, {} words",
        now.texts,
        now.words,
        before.texts,
        before.words
    );
    let metrics: BTreeSet<&String> = now.metrics.keys().chain(before.metrics.keys()).collect();
    let places = |counts: &Counts, metric: &str| counts.metrics.get(metric).map_or(0, |count| count.places);
    let mut rows: Vec<_> =
        metrics.iter().map(|metric| (now.density(metric) - before.density(metric), *metric)).collect();
    let same = rows.len();
    rows.retain(|(change, _)| change.abs() >= 0.005);
    rows.sort_by(|(a, _), (b, _)| b.abs().total_cmp(&a.abs()));
    let same = same - rows.len();
    anstream::println!("{:>8} {:>8} {:>10} {:>8}  metric", "before", "places", "per 1,000", "change");
    for (change, metric) in rows {
        anstream::println!(
            "{:>8} {:>8} {:>10.2} {change:>+8.2}  {metric}",
            places(before, metric),
            places(now, metric),
            now.density(metric)
        );
    }
    anstream::println!("{same} rules as often as before");
}

/// Some of the places, spread evenly over the corpus.
fn print_sample(id: &str, places: &[String], sample: usize) {
    let taken = sample.min(places.len());
    anstream::println!("{id}: {taken} of {} places", places.len());
    for n in 0..taken {
        anstream::println!("{}", places[n * places.len() / taken]);
    }
}

/// A place between the text beside it, on one line.
fn in_context(file: &Path, text: &str, occurrence: &Occurrence) -> String {
    let file = file.file_name().unwrap_or_default().to_string_lossy();
    let (Some(start), Some(end)) = (occurrence.start, occurrence.end) else {
        return format!("{file}: {}", occurrence.text);
    };
    let index = CodePoints::new(text);
    let (from, to) = (index.to_byte(start), index.to_byte(end));
    let line = text[..from].matches('\n').count() + 1;
    let before: Vec<char> = text[..from].chars().rev().take(BESIDE).collect();
    let before: String = before.into_iter().rev().collect();
    let after: String = text[to..].chars().take(BESIDE).collect();
    let flat = |text: &str| text.replace(['\n', '\r', '\t'], " ");
    let replacement = occurrence.replacement.as_ref().map_or_else(String::new, |new| format!("  → «{new}»"));
    format!("{file}:{line}: {}«{}»{}{replacement}", flat(&before), flat(&text[from..to]), flat(&after))
}
