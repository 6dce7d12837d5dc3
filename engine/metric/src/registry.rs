//! The metrics of a snapshot, each with all its variants, active or not.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use glosa_text::Language;

use crate::{DocsFile, Kind, Metric, MetricFile, Needs, ParamValues};

/// Where a variant came from; for people only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A YAML file (pattern, phrase table, formula).
    Yaml(String),
    /// A script.
    Script(String),
    /// A compiled plugin.
    Native(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Yaml(file) | Origin::Script(file) | Origin::Native(file) => f.write_str(file),
        }
    }
}

/// One implementation of a metric for one language.
#[derive(Clone)]
pub struct Variant {
    /// Public name of the metric.
    pub metric: Arc<str>,
    /// Measurement or rule.
    pub kind: Kind,
    /// Language that it analyses.
    pub language: Language,
    /// `implementation_version` of the reports.
    pub version: String,
    /// `false` where the variant is listed but not run: switched off, or another version is pinned.
    pub enabled: bool,
    /// What it requires of the runtime.
    pub needs: Needs,
    /// What of that the runtime lacks; not empty means unavailable.
    pub missing: Needs,
    /// Why reports cannot have it, in the languages of the catalogue, whatever the runtime offers.
    pub unavailable: Option<Arc<BTreeMap<Language, String>>>,
    /// Language defaults of the thresholds.
    pub defaults: Arc<ParamValues>,
    /// Keys of the glossaries that it reads.
    pub glossaries: Vec<String>,
    /// Number of its own phrase table in the phrase index of the language, if it has one.
    pub table: Option<u32>,
    /// Where it came from.
    pub origin: Origin,
    /// The first example: marked text as its author wrote it.
    pub example: Option<String>,
    /// The implementation.
    pub run: Arc<dyn Metric>,
}

impl Variant {
    /// Whether reports can have output of this variant at all.
    pub fn available(&self) -> bool {
        self.missing.is_empty() && self.unavailable.is_none()
    }

    /// Whether reports of the language evaluate it.
    pub fn active(&self) -> bool {
        self.enabled && self.available()
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} ({})", self.metric, self.language, self.version, self.origin)
    }
}

/// A metric: its manifest, documentation and variants.
#[derive(Clone, Debug)]
pub struct MetricEntry {
    /// `metric.yaml`.
    pub manifest: MetricFile,
    /// Documentation by language.
    pub docs: BTreeMap<Language, Arc<DocsFile>>,
    /// All variants, by language; the active one first.
    pub variants: Vec<Arc<Variant>>,
}

impl MetricEntry {
    /// The documentation in a language, else in the metric's own languages (es, ca, en in this order), and the
    /// language that it is in. Every entry of a registry has at least one.
    pub fn docs(&self, wanted: Language) -> Option<(Language, &Arc<DocsFile>)> {
        let language = std::iter::once(wanted).chain(Language::ALL).find(|l| self.docs.contains_key(l))?;
        self.docs.get(&language).map(|docs| (language, docs))
    }

    /// The variant that reports of a language use, or the one that would be used.
    pub fn variant(&self, language: Language) -> Option<&Arc<Variant>> {
        let mut of_language = self.variants.iter().filter(|v| v.language == language);
        let first = of_language.clone().next();
        of_language.find(|v| v.active()).or(first)
    }
}

/// All metrics in linguistic order: category, then order inside it, then id.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    entries: Vec<MetricEntry>,
    by_id: BTreeMap<String, usize>,
}

impl Registry {
    /// Sorts the metrics; `categories` is the order of `rules/categories.yaml`.
    pub fn new(categories: &[String], mut entries: Vec<MetricEntry>) -> Self {
        let rank = |category: &str| categories.iter().position(|c| c == category).unwrap_or(usize::MAX);
        entries.sort_by(|a, b| {
            let key = |e: &MetricEntry| (rank(&e.manifest.category), e.manifest.order);
            key(a).cmp(&key(b)).then_with(|| a.manifest.id.cmp(&b.manifest.id))
        });
        let by_id = entries.iter().enumerate().map(|(n, e)| (e.manifest.id.clone(), n)).collect();
        Registry { entries, by_id }
    }

    /// All metrics in linguistic order.
    pub fn entries(&self) -> &[MetricEntry] {
        &self.entries
    }

    /// The metric of an id.
    pub fn get(&self, id: &str) -> Option<&MetricEntry> {
        self.by_id.get(id).map(|n| &self.entries[*n])
    }
}
