//! What the report itself adds to the wording of a rule.

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
}

impl Notes {
    pub(crate) fn listed(&self, language: Language, listed: usize, count: usize) -> String {
        let note = self.listed.get(language);
        note.replace("{listed}", &listed.to_string()).replace("{count}", &count.to_string())
    }

    pub(crate) fn ended(&self, language: Language) -> String {
        self.ended.get(language).to_owned()
    }
}
