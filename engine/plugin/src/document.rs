//! The analysed text as a plugin written in Rust sees it.

use crate::abi;
use crate::abi::Range;

/// A language of analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Spanish.
    Es,
    /// Catalan.
    Ca,
    /// English.
    En,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 3] = [Language::Es, Language::Ca, Language::En];

    /// Its number in the interface.
    pub const fn number(self) -> u32 {
        match self {
            Language::Es => abi::GLOSA_ES,
            Language::Ca => abi::GLOSA_CA,
            Language::En => abi::GLOSA_EN,
        }
    }
}

/// What a block of the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// Running prose.
    Paragraph,
    /// A title of a section.
    Heading,
    /// One item of a list.
    ListItem,
}

/// The analysed text of one call.
#[derive(Clone, Copy, Debug)]
pub struct Doc<'d> {
    raw: &'d abi::Document,
}

/// A surface token.
#[derive(Clone, Copy, Debug)]
pub struct Token<'d> {
    doc: Doc<'d>,
    raw: &'d abi::Token,
    number: u32,
}

/// A sentence unit: a sentence, a list item's sentence or a whole heading.
#[derive(Clone, Copy, Debug)]
pub struct Sentence<'d> {
    doc: Doc<'d>,
    raw: &'d abi::Sentence,
    number: u32,
}

/// A paragraph, heading or list item.
#[derive(Clone, Copy, Debug)]
pub struct Block<'d> {
    doc: Doc<'d>,
    raw: &'d abi::Block,
    number: u32,
}

/// An orthographic word.
#[derive(Clone, Copy, Debug)]
pub struct Word<'d> {
    doc: Doc<'d>,
    raw: &'d abi::Word,
}

const POS: [&str; 17] = [
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ",
    "SYM", "VERB", "X",
];

impl<'d> Doc<'d> {
    /// Reads a document that the host lends.
    ///
    /// # Safety
    /// `raw` points to a document of the host that lives and stays as it is for `'d`. Its text and symbols are UTF-8, as the
    /// interface says, and are not validated again at each look.
    pub unsafe fn new(raw: *const abi::Document) -> Option<Doc<'d>> {
        // SAFETY: the caller answers for the pointer.
        let raw = unsafe { raw.as_ref()? };
        let fits = raw.size as usize >= size_of::<abi::Document>()
            && raw.tokens.holds::<abi::Token>()
            && raw.parts.holds::<abi::Part>()
            && raw.sentences.holds::<abi::Sentence>()
            && raw.blocks.holds::<abi::Block>()
            && raw.words.holds::<abi::Word>()
            && raw.symbols.holds::<abi::Str>();
        fits.then_some(Doc { raw })
    }

    pub(crate) fn symbol(self, number: u32) -> &'d str {
        // SAFETY: the host lends its string table for 'd.
        unsafe {
            let string: Option<&abi::Str> = self.raw.symbols.get(number);
            string.map_or("", |s| s.trusted())
        }
    }

    /// The language it was analysed in.
    pub fn language(self) -> Language {
        match self.raw.language {
            abi::GLOSA_ES => Language::Es,
            abi::GLOSA_CA => Language::Ca,
            _ => Language::En,
        }
    }

    /// The submitted text.
    pub fn text(self) -> &'d str {
        // SAFETY: the host lends the text for 'd.
        unsafe { self.raw.text.trusted() }
    }

    /// Code points of the text.
    pub fn code_points(self) -> u32 {
        self.raw.code_points
    }

    /// A token by number.
    pub fn token(self, number: u32) -> Option<Token<'d>> {
        // SAFETY: the host lends its arrays for 'd.
        let raw = unsafe { self.raw.tokens.get(number)? };
        Some(Token { doc: self, raw, number })
    }

    /// All tokens in reading order.
    pub fn tokens(self) -> impl DoubleEndedIterator<Item = Token<'d>> {
        self.tokens_in(Range { start: 0, end: self.raw.tokens.count })
    }

    /// Some tokens in reading order.
    pub fn tokens_in(self, range: Range) -> impl DoubleEndedIterator<Item = Token<'d>> {
        (range.start..range.end).filter_map(move |n| self.token(n))
    }

    /// A sentence unit by number.
    pub fn sentence(self, number: u32) -> Option<Sentence<'d>> {
        // SAFETY: as for tokens.
        let raw = unsafe { self.raw.sentences.get(number)? };
        Some(Sentence { doc: self, raw, number })
    }

    /// All sentence units in reading order, headings among them.
    pub fn sentences(self) -> impl DoubleEndedIterator<Item = Sentence<'d>> {
        (0..self.raw.sentences.count).filter_map(move |n| self.sentence(n))
    }

    /// A block by number.
    pub fn block(self, number: u32) -> Option<Block<'d>> {
        // SAFETY: as for tokens.
        let raw = unsafe { self.raw.blocks.get(number)? };
        Some(Block { doc: self, raw, number })
    }

    /// All blocks in reading order.
    pub fn blocks(self) -> impl DoubleEndedIterator<Item = Block<'d>> {
        (0..self.raw.blocks.count).filter_map(move |n| self.block(n))
    }

    /// Orthographic words by number, in reading order.
    pub fn words_in(self, range: Range) -> impl DoubleEndedIterator<Item = Word<'d>> {
        (range.start..range.end).filter_map(move |n| {
            // SAFETY: as for tokens.
            let raw = unsafe { self.raw.words.get(n)? };
            Some(Word { doc: self, raw })
        })
    }

    /// All orthographic words in reading order.
    pub fn words(self) -> impl DoubleEndedIterator<Item = Word<'d>> {
        self.words_in(Range { start: 0, end: self.raw.words.count })
    }

    fn bytes(self, range: Range) -> &'d str {
        self.text().get(range.start as usize..range.end as usize).unwrap_or("")
    }
}

impl<'d> Token<'d> {
    /// Its number in the document.
    pub fn number(self) -> u32 {
        self.number
    }
    /// Place in code points.
    pub fn span(self) -> Range {
        self.raw.span
    }
    /// As written.
    pub fn form(self) -> &'d str {
        self.doc.symbol(self.raw.form)
    }
    /// Normal form: lower case, composed, straight apostrophe.
    pub fn norm(self) -> &'d str {
        self.doc.symbol(self.raw.norm)
    }
    /// Lemma of its first syntactic word.
    pub fn lemma(self) -> &'d str {
        self.doc.symbol(self.raw.lemma)
    }
    /// Universal Dependencies features of its first syntactic word.
    pub fn feats(self) -> &'d str {
        self.doc.symbol(self.raw.feats)
    }
    /// Whether a feature has a value.
    pub fn has_feature(self, name: &str, value: &str) -> bool {
        self.feats().split('|').any(|pair| {
            pair.split_once('=').is_some_and(|(n, values)| n == name && values.split(',').any(|v| v == value))
        })
    }
    /// Universal part of speech of its first syntactic word.
    pub fn pos(self) -> &'static str {
        POS.get(usize::from(self.raw.pos)).copied().unwrap_or("X")
    }
    /// Number of its sentence unit.
    pub fn sentence(self) -> u32 {
        self.raw.sentence
    }
    /// Lemma and part of speech of its syntactic words; empty unless it has two or more.
    pub fn parts(self) -> impl Iterator<Item = (&'d str, &'static str)> {
        (self.raw.parts.start..self.raw.parts.end).filter_map(move |n| {
            // SAFETY: the host lends its arrays for 'd.
            let part: &abi::Part = unsafe { self.doc.raw.parts.get(n)? };
            let pos = POS.get(part.pos as usize).copied().unwrap_or("X");
            Some((self.doc.symbol(part.lemma), pos))
        })
    }
    /// Zipf frequency (log10 of occurrences per 10⁹ words), if it is known.
    pub fn zipf(self) -> Option<f64> {
        (self.raw.zipf > 0).then(|| f64::from(self.raw.zipf) / 10.0)
    }
    fn flag(self, bit: u8) -> bool {
        self.raw.flags & bit != 0
    }
    /// White space (or the start of the text) stands before it.
    pub fn space_before(self) -> bool {
        self.flag(abi::GLOSA_SPACE_BEFORE)
    }
    /// Its first letter is a capital.
    pub fn capitalised(self) -> bool {
        self.flag(abi::GLOSA_CAPITALISED)
    }
    /// All its letters are capitals.
    pub fn all_caps(self) -> bool {
        self.flag(abi::GLOSA_ALL_CAPS)
    }
    /// It has a letter.
    pub fn is_word(self) -> bool {
        self.flag(abi::GLOSA_WORD)
    }
    /// It has digits and no letter.
    pub fn is_number(self) -> bool {
        self.flag(abi::GLOSA_DIGITS)
    }
    /// It is punctuation only.
    pub fn is_punctuation(self) -> bool {
        self.flag(abi::GLOSA_PUNCTUATION)
    }
    /// The lexicon knows it.
    pub fn known(self) -> bool {
        self.flag(abi::GLOSA_KNOWN)
    }
}

impl<'d> Sentence<'d> {
    /// Its number among the sentence units, headings among them.
    pub fn number(self) -> u32 {
        self.number
    }
    /// Its number among the sentences; a heading has none.
    pub fn index(self) -> Option<u32> {
        (self.raw.index != abi::GLOSA_NO_INDEX).then_some(self.raw.index)
    }
    /// Place in code points.
    pub fn span(self) -> Range {
        self.raw.span
    }
    /// Its text.
    pub fn text(self) -> &'d str {
        self.doc.bytes(self.raw.bytes)
    }
    /// Numbers of its tokens.
    pub fn token_range(self) -> Range {
        self.raw.tokens
    }
    /// Its tokens.
    pub fn tokens(self) -> impl DoubleEndedIterator<Item = Token<'d>> {
        self.doc.tokens_in(self.raw.tokens)
    }
    /// Its orthographic words.
    pub fn words(self) -> impl DoubleEndedIterator<Item = Word<'d>> {
        self.doc.words_in(self.raw.words)
    }
    /// Number of its orthographic words.
    pub fn word_count(self) -> u32 {
        self.raw.words.end - self.raw.words.start
    }
    /// Number of its block.
    pub fn block(self) -> u32 {
        self.raw.block
    }
}

impl<'d> Block<'d> {
    /// Its number, headings and list items counted.
    pub fn number(self) -> u32 {
        self.number
    }
    /// What it is.
    pub fn kind(self) -> BlockKind {
        match self.raw.kind {
            abi::GLOSA_HEADING => BlockKind::Heading,
            abi::GLOSA_LIST_ITEM => BlockKind::ListItem,
            _ => BlockKind::Paragraph,
        }
    }
    /// Place in code points, markers included.
    pub fn span(self) -> Range {
        self.raw.span
    }
    /// Its text without bullet, number or Markdown marks.
    pub fn content(self) -> &'d str {
        self.doc.bytes(self.raw.content)
    }
    /// Its sentence units.
    pub fn sentences(self) -> impl DoubleEndedIterator<Item = Sentence<'d>> {
        (self.raw.sentences.start..self.raw.sentences.end).filter_map(move |n| self.doc.sentence(n))
    }
    /// Number of its orthographic words.
    pub fn word_count(self) -> u32 {
        self.sentences().map(Sentence::word_count).sum()
    }
}

impl<'d> Word<'d> {
    /// Place in code points.
    pub fn span(self) -> Range {
        self.raw.span
    }
    /// Place in bytes of the text.
    pub fn byte_range(self) -> Range {
        self.raw.bytes
    }
    /// As written.
    pub fn form(self) -> &'d str {
        self.doc.bytes(self.raw.bytes)
    }
    /// Number of its sentence unit.
    pub fn sentence(self) -> u32 {
        self.raw.sentence
    }
    /// Syllables; 0 where they are not counted.
    pub fn syllables(self) -> u16 {
        self.raw.syllables
    }
    /// Letters.
    pub fn letters(self) -> u16 {
        self.raw.letters
    }
}
