//! Glossaries, their hits in the text, and the matches of the variant's pattern.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use glosa_metric::{EntryKind, EntryStatus, GlossaryEntry};
use glosa_text::normal_form;
use rhai::{Array, Dynamic, Engine, EvalAltResult, INT, ImmutableString, Map};

use crate::list::{Items, List};
use crate::source::Src;
use crate::units::{Sentence, Token};

/// A glossary that the variant lists.
#[derive(Clone)]
pub(crate) struct Glossary {
    src: Src,
    inner: Option<Arc<glosa_metric::Glossary>>,
}

/// A row of a glossary.
#[derive(Clone)]
pub(crate) struct Term {
    glossary: Arc<glosa_metric::Glossary>,
    row: usize,
}

/// A place where a term of a glossary stands.
#[derive(Clone)]
pub(crate) struct Hit {
    pub(crate) src: Src,
    pub(crate) tokens: Range<u32>,
    term: Term,
}

/// A match of the variant's pattern.
#[derive(Clone)]
pub(crate) struct Match {
    pub(crate) src: Src,
    pub(crate) inner: Arc<glosa_metric::pattern::Match>,
}

impl Hit {
    /// The term as the glossary writes it.
    pub(crate) fn written(&self) -> &str {
        &self.term.entry().term
    }

    /// The number of its row.
    pub(crate) fn row(&self) -> usize {
        self.term.row
    }

    /// The number of its sentence.
    pub(crate) fn sentence(&self) -> Option<u32> {
        self.src.document().tokens().get(self.tokens.start as usize).map(|token| token.sentence)
    }

    /// Whether it opens its sentence.
    pub(crate) fn opens_sentence(&self) -> bool {
        let document = self.src.document();
        self.sentence().is_some_and(|number| document.sentences()[number as usize].tokens.start == self.tokens.start)
    }

    /// The first word of the first of some columns that its row has.
    pub(crate) fn kind(&self, columns: &[String]) -> Option<&str> {
        self.term.kind(columns)
    }
}

impl Term {
    fn kind(&self, columns: &[String]) -> Option<&str> {
        let said = columns.iter().find_map(|column| self.entry().data.get(column))?;
        said.split(' ').next().filter(|word| !word.is_empty())
    }

    fn entry(&self) -> &GlossaryEntry {
        &self.glossary.entries[self.row]
    }
}

pub(crate) fn glossary(src: &Src, key: &str) -> Glossary {
    Glossary { src: Arc::clone(src), inner: src.input.glossaries.get(key).cloned() }
}

impl Glossary {
    fn hits(&self) -> List {
        let hits = self.inner.iter().flat_map(|glossary| {
            self.src.input.hits.of(glossary.table).iter().map(|hit| Hit {
                src: Arc::clone(&self.src),
                tokens: hit.tokens.clone(),
                term: Term { glossary: Arc::clone(glossary), row: hit.row as usize },
            })
        });
        List::hits(&self.src, hits.collect())
    }

    fn active(&self) -> impl Iterator<Item = Term> + '_ {
        self.inner.iter().flat_map(|glossary| {
            let rows = glossary.entries.iter().enumerate().filter(|(_, entry)| entry.active);
            rows.map(|(row, _)| Term { glossary: Arc::clone(glossary), row })
        })
    }

    fn find(&self, term: &str) -> Option<Term> {
        let glossary = self.inner.as_ref()?;
        let row = glossary.row(&normal_form(term))?;
        Some(Term { glossary: Arc::clone(glossary), row })
    }
}

/// The active terms of a glossary by the first word of the first of some columns that they have.
fn by_column(glossary: &Glossary, columns: &Array) -> Map {
    let columns: Vec<String> = columns.iter().map(ToString::to_string).collect();
    let mut found: BTreeMap<String, Array> = BTreeMap::new();
    for term in glossary.active() {
        if let Some(word) = term.kind(&columns).map(str::to_owned) {
            found.entry(word).or_default().push(Dynamic::from(term));
        }
    }
    found.into_iter().map(|(word, terms)| (word.into(), terms.into())).collect()
}

fn optional(text: Option<&String>) -> Dynamic {
    text.map_or(Dynamic::UNIT, |text| text.as_str().into())
}

fn first_token(src: &Src, tokens: &Range<u32>) -> Dynamic {
    if tokens.is_empty() {
        return Dynamic::from(Token::absent(src));
    }
    Dynamic::from(Token { src: Arc::clone(src), number: tokens.start })
}

fn sentence_of(src: &Src, tokens: &Range<u32>) -> Sentence {
    let number = src.document().tokens().get(tokens.start as usize).map_or(0, |t| t.sentence);
    Sentence { src: Arc::clone(src), number }
}

pub(crate) fn register(engine: &mut Engine) {
    engine
        .register_type_with_name::<Glossary>("Glossary")
        .register_get("hits", |g: &mut Glossary| g.hits())
        .register_get("terms", |g: &mut Glossary| g.active().map(Dynamic::from).collect::<Array>())
        .register_get("len", |g: &mut Glossary| g.active().count() as INT)
        .register_fn("by_column", |g: &mut Glossary, columns: Array| by_column(g, &columns))
        .register_fn("has", |g: &mut Glossary, term: &str| g.find(term).is_some())
        .register_fn("find", |g: &mut Glossary, term: &str| g.find(term).map_or(Dynamic::UNIT, Dynamic::from));
    engine
        .register_type_with_name::<Term>("Term")
        .register_get("row", |t: &mut Term| t.row as INT)
        .register_get("term", |t: &mut Term| ImmutableString::from(t.entry().term.as_str()))
        .register_get("replacement", |t: &mut Term| optional(t.entry().replacement.as_ref()))
        .register_get("alternatives", |t: &mut Term| {
            t.entry().alternatives.iter().map(|a| Dynamic::from(a.clone())).collect::<Array>()
        })
        .register_get("kind", |t: &mut Term| {
            ImmutableString::from(match t.entry().kind {
                EntryKind::Replace => "replace",
                EntryKind::Explain => "explain",
                EntryKind::Prefer => "prefer",
                EntryKind::Forbid => "forbid",
                EntryKind::Allow => "allow",
            })
        })
        .register_get("status", |t: &mut Term| {
            ImmutableString::from(match t.entry().status {
                EntryStatus::Safe => "safe",
                EntryStatus::Suggest => "suggest",
                EntryStatus::Term => "term",
            })
        })
        .register_fn("data", |t: &mut Term, column: &str| optional(t.entry().data.get(column)))
        .register_indexer_get(|t: &mut Term, column: &str| optional(t.entry().data.get(column)));
    engine
        .register_type_with_name::<Hit>("Hit")
        .register_get("tokens", |h: &mut Hit| List::range(&h.src, Items::Tokens, h.tokens.clone()))
        .register_get("text", |h: &mut Hit| h.src.text_of_tokens(&h.tokens))
        .register_get("term", |h: &mut Hit| h.term.clone())
        .register_get("first", |h: &mut Hit| first_token(&h.src, &h.tokens))
        .register_get("last", |h: &mut Hit| first_token(&h.src, &(h.tokens.end.saturating_sub(1)..h.tokens.end)))
        .register_get("sentence", |h: &mut Hit| sentence_of(&h.src, &h.tokens));
    matches(engine);
}

fn capture(m: &Match, name: &str) -> Result<Option<Range<u32>>, Box<EvalAltResult>> {
    let Some(query) = &m.src.query else { return Ok(None) };
    if !query.names().iter().any(|n| n == name) && m.src.captures.iter().any(|n| n == name) {
        return Ok(None);
    }
    if !query.names().iter().any(|n| n == name) {
        let names = query.names().iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        let known = if names.is_empty() { "none".to_owned() } else { names };
        return Err(format!("the pattern has no capture `{name}` (captures: {known})").into());
    }
    Ok(m.inner.named(query, name).map(|c| c.tokens.clone()))
}

fn term(m: &Match, name: &str) -> Result<Dynamic, Box<EvalAltResult>> {
    capture(m, name)?;
    let Some(query) = &m.src.query else { return Ok(Dynamic::UNIT) };
    let row = m.inner.named(query, name).and_then(|c| c.row);
    let found = row.and_then(|(glossary, row)| {
        let key = query.glossaries().get(glossary as usize)?;
        let glossary = Arc::clone(m.src.input.glossaries.get(key)?);
        Some(Dynamic::from(Term { glossary, row: row as usize }))
    });
    Ok(found.unwrap_or(Dynamic::UNIT))
}

fn matches(engine: &mut Engine) {
    engine
        .register_type_with_name::<Match>("Match")
        .register_get("tokens", |m: &mut Match| List::range(&m.src, Items::Tokens, m.inner.tokens.clone()))
        .register_get("marked", |m: &mut Match| List::range(&m.src, Items::Tokens, m.inner.marked.clone()))
        .register_get("text", |m: &mut Match| m.src.text_of_tokens(&m.inner.marked))
        .register_get("first", |m: &mut Match| first_token(&m.src, &m.inner.tokens))
        .register_get("last", |m: &mut Match| {
            let end = m.inner.tokens.end;
            first_token(&m.src, &(end.saturating_sub(1)..end))
        })
        .register_get("sentence", |m: &mut Match| sentence_of(&m.src, &m.inner.tokens))
        .register_fn("capture", |m: &mut Match, name: &str| {
            let tokens = capture(m, name)?.unwrap_or(0..0);
            Ok::<List, Box<EvalAltResult>>(List::range(&m.src, Items::Tokens, tokens))
        })
        .register_fn("count", |m: &mut Match, name: &str| {
            capture(m, name)?;
            let found = m.src.query.as_ref().and_then(|query| m.inner.named(query, name));
            Ok::<INT, Box<EvalAltResult>>(found.map_or(0, |capture| INT::from(capture.count)))
        })
        .register_fn("term", |m: &mut Match, name: &str| term(m, name))
        .register_indexer_get(|m: &mut Match, name: &str| {
            let tokens = capture(m, name)?.unwrap_or(0..0);
            Ok::<Dynamic, Box<EvalAltResult>>(first_token(&m.src, &tokens))
        });
}
