//! The recommended structure of the genre, and the headings of the text that answer to it.

use std::sync::Arc;

use glosa_metric::Structure;
use glosa_text::{BlockKind, fold_heading};
use rhai::{Array, Dynamic, Engine, ImmutableString, Map};

use crate::source::Src;
use crate::units::{Block, Doc};

/// The genre.
#[derive(Clone)]
pub(crate) struct Genre {
    pub(crate) structure: Arc<Structure>,
}

/// A section of its structure.
#[derive(Clone)]
pub(crate) struct Section {
    structure: Arc<Structure>,
    number: usize,
}

impl Section {
    fn raw(&self) -> &glosa_metric::Section {
        &self.structure.sections[self.number]
    }
}

const LONGEST_COMPARED: usize = 120;

fn letters(text: &str) -> Vec<char> {
    text.chars().take(LONGEST_COMPARED).collect()
}

/// How alike two short texts are, 0 to 1: 1 minus the edit distance over the longer length (Levenshtein 1966). Only
/// the first 120 characters are compared.
pub(crate) fn similarity(a: &str, b: &str) -> f64 {
    let (a, b) = (letters(a), letters(b));
    let longest = a.len().max(b.len());
    if longest == 0 {
        return 1.0;
    }
    1.0 - strsim::generic_levenshtein(&a, &b) as f64 / longest as f64
}

/// The heading that is most like a name, if one is alike enough. A heading that holds all the words of the name in
/// their order is alike.
fn heading_like(src: &Src, name: &str, least: f64) -> Option<Block> {
    let wanted = fold_heading(name);
    if wanted.is_empty() {
        return None;
    }
    let document = src.document();
    let mut best: Option<(f64, u32)> = None;
    for (block, number) in document.blocks().iter().zip(0u32..) {
        if block.kind != BlockKind::Heading {
            continue;
        }
        let heading = fold_heading(&document.text()[block.content.clone()]);
        let inside = format!(" {heading} ").contains(&format!(" {wanted} "));
        let alike = if inside { 1.0 } else { similarity(&heading, &wanted) };
        if alike >= least && best.is_none_or(|(b, _)| alike > b) {
            best = Some((alike, number));
        }
    }
    best.map(|(_, number)| Block { src: Arc::clone(src), number })
}

fn strings(items: &[String]) -> Array {
    items.iter().map(|s| Dynamic::from(s.clone())).collect()
}

pub(crate) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Genre>("Genre").register_get("sections", |g: &mut Genre| {
        let section = |number| Dynamic::from(Section { structure: Arc::clone(&g.structure), number });
        (0..g.structure.sections.len()).map(section).collect::<Array>()
    });
    engine.register_get("free_order", |g: &mut Genre| g.structure.free_order);
    engine
        .register_type_with_name::<Section>("Section")
        .register_get("name", |s: &mut Section| ImmutableString::from(s.raw().name.as_str()))
        .register_get("names", |s: &mut Section| {
            let mut names = strings(&s.raw().synonyms);
            names.insert(0, s.raw().name.as_str().into());
            names
        })
        .register_get("expected", |s: &mut Section| s.raw().expected())
        .register_get("contents", |s: &mut Section| {
            let content = |c: &glosa_metric::Content| {
                let mut map = Map::new();
                map.insert("name".into(), c.name.as_str().into());
                map.insert("occurrence".into(), c.occurrence.as_deref().map_or(Dynamic::UNIT, Into::into));
                map.insert("cues".into(), strings(&c.cues).into());
                map.insert("phraseology".into(), strings(&c.phraseology).into());
                Dynamic::from(map)
            };
            s.raw().contents.iter().map(content).collect::<Array>()
        });
    engine
        .register_fn("similarity", similarity)
        .register_fn("has_heading_like", |doc: &mut Doc, name: &str, least: f64| {
            heading_like(&doc.src, name, least).is_some()
        })
        .register_fn("heading_like", |doc: &mut Doc, section: Section, least: f64| {
            let names = std::iter::once(&section.raw().name).chain(&section.raw().synonyms);
            let found = names.into_iter().find_map(|name| heading_like(&doc.src, name, least));
            found.map_or(Dynamic::UNIT, Dynamic::from)
        })
        .register_fn("has_heading_like", |doc: &mut Doc, section: Section, least: f64| {
            let names = std::iter::once(&section.raw().name).chain(&section.raw().synonyms);
            names.into_iter().any(|name| heading_like(&doc.src, name, least).is_some())
        });
}
