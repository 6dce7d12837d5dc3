//! Scores on the hand-made gold sets: syllables, sentence boundaries, tags, lemmas and trees.

use crate::conventions::Relations;
use crate::{evaluate, treebank};
use anyhow::{Context, Result};
use glosa_lingua::{Runtime, conllu};
use glosa_text::Language;
use std::collections::{BTreeMap, BTreeSet};
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

/// A document of one sentence.
fn alone(document: &treebank::Document, sentence: &treebank::Sentence) -> treebank::Document {
    let bytes = sentence.bytes.clone();
    let mut own = sentence.clone();
    own.bytes = 0..bytes.len();
    for token in &mut own.tokens {
        token.bytes = token.bytes.start - bytes.start..token.bytes.end - bytes.start;
    }
    treebank::Document { text: document.text[bytes].to_owned(), sentences: vec![own] }
}

/// Prints the scores of the trees of the test half, each sentence a text of its own, by domain and together. The domain
/// is the second part of `sent_id`.
pub fn score_trees(
    runtime: &Runtime,
    language: Language,
    folder: &Path,
    relations: &Relations,
    confusions: bool,
    errors: bool,
) -> Result<()> {
    let path = folder.join(language.code()).join("test.conllu");
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let documents = treebank::read(&text).with_context(|| format!("reading {}", path.display()))?;
    let mut domains: BTreeMap<&str, Vec<treebank::Document>> = BTreeMap::new();
    for document in &documents {
        for sentence in &document.sentences {
            let domain = sentence.id.split('-').nth(1).unwrap_or("");
            domains.entry(domain).or_default().push(alone(document, sentence));
        }
    }
    let mut total = evaluate::Scores::default();
    for (domain, documents) in &domains {
        let scores = evaluate::evaluate_with(runtime, language, documents.iter(), relations);
        println!("{language} gold {domain:<14}  {}  (of {} words)", scores.trees.line(), scores.trees.words[0]);
        total.add(scores);
    }
    println!("{language} gold {:<14}  {}  (of {} words)", "all", total.trees.line(), total.trees.words[0]);
    if confusions {
        total.print_tree_confusions();
    }
    if errors {
        println!("{}", total.tree_errors.join("\n"));
    }
    Ok(())
}
