//! The syntax of a sentence: the head and the relation of each token, and the finite clauses; made on demand.
//!
//! A tree has one node a surface token: the syntactic words of a contraction or of a verb with clitics count as the one
//! that stands highest in the tree. Relations are those of Universal Dependencies.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::{Document, Span, Sym, feature};

/// What a finite clause is to the one that it hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ClauseKind {
    /// That of the root.
    Main,
    /// Joined to another clause of the same depth.
    Coordinate,
    /// Beside another clause without a word that joins them: «dijo», a clause after a colon.
    Inserted,
    /// It says something of a noun.
    Relative,
    /// Subject, object or content of a noun.
    Complement,
    /// A condition.
    Conditional,
    /// A cause.
    Causal,
    /// A purpose.
    Purpose,
    /// A time.
    Temporal,
    /// A concession.
    Concessive,
    /// A result.
    Result,
    /// A comparison or contrast.
    Comparative,
    /// Any other adverbial clause.
    Adverbial,
}

impl ClauseKind {
    /// All kinds in the order of their numbers.
    pub const ALL: [ClauseKind; 13] = [
        ClauseKind::Main,
        ClauseKind::Coordinate,
        ClauseKind::Inserted,
        ClauseKind::Relative,
        ClauseKind::Complement,
        ClauseKind::Conditional,
        ClauseKind::Causal,
        ClauseKind::Purpose,
        ClauseKind::Temporal,
        ClauseKind::Concessive,
        ClauseKind::Result,
        ClauseKind::Comparative,
        ClauseKind::Adverbial,
    ];

    /// The name in patterns, scripts and tables.
    pub fn name(self) -> &'static str {
        match self {
            ClauseKind::Main => "main",
            ClauseKind::Coordinate => "coordinate",
            ClauseKind::Inserted => "inserted",
            ClauseKind::Relative => "relative",
            ClauseKind::Complement => "complement",
            ClauseKind::Conditional => "conditional",
            ClauseKind::Causal => "causal",
            ClauseKind::Purpose => "purpose",
            ClauseKind::Temporal => "temporal",
            ClauseKind::Concessive => "concessive",
            ClauseKind::Result => "result",
            ClauseKind::Comparative => "comparative",
            ClauseKind::Adverbial => "adverbial",
        }
    }

    /// The kind of a name.
    pub fn named(name: &str) -> Option<ClauseKind> {
        ClauseKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for ClauseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A finite clause. Tokens are numbers of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Place in code points, punctuation at its ends excluded.
    pub span: Span,
    /// From its first token to its last, the clauses inside it included; those joined to it after it are not.
    pub tokens: Range<u32>,
    /// What it is.
    pub kind: ClauseKind,
    /// The word that heads it: a verb, or what the copula is said of.
    pub head: u32,
    /// The finite verb.
    pub finite: u32,
    /// From the first word of its verb group to the last.
    pub verbs: Range<u32>,
    /// The clause that it hangs on, or is joined to, by its number in the sentence.
    pub parent: Option<u32>,
    /// Clauses that hold it; a main clause has 0.
    pub depth: u16,
    /// The words that introduce it: conjunction, relative. Empty without any.
    pub introducer: Range<u32>,
    /// Head of the subject; `None` where it is left out.
    pub subject: Option<u32>,
    /// Head of the agent of a passive.
    pub agent: Option<u32>,
    /// The verb is passive: `ser` and a participle, or a reflexive passive.
    pub passive: bool,
}

impl Clause {
    /// The person of its subject, 1 to 3: that of the finite verb, or else that of the subject; 3 where neither says it.
    pub fn person(&self, document: &Document) -> u32 {
        let of = |token: u32| {
            let feats = document.string(document.tokens().get(token as usize)?.feats);
            feature(feats, "Person")?.parse().ok()
        };
        of(self.finite).or_else(|| of(self.subject?)).unwrap_or(3)
    }
}

/// Head and relation of every token of a sentence, and its clauses in the order of their first tokens. Tokens are numbers
/// of the document; clauses are numbered in the sentence.
#[derive(Clone, Debug, Default)]
pub struct Syntax {
    first: u32,
    heads: Vec<u32>,
    relations: Vec<Sym>,
    starts: Vec<u32>,
    children: Vec<u32>,
    clauses: Vec<Clause>,
    clause_of: Vec<u32>,
}

/// The head of a root, and the clause of a token outside all clauses.
const NONE: u32 = u32::MAX;

impl Syntax {
    /// Files the arcs of the tokens of a sentence, of which `first` is the first: the number of the head, `None` for a
    /// root, and the relation.
    pub fn new(first: u32, arcs: impl Iterator<Item = (Option<u32>, Sym)>) -> Self {
        let (heads, relations): (Vec<u32>, Vec<Sym>) =
            arcs.map(|(head, relation)| (head.unwrap_or(NONE), relation)).unzip();
        let inside = |head: u32| head.checked_sub(first).map(|at| at as usize).filter(|at| *at < heads.len());
        let mut starts = vec![0u32; heads.len() + 1];
        for head in heads.iter().filter_map(|head| inside(*head)) {
            starts[head + 1] += 1;
        }
        for at in 0..heads.len() {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut children = vec![0u32; starts[heads.len()] as usize];
        for (token, head) in (first..).zip(&heads) {
            if let Some(head) = inside(*head) {
                let slot = &mut next[head];
                children[*slot as usize] = token;
                *slot += 1;
            }
        }
        let clause_of = vec![NONE; heads.len()];
        Syntax { first, heads, relations, starts, children, clauses: Vec::new(), clause_of }
    }

    /// The same with clauses, in the order of their first tokens; `of_token` gives the innermost clause of each token.
    pub fn with_clauses(mut self, clauses: Vec<Clause>, of_token: impl Iterator<Item = Option<u32>>) -> Self {
        self.clauses = clauses;
        self.clause_of = of_token.map(|clause| clause.unwrap_or(NONE)).collect();
        self.clause_of.resize(self.heads.len(), NONE);
        self
    }

    fn at(&self, token: u32) -> usize {
        token.wrapping_sub(self.first) as usize
    }

    /// The tokens of the sentence.
    pub fn tokens(&self) -> Range<u32> {
        self.first..self.first + self.heads.len() as u32
    }

    /// The head of a token; `None` for a root.
    pub fn head(&self, token: u32) -> Option<u32> {
        self.heads.get(self.at(token)).copied().filter(|head| *head != NONE)
    }

    /// The relation of a token to its head.
    pub fn relation(&self, token: u32) -> Sym {
        self.relations.get(self.at(token)).copied().unwrap_or(Sym::EMPTY)
    }

    /// The tokens whose head is `token`, in reading order.
    pub fn children(&self, token: u32) -> &[u32] {
        let at = self.at(token);
        match self.starts.get(at..at.saturating_add(2)) {
            Some([start, end]) => &self.children[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// The finite clauses in the order of their first tokens.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The innermost clause that a token belongs to.
    pub fn clause_of(&self, token: u32) -> Option<u32> {
        self.clause_of.get(self.at(token)).copied().filter(|clause| *clause != NONE)
    }
}

/// What finds the tree of a sentence. The same document and sentence give the same tree, whatever was asked before.
pub trait SentenceParser: fmt::Debug + Send + Sync {
    /// The tree of a sentence unit of the document, by number.
    fn parse(&self, document: &Document, sentence: u32) -> Syntax;
}

/// The trees of a document. Each is made when it is first asked for, since most sentences are never asked about.
#[derive(Clone, Debug)]
pub(crate) struct Trees {
    parser: Arc<dyn SentenceParser>,
    sentences: Box<[OnceLock<Syntax>]>,
}

impl Trees {
    pub(crate) fn new(parser: Arc<dyn SentenceParser>, sentences: usize) -> Trees {
        Trees { parser, sentences: (0..sentences).map(|_| OnceLock::new()).collect() }
    }

    pub(crate) fn of(&self, document: &Document, sentence: u32) -> Option<&Syntax> {
        let place = self.sentences.get(sentence as usize)?;
        Some(place.get_or_init(|| self.parser.parse(document, sentence)))
    }

    pub(crate) fn made(&self) -> impl Iterator<Item = u32> + '_ {
        let made = (0..).zip(&self.sentences).filter(|(_, place)| place.get().is_some());
        made.map(|(sentence, _)| sentence)
    }
}
