//! Quotations in scripts: `doc.quotations(words)` and what each says.

use std::sync::Arc;

use glosa_text::{Quotation as Found, QuoteStyle};
use rhai::{Array, Dynamic, Engine, EvalAltResult, INT, ImmutableString};

use crate::source::Src;
use crate::units::{Doc, Token};
use crate::words::Words;

/// A quotation that a script holds.
#[derive(Clone)]
pub(crate) struct Quotation {
    src: Src,
    found: Found,
}

impl Quotation {
    fn token(&self, number: u32) -> Token {
        Token { src: Arc::clone(&self.src), number }
    }
}

/// All quotations; typed single marks are read where the list has words that an apostrophe shortens.
fn quotations(doc: &Doc, elided: &Words) -> Vec<Quotation> {
    let is_elided = |norm: &str| elided.has(norm);
    let typed = (!elided.is_empty()).then_some(&is_elided as &dyn Fn(&str) -> bool);
    let found = doc.src.document().quotations(typed);
    found.into_iter().map(|found| Quotation { src: Arc::clone(&doc.src), found }).collect()
}

fn style(name: &str) -> Result<QuoteStyle, Box<EvalAltResult>> {
    QuoteStyle::named(name).ok_or_else(|| {
        format!("`{name}` is no style of quotation marks; write angle, curly, straight, single or typed").into()
    })
}

pub(crate) fn register(engine: &mut Engine) {
    engine
        .register_type_with_name::<Quotation>("Quotation")
        .register_iterator::<Quotations>()
        .register_fn("quotations", |doc: &mut Doc, elided: Words| Quotations { all: quotations(doc, &elided) })
        .register_get("open", |q: &mut Quotation| q.token(q.found.open))
        .register_get("close", |q: &mut Quotation| q.token(q.found.close))
        .register_get("style", |q: &mut Quotation| ImmutableString::from(q.found.style.name()))
        .register_get("depth", |q: &mut Quotation| INT::from(q.found.depth))
        .register_get("mixed", |q: &mut Quotation| q.found.mixed)
        .register_fn("holds", |q: &mut Quotation, name: &str| {
            Ok::<bool, Box<EvalAltResult>>(q.found.holds(style(name)?))
        })
        .register_fn("quote_style", |mark: &str| {
            let first = mark.chars().next().map(String::from).unwrap_or_default();
            ImmutableString::from(QuoteStyle::of(&first).map_or("", QuoteStyle::name))
        })
        .register_fn("quote_marks", |name: &str| {
            let marks = style(name)?.marks().iter().map(|mark| Dynamic::from((*mark).to_owned())).collect::<Array>();
            Ok::<Array, Box<EvalAltResult>>(marks)
        });
}

/// The quotations of a document.
#[derive(Clone)]
pub(crate) struct Quotations {
    all: Vec<Quotation>,
}

impl IntoIterator for Quotations {
    type Item = Quotation;
    type IntoIter = std::vec::IntoIter<Quotation>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.into_iter()
    }
}
