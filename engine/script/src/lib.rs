//! Rhai metrics: scripts that decide what a table or pattern cannot, and formulas over the counts of a text.
//!
//! A script has one entry function: `on_match(m)` for each hit of the variant's `match` or `on_matches(all)` for all of
//! them together, `on_sentence(s)` for each sentence, or `on_document(doc)` once. What it sees are handles into the analysed document; nothing is copied, and
//! strings are interned. It writes through `report(…)`, `report_missing(…)`, `measure(…)` and `fact(…)`.
//!
//! A script is the limited tier: it has no files, network, clock, `eval` or `import`; its time, memory and depth are
//! bounded; whatever goes wrong fails its own run only.
//!
//! It must never know of: files on disk, dylibs, genres, reports.

mod check;
mod clock;
mod compile;
mod engine;
mod figure;
mod formula;
mod genre;
mod glossary;
mod list;
mod quotation;
mod recursion;
mod reference;
mod repair;
mod report;
mod run;
mod search;
mod source;
mod tally;
mod units;
mod words;

pub use check::Declared;
pub use clock::Allowance;
pub use compile::{Made, Script, Shared, compile};
pub use engine::{LIMITS, REFUSED, printed};
pub use formula::{Formula, compile_formula, counts};
pub use reference::{Entry, reference};
