//! Runs every example of every rule, without a database.
