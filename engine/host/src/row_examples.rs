//! Examples of the rows of glossaries: sentences in which a row must hold exactly for what is marked, and sentences in which it must
//! hold nowhere.

use std::collections::HashSet;

use glosa_metric::RowExamples;
use glosa_text::{Language, Span};

use crate::Snapshot;
use crate::examples::{ExampleFailure, parse};
use crate::glossary_files::ReadGlossary;

/// The examples of one row.
#[derive(Clone, Debug)]
pub(crate) struct RowTest {
    file: String,
    language: Language,
    key: String,
    table: u32,
    row: u32,
    line: u64,
    term: String,
    examples: RowExamples,
}

/// Those of the active rows that stand in some glossaries; a row that is taken over is tried where it stands.
pub(crate) fn of(read: &[ReadGlossary]) -> Vec<RowTest> {
    let mut tests = Vec::new();
    for glossary in read {
        for ((entry, nodes), row) in glossary.entries.iter().zip(&glossary.rows).zip(0..) {
            if entry.active && nodes.from.is_none() && entry.examples != RowExamples::default() {
                tests.push(RowTest {
                    file: glossary.file.clone(),
                    language: glossary.language,
                    key: glossary.key.clone(),
                    table: glossary.table,
                    row,
                    line: nodes.at.line.into(),
                    term: entry.term.clone(),
                    examples: entry.examples.clone(),
                });
            }
        }
    }
    tests
}

/// Runs them and lists those that do not hold.
pub(crate) fn check(snapshot: &Snapshot, failures: &mut Vec<ExampleFailure>) {
    let engine = &snapshot.engine;
    for test in &snapshot.rows {
        let Some(index) = engine.phrases.get(&test.language) else { continue };
        let mut fail = |message: String| {
            failures.push(ExampleFailure {
                metric: test.key.clone(),
                language: test.language,
                file: test.file.clone(),
                line: test.line,
                message: format!("`{}`: {message}", test.term),
            });
        };
        let bad = test.examples.bad.iter().map(|text| (text, true));
        for (text, holds) in bad.chain(test.examples.good.iter().map(|text| (text, false))) {
            let marked = match parse(text) {
                Ok(marked) if marked.spans.is_empty() != holds => marked,
                Ok(_) => {
                    fail(format!("mark the term between < and > in `bad`, and nothing in `good`: {text}"));
                    continue;
                }
                Err(message) => {
                    fail(message);
                    continue;
                }
            };
            let document = engine.analyse(test.language, &marked.text, &HashSet::new());
            let hits = index.scan(&document, &[test.table]);
            let hits = hits.of(test.table).iter().filter(|hit| hit.row == test.row);
            let found: Vec<Span> =
                hits.map(|hit| document.span_of_tokens(hit.tokens.start as usize..hit.tokens.end as usize)).collect();
            if found != marked.spans {
                let places: Vec<&str> = found.iter().map(|span| document.slice(*span)).collect();
                let said = if places.is_empty() { "nothing".to_owned() } else { places.join(", ") };
                fail(format!("the row holds for {said} in: {text}"));
            }
        }
    }
}
