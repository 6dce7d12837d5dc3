//! Makes the table of English words whose syllables the vowel-group rule gets wrong, from the CMU dictionary, and measures
//! the counters of the three languages.

use crate::source::Data;
use crate::treebank::Document;
use anyhow::{Context, Result};
use glosa_lingua::{Frequencies, Runtime, Syllables, Unit};
use glosa_text::{Language, normal_form};
use std::collections::BTreeMap;
use std::path::Path;

/// Rarer words (Zipf times 10) are left to the rule.
const RAREST: u8 = 15;

/// The words of the CMU dictionary with the number of syllables of each pronunciation.
fn pronunciations(data: &Data) -> Result<BTreeMap<String, Vec<usize>>> {
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
    Ok(counts)
}

/// The text of `en/syllables.tsv`. A word is an exception when its first pronunciation has another number of syllables.
pub fn build(data: &Data, frequencies: &Frequencies) -> Result<String> {
    let counts = pronunciations(data)?;
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

/// Prints how many words of the hand-made list are right.
pub fn score_list(runtime: &Runtime, language: Language, folder: &Path) -> Result<()> {
    let path = folder.join(language.code()).join("syllables.tsv");
    let list = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let rows: Vec<(&str, u16)> = list
        .lines()
        .filter_map(|line| {
            let mut fields = line.split('\t');
            Some((fields.next()?, fields.nth(1)?.parse().ok()?))
        })
        .collect();
    let right = rows.iter().filter(|(word, count)| runtime.syllables(language, word) == *count).count();
    println!("{language}: {right} of {} words of the hand-made list ({:.2} %)", rows.len(), percent(right, rows.len()));
    Ok(())
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Prints the scores on English running words, with the CMU dictionary as the reference for the words that it has; a count
/// is right when one of the pronunciations has it. The shipped table was made from the same dictionary, so what the counter
/// does with words that the dictionary lacks is seen by asking the rule alone: each word without its own row of the table.
pub fn score_running(data: &Data, runtime: &Runtime, documents: &[Document]) -> Result<()> {
    let reference = pronunciations(data)?;
    let rule = Syllables::new(Language::En);
    let (mut words, mut listed, mut right, mut first, mut alone) = (0, 0, 0, 0, 0);
    let (mut rare, mut rare_right) = (0, 0);
    let mut wrong: BTreeMap<String, usize> = BTreeMap::new();
    let texts =
        documents.iter().flat_map(|d| d.sentences.iter().flat_map(|s| &s.tokens).map(|t| &d.text[t.bytes.clone()]));
    for token in texts {
        let found = usize::from(runtime.syllables(Language::En, token));
        if found == 0 || !token.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’')) {
            continue;
        }
        words += 1;
        let word = normal_form(token);
        let Some(counts) = reference.get(&word) else { continue };
        listed += 1;
        right += usize::from(counts.contains(&found));
        first += usize::from(counts[0] == found);
        let by_rule = usize::from(rule.by_rule(&word));
        alone += usize::from(counts.contains(&by_rule));
        if runtime.frequencies(Language::En).zipf(Unit::Form, &word) < 35 {
            rare += 1;
            rare_right += usize::from(counts.contains(&by_rule));
        }
        if !counts.contains(&found) {
            *wrong.entry(word).or_default() += 1;
        }
    }
    println!(
        "en: {words} running words, {:.2} % of them in the CMU dictionary, which is the reference",
        percent(listed, words)
    );
    println!(
        "en: table and rule {:.2} % of these (first pronunciation {:.2} %), rule alone {:.2} %, rule alone on words below Zipf 3.5 {:.2} %",
        percent(right, listed),
        percent(first, listed),
        percent(alone, listed),
        percent(rare_right, rare)
    );
    let share = listed as f64 / words.max(1) as f64;
    println!(
        "en: all running words, those that the dictionary lacks taken as right as the rule is on rare words: {:.2} %",
        share * percent(right, listed) + (1.0 - share) * percent(rare_right, rare)
    );
    let mut wrong: Vec<(String, usize)> = wrong.into_iter().collect();
    wrong.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let worst: Vec<String> = wrong.iter().take(20).map(|(word, times)| format!("{word} {times}")).collect();
    println!("en: most often wrong: {}", worst.join(", "));
    Ok(())
}
