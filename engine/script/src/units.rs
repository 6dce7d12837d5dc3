//! Handles of the parts of a document: token, sentence, block, word.

use std::ops::Range;
use std::sync::Arc;

use glosa_text::{BlockKind, ClauseKind, NounPhrase, Span, Sym, Syntax, TokenFlags, Upos, feature, has_feature};
use rhai::{Array, Dynamic, Engine, EvalAltResult, INT, ImmutableString, Map};

use crate::list::{Items, List};
use crate::source::Src;

/// The document.
#[derive(Clone)]
pub(crate) struct Doc {
    pub(crate) src: Src,
}

/// A surface token, or none: see [`Token::absent`].
#[derive(Clone)]
pub(crate) struct Token {
    pub(crate) src: Src,
    pub(crate) number: u32,
}

/// A sentence unit.
#[derive(Clone)]
pub(crate) struct Sentence {
    pub(crate) src: Src,
    pub(crate) number: u32,
}

/// A paragraph, heading or list item.
#[derive(Clone)]
pub(crate) struct Block {
    pub(crate) src: Src,
    pub(crate) number: u32,
}

/// A finite clause.
#[derive(Clone)]
pub(crate) struct Clause {
    pub(crate) src: Src,
    raw: glosa_text::Clause,
}

/// An orthographic word.
#[derive(Clone)]
pub(crate) struct Word {
    pub(crate) src: Src,
    pub(crate) number: u32,
}

/// The number of the token that stands where there is none.
const ABSENT: u32 = u32::MAX;

/// What is known of a token that is not there.
static NOTHING: glosa_text::Token = glosa_text::Token {
    span: Span { start: 0, end: 0 },
    bytes: 0..0,
    form: Sym::EMPTY,
    norm: Sym::EMPTY,
    lemma: Sym::EMPTY,
    feats: Sym::EMPTY,
    pos: Upos::X,
    flags: TokenFlags::NONE,
    sentence: 0,
    parts: 0..0,
    zipf: 0,
};

impl Token {
    /// What stands where there is no token: its texts are empty and its flags false, and nothing stands beside it.
    pub(crate) fn absent(src: &Src) -> Self {
        Token { src: Arc::clone(src), number: ABSENT }
    }

    pub(crate) fn is_absent(&self) -> bool {
        self.number == ABSENT
    }

    pub(crate) fn raw(&self) -> &glosa_text::Token {
        self.src.document().tokens().get(self.number as usize).unwrap_or(&NOTHING)
    }

    fn beside(&self, step: i64) -> Token {
        if self.is_absent() {
            return self.clone();
        }
        let number = i64::from(self.number) + step;
        let sentence = &self.src.document().sentences()[self.raw().sentence as usize];
        let number = u32::try_from(number).ok().filter(|number| sentence.tokens.contains(number));
        Token { src: Arc::clone(&self.src), number: number.unwrap_or(ABSENT) }
    }

    /// The tree of its sentence, where the document has trees and there is a token.
    fn syntax(&self) -> Option<&Syntax> {
        self.src.document().syntax_at(self.number)
    }

    /// A number of the token, -1 where there is none.
    fn number(&self, number: u32) -> INT {
        if self.is_absent() { -1 } else { INT::from(number) }
    }
}

/// Why nothing can be said of a token that is not there.
pub(crate) const NO_TOKEN: &str = "there is no token here; ask `is_absent` first";

impl Sentence {
    pub(crate) fn raw(&self) -> &glosa_text::Sentence {
        &self.src.document().sentences()[self.number as usize]
    }
}

impl Doc {
    /// Sentences of at least so many words that pass a test, headings left out.
    fn long(&self, words: INT, test: impl Fn(&Sentence) -> bool) -> List {
        let document = self.src.document();
        let words = usize::try_from(words).unwrap_or(0);
        let long = document.sentences().iter().zip(0u32..).filter(|(s, _)| s.index.is_some() && s.words.len() >= words);
        let all = long.map(|(_, number)| Sentence { src: Arc::clone(&self.src), number });
        List::chosen(&self.src, Items::Sentences, all.filter(test).map(|s| s.number).collect::<Vec<_>>())
    }
}

/// Tokens from the start of a sentence to the verb of its main clause.
fn late_main(s: &Sentence) -> INT {
    let main = s.clauses().iter().find(|clause| clause.kind == ClauseKind::Main);
    main.map_or(0, |clause| INT::from(clause.verbs.start) - INT::from(s.raw().tokens.start))
}

/// The most tokens from a subject to the verb behind it.
fn late_verb(s: &Sentence) -> INT {
    let far = |clause: &glosa_text::Clause| {
        clause.subject.map_or(0, |subject| INT::from(clause.verbs.start) - INT::from(subject))
    };
    s.clauses().iter().map(far).max().unwrap_or(0)
}

impl Sentence {
    fn deepest(&self) -> u16 {
        self.clauses().iter().map(|clause| clause.depth).max().unwrap_or(0)
    }

    fn clauses(&self) -> &[glosa_text::Clause] {
        self.src.document().syntax(self.number).map_or(&[][..], Syntax::clauses)
    }
}

impl Block {
    fn raw(&self) -> &glosa_text::Block {
        &self.src.document().blocks()[self.number as usize]
    }

    pub(crate) fn span(&self) -> Span {
        self.src.document().block_span(self.number as usize)
    }

    fn sentences(&self) -> Range<u32> {
        let document = self.src.document();
        let start = document.sentences().partition_point(|s| s.block < self.number);
        let count = document.sentences_of_block(self.number as usize).len();
        start as u32..(start + count) as u32
    }

    fn covered(&self, part: impl Fn(&glosa_text::Sentence) -> Range<u32>) -> Range<u32> {
        let sentences = self.src.document().sentences_of_block(self.number as usize);
        match (sentences.first(), sentences.last()) {
            (Some(first), Some(last)) => part(first).start..part(last).end,
            _ => 0..0,
        }
    }

    pub(crate) fn tokens(&self) -> Range<u32> {
        self.covered(|s| s.tokens.clone())
    }
}

impl Word {
    pub(crate) fn raw(&self) -> &glosa_text::OrthographicWord {
        &self.src.document().words()[self.number as usize]
    }
}

fn kind_name(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Paragraph => "paragraph",
        BlockKind::Heading => "heading",
        BlockKind::ListItem => "item",
    }
}

fn blocks(doc: &Doc, kind: BlockKind) -> List {
    let place = match kind {
        BlockKind::Paragraph => 1,
        BlockKind::Heading => 2,
        BlockKind::ListItem => 3,
    };
    let numbers = doc.src.units()[place].get_or_init(|| {
        let blocks = doc.src.document().blocks().iter().zip(0u32..);
        blocks.filter(|(b, _)| b.kind == kind).map(|(_, n)| n).collect()
    });
    List::shared(&doc.src, Items::Blocks, numbers)
}

fn sentences(doc: &Doc) -> List {
    let numbers = doc.src.units()[0].get_or_init(|| {
        let units = doc.src.document().sentences().iter().zip(0u32..);
        units.filter(|(s, _)| s.index.is_some()).map(|(_, n)| n).collect()
    });
    List::shared(&doc.src, Items::Sentences, numbers)
}

pub(crate) fn register(engine: &mut Engine) {
    document(engine);
    token(engine);
    sentence(engine);
    clause(engine);
    block(engine);
    word(engine);
}

fn document(engine: &mut Engine) {
    engine
        .register_type_with_name::<Doc>("Document")
        .register_get("language", |doc: &mut Doc| ImmutableString::from(doc.src.document().language().code()))
        .register_get("text", |doc: &mut Doc| ImmutableString::from(crate::source::bounded(doc.src.document().text())))
        .register_get("tokens", |doc: &mut Doc| {
            List::range(&doc.src, Items::Tokens, 0..doc.src.document().tokens().len() as u32)
        })
        .register_get("words", |doc: &mut Doc| {
            List::range(&doc.src, Items::Words, 0..doc.src.document().words().len() as u32)
        })
        .register_get("blocks", |doc: &mut Doc| {
            List::range(&doc.src, Items::Blocks, 0..doc.src.document().blocks().len() as u32)
        })
        .register_get("sentences", |doc: &mut Doc| sentences(doc))
        .register_get("paragraphs", |doc: &mut Doc| blocks(doc, BlockKind::Paragraph))
        .register_get("headings", |doc: &mut Doc| blocks(doc, BlockKind::Heading))
        .register_get("items", |doc: &mut Doc| blocks(doc, BlockKind::ListItem))
        .register_fn("nested_clauses", |doc: &mut Doc, depth: INT, words: INT| {
            doc.long(words, |s| INT::from(s.deepest()) > depth)
        })
        .register_fn("late_verbs", |doc: &mut Doc, tokens: INT, words: INT| doc.long(words, |s| late_verb(s) > tokens))
        .register_fn("late_mains", |doc: &mut Doc, tokens: INT, words: INT, first: Array| {
            let first: Vec<String> = first.iter().map(ToString::to_string).collect();
            doc.long(words, |s| {
                let opening = s.src.document().tokens().get(s.raw().tokens.start as usize);
                opening.is_some_and(|token| first.iter().any(|pos| pos == token.pos.as_str())) && late_main(s) > tokens
            })
        })
        .register_fn("with_norm", |doc: &mut Doc, norm: &str| {
            List::chosen(&doc.src, Items::Tokens, doc.src.document().with_norm(norm).iter().copied())
        })
        .register_fn("with_lemma", |doc: &mut Doc, lemma: &str| {
            List::chosen(&doc.src, Items::Tokens, doc.src.document().with_lemma(lemma).iter().copied())
        });
}

fn token(engine: &mut Engine) {
    engine
        .register_type_with_name::<Token>("Token")
        .register_get("index", |t: &mut Token| t.number(t.number))
        .register_get("is_absent", |t: &mut Token| t.is_absent())
        .register_get("start", |t: &mut Token| t.number(t.raw().span.start))
        .register_get("end", |t: &mut Token| t.number(t.raw().span.end))
        .register_get("form", |t: &mut Token| t.src.string(t.raw().form))
        .register_get("text", |t: &mut Token| t.src.string(t.raw().form))
        .register_get("norm", |t: &mut Token| t.src.string(t.raw().norm))
        .register_get("lemma", |t: &mut Token| t.src.string(t.raw().lemma))
        .register_get("feats", |t: &mut Token| t.src.string(t.raw().feats))
        .register_get("pos", |t: &mut Token| match t.is_absent() {
            true => ImmutableString::new(),
            false => t.raw().pos.as_str().into(),
        })
        .register_fn("morph", |t: &mut Token, name: &str| {
            let feats = t.src.document().string(t.raw().feats);
            ImmutableString::from(feature(feats, name).unwrap_or(""))
        })
        .register_fn("has", |t: &mut Token, name: &str, value: &str| {
            has_feature(t.src.document().string(t.raw().feats), name, value)
        })
        .register_get("zipf", |t: &mut Token| match t.raw().zipf {
            0 => Dynamic::UNIT,
            tenths => Dynamic::from(f64::from(tenths) / 10.0),
        })
        .register_get("is_word", |t: &mut Token| t.raw().flags.word())
        .register_get("is_number", |t: &mut Token| t.raw().flags.number())
        .register_get("is_punctuation", |t: &mut Token| t.raw().flags.punctuation())
        .register_get("capitalised", |t: &mut Token| t.raw().flags.capitalised())
        .register_get("all_caps", |t: &mut Token| t.raw().flags.all_caps())
        .register_get("known", |t: &mut Token| t.raw().flags.known())
        .register_get("space_before", |t: &mut Token| t.raw().flags.space_before())
        .register_get("is_quoted", |t: &mut Token| t.src.is_quoted(t.number))
        .register_get("white_before", |t: &mut Token| {
            if t.is_absent() {
                return ImmutableString::new();
            }
            let tokens = t.src.document().tokens();
            let previous = t.number.checked_sub(1).map_or(0, |n| tokens[n as usize].bytes.end);
            t.src.text(previous as usize..t.raw().bytes.start as usize)
        })
        .register_get("relation", |t: &mut Token| match t.syntax() {
            Some(syntax) => t.src.string(syntax.relation(t.number)),
            None => ImmutableString::new(),
        })
        .register_get("head", |t: &mut Token| {
            let number = t.syntax().and_then(|syntax| syntax.head(t.number)).unwrap_or(ABSENT);
            Token { src: Arc::clone(&t.src), number }
        })
        .register_get("children", |t: &mut Token| {
            let children = t.syntax().map_or(&[][..], |syntax| syntax.children(t.number));
            List::chosen(&t.src, Items::Tokens, children.iter().copied())
        })
        .register_get("phrase", |t: &mut Token| {
            let phrase = t.syntax().map(|syntax| NounPhrase::of(t.src.document(), syntax, t.number).tokens);
            List::range(&t.src, Items::Tokens, phrase.unwrap_or(0..0))
        })
        .register_get("clause", |t: &mut Token| {
            let kind = |syntax: &Syntax| Some(syntax.clauses()[syntax.clause_of(t.number)? as usize].kind.name());
            ImmutableString::from(t.syntax().and_then(kind).unwrap_or_default())
        })
        .register_get("next", |t: &mut Token| t.beside(1))
        .register_get("previous", |t: &mut Token| t.beside(-1))
        .register_get("sentence", |t: &mut Token| match t.is_absent() {
            true => Err(Box::<EvalAltResult>::from(NO_TOKEN)),
            false => Ok(Sentence { src: Arc::clone(&t.src), number: t.raw().sentence }),
        })
        .register_get("parts", |t: &mut Token| {
            let parts = t.raw().parts.clone();
            let parts = &t.src.document().parts()[parts.start as usize..parts.end as usize];
            let part = |p: &glosa_text::WordPart| {
                let mut map = Map::new();
                map.insert("form".into(), t.src.string(p.form).into());
                map.insert("lemma".into(), t.src.string(p.lemma).into());
                map.insert("feats".into(), t.src.string(p.feats).into());
                map.insert("pos".into(), p.pos.as_str().into());
                Dynamic::from(map)
            };
            parts.iter().map(part).collect::<Array>()
        })
        .register_fn("==", |a: Token, b: Token| a.number == b.number)
        .register_fn("==", |t: Token, (): ()| t.is_absent())
        .register_fn("!=", |t: Token, (): ()| !t.is_absent())
        .register_fn("!=", |a: Token, b: Token| a.number != b.number);
}

fn clause(engine: &mut Engine) {
    let tokens = |c: &Clause, range: &Range<u32>| List::range(&c.src, Items::Tokens, range.clone());
    let token = |c: &Clause, number: Option<u32>| Token { src: Arc::clone(&c.src), number: number.unwrap_or(ABSENT) };
    engine
        .register_type_with_name::<Clause>("Clause")
        .register_get("kind", |c: &mut Clause| ImmutableString::from(c.raw.kind.name()))
        .register_get("depth", |c: &mut Clause| INT::from(c.raw.depth))
        .register_get("tokens", move |c: &mut Clause| tokens(c, &c.raw.tokens))
        .register_get("introducer", move |c: &mut Clause| tokens(c, &c.raw.introducer))
        .register_get("verbs", move |c: &mut Clause| tokens(c, &c.raw.verbs))
        .register_get("head", move |c: &mut Clause| token(c, Some(c.raw.head)))
        .register_get("finite", move |c: &mut Clause| token(c, Some(c.raw.finite)))
        .register_get("subject", move |c: &mut Clause| token(c, c.raw.subject))
        .register_get("person", |c: &mut Clause| INT::from(c.raw.person(c.src.document())));
}

fn sentence(engine: &mut Engine) {
    engine
        .register_type_with_name::<Sentence>("Sentence")
        .register_get("index", |s: &mut Sentence| match s.raw().index {
            Some(index) => Dynamic::from(INT::from(index)),
            None => Dynamic::UNIT,
        })
        .register_get("is_heading", |s: &mut Sentence| s.raw().index.is_none())
        .register_get("start", |s: &mut Sentence| INT::from(s.raw().span.start))
        .register_get("end", |s: &mut Sentence| INT::from(s.raw().span.end))
        .register_get("text", |s: &mut Sentence| {
            let bytes = s.raw().bytes.clone();
            s.src.text(bytes.start as usize..bytes.end as usize)
        })
        .register_get("tokens", |s: &mut Sentence| List::range(&s.src, Items::Tokens, s.raw().tokens.clone()))
        .register_get("words", |s: &mut Sentence| List::range(&s.src, Items::Words, s.raw().words.clone()))
        .register_get("word_count", |s: &mut Sentence| s.raw().words.len() as INT)
        .register_get("clauses", |s: &mut Sentence| {
            let own = s.clauses().iter().map(|raw| Clause { src: Arc::clone(&s.src), raw: raw.clone() });
            own.map(Dynamic::from).collect::<Array>()
        })
        .register_get("main", |s: &mut Sentence| {
            let main = s.clauses().iter().find(|clause| clause.kind == ClauseKind::Main);
            main.map_or(Dynamic::UNIT, |raw| Dynamic::from(Clause { src: Arc::clone(&s.src), raw: raw.clone() }))
        })
        .register_get("deepest", |s: &mut Sentence| INT::from(s.deepest()))
        .register_get("block", |s: &mut Sentence| Block { src: Arc::clone(&s.src), number: s.raw().block })
        .register_get("next", |s: &mut Sentence| match s.number + 1 {
            number if (number as usize) < s.src.document().sentences().len() => {
                Dynamic::from(Sentence { src: Arc::clone(&s.src), number })
            }
            _ => Dynamic::UNIT,
        })
        .register_get("previous", |s: &mut Sentence| match s.number.checked_sub(1) {
            Some(number) => Dynamic::from(Sentence { src: Arc::clone(&s.src), number }),
            None => Dynamic::UNIT,
        })
        .register_fn("==", |a: Sentence, b: Sentence| a.number == b.number)
        .register_fn("!=", |a: Sentence, b: Sentence| a.number != b.number);
}

fn block(engine: &mut Engine) {
    engine
        .register_type_with_name::<Block>("Block")
        .register_get("index", |b: &mut Block| INT::from(b.number))
        .register_get("kind", |b: &mut Block| ImmutableString::from(kind_name(b.raw().kind)))
        .register_get("start", |b: &mut Block| INT::from(b.span().start))
        .register_get("end", |b: &mut Block| INT::from(b.span().end))
        .register_get("text", |b: &mut Block| b.src.text(b.raw().content.clone()))
        .register_get("sentences", |b: &mut Block| List::range(&b.src, Items::Sentences, b.sentences()))
        .register_get("tokens", |b: &mut Block| List::range(&b.src, Items::Tokens, b.tokens()))
        .register_get("words", |b: &mut Block| List::range(&b.src, Items::Words, b.covered(|s| s.words.clone())))
        .register_get("word_count", |b: &mut Block| b.covered(|s| s.words.clone()).len() as INT)
        .register_fn("==", |a: Block, b: Block| a.number == b.number)
        .register_fn("!=", |a: Block, b: Block| a.number != b.number);
}

fn word(engine: &mut Engine) {
    engine
        .register_type_with_name::<Word>("Word")
        .register_get("start", |w: &mut Word| INT::from(w.raw().span.start))
        .register_get("end", |w: &mut Word| INT::from(w.raw().span.end))
        .register_get("text", |w: &mut Word| {
            let bytes = w.raw().bytes.clone();
            w.src.text(bytes.start as usize..bytes.end as usize)
        })
        .register_get("syllables", |w: &mut Word| INT::from(w.raw().syllables))
        .register_get("letters", |w: &mut Word| INT::from(w.raw().letters))
        .register_get("sentence", |w: &mut Word| Sentence { src: Arc::clone(&w.src), number: w.raw().sentence });
}
