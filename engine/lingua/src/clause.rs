//! Finite clauses, read off the tree of a sentence.
//!
//! A word heads a clause when it is a finite verb or has a finite auxiliary or copula. What the clause is follows from its
//! relation; of adverbial clauses, from the words that introduce them (`clauses/<language>.tsv`), which also tell an
//! adverbial clause from the noun that the tree hangs it on («en caso de que», “in the event that”).

use glosa_text::{Clause, ClauseKind, Document, Language, Sentence, Syntax, Token, Upos, has_feature};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::OnceLock;

/// Words of an introduction at most.
const LONGEST: u32 = 8;
/// Words of an introduction that may stand before the one that the tree takes for it.
const REACH: u32 = 4;

struct Introduction {
    words: Vec<&'static str>,
    kind: ClauseKind,
    subjunctive: ClauseKind,
}

/// What introduces clauses in a language.
#[derive(Default)]
pub(crate) struct Introductions {
    /// By first word, the longest first.
    by_first: FxHashMap<&'static str, Vec<Introduction>>,
    passive: Vec<&'static str>,
    agent: Vec<&'static str>,
}

impl Introductions {
    /// Those of a language.
    pub(crate) fn of(language: Language) -> &'static Introductions {
        static ALL: OnceLock<[Introductions; 3]> = OnceLock::new();
        let all = ALL.get_or_init(|| {
            [
                Introductions::read(include_str!("../clauses/es.tsv")),
                Introductions::read(include_str!("../clauses/ca.tsv")),
                Introductions::read(include_str!("../clauses/en.tsv")),
            ]
        });
        match language {
            Language::Es => &all[0],
            Language::Ca => &all[1],
            Language::En => &all[2],
        }
    }

    fn read(data: &'static str) -> Introductions {
        let mut all = Introductions::default();
        for line in data.lines().filter(|line| !line.starts_with('#')) {
            let mut columns = line.split('\t');
            let (Some(words), Some(name)) = (columns.next(), columns.next()) else { continue };
            match (name, ClauseKind::named(name)) {
                ("passive", _) => all.passive.push(words),
                ("agent", _) => all.agent.push(words),
                (_, None) => {}
                (_, Some(kind)) => {
                    let subjunctive = columns.next().and_then(ClauseKind::named).unwrap_or(kind);
                    let words: Vec<&str> = words.split(' ').collect();
                    all.by_first.entry(words[0]).or_default().push(Introduction { words, kind, subjunctive });
                }
            }
        }
        for same in all.by_first.values_mut() {
            same.sort_by_key(|introduction| std::cmp::Reverse(introduction.words.len()));
        }
        all
    }

    /// The longest introduction that starts at or shortly before a token and reaches it, or ends right before it.
    fn around(&self, document: &Document, first: u32, at: u32) -> Option<(Range<u32>, &Introduction)> {
        let norm = |token: u32| document.tokens().get(token as usize).map(|t| document.string(t.norm));
        (at.saturating_sub(REACH).max(first)..=at).find_map(|start| {
            let same = self.by_first.get(norm(start)?)?;
            same.iter().find_map(|introduction| {
                let end = start + introduction.words.len() as u32;
                let fits = introduction.words.iter().zip(start..).all(|(word, token)| norm(token) == Some(word));
                (end >= at && fits).then_some((start..end, introduction))
            })
        })
    }
}

fn plain(relation: &str) -> &str {
    relation.split(':').next().unwrap_or(relation)
}

/// What is read of one sentence.
struct Reading<'d> {
    document: &'d Document,
    syntax: &'d Syntax,
    introductions: &'static Introductions,
}

/// The tree of a sentence with its clauses.
pub(crate) fn with_clauses(document: &Document, sentence: &Sentence, syntax: Syntax) -> Syntax {
    let introductions = Introductions::of(document.language());
    let (clauses, of_token) = Reading { document, syntax: &syntax, introductions }.sentence(sentence);
    syntax.with_clauses(clauses, of_token.into_iter())
}

impl<'d> Reading<'d> {
    fn token(&self, token: u32) -> &'d Token {
        &self.document.tokens()[token as usize]
    }

    fn relation(&self, token: u32) -> &'d str {
        self.document.string(self.syntax.relation(token))
    }

    fn has(&self, token: u32, name: &str, value: &str) -> bool {
        has_feature(self.document.string(self.token(token).feats), name, value)
    }

    fn children(&self, token: u32, relation: &'static str) -> impl Iterator<Item = u32> + '_ {
        self.syntax.children(token).iter().copied().filter(move |child| plain(self.relation(*child)) == relation)
    }

    /// The finite verb of the clause that a token heads, where it heads one.
    fn finite(&self, token: u32) -> Option<u32> {
        if matches!(
            plain(self.relation(token)),
            "aux" | "cop" | "fixed" | "flat" | "compound" | "punct" | "mark" | "case"
        ) {
            return None;
        }
        let verbal = |token: u32| matches!(self.token(token).pos, Upos::Verb | Upos::Aux);
        let finite = |token: u32| verbal(token) && self.has(token, "VerbForm", "Fin");
        let help = || self.children(token, "aux").chain(self.children(token, "cop")).filter(|t| finite(*t)).min();
        if finite(token) { Some(token) } else { help() }
    }

    /// The clauses, and the innermost one of each token.
    fn sentence(&self, sentence: &Sentence) -> (Vec<Clause>, Vec<Option<u32>>) {
        let range = sentence.tokens.clone();
        let first = range.start;
        let at = |token: u32| (token - first) as usize;
        // Heads before their children.
        let mut order: Vec<u32> = range.clone().filter(|t| self.syntax.head(*t).is_none()).collect();
        let mut next = 0;
        while let Some(token) = order.get(next) {
            order.extend_from_slice(self.syntax.children(*token));
            next += 1;
        }
        let mut extent: Vec<Range<u32>> = range.clone().map(|t| t..t + 1).collect();
        for token in order.iter().rev() {
            if let Some(head) = self.syntax.head(*token) {
                let own = extent[at(*token)].clone();
                let all = &mut extent[at(head)];
                *all = all.start.min(own.start)..all.end.max(own.end);
            }
        }
        let mut found: Vec<Clause> = Vec::new();
        let mut enclosing: Vec<Option<u32>> = vec![None; range.len()];
        for token in &order {
            let parent = self.syntax.head(*token).and_then(|head| enclosing[at(head)]);
            enclosing[at(*token)] = parent;
            if let Some(finite) = self.finite(*token) {
                enclosing[at(*token)] = Some(found.len() as u32);
                found.push(self.clause(*token, finite, parent, &found, extent[at(*token)].clone(), first));
            }
        }
        self.settle(&mut found);
        let mut ranks: Vec<u32> = (0..found.len() as u32).collect();
        ranks.sort_by_key(|n| (found[*n as usize].tokens.start, found[*n as usize].depth, *n));
        let mut number = vec![0; found.len()];
        ranks.iter().zip(0..).for_each(|(n, rank)| number[*n as usize] = rank);
        let clauses = ranks.iter().map(|n| {
            let mut clause = found[*n as usize].clone();
            clause.parent = clause.parent.map(|parent| number[parent as usize]);
            clause
        });
        let of_token = enclosing.iter().map(|clause| clause.map(|n| number[n as usize]));
        (clauses.collect(), of_token.collect())
    }

    fn clause(
        &self,
        head: u32,
        finite: u32,
        parent: Option<u32>,
        found: &[Clause],
        tokens: Range<u32>,
        first: u32,
    ) -> Clause {
        let relation = plain(self.relation(head));
        let tokens = self.trimmed(tokens);
        let above = parent.map(|n| &found[n as usize]);
        let joined = relation == "conj" && above.is_some_and(|above| Some(above.head) == self.syntax.head(head));
        let (introducer, named) = self.introduction(head, relation, &tokens, first);
        // After a semicolon a clause without a word that introduces it stands for itself.
        let apart = relation == "advcl" && introducer.is_empty() && self.after_semicolon(&tokens);
        let set_apart = matches!(relation, "parataxis" | "list" | "discourse" | "dislocated" | "vocative");
        let beside = joined || apart || set_apart;
        let kind = match (above, relation) {
            (None, _) => ClauseKind::Main,
            _ if joined => ClauseKind::Coordinate,
            _ if beside => ClauseKind::Inserted,
            (_, "conj") => ClauseKind::Coordinate,
            _ => match named {
                Some(introduction) if self.has(finite, "Mood", "Sub") => introduction.subjunctive,
                Some(introduction) => introduction.kind,
                None if self.relation(head).ends_with(":relcl") || self.relative(&introducer) => ClauseKind::Relative,
                None if relation == "advcl" => ClauseKind::Adverbial,
                None => ClauseKind::Complement,
            },
        };
        let depth = above.map_or(0, |above| above.depth.saturating_add(u16::from(!beside)));
        let helpers = || self.children(head, "aux").chain(self.children(head, "cop"));
        let verb = matches!(self.token(head).pos, Upos::Verb | Upos::Aux);
        let group = || helpers().chain(verb.then_some(head)).chain([finite]);
        let verbs = group().min().unwrap_or(head)..group().max().unwrap_or(head) + 1;
        // «We are writing» has a participle of the present.
        let by_participle = verb && self.has(head, "VerbForm", "Part") && !self.has(head, "Tense", "Pres");
        let passive_helper = |t: u32| self.introductions.passive.contains(&self.document.string(self.token(t).lemma));
        let passive = self.syntax.children(head).iter().any(|t| matches!(self.relation(*t), "aux:pass" | "expl:pass"))
            || by_participle && self.children(head, "aux").any(passive_helper);
        let agent = || {
            let behind = self.syntax.children(head).iter().copied().filter(|child| *child > head);
            // Treebanks of news take many agents for objects.
            let mut nominal = behind.filter(|t| matches!(plain(self.relation(*t)), "obl" | "obj"));
            nominal.find(|t| {
                let marks = |case: u32| self.introductions.agent.contains(&self.document.string(self.token(case).norm));
                self.relation(*t) == "obl:agent" || self.children(*t, "case").any(marks)
            })
        };
        // A conjunction opens its clause, whatever the tree hangs before it.
        let start = if named.is_some() { introducer.start } else { tokens.start };
        let tokens = start..tokens.end;
        Clause {
            span: self.document.span_of_tokens(tokens.start as usize..tokens.end as usize),
            tokens,
            kind,
            head,
            finite,
            verbs,
            parent,
            depth,
            introducer,
            subject: self.children(head, "nsubj").chain(self.children(head, "csubj")).next(),
            agent: if passive { agent() } else { None },
            passive,
        }
    }

    /// The words that introduce a clause, and what is known of them.
    fn introduction(
        &self,
        head: u32,
        relation: &str,
        tokens: &Range<u32>,
        first: u32,
    ) -> (Range<u32>, Option<&'static Introduction>) {
        let mut start = tokens.start;
        // The tree may hang the conjunction on the first noun of its clause.
        let inside = |token: u32| self.syntax.head(token).is_some_and(|above| (tokens.start..=head).contains(&above));
        while start < head && plain(self.relation(start)) == "cc" && inside(start) {
            start += 1;
        }
        if relation != "conj" && self.syntax.head(head).is_some() {
            let mark = self.children(head, "mark").next();
            for at in [mark, Some(start)].into_iter().flatten() {
                let found = self.introductions.around(self.document, first, at);
                // A single word outside the adverbial clause says nothing: «pregunta si», «el día cuando».
                let found = found.filter(|(place, _)| {
                    let inside = relation == "advcl" && place.end > at;
                    place.end <= head && (inside || place.len() > 1) && !self.comma_in(place)
                });
                if let Some((place, introduction)) = found {
                    return (place, Some(introduction));
                }
            }
        }
        let plainly = |token: u32| plain(self.relation(token));
        let mut end = start;
        while end < head && end - start < LONGEST {
            let own = self.syntax.head(end).is_some_and(|above| above == head || (start..end).contains(&above));
            let joins = own && matches!(plainly(end), "mark" | "cc" | "fixed");
            let relative = self.is_relative(end);
            let article = |token: u32| plainly(token) == "det" && self.is_relative(token + 1);
            let leads = article(end) || plainly(end) == "case" && (self.is_relative(end + 1) || article(end + 1));
            if !(joins || relative || leads && end + 1 < head) {
                break;
            }
            end += 1;
            if relative {
                break;
            }
        }
        (tokens.start..end.max(tokens.start), None)
    }

    fn after_semicolon(&self, tokens: &Range<u32>) -> bool {
        let before = tokens.start.checked_sub(1).map(|token| self.document.string(self.token(token).form));
        before == Some(";")
    }

    fn comma_in(&self, tokens: &Range<u32>) -> bool {
        tokens.clone().any(|token| self.token(token).flags.punctuation())
    }

    fn is_relative(&self, token: u32) -> bool {
        (token as usize) < self.document.tokens().len() && self.has(token, "PronType", "Rel")
    }

    fn relative(&self, tokens: &Range<u32>) -> bool {
        tokens.clone().any(|token| self.is_relative(token))
    }

    /// Without punctuation at the ends.
    fn trimmed(&self, tokens: Range<u32>) -> Range<u32> {
        let punctuation = |token: &u32| self.token(*token).flags.punctuation();
        let start = tokens.clone().find(|t| !punctuation(t)).unwrap_or(tokens.start);
        let end = tokens.clone().rev().find(|t| !punctuation(t)).map_or(tokens.end, |t| t + 1);
        start..end.max(start)
    }

    /// Ends each clause before those that are joined to it.
    fn settle(&self, found: &mut [Clause]) {
        for n in 0..found.len() {
            let Clause { kind: ClauseKind::Coordinate, parent: Some(parent), ref tokens, head, .. } = found[n] else {
                continue;
            };
            let start = tokens.start;
            let above = &mut found[parent as usize];
            if above.head < head && above.head < start && start < above.tokens.end {
                above.tokens = self.trimmed(above.tokens.start..start);
                above.span = self.document.span_of_tokens(above.tokens.start as usize..above.tokens.end as usize);
            }
        }
    }
}
