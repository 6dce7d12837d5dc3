//! The command line that needs no database: check, annotate, rules.
