//! Takes a tree of YAML values apart and notes every problem on the way instead of stopping at the first.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use crate::pattern::Sequence;
use crate::problem::valid_names;
use crate::yaml::{At, Key, Node, Value};
use crate::{ParamValue, Problem};

/// A value and the place in its file where it is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub at: At,
}

impl<T> Deref for Located<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> From<T> for Located<T> {
    fn from(value: T) -> Self {
        Located { value, at: At::default() }
    }
}

/// Reads one file.
pub(crate) struct Reader<'s> {
    pub(crate) file: &'s str,
    pub(crate) source: &'s str,
    pub(crate) problems: Vec<Problem>,
    /// Parts of patterns that have a name.
    pub(crate) parts: BTreeMap<String, PatternPart>,
    /// Names of parts that are not read yet.
    pub(crate) later_parts: BTreeSet<String>,
}

/// A part of patterns with a name.
#[derive(Debug)]
pub(crate) struct PatternPart {
    pub(crate) at: At,
    pub(crate) sequences: Vec<Sequence>,
    pub(crate) used: bool,
}

impl<'s> Reader<'s> {
    pub(crate) fn new(file: &'s str, source: &'s str) -> Self {
        Reader { file, source, problems: Vec::new(), parts: BTreeMap::new(), later_parts: BTreeSet::new() }
    }

    /// All problems in the order of the file, each once.
    pub(crate) fn sorted(mut self) -> Vec<Problem> {
        self.problems.sort_by(|a, b| (a.line, a.column, &a.message).cmp(&(b.line, b.column, &b.message)));
        self.problems.dedup();
        self.problems
    }

    pub(crate) fn problem(&mut self, at: At, message: impl Into<String>, help: impl Into<String>) {
        let problem =
            Problem::of(self.file, message).at(u64::from(at.line), u64::from(at.column)).help(help).show(self.source);
        self.problems.push(problem);
    }

    fn expected(&mut self, node: &Node, wanted: &str, help: &str) {
        let found = node.value.kind();
        self.problem(node.at, format!("expected {wanted}, found {found}"), help);
    }

    /// The pairs of a map whose keys are all in `valid`; others are noted and left out.
    pub(crate) fn map<'n>(&mut self, node: &'n Node, what: &str, valid: &[&str]) -> Vec<(&'n Key, &'n Node)> {
        let Value::Map(pairs) = &node.value else {
            let keys = valid.join(", ");
            self.expected(node, what, &format!("write it as a map with the keys {keys}"));
            return Vec::new();
        };
        let mut known = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            if valid.contains(&key.name.as_str()) {
                known.push((key, value));
            } else {
                let help = valid_names(&key.name, valid.iter().copied());
                self.problem(key.at, format!("unknown key `{}`", key.name), help);
            }
        }
        known
    }

    pub(crate) fn text(&mut self, node: &Node) -> Option<Located<String>> {
        match &node.value {
            Value::Scalar { text, .. } => Some(Located { value: text.clone(), at: node.at }),
            _ => {
                self.expected(node, "a text", "write one value; quote it if it holds `:` or `#`");
                None
            }
        }
    }

    /// A text or a list of texts.
    pub(crate) fn texts(&mut self, node: &Node) -> Vec<Located<String>> {
        match &node.value {
            Value::List(items) => items.iter().filter_map(|item| self.text(item)).collect(),
            Value::Scalar { .. } => self.text(node).into_iter().collect(),
            _ => {
                self.expected(node, "a text or a list of texts", "write `word` or `[word, word]`");
                Vec::new()
            }
        }
    }

    pub(crate) fn list<'n>(&mut self, node: &'n Node, what: &str) -> &'n [Node] {
        match &node.value {
            Value::List(items) => items,
            _ => {
                self.expected(node, what, "write a list: one entry a line, each after `- `");
                &[]
            }
        }
    }

    pub(crate) fn flag(&mut self, node: &Node) -> Option<bool> {
        match &node.value {
            Value::Scalar { text, typed: true } if text.eq_ignore_ascii_case("true") => Some(true),
            Value::Scalar { text, typed: true } if text.eq_ignore_ascii_case("false") => Some(false),
            _ => {
                self.expected(node, "true or false", "write `true` or `false`");
                None
            }
        }
    }

    pub(crate) fn choice<T: Copy>(&mut self, node: &Node, choices: &[(&str, T)]) -> Option<T> {
        let text = self.text(node)?;
        let found = choices.iter().find(|(name, _)| **name == *text.value);
        if found.is_none() {
            let help = valid_names(&text, choices.iter().map(|(name, _)| *name));
            self.problem(node.at, format!("unknown value `{}`", *text), help);
        }
        found.map(|(_, value)| *value)
    }

    pub(crate) fn param(&mut self, node: &Node) -> Option<ParamValue> {
        match &node.value {
            Value::Scalar { text, typed: true } => Some(match text.to_ascii_lowercase().as_str() {
                "true" => ParamValue::Flag(true),
                "false" => ParamValue::Flag(false),
                number => match (number.parse::<i64>(), number.parse::<f64>()) {
                    (Ok(whole), _) => ParamValue::Integer(whole),
                    (_, Ok(real)) => ParamValue::Number(real),
                    _ => ParamValue::Text(text.clone()),
                },
            }),
            Value::Scalar { text, .. } => Some(ParamValue::Text(text.clone())),
            Value::List(_) => Some(ParamValue::List(self.texts(node).into_iter().map(|text| text.value).collect())),
            _ => {
                self.expected(node, "a threshold", "write a number, a flag, a word or a list of words");
                None
            }
        }
    }
}
