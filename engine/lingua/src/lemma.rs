//! Lemmas: exceptions learnt from gold data, then the lexicon, then the edit script of the longest known ending.

use crate::ModelError;
use crate::bytes::{Reader, Writer};
use crate::frequency::{Frequencies, Unit};
use crate::hash::{hash_str, mix};
use crate::lexicon::{EditScript, Lexicon};
use crate::tagger::{TagId, TagModel, ending, lemma_key};
use glosa_text::{Language, Upos, has_feature};
use rustc_hash::FxHashMap;

/// Longest ending that has a rule, in characters.
pub const LONGEST_ENDING: usize = 7;

/// The tables of the lemmatiser.
#[derive(Clone, Debug, Default)]
pub struct LemmaTables {
    /// Edit scripts.
    pub scripts: Vec<EditScript>,
    /// Form and tag to script, where the other ways are wrong.
    pub exceptions: FxHashMap<u32, u16>,
    /// Ending and tag to script.
    pub rules: FxHashMap<u32, u16>,
    /// Tags for which the rules come before the lexicon.
    pub rules_first: Vec<TagId>,
    /// How the treebank writes lemmas.
    pub letter_case: LetterCase,
}

/// Conventions of a treebank for the lemmas of names and of nouns that the lexicon has in capitals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LetterCase {
    /// A name in small letters that the lexicon has with a capital alone gets it: `canada`, Canada.
    pub capital: bool,
    /// A name in capitals that is no acronym keeps the first: `TEHRAN`, Tehran.
    pub lower: bool,
    /// A name in the plural has its singular: Americans, American.
    pub singular: bool,
    /// A common noun has small letters, also where the lexicon has capitals: `CEO`, ceo.
    pub small_nouns: bool,
}

/// Acronyms are rarely longer.
const LONGEST_ACRONYM: usize = 5;
/// A known word in capitals is rarely shorter.
const SHORTEST_WORD: usize = 4;

/// What a lemma is looked up in, beside the tables.
#[derive(Clone, Copy, Debug)]
pub struct LemmaSources<'a> {
    /// Language.
    pub language: Language,
    /// Tags.
    pub model: &'a TagModel,
    /// Lexicon.
    pub lexicon: &'a Lexicon,
    /// Frequencies, which decide between two lemmas of the lexicon.
    pub frequencies: &'a Frequencies,
}

/// Key of the rule of an ending of `length` characters for a tag.
pub fn rule_key(ending: &str, length: usize, tag: TagId) -> u32 {
    let hash = mix(hash_str(ending), u64::from(tag) * 16 + length as u64);
    (hash >> 32) as u32 ^ hash as u32
}

impl LemmaTables {
    /// The lemma of a form with a tag. `lower` is its lower-case form.
    pub fn lemma(&self, sources: LemmaSources<'_>, form: &str, lower: &str, tag: TagId) -> String {
        let name = sources.model.upos(tag) == Upos::Propn;
        let keys = [form, lower];
        let found = self.exception(&keys[..if name { 1 } else { 2 }], tag);
        found.unwrap_or_else(|| self.regular(sources, form, lower, tag))
    }

    fn exception(&self, keys: &[&str], tag: TagId) -> Option<String> {
        for key in keys {
            if let Some(script) = self.exceptions.get(&lemma_key(key, tag)) {
                return self.scripts.get(usize::from(*script))?.apply(key);
            }
        }
        None
    }

    /// The lemma without the table of exceptions.
    pub fn regular(&self, sources: LemmaSources<'_>, form: &str, lower: &str, tag: TagId) -> String {
        let upos = sources.model.upos(tag);
        if matches!(upos, Upos::Num | Upos::Sym) && form.starts_with(|c: char| c.is_ascii_digit()) {
            return numeral(sources.language, form);
        }
        if upos == Upos::Propn {
            return self.name(sources, form, lower, tag);
        }
        if upos == Upos::Punct && form.contains(['=', '<', '>']) {
            return form.to_owned();
        }
        if matches!(upos, Upos::Num | Upos::Sym) && form.chars().next().is_some_and(|c| !c.is_lowercase()) {
            return form.to_owned();
        }
        if upos == Upos::Adj && sources.language != Language::En && form.starts_with(|c: char| c.is_ascii_digit()) {
            return form.trim_end_matches(|c: char| !c.is_ascii_digit()).to_owned();
        }
        if upos != Upos::Verb
            && form.ends_with('.')
            && form.chars().any(char::is_alphabetic)
            && sources.language != Language::En
        {
            return lower.to_owned();
        }
        let rules_first = self.rules_first.binary_search(&tag).is_ok();
        let small = self.letter_case.small_nouns && upos == Upos::Noun;
        let from_lexicon =
            || lexicon_lemma(sources, form, lower, tag).map(|lemma| if small { lemma.to_lowercase() } else { lemma });
        let rule = || self.rule(lower, tag);
        let found = if rules_first { rule().or_else(from_lexicon) } else { from_lexicon().or_else(rule) };
        found.unwrap_or_else(|| lower.to_owned())
    }

    /// What the rule of the longest known ending gives.
    pub fn rule(&self, lower: &str, tag: TagId) -> Option<String> {
        self.rule_of(lower, lower, tag)
    }

    /// The same, with the letter case of the form.
    fn rule_of(&self, form: &str, lower: &str, tag: TagId) -> Option<String> {
        let length = lower.chars().take(LONGEST_ENDING).count();
        (0..=length).rev().find_map(|k| {
            let end = if k == 0 { "" } else { ending(lower, k) };
            let script = self.rules.get(&rule_key(end, k, tag))?;
            self.scripts.get(usize::from(*script))?.apply(form)
        })
    }

    /// The lemma of a proper name.
    fn name(&self, sources: LemmaSources<'_>, form: &str, lower: &str, tag: TagId) -> String {
        let mut lemma = form.to_owned();
        if form.chars().all(char::is_alphabetic) {
            if self.letter_case.capital && form == lower || self.letter_case.lower && is_capitals(form) {
                lemma = written_as_name(sources.lexicon, form, lower);
            }
            if self.letter_case.singular && has_feature(sources.model.feats(tag), "Number", "Plur") {
                let known = sources.lexicon.singular(lower, &lemma);
                return known.or_else(|| self.rule_of(&lemma, lower, tag)).unwrap_or(lemma);
            }
        }
        lemma
    }
}

/// Whether a word of more than one letter is written in capitals alone.
pub fn is_capitals(form: &str) -> bool {
    form.chars().nth(1).is_some() && form.chars().all(char::is_uppercase)
}

/// A word in small letters with its first one as a capital.
pub(crate) fn capitalised(lower: &str) -> String {
    let mut letters = lower.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// A name in small letters or capitals, as names are written; what may be an acronym or a common word stays.
fn written_as_name(lexicon: &Lexicon, form: &str, lower: &str) -> String {
    let written = capitalised(lower);
    let length = form.chars().count();
    let name = if form == lower {
        lexicon.is_known(&written) && !lexicon.is_known(lower)
    } else {
        length > LONGEST_ACRONYM || length >= SHORTEST_WORD && (lexicon.is_known(&written) || lexicon.is_known(lower))
    };
    if name { written } else { form.to_owned() }
}

/// A number without its thousands marks and with a decimal point; a percentage as a fraction (`4,5%` is `4.5/100`).
fn numeral(language: Language, form: &str) -> String {
    let (body, suffix) = form.strip_suffix('%').map_or((form, ""), |body| (body, "/100"));
    let (thousands, decimals): (char, &[char]) =
        if language == Language::En { (',', &['.']) } else { ('.', &[',', '\'', '’']) };
    if !body.chars().all(|c| c.is_ascii_digit() || c == thousands || decimals.contains(&c)) {
        return form.to_owned();
    }
    let (whole, rest) = body.split_once(decimals).map_or((body, None), |(w, r)| (w, Some(r)));
    let mut groups = whole.split(thousands);
    let first = groups.next().unwrap_or("");
    let grouped = first.len() <= 3 && groups.clone().next().is_some() && groups.all(|g| g.len() == 3);
    let clean = rest.is_none_or(|r| !r.is_empty() && r.bytes().all(|b| b.is_ascii_digit()));
    if let (Some((whole, decimals)), Language::En) = (body.split_once(','), language)
        && decimals.len() < 3
    {
        return format!("{whole}.{decimals}{suffix}");
    }
    if !clean || whole.contains(thousands) && !grouped {
        return form.to_owned();
    }
    let mut lemma = whole.replace(thousands, "");
    if let Some(rest) = rest {
        lemma.push('.');
        lemma.push_str(rest);
    }
    lemma + suffix
}

/// The lemma of the lexicon reading that fits a tag best; of two that fit as well, the more frequent one.
pub fn lexicon_lemma(sources: LemmaSources<'_>, form: &str, lower: &str, tag: TagId) -> Option<String> {
    let LemmaSources { language, model, lexicon, frequencies } = sources;
    let upos = model.upos(tag);
    let forms = if upos == Upos::Noun { [lower, form] } else { [form, lower] };
    for form in &forms[..if form == lower { 1 } else { 2 }] {
        let mut best: Option<(u8, u8, String)> = None;
        for reading in lexicon.readings(form) {
            let tags = model.of_lexicon_tag(reading.tag);
            let fit = if tags.first() == Some(&tag) {
                3
            } else if tags.contains(&tag) {
                2
            } else {
                u8::from(tags.iter().any(|t| model.upos(*t) == upos))
            };
            if fit == 0 || best.as_ref().is_some_and(|b| b.0 > fit) {
                continue;
            }
            let Some(lemma) = lexicon.lemma(form, *reading) else { continue };
            let zipf = frequencies.zipf(Unit::Lemma, &lemma).max(frequencies.zipf(Unit::Form, &lemma));
            if best.as_ref().is_none_or(|b| (fit, zipf) > (b.0, b.1)) {
                best = Some((fit, zipf, lemma));
            }
        }
        if let Some((_, _, lemma)) = best {
            let woman =
                upos == Upos::Noun && language != Language::En && has_feature(model.feats(tag), "Gender", "Fem");
            let own = if woman { feminine(language, lexicon, form, &lemma) } else { None };
            return Some(own.unwrap_or(lemma));
        }
    }
    None
}

/// A noun of women has a lemma of its own (`hermanas`: `hermana`) where the lexicon files it under the masculine.
fn feminine(language: Language, lexicon: &Lexicon, form: &str, lemma: &str) -> Option<String> {
    if lemma.ends_with('a') {
        return None;
    }
    if form.ends_with('a') {
        return Some(form.to_owned());
    }
    if language == Language::Es {
        return form.strip_suffix('s').filter(|own| own.ends_with('a')).map(str::to_owned);
    }
    let stem = form.strip_suffix("es")?;
    let respelt = [("qu", "c"), ("gu", "g"), ("c", "ç"), ("g", "j"), ("qü", "qu"), ("gü", "gu")];
    let spellings = respelt.iter().filter_map(|(from, to)| Some(format!("{}{to}a", stem.strip_suffix(from)?)));
    std::iter::once(format!("{stem}a")).chain(spellings).find(|own| lexicon.has_tag(own, "NCFS"))
}

impl LemmaTables {
    /// The bytes of `lemmas.bin`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(b"GLM2");
        out.number(self.scripts.len() as u64);
        for script in &self.scripts {
            out.number(u64::from(script.drop));
            out.text(&script.append);
        }
        for table in [&self.exceptions, &self.rules] {
            let mut keys: Vec<_> = table.iter().collect();
            keys.sort();
            out.number(keys.len() as u64);
            for (key, script) in keys {
                out.word(*key);
                out.number(u64::from(*script));
            }
        }
        out.number(self.rules_first.len() as u64);
        self.rules_first.iter().for_each(|t| out.number(u64::from(*t)));
        let LetterCase { capital, lower, singular, small_nouns } = self.letter_case;
        [capital, lower, singular, small_nouns].into_iter().for_each(|does| out.number(u64::from(does)));
        out.finish()
    }

    /// Reads `lemmas.bin`.
    ///
    /// # Errors
    /// [`ModelError`] when the file is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let mut reader = Reader::new(bytes, b"GLM2", "lemma tables")?;
        let mut tables = LemmaTables::default();
        for _ in 0..reader.count()? {
            let drop = reader.number()? as u8;
            tables.scripts.push(EditScript { drop, append: reader.text()?.into() });
        }
        for table in [&mut tables.exceptions, &mut tables.rules] {
            let size = reader.count()?;
            table.reserve(size);
            for _ in 0..size {
                let key = reader.word()?;
                table.insert(key, reader.number()? as u16);
            }
        }
        for _ in 0..reader.count()? {
            tables.rules_first.push(reader.number()? as TagId);
        }
        let mut does = || Ok(reader.number()? == 1);
        tables.letter_case = LetterCase { capital: does()?, lower: does()?, singular: does()?, small_nouns: does()? };
        Ok(tables)
    }
}
