//! Token patterns.
