//! Brings treebanks to the conventions that the runtime follows, before anything is learnt from them.

use crate::treebank::{Document, Word};
use anyhow::{Result, bail};
use glosa_lingua::slip::without_marks;
use glosa_lingua::{Frequencies, Lexicon, Slip};
use glosa_text::Language;

/// Reads slips of the pen as the words that were meant, as the runtime will; only where the first treebank marks them.
/// Lemmas of slips teach nothing: some spell the word as it is written, some as another variety of English has it.
pub fn mend_slips<'d>(
    treebanks: impl Iterator<Item = &'d mut Vec<Document>>,
    lexicon: &Lexicon,
    frequencies: &Frequencies,
) {
    let mut treebanks = treebanks.peekable();
    if !treebanks.peek().is_some_and(|first| marks_slips(first)) {
        return;
    }
    for word in treebanks.flat_map(|documents| words(documents)) {
        if let Some(slip) = Slip::find(lexicon, frequencies, &word.form) {
            word.form = slip.meant;
            word.lemma = "_".to_owned();
            word.feats = without_marks(&word.feats);
            for (_, feats, _) in &mut word.chances {
                *feats = without_marks(feats);
            }
        }
    }
}

fn marks_slips(documents: &[Document]) -> bool {
    documents.iter().flat_map(|d| &d.sentences).flat_map(|s| &s.words).any(|w| w.feats.contains("Typo=Yes"))
}

/// Takes the mark of an abbreviation from acronyms: GUM has it there, EWT only where the lemma spells the word out.
pub fn unmark_acronyms(documents: &mut [Document]) {
    for word in words(documents).filter(|word| word.lemma == word.form) {
        let kept: Vec<&str> = word.feats.split('|').filter(|pair| *pair != "Abbr=Yes").collect();
        word.feats = if kept.is_empty() { "_".to_owned() } else { kept.join("|") };
    }
}

/// What the treebank of a language writes for relations that the hand-made trees tell apart (`gold/relations.tsv`).
#[derive(Clone, Debug, Default)]
pub struct Relations(Vec<(String, String)>);

impl Relations {
    /// The lines of a language: language, relation of the hand-made trees, relation of the treebank, with tabs between.
    ///
    /// # Errors
    /// The first line that has not three fields, by its number.
    pub fn read(table: &str, language: Language) -> Result<Self> {
        let mut found = Vec::new();
        for (number, line) in (1..).zip(table.lines()).filter(|(_, line)| !line.starts_with('#')) {
            let [code, own, theirs] = line.split('\t').collect::<Vec<_>>()[..] else {
                bail!("line {number}: write language, relation and relation of the treebank with one tab between them");
            };
            if code == language.code() {
                found.push((own.to_owned(), theirs.to_owned()));
            }
        }
        Ok(Relations(found))
    }

    /// The relation of the treebank.
    pub fn of_treebank<'r>(&'r self, relation: &'r str) -> &'r str {
        self.0.iter().find(|(own, _)| own == relation).map_or(relation, |(_, theirs)| theirs)
    }

    /// Writes the relations of hand-made trees as the treebank does.
    pub fn apply(&self, documents: &mut [Document]) {
        for word in words(documents) {
            word.relation = self.of_treebank(&word.relation).to_owned();
        }
    }
}

fn words(documents: &mut [Document]) -> impl Iterator<Item = &mut Word> {
    documents.iter_mut().flat_map(|d| &mut d.sentences).flat_map(|s| &mut s.words)
}
