//! All that is known of a form without its context. A text looks each of its forms up once.

use crate::hash::{hash_str, mix};
use crate::lexicon::Lexicon;
use crate::tagger::candidates::{Candidates, Entry};
use crate::tagger::form::{beginning, ending, general_form, lower_form, shape};
use crate::tagger::{TagId, TagModel};
use glosa_text::Upos;

/// All that is known of a form without its context.
#[derive(Clone, Debug, Default)]
pub struct FormFacts {
    pub(super) form: u64,
    pub(super) lower: u64,
    pub(super) shape: u64,
    pub(super) endings: [u64; 6],
    pub(super) beginnings: [u64; 2],
    pub(super) readings: u64,
    pub(super) cluster: u64,
    pub(super) branch: u64,
    /// Candidates inside a sentence.
    pub inside: Candidates,
    /// Candidates where a capital says nothing: at the start of a sentence or quotation.
    pub initial: Candidates,
    /// The lexicon has the form, as written or in lower case.
    pub known: bool,
    pub(super) opener: bool,
    pub(super) capital: bool,
    pub(super) prepared: bool,
}

/// Signs after which a capital says nothing.
#[rustfmt::skip]
const OPENERS: [&str; 17] = [
    "\"", "'", "«", "“", "‘", "(", "[", "¿", "¡", "-", "–", "—", ":", "``", "...", "*", "•",
];

impl TagModel {
    /// Facts of a form; `without` takes one training occurrence with that tag out of the account.
    pub fn facts(&self, lexicon: &Lexicon, form: &str, without: Option<TagId>) -> FormFacts {
        let lower = lower_form(form);
        let general = general_form(&lower);
        let entry = Entry::new(lexicon, form, &lower);
        let path = match self.clusters.path(form) {
            0 => self.clusters.path(&lower),
            path => path,
        };
        let fold =
            |readings: &[crate::Reading]| readings.iter().fold(1u64, |h, r| h.wrapping_add(mix(u64::from(r.tag), 991)));
        FormFacts {
            cluster: u64::from(path),
            branch: u64::from(path & 63),
            form: hash_str(form),
            lower: hash_str(&general),
            shape: shape(form),
            endings: std::array::from_fn(|k| hash_str(ending(&general, k + 1))),
            beginnings: [hash_str(beginning(&general, 1)), hash_str(beginning(&general, 3))],
            readings: mix(fold(entry.as_written), fold(entry.as_lower)),
            inside: self.candidates(lexicon, &entry, false, without),
            initial: self.candidates(lexicon, &entry, true, without),
            known: entry.known(),
            opener: OPENERS.contains(&form),
            capital: form.chars().next().is_some_and(char::is_uppercase),
            prepared: false,
        }
    }

    /// Takes the candidates of a part of speech away where there are others.
    pub fn leave_out(&self, facts: &mut FormFacts, upos: Upos) {
        for candidates in [&mut facts.inside, &mut facts.initial] {
            if candidates.tags.iter().any(|tag| self.upos(*tag) != upos) {
                candidates.tags.retain(|tag| self.upos(*tag) != upos);
            }
        }
    }
}
