//! The analysed document and its builder.
//!
//! A [`Document`] is immutable. Its units are numbered in reading order: blocks (paragraphs, headings, list items),
//! sentences, surface tokens and orthographic words; each knows the one that holds it. A surface token is what is
//! written between spaces, punctuation and clitics (`del`, `dárselo`, `l'`); the syntactic words of a contraction
//! (`de` + `el`) are its parts.

use std::ops::Range;
use std::sync::Arc;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::layout::{BlockKind, Layout};
use crate::norm::composed;
use crate::syntax::{SentenceParser, Syntax, Trees};
use crate::word::{letters, orthographic_words};
use crate::{CodePoints, Language, OrthographicWord, Postings, Span, Sym, Symbols, Upos};

/// Facts of a token that need no dictionary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenFlags(u8);

impl TokenFlags {
    /// No flag is set.
    pub const NONE: TokenFlags = TokenFlags(0);
    const SPACE_BEFORE: u8 = 1;
    const CAPITALISED: u8 = 2;
    const ALL_CAPS: u8 = 4;
    const WORD: u8 = 8;
    const NUMBER: u8 = 16;
    const PUNCTUATION: u8 = 32;
    const KNOWN: u8 = 64;

    fn of(form: &str, space_before: bool, known: bool) -> TokenFlags {
        let mut flags = 0;
        let mut letters = 0;
        let mut upper = 0;
        let mut digits = 0;
        for c in form.chars() {
            if c.is_alphabetic() {
                letters += 1;
                upper += u32::from(c.is_uppercase());
            } else if c.is_numeric() {
                digits += 1;
            }
        }
        let first = form.chars().find(|c| c.is_alphanumeric());
        if space_before {
            flags |= Self::SPACE_BEFORE;
        }
        if first.is_some_and(char::is_uppercase) {
            flags |= Self::CAPITALISED;
        }
        if letters > 0 && letters == upper {
            flags |= Self::ALL_CAPS;
        }
        if letters > 0 {
            flags |= Self::WORD;
        }
        if digits > 0 && letters == 0 {
            flags |= Self::NUMBER;
        }
        if letters + digits == 0
            && form.chars().any(|c| c.general_category_group() == GeneralCategoryGroup::Punctuation)
        {
            flags |= Self::PUNCTUATION;
        }
        if known {
            flags |= Self::KNOWN;
        }
        TokenFlags(flags)
    }

    /// White space (or the start of the text) stands before the token.
    pub fn space_before(self) -> bool {
        self.0 & Self::SPACE_BEFORE != 0
    }
    /// The first letter is a capital.
    pub fn capitalised(self) -> bool {
        self.0 & Self::CAPITALISED != 0
    }
    /// All letters are capitals (one letter is enough).
    pub fn all_caps(self) -> bool {
        self.0 & Self::ALL_CAPS != 0
    }
    /// It has a letter.
    pub fn word(self) -> bool {
        self.0 & Self::WORD != 0
    }
    /// It has digits and no letter.
    pub fn number(self) -> bool {
        self.0 & Self::NUMBER != 0
    }
    /// It is punctuation only.
    pub fn punctuation(self) -> bool {
        self.0 & Self::PUNCTUATION != 0
    }
    /// The lexicon of the language knows it.
    pub fn known(self) -> bool {
        self.0 & Self::KNOWN != 0
    }
    /// The same without what stands before the token.
    pub fn without_space(self) -> TokenFlags {
        TokenFlags(self.0 & !Self::SPACE_BEFORE)
    }
    /// The flags as a number, for the plugin boundary: bits 0-6 in the order of the methods above.
    pub fn bits(self) -> u8 {
        self.0
    }
}

/// A surface token.
#[derive(Clone, Debug)]
pub struct Token {
    /// Place in code points.
    pub span: Span,
    /// Place in bytes.
    pub bytes: Range<u32>,
    /// As written, its letters composed.
    pub form: Sym,
    /// Its normal form: lower case, composed, straight apostrophe.
    pub norm: Sym,
    /// Lemma of its first syntactic word.
    pub lemma: Sym,
    /// FEATS string of its first syntactic word; empty when it has none.
    pub feats: Sym,
    /// Part of speech of its first syntactic word.
    pub pos: Upos,
    /// Facts of its form.
    pub flags: TokenFlags,
    /// Number of its sentence.
    pub sentence: u32,
    /// Its syntactic words in [`Document::parts`]; empty unless it has two or more.
    pub parts: Range<u32>,
    /// Zipf frequency times 10 (log10 of occurrences per 10⁹ words); 0 is unknown.
    pub zipf: u8,
}

/// One syntactic word of a contraction or of a verb with clitics.
#[derive(Clone, Debug)]
pub struct WordPart {
    /// Its form.
    pub form: Sym,
    /// Its lemma.
    pub lemma: Sym,
    /// Its FEATS string.
    pub feats: Sym,
    /// Its part of speech.
    pub pos: Upos,
}

/// A sentence unit: a sentence, a list item's sentence or a whole heading.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// Place in code points, surrounding white space excluded.
    pub span: Span,
    /// Place in bytes.
    pub bytes: Range<u32>,
    /// Number of its block.
    pub block: u32,
    /// Its tokens.
    pub tokens: Range<u32>,
    /// Its orthographic words.
    pub words: Range<u32>,
    /// Its number among the sentences of the document; `None` for a heading, which is no sentence.
    pub index: Option<u32>,
}

/// What the linguistic runtime says of one token.
#[derive(Clone, Debug)]
pub struct TokenInput<'a> {
    /// Bytes of the token in the text.
    pub bytes: Range<usize>,
    /// Its normal form.
    pub norm: &'a str,
    /// Its lemma.
    pub lemma: &'a str,
    /// Its part of speech.
    pub pos: Upos,
    /// Its FEATS string, empty when it has none.
    pub feats: &'a str,
    /// Zipf frequency times 10; 0 is unknown.
    pub zipf: u8,
    /// Whether the lexicon knows the form.
    pub known: bool,
}

/// Another reading of a token; what is absent stays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Correction<'a> {
    /// Number of the token.
    pub token: u32,
    /// Its part of speech.
    pub pos: Option<Upos>,
    /// Its lemma.
    pub lemma: Option<&'a str>,
    /// Its FEATS string.
    pub feats: Option<&'a str>,
}

/// The analysed text of one report. Nothing in it changes after [`DocumentBuilder::finish`]; trees are made on demand.
#[derive(Clone, Debug)]
pub struct Document {
    language: Language,
    text: Box<str>,
    index: CodePoints,
    layout: Layout,
    block_spans: Vec<Span>,
    sentences: Vec<Sentence>,
    tokens: Vec<Token>,
    parts: Vec<WordPart>,
    words: Vec<OrthographicWord>,
    symbols: Symbols,
    by_norm: Postings,
    by_lemma: Postings,
    trees: Option<Trees>,
}

impl Document {
    /// The document with other readings of some tokens; contractions and verbs with clitics stay as they are. It has no trees:
    /// those follow from the readings.
    pub fn corrected<'a>(mut self, corrections: impl IntoIterator<Item = Correction<'a>>) -> Document {
        for Correction { token, pos, lemma, feats } in corrections {
            let Some(token) = self.tokens.get_mut(token as usize).filter(|token| token.parts.is_empty()) else {
                continue;
            };
            token.pos = pos.unwrap_or(token.pos);
            token.lemma = lemma.map_or(token.lemma, |lemma| self.symbols.intern(lemma));
            token.feats = feats.map_or(token.feats, |feats| self.symbols.intern(feats));
        }
        self.by_norm = Postings::new(self.symbols.len(), self.tokens.iter().map(|t| t.norm));
        self.by_lemma = Postings::new(self.symbols.len(), self.tokens.iter().map(|t| t.lemma));
        self.trees = None;
        self
    }

    /// The document with a parser, which is asked for the tree of a sentence when somebody asks the document. It gets the
    /// symbols of the `relations` that it knows, in their order.
    pub fn with_parser<'r>(
        mut self,
        relations: impl Iterator<Item = &'r str>,
        parser: impl FnOnce(Vec<Sym>) -> Arc<dyn SentenceParser>,
    ) -> Document {
        let relations = relations.map(|relation| self.symbols.intern(relation)).collect();
        self.trees = Some(Trees::new(parser(relations), self.sentences.len()));
        self
    }

    /// Whether the document has trees.
    pub fn has_trees(&self) -> bool {
        self.trees.is_some()
    }

    /// Tree and clauses of a sentence unit, by number; `None` where the document has no parser.
    pub fn syntax(&self, sentence: u32) -> Option<&Syntax> {
        self.trees.as_ref()?.of(self, sentence)
    }

    /// Tree and clauses of the sentence unit of a token, by number; `None` as above.
    pub fn syntax_at(&self, token: u32) -> Option<&Syntax> {
        self.syntax(self.tokens.get(token as usize)?.sentence)
    }

    /// The sentence units whose trees somebody has asked for, by number.
    pub fn trees_made(&self) -> impl Iterator<Item = u32> + '_ {
        self.trees.iter().flat_map(Trees::made)
    }

    /// The language it was analysed in.
    pub fn language(&self) -> Language {
        self.language
    }
    /// The submitted text, untouched.
    pub fn text(&self) -> &str {
        &self.text
    }
    /// Code points of the text.
    pub fn code_points(&self) -> u32 {
        self.index.total()
    }
    /// The offsets of the text.
    pub fn index(&self) -> &CodePoints {
        &self.index
    }
    /// Paragraphs, headings and list items in reading order.
    pub fn blocks(&self) -> &[crate::Block] {
        &self.layout.blocks
    }
    /// Place of a block, markers included.
    pub fn block_span(&self, block: usize) -> Span {
        self.block_spans[block]
    }
    /// Sentence units in reading order, headings among them.
    pub fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }
    /// Sentence units of one block.
    pub fn sentences_of_block(&self, block: usize) -> &[Sentence] {
        let start = self.sentences.partition_point(|s| (s.block as usize) < block);
        let end = self.sentences.partition_point(|s| (s.block as usize) <= block);
        &self.sentences[start..end]
    }
    /// Surface tokens in reading order.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }
    /// Tokens of a sentence unit.
    pub fn tokens_of(&self, sentence: &Sentence) -> &[Token] {
        &self.tokens[sentence.tokens.start as usize..sentence.tokens.end as usize]
    }
    /// Syntactic words of contractions; see [`Token::parts`].
    pub fn parts(&self) -> &[WordPart] {
        &self.parts
    }
    /// Orthographic words in reading order.
    pub fn words(&self) -> &[OrthographicWord] {
        &self.words
    }
    /// Orthographic words of a sentence unit.
    pub fn words_of(&self, sentence: &Sentence) -> &[OrthographicWord] {
        &self.words[sentence.words.start as usize..sentence.words.end as usize]
    }
    /// The string of a symbol.
    pub fn string(&self, sym: Sym) -> &str {
        self.symbols.get(sym)
    }
    /// The string table.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }
    /// Tokens with this normal form, in reading order.
    pub fn with_norm(&self, norm: &str) -> &[u32] {
        self.symbols.find(norm).map_or(&[], |sym| self.by_norm.of(sym))
    }
    /// Tokens with this lemma, in reading order.
    pub fn with_lemma(&self, lemma: &str) -> &[u32] {
        self.symbols.find(lemma).map_or(&[], |sym| self.by_lemma.of(sym))
    }
    /// Tokens whose normal form is a symbol, in reading order.
    pub fn norms(&self, norm: Sym) -> &[u32] {
        self.by_norm.of(norm)
    }
    /// Tokens whose lemma is a symbol, in reading order.
    pub fn lemmas(&self, lemma: Sym) -> &[u32] {
        self.by_lemma.of(lemma)
    }
    /// The part of the text that a span covers.
    pub fn slice(&self, span: Span) -> &str {
        self.index.slice(&self.text, span)
    }
    /// The code-point span of a byte range; its ends must lie on character boundaries.
    pub fn span_of_bytes(&self, bytes: Range<usize>) -> Span {
        Span::new(self.index.at_byte(bytes.start), self.index.at_byte(bytes.end))
    }
    /// The byte range of a span.
    pub fn bytes_of_span(&self, span: Span) -> Range<usize> {
        self.index.to_byte(span.start)..self.index.to_byte(span.end)
    }
    /// The span from the start of one token to the end of another.
    pub fn span_of_tokens(&self, tokens: Range<usize>) -> Span {
        match self.tokens.get(tokens.start..tokens.end) {
            Some([first, .., last]) => first.span.cover(last.span),
            Some([only]) => only.span,
            _ => Span::default(),
        }
    }
    /// The block and the sentence (as published: headings have none) in which a span starts.
    pub fn place(&self, span: Span) -> (Option<u32>, Option<u32>) {
        let block = self.block_spans.partition_point(|b| b.start <= span.start).checked_sub(1);
        let unit = self.sentences.partition_point(|s| s.span.start <= span.start).checked_sub(1);
        let block = block.map(|b| b as u32).or((!self.block_spans.is_empty()).then_some(0));
        let sentence = unit.map(|u| &self.sentences[u]).filter(|s| Some(s.block) == block).and_then(|s| s.index);
        (block, sentence)
    }
    /// Number of sentences; headings are none.
    pub fn sentence_count(&self) -> usize {
        self.sentences.iter().filter(|s| s.index.is_some()).count()
    }
}

/// Puts a document together, in reading order: open a sentence, add its tokens, open the next.
#[derive(Debug)]
pub struct DocumentBuilder {
    document: Document,
    last_end: usize,
    next_index: u32,
}

impl DocumentBuilder {
    /// Starts a document of a text and its layout.
    pub fn new(language: Language, text: &str, layout: Layout) -> Self {
        let index = CodePoints::new(text);
        let block_spans =
            layout.blocks.iter().map(|b| Span::new(index.at_byte(b.bytes.start), index.at_byte(b.bytes.end))).collect();
        DocumentBuilder {
            document: Document {
                language,
                text: text.into(),
                index,
                layout,
                block_spans,
                sentences: Vec::new(),
                tokens: Vec::with_capacity(text.len() / 4),
                parts: Vec::new(),
                words: Vec::with_capacity(text.len() / 5),
                symbols: Symbols::default(),
                by_norm: Postings::default(),
                by_lemma: Postings::default(),
                trees: None,
            },
            last_end: 0,
            next_index: 0,
        }
    }

    /// Opens a sentence unit of a block; `bytes` covers its text without surrounding white space.
    pub fn sentence(&mut self, block: usize, bytes: Range<usize>) {
        let doc = &mut self.document;
        let heading = doc.layout.blocks[block].kind == BlockKind::Heading;
        let at = doc.tokens.len() as u32;
        let words = doc.words.len() as u32;
        let span = Span::new(doc.index.at_byte(bytes.start), doc.index.at_byte(bytes.end));
        doc.sentences.push(Sentence {
            span,
            bytes: bytes.start as u32..bytes.end as u32,
            block: block as u32,
            tokens: at..at,
            words: words..words,
            index: (!heading).then_some(self.next_index),
        });
        self.next_index += u32::from(!heading);
    }

    /// Adds the next token of the open sentence. Tokens come in reading order and do not overlap.
    pub fn token(&mut self, input: TokenInput<'_>) {
        let doc = &mut self.document;
        let form = &doc.text[input.bytes.clone()];
        let space_before = input.bytes.start == 0
            || doc.text[self.last_end.min(input.bytes.start)..input.bytes.start].contains(|c: char| c.is_whitespace());
        let flags = TokenFlags::of(form, space_before, input.known);
        let span = Span::new(doc.index.at_byte(input.bytes.start), doc.index.at_byte(input.bytes.end));
        let sentence = doc.sentences.len().saturating_sub(1);
        let parts = doc.parts.len() as u32;
        let token = Token {
            span,
            bytes: input.bytes.start as u32..input.bytes.end as u32,
            form: doc.symbols.intern(&composed(form)),
            norm: doc.symbols.intern(input.norm),
            lemma: doc.symbols.intern(input.lemma),
            feats: doc.symbols.intern(input.feats),
            pos: input.pos,
            flags,
            sentence: sentence as u32,
            parts: parts..parts,
            zipf: input.zipf,
        };
        doc.tokens.push(token);
        if let Some(open) = doc.sentences.last_mut() {
            open.tokens.end = doc.tokens.len() as u32;
        }
        self.last_end = input.bytes.end;
    }

    /// Adds a syntactic word to the last token; call it for each word of a contraction, the first included.
    pub fn part(&mut self, form: &str, lemma: &str, pos: Upos, feats: &str) {
        let doc = &mut self.document;
        let part = WordPart {
            form: doc.symbols.intern(form),
            lemma: doc.symbols.intern(lemma),
            feats: doc.symbols.intern(feats),
            pos,
        };
        doc.parts.push(part);
        if let Some(last) = doc.tokens.last_mut() {
            last.parts.end = doc.parts.len() as u32;
        }
    }

    /// Counts the words and files the tokens. `syllables` gives the syllables of one orthographic word, 0 where they
    /// are not counted.
    pub fn finish(mut self, mut syllables: impl FnMut(&str) -> u16) -> Document {
        let doc = &mut self.document;
        for (number, sentence) in doc.sentences.iter_mut().enumerate() {
            let start = sentence.bytes.start as usize;
            let text = &doc.text[start..sentence.bytes.end as usize];
            sentence.words.start = doc.words.len() as u32;
            for range in orthographic_words(text) {
                let word = &text[range.clone()];
                let bytes = start + range.start..start + range.end;
                doc.words.push(OrthographicWord {
                    span: Span::new(doc.index.at_byte(bytes.start), doc.index.at_byte(bytes.end)),
                    bytes: bytes.start as u32..bytes.end as u32,
                    sentence: number as u32,
                    syllables: syllables(word),
                    letters: letters(word),
                });
            }
            sentence.words.end = doc.words.len() as u32;
        }
        doc.by_norm = Postings::new(doc.symbols.len(), doc.tokens.iter().map(|t| t.norm));
        doc.by_lemma = Postings::new(doc.symbols.len(), doc.tokens.iter().map(|t| t.lemma));
        self.document
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn by_spaces(text: &str) -> Document {
        let layout = Layout::new(text, &HashSet::new());
        let blocks: Vec<_> = layout.blocks.iter().map(|b| b.content.clone()).collect();
        let mut builder = DocumentBuilder::new(Language::Es, text, layout);
        for (n, content) in blocks.into_iter().enumerate() {
            builder.sentence(n, content.clone());
            let base = text.as_ptr() as usize;
            for word in text[content].split_whitespace() {
                let start = word.as_ptr() as usize - base;
                let norm = crate::normal_form(word);
                let bytes = start..start + word.len();
                builder.token(TokenInput {
                    bytes,
                    norm: &norm,
                    lemma: &norm,
                    pos: Upos::X,
                    feats: "",
                    zipf: 0,
                    known: false,
                });
            }
        }
        builder.finish(|_| 1)
    }

    fn exact(document: &Document, span: Span, bytes: Range<usize>) -> Result<(), TestCaseError> {
        let by_chars: String = document.text().chars().skip(span.start as usize).take(span.len() as usize).collect();
        prop_assert_eq!(document.slice(span), &by_chars);
        prop_assert_eq!(document.slice(span), &document.text()[bytes]);
        Ok(())
    }

    proptest! {
        #[test]
        fn spans_are_exact_for_any_text(text in "(\\PC|[ \n\r\u{0}\u{FEFF}\u{AD}\u{301}\u{200D}👩🏽a.1#-]){0,60}") {
            let document = by_spaces(&text);
            for token in document.tokens() {
                exact(&document, token.span, token.bytes.start as usize..token.bytes.end as usize)?;
            }
            for word in document.words() {
                exact(&document, word.span, word.bytes.start as usize..word.bytes.end as usize)?;
            }
            for (n, block) in document.blocks().iter().enumerate() {
                exact(&document, document.block_span(n), block.bytes.clone())?;
                prop_assert!(block.bytes.start <= block.content.start && block.content.end <= block.bytes.end);
            }
            let spans: Vec<_> = document.blocks().iter().map(|b| b.bytes.clone()).collect();
            prop_assert!(spans.windows(2).all(|w| w[0].end <= w[1].start));
        }
    }

    #[test]
    fn places_are_those_of_the_report() {
        let document = by_spaces("# Título\n\nUno dos.\n\n- tres");
        let indexes: Vec<_> = document.tokens().iter().map(|t| document.place(t.span)).collect();
        assert_eq!(indexes, [(Some(0), None), (Some(1), Some(0)), (Some(1), Some(0)), (Some(2), Some(1)),]);
        assert_eq!(document.sentence_count(), 2);
    }
}
