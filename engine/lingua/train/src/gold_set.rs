//! Scores on the hand-made gold sets: syllables, sentence boundaries, tags and lemmas.

use crate::{evaluate, treebank};
use anyhow::{Context, Result};
use glosa_lingua::{Runtime, conllu};
use glosa_text::Language;
use std::collections::BTreeSet;
use std::path::Path;

/// The raw text of an item of `sentences.txt` and the bytes at which a sentence starts.
pub fn item(marked: &str) -> (String, BTreeSet<usize>) {
    let mut text = String::new();
    let mut starts = BTreeSet::new();
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once(" ‖") {
        text.push_str(before);
        let after = match after.strip_prefix("⏎ ") {
            Some(after) => {
                text.push('\n');
                after
            }
            None => {
                text.push(' ');
                after.strip_prefix(' ').unwrap_or(after)
            }
        };
        starts.insert(text.len());
        rest = after;
    }
    text.push_str(rest);
    (text, starts)
}

/// An item as a document whose sentences have no words: enough to train a splitter.
pub fn document(marked: &str) -> treebank::Document {
    let (text, starts) = item(marked);
    let mut ends: Vec<usize> = starts.iter().map(|s| text[..*s].trim_end().len()).collect();
    ends.push(text.len());
    let mut start = 0;
    let sentences = ends
        .into_iter()
        .map(|end| {
            let sentence = treebank::Sentence { bytes: start..end, ..treebank::Sentence::default() };
            start = end + 1;
            sentence
        })
        .collect();
    treebank::Document { text, sentences }
}

/// Prints the scores of a language.
pub fn score(runtime: &Runtime, language: Language, folder: &Path, half: &str) -> Result<()> {
    let read = |name: &str| {
        let path = folder.join(language.code()).join(name);
        std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))
    };
    let (mut right, mut all) = (0, 0);
    for line in read("syllables.tsv")?.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let (Some(word), Some(Ok(count))) = (fields.first(), fields.get(2).map(|c| c.parse::<u16>())) else { continue };
        all += 1;
        let found = runtime.syllables(language, word);
        right += usize::from(found == count);
        if found != count {
            println!("  {word}: {found}, not {}", fields[1]);
        }
    }
    println!("{language} syllables: {right} of {all}");
    let (mut whole, mut items, mut same, mut gold_count, mut found_count) = (0, 0, 0, 0, 0);
    for line in read("sentences.txt")?.lines().filter(|l| l.starts_with(half)) {
        let Some(marked) = line.splitn(3, '\t').nth(2) else { continue };
        let (text, gold) = item(marked);
        let analysis = runtime.analyse_blocks(language, &text, &conllu::paragraphs(&text));
        let found: BTreeSet<usize> = analysis.sentences.iter().map(|s| s.bytes.start).filter(|s| *s > 0).collect();
        items += 1;
        whole += usize::from(found == gold);
        same += found.intersection(&gold).count();
        gold_count += gold.len();
        found_count += found.len();
        if found != gold {
            println!(
                "  {marked}\n    found: {:?}",
                analysis.sentences.iter().map(|s| &text[s.bytes.clone()]).collect::<Vec<_>>()
            );
        }
    }
    println!(
        "{language} sentences ({half}): {whole} of {items} items right, {same} boundaries of {gold_count}, {found_count} found"
    );
    let documents =
        treebank::read(&read(&format!("{half}.conllu"))?).with_context(|| format!("reading {half}.conllu"))?;
    let scores = evaluate::evaluate(runtime, language, documents.iter());
    println!("{language} gold ({half})  {}", scores.line());
    scores.print_confusions();
    Ok(())
}
