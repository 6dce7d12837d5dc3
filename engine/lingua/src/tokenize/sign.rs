//! Tokens of signs: marks of punctuation and symbols, alone or in rows, apostrophes apart from a word, emoji.

use crate::tokenize::address::is_extension;
use crate::tokenize::chunk::{Chunk, is_apostrophe, is_emoji, is_hyphen, is_invisible, is_word_char};
use crate::tokenize::clitic::is_detached_enclitic;
use crate::tokenize::{TokenKind, Tokenizer};
use glosa_text::Language;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

impl Tokenizer {
    /// The token that begins with the sign `c`: where it ends, and what it is.
    pub(super) fn sign(&self, chunk: &Chunk<'_>, pos: usize, c: char) -> (usize, TokenKind) {
        let after = pos + c.len_utf8();
        if is_emoji(c) {
            return (emoji_end(chunk, pos, c), TokenKind::Emoji);
        }
        if self.language == Language::En
            && let Some(token) = self.english_sign(chunk, pos, c)
        {
            return token;
        }
        match c {
            '$' => (chunk.skip_while(after, |d| d == '$'), TokenKind::Symbol),
            '.' | '!' | '?' | '-' | '*' | '=' | '_' | '~' | '#' | '<' | '>' | '+' | '…' | '¡' | '¿' | '|' => {
                let end = if matches!(c, '¡' | '¿') {
                    inverted_end(chunk, after, c)
                } else {
                    chunk.skip_while(after, |d| {
                        d == c || (matches!(c, '!' | '?') && matches!(d, '!' | '?') || c == '.' && d == '?')
                    })
                };
                let kind = if matches!(c, '=' | '~' | '<' | '>' | '+' | '|' | '#') {
                    TokenKind::Symbol
                } else {
                    TokenKind::Punctuation
                };
                (end, kind)
            }
            c if is_apostrophe(c) => self.apostrophe(chunk, pos, c),
            c if is_hyphen(c) => (after, TokenKind::Punctuation),
            _ => {
                let end = chunk
                    .skip_while(after, |d| is_invisible(d) || d.general_category_group() == GeneralCategoryGroup::Mark);
                let kind = match c.general_category_group() {
                    GeneralCategoryGroup::Punctuation if c != '%' && c != '&' && c != '@' && c != '§' => {
                        TokenKind::Punctuation
                    }
                    _ => TokenKind::Symbol,
                };
                (end, kind)
            }
        }
    }

    /// Signs that English treebanks keep whole: `.pdf`, rows of lines and arrows, `#tag`, `:-)`.
    fn english_sign(&self, chunk: &Chunk<'_>, pos: usize, c: char) -> Option<(usize, TokenKind)> {
        let after = pos + c.len_utf8();
        let first = pos == chunk.start;
        match c {
            '.' if first || chunk.text[..pos].ends_with(')') => {
                let end = chunk.skip_while(after, |c| c.is_ascii_lowercase());
                let extension = end > after && end - after <= 5 && is_extension(&chunk.text[after..end]);
                extension.then_some((end, TokenKind::Word))
            }
            '-' | '=' | '~' | '*' | '_' | '<' | '>' | '+' if first => {
                let run = chunk.skip_while(after, |d| matches!(d, '-' | '=' | '~' | '*' | '_' | '<' | '>' | '+'));
                let mixed = chunk.text[after..run].chars().any(|d| d != c);
                (mixed && run == chunk.end).then_some((run, TokenKind::Symbol))
            }
            '#' if first && chunk.at(after).is_some_and(|d| d.is_ascii_alphabetic()) => {
                Some((chunk.skip_while(after, is_word_char), TokenKind::Word))
            }
            ':' | ';' => {
                let nose = chunk.skip_while(after, |d| d == '-');
                let mouth = chunk.skip_while(nose, |d| matches!(d, ')' | '(' | 'D' | 'P'));
                let free = nose <= after + 1 && mouth > nose && chunk.at(mouth).is_none_or(|d| !is_word_char(d));
                let smile = free && (first || mouth == chunk.end);
                Some(if smile { (mouth, TokenKind::Symbol) } else { (after, TokenKind::Punctuation) })
            }
            _ => None,
        }
    }

    fn apostrophe(&self, chunk: &Chunk<'_>, pos: usize, c: char) -> (usize, TokenKind) {
        let after = pos + c.len_utf8();
        if chunk.at(after) == Some(c) {
            return (after + c.len_utf8(), TokenKind::Punctuation);
        }
        let letters = chunk.skip_while(after, is_word_char);
        if letters > after && chunk.at(letters).is_none_or(|d| !is_apostrophe(d)) {
            let rest = &chunk.text[after..letters];
            match self.language {
                Language::Ca => {
                    let apart = pos == chunk.start;
                    if (!apart || letters == chunk.end && rest.ends_with(['n', 's'])) && is_detached_enclitic(rest) {
                        return (letters, TokenKind::Word);
                    }
                }
                Language::En => {
                    let two_digits = letters - after == 2 && rest.bytes().all(|b| b.is_ascii_digit());
                    if two_digits
                        || rest.eq_ignore_ascii_case("em")
                        || rest.eq_ignore_ascii_case("s")
                        || rest == "cause"
                        || rest == "til"
                    {
                        return (letters, TokenKind::Word);
                    }
                }
                _ => {}
            }
        }
        (after, TokenKind::Punctuation)
    }
}

/// Two inverted marks are one token (`¿¿`); of more, each is its own.
fn inverted_end(chunk: &Chunk<'_>, after: usize, c: char) -> usize {
    let second = after + c.len_utf8();
    if chunk.at(after) == Some(c) && chunk.at(second) != Some(c) { second } else { after }
}

fn emoji_end(chunk: &Chunk<'_>, pos: usize, c: char) -> usize {
    let flag = |c: char| ('\u{1F1E6}'..='\u{1F1FF}').contains(&c);
    let mut end = pos + c.len_utf8();
    if flag(c) {
        if let Some(second) = chunk.at(end).filter(|c| flag(*c)) {
            end += second.len_utf8();
        }
        return end;
    }
    while let Some(d) = chunk.at(end) {
        let modifier =
            matches!(d, '\u{FE0F}' | '\u{FE0E}' | '\u{20E3}' | '\u{1F3FB}'..='\u{1F3FF}' | '\u{E0020}'..='\u{E007F}');
        if modifier {
            end += d.len_utf8();
        } else if d == '\u{200D}' {
            match chunk.at(end + 3) {
                Some(next) if is_emoji(next) => end += 3 + next.len_utf8(),
                _ => break,
            }
        } else {
            break;
        }
    }
    end
}
