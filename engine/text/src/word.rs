//! Orthographic words: what writers and style guides count.
//!
//! A word is a maximal run of letters and digits, with the marks that join inside it: apostrophe, hyphen,
//! middle dot, and the decimal or thousands mark between digits. `l'escola`, `donar-los`, `col·lecció`,
//! `don't` and `3,5` are one word each.

use std::ops::Range;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::Span;

/// One orthographic word of a document.
#[derive(Clone, Debug)]
pub struct OrthographicWord {
    /// Place in code points.
    pub span: Span,
    /// Place in bytes.
    pub bytes: Range<u32>,
    /// Number of the sentence unit it stands in.
    pub sentence: u32,
    /// Syllables; 0 where they are not counted (numbers, acronyms).
    pub syllables: u16,
    /// Letters (general category L, composed).
    pub letters: u16,
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c.general_category_group() == GeneralCategoryGroup::Mark
}

fn joins(previous: char, mark: char, next: char) -> bool {
    match mark {
        '\'' | '’' | 'ʼ' | '-' | '‐' | '‑' | '·' | '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}' => {
            is_word_char(previous) && next.is_alphanumeric()
        }
        '.' | ',' => previous.is_ascii_digit() && next.is_ascii_digit(),
        _ => false,
    }
}

/// The byte ranges of the orthographic words of a text, in reading order.
pub fn orthographic_words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, mut last) = chars.find(|(_, c)| c.is_alphanumeric())?;
        let mut end = start + last.len_utf8();
        while let Some(&(at, c)) = chars.peek() {
            if is_word_char(c) {
                end = at + c.len_utf8();
                last = c;
                chars.next();
                continue;
            }
            let after = at + c.len_utf8();
            match text[after..].chars().next() {
                Some(next) if joins(last, c, next) => {
                    chars.next();
                    end = after;
                }
                _ => break,
            }
        }
        Some(start..end)
    })
}

/// Letters of a word, counted as if it were composed: a combining accent is no letter of its own.
pub(crate) fn letters(word: &str) -> u16 {
    word.chars().filter(|c| c.is_alphabetic() && c.general_category_group() == GeneralCategoryGroup::Letter).count()
        as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        orthographic_words(text).map(|r| &text[r]).collect()
    }

    #[test]
    fn inner_marks_join() {
        assert_eq!(
            words("L'escola i l’avi: donar-los col·lecció, don't 3,5 1.234,56 €."),
            ["L'escola", "i", "l’avi", "donar-los", "col·lecció", "don't", "3,5", "1.234,56"]
        );
    }

    #[test]
    fn outer_marks_do_not() {
        assert_eq!(words("«hola»-- (sí), 'ok' 3, 4. fi-"), ["hola", "sí", "ok", "3", "4", "fi"]);
    }

    #[test]
    fn decomposed_letters_stay_together() {
        assert_eq!(words("resolucio\u{301}n 👩‍👩‍👧 a\u{AD}b"), ["resolucio\u{301}n", "a\u{AD}b"]);
        assert_eq!(letters("resolucio\u{301}n"), 10);
    }
}
