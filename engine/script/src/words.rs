//! Lists of words, as scripts read them: `t.norm in lists.months`, `lists.months[word]`.

use std::sync::Arc;

use glosa_metric::{ParamValue, WordList};
use rhai::{Array, Dynamic, Engine, INT, ImmutableString};

use crate::run::with_run;
use crate::units::Token;

/// The lists that a variant may read.
#[derive(Clone)]
pub(crate) struct Lists;

/// One of them.
#[derive(Clone)]
pub(crate) struct Words {
    inner: Arc<WordList>,
}

impl Words {
    pub(crate) fn is_empty(&self) -> bool {
        self.inner.entries().is_empty()
    }

    /// Whether a normal form is an entry.
    pub(crate) fn has(&self, norm: &str) -> bool {
        self.inner.contains(norm)
    }
}

impl IntoIterator for Words {
    type Item = ImmutableString;
    type IntoIter = std::vec::IntoIter<ImmutableString>;

    /// The entries as they are written, in the order of the file.
    fn into_iter(self) -> Self::IntoIter {
        let entries = self.inner.entries().iter();
        entries.map(|entry| ImmutableString::from(entry.word.as_str())).collect::<Vec<_>>().into_iter()
    }
}

/// A value of a list or a threshold.
pub(crate) fn dynamic(value: &ParamValue) -> Dynamic {
    match value {
        ParamValue::Flag(flag) => (*flag).into(),
        ParamValue::Integer(n) => (*n).into(),
        ParamValue::Number(n) => (*n).into(),
        ParamValue::Text(text) => text.as_str().into(),
        ParamValue::List(items) => items.iter().map(|s| Dynamic::from(s.clone())).collect::<Array>().into(),
    }
}

impl Words {
    /// Its entries as they are written.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.inner.entries().iter().map(|entry| entry.word.as_str())
    }
}

pub(crate) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Lists>("Lists").register_indexer_get(|_: &mut Lists, name: &str| {
        with_run(|run| Ok(Words { inner: run.src.lists.get(name).cloned().unwrap_or_default() }))
    });
    engine
        .register_type_with_name::<Words>("WordList")
        .register_iterator::<Words>()
        .register_get("len", |words: &mut Words| words.inner.entries().len() as INT)
        .register_fn("contains", |words: &mut Words, text: &str| words.inner.contains(text))
        .register_fn("ends", |words: &mut Words, text: &str| {
            words.inner.entries().iter().any(|entry| text.ends_with(entry.word.as_str()))
        })
        .register_fn("contains", |words: &mut Words, token: Token| {
            words.inner.contains(token.src.document().string(token.raw().norm))
        })
        .register_indexer_get(|words: &mut Words, text: &str| {
            let value = words.inner.entry(text).and_then(|entry| entry.value.as_ref());
            value.map_or(Dynamic::UNIT, dynamic)
        });
}
