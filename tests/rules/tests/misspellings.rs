//! Typical slips, planted in whole texts: how many of them the rules of spelling find, and how often the first repair is
//! the word that stood there. The slips are the same in every run.
//!
//! `cargo test --workspace --test misspellings -- --nocapture` shows the figures by kind.
#![allow(clippy::disallowed_methods, reason = "a test that reads files")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use glosa_host::{Roots, Snapshot};
use glosa_lingua::Runtime;
use glosa_report::Trial;
use glosa_tests_rules::texts;
use glosa_text::Language;

/// Slips are planted in words of at least so many letters.
const SHORTEST: usize = 6;
/// Of so many such words one gets a slip.
const EVERY: usize = 9;

const KINDS: [&str; 6] = ["swap", "missing", "doubled", "key", "extra", "accent"];
const KEYS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/// Numbers that look random and are the same every time (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

fn beside(letter: char, dice: &mut Dice) -> Option<char> {
    let row: Vec<char> = KEYS.iter().find(|row| row.contains(letter))?.chars().collect();
    let at = row.iter().position(|key| *key == letter)?;
    let near: Vec<char> =
        [at.checked_sub(1), Some(at + 1)].iter().flatten().filter_map(|n| row.get(*n).copied()).collect();
    near.get(dice.below(near.len())).copied()
}

/// A word with a slip of a kind somewhere after its first letter.
fn slipped(word: &str, kind: &str, dice: &mut Dice) -> Option<String> {
    let mut letters: Vec<char> = word.chars().collect();
    let at = 1 + dice.below(letters.len() - 2);
    match kind {
        "swap" => letters.swap(at, at + 1),
        "missing" => drop(letters.remove(at)),
        "doubled" => letters.insert(at, letters[at]),
        "key" => letters[at] = beside(letters[at], dice)?,
        "extra" => letters.insert(at + 1, beside(letters[at], dice)?),
        _ => {
            let at = letters.iter().position(|letter| !letter.is_ascii() && *letter != '·')?;
            letters[at] = glosa_text::fold(&letters[at].to_string()).chars().next()?;
        }
    }
    let made: String = letters.into_iter().collect();
    (made != word).then_some(made)
}

/// A slip that was planted.
struct Planted {
    start: u32,
    meant: String,
    written: String,
    kind: &'static str,
}

/// The text with slips in it.
fn plant(text: &str, language: Language, runtime: &Runtime, dice: &mut Dice) -> (String, Vec<Planted>) {
    let mut made = String::new();
    let mut planted: Vec<Planted> = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut eligible = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| !c.is_alphabetic() && c != '·').unwrap_or(rest.len());
        if end == 0 {
            made.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (word, after) = rest.split_at(end);
        rest = after;
        let plain = word.chars().all(|c| c.is_lowercase() || c == '·');
        let glued = made.ends_with(['/', '@', '-', '.', '_']) || after.starts_with(['/', '@', '-', '_']);
        if plain && !glued && word.chars().count() >= SHORTEST && runtime.lexicon(language).is_known(word) {
            eligible += 1;
            let kind = KINDS[(eligible / EVERY) % KINDS.len()];
            let slip = if eligible % EVERY == 0 { slipped(word, kind, dice) } else { None };
            let wrong = |slip: &String| !runtime.lexicon(language).is_known(slip) && seen.insert(slip.clone());
            if let Some(slip) = slip.filter(wrong) {
                let start = made.chars().count() as u32;
                made.push_str(&slip);
                planted.push(Planted { start, meant: word.to_owned(), written: slip, kind });
                continue;
            }
        }
        made.push_str(word);
    }
    (made, planted)
}

#[derive(Default)]
struct Count {
    planted: usize,
    found: usize,
    right: usize,
}

#[test]
fn planted_slips_are_found_and_repaired() {
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let roots = Roots::find(Some(top), &[]).expect("the checkout");
    let snapshot: Snapshot = glosa_host::load(&roots).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let runtime = Runtime::new().expect("the shipped models");
    for (language, least_found, least_right) in
        [(Language::Es, 0.65, 0.95), (Language::Ca, 0.65, 0.95), (Language::En, 0.7, 0.95)]
    {
        let mut files = Vec::new();
        texts(&top.join("tests/rules/corpus").join(language.code()), &mut files);
        files.sort();
        let mut dice = Dice(20_261_122);
        let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
        for path in files {
            let text = std::fs::read_to_string(&path).expect("a text");
            let (text, planted) = plant(&text, language, &runtime, &mut dice);
            let mut repairs: BTreeMap<u32, String> = BTreeMap::new();
            for rule in ["misspelling", "missing-accent"] {
                let entry = snapshot.engine.registry.get(rule).expect("a rule");
                let Some(variant) = entry.variant(language) else { continue };
                let trial = Trial {
                    variant: variant.clone(),
                    params: Default::default(),
                    glossaries: Default::default(),
                    structure: Default::default(),
                    headings: Default::default(),
                    gates_open: false,
                };
                let outcome = trial.run(&snapshot.engine, &text).expect("an outcome");
                let occurrences = outcome.recommendation.into_iter().flat_map(|found| found.occurrences);
                repairs.extend(occurrences.filter_map(|o| Some((o.start?, o.replacement?))));
            }
            for slip in planted {
                let count = counts.entry(slip.kind).or_default();
                count.planted += 1;
                if let Some(repair) = repairs.get(&slip.start) {
                    count.found += 1;
                    count.right += usize::from(*repair == slip.meant);
                    if *repair != slip.meant {
                        println!("{language}: {} for {}, not {}", repair, slip.written, slip.meant);
                    }
                }
            }
        }
        let sum = |part: fn(&Count) -> usize| counts.values().map(part).sum::<usize>();
        let (planted, found, right) = (sum(|c| c.planted), sum(|c| c.found), sum(|c| c.right));
        for (kind, count) in &counts {
            println!("{language} {kind}: {} planted, {} found, {} right", count.planted, count.found, count.right);
        }
        println!("{language}: {planted} planted, {found} found, {right} right");
        assert!(planted >= 100, "{language}: {planted} slips show nothing");
        assert!(found as f64 >= least_found * planted as f64, "{language}: {found} of {planted} slips found");
        assert!(right as f64 >= least_right * found as f64, "{language}: {right} of {found} repairs right");
    }
}
