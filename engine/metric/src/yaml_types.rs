//! From a tree of YAML values to the type of a file, with every problem on the way.
//!
//! serde stops at the first thing that does not fit. Here that thing is noted and mended in the tree – an unknown key is
//! left out, a value that is missing or wrong becomes a gap that fits everywhere – and the rest is read again, so that
//! one look at the messages is enough.

use std::fmt;
use std::sync::LazyLock;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};

use crate::problem::{did_you_mean, snippet, valid_names};
use crate::yaml::{At, Key, Node, Value, YamlError};

/// More problems of one file than anybody reads.
const MOST: usize = 100;

/// A gap in the tree: a scalar that no file can hold, because YAML has no such character.
const GAP: &str = "\u{FFFE}";

/// Everything in the tree that does not fit the type; nothing where all of it does.
pub(crate) fn misfits<T: DeserializeOwned>(mut root: Node, source: &str) -> (Option<T>, Vec<YamlError>) {
    let mut found = Vec::new();
    let mut misspelt: Vec<(Vec<Step>, String)> = Vec::new();
    while found.len() < MOST {
        match T::deserialize(Reading(&root)) {
            Ok(value) => return (Some(value), found),
            Err(mut fault) => {
                fault.path.reverse();
                let at = place(&root, &fault.path);
                let is_gap = node(&root, &fault.path).is_some_and(is_gap);
                let said_before = match &fault.said {
                    Said::UnknownKey { name, valid } => {
                        let map = fault.path.split_last().map_or(&[][..], |(_, map)| map);
                        let meant = did_you_mean(name, valid.iter().copied()).unwrap_or_default();
                        misspelt.push((map.to_vec(), meant.to_owned()));
                        false
                    }
                    Said::Missing(name) => misspelt.iter().any(|(map, meant)| *map == fault.path && meant == name),
                    _ => false,
                };
                if !is_gap && !said_before {
                    let (line, column) = (u64::from(at.line), u64::from(at.column));
                    let (message, help) = fault.said.tell();
                    found.push(YamlError { line, column, message, snippet: snippet(source, line, column), help });
                }
                if !mend(&mut root, &fault, is_gap) {
                    break;
                }
            }
        }
    }
    (None, found)
}

/// A step from a value to one inside it; the last one may be the key itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Key(usize),
    Value(usize),
    Item(usize),
}

#[derive(Debug)]
enum Said {
    UnknownKey { name: String, valid: &'static [&'static str] },
    UnknownValue { name: String, valid: &'static [&'static str] },
    Missing(&'static str),
    Other { message: String, help: Option<String> },
}

impl Said {
    fn tell(&self) -> (String, Option<String>) {
        match self {
            Said::UnknownKey { name, valid } => {
                (format!("unknown key `{name}`"), Some(valid_names(name, valid.iter().copied())))
            }
            Said::UnknownValue { name, valid } => {
                (format!("unknown value `{name}`"), Some(valid_names(name, valid.iter().copied())))
            }
            Said::Missing(name) => (format!("the key `{name}` is missing"), Some(format!("add `{name}:`"))),
            Said::Other { message, help } => (message.clone(), help.clone()),
        }
    }
}

/// What does not fit, and where: the steps from the place up to the root.
#[derive(Debug)]
struct Fault {
    path: Vec<Step>,
    said: Said,
}

impl Fault {
    fn new(said: Said) -> Fault {
        Fault { path: Vec::new(), said }
    }

    fn inside(mut self, step: Step) -> Fault {
        self.path.push(step);
        self
    }

    fn expected(wanted: &str, node: &Node, help: impl Into<String>) -> Fault {
        let message = format!("expected {wanted}, found {}", node.value.kind());
        Fault::new(Said::Other { message, help: Some(help.into()) })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.said)
    }
}

impl std::error::Error for Fault {}

impl Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Fault::new(Said::Other { message: message.to_string(), help: None })
    }

    fn invalid_type(_: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        Fault::custom(format_args!("expected {wanted}"))
    }

    fn invalid_value(found: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        match found {
            Unexpected::Str(text) => Fault::custom(format_args!("expected {wanted}, found `{text}`")),
            _ => Fault::custom(format_args!("expected {wanted}")),
        }
    }

    fn unknown_variant(name: &str, valid: &'static [&'static str]) -> Self {
        Fault::new(Said::UnknownValue { name: name.to_owned(), valid })
    }

    fn unknown_field(name: &str, valid: &'static [&'static str]) -> Self {
        Fault::new(Said::UnknownKey { name: name.to_owned(), valid })
    }

    fn missing_field(name: &'static str) -> Self {
        Fault::new(Said::Missing(name))
    }
}

fn gap(at: At) -> Node {
    Node { at, value: Value::Scalar { text: GAP.to_owned(), typed: false } }
}

fn is_gap(node: &Node) -> bool {
    matches!(&node.value, Value::Scalar { text, .. } if text == GAP)
}

fn node<'n>(root: &'n Node, path: &[Step]) -> Option<&'n Node> {
    path.iter().try_fold(root, |node, step| match (&node.value, step) {
        (Value::Map(pairs), Step::Value(n)) => Some(&pairs.get(*n)?.1),
        (Value::List(items), Step::Item(n)) => items.get(*n),
        _ => None,
    })
}

fn place(root: &Node, path: &[Step]) -> At {
    if let [before @ .., Step::Key(n)] = path
        && let Some(Value::Map(pairs)) = node(root, before).map(|node| &node.value)
    {
        return pairs.get(*n).map_or(root.at, |(key, _)| key.at);
    }
    node(root, path).map_or(root.at, |node| node.at)
}

/// Takes what does not fit out of the tree; `false` where that leaves nothing to read.
fn mend(root: &mut Node, fault: &Fault, was_gap: bool) -> bool {
    let (before, last) = match fault.path.split_last() {
        Some((last, before)) => (before, Some(*last)),
        None => (&fault.path[..], None),
    };
    let mut at = &mut *root;
    for step in before {
        at = match (&mut at.value, step) {
            (Value::Map(pairs), Step::Value(n)) if *n < pairs.len() => &mut pairs[*n].1,
            (Value::List(items), Step::Item(n)) if *n < items.len() => &mut items[*n],
            _ => return false,
        };
    }
    match (&mut at.value, last) {
        (Value::Map(pairs), Some(Step::Key(n))) => drop(pairs.remove(n)),
        (Value::Map(pairs), Some(Step::Value(n))) if was_gap => drop(pairs.remove(n)),
        (Value::List(items), Some(Step::Item(n))) if was_gap => drop(items.remove(n)),
        _ if was_gap => return false,
        (Value::Map(pairs), Some(Step::Value(n))) => fill(&mut pairs[n].1, &fault.said),
        (Value::List(items), Some(Step::Item(n))) => fill(&mut items[n], &fault.said),
        (_, None) => fill(at, &fault.said),
        _ => return false,
    }
    true
}

fn fill(node: &mut Node, said: &Said) {
    match (said, &mut node.value) {
        (Said::Missing(name), Value::Map(pairs)) => {
            let at = node.at;
            pairs.push((Key { at, name: (*name).to_owned() }, gap(at)));
        }
        _ => *node = gap(node.at),
    }
}

/// A node that serde reads.
#[derive(Clone, Copy)]
struct Reading<'n>(&'n Node);

impl<'n> Reading<'n> {
    fn text(self) -> Result<&'n str, Fault> {
        match &self.0.value {
            Value::Scalar { text, .. } if text == GAP => Ok(""),
            Value::Scalar { text, .. } => Ok(text),
            _ => Err(Fault::expected("a text", self.0, "write one value; quote it if it holds `: ` or ` #`")),
        }
    }

    fn number<N: std::str::FromStr + Default>(self, wanted: &str) -> Result<N, Fault> {
        match &self.0.value {
            Value::Scalar { text, .. } if text == GAP => Ok(N::default()),
            Value::Scalar { text, typed: true } if text.parse::<N>().is_ok() => Ok(text.parse().unwrap_or_default()),
            _ => Err(Fault::expected(wanted, self.0, format!("write {wanted} without quotes"))),
        }
    }
}

/// Methods of serde for types that are read alike.
macro_rules! alike {
    ($self:ident, $value:expr; $($method:ident $visit:ident),*) => {$(
        fn $method<V: Visitor<'de>>($self, visitor: V) -> Result<V::Value, Fault> {
            visitor.$visit($value)
        }
    )*};
}

impl<'de> Deserializer<'de> for Reading<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match &self.0.value {
            Value::Null => visitor.visit_unit(),
            Value::Scalar { text, typed: true } => {
                match (text.parse::<bool>(), text.parse::<i64>(), text.parse::<f64>()) {
                    (Ok(flag), ..) => visitor.visit_bool(flag),
                    (_, Ok(whole), _) => visitor.visit_i64(whole),
                    (.., Ok(real)) => visitor.visit_f64(real),
                    _ => visitor.visit_str(text),
                }
            }
            Value::Scalar { .. } => visitor.visit_str(self.text()?),
            Value::List(items) => visitor.visit_seq(Items { items, next: 0 }),
            Value::Map(pairs) => visitor.visit_map(Pairs { pairs, next: 0 }),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match &self.0.value {
            Value::Scalar { text, .. } => match text.to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" => visitor.visit_bool(true),
                "false" | "no" | "off" | GAP => visitor.visit_bool(false),
                _ => Err(Fault::expected("true or false", self.0, "write true or false without quotes")),
            },
            _ => Err(Fault::expected("true or false", self.0, "write true or false without quotes")),
        }
    }

    alike!(self, self.number("a whole number")?;
        deserialize_i8 visit_i8, deserialize_i16 visit_i16, deserialize_i32 visit_i32, deserialize_i64 visit_i64,
        deserialize_u8 visit_u8, deserialize_u16 visit_u16, deserialize_u32 visit_u32, deserialize_u64 visit_u64);
    alike!(self, self.number("a number")?; deserialize_f32 visit_f32, deserialize_f64 visit_f64);
    alike!(self, self.text()?;
        deserialize_char visit_str, deserialize_str visit_str, deserialize_string visit_str,
        deserialize_identifier visit_str, deserialize_bytes visit_str, deserialize_byte_buf visit_str);

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.0.value == Value::Null || is_gap(self.0) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match &self.0.value {
            Value::List(items) => visitor.visit_seq(Items { items, next: 0 }),
            _ if is_gap(self.0) => visitor.visit_seq(Items { items: &[], next: 0 }),
            _ => Err(Fault::expected("a list", self.0, "write a list: one entry a line, each after `- `")),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match &self.0.value {
            Value::Map(pairs) => visitor.visit_map(Pairs { pairs, next: 0 }),
            _ if is_gap(self.0) => visitor.visit_map(Pairs { pairs: &[], next: 0 }),
            _ => Err(Fault::expected("a map", self.0, "write `key: value`, one a line")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match &self.0.value {
            Value::Map(pairs) => visitor.visit_map(Pairs { pairs, next: 0 }),
            _ if is_gap(self.0) => visitor.visit_map(Gaps { fields }),
            _ => {
                let keys = fields.join(", ");
                Err(Fault::expected("a map", self.0, format!("write it as a map with the keys {keys}")))
            }
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let name = if is_gap(self.0) { variants.first().copied().unwrap_or_default() } else { self.text()? };
        visitor.visit_enum(Named(name))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }
}

struct Items<'n> {
    items: &'n [Node],
    next: usize,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some(item) = self.items.get(self.next) else { return Ok(None) };
        let step = Step::Item(self.next);
        self.next += 1;
        seed.deserialize(Reading(item)).map(Some).map_err(|fault| fault.inside(step))
    }
}

struct Pairs<'n> {
    pairs: &'n [(Key, Node)],
    next: usize,
}

impl<'de> MapAccess<'de> for Pairs<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some((key, _)) = self.pairs.get(self.next) else { return Ok(None) };
        let step = Step::Key(self.next);
        self.next += 1;
        seed.deserialize(Named(&key.name)).map(Some).map_err(|fault| fault.inside(step))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let number = self.next - 1;
        let value = &self.pairs[number].1;
        seed.deserialize(Reading(value)).map_err(|fault| fault.inside(Step::Value(number)))
    }
}

/// The fields of a gap in the place of a map: gaps all of them.
struct Gaps {
    fields: &'static [&'static str],
}

impl<'de> MapAccess<'de> for Gaps {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some((field, rest)) = self.fields.split_first() else { return Ok(None) };
        self.fields = rest;
        seed.deserialize(Named(field)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        static FITS_EVERYWHERE: LazyLock<Node> = LazyLock::new(|| gap(At { line: 1, column: 1 }));
        seed.deserialize(Reading(&FITS_EVERYWHERE))
    }
}

/// A key, or the name of a value.
#[derive(Clone, Copy)]
struct Named<'n>(&'n str);

impl<'de> Deserializer<'de> for Named<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_str(self.0)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_enum(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq
        tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for Named<'de> {
    type Error = Fault;
    type Variant = Unit;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Unit), Fault> {
        seed.deserialize(self.0.into_deserializer()).map(|value| (value, Unit))
    }
}

/// Values that are chosen by name hold nothing else.
struct Unit;

impl<'de> VariantAccess<'de> for Unit {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Fault> {
        Err(Fault::custom("expected a name alone"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Fault> {
        Err(Fault::custom("expected a name alone"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Fault> {
        Err(Fault::custom("expected a name alone"))
    }
}
