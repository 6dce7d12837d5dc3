//! The objects of the interface as they are sent, with their schemas. Nullable properties are always there, as `null` when they have
//! no value; properties that may be absent are never `null`.
mod catalog;
mod problem;
mod report;
mod request;
mod result;

pub use catalog::*;
pub use problem::*;
pub use report::*;
pub use request::ReportRequest;
pub use result::*;
