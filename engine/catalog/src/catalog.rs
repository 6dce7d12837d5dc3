//! The resolved genres.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use glosa_metric::{ParamValues, Structure};
use glosa_text::Language;

use crate::{Names, Plan, ResolvedGlossary};

/// A field of use, with its genres.
#[derive(Clone, Debug)]
pub struct Domain {
    /// Public name in requests.
    pub slug: String,
    /// Names that people read.
    pub names: Names,
    /// The whole domain is written in plain language.
    pub clear_language: bool,
}

/// A domain and a text type.
#[derive(Clone, Debug)]
pub struct Genre {
    /// Its domain.
    pub domain: Arc<Domain>,
    /// Public name in requests, inside the domain.
    pub slug: String,
    /// Names that people read.
    pub names: Names,
    /// Written in plain language for the general public.
    pub clear_language: bool,
    /// The languages in which it exists.
    pub editions: BTreeMap<Language, GenreEdition>,
}

/// A genre in one language.
#[derive(Clone, Debug)]
pub struct GenreEdition {
    /// Recommended structure.
    pub structure: Arc<Structure>,
    /// Folded names and synonyms of its sections: lines that equal one are headings.
    pub headings: Arc<HashSet<String>>,
    /// What runs.
    pub plan: Plan,
    /// What the genre says of each metric that has a variant in the language.
    pub scope: BTreeMap<String, MetricScope>,
    /// Glossaries by key.
    pub glossaries: Vec<ResolvedGlossary>,
}

/// What a genre says of one metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricScope {
    /// Reports of the genre evaluate it: the variant is active and the genre opts in.
    pub enabled: bool,
    /// Thresholds that the genre or its profile sets; empty means the language's defaults.
    pub params: ParamValues,
}

/// Why a genre was not found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenreError {
    /// No such genre in the language.
    #[error("there is no such genre in this language")]
    Unknown,
    /// The text type names several genres; these are their domains.
    #[error("the text type exists in several domains: {}", .0.join(", "))]
    Ambiguous(Vec<String>),
}

/// All domains and genres.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    pub(crate) domains: Vec<Arc<Domain>>,
    pub(crate) genres: Vec<Genre>,
    pub(crate) occurrences: BTreeMap<String, Names>,
}

impl Catalog {
    /// Domains by slug.
    pub fn domains(&self) -> &[Arc<Domain>] {
        &self.domains
    }

    /// Genres by domain and slug, in any language.
    pub fn genres(&self) -> &[Genre] {
        &self.genres
    }

    /// Genres of a domain that exist in a language.
    pub fn genres_of<'c>(&'c self, domain: &'c str, language: Language) -> impl Iterator<Item = &'c Genre> {
        self.genres.iter().filter(move |g| g.domain.slug == domain && g.editions.contains_key(&language))
    }

    /// The genre that a request names, with its edition in the language.
    pub fn find(
        &self,
        language: Language,
        domain: Option<&str>,
        text_type: &str,
    ) -> Result<(&Genre, &GenreEdition), GenreError> {
        let named = self.genres.iter().filter(|g| g.slug == text_type && domain.is_none_or(|d| g.domain.slug == d));
        let found: Vec<_> = named.filter_map(|g| Some((g, g.editions.get(&language)?))).collect();
        match found.as_slice() {
            [] => Err(GenreError::Unknown),
            [only] => Ok(*only),
            several => Err(GenreError::Ambiguous(several.iter().map(|(g, _)| g.domain.slug.clone()).collect())),
        }
    }

    /// The name of a key of `occurrence`, such as `always`.
    pub fn occurrence_name(&self, key: &str, language: Language) -> Option<&str> {
        self.occurrences.get(key).map(|names| names.get(language))
    }
}
