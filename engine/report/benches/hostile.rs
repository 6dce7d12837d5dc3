//! What texts at the limits of the service cost: for each family of `glosa-tests-hostile` the CPU time as a ratio to that of ordinary
//! prose with as many code points, how it grows from half the length to the whole, and whether there is a report.
//!
//! `cargo bench -p glosa-report --bench hostile -- [es|ca|en …] [name …] [--over N] [--all] [--bare] [--slow RATIO]`: languages, parts of
//! names of families, a fraction of the limits, the families of each rule beside those of the table, and the analysis alone. Slowest
//! first.

use std::time::Duration;

use cpu_time::ThreadTime;
use glosa_report::{Phase, Progress};
use glosa_tests_hostile::{Case, Family, Material, Size, case, families, of_glossaries, of_rules, snapshot, words};
use glosa_text::Language;

/// That of the service.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

struct Run {
    analysis: Duration,
    whole: Duration,
    outcome: String,
}

fn run(case: &Case<'_>, text: &str) -> Run {
    let begun = ThreadTime::now();
    let mut analysis = Duration::ZERO;
    let mut on = |progress| {
        if progress == Progress::Phase(Phase::Building) {
            analysis = begun.elapsed();
        }
    };
    let report = case.report(text, &mut on);
    let outcome = match report {
        Ok(report) => {
            let places = report.recommendations.iter().map(|r| r.occurrences.len()).sum::<usize>();
            let bytes = serde_json::to_vec(&report).map_or(0, |json| json.len());
            format!("completes, {places} places, {} kB", bytes / 1000)
        }
        Err(error) => format!("fails: {error}"),
    };
    Run { analysis, whole: begun.elapsed(), outcome }
}

struct Options {
    languages: Vec<Language>,
    names: Vec<String>,
    size: Size,
    all: bool,
    bare: bool,
    slow: f64,
}

fn options() -> Options {
    let mut options =
        Options { languages: Vec::new(), names: Vec::new(), size: Size::SERVICE, all: false, bare: false, slow: 0.0 };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match &*word {
            "--all" => options.all = true,
            "--bare" => options.bare = true,
            "--over" => options.size = Size::SERVICE.over(words.next().and_then(|n| n.parse().ok()).expect("a number")),
            "--slow" => options.slow = words.next().and_then(|n| n.parse().ok()).expect("a ratio"),
            flag if flag.starts_with('-') => {}
            _ => match word.parse() {
                Ok(language) => options.languages.push(language),
                Err(_) => options.names.push(word),
            },
        }
    }
    if options.languages.is_empty() {
        options.languages = Language::ALL.to_vec();
    }
    options
}

fn main() {
    let options = options();
    let snapshot = snapshot();
    println!(
        "{:32} {:>9} {:>7} {:>8} {:>8} {:>6} {:>6}  report",
        "text", "points", "words", "analysis", "CPU ms", "prose", "n→2n"
    );
    for language in &options.languages {
        let material = Material::new(&snapshot, *language);
        let case = case(&snapshot, *language);
        let case = if options.bare { case.bare() } else { case };
        let lengths: [usize; 6] = [5_000, 20_000, 50_000, 100_000, 200_000, 400_000];
        let prose: Vec<(usize, Duration)> = lengths
            .iter()
            .map(|points| {
                let text = material.prose(*points);
                let run = [run(&case, &text), run(&case, &text)].into_iter().min_by_key(|run| run.whole).expect("two");
                println!(
                    "{language} prose {:>32} {:>7} {:>8.0} {:>8.0}  {}",
                    points,
                    words(&text),
                    run.analysis.as_secs_f64() * 1e3,
                    run.whole.as_secs_f64() * 1e3,
                    run.outcome
                );
                (*points, run.whole)
            })
            .collect();
        let of_prose = |points: usize| {
            let (at, cost) = prose.iter().find(|(at, _)| *at >= points).or(prose.last()).expect("prose");
            cost.as_secs_f64() * points as f64 / *at as f64
        };
        let mut all: Vec<Family> = families();
        all.extend(of_glossaries(&material));
        if options.all {
            all.extend(of_rules(&snapshot, *language));
        }
        let wanted =
            |family: &Family| options.names.is_empty() || options.names.iter().any(|n| family.name.contains(&**n));
        let mut rows = Vec::new();
        for family in all.iter().filter(|family| wanted(family)) {
            let Some(text) = family.text(&material, options.size) else { continue };
            let points = text.chars().count();
            let half: String = text.chars().take(points / 2).collect();
            let (small, whole) = (run(&case, &half), run(&case, &text));
            let ratio = whole.whole.as_secs_f64() / of_prose(points).max(1e-3);
            let growth = whole.whole.as_secs_f64() / small.whole.as_secs_f64().max(1e-3);
            let row = format!(
                "{language} {:29} {:>9} {:>7} {:>8.0} {:>8.0} {:>6.1} {:>6.1}  {}",
                family.name,
                points,
                words(&text),
                whole.analysis.as_secs_f64() * 1e3,
                whole.whole.as_secs_f64() * 1e3,
                ratio,
                growth,
                whole.outcome
            );
            if whole.outcome.starts_with("fails") || ratio > 3.0 {
                eprintln!("{row}");
            }
            rows.push((ratio, row));
        }
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, row) in rows.iter().filter(|(ratio, row)| *ratio >= options.slow || row.contains("fails")) {
            println!("{row}");
        }
        let failed = rows.iter().filter(|(_, row)| row.contains("fails")).count();
        let slow = rows.iter().filter(|(ratio, _)| *ratio > 3.0).count();
        println!("{language}: {} texts, {failed} fail, {slow} cost more than three times prose", rows.len());
    }
}
