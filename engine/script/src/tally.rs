//! Counting and grouping the tokens of a text. Maps and arrays of the language are measured after every change, which
//! is slow for thousands of entries; these are not.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use glosa_text::Sym;
use rhai::{Dynamic, Engine, EvalAltResult, INT, ImmutableString};
use rustc_hash::FxHashMap;

use crate::clock;
use crate::list::{Items, List};
use crate::report::limit;
use crate::run::with_run;
use crate::source::Src;
use crate::units::{Doc, Token};

const MOST_KEYS: usize = 200_000;
const MOST_TOKENS: usize = 2_000_000;

type Answer<T> = Result<T, Box<EvalAltResult>>;

/// How often each text was counted.
#[derive(Clone, Default)]
pub(crate) struct Tally {
    counts: Arc<Mutex<BTreeMap<ImmutableString, INT>>>,
}

/// Tokens by a text, such as their lemma.
#[derive(Clone)]
pub(crate) struct Groups {
    src: Src,
    filed: Arc<Mutex<Filed>>,
}

#[derive(Default)]
struct Filed {
    by_key: BTreeMap<ImmutableString, Vec<u32>>,
    total: usize,
}

/// The tokens of one text.
#[derive(Clone)]
pub(crate) struct Group {
    key: ImmutableString,
    tokens: List,
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn full() -> Box<EvalAltResult> {
    limit("too many different texts were counted".to_owned())
}

impl Tally {
    fn add(&self, key: ImmutableString, by: INT) -> Answer<INT> {
        let mut counts = lock(&self.counts);
        if counts.len() >= MOST_KEYS && !counts.contains_key(&key) {
            return Err(full());
        }
        let count = counts.entry(key).or_default();
        *count = count.saturating_add(by);
        Ok(*count)
    }

    fn get(&self, key: &str) -> INT {
        lock(&self.counts).get(key).copied().unwrap_or(0)
    }
}

impl IntoIterator for Tally {
    type Item = ImmutableString;
    type IntoIter = std::vec::IntoIter<ImmutableString>;

    fn into_iter(self) -> Self::IntoIter {
        lock(&self.counts).keys().cloned().collect::<Vec<_>>().into_iter()
    }
}

impl Groups {
    fn add(&self, key: ImmutableString, token: &Token) -> Answer<()> {
        let mut filed = lock(&self.filed);
        if filed.by_key.len() >= MOST_KEYS || filed.total >= MOST_TOKENS {
            return Err(full());
        }
        filed.total += 1;
        filed.by_key.entry(key).or_default().push(token.number);
        Ok(())
    }

    fn get(&self, key: &str) -> List {
        let filed = lock(&self.filed);
        let tokens = filed.by_key.get(key).map_or(&[][..], Vec::as_slice);
        List::chosen(&self.src, Items::Tokens, tokens.iter().copied())
    }
}

impl IntoIterator for Groups {
    type Item = Group;
    type IntoIter = std::vec::IntoIter<Group>;

    /// In the order of their first tokens.
    fn into_iter(self) -> Self::IntoIter {
        let filed = lock(&self.filed);
        let mut all: Vec<_> = filed.by_key.iter().collect();
        all.sort_by_key(|(_, tokens)| tokens.first().copied());
        let group = |(key, tokens): (&ImmutableString, &Vec<u32>)| Group {
            key: key.clone(),
            tokens: List::chosen(&self.src, Items::Tokens, tokens.iter().copied()),
        };
        all.into_iter().map(group).collect::<Vec<_>>().into_iter()
    }
}

/// The words of letters that the lexicon lacks, by normal form, in the order of their first places.
fn unknown(src: &Src) -> Vec<Dynamic> {
    let document = src.document();
    let letters = |c: char| c.is_alphabetic() || c == '·';
    let mut places: FxHashMap<Sym, usize> = FxHashMap::default();
    let mut found: Vec<(Sym, Vec<u32>)> = Vec::new();
    for (token, number) in document.tokens().iter().zip(0u32..) {
        if token.flags.known() || !token.flags.word() {
            continue;
        }
        match places.get(&token.norm) {
            Some(place) => found[*place].1.push(number),
            None if document.string(token.norm).chars().all(letters) => {
                places.insert(token.norm, found.len());
                found.push((token.norm, vec![number]));
            }
            None => {}
        }
    }
    clock::charge(document.tokens().len() / 8);
    let group = |(norm, tokens): (Sym, Vec<u32>)| Group {
        key: src.string(norm),
        tokens: List::chosen(src, Items::Tokens, tokens),
    };
    found.into_iter().map(group).map(Dynamic::from).collect()
}

pub(crate) fn register(engine: &mut Engine) {
    engine
        .register_type_with_name::<Tally>("Tally")
        .register_fn("tally", Tally::default)
        .register_iterator::<Tally>()
        .register_fn("add", |t: &mut Tally, key: ImmutableString| t.add(key, 1))
        .register_fn("add", |t: &mut Tally, key: ImmutableString, by: INT| t.add(key, by))
        .register_indexer_get(|t: &mut Tally, key: &str| t.get(key))
        .register_fn("contains", |t: &mut Tally, key: &str| lock(&t.counts).contains_key(key))
        .register_get("len", |t: &mut Tally| lock(&t.counts).len() as INT)
        .register_get("total", |t: &mut Tally| lock(&t.counts).values().fold(0, |sum: INT, n| sum.saturating_add(*n)));
    engine
        .register_type_with_name::<Groups>("Groups")
        .register_fn("groups", || with_run(|run| Ok(Groups { src: Arc::clone(&run.src), filed: Arc::default() })))
        .register_iterator::<Groups>()
        .register_fn("add", |g: &mut Groups, key: ImmutableString, token: Token| g.add(key, &token))
        .register_indexer_get(|g: &mut Groups, key: &str| g.get(key))
        .register_fn("contains", |g: &mut Groups, key: &str| lock(&g.filed).by_key.contains_key(key))
        .register_get("len", |g: &mut Groups| lock(&g.filed).by_key.len() as INT);
    engine.register_get("unknown", |doc: &mut Doc| unknown(&doc.src));
    engine
        .register_type_with_name::<Group>("Group")
        .register_get("key", |g: &mut Group| g.key.clone())
        .register_get("tokens", |g: &mut Group| g.tokens.clone())
        .register_get("first", |g: &mut Group| g.tokens.iter().next().unwrap_or(Dynamic::UNIT))
        .register_get("len", |g: &mut Group| g.tokens.len() as INT);
}
