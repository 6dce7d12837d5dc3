//! `metric.yaml`: what does not depend on a language.

use std::collections::BTreeMap;

use glosa_text::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ParamValue, ParamValues};

/// Whether a metric calculates a number or finds issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Calculates one number.
    Measurement,
    /// Finds issues.
    Rule,
}

impl Kind {
    /// The name in YAML files and in the API.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Measurement => "measurement",
            Kind::Rule => "rule",
        }
    }
}

/// The file `rules/<metric-id>/metric.yaml`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MetricFile {
    /// The stable public name; equal to the name of the folder.
    pub id: String,
    /// Measurement or rule.
    pub kind: Kind,
    /// A category of `rules/categories.yaml`.
    pub category: String,
    /// Place inside the category: recommendations come in this order.
    pub order: u32,
    /// Semantic unit of a measurement, such as `words/sentence`.
    #[serde(default)]
    pub unit: Option<String>,
    /// Thresholds that genres may set.
    #[serde(default)]
    pub params: BTreeMap<String, ParamSpec>,
    /// Where the formula, figure or advice comes from.
    #[serde(default)]
    pub references: Vec<String>,
    /// Whether genres run it unless they say otherwise.
    #[serde(default, rename = "default")]
    pub default_switch: crate::Switch,
    /// Rules whose findings win over those of this rule when they hit the same place.
    #[serde(default)]
    pub yields_to: Vec<String>,
}

/// The declaration of one threshold.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParamSpec {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ParamType,
    /// The value where a genre sets none, for all languages or one by one.
    pub default: PerLanguage,
    /// Smallest value allowed.
    #[serde(default)]
    pub min: Option<f64>,
    /// Largest value allowed.
    #[serde(default)]
    pub max: Option<f64>,
    /// What it means, for authors of genres.
    pub meaning: String,
    /// The metric whose threshold of this name is the default, where `default` says so: `{of: long-sentence}`.
    #[serde(skip)]
    pub of: Option<String>,
}

/// The type of a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ParamType {
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A word.
    Text,
    /// A list of words.
    List,
}

/// A value for all languages, or one for each.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a value, or one for each of es, ca and en")]
pub enum PerLanguage {
    /// That of the threshold of the same name of another metric, in the genre too.
    Of(OfMetric),
    /// By language; a language that is missing has no variant that reads it.
    Each(#[schemars(with = "BTreeMap<String, ParamValue>")] BTreeMap<Language, ParamValue>),
    /// The same for all.
    All(ParamValue),
}

/// The name of a metric.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OfMetric {
    /// The metric.
    pub of: String,
}

impl PerLanguage {
    /// The value for a language.
    pub fn get(&self, language: Language) -> Option<&ParamValue> {
        match self {
            PerLanguage::Of(_) => None,
            PerLanguage::All(value) => Some(value),
            PerLanguage::Each(values) => values.get(&language),
        }
    }
}

impl ParamSpec {
    /// Checks a value against type and range; gives the value in the declared type, or what is wrong with it.
    pub fn accept(&self, value: &ParamValue) -> Result<ParamValue, String> {
        let value = match (self.kind, value) {
            (ParamType::Number, ParamValue::Integer(n)) => ParamValue::Number(*n as f64),
            (ParamType::Number, ParamValue::Number(_))
            | (ParamType::Flag, ParamValue::Flag(_))
            | (ParamType::Integer, ParamValue::Integer(_))
            | (ParamType::Text, ParamValue::Text(_))
            | (ParamType::List, ParamValue::List(_)) => value.clone(),
            (kind, other) => {
                return Err(format!("expected {}, found {}", format!("{kind:?}").to_lowercase(), other.type_name()));
            }
        };
        let number = match value {
            ParamValue::Integer(n) => Some(n as f64),
            ParamValue::Number(n) => Some(n),
            _ => None,
        };
        if let Some(number) = number {
            if let Some(min) = self.min.filter(|min| number < *min) {
                return Err(format!("{number} is below the minimum {min}"));
            }
            if let Some(max) = self.max.filter(|max| number > *max) {
                return Err(format!("{number} is above the maximum {max}"));
            }
        }
        Ok(value)
    }
}

impl MetricFile {
    /// The language defaults of all thresholds.
    pub fn defaults(&self, language: Language) -> ParamValues {
        let values = self.params.iter().filter_map(|(key, spec)| {
            let value = spec.default.get(language)?;
            Some((key.clone(), spec.accept(value).unwrap_or_else(|_| value.clone())))
        });
        values.collect()
    }
}
