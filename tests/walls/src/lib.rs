//! Holds the walls between crates.
