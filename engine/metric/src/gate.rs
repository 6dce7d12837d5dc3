//! Density gates: hits are reported only when there are enough of them.

use std::collections::BTreeMap;

use glosa_text::Document;

use crate::amount::Amount;
use crate::pattern::build::Builder;
use crate::{MetricError, ParamType, Params, Per, ReportGate};

/// The value that an amount has in a run.
fn value(amount: &Amount<f64>, params: &Params) -> Result<f64, MetricError> {
    match amount {
        Amount::Fixed(number) => Ok(*number),
        Amount::Param(name) => params.number(name),
    }
}

/// One gate of a variant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gate {
    over: Option<Amount<f64>>,
    at_least: Option<Amount<f64>>,
    skip: Option<Amount<f64>>,
    from_words: Option<Amount<f64>>,
    per: Per,
}

/// What a gate looks at in one hit.
pub(crate) struct Passer {
    /// Sentence of the hit; none where it has no place in the text.
    pub(crate) sentence: Option<u32>,
    /// The unit of the hit.
    pub(crate) unit: String,
}

impl Gate {
    pub(crate) fn build(builder: &mut Builder<'_, '_>, gate: &ReportGate) -> Gate {
        let amounts = [&gate.over, &gate.at_least, &gate.skip, &gate.from_words];
        for amount in amounts.into_iter().flatten() {
            if let Amount::Param(name) = amount {
                builder.param(name, name.at, &[ParamType::Integer, ParamType::Number]);
            }
        }
        let ReportGate { over, at_least, per, skip, from_words } = gate.clone();
        Gate { over, at_least, skip, from_words, per }
    }

    /// Whether the gate counts hits by unit.
    pub(crate) fn by_unit(&self) -> bool {
        self.per == Per::Unit
    }

    /// The density of so many hits in the text, where the gate counts against the text.
    pub(crate) fn density(&self, hits: usize, document: &Document) -> Option<f64> {
        let share = |k: u32, units: usize| (units > 0).then(|| hits as f64 * f64::from(k) / units as f64);
        match self.per {
            Per::Words(k) => share(k, document.words().len()),
            Per::Sentences(k) => share(k, document.sentence_count()),
            _ => None,
        }
    }

    /// Whether the gate counts against the length of the text.
    pub(crate) fn is_density(&self) -> bool {
        matches!(self.per, Per::Words(_) | Per::Sentences(_))
    }

    /// Which hits the gate lets through; `opened` lets all through that are not skipped. In a trial the length of the
    /// text does not count.
    pub(crate) fn open(
        &self,
        hits: &[Passer],
        document: &Document,
        params: &Params,
        trial: bool,
        opened: bool,
    ) -> Result<Vec<bool>, MetricError> {
        let read = |threshold: &Option<Amount<f64>>| threshold.as_ref().map(|t| value(t, params)).transpose();
        let (over, at_least, skip) = (read(&self.over)?, read(&self.at_least)?, read(&self.skip)?);
        let from_words = read(&self.from_words)?;
        if !trial && from_words.is_some_and(|least| (document.words().len() as f64) < least) {
            return Ok(vec![false; hits.len()]);
        }
        let group = |hit: &Passer| match (self.per, hit.sentence) {
            (Per::Sentence, Some(sentence)) => sentence.to_string(),
            (Per::Paragraph, Some(sentence)) => document.sentences()[sentence as usize].block.to_string(),
            (Per::Unit, _) => hit.unit.clone(),
            _ => String::new(),
        };
        let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for hit in hits {
            counts.entry(group(hit)).or_default().0 += 1;
        }
        Ok(hits
            .iter()
            .map(|hit| {
                let (count, seen) = counts.entry(group(hit)).or_default();
                *seen += 1;
                let value =
                    if self.is_density() { self.density(*count, document).unwrap_or_default() } else { *count as f64 };
                let enough = over.is_none_or(|limit| value > limit) && at_least.is_none_or(|limit| value >= limit);
                (enough || opened) && skip.is_none_or(|skip| *seen as f64 > skip)
            })
            .collect())
    }
}
