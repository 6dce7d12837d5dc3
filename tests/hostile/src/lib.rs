//! Made-up texts at the limits of the service: one word, one sign or one kind of place again and again.
//!
//! A family is a line of `families.tsv`. Beside those there are families that nobody lists: each glossary term by term, and each
//! rule with its own examples, phrases and signs. A benchmark runs them at the limits, a test at a fraction of them.

mod family;
mod material;
mod piece;
mod random;
mod report;
mod rules;
mod size;

pub use family::{Family, families};
pub use material::Material;
pub use report::{Case, case, snapshot};
pub use rules::{of_glossaries, of_rules};
pub use size::{Size, words};
