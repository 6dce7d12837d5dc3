//! The tags a form can have, from the training data, the lexicon, or its ending and shape.

use crate::Reading;
use crate::hash::mix;
use crate::lexicon::Lexicon;
use crate::tagger::form::{ending, ending_key, form_keys, general_form, shape};
use crate::tagger::{TagId, TagModel};
use glosa_text::Upos;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// A word seen so often in training needs no help of the lexicon.
const ENOUGH_SEEN: u32 = 40;
/// Candidates taken from an ending at most.
const ENDING_CANDIDATES: usize = 14;

/// Where the candidates of a word come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum CandidateSource {
    /// Seen in training.
    #[default]
    Training,
    /// Known to the lexicon alone.
    Lexicon,
    /// Guessed from its ending and shape.
    Ending,
}

/// The tags a form can have.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// The tags.
    pub tags: Vec<TagId>,
    /// Where they come from.
    pub source: CandidateSource,
    /// A hash of source and tags: what tells one choice from another.
    pub(super) class: u64,
    /// What the features of the form alone give each tag; empty until they are added up.
    pub(super) base: Vec<f32>,
}

/// A form looked up in the lexicon once, as written and in small letters.
pub(super) struct Entry<'e> {
    pub(super) form: &'e str,
    pub(super) lower: &'e str,
    pub(super) as_written: &'e [Reading],
    pub(super) as_lower: &'e [Reading],
    keys: (u32, u32),
    capital: bool,
}

impl<'e> Entry<'e> {
    pub(super) fn new(lexicon: &'e Lexicon, form: &'e str, lower: &'e str) -> Self {
        let as_written = lexicon.readings(form);
        let as_lower = if lower == form { as_written } else { lexicon.readings(lower) };
        let capital = form.chars().next().is_some_and(char::is_uppercase);
        Entry { form, lower, as_written, as_lower, keys: form_keys(form, lower), capital }
    }

    pub(super) fn known(&self) -> bool {
        !self.as_written.is_empty() || !self.as_lower.is_empty()
    }
}

/// Tags in the order in which they were found, each once.
#[derive(Default)]
struct Found {
    tags: Vec<TagId>,
    /// Times that training saw the word with any of them.
    seen: u32,
}

impl Found {
    fn add(&mut self, tag: TagId) {
        if !self.tags.contains(&tag) {
            self.tags.push(tag);
        }
    }

    /// Adds tags with their counts in training; one occurrence with the tag `without` does not count.
    fn add_seen(&mut self, rows: Option<&[(TagId, u8)]>, without: Option<TagId>) {
        for (tag, count) in rows.into_iter().flatten() {
            let count = u32::from(*count) - u32::from(without == Some(*tag) && *count < u8::MAX);
            if count > 0 {
                self.seen += count;
                self.add(*tag);
            }
        }
    }
}

impl TagModel {
    /// The candidates of a form. `initial`: it stands where a capital says nothing. `without`: see [`TagModel::facts`].
    pub(super) fn candidates(
        &self,
        lexicon: &Lexicon,
        entry: &Entry<'_>,
        initial: bool,
        without: Option<TagId>,
    ) -> Candidates {
        let mut found = Found::default();
        found.add_seen(self.tables.forms.get(&entry.keys.0).map(|rows| &**rows), without);
        if initial || found.tags.is_empty() {
            found.add_seen(self.tables.lower.get(&entry.keys.1).map(|rows| &**rows), without);
        }
        if found.seen < ENOUGH_SEEN {
            self.add_readings(&mut found, lexicon, entry, initial);
            if entry.capital && (!initial || found.tags.is_empty()) {
                self.tables.names.iter().for_each(|tag| found.add(*tag));
            }
        }
        for row in &self.tables.alike {
            if row.iter().any(|tag| found.tags.contains(tag)) {
                row.iter().for_each(|tag| found.add(*tag));
            }
        }
        if found.tags.is_empty() {
            found.tags.extend(self.sign(entry.form));
        }
        if found.seen == 0 && !entry.known() {
            found.tags.extend(self.shortened_noun(entry.form));
        }
        let mut source = if found.seen > 0 { CandidateSource::Training } else { CandidateSource::Lexicon };
        let only_a_name = entry.capital && found.tags.len() <= self.tables.names.len();
        if found.seen == 0 && (found.tags.is_empty() || only_a_name) {
            source = CandidateSource::Ending;
            self.add_guesses(&mut found, entry);
        }
        if found.tags.is_empty() {
            found.tags.push(0);
        }
        let mut sorted = found.tags.clone();
        sorted.sort_unstable();
        let class = sorted.iter().fold(source as u64, |h, t| mix(h, u64::from(*t) + 77));
        Candidates { tags: found.tags, source, class, base: Vec::new() }
    }

    /// The tags of its readings in the lexicon.
    fn add_readings(&self, found: &mut Found, lexicon: &Lexicon, entry: &Entry<'_>, initial: bool) {
        let (mut readings, mut of) = (entry.as_written, entry.form);
        if (readings.is_empty() || initial) && !entry.as_lower.is_empty() {
            (readings, of) = (entry.as_lower, entry.lower);
        }
        for reading in readings {
            let auxiliary = self.tables.auxiliaries.is_empty()
                || lexicon
                    .lemma(of, *reading)
                    .is_some_and(|lemma| self.tables.auxiliaries.iter().any(|auxiliary| **auxiliary == *lemma));
            for tag in self.of_lexicon_tag(reading.tag) {
                if auxiliary || self.upos(*tag) != Upos::Aux {
                    found.add(*tag);
                }
            }
        }
    }

    /// The tag of what has no letter and no digit: a mark of punctuation or another sign.
    fn sign(&self, form: &str) -> Option<TagId> {
        if form.chars().any(char::is_alphanumeric) {
            return None;
        }
        let mark = form.chars().next().is_some_and(|c| c.general_category_group() == GeneralCategoryGroup::Punctuation);
        self.number_of(if mark { Upos::Punct } else { Upos::Sym }, "")
    }

    /// The tag of a word that keeps a full stop: mostly an abbreviated noun.
    fn shortened_noun(&self, form: &str) -> Option<TagId> {
        if !form.ends_with('.') || !form.chars().any(char::is_alphabetic) {
            return None;
        }
        self.number_of(Upos::Noun, "Abbr=Yes|Number=Sing").or_else(|| self.number_of(Upos::Noun, ""))
    }

    fn number_of(&self, upos: Upos, feats: &str) -> Option<TagId> {
        self.tables.tags.iter().position(|(u, f)| *u == upos && **f == *feats).map(|tag| tag as TagId)
    }

    /// The tags of words with the same ending and shape, the longest ending that training knows; and of names.
    fn add_guesses(&self, found: &mut Found, entry: &Entry<'_>) {
        let length = entry.lower.chars().take(6).count();
        let shape = shape(entry.form);
        let general = general_form(entry.lower);
        let guess = (1..=5.min(length.max(1)))
            .rev()
            .find_map(|k| self.tables.endings.get(&ending_key(ending(&general, k), k, shape)))
            .or_else(|| self.tables.endings.get(&0));
        if found.tags.is_empty() && guess.is_none() {
            found.tags.extend(&self.tables.names);
        }
        for tag in guess.into_iter().flat_map(|tags| tags.iter()).take(ENDING_CANDIDATES) {
            found.add(*tag);
        }
        if let Some(name) = self.tables.names.first().filter(|_| entry.form.starts_with(char::is_alphabetic)) {
            found.add(*name);
        }
    }
}
