//! `docs/{es,ca,en}.yaml`: the documentation of a metric and the wording of its recommendations.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The file `rules/<metric-id>/docs/<language>.yaml`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocsFile {
    /// What the catalogue shows.
    pub documentation: Documentation,
    /// What a report says; rules only.
    #[serde(default)]
    pub report: Option<ReportWording>,
}

/// The documentation object of the catalogue.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Documentation {
    /// Name that people read.
    pub title: String,
    /// What it is, in one or two sentences.
    pub summary: String,
    /// How it is found or calculated.
    #[serde(default)]
    pub methodology: String,
    /// How to read it; when to keep the text as it is.
    #[serde(default)]
    pub interpretation: String,
    /// What it cannot see.
    #[serde(default)]
    pub limitations: String,
}

/// The wording of a recommendation. Texts may show `{count}` and the facts of the rule, such as `{words}`; the facts
/// are those of the only occurrence, or of the whole recommendation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportWording {
    /// The issue in this report.
    pub summary: Plural,
    /// Why it matters and when to keep the text; absent where nothing needs explaining.
    #[serde(default)]
    pub explanation: Option<String>,
    /// What to do, one advice an entry.
    #[serde(default)]
    pub guidance: Vec<String>,
    /// Worked examples as plain text.
    #[serde(default)]
    pub examples: Option<String>,
    /// Other texts for reports in which all occurrences are of one alternative of the rule's `match`, by the name that
    /// the alternative gives as `wording`.
    #[serde(default)]
    pub wordings: BTreeMap<String, Wording>,
}

/// Texts that stand in place of those of the report; what is absent stays.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wording {
    /// The issue in this report.
    #[serde(default)]
    pub summary: Option<Plural>,
    /// Why it matters and when to keep the text.
    #[serde(default)]
    pub explanation: Option<String>,
    /// What to do, one advice an entry.
    #[serde(default)]
    pub guidance: Option<Vec<String>>,
    /// Worked examples as plain text.
    #[serde(default)]
    pub examples: Option<String>,
}

impl ReportWording {
    /// The texts for a report whose occurrences all have a wording.
    pub fn with(&self, wording: &str) -> ReportWording {
        let mut texts = self.clone();
        if let Some(other) = self.wordings.get(wording).cloned() {
            texts.summary = other.summary.unwrap_or(texts.summary);
            texts.explanation = other.explanation.or(texts.explanation);
            texts.guidance = other.guidance.unwrap_or(texts.guidance);
            texts.examples = other.examples.or(texts.examples);
        }
        texts
    }
}

/// A text, or one for a single occurrence and one for several.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a text, or `one` and `other`")]
pub enum Plural {
    /// The same for any number.
    Same(String),
    /// By number.
    Each {
        /// For one occurrence.
        one: String,
        /// For two or more.
        other: String,
    },
}

impl Plural {
    /// The text for a number of occurrences.
    pub fn pick(&self, count: usize) -> &str {
        match self {
            Plural::Same(text) => text,
            Plural::Each { one, other } => {
                if count == 1 {
                    one
                } else {
                    other
                }
            }
        }
    }
}
