//! What the whole catalogue costs on running prose, against the analysis of the same text.
//!
//! For each language: a pass of metrics that do nothing, the analysis, the trees that metrics ask for, what all metrics
//! share, the whole catalogue, a genre with the metrics that it switches on, the fifteen slowest metrics, and how all of them grow from ten times 10,000 words, the mean of
//! all pieces of the text, to the 100,000 in one; for
//! English harper-core on the same text. Every metric is active, those that no genre switches on too. Times are those
//! that the thread computed, medians of rounds in which all parts take turns; a second figure is how far apart the middle
//! half of the rounds lies.
//!
//! `cargo bench -p glosa-report --bench catalogue [-- LANGUAGE… [--every] [--letter] [--again WORDS]]`; `--every` shows all
//! metrics instead of the slowest, `--letter` what a letter alone costs, `--again` makes the report on so many words again and again for some seconds, for a profiler to
//! look at.
//!
//! The prose is `../shared/corpus/<language>.100k.txt.xz` beside the checkout; where it is missing the texts of
//! `tests/rules/corpus` are repeated, and the output says so.
#![allow(clippy::disallowed_methods, reason = "a benchmark reads its texts")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use glosa_catalog::{GenreEdition, Plan, Step};
use glosa_host::{Roots, Snapshot};
use glosa_report::{Costs, Sample, costs};
use glosa_text::Language;

/// That of the service.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const GENRE: (&str, &str) = ("administracion-clara", "carta");
const SHORT: usize = 10_000;
const LONG: usize = 100_000;
const ROUNDS: u32 = 15;
const LETTER_ROUNDS: u32 = 75;
const LONG_ROUNDS: u32 = 5;
const PIECE_ROUNDS: u32 = 3;
/// A metric that costs less on 10,000 words costs this: what a few look-ups take is no base for a growth.
const LEAST: Duration = Duration::from_micros(5);
const SHOWN: usize = 15;
/// Words of the letter whose fixed cost is shown.
const LETTER: usize = 170;

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Running prose of a language and where it comes from.
fn prose(language: Language) -> (String, String) {
    let file = checkout().join(format!("../shared/corpus/{language}.100k.txt.xz"));
    let unpacked = Command::new("xz").arg("-dc").arg(&file).output();
    if let Ok(output) = unpacked
        && output.status.success()
        && let Ok(text) = String::from_utf8(output.stdout)
    {
        return (text, "../shared/corpus".to_owned());
    }
    let folder = checkout().join(format!("tests/rules/corpus/{language}"));
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("texts of the rules").flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "txt"));
    files.sort();
    let texts: Vec<String> = files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
    (texts.join("\n\n"), format!("MISSING: {}; the texts of tests/rules/corpus, repeated", file.display()))
}

/// The first words of a text, which is repeated where it is shorter.
fn cut(text: &str, words: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    loop {
        for word in text.split_inclusive(char::is_whitespace) {
            count += usize::from(!word.trim().is_empty());
            out.push_str(word);
            if count == words {
                return out;
            }
        }
        out.push_str("\n\n");
    }
}

/// The text in pieces of 10,000 words. What a metric finds in the whole it finds in the pieces too, so that the whole costs
/// more than the pieces together only where the metric is slower than linear, not where one part of the text has what the
/// first 10,000 words have not.
fn pieces(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    let is_word = |part: &&str| !part.trim().is_empty();
    let mut pieces = vec![String::new()];
    let mut count = 0;
    for word in words {
        if count == SHORT {
            pieces.push(String::new());
            count = 0;
        }
        count += usize::from(is_word(&word));
        if let Some(piece) = pieces.last_mut() {
            piece.push_str(word);
        }
    }
    pieces
}

/// A genre in which every metric of the language is active.
fn everything(snapshot: &Snapshot, language: Language) -> GenreEdition {
    let (_, edition) = snapshot.catalog.find(language, Some(GENRE.0), GENRE.1).expect("a genre of every language");
    let mut steps = Vec::new();
    for entry in snapshot.engine.registry.entries() {
        let Some(variant) = entry.variant(language).filter(|variant| variant.available()) else { continue };
        let known = edition.plan.steps.iter().find(|step| step.variant.metric == variant.metric);
        steps.push(known.cloned().unwrap_or_else(|| Step {
            variant: variant.clone(),
            params: variant.defaults.clone(),
            glossaries: snapshot.sources()[&(variant.metric.to_string(), language)].glossaries.clone(),
            yields_to: entry.manifest.yields_to.clone().into(),
        }));
    }
    let tables = steps.iter().flat_map(|s| s.glossaries.iter().map(|(_, g)| g.table).chain(s.variant.table));
    let mut tables: Vec<u32> = tables.collect();
    tables.sort_unstable();
    tables.dedup();
    GenreEdition { plan: Plan { steps, tables }, ..edition.clone() }
}

fn per_second(words: usize, time: Duration) -> f64 {
    words as f64 / time.as_secs_f64().max(1e-9)
}

fn times(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64().max(1e-9)
}

fn row(name: &str, sample: Sample, costs: &Costs) {
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    println!(
        "  {name:<28} {:>11.1} µs ±{:>9.1} {:>12.0} words/s {:>8.4} of the analysis",
        micros(sample.median),
        micros(sample.spread),
        per_second(costs.words, sample.median),
        times(sample.median, costs.analysis.median),
    );
}

fn parts(costs: &Costs) {
    row("nothing", costs.nothing, costs);
    row("analysis", costs.analysis, costs);
    row("trees", costs.trees, costs);
    row("shared", costs.shared, costs);
    row("whole catalogue", costs.whole, costs);
}

fn slowest(costs: &Costs, shown: usize) {
    let mut metrics: Vec<_> = costs.metrics.iter().collect();
    metrics.sort_by_key(|(_, sample)| std::cmp::Reverse(sample.median));
    for (name, sample) in metrics.into_iter().take(shown) {
        row(name, *sample, costs);
    }
}

/// What harper-core computes on a text: a program of its own, because it brings 270 crates along.
fn harper(text: &str) -> Option<Duration> {
    let manifest = checkout().join("tests/peers/harper/Cargo.toml");
    let mut child = Command::new(env!("CARGO"))
        .args(["run", "--release", "--quiet", "--manifest-path"])
        .arg(manifest)
        .arg("--target-dir")
        .arg(checkout().join("target/peers"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    said.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Makes the same report for some seconds.
fn again(snapshot: &Snapshot, language: Language, words: usize) {
    let edition = everything(snapshot, language);
    let text = cut(&prose(language).0, words);
    let genre = snapshot.catalog.find(language, Some(GENRE.0), GENRE.1).expect("a genre of every language").0;
    let (start, mut reports) = (ThreadTime::now(), 0u32);
    while start.elapsed() < Duration::from_secs(5) {
        let stop = Arc::default();
        glosa_report::build(&snapshot.engine, (genre, &edition), language, &text, &mut |_| {}, &stop)
            .expect("every metric runs on prose");
        reports += 1;
    }
    println!("{language}: {words} words, {:.2} ms a report", start.elapsed().as_secs_f64() * 1e3 / f64::from(reports));
}

fn main() {
    let chosen: Vec<Language> = std::env::args().skip(1).filter_map(|name| name.parse().ok()).collect();
    let snapshot = match glosa_host::load(&Roots::find(Some(&checkout()), &[]).expect("this is a checkout")) {
        Ok(snapshot) => snapshot,
        Err(problems) => {
            for problem in problems {
                eprintln!("{problem}");
            }
            std::process::exit(1);
        }
    };
    let shown = if std::env::args().any(|argument| argument == "--every") { usize::MAX } else { SHOWN };
    let asked = std::env::args().skip_while(|argument| argument != "--again").nth(1);
    if let Some(words) = asked.and_then(|words| words.parse().ok()) {
        chosen.iter().for_each(|language| again(&snapshot, *language, words));
        return;
    }
    let start = ThreadTime::now();
    let clock = || start.elapsed();
    for language in Language::ALL.into_iter().filter(|l| chosen.is_empty() || chosen.contains(l)) {
        let edition = everything(&snapshot, language);
        let (text, source) = prose(language);
        let measure = |words, rounds| {
            costs(&snapshot.engine, &edition, language, &cut(&text, words), rounds, &clock)
                .expect("every metric runs on prose")
        };
        if std::env::args().any(|argument| argument == "--letter") {
            let letter = measure(LETTER, LETTER_ROUNDS);
            println!("{language}: a letter of {LETTER} words");
            parts(&letter);
            slowest(&letter, shown);
            continue;
        }
        let (letter, short, long) = (measure(LETTER, ROUNDS), measure(SHORT, ROUNDS), measure(LONG, LONG_ROUNDS));
        let pieces: Vec<Costs> = pieces(&cut(&text, LONG))
            .iter()
            .map(|piece| costs(&snapshot.engine, &edition, language, piece, PIECE_ROUNDS, &clock))
            .collect::<Result<_, _>>()
            .expect("every metric runs on prose");
        let (_, shipped) = snapshot.catalog.find(language, Some(GENRE.0), GENRE.1).expect("a genre of every language");
        let as_shipped = |words| {
            costs(&snapshot.engine, shipped, language, &cut(&text, words), ROUNDS, &clock)
                .expect("every metric runs on prose")
        };
        let (own_letter, own) = (as_shipped(LETTER), as_shipped(SHORT));
        let growth = |of: &dyn Fn(&Costs) -> Duration| {
            let parts: f64 = pieces.iter().map(|piece| of(piece).max(LEAST).as_secs_f64()).sum();
            of(&long).as_secs_f64() * pieces.len() as f64 / parts
        };
        println!("{language}: {} metrics, prose of {source}", short.metrics.len());
        parts(&short);
        row("the genre as it is", own.whole, &short);
        println!(
            "  the genre {}/{} as it is: {} metrics, trees of {} sentences; letter of {LETTER} words: {:.2} ms",
            GENRE.0,
            GENRE.1,
            own.metrics.len(),
            own.parsed.0,
            own_letter.whole.median.as_secs_f64() * 1e3,
        );
        println!(
            "  trees of {} of {} sentences; 100,000 words / 10,000: analysis {:.2}, shared {:.2}, whole {:.2}; letter of {LETTER} words: {:.2} ms",
            short.parsed.0,
            short.parsed.1,
            growth(&|costs| costs.analysis.median),
            growth(&|costs| costs.shared.median),
            growth(&|costs| costs.whole.median),
            letter.whole.median.as_secs_f64() * 1e3,
        );
        let names = short.metrics.iter().map(|(name, _)| name).enumerate();
        let mut steep: Vec<_> = names.map(|(n, name)| (growth(&|costs| costs.metrics[n].1.median), name)).collect();
        steep.sort_by(|a, b| b.0.total_cmp(&a.0));
        slowest(&short, shown);
        let steep: Vec<_> = steep.iter().take(8).map(|(growth, name)| format!("{name} {growth:.1}")).collect();
        println!("  steepest: {}", steep.join(", "));
        if language == Language::En {
            match harper(&cut(&text, SHORT)) {
                Some(harper) => println!(
                    "  harper-core: {:.0} words/s; the whole catalogue is {:.1} times as fast",
                    per_second(short.words, harper),
                    times(harper, short.whole.median)
                ),
                None => println!("  harper-core: could not be built or run, see tests/peers/harper"),
            }
        }
        println!();
    }
}
