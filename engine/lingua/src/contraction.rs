//! The syntactic words of a surface token: contractions, verbs with clitics, English forms with an apostrophe.

use crate::lexicon::Lexicon;
use glosa_text::{Language, normal_form};
use rustc_hash::{FxHashMap, FxHashSet};

/// Splits surface tokens of one language into syntactic words.
#[derive(Debug)]
pub struct Contractions {
    language: Language,
    table: FxHashMap<&'static str, Vec<&'static str>>,
    before: FxHashMap<&'static str, (Vec<&'static str>, FxHashSet<&'static str>)>,
    longest_before: usize,
}

const SPANISH_CLITICS: [&str; 11] = ["nos", "los", "las", "les", "me", "te", "se", "os", "lo", "la", "le"];
const CATALAN_CLITICS: [&str; 17] =
    ["me", "te", "se", "nos", "vos", "lo", "la", "los", "les", "li", "ho", "hi", "ne", "us", "en", "el", "els"];

impl Contractions {
    /// The splitter of a language; the table of fixed forms is `form`, tab, words separated by spaces and, where the
    /// form is one word elsewhere, tab and the forms before which it is these.
    pub fn new(language: Language) -> Self {
        let data = match language {
            Language::Es => include_str!("../models/es/contractions.tsv"),
            Language::Ca => include_str!("../models/ca/contractions.tsv"),
            Language::En => include_str!("../models/en/contractions.tsv"),
        };
        let (mut table, mut before) = (FxHashMap::default(), FxHashMap::default());
        for line in data.lines().filter(|line| !line.starts_with('#')) {
            let mut columns = line.split('\t').map(|column| column.split(' '));
            let (Some(mut form), Some(words)) = (columns.next(), columns.next()) else { continue };
            let form = form.next().unwrap_or_default();
            match columns.next() {
                None => {
                    table.insert(form, words.collect());
                }
                Some(next) => {
                    before.insert(form, (words.collect(), next.collect()));
                }
            }
        }
        let longest_before = before.keys().map(|form: &&str| form.len()).max().unwrap_or(0);
        Contractions { language, table, before, longest_before }
    }

    /// Whether a form that is one word elsewhere is several before `next`: *its not*.
    pub fn depends(&self, form: &str, next: &str) -> bool {
        form.len() <= self.longest_before
            && self
                .before
                .get(normal_form(form).as_str())
                .is_some_and(|(_, set)| set.contains(normal_form(next).as_str()))
    }

    /// The words of a form for which [`depends`](Self::depends) holds. `words` is cleared first.
    pub fn split_before(&self, form: &str, words: &mut Vec<String>) {
        words.clear();
        if let Some((parts, _)) = self.before.get(normal_form(form).as_str()) {
            spell_as(form, parts, words);
        }
    }

    /// The words of a form, or nothing when it is one word. `words` is cleared first. True when the words after the
    /// first are pronouns of the verb before them.
    pub fn split(&self, form: &str, lexicon: &Lexicon, words: &mut Vec<String>) -> bool {
        words.clear();
        if form.len() > 40
            || form.len() < 2
            || !form.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-' | '·' | '`'))
        {
            return false;
        }
        let norm = normal_form(form);
        if let Some(parts) = self.table.get(norm.as_str()) {
            spell_as(form, parts, words);
            return false;
        }
        match self.language {
            Language::Es => spanish_enclitics(form, &norm, lexicon, words),
            Language::Ca => catalan_enclitics(form, words),
            Language::En => english(form, &norm, words),
        }
        self.language != Language::En
    }
}

/// Adds the parts with the capitals of the form.
fn spell_as(form: &str, parts: &[&str], words: &mut Vec<String>) {
    let upper = form.chars().filter(|c| c.is_alphabetic()).count() > 1
        && form.chars().all(|c| !c.is_alphabetic() || c.is_uppercase());
    let capital = form.chars().next().is_some_and(char::is_uppercase);
    for (i, part) in parts.iter().enumerate() {
        words.push(if upper {
            part.to_uppercase()
        } else if capital && i == 0 {
            capitalise(part)
        } else {
            (*part).to_owned()
        });
    }
}

fn capitalise(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

fn unaccent(word: &str) -> String {
    word.chars()
        .map(|c| match c {
            'á' => 'a',
            'é' => 'e',
            'í' => 'i',
            'ó' => 'o',
            'ú' => 'u',
            c => c,
        })
        .collect()
}

fn spanish_enclitics(form: &str, norm: &str, lexicon: &Lexicon, words: &mut Vec<String>) {
    let quick = SPANISH_CLITICS.iter().any(|c| norm.ends_with(c));
    if !quick || norm.len() < 5 || form != norm && form.chars().skip(1).any(char::is_uppercase) {
        return;
    }
    if lexicon.is_known(norm) {
        return;
    }
    let mut clitics: Vec<&str> = Vec::new();
    let mut stem = norm;
    for _ in 0..2 {
        let Some(clitic) = SPANISH_CLITICS.iter().find(|c| stem.ends_with(*c) && stem.len() > c.len() + 1) else {
            break;
        };
        clitics.insert(0, clitic);
        stem = &stem[..stem.len() - clitic.len()];
        if let Some(verb) = spanish_host(stem, lexicon, clitics.len()) {
            let host = if form.chars().next().is_some_and(char::is_uppercase) { capitalise(&verb) } else { verb };
            words.push(host);
            words.extend(clitics.iter().map(|c| (*c).to_owned()));
            return;
        }
    }
}

fn spanish_host(stem: &str, lexicon: &Lexicon, clitics: usize) -> Option<String> {
    let plain = unaccent(stem);
    let accented = plain != stem;
    let infinitive = ["ar", "er", "ir"].iter().any(|e| plain.ends_with(e));
    if infinitive && lexicon.has_tag(&plain, "VMN") && (clitics == 2) == accented {
        return Some(plain);
    }
    if infinitive && !accented && lexicon.has_tag(stem, "VMN") {
        return Some(stem.to_owned());
    }
    for stressed in [stem.to_owned(), format!("{}ír", stem.strip_suffix("ir").unwrap_or(""))] {
        if stressed.ends_with("ír") && lexicon.has_tag(&stressed, "VMN") {
            return Some(stressed);
        }
    }
    if plain.ends_with("ndo") && accented && lexicon.has_tag(&plain, "VMG") {
        return Some(plain);
    }
    if lexicon.has_tag(&plain, "VMM") && plain.len() > 2 {
        return Some(plain);
    }
    if lexicon.has_tag(stem, "VMM") && stem.len() > 2 {
        return Some(stem.to_owned());
    }
    if clitics == 1 && stem.ends_with("mo") {
        let plural = format!("{plain}s");
        if lexicon.has_tag(&plural, "VMM01P") || lexicon.has_tag(&plural, "VMSP1P") {
            return Some(plural);
        }
    }
    None
}

fn catalan_enclitics(form: &str, words: &mut Vec<String>) {
    let lower = form.to_lowercase();
    if let Some(at) = lower.find('-') {
        if lower.len() != form.len() || at < 2 {
            return;
        }
        let tail = &lower[at..];
        let mut pieces: Vec<(usize, usize)> = Vec::new();
        let mut pos = at;
        while pos < lower.len() {
            let rest = &lower[pos..];
            let from = pos + usize::from(rest.starts_with('-'));
            let body = &lower[from..];
            let stop = body.char_indices().skip(1).find(|(i, c)| matches!(c, '-' | '\'' | '’') && *i > 0).map_or(
                body.len(),
                |(i, c)| {
                    if c == '-' {
                        i
                    } else if i == 1 {
                        i + c.len_utf8()
                    } else {
                        i
                    }
                },
            );
            if stop == 0 {
                return;
            }
            pieces.push((from, from + stop));
            pos = from + stop;
        }
        let known = |piece: &str| {
            let bare = piece.replace('’', "'");
            CATALAN_CLITICS.contains(&bare.as_str())
                || matches!(
                    &*bare,
                    "'n" | "'l" | "'ls" | "'m" | "'t" | "'s" | "'ns" | "m'" | "t'" | "s'" | "n'" | "l'" | "'hi" | "'ho"
                )
        };
        if tail.len() < 2 || !pieces.iter().all(|(a, b)| known(&lower[*a..*b])) {
            return;
        }
        words.push(form[..at].to_owned());
        words.extend(pieces.iter().map(|(a, b)| form[*a..*b].to_owned()));
        return;
    }
    for mark in ['\'', '’'] {
        if let Some((host, clitic)) = form.rsplit_once(mark) {
            let verb = host.len() > 3
                && host.ends_with(['e', 'a', 'i', 'u'])
                && host.chars().next().is_some_and(char::is_lowercase);
            if verb && matches!(clitic, "n" | "l" | "ls" | "m" | "t" | "s" | "ns") {
                words.push(host.to_owned());
                words.push(format!("{mark}{clitic}"));
            }
            return;
        }
    }
}

fn english(form: &str, norm: &str, words: &mut Vec<String>) {
    if norm.len() > 3 && norm.ends_with("n't") {
        let tail: usize = form.char_indices().rev().nth(2).map_or(0, |(i, _)| i);
        words.push(form[..tail].to_owned());
        words.push(form[tail..].to_owned());
        return;
    }
    let Some((at, _)) = form.char_indices().rev().find(|(_, c)| matches!(c, '\'' | '’' | '`')) else { return };
    let tail = norm.rsplit('\'').next().unwrap_or("");
    let clitic = matches!(tail, "s" | "re" | "ve" | "ll" | "d" | "m")
        || tail.is_empty() && norm.ends_with("s'")
        || norm.ends_with("`s");
    if at > 0 && clitic {
        words.push(form[..at].to_owned());
        words.push(form[at..].to_owned());
    }
}
