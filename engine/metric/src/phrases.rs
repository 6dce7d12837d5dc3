//! Phrases of tables and glossaries, found in one pass over a document.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// One place where a phrase of a table stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Tokens of the document.
    pub tokens: Range<u32>,
    /// Number of the row in its table.
    pub row: u32,
}

/// The hits of one document, by table, in reading order; inside a table they do not overlap.
#[derive(Clone, Debug, Default)]
pub struct PhraseHits {
    by_table: FxHashMap<u32, Vec<Hit>>,
}

impl PhraseHits {
    /// Puts hits by table.
    pub fn new(by_table: FxHashMap<u32, Vec<Hit>>) -> Self {
        PhraseHits { by_table }
    }

    /// Hits of a table.
    pub fn of(&self, table: u32) -> &[Hit] {
        self.by_table.get(&table).map_or(&[], Vec::as_slice)
    }
}
