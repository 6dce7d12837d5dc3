//! Abbreviations of a language: which words keep their full stop, and whether a sentence may end there.

use glosa_text::Language;
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether the full stop of an abbreviation can also end a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Something always follows: `Sr.`, `art.`, `e.g.`.
    Never,
    /// It may stand last: `etc.`, `S. A.`, `p.m.`.
    May,
    /// An abbreviation only before a number: `vol. 3`, `No. 5`.
    Number,
    /// An abbreviation only before a name: `St. Paul`.
    Name,
    /// An abbreviation only before a small letter or a number: `max. speed`.
    Lower,
}

/// The list of one language.
#[derive(Debug)]
pub struct Abbreviations {
    endings: FxHashMap<&'static str, Ending>,
    starters: FxHashSet<&'static str>,
    sections: FxHashSet<&'static str>,
    labels: FxHashSet<&'static str>,
}

impl Abbreviations {
    /// Reads the shipped list: `form`, tab, `never`, `may`, `number`, `name` or `lower`; a `starters` line holds words that
    /// open sentences and follow no initial.
    pub fn of(language: Language) -> Self {
        let data = match language {
            Language::Es => include_str!("../models/es/abbreviations.tsv"),
            Language::Ca => include_str!("../models/ca/abbreviations.tsv"),
            Language::En => include_str!("../models/en/abbreviations.tsv"),
        };
        let mut endings = FxHashMap::default();
        let mut starters = FxHashSet::default();
        let mut sections = FxHashSet::default();
        let mut labels = FxHashSet::default();
        for line in data.lines().filter(|line| !line.starts_with('#')) {
            let Some((form, class)) = line.split_once('\t') else { continue };
            let ending = match class {
                "never" => Ending::Never,
                "may" => Ending::May,
                "number" => Ending::Number,
                "name" => Ending::Name,
                "lower" => Ending::Lower,
                other => {
                    let set = match other {
                        "section" => &mut sections,
                        "label" => &mut labels,
                        _ => &mut starters,
                    };
                    set.insert(form);
                    continue;
                }
            };
            endings.insert(form, ending);
        }
        Abbreviations { endings, starters, sections, labels }
    }

    /// The entry of a word written without its last full stop; letter case counts only when the list says so.
    pub fn find(&self, word: &str) -> Option<Ending> {
        if word.len() > 16 {
            return None;
        }
        self.endings.get(word).or_else(|| self.endings.get(word.to_lowercase().as_str())).copied()
    }

    /// Whether a word names a part of a text that is numbered: `artículo`, `section`.
    pub fn names_sections(&self, word: &str) -> bool {
        word.len() <= 24 && self.sections.contains(word.to_lowercase().as_str())
    }

    /// Whether a word alone can label a line: `Primero.`
    pub fn labels_lines(&self, word: &str) -> bool {
        word.len() <= 24 && self.labels.contains(word.to_lowercase().as_str())
    }

    /// Whether a word is one that opens sentences rather than continues a name.
    pub fn starts_sentences(&self, word: &str) -> bool {
        word.len() <= 16 && self.starters.contains(word.to_lowercase().as_str())
    }
}
