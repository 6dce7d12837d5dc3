//! The test of one token, ready to run.

use glosa_text::{BlockKind, ClauseKind, Document, Sym, TokenFlags, Upos, has_feature, normal_form};
use std::cell::Cell;
use std::sync::Arc;

use regex::Regex;
use rustc_hash::FxHashSet;

use super::program::Scratch;
use super::step::Flag;
use crate::phrases::PhraseHits;
use crate::views::Quotation;
use crate::views::places::Class;
use crate::{Views, WordList};

/// What a search sees: the document, the hits of its glossaries and the values of its thresholds.
pub(crate) struct Scene<'s> {
    pub(crate) document: &'s Document,
    pub(crate) hits: &'s PhraseHits,
    pub(crate) views: &'s Views,
    /// For searches beside a match.
    pub(crate) scratch: Cell<Scratch>,
    /// Table of each glossary of the query; `None` where the cascade has no rows.
    pub(crate) tables: Vec<Option<u32>>,
    /// Numbers of the thresholds of the query; 0 where a threshold is no number.
    pub(crate) numbers: Vec<u32>,
    /// Words of the thresholds of the query; empty where a threshold is no text or list.
    pub(crate) words: Vec<FxHashSet<String>>,
}

impl Scene<'_> {
    /// The end of the term that starts at a token.
    pub(crate) fn term(&self, glossary: u32, at: u32) -> Option<u32> {
        let table = self.tables[glossary as usize]?;
        let hit = self.hits.starting_at(table, at)?;
        Some(hit.tokens.end)
    }

    fn inside_term(&self, glossary: u32, at: u32) -> bool {
        self.tables[glossary as usize].is_some_and(|table| self.hits.covering(table, at).is_some())
    }
}

/// Values of which one must be met.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordSet {
    pub(crate) literals: FxHashSet<String>,
    pub(crate) regexes: Vec<Regex>,
    pub(crate) params: Vec<u32>,
    pub(crate) lists: Vec<Arc<WordList>>,
}

impl WordSet {
    pub(crate) fn is_empty(&self) -> bool {
        self.literals.is_empty() && self.lists.is_empty() && self.regexes.is_empty() && self.params.is_empty()
    }

    /// Whether nothing but its literals and lists can be met.
    pub(crate) fn is_closed(&self) -> bool {
        !self.is_empty() && self.regexes.is_empty() && self.params.is_empty()
    }

    /// Whether an entry of several tokens can be met.
    pub(crate) fn has_phrases(&self) -> bool {
        self.lists.iter().any(|list| list.longest() > 1)
    }

    fn has_form(&self, form: &str, scene: &Scene<'_>) -> bool {
        self.literals.contains(form) || self.lists.iter().any(|list| list.has_form(form)) || self.open(form, scene)
    }

    fn has(&self, word: &str, scene: &Scene<'_>) -> bool {
        self.literals.contains(word) || self.lists.iter().any(|list| list.has(word)) || self.open(word, scene)
    }

    fn open(&self, word: &str, scene: &Scene<'_>) -> bool {
        self.regexes.iter().any(|regex| regex.is_match(word))
            || self.params.iter().any(|param| scene.words[*param as usize].contains(word))
    }
}

/// A fact that the form of a token says by itself.
fn of_form(flag: Flag) -> Option<fn(TokenFlags) -> bool> {
    match flag {
        Flag::Capitalised => Some(TokenFlags::capitalised),
        Flag::AllCaps => Some(TokenFlags::all_caps),
        Flag::Word => Some(TokenFlags::word),
        Flag::Number => Some(TokenFlags::number),
        Flag::Punctuation => Some(TokenFlags::punctuation),
        Flag::Known => Some(TokenFlags::known),
        Flag::SpaceBefore | Flag::First | Flag::Quoted => None,
    }
}

/// The tests of one step.
#[derive(Clone, Debug, Default)]
pub(crate) struct TokenTest {
    pub(crate) form: WordSet,
    pub(crate) norm: WordSet,
    pub(crate) lemma: WordSet,
    /// Normal forms of participles.
    pub(crate) participle: WordSet,
    pub(crate) starts: Vec<String>,
    pub(crate) ends: Vec<String>,
    /// Bits of [`Upos`]; 0 tests nothing.
    pub(crate) pos: u32,
    pub(crate) morph: Vec<(String, Vec<String>)>,
    pub(crate) glossaries: Vec<u32>,
    pub(crate) part: Option<Box<TokenTest>>,
    pub(crate) tree: Option<Box<TreeTest>>,
    /// Kinds of blocks; none tests nothing.
    pub(crate) blocks: Vec<BlockKind>,
    pub(crate) flags: Vec<(Flag, bool)>,
    pub(crate) not: Vec<TokenTest>,
}

/// Tests of the place of a token in its tree. Nothing passes in a text that was not parsed.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeTest {
    pub(crate) relations: Vec<String>,
    pub(crate) head: Option<TokenTest>,
    pub(crate) child: Option<TokenTest>,
    pub(crate) clauses: Vec<ClauseKind>,
}

impl TreeTest {
    fn passes(&self, scene: &Scene<'_>, at: u32) -> bool {
        let Some(syntax) = scene.document.syntax_at(at) else { return false };
        let relation = scene.document.string(syntax.relation(at));
        let plain = relation.split(':').next().unwrap_or(relation);
        let kind = || syntax.clause_of(at).map(|number| syntax.clauses()[number as usize].kind);
        (self.relations.is_empty() || self.relations.iter().any(|wanted| wanted == relation || wanted == plain))
            && (self.clauses.is_empty() || kind().is_some_and(|kind| self.clauses.contains(&kind)))
            && self.head.as_ref().is_none_or(|test| syntax.head(at).is_some_and(|head| test.passes(scene, head)))
            && self.child.as_ref().is_none_or(|test| syntax.children(at).iter().any(|child| test.passes(scene, *child)))
    }
}

/// The linguistic side of a token or of one of its syntactic words.
struct Word {
    form: Sym,
    norm: Sym,
    lemma: Sym,
    feats: Sym,
    pos: Upos,
    part: bool,
}

impl TokenTest {
    /// Whether it says anything of words or classes of tokens, so that not all of them can pass.
    pub(crate) fn narrows(&self) -> bool {
        self.by_class() || self.by_norm() || !self.form.is_empty()
    }

    fn by_class(&self) -> bool {
        self.pos != 0 || !self.morph.is_empty() || self.flags.iter().any(|(flag, _)| of_form(*flag).is_some())
    }

    fn by_norm(&self) -> bool {
        let words = !self.norm.is_empty() && !self.norm.has_phrases();
        words || !self.starts.is_empty() || !self.ends.is_empty()
    }

    /// Tokens that may pass, in no order: all that do are among them.
    pub(crate) fn candidates(&self, scene: &Scene<'_>, found: &mut dyn FnMut(u32)) {
        let document = scene.document;
        let places = scene.views.places(document);
        if self.by_class() {
            let classes = places.classes().iter().filter(|(class, _)| self.may_pass(class, document));
            classes.flat_map(|(_, tokens)| tokens).for_each(|token| found(*token));
            return;
        }
        if !self.by_norm() && !self.form.is_empty() {
            let forms = places.forms().filter(|(form, _)| self.form.has_form(document.string(*form), scene));
            forms.flat_map(|(_, tokens)| tokens).for_each(|token| found(*token));
            return;
        }
        for norm in places.norms() {
            let word = document.string(*norm);
            if self.fits_norm(word, scene) {
                document.norms(*norm).iter().for_each(|token| found(*token));
            }
        }
    }

    /// How many tokens may pass.
    pub(crate) fn count_candidates(&self, scene: &Scene<'_>) -> usize {
        if self.by_class() {
            let classes = scene.views.places(scene.document).classes().iter();
            return classes.filter(|(class, _)| self.may_pass(class, scene.document)).map(|(_, all)| all.len()).sum();
        }
        let mut places = 0;
        self.candidates(scene, &mut |_| places += 1);
        places
    }

    fn may_pass(&self, class: &Class, document: &Document) -> bool {
        (self.pos == 0 || self.pos & (1 << class.pos as u32) != 0)
            && self.flags.iter().all(|(flag, wanted)| of_form(*flag).is_none_or(|is| is(class.flags) == *wanted))
            && self.fits_feats(document.string(class.feats))
    }

    fn fits_feats(&self, feats: &str) -> bool {
        self.morph.iter().all(|(name, values)| values.iter().any(|value| has_feature(feats, name, value)))
    }

    fn fits_norm(&self, norm: &str, scene: &Scene<'_>) -> bool {
        (self.norm.is_empty() || self.norm.has(norm, scene))
            && (self.participle.is_empty() || self.participle.has(norm, scene))
            && (self.starts.is_empty() || self.starts.iter().any(|s| norm.starts_with(&**s)))
            && (self.ends.is_empty() || self.ends.iter().any(|s| norm.ends_with(&**s)))
    }

    pub(crate) fn passes(&self, scene: &Scene<'_>, at: u32) -> bool {
        let token = &scene.document.tokens()[at as usize];
        let word = Word {
            form: token.form,
            norm: token.norm,
            lemma: token.lemma,
            feats: token.feats,
            pos: token.pos,
            part: false,
        };
        self.fits(scene, at, &word)
    }

    fn fits(&self, scene: &Scene<'_>, at: u32, word: &Word) -> bool {
        if self.pos != 0 && self.pos & (1 << word.pos as u32) == 0 {
            return false;
        }
        let document = scene.document;
        let norm = document.string(word.norm);
        let lowered;
        let norm = if word.part && norm.contains(char::is_uppercase) {
            lowered = normal_form(norm);
            &lowered
        } else {
            norm
        };
        (self.lemma.is_empty() || self.lemma.has(document.string(word.lemma), scene))
            && (self.form.is_empty() || self.form.has_form(document.string(word.form), scene))
            && self.fits_norm(norm, scene)
            && self.fits_feats(document.string(word.feats))
            && (self.glossaries.is_empty() || self.glossaries.iter().any(|g| scene.inside_term(*g, at)))
            && (self.blocks.is_empty() || self.blocks.contains(&block(document, at)))
            && self.flags.iter().all(|(flag, wanted)| holds(document, at, *flag) == *wanted)
            && self.part.as_ref().is_none_or(|test| test.passes_part(scene, at))
            && self.not.iter().all(|test| !test.fits(scene, at, word))
            && self.tree.as_ref().is_none_or(|test| test.passes(scene, at))
    }

    fn passes_part(&self, scene: &Scene<'_>, at: u32) -> bool {
        let token = &scene.document.tokens()[at as usize];
        if token.parts.is_empty() {
            return self.passes(scene, at);
        }
        let parts = &scene.document.parts()[token.parts.start as usize..token.parts.end as usize];
        parts.iter().any(|part| {
            let word = Word {
                form: part.form,
                norm: part.form,
                lemma: part.lemma,
                feats: part.feats,
                pos: part.pos,
                part: true,
            };
            self.fits(scene, at, &word)
        })
    }
}

fn holds(document: &Document, at: u32, flag: Flag) -> bool {
    let token = &document.tokens()[at as usize];
    let sentence = || &document.sentences()[token.sentence as usize];
    match flag {
        Flag::Capitalised => token.flags.capitalised(),
        Flag::AllCaps => token.flags.all_caps(),
        Flag::Word => token.flags.word(),
        Flag::Number => token.flags.number(),
        Flag::Punctuation => token.flags.punctuation(),
        Flag::Known => token.flags.known(),
        Flag::SpaceBefore => token.flags.space_before(),
        Flag::First => {
            let before = sentence().tokens.start as usize..at as usize;
            !document.tokens()[before].iter().any(|t| t.flags.word() || t.flags.number())
        }
        Flag::Quoted => Quotation::before(document, at),
    }
}

/// The kind of the block that a token stands in.
fn block(document: &Document, at: u32) -> BlockKind {
    let sentence = &document.sentences()[document.tokens()[at as usize].sentence as usize];
    document.blocks()[sentence.block as usize].kind
}
