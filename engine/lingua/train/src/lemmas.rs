//! Learns lemmas: rules by ending and tag, whether lexicon or rules come first, and the words that need an exception.

use crate::tagger::{Example, Gold, closed_words};
use glosa_lingua::tagger::{TagId, ending, lemma_key, lower_form};
use glosa_lingua::{EditScript, LONGEST_ENDING, LemmaSources, LemmaTables, lexicon_lemma, rule_key};
use glosa_text::Upos;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Lemmas of a form, from people (`false`) or a model, with how often.
type Lemmas<'w> = BTreeMap<(bool, &'w str), u32>;

/// Makes the tables of the lemmatiser.
pub fn learn(sources: LemmaSources<'_>, examples: &[Example<'_>], gold: &Gold) -> LemmaTables {
    let model = sources.model;
    let mut pairs: BTreeMap<(&str, TagId), Lemmas<'_>> = BTreeMap::new();
    for (example, tags) in examples.iter().zip(gold).filter(|(example, _)| example.listed) {
        for (word, tag) in example.words.iter().zip(tags) {
            if word.lemma != "_" || word.form == "_" {
                let weight = if example.source == 0 { 100 } else { 1 };
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
        if model.upos(*tag) == Upos::Propn {
            continue;
        }
        let lower = lower_form(form);
        let Some(script) = EditScript::between(&lower, &best(lemmas)) else { continue };
        let script = number(script);
        let length = lower.chars().take(LONGEST_ENDING).count();
        for k in 0..=length {
            let end = if k == 0 { "" } else { ending(&lower, k) };
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
        let merged = by_lower.entry((lower_form(form), *tag)).or_default();
        for (lemma, n) in lemmas {
            let written_small = if form.starts_with(char::is_uppercase) { 1 } else { 3 };
            *merged.entry(*lemma).or_default() += n * written_small;
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
        if *form == lower {
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
