//! Interned strings of one document: comparing two words is comparing two numbers.

use rustc_hash::FxHashMap;

/// A string of the document's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(pub u32);

impl Sym {
    /// The empty string, in every table.
    pub const EMPTY: Sym = Sym(0);
}

/// The string table of one document.
#[derive(Clone, Debug)]
pub struct Symbols {
    text: String,
    ends: Vec<u32>,
    index: FxHashMap<Box<str>, Sym>,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut table = Symbols { text: String::new(), ends: Vec::new(), index: FxHashMap::default() };
        table.intern("");
        table
    }
}

impl Symbols {
    /// The symbol of a string, made when it is new.
    pub fn intern(&mut self, string: &str) -> Sym {
        if let Some(sym) = self.index.get(string) {
            return *sym;
        }
        let sym = Sym(self.ends.len() as u32);
        self.text.push_str(string);
        self.ends.push(self.text.len() as u32);
        self.index.insert(string.into(), sym);
        sym
    }

    /// The symbol of a string, if the document has it.
    pub fn find(&self, string: &str) -> Option<Sym> {
        self.index.get(string).copied()
    }

    /// The string of a symbol.
    pub fn get(&self, sym: Sym) -> &str {
        let end = self.ends[sym.0 as usize] as usize;
        let start = if sym.0 == 0 { 0 } else { self.ends[sym.0 as usize - 1] as usize };
        &self.text[start..end]
    }

    /// Number of symbols; symbols are numbered from 0.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the table holds nothing but the empty string.
    pub fn is_empty(&self) -> bool {
        self.ends.len() == 1
    }
}
