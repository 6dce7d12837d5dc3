//! Filling the wording of a recommendation: `{count}` and the facts of the rule.

use std::collections::BTreeMap;

use glosa_metric::{Fact, Fixed};
use glosa_text::Language;

/// A fact as people of the language write it.
pub(crate) fn show(fact: &Fact, language: Language) -> String {
    match fact {
        Fact::Integer(n) => n.to_string(),
        Fact::Text(text) => text.clone(),
        Fact::Number(n) => {
            let rounded = Fixed::round(*n).map_or(0.0, |f| f.0);
            let written = format!("{rounded}");
            if language == Language::En { written } else { written.replace('.', ",") }
        }
    }
}

/// The names of the values that a template shows.
pub fn placeholders(template: &str) -> Vec<&str> {
    let opened = template.split('{').skip(1);
    opened.filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}

/// Fills a template. A placeholder that has no value is left as an ellipsis and named in the second part, so that tests
/// of examples find it.
pub(crate) fn fill(template: &str, facts: &BTreeMap<String, Fact>, language: Language) -> (String, Vec<String>) {
    let mut filled = String::with_capacity(template.len());
    let mut unknown = Vec::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        filled.push_str(&rest[..open]);
        let Some(close) = rest[open..].find('}') else { break };
        let name = &rest[open + 1..open + close];
        match facts.get(name) {
            Some(fact) => filled.push_str(&show(fact, language)),
            None => {
                unknown.push(name.to_owned());
                filled.push('…');
            }
        }
        rest = &rest[open + close + 1..];
    }
    filled.push_str(rest);
    (filled, unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_shown_in_the_language() {
        let facts = BTreeMap::from([("n".to_owned(), Fact::Number(2.5)), ("s".to_owned(), Fact::Text("Plazo".into()))]);
        assert_eq!(fill("{n} en «{s}»", &facts, Language::Es).0, "2,5 en «Plazo»");
        assert_eq!(fill("{n} {x}", &facts, Language::En), ("2.5 …".into(), vec!["x".to_owned()]));
    }
}
