//! The document: the exact submitted text and everything that is known about its places.
//!
//! This crate holds data structures and the parts of their construction that no language decides: code-point
//! positions, the layout of a plain text (paragraphs, headings, list items), orthographic words, interned
//! strings and postings. It never changes the text it was given and never guesses at linguistics: tokens,
//! sentences, lemmas and tags are put in by `glosa-lingua` through [`DocumentBuilder`].
//!
//! It must never know of: rules, genres, files, reports.
//!
//! ```
//! use glosa_text::{CodePoints, Span};
//!
//! let text = "É así: 👍🏽.";
//! let index = CodePoints::new(text);
//! let bytes = text.find("así").unwrap();
//! let span = Span::new(index.at_byte(bytes), index.at_byte(bytes + "así".len()));
//! assert_eq!(index.slice(text, span), "así");
//! ```

mod code_points;
mod document;
mod feats;
mod figure;
mod language;
mod layout;
mod norm;
mod phrase;
mod postings;
mod quotation;
mod span;
mod symbol;
mod syntax;
mod upos;
mod word;

pub use code_points::CodePoints;
pub use document::{Correction, Document, DocumentBuilder, Sentence, Token, TokenFlags, TokenInput, WordPart};
pub use feats::{feature, has_feature, overlaid};
pub use figure::{Figure, Separator};
pub use language::{Language, UnknownLanguage};
pub use layout::{Block, BlockKind, Layout, fold_heading};
pub use norm::{fold, normal_form};
pub use phrase::NounPhrase;
pub use postings::Postings;
pub use quotation::{Quotation, QuoteStyle};
pub use span::Span;
pub use symbol::{Sym, Symbols};
pub use syntax::{Clause, ClauseKind, SentenceParser, Syntax};
pub use upos::{UnknownUpos, Upos};
pub use word::{OrthographicWord, orthographic_words};
