//! One place is not reported twice for one reason: a rule yields to the rules that its manifest names.

use std::collections::BTreeMap;

use glosa_metric::Finding;
use glosa_text::Span;

/// Spans of findings by rule, to be asked in any order.
#[derive(Default)]
pub(crate) struct Places {
    by_rule: BTreeMap<String, Vec<Reach>>,
}

/// A span, with the farthest end of it and those before it.
struct Reach {
    start: u32,
    farthest: u32,
}

impl Places {
    /// Notes where a rule found something.
    pub(crate) fn note(&mut self, rule: &str, findings: &[Finding]) {
        let mut spans: Vec<Span> =
            findings.iter().flat_map(|f| f.span().into_iter().chain(f.also.iter().copied())).collect();
        spans.sort();
        let mut farthest = 0;
        let reach = |span: Span| {
            farthest = farthest.max(span.end);
            Reach { start: span.start, farthest }
        };
        self.by_rule.insert(rule.to_owned(), spans.into_iter().map(reach).collect());
    }

    fn hit(&self, rule: &str, span: Span) -> bool {
        let Some(spans) = self.by_rule.get(rule) else { return false };
        let before = spans.partition_point(|s| s.start < span.end);
        spans[..before].last().is_some_and(|last| span.start < last.farthest)
    }

    /// Drops what other rules say better; a unit loses only the places that are taken.
    pub(crate) fn keep(&self, yields_to: &[String], findings: Vec<Finding>) -> Vec<Finding> {
        let taken = |span: Span| yields_to.iter().any(|rule| self.hit(rule, span));
        let keep = |mut finding: Finding| -> Option<Finding> {
            let Some(first) = finding.span() else { return Some(finding) };
            if finding.also.is_empty() {
                return (!taken(first)).then_some(finding);
            }
            let mut left: Vec<Span> = std::iter::once(first).chain(finding.also).filter(|s| !taken(*s)).collect();
            if left.is_empty() {
                return None;
            }
            let new_first = left.remove(0);
            if new_first != first {
                finding.edits.retain(|e| !e.span.overlaps(first));
            }
            finding.place = glosa_metric::Place::At(new_first);
            finding.also = left;
            Some(finding)
        };
        if yields_to.is_empty() { findings } else { findings.into_iter().filter_map(keep).collect() }
    }
}
