//! What a rule says of one place, put together in Rust and lent to the host.

use crate::abi;
use crate::abi::Range;

/// A value that the wording may show.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A count.
    Integer(i64),
    /// A number with decimals.
    Number(f64),
    /// A word or name.
    Text(String),
}

impl From<i64> for Fact {
    fn from(value: i64) -> Fact {
        Fact::Integer(value)
    }
}
impl From<u32> for Fact {
    fn from(value: u32) -> Fact {
        Fact::Integer(i64::from(value))
    }
}
impl From<f64> for Fact {
    fn from(value: f64) -> Fact {
        Fact::Number(value)
    }
}
impl From<&str> for Fact {
    fn from(value: &str) -> Fact {
        Fact::Text(value.to_owned())
    }
}
impl From<String> for Fact {
    fn from(value: String) -> Fact {
        Fact::Text(value)
    }
}

impl Fact {
    pub(crate) fn lend(&self, name: &str) -> abi::Fact {
        let mut fact = abi::Fact {
            name: abi::Str::new(name),
            kind: abi::GLOSA_INTEGER,
            integer: 0,
            number: 0.0,
            text: abi::Str::NONE,
        };
        match self {
            Fact::Integer(n) => fact.integer = *n,
            Fact::Number(n) => {
                fact.kind = abi::GLOSA_NUMBER;
                fact.number = *n;
            }
            Fact::Text(text) => {
                fact.kind = abi::GLOSA_TEXT;
                fact.text = abi::Str::new(text);
            }
        }
        fact
    }
}

#[derive(Clone, Debug)]
struct Connector {
    span: Range,
    relation: String,
    alternatives: Vec<String>,
}

/// One occurrence.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    span: Range,
    missing: Option<String>,
    also: Vec<Range>,
    replacement: Option<String>,
    alternatives: Vec<String>,
    edits: Vec<(Range, String)>,
    connectors: Vec<Connector>,
    facts: Vec<(String, Fact)>,
}

impl Finding {
    /// A finding at a place, in code points.
    pub fn at(span: Range) -> Finding {
        Finding { span, ..Finding::default() }
    }

    /// A finding about something that is not in the text.
    pub fn missing(name: impl Into<String>) -> Finding {
        Finding { missing: Some(name.into()), ..Finding::default() }
    }

    /// Adds a further place of the same unit.
    pub fn also(mut self, span: Range) -> Finding {
        self.also.push(span);
        self
    }

    /// The preferred replacement of the whole place, with the edit that carries it out.
    pub fn replace(self, text: impl Into<String>) -> Finding {
        let text = text.into();
        let span = self.span;
        self.suggest(text.clone()).edit(span, text)
    }

    /// The preferred replacement without an edit: the writer decides.
    pub fn suggest(mut self, text: impl Into<String>) -> Finding {
        self.replacement = Some(text.into());
        self
    }

    /// Adds another replacement.
    pub fn alternative(mut self, text: impl Into<String>) -> Finding {
        self.alternatives.push(text.into());
        self
    }

    /// Adds a change of the text.
    pub fn edit(mut self, span: Range, text: impl Into<String>) -> Finding {
        self.edits.push((span, text.into()));
        self
    }

    /// Adds a connector inside the place, with those that can open the second half.
    pub fn connector(mut self, span: Range, relation: impl Into<String>, alternatives: Vec<String>) -> Finding {
        self.connectors.push(Connector { span, relation: relation.into(), alternatives });
        self
    }

    /// Sets a value for the wording.
    pub fn fact(mut self, name: &str, value: impl Into<Fact>) -> Finding {
        self.facts.push((name.to_owned(), value.into()));
        self
    }

    /// Lends the finding for the time of `call`.
    pub(crate) fn lend<R>(&self, call: impl FnOnce(&abi::Finding) -> R) -> R {
        let strings = |list: &[String]| list.iter().map(|s| abi::Str::new(s)).collect::<Vec<_>>();
        let optional = |string: &Option<String>| string.as_deref().map_or(abi::Str::NONE, abi::Str::new);
        let alternatives = strings(&self.alternatives);
        let edits: Vec<_> =
            self.edits.iter().map(|(span, text)| abi::Edit { span: *span, text: abi::Str::new(text) }).collect();
        let splits: Vec<_> = self.connectors.iter().map(|c| strings(&c.alternatives)).collect();
        let connectors: Vec<_> = self
            .connectors
            .iter()
            .zip(&splits)
            .map(|(c, alternatives)| abi::Connector {
                span: c.span,
                relation: abi::Str::new(&c.relation),
                alternatives: abi::Array::new(alternatives),
            })
            .collect();
        let facts: Vec<_> = self.facts.iter().map(|(name, value)| value.lend(name)).collect();
        call(&abi::Finding {
            size: size_of::<abi::Finding>() as u32,
            span: self.span,
            missing: optional(&self.missing),
            also: abi::Array::new(&self.also),
            replacement: optional(&self.replacement),
            alternatives: abi::Array::new(&alternatives),
            edits: abi::Array::new(&edits),
            connectors: abi::Array::new(&connectors),
            facts: abi::Array::new(&facts),
        })
    }
}
