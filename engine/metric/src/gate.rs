//! Density gates: hits are reported only when there are enough of them.

use std::collections::BTreeMap;

use glosa_text::Document;

use crate::pattern::build::Builder;
use crate::yaml_reader::Located;
use crate::{MetricError, ParamType, Params, Per, ReportGate};

/// A number that is written or read from a threshold.
#[derive(Clone, Debug, PartialEq)]
enum Threshold {
    Fixed(f64),
    Param(String),
}

impl Threshold {
    fn build(builder: &mut Builder<'_, '_>, text: &Located<String>) -> Threshold {
        if let Some(name) = text.strip_prefix('$') {
            builder.param(name, text.at, &[ParamType::Integer, ParamType::Number]);
            return Threshold::Param(name.to_owned());
        }
        match text.parse() {
            Ok(number) => Threshold::Fixed(number),
            Err(_) => {
                builder.reader.problem(
                    text.at,
                    format!("`{}` is no number", **text),
                    "write a number, or `$name` for a threshold of metric.yaml",
                );
                Threshold::Fixed(0.0)
            }
        }
    }

    fn value(&self, params: &Params) -> Result<f64, MetricError> {
        match self {
            Threshold::Fixed(number) => Ok(*number),
            Threshold::Param(name) => params.number(name),
        }
    }
}

/// One gate of a variant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gate {
    over: Option<Threshold>,
    at_least: Option<Threshold>,
    from_words: Option<Threshold>,
    per: Per,
}

impl Gate {
    pub(crate) fn build(builder: &mut Builder<'_, '_>, gate: &ReportGate) -> Gate {
        let mut threshold = |text: &Option<Located<String>>| text.as_ref().map(|text| Threshold::build(builder, text));
        Gate {
            over: threshold(&gate.over),
            at_least: threshold(&gate.at_least),
            from_words: threshold(&gate.from_words),
            per: gate.per.value,
        }
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

    /// Which hits the gate lets through; `tokens` are the first tokens of the hits.
    pub(crate) fn open(&self, tokens: &[u32], document: &Document, params: &Params) -> Result<Vec<bool>, MetricError> {
        let read = |threshold: &Option<Threshold>| threshold.as_ref().map(|t| t.value(params)).transpose();
        let (over, at_least) = (read(&self.over)?, read(&self.at_least)?);
        let from_words = read(&self.from_words)?;
        if from_words.is_some_and(|least| (document.words().len() as f64) < least) {
            return Ok(vec![false; tokens.len()]);
        }
        let enough = |value: f64| over.is_none_or(|limit| value > limit) && at_least.is_none_or(|limit| value >= limit);
        let unit = |token: u32| {
            let sentence = document.tokens()[token as usize].sentence;
            match self.per {
                Per::Sentence => sentence,
                Per::Paragraph => document.sentences()[sentence as usize].block,
                _ => 0,
            }
        };
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for token in tokens {
            *counts.entry(unit(*token)).or_default() += 1;
        }
        Ok(tokens
            .iter()
            .map(|token| {
                let count = counts[&unit(*token)];
                let value = match self.per {
                    Per::Words(_) | Per::Sentences(_) => self.density(count, document).unwrap_or_default(),
                    _ => count as f64,
                };
                enough(value)
            })
            .collect())
    }
}
