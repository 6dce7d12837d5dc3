//! Nanoseconds that harper-core computes on the text of standard input: the middle of three rounds, and what it found.

use std::io::Read;
use std::sync::Arc;

use cpu_time::ThreadTime;
use harper_core::linting::{LintGroup, Linter};
use harper_core::spell::FstDictionary;
use harper_core::{Dialect, Document};

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("a text in UTF-8");
    let mut linter = LintGroup::new_curated(Arc::clone(&FstDictionary::curated()), Dialect::British);
    let mut found = 0;
    let mut rounds = [0; 3].map(|_| {
        let start = ThreadTime::now();
        let document = Document::new_plain_english_curated(&text);
        found = linter.lint(&document).len();
        start.elapsed().as_nanos()
    });
    rounds.sort_unstable();
    println!("{} {found}", rounds[1]);
}
