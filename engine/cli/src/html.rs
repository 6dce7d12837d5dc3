//! A report as one page that needs nothing else: the text with its marks, and the recommendations beside it.

use std::collections::BTreeMap;
use std::fmt::Write;

use glosa_report::{MeasurementValue, ReportResult};
use glosa_text::CodePoints;

const STYLE: &str = include_str!("html.css");

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The page.
pub(crate) fn render(result: &ReportResult, text: &str) -> String {
    let mut page = String::new();
    let title = escape(&format!("{} – {}", result.genre.text_type.name, result.genre.domain.name));
    let lang = &result.language;
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"{lang}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head><body><header><h1>{title}</h1></header><main><article>"
    );
    page.push_str(&marked(result, text));
    page.push_str("</article><aside>");
    for r in &result.recommendations {
        let _ = write!(
            page,
            "<section id=\"{0}\"><h2>{1}</h2><p>{2}</p><ol>",
            escape(&r.id),
            escape(&r.metric_title),
            escape(&r.summary)
        );
        for o in &r.occurrences {
            let link = format!("{}-{}", r.id, o.id);
            let shown: String = o.text.chars().take(80).collect();
            let more = if o.text.chars().count() > 80 { "…" } else { "" };
            let _ = match o.start {
                Some(_) => write!(page, "<li><a href=\"#m-{link}\">{}{more}</a>", escape(&shown)),
                None => write!(page, "<li>{}{more}", escape(&shown)),
            };
            if let Some(replacement) = &o.replacement {
                let _ = write!(page, " → <ins>{}</ins>", escape(replacement));
            }
            if !o.alternatives.is_empty() {
                let _ = write!(page, " <small>{}</small>", escape(&o.alternatives.join(" | ")));
            }
            page.push_str("</li>");
        }
        page.push_str("</ol>");
        if let Some(explanation) = &r.explanation {
            let _ = write!(page, "<p class=\"why\">{}</p>", escape(explanation));
        }
        for advice in &r.guidance {
            let _ = write!(page, "<p class=\"do\">{}</p>", escape(advice));
        }
        page.push_str("</section>");
    }
    page.push_str("<table>");
    for m in &result.measurements {
        let value = match m.value {
            MeasurementValue::Integer(n) => n.to_string(),
            MeasurementValue::Number(x) => format!("{x:.2}"),
        };
        let _ = write!(page, "<tr><th>{}</th><td>{value}</td><td>{}</td></tr>", escape(&m.metric_id), escape(&m.unit));
    }
    page.push_str("</table></aside></main></body></html>\n");
    page
}

/// The text, cut wherever a mark starts or ends, so that marks may lie across each other.
fn marked(result: &ReportResult, text: &str) -> String {
    let index = CodePoints::new(text);
    let mut marks: Vec<(u32, u32, String, &str)> = Vec::new();
    for r in &result.recommendations {
        for o in &r.occurrences {
            if let (Some(start), Some(end)) = (o.start, o.end) {
                marks.push((start, end, format!("m-{}-{}", r.id, o.id), &r.metric_title));
            }
        }
    }
    let mut cuts: BTreeMap<u32, Vec<usize>> = BTreeMap::from([(0, vec![]), (index.total(), vec![])]);
    for (n, (start, end, ..)) in marks.iter().enumerate() {
        cuts.entry(*start).or_default().push(n);
        cuts.entry(*end).or_default();
    }
    let places: Vec<u32> = cuts.keys().copied().collect();
    let mut out = String::new();
    for pair in places.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        for n in &cuts[&from] {
            let _ = write!(out, "<a id=\"{}\"></a>", escape(&marks[*n].2));
        }
        let part = escape(&text[index.to_byte(from)..index.to_byte(to)]);
        let covering: Vec<&str> =
            marks.iter().filter(|(start, end, ..)| *start <= from && to <= *end).map(|(.., title)| *title).collect();
        if covering.is_empty() {
            out.push_str(&part);
        } else {
            let depth = covering.len().min(3);
            let _ = write!(out, "<mark class=\"d{depth}\" title=\"{}\">{part}</mark>", escape(&covering.join(" · ")));
        }
    }
    out
}
