//! Phrases of tables and glossaries, found in one pass over a document.
//!
//! Every `substitute:` table and every glossary of a language is a numbered table of one [`PhraseIndex`]. The index
//! numbers the words of all rows and keeps two trees of them, one of normal forms and one of lemmas. A document asks
//! for the number of each of its different words once; from then on a scan compares numbers, and ends at most places
//! with the first of them. A row that mixes inflected and literal words is filed under its longest run of one kind and
//! the rest is compared where that run was found. The cost of a scan follows the length of the text and the number of
//! hits, hardly the number of rows.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use glosa_text::{Document, Sym, Upos, normal_form};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::MatchBy;
use crate::pattern::Condition;

/// The number of a word that no row has.
const UNKNOWN: u32 = u32::MAX;
/// The number of a word that was not asked for yet.
const UNASKED: u32 = u32::MAX - 1;

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

    /// The tables with a hit.
    pub fn tables(&self) -> impl Iterator<Item = u32> + '_ {
        self.by_table.iter().filter(|(_, hits)| !hits.is_empty()).map(|(table, _)| *table)
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
    /// What else its place has to be like.
    pub when: Option<Arc<Condition>>,
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
    words: Box<[(Channel, u32)]>,
    anchor: Range<usize>,
    pos: Box<[Upos]>,
    allow: bool,
    when: Option<Arc<Condition>>,
}

/// All phrase tables of one language.
#[derive(Clone, Debug)]
pub struct PhraseIndex {
    words: FxHashMap<Box<str>, u32>,
    norms: Tree,
    lemmas: Tree,
    rows: Vec<Row>,
    /// Words of the longest row.
    longest: usize,
}

/// Runs of words as paths from a root; a node says which rows have the run that leads to it.
#[derive(Clone, Debug, Default)]
struct Tree {
    /// For each word the node after it, [`UNKNOWN`] where no run begins with it.
    first: Vec<u32>,
    next: FxHashMap<(u32, u32), u32>,
    rows: Vec<Vec<u32>>,
}

impl Tree {
    fn file(&mut self, run: impl Iterator<Item = u32>, row: u32) {
        let mut node = None;
        for word in run {
            let new = self.rows.len() as u32;
            let place = match node {
                Some(node) => self.next.entry((node, word)).or_insert(new),
                None => {
                    let all = self.first.len().max(word as usize + 1);
                    self.first.resize(all, UNKNOWN);
                    let place = &mut self.first[word as usize];
                    *place = if *place == UNKNOWN { new } else { *place };
                    place
                }
            };
            node = Some(*place);
            if *place == new {
                self.rows.push(Vec::new());
            }
        }
        if let Some(node) = node {
            self.rows[node as usize].push(row);
        }
    }

    /// The rows whose run begins at the first of these words.
    fn find(&self, words: impl Iterator<Item = u32>, mut found: impl FnMut(&[u32])) {
        let mut words = words;
        let first = words.next().and_then(|word| self.first.get(word as usize)).copied();
        let mut node = first.filter(|node| *node != UNKNOWN);
        while let Some(at) = node {
            found(&self.rows[at as usize]);
            node = words.next().and_then(|word| self.next.get(&(at, word))).copied();
        }
    }
}

/// A word of a document: of a token, or of one of its syntactic words.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// [`UNKNOWN`] where words end that may stand in one phrase.
    token: u32,
    part: u32,
    norm: u32,
    lemma: u32,
}

impl Place {
    const BREAK: Place = Place { token: UNKNOWN, part: 0, norm: UNKNOWN, lemma: UNKNOWN };

    fn word(&self, channel: Channel) -> u32 {
        match channel {
            Channel::Norm => self.norm,
            Channel::Lemma => self.lemma,
        }
    }
}

/// The words of a document by their numbers in an index.
struct Words<'d> {
    index: &'d PhraseIndex,
    document: &'d Document,
    /// By symbol: the number of the string itself, and of its normal form.
    exact: Vec<u32>,
    lower: Vec<u32>,
}

impl<'d> Words<'d> {
    fn new(index: &'d PhraseIndex, document: &'d Document) -> Self {
        let unasked = || vec![UNASKED; document.symbols().len()];
        Words { index, document, exact: unasked(), lower: unasked() }
    }

    fn exact(&mut self, sym: Sym) -> u32 {
        let known = &mut self.exact[sym.0 as usize];
        if *known == UNASKED {
            *known = self.index.number(self.document.string(sym));
        }
        *known
    }

    fn lower(&mut self, sym: Sym) -> u32 {
        if self.lower[sym.0 as usize] == UNASKED {
            let word = self.document.string(sym);
            self.lower[sym.0 as usize] =
                if word.contains(char::is_uppercase) { self.index.number(&normal_form(word)) } else { self.exact(sym) };
        }
        self.lower[sym.0 as usize]
    }

    /// The tokens as they are written, sentence by sentence.
    fn whole(&mut self) -> Vec<Place> {
        let tokens = self.document.tokens();
        let mut places = Vec::with_capacity(tokens.len() + self.document.sentences().len());
        let mut sentence = 0;
        for (token, number) in tokens.iter().zip(0u32..) {
            if token.sentence != sentence {
                places.push(Place::BREAK);
                sentence = token.sentence;
            }
            let (norm, lemma) = (self.exact(token.norm), self.lower(token.lemma));
            places.push(Place { token: number, part: 0, norm, lemma });
        }
        places
    }

    /// The tokens around contractions, these taken apart.
    fn split(&mut self) -> Vec<Place> {
        let tokens = self.document.tokens();
        let reach = self.index.longest as u32;
        let mut places = Vec::new();
        let mut done = 0;
        for (token, number) in tokens.iter().zip(0u32..).filter(|(token, _)| !token.parts.is_empty()) {
            let sentence = &self.document.sentences()[token.sentence as usize].tokens;
            let from = number.saturating_sub(reach).max(sentence.start).max(done);
            let to = number.saturating_add(reach).min(sentence.end);
            if from == sentence.start || from > done {
                places.push(Place::BREAK);
            }
            for number in from..to {
                let token = &tokens[number as usize];
                let parts = &self.document.parts()[token.parts.start as usize..token.parts.end as usize];
                for (part, at) in parts.iter().zip(0u32..) {
                    let (norm, lemma) = (self.lower(part.form), self.lower(part.lemma));
                    places.push(Place { token: number, part: at, norm, lemma });
                }
                if parts.is_empty() {
                    let (norm, lemma) = (self.exact(token.norm), self.lower(token.lemma));
                    places.push(Place { token: number, part: 0, norm, lemma });
                }
            }
            done = done.max(to);
        }
        places
    }
}

/// A row with its words as they are written.
type Written = (Row, Vec<(Channel, String)>);

/// Collects numbered tables.
pub struct PhraseIndexBuilder<'t> {
    tokenize: &'t dyn Fn(&str) -> Vec<String>,
    elided: &'t dyn Fn(&str) -> Option<String>,
    rows: Vec<Written>,
    errors: Vec<PhraseError>,
}

impl<'t> PhraseIndexBuilder<'t> {
    /// `tokenize` takes a phrase apart as the language's tokenizer would and gives the normal forms.
    pub fn new(tokenize: &'t dyn Fn(&str) -> Vec<String>) -> Self {
        PhraseIndexBuilder { tokenize, elided: &|_| None, rows: Vec::new(), errors: Vec::new() }
    }

    /// How the last word of a phrase is written where the word after it elides it: `d'` for `de`. Both are looked for.
    pub fn eliding(self, elided: &'t dyn Fn(&str) -> Option<String>) -> Self {
        PhraseIndexBuilder { elided, ..self }
    }

    /// Adds a table. Rows are numbered from 0 in the order given, inactive ones too. A number may be given once.
    pub fn table(&mut self, table: u32, rows: impl IntoIterator<Item = PhraseRow>) -> &mut Self {
        for (row, number) in rows.into_iter().zip(0u32..) {
            if !row.active {
                continue;
            }
            let norms = (self.tokenize)(&row.phrase);
            if norms.is_empty() {
                self.errors.push(PhraseError::Empty { table, row: number, phrase: row.phrase });
                continue;
            }
            let elided = norms.last().filter(|_| norms.len() > 1).and_then(|last| (self.elided)(last));
            let before_vowel = elided.map(|elided| norms[..norms.len() - 1].iter().cloned().chain([elided]).collect());
            let channel = |at: usize| match row.by {
                MatchBy::Lemmas => Channel::Lemma,
                MatchBy::Lemma if at == 0 => Channel::Lemma,
                _ => Channel::Norm,
            };
            for norms in before_vowel.into_iter().chain([norms]) {
                let words: Vec<_> = norms.into_iter().enumerate().map(|(at, norm)| (channel(at), norm)).collect();
                let (anchor, pos) = (longest_run(&words), row.pos.as_slice().into());
                let when = row.when.clone();
                self.rows
                    .push((Row { table, row: number, words: [].into(), anchor, pos, allow: row.allow, when }, words));
            }
        }
        self
    }

    /// Builds the index.
    ///
    /// # Errors
    /// All rows without words.
    pub fn build(self) -> Result<PhraseIndex, Vec<PhraseError>> {
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let mut index = PhraseIndex {
            words: FxHashMap::default(),
            norms: Tree::default(),
            lemmas: Tree::default(),
            rows: Vec::with_capacity(self.rows.len()),
            longest: 0,
        };
        for ((mut row, written), number) in self.rows.into_iter().zip(0u32..) {
            index.longest = index.longest.max(written.len());
            let next = |words: &mut FxHashMap<Box<str>, u32>, word: String| {
                let next = words.len() as u32;
                *words.entry(word.into()).or_insert(next)
            };
            row.words = written.into_iter().map(|(channel, word)| (channel, next(&mut index.words, word))).collect();
            let run = &row.words[row.anchor.clone()];
            let tree = match run[0].0 {
                Channel::Norm => &mut index.norms,
                Channel::Lemma => &mut index.lemmas,
            };
            tree.file(run.iter().map(|(_, word)| *word), number);
            index.rows.push(row);
        }
        Ok(index)
    }
}

/// The longest run of words of one kind, in characters.
fn longest_run(words: &[(Channel, String)]) -> Range<usize> {
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

    fn number(&self, word: &str) -> u32 {
        self.words.get(word).copied().unwrap_or(UNKNOWN)
    }

    /// The numbers of its tables.
    pub fn tables(&self) -> BTreeSet<u32> {
        self.rows.iter().map(|row| row.table).collect()
    }

    /// Finds the phrases of the active tables. Of the hits of one table that overlap, the leftmost stays, and of
    /// those that start together the longest, then the first row.
    pub fn scan(&self, document: &Document, active: &[u32]) -> PhraseHits {
        if active.is_empty() || self.rows.is_empty() || document.tokens().is_empty() {
            return PhraseHits::default();
        }
        let active: FxHashSet<u32> = active.iter().copied().collect();
        let mut words = Words::new(self, document);
        let mut found: FxHashMap<u32, Vec<Found>> = FxHashMap::default();
        for (places, split) in [(words.whole(), false), (words.split(), true)] {
            for (channel, tree) in [(Channel::Norm, &self.norms), (Channel::Lemma, &self.lemmas)] {
                for from in 0..places.len() {
                    tree.find(places[from..].iter().map(|place| place.word(channel)), |rows| {
                        for row in rows.iter().map(|row| &self.rows[*row as usize]) {
                            if active.contains(&row.table)
                                && let Some(hit) = verify(row, from, &places, document, split)
                                && row.when.as_ref().is_none_or(|when| when.holds(document, &hit.tokens))
                            {
                                found.entry(row.table).or_default().push(Found { hit, allow: row.allow });
                            }
                        }
                    });
                }
            }
        }
        PhraseHits::new(found.into_iter().map(|(table, found)| (table, settle(found))).collect())
    }
}

/// The hit of a row whose longest run stands at a place.
fn verify(row: &Row, run: usize, places: &[Place], document: &Document, split: bool) -> Option<Hit> {
    let from = run.checked_sub(row.anchor.start)?;
    let places = places.get(from..from + row.words.len())?;
    let same = |((channel, word), place): (&(Channel, u32), &Place)| place.word(*channel) == *word;
    if !row.words.iter().zip(places).all(same) {
        return None;
    }
    let tokens = document.tokens();
    let (first, last) = (places[0], places[places.len() - 1]);
    let opening = &tokens[first.token as usize];
    let mut rest = 0;
    let mut pos = opening.pos;
    if split {
        let crossing = places.iter().any(|place| !tokens[place.token as usize].parts.is_empty());
        if !crossing || first.part != 0 {
            return None;
        }
        let parts = &tokens[last.token as usize].parts;
        rest = (parts.len() as u32).max(1) - 1 - last.part;
        if first.token == last.token && rest > 0 {
            return None;
        }
        if !opening.parts.is_empty() {
            pos = document.parts()[opening.parts.start as usize].pos;
        }
    }
    if !row.pos.is_empty() && !row.pos.contains(&pos) {
        return None;
    }
    Some(Hit { tokens: first.token..last.token + 1, row: row.row, rest })
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
