//! A document laid out for plugins: the arrays of the C interface over one analysed text.

use std::ops::Range;
use std::sync::Arc;

use glosa_metric::Input;
use glosa_plugin::abi;
use glosa_text::{BlockKind, Document, Language, Span, Sym};

/// The arrays, and the document that the strings in them belong to.
pub(super) struct View {
    raw: abi::Document,
    _document: Arc<Document>,
    _tokens: Vec<abi::Token>,
    _parts: Vec<abi::Part>,
    _sentences: Vec<abi::Sentence>,
    _blocks: Vec<abi::Block>,
    _words: Vec<abi::Word>,
    _symbols: Vec<abi::Str>,
}

// SAFETY: the pointers lead into the arrays of the view itself and into its document; neither changes after it is made.
unsafe impl Send for View {}
// SAFETY: as above.
unsafe impl Sync for View {}

/// The view of the document of an input; all plugins of one report share it.
pub(super) fn of(input: &Input) -> Arc<View> {
    input.views.kept(|| View::new(&input.document))
}

pub(super) fn span(span: Span) -> abi::Range {
    abi::Range { start: span.start, end: span.end }
}

pub(super) fn range(range: &Range<u32>) -> abi::Range {
    abi::Range { start: range.start, end: range.end }
}

fn bytes(range: &Range<usize>) -> abi::Range {
    abi::Range { start: range.start as u32, end: range.end as u32 }
}

impl View {
    fn new(document: &Arc<Document>) -> View {
        let tokens: Vec<_> = document
            .tokens()
            .iter()
            .map(|t| abi::Token {
                span: span(t.span),
                bytes: range(&t.bytes),
                form: t.form.0,
                norm: t.norm.0,
                lemma: t.lemma.0,
                feats: t.feats.0,
                sentence: t.sentence,
                parts: range(&t.parts),
                pos: t.pos as u8,
                flags: t.flags.bits(),
                zipf: t.zipf,
                reserved: 0,
            })
            .collect();
        let parts: Vec<_> = document
            .parts()
            .iter()
            .map(|p| abi::Part { form: p.form.0, lemma: p.lemma.0, feats: p.feats.0, pos: p.pos as u32 })
            .collect();
        let sentences: Vec<_> = document
            .sentences()
            .iter()
            .map(|s| abi::Sentence {
                span: span(s.span),
                bytes: range(&s.bytes),
                tokens: range(&s.tokens),
                words: range(&s.words),
                block: s.block,
                index: s.index.unwrap_or(abi::GLOSA_NO_INDEX),
            })
            .collect();
        let mut first = 0;
        let blocks: Vec<_> = document
            .blocks()
            .iter()
            .enumerate()
            .map(|(number, b)| {
                let start = first;
                first += document.sentences_of_block(number).len() as u32;
                abi::Block {
                    span: span(document.block_span(number)),
                    bytes: bytes(&b.bytes),
                    content: bytes(&b.content),
                    sentences: abi::Range { start, end: first },
                    kind: match b.kind {
                        BlockKind::Paragraph => abi::GLOSA_PARAGRAPH,
                        BlockKind::Heading => abi::GLOSA_HEADING,
                        BlockKind::ListItem => abi::GLOSA_LIST_ITEM,
                    },
                }
            })
            .collect();
        let words: Vec<_> = document
            .words()
            .iter()
            .map(|w| abi::Word {
                span: span(w.span),
                bytes: range(&w.bytes),
                sentence: w.sentence,
                syllables: w.syllables,
                letters: w.letters,
            })
            .collect();
        let symbols: Vec<_> =
            (0..document.symbols().len()).map(|n| abi::Str::new(document.string(Sym(n as u32)))).collect();
        View {
            raw: abi::Document {
                size: size_of::<abi::Document>() as u32,
                language: match document.language() {
                    Language::Es => abi::GLOSA_ES,
                    Language::Ca => abi::GLOSA_CA,
                    Language::En => abi::GLOSA_EN,
                },
                text: abi::Str::new(document.text()),
                code_points: document.code_points(),
                tokens: abi::Array::new(&tokens),
                parts: abi::Array::new(&parts),
                sentences: abi::Array::new(&sentences),
                blocks: abi::Array::new(&blocks),
                words: abi::Array::new(&words),
                symbols: abi::Array::new(&symbols),
            },
            _document: Arc::clone(document),
            _tokens: tokens,
            _parts: parts,
            _sentences: sentences,
            _blocks: blocks,
            _words: words,
            _symbols: symbols,
        }
    }

    /// The C struct; its pointers are good while the document is.
    pub(super) fn raw(&self) -> *const abi::Document {
        &self.raw
    }
}
