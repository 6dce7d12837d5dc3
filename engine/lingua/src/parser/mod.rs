//! The dependency parser: heads and relations of the words of a sentence.

pub mod features;
pub mod tree;

/// Classes of the distance between a word and a possible head.
pub const DISTANCES: usize = 21;

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

/// What a negative input of a hidden layer is multiplied with.
pub const LEAK: f32 = 0.1;

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
