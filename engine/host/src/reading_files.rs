//! Corrections of the tagger: `rules/readings.<language>.yaml` of each root.

use std::collections::BTreeMap;

use glosa_lingua::Runtime;
use glosa_metric::{CompileContext, Readings, WordLists};
use glosa_text::Language;

use crate::phrase_tables::tokenise;
use crate::reader::Reader;
use crate::word_lists::{Participles, lemmas_of_form};

/// Reads those of a root.
pub(crate) fn read(
    reader: &mut Reader<'_>,
    runtime: &Runtime,
    participles: &Participles<'_>,
    readings: &mut BTreeMap<Language, Readings>,
) {
    for language in Language::ALL.into_iter().filter(|language| reader.wants(*language)).collect::<Vec<_>>() {
        let path = reader.path(&file(language));
        if !path.is_file() {
            continue;
        }
        let Some(source) = reader.text(&path) else { continue };
        let name = reader.name(&path);
        let (found, problems) = Readings::read(&CompileContext {
            file: &name,
            source: &source,
            params: &BTreeMap::new(),
            tokenize: &|text| tokenise(runtime, language, text),
            table: None,
            columns: &|_| None,
            lists: &WordLists::default(),
            lemmas: &|word| lemmas_of_form(runtime, language, word),
            participles: &|verb| participles.of(language, verb),
        });
        reader.problems.extend(problems);
        readings.entry(language).or_default().extend(found);
    }
}

/// The file of a language, from its root.
pub(crate) fn file(language: Language) -> String {
    format!("rules/readings.{language}.yaml")
}
