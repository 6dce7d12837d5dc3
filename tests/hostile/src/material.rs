//! What texts are made of: ordinary prose and the terms of the glossaries.
#![allow(clippy::disallowed_methods, reason = "a test that reads files")]

use std::collections::BTreeMap;
use std::path::Path;

use glosa_host::Snapshot;
use glosa_text::Language;

use crate::size::{Growing, Size};

/// The material of one language.
#[derive(Clone, Debug)]
pub struct Material {
    /// Its language.
    pub language: Language,
    /// Sentences of ordinary prose, without the stop.
    pub sentences: Vec<String>,
    /// Their words.
    pub words: Vec<String>,
    /// Active terms of the glossaries.
    pub glossaries: BTreeMap<String, Vec<String>>,
    prose: String,
}

fn texts(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            texts(&path, found);
        } else if path.extension().is_some_and(|e| e == "txt") {
            found.push(path);
        }
    }
}

impl Material {
    /// The texts of `tests/rules/corpus` and the glossaries of a snapshot.
    pub fn new(snapshot: &Snapshot, language: Language) -> Material {
        let mut files = Vec::new();
        texts(&Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../rules/corpus")).join(language.code()), &mut files);
        files.sort();
        let read = |path: &std::path::PathBuf| std::fs::read_to_string(path).expect("a text");
        let prose = files.iter().map(read).collect::<Vec<_>>().join("\n\n");
        let clean = |s: &str| s.split_whitespace().collect::<Vec<_>>().join(" ");
        let sentences: Vec<String> = prose.split(['.', '\n', ';', ':', '?', '!']).map(clean).collect();
        let sentences: Vec<String> = sentences.into_iter().filter(|s| s.split(' ').count() > 4).collect();
        let letters = |w: &str| w.trim_matches(|c: char| !c.is_alphabetic()).to_owned();
        let words = prose.split_whitespace().map(letters).filter(|w| !w.is_empty()).collect();
        let mut glossaries: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for ((_, of), source) in snapshot.sources() {
            for (key, glossary) in source.glossaries.iter().filter(|_| *of == language) {
                let terms = glossary.entries.iter().filter(|entry| entry.active).map(|entry| entry.term.clone());
                glossaries.entry(key.to_owned()).or_insert_with(|| terms.collect());
            }
        }
        glossaries.retain(|_, terms| !terms.is_empty());
        Material { language, sentences, words, glossaries, prose }
    }

    /// Ordinary prose with so many code points: the texts, again and again.
    pub fn prose(&self, code_points: usize) -> String {
        let size = Size { words: usize::MAX, code_points };
        let mut grown = Growing::default();
        'full: loop {
            for paragraph in self.prose.split_inclusive("\n\n") {
                if !grown.push(paragraph, size) {
                    let left = code_points - grown.text.chars().count();
                    grown.text.extend(paragraph.chars().take(left));
                    break 'full;
                }
            }
            grown.push("\n\n", size);
        }
        grown.text
    }
}
