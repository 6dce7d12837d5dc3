//! The recommended structure of a genre, as rules see it.

use serde::Serialize;

/// The sections that a text of the genre should have, in reading order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// The sections.
    pub sections: Vec<Section>,
    /// The order of the sections is free: rules about order do not apply.
    pub free_order: bool,
}

/// One section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Its usual heading.
    pub name: String,
    /// Other headings that name it.
    pub synonyms: Vec<String>,
    /// What it should cover.
    pub contents: Vec<Content>,
}

/// One content of a section.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Content {
    /// What it is.
    pub name: String,
    /// How often it appears: `always`, `usual`, `optional` …; `None` where nothing is known.
    pub occurrence: Option<String>,
    /// Words or phrases whose presence shows that the content is there.
    pub cues: Vec<String>,
    /// Suggested wording.
    pub phraseology: Vec<String>,
}

impl Section {
    /// Whether the section is expected: one of its contents appears always or usually.
    pub fn expected(&self) -> bool {
        self.contents.iter().any(|c| matches!(c.occurrence.as_deref(), Some("always" | "usual")))
    }
}
