//! The model files of a language and what can be wrong with them.

use glosa_text::Language;
use std::borrow::Cow;

/// A model file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The file is cut, of another version or no model at all.
    #[error("the {0} is damaged or was made by another version: make it again with `glosa-train`")]
    Damaged(&'static str),
    /// The automaton of the lexicon cannot be read.
    #[error("the lexicon automaton cannot be read ({0}): make it again with `glosa-train lexicon`")]
    Automaton(String),
}

/// The bytes of every model of one language. An empty part switches that capability off.
#[derive(Clone, Debug, Default)]
pub struct LanguageModels {
    /// Automaton of the lexicon (`lexicon.fst`).
    pub lexicon: Cow<'static, [u8]>,
    /// Meaning of its classes (`lexicon.tbl`).
    pub lexicon_table: Cow<'static, [u8]>,
    /// Weights of the sentence splitter (`sentences.bin`).
    pub sentences: Cow<'static, [u8]>,
    /// Tables of the tagger (`tags.bin`).
    pub tags: Cow<'static, [u8]>,
    /// Weights of the tagger (`weights.bin`).
    pub weights: Cow<'static, [u8]>,
    /// The features that have weights (`features.bin`).
    pub features: Cow<'static, [u8]>,
    /// Word clusters, which the tagger looks at (`clusters.bin`).
    pub clusters: Cow<'static, [u8]>,
    /// Tables of the lemmatiser (`lemmas.bin`).
    pub lemmas: Cow<'static, [u8]>,
    /// The dependency parser (`parser.bin`).
    pub parser: Cow<'static, [u8]>,
    /// Zipf frequencies (`frequency.bin`).
    pub frequency: Cow<'static, [u8]>,
}

impl LanguageModels {
    /// Models from a function that gives the bytes of a file by its name; a missing file may be empty.
    pub fn from_files(mut file: impl FnMut(&str) -> Vec<u8>) -> Self {
        LanguageModels {
            lexicon: Cow::Owned(file("lexicon.fst")),
            lexicon_table: Cow::Owned(file("lexicon.tbl")),
            sentences: Cow::Owned(file("sentences.bin")),
            tags: Cow::Owned(file("tags.bin")),
            weights: Cow::Owned(file("weights.bin")),
            features: Cow::Owned(file("features.bin")),
            clusters: Cow::Owned(file("clusters.bin")),
            lemmas: Cow::Owned(file("lemmas.bin")),
            parser: Cow::Owned(file("parser.bin")),
            frequency: Cow::Owned(file("frequency.bin")),
        }
    }

    /// The shipped models of a language.
    pub fn shipped(language: Language) -> Self {
        macro_rules! model {
            ($code:literal, $file:literal) => {
                Cow::Borrowed(include_bytes!(concat!("../models/", $code, "/", $file)).as_slice())
            };
        }
        macro_rules! models {
            ($code:literal) => {
                LanguageModels {
                    lexicon: model!($code, "lexicon.fst"),
                    lexicon_table: model!($code, "lexicon.tbl"),
                    sentences: model!($code, "sentences.bin"),
                    tags: model!($code, "tags.bin"),
                    weights: model!($code, "weights.bin"),
                    features: model!($code, "features.bin"),
                    clusters: model!($code, "clusters.bin"),
                    lemmas: model!($code, "lemmas.bin"),
                    parser: model!($code, "parser.bin"),
                    frequency: model!($code, "frequency.bin"),
                }
            };
        }
        match language {
            Language::Es => models!("es"),
            Language::Ca => models!("ca"),
            Language::En => models!("en"),
        }
    }
}
