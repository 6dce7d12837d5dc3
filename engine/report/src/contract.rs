//! The objects of the result contract, field by field. What the description of the interface says of them is made from this page, so its
//! comments are read by callers.

use std::collections::BTreeMap;

use glosa_metric::ParamValues;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A language of analysis and catalogs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LanguageCode {
    /// Spanish.
    Es,
    /// Catalan.
    Ca,
    /// English.
    En,
}

/// A finished report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReportResult {
    /// Version of the result contract.
    #[schema(required = false, default = json!("2.0"))]
    pub schema_version: String,
    /// Unit of every `start` and `end`.
    #[schema(required = false, default = json!("unicode_code_points"))]
    pub offset_unit: String,
    /// Language used for the analysis.
    #[schema(value_type = LanguageCode)]
    pub language: String,
    /// Genre the text was analysed with.
    pub genre: GenreName,
    /// Calculated values, each metric once.
    #[schema(required = false)]
    pub measurements: Vec<Measurement>,
    /// Issues found, one item per rule that matched, in linguistic order.
    #[schema(required = false)]
    pub recommendations: Vec<Recommendation>,
    /// Thresholds that each rule read, by metric identifier, with the values in effect; rules that the genre switches off are absent.
    #[schema(required = false, value_type = BTreeMap<String, BTreeMap<String, serde_json::Value>>)]
    pub applied_thresholds: BTreeMap<String, ParamValues>,
}

/// A domain and a text type: together they decide rules, thresholds and glossaries.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Genre)]
pub struct GenreName {
    /// Field of use.
    pub domain: TextDomain,
    /// Kind of text.
    pub text_type: TextType,
}

/// A field of use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TextDomain {
    /// Identifier accepted as `domain_slug`.
    pub slug: String,
    /// Localised name.
    pub name: String,
}

/// A kind of text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TextType {
    /// Identifier accepted as `text_type_slug`.
    pub slug: String,
    /// Localised name.
    pub name: String,
}

/// A calculated value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Measurement {
    /// Stable metric identifier.
    pub metric_id: String,
    /// The value.
    #[schema(value_type = f64)]
    pub value: MeasurementValue,
    /// Semantic unit, as in the metric catalog.
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

/// One issue type found by one rule, with all its occurrences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Recommendation {
    /// Unique within the report.
    pub id: String,
    /// Stable rule identifier.
    pub metric_id: String,
    /// Version of the detector.
    pub implementation_version: String,
    /// Localised title.
    pub metric_title: String,
    /// Stable linguistic category, as in the metric catalog.
    pub category: String,
    /// The issue in this report.
    pub summary: String,
    /// Why it matters and when to keep the text.
    pub explanation: Option<String>,
    /// Advice for the review.
    #[schema(required = false)]
    pub guidance: Vec<String>,
    /// Worked examples of the rule, as plain text; never quotes the analysed text.
    pub examples: Option<String>,
    /// In reading order; those without a place come last. At most the first 20,000: the summary counts all, and says so when there are more.
    #[schema(required = false)]
    pub occurrences: Vec<Occurrence>,
}

/// One place of an issue. Stays valid when `replacement` is null and `edits` is empty.
///
/// `edits` alone are ready to be carried out: each is checked to apply cleanly. A `replacement` or alternative without edits is a
/// suggestion for a person, who fits it into the sentence: it may be the kernel of a rewording, or empty where the fragment could simply
/// go. A client that changes texts by itself uses `edits` and nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Occurrence {
    /// Unique within its recommendation.
    pub id: String,
    /// The fragment.
    pub text: String,
    /// Inclusive offset in the submitted text.
    #[schema(minimum = 0)]
    pub start: Option<u32>,
    /// Exclusive offset in the submitted text.
    #[schema(minimum = 0)]
    pub end: Option<u32>,
    /// Zero-based block of the text in reading order: a paragraph, a heading or an item of a list. `paragraph-count` counts paragraphs alone.
    #[schema(minimum = 0)]
    pub paragraph_index: Option<u32>,
    /// Zero-based sentence over the whole text.
    #[schema(minimum = 0)]
    pub sentence_index: Option<u32>,
    /// Preferred replacement of the fragment. With `edits` it is what they bring about; without, a suggestion that may not fit the
    /// sentence as it stands. Empty means that the fragment could go.
    pub replacement: Option<String>,
    /// Other replacements, without the preferred one; suggestions too.
    #[schema(required = false)]
    pub alternatives: Vec<String>,
    /// The preferred change ready to be carried out, from the highest offset to the lowest; empty when there is none.
    #[schema(required = false)]
    pub edits: Vec<TextEdit>,
    /// Every appearance of a unit found in several places; the first is the one in `start` and `end`. Empty when it appears once.
    #[schema(required = false)]
    pub spans: Vec<OccurrenceSpan>,
    /// Connectors inside a long sentence, in reading order.
    #[schema(required = false)]
    pub connectors: Vec<SentenceConnector>,
}

/// A change of the submitted text: an empty `text` deletes, equal offsets insert.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TextEdit {
    /// Inclusive offset.
    #[schema(minimum = 0)]
    pub start: u32,
    /// Exclusive offset.
    #[schema(minimum = 0)]
    pub end: u32,
    /// What stands there afterwards.
    pub text: String,
}

/// One appearance of an occurrence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OccurrenceSpan {
    /// Inclusive offset.
    #[schema(minimum = 0)]
    pub start: u32,
    /// Exclusive offset.
    #[schema(minimum = 0)]
    pub end: u32,
    /// The fragment.
    pub text: String,
    /// Zero-based block of the text in reading order: a paragraph, a heading or an item of a list. `paragraph-count` counts paragraphs alone.
    #[schema(minimum = 0)]
    pub paragraph_index: Option<u32>,
    /// Zero-based sentence.
    #[schema(minimum = 0)]
    pub sentence_index: Option<u32>,
}

/// A connector inside a long sentence, where it could be split.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SentenceConnector {
    /// Inclusive offset.
    #[schema(minimum = 0)]
    pub start: u32,
    /// Exclusive offset.
    #[schema(minimum = 0)]
    pub end: u32,
    /// The fragment.
    pub text: String,
    /// Semantic relation that it expresses.
    pub relation: String,
    /// `intra` inside a sentence, `inter` between sentences.
    #[schema(pattern = "^(intra|inter)$")]
    pub scope: String,
    /// Connectors of the same relation that can open a sentence, capitalised, in alphabetical order.
    #[schema(required = false)]
    pub alternatives: Vec<String>,
}
