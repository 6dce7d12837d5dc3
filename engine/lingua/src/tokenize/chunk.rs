//! A chunk: what stands between white space, with the facts that the rules ask of all of it; and classes of characters.

use unicode_properties::{GeneralCategoryGroup, UnicodeEmoji, UnicodeGeneralCategory};

/// Bytes `start..end` of a text. Places inside it are bytes of the text.
pub(super) struct Chunk<'t> {
    pub(super) text: &'t str,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Where the block ends, for what a full stop means depends on the words after it.
    pub(super) block_end: usize,
    pub(super) has_at: bool,
    pub(super) has_dot: bool,
    /// `://` stands in it.
    pub(super) has_slashes: bool,
}

impl<'t> Chunk<'t> {
    pub(super) fn new(text: &'t str, start: usize, end: usize, block_end: usize) -> Self {
        let bytes = &text.as_bytes()[start..end];
        Chunk {
            text,
            start,
            end,
            block_end,
            has_at: bytes.contains(&b'@'),
            has_dot: bytes.contains(&b'.'),
            has_slashes: bytes.windows(3).any(|w| w == b"://"),
        }
    }

    /// The character at a place, or none at the end of the chunk.
    #[inline]
    pub(super) fn at(&self, place: usize) -> Option<char> {
        self.text[place..self.end].chars().next()
    }

    /// The first place from `place` on whose character fails the test.
    #[inline]
    pub(super) fn skip_while(&self, mut place: usize, test: impl Fn(char) -> bool) -> usize {
        while let Some(c) = self.at(place) {
            if !test(c) {
                break;
            }
            place += c.len_utf8();
        }
        place
    }
}

#[inline]
pub(super) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || (!c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Mark)
}

#[inline]
pub(super) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '´' | '`')
}

#[inline]
pub(super) fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑')
}

#[inline]
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

#[inline]
pub(super) fn is_emoji(c: char) -> bool {
    !c.is_ascii() && (c.is_emoji_char() && !c.is_alphanumeric() && c as u32 > 0x2190)
}
