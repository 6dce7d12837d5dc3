//! The linguistic runtime: text and language to an analysed document.
//!
//! For Spanish, Catalan and English it finds tokens, sentences, the words of contractions, lemma, part of speech and
//! features, syllables and frequency, and it inflects. The models are data beside the code; [`Runtime::new`] takes the
//! shipped ones, [`Runtime::with_models`] any replacement.
//!
//! It must never know of: rules, genres, files, reports.

mod abbreviation;
mod analysis;
pub mod bytes;
mod change;
mod clause;
pub mod clitic;
mod cluster;
mod composed;
pub mod conllu;
mod contraction;
mod frequency;
mod frequent;
pub mod hash;
pub mod inflect;
pub mod junction;
mod lemma;
mod lexicon;
mod models;
mod on_demand;
pub mod parser;
pub mod roles;
mod runtime;
mod sentence;
pub mod slip;
mod spelling;
mod syllable;
pub mod tagger;
mod tokenize;

pub use abbreviation::{Abbreviations, Ending};
pub use analysis::{AnalysedArc, AnalysedSentence, AnalysedToken, AnalysedWord, Analysis};
pub use change::Change;
pub use cluster::Clusters;
pub use contraction::Contractions;
pub use frequency::{Frequencies, Unit};
pub use inflect::Inflection;
pub use lemma::{LONGEST_ENDING, LemmaSources, LemmaTables, LetterCase, is_capitals, lexicon_lemma, rule_key};
pub use lexicon::{EditScript, Lexicon, LexiconTable, Reading};
pub use models::{LanguageModels, ModelError};
pub use runtime::{Capabilities, Runtime};
pub use sentence::{GapScratch, Splitter};
pub use slip::Slip;
pub use spelling::{Repair, Speller};
pub use syllable::Syllables;
pub use tokenize::{SurfaceToken, TokenKind, Tokenizer};
