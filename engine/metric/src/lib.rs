//! The contract of a measurement or rule, and the two forms that are data: phrase tables and token patterns.
//!
//! A metric says little. It reads an analysed [`Document`](glosa_text::Document), pulls its parameters through a
//! recording reader ([`Params`]) and puts numbers or [`Finding`]s into a [`Sink`]: where, and what instead. Ids,
//! slices, indexes, order, wording and the validity of edits belong to `glosa-report`.
//!
//! The files of a metric folder are mirrored by [`MetricFile`], [`VariantFile`] and [`DocsFile`]; the
//! [`Registry`] holds what came out of them once everything was checked.
//!
//! It must never know of: files on disk, dylibs, Rhai, genres, reports.

mod advice;
mod amount;
mod compile;
mod docs_file;
mod error;
mod finding;
mod fixed;
mod gate;
mod glossary;
mod inflect;
mod input;
mod metric_file;
mod needs;
mod params;
pub mod pattern;
pub mod phrases;
mod problem;
mod reading;
mod registry;
pub mod replacement;
mod reporting;
mod rule;
pub mod schema;
mod structure;
mod switch;
mod variant_file;
mod views;
mod word_list;
pub mod yaml;
mod yaml_reader;
mod yaml_syntax;
mod yaml_types;

pub use compile::{CompileContext, Compiled, Selection, compile, compile_selection, phrase_rows};
pub use docs_file::{DocsFile, Documentation, Plural, ReportWording, Wording};
pub use error::MetricError;
pub use finding::{Connector, Edit, Fact, Finding, Place};
pub use fixed::Fixed;
pub use glossary::{
    EntryKind, EntryStatus, Glossaries, Glossary, GlossaryEntry, GlossaryFile, GlossaryRow, MatchBy, RowExamples,
    RowsByTerm, SourceLevel, When,
};
pub use inflect::{FormReading, Inflect, NoInflection, Repair, agreement, features};
pub use input::{Budget, Input, Metric, Number, Sink};
pub use metric_file::{Kind, MetricFile, OfMetric, ParamSpec, ParamType, PerLanguage};
pub use needs::{Capability, Needs, UnknownCapability};
pub use params::{ParamValue, ParamValues, Params};
pub use problem::{Problem, did_you_mean};
pub use reading::{Is, Reading, Readings};
pub use registry::{MetricEntry, Origin, Registry, Variant};
pub use reporting::{Candidate, Reporting};
pub use structure::{Content, Section, Structure};
pub use switch::Switch;
pub use variant_file::{
    Choice, EditPolicy, Example, Examples, Form, Handling, Mark, Pattern, Per, PhraseTable, ReportGate, ScriptCall,
    SpansMode, SubstituteRow, ValueExample, VariantFile, Within,
};
pub use views::{Counts, Grammar, Quotation, Views, Vocabulary, distances};
pub use word_list::{ListEntry, ListFile, WordList, WordLists};
pub use yaml_reader::Located;
