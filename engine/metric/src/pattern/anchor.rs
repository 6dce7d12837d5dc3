//! Where a pattern can start at all: its rarest literal word says so, not a walk through the text.

use std::sync::Arc;

use glosa_text::{Document, Sym};

use super::test::{Scene, TokenTest};
use crate::WordList;

/// Places that every match of a sequence has at a known distance from its start.
#[derive(Clone, Debug)]
pub(crate) enum Anchor {
    Norms(Words, Offset),
    Lemmas(Words, Offset),
    Term(u32, Offset),
    /// What is no word: part of speech, features, beginning and end. It is asked only where no anchor of words is.
    Test(Box<TokenTest>, Offset),
    /// One of these is in every match.
    Union(Vec<Anchor>),
    /// Alternatives, each with its own choice of anchors.
    Every(Vec<Vec<Anchor>>),
}

/// The words of an anchor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    pub(crate) literals: Vec<String>,
    pub(crate) lists: Vec<Arc<WordList>>,
    /// First tokens of phrases are words too.
    pub(crate) phrases: bool,
}

impl Words {
    /// The symbols of a document that are one of the words.
    fn symbols(&self, document: &Document, mut found: impl FnMut(Sym)) {
        let symbols = document.symbols();
        self.literals.iter().filter_map(|word| symbols.find(word)).for_each(&mut found);
        for list in &self.lists {
            list.symbols(symbols, self.phrases, &mut found);
        }
    }
}

/// Tokens between the start of the match and the anchor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offset {
    min: u32,
    max: u32,
}

impl Anchor {
    pub(crate) fn norms(words: Words, min: u32, max: u32) -> Self {
        Anchor::Norms(words, Offset { min, max })
    }

    pub(crate) fn lemmas(words: Words, min: u32, max: u32) -> Self {
        Anchor::Lemmas(words, Offset { min, max })
    }

    pub(crate) fn term(glossary: u32, min: u32, max: u32) -> Self {
        Anchor::Term(glossary, Offset { min, max })
    }

    pub(crate) fn test(test: TokenTest, min: u32, max: u32) -> Self {
        Anchor::Test(Box::new(test), Offset { min, max })
    }

    pub(crate) fn union(anchors: Vec<Anchor>) -> Self {
        Anchor::Union(anchors)
    }

    pub(crate) fn every(alternatives: Vec<Vec<Anchor>>) -> Self {
        Anchor::Every(alternatives)
    }

    /// Whether some of it is asked of classes of tokens instead of words.
    fn is_test(&self) -> bool {
        match self {
            Anchor::Test(..) => true,
            Anchor::Every(alternatives) => alternatives.iter().any(|anchors| anchors.iter().all(Anchor::is_test)),
            _ => false,
        }
    }

    /// How many starts it would propose.
    fn cost(&self, scene: &Scene<'_>) -> usize {
        let document = scene.document;
        match self {
            Anchor::Norms(words, offset) => {
                let mut places = 0;
                words.symbols(document, |word| places += document.norms(word).len());
                places * offset.width()
            }
            Anchor::Lemmas(words, offset) => {
                let mut places = 0;
                words.symbols(document, |word| places += document.lemmas(word).len());
                places * offset.width()
            }
            Anchor::Term(glossary, offset) => {
                scene.tables[*glossary as usize].map_or(0, |table| scene.hits.of(table).len() * offset.width())
            }
            Anchor::Test(test, offset) => test.count_candidates(scene) * offset.width(),
            Anchor::Union(anchors) => anchors.iter().map(|a| a.cost(scene)).sum(),
            Anchor::Every(alternatives) => {
                alternatives.iter().map(|anchors| rarest(anchors, scene).map_or(0, |a| a.cost(scene))).sum()
            }
        }
    }

    fn propose(&self, scene: &Scene<'_>, starts: &mut Vec<u32>) {
        let document = scene.document;
        match self {
            Anchor::Norms(words, offset) => {
                words.symbols(document, |word| {
                    document.norms(word).iter().for_each(|at| offset.starts(*at, starts));
                });
            }
            Anchor::Lemmas(words, offset) => {
                words.symbols(document, |word| {
                    document.lemmas(word).iter().for_each(|at| offset.starts(*at, starts));
                });
            }
            Anchor::Term(glossary, offset) => {
                if let Some(table) = scene.tables[*glossary as usize] {
                    for hit in scene.hits.of(table) {
                        offset.starts(hit.tokens.start, starts);
                    }
                }
            }
            Anchor::Test(test, offset) => test.candidates(scene, &mut |at| offset.starts(at, starts)),
            Anchor::Union(anchors) => {
                for anchor in anchors {
                    anchor.propose(scene, starts);
                }
            }
            Anchor::Every(alternatives) => {
                for anchors in alternatives {
                    if let Some(best) = rarest(anchors, scene) {
                        best.propose(scene, starts);
                    }
                }
            }
        }
    }
}

impl Offset {
    fn width(self) -> usize {
        (self.max - self.min + 1) as usize
    }

    fn starts(self, at: u32, starts: &mut Vec<u32>) {
        for back in self.min..=self.max.min(at) {
            starts.push(at - back);
        }
    }
}

fn rarest<'a>(anchors: &'a [Anchor], scene: &Scene<'_>) -> Option<&'a Anchor> {
    let words = || anchors.iter().filter(|anchor| !anchor.is_test());
    match words().count() {
        0 if anchors.len() < 2 => anchors.first(),
        0 => anchors.iter().min_by_key(|anchor| anchor.cost(scene)),
        1 => words().next(),
        _ => words().min_by_key(|anchor| anchor.cost(scene)),
    }
}

/// The tokens at which a match may start, in reading order: from the rarest anchor, or all of them without one.
pub(crate) fn starts(anchors: &[Anchor], scene: &Scene<'_>, document: &Document) -> Vec<u32> {
    let mut starts = Vec::new();
    match rarest(anchors, scene) {
        Some(anchor) => {
            anchor.propose(scene, &mut starts);
            starts.sort_unstable();
            starts.dedup();
        }
        None => starts.extend(0..document.tokens().len() as u32),
    }
    starts
}
