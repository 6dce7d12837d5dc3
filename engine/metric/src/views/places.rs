//! Tokens by what can be said of them without their words: part of speech, features, and facts of their form. Patterns that
//! test no word start from here.

use std::ops::Range;

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

/// The tokens of a document by class and by form, and its distinct normal forms.
#[derive(Debug, Default)]
pub(crate) struct Places {
    classes: Vec<(Class, Vec<u32>)>,
    norms: Vec<Sym>,
    /// The tokens by the symbols of their forms, and for each form where its tokens begin and end.
    by_form: Vec<u32>,
    forms: Vec<(Sym, Range<u32>)>,
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
        places.sort_by_form(document);
        places
    }

    fn sort_by_form(&mut self, document: &Document) {
        let mut next = vec![0u32; document.symbols().len() + 1];
        for token in document.tokens() {
            next[token.form.0 as usize + 1] += 1;
        }
        for at in 1..next.len() {
            next[at] += next[at - 1];
        }
        let all = (0..document.symbols().len()).map(|at| (Sym(at as u32), next[at]..next[at + 1]));
        self.forms = all.filter(|(_, tokens)| !tokens.is_empty()).collect();
        self.by_form = vec![0; document.tokens().len()];
        for (token, number) in document.tokens().iter().zip(0u32..) {
            let place = &mut next[token.form.0 as usize];
            self.by_form[*place as usize] = number;
            *place += 1;
        }
    }

    /// The distinct forms with their tokens in reading order.
    pub(crate) fn forms(&self) -> impl Iterator<Item = (Sym, &[u32])> {
        self.forms.iter().map(|(form, tokens)| (*form, &self.by_form[tokens.start as usize..tokens.end as usize]))
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
