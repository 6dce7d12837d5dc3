//! The full stop behind a word: part of an abbreviation or an initial, or the end of a sentence.

use crate::abbreviation::Ending;
use crate::tokenize::chunk::{Chunk, is_word_char};
use crate::tokenize::{SurfaceToken, TokenKind, Tokenizer};
use glosa_text::Language;

impl Tokenizer {
    /// What the full stop at `end` makes of the word from `start`, or none where it only ends the sentence. `initials`:
    /// the word has full stops between its letters. `before` are the tokens of the block before it.
    pub(super) fn abbreviation(
        &self,
        chunk: &Chunk<'_>,
        start: usize,
        end: usize,
        initials: bool,
        before: &[SurfaceToken],
    ) -> Option<Ending> {
        let word = &chunk.text[start..end];
        let rest = chunk.text[end + 1..chunk.block_end].trim_start_matches([' ', '\u{A0}', '\n', '\r', '\t']);
        let next = rest.chars().next();
        let next_word = || {
            let stop = rest.char_indices().find(|(_, c)| !is_word_char(*c)).map_or(rest.len(), |(i, _)| i);
            &rest[..stop]
        };
        if let Some(ending) = self.abbreviations.find(word) {
            let fits = match ending {
                Ending::Number => next
                    .is_some_and(|c| c.is_ascii_digit() || c == 'º' || is_roman(next_word()))
                    .then_some(Ending::Never),
                Ending::Name => next
                    .is_some_and(|c| c.is_uppercase() && !self.abbreviations.starts_sentences(next_word()))
                    .then_some(Ending::Never),
                Ending::Lower => next
                    .is_some_and(|c| c.is_lowercase() || c.is_ascii_digit() || matches!(c, ',' | ';' | ')'))
                    .then_some(Ending::Never),
                Ending::May if next.is_none() => (self.language == Language::En).then_some(Ending::May),
                other => Some(other),
            };
            if fits.is_some() {
                return fits;
            }
        }
        if initials {
            return (next.is_some() || self.language == Language::En || word.chars().count() > 3)
                .then_some(Ending::May);
        }
        let mut chars = word.chars();
        let single = chars.next().is_some_and(char::is_uppercase) && chars.next().is_none();
        if single {
            let chain = {
                let mut letters = rest.chars();
                letters.next().is_some_and(char::is_uppercase) && letters.next() == Some('.')
            };
            if chain
                || next.is_some_and(|c| matches!(c, ',' | ';' | ')' | ':') || c.is_lowercase())
                    && !self.abbreviations.starts_sentences(word)
            {
                return Some(Ending::Never);
            }
            let name_before = before.last().is_none_or(|t| {
                let form = &chunk.text[t.start as usize..t.end as usize];
                matches!(t.kind, TokenKind::Abbreviation(_) | TokenKind::Punctuation)
                    || form.chars().next().is_some_and(char::is_uppercase)
                    // A capital behind a figure is a unit: «30 to 50 F. Summers are hot».
                    || form.chars().count() <= 3 && t.kind != TokenKind::Number
            });
            let name_after = next.is_some_and(char::is_uppercase) && !self.abbreviations.starts_sentences(next_word());
            if name_before && name_after {
                return Some(Ending::Never);
            }
        }
        None
    }
}

fn is_roman(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b"IVXLCDM".contains(&b))
}
