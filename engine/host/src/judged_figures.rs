//! `rules/judged.yaml`: what people said of the places of each rule. `rules precision --write` makes it from the judged documents,
//! so that a service shows the figures without them.

use std::collections::BTreeMap;

use glosa_catalog::Names;
use glosa_report::judged::{Judgement, Verdicts};
use glosa_text::Language;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::reader::Reader;

/// The figures of a language in one root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgedFigures {
    /// How many documents were judged.
    pub documents: usize,
    /// By rule; one that marked nothing in them is absent.
    pub rules: BTreeMap<String, RuleFigures>,
}

/// What was said of one rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleFigures {
    /// Documents in which it marks something.
    pub documents: usize,
    /// Its places: right, debatable, wrong.
    pub places: [usize; 3],
    /// Its replacements and alternatives: right, debatable, wrong.
    #[serde(default)]
    pub suggestions: [usize; 3],
    /// Right places that it does not mark any more, by decision.
    #[serde(default)]
    pub left: usize,
}

/// `rules/figures.yaml`: how the documentation of a rule tells its figures. Stand for numbers: `{documents}` of `{of}` documents in
/// which it marks something, `{right}`, `{debatable}`, `{wrong}`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FigureNotes {
    /// Of its places.
    judged: Names,
    /// Of its suggestions.
    suggested: Names,
}

impl FigureNotes {
    /// The figures of a rule in a sentence or two.
    pub(crate) fn told(&self, language: Language, of: usize, figures: &RuleFigures) -> String {
        let filled = |note: &Names, [right, debatable, wrong]: [usize; 3]| {
            let all = [
                ("{documents}", figures.documents),
                ("{of}", of),
                ("{right}", right),
                ("{debatable}", debatable),
                ("{wrong}", wrong),
            ];
            all.iter().fold(note.get(language).to_owned(), |note, (key, n)| note.replace(key, &n.to_string()))
        };
        let places = filled(&self.judged, figures.places);
        match figures.suggestions {
            [0, 0, 0] => places,
            suggestions => format!("{places} {}", filled(&self.suggested, suggestions)),
        }
    }
}

/// The file of a root.
pub(crate) type JudgedFile = BTreeMap<Language, JudgedFigures>;

impl RuleFigures {
    /// The figures of a rule that marks something in so many documents.
    pub fn of(documents: usize, judgement: &Judgement) -> RuleFigures {
        let three = |verdicts: Verdicts| [verdicts.right, verdicts.debatable, verdicts.wrong];
        RuleFigures {
            documents,
            places: three(judgement.places),
            suggestions: three(judgement.suggestions),
            left: judgement.left,
        }
    }
}

/// The text of the file.
pub fn written(figures: &BTreeMap<Language, JudgedFigures>) -> String {
    let mut text = "# yaml-language-server: $schema=schemas/judged.schema.json\n\
                    # What people said of the places and suggestions of each rule, right, debatable and wrong: made from the judged\n\
                    # documents by `cargo rules precision --write`, shown on the pages of the rules. Not to be edited.\n"
        .to_owned();
    for (language, figures) in figures {
        text += &format!("{language}:\n  documents: {}\n  rules:\n", figures.documents);
        for (rule, f) in &figures.rules {
            let suggestions =
                if f.suggestions == [0; 3] { String::new() } else { format!(", suggestions: {:?}", f.suggestions) };
            let left = if f.left == 0 { String::new() } else { format!(", left: {}", f.left) };
            text += &format!("    {rule}: {{documents: {}, places: {:?}{suggestions}{left}}}\n", f.documents, f.places);
        }
    }
    text
}

/// The figures of the rules of a root, each with the number of documents that were judged, join those of the roots before.
pub(crate) fn read(reader: &mut Reader<'_>, figures: &mut BTreeMap<(String, Language), (usize, RuleFigures)>) {
    let path = reader.path("rules/judged.yaml");
    if !path.is_file() {
        return;
    }
    for (language, of) in reader.yaml::<JudgedFile>(&path).unwrap_or_default() {
        figures.extend(of.rules.into_iter().map(|(rule, f)| ((rule, language), (of.documents, f))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_is_read() {
        let rule = RuleFigures { documents: 2, places: [3, 1, 0], suggestions: [2, 0, 1], left: 4 };
        let quiet = RuleFigures { documents: 1, places: [1, 0, 0], ..RuleFigures::default() };
        let rules = BTreeMap::from([("a".to_owned(), rule), ("b".to_owned(), quiet)]);
        let figures = BTreeMap::from([(Language::Ca, JudgedFigures { documents: 7, rules })]);
        let read: JudgedFile = glosa_metric::yaml::read(&written(&figures)).expect("sound");
        assert_eq!(read, figures);
    }
}
