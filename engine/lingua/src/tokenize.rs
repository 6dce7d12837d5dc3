//! Surface tokens: hand-written finite rules over the text of one block, with exact byte places.
//!
//! A chunk is what stands between white space. Inside it the rules look at most a bounded number of characters
//! ahead, so that a text without spaces costs as much per character as any other.

use crate::abbreviation::{Abbreviations, Ending};
use glosa_text::Language;
use unicode_properties::{GeneralCategoryGroup, UnicodeEmoji, UnicodeGeneralCategory};

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

const MAX_ADDRESS_PART: usize = 253;
const EXTENSIONS: &str = include_str!("../models/extensions.txt");

/// The tokenizer of a language.
#[derive(Debug)]
pub struct Tokenizer {
    language: Language,
    abbreviations: Abbreviations,
    joined_prefixes: Vec<&'static str>,
    units: Vec<&'static str>,
    slashed: Vec<&'static str>,
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || (!c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Mark)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '´' | '`')
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑')
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

fn emoji_base(c: char) -> bool {
    !c.is_ascii() && (c.is_emoji_char() && !c.is_alphanumeric() && c as u32 > 0x2190)
}

struct Cursor<'t> {
    text: &'t str,
    end: usize,
}

impl Cursor<'_> {
    fn at(&self, pos: usize) -> Option<char> {
        self.text[pos..self.end].chars().next()
    }
    fn skip_while(&self, mut pos: usize, test: impl Fn(char) -> bool) -> usize {
        while let Some(c) = self.at(pos) {
            if !test(c) {
                break;
            }
            pos += c.len_utf8();
        }
        pos
    }
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
            joined_prefixes: of_english(include_str!("../models/en/prefixes.txt")),
            units: of_english(include_str!("../models/en/units.txt")),
            slashed: of_english(include_str!("../models/en/slashed.txt")),
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
            self.chunk(text, pos, stop, end, out);
            pos = stop.max(pos + 1);
            while pos < end && !text.is_char_boundary(pos) {
                pos += 1;
            }
        }
    }

    fn chunk(&self, text: &str, start: usize, stop: usize, block_end: usize, out: &mut Vec<SurfaceToken>) {
        let cursor = Cursor { text, end: stop };
        let chunk = &text.as_bytes()[start..stop];
        if chunk.iter().all(u8::is_ascii_lowercase) {
            out.push(SurfaceToken { start: start as u32, end: stop as u32, kind: TokenKind::Word });
            return;
        }
        let has_at = chunk.contains(&b'@');
        let has_dot = chunk.contains(&b'.');
        let has_slashes = chunk.windows(3).any(|w| w == b"://");
        let mut pos = start;
        while pos < stop {
            let Some(c) = cursor.at(pos) else { break };
            let (end, kind) = self.one(&cursor, pos, c, start, has_at, has_dot, has_slashes, block_end, out);
            out.push(SurfaceToken { start: pos as u32, end: end as u32, kind });
            pos = end;
        }
    }

    #[expect(clippy::too_many_arguments, reason = "facts about the chunk, found once")]
    fn one(
        &self,
        cursor: &Cursor<'_>,
        pos: usize,
        c: char,
        chunk_start: usize,
        has_at: bool,
        has_dot: bool,
        has_slashes: bool,
        block_end: usize,
        out: &[SurfaceToken],
    ) -> (usize, TokenKind) {
        let after = pos + c.len_utf8();
        if is_word_char(c) {
            if (has_slashes || has_at || has_dot)
                && let Some(end) = self.address(cursor, pos, has_at, has_slashes)
            {
                return (end, TokenKind::Address);
            }
            return self.word(cursor, pos, c, block_end, out);
        }
        if emoji_base(c) {
            return (emoji_end(cursor, pos, c), TokenKind::Emoji);
        }
        if c == '.' && self.language == Language::En && has_dot {
            let end = cursor.skip_while(after, |c| c.is_ascii_lowercase());
            if end > after
                && end - after <= 5
                && is_extension(&cursor.text[after..end])
                && (pos == chunk_start || cursor.text[..pos].ends_with(')'))
            {
                return (end, TokenKind::Word);
            }
        }
        if self.language == Language::En && pos == chunk_start {
            let whole = match c {
                '-' | '=' | '~' | '*' | '_' | '<' | '>' | '+' => {
                    let run = cursor.skip_while(after, |d| matches!(d, '-' | '=' | '~' | '*' | '_' | '<' | '>' | '+'));
                    let mixed = cursor.text[after..run].chars().any(|d| d != c);
                    (mixed && run == cursor.end).then_some((run, TokenKind::Symbol))
                }
                '#' if cursor.at(after).is_some_and(|d| d.is_ascii_alphabetic()) => {
                    Some((cursor.skip_while(after, is_word_char), TokenKind::Word))
                }
                _ => None,
            };
            if let Some(token) = whole {
                return token;
            }
        }
        match c {
            '$' => (cursor.skip_while(after, |d| d == '$'), TokenKind::Symbol),
            '.' | '!' | '?' | '-' | '*' | '=' | '_' | '~' | '#' | '<' | '>' | '+' | '…' | '¡' | '¿' | '|' => {
                let run = cursor.skip_while(after, |d| {
                    d == c || (matches!(c, '!' | '?') && matches!(d, '!' | '?') || c == '.' && d == '?')
                });
                let end = if matches!(c, '¡' | '¿') && run > after + c.len_utf8() { after } else { run };
                let kind = if matches!(c, '=' | '~' | '<' | '>' | '+' | '|' | '#') {
                    TokenKind::Symbol
                } else {
                    TokenKind::Punctuation
                };
                (end, kind)
            }
            ':' | ';' if self.language == Language::En => {
                let nose = cursor.skip_while(after, |d| d == '-');
                let mouth = cursor.skip_while(nose, |d| matches!(d, ')' | '(' | 'D' | 'P'));
                let free = nose <= after + 1 && mouth > nose && cursor.at(mouth).is_none_or(|d| !is_word_char(d));
                if free && (pos == chunk_start || mouth == cursor.end) {
                    (mouth, TokenKind::Symbol)
                } else {
                    (after, TokenKind::Punctuation)
                }
            }
            c if is_apostrophe(c) => self.apostrophe(cursor, pos, c, chunk_start),
            c if is_hyphen(c) => (after, TokenKind::Punctuation),
            _ => {
                let end = cursor
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

    fn apostrophe(&self, cursor: &Cursor<'_>, pos: usize, c: char, chunk_start: usize) -> (usize, TokenKind) {
        let after = pos + c.len_utf8();
        let run = cursor.skip_while(after, |d| d == c);
        if run > after {
            return (after + c.len_utf8(), TokenKind::Punctuation);
        }
        let letters = cursor.skip_while(after, is_word_char);
        if letters > after && cursor.at(letters).is_none_or(|d| !is_apostrophe(d)) {
            let rest = &cursor.text[after..letters];
            match self.language {
                Language::Ca => {
                    let apart = pos == chunk_start;
                    if (!apart || letters == cursor.end && rest.ends_with(['n', 's']))
                        && matches!(
                            rest,
                            "n" | "ls" | "ns" | "l" | "s" | "m" | "t" | "us" | "hi" | "ho" | "N" | "LS" | "NS"
                        )
                    {
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

    fn address(&self, cursor: &Cursor<'_>, pos: usize, has_at: bool, has_slashes: bool) -> Option<usize> {
        let text = &cursor.text[pos..cursor.end];
        let head = &text.as_bytes()[..text.len().min(8)];
        let lower = head.to_ascii_lowercase();
        let scheme = has_slashes && {
            let letters = text.bytes().take(10).take_while(u8::is_ascii_alphabetic).count();
            letters >= 3 && text[letters..].starts_with("://")
        };
        if scheme || lower.starts_with(b"www.") || lower.starts_with(b"mailto:") {
            return Some(trim_address(cursor, pos, cursor.end));
        }
        if has_at {
            let window = &text.as_bytes()[..text.len().min(MAX_ADDRESS_PART)];
            let local = window.iter().take_while(|b| b.is_ascii_alphanumeric() || b"._%+-".contains(b)).count();
            if local > 0 && window.get(local) == Some(&b'@') {
                let from = pos + local + 1;
                if let Some(end) = domain(cursor, from, false) {
                    return Some(end);
                }
            }
        }
        let end = domain(cursor, pos, true)?;
        if cursor.at(end) == Some('/') {
            let stop = (end + MAX_ADDRESS_PART * 4).min(cursor.end);
            let stop = (end..=stop).rev().find(|&i| cursor.text.is_char_boundary(i)).unwrap_or(end);
            return Some(trim_address(cursor, pos, stop));
        }
        Some(end)
    }

    fn word(
        &self,
        cursor: &Cursor<'_>,
        pos: usize,
        first: char,
        block_end: usize,
        out: &[SurfaceToken],
    ) -> (usize, TokenKind) {
        let kind = if first.is_ascii_digit() { TokenKind::Number } else { TokenKind::Word };
        let mut end = pos;
        let mut last = first;
        let mut segment = pos;
        let mut dotted = false;
        let mut dotted_name = false;
        let romance = self.language != Language::En;
        loop {
            let mut at = end;
            let run_start = at;
            while let Some(c) = cursor.at(at) {
                if !is_word_char(c) && !is_invisible(c) {
                    break;
                }
                if !is_invisible(c) {
                    last = c;
                }
                at += c.len_utf8();
            }
            if self.language == Language::En && kind == TokenKind::Number && run_start == pos {
                let digits = cursor.skip_while(run_start, |c| c.is_ascii_digit());
                let unit = &cursor.text[digits..at];
                if self.units.binary_search(&unit.to_lowercase().as_str()).is_ok() {
                    return (digits, kind);
                }
            }
            end = at;
            let Some(mark) = cursor.at(end) else { break };
            let next_at = end + mark.len_utf8();
            let Some(next) = cursor.at(next_at) else { break };
            if !is_word_char(next) {
                let elided = self.language == Language::Ca && is_apostrophe(mark) && proclitic(&cursor.text[pos..end]);
                if elided && (is_apostrophe(next) || matches!(next, '"' | '“' | '«' | '‘' | '(')) {
                    return (next_at, TokenKind::Word);
                }
                if mark == '.' && last.is_ascii_digit() && matches!(next, 'º' | 'ª') {
                    end = next_at;
                    continue;
                }
                break;
            }
            let digits = last.is_ascii_digit() && next.is_ascii_digit();
            let segment_is_letter = {
                let mut chars = cursor.text[segment..end].chars();
                chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
            };
            let joins = match mark {
                '·' | '•' | '‧' => last.is_alphabetic() && next.is_alphabetic(),
                '.' | ',' | ':' if digits => true,
                '.' if matches!(next, 'º' | 'ª') => last.is_ascii_digit(),
                '.' if segment_is_letter && next.is_alphabetic() && self.initials(cursor, next_at) => {
                    dotted = true;
                    true
                }
                '.' if last == 'l' && next == 'l' && romance => true,
                '.' if next.is_ascii_lowercase() || next.is_ascii_uppercase() => {
                    let stop = cursor.skip_while(next_at, is_word_char);
                    let group = last.is_ascii_lowercase()
                        && (dotted_name
                            || cursor.at(stop) == Some('.')
                                && cursor.at(stop + 1).is_some_and(|c| c.is_ascii_lowercase()));
                    dotted_name |= group && next.is_ascii_lowercase();
                    group && next.is_ascii_lowercase()
                        || stop - next_at <= 4 && is_extension(&cursor.text[next_at..stop])
                }
                m if is_hyphen(m) => self.hyphen_joins(cursor, pos, end, next_at, last, next),
                '/' => {
                    if romance {
                        true
                    } else {
                        digits && kind == TokenKind::Number || self.is_slashed(cursor, pos, next_at)
                    }
                }
                '&' => last.is_uppercase() && next.is_uppercase(),
                '@' => self.language == Language::En && last.is_alphabetic() && next.is_alphabetic(),
                m if is_apostrophe(m) => match self.language {
                    Language::Es => next.is_alphanumeric(),
                    Language::Ca => {
                        if proclitic(&cursor.text[pos..end]) && next.is_alphanumeric() {
                            return (next_at, TokenKind::Word);
                        }
                        let tail = cursor.skip_while(next_at, is_word_char);
                        let rest = &cursor.text[next_at..tail];
                        let enclitic = matches!(rest, "n" | "ls" | "ns" | "l" | "s" | "m" | "t" | "us");
                        if enclitic && matches!(last, 'e' | 'a' | 'i' | 'o' | 'u' | 'E' | 'A') {
                            let pronoun = matches!(
                                &*cursor.text[pos..end].to_lowercase(),
                                "se" | "me" | "te" | "li" | "que" | "no" | "ho" | "hi" | "la" | "us" | "ja" | "jo"
                            );
                            if pronoun {
                                return (end, TokenKind::Word);
                            }
                        }
                        true
                    }
                    Language::En => self.english_apostrophe(cursor, pos, end, next_at),
                },
                _ => false,
            };
            if !joins {
                break;
            }
            if kind == TokenKind::Number || mark != '.' {
                dotted = dotted && mark == '.';
            }
            end = next_at;
            segment = next_at;
        }
        if self.language == Language::En
            && let Some(trail) = self.english_plural_possessive(cursor, end, last)
        {
            end = trail;
        }
        if !romance && end - pos == 4 && cursor.text[pos..end].eq_ignore_ascii_case("alot") {
            return (pos + 1, kind);
        }
        if romance && kind == TokenKind::Number && cursor.at(end) == Some('%') {
            return (end + 1, TokenKind::Number);
        }
        if cursor.at(end) == Some('.')
            && cursor.at(end + 1) != Some('.')
            && let Some(ending) = self.abbreviation(cursor, pos, end, dotted, block_end, out)
        {
            return (end + 1, TokenKind::Abbreviation(ending));
        }
        (end, kind)
    }

    fn is_slashed(&self, cursor: &Cursor<'_>, pos: usize, next_at: usize) -> bool {
        let stop = cursor.skip_while(next_at, is_word_char);
        stop - pos <= 8 && self.slashed.binary_search(&cursor.text[pos..stop].to_lowercase().as_str()).is_ok()
    }

    fn initials(&self, cursor: &Cursor<'_>, next_at: usize) -> bool {
        let stop = cursor.skip_while(next_at, |c| c.is_alphabetic());
        let length = cursor.text[next_at..stop].chars().count();
        length == 1 || (length <= 4 && cursor.at(stop) == Some('.')) || (length <= 3 && cursor.at(stop).is_none())
    }

    fn hyphen_joins(
        &self,
        cursor: &Cursor<'_>,
        pos: usize,
        end: usize,
        next_at: usize,
        last: char,
        next: char,
    ) -> bool {
        if self.language != Language::En {
            return true;
        }
        if last.is_ascii_digit() && next.is_ascii_digit() {
            let stop = cursor.skip_while(next_at, |c| c.is_ascii_digit());
            let before = cursor.text[pos..end].rsplit('-').next().map_or(0, str::len);
            let more = matches!(cursor.at(stop), Some('-'))
                && cursor.text[stop + 1..cursor.end].starts_with(|c: char| c.is_ascii_digit());
            let telephone_or_postcode = matches!((before, stop - next_at), (1 | 3 | 5, 4));
            return more || cursor.text[pos..end].contains('-') || telephone_or_postcode;
        }
        let head = cursor.text[pos..end].to_lowercase();
        self.joined_prefixes.binary_search(&head.as_str()).is_ok()
    }

    fn english_apostrophe(&self, cursor: &Cursor<'_>, pos: usize, end: usize, next_at: usize) -> bool {
        let stop = cursor.skip_while(next_at, is_word_char);
        let rest = cursor.text[next_at..stop].to_lowercase();
        if matches!(&*rest, "s" | "t" | "re" | "ve" | "ll" | "d" | "m" | "clock" | "all") {
            return true;
        }
        let before = cursor.text[pos..end].chars().count();
        before <= 3 && cursor.text[next_at..].starts_with(char::is_alphabetic)
    }

    fn english_plural_possessive(&self, cursor: &Cursor<'_>, end: usize, last: char) -> Option<usize> {
        if !matches!(last, 's' | 'S') {
            return None;
        }
        let mark = cursor.at(end)?;
        if !matches!(mark, '\'' | '’') {
            return None;
        }
        let after = end + mark.len_utf8();
        let mut inner = ' ';
        let quoted = cursor.text[..end].chars().rev().take(120).any(|c| {
            let opens = c == '‘' || inner == '\'' && !c.is_alphanumeric();
            inner = c;
            opens
        });
        (after == cursor.end && !quoted).then_some(after)
    }

    fn abbreviation(
        &self,
        cursor: &Cursor<'_>,
        pos: usize,
        end: usize,
        dotted: bool,
        block_end: usize,
        out: &[SurfaceToken],
    ) -> Option<Ending> {
        let word = &cursor.text[pos..end];
        let rest = cursor.text[end + 1..block_end].trim_start_matches([' ', '\u{A0}', '\n', '\r', '\t']);
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
        if dotted {
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
            let name_before = out.last().is_none_or(|t| {
                let form = &cursor.text[t.start as usize..t.end as usize];
                matches!(t.kind, TokenKind::Abbreviation(_) | TokenKind::Punctuation)
                    || form.chars().next().is_some_and(char::is_uppercase)
                    || form.chars().count() <= 3
            });
            let name_after = next.is_some_and(char::is_uppercase) && !self.abbreviations.starts_sentences(next_word());
            if name_before && name_after {
                return Some(Ending::Never);
            }
        }
        None
    }
}

fn proclitic(head: &str) -> bool {
    matches!(head, "l" | "d" | "s" | "n" | "m" | "t" | "L" | "D" | "S" | "N" | "M" | "T")
}

fn is_roman(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b"IVXLCDM".contains(&b))
}

/// Whether a word is the extension of a file name.
pub fn is_extension(word: &str) -> bool {
    EXTENSIONS.lines().any(|line| line.eq_ignore_ascii_case(word))
}

fn emoji_end(cursor: &Cursor<'_>, pos: usize, c: char) -> usize {
    let flag = |c: char| ('\u{1F1E6}'..='\u{1F1FF}').contains(&c);
    let mut end = pos + c.len_utf8();
    if flag(c) {
        if let Some(second) = cursor.at(end).filter(|c| flag(*c)) {
            end += second.len_utf8();
        }
        return end;
    }
    while let Some(d) = cursor.at(end) {
        let modifier =
            matches!(d, '\u{FE0F}' | '\u{FE0E}' | '\u{20E3}' | '\u{1F3FB}'..='\u{1F3FF}' | '\u{E0020}'..='\u{E007F}');
        if modifier {
            end += d.len_utf8();
        } else if d == '\u{200D}' {
            match cursor.at(end + 3) {
                Some(next) if emoji_base(next) => end += 3 + next.len_utf8(),
                _ => break,
            }
        } else {
            break;
        }
    }
    end
}

fn trim_address(cursor: &Cursor<'_>, pos: usize, stop: usize) -> usize {
    let mut end = stop;
    while let Some(c) = cursor.text[pos..end].chars().next_back() {
        let closes = match c {
            '.' | ',' | ';' | ':' | '!' | '?' | '"' | '\'' | '»' | '”' | '’' | ']' | '}' | '>' | '*' => true,
            ')' => !cursor.text[pos..end].bytes().take(2048).any(|b| b == b'('),
            _ => false,
        };
        if !closes || end - c.len_utf8() <= pos {
            break;
        }
        end -= c.len_utf8();
    }
    end
}

fn domain(cursor: &Cursor<'_>, from: usize, known_ending: bool) -> Option<usize> {
    let window = &cursor.text.as_bytes()[from..cursor.end.min(from + MAX_ADDRESS_PART)];
    let span = window.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-' || **b == b'.').count();
    let host = &window[..span];
    let trimmed = host.len() - host.iter().rev().take_while(|b| **b == b'.' || **b == b'-').count();
    let host = std::str::from_utf8(&host[..trimmed]).ok()?;
    let (head, last) = host.rsplit_once('.')?;
    if head.is_empty() || head.contains("..") || last.len() < 2 || !last.bytes().all(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    if known_ending {
        let known = matches!(
            last,
            "com"
                | "org"
                | "net"
                | "es"
                | "cat"
                | "eu"
                | "edu"
                | "gov"
                | "gob"
                | "info"
                | "int"
                | "uk"
                | "io"
                | "ad"
                | "barcelona"
        );
        let short = head.rsplit('.').next().is_some_and(|label| label.len() < 2);
        let after = from + trimmed;
        if !known
            || short
            || cursor.at(after).is_some_and(is_word_char)
            || head.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        {
            return None;
        }
    }
    Some(from + trimmed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(language: Language, text: &str) -> Vec<&str> {
        let mut tokens = Vec::new();
        Tokenizer::new(language).tokenize(text, 0, text.len(), &mut tokens);
        tokens.iter().map(|t| &text[t.start as usize..t.end as usize]).collect()
    }

    #[test]
    fn spanish() {
        assert_eq!(
            forms(
                Language::Es,
                "El art. 5.1 (núm. 3) sube un 3,5%: véase www.boe.es/a?b=1. ¿Sí? EE. UU., 1.º y/o 10:30..."
            ),
            [
                "El",
                "art.",
                "5.1",
                "(",
                "núm.",
                "3",
                ")",
                "sube",
                "un",
                "3,5%",
                ":",
                "véase",
                "www.boe.es/a?b=1",
                ".",
                "¿",
                "Sí",
                "?",
                "EE.",
                "UU.",
                ",",
                "1.º",
                "y/o",
                "10:30",
                "..."
            ]
        );
    }

    #[test]
    fn catalan() {
        assert_eq!(
            forms(Language::Ca, "L’Anna se'n va d'aquí; n’hi ha. Col·legi, donar-los, veure's «l'any 19'30»."),
            [
                "L’",
                "Anna",
                "se",
                "'n",
                "va",
                "d'",
                "aquí",
                ";",
                "n’",
                "hi",
                "ha",
                ".",
                "Col·legi",
                ",",
                "donar-los",
                ",",
                "veure's",
                "«",
                "l'",
                "any",
                "19'30",
                "»",
                "."
            ]
        );
    }

    #[test]
    fn english_signs_and_numbers_that_stay_whole() {
        let text = "Call 3-5213, see #reports and $$$ --==-- a vice-president, pages 3-5 =--- B8 1AB 90210-1234";
        let found = forms(Language::En, text);
        for whole in ["3-5213", "#reports", "$$$", "--==--", "vice-president", "=---", "90210-1234"] {
            assert!(found.contains(&whole), "{whole}: {found:?}");
        }
        assert_eq!(forms(Language::En, "pages 3-5 of item #5"), ["pages", "3", "-", "5", "of", "item", "#", "5"]);
    }

    #[test]
    fn english() {
        assert_eq!(
            forms(
                Language::En,
                "Dr. J. Smith doesn't e-mail well-known users' a@b.org at 5pm (e.g. U.S. $3.50) :) 👩‍👩‍👧!!"
            ),
            [
                "Dr.",
                "J.",
                "Smith",
                "doesn't",
                "e-mail",
                "well",
                "-",
                "known",
                "users'",
                "a@b.org",
                "at",
                "5",
                "pm",
                "(",
                "e.g.",
                "U.S.",
                "$",
                "3.50",
                ")",
                ":)",
                "👩‍👩‍👧",
                "!!"
            ]
        );
    }
}
