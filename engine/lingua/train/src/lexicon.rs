//! Makes the lexicon automaton from a table of forms, lemmas and tags.

use crate::source::Data;
use anyhow::{Result, anyhow};
use glosa_lingua::{EditScript, LexiconTable, Reading};
use glosa_text::Language;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The bytes of `lexicon.fst` and `lexicon.tbl`.
pub fn build(data: &Data, language: Language, hold_out: impl Fn(&str) -> bool) -> Result<(Vec<u8>, Vec<u8>)> {
    let table = data.read(Data::lexicon(language))?;
    let mut forms: BTreeMap<&str, Vec<(u16, u16)>> = BTreeMap::new();
    let mut tags: FxHashMap<String, u16> = FxHashMap::default();
    let mut scripts: FxHashMap<EditScript, u16> = FxHashMap::default();
    let mut tag_names = Vec::new();
    let mut script_names = Vec::new();
    for line in table.lines() {
        let mut columns = line.split('\t');
        let (Some(form), Some(lemma), Some(tag)) = (columns.next(), columns.next(), columns.next()) else { continue };
        if tag.contains(':') && language != Language::En || form.contains(' ') || form.is_empty() || hold_out(lemma) {
            continue;
        }
        let tag = normal_tag(tag, language);
        let lemma = if form.ends_with(|c: char| c.is_ascii_digit()) {
            lemma
        } else {
            lemma.trim_end_matches(|c: char| c.is_ascii_digit())
        };
        let Some(script) = EditScript::between(form, lemma) else { continue };
        let tag = *tags.entry(tag.clone()).or_insert_with(|| {
            tag_names.push(tag);
            tag_names.len() as u16 - 1
        });
        let script = *scripts.entry(script.clone()).or_insert_with(|| {
            script_names.push(script);
            script_names.len() as u16 - 1
        });
        let readings = forms.entry(form).or_default();
        if !readings.contains(&(tag, script)) {
            readings.push((tag, script));
        }
    }
    if script_names.len() > usize::from(u16::MAX) {
        return Err(anyhow!("{} edit scripts do not fit 16 bits", script_names.len()));
    }
    let mut counts: FxHashMap<&[(u16, u16)], u32> = FxHashMap::default();
    for readings in forms.values() {
        *counts.entry(readings.as_slice()).or_default() += 1;
    }
    let mut classes: Vec<(&[(u16, u16)], u32)> = counts.into_iter().collect();
    classes.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let numbers: FxHashMap<&[(u16, u16)], u64> = classes.iter().enumerate().map(|(i, (c, _))| (*c, i as u64)).collect();
    let mut builder = fst::MapBuilder::memory();
    for (form, readings) in &forms {
        builder.insert(form, numbers[readings.as_slice()])?;
    }
    let automaton = builder.into_inner()?;
    let table = LexiconTable {
        tags: tag_names,
        scripts: script_names,
        classes: classes
            .iter()
            .map(|(class, _)| class.iter().map(|(tag, script)| Reading { tag: *tag, script: *script }).collect())
            .collect(),
    };
    println!(
        "{language} lexicon: {} forms, {} tags, {} scripts, {} classes, automaton {} bytes",
        forms.len(),
        table.tags.len(),
        table.scripts.len(),
        table.classes.len(),
        automaton.len()
    );
    Ok((automaton, table.to_bytes()))
}

fn normal_tag(tag: &str, language: Language) -> String {
    match language {
        Language::Es if tag.len() > 2 => tag[..tag.len() - 1].to_owned(),
        Language::Ca => {
            let tag = tag.trim_start_matches('0');
            let kept = if tag.ends_with(['V', 'B']) { 8 } else { 7 };
            if tag.starts_with('V') && tag.len() > kept { tag[..kept].to_owned() } else { tag.to_owned() }
        }
        _ => tag.to_owned(),
    }
}
