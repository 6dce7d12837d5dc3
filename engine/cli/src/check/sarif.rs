//! Reports as SARIF 2.1.0 (OASIS standard), which code hosts and editors show beside the text.
//!
//! Rules carry their title, their documentation and their severity; results their place in code points, and ready edits as fixes.

use std::collections::BTreeMap;

use glosa_host::{Severity, Snapshot};
use glosa_markup::{Lines, Reading, Unit};
use glosa_report::{Occurrence, Recommendation, ReportResult, TextEdit};
use serde_json::{Value, json};

use super::lines::{message, severity_name};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The log of several files.
#[derive(Default)]
pub(super) struct Log {
    rules: Vec<Value>,
    numbers: BTreeMap<String, usize>,
    results: Vec<Value>,
}

impl Log {
    /// Adds the report of a file.
    pub fn add(&mut self, name: &str, reading: &Reading, result: &ReportResult, snapshot: &Snapshot) {
        let file = File { uri: uri(name), lines: Lines::new(reading.source()), reading };
        for recommendation in &result.recommendations {
            let severity = snapshot.severity(&recommendation.category);
            let number = self.rule(recommendation, severity, result, snapshot);
            for occurrence in &recommendation.occurrences {
                let mut told = json!({
                    "ruleId": recommendation.metric_id,
                    "ruleIndex": number,
                    "level": severity_name(severity),
                    "message": {"text": message(recommendation, occurrence)},
                    "locations": [file.location(occurrence)],
                });
                if !occurrence.edits.is_empty() {
                    told["fixes"] = json!([file.fix(occurrence)]);
                }
                self.results.push(told);
            }
        }
    }

    fn rule(&mut self, said: &Recommendation, severity: Severity, result: &ReportResult, snapshot: &Snapshot) -> usize {
        if let Some(number) = self.numbers.get(&said.metric_id) {
            return *number;
        }
        let mut rule = json!({
            "id": said.metric_id,
            "name": said.metric_title,
            "shortDescription": {"text": said.metric_title},
            "defaultConfiguration": {"level": severity_name(severity)},
            "properties": {"category": said.category, "version": said.implementation_version, "language": result.language},
        });
        let language = result.language.parse().ok();
        let entry = snapshot.engine.registry.get(&said.metric_id);
        if let Some((_, docs)) = entry.zip(language).and_then(|(entry, language)| entry.docs(language)) {
            rule["fullDescription"] = json!({"text": docs.documentation.summary});
            let parts =
                [&docs.documentation.methodology, &docs.documentation.interpretation, &docs.documentation.limitations];
            let help: Vec<&str> = parts.into_iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
            if !help.is_empty() {
                rule["help"] = json!({"text": help.join("\n\n")});
            }
        }
        let number = self.rules.len();
        self.numbers.insert(said.metric_id.clone(), number);
        self.rules.push(rule);
        number
    }

    /// The log as JSON.
    pub fn render(self) -> Value {
        json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {"name": "glosa", "version": env!("CARGO_PKG_VERSION"), "rules": self.rules}},
                "columnKind": "unicodeCodePoints",
                "results": self.results,
            }],
        })
    }
}

/// A file whose places are told.
struct File<'r> {
    uri: String,
    lines: Lines,
    reading: &'r Reading,
}

impl File<'_> {
    fn region(&self, start: u32, end: u32) -> Value {
        let at = |code_point| self.lines.at(self.reading.source(), self.reading.index(), code_point, Unit::CodePoints);
        let (first, last) = (at(start), at(end));
        json!({
            "startLine": first.line + 1,
            "startColumn": first.column + 1,
            "endLine": last.line + 1,
            "endColumn": last.column + 1,
            "charOffset": start,
            "charLength": end - start,
        })
    }

    /// The place of an occurrence; of what the text lacks, the file.
    fn location(&self, occurrence: &Occurrence) -> Value {
        let mut place = json!({"artifactLocation": {"uri": self.uri}});
        if let Some((start, end)) = occurrence.start.zip(occurrence.end) {
            place["region"] = self.region(start, end);
            place["region"]["snippet"] = json!({"text": occurrence.text});
        }
        json!({"physicalLocation": place})
    }

    fn fix(&self, occurrence: &Occurrence) -> Value {
        let replacement = |edit: &TextEdit| json!({"deletedRegion": self.region(edit.start, edit.end), "insertedContent": {"text": edit.text}});
        let replacements: Vec<Value> = occurrence.edits.iter().rev().map(replacement).collect();
        let mut fix = json!({
            "artifactChanges": [{"artifactLocation": {"uri": self.uri}, "replacements": replacements}],
        });
        if let Some(new) = occurrence.replacement.as_ref().filter(|new| !new.is_empty()) {
            fix["description"] = json!({"text": format!("→ «{new}»")});
        }
        fix
    }
}

/// A path as a reference of RFC 3986, relative where the path is.
pub(crate) fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut written = String::with_capacity(path.len());
    for byte in path.trim_start_matches("./").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            written.push(char::from(byte));
        } else {
            written.push_str(&format!("%{byte:02X}"));
        }
    }
    if written.starts_with('/') { format!("file://{written}") } else { written }
}
