//! The one door to YAML: every error names line, column, what was expected, and shows the place.
//!
//! Most files are read into their types by [`read`]. The files of variants go through [`Node`], a tree in which
//! every value knows its place, so that later problems still name a line. Both tell all problems of a file at once.

use std::fmt;

use serde::de::{DeserializeOwned, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
pub use serde_saphyr::Spanned;

use crate::problem::{snippet, valid_names};
use crate::yaml_syntax;
use crate::yaml_types::misfits;

/// What is wrong with a YAML file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct YamlError {
    /// Line, from 1; 0 when the reader gave none.
    pub line: u64,
    /// Column, from 1.
    pub column: u64,
    /// Cause.
    pub message: String,
    /// The line with a caret under the place.
    pub snippet: Option<String>,
    /// Cure.
    pub help: Option<String>,
}

/// Reads a YAML document into a type.
///
/// # Errors
/// The first thing that is not YAML, or everything that is not of the type, in the order of the document.
pub fn read<T: DeserializeOwned>(source: &str) -> Result<T, Vec<YamlError>> {
    let first = match serde_saphyr::from_str(source) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let mut errors = match tree(source) {
        Ok(root) => misfits::<T>(root, source).1,
        Err(error) => vec![error],
    };
    if errors.is_empty() {
        errors.push(explain(&first, source));
    }
    errors.sort_by_key(|error| (error.line, error.column));
    Err(errors)
}

fn explain(error: &serde_saphyr::Error, source: &str) -> YamlError {
    use serde_saphyr::Error as E;
    let at = error.location();
    let (line, column) = at.map_or((0, 0), |l| (l.line(), l.column()));
    let bare = error.without_snippet();
    let (message, help) = match bare {
        E::SerdeUnknownField { field, expected, .. } => {
            (format!("unknown key `{field}`"), Some(valid_names(field, expected.iter().copied())))
        }
        E::SerdeUnknownVariant { variant, expected, .. } => {
            (format!("unknown value `{variant}`"), Some(valid_names(variant, expected.iter().copied())))
        }
        E::SerdeMissingField { field, .. } => {
            (format!("the key `{field}` is missing"), Some(format!("add `{field}:`")))
        }
        E::DuplicateMappingKey { key: Some(key), .. } => {
            (format!("the key `{key}` is given twice"), Some("keep one of them".to_owned()))
        }
        E::InvalidScalar { ty, .. } => {
            let wanted = match *ty {
                "bool" | "boolean" => "true or false",
                "f64" | "f32" | "floating point" => "a number",
                _ => "a whole number",
            };
            (format!("expected {wanted}"), Some(format!("write {wanted} without quotes")))
        }
        other => {
            let said = plain(&other.to_string(), line, column);
            if let Some(known) = yaml_syntax::explain(&said, source, line, column) {
                let snippet = snippet(source, known.line, known.column);
                let yaml_syntax::Explained { line, column, message, help } = known;
                return YamlError { line, column, message, snippet, help: Some(help) };
            }
            let syntax = line > 0 && !said.contains("given twice");
            (said, syntax.then(yaml_syntax::general_cure))
        }
    };
    YamlError { line, column, message, snippet: snippet(source, line, column), help }
}

/// The reader's sentence without the place, which is told beside it.
fn plain(message: &str, line: u64, column: u64) -> String {
    let first = message.lines().next().unwrap_or_default();
    let place = format!(" at line {line}, column {column}");
    let first = first.strip_prefix("error: ").unwrap_or(first);
    let first = match first.strip_prefix("line ") {
        Some(rest) => rest.split_once(": ").map_or(first, |(_, said)| said),
        None => first,
    };
    first.replace(&place, "")
}

/// A place in a YAML file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct At {
    /// Line, from 1; 0 where a value was not read from a file.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it starts.
    pub at: At,
    /// The value.
    pub value: Value,
}

/// A YAML value whose scalars are kept as they are written.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `~`, `null` or nothing.
    Null,
    /// A scalar; `plain` where it is not quoted, so that it may be a number or a flag.
    Scalar {
        /// As written, quotes and escapes undone.
        text: String,
        /// It reads as a number or a flag.
        typed: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// A map in the order of the file.
    Map(Vec<(Key, Node)>),
}

/// A key of a map and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Where it starts.
    pub at: At,
    /// The key.
    pub name: String,
}

impl Value {
    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "nothing",
            Value::Scalar { typed: true, .. } => "a number or flag",
            Value::Scalar { .. } => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }
}

/// Reads a YAML document into a tree of places.
///
/// # Errors
/// The first thing that is not YAML, duplicate keys among them.
pub fn tree(source: &str) -> Result<Node, YamlError> {
    let options = serde_saphyr::options! { strict_booleans: true };
    let raw: Spanned<Raw> =
        serde_saphyr::from_str_with_options(source, options).map_err(|error| explain(&error, source))?;
    Ok(place(raw, source))
}

enum Raw {
    Null,
    Text(String),
    Typed(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

fn at(location: serde_saphyr::Location) -> At {
    At { line: location.line() as u32, column: location.column() as u32 }
}

fn place(raw: Spanned<Raw>, source: &str) -> Node {
    let value = match raw.value {
        Raw::Null => Value::Null,
        Raw::Text(text) => Value::Scalar { text, typed: false },
        Raw::Typed(read) => {
            let span = raw.defined.span();
            let written = span
                .byte_offset()
                .zip(span.byte_len())
                .and_then(|(from, length)| source.get(from as usize..(from + length) as usize));
            Value::Scalar {
                text: written.map(str::trim).filter(|text| !text.is_empty()).map_or(read, str::to_owned),
                typed: true,
            }
        }
        Raw::List(items) => Value::List(items.into_iter().map(|i| place(i, source)).collect()),
        Raw::Map(pairs) => Value::Map(
            pairs
                .into_iter()
                .map(|(key, value)| {
                    let key = Key { at: at(key.referenced), name: key.value };
                    (key, place(value, source))
                })
                .collect(),
        ),
    };
    Node { at: at(raw.referenced), value }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyValue;
        impl<'de> Visitor<'de> for AnyValue {
            type Value = Raw;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, number, list or map")
            }
            fn visit_unit<E>(self) -> Result<Raw, E> {
                Ok(Raw::Null)
            }
            fn visit_none<E>(self) -> Result<Raw, E> {
                Ok(Raw::Null)
            }
            fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
                Ok(Raw::Typed(value.to_string()))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
                Ok(Raw::Typed(value.to_string()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
                Ok(Raw::Typed(value.to_string()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
                Ok(Raw::Typed(value.to_string()))
            }
            fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
                Ok(Raw::Text(value.to_owned()))
            }
            fn visit_string<E>(self, value: String) -> Result<Raw, E> {
                Ok(Raw::Text(value))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    list.push(item);
                }
                Ok(Raw::List(list))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Raw, A::Error> {
                let mut map: Vec<(Spanned<String>, Spanned<Raw>)> = Vec::new();
                while let Some(key) = pairs.next_key::<Spanned<String>>()? {
                    if map.iter().any(|(known, _)| known.value == key.value) {
                        return Err(A::Error::custom(format_args!("the key `{}` is given twice", key.value)));
                    }
                    map.push((key, pairs.next_value()?));
                }
                Ok(Raw::Map(map))
            }
        }
        deserializer.deserialize_any(AnyValue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_are_kept_as_written() {
        let node = tree("a: no\nb: 007\nc: 1.50\nd: ~\ne: '12'\nf: true\n").unwrap();
        let Value::Map(pairs) = node.value else { panic!("a map") };
        let texts: Vec<_> = pairs
            .iter()
            .map(|(_, node)| match &node.value {
                Value::Scalar { text, typed } => (text.as_str(), *typed),
                _ => ("~", false),
            })
            .collect();
        assert_eq!(texts, [("no", false), ("007", true), ("1.50", true), ("~", false), ("12", false), ("true", true)]);
        assert_eq!(pairs[2].1.at, At { line: 3, column: 4 });
    }
}
