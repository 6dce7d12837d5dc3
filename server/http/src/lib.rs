//! What the API and the portal share: the identifier, headers and log line of an exchange, and the address that it comes from.
//!
//! It must never know of: routes, problems, pages, the store.
mod exchange;
mod origin;

pub use exchange::{Exchange, X_REQUEST_ID, new_request_id};
pub use origin::{Origin, Peer};
