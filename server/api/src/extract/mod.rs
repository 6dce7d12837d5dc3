//! What handlers receive: the caller, admission under a rate, strict bodies, queries and path parts. The order of the arguments of a
//! handler is the order of the refusals: key, rate, bytes, shape.
mod admission;
mod caller;
mod json;
mod path;
mod query;

pub use admission::{CreateRate, StatusRate, StreamRate};
pub use caller::Caller;
pub use json::JsonBody;
pub(crate) use json::invalid;
pub use path::PathParts;
pub use query::QueryReader;
