//! Repairs of a word that the lexicon lacks: the known words that may have been meant, each with what it costs to come
//! from one to the other and how frequent it is. Which of them is certain is for rules to say.
//!
//! Words are found through an index of deletions over the sounds of words (W. Garbe's symmetric delete, 2012): two words
//! whose sounds are one change apart share a string with one letter deleted at most. The index holds the frequent forms of
//! the lexicon; it is made when the first word of a language is asked for. How a language misspells is data,
//! `spelling/<language>.tsv`.

use std::sync::OnceLock;

use glosa_text::Language;
use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::frequency::{Frequencies, Unit};
use crate::hash::hash_str;
use crate::lexicon::Lexicon;

/// Longer words are names of chemistry and hostile texts.
const LONGEST: usize = 32;
/// Shorter words have too many neighbours.
const SHORTEST: usize = 3;
/// What a repair costs at most, in tenths.
const DEAREST: u8 = 16;
/// What it would cost at most if the sounds did not halve it.
const FARTHEST_COST: u8 = 20;
/// Repairs of one word.
const MOST: usize = 8;
/// Bytes by which a word and its repair may differ in length.
const FARTHEST: usize = 4;
/// Candidates that are compared with one word.
const MOST_COMPARED: usize = 400;
const BUCKET_BITS: u32 = 18;
/// The shortest word behind a prefix.
const SHORTEST_BASE: usize = 5;

/// A known word that an unknown one may have been meant for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The word, in small letters; two words where a space is missing.
    pub form: String,
    /// What the changes cost, in tenths: 2 is an accent, 5 two letters in the wrong order, 10 any other letter.
    pub cost: u8,
    /// Its Zipf frequency, in tenths; of two words that of the rarer one.
    pub zipf: u8,
    /// Accents alone differ.
    pub accents: bool,
}

/// What changes cost, in tenths.
#[derive(Clone, Copy, Debug, Default)]
struct Costs {
    accent: u8,
    sound: u8,
    double: u8,
    swap: u8,
    key: u8,
    letter: u8,
    other: u8,
    first: u8,
}

/// How a language misspells.
#[derive(Debug, Default)]
struct Habits {
    least: u8,
    joined: u8,
    /// The first of two words that were written as one.
    joinable: Vec<&'static str>,
    /// Letters and Zipf frequency that each part of a compound has at least.
    compound: Option<(usize, u8)>,
    costs: Costs,
    /// Place of each key.
    keys: FxHashMap<char, (i32, i32)>,
    /// Letters of a sound by their first one, the longest first.
    sounds: FxHashMap<char, Vec<(&'static str, &'static str)>>,
    endings: Vec<(&'static str, Vec<&'static str>)>,
    prefixes: Vec<&'static str>,
}

impl Habits {
    fn read(data: &'static str, prefixes: &'static str) -> Habits {
        let mut habits = Habits::default();
        let mut rows = 0;
        for line in data.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split('\t');
            let kind = fields.next().unwrap_or_default();
            let mut field = || fields.next().unwrap_or_default();
            match kind {
                "least" => habits.least = field().parse().unwrap_or_default(),
                "joined" => {
                    habits.joined = field().parse().unwrap_or_default();
                    habits.joinable = fields.collect();
                }
                "compound" => habits.compound = field().parse().ok().zip(field().parse().ok()),
                "cost" => {
                    let costs = &mut habits.costs;
                    let cost = match field() {
                        "accent" => &mut costs.accent,
                        "sound" => &mut costs.sound,
                        "double" => &mut costs.double,
                        "swap" => &mut costs.swap,
                        "key" => &mut costs.key,
                        "letter" => &mut costs.letter,
                        "first" => &mut costs.first,
                        _ => &mut costs.other,
                    };
                    *cost = field().parse().unwrap_or_default();
                }
                "keys" => {
                    habits.keys.extend(field().chars().zip(0..).map(|(key, at)| (key, (rows, 2 * at + rows))));
                    rows += 1;
                }
                "sound" => {
                    let (from, to) = (field(), field());
                    let first = from.chars().next().unwrap_or_default();
                    habits.sounds.entry(first).or_default().push((from, to));
                }
                "ending" => {
                    let ending = field();
                    habits.endings.push((ending, fields.collect()));
                }
                _ => {}
            }
        }
        habits.sounds.values_mut().for_each(|sounds| sounds.sort_by_key(|(from, _)| std::cmp::Reverse(from.len())));
        // One letter is sooner a slip than a prefix.
        habits.prefixes = prefixes.lines().filter(|line| !line.starts_with('#') && line.len() > 1).collect();
        habits
    }

    fn of(language: Language) -> &'static Habits {
        static ALL: OnceLock<[Habits; 3]> = OnceLock::new();
        let all = ALL.get_or_init(|| {
            [
                Habits::read(include_str!("../spelling/es.tsv"), include_str!("../models/es/derivation.txt")),
                Habits::read(include_str!("../spelling/ca.tsv"), include_str!("../models/ca/derivation.txt")),
                Habits::read(include_str!("../spelling/en.tsv"), include_str!("../models/en/derivation.txt")),
            ]
        });
        match language {
            Language::Es => &all[0],
            Language::Ca => &all[1],
            Language::En => &all[2],
        }
    }

    /// A word as it sounds: one spelling for each sound, a doubled letter as a single one, no accents.
    fn sounds(&self, word: &str, out: &mut String) {
        out.clear();
        let mut rest = word;
        while let Some(first) = rest.chars().next() {
            let found = self.sounds.get(&first).and_then(|all| all.iter().find(|(from, _)| rest.starts_with(from)));
            let (read, sound) = found.map_or((&rest[..first.len_utf8()], None), |(from, to)| (*from, Some(*to)));
            rest = &rest[read.len()..];
            match sound {
                Some(sound) => out.push_str(sound),
                None => plain(first, |letter| {
                    // The letter without its accent may be one of a sound that is written in several ways.
                    let alone = self.sounds.get(&letter).into_iter().flatten().find(|(from, _)| from.len() == 1);
                    match alone {
                        Some((_, sound)) if letter != first => out.push_str(sound),
                        _ if out.ends_with(letter) => {}
                        _ => out.push(letter),
                    }
                }),
            }
        }
    }

    fn near(&self, one: char, other: char) -> bool {
        let place = |key| self.keys.get(&key);
        place(one)
            .zip(place(other))
            .is_some_and(|(a, b)| (a.0 - b.0).abs() <= 1 && (a.1 - b.1).abs() <= if a.0 == b.0 { 2 } else { 1 })
    }

    /// What leads from one spelling to the other (optimal string alignment with weights); `None` where it is too dear.
    fn distance(&self, one: &[char], other: &[char]) -> Option<u8> {
        const FAR: u8 = 100;
        if one.len().abs_diff(other.len()) > 2 || one.len() > LONGEST || other.len() > LONGEST {
            return None;
        }
        let costs = &self.costs;
        let mut rows = [[FAR; LONGEST + 1]; 3];
        let step = |letters: &[char], at: usize| {
            let doubled = at > 0 && letters[at - 1] == letters[at] || letters.get(at + 1) == Some(&letters[at]);
            if doubled { costs.double } else { costs.letter + if at == 0 { costs.first } else { 0 } }
        };
        rows[0][0] = 0;
        for at in 0..other.len() {
            rows[0][at + 1] = rows[0][at].saturating_add(step(other, at)).min(FAR);
        }
        for (i, letter) in one.iter().enumerate() {
            let (before, last, now) = ((i + 2) % 3, i % 3, (i + 1) % 3);
            rows[now][0] = rows[last][0].saturating_add(step(one, i)).min(FAR);
            let mut least = rows[now][0];
            for (j, wanted) in other.iter().enumerate() {
                let change = if letter == wanted {
                    0
                } else {
                    let change = if self.near(*letter, *wanted) { costs.key } else { costs.other };
                    change + if i == 0 && j == 0 { costs.first } else { 0 }
                };
                let mut best = rows[last][j].saturating_add(change);
                best = best.min(rows[last][j + 1].saturating_add(step(one, i)));
                best = best.min(rows[now][j].saturating_add(step(other, j)));
                if i > 0 && j > 0 && one[i - 1] == *wanted && other[j - 1] == *letter && letter != wanted {
                    best = best.min(rows[before][j - 1].saturating_add(costs.swap));
                }
                rows[now][j + 1] = best.min(FAR);
                least = least.min(best);
            }
            if least > FARTHEST_COST {
                return None;
            }
        }
        Some(rows[one.len() % 3][other.len()]).filter(|cost| *cost <= FARTHEST_COST)
    }
}

/// A letter without its accent.
fn plain(letter: char, mut push: impl FnMut(char)) {
    if letter.is_ascii() {
        push(letter);
    } else {
        letter.nfd().filter(|c| !is_combining_mark(*c) && *c != '·').for_each(push);
    }
}

/// Whether a word has these letters, accents apart.
fn same_letters(word: &str, letters: &[char]) -> bool {
    let (mut rest, mut same) = (letters.iter(), true);
    for letter in word.chars() {
        plain(letter, |letter| same &= rest.next() == Some(&letter));
        if !same {
            return false;
        }
    }
    rest.next().is_none()
}

/// A word in the ways in which words are compared.
#[derive(Debug, Default)]
struct Spelt {
    /// Its letters without accents.
    plain: Vec<char>,
    /// The letters with an accent, in their order.
    accented: Vec<char>,
    /// Where they stand.
    places: Vec<usize>,
    /// How it sounds.
    sounds: String,
    sounded: Vec<char>,
}

impl Spelt {
    fn set(&mut self, habits: &Habits, word: &str) {
        self.plain.clear();
        self.accented.clear();
        self.places.clear();
        for letter in word.chars() {
            plain(letter, |letter| self.plain.push(letter));
            if !letter.is_ascii() && letter != '·' {
                self.accented.push(letter);
                self.places.push(self.plain.len());
            }
        }
        habits.sounds(word, &mut self.sounds);
        self.sounded.clear();
        self.sounded.extend(self.sounds.chars());
    }

    /// What leads from one word to the other, and whether only accents differ.
    fn cost(&self, habits: &Habits, other: &Spelt) -> Option<(u8, bool)> {
        let costs = &habits.costs;
        let accents = if self.accented == other.accented { 0 } else { costs.accent };
        if self.plain == other.plain {
            // Another accent on the same letter is the likelier slip.
            let moved = self.places != other.places;
            return Some((if moved { costs.accent } else { costs.accent.div_ceil(2) }, true));
        }
        let written = habits.distance(&self.plain, &other.plain);
        let best = if self.sounds == other.sounds {
            written.map(|cost| costs.sound.max(cost / 2))
        } else {
            let heard = || Some(habits.distance(&self.sounded, &other.sounded)? + costs.sound);
            written.filter(|cost| *cost <= DEAREST).or_else(heard)
        }?;
        let cost = best + accents;
        (cost <= DEAREST).then_some((cost, false))
    }
}

/// Frequent words by their sounds and by these with one letter deleted.
#[derive(Debug)]
struct Index {
    words: String,
    ends: Vec<u32>,
    zipf: Vec<u8>,
    starts: Vec<u32>,
    entries: Vec<u32>,
}

fn bucket(key: &str) -> usize {
    (hash_str(key) >> (64 - BUCKET_BITS)) as usize
}

/// The bucket of a string, and those of it with one letter deleted.
fn for_each_bucket(sounds: &str, scratch: &mut String, mut visit: impl FnMut(usize)) {
    visit(bucket(sounds));
    let mut last = None;
    for (at, letter) in sounds.char_indices() {
        if last != Some(letter) {
            scratch.clear();
            scratch.push_str(&sounds[..at]);
            scratch.push_str(&sounds[at + letter.len_utf8()..]);
            visit(bucket(scratch));
        }
        last = Some(letter);
    }
}

impl Index {
    fn new(habits: &Habits, lexicon: &Lexicon, frequencies: &Frequencies) -> Index {
        let mut index =
            Index { words: String::new(), ends: Vec::new(), zipf: Vec::new(), starts: Vec::new(), entries: Vec::new() };
        lexicon.for_each(|form, _| {
            let letters = |c: char| c.is_lowercase() || c == '·';
            if form.len() < SHORTEST || !form.chars().all(letters) {
                return;
            }
            let zipf = frequencies.zipf(Unit::Form, form);
            if zipf >= habits.least {
                index.words.push_str(form);
                index.ends.push(index.words.len() as u32);
                index.zipf.push(zipf);
            }
        });
        let (mut sounds, mut scratch) = (String::new(), String::new());
        let mut filed: Vec<(u32, u32)> = Vec::with_capacity(index.ends.len() * 10);
        for number in 0..index.ends.len() as u32 {
            habits.sounds(index.word(number), &mut sounds);
            for_each_bucket(&sounds, &mut scratch, |bucket| filed.push((bucket as u32, number)));
        }
        filed.sort_unstable();
        filed.dedup();
        index.starts = vec![0; (1 << BUCKET_BITS) + 1];
        for (bucket, _) in &filed {
            index.starts[*bucket as usize + 1] += 1;
        }
        for at in 1..index.starts.len() {
            index.starts[at] += index.starts[at - 1];
        }
        index.entries = filed.into_iter().map(|(_, number)| number).collect();
        index
    }

    fn word(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.words[start..self.ends[number] as usize]
    }

    /// Words whose sounds are one change apart at most, and others that share a bucket with them.
    fn near(&self, sounds: &str) -> Vec<u32> {
        let (mut scratch, mut found) = (String::new(), Vec::new());
        for_each_bucket(sounds, &mut scratch, |bucket| found.extend(self.in_bucket(bucket)));
        found.sort_unstable();
        found.dedup();
        found
    }

    fn in_bucket(&self, bucket: usize) -> &[u32] {
        &self.entries[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }
}

/// Finds repairs in one language.
#[derive(Debug)]
pub struct Speller {
    habits: &'static Habits,
    index: OnceLock<Index>,
}

impl Speller {
    /// The speller of a language; its index is made when it is first used.
    pub fn new(language: Language) -> Self {
        Speller { habits: Habits::of(language), index: OnceLock::new() }
    }

    /// What a word in small letters may have been meant for, the cheapest first and of those the most frequent; empty where
    /// the lexicon has the word. At most eight.
    pub fn repairs(&self, lexicon: &Lexicon, frequencies: &Frequencies, word: &str) -> Vec<Repair> {
        let Some((index, own)) = self.look_up(lexicon, frequencies, word) else { return Vec::new() };
        let mut candidates = index.near(&own.sounds);
        if candidates.len() > MOST_COMPARED {
            candidates.sort_by_key(|number| std::cmp::Reverse(index.zipf[*number as usize]));
            candidates.truncate(MOST_COMPARED);
        }
        let mut repairs = self.compare(index, word, &own, &candidates);
        repairs.extend(self.apart(lexicon, frequencies, word));
        sorted(repairs)
    }

    /// Those of the repairs that change nothing but accents: of the words that sound alike few have the same letters.
    pub fn accents(&self, lexicon: &Lexicon, frequencies: &Frequencies, word: &str) -> Vec<Repair> {
        let Some((index, own)) = self.look_up(lexicon, frequencies, word) else { return Vec::new() };
        let mut candidates = index.near(&own.sounds);
        candidates.retain(|number| same_letters(index.word(*number), &own.plain));
        let mut repairs = self.compare(index, word, &own, &candidates);
        repairs.retain(|repair| repair.accents);
        sorted(repairs)
    }

    fn look_up(&self, lexicon: &Lexicon, frequencies: &Frequencies, word: &str) -> Option<(&Index, Spelt)> {
        let length = word.chars().count();
        if !(SHORTEST..=LONGEST).contains(&length) || lexicon.is_known(word) {
            return None;
        }
        let index = self.index.get_or_init(|| Index::new(self.habits, lexicon, frequencies));
        let mut own = Spelt::default();
        own.set(self.habits, word);
        Some((index, own))
    }

    fn compare(&self, index: &Index, word: &str, own: &Spelt, candidates: &[u32]) -> Vec<Repair> {
        let mut other = Spelt::default();
        let mut repairs: Vec<Repair> = Vec::new();
        for number in candidates {
            let form = index.word(*number);
            if form.len().abs_diff(word.len()) > FARTHEST {
                continue;
            }
            other.set(self.habits, form);
            if let Some((cost, accents)) = own.cost(self.habits, &other) {
                repairs.push(Repair { form: form.to_owned(), cost, zipf: index.zipf[*number as usize], accents });
            }
        }
        repairs
    }

    /// Two frequent words that were written as one.
    fn apart(&self, lexicon: &Lexicon, frequencies: &Frequencies, word: &str) -> Option<Repair> {
        let cut = |left: &&str| {
            let right = word.strip_prefix(*left)?;
            let zipf = frequencies.zipf(Unit::Form, left).min(frequencies.zipf(Unit::Form, right));
            let known = right.chars().nth(1).is_some() && lexicon.is_known(right);
            (zipf >= self.habits.joined && known).then(|| (zipf, format!("{left} {right}")))
        };
        let (zipf, form) = self.habits.joinable.iter().filter_map(cut).max()?;
        Some(Repair { form, cost: self.habits.costs.letter, zipf, accents: false })
    }

    /// Whether a word in small letters is made of known ones as the language makes words: with a prefix or an ending, or as
    /// a compound where the language has them.
    pub fn is_formed(&self, lexicon: &Lexicon, frequencies: &Frequencies, word: &str) -> bool {
        if word.len() > 4 * LONGEST {
            return false;
        }
        let letters = |text: &str| text.chars().count();
        let prefixed = |prefix: &&str| {
            let rest = word.strip_prefix(*prefix).filter(|rest| letters(rest) >= SHORTEST_BASE);
            rest.is_some_and(|rest| lexicon.is_known(rest) || self.has_ending(lexicon, rest))
        };
        let parts = |(least, zipf): (usize, u8)| {
            let part = |part: &str| {
                letters(part) >= least && frequencies.zipf(Unit::Form, part) >= zipf && lexicon.is_known(part)
            };
            word.char_indices().any(|(at, _)| part(&word[..at]) && part(&word[at..]))
        };
        self.has_ending(lexicon, word)
            || self.habits.prefixes.iter().any(prefixed)
            || self.habits.compound.is_some_and(parts)
    }

    fn has_ending(&self, lexicon: &Lexicon, word: &str) -> bool {
        self.habits.endings.iter().any(|(ending, bases)| {
            let made_of =
                |stem: &str, base: &str| stem.len() + base.len() > 1 && lexicon.is_known(&format!("{stem}{base}"));
            word.strip_suffix(ending).is_some_and(|stem| bases.iter().any(|base| made_of(stem, base)))
        })
    }
}

/// The cheapest first, of those the most frequent, and no more than anybody reads.
fn sorted(mut repairs: Vec<Repair>) -> Vec<Repair> {
    repairs.sort_by(|a, b| (a.cost, b.zipf, &a.form).cmp(&(b.cost, a.zipf, &b.form)));
    repairs.truncate(MOST);
    repairs
}

#[cfg(test)]
mod tests {
    use crate::Runtime;
    use glosa_text::Language;

    fn first(runtime: &Runtime, language: Language, word: &str) -> Option<String> {
        runtime.repairs(language, word).into_iter().next().map(|repair| repair.form)
    }

    #[test]
    fn slips_have_their_repair_first() {
        let runtime = Runtime::new().unwrap();
        for (language, written, meant) in [
            (Language::Es, "direccion", "dirección"),
            (Language::Es, "docmuentación", "documentación"),
            (Language::Es, "resivir", "recibir"),
            (Language::Es, "construído", "construido"),
            (Language::Es, "enlos", "en los"),
            (Language::Ca, "instal·ació", "instal·lació"),
            (Language::Ca, "accesibilitat", "accessibilitat"),
            (Language::Ca, "actualizacions", "actualitzacions"),
            (Language::En, "goverment", "government"),
            (Language::En, "seperate", "separate"),
            (Language::En, "independant", "independent"),
            (Language::En, "docuemnts", "documents"),
        ] {
            assert_eq!(first(&runtime, language, written).as_deref(), Some(meant), "{written}");
        }
    }

    #[test]
    fn words_that_are_known_or_made_of_known_ones_have_none() {
        let runtime = Runtime::new().unwrap();
        for (language, word) in [
            (Language::Es, "dirección"),
            (Language::Es, "enviárselo"),
            (Language::Es, "serlo"),
            (Language::Es, "cafelito"),
            (Language::En, "filesystem"),
            (Language::En, "unhelpfulness"),
            (Language::En, "x"),
            (Language::En, "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"),
        ] {
            assert_eq!(first(&runtime, language, word), None, "{word}");
        }
    }

    #[test]
    fn an_accent_is_cheaper_than_a_letter() {
        let runtime = Runtime::new().unwrap();
        let repairs = runtime.repairs(Language::Es, "medico");
        assert!(repairs.is_empty(), "a form of «medicar»");
        let repairs = runtime.repairs(Language::Es, "facil");
        assert!(repairs[0].accents && repairs[0].cost == 2, "{repairs:?}");
        assert!(repairs.iter().skip(1).all(|repair| repair.cost > 2 && !repair.accents), "{repairs:?}");
        assert_eq!(runtime.accents(Language::Es, "facil"), &repairs[..1]);
        assert_eq!(runtime.accents(Language::Es, "docmuentación"), []);
        // The sound of «c» goes by the vowel behind it, with an accent or without.
        assert_eq!(runtime.accents(Language::Es, "cesped")[0].form, "césped");
    }
}
