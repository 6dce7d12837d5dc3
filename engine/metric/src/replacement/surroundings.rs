//! What has to change around a noun that another one replaces: «el domicilio indicado» with *dirección* is «la dirección indicada».
//! Determiners and adjectives beside it follow; where something farther off would have to, or a form is not known, nobody is sure.

use std::ops::Range;

use glosa_text::{Document, Language, Span, Token, Upos, feature, overlaid};

use super::Grammar;
use crate::{Edit, Inflect};

/// The gender of a noun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gender {
    Masc,
    Fem,
    /// Of both, or of none.
    Either,
}

impl Gender {
    pub(crate) fn known(self) -> Option<&'static str> {
        match self {
            Gender::Masc => Some("Masc"),
            Gender::Fem => Some("Fem"),
            Gender::Either => None,
        }
    }

    fn of(value: Option<&str>) -> Gender {
        match value {
            Some("Masc") => Gender::Masc,
            Some("Fem") => Gender::Fem,
            _ => Gender::Either,
        }
    }
}

/// The gender of a noun by itself; `None` where the lexicon knows no such noun.
pub(crate) fn gender_of(grammar: Grammar<'_>, noun: &str) -> Option<Gender> {
    let readings = grammar.readings(noun);
    let mut genders = readings.iter().filter(|r| r.pos == Upos::Noun).map(|r| Gender::of(feature(&r.feats, "Gender")));
    let first = genders.next()?;
    Some(if genders.all(|gender| gender == first) { first } else { Gender::Either })
}

fn number_of(grammar: Grammar<'_>, noun: &str) -> Option<String> {
    let readings = grammar.readings(noun);
    let mut numbers = readings.iter().filter(|r| r.pos == Upos::Noun).map(|r| feature(&r.feats, "Number"));
    let first = numbers.next()??;
    numbers.all(|number| number == Some(first)).then(|| first.to_owned())
}

/// The changes around a place that its replacement wants, none of them where nothing has to change; `None` where nobody is sure.
pub fn changes(document: &Document, inflect: &dyn Inflect, place: Span, text: &str) -> Option<Vec<Edit>> {
    let tokens = document.tokens();
    let start = tokens.partition_point(|token| token.span.end <= place.start) as u32;
    let end = tokens.partition_point(|token| token.span.start < place.end) as u32;
    around(Grammar { document, inflect }, &(start..end.max(start)), text)
}

/// The same for a range of tokens.
pub(crate) fn around(grammar: Grammar<'_>, tokens: &Range<u32>, text: &str) -> Option<Vec<Edit>> {
    let nothing = Some(Vec::new());
    if text.is_empty() || tokens.is_empty() || !grammar.knows_words() {
        return nothing;
    }
    let Some(old) = Head::of_place(grammar, tokens) else { return nothing };
    let Some(new) = Head::of_text(grammar, text) else { return nothing };
    let around = Around { grammar, tokens: tokens.clone(), old: &old, new: &new };
    if around.article_before_stressed(text) {
        return None;
    }
    if old.number.is_some() && new.number.is_some() && old.number != new.number && !around.bare() {
        return None;
    }
    if grammar.language() == Language::En || old.gender == new.gender || new.gender == Gender::Either && !new.mixed {
        return nothing;
    }
    around.follow().and_then(|edits| around.elided(edits, text))
}

/// What the words around a noun agree with.
struct Head {
    gender: Gender,
    number: Option<String>,
    /// Two nouns of different gender.
    mixed: bool,
}

impl Head {
    /// The head of a noun phrase of the text that brings no determiner of its own.
    fn of_place(grammar: Grammar<'_>, tokens: &Range<u32>) -> Option<Head> {
        let inside = || tokens.clone().filter_map(|number| grammar.token(number));
        let english = grammar.language() == Language::En;
        let lead = inside().take_while(|token| matches!(token.pos, Upos::Noun | Upos::Adj | Upos::Num));
        let head = if english {
            lead.filter(|token| token.pos == Upos::Noun).last()
        } else {
            lead.into_iter().find(|token| token.pos == Upos::Noun)
        }?;
        let feats = grammar.feats(head);
        let gender = match feature(feats, "Gender") {
            Some(gender) => Gender::of(Some(gender)),
            None => gender_of(grammar, grammar.norm(head)).unwrap_or(Gender::Either),
        };
        // A determiner shows the number of a word that the lexicon has none of: «el dies a quo».
        let before =
            grammar.before(tokens.start).filter(|before| before.pos == Upos::Det).map(|det| grammar.feats(det));
        let number = before.and_then(|feats| feature(feats, "Number")).or(feature(feats, "Number"));
        Some(Head { gender, number: number.map(str::to_owned), mixed: false })
    }

    fn of_text(grammar: Grammar<'_>, text: &str) -> Option<Head> {
        let words: Vec<&str> = text.split(' ').collect();
        let closed = |word: &str| {
            grammar.is("relative", word)
                || grammar.readings(word).iter().any(|r| matches!(r.pos, Upos::Adp | Upos::Det | Upos::Pron))
        };
        if closed(words.first()?) {
            return None;
        }
        let end = words.iter().position(|word| closed(word)).unwrap_or(words.len());
        let nouns = || words[..end].iter().filter(|word| gender_of(grammar, word).is_some());
        let head = if grammar.language() == Language::En { nouns().next_back() } else { nouns().next() }?;
        let gender = gender_of(grammar, head)?;
        let mixed = words.iter().position(|word| grammar.is("coordinator", word)).is_some_and(|at| {
            words.get(at + 1).and_then(|word| gender_of(grammar, word)).is_some_and(|other| other != gender)
        });
        Some(Head { gender: if mixed { Gender::Either } else { gender }, number: number_of(grammar, head), mixed })
    }
}

struct Around<'a> {
    grammar: Grammar<'a>,
    tokens: Range<u32>,
    old: &'a Head,
    new: &'a Head,
}

impl Around<'_> {
    /// A Spanish article stands beside a noun with a stressed *a*, the old one or the new one: «el acta», «la reunión».
    fn article_before_stressed(&self, text: &str) -> bool {
        let grammar = self.grammar;
        let stressed = |word: &str| grammar.is("stressed", word);
        let first = grammar.token(self.tokens.start).map_or("", |token| grammar.norm(token));
        let article = grammar
            .before(self.tokens.start)
            .is_some_and(|before| !before.parts.is_empty() || grammar.is("article", grammar.norm(before)));
        article && (stressed(first) || stressed(text.split(' ').next().unwrap_or_default()))
    }

    /// The changed word before the place as it is written before the new one: «de l'adreça».
    fn elided(&self, mut edits: Vec<Edit>, text: &str) -> Option<Vec<Edit>> {
        let grammar = self.grammar;
        let Some(before) = grammar.before(self.tokens.start) else { return Some(edits) };
        let start = grammar.token(self.tokens.start)?.span.start;
        let Some(edit) = edits.iter_mut().find(|edit| edit.span == before.span) else { return Some(edits) };
        let joined = grammar.inflect.join(grammar.language(), &edit.text, text);
        if joined != format!("{} {text}", edit.text) {
            edit.text = joined.strip_suffix(text)?.to_owned();
            edit.span.end = start;
        }
        Some(edits)
    }

    /// Nothing beside the place agrees with it in number: it follows a preposition or a verb.
    fn bare(&self) -> bool {
        let before = self.grammar.before(self.tokens.start);
        let governed = before.is_some_and(|before| {
            before.parts.is_empty()
                && (before.pos == Upos::Adp || before.pos == Upos::Verb && !self.grammar.links(before))
        });
        governed && !self.grammar.after(self.tokens.end).is_some_and(|after| self.agrees(after))
    }

    /// Whether a word is of a kind that agrees with a noun.
    fn agrees(&self, token: &Token) -> bool {
        token.pos == Upos::Adj || feature(self.grammar.feats(token), "VerbForm") == Some("Part")
    }

    fn follow(&self) -> Option<Vec<Edit>> {
        let grammar = self.grammar;
        let mut edits = Vec::new();
        let mut at = self.tokens.start;
        let mut governed = false;
        while let Some(before) = grammar.before(at) {
            match before.pos {
                Upos::Adp => {
                    governed = true;
                    if !before.parts.is_empty() {
                        edits.extend(self.contraction(before)?);
                    }
                    break;
                }
                Upos::Det | Upos::Adj | Upos::Num => edits.extend(self.changed(before)?),
                Upos::Adv if self.agreeing_before(at - 1) => {}
                Upos::Cconj if !edits.is_empty() || self.agreeing_before(at - 1) => return None,
                _ => break,
            }
            at -= 1;
        }
        let mut end = self.tokens.end;
        while let Some(after) = grammar.after(end) {
            match after.pos {
                _ if self.agrees(after) => edits.extend(self.changed(after)?),
                Upos::Adv if grammar.after(end + 1).is_some_and(|next| self.agrees(next)) => {}
                Upos::Cconj => {
                    let shared = grammar.after(end + 1).is_some_and(|next| self.agrees(next) || next.pos == Upos::Noun);
                    if shared {
                        return None;
                    }
                    break;
                }
                _ => break,
            }
            end += 1;
        }
        (!self.referred(at, end, governed)).then_some(edits)
    }

    fn agreeing_before(&self, number: u32) -> bool {
        self.grammar.before(number).is_some_and(|before| matches!(before.pos, Upos::Det | Upos::Adj))
    }

    /// Whether a word of the sentence may agree with the noun from afar: a predicate, or a pronoun that stands for it.
    fn referred(&self, start: u32, end: u32, governed: bool) -> bool {
        let grammar = self.grammar;
        let Some(sentence) = grammar.token(self.tokens.start).map(|token| token.sentence) else { return true };
        let old = self.old.gender.known();
        let same = |token: &Token| {
            let feats = grammar.feats(token);
            let number = feature(feats, "Number");
            let gender = feature(feats, "Gender");
            (gender.is_none() && token.pos == Upos::Pron || gender == old || old.is_none() && gender.is_some())
                && (number.is_none() || self.old.number.is_none() || number == self.old.number.as_deref())
        };
        let gendered = |token: &Token| feature(grammar.feats(token), "Gender").is_some();
        let tokens = grammar.document.tokens();
        let from = tokens.partition_point(|token| token.sentence < sentence) as u32;
        let to = tokens.partition_point(|token| token.sentence <= sentence) as u32;
        (from..to).filter(|number| *number < start || *number >= end).any(|number| {
            let Some(token) = grammar.token(number) else { return false };
            let pronoun = token.pos == Upos::Pron && number >= end && gendered(token) && same(token);
            let predicate = !governed && self.agrees(token) && same(token) && {
                let linked = (1..=3).filter_map(|back| number.checked_sub(back)).filter_map(|n| grammar.token(n));
                linked
                    .into_iter()
                    .any(|before| before.sentence == sentence && (before.pos == Upos::Aux || grammar.links(before)))
            };
            pronoun || predicate
        })
    }

    /// The edit that lets a word agree with the new noun.
    fn changed(&self, token: &Token) -> Option<Option<Edit>> {
        let grammar = self.grammar;
        let feats = grammar.feats(token);
        let Some(gender) = feature(feats, "Gender") else {
            let both = self.forms_differ(token);
            return (!both).then_some(None);
        };
        let wanted = self.new.gender.known().filter(|_| !self.new.mixed)?;
        if gender == wanted {
            return Some(None);
        }
        if Some(gender) != self.old.gender.known() && self.old.gender != Gender::Either {
            return None;
        }
        let text = grammar.document.slice(token.span);
        let form = self.form(token, wanted)?;
        Some(Some(Edit { span: token.span, text: like(text, &form) }))
    }

    /// Whether a word without a stated gender would be another one with one.
    fn forms_differ(&self, token: &Token) -> bool {
        let Some(wanted) = self.new.gender.known() else { return false };
        token.pos != Upos::Num && self.form(token, wanted).is_some_and(|form| form != self.grammar.norm(token))
    }

    fn form(&self, token: &Token, gender: &str) -> Option<String> {
        let grammar = self.grammar;
        let feats = overlaid(grammar.feats(token), &format!("Gender={gender}"));
        let lemma = grammar.document.string(token.lemma);
        let norm = grammar.norm(token);
        if let Some(form) = grammar.inflect.counterpart(grammar.language(), norm, gender) {
            return Some(form);
        }
        let form = grammar.inflect.inflect(grammar.language(), lemma, token.pos.as_str(), &feats)?;
        let agrees = |r: &crate::FormReading| feature(&r.feats, "Gender").is_none_or(|g| g == gender);
        grammar.readings(&form).iter().any(agrees).then_some(form)
    }

    /// The edit of a preposition that is one word with its article: «del» becomes «de la».
    fn contraction(&self, token: &Token) -> Option<Option<Edit>> {
        let grammar = self.grammar;
        let parts = &grammar.document.parts()[token.parts.start as usize..token.parts.end as usize];
        let [preposition, article] = parts else { return None };
        let wanted = self.new.gender.known().filter(|_| !self.new.mixed)?;
        let form = grammar.inflect.counterpart(grammar.language(), grammar.document.string(article.form), wanted)?;
        if form == grammar.document.string(article.form) {
            return Some(None);
        }
        let written = grammar.inflect.join(grammar.language(), grammar.document.string(preposition.form), &form);
        Some(Some(Edit { span: token.span, text: like(grammar.document.slice(token.span), &written) }))
    }
}

/// A word with the capitals of another.
fn like(model: &str, text: &str) -> String {
    let capital = model.starts_with(char::is_uppercase);
    let shouted = model.chars().filter(|c| c.is_alphabetic()).count() > 1 && !model.chars().any(char::is_lowercase);
    let mut chars = text.chars();
    match (shouted, capital) {
        (true, _) => text.to_uppercase(),
        (_, true) => chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect(),
        _ => text.to_owned(),
    }
}
