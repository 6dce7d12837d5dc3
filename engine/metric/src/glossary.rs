//! Glossaries: tables of terms that a genre resolves by the cascade and metrics read.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The file `glossaries/[<domain>/[<text_type>/]]<key>.<language>.yaml`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GlossaryFile {
    /// Name that people read.
    pub title: String,
    /// What its rows are, where a row does not say; default `replace`.
    #[serde(default)]
    pub kind: EntryKind,
    /// How sure its replacements are, where a row does not say; default `suggest`.
    #[serde(default)]
    pub status: EntryStatus,
    /// How its terms are found, where a row does not say; default `form`.
    #[serde(default)]
    pub by: MatchBy,
    /// Part of speech that the first word must have, where a row does not say.
    #[serde(default)]
    pub pos: Option<String>,
    /// Another glossary of the language whose rows are taken over: its path below `glossaries`, without language and ending.
    #[serde(default)]
    pub extends: Option<String>,
    /// Terms of the extended glossary whose rows are left out.
    #[serde(default)]
    pub without: Vec<String>,
    /// The rows. Those of a term stand in place of the rows that the extended glossary has of it.
    #[serde(default)]
    pub rows: Vec<GlossaryRow>,
}

/// One row of a glossary file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GlossaryRow {
    /// The term as it is written, or its dictionary form.
    pub term: String,
    /// Preferred replacement.
    #[serde(default)]
    pub replacement: Option<String>,
    /// Other replacements.
    #[serde(default)]
    pub alternatives: Vec<String>,
    /// What the row is.
    #[serde(default)]
    pub kind: Option<EntryKind>,
    /// How sure the replacement is.
    #[serde(default)]
    pub status: Option<EntryStatus>,
    /// How the term is found.
    #[serde(default)]
    pub by: Option<MatchBy>,
    /// Part of speech that the first word must have.
    #[serde(default)]
    pub pos: Option<String>,
    /// Why, and when to keep the term.
    #[serde(default)]
    pub note: Option<String>,
    /// `false` switches the row off; `note` then says why.
    #[serde(default = "yes")]
    pub active: bool,
    /// Further columns that rules read, such as `relation`.
    #[serde(default)]
    pub data: BTreeMap<String, String>,
    /// What else the place has to be like: tests of the first word and of what stands beside the term, as in a step of a pattern.
    #[serde(default)]
    pub when: Option<When>,
    /// Sentences that show where the row holds and where it does not, run as tests.
    #[serde(default)]
    pub examples: RowExamples,
}

/// Conditions of a row; [`crate::pattern::Condition`] reads them from the tree of the file, where everything has its place.
#[derive(Clone, Debug, Default)]
pub struct When;

impl<'de> Deserialize<'de> for When {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<When, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| When)
    }
}

impl JsonSchema for When {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "When".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::Schema::try_from(crate::schema::when()).unwrap_or_default()
    }
}

/// Examples of a row: sentences in which the term is marked with `<` and `>`, and sentences in which it is not meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RowExamples {
    /// The row must hold exactly for what stands between `<` and `>`.
    #[serde(default)]
    pub bad: Vec<String>,
    /// The row must hold nowhere.
    #[serde(default)]
    pub good: Vec<String>,
}

fn yes() -> bool {
    true
}

/// What a row is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// The term has a better equivalent.
    #[default]
    Replace,
    /// The term needs an explanation.
    Explain,
    /// The agreed term for a variant.
    Prefer,
    /// The term is not accepted.
    Forbid,
    /// The term is known and never marked; it also hides shorter terms inside it.
    Allow,
}

/// How sure a replacement is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntryStatus {
    /// The edit may be applied as it is.
    Safe,
    /// The replacement is shown, without an edit.
    #[default]
    Suggest,
    /// A term of art: only alternatives are shown.
    Term,
}

/// How a term is found in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MatchBy {
    /// Every word as written, capitals apart.
    #[default]
    Form,
    /// The first word in any inflected form, the others as written.
    Lemma,
    /// Every word in any inflected form.
    Lemmas,
}

/// A row with its defaults filled in.
#[derive(Clone, Debug)]
pub struct GlossaryEntry {
    /// The term.
    pub term: String,
    /// Preferred replacement.
    pub replacement: Option<String>,
    /// Other replacements, without the preferred one.
    pub alternatives: Vec<String>,
    /// What the row is.
    pub kind: EntryKind,
    /// How sure the replacement is.
    pub status: EntryStatus,
    /// How the term is found.
    pub by: MatchBy,
    /// Part of speech that the first word must have.
    pub pos: Option<String>,
    /// Why, and when to keep the term.
    pub note: Option<String>,
    /// Whether it is applied.
    pub active: bool,
    /// Further columns.
    pub data: BTreeMap<String, String>,
    /// Sentences in which it holds and in which it does not.
    pub examples: RowExamples,
}

/// The level of the cascade that a glossary comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceLevel {
    /// For one genre.
    TextType,
    /// For one domain.
    Domain,
    /// For the language.
    Global,
}

/// A glossary of one language at one level.
#[derive(Clone, Debug)]
pub struct Glossary {
    /// Stable name; the file name.
    pub key: String,
    /// Name that people read.
    pub title: String,
    /// Where in the cascade it stands.
    pub level: SourceLevel,
    /// Number of its table in the phrase index of the language.
    pub table: u32,
    /// All rows, active or not.
    pub entries: Vec<GlossaryEntry>,
    /// Its active rows by term; made when the first metric looks for a term.
    pub rows: RowsByTerm,
}

/// Active rows by the normal form of their terms.
#[derive(Clone, Debug, Default)]
pub struct RowsByTerm(OnceLock<FxHashMap<String, usize>>);

impl Glossary {
    /// The first active row of a term, by its normal form.
    pub fn row(&self, normal: &str) -> Option<usize> {
        let rows = self.rows.0.get_or_init(|| {
            let active = self.entries.iter().enumerate().rev().filter(|(_, entry)| entry.active);
            active.map(|(row, entry)| (glosa_text::normal_form(&entry.term), row)).collect()
        });
        rows.get(normal).copied()
    }

    /// Rows that are applied.
    pub fn active_entries(&self) -> usize {
        self.entries.iter().filter(|e| e.active).count()
    }
}

impl GlossaryFile {
    /// The rows with the defaults of the file filled in.
    pub fn entries(&self) -> Vec<GlossaryEntry> {
        self.rows
            .iter()
            .map(|row| GlossaryEntry {
                term: row.term.clone(),
                replacement: row.replacement.clone(),
                alternatives: row.alternatives.clone(),
                kind: row.kind.unwrap_or(self.kind),
                status: row.status.unwrap_or(self.status),
                by: row.by.unwrap_or(self.by),
                pos: row.pos.clone().or_else(|| self.pos.clone()),
                note: row.note.clone(),
                active: row.active,
                data: row.data.clone(),
                examples: row.examples.clone(),
            })
            .collect()
    }
}

/// The glossaries that one metric reads, resolved for one genre.
#[derive(Clone, Debug, Default)]
pub struct Glossaries {
    by_key: BTreeMap<String, Arc<Glossary>>,
}

impl Glossaries {
    /// A set by key.
    pub fn new(by_key: BTreeMap<String, Arc<Glossary>>) -> Self {
        Glossaries { by_key }
    }

    /// The glossary of a key; `None` when no level of the cascade holds rows.
    pub fn get(&self, key: &str) -> Option<&Arc<Glossary>> {
        self.by_key.get(key)
    }

    /// All of them, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Arc<Glossary>)> {
        self.by_key.iter().map(|(key, glossary)| (key.as_str(), glossary))
    }
}
