//! The promises of the result contract as code.

use std::collections::HashSet;

use glosa_text::{CodePoints, Span};

use crate::clusters::Clusters;
use crate::{MeasurementValue, Occurrence, ReportResult};

/// A promise that a report breaks: where, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// `metric_id` or `metric_id#occurrence`.
    pub place: String,
    /// The promise.
    pub promise: &'static str,
}

/// Everything in a report that breaks the contract; empty for every report that [`build`](crate::build) makes.
pub fn violations(result: &ReportResult, text: &str) -> Vec<Violation> {
    let index = CodePoints::new(text);
    let mut check = Check { index: &index, clusters: Clusters::new(text, &index), text, found: Vec::new() };
    let mut ids = HashSet::new();
    let mut metrics = HashSet::new();
    for measurement in &result.measurements {
        let finite = match measurement.value {
            MeasurementValue::Integer(_) => true,
            MeasurementValue::Number(x) => x.is_finite(),
        };
        check.hold(finite, &measurement.metric_id, "values are finite");
        check.hold(metrics.insert(&measurement.metric_id), &measurement.metric_id, "each measurement once");
    }
    for recommendation in &result.recommendations {
        let place = &recommendation.metric_id;
        check.hold(ids.insert(&recommendation.id), place, "recommendation ids are unique");
        check.hold(metrics.insert(place), place, "one recommendation a rule");
        check.hold(!recommendation.occurrences.is_empty(), place, "a recommendation has occurrences");
        check.hold(result.applied_thresholds.contains_key(place), place, "thresholds of every rule that ran");
        let starts: Vec<_> = recommendation.occurrences.iter().map(|o| o.start.map_or(u64::MAX, u64::from)).collect();
        check.hold(starts.is_sorted(), place, "occurrences in reading order, unlocated last");
        let mut own = HashSet::new();
        for occurrence in &recommendation.occurrences {
            let place = format!("{}#{}", recommendation.metric_id, occurrence.id);
            check.hold(own.insert(&occurrence.id), &place, "occurrence ids are unique in their recommendation");
            check.occurrence(occurrence, &place);
        }
    }
    let mut edits: Vec<_> = result
        .recommendations
        .iter()
        .flat_map(|r| &r.occurrences)
        .flat_map(|o| &o.edits)
        .map(|e| (e.start, e.end))
        .collect();
    edits.sort_unstable();
    check.hold(edits.windows(2).all(|w| w[0].1 <= w[1].0), "report", "edits of all rules apply together");
    check.found
}

struct Check<'t> {
    index: &'t CodePoints,
    clusters: Clusters<'t>,
    text: &'t str,
    found: Vec<Violation>,
}

impl Check<'_> {
    fn hold(&mut self, holds: bool, place: &str, promise: &'static str) {
        if !holds {
            self.found.push(Violation { place: place.to_owned(), promise });
        }
    }

    fn is(&self, start: u32, end: u32, text: &str) -> bool {
        start <= end && end <= self.index.total() && self.index.slice(self.text, Span { start, end }) == text
    }

    fn whole(&mut self, start: u32, end: u32, place: &str) {
        let keeps = self.clusters.keep(Span::new(start, end));
        self.hold(keeps, place, "places begin and end between user-perceived characters");
    }

    fn occurrence(&mut self, o: &Occurrence, place: &str) {
        for (start, end) in o.start.zip(o.end).into_iter().chain(o.edits.iter().map(|e| (e.start, e.end))) {
            self.whole(start, end, place);
        }
        for (start, end) in
            o.spans.iter().map(|s| (s.start, s.end)).chain(o.connectors.iter().map(|c| (c.start, c.end)))
        {
            self.whole(start, end, place);
        }
        self.hold(!o.alternatives.contains(&o.text), place, "alternatives differ from the text");
        let located = match (o.start, o.end) {
            (Some(start), Some(end)) => {
                self.hold(self.is(start, end, &o.text), place, "text is the slice from start to end");
                self.hold(o.paragraph_index.is_some(), place, "a located occurrence has a paragraph");
                true
            }
            (None, None) => {
                let bare = o.paragraph_index.is_none() && o.sentence_index.is_none() && o.edits.is_empty();
                self.hold(bare, place, "an unlocated occurrence has no indexes and no edits");
                false
            }
            _ => {
                self.hold(false, place, "start and end come together");
                false
            }
        };
        let distinct: HashSet<_> = o.alternatives.iter().collect();
        self.hold(distinct.len() == o.alternatives.len(), place, "alternatives are distinct");
        let repeats = o.replacement.as_ref().is_some_and(|r| o.alternatives.contains(r));
        self.hold(!repeats, place, "alternatives leave out the replacement");
        let ordered = o.edits.windows(2).all(|w| w[0].start >= w[1].end);
        self.hold(ordered, place, "edits are ordered from the highest offset and do not overlap");
        let inside = o.edits.iter().all(|e| e.start <= e.end && e.end <= self.index.total());
        self.hold(inside, place, "edits lie in the text");
        self.hold(o.spans.is_empty() || (located && o.spans.len() > 1), place, "spans are those of several places");
        let first = o.spans.first().is_none_or(|s| Some(s.start) == o.start && Some(s.end) == o.end);
        self.hold(first, place, "the first span is the occurrence");
        self.hold(o.spans.windows(2).all(|w| w[0].start < w[1].start), place, "spans are in reading order");
        for span in &o.spans {
            self.hold(self.is(span.start, span.end, &span.text), place, "text of a span is its slice");
        }
        for c in &o.connectors {
            self.hold(self.is(c.start, c.end, &c.text), place, "text of a connector is its slice");
            let inside = o.start.is_some_and(|s| s <= c.start) && o.end.is_some_and(|e| c.end <= e);
            self.hold(inside, place, "connectors lie inside the occurrence");
        }
    }
}
