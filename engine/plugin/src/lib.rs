//! The C ABI of native rules and the safe SDK over it: all that a native rule depends on.
//!
//! A plugin is a library with one symbol. In Rust, [`export_plugin!`] writes it:
//!
//! ```
//! use glosa_plugin::{Doc, Failure, Finding, Host, Kind, Language, NativeMetric, export_plugin};
//!
//! #[derive(Default)]
//! struct ShoutedWord;
//!
//! impl NativeMetric for ShoutedWord {
//!     const ID: &'static str = "shouted-word";
//!     const VERSION: &'static str = "1.0.0";
//!     const KIND: Kind = Kind::Rule;
//!     const LANGUAGES: &'static [Language] = &Language::ALL;
//!
//!     fn run(&self, doc: &Doc<'_>, host: &mut Host<'_>) -> Result<(), Failure> {
//!         let longest = host.integer("max_letters")?;
//!         for token in doc.tokens().filter(|t| t.all_caps()) {
//!             if token.form().chars().count() as i64 > longest {
//!                 host.find(&Finding::at(token.span()).replace(token.form().to_lowercase()))?;
//!             }
//!         }
//!         Ok(())
//!     }
//! }
//!
//! export_plugin! { name: shouting, metrics: [ShoutedWord] }
//!
//! assert_eq!(linked().name(), "shouting");
//! ```
//!
//! Build it as a `cdylib`. In C, include `include/glosa_plugin.h`. Plugins are trusted code: they run inside the
//! process. A panic is caught and fails the report of the text; a crash is not.
//!
//! This crate must never know of: the other crates of the engine.
#![allow(unsafe_code, reason = "the border between host and plugin is made of raw pointers")]

pub mod abi;
mod document;
mod export;
mod finding;
mod host;
mod syntax;

pub use abi::Range;
pub use document::{Block, BlockKind, Doc, Language, Sentence, Token, Word};
pub use export::{Kind, Linked, NativeMetric, Needs};
#[doc(hidden)]
pub use export::{describe, plugin};
pub use finding::{Fact, Finding};
pub use host::{Content, Failure, Glossary, GlossaryRow, Hit, Host, Section, Structure};
pub use syntax::{Clause, ClauseKind, NounPhrase, Syntax};
