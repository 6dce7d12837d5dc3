//! Where a pattern can start at all: its rarest literal word says so, not a walk through the text.

use glosa_text::Document;

use super::test::Scene;

/// Places that every match of a sequence has at a known distance from its start.
#[derive(Clone, Debug)]
pub(crate) enum Anchor {
    Norms(Vec<String>, Offset),
    Lemmas(Vec<String>, Offset),
    Term(u32, Offset),
    /// One of these is in every match.
    Union(Vec<Anchor>),
    /// Alternatives, each with its own choice of anchors.
    Every(Vec<Vec<Anchor>>),
}

/// Tokens between the start of the match and the anchor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offset {
    min: u32,
    max: u32,
}

impl Anchor {
    pub(crate) fn norms(words: Vec<String>, min: u32, max: u32) -> Self {
        Anchor::Norms(words, Offset { min, max })
    }

    pub(crate) fn lemmas(words: Vec<String>, min: u32, max: u32) -> Self {
        Anchor::Lemmas(words, Offset { min, max })
    }

    pub(crate) fn term(glossary: u32, min: u32, max: u32) -> Self {
        Anchor::Term(glossary, Offset { min, max })
    }

    pub(crate) fn union(anchors: Vec<Anchor>) -> Self {
        Anchor::Union(anchors)
    }

    pub(crate) fn every(alternatives: Vec<Vec<Anchor>>) -> Self {
        Anchor::Every(alternatives)
    }

    /// How many starts it would propose.
    fn cost(&self, scene: &Scene<'_>) -> usize {
        let document = scene.document;
        match self {
            Anchor::Norms(words, offset) => {
                let places: usize = words.iter().map(|w| document.with_norm(w).len()).sum();
                places * offset.width()
            }
            Anchor::Lemmas(words, offset) => {
                let places: usize = words.iter().map(|w| document.with_lemma(w).len()).sum();
                places * offset.width()
            }
            Anchor::Term(glossary, offset) => {
                scene.tables[*glossary as usize].map_or(0, |table| scene.hits.of(table).len() * offset.width())
            }
            Anchor::Union(anchors) => anchors.iter().map(|a| a.cost(scene)).sum(),
            Anchor::Every(alternatives) => {
                alternatives.iter().map(|anchors| anchors.iter().map(|a| a.cost(scene)).min().unwrap_or(0)).sum()
            }
        }
    }

    fn propose(&self, scene: &Scene<'_>, starts: &mut Vec<u32>) {
        let document = scene.document;
        match self {
            Anchor::Norms(words, offset) => {
                for word in words {
                    for at in document.with_norm(word) {
                        offset.starts(*at, starts);
                    }
                }
            }
            Anchor::Lemmas(words, offset) => {
                for word in words {
                    for at in document.with_lemma(word) {
                        offset.starts(*at, starts);
                    }
                }
            }
            Anchor::Term(glossary, offset) => {
                if let Some(table) = scene.tables[*glossary as usize] {
                    for hit in scene.hits.of(table) {
                        offset.starts(hit.tokens.start, starts);
                    }
                }
            }
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
    anchors.iter().min_by_key(|anchor| anchor.cost(scene))
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
