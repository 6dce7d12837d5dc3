//! Surface tokens: hand-written finite rules over the text of one block, with exact byte places.
//!
//! A [`chunk`] is what stands between white space. Inside it the rules look at most a bounded number of characters
//! ahead, so that a text without spaces costs as much per character as any other. A chunk is cut into tokens from left to
//! right: an [`address`], a [`word`] (whose [`full_stop`] may belong to it) or a [`sign`].

mod address;
mod chunk;
mod clitic;
mod full_stop;
mod sign;
#[cfg(test)]
mod tests;
mod word;

pub use address::is_extension;

use crate::abbreviation::{Abbreviations, Ending};
use chunk::{Chunk, is_word_char};
use glosa_text::Language;

/// What the rules took a surface token for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Letters, perhaps with digits and joining marks.
    Word,
    /// A token that begins with a digit.
    Number,
    /// A word with the full stop that belongs to it.
    Abbreviation(Ending),
    /// Marks of punctuation.
    Punctuation,
    /// Any other sign.
    Symbol,
    /// A web or mail address.
    Address,
    /// An emoji with its modifiers and joiners.
    Emoji,
}

/// A surface token: bytes `start..end` of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceToken {
    /// First byte.
    pub start: u32,
    /// Byte after the last one.
    pub end: u32,
    /// What it is.
    pub kind: TokenKind,
}

/// The tokenizer of a language.
#[derive(Debug)]
pub struct Tokenizer {
    language: Language,
    abbreviations: Abbreviations,
    joined_prefixes: Vec<&'static str>,
    units: Vec<&'static str>,
    slashed: Vec<&'static str>,
}

impl Tokenizer {
    /// The tokenizer of `language` with the shipped lists.
    pub fn new(language: Language) -> Self {
        let list = |data: &'static str| -> Vec<&'static str> {
            let mut words: Vec<&str> = data.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).collect();
            words.sort_unstable();
            words
        };
        let english = language == Language::En;
        let of_english = |data: &'static str| if english { list(data) } else { Vec::new() };
        Tokenizer {
            language,
            abbreviations: Abbreviations::of(language),
            joined_prefixes: of_english(include_str!("../../models/en/prefixes.txt")),
            units: of_english(include_str!("../../models/en/units.txt")),
            slashed: of_english(include_str!("../../models/en/slashed.txt")),
        }
    }

    /// Appends the surface tokens of `text[start..end]` to `out`.
    pub fn tokenize(&self, text: &str, start: usize, end: usize, out: &mut Vec<SurfaceToken>) {
        let mut pos = start;
        let bytes = text.as_bytes();
        while pos < end {
            let c = match text[pos..end].chars().next() {
                Some(c) => c,
                None => break,
            };
            if c.is_whitespace() || (c.is_control() && !c.is_alphanumeric()) {
                pos += c.len_utf8();
                continue;
            }
            let mut stop = pos;
            while stop < end {
                let b = bytes[stop];
                if b < 0x80 {
                    if b <= b' ' || b == 0x7f {
                        break;
                    }
                    stop += 1;
                } else {
                    match text[stop..end].chars().next() {
                        Some(c) if c.is_whitespace() => break,
                        Some(c) => stop += c.len_utf8(),
                        None => break,
                    }
                }
            }
            if bytes[pos..stop].iter().all(u8::is_ascii_lowercase) {
                out.push(SurfaceToken { start: pos as u32, end: stop as u32, kind: TokenKind::Word });
            } else {
                self.cut(&Chunk::new(text, pos, stop, end), out);
            }
            pos = stop.max(pos + 1);
            while pos < end && !text.is_char_boundary(pos) {
                pos += 1;
            }
        }
    }

    fn cut(&self, chunk: &Chunk<'_>, out: &mut Vec<SurfaceToken>) {
        let mut start = chunk.start;
        while let Some(first) = chunk.at(start) {
            let (end, kind) = if !is_word_char(first) {
                self.sign(chunk, start, first)
            } else if let Some(end) = address::of(chunk, start) {
                (end, TokenKind::Address)
            } else {
                self.word(chunk, start, first, out)
            };
            out.push(SurfaceToken { start: start as u32, end: end as u32, kind });
            start = end;
        }
    }
}
