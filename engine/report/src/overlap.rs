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
        if yields_to.is_empty() {
            return findings;
        }
        let taken = |span: Span| yields_to.iter().any(|rule| self.hit(rule, span));
        findings.into_iter().filter_map(|finding| elsewhere(finding, &taken)).collect()
    }
}

/// Drops what a rule is not to say of a place, or of what the text lacks; a unit loses only such places.
pub(crate) fn audible(findings: Vec<Finding>, silent: &dyn Fn(Option<Span>) -> bool) -> Vec<Finding> {
    let heard = |finding: Finding| match finding.span() {
        None => (!silent(None)).then_some(finding),
        Some(_) => elsewhere(finding, &|span| silent(Some(span))),
    };
    findings.into_iter().filter_map(heard).collect()
}

/// What is left of a finding without the places that are taken.
fn elsewhere(mut finding: Finding, taken: &dyn Fn(Span) -> bool) -> Option<Finding> {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use glosa_metric::Edit;

    fn span(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    fn said(first: Span, also: &[Span]) -> Finding {
        Finding { also: also.to_vec(), ..Finding::at(first) }
    }

    fn left(yields_to: &[&str], findings: Vec<Finding>) -> Vec<Vec<Span>> {
        let mut places = Places::default();
        places.note("better", &[said(span(10, 20), &[span(40, 45)]), Finding::unlocated("heading")]);
        places.note("other", &[Finding::at(span(60, 70))]);
        let yields_to: Vec<String> = yields_to.iter().map(|rule| (*rule).to_owned()).collect();
        let kept = places.keep(&yields_to, findings);
        kept.iter().map(|f| f.span().into_iter().chain(f.also.iter().copied()).collect()).collect()
    }

    #[test]
    fn a_place_is_left_to_the_rule_that_is_yielded_to() {
        let inside_outside_and_touching = || {
            [span(12, 15), span(5, 30), span(41, 42), span(20, 25), span(5, 10), span(62, 63)].map(Finding::at).to_vec()
        };
        assert_eq!(left(&["better"], inside_outside_and_touching()), [[span(20, 25)], [span(5, 10)], [span(62, 63)]]);
        assert_eq!(left(&["better", "other"], inside_outside_and_touching()), [[span(20, 25)], [span(5, 10)]]);
        assert_eq!(
            left(&["silent"], inside_outside_and_touching()).len(),
            6,
            "a rule that found nothing takes nothing"
        );
        assert_eq!(left(&[], inside_outside_and_touching()).len(), 6);
    }

    #[test]
    fn a_unit_loses_only_the_places_that_are_taken() {
        let unit = || vec![said(span(12, 15), &[span(30, 35), span(42, 44), span(50, 52)])];
        assert_eq!(left(&["better"], unit()), [[span(30, 35), span(50, 52)]]);
        assert_eq!(left(&["other"], unit()), [[span(12, 15), span(30, 35), span(42, 44), span(50, 52)]]);
        assert!(left(&["better"], vec![said(span(12, 15), &[span(42, 44)])]).is_empty());
    }

    #[test]
    fn edits_of_a_place_that_is_taken_go_with_it() {
        let mut places = Places::default();
        places.note("better", &[Finding::at(span(10, 20))]);
        let edit = |span| Edit { span, text: String::new() };
        let finding =
            Finding { edits: vec![edit(span(12, 15)), edit(span(30, 35))], ..said(span(12, 15), &[span(30, 35)]) };
        let kept = places.keep(&["better".to_owned()], vec![finding]);
        assert_eq!(kept[0].edits, [edit(span(30, 35))]);
    }

    #[test]
    fn what_is_silenced_is_not_said() {
        let findings = || vec![said(span(12, 15), &[span(30, 35)]), Finding::at(span(2, 3)), Finding::unlocated("x")];
        let silent_at = |silent: &dyn Fn(Option<Span>) -> bool| -> Vec<Option<Span>> {
            audible(findings(), silent).iter().map(Finding::span).collect()
        };
        let beginning = |place: Option<Span>| place.is_some_and(|span| span.start < 20);
        assert_eq!(silent_at(&beginning), [Some(span(30, 35)), None], "a unit keeps its other places");
        assert_eq!(silent_at(&|place| place.is_none()), [Some(span(12, 15)), Some(span(2, 3))]);
    }

    #[test]
    fn what_is_not_in_the_text_is_never_taken() {
        let mut places = Places::default();
        places.note("better", &[Finding::at(span(0, 1_000))]);
        assert_eq!(places.keep(&["better".to_owned()], vec![Finding::unlocated("heading")]).len(), 1);
    }

    #[test]
    fn a_long_place_is_seen_behind_many_short_ones() {
        let mut places = Places::default();
        let short = (1..500).map(|n| Finding::at(span(n * 10, n * 10 + 2)));
        places.note("better", &std::iter::once(Finding::at(span(0, 10_000))).chain(short).collect::<Vec<_>>());
        assert!(places.keep(&["better".to_owned()], vec![Finding::at(span(4_995, 4_999))]).is_empty());
    }
}
