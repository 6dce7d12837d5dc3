//! Phrases of tables and glossaries, found in one pass over a document.
//!
//! Every `substitute:` table and every glossary of a language is a numbered table of one [`PhraseIndex`]. The index
//! is two Aho-Corasick automata, one over the normal forms of the tokens and one over their lemmas; tokens are joined
//! by a separator, so a phrase starts and ends where tokens do. A row that mixes inflected and literal words is
//! filed under its longest run of one kind and the rest is compared where that run was found. The cost of a scan
//! follows the length of the text and the number of hits, hardly the number of rows.

use std::collections::BTreeMap;
use std::ops::Range;

use aho_corasick::{AhoCorasick, BuildError, MatchKind};
use glosa_text::{Document, Upos, normal_form};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::MatchBy;

const TOKEN: char = '\u{1F}';
const SENTENCE: char = '\u{1E}';
const BREAK: u32 = u32::MAX;

/// One place where a phrase of a table stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Tokens of the document.
    pub tokens: Range<u32>,
    /// Number of the row in its table.
    pub row: u32,
    /// How many syntactic words of the last token the phrase leaves over: `a través de` leaves the article of
    /// `a través del` over. 0 where the phrase ends with the token.
    pub rest: u32,
}

/// The hits of one document, by table, in reading order; inside a table they do not overlap.
#[derive(Clone, Debug, Default)]
pub struct PhraseHits {
    by_table: FxHashMap<u32, Vec<Hit>>,
}

impl PhraseHits {
    /// Puts hits by table.
    pub fn new(by_table: FxHashMap<u32, Vec<Hit>>) -> Self {
        PhraseHits { by_table }
    }

    /// Hits of a table.
    pub fn of(&self, table: u32) -> &[Hit] {
        self.by_table.get(&table).map_or(&[], Vec::as_slice)
    }

    /// The hit of a table that starts at a token.
    pub fn starting_at(&self, table: u32, token: u32) -> Option<&Hit> {
        let hits = self.of(table);
        let at = hits.partition_point(|hit| hit.tokens.start < token);
        hits.get(at).filter(|hit| hit.tokens.start == token)
    }

    /// The hit of a table that covers a token.
    pub fn covering(&self, table: u32, token: u32) -> Option<&Hit> {
        let hits = self.of(table);
        let after = hits.partition_point(|hit| hit.tokens.start <= token);
        hits[..after].last().filter(|hit| hit.tokens.contains(&token))
    }
}

/// One row of a numbered table.
#[derive(Clone, Debug, Default)]
pub struct PhraseRow {
    /// The phrase as its author wrote it.
    pub phrase: String,
    /// Which of its words may be inflected.
    pub by: MatchBy,
    /// Parts of speech that the first word may have; empty allows all.
    pub pos: Vec<Upos>,
    /// The row is never reported; it hides the rows of its table that are found inside it.
    pub allow: bool,
    /// `false` leaves the row out; it keeps its number.
    pub active: bool,
}

impl PhraseRow {
    /// A row found by form.
    pub fn form(phrase: impl Into<String>) -> Self {
        PhraseRow { phrase: phrase.into(), active: true, ..PhraseRow::default() }
    }
}

/// Why an index could not be built.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PhraseError {
    /// A row has no word in it.
    #[error("row {row} of table {table}: `{phrase}` has no words")]
    Empty {
        /// The table.
        table: u32,
        /// The row.
        row: u32,
        /// Its text.
        phrase: String,
    },
    /// The tables are too large for one automaton.
    #[error("phrase tables: {0}")]
    TooLarge(#[from] BuildError),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Channel {
    Norm,
    Lemma,
}

#[derive(Clone, Debug)]
struct Row {
    table: u32,
    row: u32,
    words: Box<[(Channel, Box<str>)]>,
    anchor: Range<usize>,
    pos: Box<[Upos]>,
    allow: bool,
}

/// All phrase tables of one language.
#[derive(Clone, Debug)]
pub struct PhraseIndex {
    norms: Automaton,
    lemmas: Automaton,
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Automaton {
    search: AhoCorasick,
    rows: Vec<Vec<u32>>,
}

impl Automaton {
    fn new(patterns: BTreeMap<String, Vec<u32>>) -> Result<Self, BuildError> {
        Ok(Automaton {
            search: AhoCorasick::builder().match_kind(MatchKind::Standard).build(patterns.keys())?,
            rows: patterns.into_values().collect(),
        })
    }
}

/// The words of a document joined by separators; `starts` has the offset of the separator before each word.
struct Stream {
    text: String,
    starts: Vec<u32>,
    tokens: Vec<(u32, u32)>,
}

impl Stream {
    fn word_at(&self, separator: usize) -> Option<usize> {
        self.starts.binary_search(&(separator as u32)).ok()
    }
}

struct Words<'d> {
    document: &'d Document,
    lower: FxHashMap<glosa_text::Sym, String>,
}

impl<'d> Words<'d> {
    fn new(document: &'d Document) -> Self {
        let mut lower = FxHashMap::default();
        let lemmas = document.tokens().iter().map(|token| token.lemma);
        let parts = document.parts().iter();
        for sym in lemmas.chain(parts.flat_map(|part| [part.form, part.lemma])) {
            let word = document.string(sym);
            if word.contains(char::is_uppercase) {
                lower.entry(sym).or_insert_with(|| normal_form(word));
            }
        }
        Words { document, lower }
    }

    /// The word of a channel: `part` 0 of a token without parts is the token itself. Parts matter only where
    /// `split` says that the stream takes contractions apart.
    fn word(&self, token: u32, part: u32, split: bool, channel: Channel) -> &str {
        let token = &self.document.tokens()[token as usize];
        if split && !token.parts.is_empty() {
            let part = &self.document.parts()[(token.parts.start + part) as usize];
            return match channel {
                Channel::Norm => self.lower(part.form),
                Channel::Lemma => self.lower(part.lemma),
            };
        }
        match channel {
            Channel::Norm => self.document.string(token.norm),
            Channel::Lemma => self.lower(token.lemma),
        }
    }

    fn lower(&self, sym: glosa_text::Sym) -> &str {
        self.lower.get(&sym).map_or_else(|| self.document.string(sym), String::as_str)
    }

    fn stream(&self, channel: Channel, split: bool) -> Stream {
        let tokens = self.document.tokens();
        let mut stream = Stream {
            text: String::with_capacity(self.document.text().len() + tokens.len()),
            starts: Vec::with_capacity(tokens.len() + 1),
            tokens: Vec::with_capacity(tokens.len()),
        };
        let mut sentence = 0;
        for (number, token) in tokens.iter().enumerate() {
            if token.sentence != sentence {
                stream.starts.push(stream.text.len() as u32);
                stream.tokens.push((BREAK, 0));
                stream.text.push(TOKEN);
                stream.text.push(SENTENCE);
                sentence = token.sentence;
            }
            let parts = if split { (token.parts.len() as u32).max(1) } else { 1 };
            for part in 0..parts {
                stream.starts.push(stream.text.len() as u32);
                stream.tokens.push((number as u32, part));
                stream.text.push(TOKEN);
                stream.text.push_str(self.word(number as u32, part, split, channel));
            }
        }
        stream.starts.push(stream.text.len() as u32);
        stream.text.push(TOKEN);
        stream
    }
}

/// Collects numbered tables.
pub struct PhraseIndexBuilder<'t> {
    tokenize: &'t dyn Fn(&str) -> Vec<String>,
    rows: Vec<Row>,
    errors: Vec<PhraseError>,
}

impl<'t> PhraseIndexBuilder<'t> {
    /// `tokenize` takes a phrase apart as the language's tokenizer would and gives the normal forms.
    pub fn new(tokenize: &'t dyn Fn(&str) -> Vec<String>) -> Self {
        PhraseIndexBuilder { tokenize, rows: Vec::new(), errors: Vec::new() }
    }

    /// Adds a table. Rows are numbered from 0 in the order given, inactive ones too. A number may be given once.
    pub fn table(&mut self, table: u32, rows: impl IntoIterator<Item = PhraseRow>) -> &mut Self {
        for (number, row) in rows.into_iter().enumerate() {
            if !row.active {
                continue;
            }
            let norms = (self.tokenize)(&row.phrase);
            if norms.is_empty() {
                self.errors.push(PhraseError::Empty { table, row: number as u32, phrase: row.phrase });
                continue;
            }
            let words: Box<[_]> = norms
                .into_iter()
                .enumerate()
                .map(|(at, norm)| {
                    let channel = match row.by {
                        MatchBy::Lemmas => Channel::Lemma,
                        MatchBy::Lemma if at == 0 => Channel::Lemma,
                        _ => Channel::Norm,
                    };
                    (channel, norm.into_boxed_str())
                })
                .collect();
            self.rows.push(Row {
                table,
                row: number as u32,
                anchor: longest_run(&words),
                words,
                pos: row.pos.into(),
                allow: row.allow,
            });
        }
        self
    }

    /// Builds the index.
    ///
    /// # Errors
    /// All rows without words, or the tables being too large.
    pub fn build(self) -> Result<PhraseIndex, Vec<PhraseError>> {
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let mut norms: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let mut lemmas: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (number, row) in self.rows.iter().enumerate() {
            let run = &row.words[row.anchor.clone()];
            let mut pattern = String::from(TOKEN);
            for (_, word) in run {
                pattern.push_str(word);
                pattern.push(TOKEN);
            }
            let patterns = match run[0].0 {
                Channel::Norm => &mut norms,
                Channel::Lemma => &mut lemmas,
            };
            patterns.entry(pattern).or_default().push(number as u32);
        }
        let index = || -> Result<PhraseIndex, BuildError> {
            Ok(PhraseIndex { norms: Automaton::new(norms)?, lemmas: Automaton::new(lemmas)?, rows: self.rows })
        };
        index().map_err(|error| vec![PhraseError::TooLarge(error)])
    }
}

/// The longest run of words of one kind, in characters.
fn longest_run(words: &[(Channel, Box<str>)]) -> Range<usize> {
    let mut best = 0..0;
    let mut best_length = 0;
    let mut start = 0;
    while start < words.len() {
        let run = words[start..].iter().take_while(|(channel, _)| *channel == words[start].0).count();
        let length: usize = words[start..start + run].iter().map(|(_, word)| word.chars().count() + 1).sum();
        if length > best_length {
            best = start..start + run;
            best_length = length;
        }
        start += run;
    }
    best
}

struct Found {
    hit: Hit,
    allow: bool,
}

impl PhraseIndex {
    /// Number of rows that are looked for.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether no row is looked for.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Finds the phrases of the active tables. Of the hits of one table that overlap, the leftmost stays, and of
    /// those that start together the longest, then the first row.
    pub fn scan(&self, document: &Document, active: &[u32]) -> PhraseHits {
        if active.is_empty() || self.rows.is_empty() || document.tokens().is_empty() {
            return PhraseHits::default();
        }
        let active: FxHashSet<u32> = active.iter().copied().collect();
        let words = Words::new(document);
        let mut found: FxHashMap<u32, Vec<Found>> = FxHashMap::default();
        let contracted = document.tokens().iter().any(|t| !t.parts.is_empty());
        for split in [false, true] {
            if split && !contracted {
                continue;
            }
            for (channel, automaton) in [(Channel::Norm, &self.norms), (Channel::Lemma, &self.lemmas)] {
                if automaton.rows.is_empty() {
                    continue;
                }
                let stream = words.stream(channel, split);
                for found_at in automaton.search.find_overlapping_iter(&stream.text) {
                    let (Some(from), Some(to)) = (stream.word_at(found_at.start()), stream.word_at(found_at.end() - 1))
                    else {
                        continue;
                    };
                    for number in &automaton.rows[found_at.pattern().as_usize()] {
                        let row = &self.rows[*number as usize];
                        if !active.contains(&row.table) || to - from != row.anchor.len() {
                            continue;
                        }
                        if let Some(hit) = self.verify(row, from, &stream, &words, split) {
                            found.entry(row.table).or_default().push(Found { hit, allow: row.allow });
                        }
                    }
                }
            }
        }
        PhraseHits::new(found.into_iter().map(|(table, found)| (table, settle(found))).collect())
    }

    fn verify(&self, row: &Row, run: usize, stream: &Stream, words: &Words<'_>, split: bool) -> Option<Hit> {
        let from = run.checked_sub(row.anchor.start)?;
        let places = stream.tokens.get(from..from + row.words.len())?;
        if places.iter().any(|(token, _)| *token == BREAK) {
            return None;
        }
        let tokens = words.document.tokens();
        let (first, first_part) = places[0];
        let (last, last_part) = places[places.len() - 1];
        let beside = |at: usize| !row.anchor.contains(&at);
        for (at, ((channel, word), (token, part))) in row.words.iter().zip(places).enumerate() {
            if beside(at) && words.word(*token, *part, split, *channel) != &**word {
                return None;
            }
        }
        let mut rest = 0;
        let mut pos = tokens[first as usize].pos;
        if split {
            let crossing = places.iter().any(|(token, _)| !tokens[*token as usize].parts.is_empty());
            if !crossing || first_part != 0 {
                return None;
            }
            let parts = &tokens[last as usize].parts;
            rest = (parts.len() as u32).max(1) - 1 - last_part;
            if first == last && rest > 0 {
                return None;
            }
            if !tokens[first as usize].parts.is_empty() {
                pos = words.document.parts()[tokens[first as usize].parts.start as usize].pos;
            }
        }
        if !row.pos.is_empty() && !row.pos.contains(&pos) {
            return None;
        }
        Some(Hit { tokens: first..last + 1, row: row.row, rest })
    }
}

/// Leaves one hit at each place: `allow` rows hide what lies inside them, then leftmost, longest, first row.
fn settle(mut found: Vec<Found>) -> Vec<Hit> {
    found.sort_by(|a, b| {
        let key =
            |f: &Found| (f.hit.tokens.start, std::cmp::Reverse(f.hit.tokens.end), f.hit.rest, !f.allow, f.hit.row);
        key(a).cmp(&key(b))
    });
    let mut hits: Vec<Hit> = Vec::with_capacity(found.len());
    let mut hidden = 0;
    let mut taken = 0;
    for Found { hit, allow } in found {
        if allow {
            hidden = hidden.max(hit.tokens.end);
        } else if hit.tokens.end > hidden && hit.tokens.start >= taken {
            taken = hit.tokens.end;
            hits.push(hit);
        }
    }
    hits
}
