//! Plan and text to report. Every promise of the result contract is kept here and nowhere else: ids, slices, indexes,
//! reading order, wording, and edits that apply cleanly.
//!
//! A metric only says where and what instead; this crate runs the steps of a genre's plan and turns what they found
//! into a [`ReportResult`]. [`violations`] states the promises as code: tests, the command line and debug builds call
//! it on every report.
//!
//! It must never know of: files, dylibs, Rhai, HTTP, databases. It cannot tell a plugin from a YAML file.

mod assemble;
mod build;
mod clusters;
mod contract;
mod costs;
mod edits;
mod engine;
mod guard;
pub mod judged;
mod junction;
mod notes;
mod overlap;
mod promises;
mod proofread;
mod prose;
mod trial;
mod wording;

pub use build::{BuildError, Phase, Progress, build, build_prose};
pub use contract::{
    GenreName, LanguageCode, Measurement, MeasurementValue, Occurrence, OccurrenceSpan, Recommendation, ReportResult,
    SentenceConnector, TextDomain, TextEdit, TextType,
};
pub use costs::{Costs, Sample, costs};
pub use edits::apply;
pub use engine::Engine;
pub use notes::Notes;
pub use promises::{Violation, violations};
pub use proofread::{Fault, FaultKind, Proof, proofread};
pub use prose::{Prose, Silenced};
pub use trial::{Trial, TrialError, TrialOutcome};
pub use wording::placeholders;
