//! Brings treebanks to the conventions that the runtime follows, before anything is learnt from them.

use crate::treebank::{Document, Word};
use glosa_lingua::slip::without_marks;
use glosa_lingua::{Frequencies, Lexicon, Slip};

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

fn words(documents: &mut [Document]) -> impl Iterator<Item = &mut Word> {
    documents.iter_mut().flat_map(|d| &mut d.sentences).flat_map(|s| &mut s.words)
}
