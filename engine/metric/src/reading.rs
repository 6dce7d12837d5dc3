//! Corrections of the tagger by authors, `rules/readings.<language>.yaml`: what a form is where certain words stand beside
//! it. They are applied to the analysed text before any rule sees it, and cost nothing where the form does not stand.

use std::collections::BTreeMap;
use std::sync::Arc;

use glosa_text::{Correction, Document, Upos, normal_form};

use crate::compile::{CompileContext, compile_selection};
use crate::pattern::{FEATURES, Query};
use crate::problem::valid_names;
use crate::variant_file::{Examples, read_examples, read_variant};
use crate::yaml::{At, Key, Node, Value, tree};
use crate::yaml_reader::{Located, Reader};
use crate::{Budget, Glossaries, Input, NoInflection, Params, Problem, Structure};

/// Tests of what stands beside the form, as in the steps of a pattern.
pub(crate) const BESIDE: [&str; 4] = ["preceded_by", "not_preceded_by", "followed_by", "not_followed_by"];
pub(crate) const KEYS: [&str; 5] = ["form", "now", "is", "why", "examples"];
/// The capture that is the form.
const WORD: &str = "word";

/// The corrections of one language.
#[derive(Debug, Default)]
pub struct Readings {
    readings: Vec<Reading>,
}

/// One correction.
#[derive(Debug)]
pub struct Reading {
    /// Where it stands in its file.
    pub at: At,
    /// What the form is.
    pub is: Is,
    /// Texts in which it has to apply to what is marked (`bad`), and texts in which it must change nothing (`good`).
    pub examples: Examples,
    query: Query,
    /// Normal forms, without one of which nothing matches.
    forms: Vec<String>,
}

/// A reading of a form; what is absent stays as the tagger has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Is {
    /// Part of speech.
    pub pos: Option<Upos>,
    /// Dictionary form.
    pub lemma: Option<String>,
    /// Features as the FEATS string.
    pub feats: Option<String>,
}

impl Readings {
    /// Reads a file: `{readings: [{form, now, preceded_by, …, is: {pos, lemma, morph}, why, examples: {bad, good}}]}`. Beside
    /// what is right stands everything that is wrong.
    pub fn read(context: &CompileContext<'_>) -> (Readings, Vec<Problem>) {
        let root = match tree(context.source) {
            Ok(root) => root,
            Err(error) => return (Readings::default(), vec![Problem::yaml(context.file, &error)]),
        };
        let mut reader = Reader::new(context.file, context.source);
        let mut readings = Vec::new();
        for (_, list) in reader.map(&root, "corrections of the tagger", &["readings"]) {
            for item in reader.list(list, "a list of readings") {
                readings.extend(reading(&mut reader, item, context));
            }
        }
        (Readings { readings }, reader.sorted())
    }

    /// The corrections in the order of the file.
    pub fn all(&self) -> &[Reading] {
        &self.readings
    }

    /// Adds those of another root.
    pub fn extend(&mut self, more: Readings) {
        self.readings.extend(more.readings);
    }

    /// The document with the readings put right.
    pub fn correct(&self, document: Document) -> Document {
        let stands = |reading: &&Reading| reading.forms.iter().any(|form| !document.with_norm(form).is_empty());
        let standing: Vec<&Reading> = self.readings.iter().filter(stands).collect();
        if standing.is_empty() {
            return document;
        }
        let document = Arc::new(document);
        let input = Input {
            document: Arc::clone(&document),
            params: Arc::new(Params::new(Arc::default())),
            glossaries: Arc::new(Glossaries::default()),
            hits: Arc::default(),
            structure: Arc::new(Structure::default()),
            inflect: Arc::new(NoInflection),
            budget: Budget::default(),
            occurrences: 0,
            trial: false,
            views: Arc::default(),
        };
        let mut corrections: BTreeMap<u32, &Is> = BTreeMap::new();
        for Reading { query, is, .. } in standing {
            let found = query.find(&input).unwrap_or_default();
            let places = found.iter().filter_map(|hit| hit.named(query, WORD)).map(|word| word.tokens.start);
            corrections.extend(places.map(|place| (place, is)));
        }
        drop(input);
        let document = Arc::unwrap_or_clone(document);
        document.corrected(corrections.into_iter().map(|(token, is)| Correction {
            token,
            pos: is.pos,
            lemma: is.lemma.as_deref(),
            feats: is.feats.as_deref(),
        }))
    }
}

fn reading(reader: &mut Reader<'_>, item: &Node, context: &CompileContext<'_>) -> Option<Reading> {
    let before = reader.problems.len();
    let mut step: Vec<(Key, Node)> = Vec::new();
    let mut is = None;
    let mut forms = Vec::new();
    let mut examples = Examples::default();
    let mut now = Is::default();
    let valid: Vec<&str> = KEYS.into_iter().chain(BESIDE).collect();
    for (key, node) in reader.map(item, "a reading", &valid) {
        match key.name.as_str() {
            "form" => {
                forms = read_forms(reader, node, context);
                step.push((Key { at: key.at, name: "norm".to_owned() }, node.clone()));
            }
            "now" => match &node.value {
                Value::Map(tests) => {
                    now = certain(tests);
                    step.extend(tests.iter().cloned());
                }
                _ => {
                    reader.problem(node.at, "expected tests of the form as it is read now", "write `now: {pos: VERB}`")
                }
            },
            "is" => is = Some((read_is(reader, node), node.at)),
            "examples" => examples = read_examples(reader, node),
            "why" => drop(reader.text(node)),
            _ => step.push((key.clone(), node.clone())),
        }
    }
    if !step.iter().any(|(key, _)| key.name == "norm") {
        reader.problem(item.at, "a reading needs `form`", "write the form as it stands in texts, or a list of forms");
    }
    if let Some((is, at)) = &is
        && now.pos.is_some()
        && (is.pos.is_none() || is.pos == now.pos)
        && (is.lemma.is_none() || is.lemma == now.lemma)
        && is.feats.is_none()
    {
        let help = "write what it is instead, or delete the correction";
        reader.problem(*at, "the form is read so already, as `now` says, so that nothing ever changes", help);
    }
    if is.is_none() {
        reader.problem(item.at, "a reading needs `is`", "write what the form is: `is: {pos: NOUN, lemma: window}`");
    }
    if examples.bad.is_empty() {
        reader.problem(
            item.at,
            "a reading needs an example",
            "write `examples: {bad: ['Proceed to <window> two.'], good: [They window the wall.]}`",
        );
    }
    if reader.problems.len() > before {
        return None;
    }
    let key = |name: &str| Key { at: item.at, name: name.to_owned() };
    let text = |text: &str| Node { at: item.at, value: Value::Scalar { text: text.to_owned(), typed: false } };
    step.push((key("as"), text(WORD)));
    let step = Node { at: item.at, value: Value::Map(step) };
    let pattern = Node { at: item.at, value: Value::List(vec![step]) };
    let file = Node { at: item.at, value: Value::Map(vec![(key("match"), pattern)]) };
    let variant = read_variant(reader, &file);
    if reader.problems.len() > before {
        return None;
    }
    match compile_selection(&variant, context) {
        Err(problems) => {
            reader.problems.extend(problems);
            None
        }
        Ok(selection) => Some(Reading { at: item.at, is: is?.0, examples, query: selection.query?, forms }),
    }
}

/// Normal forms of the words that are read anew; one that no word of a text can be, or that stands there twice, is a problem.
fn read_forms(reader: &mut Reader<'_>, node: &Node, context: &CompileContext<'_>) -> Vec<String> {
    let mut forms: Vec<String> = Vec::new();
    for form in reader.texts(node) {
        let norm = normal_form(&form);
        if (context.tokenize)(&form).len() != 1 {
            let message = format!("`{}` is not one word, so it never matches", *form);
            reader.problem(
                form.at,
                message,
                "name the one word that is read anew; the words beside it stand in `preceded_by` and `followed_by`",
            );
        } else if forms.contains(&norm) {
            reader.problem(form.at, format!("`{}` stands here twice", *form), "delete one of them");
        }
        forms.push(norm);
    }
    forms
}

/// Part of speech and lemma that tests leave no choice of.
fn certain(tests: &[(Key, Node)]) -> Is {
    let text = |name: &str| {
        let value = tests.iter().find(|(key, _)| key.name == name).map(|(_, node)| &node.value);
        match value {
            Some(Value::Scalar { text, .. }) if !text.starts_with(['/', '$']) => Some(text.clone()),
            _ => None,
        }
    };
    Is { pos: text("pos").and_then(|tag| tag.parse().ok()), lemma: text("lemma"), feats: None }
}

fn read_is(reader: &mut Reader<'_>, node: &Node) -> Is {
    let mut is = Is::default();
    for (key, node) in reader.map(node, "a reading", &["pos", "lemma", "morph"]) {
        match key.name.as_str() {
            "lemma" => is.lemma = reader.text(node).map(|lemma| lemma.value),
            "pos" => {
                let Some(tag) = reader.text(node) else { continue };
                is.pos = tag.parse().ok();
                if is.pos.is_none() {
                    let help = valid_names(&tag.to_uppercase(), Upos::ALL.map(Upos::as_str));
                    reader.problem(tag.at, format!("unknown part of speech `{}`", *tag), help);
                }
            }
            _ => is.feats = Some(read_morph(reader, node)),
        }
    }
    is
}

fn read_morph(reader: &mut Reader<'_>, node: &Node) -> String {
    let names: Vec<&str> = FEATURES.iter().map(|(name, _)| *name).collect();
    let mut feats: BTreeMap<String, String> = BTreeMap::new();
    for (key, value) in reader.map(node, "features", &names) {
        let Some(Located { value, at }) = reader.text(value) else { continue };
        let known = FEATURES.iter().find(|(name, _)| *name == key.name).map_or(&[][..], |(_, values)| values);
        if !known.is_empty() && !known.contains(&value.as_str()) {
            let help = valid_names(&value, known.iter().copied());
            reader.problem(at, format!("`{}` has no value `{value}`", key.name), help);
        }
        feats.insert(key.name.clone(), value);
    }
    feats.into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("|")
}
