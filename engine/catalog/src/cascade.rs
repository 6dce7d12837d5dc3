//! The cascade of glossaries: genre, domain, language; the most specific level that holds rows wins whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glosa_metric::{Glossary, SourceLevel};
use glosa_text::Language;

/// Language, key, domain and text type.
type Place = (Language, String, Option<String>, Option<String>);

/// All glossaries that were found, by language, key and place in the cascade.
#[derive(Clone, Debug, Default)]
pub struct GlossaryShelf {
    by_place: BTreeMap<Place, Arc<Glossary>>,
}

/// The glossary that a key stands for in one genre.
#[derive(Clone, Debug)]
pub struct ResolvedGlossary {
    /// The glossary of the winning level.
    pub glossary: Arc<Glossary>,
    /// Metrics that the genre runs and that read it, in linguistic order.
    pub used_by: Vec<String>,
}

impl ResolvedGlossary {
    /// Whether it comes from a less specific level than the genre.
    pub fn inherited(&self) -> bool {
        self.glossary.level != SourceLevel::TextType
    }
}

impl GlossaryShelf {
    /// Puts a glossary on the shelf. `domain` and `text_type` are its place; both absent is the language-wide level.
    pub fn add(&mut self, language: Language, domain: Option<&str>, text_type: Option<&str>, glossary: Arc<Glossary>) {
        let place = (language, glossary.key.clone(), domain.map(str::to_owned), text_type.map(str::to_owned));
        self.by_place.insert(place, glossary);
    }

    /// The glossary that a key stands for in a genre; `None` when no level holds rows.
    pub fn resolve(&self, language: Language, domain: &str, text_type: &str, key: &str) -> Option<&Arc<Glossary>> {
        let levels = [(Some(domain), Some(text_type)), (Some(domain), None), (None, None)];
        levels.into_iter().find_map(|(domain, text_type)| {
            let place = (language, key.to_owned(), domain.map(str::to_owned), text_type.map(str::to_owned));
            self.by_place.get(&place).filter(|g| !g.entries.is_empty())
        })
    }

    /// Whether a key exists in a language at any level.
    pub fn has(&self, language: Language, key: &str) -> bool {
        self.by_place.keys().any(|(l, k, ..)| *l == language && k == key)
    }

    /// The language-wide glossary of a key, else the first one that holds rows: for trying a rule outside any genre.
    pub fn any(&self, language: Language, key: &str) -> Option<&Arc<Glossary>> {
        let global = self.by_place.get(&(language, key.to_owned(), None, None)).filter(|g| !g.entries.is_empty());
        let of_key = self.by_place.iter().filter(|((l, k, ..), g)| *l == language && k == key && !g.entries.is_empty());
        global.or_else(|| of_key.map(|(_, g)| g).next())
    }

    /// The further columns that rows of a key have in a language, at any level; `None` where the key does not exist.
    pub fn columns(&self, language: Language, key: &str) -> Option<Vec<String>> {
        let of_key = self.by_place.iter().filter(|((l, k, ..), _)| *l == language && k == key).map(|(_, g)| g);
        let mut columns: Option<BTreeSet<String>> = None;
        for glossary in of_key {
            let rows = glossary.entries.iter().flat_map(|row| row.data.keys().cloned());
            columns.get_or_insert_default().extend(rows);
        }
        columns.map(|columns| columns.into_iter().collect())
    }

    /// All keys of a language, sorted.
    pub fn keys(&self, language: Language) -> Vec<&str> {
        let mut keys: Vec<&str> =
            self.by_place.keys().filter(|(l, ..)| *l == language).map(|(_, k, ..)| k.as_str()).collect();
        keys.dedup();
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glossary(level: SourceLevel, rows: usize) -> Arc<Glossary> {
        let row = glosa_metric::GlossaryEntry {
            examples: Default::default(),
            term: "a".into(),
            replacement: None,
            alternatives: vec![],
            kind: Default::default(),
            status: Default::default(),
            by: Default::default(),
            pos: None,
            note: None,
            active: true,
            data: Default::default(),
        };
        Arc::new(Glossary {
            key: "k".into(),
            title: "K".into(),
            level,
            table: 0,
            entries: vec![row; rows],
            rows: Default::default(),
        })
    }

    #[test]
    fn the_most_specific_level_that_holds_rows_wins() {
        let mut shelf = GlossaryShelf::default();
        shelf.add(Language::Es, None, None, glossary(SourceLevel::Global, 3));
        shelf.add(Language::Es, Some("salud"), None, glossary(SourceLevel::Domain, 2));
        shelf.add(Language::Es, Some("salud"), Some("folleto"), glossary(SourceLevel::TextType, 0));
        let level = |domain, text_type| shelf.resolve(Language::Es, domain, text_type, "k").map(|g| g.level);
        assert_eq!(level("salud", "folleto"), Some(SourceLevel::Domain));
        assert_eq!(level("turismo", "folleto"), Some(SourceLevel::Global));
        assert!(shelf.resolve(Language::Ca, "salud", "folleto", "k").is_none());
    }
}
