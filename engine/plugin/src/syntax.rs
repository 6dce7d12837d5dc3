//! Tree, clauses and noun phrases of a sentence as a plugin written in Rust sees them.

use crate::abi;
use crate::abi::Range;
use crate::{Doc, Token};

/// What a finite clause is to the one that it hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "abi.rs says what each is")]
pub enum ClauseKind {
    Main,
    Coordinate,
    Inserted,
    Relative,
    Complement,
    Conditional,
    Causal,
    Purpose,
    Temporal,
    Concessive,
    Result,
    Comparative,
    Adverbial,
}

/// A finite clause. Tokens are numbers of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Place in code points, punctuation at its ends excluded.
    pub span: Range,
    /// From its first token to its last, the clauses inside it included; those joined to it after it are not.
    pub tokens: Range,
    /// The words that introduce it; empty without any.
    pub introducer: Range,
    /// From the first word of its verb group to the last.
    pub verbs: Range,
    /// What it is.
    pub kind: ClauseKind,
    /// Clauses that hold it; a main clause has 0.
    pub depth: u32,
    /// The clause that it hangs on or is joined to, by its number in the sentence.
    pub parent: Option<u32>,
    /// The word that heads it.
    pub head: u32,
    /// The finite verb.
    pub finite: u32,
    /// Head of the subject; `None` where it is left out.
    pub subject: Option<u32>,
    /// Head of the agent of a passive.
    pub agent: Option<u32>,
    /// The verb is passive.
    pub passive: bool,
    /// The person of its subject, 1 to 3, also where the subject is left out.
    pub person: u32,
}

/// A noun with what belongs to it. Tokens are numbers of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NounPhrase {
    /// From its first token to its last, without a gap.
    pub tokens: Range,
    /// The noun, name or pronoun that heads it.
    pub head: u32,
    /// Heads of what modifies it, in reading order.
    pub modifiers: Vec<u32>,
}

impl NounPhrase {
    /// # Safety
    /// The array is that of `syntax/3` and lives as long as this function runs.
    pub(crate) unsafe fn copy_all(phrases: abi::Array) -> Vec<NounPhrase> {
        // SAFETY: the caller answers for the array and for what its items point to.
        unsafe {
            let copy = |raw: &abi::Phrase| NounPhrase {
                tokens: raw.tokens,
                head: raw.head,
                modifiers: raw.modifiers.iter::<u32>().copied().collect(),
            };
            phrases.iter::<abi::Phrase>().map(copy).collect()
        }
    }
}

/// The syntax of a sentence, lent for one call. Tokens have their numbers in the document.
#[derive(Debug)]
pub struct Syntax {
    first: u32,
    arcs: abi::Array,
    clauses: Vec<Clause>,
}

impl Syntax {
    /// # Safety
    /// The arrays are those of `syntax/2` and live as long as this value is used.
    pub(crate) unsafe fn new(first: u32, arcs: abi::Array, clauses: abi::Array) -> Syntax {
        // SAFETY: the caller answers for the arrays.
        let clauses = unsafe { clauses.iter::<abi::Clause>() };
        Syntax { first, arcs, clauses: clauses.map(Clause::copy).collect() }
    }

    fn arc(&self, token: u32) -> Option<&abi::Arc> {
        // SAFETY: the host lends the arcs for the call, which this value does not outlive.
        unsafe { self.arcs.get(token.checked_sub(self.first)?) }
    }

    /// The head of a token; `None` for a root.
    pub fn head<'d>(&self, doc: Doc<'d>, token: u32) -> Option<Token<'d>> {
        doc.token(self.arc(token).map_or(abi::GLOSA_NONE, |arc| arc.head))
    }

    /// The Universal Dependencies relation of a token to its head.
    pub fn relation<'d>(&self, doc: Doc<'d>, token: u32) -> &'d str {
        self.arc(token).map_or("", |arc| doc.symbol(arc.relation))
    }

    /// The finite clauses in the order of their first tokens.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }
}

impl Clause {
    fn copy(raw: &abi::Clause) -> Clause {
        let some = |number: u32| (number != abi::GLOSA_NONE).then_some(number);
        Clause {
            span: raw.span,
            tokens: raw.tokens,
            introducer: raw.introducer,
            verbs: raw.verbs,
            kind: match raw.kind {
                abi::GLOSA_CLAUSE_MAIN => ClauseKind::Main,
                abi::GLOSA_CLAUSE_COORDINATE => ClauseKind::Coordinate,
                abi::GLOSA_CLAUSE_INSERTED => ClauseKind::Inserted,
                abi::GLOSA_CLAUSE_RELATIVE => ClauseKind::Relative,
                abi::GLOSA_CLAUSE_COMPLEMENT => ClauseKind::Complement,
                abi::GLOSA_CLAUSE_CONDITIONAL => ClauseKind::Conditional,
                abi::GLOSA_CLAUSE_CAUSAL => ClauseKind::Causal,
                abi::GLOSA_CLAUSE_PURPOSE => ClauseKind::Purpose,
                abi::GLOSA_CLAUSE_TEMPORAL => ClauseKind::Temporal,
                abi::GLOSA_CLAUSE_CONCESSIVE => ClauseKind::Concessive,
                abi::GLOSA_CLAUSE_RESULT => ClauseKind::Result,
                abi::GLOSA_CLAUSE_COMPARATIVE => ClauseKind::Comparative,
                _ => ClauseKind::Adverbial,
            },
            depth: raw.depth,
            parent: some(raw.parent),
            head: raw.head,
            finite: raw.finite,
            subject: some(raw.subject),
            agent: some(raw.agent),
            passive: raw.passive != 0,
            person: raw.person,
        }
    }
}
