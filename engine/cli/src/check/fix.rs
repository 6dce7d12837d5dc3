//! `--fix`: the ready edits of a report, one place after another, asked for or all at once. Nothing but these edits is ever done.

use std::fmt::Write;

use glosa_markup::{Lines, Reading, Unit};
use glosa_report::{Occurrence, ReportResult, TextEdit, apply};

use crate::console::Console;

/// Characters around a place that are shown with it.
const AROUND: usize = 40;

/// What a user has said for the places to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    /// Each is asked for.
    Ask,
    /// All are taken.
    All,
    /// None is taken.
    Quit,
}

/// The file after the edits that were taken, and how many places that changed.
pub(super) fn fixed(
    name: &str,
    reading: &Reading,
    result: &ReportResult,
    mood: &mut Mood,
    console: &mut dyn Console,
) -> (String, usize) {
    let mut ready: Vec<(&str, &Occurrence)> = Vec::new();
    for recommendation in &result.recommendations {
        let with_edits = recommendation.occurrences.iter().filter(|occurrence| !occurrence.edits.is_empty());
        ready.extend(with_edits.map(|occurrence| (recommendation.metric_title.as_str(), occurrence)));
    }
    ready.sort_by_key(|(_, occurrence)| occurrence.edits.iter().map(|edit| edit.start).min());
    let lines = Lines::new(reading.source());
    let mut edits: Vec<TextEdit> = Vec::new();
    let mut taken = 0;
    for (title, occurrence) in ready {
        if *mood == Mood::Ask {
            console.err(&shown(name, &lines, reading, title, occurrence));
        }
        if wanted(mood, console) {
            taken += 1;
            edits.extend(occurrence.edits.iter().cloned());
        }
    }
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.start, edit.end)));
    // A break that an edit brings along is one of the file's own.
    if reading.source().contains("\r\n") {
        for edit in &mut edits {
            edit.text = edit.text.replace("\r\n", "\n").replace('\n', "\r\n");
        }
    }
    (apply(reading.source(), &edits), taken)
}

fn wanted(mood: &mut Mood, console: &mut dyn Console) -> bool {
    while *mood == Mood::Ask {
        console.err("Change it? [y]es, [n]o, [a]ll, [q]uit: ");
        let Some(answer) = console.answer() else {
            console.err("\n");
            *mood = Mood::Quit;
            break;
        };
        match answer.trim().to_lowercase().as_str() {
            "y" | "yes" | "s" | "sí" | "si" => return true,
            "n" | "no" => return false,
            "a" | "all" => *mood = Mood::All,
            "q" | "quit" => *mood = Mood::Quit,
            _ => {}
        }
    }
    *mood == Mood::All
}

/// A place with the words around it, before and after.
fn shown(name: &str, lines: &Lines, reading: &Reading, title: &str, occurrence: &Occurrence) -> String {
    let start = occurrence.edits.iter().map(|edit| edit.start).min().unwrap_or(0);
    let end = occurrence.edits.iter().map(|edit| edit.end).max().unwrap_or(0);
    let bytes = reading.index().to_byte(start)..reading.index().to_byte(end);
    let source = reading.source();
    let line = |text: &str| text.split(['\n', '\r']).next().unwrap_or_default().to_owned();
    let last_line = |text: &str| text.rsplit(['\n', '\r']).next().unwrap_or_default().to_owned();
    let before: Vec<char> = last_line(&source[..bytes.start]).chars().collect();
    let before: String = before[before.len().saturating_sub(AROUND)..].iter().collect();
    let after: String = line(&source[bytes.end..]).chars().take(AROUND).collect();
    let mut changed: Vec<char> = source[bytes.clone()].chars().collect();
    for edit in &occurrence.edits {
        changed.splice((edit.start - start) as usize..(edit.end - start) as usize, edit.text.chars());
    }
    let changed: String = changed.into_iter().collect();
    let at = lines.position(source, bytes.start, Unit::CodePoints);
    let mut out = format!("{name}:{}:{}: {title}\n", at.line + 1, at.column + 1);
    let _ = writeln!(out, "  - {before}[{}]{after}", &source[bytes]);
    let _ = writeln!(out, "  + {before}[{changed}]{after}");
    out
}
