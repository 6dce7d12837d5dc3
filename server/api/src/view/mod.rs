//! The objects of the interface as they are sent, with their schemas. Nullable properties are always there, as `null` when they have
//! no value; properties that may be absent are never `null`.
mod catalog;
mod problem;
mod report;
mod request;

pub use catalog::*;
pub use glosa_report::{GenreName as Genre, LanguageCode, ReportResult, TextDomain, TextType};
pub use problem::*;
pub use report::*;
pub use request::ReportRequest;
