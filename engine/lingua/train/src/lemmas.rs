//! Learns lemmas: rules by ending and tag, whether lexicon or rules come first, and the words that need an exception.

use crate::tagger::{Example, Gold, closed_words};
use glosa_lingua::tagger::{TagId, ending, lemma_key, lower_form};
use glosa_lingua::{
    EditScript, LONGEST_ENDING, LemmaSources, LemmaTables, LetterCase, is_capitals, lexicon_lemma, rule_key,
};
use glosa_text::{Upos, has_feature};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Lemmas of a form, from people (`false`) or a model, with how often.
type Lemmas<'w> = BTreeMap<(bool, &'w str), u32>;

/// What a word of the gold treebank counts beside one of the others.
const OF_PEOPLE: u32 = 100;

/// Makes the tables of the lemmatiser.
pub fn learn(sources: LemmaSources<'_>, examples: &[Example<'_>], gold: &Gold) -> LemmaTables {
    let model = sources.model;
    let mut pairs: BTreeMap<(&str, TagId), Lemmas<'_>> = BTreeMap::new();
    for (example, tags) in examples.iter().zip(gold).filter(|(example, _)| example.counts()) {
        for (word, tag) in example.words.iter().zip(tags) {
            if word.lemma != "_" || word.form == "_" {
                let weight = if example.source == 0 { OF_PEOPLE } else { 1 };
                *pairs.entry((&word.form, *tag)).or_default().entry((word.silver, &word.lemma)).or_default() += weight;
            }
        }
    }
    let closed: Vec<Vec<&'static str>> = closed_words(sources.language).collect();
    for row in &closed {
        let tag = model.tables.tags.iter().position(|(upos, feats)| upos.as_str() == row[2] && **feats == *row[3]);
        if let Some(tag) = tag {
            pairs.entry((row[0], tag as TagId)).or_default().entry((false, row[1])).or_insert(1);
        }
    }
    let mut scripts: Vec<EditScript> = Vec::new();
    let mut numbers: FxHashMap<EditScript, u16> = FxHashMap::default();
    let mut number = |script: EditScript| {
        *numbers.entry(script.clone()).or_insert_with(|| {
            scripts.push(script);
            scripts.len() as u16 - 1
        })
    };
    let best = |lemmas: &Lemmas<'_>| {
        let mut merged: BTreeMap<String, u32> = BTreeMap::new();
        for ((_, lemma), n) in lemmas {
            *merged.entry((*lemma).to_owned()).or_default() += n;
        }
        merged.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0))).map(|(l, _)| l).unwrap_or_default()
    };
    let mut rule_counts: BTreeMap<u32, BTreeMap<u16, u32>> = BTreeMap::new();
    for ((form, tag), lemmas) in &pairs {
        let lower = lower_form(form);
        let name = model.upos(*tag) == Upos::Propn;
        if name && (!has_feature(model.feats(*tag), "Number", "Plur") || is_capitals(form)) {
            continue;
        }
        let Some(script) = EditScript::between(if name { form } else { &lower }, &best(lemmas)) else { continue };
        let reach = usize::from(script.drop);
        let script = number(script);
        let length = lower.chars().take(LONGEST_ENDING).count();
        for k in 0..=length {
            let end = if k == 0 { "" } else { ending(&lower, k) };
            if reach > end.len() {
                continue;
            }
            *rule_counts.entry(rule_key(end, k, *tag)).or_default().entry(script).or_default() += 1;
        }
    }
    let mut tables = LemmaTables::default();
    for (key, counts) in &rule_counts {
        let total: u32 = counts.values().sum();
        if let Some((script, n)) = counts.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)))
            && (total >= 2 && n * 2 > total || total >= 20)
        {
            tables.rules.insert(*key, *script);
        }
    }
    tables.scripts = scripts.clone();
    let seen = pairs.iter().map(|((form, tag), lemmas)| {
        let times = lemmas.values().sum::<u32>() / OF_PEOPLE;
        (*form, *tag, best(lemmas), times)
    });
    tables.letter_case = letter_case(sources, &tables, seen);
    let mut by_tag: BTreeMap<TagId, (u32, u32, u32)> = BTreeMap::new();
    for ((form, tag), lemmas) in &pairs {
        let lower = lower_form(form);
        let Some(from_lexicon) = lexicon_lemma(sources, form, &lower, *tag) else { continue };
        let truth = best(lemmas);
        let entry = by_tag.entry(*tag).or_default();
        entry.0 += u32::from(from_lexicon == truth);
        entry.1 += u32::from(tables.rule(&lower, *tag).is_some_and(|l| l == truth));
        entry.2 += 1;
    }
    tables.rules_first = by_tag
        .into_iter()
        .filter(|(_, (lexicon, rules, all))| *all >= 5 && *lexicon * 2 < *all && rules > lexicon)
        .map(|(t, _)| t)
        .collect();
    let mut exceptions: BTreeMap<u32, u16> = BTreeMap::new();
    let mut extra: Vec<EditScript> = scripts;
    let mut extra_numbers: FxHashMap<EditScript, u16> =
        extra.iter().enumerate().map(|(i, s)| (s.clone(), i as u16)).collect();
    let mut except = |base: &str, truth: &str, tag: TagId| {
        let Some(script) = EditScript::between(base, truth) else { return };
        let n = *extra_numbers.entry(script.clone()).or_insert_with(|| {
            extra.push(script);
            extra.len() as u16 - 1
        });
        exceptions.insert(lemma_key(base, tag), n);
    };
    let mut by_lower: BTreeMap<(String, TagId), Lemmas<'_>> = BTreeMap::new();
    for ((form, tag), lemmas) in pairs.iter().filter(|((_, tag), _)| model.upos(*tag) != Upos::Propn) {
        let lower = lower_form(form);
        if *form != lower && pairs.contains_key(&(lower.as_str(), *tag)) {
            continue;
        }
        let merged = by_lower.entry((lower, *tag)).or_default();
        for (lemma, n) in lemmas {
            *merged.entry(*lemma).or_default() += n;
        }
    }
    for ((lower, tag), lemmas) in &by_lower {
        let truth = best(lemmas);
        if tables.regular(sources, lower, lower, *tag) != truth {
            except(lower, &truth, *tag);
        }
    }
    for ((form, tag), lemmas) in &pairs {
        let lower = lower_form(form);
        if *form == lower && model.upos(*tag) != Upos::Propn {
            continue;
        }
        let truth = best(lemmas);
        let usual = match by_lower.get(&(lower.clone(), *tag)) {
            Some(merged) if tables.regular(sources, &lower, &lower, *tag) != best(merged) => best(merged),
            _ => tables.regular(sources, form, &lower, *tag),
        };
        if usual != truth {
            except(form, &truth, *tag);
        }
    }
    tables.exceptions = exceptions.into_iter().collect();
    tables.scripts = extra;
    tables
}

/// A form with a tag, its lemma, and how often it was seen.
type Seen<'w> = (&'w str, TagId, String, u32);

/// A word seen so often becomes an exception where a convention does not hold for it.
const WELL_KNOWN: u32 = 5;

/// Which conventions for letter case are right more often than none.
fn letter_case<'w>(
    sources: LemmaSources<'_>,
    tables: &LemmaTables,
    pairs: impl Iterator<Item = Seen<'w>>,
) -> LetterCase {
    let pairs: Vec<_> = pairs
        .filter(|(_, tag, ..)| matches!(sources.model.upos(*tag), Upos::Propn | Upos::Noun))
        .filter(|(.., times)| *times < WELL_KNOWN)
        .collect();
    let right = |letter_case: LetterCase| -> u32 {
        let tables = LemmaTables { letter_case, ..tables.clone() };
        let hit = |pair: &&Seen<'w>| tables.regular(sources, pair.0, &lower_form(pair.0), pair.1) == pair.2;
        pairs.iter().filter(hit).map(|(.., times)| times).sum()
    };
    let none = LetterCase::default();
    let helps = |letter_case: LetterCase| right(letter_case) > right(none);
    LetterCase {
        capital: helps(LetterCase { capital: true, ..none }),
        lower: helps(LetterCase { lower: true, ..none }),
        singular: helps(LetterCase { singular: true, ..none }),
        small_nouns: helps(LetterCase { small_nouns: true, ..none }),
    }
}
