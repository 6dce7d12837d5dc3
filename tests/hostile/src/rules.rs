//! Families that nobody lists: each glossary term by term, and each rule with its own examples, phrases and signs.

use std::collections::{BTreeMap, BTreeSet};

use glosa_host::Snapshot;
use glosa_text::Language;

use crate::family::Family;
use crate::material::Material;

/// Each glossary of a language, term by term.
pub fn of_glossaries(material: &Material) -> Vec<Family> {
    let family = |(key, terms): (&String, &Vec<String>)| {
        Family::cycle(format!("gl:{key}"), material.language, terms.iter().map(|term| format!("{term} ")).collect())
    };
    material.glossaries.iter().map(family).collect()
}

/// Each rule and measurement of a language: all its examples in turn, its first ones alone, its quoted phrases, its signs.
pub fn of_rules(snapshot: &Snapshot, language: Language) -> Vec<Family> {
    let mut families = Vec::new();
    for ((metric, of), source) in snapshot.sources() {
        if *of != language {
            continue;
        }
        let examples = source.examples.bad.iter().chain(&source.examples.good).map(|example| &*example.text);
        let values = source.examples.values.iter().map(|example| &*example.text);
        let texts: Vec<String> = examples.chain(values).map(|text| text.replace(['<', '>'], "")).collect();
        let mut add = |what: &str, pieces: Vec<String>| {
            if pieces.iter().any(|piece| !piece.trim().is_empty()) {
                families.push(Family::cycle(format!("{what}:{metric}"), language, pieces));
            }
        };
        add("examples", texts.iter().map(|text| format!("{text} ")).collect());
        add("example", texts.iter().take(1).map(|text| format!("{text} ")).collect());
        add("one-sentence", texts.iter().map(|text| format!("{}, ", text.trim_end_matches(['.', '!', '?']))).collect());
        add("phrases", phrases(&source.source).into_iter().map(|phrase| format!("{phrase} ")).collect());
        let signs: BTreeSet<char> =
            texts.iter().flat_map(|text| text.chars()).filter(|c| !c.is_alphanumeric() && !c.is_whitespace()).collect();
        add("signs", signs.iter().map(|sign| format!("{sign} ")).collect());
        add("signs-glued", signs.iter().map(char::to_string).collect());
    }
    families
}

/// The words of the file of a variant, as they are written in its lists and patterns: what stands after a colon or dash, or between
/// brackets, each once.
fn phrases(source: &str) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let body = source.lines().filter(|line| !line.trim_start().starts_with('#'));
    for piece in body.flat_map(|line| line.split(['[', ']', '{', '}', ',', ':', '|', '"'])) {
        let piece = piece.trim().trim_start_matches("- ").trim_matches('\'').trim();
        if !piece.is_empty() && piece.chars().any(char::is_alphabetic) && piece.len() < 60 {
            let number = seen.len();
            seen.entry(piece.to_owned()).or_insert(number);
        }
    }
    let mut phrases: Vec<_> = seen.into_iter().collect();
    phrases.sort_by_key(|(_, number)| *number);
    phrases.into_iter().map(|(phrase, _)| phrase).collect()
}
