//! Token patterns.
//!
//! A pattern is a sequence of steps, or several; a compiled [`Query`] jumps to the places of its rarest literal word,
//! tests the neighbours there, and gives [`Match`]es with named captures. Templates make replacements of them.
//!
//! | step | covers |
//! |---|---|
//! | `con el fin de` | these words, by normal form |
//! | `/[0-9]+h/` | a word that the expression matches as a whole |
//! | `$words` | a word of a threshold (a text or list) |
//! | `"@key"` | a term of a glossary; captured as `term` |
//! | `{lemma: ser, …}` | a token that passes all tests; a list means any of its items |
//! | `{any: [[…], […]]}` | one of these sequences |
//! | `{use: name}` | a part of `define:` |
//! | `{gap: 0..8, …}` | as few tokens as possible, each passing the tests |
//!
//! Tests: `form norm lemma participle starts ends pos morph glossary part agrees_with begins_like not` and the flags `capitalised
//! all_caps word number punctuation known space_before first heading`. Every step may have `repeat`
//! (at most 8), `optional`, `as`, and conditions that cover nothing: `followed_by`, `not_followed_by`, `preceded_by`,
//! `not_preceded_by`.

mod anchor;
pub(crate) mod build;
mod condition;
mod loose;
mod program;
mod query;
mod step;
mod template;
mod test;

pub(crate) use build::captures;
pub use condition::Condition;
pub(crate) use condition::keys as condition_keys;
pub use query::{Capture, Match, Query};
pub(crate) use step::{BLOCKS, FEATURES, FLAGS, read_match, read_parts, read_sequence_item, read_sequences};
pub use step::{Flag, Look, Sequence, Step, Tests, What};
#[cfg(test)]
pub(crate) use step::{STEPS, TESTS};
pub(crate) use template::{Template, inflect_like as inflection_of, joined_pronouns, keep_case, with_pronouns};
pub use template::{keep_capitals, with_joined_pronouns};
