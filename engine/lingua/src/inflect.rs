//! Inflection: the form of a lemma that has given features.
//!
//! A lemma of the lexicon is inflected by looking its forms up: they share a beginning, so a stretch of the ordered
//! automaton holds them. A lemma that the lexicon lacks is inflected like an exemplar with the same ending. Where
//! neither way leads to one answer, there is none.

use crate::change::{Change, is_vowel};
use crate::frequency::{Frequencies, Unit};
use crate::lexicon::Lexicon;
use glosa_text::{Language, Upos, feature, normal_form};
use rustc_hash::{FxHashMap, FxHashSet};

/// Features of a form as far as inflection goes; an empty text is «not stated» and matches anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell<'f> {
    /// `Inf`, `Ger`, `Part` or `Fin`.
    pub verb_form: &'f str,
    /// `Ind`, `Sub`, `Imp` or `Cnd`.
    pub mood: &'f str,
    /// `Pres`, `Past`, `Imp` or `Fut`.
    pub tense: &'f str,
    /// `1`, `2` or `3`.
    pub person: &'f str,
    /// `Sing` or `Plur`.
    pub number: &'f str,
    /// `Masc` or `Fem`.
    pub gender: &'f str,
    /// `Pos`, `Cmp` or `Sup`.
    pub degree: &'f str,
}

/// What kind of word a paradigm belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Paradigm {
    /// Verbs and auxiliaries.
    Verb,
    /// Nouns.
    Noun,
    /// Adjectives.
    Adjective,
    /// Determiners and pronouns.
    Determiner,
}

impl Paradigm {
    /// The paradigm of a part of speech, where it has one.
    pub fn of(pos: Upos) -> Option<Self> {
        match pos {
            Upos::Verb | Upos::Aux => Some(Paradigm::Verb),
            Upos::Noun => Some(Paradigm::Noun),
            Upos::Adj => Some(Paradigm::Adjective),
            Upos::Det | Upos::Pron => Some(Paradigm::Determiner),
            _ => None,
        }
    }

    /// The letter in `inflection.tsv`.
    pub fn letter(self) -> &'static str {
        match self {
            Paradigm::Verb => "V",
            Paradigm::Noun => "N",
            Paradigm::Adjective => "A",
            Paradigm::Determiner => "D",
        }
    }
}

impl<'f> Cell<'f> {
    /// The features of a FEATS string that inflection knows.
    pub fn of(feats: &'f str) -> Self {
        let get = |name| feature(feats, name).unwrap_or("");
        Cell {
            verb_form: get("VerbForm"),
            mood: get("Mood"),
            tense: get("Tense"),
            person: get("Person"),
            number: get("Number"),
            gender: get("Gender"),
            degree: get("Degree"),
        }
    }
}

/// Reads a lexicon tag: EAGLES for Spanish and Catalan, Penn Treebank for English.
pub fn read_tag(language: Language, tag: &str) -> Option<(Paradigm, Cell<'static>)> {
    if language == Language::En { penn(tag) } else { eagles(tag) }
}

/// Part of speech and features that a lexicon tag stands for, as the tagger writes them; `None` for tags that say less.
pub fn described(language: Language, tag: &str) -> Option<(Upos, String)> {
    let pos = match (language, tag.as_bytes().first()?) {
        (Language::En, _) => match tag {
            "IN" => Upos::Adp,
            "MD" => Upos::Aux,
            "CC" => Upos::Cconj,
            _ if tag.starts_with("RB") => Upos::Adv,
            _ if tag.starts_with("PRP") || tag.starts_with("WP") => Upos::Pron,
            _ if tag.ends_with("DT") => Upos::Det,
            _ if tag.starts_with("NNP") => Upos::Propn,
            _ if tag.starts_with("NN") => Upos::Noun,
            _ if tag.starts_with("JJ") => Upos::Adj,
            _ if tag.starts_with("VB") => Upos::Verb,
            _ => return None,
        },
        (_, b'N') if tag.as_bytes().get(1) == Some(&b'P') => Upos::Propn,
        (_, b'N') => Upos::Noun,
        (_, b'A') => Upos::Adj,
        (_, b'V') => Upos::Verb,
        (_, b'D') => Upos::Det,
        (_, b'P') => Upos::Pron,
        (_, b'R') => Upos::Adv,
        (_, b'S') => Upos::Adp,
        (_, b'C') => Upos::Cconj,
        _ => return None,
    };
    let cell = read_tag(language, tag).map(|(_, cell)| cell).unwrap_or_default();
    let features = [
        ("Degree", cell.degree),
        ("Gender", cell.gender),
        ("Mood", cell.mood),
        ("Number", cell.number),
        ("Person", cell.person.trim_matches('-')),
        ("Tense", cell.tense),
        ("VerbForm", cell.verb_form),
    ];
    let stated: Vec<String> =
        features.iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| format!("{name}={value}")).collect();
    Some((pos, stated.join("|")))
}

fn eagles(tag: &str) -> Option<(Paradigm, Cell<'static>)> {
    let at = |i: usize| tag.as_bytes().get(i).copied().unwrap_or(b'0');
    let number = |i| match at(i) {
        b'S' => Some("Sing"),
        b'P' => Some("Plur"),
        b'N' | b'0' => Some(""),
        _ => None,
    };
    let gender = |i| match at(i) {
        b'M' => "Masc",
        b'F' => "Fem",
        _ => "",
    };
    match at(0) {
        b'V' => {
            let number = number(5)?;
            let person = match at(4) {
                b'1' => "1",
                b'2' => "2",
                b'3' => "3",
                _ => "",
            };
            let finite = |mood, tense| Cell { verb_form: "Fin", mood, tense, person, number, ..Cell::default() };
            let cell = match (at(2), at(3)) {
                (b'N', _) => Cell { verb_form: "Inf", ..Cell::default() },
                (b'G', _) => Cell { verb_form: "Ger", ..Cell::default() },
                (b'P', _) => Cell { verb_form: "Part", number, gender: gender(6), ..Cell::default() },
                (b'M', _) => finite("Imp", ""),
                (b'I', b'P') => finite("Ind", "Pres"),
                (b'I', b'I') => finite("Ind", "Imp"),
                (b'I', b'S') => finite("Ind", "Past"),
                (b'I', b'F') => finite("Ind", "Fut"),
                (b'I', b'C') | (b'C', _) => finite("Cnd", ""),
                (b'S', b'P') => finite("Sub", "Pres"),
                (b'S', b'I') => finite("Sub", "Imp"),
                (b'S', b'F') => finite("Sub", "Fut"),
                _ => return None,
            };
            Some((Paradigm::Verb, cell))
        }
        b'N' if at(1) == b'C' => {
            Some((Paradigm::Noun, Cell { gender: gender(2), number: number(3)?, ..Cell::default() }))
        }
        b'A' => {
            let degree = if at(2) == b'A' { "Abs" } else { "" };
            Some((Paradigm::Adjective, Cell { degree, gender: gender(3), number: number(4)?, ..Cell::default() }))
        }
        b'D' => Some((Paradigm::Determiner, Cell { gender: gender(3), number: number(4)?, ..Cell::default() })),
        _ => None,
    }
}

fn penn(tag: &str) -> Option<(Paradigm, Cell<'static>)> {
    let base = Cell::default();
    Some(match tag {
        "VB" => (Paradigm::Verb, Cell { verb_form: "Inf", ..base }),
        "VBP" => (Paradigm::Verb, Cell { verb_form: "Fin", tense: "Pres", person: "-", ..base }),
        "VBZ" => (Paradigm::Verb, Cell { verb_form: "Fin", tense: "Pres", person: "3", number: "Sing", ..base }),
        "VBD" => (Paradigm::Verb, Cell { verb_form: "Fin", tense: "Past", ..base }),
        "VBN" => (Paradigm::Verb, Cell { verb_form: "Part", tense: "Past", ..base }),
        "VBG" => (Paradigm::Verb, Cell { verb_form: "Ger", ..base }),
        "NN" | "NN:U" | "NN:UN" => (Paradigm::Noun, Cell { number: "Sing", ..base }),
        "NNS" => (Paradigm::Noun, Cell { number: "Plur", ..base }),
        "JJ" => (Paradigm::Adjective, base),
        "JJR" => (Paradigm::Adjective, Cell { degree: "Cmp", ..base }),
        "JJS" => (Paradigm::Adjective, Cell { degree: "Sup", ..base }),
        _ => return None,
    })
}

/// How well a cell of the lexicon answers a wish; `None` where it contradicts it.
fn fit(language: Language, paradigm: Paradigm, wish: &Cell<'_>, has: &Cell<'_>) -> Option<u8> {
    let same = |wish: &str, has: &str| -> Option<u8> {
        if wish.is_empty() || has.is_empty() { Some(0) } else { (wish == has).then_some(1) }
    };
    if language == Language::En {
        return english_fit(paradigm, wish, has);
    }
    match paradigm {
        Paradigm::Verb => {
            let form = if wish.verb_form.is_empty() && !wish.mood.is_empty() { "Fin" } else { wish.verb_form };
            if form != has.verb_form || form.is_empty() {
                return None;
            }
            match form {
                "Fin" => {
                    let exact = wish.mood == has.mood && (wish.tense == has.tense || has.tense.is_empty());
                    let polite = wish.mood == "Imp" && has.mood == "Imp";
                    ((exact || polite) && wish.person == has.person && wish.number == has.number).then_some(3)
                }
                "Part" => Some(same(wish.gender, has.gender)? + same(wish.number, has.number)?),
                _ => Some(1),
            }
        }
        Paradigm::Noun => {
            let number = same(wish.number, has.number)?;
            Some(number * 2 + u8::from(!wish.gender.is_empty() && wish.gender == has.gender))
        }
        Paradigm::Adjective | Paradigm::Determiner => {
            if has.degree == "Abs" && wish.degree != "Abs" {
                return None;
            }
            Some(same(wish.gender, has.gender)? + same(wish.number, has.number)?)
        }
    }
}

fn english_fit(paradigm: Paradigm, wish: &Cell<'_>, has: &Cell<'_>) -> Option<u8> {
    let matches = match paradigm {
        Paradigm::Verb => match (wish.verb_form, wish.tense) {
            ("Inf", _) => has.verb_form == "Inf",
            ("Ger", _) | ("Part", "Pres") => has.verb_form == "Ger",
            ("Part", _) => has.verb_form == "Part",
            (_, "Past") => has.verb_form == "Fin" && has.tense == "Past",
            (_, "Pres") if wish.person == "3" && wish.number != "Plur" => has.person == "3",
            (_, "Pres") => has.person == "-",
            ("Fin", _) if wish.mood == "Imp" => has.verb_form == "Inf",
            _ => false,
        },
        Paradigm::Noun => wish.number.is_empty() && has.number == "Sing" || wish.number == has.number,
        Paradigm::Adjective => {
            let plain = |d: &str| d.is_empty() || d == "Pos";
            plain(wish.degree) && plain(has.degree) || wish.degree == has.degree
        }
        Paradigm::Determiner => false,
    };
    matches.then_some(1)
}

/// An exemplar with a shorter ending is less likely than the regular spelling of English.
const ENGLISH_ENDING: usize = 4;

/// Forms as rare as this (Zipf in tenths) may be misspellings.
const RARE: u8 = 15;
/// A way is preferred to a likelier one when it is attested so much more; English has more chance likenesses.
const fn clearly(language: Language) -> u32 {
    if matches!(language, Language::En) { 12 } else { 5 }
}

/// Exemplars of the endings of each paradigm, the likeliest first.
type Exemplars = FxHashMap<(&'static str, &'static str), Vec<&'static str>>;

/// Inflects the words of one language.
#[derive(Debug)]
pub struct Inflection {
    language: Language,
    beginnings: FxHashMap<&'static str, Vec<&'static str>>,
    prefixes: FxHashSet<&'static str>,
    exemplars: Exemplars,
}

/// A way to inflect a lemma that the lexicon lacks.
#[derive(Debug, PartialEq, Eq)]
struct Way<'w> {
    form: String,
    by: By<'w>,
}

/// What a way follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By<'w> {
    /// A known word with the same ending.
    Exemplar { exemplar: &'w str, ending: &'w str },
    /// The spelling rules of English.
    Spelling { doubled: bool, es: bool },
}

/// How well a form fits, whether it is of the general language, and how frequent it is.
type Rank = (u8, bool, u8);

/// A cell that is looked for and the best form so far.
struct Wanted<'c> {
    wish: Cell<'c>,
    best: Option<(Rank, String)>,
    settled: bool,
}

impl Wanted<'_> {
    fn offer(&mut self, rank: Rank, form: &str) {
        if self.best.as_ref().is_none_or(|(best, _)| rank > *best) {
            self.best = Some((rank, form.to_owned()));
        }
    }
}

impl Inflection {
    /// The inflection of a language with its shipped tables: `suppletion.tsv` names the beginnings of suppletive forms,
    /// `derivation.txt` the prefixes behind which a known word keeps its inflection, `inflection.tsv` the exemplars of endings.
    pub fn new(language: Language) -> Self {
        let (beginnings, exemplars, prefixes) = match language {
            Language::Es => (
                include_str!("../models/es/suppletion.tsv"),
                include_str!("../models/es/inflection.tsv"),
                include_str!("../models/es/derivation.txt"),
            ),
            Language::Ca => (
                include_str!("../models/ca/suppletion.tsv"),
                include_str!("../models/ca/inflection.tsv"),
                include_str!("../models/ca/derivation.txt"),
            ),
            Language::En => (
                include_str!("../models/en/suppletion.tsv"),
                include_str!("../models/en/inflection.tsv"),
                include_str!("../models/en/derivation.txt"),
            ),
        };
        Inflection {
            language,
            beginnings: rows(beginnings).filter_map(|r| Some((*r.first()?, r.get(1)?.split(' ').collect()))).collect(),
            prefixes: rows(prefixes).filter_map(|r| r.first().copied()).filter(|p| !p.is_empty()).collect(),
            exemplars: read_exemplars(exemplars),
        }
    }

    /// An inflection with given exemplars, for the trainer.
    pub fn with_exemplars(language: Language, exemplars: &'static str) -> Self {
        Inflection { exemplars: read_exemplars(exemplars), ..Inflection::new(language) }
    }

    /// The form of `lemma` with the features `feats`, as the word of a part of speech. Features that the paradigm
    /// does not have are left aside (a noun keeps its own gender). `None` when the form is not known.
    pub fn inflect(
        &self,
        lexicon: &Lexicon,
        frequencies: &Frequencies,
        lemma: &str,
        pos: Upos,
        feats: &str,
    ) -> Option<String> {
        if let Some((head, rest)) = lemma.split_once(' ') {
            return Some(format!("{} {rest}", self.inflect(lexicon, frequencies, head, pos, feats)?));
        }
        let mut paradigm = Paradigm::of(pos)?;
        let wish = Cell::of(feats);
        // Nobody is offered a future subjunctive.
        if wish.mood == "Sub" && wish.tense == "Fut" {
            return None;
        }
        if paradigm == Paradigm::Adjective && wish.verb_form == "Part" && self.language != Language::En {
            let verb = lexicon.readings(lemma).iter().any(|r| {
                read_tag(self.language, &lexicon.tags()[usize::from(r.tag)])
                    .is_some_and(|(p, c)| p == Paradigm::Verb && c.verb_form == "Inf")
            });
            if verb {
                paradigm = Paradigm::Verb;
            }
        }
        self.known(lexicon, frequencies, lemma, paradigm, &wish)
            .or_else(|| self.like_exemplar(lexicon, frequencies, lemma, paradigm, &wish))
    }

    /// The past participles of a verb in all genders and numbers that the language tells apart.
    pub fn participles(&self, lexicon: &Lexicon, frequencies: &Frequencies, verb: &str) -> Vec<String> {
        if let Some((head, rest)) = verb.split_once(' ') {
            return self.participles(lexicon, frequencies, head).iter().map(|form| format!("{form} {rest}")).collect();
        }
        let of = |gender, number| Cell { gender, number, ..Cell::of("Tense=Past|VerbForm=Part") };
        let wishes: Vec<Cell<'_>> = match self.language {
            Language::En => vec![of("", "")],
            _ => [("Masc", "Sing"), ("Fem", "Sing"), ("Masc", "Plur"), ("Fem", "Plur")].map(|(g, n)| of(g, n)).into(),
        };
        let known = self.known_forms(lexicon, frequencies, verb, Paradigm::Verb, &wishes);
        let made = |wish: &Cell<'_>| self.like_exemplar(lexicon, frequencies, verb, Paradigm::Verb, wish);
        wishes.iter().zip(known).filter_map(|(wish, form)| form.or_else(|| made(wish))).collect()
    }

    /// The form of a lemma of the lexicon.
    pub fn known(
        &self,
        lexicon: &Lexicon,
        frequencies: &Frequencies,
        lemma: &str,
        paradigm: Paradigm,
        wish: &Cell<'_>,
    ) -> Option<String> {
        self.known_forms(lexicon, frequencies, lemma, paradigm, &[*wish]).pop().flatten()
    }

    /// The forms of a lemma of the lexicon in several cells of its paradigm, found in one search.
    pub fn known_forms(
        &self,
        lexicon: &Lexicon,
        frequencies: &Frequencies,
        lemma: &str,
        paradigm: Paradigm,
        wishes: &[Cell<'_>],
    ) -> Vec<Option<String>> {
        let is_lemma = lexicon.readings(lemma).iter().any(|r| {
            lexicon.lemma(lemma, *r).is_some_and(|l| l == lemma)
                && read_tag(self.language, &lexicon.tags()[usize::from(r.tag)]).is_some_and(|(p, _)| p == paradigm)
        });
        if !is_lemma {
            return vec![None; wishes.len()];
        }
        let own_gender = self.gender_of(lexicon, lemma);
        let mut found: Vec<Wanted<'_>> =
            wishes.iter().map(|wish| Wanted { wish: *wish, best: None, settled: false }).collect();
        for wanted in found.iter_mut().filter(|wanted| paradigm == Paradigm::Noun && wanted.wish.gender.is_empty()) {
            wanted.wish.gender = own_gender;
        }
        let search = |prefix: &str, found: &mut [Wanted<'_>]| {
            lexicon.for_each_with_prefix(prefix, |form, readings| {
                for reading in readings {
                    let tag = &lexicon.tags()[usize::from(reading.tag)];
                    let Some((p, has)) = read_tag(self.language, tag) else { continue };
                    if p != paradigm {
                        continue;
                    }
                    let mut is_form = None;
                    for wanted in found.iter_mut().filter(|wanted| !wanted.settled) {
                        let Some(fit) = fit(self.language, paradigm, &wanted.wish, &has) else { continue };
                        if !*is_form.get_or_insert_with(|| lexicon.is_lemma_of(form, *reading, lemma)) {
                            break;
                        }
                        let zipf = frequencies.zipf(Unit::Form, &normal_form(form));
                        wanted.offer((fit, !is_dialect(tag), zipf), form);
                    }
                }
            });
        };
        for prefix in self.beginnings.get(lemma).into_iter().flatten() {
            search(prefix, &mut found);
        }
        found.iter_mut().for_each(|wanted| wanted.settled = wanted.best.is_some());
        let ends: Vec<usize> = lemma.char_indices().map(|(i, _)| i).skip(1).collect();
        let longest = ends.len().saturating_sub(2);
        for end in ends[..(longest + 1).min(ends.len())].iter().rev() {
            if found.iter().all(|wanted| wanted.settled) {
                break;
            }
            search(&lemma[..*end], &mut found);
            // «tendrà» shares more letters with *tenir* than «tindrà».
            for wanted in &mut found {
                wanted.settled |= wanted.best.as_ref().is_some_and(|((_, general, _), _)| *general);
            }
        }
        if ends.is_empty() && found.iter().any(|wanted| !wanted.settled) {
            search(lemma, &mut found);
        }
        found.into_iter().map(|wanted| wanted.best.map(|(_, form)| form)).collect()
    }

    /// The gender a noun has in its dictionary form; empty when it is common, unknown or none.
    pub fn gender_of(&self, lexicon: &Lexicon, lemma: &str) -> &'static str {
        let genders = lexicon.readings(lemma).iter().filter_map(|r| {
            let (paradigm, cell) = read_tag(self.language, &lexicon.tags()[usize::from(r.tag)])?;
            (paradigm == Paradigm::Noun && cell.number == "Sing").then_some(cell.gender)
        });
        genders.reduce(|a, b| if a == b { a } else { "" }).unwrap_or("")
    }

    /// The form of a lemma that the lexicon lacks. It may be inflected like a known word behind a prefix, like an exemplar
    /// with the same ending, or (English) by rule; of the ways that differ, the one whose forms are attested most wins,
    /// and without any attested form the one with the longest common ending.
    pub fn like_exemplar(
        &self,
        lexicon: &Lexicon,
        frequencies: &Frequencies,
        lemma: &str,
        paradigm: Paradigm,
        wish: &Cell<'_>,
    ) -> Option<String> {
        if is_dictionary_form(self.language, paradigm, wish) && lemma.chars().all(|c| c.is_lowercase() || c == '·') {
            return Some(lemma.to_owned());
        }
        let mut ways = self.ways(lexicon, frequencies, lemma, paradigm, wish);
        if ways.iter().any(|way| way.form != ways[0].form) {
            let mut best = 0;
            let mut most = None;
            for (number, way) in ways.iter().enumerate() {
                let signs = match way.by {
                    By::Exemplar { exemplar, ending } => self.signs(lexicon, exemplar, ending, lemma, paradigm),
                    By::Spelling { doubled, es } => Spelling::of(lemma).signs(paradigm, doubled, es),
                };
                let attested = attestation(self.language, lexicon, frequencies, lemma, &way.form, &signs);
                if most.is_none_or(|most| attested > most + clearly(self.language)) {
                    (best, most) = (number, Some(attested));
                }
            }
            ways.swap(0, best);
        }
        ways.into_iter().next().map(|way| way.form)
    }

    /// The ways to inflect an unknown lemma, the likeliest first.
    fn ways<'w>(
        &'w self,
        lexicon: &Lexicon,
        frequencies: &Frequencies,
        lemma: &'w str,
        paradigm: Paradigm,
        wish: &Cell<'_>,
    ) -> Vec<Way<'w>> {
        let english = self.language == Language::En;
        let derives = |prefix: &str, base: &str| {
            base.chars().count() > 2
                && (self.prefixes.contains(prefix) || english && prefix.len() > 2 && lexicon.is_known(prefix))
        };
        let mut candidates: Vec<(&'w str, &'w str)> = Vec::new();
        let mut bases: Vec<(&'w str, &'w str)> = Vec::new();
        let mut short = lemma.len();
        for (at, _) in lemma.char_indices().skip(1) {
            let (prefix, ending) = lemma.split_at(at);
            if ending.len() < ENGLISH_ENDING {
                short = short.min(candidates.len());
            }
            let listed = self.exemplars.get(&(paradigm.letter(), ending)).map_or(&[][..], Vec::as_slice);
            candidates.extend(listed.iter().map(|exemplar| (*exemplar, ending)));
            if derives(prefix, ending) {
                if english { &mut bases } else { &mut candidates }.push((ending, ending));
            }
        }
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let spelling = Spelling::of(lemma);
        let mut follow = |(exemplar, ending): (&'w str, &'w str)| {
            let form = seen.insert(exemplar).then(|| self.known(lexicon, frequencies, exemplar, paradigm, wish))??;
            let regular = format!("{exemplar}s");
            let plain = english && paradigm == Paradigm::Noun && form == exemplar && {
                lexicon.readings(&regular).iter().any(|r| lexicon.is_lemma_of(&regular, *r, exemplar))
            };
            let form = if plain { regular } else { form };
            let form = self.carried_over(exemplar, &form, ending, lemma)?;
            (!english || !spelling.forbids(&form)).then_some(Way { form, by: By::Exemplar { exemplar, ending } })
        };
        let mut ways: Vec<Way<'w>> = bases.into_iter().filter_map(&mut follow).collect();
        let short = candidates.split_off(short.min(candidates.len()));
        if english && paradigm == Paradigm::Adjective {
            candidates.truncate(1);
        }
        ways.extend(candidates.into_iter().filter_map(&mut follow));
        if english {
            ways.extend(english_regular(frequencies, lemma, paradigm, wish));
        }
        if !english || paradigm != Paradigm::Adjective {
            ways.extend(short.into_iter().filter_map(&mut follow));
        }
        ways
    }

    /// The forms of an exemplar that share most of it, carried over to `lemma`.
    fn signs(&self, lexicon: &Lexicon, exemplar: &str, ending: &str, lemma: &str, paradigm: Paradigm) -> Vec<String> {
        let letters = exemplar.chars().count();
        let kept = letters.saturating_sub(4).max(3.min(letters));
        let end = exemplar.char_indices().nth(kept).map_or(exemplar.len(), |(i, _)| i);
        let mut signs = Vec::new();
        lexicon.for_each_with_prefix(&exemplar[..end], |form, readings| {
            let own = readings.iter().any(|r| {
                lexicon.is_lemma_of(form, *r, exemplar)
                    && read_tag(self.language, &lexicon.tags()[usize::from(r.tag)]).is_some_and(|(p, _)| p == paradigm)
            });
            if own && form != exemplar {
                signs.extend(self.carried_over(exemplar, form, ending, lemma));
            }
        });
        signs
    }

    /// What `lemma` becomes when it changes as `exemplar` does to become `form`, if no more than `ending` changes.
    fn carried_over(&self, exemplar: &str, form: &str, ending: &str, lemma: &str) -> Option<String> {
        let change = Change::between(exemplar, form)?;
        if usize::from(change.drop) > ending.len() {
            return None;
        }
        change.apply(lemma, self.language).filter(|made| made.chars().any(is_vowel))
    }
}

/// How well text attests the forms of a way: the sum of their Zipf frequencies (in tenths) above [`RARE`], in English the
/// one asked for counted twice. Forms that the lexicon knows are forms of another word and say nothing, but for the
/// English *-ing*, *-ed* and *-a* (*meeting, wanted, bacteria*) that it lists as words of their own.
fn attestation(
    language: Language,
    lexicon: &Lexicon,
    frequencies: &Frequencies,
    lemma: &str,
    form: &str,
    signs: &[String],
) -> u32 {
    let mut forms: Vec<&str> = signs.iter().map(String::as_str).chain([form]).filter(|form| *form != lemma).collect();
    forms.sort_unstable();
    forms.dedup();
    let foreign = |form: &str| {
        let readings = lexicon.readings(form);
        let listed = language == Language::En && ["ing", "ed", "a"].iter().any(|e| form.ends_with(e));
        let own_lemma = listed && readings.iter().any(|r| lexicon.is_lemma_of(form, *r, form));
        !readings.is_empty() && !own_lemma
    };
    let weight = |one: &str| {
        let zipf = u32::from(frequencies.zipf(Unit::Form, &normal_form(one)).saturating_sub(RARE));
        if one == form && language == Language::En { zipf * 2 } else { zipf }
    };
    forms.into_iter().filter(|form| !foreign(form)).map(weight).sum()
}

/// Whether a cell is the one that dictionaries list.
fn is_dictionary_form(language: Language, paradigm: Paradigm, wish: &Cell<'_>) -> bool {
    let plain = wish.degree.is_empty() || wish.degree == "Pos";
    match paradigm {
        Paradigm::Verb => wish.verb_form == "Inf",
        Paradigm::Noun => wish.number == "Sing",
        Paradigm::Adjective if language == Language::En => plain,
        Paradigm::Adjective => plain && wish.number == "Sing" && matches!(wish.gender, "" | "Masc"),
        Paradigm::Determiner => false,
    }
}

fn read_exemplars(table: &'static str) -> Exemplars {
    rows(table).filter_map(|r| Some(((*r.first()?, *r.get(1)?), r.get(2)?.split(' ').collect()))).collect()
}

/// Whether a tag of the Catalan lexicon marks a Valencian or Balearic variant of a verb form.
pub fn is_dialect(tag: &str) -> bool {
    tag.len() == 8 && tag.starts_with('V') && tag.ends_with(['V', 'B'])
}

/// The regular ways of English, the one of the rule first: the last consonant doubled or not, `-s` or `-es`.
fn english_regular(frequencies: &Frequencies, lemma: &str, paradigm: Paradigm, wish: &Cell<'_>) -> Vec<Way<'static>> {
    if lemma.chars().count() < 2 || !lemma.chars().all(char::is_lowercase) {
        return Vec::new();
    }
    let spelling = Spelling::of(lemma);
    let mut ways = Vec::new();
    let doublings: &[bool] = match (spelling.double, spelling.is_short) {
        ("", _) => &[false],
        (_, true) => &[true],
        (_, false) => &[false, true],
    };
    for &doubled in doublings {
        for es in [spelling.takes_es(paradigm), !spelling.takes_es(paradigm)] {
            if es && !spelling.may_take_es() {
                continue;
            }
            let Some(form) = spelling.form(paradigm, wish, doubled, es) else { continue };
            let compared = paradigm == Paradigm::Adjective && form != lemma;
            if compared && !(spelling.compares || spelling.consonant_y) && frequencies.zipf(Unit::Form, &form) == 0 {
                continue;
            }
            ways.push(Way { form, by: By::Spelling { doubled, es } });
        }
    }
    ways
}

/// What the regular spelling of an English word depends on.
struct Spelling<'l> {
    lemma: &'l str,
    /// One group of vowels.
    is_short: bool,
    /// One syllable, or two the second of which is `-le` or `-ow`.
    compares: bool,
    /// Ends in `y` behind a consonant.
    consonant_y: bool,
    /// What is put between the word and an ending with a vowel when the consonant doubles; empty where it cannot.
    double: &'l str,
}

impl<'l> Spelling<'l> {
    fn of(lemma: &'l str) -> Self {
        let vowel = |b: u8| b"aeiou".contains(&b);
        let bytes = lemma.as_bytes();
        let n = bytes.len();
        if n < 2 || !lemma.is_ascii() {
            return Spelling { lemma, is_short: false, compares: false, consonant_y: false, double: "" };
        }
        let groups =
            bytes.iter().zip(std::iter::once(&b' ').chain(bytes)).filter(|(c, p)| vowel(**c) && !vowel(**p)).count();
        let one_vowel =
            n > 2 && vowel(bytes[n - 2]) && (!vowel(bytes[n - 3]) || n > 3 && &bytes[n - 4..n - 2] == b"qu");
        let double = match bytes[n - 1] {
            b'c' if lemma.ends_with("ic") => "k",
            last if one_vowel && !vowel(last) && !b"wxyc".contains(&last) => &lemma[n - 1..],
            _ => "",
        };
        Spelling {
            lemma,
            is_short: groups == 1 || double == "k",
            compares: groups == 1 || groups == 2 && ["le", "ow"].iter().any(|e| lemma.ends_with(e)),
            consonant_y: bytes[n - 1] == b'y' && !vowel(bytes[n - 2]),
            double,
        }
    }

    /// Whether a form lacks the doubled consonant that a word of one syllable must have (*plat, plated*).
    fn forbids(&self, form: &str) -> bool {
        let rest = form.strip_prefix(self.lemma);
        self.is_short && !self.double.is_empty() && matches!(rest, Some("ed" | "ing" | "er" | "est"))
    }

    fn hisses(&self) -> bool {
        ["s", "x", "z", "sh"].iter().any(|e| self.lemma.ends_with(e))
    }

    fn ends_in_consonant_o(&self) -> bool {
        let mut letters = self.lemma.bytes().rev();
        letters.next() == Some(b'o') && letters.next().is_some_and(|b| !b"aeiou".contains(&b))
    }

    fn may_take_es(&self) -> bool {
        self.hisses() || self.lemma.ends_with("ch") || self.ends_in_consonant_o()
    }

    fn takes_es(&self, paradigm: Paradigm) -> bool {
        self.hisses() || self.lemma.ends_with("ch") || paradigm == Paradigm::Verb && self.ends_in_consonant_o()
    }

    fn with_s(&self, es: bool) -> String {
        let lemma = self.lemma;
        if self.consonant_y {
            format!("{}ies", &lemma[..lemma.len() - 1])
        } else {
            format!("{lemma}{}", if es || self.hisses() { "es" } else { "s" })
        }
    }

    fn with(&self, ending: &str, doubled: bool) -> String {
        let lemma = self.lemma;
        let cut = &lemma[..lemma.char_indices().next_back().map_or(0, |(i, _)| i)];
        match () {
            () if ending == "ing" && lemma.ends_with("ie") => format!("{}ying", &cut[..cut.len() - 1]),
            () if ending == "ing" && lemma.ends_with('e') && !["ee", "oe", "ye"].iter().any(|e| lemma.ends_with(e)) => {
                format!("{cut}ing")
            }
            () if ending == "ing" => format!("{lemma}{}ing", if doubled { self.double } else { "" }),
            () if lemma.ends_with('e') => format!("{cut}{ending}"),
            () if self.consonant_y => format!("{cut}i{ending}"),
            () => format!("{lemma}{}{ending}", if doubled { self.double } else { "" }),
        }
    }

    fn form(&self, paradigm: Paradigm, wish: &Cell<'_>, doubled: bool, es: bool) -> Option<String> {
        let plain = || Some(self.lemma.to_owned());
        match (paradigm, wish.verb_form, wish.tense) {
            (Paradigm::Noun, ..) if wish.number == "Plur" => Some(self.with_s(es)),
            (Paradigm::Noun, ..) | (Paradigm::Verb, "Inf", _) => plain(),
            (Paradigm::Verb, "Ger", _) | (Paradigm::Verb, "Part", "Pres") => Some(self.with("ing", doubled)),
            (Paradigm::Verb, "Part", _) | (Paradigm::Verb, _, "Past") => Some(self.with("ed", doubled)),
            (Paradigm::Verb, _, "Pres") if wish.person == "3" && wish.number != "Plur" => Some(self.with_s(es)),
            (Paradigm::Verb, _, "Pres") => plain(),
            (Paradigm::Adjective, ..) => match wish.degree {
                "" | "Pos" => plain(),
                "Cmp" => Some(self.with("er", doubled)),
                "Sup" => Some(self.with("est", doubled)),
                _ => None,
            },
            _ => None,
        }
    }

    fn signs(&self, paradigm: Paradigm, doubled: bool, es: bool) -> Vec<String> {
        match paradigm {
            Paradigm::Verb => vec![self.with("ed", doubled), self.with("ing", doubled), self.with_s(es)],
            Paradigm::Noun => vec![self.with_s(es)],
            Paradigm::Adjective => vec![self.with("er", doubled), self.with("est", doubled)],
            Paradigm::Determiner => Vec::new(),
        }
    }
}

fn rows(data: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    data.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}
