//! What editors show beside the words of the rules, in the language of the text.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use glosa_text::Language;
use serde::Deserialize;

const WORDS: &str = include_str!("../templates/words.yaml");

/// The words of one language; `{text}`, `{new}` and `{count}` are filled in.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    pub replace: String,
    pub delete: String,
    pub suggest: String,
    pub fix_all: String,
    pub also: String,
    pub lacks: String,
}

/// The words of a language.
pub(crate) fn words(language: Language) -> &'static Words {
    static ALL: OnceLock<BTreeMap<Language, Words>> = OnceLock::new();
    static NONE: OnceLock<Words> = OnceLock::new();
    let all = ALL.get_or_init(|| glosa_metric::yaml::read(WORDS).unwrap_or_default());
    all.get(&language).unwrap_or_else(|| NONE.get_or_init(Words::default))
}

/// A template with its values.
pub(crate) fn filled(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |said, (name, value)| said.replace(&format!("{{{name}}}"), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_all_words() {
        for language in Language::ALL {
            let w = words(language);
            for word in [&w.replace, &w.delete, &w.suggest, &w.fix_all, &w.also, &w.lacks] {
                assert!(!word.is_empty(), "{language}");
            }
        }
        assert_eq!(filled(&words(Language::Es).replace, &[("text", "a"), ("new", "b")]), "Cambiar «a» por «b»");
    }
}
