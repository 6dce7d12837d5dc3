//! Runs every example of every rule and compares their pictures, without a database.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::path::{Path, PathBuf};

/// The texts of a folder and of those in it, in no order.
pub fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            texts(&path, found);
        } else if path.extension().is_some_and(|e| e == "txt") {
            found.push(path);
        }
    }
}
