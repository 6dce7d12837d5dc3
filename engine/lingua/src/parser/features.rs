//! What the parser sees of a word: its form, lemma, ending, shape, tag and class, each as the key of an embedding.

use crate::hash::{hash_str, mix};
use crate::tagger::{ending, shape};

/// A word as the tagger leaves it.
#[derive(Clone, Copy, Debug)]
pub struct ParserWord<'w> {
    /// Form as written; of a slip of the pen what was meant.
    pub form: &'w str,
    /// Its lower-case form.
    pub lower: &'w str,
    /// Lemma.
    pub lemma: &'w str,
    /// Part of speech.
    pub upos: &'w str,
    /// FEATS; empty for none.
    pub feats: &'w str,
    /// Path in the tree of word clusters; 0 is unknown.
    pub cluster: u32,
}

/// Branches of a cluster's path that make a coarse class.
const BRANCHES: u32 = 6;

/// The first keys belong to a single word rather than to a class of words: form and lemma. The trainer hides these at
/// random, since unknown words have none.
pub const OWN_KEYS: usize = 2;

impl ParserWord<'_> {
    /// Puts the keys of the word into `keys`; the first [`OWN_KEYS`] are those of form and lemma.
    pub fn keys(&self, keys: &mut Vec<u32>) {
        keys.clear();
        let mut put = |kind: u64, value: u64| keys.push(fold(mix(value, kind)));
        let upos = hash_str(self.upos);
        put(1, hash_str(self.lower));
        put(2, mix(hash_str(self.lemma), upos));
        put(3, hash_str(ending(self.lower, 3)));
        put(4, hash_str(ending(self.lower, 2)));
        put(5, mix(shape(self.form), 0));
        put(6, upos);
        put(7, mix(hash_str(self.feats), upos));
        if self.cluster != 0 {
            put(8, u64::from(self.cluster));
            put(9, u64::from(self.cluster & ((1 << BRANCHES) - 1)));
        }
        for feature in self.feats.split('|').filter(|feature| !feature.is_empty()) {
            put(10, mix(hash_str(feature), upos));
        }
    }
}

/// The key of a treebank's own embedding; only that of the first, number 0, stays in the shipped model.
pub fn source_key(source: usize) -> u32 {
    fold(mix(source as u64, 20))
}

fn fold(hash: u64) -> u32 {
    (hash ^ (hash >> 32)) as u32
}
