//! The report of a file: its prose is analysed, and what is found there is put back onto the file.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glosa_catalog::{Genre, GenreEdition};
use glosa_report::{
    BuildError, Engine, Occurrence, OccurrenceSpan, Progress, Prose, ReportResult, SentenceConnector, TextEdit, apply,
    build_prose,
};
use glosa_text::{BlockKind, Language, Span};

use crate::{Reading, Syntax};

/// Analyses a file. Offsets and texts of the result are those of the file; the result keeps every promise of the contract for it.
///
/// # Errors
/// Those of [`glosa_report::build`].
pub fn report(
    engine: &Engine,
    genre: (&Genre, &GenreEdition),
    language: Language,
    reading: &Reading,
    on: &mut dyn FnMut(Progress),
    stop: &Arc<AtomicBool>,
) -> Result<ReportResult, BuildError> {
    let silenced = |rule: &str, place: Option<Span>| reading.silences(rule, place);
    let prose = Prose { text: reading.prose(), layout: reading.layout().cloned(), silenced: Some(&silenced) };
    let result = build_prose(engine, genre, language, &prose, on, stop)?;
    Ok(put_back(reading, result))
}

/// A report of the prose as one of the file.
pub(crate) fn put_back(reading: &Reading, mut result: ReportResult) -> ReportResult {
    if reading.syntax() == Syntax::Plain {
        return result;
    }
    let of_prose: Vec<Vec<TextEdit>> = occurrences(&mut result).map(|occurrence| occurrence.edits.clone()).collect();
    occurrences(&mut result).for_each(|occurrence| place(reading, occurrence));
    keep_what_reads_right(reading, &mut result, &of_prose);
    result
}

fn occurrences(result: &mut ReportResult) -> impl Iterator<Item = &mut Occurrence> {
    result.recommendations.iter_mut().flat_map(|recommendation| &mut recommendation.occurrences)
}

fn slice(reading: &Reading, span: Span) -> String {
    reading.index().slice(reading.source(), span).to_owned()
}

fn place(reading: &Reading, occurrence: &mut Occurrence) {
    let Some((start, end)) = occurrence.start.zip(occurrence.end) else { return };
    // A place that the file does not show cannot come from prose of the file.
    let Some(span) = reading.place(Span { start, end }) else { return };
    (occurrence.start, occurrence.end) = (Some(span.start), Some(span.end));
    occurrence.text = slice(reading, span);
    occurrence.alternatives.retain(|alternative| *alternative != occurrence.text);
    let edits = occurrence.edits.iter().map(|edit| {
        let (span, text) = reading.edit(Span { start: edit.start, end: edit.end }, &edit.text)?;
        Some(TextEdit { start: span.start, end: span.end, text })
    });
    occurrence.edits = edits.collect::<Option<Vec<_>>>().unwrap_or_default();
    occurrence.spans = std::mem::take(&mut occurrence.spans)
        .into_iter()
        .filter_map(|other| {
            let span = reading.place(Span { start: other.start, end: other.end })?;
            Some(OccurrenceSpan { start: span.start, end: span.end, text: slice(reading, span), ..other })
        })
        .collect();
    occurrence.spans.dedup_by_key(|span| span.start);
    if occurrence.spans.len() < 2 {
        occurrence.spans.clear();
    }
    occurrence.connectors = std::mem::take(&mut occurrence.connectors)
        .into_iter()
        .filter_map(|other| {
            let found = reading.place(Span { start: other.start, end: other.end })?;
            let text = slice(reading, found);
            span.contains(found).then_some(SentenceConnector { start: found.start, end: found.end, text, ..other })
        })
        .collect();
}

/// Withholds the edits after which the file would not read as the prose does after them: those that make or break markup.
/// `of_prose` are the edits of each occurrence as they were.
fn keep_what_reads_right(reading: &Reading, result: &mut ReportResult, of_prose: &[Vec<TextEdit>]) {
    let mut with_edits: Vec<(&mut Occurrence, &Vec<TextEdit>)> =
        occurrences(result).zip(of_prose).filter(|(occurrence, _)| !occurrence.edits.is_empty()).collect();
    withhold(reading, &mut with_edits);
    let mut left = Both::default();
    for (occurrence, of_prose) in &with_edits {
        left.add(&occurrence.edits, of_prose);
    }
    if !left.read_right(reading) {
        with_edits.into_iter().for_each(|(occurrence, _)| occurrence.edits.clear());
    }
}

/// Withholds what does not read right, half by half, so that a few such edits among many cost little.
fn withhold(reading: &Reading, part: &mut [(&mut Occurrence, &Vec<TextEdit>)]) {
    let mut all = Both::default();
    for (occurrence, of_prose) in part.iter() {
        all.add(&occurrence.edits, of_prose);
    }
    if all.read_right(reading) {
        return;
    }
    match part {
        [] => {}
        [(only, _)] => only.edits.clear(),
        several => {
            let (first, second) = several.split_at_mut(several.len() / 2);
            withhold(reading, first);
            withhold(reading, second);
        }
    }
}

/// Changes of the file, and the changes of the prose that they carry out.
#[derive(Default)]
struct Both {
    of_file: Vec<TextEdit>,
    of_prose: Vec<TextEdit>,
}

impl Both {
    fn add(&mut self, of_file: &[TextEdit], of_prose: &[TextEdit]) {
        if !of_file.is_empty() {
            self.of_file.extend_from_slice(of_file);
            self.of_prose.extend_from_slice(of_prose);
        }
    }

    /// Whether the file, changed and read anew, has the prose with its changes, in the same blocks.
    fn read_right(mut self, reading: &Reading) -> bool {
        if self.of_file.is_empty() {
            return true;
        }
        for edits in [&mut self.of_file, &mut self.of_prose] {
            edits.sort_by_key(|edit| std::cmp::Reverse((edit.start, edit.end)));
        }
        let again = Reading::new(&apply(reading.source(), &self.of_file), reading.syntax());
        let wanted = apply(reading.prose(), &self.of_prose);
        let kinds = |reading: &Reading| -> Vec<BlockKind> {
            reading.layout().into_iter().flat_map(|layout| &layout.blocks).map(|block| block.kind).collect()
        };
        kinds(reading) == kinds(&again) && wanted.split_whitespace().eq(again.prose().split_whitespace())
    }
}

#[cfg(test)]
mod tests {
    use glosa_report::Recommendation;
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;

    /// A report of the prose that finds a place and replaces it.
    fn found(reading: &Reading, start: u32, end: u32, new: &str) -> ReportResult {
        let word: String = reading.prose().chars().skip(start as usize).take((end - start) as usize).collect();
        let occurrence = Occurrence {
            id: "1".into(),
            text: word,
            start: Some(start),
            end: Some(end),
            paragraph_index: Some(0),
            sentence_index: Some(0),
            replacement: Some(new.into()),
            alternatives: vec![],
            edits: vec![TextEdit { start, end, text: new.into() }],
            spans: vec![],
            connectors: vec![],
        };
        let recommendation = Recommendation {
            id: "rule".into(),
            metric_id: "rule".into(),
            implementation_version: "1.0.0".into(),
            metric_title: String::new(),
            category: String::new(),
            summary: String::new(),
            explanation: None,
            guidance: vec![],
            examples: None,
            occurrences: vec![occurrence],
        };
        let applied_thresholds = [("rule".to_owned(), Default::default())].into();
        ReportResult { recommendations: vec![recommendation], applied_thresholds, ..ReportResult::default() }
    }

    /// The place in the file, and the file after the edit where there is one.
    fn put(source: &str, syntax: Syntax, word: &str, new: &str) -> (String, Option<String>) {
        let reading = Reading::new(source, syntax);
        let start = reading.prose()[..reading.prose().find(word).expect(word)].chars().count() as u32;
        let result = put_back(&reading, found(&reading, start, start + word.chars().count() as u32, new));
        let occurrence = &result.recommendations[0].occurrences[0];
        let (start, end) = (occurrence.start.expect("a start") as usize, occurrence.end.expect("an end") as usize);
        let slice: String = source.chars().skip(start).take(end - start).collect();
        assert_eq!(occurrence.text, slice, "{source}");
        (slice, (!occurrence.edits.is_empty()).then(|| apply(source, &occurrence.edits)))
    }

    #[test]
    fn edits_of_markdown() {
        let put = |source: &str, word: &str, new: &str| put(source, Syntax::Markdown, word, new);
        let after = |word: &str, file: &str| (word.to_owned(), Some(file.to_owned()));
        assert_eq!(put("Él **vino** ayer.", "vino", "vendrá"), after("vino", "Él **vendrá** ayer."));
        assert_eq!(put("- con\n  el fin de ver", "con\nel fin de", "para"), after("con\n  el fin de", "- para ver"));
        assert_eq!(
            put("El **gran** perro.", "gran perro", "perrazo"),
            ("gran** perro".into(), None),
            "markup is touched"
        );
        assert_eq!(put("La *gran* casa", "gran casa", "gran mansión"), after("gran* casa", "La *gran* mansión"));
        assert_eq!(put("Use `ls` hoy.", "Use", "Usa"), after("Use", "Usa `ls` hoy."));
        assert_eq!(put("Es **muy grande**.", "muy grande", "muy "), ("muy grande".into(), None), "the bold would end");
        assert_eq!(put("Dos cosas.", "Dos", "1."), ("Dos".into(), None), "a list would begin");
        assert_eq!(put("Un asterisco suelto.", "suelto", "*suelto*"), ("suelto".into(), None), "markup would appear");
    }

    #[test]
    fn edits_of_html() {
        let put = |source: &str, word: &str, new: &str| put(source, Syntax::Html, word, new);
        let after = |word: &str, file: &str| (word.to_owned(), Some(file.to_owned()));
        assert_eq!(
            put("<p>La gesti&oacute;n</p>", "gestión", "revisión"),
            after("gesti&oacute;n", "<p>La revisi&oacute;n</p>")
        );
        assert_eq!(put("<p>La gesti&oacute;n</p>", "gestión", "ñu"), after("gesti&oacute;n", "<p>La &#241;u</p>"));
        assert_eq!(
            put("<p>Así es <b>él</b></p>", "Así", "R&D <así>"),
            after("Así", "<p>R&amp;D &lt;así&gt; es <b>él</b></p>")
        );
        assert_eq!(put("<p>con\n   el fin de ver", "con el fin de", "para"), after("con\n   el fin de", "<p>para ver"));
        assert_eq!(put("<p>la <b>gran</b> casa", "gran casa", "mansión"), ("gran</b> casa".into(), None));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]
        #[test]
        fn any_edit_of_any_file(
            pieces in prop::collection::vec(prop::sample::select(PIECES), 1..25),
            html in any::<bool>(),
            (start, len) in (0u32..60, 0u32..12),
            new in prop::sample::select(vec!["", "para", "a b", "*", "# x", "<b>", "&amp;", "é", "1. ", " ", "- x"]),
        ) {
            let source = pieces.concat();
            let reading = Reading::new(&source, if html { Syntax::Html } else { Syntax::Markdown });
            let total = reading.prose().chars().count() as u32;
            let start = start.min(total);
            let end = (start + len).min(total);
            if total == 0 || (start == end && new.is_empty()) {
                return Ok(());
            }
            let clusters: Vec<u32> = reading.prose().grapheme_indices(true).map(|(at, _)| reading.prose()[..at].chars().count() as u32).collect();
            if ![start, end].iter().all(|at| *at == total || clusters.contains(at)) {
                return Ok(());
            }
            let result = put_back(&reading, found(&reading, start, end, new));
            let broken = glosa_report::violations(&result, &source);
            prop_assert!(broken.is_empty(), "{:?}", broken);
            let edits = &result.recommendations[0].occurrences[0].edits;
            if let [edit] = edits.as_slice() {
                let after = apply(&source, edits);
                let kept: String = source.chars().take(edit.start as usize).collect();
                let rest: String = source.chars().skip(edit.end as usize).collect();
                prop_assert!(after.starts_with(&kept) && after.ends_with(&rest), "nothing outside changes");
                let wanted = apply(reading.prose(), &[TextEdit { start, end, text: new.to_owned() }]);
                let again = Reading::new(&after, reading.syntax());
                prop_assert!(again.prose().split_whitespace().eq(wanted.split_whitespace()), "{:?} {:?}", again.prose(), wanted);
            }
        }
    }

    const PIECES: &[&str] = &[
        "palabra",
        "con el fin de ",
        " ",
        "\n",
        "\r\n",
        "\n\n",
        "*",
        "**",
        "_",
        "`x`",
        "> ",
        "- ",
        "1. ",
        "# ",
        "[a](b)",
        "<b>",
        "</b>",
        "<q>",
        "</q>",
        "<p>",
        "</p>",
        "<li>",
        "<br>",
        "&eacute;",
        "&nbsp;",
        "&amp;",
        "\\*",
        "é",
        "e\u{301}",
        "\u{301}",
        "👩\u{200D}👧",
        "a ",
        " b.",
        "<!-- c -->",
        "|",
        "~~",
        "<i>",
        "</i>",
        "&#x301;",
        "\u{FEFF}",
    ];
}
