//! The catalogs: metrics, genres, glossaries.
use super::Genre;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// One language variant of a measurement or rule.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Metric {
    /// Stable metric identifier.
    pub id: String,
    /// `measurement` or `rule`.
    #[schema(pattern = "^(measurement|rule)$")]
    pub kind: &'static str,
    /// Language that the variant analyses.
    #[schema(value_type = crate::view::LanguageCode)]
    pub analysis_language: &'static str,
    /// Whether reports of the language evaluate this variant.
    pub enabled: bool,
    /// Version of the calculator or detector.
    pub implementation_version: String,
    /// Stable linguistic category.
    pub category: String,
    /// Language of the documentation, which may not be the one asked for.
    #[schema(value_type = crate::view::LanguageCode)]
    pub documentation_language: &'static str,
    /// What the metric is and how to read it.
    pub documentation: MetricDocumentation,
    /// Semantic unit of a measurement.
    pub unit: Option<String>,
    /// Where formula, figures or advice come from.
    #[schema(required = false)]
    pub references: Vec<String>,
    /// A true output of the variant, as reports have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    pub example: Option<Arc<Value>>,
    /// False when the variant can have no output with the linguistic runtime of this service.
    #[schema(required = false, default = json!(true))]
    pub available: bool,
    /// Why not; null when available.
    pub availability_note: Option<String>,
    /// What the genre of the request says of the metric; null without a genre.
    pub genre_scope: Option<MetricGenreScope>,
}

/// Documentation of a metric.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MetricDocumentation {
    /// Name that people read.
    #[schema(required = false, default = json!(""))]
    pub title: String,
    /// What it is.
    #[schema(required = false, default = json!(""))]
    pub summary: String,
    /// How it is found or calculated.
    #[schema(required = false, default = json!(""))]
    pub methodology: String,
    /// How to read it.
    #[schema(required = false, default = json!(""))]
    pub interpretation: String,
    /// What it cannot see.
    #[schema(required = false, default = json!(""))]
    pub limitations: String,
}

/// What a genre says of a metric.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MetricGenreScope {
    /// Reports of the genre evaluate the metric: the variant is enabled and the genre opts in.
    pub enabled: bool,
    /// Thresholds that the genre configures; empty means defaults.
    #[schema(required = false)]
    pub params: BTreeMap<String, Value>,
}

/// Measurements and rules.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MetricCatalog {
    /// The variants, in linguistic order.
    pub metrics: Vec<Metric>,
    /// The genre that `genre_scope` refers to; null without a genre.
    pub genre: Option<Genre>,
}

/// Domains and genres of a language.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublicTextTypeCatalog {
    /// The language.
    #[schema(value_type = crate::view::LanguageCode)]
    pub language: &'static str,
    /// Domains with their genres.
    pub domains: Vec<PublicTextDomain>,
}

/// A domain.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublicTextDomain {
    /// Send as `domain_slug`.
    pub slug: String,
    /// Localised name.
    pub name: String,
    /// The whole domain is plain language.
    #[schema(required = false, default = json!(false))]
    pub clear_language: bool,
    /// Genres; empty in the detail of one genre.
    #[schema(required = false)]
    pub text_types: Vec<PublicTextType>,
}

/// A genre inside a domain.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublicTextType {
    /// Send as `text_type_slug`.
    pub slug: String,
    /// Localised name.
    pub name: String,
    /// Written in plain language for the general public.
    #[schema(required = false, default = json!(false))]
    pub clear_language: bool,
}

/// One genre.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublicTextTypeDetail {
    /// The language.
    #[schema(value_type = crate::view::LanguageCode)]
    pub language: &'static str,
    /// Its domain, without sibling genres.
    pub domain: PublicTextDomain,
    /// The genre.
    pub text_type: PublicTextType,
    /// The fields to forward to `POST /v1/reports`.
    pub report_defaults: ReportDefaults,
    /// Recommended sections in reading order.
    #[schema(required = false)]
    pub structure: Vec<PublicTextSection>,
}

/// Fields to forward to `POST /v1/reports`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReportDefaults {
    /// Language.
    pub language: &'static str,
    /// Domain.
    pub domain_slug: String,
    /// Text type.
    pub text_type_slug: String,
}

/// A recommended section.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublicTextSection {
    /// Its name.
    pub name: String,
    /// What it should cover.
    #[schema(required = false)]
    pub contents: Vec<PublicTextContent>,
}

/// A content that a section should cover.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublicTextContent {
    /// What it is.
    pub name: String,
    /// How often it usually appears.
    pub occurrence: Option<String>,
    /// Suggested wording.
    #[schema(required = false)]
    pub phraseology: Vec<PublicPhraseology>,
}

/// A suggested wording.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublicPhraseology {
    /// The wording.
    pub value: String,
}

/// Glossaries that apply to a genre; their contents are not shown.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GenreGlossaries {
    /// The language.
    #[schema(value_type = crate::view::LanguageCode)]
    pub language: &'static str,
    /// Domain.
    pub domain_slug: String,
    /// Text type.
    pub text_type_slug: String,
    /// The glossaries.
    pub glossaries: Vec<Glossary>,
}

/// A glossary as a genre resolves it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Glossary {
    /// Stable identifier.
    pub key: String,
    /// Name that people read.
    pub title: String,
    /// Entries, active or not.
    #[schema(minimum = 0)]
    pub entry_count: usize,
    /// Entries that are applied; the rest are disabled on purpose.
    #[schema(minimum = 0)]
    pub active_entry_count: usize,
    /// Level of the cascade that the entries come from.
    #[schema(pattern = "^(text_type|domain|global)$")]
    pub source_level: &'static str,
    /// The level is less specific than the genre.
    pub inherited: bool,
    /// Metrics of the genre that read the glossary.
    #[schema(required = false)]
    pub used_by_metrics: Vec<String>,
}
