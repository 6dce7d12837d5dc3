//! Rhai rules and formulas.
