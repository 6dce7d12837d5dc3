//! A report as lines: `path:line:column: severity rule: message`, which editors, compilers' readers and `grep` understand.

use std::fmt::Write;

use glosa_host::{Severity, Snapshot};
use glosa_markup::{Lines, Reading, Unit};
use glosa_report::{Occurrence, Recommendation, ReportResult};

/// Characters of the text that a message shows.
const SHOWN: usize = 60;

/// The name of a severity.
pub(crate) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// One line a place, in the order of the file; what the text lacks stands first, at its beginning.
pub(super) fn render(name: &str, reading: &Reading, result: &ReportResult, snapshot: &Snapshot) -> String {
    let lines = Lines::new(reading.source());
    let mut places: Vec<(u32, &Recommendation, &Occurrence)> = Vec::new();
    for recommendation in &result.recommendations {
        for occurrence in &recommendation.occurrences {
            places.push((occurrence.start.unwrap_or(0), recommendation, occurrence));
        }
    }
    places.sort_by_key(|(start, ..)| *start);
    let mut out = String::new();
    for (start, recommendation, occurrence) in places {
        let at = lines.at(reading.source(), reading.index(), start, Unit::CodePoints);
        let severity = severity_name(snapshot.severity(&recommendation.category));
        let (line, column) = (at.line + 1, at.column + 1);
        let message = message(recommendation, occurrence);
        let _ = writeln!(out, "{name}:{line}:{column}: {severity} {}: {message}", recommendation.metric_id);
    }
    out
}

/// What a rule says of one place, in a line.
pub(super) fn message(recommendation: &Recommendation, occurrence: &Occurrence) -> String {
    let title = one_line(&recommendation.metric_title);
    let mut message = format!("{title}: «{}»", clip(&one_line(&occurrence.text)));
    match &occurrence.replacement {
        Some(new) if new.is_empty() => message.push_str(" → ∅"),
        Some(new) => {
            let _ = write!(message, " → «{}»", clip(&one_line(new)));
        }
        None => {}
    }
    message
}

/// A text on one line; nothing but white space shows as it is.
fn one_line(text: &str) -> String {
    if text.trim().is_empty() {
        return text.replace(['\n', '\r'], "↵");
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
