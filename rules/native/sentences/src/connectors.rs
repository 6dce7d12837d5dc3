//! Connectors at which a sentence can be divided, with those that can open its second half.
//!
//! The glossary `connectors` has a row for each connector; `intra` is the relation that it expresses inside a sentence.
//! Three columns say where it divides one, and with what: `joins`, between two main clauses; `after`, at the head of a
//! clause that follows the main one; `before`, at the head of a clause that opens the sentence. Their value is a list of
//! openers between semicolons, `set` for those that the columns `mid` (`initial` where it opened the sentence) of the
//! glossary give the relation, or `none` where a full stop is enough. A row without them divides nothing.
//!
//! Whether the clauses are there is read off the tree: both halves have a finite verb of their own and belong to no other
//! clause. The tree is asked for where nothing that is written speaks against dividing. Further columns:
//!
//! - `again`: demonstratives, masculine and feminine of the singular and of the plural (one of each where the language has
//!   no more); the second half opens with the right one and the noun that the connector, a relative, stands for, in a
//!   language with one of each also with the demonstrative alone
//! - `role: subject`: only where it is the subject of its clause
//! - `mood`: that of the verb that follows, `subjunctive` or `indicative` (which is meant where nothing is said), or `any`
//! - `comma: yes`: only after a comma
//! - `subject: yes`: only before a clause with a subject before its verb, or an order after an order
//! - `guard: opening`: only as the first word of the sentence
//! - `not_after`: words right before it after which it divides nothing
//! - `not_with`: words further before it, in the same clause, with which it makes a pair
//!
//! Where two main clauses with subjects of their own meet at a comma and a row of `none`, or at a semicolon, the cut is
//! certain, and an edit makes it.

use std::collections::{BTreeMap, HashMap};

use glosa_plugin::{Clause, ClauseKind, Doc, Failure, Glossary, Host, NounPhrase, Range, Sentence, Syntax, Token};

use crate::length::quotes;

/// Words that a half has at least.
const LEAST_WORDS: usize = 4;
const MOST_ALTERNATIVES: usize = 8;
/// A sentence of more clauses is beyond dividing.
const MOST_CLAUSES: usize = 60;
/// A verb further from the connector is likely to belong elsewhere.
const VERB_REACH: u32 = 18;

/// Where a connector stands when it divides a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Joins,
    After,
    Before,
}

const PLACES: [(Place, &str); 3] = [(Place::Joins, "joins"), (Place::After, "after"), (Place::Before, "before")];

#[derive(Debug, Default)]
struct Row {
    relation: String,
    openers: HashMap<Place, Vec<String>>,
    mood: Option<String>,
    comma: bool,
    subject: bool,
    opening: bool,
    not_after: Vec<String>,
    not_with: Vec<String>,
    again: Vec<String>,
    as_subject: bool,
}

/// The connectors of a language.
pub(crate) struct Connectors {
    rows: HashMap<u32, Row>,
    hits: Vec<(Range, u32)>,
}

/// A connector of a sentence.
pub(crate) struct Found {
    pub(crate) span: Range,
    pub(crate) relation: String,
    pub(crate) alternatives: Vec<String>,
}

/// The text that takes the place of a range of code points.
pub(crate) type Edit = (Range, String);

/// Where a sentence can be divided, and the cuts that are certain.
#[derive(Default)]
pub(crate) struct Divided {
    pub(crate) connectors: Vec<Found>,
    pub(crate) edits: Vec<Edit>,
}

fn base_letter(c: char) -> char {
    match c {
        'à' | 'á' | 'ä' => 'a',
        'è' | 'é' | 'ë' => 'e',
        'ì' | 'í' | 'ï' => 'i',
        'ò' | 'ó' | 'ö' => 'o',
        'ù' | 'ú' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        c => c,
    }
}

fn sort_key(term: &str) -> String {
    term.chars().flat_map(char::to_lowercase).map(base_letter).collect()
}

fn capitalise(term: &str) -> String {
    let mut chars = term.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn words(column: Option<String>) -> Vec<String> {
    column.iter().flat_map(|c| c.split_whitespace()).map(str::to_owned).collect()
}

fn in_order(terms: impl Iterator<Item = String>) -> Vec<String> {
    let mut terms: Vec<String> = terms.map(|term| capitalise(&term)).collect();
    terms.sort_by_cached_key(|term| sort_key(term));
    terms.dedup();
    terms.truncate(MOST_ALTERNATIVES);
    terms
}

/// The terms that open a sentence, by the relation that they express there.
fn sets(glossary: &Glossary<'_>, column: &str) -> BTreeMap<String, Vec<String>> {
    let mut by_relation: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for number in 0..glossary.len() {
        let Some(row) = glossary.row(number).filter(|row| row.active) else { continue };
        for relation in words(glossary.column(number, column)) {
            by_relation.entry(relation).or_default().push(row.term.clone());
        }
    }
    by_relation.into_iter().map(|(relation, terms)| (relation, in_order(terms.into_iter()))).collect()
}

impl Connectors {
    /// Reads the glossary once for a document.
    pub(crate) fn read(host: &Host<'_>) -> Result<Connectors, Failure> {
        let glossary = host.glossary("connectors")?;
        let (mid, initial) = (sets(&glossary, "mid"), sets(&glossary, "initial"));
        let hits = glossary.hits();
        let mut rows = HashMap::new();
        for hit in &hits {
            rows.entry(hit.row).or_insert_with(|| {
                let column = |name: &str| glossary.column(hit.row, name);
                let relation = column("intra").unwrap_or_default();
                let mut openers = HashMap::new();
                for (place, name) in PLACES {
                    let set = if place == Place::Before { &initial } else { &mid };
                    let terms = match column(name).as_deref() {
                        None if place == Place::After && column("again").is_some() => Vec::new(),
                        None => continue,
                        Some("none") => Vec::new(),
                        Some("set") => set.get(&relation).cloned().unwrap_or_default(),
                        Some(list) => in_order(list.split(';').map(|term| term.trim().to_owned())),
                    };
                    openers.insert(place, terms);
                }
                Row {
                    relation,
                    openers,
                    mood: column("mood"),
                    comma: column("comma").is_some(),
                    subject: column("subject").is_some(),
                    opening: column("guard").as_deref() == Some("opening"),
                    not_after: words(column("not_after")),
                    not_with: words(column("not_with")),
                    again: words(column("again")),
                    as_subject: column("role").as_deref() == Some("subject"),
                }
            });
        }
        rows.retain(|_, row| !row.openers.is_empty());
        Ok(Connectors { rows, hits: hits.iter().map(|h| (h.tokens, h.row)).collect() })
    }

    /// The first connectors of a sentence, at most `limit`, in reading order.
    pub(crate) fn inside(&self, host: &Host<'_>, doc: Doc<'_>, sentence: Sentence<'_>, limit: usize) -> Divided {
        let range = sentence.token_range();
        let mut read = Read::new(doc, sentence);
        if read.question() {
            return Divided::default();
        }
        let first = self.hits.partition_point(|(at, _)| at.start < range.start);
        let hits = self.hits[first..].iter().take_while(|(at, _)| at.end <= range.end);
        let hits = hits.filter_map(|(at, row)| Some((self.rows.get(row)?, *at)));
        let hits: Vec<(&Row, Range)> = hits.filter(|(row, at)| read.is_likely(row, *at)).collect();
        if hits.is_empty() && read.semicolons().is_empty() {
            return Divided::default();
        }
        read.syntax = host.syntax(sentence);
        read.phrases = host.noun_phrases(sentence);
        if read.clauses().len() > MOST_CLAUSES {
            return Divided::default();
        }
        let found: Vec<(Found, Option<Edit>)> =
            hits.into_iter().filter_map(|(row, at)| read.connector(row, at)).take(limit).collect();
        let (connectors, edits): (Vec<Found>, Vec<Option<Edit>>) = found.into_iter().unzip();
        let edits = edits.into_iter().flatten().chain(read.cuts_at_semicolons()).collect();
        Divided { connectors, edits }
    }
}

/// What is known of a sentence.
struct Read<'s> {
    doc: Doc<'s>,
    /// `None` until the tree is asked for.
    syntax: Option<Syntax>,
    phrases: Vec<NounPhrase>,
    tokens: Vec<Token<'s>>,
    range: Range,
    quotes: Vec<Range>,
    /// Brackets and dashes open before each token.
    closed: Vec<bool>,
}

impl<'s> Read<'s> {
    fn new(doc: Doc<'s>, sentence: Sentence<'s>) -> Self {
        let range = sentence.token_range();
        let tokens: Vec<_> = sentence.tokens().collect();
        let (mut depth, mut dash) = (0usize, false);
        let mut closed = Vec::with_capacity(tokens.len());
        for token in &tokens {
            match token.form() {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                "—" | "–" => dash = !dash,
                _ => {}
            }
            closed.push(depth == 0 && !dash);
        }
        Read { doc, syntax: None, phrases: Vec::new(), tokens, range, quotes: quotes(sentence), closed }
    }

    fn clauses(&self) -> &[Clause] {
        self.syntax.as_ref().map_or(&[], Syntax::clauses)
    }

    fn head(&self, number: u32) -> Option<Token<'s>> {
        self.syntax.as_ref()?.head(self.doc, number)
    }

    fn question(&self) -> bool {
        self.tokens.iter().any(|token| matches!(token.form(), "?" | "¿"))
    }

    fn token(&self, number: u32) -> Option<&Token<'s>> {
        self.tokens.get(number.checked_sub(self.range.start)? as usize)
    }

    fn form(&self, number: u32) -> &'s str {
        self.token(number).map_or("", |token| token.form())
    }

    fn word_count(&self, tokens: Range) -> usize {
        (tokens.start..tokens.end).filter_map(|n| self.token(n)).filter(|t| t.is_word() || t.is_number()).count()
    }

    fn parent(&self, clause: &Clause) -> Option<&Clause> {
        self.clauses().get(clause.parent? as usize)
    }

    /// It and the clauses that it is joined to are no part of another one.
    fn is_main(&self, clause: &Clause) -> bool {
        let joined = clause.kind == ClauseKind::Coordinate && clause.introducer.start < clause.introducer.end;
        clause.depth == 0 && (clause.kind == ClauseKind::Main || joined || self.is_set_apart(clause))
    }

    /// It has a subject, follows a colon or a semicolon, and is no part of a series.
    fn is_set_apart(&self, clause: &Clause) -> bool {
        let mark = clause.tokens.start.checked_sub(1).map_or("", |n| self.form(n));
        let in_series = |other: &Clause| {
            other.kind == ClauseKind::Coordinate
                && other.introducer.start == other.introducer.end
                && self.parent(other).is_some_and(|above| std::ptr::eq(above, clause))
        };
        clause.kind == ClauseKind::Inserted
            && clause.subject.is_some()
            && matches!(mark, ":" | ";")
            && !self.clauses().iter().any(in_series)
    }

    /// It is what the writer says in the first person: «le comunicamos que…». A clause after it is said by the writer too.
    fn is_own_content(&self, clause: &Clause) -> bool {
        let above = self.parent(clause).filter(|above| self.is_main(above));
        clause.kind == ClauseKind::Complement && above.is_some_and(|above| above.person == 1)
    }

    fn opens(&self, at: Range) -> bool {
        self.word_count(Range { start: self.range.start, end: at.start }) == 0
    }

    fn span(&self, at: Range) -> Option<Range> {
        Some(Range { start: self.token(at.start)?.span().start, end: self.token(at.end.checked_sub(1)?)?.span().end })
    }

    fn halves(&self, at: Range) -> [Range; 2] {
        [Range { start: self.range.start, end: at.start }, Range { start: at.end, end: self.range.end }]
    }

    /// Whether it may divide the sentence, as far as this can be said without the tree.
    fn is_likely(&self, row: &Row, at: Range) -> bool {
        let (Some(start), Some(span)) = (self.token(at.start), self.span(at)) else { return false };
        let opens = self.opens(at);
        let quoted = self.quotes.iter().any(|q| q.start <= span.start && span.end <= q.end);
        let closed = self.closed.get((at.start - self.range.start) as usize).copied().unwrap_or(false);
        let in_name = !opens && start.capitalised();
        if quoted || !closed || in_name || row.opening && !opens || self.follows_unfit(row, at) {
            return false;
        }
        let [before, after] = self.halves(at);
        let long = |half: Range, least: usize| self.word_count(half) >= least && self.has_finite(half);
        match opens {
            true => row.openers.contains_key(&Place::Before) && long(after, 2 * LEAST_WORDS),
            false => {
                let divides = row.openers.contains_key(&Place::Joins) || row.openers.contains_key(&Place::After);
                divides && long(before, LEAST_WORDS) && long(after, LEAST_WORDS)
            }
        }
    }

    fn has_finite(&self, tokens: Range) -> bool {
        (tokens.start..tokens.end).filter_map(|n| self.token(n)).any(|token| token.has_feature("VerbForm", "Fin"))
    }

    /// What stands right before it says that it divides nothing.
    fn follows_unfit(&self, row: &Row, at: Range) -> bool {
        let previous = at.start.checked_sub(1).and_then(|n| self.token(n)).map_or("", |token| token.norm());
        row.not_after.iter().any(|word| word == previous) || row.comma && previous != ","
    }

    fn connector(&self, row: &Row, at: Range) -> Option<(Found, Option<Edit>)> {
        let (opens, span) = (self.opens(at), self.span(at)?);
        let introduced = self.clauses().iter().find_map(|clause| {
            let introduced = clause.introducer.start == at.start && clause.introducer.end <= at.end;
            if !introduced || clause.introducer.end == at.start || clause.finite < at.end {
                return None;
            }
            Some((self.place(clause, at, opens)?, clause, self.parent(clause)?))
        });
        let (place, clause, parent) = introduced.or_else(|| self.beside(row, at, opens))?;
        let openers = row.openers.get(&place)?;
        // What follows a colon is divided at commas, and keeps its relatives.
        let before = self.form(at.start.saturating_sub(1));
        if self.is_set_apart(parent) && (before != "," || !row.again.is_empty()) {
            return None;
        }
        let divides = self.mood_fits(row, clause)
            && self.has_subject(row, clause, parent)
            && self.sides(row, place, clause, parent, at)
            && !self.paired(row, at, parent);
        if !divides || row.as_subject && !clause.subject.is_some_and(|subject| (at.start..at.end).contains(&subject)) {
            return None;
        }
        let alternatives = match row.again.as_slice() {
            [] => openers.clone(),
            demonstratives => {
                let alone = || self.alone(demonstratives, clause, parent, at);
                vec![self.again(demonstratives, clause, at).or_else(alone)?]
            }
        };
        let certain = place == Place::Joins && alternatives.is_empty() && self.form(at.start - 1) == ",";
        let apart = parent.depth == 0 && parent.subject.is_some() && self.opens_with_subject(clause);
        let edit = if certain && apart { self.cut(at.start - 1, at.end) } else { None };
        Some((Found { span, relation: row.relation.clone(), alternatives }, edit))
    }

    /// A main clause that the connector opens though the tree sets it beside another: “…, so next week we will close”.
    fn beside(&self, row: &Row, at: Range, opens: bool) -> Option<(Place, &Clause, &Clause)> {
        if opens || !row.comma || self.form(at.start - 1) != "," {
            return None;
        }
        let starts = |clause: &&Clause| {
            clause.depth == 0 && [at.start, at.end].contains(&clause.tokens.start) && clause.finite >= at.end
        };
        let clause = self.clauses().iter().find(starts)?;
        let left = |other: &&Clause| other.depth == 0 && other.finite < at.start && other.kind == ClauseKind::Main;
        let parent = self.clauses().iter().find(left).filter(|other| !std::ptr::eq(*other, clause))?;
        let place = [Place::Joins, Place::After].into_iter().find(|place| row.openers.contains_key(place))?;
        matches!(clause.kind, ClauseKind::Main | ClauseKind::Inserted).then_some((place, clause, parent))
    }

    /// The subject is a noun, it stands before the verb, and its phrase opens the clause.
    fn opens_with_subject(&self, clause: &Clause) -> bool {
        let Some(subject) = clause.subject.filter(|subject| *subject < clause.verbs.start) else { return false };
        let noun = |token: &Token<'_>| matches!(token.pos(), "NOUN" | "PROPN");
        let start = clause.introducer.end.max(clause.tokens.start);
        let opens = |phrase: &NounPhrase| phrase.head == subject && phrase.tokens.start == start;
        self.token(subject).is_some_and(noun) && self.phrases.iter().any(opens)
    }

    /// The edit that ends a sentence at the token `mark` and opens the next one with the token `next`.
    fn cut(&self, mark: u32, next: u32) -> Option<Edit> {
        let (mark, next) = (self.token(mark)?, self.token(next)?);
        let span = Range { start: mark.span().start, end: next.span().end };
        Some((span, format!(". {}", capitalise(next.form()))))
    }

    /// The demonstrative and the noun that a relative stands for, where no other noun before it could be meant.
    fn again(&self, demonstratives: &[String], clause: &Clause, at: Range) -> Option<String> {
        let noun = self.head(clause.head)?;
        let plural =
            |token: &Token<'_>| match (token.has_feature("Number", "Sing"), token.has_feature("Number", "Plur")) {
                (false, true) => Some(true),
                (true, false) => Some(false),
                _ => None,
            };
        let number = plural(&noun)?;
        let (verb, said) = (self.token(clause.finite)?, self.token(clause.head)?);
        let gender = |value: &str| said.has_feature("Gender", value);
        // What the number of the verb, or the gender of what is said with it, tells apart is no rival.
        let agrees = |token: &Token<'_>| {
            let fits = |name: &str| !gender(name) || token.has_feature("Gender", name);
            let like = plural(verb).or(Some(number)).is_none_or(|own| plural(token).is_none_or(|other| other == own));
            like && (fits("Fem") && fits("Masc") || !token.feats().contains("Gender="))
        };
        let rival =
            |token: &Token<'_>| matches!(token.pos(), "NOUN" | "PROPN" | "PRON" | "NUM" | "SYM") && agrees(token);
        let nearer = (noun.number() + 1..at.start).filter_map(|n| self.token(n)).any(rival);
        let above = self.head(noun.number()).is_some_and(|head| rival(&head));
        let inside = noun.pos() == "NOUN" && (self.range.start..at.start).contains(&noun.number());
        if clause.kind != ClauseKind::Relative
            || !agrees(&noun)
            || nearer
            || above
            || !inside
            || noun.form() != noun.norm()
        {
            return None;
        }
        let feminine = noun.has_feature("Gender", "Fem");
        let place = match demonstratives.len() {
            4 if feminine || noun.has_feature("Gender", "Masc") => usize::from(number) * 2 + usize::from(feminine),
            2 => usize::from(number),
            _ => return None,
        };
        Some(format!("{} {}", capitalise(&demonstratives[place]), noun.form()))
    }

    /// The demonstrative alone, in a language without genders: it may stand for a noun or for the whole first half.
    fn alone(&self, demonstratives: &[String], clause: &Clause, parent: &Clause, at: Range) -> Option<String> {
        let [one, several] = demonstratives else { return None };
        let verb = self.token(clause.finite)?;
        let nouns = || (parent.verbs.end..at.start).filter_map(|n| self.token(n)).filter(|t| t.pos() == "NOUN");
        let all = |number: &str| nouns().all(|noun| noun.has_feature("Number", number));
        let number = |value: &str| verb.has_feature("Number", value);
        match (number("Sing") || all("Sing"), number("Plur")) {
            (true, false) => Some(capitalise(one)),
            (false, true) if all("Plur") => Some(capitalise(several)),
            _ => None,
        }
    }

    /// The semicolons, where each of them may stand between two clauses that are long enough.
    fn semicolons(&self) -> Vec<u32> {
        let marks: Vec<u32> =
            (self.range.start..self.range.end).filter(|n| matches!(self.form(*n), ";" | ":")).collect();
        let parts = self.parts(&marks);
        let stands = |at: u32| {
            let (Some(mark), Some(next)) = (self.token(at), self.token(at + 1)) else { return false };
            let quoted = self.quotes.iter().any(|q| q.start <= mark.span().start && mark.span().end <= q.end);
            let closed = self.closed[(at - self.range.start) as usize];
            mark.form() == ";" && !quoted && closed && next.pos() != "CCONJ" && !next.capitalised()
        };
        let long = |part: &Range| self.word_count(*part) >= LEAST_WORDS && self.has_finite(*part);
        if marks.iter().all(|at| stands(*at)) && parts.iter().all(long) { marks } else { Vec::new() }
    }

    /// What stands between marks.
    fn parts(&self, marks: &[u32]) -> Vec<Range> {
        let starts = std::iter::once(self.range.start).chain(marks.iter().map(|at| at + 1));
        starts.zip(marks.iter().copied().chain([self.range.end])).map(|(start, end)| Range { start, end }).collect()
    }

    /// The cuts at the semicolons, where each of them ends a main clause and another begins.
    fn cuts_at_semicolons(&self) -> Vec<Edit> {
        let marks = self.semicolons();
        let parts = self.parts(&marks);
        let own = |clause: &&Clause| clause.depth == 0 && clause.introducer.start == clause.introducer.end;
        // «Envíe», the subjunctive of a request, opens its clause.
        let stands = |clause: &Clause| {
            let verb = self.token(clause.finite);
            verb.is_some_and(|verb| !verb.has_feature("Mood", "Sub")) || clause.finite == clause.tokens.start
        };
        let inside = |part: &Range, token: u32| (part.start..part.end).contains(&token);
        let first = parts.first().and_then(|part| self.clauses().iter().filter(own).find(|c| inside(part, c.finite)));
        let rest = parts.iter().skip(1).map(|part| {
            self.clauses().iter().filter(own).find(|c| c.tokens.start == part.start && inside(part, c.finite))
        });
        let each: Option<Vec<&Clause>> = std::iter::once(first).chain(rest).collect();
        let apart = each.is_some_and(|each| {
            !each.first().is_some_and(|first| self.framed(first)) && each.iter().all(|clause| stands(clause))
        });
        let cuts = if apart { &marks[..] } else { &[] };
        cuts.iter().map(|at| self.cut(*at, at + 1)).collect::<Option<Vec<Edit>>>().unwrap_or_default()
    }

    /// A condition or a time before its verb may hold for what follows too.
    fn framed(&self, clause: &Clause) -> bool {
        let opens = |other: &Clause| other.tokens.start < clause.finite && other.tokens.end <= clause.finite;
        let of_noun = |other: &Clause| matches!(other.kind, ClauseKind::Relative | ClauseKind::Complement);
        self.clauses().iter().any(|other| other.depth > 0 && !of_noun(other) && opens(other))
    }

    fn place(&self, clause: &Clause, at: Range, opens: bool) -> Option<Place> {
        let parent = self.parent(clause)?;
        if !self.is_main(parent) && !self.is_own_content(parent) {
            return None;
        }
        match clause.kind {
            ClauseKind::Coordinate if clause.depth == parent.depth && parent.finite < at.start => Some(Place::Joins),
            ClauseKind::Coordinate | ClauseKind::Main | ClauseKind::Inserted => None,
            _ if clause.depth != parent.depth + 1 => None,
            _ if opens && parent.depth == 0 && clause.tokens.end <= parent.finite => Some(Place::Before),
            _ if !opens && parent.finite < at.start => Some(Place::After),
            _ => None,
        }
    }

    fn mood_fits(&self, row: &Row, clause: &Clause) -> bool {
        let Some(verb) = self.token(clause.finite) else { return false };
        let subjunctive = verb.has_feature("Mood", "Sub");
        match row.mood.as_deref() {
            Some("subjunctive") => subjunctive,
            Some("any") => true,
            _ => !subjunctive,
        }
    }

    /// Both halves can stand alone.
    fn sides(&self, row: &Row, place: Place, clause: &Clause, parent: &Clause, at: Range) -> bool {
        let end = self.range.end;
        let near = clause.verbs.start.saturating_sub(at.end) <= VERB_REACH;
        let (left, right) = match place {
            Place::Before => (Range { start: at.end, end: clause.tokens.end }, Range { start: clause.tokens.end, end }),
            _ => (Range { start: self.range.start, end: at.start }, Range { start: at.end, end }),
        };
        let long = self.word_count(left) >= LEAST_WORDS && self.word_count(right) >= LEAST_WORDS;
        let alone = match place {
            Place::Before => self.form(clause.tokens.end) == ",",
            // What follows it, save what is joined to it, would go along.
            Place::After => {
                let last = self.end_with_joined(clause);
                let again = !row.again.is_empty();
                self.word_count(Range { start: last, end }) == 0 || !again && self.form(last) == ";"
            }
            Place::Joins => self.joined(row, clause, parent, at),
        };
        near && long && alone
    }

    /// The end of the last clause that is joined to a clause, or to one that is.
    fn end_with_joined(&self, clause: &Clause) -> u32 {
        let joined = |other: &&Clause| {
            let above = other.parent.and_then(|parent| self.clauses().get(parent as usize));
            other.kind == ClauseKind::Coordinate && above.is_some_and(|above| std::ptr::eq(above, clause))
        };
        let ends = self.clauses().iter().filter(joined).map(|other| self.end_with_joined(other));
        ends.fold(clause.tokens.end, u32::max)
    }

    /// What stands before the conjunction belongs to the first clause alone.
    fn joined(&self, row: &Row, clause: &Clause, parent: &Clause, at: Range) -> bool {
        let comma = matches!(self.form(at.start.saturating_sub(1)), "," | ";");
        if parent.depth > 0 {
            return comma;
        }
        // Right after a subordinate clause, what the conjunction joins is a guess; a contrast is said of the whole.
        let inside = |other: &&Clause| {
            other.depth > 0 && other.finite > parent.finite && other.finite < at.start && other.tokens.end <= at.start
        };
        let near = self.clauses().iter().filter(inside).filter(|other| other.tokens.end + 2 >= at.start);
        let after_clause = near.clone().next().is_some();
        let of_noun = near.clone().any(|other| other.kind == ClauseKind::Relative);
        let content =
            after_clause && self.clauses().iter().filter(inside).any(|other| other.kind == ClauseKind::Complement);
        let subject = clause.subject.is_some();
        let settled = match row.relation.as_str() {
            "antithesis" => comma && (subject || !of_noun),
            _ => comma && subject && !content,
        };
        // A predicate with a copula may be one word.
        let said = !(parent.verbs.start..parent.verbs.end).contains(&parent.head);
        let object = at.start.saturating_sub(parent.verbs.end) >= if said { 1 } else { 2 };
        !self.framed(parent) && !self.misread() && object && (!after_clause || settled)
    }

    /// It opens with a conjunction, and the tree has no subordinate clause there.
    fn misread(&self) -> bool {
        let Some(first) = self.tokens.iter().position(|token| token.is_word()) else { return false };
        let number = self.range.start + first as u32;
        let subordinate = |clause: &Clause| clause.depth > 0 && clause.tokens.start == number;
        self.tokens[first].pos() == "SCONJ" && !self.clauses().iter().any(subordinate)
    }

    fn has_subject(&self, row: &Row, clause: &Clause, parent: &Clause) -> bool {
        if !row.subject {
            return true;
        }
        let order = |clause: &Clause| {
            clause.subject.is_none() && self.token(clause.finite).is_some_and(|t| t.has_feature("Mood", "Imp"))
        };
        clause.subject.is_some_and(|subject| subject < clause.finite) || order(clause) && order(parent)
    }

    /// It is the second half of a pair.
    fn paired(&self, row: &Row, at: Range, parent: &Clause) -> bool {
        let norm = |number: u32| self.token(number).map_or("", |token| token.norm());
        (parent.tokens.start..at.start).any(|n| row.not_with.iter().any(|word| word == norm(n)))
    }
}
