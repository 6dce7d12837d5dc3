//! Makes the frequency table: forms as the word list gives them, lemmas as the sum of their forms.

use crate::source::Data;
use anyhow::Result;
use glosa_lingua::{Frequencies, Lexicon, Unit};
use glosa_text::{Language, normal_form};
use std::collections::BTreeMap;

/// Forms rarer than this (Zipf times 10) are left out.
const RAREST_FORM: u8 = 16;

/// The bytes of `frequency.bin`. The count of a form with several lemmas is shared equally between them.
pub fn build(data: &Data, language: Language, lexicon: &Lexicon) -> Result<Vec<u8>> {
    let table = data.read(&Data::frequency(language))?;
    let mut forms: BTreeMap<String, f64> = BTreeMap::new();
    for line in table.lines() {
        let Some((form, zipf)) = line.split_once('\t') else { continue };
        let Ok(zipf) = zipf.parse::<f64>() else { continue };
        *forms.entry(normal_form(form)).or_default() += 10f64.powf(zipf);
    }
    let mut lemmas: BTreeMap<String, f64> = BTreeMap::new();
    lexicon.for_each(|form, readings| {
        let norm = normal_form(form);
        let Some(count) = forms.get(&norm) else { return };
        let mut of: Vec<String> = readings.iter().filter_map(|r| lexicon.lemma(form, *r)).collect();
        of.sort();
        of.dedup();
        let capital = form.chars().next().is_some_and(char::is_uppercase);
        if capital && lexicon.is_known(&norm) {
            return;
        }
        let share = count / of.len().max(1) as f64;
        for lemma in of {
            *lemmas.entry(lemma).or_default() += share;
        }
    });
    let tenths = |count: &f64| (count.log10() * 10.0).round().clamp(0.0, 255.0) as u8;
    println!("{language} frequencies: {} forms, {} lemmas", forms.len(), lemmas.len());
    let form_rows = forms.iter().map(|(f, c)| (Unit::Form, f.as_str(), tenths(c))).filter(|r| r.2 >= RAREST_FORM);
    let lemma_rows = lemmas
        .iter()
        .filter(|(l, c)| forms.get(&normal_form(l)).is_none_or(|own| tenths(c) > tenths(own)))
        .map(|(l, c)| (Unit::Lemma, l.as_str(), tenths(c)))
        .filter(|r| r.2 >= RAREST_FORM);
    Ok(Frequencies::to_bytes(form_rows.chain(lemma_rows)))
}
