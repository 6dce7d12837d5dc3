//! The HTTP service: `/v1`, event streams, the worker loop.
//!
//! A request passes, in this order: key, rate, bytes, shape, words, genre, idempotency, queue. Every refusal is a [`Problem`]; the
//! outermost layer writes it, together with the framework's own answers and those after panics. Catalogs are answered from the
//! snapshot in memory; reports live in the store and nowhere else, so any number of processes may share one database.
//!
//! It must never know of: SQL, files of rules, dylibs, the linguistic runtime. It hands texts to the report crate and keeps the result
//! as bytes.
mod accept;
mod connection;
mod docs;
mod engine;
mod exchange;
mod extract;
mod hub;
mod limits;
mod openapi;
mod problem;
mod refusals;
mod route;
mod server;
mod service;
mod strangers;
mod telemetry;
mod view;
mod worker;

pub use connection::serve;
pub use engine::{CurrentEngine, Generation};
pub use limits::Limits;
pub use openapi::text as openapi_text;
pub use problem::{Code, Fault, Problem};
pub use server::{administer, router};
pub use service::Service;
pub use telemetry::Telemetry;
pub use worker::{WorkerSettings, housekeep, work};
