//! Prose on its way out of a file: pieces of the file, one after another, in blocks.
//!
//! What is hidden inside a sentence (code, an address, a quotation) leaves one [`PLACEHOLDER`], so that the sentence keeps its
//! shape; what readers never see (scripts, comments) leaves nothing.

use std::ops::Range;

use glosa_text::{Block, BlockKind, orthographic_words};

/// Stands for what is hidden: the object replacement character, which is no word and no punctuation.
pub(crate) const PLACEHOLDER: char = '\u{FFFC}';
/// A label of more words is a phrase of its own, as an item of a list is.
const LABEL_WORDS: usize = 12;
/// Elements inside each other that are kept in mind, as many as browsers keep.
const DEEPEST: usize = 512;
/// Between blocks.
const GAP: &str = "\n\n";

/// How a piece of prose stands in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Letter by letter.
    Verbatim,
    /// As another spelling of the same: a character reference, white space that counts as one space.
    Folded,
    /// It is hidden.
    Hidden,
}

/// A piece of prose and its place in the file, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub prose: Range<usize>,
    pub source: Range<usize>,
    pub kind: Kind,
}

/// A unit of the file that holds blocks: an element of HTML, an item of Markdown.
struct Holder {
    name: String,
    /// What its text is; `None` where it only holds others.
    kind: Option<Held>,
    /// Nothing of it was written yet.
    fresh: bool,
}

/// What the text of a holder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// A block of a kind. Only the first block of a list item is the item; what follows it are paragraphs.
    Block(BlockKind),
    /// A cell or a caption: what it is shows when its words are known.
    Label,
}

impl Held {
    /// The kind of a block of it: a label without a final mark is no sentence, so that nothing asks it for one.
    fn kind(self, text: &str) -> BlockKind {
        match self {
            Held::Block(kind) => kind,
            Held::Label if text.ends_with(['.', '!', '?', '…', ':', ';']) => BlockKind::Paragraph,
            Held::Label if orthographic_words(text).count() <= LABEL_WORDS => BlockKind::Heading,
            Held::Label => BlockKind::ListItem,
        }
    }
}

/// Why the next text is hidden.
struct Cover {
    name: String,
    /// It ends with its block.
    inline: bool,
    /// It leaves no placeholder.
    vanish: bool,
}

/// Writes prose.
pub(crate) struct Writer<'s> {
    pub source: &'s str,
    pub prose: String,
    pub pieces: Vec<Piece>,
    pub blocks: Vec<Block>,
    /// Between `glosa off` and `glosa on`.
    pub off: bool,
    open: Option<Open>,
    holders: Vec<Holder>,
    covers: Vec<Cover>,
}

/// The block that is being written.
struct Open {
    held: Held,
    /// Lengths of prose and pieces before it.
    prose: usize,
    pieces: usize,
    start: usize,
    /// The holder whose first block it is.
    first_of: Option<usize>,
}

impl<'s> Writer<'s> {
    pub fn new(source: &'s str) -> Self {
        Writer {
            source,
            prose: String::with_capacity(source.len()),
            pieces: Vec::new(),
            blocks: Vec::new(),
            off: false,
            open: None,
            holders: Vec::new(),
            covers: Vec::new(),
        }
    }

    fn covered(&self) -> bool {
        self.off || !self.covers.is_empty()
    }

    fn ensure_open(&mut self) {
        if self.open.is_some() {
            return;
        }
        let (prose, pieces) = (self.prose.len(), self.pieces.len());
        if !self.blocks.is_empty() {
            self.prose.push_str(GAP);
        }
        let inner = self.holders.iter().rposition(|holder| holder.kind.is_some());
        let (mut held, mut first_of) = (Held::Block(BlockKind::Paragraph), None);
        if let Some(at) = inner {
            let holder = &mut self.holders[at];
            let item = holder.kind == Some(Held::Block(BlockKind::ListItem));
            if let Some(own) = holder.kind.filter(|_| holder.fresh || !item) {
                held = own;
            }
            if holder.fresh {
                holder.fresh = false;
                first_of = Some(at);
            }
        }
        self.open = Some(Open { held, prose, pieces, start: self.prose.len(), first_of });
    }

    fn push(&mut self, text: &str, source: Range<usize>, kind: Kind) {
        let start = self.prose.len();
        self.prose.push_str(text);
        let prose = start..self.prose.len();
        let open = self.open.as_ref().map_or(0, |open| open.pieces);
        if let Some(last) = self.pieces[open..].last_mut()
            && kind == Kind::Verbatim
            && last.kind == Kind::Verbatim
            && last.source.end == source.start
        {
            last.source.end = source.end;
            last.prose.end = prose.end;
            return;
        }
        self.pieces.push(Piece { prose, source, kind });
    }

    /// What the file says letter by letter.
    pub fn text(&mut self, source: Range<usize>) {
        if source.is_empty() {
            return;
        }
        if self.covered() {
            return self.hide_covered(source);
        }
        self.ensure_open();
        let text = &self.source[source.clone()];
        self.push(text, source, Kind::Verbatim);
    }

    /// What the file says in another spelling.
    pub fn folded(&mut self, source: Range<usize>, text: &str) {
        if self.covered() {
            return self.hide_covered(source);
        }
        self.ensure_open();
        self.push(text, source, Kind::Folded);
    }

    /// White space of which only one space counts; a break of the line where `text` is one.
    pub fn space(&mut self, source: Range<usize>, text: &str) {
        if self.covered() || self.open.is_none() || source.is_empty() {
            return;
        }
        let ended = self.trailing_space();
        match (ended, text) {
            (true, "\n") => {
                self.trim_end();
                self.push("\n", source, Kind::Folded);
            }
            (true, _) => {}
            (false, _) if self.source[source.clone()] == *text => self.push(text, source, Kind::Verbatim),
            (false, _) => self.push(text, source, Kind::Folded),
        }
    }

    fn trailing_space(&self) -> bool {
        let start = self.open.as_ref().map_or(self.prose.len(), |open| open.start);
        let written = &self.prose[start..];
        written.is_empty() || written.ends_with([' ', '\n', '\t'])
    }

    /// Takes plain white space off the end of the open block.
    fn trim_end(&mut self) {
        let Some(open) = &self.open else { return };
        let from = open.pieces;
        while let Some(last) = self.pieces[from..].last_mut() {
            if !self.prose.ends_with([' ', '\n', '\t', '\r']) {
                break;
            }
            self.prose.pop();
            last.prose.end = self.prose.len();
            match last.kind {
                Kind::Verbatim => last.source.end -= 1,
                _ => last.source.end = last.source.start,
            }
            if last.prose.is_empty() {
                self.pieces.pop();
            }
        }
    }

    /// Hides a part of a sentence.
    pub fn hide(&mut self, source: Range<usize>) {
        if self.covers.iter().any(|cover| cover.vanish) {
            return;
        }
        self.ensure_open();
        let open = self.open.as_ref().map_or(0, |open| open.pieces);
        match self.pieces[open..].last_mut() {
            Some(last) if last.kind == Kind::Hidden => last.source.end = last.source.end.max(source.end),
            _ => {
                let mut buffer = [0; 4];
                self.push(PLACEHOLDER.encode_utf8(&mut buffer), source, Kind::Hidden);
            }
        }
    }

    /// Hides what is covered; white space between blocks hides nothing.
    fn hide_covered(&mut self, source: Range<usize>) {
        if !self.source[source.clone()].trim().is_empty() {
            self.hide(source);
        }
    }

    /// Ends the open block. One that has no letter and no digit of its own is none.
    pub fn end_block(&mut self) {
        self.trim_end();
        let Some(open) = self.open.take() else { return };
        let says = |piece: &Piece| {
            piece.kind != Kind::Hidden && self.prose[piece.prose.clone()].contains(char::is_alphanumeric)
        };
        if !self.pieces[open.pieces..].iter().any(says) {
            self.prose.truncate(open.prose);
            self.pieces.truncate(open.pieces);
            if let Some(holder) = open.first_of.and_then(|at| self.holders.get_mut(at)) {
                holder.fresh = true;
            }
            return;
        }
        let written = &self.prose[open.start..];
        let trimmed = written.trim_start();
        let start = self.prose.len() - trimmed.len();
        let bytes = start..start + trimmed.trim_end().len();
        let kind = open.held.kind(&self.prose[bytes.clone()]);
        self.blocks.push(Block { kind, content: bytes.clone(), bytes });
    }

    /// Begins a unit that holds blocks.
    pub fn enter(&mut self, name: &str, kind: Option<Held>) {
        self.end_block();
        if self.holders.len() < DEEPEST {
            self.holders.push(Holder { name: name.to_owned(), kind, fresh: true });
        }
    }

    /// Ends the unit of a name, and those that it holds and nobody ended.
    pub fn leave(&mut self, name: &str) {
        self.end_block();
        if let Some(at) = self.holders.iter().rposition(|holder| holder.name == name) {
            self.holders.truncate(at);
        }
    }

    /// The name of the innermost unit among some names.
    pub fn innermost(&self, names: &[&str]) -> Option<&str> {
        let names_it = |holder: &&Holder| names.contains(&holder.name.as_str());
        self.holders.iter().rev().find(names_it).map(|holder| holder.name.as_str())
    }

    /// Hides what follows. What is `inline` ends with its block at the latest; what is to `vanish` leaves no trace.
    pub fn cover(&mut self, name: &str, inline: bool, vanish: bool) {
        if self.covers.len() < DEEPEST {
            self.covers.push(Cover { name: name.to_owned(), inline, vanish });
        }
    }

    /// Ends what a name hides, if it hides anything.
    pub fn uncover(&mut self, name: &str) {
        if let Some(at) = self.covers.iter().rposition(|cover| cover.name == name) {
            self.covers.truncate(at);
        }
    }

    /// Ends what was hidden inside the block and never ended.
    pub fn uncover_inline(&mut self) {
        self.covers.retain(|cover| !cover.inline);
    }

    /// Whether `script` and the like are open.
    pub fn vanishes(&self) -> bool {
        self.covers.iter().any(|cover| cover.vanish)
    }
}
