//! Lists of words that patterns, templates and scripts name: `lists:` of a variant and `rules/lists/<name>.<language>.yaml`.
//!
//! A list holds words or phrases, each perhaps with a value: `[enero, febrero]` or `{imposible: posible}`. Entries are
//! compared by normal form, so that capitals and the kind of apostrophe do not matter; a lemma or form may also be met as
//! it is written in the list. A list is compiled once and shared by all that name it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glosa_text::{Language, Sym, Symbols, normal_form};
use rustc_hash::FxHashMap;

use crate::yaml::{At, Node, Value, tree};
use crate::yaml_reader::{Located, Reader};
use crate::{ParamValue, Problem};

/// A list as it is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListFile {
    /// The name by which it is read.
    pub name: Located<String>,
    /// Its entries, in the order of the file.
    pub entries: Vec<ListEntry>,
}

/// A word or phrase of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListEntry {
    /// As written.
    pub word: Located<String>,
    /// What the list says of it: a text, a number, a flag or a list of texts.
    pub value: Option<ParamValue>,
}

impl ListFile {
    /// Reads `rules/lists/<name>.<language>.yaml`: a list of words, or a map from word to value.
    ///
    /// # Errors
    /// Everything in it that is no list, each with its place.
    pub fn read(name: &str, file: &str, source: &str) -> (Option<ListFile>, Vec<Problem>) {
        let root = match tree(source) {
            Ok(root) => root,
            Err(error) => return (None, vec![Problem::yaml(file, &error)]),
        };
        let mut reader = Reader::new(file, source);
        let entries = read_entries(&mut reader, &root);
        let name = Located { value: name.to_owned(), at: root.at };
        (Some(ListFile { name, entries }), reader.sorted())
    }
}

/// Reads `lists:` of a variant.
pub(crate) fn read_lists(reader: &mut Reader<'_>, node: &Node) -> Vec<ListFile> {
    let Value::Map(pairs) = &node.value else {
        reader.problem(
            node.at,
            format!("expected lists by name, found {}", node.value.kind()),
            "write `lists:` as a map: `months: [enero, febrero]` or `opposites: {imposible: posible}`",
        );
        return Vec::new();
    };
    let mut lists = Vec::with_capacity(pairs.len());
    for (key, value) in pairs {
        let legal = key.name.starts_with(|c: char| c.is_ascii_lowercase())
            && key.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if !legal {
            let message = format!("`{}` is no name for a list", key.name);
            reader.problem(
                key.at,
                message,
                "use small letters, digits and `_`: patterns read `$name`, scripts `lists.name`",
            );
        }
        let name = Located { value: key.name.clone(), at: key.at };
        lists.push(ListFile { name, entries: read_entries(reader, value) });
    }
    lists
}

fn read_entries(reader: &mut Reader<'_>, node: &Node) -> Vec<ListEntry> {
    let mut entries = Vec::new();
    match &node.value {
        Value::List(items) => {
            for item in items {
                entries.extend(reader.text(item).map(|word| ListEntry { word, value: None }));
            }
        }
        Value::Map(pairs) => {
            for (key, value) in pairs {
                let word = Located { value: key.name.clone(), at: key.at };
                let value = match value.value {
                    Value::Null => None,
                    Value::Map(_) => {
                        let message = format!("expected what the list says of `{}`, found a map", key.name);
                        reader.problem(value.at, message, "write a text, a number or a list of texts");
                        None
                    }
                    _ => reader.param(value),
                };
                entries.push(ListEntry { word, value });
            }
        }
        _ => reader.problem(
            node.at,
            format!("expected words, found {}", node.value.kind()),
            "write a list, `[enero, febrero]`, or a map from word to value, `{imposible: posible}`",
        ),
    }
    let mut seen: FxHashMap<String, At> = FxHashMap::default();
    for ListEntry { word, .. } in &entries {
        if word.trim().is_empty() {
            reader.problem(word.at, "an empty entry never matches", "write a word, or delete the entry");
        } else if let Some(first) = seen.insert(key_of(word), word.at) {
            let message = format!("`{}` stands here twice; first on line {}", **word, first.line);
            reader.problem(word.at, message, "keep one: entries are compared without capitals");
        }
    }
    entries
}

/// The normal form of an entry, its words one space apart.
fn key_of(word: &str) -> String {
    let norm = normal_form(word);
    match norm.contains("  ") || norm.trim().len() < norm.len() {
        true => norm.split_whitespace().collect::<Vec<_>>().join(" "),
        false => norm,
    }
}

/// A list that is ready to be asked.
#[derive(Debug, Default)]
pub struct WordList {
    name: String,
    entries: Vec<ListEntry>,
    /// Entries by normal form and, for those of one token, as they are written.
    keys: FxHashMap<Box<str>, Found>,
    /// Entries of several tokens by the first, the longest first; each without its first token.
    phrases: FxHashMap<Box<str>, Vec<Box<[String]>>>,
    /// Tokens of the longest entry.
    longest: u32,
}

#[derive(Clone, Copy, Debug)]
struct Found {
    entry: u32,
    /// It is one token.
    single: bool,
}

impl WordList {
    /// Compiles a list; `tokenize` takes a text apart as the language's tokenizer does and gives the normal forms.
    pub fn new(file: &ListFile, tokenize: &dyn Fn(&str) -> Vec<String>) -> WordList {
        let mut list = WordList { name: file.name.value.clone(), entries: file.entries.clone(), ..WordList::default() };
        for (ListEntry { word, .. }, entry) in file.entries.iter().zip(0u32..) {
            let plain = word.chars().all(|c| c.is_alphabetic() || c == '·');
            let mut tokens = if plain { vec![normal_form(word)] } else { tokenize(word) };
            let single = tokens.len() == 1;
            list.longest = list.longest.max(tokens.len() as u32);
            if single {
                list.keys.entry(word.as_str().into()).or_insert(Found { entry, single });
                list.keys.insert(tokens.remove(0).into(), Found { entry, single });
            } else if !tokens.is_empty() {
                let first = tokens.remove(0);
                list.phrases.entry(first.into()).or_default().push(tokens.into());
            }
            list.keys.insert(key_of(word).into(), Found { entry, single });
        }
        for rests in list.phrases.values_mut() {
            rests.sort_by_key(|rest| std::cmp::Reverse(rest.len()));
        }
        list
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its entries, in the order of the file.
    pub fn entries(&self) -> &[ListEntry] {
        &self.entries
    }

    /// The entry of a word or phrase, by normal form.
    pub fn entry(&self, text: &str) -> Option<&ListEntry> {
        let found = self.keys.get(text).or_else(|| self.keys.get(key_of(text).as_str()))?;
        self.entries.get(found.entry as usize)
    }

    /// Whether a word or phrase is one of its entries, by normal form.
    pub fn contains(&self, text: &str) -> bool {
        self.entry(text).is_some()
    }

    /// Whether the normal form or lemma of a token is an entry.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.keys.get(word).is_some_and(|found| found.single)
    }

    /// Whether a token as written is an entry as written.
    pub(crate) fn has_form(&self, form: &str) -> bool {
        let found = self.keys.get(form).filter(|found| found.single);
        found.is_some_and(|found| *self.entries[found.entry as usize].word == *form)
    }

    /// The first entry of several tokens.
    pub(crate) fn phrase(&self) -> Option<&str> {
        let mut entries = self.entries.iter();
        let phrase = entries.find(|entry| self.keys.get(key_of(&entry.word).as_str()).is_some_and(|f| !f.single))?;
        Some(&phrase.word)
    }

    /// What may follow a first token so that an entry of several is there, the longest first.
    pub(crate) fn rests(&self, first: &str) -> &[Box<[String]>] {
        self.phrases.get(first).map_or(&[], Vec::as_slice)
    }

    /// Tokens of the longest entry.
    pub(crate) fn longest(&self) -> u32 {
        self.longest
    }

    /// The symbols of a document that are an entry of one token, or the first token of another where `phrases` is set:
    /// asks for the entries or for the words of the document, whichever are fewer.
    pub(crate) fn symbols(&self, symbols: &Symbols, phrases: bool, mut found: impl FnMut(Sym)) {
        let firsts = if phrases { self.phrases.len() } else { 0 };
        if self.keys.len() + firsts > symbols.len() {
            for number in 0..symbols.len() as u32 {
                let word = symbols.get(Sym(number));
                if self.has(word) || (phrases && self.phrases.contains_key(word)) {
                    found(Sym(number));
                }
            }
            return;
        }
        let singles = self.keys.iter().filter(|(_, found)| found.single).map(|(word, _)| word);
        singles.filter_map(|word| symbols.find(word)).for_each(&mut found);
        if phrases {
            let firsts = self.phrases.keys().filter(|first| !self.has(first));
            firsts.filter_map(|word| symbols.find(word)).for_each(found);
        }
    }
}

/// The lists that one variant may name: its own and the shared ones of its language.
#[derive(Clone, Debug, Default)]
pub struct WordLists {
    by_name: BTreeMap<String, Arc<WordList>>,
    elsewhere: BTreeMap<String, BTreeSet<Language>>,
}

impl WordLists {
    /// Adds a list.
    pub fn add(&mut self, list: Arc<WordList>) {
        self.by_name.insert(list.name.clone(), list);
    }

    /// Notes that a shared list has a file in another language.
    pub fn elsewhere(&mut self, name: &str, language: Language) {
        self.elsewhere.entry(name.to_owned()).or_default().insert(language);
    }

    /// The list of a name.
    pub fn get(&self, name: &str) -> Option<&Arc<WordList>> {
        self.by_name.get(name)
    }

    /// All names, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.by_name.keys().map(String::as_str)
    }

    /// The languages that have a shared list of this name, where the language at hand has none.
    pub fn other_languages(&self, name: &str) -> Vec<Language> {
        self.elsewhere.get(name).into_iter().flatten().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(yaml: &str) -> WordList {
        let (file, problems) = ListFile::read("sample", "sample.ca.yaml", yaml);
        assert!(problems.is_empty(), "{problems:?}");
        let split = |text: &str| text.split_whitespace().map(normal_form).collect();
        WordList::new(&file.expect("a list"), &split)
    }

    #[test]
    fn words_are_compared_by_normal_form() {
        let list = list("# Words\n- L’aigua\n- BOE\n- per  tal de\n");
        assert!(list.contains("l'aigua") && list.contains("L’Aigua") && list.contains("Per tal de"));
        assert!(list.has("boe") && list.has("BOE") && list.has_form("BOE") && !list.has_form("boe"));
        assert!(!list.has("per tal de"), "a phrase is no token");
        assert_eq!(list.rests("per"), [["tal".to_owned(), "de".to_owned()].into()]);
        assert_eq!(list.longest(), 3);
    }

    #[test]
    fn values_have_types() {
        let list = list("uno: 1\nmedio: 0.5\nposible: imposible\nviable: [inviable, imposible]\nnada:\n");
        let value = |word| list.entry(word).and_then(|entry| entry.value.clone());
        assert_eq!(value("UNO"), Some(ParamValue::Integer(1)));
        assert_eq!(value("medio"), Some(ParamValue::Number(0.5)));
        assert_eq!(value("viable"), Some(ParamValue::List(vec!["inviable".into(), "imposible".into()])));
        assert_eq!((value("nada"), value("todo")), (None, None));
    }

    #[test]
    fn words_of_a_document_are_found_from_either_side() {
        let mut symbols = Symbols::default();
        let words = ["el", "boe", "per"].map(|word| symbols.intern(word));
        let small = list("[boe]");
        let large = list("[a, b, c, d, e, f, g, boe, per tal de]");
        let found = |list: &WordList, phrases| {
            let mut found = Vec::new();
            list.symbols(&symbols, phrases, |sym| found.push(sym));
            found
        };
        assert_eq!(found(&small, true), [words[1]]);
        assert_eq!(found(&large, true), [words[1], words[2]]);
        assert_eq!(found(&large, false), [words[1]]);
    }
}
