//! One version of a document, analysed: what was found, and how an editor is told of it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glosa_catalog::{Genre, GenreEdition};
use glosa_cli::{find_genre, unknown_name};
use glosa_host::Severity;
use glosa_markup::{Lines, Position as Place, Reading, Syntax, Unit};
use glosa_report::{BuildError, Occurrence, Recommendation, ReportResult};
use glosa_text::Language;
use tower_lsp_server::ls_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Position, Range, TextEdit,
    Uri,
};

use crate::rules::Loaded;
use crate::settings::Settings;
use crate::words::words;

/// Who says it.
const SOURCE: &str = "glosa";
/// Characters of a place that a message shows.
const SHOWN: usize = 60;

/// A version of a document and what was found in it.
pub(crate) struct Analysis {
    pub version: i32,
    pub rules: Arc<Loaded>,
    pub reading: Reading,
    pub language: Language,
    pub result: ReportResult,
    /// Whether a genre was named and is there.
    pub has_genre: bool,
    /// A genre that the settings name and that is not there.
    pub wrong_setting: Option<String>,
    lines: Lines,
    unit: Unit,
    /// What is wrong with what the document says of itself.
    faults: Vec<(std::ops::Range<usize>, DiagnosticSeverity, String)>,
}

/// What an analysis starts from.
pub(crate) struct Task {
    pub version: i32,
    pub text: String,
    pub syntax: Syntax,
    pub settings: Settings,
    pub unit: Unit,
    pub stop: Arc<AtomicBool>,
}

impl Analysis {
    /// Analyses a document.
    ///
    /// # Errors
    /// It was overtaken, or a rule failed.
    pub fn make(rules: Arc<Loaded>, task: Task) -> Result<Analysis, BuildError> {
        let reading = Reading::new(&task.text, task.syntax);
        let snapshot = &rules.snapshot;
        let own = reading.settings().clone();
        let language = own.language.map(|own| own.value).or(task.settings.language).unwrap_or(Language::Es);
        let mut faults: Vec<_> = reading
            .faults()
            .iter()
            .map(|fault| (fault.bytes.clone(), DiagnosticSeverity::WARNING, fault.message.clone()))
            .collect();
        let known: Vec<&str> =
            snapshot.engine.registry.entries().iter().map(|entry| entry.manifest.id.as_str()).collect();
        for (rule, bytes) in reading.named_rules().iter().filter(|(rule, _)| !known.contains(&rule.as_str())) {
            faults.push((bytes.clone(), DiagnosticSeverity::WARNING, unknown_name("rule", rule, &known)));
        }
        let mut wrong_setting = None;
        let mut genre: Option<(&Genre, &GenreEdition)> = None;
        match (&own.genre, &task.settings.genre) {
            (Some(stated), _) => match find_genre(&snapshot.catalog, language, &stated.value) {
                Ok(found) => genre = Some(found),
                Err(error) => faults.push((stated.bytes.clone(), DiagnosticSeverity::ERROR, error)),
            },
            (None, Some(name)) => match find_genre(&snapshot.catalog, language, name) {
                Ok(found) => genre = Some(found),
                Err(error) => wrong_setting = Some(error),
            },
            (None, None) => {}
        }
        let has_genre = genre.is_some();
        let common = rules.common.get(&language).map(|(genre, edition)| (genre, edition));
        let Some(genre) = genre.or(common) else { return Err(BuildError::Stopped) };
        let result = glosa_markup::report(&snapshot.engine, genre, language, &reading, &mut |_| {}, &task.stop)?;
        let lines = Lines::new(reading.source());
        let (version, unit) = (task.version, task.unit);
        Ok(Analysis {
            version,
            reading,
            language,
            result,
            has_genre,
            wrong_setting,
            lines,
            unit,
            faults,
            rules: rules.clone(),
        })
    }

    /// A byte of the document as the editor counts it.
    fn position(&self, byte: usize) -> Position {
        let Place { line, column } = self.lines.position(self.reading.source(), byte, self.unit);
        Position { line, character: column }
    }

    /// A place in code points as the editor counts it.
    pub fn range(&self, start: u32, end: u32) -> Range {
        let index = self.reading.index();
        Range { start: self.position(index.to_byte(start)), end: self.position(index.to_byte(end)) }
    }

    /// A range of the editor in code points.
    pub fn code_points(&self, range: Range) -> (u32, u32) {
        let at = |position: Position| {
            let place = Place { line: position.line, column: position.character };
            self.reading.index().at_byte(self.lines.byte(self.reading.source(), place, self.unit))
        };
        (at(range.start), at(range.end))
    }

    /// The places that touch a part of the document: rule by rule, in the order of the report.
    pub fn touching(&self, (start, end): (u32, u32)) -> impl Iterator<Item = (&Recommendation, &Occurrence)> {
        let touches = move |from: u32, to: u32| from <= end && start <= to;
        self.result.recommendations.iter().flat_map(move |recommendation| {
            let here = recommendation.occurrences.iter().filter(move |occurrence| {
                // What the text lacks is told at its beginning.
                let first = occurrence.start.zip(occurrence.end).map_or(start == 0, |(from, to)| touches(from, to));
                first || occurrence.spans.iter().any(|span| touches(span.start, span.end))
            });
            here.map(move |occurrence| (recommendation, occurrence))
        })
    }

    /// Ready edits as the editor makes them.
    pub fn edits(&self, occurrence: &Occurrence) -> Vec<TextEdit> {
        let of_editor = occurrence.edits.iter().rev();
        of_editor
            .map(|edit| TextEdit { range: self.range(edit.start, edit.end), new_text: edit.text.clone() })
            .collect()
    }

    /// Everything that is told of the document.
    pub fn diagnostics(&self, uri: &Uri, related: bool) -> Vec<Diagnostic> {
        let mut told: Vec<Diagnostic> = Vec::new();
        for (bytes, severity, message) in &self.faults {
            let range = Range { start: self.position(bytes.start), end: self.position(bytes.end) };
            told.push(Diagnostic {
                range,
                severity: Some(*severity),
                source: Some(SOURCE.to_owned()),
                message: message.clone(),
                ..Diagnostic::default()
            });
        }
        for recommendation in &self.result.recommendations {
            told.extend(recommendation.occurrences.iter().map(|o| self.diagnostic(uri, related, recommendation, o)));
        }
        told.sort_by_key(|diagnostic| (diagnostic.range.start.line, diagnostic.range.start.character));
        told
    }

    /// What is told of one place.
    pub fn diagnostic(&self, uri: &Uri, related: bool, said: &Recommendation, occurrence: &Occurrence) -> Diagnostic {
        let words = words(self.language);
        let place = occurrence.start.zip(occurrence.end);
        let range = place.map_or_else(|| self.range(0, 0), |(start, end)| self.range(start, end));
        let severity = match self.rules.snapshot.severity(&said.category) {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        };
        let mut message = said.metric_title.clone();
        match (&occurrence.replacement, place) {
            (_, None) => message.push_str(&format!(" ({}: {})", words.lacks, clip(&occurrence.text))),
            (Some(new), _) if new.is_empty() => message.push_str(&format!(": «{}» → ∅", clip(&occurrence.text))),
            (Some(new), _) => message.push_str(&format!(": «{}» → «{}»", clip(&occurrence.text), clip(new))),
            (None, _) => {}
        }
        if said.occurrences.len() == 1 {
            message = format!("{message}\n{}", said.summary);
        }
        let also = |span: &glosa_report::OccurrenceSpan| DiagnosticRelatedInformation {
            location: Location { uri: uri.clone(), range: self.range(span.start, span.end) },
            message: words.also.clone(),
        };
        let also: Vec<_> = occurrence.spans.iter().skip(1).map(also).collect();
        Diagnostic {
            range,
            severity: Some(severity),
            code: Some(NumberOrString::String(said.metric_id.clone())),
            source: Some(SOURCE.to_owned()),
            message,
            related_information: (related && !also.is_empty()).then_some(also),
            ..Diagnostic::default()
        }
    }
}

/// A text on one line, not longer than people read in a menu.
pub(crate) fn clip(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
