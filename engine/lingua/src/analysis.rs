//! What the runtime found in a text, before it becomes a document: sentences, surface tokens, syntactic words.

use glosa_text::Upos;
use std::ops::Range;

/// A sentence of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysedSentence {
    /// Number of the block.
    pub block: usize,
    /// Bytes, from the first token to the last.
    pub bytes: Range<usize>,
    /// Its surface tokens.
    pub tokens: Range<usize>,
}

/// A surface token and its syntactic words: one, or several for a contraction or a verb with clitics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysedToken {
    /// Bytes in the text.
    pub bytes: Range<usize>,
    /// Its words in [`Analysis::words`].
    pub words: Range<usize>,
}

/// A syntactic word; its strings are numbers of [`Analysis::strings`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysedWord {
    /// Form.
    pub form: u32,
    /// Normal form.
    pub norm: u32,
    /// Lemma.
    pub lemma: u32,
    /// Part of speech.
    pub pos: Upos,
    /// FEATS string; empty when there are none.
    pub feats: u32,
    /// Zipf frequency times 10; 0 is unknown.
    pub zipf: u8,
    /// The lexicon or the training data know the form.
    pub known: bool,
}

/// Where a word stands in the tree of its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysedArc {
    /// Its head: words of the sentence count from 1, 0 is the root.
    pub head: u32,
    /// Relation to the head, a number of [`Analysis::strings`].
    pub relation: u32,
}

/// Sentences, tokens and words of a text in reading order.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// Sentences.
    pub sentences: Vec<AnalysedSentence>,
    /// Surface tokens.
    pub tokens: Vec<AnalysedToken>,
    /// Syntactic words.
    pub words: Vec<AnalysedWord>,
    /// Heads and relations of the words; empty unless the text was parsed.
    pub tree: Vec<AnalysedArc>,
    /// Distinct strings.
    pub strings: Vec<String>,
}

impl Analysis {
    /// The string of a number.
    pub fn string(&self, number: u32) -> &str {
        &self.strings[number as usize]
    }
    /// The places of the words of a sentence.
    pub fn places_of_sentence(&self, sentence: &AnalysedSentence) -> Range<usize> {
        let tokens = &self.tokens[sentence.tokens.clone()];
        tokens.first().map_or(0, |t| t.words.start)..tokens.last().map_or(0, |t| t.words.end)
    }
    /// The words of a sentence.
    pub fn words_of_sentence(&self, sentence: &AnalysedSentence) -> &[AnalysedWord] {
        &self.words[self.places_of_sentence(sentence)]
    }
    /// The words of a token.
    pub fn words_of(&self, token: &AnalysedToken) -> &[AnalysedWord] {
        &self.words[token.words.clone()]
    }
}
