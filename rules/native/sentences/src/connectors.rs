//! Connectors inside a sentence, with those that can open its second half.
//!
//! The glossary `connectors` has a row for each connector. Its columns hold relations, separated by spaces:
//! `intra`, those it expresses inside a sentence, the likeliest first; `mid` and `initial`, those for which it can
//! open a new sentence when the connector stood between the clauses, or opened the first one. Further columns say
//! when a connector is not one:
//!
//! - `guard: comma`: only after a comma, or as the first word
//! - `guard: clause`: only between clauses, each with a finite verb, or before the first; after a comma where verbs are
//!   not known
//! - `guard: opening`: only as the first word of the sentence, with a comma further on
//! - `guard: infinitive`: only before an infinitive
//! - `not_after`: words after which it is no connector
//! - `subjunctive`: the relation where the verb that follows is a subjunctive
//! - `before_comma`: the relation where a comma follows

use std::collections::{BTreeMap, HashMap};

use glosa_plugin::{Doc, Failure, Glossary, Host, Range, Sentence, Token};

use crate::length::quotes;

const EDGE_WORDS: usize = 4;
const MOST_ALTERNATIVES: usize = 8;
const VERB_REACH: usize = 5;

#[derive(Debug, Default)]
struct Row {
    intra: Vec<String>,
    subjunctive: Option<String>,
    before_comma: Option<String>,
    guard: Option<String>,
    not_after: Vec<String>,
}

/// The connectors of a language.
pub(crate) struct Connectors {
    rows: HashMap<u32, Row>,
    hits: Vec<(Range, u32)>,
    mid: BTreeMap<String, Vec<String>>,
    initial: BTreeMap<String, Vec<String>>,
    verbs_known: bool,
}

/// What is known of a sentence, found once for all its connectors.
struct Read<'s> {
    tokens: Vec<Token<'s>>,
    /// Words and numbers before each token, and in the whole sentence.
    words: Vec<usize>,
    quotes: Vec<Range>,
    first_verb: Option<usize>,
    last_comma: Option<usize>,
}

impl<'s> Read<'s> {
    fn new(sentence: Sentence<'s>) -> Self {
        let tokens: Vec<_> = sentence.tokens().collect();
        let mut words = vec![0];
        for token in &tokens {
            words.push(words[words.len() - 1] + usize::from(token.is_word() || token.is_number()));
        }
        Read {
            words,
            quotes: quotes(sentence),
            first_verb: tokens.iter().position(finite),
            last_comma: tokens.iter().rposition(|t| t.form() == ","),
            tokens,
        }
    }
}

/// A connector of a sentence.
pub(crate) struct Found {
    pub(crate) span: Range,
    pub(crate) relation: String,
    pub(crate) alternatives: Vec<String>,
}

fn base_letter(c: char) -> char {
    match c {
        'à' | 'á' | 'ä' => 'a',
        'è' | 'é' | 'ë' => 'e',
        'ì' | 'í' | 'ï' => 'i',
        'ò' | 'ó' | 'ö' => 'o',
        'ù' | 'ú' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        c => c,
    }
}

fn sort_key(term: &str) -> String {
    term.chars().flat_map(char::to_lowercase).map(base_letter).collect()
}

fn capitalise(term: &str) -> String {
    let mut chars = term.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn split(column: Option<String>) -> Vec<String> {
    column.iter().flat_map(|c| c.split_whitespace()).map(str::to_owned).collect()
}

fn openers(glossary: &Glossary<'_>, column: &str) -> BTreeMap<String, Vec<String>> {
    let mut by_relation: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for number in 0..glossary.len() {
        let Some(row) = glossary.row(number).filter(|row| row.active) else {
            continue;
        };
        for relation in split(glossary.column(number, column)) {
            by_relation.entry(relation).or_default().push(capitalise(&row.term));
        }
    }
    for terms in by_relation.values_mut() {
        terms.sort_by_cached_key(|term| sort_key(term));
        terms.dedup();
        terms.truncate(MOST_ALTERNATIVES);
    }
    by_relation
}

impl Connectors {
    /// Reads the glossary once for a document.
    pub(crate) fn read(doc: Doc<'_>, host: &Host<'_>) -> Result<Connectors, Failure> {
        let glossary = host.glossary("connectors")?;
        let hits = glossary.hits();
        let mut rows = HashMap::new();
        for hit in &hits {
            rows.entry(hit.row).or_insert_with(|| Row {
                intra: split(glossary.column(hit.row, "intra")),
                subjunctive: glossary.column(hit.row, "subjunctive"),
                before_comma: glossary.column(hit.row, "before_comma"),
                guard: glossary.column(hit.row, "guard"),
                not_after: split(glossary.column(hit.row, "not_after")),
            });
        }
        Ok(Connectors {
            rows,
            hits: hits.iter().map(|h| (h.tokens, h.row)).collect(),
            mid: openers(&glossary, "mid"),
            initial: openers(&glossary, "initial"),
            verbs_known: doc.tokens().any(|t| finite(&t)),
        })
    }

    /// The first connectors of a sentence, at most `limit`, in reading order.
    pub(crate) fn inside(&self, sentence: Sentence<'_>, limit: usize) -> Vec<Found> {
        let read = Read::new(sentence);
        let range = sentence.token_range();
        let first = self.hits.partition_point(|(at, _)| at.start < range.start);
        self.hits[first..]
            .iter()
            .take_while(|(at, _)| at.end <= range.end)
            .filter_map(|(at, row)| self.connector(&read, range, *at, *row))
            .take(limit)
            .collect()
    }

    fn connector(&self, read: &Read<'_>, sentence: Range, at: Range, row: u32) -> Option<Found> {
        let row = self.rows.get(&row)?;
        let mut relation = row.intra.first()?;
        let start = (at.start - sentence.start) as usize;
        let end = (at.end - sentence.start) as usize;
        let (before, rest) = read.tokens.split_at_checked(start)?;
        let (hit, after) = rest.split_at_checked(end - start)?;
        let span = Range { start: hit.first()?.span().start, end: hit.last()?.span().end };
        let opens = read.words[start] == 0;
        let comma_later = read.last_comma.is_some_and(|comma| comma >= end);

        let in_name = !opens && hit.iter().any(|t| t.capitalised());
        let before_it = read.quotes.partition_point(|q| q.start <= span.start);
        let quoted = read.quotes[..before_it].last().is_some_and(|q| span.end <= q.end);
        if in_name || quoted || read.words[read.tokens.len()] - read.words[end] < EDGE_WORDS {
            return None;
        }
        if opens {
            relation = row.intra.iter().find(|relation| self.initial.contains_key(relation.as_str()))?;
            if !comma_later {
                return None;
            }
        } else if read.words[start] < EDGE_WORDS {
            return None;
        }
        let after_comma = before.last().is_some_and(|t| t.form() == ",");
        let holds = match row.guard.as_deref() {
            Some("comma") => opens || after_comma,
            Some("clause") if self.verbs_known => {
                verb_soon(after) && (opens || read.first_verb.is_some_and(|verb| verb < start))
            }
            Some("clause") => opens || after_comma,
            Some("opening") => opens,
            Some("infinitive") => after.first().is_some_and(|t| t.has_feature("VerbForm", "Inf")),
            _ => true,
        };
        let previous = before.last().map_or("", |t| t.norm());
        if !holds || row.not_after.iter().any(|word| word == previous) {
            return None;
        }
        if let Some(other) = &row.subjunctive
            && after.iter().take(VERB_REACH).find(|t| finite(t)).is_some_and(|t| t.has_feature("Mood", "Sub"))
        {
            relation = other;
        }
        if let Some(other) = &row.before_comma
            && after.first().is_some_and(|t| t.form() == ",")
        {
            relation = other;
        }
        let openers = if opens { &self.initial } else { &self.mid };
        Some(Found {
            span,
            relation: relation.clone(),
            alternatives: openers.get(relation).cloned().unwrap_or_default(),
        })
    }
}

fn finite(token: &Token<'_>) -> bool {
    token.has_feature("VerbForm", "Fin")
}

/// Whether a finite verb stands soon after, with no relative or subordinate clause before it.
fn verb_soon(after: &[Token<'_>]) -> bool {
    after
        .iter()
        .take(VERB_REACH)
        .take_while(|t| t.form() != "," && t.pos() != "SCONJ" && !t.has_feature("PronType", "Rel"))
        .any(finite)
}
