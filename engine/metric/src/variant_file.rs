//! `<language>.yaml`: one variant of a metric, in one of five forms.
//!
//! | key | the variant is |
//! |---|---|
//! | `substitute` | a phrase table |
//! | `match` | a token pattern, alone or as the query of a `script` |
//! | `script` | a Rhai script beside the file |
//! | `native` | a metric of a compiled plugin |
//! | `measure` | a formula over the counts of the document |

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Capability;

/// The file `rules/<metric-id>/<language>.yaml`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct VariantFile {
    /// Version of this variant, `major.minor.patch`; a native variant has that of its binary and writes none.
    pub version: Option<String>,
    /// `false` lists the variant without running it.
    #[serde(default = "yes")]
    pub enabled: Option<bool>,
    /// What it requires of the linguistic runtime.
    pub needs: Vec<Capability>,
    /// Keys of the glossaries that it reads.
    pub glossaries: Vec<String>,
    /// Phrase table: phrase to replacement.
    pub substitute: Option<BTreeMap<String, Substitution>>,
    /// Token pattern.
    #[serde(rename = "match")]
    pub pattern: Option<MatchClause>,
    /// File name of a script.
    pub script: Option<String>,
    /// Name of the plugin that holds the metric.
    pub native: Option<String>,
    /// Formula over the counts of the document.
    pub measure: Option<String>,
    /// Patterns that drop a hit that they overlap.
    pub unless: Vec<Vec<Step>>,
    /// What of the match is reported: a capture, or `from..to`.
    pub mark: Option<String>,
    /// Where a match has to stay.
    pub within: Within,
    /// Template of the replacement.
    pub fix: Option<String>,
    /// Templates of further replacements.
    pub alternatives: Vec<String>,
    /// Whether the replacement comes with an edit; default `safe`.
    pub edit: EditPolicy,
    /// Report only above a density.
    pub report: Option<ReportGate>,
    /// `collect`: one occurrence for each unit, the other places in its spans.
    pub spans: Option<SpansMode>,
    /// Sentences that show what it does, run as tests.
    pub examples: Examples,
}

#[expect(clippy::unnecessary_wraps, reason = "the shape serde asks for")]
fn yes() -> Option<bool> {
    Some(true)
}

/// What a phrase of a table is replaced by.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Substitution {
    /// Flagged only.
    Flag(()),
    /// One replacement.
    One(String),
    /// The preferred replacement, then the others.
    Several(Vec<String>),
}

/// A sequence of steps, or several.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MatchClause {
    /// Any of these sequences.
    Any {
        /// The sequences.
        any: Vec<Vec<Step>>,
    },
    /// One sequence.
    Sequence(Vec<Step>),
}

/// One step of a pattern: a word, a glossary (`@key`), a regular expression (`/…/`) or a map of tests.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Step {
    /// A normal form, `@glossary` or `/regex/`.
    Word(String),
    /// Tests that must all hold.
    Tests(Box<StepTests>),
}

/// The tests of a step; several keys mean all of them, a list means any of its items.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StepTests {
    /// As written.
    pub form: OneOrMany,
    /// Normal form.
    pub norm: OneOrMany,
    /// Lemma.
    pub lemma: OneOrMany,
    /// Universal part of speech.
    pub pos: OneOrMany,
    /// Features, all of which must hold.
    pub morph: BTreeMap<String, OneOrMany>,
    /// The token starts a term of this glossary; the step covers the whole term.
    pub glossary: Option<String>,
    /// Tests that must not hold.
    pub not: Option<Box<StepTests>>,
    /// How often, `2`, `0..1` or `0..3`.
    pub repeat: Option<String>,
    /// Name of the capture.
    #[serde(rename = "as")]
    pub name: Option<String>,
}

/// A value or a list of values.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OneOrMany {
    /// No test.
    #[default]
    None,
    /// One value.
    One(String),
    /// Any of these.
    Many(Vec<String>),
}

/// How far a match may reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Within {
    /// Inside one sentence.
    #[default]
    Sentence,
    /// Inside one paragraph.
    Paragraph,
}

/// Whether a replacement comes with an edit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EditPolicy {
    /// The edit may be applied as it is.
    #[default]
    Safe,
    /// Only the replacement is shown.
    None,
}

/// Report only when there are more hits than a threshold.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportGate {
    /// The threshold, `$param`.
    pub over: String,
    /// What it is counted against: `text`, `100 words`, `100 sentences`.
    pub per: String,
}

/// How places of one unit are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SpansMode {
    /// One occurrence for each unit.
    Collect,
}

/// Examples of a variant.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Examples {
    /// Texts in which the rule must mark exactly what stands between `<` and `>`.
    pub bad: Vec<Example>,
    /// Texts in which it must mark nothing.
    pub good: Vec<String>,
    /// Texts in which it should mark something but does not yet.
    pub todo_bad: Vec<Example>,
    /// Texts in which it marks something but should not.
    pub todo_good: Vec<String>,
    /// For measurements: texts and the value that each must have.
    pub values: Vec<ValueExample>,
}

/// A marked text, alone or with what is expected.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Example {
    /// The marked text.
    Marked(String),
    /// The marked text and the result of all edits.
    Fixed {
        /// The marked text.
        text: String,
        /// The text after all edits.
        #[serde(default)]
        fix: Option<String>,
        /// Thresholds of this example.
        #[serde(default)]
        params: BTreeMap<String, crate::ParamValue>,
    },
}

/// A text and the value of a measurement.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValueExample {
    /// The text.
    pub text: String,
    /// The expected value; `null` where the measurement is left out.
    pub value: Option<f64>,
}

/// Serialised only for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// `substitute`
    Substitute,
    /// `match`
    Match,
    /// `script`, with or without `match`
    Script,
    /// `native`
    Native,
    /// `measure`
    Measure,
}

impl VariantFile {
    /// The form of the variant, or what is wrong: exactly one of the five keys, `match` may stand beside `script`.
    pub fn form(&self) -> Result<Form, String> {
        let given = [
            (self.substitute.is_some(), "substitute", Form::Substitute),
            (self.script.is_some(), "script", Form::Script),
            (self.native.is_some(), "native", Form::Native),
            (self.measure.is_some(), "measure", Form::Measure),
            (
                self.pattern.is_some() && self.script.is_none(),
                "match",
                Form::Match,
            ),
        ];
        let mut forms = given.iter().filter(|(is, ..)| *is);
        match (forms.next(), forms.next()) {
            (Some((_, _, form)), None) => Ok(*form),
            (None, _) => Err(
                "one of `match`, `substitute`, `script`, `native` or `measure` is required".into(),
            ),
            (Some((_, a, _)), Some((_, b, _))) => Err(format!(
                "`{a}` and `{b}` exclude each other: a variant has one form"
            )),
        }
    }
}
