//! The generator of replacements: what a row or template writes, in the form that the place wants.
//!
//! [`form`] inflects the head of a replacement like the word that it replaces and lets the rest agree or stay; [`position`] knows
//! the places where a word of another kind cannot stand; [`surroundings`] lets determiners and adjectives around follow. What none
//! of them is sure of is not offered.

pub(crate) mod form;
pub(crate) mod position;
pub mod surroundings;

use glosa_text::{Document, Language, Token, Upos};

use crate::{FormReading, Inflect};

/// What the parts of the generator ask the lexicon and the text.
#[derive(Clone, Copy)]
pub(crate) struct Grammar<'g> {
    pub(crate) document: &'g Document,
    pub(crate) inflect: &'g dyn Inflect,
}

impl<'g> Grammar<'g> {
    pub(crate) fn language(&self) -> Language {
        self.document.language()
    }

    pub(crate) fn token(&self, number: u32) -> Option<&'g Token> {
        self.document.tokens().get(number as usize)
    }

    /// The token before another one, in its sentence.
    pub(crate) fn before(&self, number: u32) -> Option<&'g Token> {
        let before = self.token(number.checked_sub(1)?)?;
        self.token(number).is_none_or(|here| here.sentence == before.sentence).then_some(before)
    }

    /// The token at the end of a range, if it is in the sentence of the one before it.
    pub(crate) fn after(&self, end: u32) -> Option<&'g Token> {
        let last = self.token(end.checked_sub(1)?)?;
        self.token(end).filter(|after| after.sentence == last.sentence)
    }

    pub(crate) fn feats(&self, token: &Token) -> &'g str {
        self.document.string(token.feats)
    }

    pub(crate) fn norm(&self, token: &Token) -> &'g str {
        self.document.string(token.norm)
    }

    pub(crate) fn readings(&self, word: &str) -> Vec<FormReading> {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '·');
        let readings = self.inflect.readings(self.language(), word);
        if readings.is_empty() && word.contains(char::is_uppercase) {
            return self.inflect.readings(self.language(), &word.to_lowercase());
        }
        readings
    }

    /// Whether a word may be of a part of speech; words of grammar (articles, prepositions, pronouns) are nothing else.
    pub(crate) fn may_be(&self, word: &str, pos: Upos) -> bool {
        let readings = self.readings(word);
        let grammar = |pos| matches!(pos, Upos::Adp | Upos::Det | Upos::Pron | Upos::Cconj);
        if !grammar(pos) && pos != Upos::Adv && readings.iter().any(|reading| grammar(reading.pos)) {
            return false;
        }
        readings.iter().any(|reading| reading.pos == pos)
    }

    pub(crate) fn is(&self, role: &str, words: &str) -> bool {
        self.inflect.is_listed(self.language(), role, words)
    }

    /// Whether a token is a verb that links its subject with a predicate.
    pub(crate) fn links(&self, token: &Token) -> bool {
        self.is("copula", self.document.string(token.lemma))
    }

    /// Whether the runtime has a lexicon to ask; without one nothing is held against a replacement.
    pub(crate) fn knows_words(&self) -> bool {
        let known = match self.language() {
            Language::Es => "de",
            Language::Ca => "de",
            Language::En => "of",
        };
        !self.inflect.readings(self.language(), known).is_empty()
    }
}
