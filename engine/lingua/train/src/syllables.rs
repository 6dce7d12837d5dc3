//! Makes the table of English words whose syllables the vowel-group rule gets wrong, from the CMU dictionary.

use crate::source::Data;
use anyhow::Result;
use glosa_lingua::{Frequencies, Syllables, Unit};
use glosa_text::Language;
use std::collections::BTreeMap;

/// Rarer words (Zipf times 10) are left to the rule.
const RAREST: u8 = 15;

/// The text of `en/syllables.tsv`. A word is an exception when its first pronunciation has another number of syllables.
pub fn build(data: &Data, frequencies: &Frequencies) -> Result<String> {
    let dictionary = data.read("en/lexicon/cmudict.dict")?;
    let mut counts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for line in dictionary.lines() {
        let line = line.split('#').next().unwrap_or("");
        let mut fields = line.split_whitespace();
        let Some(word) = fields.next() else { continue };
        let word = word.split('(').next().unwrap_or(word);
        let count = fields.filter(|p| p.ends_with(|c: char| c.is_ascii_digit())).count();
        if word.chars().all(|c| c.is_ascii_lowercase() || c == '\'') && count > 0 {
            counts.entry(word.to_owned()).or_default().push(count);
        }
    }
    let rule = Syllables::new(Language::En);
    let mut out = String::from("# Words whose syllables the rule gets wrong (CMU Pronouncing Dictionary).\n");
    for (word, of) in &counts {
        let base = word.split('\'').next().unwrap_or(word);
        let frequent = frequencies.zipf(Unit::Form, word).max(frequencies.zipf(Unit::Form, base));
        if frequent < RAREST || word.ends_with("'s") && counts.contains_key(base) {
            continue;
        }
        let by_rule = usize::from(rule.by_rule(word));
        let glide = ["ire", "ired", "ires", "our", "ours", "ower", "owers"].iter().any(|e| word.ends_with(e));
        if by_rule != of[0] && !(glide && of.contains(&by_rule)) {
            out.push_str(&format!("{word}\t{}\n", of[0]));
        }
    }
    Ok(out)
}
