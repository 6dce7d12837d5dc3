//! A report as one page that needs nothing else: the text with its marks, and the recommendations beside it.

use std::collections::BTreeMap;

use askama::Template;
use glosa_report::{MeasurementValue, ReportResult};
use glosa_text::CodePoints;

/// Code points of a place that the list of places shows.
const SHOWN: usize = 80;
/// Marks over each other that look different.
const DEPTHS: usize = 3;

#[derive(Template)]
#[template(path = "report/page.html")]
struct Page<'r> {
    language: String,
    title: String,
    parts: Vec<Part<'r>>,
    result: &'r ReportResult,
}

/// A part of the text under the same marks.
struct Part<'r> {
    /// The marks that begin here.
    begins: Vec<String>,
    text: &'r str,
    /// Names of the rules whose marks lie over it; empty where none does.
    titles: String,
    depth: usize,
}

/// The page.
///
/// # Errors
/// None: writing into a text does not fail.
pub(crate) fn render(result: &ReportResult, text: &str) -> Result<String, askama::Error> {
    let genre = &result.genre;
    let title = format!("{} – {}", genre.text_type.name, genre.domain.name);
    Page { language: result.language.to_string(), title, parts: parts(result, text), result }.render()
}

fn mark(recommendation: &str, occurrence: &str) -> String {
    format!("m-{recommendation}-{occurrence}")
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn value(value: &MeasurementValue) -> String {
    match value {
        MeasurementValue::Integer(n) => n.to_string(),
        MeasurementValue::Number(x) => format!("{x:.2}"),
    }
}

/// The text, cut wherever a mark starts or ends, so that marks may lie across each other.
fn parts<'r>(result: &'r ReportResult, text: &'r str) -> Vec<Part<'r>> {
    let index = CodePoints::new(text);
    let mut marks: Vec<(u32, u32, String, &str)> = Vec::new();
    for r in &result.recommendations {
        for o in &r.occurrences {
            if let (Some(start), Some(end)) = (o.start, o.end) {
                marks.push((start, end, mark(&r.id, &o.id), &r.metric_title));
            }
        }
    }
    let mut cuts: BTreeMap<u32, Vec<usize>> = BTreeMap::from([(0, vec![]), (index.total(), vec![])]);
    for (n, (start, end, ..)) in marks.iter().enumerate() {
        cuts.entry(*start).or_default().push(n);
        cuts.entry(*end).or_default();
    }
    let places: Vec<u32> = cuts.keys().copied().collect();
    let part = |pair: &[u32]| {
        let (from, to) = (pair[0], pair[1]);
        let over = marks.iter().filter(|(start, end, ..)| *start <= from && to <= *end);
        let titles: Vec<&str> = over.map(|(.., title)| *title).collect();
        Part {
            begins: cuts[&from].iter().map(|n| marks[*n].2.clone()).collect(),
            text: &text[index.to_byte(from)..index.to_byte(to)],
            depth: titles.len().min(DEPTHS),
            titles: titles.join(" · "),
        }
    };
    places.windows(2).map(part).collect()
}
