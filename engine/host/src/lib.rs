//! The one reader of the disk: folders of rules, genres and glossaries become one immutable [`Snapshot`], or the list
//! of everything that is wrong with them.
//!
//! A folder is the registration: there is no list of metrics, genres or glossaries anywhere. Native rules are dylibs
//! that this crate loads and never unloads. After [`load`] nothing changes; hot reload builds a new snapshot.
//!
//! It must never know of: reports in flight, HTTP, databases.
#![allow(clippy::disallowed_methods, reason = "this is the crate that reads files")]

mod compile;
pub mod dylib;
mod examples;
mod extends;
mod genre_files;
mod glossary_files;
mod judged_figures;
mod load;
mod loops;
mod metric_folder;
mod phrase_tables;
mod plugins;
mod reader;
mod reading_files;
mod remarks;
mod remembered;
mod roots;
mod row_examples;
mod schemas;
mod snapshot;
mod word_lists;

pub use examples::{ExampleFailure, check_examples, picture};
pub use judged_figures::{JudgedFigures, RuleFigures, written};
pub use load::{Loaded, load, load_language, load_readings, load_what_is_right, load_with};
pub use roots::Roots;
pub use schemas::{KnownNames, files_with_schema, schemas};
pub use snapshot::{Category, Severity, Snapshot, VariantSource};
