//! The endpoints.
pub mod catalog;
pub mod events;
pub mod health;
pub mod metrics;
pub mod problems;
pub mod reports;
pub mod text_types;
