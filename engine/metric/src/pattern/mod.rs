//! Token patterns.
//!
//! A pattern is a sequence of steps, or several; a step is a word or a map of tests on one token. A compiled
//! [`Query`] jumps to the places of its rarest literal word, tests the neighbours there, and gives [`Match`]es with
//! named captures. Templates make replacements of them.

mod anchor;
pub(crate) mod build;
mod program;
mod query;
mod step;
mod template;
mod test;

pub use query::{Capture, Match, Query};
pub(crate) use step::{FEATURES, FLAGS, read_sequence, read_sequences};
#[cfg(test)]
pub(crate) use step::{STEPS, TESTS};
pub use step::{Flag, Look, Sequence, Step, Tests, What};
pub(crate) use template::{Template, inflect_like as inflection_of, keep_case};
