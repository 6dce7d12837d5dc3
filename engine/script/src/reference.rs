//! What scripts can name, read from the engine itself: for messages that say what exists, and for the test that holds the
//! guide to it.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use glosa_metric::did_you_mean;
use rhai::{Engine, FuncInfo};

use crate::engine::{REFUSED, scripts};
use crate::{figure, genre, glossary, list, quotation, report, run, tally, units, words};

const PROPERTY: &str = "get$";
/// Written like functions, but words of the language.
const WORDS: [&str; 8] = ["print", "debug", "type_of", "Fn", "call", "is_def_var", "is_def_fn", "is_shared"];

/// Something that scripts can name beside the standard library of Rhai.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The type that it belongs to; empty for functions that belong to none.
    pub of: &'static str,
    /// Its name.
    pub name: String,
    /// It is read like `x.name`; else it is called like `x.name(…)`.
    pub property: bool,
}

/// The types that scripts see.
fn types() -> [(TypeId, &'static str); 23] {
    [
        (TypeId::of::<units::Doc>(), "Document"),
        (TypeId::of::<units::Token>(), "Token"),
        (TypeId::of::<units::Sentence>(), "Sentence"),
        (TypeId::of::<units::Block>(), "Block"),
        (TypeId::of::<units::Clause>(), "Clause"),
        (TypeId::of::<units::Word>(), "Word"),
        (TypeId::of::<list::List>(), "List"),
        (TypeId::of::<glossary::Glossary>(), "Glossary"),
        (TypeId::of::<glossary::Term>(), "Term"),
        (TypeId::of::<glossary::Hit>(), "Hit"),
        (TypeId::of::<glossary::Match>(), "Match"),
        (TypeId::of::<figure::Figure>(), "Figure"),
        (TypeId::of::<quotation::Quotation>(), "Quotation"),
        (TypeId::of::<genre::Genre>(), "Genre"),
        (TypeId::of::<genre::Section>(), "Section"),
        (TypeId::of::<tally::Tally>(), "Tally"),
        (TypeId::of::<tally::Groups>(), "Groups"),
        (TypeId::of::<tally::Group>(), "Group"),
        (TypeId::of::<glosa_metric::Repair>(), "Repair"),
        (TypeId::of::<report::Report>(), "Report"),
        (TypeId::of::<run::Thresholds>(), "Params"),
        (TypeId::of::<words::Lists>(), "Lists"),
        (TypeId::of::<words::Words>(), "WordList"),
    ]
}

/// Everything that scripts can name beside the standard library of Rhai, by type.
pub fn reference() -> Vec<Entry> {
    let known = types();
    let entry = |info: FuncInfo<'_>| {
        let metadata = info.metadata;
        let first = metadata.param_types.first();
        let of = first.and_then(|id| known.iter().find(|(known, _)| known == id)).map_or("", |(_, name)| *name);
        let name = metadata.name.as_str();
        match name.strip_prefix(PROPERTY) {
            Some(property) => Some(Entry { of, name: property.to_owned(), property: true }),
            None if REFUSED.iter().any(|(refused, _)| *refused == name) => None,
            None if name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains('$') => {
                Some(Entry { of, name: name.to_owned(), property: false })
            }
            None => None,
        }
    };
    let mut entries: Vec<Entry> = scripts().collect_fn_metadata(None, entry, false);
    entries.sort();
    entries.dedup();
    entries
}

/// Names of all functions and properties, those of Rhai's library among them.
pub(crate) struct Vocabulary {
    /// How many arguments each function takes, the object of a call `x.name(…)` counted.
    pub(crate) functions: BTreeMap<String, BTreeSet<usize>>,
    pub(crate) properties: BTreeSet<String>,
}

/// The vocabulary of the engine.
pub(crate) fn vocabulary() -> &'static Vocabulary {
    static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
    VOCABULARY.get_or_init(|| read(scripts()))
}

fn read(engine: &Engine) -> Vocabulary {
    let mut functions: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let mut properties = BTreeSet::new();
    let named = engine.collect_fn_metadata(None, |f| Some((f.metadata.name.to_string(), f.metadata.num_params)), true);
    for (name, parameters) in named {
        match name.strip_prefix(PROPERTY) {
            Some(property) => drop(properties.insert(property.to_owned())),
            None => drop(functions.entry(name).or_default().insert(parameters)),
        }
    }
    for word in WORDS {
        functions.entry(word.to_owned()).or_default().extend(0..8);
    }
    Vocabulary { functions, properties }
}

/// Properties of a type.
fn properties_of(of: &str) -> Vec<String> {
    reference().into_iter().filter(|entry| entry.property && entry.of == of).map(|entry| entry.name).collect()
}

/// What can be said of a property that does not exist.
pub(crate) fn unknown(property: &str, of: &str) -> Option<String> {
    let known = properties_of(of);
    if known.is_empty() {
        return None;
    }
    let near = did_you_mean(property, known.iter().map(String::as_str));
    Some(match near {
        Some(near) => format!("a {of} has no `{property}`; did you mean `{near}`?"),
        None => format!("a {of} has no `{property}`; it has {}", known.join(", ")),
    })
}

/// What can be said of a function that does not exist for its arguments: `lema (Token, string)`.
pub(crate) fn unknown_function(signature: &str) -> String {
    let (name, arguments) = signature.split_once('(').map_or((signature, ""), |(name, rest)| (name, rest));
    let (name, arguments) = (name.trim(), arguments.trim_end_matches(')'));
    let short = |argument: &str| {
        argument.trim().rsplit("::").next().unwrap_or_default().replace("&str | ImmutableString | ", "")
    };
    let arguments: Vec<String> = arguments.split(',').filter(|a| !a.trim().is_empty()).map(short).collect();
    let given = format!("`{name}` cannot be called with ({})", arguments.join(", "));
    let known = &vocabulary().functions;
    match did_you_mean(name, known.keys().map(String::as_str)) {
        Some(near) if near != name => format!("{given}; did you mean `{near}`?"),
        Some(_) => format!("{given}; the reference in rules/README.md shows what it takes"),
        None => given,
    }
}

/// The property and the type that Rhai's message names.
pub(crate) fn explain(message: &str) -> Option<String> {
    let mut quoted = message.split('\'').skip(1).step_by(2);
    let property = quoted.next()?;
    let of = quoted.next()?;
    message.starts_with("Unknown property").then(|| unknown(property, of)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_rhai_are_understood() {
        let message = "Unknown property 'lema' - a getter is not registered for type 'Token'";
        assert_eq!(explain(message).as_deref(), Some("a Token has no `lema`; did you mean `lemma`?"));
        assert_eq!(explain("Division by zero: 1 / 0"), None);
        assert_eq!(
            unknown_function("capturr (Match, &str | ImmutableString | String)"),
            "`capturr` cannot be called with (Match, String); did you mean `capture`?"
        );
    }

    #[test]
    fn the_engine_tells_its_names() {
        let all = reference();
        let has = |of, name: &str, property| all.contains(&Entry { of, name: name.to_owned(), property });
        assert!(has("Token", "lemma", true) && has("Document", "unpaired", false) && has("", "tally", false));
        assert!(!has("", "sqrt", false), "Rhai's own library is no part of the reference");
        assert!(vocabulary().functions.contains_key("sqrt"));
    }
}
