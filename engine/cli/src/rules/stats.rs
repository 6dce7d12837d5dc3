//! `rules stats`: how often each rule speaks in the texts of a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glosa_report::build;
use glosa_text::Language;

use crate::roots::read_text;
use crate::{Failure, RootOptions, check};

pub(super) fn run(roots: &RootOptions, corpus: &Path, language: Language, genre: &str) -> Result<(), Failure> {
    let snapshot = roots.load()?;
    let found = check::find(&snapshot.catalog, language, genre)?;
    let read = fs::read_dir(corpus).map_err(|e| Failure::usage(format!("{}: {e}", corpus.display())))?;
    let mut files: Vec<_> = read.filter_map(|entry| entry.ok().map(|e| e.path())).filter(|p| p.is_file()).collect();
    files.sort();
    let mut words = 0usize;
    let mut hits: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for file in &files {
        let text = read_text(file)?;
        words += text.split_whitespace().count();
        let stop = Arc::new(AtomicBool::new(false));
        let result = build(&snapshot.engine, found, language, &text, &mut |_| {}, &stop)
            .map_err(|error| Failure::failed(format!("{}: {error}", file.display())))?;
        for recommendation in result.recommendations {
            let entry = hits.entry(recommendation.metric_id).or_default();
            entry.0 += recommendation.occurrences.len();
            entry.1 += 1;
        }
    }
    let mut rows: Vec<_> = hits.into_iter().collect();
    rows.sort_by_key(|(_, (places, _))| std::cmp::Reverse(*places));
    anstream::println!("{} texts, {words} words", files.len());
    anstream::println!("{:>8} {:>10} {:>6}  metric", "places", "per 1,000", "texts");
    for (metric, (places, texts)) in rows {
        let density = places as f64 * 1000.0 / words.max(1) as f64;
        anstream::println!("{places:>8} {density:>10.2} {texts:>6}  {metric}");
    }
    Ok(())
}
