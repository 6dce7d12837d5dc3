//! Words per second from raw text to lemmas and to trees with the models of a folder, loading time and resident memory.

use anyhow::Result;
use glosa_lingua::{Runtime, conllu};
use glosa_text::{Language, Layout};
use std::collections::HashSet;
use std::time::Instant;

const ROUNDS: usize = 7;

/// Seconds of CPU time of this thread (Linux); elsewhere the time since `start`, which other programs lengthen.
fn cpu_seconds(start: Instant) -> f64 {
    let own = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = own.and_then(|s| s.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |n| n / 1e9)
}

/// Prints the best of some rounds, for a tenth of the text and for all of it.
pub fn measure(language: Language, text: &str, load: impl Fn() -> Result<Runtime>) -> Result<()> {
    let clock = Instant::now();
    let start = cpu_seconds(clock);
    let runtime = load()?;
    let load = cpu_seconds(clock) - start;
    let cut = text.char_indices().nth(text.chars().count() / 10).map_or(text.len(), |(i, _)| i);
    let mut seconds = [f64::MAX; 3];
    let mut trees = [f64::MAX; 2];
    for _ in 0..ROUNDS {
        for (part, best) in [&text[..cut], text].into_iter().zip(&mut seconds) {
            let start = cpu_seconds(clock);
            let analysis = runtime.analyse_blocks(language, part, &conllu::paragraphs(part));
            *best = best.min(cpu_seconds(clock) - start);
            assert!(!analysis.tokens.is_empty());
        }
        for (part, best) in [&text[..cut], text].into_iter().zip(&mut trees) {
            let start = cpu_seconds(clock);
            let mut analysis = runtime.analyse_blocks(language, part, &conllu::paragraphs(part));
            runtime.parse(language, &mut analysis);
            *best = best.min(cpu_seconds(clock) - start);
        }
        let start = cpu_seconds(clock);
        let document = runtime.analyse(language, text, Layout::new(text, &HashSet::new()));
        seconds[2] = seconds[2].min(cpu_seconds(clock) - start);
        assert!(!document.tokens().is_empty());
    }
    let words = text.split_whitespace().count();
    let resident = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let resident = resident.lines().find(|l| l.starts_with("VmRSS")).unwrap_or("VmRSS unknown").to_owned();
    if runtime.capabilities(language).syntax {
        let (speed, ratio) = (words as f64 / trees[1], trees[1] / trees[0]);
        println!("{language}: {speed:.0} words/CPU s to trees, ten times the text takes {ratio:.1} times as long");
    }
    println!(
        "{language}: {:.0} words/CPU s to lemmas, {:.0} to a document, ten times the text takes {:.1} times as long; all models loaded in {:.0} ms; {resident}",
        words as f64 / seconds[1],
        words as f64 / seconds[2],
        seconds[1] / seconds[0],
        load * 1000.0
    );
    Ok(())
}
