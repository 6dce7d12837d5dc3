//! The form of a replacement: its head takes the inflection of the word that it replaces, words that agree with the head follow, and
//! the rest stays. «cónyuges» with *marido o mujer* is «maridos o mujeres», «semestrales» with *cada seis meses* stays as it is.

use glosa_text::{Language, Upos, feature, overlaid};

use super::Grammar;
use crate::Input;
use crate::inflect::agreement;
use crate::pattern::{joined_pronouns, with_pronouns};

/// A replacement in dictionary form, inflected like a token; `None` where nobody can say how.
pub(crate) fn inflected(input: &Input, text: &str, token: u32) -> Option<String> {
    let grammar = Grammar { document: &input.document, inflect: &*input.inflect };
    let found = grammar.token(token)?;
    if text.is_empty() {
        return Some(String::new());
    }
    if !grammar.knows_words() {
        return without_lexicon(input, text, token);
    }
    let words: Vec<&str> = text.split(' ').collect();
    let phrase = Phrase { input, grammar, words, token, as_is: found.norm == found.lemma };
    match found.pos {
        Upos::Verb | Upos::Aux => phrase.of_verb(),
        Upos::Noun | Upos::Propn => phrase.of_noun(),
        Upos::Adj => phrase.of_adjective(),
        _ if phrase.as_is => Some(text.to_owned()),
        _ if phrase.words.len() == 1 => phrase.like(text, ""),
        _ => None,
    }
}

/// The first word inflected, where no lexicon says what the words are.
fn without_lexicon(input: &Input, text: &str, token: u32) -> Option<String> {
    let document = &input.document;
    let found = document.tokens().get(token as usize)?;
    if found.norm == found.lemma {
        return Some(text.to_owned());
    }
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let form = crate::pattern::inflection_of(input, first, token)?;
    Some(if rest.is_empty() { form } else { format!("{form} {rest}") })
}

struct Phrase<'p> {
    input: &'p Input,
    grammar: Grammar<'p>,
    words: Vec<&'p str>,
    token: u32,
    /// The word found is in its dictionary form, as the replacement is.
    as_is: bool,
}

impl Phrase<'_> {
    fn language(&self) -> Language {
        self.grammar.language()
    }

    fn feats(&self) -> &str {
        self.grammar.token(self.token).map_or("", |token| self.grammar.feats(token))
    }

    /// A lemma as a word of the part of speech and with the features of the word found, some of them changed. The lexicon has to
    /// know the form.
    fn like(&self, lemma: &str, changes: &str) -> Option<String> {
        let found = self.grammar.token(self.token)?;
        let feats = if changes.is_empty() { self.feats().to_owned() } else { overlaid(self.feats(), changes) };
        let form = self.input.inflect.inflect(self.language(), lemma, found.pos.as_str(), &feats)?;
        (!self.grammar.readings(&form).is_empty()).then_some(form)
    }

    fn of_verb(&self) -> Option<String> {
        let grammar = self.grammar;
        let head = usize::from(self.words.len() > 1 && grammar.is("negation", self.words[0]));
        let word = *self.words.get(head)?;
        let rest = self.words.get(head + 1..).unwrap_or_default();
        let (bare, pronominal) = without_reflexive(self.language(), word);
        let reading = |lemma: &str, pos: Upos| grammar.readings(lemma).iter().any(|reading| reading.pos == pos);
        let feats = self.feats();
        let finite = feature(feats, "VerbForm") == Some("Fin") || feature(feats, "Mood").is_some();
        if grammar.is("modal", word) {
            let present = finite && feature(feats, "Tense") == Some("Pres") && feature(feats, "Mood") != Some("Imp");
            return present.then(|| self.words.join(" "));
        }
        if !reading(bare, Upos::Verb) {
            return self.as_is.then(|| self.words.join(" ")).filter(|_| !finite);
        }
        let english = self.language() == Language::En;
        if english && word == "be" && finite && feature(feats, "Mood") != Some("Imp") {
            return None;
        }
        let participle = feature(feats, "VerbForm") == Some("Part");
        let before = grammar.before(self.token);
        let perfect = before.is_some_and(|before| {
            before.pos == Upos::Aux && grammar.is("perfect", grammar.document.string(before.lemma))
        });
        let reflexive =
            before.is_some_and(|before| before.pos == Upos::Pron && grammar.is("reflexive", grammar.norm(before)));
        let object =
            rest.first().is_some_and(|word| grammar.may_be(word, Upos::Noun) || grammar.may_be(word, Upos::Det));
        if object && !english && (participle && !perfect || reflexive) {
            return None;
        }
        let by = || grammar.after(self.token + 1).is_some_and(|after| grammar.is("agent", grammar.norm(after)));
        if english && participle && !rest.is_empty() && by() {
            return None;
        }
        if self.as_is && !pronominal && joined_pronouns(grammar.document, self.token).is_empty() {
            return Some(self.words.join(" "));
        }
        let form = if self.as_is { bare.to_owned() } else { self.like(bare, "")? };
        if self.ambiguous(bare, &form) {
            return None;
        }
        let form = self.with_reflexive(form, pronominal)?;
        let mut words: Vec<String> = self.words.iter().map(|word| (*word).to_owned()).collect();
        words[head] = form;
        for (pair, word) in self.words.windows(2).skip(head + 1).zip(words.iter_mut().skip(head + 2)) {
            if grammar.is("coordinator", pair[0]) && self.infinitive(pair[1]) && !self.as_is {
                *word = self.like(pair[1], "")?;
            }
        }
        Some(words.join(" "))
    }

    fn infinitive(&self, word: &str) -> bool {
        let readings = self.grammar.readings(word);
        readings.iter().any(|r| r.pos == Upos::Verb && feature(&r.feats, "VerbForm") == Some("Inf"))
            && !readings.iter().any(|r| matches!(r.pos, Upos::Adp | Upos::Det))
    }

    /// The pronouns that are one word with the verb found go along; a pronominal verb has its own.
    fn with_reflexive(&self, form: String, pronominal: bool) -> Option<String> {
        let document = self.grammar.document;
        let found = self.grammar.token(self.token)?;
        let lemma = document.string(found.lemma);
        let mut pronouns = joined_pronouns(document, self.token);
        if lemma.ends_with("-se") || lemma.ends_with("rse") {
            pronouns.clear();
        }
        if pronominal {
            let feats = self.feats();
            let own = match (feature(feats, "Person"), feature(feats, "Number")) {
                (Some("1"), Some("Plur")) => "nos",
                (Some("2"), Some("Plur")) if self.language() == Language::Ca => "vos",
                (Some("2"), Some("Plur")) => "os",
                (Some("1"), _) => "me",
                (Some("2"), _) => "te",
                _ => "se",
            };
            if feature(feats, "VerbForm") == Some("Part") || !pronouns.is_empty() {
                return None;
            }
            let proclitic = self.grammar.before(self.token).is_some_and(|before| before.pos == Upos::Pron);
            if proclitic && feature(feats, "VerbForm") == Some("Fin") {
                return None;
            }
            pronouns.push(own.to_owned());
        }
        with_pronouns(self.input, form, self.feats(), &pronouns, self.token)
    }

    /// Whether the form found may be another one of its verb for which the replacement would differ, and nothing beside it says which.
    fn ambiguous(&self, lemma: &str, form: &str) -> bool {
        let grammar = self.grammar;
        let Some(found) = grammar.token(self.token) else { return true };
        let own = grammar.document.string(found.lemma);
        let readings = grammar.readings(grammar.norm(found));
        // Person and number are the tagger's: beside an imperative, forms that only look alike are told by their subject.
        let alike = |feats: &str| {
            let same = |name| feature(feats, name) == feature(self.feats(), name);
            self.language() == Language::En
                || feature(feats, "Mood") == Some("Imp")
                || same("Person") && same("Number") && same("VerbForm")
        };
        let others = readings.iter().filter(|r| r.pos == Upos::Verb && r.lemma == own && alike(&r.feats));
        let other = others.filter_map(|reading| {
            let made = self.input.inflect.inflect(self.language(), lemma, "VERB", &reading.feats)?;
            (made != form).then_some(&reading.feats)
        });
        let other: Vec<&String> = other.collect();
        if other.is_empty() {
            return false;
        }
        match self.language() {
            Language::En => self.past_or_participle().is_none_or(|chosen| chosen != feature(self.feats(), "VerbForm")),
            _ => {
                let imperative = feature(self.feats(), "Mood") == Some("Imp");
                let opens = grammar.before(self.token).is_none_or(|before| before.flags.punctuation());
                let subject = grammar
                    .before(self.token)
                    .is_some_and(|before| !before.flags.punctuation() && before.pos != Upos::Cconj);
                let only_mood = other.iter().all(|feats| (feature(feats, "Mood") == Some("Imp")) != imperative);
                !(only_mood && (imperative && opens || !imperative && subject))
            }
        }
    }

    /// Whether an English form is the past (`Fin`) or the participle (`Part`), where the words before it say so.
    fn past_or_participle(&self) -> Option<Option<&'static str>> {
        let grammar = self.grammar;
        let mut at = self.token;
        loop {
            let before = grammar.before(at)?;
            let lemma = grammar.document.string(before.lemma);
            match before.pos {
                Upos::Adv | Upos::Part => at -= 1,
                Upos::Aux | Upos::Verb if grammar.is("participle", lemma) => return Some(Some("Part")),
                Upos::Sconj | Upos::Adp if grammar.is("participle", grammar.norm(before)) => return Some(Some("Part")),
                Upos::Pron if grammar.is("subject", grammar.norm(before)) => return Some(Some("Fin")),
                Upos::Det | Upos::Adj => return Some(Some("Part")),
                _ => return None,
            }
        }
    }

    fn of_noun(&self) -> Option<String> {
        let grammar = self.grammar;
        let number = feature(self.feats(), "Number");
        let head = self.noun_head();
        if self.as_is {
            return Some(self.words.join(" "));
        }
        let head = head?;
        let word = self.words[head];
        let prenominal = head > 0 && self.language() != Language::En;
        if prenominal {
            return None;
        }
        let changes = "Gender=|VerbForm=|Mood=|Tense=|Person=";
        let form = self.like(word, changes)?;
        let noun = |r: &crate::FormReading| {
            r.pos == Upos::Noun && number.is_none_or(|n| feature(&r.feats, "Number").is_none_or(|m| m == n))
        };
        if !grammar.readings(&form).iter().any(noun) {
            return None;
        }
        let mut words: Vec<String> = self.words.iter().map(|word| (*word).to_owned()).collect();
        let changed = form != word;
        let gender = self.gender_of_noun(&form);
        words[head] = form;
        let mut at = head + 1;
        while at < words.len() && self.language() != Language::En {
            let next = self.words[at];
            if grammar.is("coordinator", next) && at + 1 < words.len() && grammar.may_be(self.words[at + 1], Upos::Noun)
            {
                words[at + 1] = self.like(self.words[at + 1], changes)?;
                at += 2;
                continue;
            }
            let adjective = grammar
                .readings(next)
                .iter()
                .any(|r| r.pos == Upos::Adj || feature(&r.feats, "VerbForm") == Some("Part"));
            if !adjective
                || grammar.may_be(next, Upos::Noun) && !changed
                || grammar.readings(next).iter().any(|r| matches!(r.pos, Upos::Adp | Upos::Det))
            {
                break;
            }
            let lemma = grammar
                .readings(next)
                .into_iter()
                .find(|r| r.pos == Upos::Adj || feature(&r.feats, "VerbForm") == Some("Part"))?;
            let feats = format!("Gender={}|Number={}", gender?, number.unwrap_or("Sing"));
            let pos = if lemma.pos == Upos::Adj { "ADJ" } else { "VERB" };
            let feats = if pos == "VERB" { format!("{feats}|VerbForm=Part") } else { feats };
            words[at] = self.input.inflect.inflect(self.language(), &lemma.lemma, pos, &feats)?;
            at += 1;
        }
        let verb_follows = words.get(at..).is_some_and(|rest| rest.iter().any(|word| grammar.is("relative", word)));
        if verb_follows && changed {
            return None;
        }
        Some(words.join(" "))
    }

    fn gender_of_noun(&self, form: &str) -> Option<&'static str> {
        super::surroundings::gender_of(self.grammar, form).and_then(|gender| gender.known())
    }

    /// The head of a noun phrase: the first noun, in English the last one before a preposition or a clause.
    fn noun_head(&self) -> Option<usize> {
        let grammar = self.grammar;
        let is_noun = |word: &&str| grammar.readings(word).iter().any(|r| r.pos == Upos::Noun);
        let closed = |word: &&str| {
            grammar.is("relative", word)
                || grammar.is("coordinator", word)
                || grammar.readings(word).iter().any(|r| matches!(r.pos, Upos::Adp | Upos::Det | Upos::Pron))
        };
        let end = self.words.iter().position(closed).unwrap_or(self.words.len());
        if self.language() == Language::En {
            return self.words[..end].iter().rposition(is_noun).filter(|at| at + 1 == end);
        }
        self.words[..end].iter().position(is_noun)
    }

    fn of_adjective(&self) -> Option<String> {
        let grammar = self.grammar;
        let whole = || Some(self.words.join(" "));
        if self.language() == Language::En {
            let plain = matches!(feature(self.feats(), "Degree"), None | Some("Pos"));
            return if plain {
                whole()
            } else if self.words.len() == 1 {
                self.like(self.words[0], "")
            } else {
                None
            };
        }
        let mut head = 0;
        while head + 1 < self.words.len() && grammar.is("intensifier", self.words[head]) {
            head += 1;
        }
        let adjective = |word: &str| {
            let readings = grammar.readings(word);
            !readings.iter().any(|r| matches!(r.pos, Upos::Adp | Upos::Det | Upos::Pron))
                && readings.iter().any(|r| r.pos == Upos::Adj || feature(&r.feats, "VerbForm") == Some("Part"))
        };
        if !adjective(self.words[head]) {
            let opens_phrase = self.words.len() > 1;
            if opens_phrase && grammar.is("relative", self.words[0]) {
                return self.clause();
            }
            return if opens_phrase || self.as_is { whole() } else { None };
        }
        if self.as_is {
            return whole();
        }
        let mut words: Vec<String> = self.words.iter().map(|word| (*word).to_owned()).collect();
        words[head] = self.adjective_like(self.words[head])?;
        for (pair, word) in self.words.windows(2).skip(head + 1).zip(words.iter_mut().skip(head + 2)) {
            if grammar.is("coordinator", pair[0]) && adjective(pair[1]) {
                *word = self.adjective_like(pair[1])?;
            }
        }
        Some(words.join(" "))
    }

    /// A relative clause, its verb in the number of the noun before it.
    fn clause(&self) -> Option<String> {
        let number = feature(self.feats(), "Number")?;
        let finite = |reading: &crate::FormReading| {
            reading.pos == Upos::Verb && feature(&reading.feats, "VerbForm") == Some("Fin")
        };
        let third = |reading: &&crate::FormReading| {
            finite(reading)
                && feature(&reading.feats, "Person") == Some("3")
                && feature(&reading.feats, "Mood") == Some("Ind")
        };
        let verb = self.words.iter().enumerate().skip(1).find_map(|(at, word)| {
            let readings = self.grammar.readings(word);
            Some((at, readings.iter().find(third)?.clone()))
        });
        let (at, reading) = verb?;
        if feature(&reading.feats, "Number") == Some(number) {
            return Some(self.words.join(" "));
        }
        let feats = overlaid(&reading.feats, &format!("Number={number}"));
        let form = self.input.inflect.inflect(self.language(), &reading.lemma, "VERB", &feats)?;
        let mut words: Vec<String> = self.words.iter().map(|word| (*word).to_owned()).collect();
        words[at] = form;
        Some(words.join(" "))
    }

    fn adjective_like(&self, word: &str) -> Option<String> {
        let wanted = agreement(self.feats());
        // A form of both genders agrees with its noun, which stands before it or says its gender by its determiner.
        let wanted = match feature(&wanted, "Gender") {
            Some(_) => wanted,
            None => overlaid(&wanted, &format!("Gender={}", self.gender_of_neighbour()?)),
        };
        let readings = self.grammar.readings(word);
        let reading = readings
            .iter()
            .find(|r| r.pos == Upos::Adj)
            .or_else(|| readings.iter().find(|r| feature(&r.feats, "VerbForm") == Some("Part")))?;
        let (pos, feats) = match reading.pos {
            Upos::Adj => ("ADJ", wanted.clone()),
            _ => ("VERB", format!("{wanted}|VerbForm=Part")),
        };
        let form = self.input.inflect.inflect(self.language(), &reading.lemma, pos, &feats)?;
        (!self.grammar.readings(&form).is_empty()).then_some(form)
    }

    /// The gender of the noun beside an adjective that does not show its own.
    fn gender_of_neighbour(&self) -> Option<&str> {
        let grammar = self.grammar;
        let mut at = self.token;
        while let Some(before) = grammar.before(at) {
            match before.pos {
                Upos::Noun => return feature(grammar.feats(before), "Gender"),
                Upos::Adj | Upos::Adv | Upos::Cconj => at -= 1,
                Upos::Det => return feature(grammar.feats(before), "Gender"),
                _ => break,
            }
        }
        let after = grammar.after(self.token + 1)?;
        (after.pos == Upos::Noun).then(|| feature(grammar.feats(after), "Gender")).flatten()
    }
}

/// A verb without the reflexive pronoun of its dictionary form, and whether it has one.
fn without_reflexive(language: Language, verb: &str) -> (&str, bool) {
    let bare = match language {
        Language::Es => verb.strip_suffix("se").filter(|bare| bare.ends_with('r')),
        Language::Ca => {
            verb.strip_suffix("-se").or_else(|| verb.strip_suffix("'s")).or_else(|| verb.strip_suffix("’s"))
        }
        Language::En => None,
    };
    (bare.unwrap_or(verb), bare.is_some())
}
