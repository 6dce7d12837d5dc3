//! Sentence boundaries inside a block: hard rules first, then a linear classifier over the gap between two tokens.

use crate::abbreviation::{Abbreviations, Ending};
use crate::hash::{hash_str, mix};
use crate::tokenize::{SurfaceToken, TokenKind};
use glosa_text::{Language, normal_form};
use std::borrow::Cow;

/// What is known of one token when the gaps around it are judged.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    low: u64,
    shape: u64,
    first: u8,
    length: u8,
    closer: bool,
    opener: bool,
    terminal: u8,
}

/// Finds sentence boundaries of one language.
#[derive(Debug)]
pub struct Splitter {
    language: Language,
    abbreviations: Abbreviations,
    weights: Cow<'static, [u8]>,
    mask: u64,
}

/// Features of a gap; the trainer and the runtime both ask for them here.
#[derive(Debug, Default)]
pub struct GapScratch {
    facts: Vec<Facts>,
    quotes: Vec<(u16, i16)>,
    /// The feature hashes of the gap asked for last.
    pub features: Vec<u64>,
}

const UPPER: u8 = b'U';
const LOWER: u8 = b'L';
const DIGIT: u8 = b'D';
const OTHER: u8 = b'O';
const NONE: u8 = b'-';

fn first_class(form: &str) -> u8 {
    match form.chars().next() {
        Some(c) if c.is_uppercase() => UPPER,
        Some(c) if c.is_lowercase() => LOWER,
        Some(c) if c.is_numeric() => DIGIT,
        Some(_) => OTHER,
        None => NONE,
    }
}

fn shape(form: &str) -> u64 {
    let mut hash = 7;
    let mut last = 0u8;
    for c in form.chars().take(24) {
        let class = if c.is_uppercase() {
            b'X'
        } else if c.is_alphabetic() {
            b'x'
        } else if c.is_numeric() {
            b'9'
        } else {
            b'.'
        };
        if class != last {
            hash = mix(hash, u64::from(class));
            last = class;
        }
    }
    hash
}

fn facts(form: &str, kind: TokenKind) -> Facts {
    let first = first_class(form);
    let terminal = match form.chars().next_back() {
        Some('.') if matches!(kind, TokenKind::Abbreviation(_)) => b'a',
        Some(c @ ('.' | '!' | '?' | ':' | ';' | ',')) if kind == TokenKind::Punctuation => {
            if form.len() > 1 && c == '.' { b'e' } else { c as u8 }
        }
        Some('…') => b'e',
        Some('-' | '–' | '—') if kind == TokenKind::Punctuation => b'-',
        _ if kind == TokenKind::Emoji || kind == TokenKind::Symbol && form.len() > 1 => b'm',
        _ => NONE,
    };
    Facts {
        low: if form.is_ascii() && form.bytes().all(|b| !b.is_ascii_uppercase()) {
            hash_str(form)
        } else {
            hash_str(&normal_form(form))
        },
        shape: shape(form),
        first,
        length: form.chars().take(6).count() as u8,
        closer: matches!(form, ")" | "]" | "}" | "»" | "”" | "’" | "\"" | "'" | "''" | "*" | "_"),
        opener: matches!(
            form,
            "(" | "[" | "{" | "«" | "“" | "‘" | "\"" | "'" | "``" | "¿" | "¡" | "-" | "–" | "—" | "*" | "_"
        ),
        terminal,
    }
}

impl Splitter {
    /// A splitter with the weights of a model (one byte each, a power of two in number; empty is allowed).
    pub fn new(language: Language, weights: Cow<'static, [u8]>) -> Self {
        let weights = if weights.len().is_power_of_two() { weights } else { Cow::Borrowed(&[] as &[u8]) };
        let mask = (weights.len() as u64).wrapping_sub(1);
        Splitter { language, abbreviations: Abbreviations::of(language), weights, mask }
    }

    /// Prepares the tokens of a block for [`Splitter::gap`].
    pub fn prepare(&self, text: &str, tokens: &[SurfaceToken], scratch: &mut GapScratch) {
        scratch.facts.clear();
        scratch.quotes.clear();
        let (mut quotes, mut depth) = (0u16, 0i16);
        for token in tokens {
            let form = &text[token.start as usize..token.end as usize];
            scratch.facts.push(facts(form, token.kind));
            match form {
                "\"" => quotes ^= 1,
                "(" | "«" | "“" | "[" => depth = depth.saturating_add(1),
                ")" | "»" | "”" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            scratch.quotes.push((quotes, depth.clamp(-1, 1)));
        }
    }

    /// Whether a boundary after token `i` is to be judged at all; where it is not, there is none.
    pub fn is_candidate(&self, text: &str, tokens: &[SurfaceToken], scratch: &GapScratch, i: usize) -> bool {
        let Some(next) = tokens.get(i + 1) else { return false };
        let here = scratch.facts[i];
        let spaced = tokens[i].end < next.start;
        if matches!(tokens[i].kind, TokenKind::Abbreviation(Ending::Never)) {
            return false;
        }
        if !spaced {
            let ends = matches!(here.terminal, b'.' | b'!' | b'?');
            return ends
                && scratch.facts[i + 1].first == UPPER
                && tokens[i + 1].kind == TokenKind::Word
                && self.long_words(tokens, i);
        }
        if scratch.facts[i + 1].closer && !scratch.facts[i + 1].opener {
            return false;
        }
        if here.terminal == b'.' && self.is_label(text, tokens, i) {
            return false;
        }
        let start = self.start_of_next(tokens, scratch, i);
        let newline = text[tokens[i].end as usize..next.start as usize].contains('\n');
        if self.language == Language::En {
            // "The Planning (Listed Buildings) Act 1990".
            let bracket = matches!(text.as_bytes().get(tokens[i].start as usize), Some(b')'));
            let ended = scratch.facts[self.terminal(scratch, i)].terminal != NONE;
            return newline || ended || !bracket;
        }
        let terminal = scratch.facts[self.terminal(scratch, i)].terminal;
        let ends = matches!(terminal, b'.' | b'!' | b'?' | b'e' | b'a' | b'm');
        match scratch.facts[start].first {
            UPPER => true,
            DIGIT | OTHER => ends || newline,
            _ => newline,
        }
    }

    /// Whether the full stop at `i` closes the label of a line: `1.`, `a.`, `Artículo 3.`, `Primero.`
    fn is_label(&self, text: &str, tokens: &[SurfaceToken], i: usize) -> bool {
        let opens_line =
            |at: usize| at == 0 || text[tokens[at - 1].end as usize..tokens[at].start as usize].contains('\n');
        let form = |at: usize| &text[tokens[at].start as usize..tokens[at].end as usize];
        let number = |at: usize| {
            let form = form(at);
            tokens[at].kind == TokenKind::Number
                || form.chars().count() == 1
                || form.bytes().all(|b| b"IVXLC".contains(&b))
        };
        let same_line = |at: usize| !text[tokens[i].end as usize..tokens[at].start as usize].contains('\n');
        if i + 1 >= tokens.len() || !same_line(i + 1) {
            return false;
        }
        match i {
            i if i >= 1 && opens_line(i - 1) => {
                let line_break = i > 1;
                number(i - 1) || line_break && self.abbreviations.labels_lines(form(i - 1))
            }
            i if i >= 2 && opens_line(i - 2) => number(i - 1) && self.abbreviations.names_sections(form(i - 2)),
            _ => false,
        }
    }

    fn long_words(&self, tokens: &[SurfaceToken], i: usize) -> bool {
        let before = i.checked_sub(1).map(|p| tokens[p]);
        before.is_some_and(|t| t.end - t.start > 2 && t.kind == TokenKind::Word)
            && tokens[i + 1].end - tokens[i + 1].start > 1
    }

    fn terminal(&self, scratch: &GapScratch, i: usize) -> usize {
        let mut at = i;
        while at > 0 && i - at < 4 && scratch.facts[at].closer {
            at -= 1;
        }
        at
    }

    fn start_of_next(&self, tokens: &[SurfaceToken], scratch: &GapScratch, i: usize) -> usize {
        let mut at = i + 1;
        while at + 1 < tokens.len() && at < i + 4 && scratch.facts[at].opener {
            at += 1;
        }
        at
    }

    /// Fills `scratch.features` for the gap after token `i`.
    pub fn gap(&self, text: &str, tokens: &[SurfaceToken], scratch: &mut GapScratch, i: usize) {
        let GapScratch { facts, quotes, features } = scratch;
        let get = |at: Option<usize>| {
            at.and_then(|at| facts.get(at)).copied().unwrap_or(Facts { first: NONE, low: 3, ..Facts::default() })
        };
        let mut end = i;
        let mut closers = 5u64;
        while end > 0 && i - end < 4 && facts[end].closer {
            closers = mix(closers, facts[end].low);
            end -= 1;
        }
        let mut start = i + 1;
        let mut openers = 5u64;
        while start + 1 < facts.len() && start < i + 4 && facts[start].opener {
            openers = mix(openers, facts[start].low);
            start += 1;
        }
        let last = facts[end];
        let term = u64::from(last.terminal);
        let ended = last.terminal != NONE && last.terminal != b'a';
        let word = if ended { get(end.checked_sub(1)) } else { last };
        let before = get(end.checked_sub(if ended { 2 } else { 1 }));
        let next = get(Some(start));
        let next2 = get(Some(start + 1));
        let up = u64::from(next.first);
        let gap = &text[tokens[i].end as usize..tokens.get(i + 1).map_or(tokens[i].end, |t| t.start) as usize];
        let newline = if gap.contains('\n') { 2 } else { u64::from(!gap.is_empty()) };
        let (quote, depth) = quotes[i];
        let tu = mix(term, up);
        let starter = tokens
            .get(start)
            .is_some_and(|t| self.abbreviations.starts_sentences(&text[t.start as usize..t.end as usize]));
        features.clear();
        let mut id = 0u64;
        let mut put = |value: u64| {
            id += 1;
            features.push(mix(value, id));
        };
        put(0);
        put(tu);
        put(mix(mix(tu, closers), openers));
        put(mix(tu, newline));
        put(mix(word.low, term));
        put(mix(word.low, tu));
        put(mix(next.low, term));
        put(next.low);
        put(mix(word.shape, tu));
        put(mix(mix(word.shape, next.shape), term));
        put(mix(u64::from(word.length), tu));
        put(mix(mix(u64::from(quote), mix(term, closers)), openers));
        put(mix(depth as u64, tu));
        put(mix(before.low, term));
        put(mix(before.shape, tu));
        put(mix(next2.shape, tu));
        put(mix(next2.low, tu));
        put(mix(i.min(3) as u64, tu));
        put(mix((tokens.len() - i).min(5) as u64, tu));
        put(mix(last.low, up));
        put(mix(mix(u64::from(starter), tu), u64::from(word.first)));
        put(mix(mix(word.low, next.low), term));
        put(mix(get(i.checked_sub(0)).low, get(Some(i + 1)).low));
        put(mix(mix(u64::from(before.first), u64::from(word.first)), mix(tu, u64::from(next2.first))));
        put(mix(mix(next.shape, next2.shape), tu));
    }

    /// The score of the features gathered last; above zero is a boundary.
    pub fn score(&self, scratch: &GapScratch) -> i32 {
        if self.weights.is_empty() {
            return 0;
        }
        scratch.features.iter().map(|f| i32::from(self.weights[(f & self.mask) as usize] as i8)).sum()
    }

    /// The boundaries of a block: `true` at `i` where a sentence ends after token `i`.
    pub fn split(&self, text: &str, tokens: &[SurfaceToken], scratch: &mut GapScratch, ends: &mut Vec<bool>) {
        ends.clear();
        self.prepare(text, tokens, scratch);
        for i in 0..tokens.len() {
            let boundary = i + 1 == tokens.len()
                || self.is_candidate(text, tokens, scratch, i) && self.judge(text, tokens, scratch, i);
            ends.push(boundary);
        }
    }

    fn judge(&self, text: &str, tokens: &[SurfaceToken], scratch: &mut GapScratch, i: usize) -> bool {
        if self.weights.is_empty() {
            let end = scratch.facts[self.terminal(scratch, i)];
            let start = scratch.facts[self.start_of_next(tokens, scratch, i)];
            return matches!(end.terminal, b'.' | b'!' | b'?' | b'e' | b'a')
                && matches!(start.first, UPPER | DIGIT | OTHER)
                && (end.terminal != b'a' || start.first == UPPER);
        }
        let start = self.start_of_next(tokens, scratch, i);
        let opens = &tokens[start];
        if scratch.facts[i].terminal == b'a'
            && scratch.facts[start].first == UPPER
            && self.abbreviations.starts_sentences(&text[opens.start as usize..opens.end as usize])
        {
            return true;
        }
        self.gap(text, tokens, scratch, i);
        self.score(scratch) > 0
    }
}
