//! What is said beside the wording of a rule: what the report itself adds, and how often people found the rule right.

use glosa_catalog::Names;
use glosa_text::Language;
use serde::Deserialize;

/// Sentences in the three languages. `{listed}` and `{count}` stand for numbers of places.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notes {
    /// Only the first places are listed.
    pub listed: Names,
    /// A limit ended the search before the end of the text.
    pub ended: Names,
    /// How often people found the places of a rule right: `{documents}` of `{of}` documents, `{right}`, `{debatable}`, `{wrong}`.
    pub judged: Names,
    /// The same of its suggestions.
    pub suggested: Names,
}

impl Notes {
    pub(crate) fn listed(&self, language: Language, listed: usize, count: usize) -> String {
        let note = self.listed.get(language);
        note.replace("{listed}", &listed.to_string()).replace("{count}", &count.to_string())
    }

    /// How often people found a rule right, in so many of all documents: places and suggestions, right, debatable and wrong.
    pub fn judged(
        &self,
        language: Language,
        (documents, of): (usize, usize),
        places: [usize; 3],
        suggestions: [usize; 3],
    ) -> String {
        let filled = |note: &Names, [right, debatable, wrong]: [usize; 3]| {
            let figures = [
                ("{documents}", documents),
                ("{of}", of),
                ("{right}", right),
                ("{debatable}", debatable),
                ("{wrong}", wrong),
            ];
            figures.iter().fold(note.get(language).to_owned(), |note, (key, n)| note.replace(key, &n.to_string()))
        };
        let mut note = filled(&self.judged, places);
        if suggestions != [0; 3] {
            note = format!("{note} {}", filled(&self.suggested, suggestions));
        }
        note
    }

    pub(crate) fn ended(&self, language: Language) -> String {
        self.ended.get(language).to_owned()
    }
}
