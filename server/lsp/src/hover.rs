//! What is known of a place: the explanation of each rule that marks it, and the page of the rule.

use std::fmt::Write;

use glosa_report::{Occurrence, Recommendation};
use tower_lsp_server::ls_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Range};

use crate::analysis::Analysis;

/// Between the words on several rules.
const RULER: &str = "\n\n---\n\n";

/// The explanation of the places at a position, where there are any.
pub(crate) fn hover(analysis: &Analysis, position: Position, markdown: bool) -> Option<Hover> {
    let at = analysis.code_points(Range { start: position, end: position });
    let mut pages = Vec::new();
    let mut range: Option<(u32, u32)> = None;
    for (said, occurrence) in analysis.touching(at) {
        pages.push(page(analysis, said, occurrence));
        let own = occurrence.start.zip(occurrence.end);
        let length = |(start, end): (u32, u32)| end - start;
        range = match (range, own) {
            (Some(old), Some(new)) if length(old) <= length(new) => Some(old),
            (old, new) => new.or(old),
        };
    }
    if pages.is_empty() {
        return None;
    }
    let text = pages.join(RULER);
    let (kind, value) = if markdown {
        (MarkupKind::Markdown, text)
    } else {
        (MarkupKind::PlainText, text.replace("**", "").replace('`', ""))
    };
    let range = range.map(|(start, end)| analysis.range(start, end));
    Some(Hover { contents: HoverContents::Markup(MarkupContent { kind, value }), range })
}

fn page(analysis: &Analysis, said: &Recommendation, occurrence: &Occurrence) -> String {
    let snapshot = &analysis.rules.snapshot;
    let category = snapshot.categories.iter().find(|category| category.id == said.category);
    let category = category.map_or(said.category.as_str(), |category| category.names.get(analysis.language));
    let mut page = format!(
        "**{}** · {category} · `{}`\n\n{}",
        escaped(&said.metric_title),
        said.metric_id,
        escaped(&said.summary)
    );
    match &occurrence.replacement {
        Some(new) if new.is_empty() => page.push_str("\n\n→ ∅"),
        Some(new) => {
            let _ = write!(page, "\n\n→ **{}**", escaped(new));
        }
        None => {}
    }
    if !occurrence.alternatives.is_empty() {
        let others: Vec<String> = occurrence.alternatives.iter().map(|other| escaped(other)).collect();
        let _ = write!(page, "\n\n→ {}", others.join(" · "));
    }
    for connector in &occurrence.connectors {
        let _ = write!(page, "\n- «{}»: {}", escaped(&connector.text), escaped(&connector.alternatives.join(" · ")));
    }
    if let Some(explanation) = &said.explanation {
        let _ = write!(page, "\n\n{}", escaped(explanation));
    }
    if !said.guidance.is_empty() {
        page.push('\n');
    }
    for advice in &said.guidance {
        let _ = write!(page, "\n- {}", escaped(advice));
    }
    let docs = snapshot.engine.registry.get(&said.metric_id).and_then(|entry| entry.docs(analysis.language));
    if let Some((_, docs)) = docs {
        let d = &docs.documentation;
        for text in [&d.summary, &d.methodology, &d.interpretation, &d.limitations] {
            if !text.trim().is_empty() && said.summary.trim() != text.trim() {
                let _ = write!(page, "\n\n{}", escaped(text.trim()));
            }
        }
    }
    page
}

/// A text that Markdown shows as it stands.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '<' | '[' | ']' | '#' | '|') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
