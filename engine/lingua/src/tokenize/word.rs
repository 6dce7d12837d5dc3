//! Words: letters and digits with the marks that join them.
//!
//! A word grows from one run of letters to the next as long as the mark between them joins in its language: *y/o*,
//! *Col·legi*, *donar-los*, *doesn't*, *U.S.*, *3,5*.

use crate::tokenize::address::is_extension;
use crate::tokenize::chunk::{Chunk, is_apostrophe, is_hyphen, is_invisible, is_word_char};
use crate::tokenize::clitic::{carries_enclitic, is_enclitic, is_proclitic};
use crate::tokenize::{SurfaceToken, TokenKind, Tokenizer};
use glosa_text::Language;

/// Characters before an apostrophe among which the opening quotation mark is looked for.
const QUOTATION_LENGTH: usize = 120;

/// A word as far as it has been read.
struct Growing<'c> {
    chunk: &'c Chunk<'c>,
    start: usize,
    end: usize,
    /// The last character that can be seen.
    last: char,
    /// Where its last run of letters begins.
    segment: usize,
    number: bool,
    /// Full stops alone join it so far, between initials: *U.S*.
    initials: bool,
    /// Full stops join it as in a name of the network: *news.admin.help*.
    dotted_name: bool,
}

impl<'c> Growing<'c> {
    fn new(chunk: &'c Chunk<'c>, start: usize, first: char) -> Self {
        Growing {
            chunk,
            start,
            end: start,
            last: first,
            segment: start,
            number: first.is_ascii_digit(),
            initials: false,
            dotted_name: false,
        }
    }

    fn text(&self) -> &'c str {
        &self.chunk.text[self.start..self.end]
    }

    /// Reads a run of letters, digits and marks on letters.
    #[inline]
    fn read_run(&mut self) {
        while let Some(c) = self.chunk.at(self.end) {
            if !is_word_char(c) && !is_invisible(c) {
                break;
            }
            if !is_invisible(c) {
                self.last = c;
            }
            self.end += c.len_utf8();
        }
    }

    /// Takes in the mark that ends at `next_at`.
    fn join(&mut self, mark: char, next_at: usize) {
        self.initials &= mark == '.';
        self.end = next_at;
        self.segment = next_at;
    }

    fn last_run_is_a_letter(&self) -> bool {
        let mut chars = self.chunk.text[self.segment..self.end].chars();
        chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
    }
}

/// What a mark after a run of letters does to the word.
enum Mark {
    /// The word goes on behind it.
    Joins,
    /// The word ends before it.
    Ends,
    /// The token ends at this place, whatever follows.
    Cuts(usize),
}

impl From<bool> for Mark {
    fn from(joins: bool) -> Self {
        if joins { Mark::Joins } else { Mark::Ends }
    }
}

impl Tokenizer {
    /// The word or number that begins with the character `first`: where it ends, and what it is. `before` are the tokens
    /// of the block before it.
    pub(super) fn word(
        &self,
        chunk: &Chunk<'_>,
        start: usize,
        first: char,
        before: &[SurfaceToken],
    ) -> (usize, TokenKind) {
        let mut word = Growing::new(chunk, start, first);
        let kind = if word.number { TokenKind::Number } else { TokenKind::Word };
        loop {
            word.read_run();
            if let Some(digits) = self.number_before_unit(&word) {
                return (digits, kind);
            }
            let Some(mark) = chunk.at(word.end) else { break };
            let next_at = word.end + mark.len_utf8();
            let Some(next) = chunk.at(next_at) else { break };
            match self.mark(&mut word, mark, next_at, next) {
                Mark::Joins => word.join(mark, next_at),
                Mark::Ends => break,
                Mark::Cuts(end) => return (end, kind),
            }
        }
        self.finished(word, kind, before)
    }

    /// What may still belong to a word after its last letter, and what is taken away from it.
    fn finished(&self, mut word: Growing<'_>, kind: TokenKind, before: &[SurfaceToken]) -> (usize, TokenKind) {
        let chunk = word.chunk;
        if self.language == Language::En {
            if let Some(end) = plural_possessive(&word) {
                word.end = end;
            }
            if word.end - word.start == 4 && word.text().eq_ignore_ascii_case("alot") {
                return (word.start + 1, kind);
            }
        } else if word.number && chunk.at(word.end) == Some('%') {
            return (word.end + 1, kind);
        }
        if chunk.at(word.end) == Some('.')
            && chunk.at(word.end + 1) != Some('.')
            && let Some(ending) = self.abbreviation(chunk, word.start, word.end, word.initials, before)
        {
            return (word.end + 1, TokenKind::Abbreviation(ending));
        }
        (word.end, kind)
    }

    /// What `mark` does after what has been read of a word; `next` stands behind it.
    #[inline]
    fn mark(&self, word: &mut Growing<'_>, mark: char, next_at: usize, next: char) -> Mark {
        let last = word.last;
        if !is_word_char(next) {
            let quotation = is_apostrophe(next) || matches!(next, '"' | '“' | '«' | '‘' | '(');
            let elided = self.language == Language::Ca && is_apostrophe(mark) && is_proclitic(word.text());
            return if elided && quotation { Mark::Cuts(next_at) } else { Mark::Ends };
        }
        let digits = last.is_ascii_digit() && next.is_ascii_digit();
        let letters = last.is_alphabetic() && next.is_alphabetic();
        match mark {
            '·' | '•' | '‧' => letters.into(),
            '.' | ',' | ':' if digits => Mark::Joins,
            '.' => self.full_stop_joins(word, next_at, next).into(),
            '/' if self.language != Language::En => Mark::Joins,
            '/' => (digits && word.number || self.is_slashed(word, next_at)).into(),
            '&' => (last.is_uppercase() && next.is_uppercase()).into(),
            '@' => (self.language == Language::En && letters).into(),
            m if is_hyphen(m) => self.hyphen_joins(word, next_at, next).into(),
            m if is_apostrophe(m) => match self.language {
                Language::Es => next.is_alphanumeric().into(),
                Language::Ca => catalan_apostrophe(word, next_at, next),
                Language::En => english_apostrophe_joins(word, next_at).into(),
            },
            _ => Mark::Ends,
        }
    }

    /// Where the digits end if all the rest of the first run is an English unit: *5pm*.
    #[inline]
    fn number_before_unit(&self, word: &Growing<'_>) -> Option<usize> {
        if self.language != Language::En || !word.number || word.segment != word.start {
            return None;
        }
        let digits = word.chunk.skip_while(word.start, |c| c.is_ascii_digit());
        let unit = word.chunk.text[digits..word.end].to_lowercase();
        self.units.binary_search(&unit.as_str()).is_ok().then_some(digits)
    }

    /// A full stop between letters: ordinals, initials, Catalan *l.l*, names of the network and of files.
    fn full_stop_joins(&self, word: &mut Growing<'_>, next_at: usize, next: char) -> bool {
        let (chunk, last) = (word.chunk, word.last);
        if matches!(next, 'º' | 'ª') {
            return last.is_ascii_digit();
        }
        if word.last_run_is_a_letter() && next.is_alphabetic() && goes_on_as_initials(chunk, next_at) {
            word.initials = true;
            return true;
        }
        if last == 'l' && next == 'l' && self.language != Language::En {
            return true;
        }
        if !next.is_ascii_alphabetic() {
            return false;
        }
        let stop = chunk.skip_while(next_at, is_word_char);
        let another = || chunk.at(stop) == Some('.') && chunk.at(stop + 1).is_some_and(|c| c.is_ascii_lowercase());
        if last.is_ascii_lowercase() && next.is_ascii_lowercase() && (word.dotted_name || another()) {
            word.dotted_name = true;
            return true;
        }
        stop - next_at <= 4 && is_extension(&chunk.text[next_at..stop])
    }

    fn is_slashed(&self, word: &Growing<'_>, next_at: usize) -> bool {
        let stop = word.chunk.skip_while(next_at, is_word_char);
        let whole = &word.chunk.text[word.start..stop];
        whole.len() <= 8 && self.slashed.binary_search(&whole.to_lowercase().as_str()).is_ok()
    }

    /// A hyphen always joins in Spanish and Catalan; in English some prefixes, and digits of telephones and postcodes.
    fn hyphen_joins(&self, word: &Growing<'_>, next_at: usize, next: char) -> bool {
        if self.language != Language::En {
            return true;
        }
        let (chunk, head) = (word.chunk, word.text());
        if word.last.is_ascii_digit() && next.is_ascii_digit() {
            let stop = chunk.skip_while(next_at, |c| c.is_ascii_digit());
            let before = head.rsplit('-').next().map_or(0, str::len);
            let more = chunk.at(stop) == Some('-')
                && chunk.text[stop + 1..chunk.end].starts_with(|c: char| c.is_ascii_digit());
            let telephone_or_postcode = matches!((before, stop - next_at), (1 | 3 | 5, 4));
            return more || head.contains('-') || telephone_or_postcode;
        }
        self.joined_prefixes.binary_search(&head.to_lowercase().as_str()).is_ok()
    }
}

/// Whether initials go on after a full stop: one letter, or a few before the next full stop or the end.
fn goes_on_as_initials(chunk: &Chunk<'_>, next_at: usize) -> bool {
    let stop = chunk.skip_while(next_at, |c| c.is_alphabetic());
    let length = chunk.text[next_at..stop].chars().count();
    length == 1 || (length <= 4 && chunk.at(stop) == Some('.')) || (length <= 3 && chunk.at(stop).is_none())
}

fn catalan_apostrophe(word: &Growing<'_>, next_at: usize, next: char) -> Mark {
    if is_proclitic(word.text()) && next.is_alphanumeric() {
        return Mark::Cuts(next_at);
    }
    let stop = word.chunk.skip_while(next_at, is_word_char);
    if is_enclitic(&word.chunk.text[next_at..stop])
        && matches!(word.last, 'e' | 'a' | 'i' | 'o' | 'u' | 'E' | 'A')
        && carries_enclitic(word.text())
    {
        return Mark::Cuts(word.end);
    }
    Mark::Joins
}

fn english_apostrophe_joins(word: &Growing<'_>, next_at: usize) -> bool {
    let stop = word.chunk.skip_while(next_at, is_word_char);
    let rest = word.chunk.text[next_at..stop].to_lowercase();
    matches!(&*rest, "s" | "t" | "re" | "ve" | "ll" | "d" | "m" | "clock" | "all")
        || word.text().chars().count() <= 3 && word.chunk.text[next_at..].starts_with(char::is_alphabetic)
}

/// Where an English plural ends with the apostrophe behind it: *users'*, unless a quotation ends there.
fn plural_possessive(word: &Growing<'_>) -> Option<usize> {
    if !matches!(word.last, 's' | 'S') {
        return None;
    }
    let mark = word.chunk.at(word.end)?;
    if !matches!(mark, '\'' | '’') {
        return None;
    }
    let after = word.end + mark.len_utf8();
    let mut inner = ' ';
    let quoted = word.chunk.text[..word.end].chars().rev().take(QUOTATION_LENGTH).any(|c| {
        let opens = c == '‘' || inner == '\'' && !c.is_alphanumeric();
        inner = c;
        opens
    });
    (after == word.chunk.end && !quoted).then_some(after)
}
