//! What keeps rules data: words stand in lists, scripts stay short, nothing is written twice, and the language has no part
//! that no rule uses.
#![allow(clippy::disallowed_methods, reason = "a test that reads files")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use glosa_lingua::Runtime;
use glosa_metric::{Form, ParamValue, VariantFile, schema};
use glosa_text::Language;

const LONGEST_SCRIPT: usize = 150;
/// Alternatives of a regular expression from which it is a list of words.
const MOST_ALTERNATIVES: usize = 4;

fn top() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).to_owned()
}

/// Files of all rules and of the folders beside them, by path inside `rules`.
fn files(ending: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let rules = top().join("rules");
    for folder in fs::read_dir(&rules).expect("rules").flatten().filter(|entry| entry.path().is_dir()) {
        for file in fs::read_dir(folder.path()).expect("a folder").flatten() {
            let path = file.path();
            if path.is_file() && path.extension().is_some_and(|e| e == ending) {
                let name = path.strip_prefix(&rules).expect("inside rules").display().to_string();
                found.insert(name, fs::read_to_string(path).expect("a text"));
            }
        }
    }
    assert!(found.len() > 3, "the rules are there");
    found
}

/// The variants of the rules, by the path of their file.
fn variants() -> BTreeMap<String, VariantFile> {
    let all = files("yaml").into_iter().filter(|(name, _)| name.rsplit('/').next().is_some_and(|file| file.len() == 7));
    all.map(|(name, source)| (name.clone(), VariantFile::read(&name, &source).unwrap_or_default())).collect()
}

/// A text or sign of a script: what is written, its line, and what stands before it.
struct Literal {
    text: String,
    line: usize,
    before: String,
}

/// The literals of a script; comments are none.
fn literals(source: &str) -> Vec<Literal> {
    let mut found = Vec::new();
    for (line, text) in source.lines().enumerate() {
        let mut before = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['"', '\'', '`', '/']) {
            before.push_str(&rest[..at]);
            let sign = &rest[at..=at];
            rest = &rest[at + 1..];
            if sign == "/" {
                if rest.starts_with('/') {
                    break;
                }
                before.push('/');
                continue;
            }
            let mut inside = String::new();
            let mut chars = rest.char_indices();
            let mut end = rest.len();
            while let Some((at, c)) = chars.next() {
                match c {
                    '\\' => inside.extend(chars.next().map(|(_, c)| if c.is_alphabetic() { ' ' } else { c })),
                    c if sign.starts_with(c) => {
                        end = at + 1;
                        break;
                    }
                    c => inside.push(c),
                }
            }
            rest = &rest[end..];
            found.push(Literal { text: inside, line: line + 1, before: before.clone() });
            before.push('_');
        }
    }
    found
}

/// Functions whose text arguments are names, not words of a text.
const NAMING: [&str; 10] =
    ["fact(", "glossary(", "data(", "has(", "morph(", "capture(", "count(", "term(", "inflect(", "Fn("];

/// What shows that a line compares words of a text: elsewhere an English word is a name that the script gives its own things.
/// Single letters are spelling, not words.
const COMPARING: [&str; 9] =
    [".norm", ".lemma", ".form", ".text", "with_norm(", "with_lemma(", "has_phrase(", "starts_with(", "ends_with("];

/// Names that the engine gives: kinds, statuses, tags, features, languages.
fn names_of_the_engine() -> BTreeSet<String> {
    let mut names: BTreeSet<String> = [
        "es",
        "ca",
        "en",
        "paragraph",
        "heading",
        "item",
        "replace",
        "explain",
        "prefer",
        "forbid",
        "allow",
        "safe",
        "suggest",
        "term",
    ]
    .map(str::to_owned)
    .into();
    let features = &schema::variant()["$defs"]["tests"]["properties"]["morph"]["properties"];
    for (feature, values) in features.as_object().expect("features") {
        names.insert(feature.clone());
        let texts = serde_json::to_string(values).expect("a text");
        names.extend(texts.split('"').map(str::to_owned));
    }
    names.extend(glosa_text::Upos::ALL.map(|tag| tag.as_str().to_owned()));
    names
}

#[test]
fn scripts_hold_no_words_of_a_language() {
    let runtime = Runtime::new().expect("the models");
    let variants = variants();
    let known = |word: &str, compared: bool| {
        let lower = word.to_lowercase();
        let knows = |language| runtime.lexicon(language).is_known(&lower);
        let name = !compared && knows(Language::En);
        lower.chars().count() > 1 && !name && Language::ALL.into_iter().any(knows)
    };
    let engine = names_of_the_engine();
    let mut wrong = Vec::new();
    for (name, source) in files("rhai") {
        let folder = name.split('/').next().unwrap_or_default();
        let own = variants.iter().filter(|(file, _)| folder == "scripts" || file.starts_with(&format!("{folder}/")));
        let keys: BTreeSet<String> = own
            .flat_map(|(_, variant)| {
                let entries = variant.lists.iter().flat_map(|list| &list.entries);
                let said = entries.filter(|entry| entry.value.is_some()).flat_map(|entry| {
                    let value = match &entry.value {
                        Some(ParamValue::Text(text)) => Some(text.clone()),
                        _ => None,
                    };
                    std::iter::once(entry.word.value.clone()).chain(value)
                });
                variant.captures().into_iter().chain(said).collect::<Vec<_>>()
            })
            .collect();
        let lines: Vec<&str> = source.lines().collect();
        for Literal { text, line, before } in literals(&source) {
            let compared = COMPARING.iter().any(|name| lines[line - 1].contains(name));
            let call = before.rfind('(').map(|open| &before[..=open]);
            let naming = call.is_some_and(|call| NAMING.iter().any(|name| call.ends_with(name)));
            if naming || engine.contains(&text) || keys.contains(&text) {
                continue;
            }
            let words = text.split(|c: char| !c.is_alphabetic() && c != '·').filter(|word| !word.is_empty());
            let words = words.filter(|word| !(text.contains('=') && engine.contains(*word)));
            wrong.extend(
                words.filter(|word| known(word, compared)).map(|word| format!("{name}:{line}: `{word}` in {text:?}")),
            );
        }
    }
    assert!(wrong.is_empty(), "words belong into `lists:`\n{}", wrong.join("\n"));
}

#[test]
fn literals_are_found_and_comments_are_not() {
    let source = "let a = \"uno \\\" dos\"; // \"tres\"\nlet b = x / y + 'c'; fact(\"count\", `d`);\n";
    let found: Vec<(String, usize)> = literals(source).into_iter().map(|l| (l.text, l.line)).collect();
    let wanted = [("uno \" dos", 1), ("c", 2), ("count", 2), ("d", 2)];
    assert_eq!(found, wanted.map(|(text, line)| (text.to_owned(), line)));
}

#[test]
fn scripts_are_short() {
    let long: Vec<String> = files("rhai")
        .into_iter()
        .filter(|(_, source)| source.lines().count() > LONGEST_SCRIPT)
        .map(|(name, source)| format!("{name} has {} lines", source.lines().count()))
        .collect();
    assert!(
        long.is_empty(),
        "a script decides, it does not search: at most {LONGEST_SCRIPT} lines\n{}",
        long.join("\n")
    );
}

/// The groups `(one|two|three|four)` of regular expressions in a file; those of endings and signs are none.
fn alternations(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (open, _) in source.match_indices('(') {
        let inside: &str = &source[open + 1..];
        let end = inside.find([')', '(', '\n']).unwrap_or(0);
        let words = inside[..end].split('|').filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 2);
        if inside[end..].starts_with(')') && words.count() >= MOST_ALTERNATIVES {
            found.push(inside[..end].to_owned());
        }
    }
    found
}

#[test]
fn no_alternation_stands_twice_in_a_rule() {
    let mut seen: BTreeMap<(String, String), String> = BTreeMap::new();
    let mut twice = Vec::new();
    for (name, source) in files("yaml") {
        let folder = name.split('/').next().unwrap_or_default().to_owned();
        for group in alternations(&source) {
            if let Some(first) = seen.insert((folder.clone(), group.clone()), name.clone()) {
                let shown: String = group.chars().take(60).collect();
                twice.push(format!("{name}: ({shown}…) stands in {first} too"));
            }
        }
    }
    assert!(twice.is_empty(), "write a list of words, or name a part with `define`\n{}", twice.join("\n"));
    assert_eq!(alternations("'/(uno|dos|tres|seis)(st|nd|rd|th)/'"), ["uno|dos|tres|seis"]);
}

/// The keys of a schema of objects.
fn keys(schema: &serde_json::Value) -> BTreeSet<String> {
    let properties = schema["properties"].as_object().expect("properties");
    properties.keys().cloned().collect()
}

#[test]
fn every_part_of_the_pattern_language_is_used() {
    let schema = schema::variant();
    let defs = &schema["$defs"];
    let mut wanted = keys(&schema);
    wanted.extend(keys(&defs["step"]["anyOf"][1]));
    wanted.extend(keys(&defs["choice"]));
    wanted.extend(keys(&defs["gate"]));
    let all: String = files("yaml").into_values().collect();
    let unused: Vec<&String> = wanted
        .iter()
        .filter(|key| {
            let used = |(at, _): (usize, &str)| {
                let before = all[..at].chars().next_back().unwrap_or(' ');
                !before.is_alphanumeric() && before != '_'
            };
            !all.match_indices(&format!("{key}:")).any(used)
        })
        .collect();
    assert!(unused.is_empty(), "no shipped rule uses {unused:?}: take it out of the language");
}

#[test]
fn everything_that_scripts_can_name_is_used() {
    let scripts: String = files("rhai").into_values().collect();
    let formulas: String = variants()
        .into_values()
        .filter_map(|variant| match variant.form?.value {
            Form::Measure(formula) => Some(formula.body),
            _ => None,
        })
        .collect();
    let text = format!("{scripts} {formulas}");
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let unused: Vec<String> = glosa_script::reference()
        .into_iter()
        .filter(|entry| !words.contains(entry.name.as_str()))
        .map(|entry| if entry.of.is_empty() { entry.name } else { format!("{}.{}", entry.of, entry.name) })
        .collect();
    assert!(unused.is_empty(), "no shipped script uses {unused:?}: take it out of the engine");
}
