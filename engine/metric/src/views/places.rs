//! Tokens by what can be said of them without their words: part of speech, features, and facts of their form. Patterns that
//! test no word start from here.

use glosa_text::{Document, Sym, TokenFlags, Upos};
use rustc_hash::FxHashMap;

/// What some tokens of a document have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) pos: Upos,
    pub(crate) feats: Sym,
    /// Facts of the form, white space before it left aside.
    pub(crate) flags: TokenFlags,
}

/// The tokens of a document by class, and its distinct normal forms.
#[derive(Debug, Default)]
pub(crate) struct Places {
    classes: Vec<(Class, Vec<u32>)>,
    norms: Vec<Sym>,
}

impl Places {
    pub(super) fn of(document: &Document) -> Places {
        let mut places = Places::default();
        let mut numbers: FxHashMap<(u8, Sym, u8), usize> = FxHashMap::default();
        for (token, number) in document.tokens().iter().zip(0u32..) {
            let flags = token.flags.without_space();
            let class = *numbers.entry((token.pos as u8, token.feats, flags.bits())).or_insert_with(|| {
                let class = Class { pos: token.pos, feats: token.feats, flags };
                places.classes.push((class, Vec::new()));
                places.classes.len() - 1
            });
            places.classes[class].1.push(number);
        }
        let all = (0..document.symbols().len() as u32).map(Sym);
        places.norms = all.filter(|sym| !document.norms(*sym).is_empty()).collect();
        places
    }

    /// The classes with their tokens in reading order.
    pub(crate) fn classes(&self) -> &[(Class, Vec<u32>)] {
        &self.classes
    }

    /// The distinct normal forms.
    pub(crate) fn norms(&self) -> &[Sym] {
        &self.norms
    }
}
