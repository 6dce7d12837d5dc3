//! The objects of the result contract, field by field.

use std::collections::BTreeMap;

use glosa_metric::ParamValues;
use serde::{Deserialize, Serialize};

/// The finished report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReportResult {
    /// Version of the result contract.
    pub schema_version: String,
    /// Unit of every `start` and `end`.
    pub offset_unit: String,
    /// Language used for the analysis.
    pub language: String,
    /// Genre that the text was analysed with.
    pub genre: GenreName,
    /// Calculated values, each once.
    pub measurements: Vec<Measurement>,
    /// Issues, one item for each rule that matched, in linguistic order.
    pub recommendations: Vec<Recommendation>,
    /// Thresholds that each rule read, by metric; rules that the genre switches off are absent.
    pub applied_thresholds: BTreeMap<String, ParamValues>,
}

/// A genre: the pair that decided rules, thresholds and glossaries.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GenreName {
    /// The domain.
    pub domain: Named,
    /// The text type.
    pub text_type: Named,
}

/// A slug and its localised name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// Identifier accepted in requests.
    pub slug: String,
    /// Name in the language of the report.
    pub name: String,
}

/// One calculated value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Stable metric identifier.
    pub metric_id: String,
    /// The value.
    pub value: MeasurementValue,
    /// Unit as the metric catalogue defines it.
    pub unit: String,
    /// Version of the calculator.
    pub implementation_version: String,
}

/// An integer or a number with two decimals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MeasurementValue {
    /// A count.
    Integer(i64),
    /// A ratio or score.
    Number(f64),
}

/// One type of issue, with all its occurrences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recommendation {
    /// Unique within the report.
    pub id: String,
    /// Stable rule identifier.
    pub metric_id: String,
    /// Version of the detector.
    pub implementation_version: String,
    /// Localised title.
    pub metric_title: String,
    /// Linguistic category.
    pub category: String,
    /// The issue in this report.
    pub summary: String,
    /// Why it matters and when to keep the text.
    pub explanation: Option<String>,
    /// What to do.
    pub guidance: Vec<String>,
    /// Worked examples; they belong to the rule and never quote the text.
    pub examples: Option<String>,
    /// Places in reading order; those without a place come last.
    pub occurrences: Vec<Occurrence>,
}

/// One place of an issue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Occurrence {
    /// Unique within its recommendation.
    pub id: String,
    /// The fragment.
    pub text: String,
    /// Inclusive offset.
    pub start: Option<u32>,
    /// Exclusive offset.
    pub end: Option<u32>,
    /// Zero-based block (paragraph, heading or list item).
    pub paragraph_index: Option<u32>,
    /// Zero-based sentence over the whole text.
    pub sentence_index: Option<u32>,
    /// Preferred replacement.
    pub replacement: Option<String>,
    /// Other replacements, without the preferred one.
    pub alternatives: Vec<String>,
    /// Edits that carry out the preferred change, highest offset first.
    pub edits: Vec<TextEdit>,
    /// All places of the unit in reading order when it has several; the first is that of `start` and `end`.
    pub spans: Vec<OccurrenceSpan>,
    /// Connectors inside a long sentence, in reading order.
    pub connectors: Vec<SentenceConnector>,
}

/// One place of a unit that stands in several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OccurrenceSpan {
    /// Inclusive offset.
    pub start: u32,
    /// Exclusive offset.
    pub end: u32,
    /// The fragment.
    pub text: String,
    /// Zero-based block.
    pub paragraph_index: Option<u32>,
    /// Zero-based sentence.
    pub sentence_index: Option<u32>,
}

/// A change of the text: empty text deletes, `start` equal to `end` inserts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextEdit {
    /// Inclusive offset.
    pub start: u32,
    /// Exclusive offset.
    pub end: u32,
    /// What stands there afterwards.
    pub text: String,
}

/// A connector where a long sentence could be split.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SentenceConnector {
    /// Inclusive offset.
    pub start: u32,
    /// Exclusive offset.
    pub end: u32,
    /// The fragment.
    pub text: String,
    /// Relation that it expresses.
    pub relation: String,
    /// `intra` or `inter`.
    pub scope: String,
    /// Connectors of the same relation that can open a new sentence: capitalised, in alphabetical order.
    pub alternatives: Vec<String>,
}
