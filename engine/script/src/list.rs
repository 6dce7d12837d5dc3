//! Sequences of handles: tokens, sentences, blocks, words and hits, without copying them into arrays.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use glosa_text::Span;
use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, INT, NativeCallContext};

use crate::clock;
use crate::glossary::{Hit, Match};
use crate::source::Src;
use crate::units::{Block, Sentence, Token, Word};

/// What the items are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Items {
    Tokens,
    Sentences,
    Blocks,
    Words,
}

#[derive(Clone)]
enum Members {
    Range(Items, Range<u32>),
    Chosen(Items, Arc<[u32]>),
    Hits(Arc<[Hit]>),
    Matches(Arc<[Match]>),
}

/// A sequence.
#[derive(Clone)]
pub(crate) struct List {
    src: Src,
    members: Members,
}

type Answer<T> = Result<T, Box<EvalAltResult>>;

impl List {
    pub(crate) fn range(src: &Src, items: Items, range: Range<u32>) -> List {
        List { src: Arc::clone(src), members: Members::Range(items, range) }
    }

    /// Items whose numbers are kept elsewhere.
    pub(crate) fn shared(src: &Src, items: Items, numbers: &Arc<[u32]>) -> List {
        List { src: Arc::clone(src), members: Members::Chosen(items, Arc::clone(numbers)) }
    }

    pub(crate) fn chosen(src: &Src, items: Items, numbers: impl IntoIterator<Item = u32>) -> List {
        List { src: Arc::clone(src), members: Members::Chosen(items, numbers.into_iter().collect()) }
    }

    pub(crate) fn hits(src: &Src, hits: Vec<Hit>) -> List {
        List { src: Arc::clone(src), members: Members::Hits(hits.into()) }
    }

    pub(crate) fn matches(src: &Src, matches: Vec<Match>) -> List {
        List { src: Arc::clone(src), members: Members::Matches(matches.into()) }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.members {
            Members::Range(_, range) => range.len(),
            Members::Chosen(_, numbers) => numbers.len(),
            Members::Hits(hits) => hits.len(),
            Members::Matches(matches) => matches.len(),
        }
    }

    fn get(&self, at: usize) -> Option<Dynamic> {
        let (items, number) = match &self.members {
            Members::Range(items, range) => (*items, range.clone().nth(at)?),
            Members::Chosen(items, numbers) => (*items, *numbers.get(at)?),
            Members::Hits(hits) => return hits.get(at).cloned().map(Dynamic::from),
            Members::Matches(matches) => return matches.get(at).cloned().map(Dynamic::from),
        };
        let src = Arc::clone(&self.src);
        Some(match items {
            Items::Tokens => Dynamic::from(Token { src, number }),
            Items::Sentences => Dynamic::from(Sentence { src, number }),
            Items::Blocks => Dynamic::from(Block { src, number }),
            Items::Words => Dynamic::from(Word { src, number }),
        })
    }

    /// Some of its items.
    fn only(&self, kept: &[usize]) -> List {
        let members = match &self.members {
            Members::Range(items, range) => {
                Members::Chosen(*items, kept.iter().map(|at| range.start + *at as u32).collect())
            }
            Members::Chosen(items, numbers) => {
                Members::Chosen(*items, kept.iter().filter_map(|at| numbers.get(*at).copied()).collect())
            }
            Members::Hits(hits) => Members::Hits(kept.iter().filter_map(|at| hits.get(*at).cloned()).collect()),
            Members::Matches(matches) => {
                Members::Matches(kept.iter().filter_map(|at| matches.get(*at).cloned()).collect())
            }
        };
        List { src: Arc::clone(&self.src), members }
    }

    fn index(&self, at: INT) -> Dynamic {
        let len = self.len() as INT;
        let at = if at < 0 { len.saturating_add(at) } else { at };
        usize::try_from(at).ok().and_then(|at| self.get(at)).unwrap_or_else(|| self.nothing())
    }

    /// What stands where there is no item: an absent token in a list of tokens, else `()`.
    fn nothing(&self) -> Dynamic {
        match self.members {
            Members::Range(Items::Tokens, _) | Members::Chosen(Items::Tokens, _) => {
                Dynamic::from(Token::absent(&self.src))
            }
            _ => Dynamic::UNIT,
        }
    }

    /// Whether a token, sentence, block or word is one of the items.
    fn holds(&self, thing: &Dynamic) -> bool {
        if !matches!(self.members, Members::Range(..)) {
            clock::charge(self.len() / 64);
        }
        let items = |of, number| match &self.members {
            Members::Range(items, range) => *items == of && range.contains(&number),
            Members::Chosen(items, numbers) => *items == of && numbers.contains(&number),
            Members::Hits(_) | Members::Matches(_) => false,
        };
        if let Some(t) = thing.read_lock::<Token>() {
            items(Items::Tokens, t.number)
        } else if let Some(s) = thing.read_lock::<Sentence>() {
            items(Items::Sentences, s.number)
        } else if let Some(b) = thing.read_lock::<Block>() {
            items(Items::Blocks, b.number)
        } else if let Some(w) = thing.read_lock::<Word>() {
            items(Items::Words, w.number)
        } else {
            false
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Dynamic> + '_ {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    /// The place that a sequence of tokens covers.
    pub(crate) fn span(&self) -> Option<Span> {
        let tokens = self.tokens()?;
        Some(self.src.document().span_of_tokens(tokens.start as usize..tokens.end as usize))
    }

    /// The tokens that the sequence covers, if it is one of tokens.
    pub(crate) fn tokens(&self) -> Option<Range<u32>> {
        match &self.members {
            Members::Range(Items::Tokens, range) if !range.is_empty() => Some(range.clone()),
            Members::Chosen(Items::Tokens, numbers) => Some(*numbers.first()?..*numbers.last()? + 1),
            _ => None,
        }
    }
}

/// The items, one after the other.
pub(crate) struct Walk {
    list: List,
    at: usize,
}

impl Iterator for Walk {
    type Item = Dynamic;

    fn next(&mut self) -> Option<Dynamic> {
        let item = self.list.get(self.at);
        self.at += 1;
        item
    }
}

impl IntoIterator for List {
    type Item = Dynamic;
    type IntoIter = Walk;

    fn into_iter(self) -> Walk {
        Walk { list: self, at: 0 }
    }
}

/// The hits of a glossary, none where the list is of something else.
fn hits(list: &List) -> &[Hit] {
    match &list.members {
        Members::Hits(hits) => {
            clock::charge(hits.len() / 16);
            hits
        }
        _ => &[],
    }
}

fn texts(array: &Array) -> Vec<String> {
    array.iter().map(ToString::to_string).collect()
}

/// Hits of terms that are not among some texts.
fn except(list: &List, texts: &[String]) -> List {
    let kept = hits(list).iter().filter(|hit| !texts.iter().any(|text| text == hit.written()));
    List::hits(&list.src, kept.cloned().collect())
}

/// The hits of each sentence that has at least so many.
fn by_sentence(list: &List, least: INT) -> Array {
    let groups = hits(list).chunk_by(|a, b| a.sentence() == b.sentence());
    let large = groups.filter(|group| group.len() as INT >= least);
    large.map(|group| Dynamic::from(List::hits(&list.src, group.to_vec()))).collect()
}

fn each(
    list: &mut List,
    context: &NativeCallContext<'_>,
    test: &FnPtr,
) -> impl Iterator<Item = Answer<(Dynamic, bool)>> {
    list.iter().map(move |item| Ok((item.clone(), test.call_within_context::<bool>(context, (item,))?)))
}

pub(crate) fn register(engine: &mut Engine) {
    engine
        .register_type_with_name::<List>("List")
        .register_iterator::<List>()
        .register_get("len", |list: &mut List| list.len() as INT)
        .register_fn("len", |list: &mut List| list.len() as INT)
        .register_get("first", |list: &mut List| list.index(0))
        .register_get("last", |list: &mut List| list.index(-1))
        .register_indexer_get(|list: &mut List, at: INT| list.index(at))
        .register_get("text", |list: &mut List| match list.tokens() {
            Some(tokens) => list.src.text_of_tokens(&tokens),
            None => "".into(),
        })
        .register_fn("except", |list: &mut List, terms: Array| except(list, &texts(&terms)))
        .register_fn("having", |list: &mut List, columns: Array| {
            let columns = texts(&columns);
            let kept = hits(list).iter().filter(|hit| hit.kind(&columns).is_some());
            List::hits(&list.src, kept.cloned().collect())
        })
        .register_get("opening", |list: &mut List| {
            let kept = hits(list).iter().filter(|hit| hit.opens_sentence());
            List::hits(&list.src, kept.cloned().collect())
        })
        .register_fn("by_sentence", |list: &mut List, least: INT| by_sentence(list, least))
        .register_get("rows", |list: &mut List| hits(list).iter().map(Hit::row).collect::<BTreeSet<_>>().len() as INT)
        .register_fn("kinds", |list: &mut List, columns: Array| {
            let columns = texts(&columns);
            hits(list).iter().filter_map(|hit| hit.kind(&columns)).collect::<BTreeSet<_>>().len() as INT
        })
        .register_fn("contains", |list: &mut List, item: Dynamic| list.holds(&item))
        .register_fn("to_array", |list: &mut List| list.iter().collect::<Array>())
        .register_fn("filter", |context: NativeCallContext<'_>, list: &mut List, test: FnPtr| {
            let mut kept = Vec::new();
            for (at, answer) in each(list, &context, &test).enumerate() {
                if answer?.1 {
                    kept.push(at);
                }
            }
            Ok::<List, Box<EvalAltResult>>(list.only(&kept))
        })
        .register_fn("map", |context: NativeCallContext<'_>, list: &mut List, make: FnPtr| {
            let made = list.iter().map(|item| make.call_within_context::<Dynamic>(&context, (item,)));
            made.collect::<Answer<Array>>()
        })
        .register_fn("count", |context: NativeCallContext<'_>, list: &mut List, test: FnPtr| {
            let mut count: INT = 0;
            for answer in each(list, &context, &test) {
                count += INT::from(answer?.1);
            }
            Ok::<INT, Box<EvalAltResult>>(count)
        })
        .register_fn("some", |context: NativeCallContext<'_>, list: &mut List, test: FnPtr| {
            for answer in each(list, &context, &test) {
                if answer?.1 {
                    return Ok::<bool, Box<EvalAltResult>>(true);
                }
            }
            Ok(false)
        })
        .register_fn("all", |context: NativeCallContext<'_>, list: &mut List, test: FnPtr| {
            for answer in each(list, &context, &test) {
                if !answer?.1 {
                    return Ok::<bool, Box<EvalAltResult>>(false);
                }
            }
            Ok(true)
        })
        .register_fn("find", |context: NativeCallContext<'_>, list: &mut List, test: FnPtr| {
            for answer in each(list, &context, &test) {
                let (item, yes) = answer?;
                if yes {
                    return Ok::<Dynamic, Box<EvalAltResult>>(item);
                }
            }
            Ok(list.nothing())
        });
}
