//! The dependency parser: heads and relations of the words of a sentence.
//!
//! A word is the sum of the embeddings of its keys (features.rs), a small recurrent network reads the sentence and scores
//! every word as the head of every other (network.rs), and the best tree is taken (tree.rs). Relations are chosen
//! for the heads that the words have got, with one subject a clause (relations.rs). Time is linear in the text: a sentence
//! of more than [`LONGEST`] words is parsed in pieces.

pub mod features;
mod matrix;
mod model;
mod network;
pub mod relations;
pub mod tree;
mod wide;

pub use model::{ParserParameters, Part};

use crate::ModelError;
use model::Embeddings;
use network::{Network, Scratch, Words};
use relations::Relations;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Words of a piece at most; the roots of later pieces hang on that of the first.
pub const LONGEST: usize = 160;

/// Classes of the distance between a word and a possible head.
pub const DISTANCES: usize = 21;

/// What a negative input of a hidden layer is multiplied with.
pub const LEAK: f32 = 0.1;

/// The class of the arc from the head `h` (0 is the root, words count from 1) to the word `d`, which counts from 0.
#[inline]
pub fn distance(d: usize, h: usize) -> usize {
    if h == 0 {
        return 0;
    }
    let (head, far) = (h - 1, (h - 1).abs_diff(d));
    let class = match far {
        0..=4 => far,
        5..=6 => 5,
        7..=9 => 6,
        10..=14 => 7,
        15..=24 => 8,
        25..=40 => 9,
        _ => 10,
    };
    if head > d { class } else { 10 + class }
}

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    /// Numbers a word is made of; even, half for each direction.
    pub width: usize,
    /// Recurrent layers.
    pub layers: usize,
    /// Numbers that arcs are scored with.
    pub arc: usize,
    /// Numbers that relations are scored with.
    pub label: usize,
    /// Relations.
    pub relations: usize,
}

impl Dimensions {
    /// Numbers that a word is projected to: as dependent and head, for arcs and for relations.
    pub fn projections(&self) -> usize {
        2 * (self.arc + self.label)
    }
}

/// A trained parser.
#[derive(Debug)]
pub struct Parser {
    network: Network,
    embeddings: Embeddings,
    relations: Relations,
}

/// Different words that are remembered: some two kilobytes each.
const REMEMBERED: usize = 8192;

/// What a text needs while it is parsed: what its words are made of, as far as they are remembered, and space.
#[derive(Debug, Default)]
pub struct ParserScratch {
    remembered: Words,
    known: FxHashMap<[u32; 4], u32>,
    words: Vec<u32>,
    keys: Vec<u32>,
    network: Scratch,
    heads: Vec<u32>,
    relations: Vec<u16>,
}

impl Parser {
    /// Reads `parser.bin`.
    ///
    /// # Errors
    /// [`ModelError`] when the file is damaged.
    pub fn new(bytes: Cow<'static, [u8]>) -> Result<Self, ModelError> {
        let (network, embeddings, relations) = model::read(bytes)?;
        Ok(Parser { network, embeddings, relations: Relations::new(relations) })
    }

    /// The name of a relation by its number.
    pub fn relation(&self, number: u16) -> &str {
        &self.relations.names()[usize::from(number)]
    }

    /// The names of all relations, in the order of their numbers.
    pub fn relations(&self) -> impl Iterator<Item = &str> {
        self.relations.names().iter().map(|relation| &**relation)
    }

    /// Adds a word to the sentence at hand. `word` tells different words of the text apart; `keys` gives the keys of one
    /// that is new.
    pub fn push(&self, word: [u32; 4], scratch: &mut ParserScratch, keys: impl FnOnce(&mut Vec<u32>)) {
        let width = self.network.of.width;
        let ParserScratch { remembered: Words { sums, .. }, known, keys: own, words, .. } = scratch;
        let number = *known.entry(word).or_insert_with(|| {
            keys(own);
            let start = sums.len();
            sums.extend_from_slice(self.embeddings.everywhere());
            self.embeddings.add(own, &mut sums[start..]);
            (start / width) as u32
        });
        words.push(number);
    }

    /// Parses the words pushed since the last sentence: adds to `tree` the head (from 1 in the sentence; 0 is the root)
    /// and the number of the relation of each.
    pub fn parse(&self, scratch: &mut ParserScratch, tree: &mut Vec<(u32, u16)>) {
        let first = tree.len();
        let ParserScratch { remembered, known, words, network, heads, relations, .. } = scratch;
        self.network.prepare(remembered, network);
        for piece in words.chunks(LONGEST) {
            let start = (tree.len() - first) as u32;
            self.network.score_arcs(remembered, piece, network);
            tree::best_tree(piece.len(), &network.arcs, heads);
            self.network.score_relations(heads, network);
            self.relations.choose(heads, &network.relations, relations);
            let heads = heads.iter().map(|head| if *head == 0 { 0 } else { start + head });
            tree.extend(heads.zip(relations.iter().copied()));
        }
        if words.len() > LONGEST {
            let main = (first..tree.len()).find(|at| tree[*at].0 == 0).map_or(0, |at| (at - first + 1) as u32);
            for arc in tree[first + LONGEST..].iter_mut().filter(|arc| arc.0 == 0) {
                *arc = (main, self.relations.parataxis());
            }
        }
        words.clear();
        if known.len() > REMEMBERED {
            known.clear();
            remembered.clear();
        }
    }
}
