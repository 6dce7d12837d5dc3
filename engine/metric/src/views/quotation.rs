//! Whether a quotation is open: marks that differ go by the last of them; straight ones open and close by turns where there are no
//! others.

use glosa_text::{Document, Sym};

/// The marks of a document, read token by token from the start of a sentence.
#[derive(Clone, Copy, Debug)]
pub struct Quotation {
    opening: [Option<Sym>; 2],
    closing: [Option<Sym>; 2],
    straight: Option<Sym>,
    last: Option<bool>,
    odd: bool,
}

/// How far before a token a mark is looked for.
const FARTHEST: u32 = 2_000;

impl Quotation {
    /// At the start of a sentence.
    pub fn of(document: &Document) -> Quotation {
        let symbols = document.symbols();
        Quotation {
            opening: ["«", "“"].map(|mark| symbols.find(mark)),
            closing: ["»", "”"].map(|mark| symbols.find(mark)),
            straight: symbols.find("\""),
            last: None,
            odd: false,
        }
    }

    /// Whether a quotation is open here.
    pub fn open(&self) -> bool {
        self.last.unwrap_or(self.odd)
    }

    /// Goes on over a token with this normal form.
    pub fn read(&mut self, norm: Sym) {
        let norm = Some(norm);
        if self.opening.contains(&norm) {
            self.last = Some(true);
        } else if self.closing.contains(&norm) {
            self.last = Some(false);
        } else if norm == self.straight {
            self.odd = !self.odd;
        }
    }

    /// Whether a quotation is open before a token in its sentence.
    pub(crate) fn before(document: &Document, at: u32) -> bool {
        let tokens = document.tokens();
        let start = document.sentences()[tokens[at as usize].sentence as usize].tokens.start;
        let mut quotation = Quotation::of(document);
        if quotation.opening == [None; 2] && quotation.closing == [None; 2] && quotation.straight.is_none() {
            return false;
        }
        let from = start.max(at.saturating_sub(FARTHEST));
        tokens[from as usize..at as usize].iter().for_each(|token| quotation.read(token.norm));
        quotation.open()
    }
}
