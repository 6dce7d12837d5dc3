//! Runs every example of every rule and compares their pictures, without a database.
