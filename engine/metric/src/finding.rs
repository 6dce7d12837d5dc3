//! What a rule says of one place: where it is and what could stand there instead.

use std::collections::BTreeMap;

use glosa_text::Span;

/// A change of the text, in code points of the submitted text. Empty text deletes; an empty span inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

/// Where a finding is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A place of the text.
    At(Span),
    /// Something that is not in the text, such as a missing section: its name.
    Unlocated(String),
}

/// A connector inside a long sentence, where it could be split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connector {
    /// Place of the connector.
    pub span: Span,
    /// The relation that it expresses: `cause`, `concession` …
    pub relation: String,
    /// Connectors of the same relation that can open the second half; `report` sorts and capitalises them.
    pub alternatives: Vec<String>,
}

/// A value that the wording of a finding may show: `{words}`, `{section}` …
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A count.
    Integer(i64),
    /// A measured number, shown with at most two decimals.
    Number(f64),
    /// A word or name.
    Text(String),
}

/// One occurrence, as its rule sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Where.
    pub place: Place,
    /// Further places of the same unit (repeated word, glossary entry), without the first.
    pub also: Vec<Span>,
    /// Preferred replacement of the whole place.
    pub replacement: Option<String>,
    /// Other replacements.
    pub alternatives: Vec<String>,
    /// Changes that carry out the preferred replacement, in any order.
    pub edits: Vec<Edit>,
    /// Connectors inside the place; long sentences only.
    pub connectors: Vec<Connector>,
    /// Values for the wording.
    pub facts: BTreeMap<String, Fact>,
    /// The wording of the report that is meant for it, of `report.wordings` in the documentation.
    pub wording: Option<String>,
}

impl Finding {
    /// A finding at a place, without advice.
    pub fn at(span: Span) -> Self {
        Finding::new(Place::At(span))
    }

    /// A finding about something that is not in the text.
    pub fn unlocated(name: impl Into<String>) -> Self {
        Finding::new(Place::Unlocated(name.into()))
    }

    fn new(place: Place) -> Self {
        Finding {
            place,
            also: Vec::new(),
            replacement: None,
            alternatives: Vec::new(),
            edits: Vec::new(),
            connectors: Vec::new(),
            facts: BTreeMap::new(),
            wording: None,
        }
    }

    /// The span, if the finding has one.
    pub fn span(&self) -> Option<Span> {
        match self.place {
            Place::At(span) => Some(span),
            Place::Unlocated(_) => None,
        }
    }

    /// Suggests a replacement without an edit: the writer decides.
    pub fn suggest(mut self, replacement: impl Into<String>) -> Self {
        self.replacement = Some(replacement.into());
        self
    }

    /// Suggests a replacement and the edit that carries it out over the whole place.
    pub fn replace(mut self, replacement: impl Into<String>) -> Self {
        let text = replacement.into();
        if let Place::At(span) = self.place {
            self.edits = vec![Edit { span, text: text.clone() }];
        }
        self.replacement = Some(text);
        self
    }

    /// Sets a value for the wording.
    pub fn fact(mut self, name: &str, value: Fact) -> Self {
        self.facts.insert(name.to_owned(), value);
        self
    }
}
