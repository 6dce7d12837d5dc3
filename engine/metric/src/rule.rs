//! The metric that runs a phrase table or a token pattern.

use std::sync::Arc;

use crate::advice::RowAdvice;
use crate::pattern::{Match, Query};
use crate::phrases::Hit;
use crate::reporting::{Candidate, Reporting};
use crate::{Finding, Input, Metric, MetricError, Sink};

/// Where hits come from.
pub(crate) enum Source {
    /// A phrase table: its number and what its rows advise.
    Table { table: u32, rows: Vec<RowAdvice> },
    /// The pattern of the query.
    Pattern,
}

/// A rule made of data.
pub(crate) struct PatternRule {
    pub(crate) query: Query,
    pub(crate) source: Source,
    pub(crate) reporting: Reporting,
}

impl Metric for PatternRule {
    fn run(&self, input: &Input, out: &mut Sink) -> Result<(), MetricError> {
        let found = match &self.source {
            Source::Pattern => {
                self.query.find(input)?.into_iter().filter_map(|hit| self.candidate(hit, None, input)).collect()
            }
            Source::Table { table, rows } => {
                let all = input.hits.of(*table).iter();
                let when = |hit: &Hit| rows.get(hit.row as usize).and_then(|row| row.when.as_ref());
                let holds = |hit: &&Hit| when(hit).is_none_or(|when| when.holds(&input.document, &hit.tokens));
                let phrases: Vec<&Hit> = all.filter(holds).collect();
                let places = phrases.iter().map(|hit| hit.tokens.clone());
                let kept = self.query.without_exceptions(places, input)?;
                let hits = phrases.into_iter().zip(kept).filter_map(|(phrase, hit)| Some((phrase, hit?)));
                hits.filter_map(|(phrase, hit)| self.candidate(hit, Some((phrase, rows)), input)).collect()
            }
        };
        self.reporting.emit(Some(&self.query), found, input, out)
    }
}

impl PatternRule {
    /// A finding; `None` where all that a row says instead is wrong in the place.
    fn candidate(&self, hit: Match, row: Option<(&Hit, &Vec<RowAdvice>)>, input: &Input) -> Option<Candidate> {
        let span = hit.span(&input.document);
        let mut finding = Finding::at(span);
        self.reporting.facts(&mut finding, &hit, &self.query, input);
        let advice = match row {
            Some((phrase, rows)) => rows.get(phrase.row as usize).map(|row| row.at(phrase, input)).unwrap_or_default(),
            None => self.reporting.advice(&hit, &self.query, input),
        };
        if advice.withdrawn {
            return None;
        }
        advice.give(&mut finding, span, input);
        let unit = row.map(|(phrase, _)| format!("row {}", phrase.row));
        Some(Candidate { finding, hit: Some(Arc::new(hit)), unit })
    }
}
