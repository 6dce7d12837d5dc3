//! Where each symbol occurs: rules jump to their anchors instead of reading the whole text.

use crate::Sym;

/// For each symbol of a document, the tokens that have it, in reading order.
#[derive(Clone, Debug, Default)]
pub struct Postings {
    starts: Vec<u32>,
    tokens: Vec<u32>,
}

impl Postings {
    /// Counts and files the tokens: `keys` gives the symbol of each token in order, `symbols` is their number.
    pub fn new(symbols: usize, keys: impl Iterator<Item = Sym> + Clone) -> Self {
        let mut starts = vec![0u32; symbols + 1];
        for key in keys.clone() {
            starts[key.0 as usize + 1] += 1;
        }
        for i in 0..symbols {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut tokens = vec![0u32; starts[symbols] as usize];
        for (token, key) in keys.enumerate() {
            let slot = &mut next[key.0 as usize];
            tokens[*slot as usize] = token as u32;
            *slot += 1;
        }
        Postings { starts, tokens }
    }

    /// The tokens of a symbol, in reading order; none for a symbol younger than the postings.
    pub fn of(&self, sym: Sym) -> &[u32] {
        match self.starts.get(sym.0 as usize..sym.0 as usize + 2) {
            Some([start, end]) => &self.tokens[*start as usize..*end as usize],
            _ => &[],
        }
    }
}
