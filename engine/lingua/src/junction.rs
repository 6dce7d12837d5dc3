//! How two words meet: elision, contraction, and words that change before a sound: «de» before «enviar» is «d'», “a” before “order” is “an”.
//!
//! What the languages do is data, `junctions/<language>.tsv`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use glosa_text::{Language, normal_form};

/// How the words of one language meet.
#[derive(Debug, Default)]
pub struct Junctions {
    sets: BTreeMap<&'static str, Vec<&'static str>>,
    before: Vec<Before>,
    with: Vec<[&'static str; 3]>,
    genders: BTreeMap<&'static str, &'static str>,
}

/// A word that is written otherwise before some beginnings.
#[derive(Debug)]
struct Before {
    word: &'static str,
    set: &'static str,
    except: &'static str,
    written: &'static str,
}

/// What the left one of two words becomes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Met {
    /// The left word as it is written.
    pub left: String,
    /// The right word is written inside the left one.
    pub swallows: bool,
}

impl Met {
    /// What stands between the two words.
    pub fn space(&self) -> &'static str {
        if self.left.ends_with('\'') { "" } else { " " }
    }
}

/// How a word is written before another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// Any words may stand there as they are.
    Free,
    /// One way.
    As(Met),
    /// More than one way, and nothing says which.
    Unknown,
}

impl Junctions {
    /// Those of a language.
    pub fn of(language: Language) -> &'static Junctions {
        static ALL: OnceLock<[Junctions; 3]> = OnceLock::new();
        let all = ALL.get_or_init(|| {
            [
                Junctions::read(include_str!("../junctions/es.tsv")),
                Junctions::read(include_str!("../junctions/ca.tsv")),
                Junctions::read(include_str!("../junctions/en.tsv")),
            ]
        });
        match language {
            Language::Es => &all[0],
            Language::Ca => &all[1],
            Language::En => &all[2],
        }
    }

    fn read(data: &'static str) -> Junctions {
        let mut junctions = Junctions::default();
        for line in data.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            match fields[..] {
                ["set", name, words] => drop(junctions.sets.insert(name, words.split_whitespace().collect())),
                ["before", word, set, except, written] => {
                    junctions.before.push(Before { word, set, except, written });
                }
                ["with", left, right, written] => junctions.with.push([left, right, written]),
                ["gender", word, gender] => drop(junctions.genders.insert(word, gender)),
                _ => {}
            }
        }
        junctions
    }

    /// Characters of the longest beginning in a set that a word has.
    fn longest(&self, set: &str, word: &str) -> usize {
        let begins = |start: &&str| match start.strip_suffix('$') {
            Some(whole) => word == whole,
            None => word.starts_with(*start),
        };
        let set = self.sets.get(set).map_or(&[][..], Vec::as_slice);
        set.iter().copied().filter(|start| begins(start)).map(|start| start.chars().count()).max().unwrap_or(0)
    }

    fn written_before(&self, word: &str, right: &str) -> Option<&'static str> {
        self.before
            .iter()
            .filter(|rule| rule.word == word)
            .find(|rule| self.longest(rule.set, right) > self.longest(rule.except, right))
            .map(|rule| rule.written)
    }

    /// The words that a written one may stand for, each with a word that is written with it: `del` is `de` and `el`.
    fn stands_for(&self, left: &str) -> Vec<(Option<&'static str>, &'static str)> {
        let written: Vec<_> =
            self.before.iter().filter(|rule| rule.written == left).map(|rule| (None, rule.word)).collect();
        if !written.is_empty() {
            return written;
        }
        let known = self.before.iter().map(|rule| rule.word).chain(self.with.iter().map(|row| row[0]));
        if let Some(word) = known.clone().find(|word| *word == left) {
            return vec![(None, word)];
        }
        let known: BTreeSet<&str> = known.collect();
        let one = self.with.iter().find(|row| row[2] == left && known.contains(row[1]));
        one.map(|row| (Some(row[0]), row[1])).into_iter().collect()
    }

    fn met(&self, prefix: Option<&str>, word: &str, right: &str) -> Met {
        let pair = |left: &str, right: &str| self.with.iter().find(|row| row[0] == left && row[1] == right);
        if let (None, Some(row)) = (prefix, pair(word, right)) {
            return Met { left: row[2].to_owned(), swallows: true };
        }
        let left = self.written_before(word, right).unwrap_or(word);
        let left = match prefix {
            None => left.to_owned(),
            Some(prefix) => pair(prefix, left).map_or_else(|| format!("{prefix} {left}"), |row| row[2].to_owned()),
        };
        Met { left, swallows: false }
    }

    /// How a word is written before another, which is given as it stands in the text; `gender` is asked for that of
    /// the right word where it decides.
    pub fn meet(&self, left: &str, right: &str, gender: impl Fn() -> Option<String>) -> Meeting {
        let bases = self.stands_for(&normal_form(left));
        let acronym = shouted(right) && !shouted(left);
        if bases.is_empty() || acronym || !right.starts_with(char::is_alphabetic) {
            return Meeting::Free;
        }
        let capital = right.starts_with(char::is_uppercase);
        let right = normal_form(right);
        let ways = |wanted: Option<&str>| -> BTreeSet<Met> {
            let fits = |word: &str| wanted.is_none_or(|gender| self.genders.get(word) == Some(&gender));
            let bases = bases.iter().filter(|base| fits(base.1));
            bases
                .map(|(prefix, word)| self.met(*prefix, word, &right))
                .filter(|met| !(met.swallows && capital))
                .collect()
        };
        let mut all = ways(None);
        if all.len() > 1 {
            let Some(gender) = gender() else { return Meeting::Unknown };
            all = ways(Some(gender.as_str()));
        }
        match (all.pop_first(), all.is_empty()) {
            (Some(met), true) => Meeting::As(met),
            (None, _) => Meeting::Free,
            _ => Meeting::Unknown,
        }
    }
}

/// More than one letter, all of them capitals.
fn shouted(word: &str) -> bool {
    word.chars().filter(|c| c.is_alphabetic()).count() > 1 && !word.chars().any(char::is_lowercase)
}

/// A written word with the capitals and the apostrophe of another.
pub fn in_the_manner_of(model: &str, text: &str, typographic: bool) -> String {
    let text = match model.chars().find(|c| c.is_alphabetic()) {
        Some(_) if shouted(model) => text.to_uppercase(),
        Some(first) if first.is_uppercase() => {
            let mut chars = text.chars();
            chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
        }
        _ => text.to_owned(),
    };
    if typographic { text.replace('\'', "’") } else { text }
}

/// Two words side by side as a language writes them: `de` + `el` is `del`, `la` + `obra` is `l'obra`. Of a left side
/// of several words the last one counts.
pub fn join(language: Language, left: &str, right: &str) -> String {
    let (head, last) = left.rfind(char::is_whitespace).map_or(("", left), |at| left.split_at(at + 1));
    let word = right.split(char::is_whitespace).next().unwrap_or_default();
    match Junctions::of(language).meet(last, word, || None) {
        Meeting::As(met) => {
            let written = in_the_manner_of(last, &met.left, left.contains('’'));
            let rest = if met.swallows { &right[word.len()..] } else { right };
            let space = if met.swallows { "" } else { met.space() };
            format!("{head}{written}{space}{rest}")
        }
        Meeting::Free | Meeting::Unknown => format!("{left} {right}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_join() {
        for (language, left, right, joined) in [
            (Language::Es, "de", "el", "del"),
            (Language::Es, "De", "el", "Del"),
            (Language::Es, "dentro de", "el", "dentro del"),
            (Language::Es, "dentro de", "el plazo", "dentro del plazo"),
            (Language::Es, "de", "El Salvador", "de El Salvador"),
            (Language::Ca, "la", "obra", "l'obra"),
            (Language::Ca, "la", "informació", "la informació"),
            (Language::Ca, "de", "informar", "d'informar"),
            (Language::Ca, "el", "iode", "el iode"),
            (Language::Ca, "per", "els", "pels"),
            (Language::Ca, "abans de", "enviar", "abans d'enviar"),
            (Language::En, "a", "order", "an order"),
        ] {
            assert_eq!(join(language, left, right), joined, "{left} + {right}");
        }
    }
}
