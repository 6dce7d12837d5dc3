//! Makes the table of word clusters: from a list of forms and paths, or from raw text where there is no list.

use crate::source::Data;
use crate::word_classes;
use anyhow::Result;
use glosa_lingua::{Clusters, Tokenizer};
use glosa_text::Language;

/// Forms that are taken from a list, from the most frequent: more where inflection makes more.
fn most_forms(language: Language) -> usize {
    if language == Language::En { 60_000 } else { 200_000 }
}

/// A form of raw text must occur so often.
const LEAST: u32 = 3;
const FINE: usize = 256;
const COARSE: usize = 40;

/// The bytes of `clusters.bin`.
pub fn build(data: &Data, language: Language) -> Result<Vec<u8>> {
    let Some(raw) = Data::raw_text(language) else {
        let table = data.read(&Data::clusters(language))?;
        let rows = table.lines().filter_map(|line| line.split_once('\t'));
        let rows = rows.filter_map(|(form, path)| Some((form, path.parse::<u32>().ok()?)));
        return Ok(Clusters::to_bytes(rows.take(most_forms(language))));
    };
    let text = data.read(raw)?;
    let tokenizer = Tokenizer::new(language);
    let mut sentences: Vec<Vec<&str>> = Vec::new();
    let mut tokens = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        tokens.clear();
        let end = start + line.trim_end().len();
        tokenizer.tokenize(&text, start, end, &mut tokens);
        sentences.push(tokens.iter().map(|t| &text[t.start as usize..t.end as usize]).collect());
        start += line.len();
    }
    let mut documents = Vec::new();
    for file in Data::gold(language).iter().chain(Data::extra(language).iter().copied().flatten()) {
        documents.extend(data.treebank(file)?);
    }
    let words = documents.iter().flat_map(|d| &d.sentences).map(|s| s.words.iter().map(|w| w.form.as_str()).collect());
    sentences.extend(words);
    let rows = word_classes::cluster(&sentences, LEAST, FINE, COARSE);
    println!("{language} clusters: {} forms of {} sentences", rows.len(), sentences.len());
    Ok(Clusters::to_bytes(rows.iter().map(|(form, path)| (*form, *path))))
}
