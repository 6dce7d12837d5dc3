//! The steps of a pattern as their author wrote them, read from YAML.

use std::collections::BTreeSet;

use glosa_text::BlockKind;

use crate::amount::Times;
use crate::problem::valid_names;
use crate::yaml::{At, Key, Node, Value};
use crate::yaml_reader::{Located, PatternPart, Reader};

/// How often one step can stand.
const MOST_REPEATS: u32 = 8;
/// Tokens that a gap can pass.
const WIDEST_GAP: u32 = 40;

/// Steps that follow one another.
pub type Sequence = Vec<Step>;

/// One step of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Where it stands.
    pub at: At,
    /// What it covers.
    pub what: What,
    /// How often; once where nothing is said.
    pub repeat: Option<Times>,
    /// Name of the capture.
    pub name: Option<Located<String>>,
    /// What must or must not stand beside it.
    pub looks: Vec<Look>,
}

/// What a step covers.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Words by normal form; several where the tokenizer takes the text apart.
    Words(String),
    /// One token, or one term of a glossary.
    Tests(Box<Tests>),
    /// One of these sequences.
    Any(Vec<Sequence>),
    /// As few tokens as possible, `0..8`, each of which passes the tests.
    Gap(Times, Box<Tests>),
}

/// A condition on the words before or after a step that covers none of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Where it stands.
    pub at: At,
    /// It looks at what stands before the step.
    pub behind: bool,
    /// It must not be found.
    pub negative: bool,
    /// What is looked for.
    pub sequence: Sequence,
}

/// Facts of a token that are true or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// Its first letter is a capital.
    Capitalised,
    /// All its letters are capitals.
    AllCaps,
    /// It has a letter.
    Word,
    /// It has digits and no letters.
    Number,
    /// It is punctuation.
    Punctuation,
    /// The lexicon knows it.
    Known,
    /// White space stands before it.
    SpaceBefore,
    /// No word or number stands before it in its sentence.
    First,
    /// A quotation is open before it in its sentence.
    Quoted,
}

pub(crate) const FLAGS: &[(&str, Flag)] = &[
    ("capitalised", Flag::Capitalised),
    ("all_caps", Flag::AllCaps),
    ("word", Flag::Word),
    ("number", Flag::Number),
    ("punctuation", Flag::Punctuation),
    ("known", Flag::Known),
    ("space_before", Flag::SpaceBefore),
    ("first", Flag::First),
    ("quoted", Flag::Quoted),
];

/// The tests of a step: all keys must hold; a list means any of its items.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tests {
    /// As written.
    pub form: Vec<Located<String>>,
    /// Normal form, `/regex/` or `$param`.
    pub norm: Vec<Located<String>>,
    /// Lemma, `/regex/` or `$param`.
    pub lemma: Vec<Located<String>>,
    /// Verbs: the normal form is a participle of one of them, whatever the tagger takes it for.
    pub participle: Vec<Located<String>>,
    /// Beginning of the normal form.
    pub starts: Vec<Located<String>>,
    /// End of the normal form.
    pub ends: Vec<Located<String>>,
    /// Universal part of speech.
    pub pos: Vec<Located<String>>,
    /// Features and their values.
    pub morph: Vec<(Located<String>, Vec<Located<String>>)>,
    /// The token starts a term of one of these glossaries; the step covers the term.
    pub glossary: Vec<Located<String>>,
    /// A syntactic word of the token (`se` in `dárselo`, `el` in `del`) passes these tests.
    pub part: Option<Box<Tests>>,
    /// Universal Dependencies relation to the head: `nsubj` is met by `nsubj:pass` too.
    pub relation: Vec<Located<String>>,
    /// The head of the token in the tree passes these tests.
    pub head: Option<Box<Tests>>,
    /// A token of which it is the head passes these tests.
    pub child: Option<Box<Tests>>,
    /// Kinds of the innermost finite clause that the token belongs to.
    pub clause: Vec<Located<String>>,
    /// Kinds of the block that it stands in.
    pub block: Vec<Located<String>>,
    /// Facts that must be true or false.
    pub flags: Vec<(Flag, bool)>,
    /// Gender and number agree with those of a capture.
    pub agrees_with: Option<Located<String>>,
    /// The first three letters of the normal form are those of a capture.
    pub begins_like: Option<Located<String>>,
    /// None of these may hold.
    pub not: Vec<Tests>,
}

/// The kinds of blocks by the names that patterns give them.
pub(crate) const BLOCKS: [(&str, BlockKind); 3] =
    [("paragraph", BlockKind::Paragraph), ("heading", BlockKind::Heading), ("item", BlockKind::ListItem)];

pub(crate) const TESTS: &[&str] = &[
    "form",
    "norm",
    "lemma",
    "participle",
    "starts",
    "ends",
    "pos",
    "morph",
    "glossary",
    "part",
    "relation",
    "head",
    "child",
    "clause",
    "capitalised",
    "all_caps",
    "word",
    "number",
    "punctuation",
    "known",
    "space_before",
    "first",
    "quoted",
    "block",
    "agrees_with",
    "begins_like",
    "not",
];

pub(crate) const STEPS: &[&str] = &[
    "repeat",
    "optional",
    "as",
    "use",
    "any",
    "gap",
    "followed_by",
    "not_followed_by",
    "preceded_by",
    "not_preceded_by",
];

impl Tests {
    /// Whether there is no test.
    pub fn is_empty(&self) -> bool {
        *self == Tests::default()
    }
}

/// Reads `[[…], […]]`.
pub(crate) fn read_sequences(reader: &mut Reader<'_>, node: &Node) -> Vec<Sequence> {
    let items = reader.list(node, "a list of sequences");
    items.iter().filter_map(|item| read_sequence_item(reader, item)).collect()
}

/// Reads an item of `[[…], […]]`.
pub(crate) fn read_sequence_item(reader: &mut Reader<'_>, item: &Node) -> Option<Sequence> {
    if matches!(item.value, Value::List(_)) {
        return Some(read_sequence(reader, item));
    }
    reader.problem(
        item.at,
        format!("expected a sequence of steps, found {}", item.value.kind()),
        "each alternative is a list of its own: `[[one, sequence], [another]]`",
    );
    None
}

/// Reads `[…]`.
pub(crate) fn read_sequence(reader: &mut Reader<'_>, node: &Node) -> Sequence {
    let items = reader.list(node, "a list of steps");
    if items.is_empty() && matches!(node.value, Value::List(_)) {
        reader.problem(node.at, "a sequence needs a step", "write at least one word");
    }
    items.iter().filter_map(|item| read_step(reader, item)).collect()
}

/// Tests of one place and what stands beside it, whose keys are known to be right.
pub(crate) fn read_place(reader: &mut Reader<'_>, node: &Node) -> Option<Step> {
    read_step(reader, node)
}

/// A list of steps, or one.
fn read_steps(reader: &mut Reader<'_>, node: &Node) -> Sequence {
    match node.value {
        Value::List(_) => read_sequence(reader, node),
        _ => read_step(reader, node).into_iter().collect(),
    }
}

fn glossary_tests(key: &str, at: At) -> Tests {
    Tests { glossary: vec![Located { value: key.to_owned(), at }], ..Tests::default() }
}

fn read_step(reader: &mut Reader<'_>, node: &Node) -> Option<Step> {
    let mut step = Step { at: node.at, what: What::Tests(Box::default()), repeat: None, name: None, looks: Vec::new() };
    if let Value::Scalar { text, .. } = &node.value {
        step.what = if let Some(key) = text.strip_prefix('@') {
            What::Tests(Box::new(glossary_tests(key, node.at)))
        } else if text.starts_with('/') || text.starts_with('$') {
            What::Tests(Box::new(Tests {
                norm: vec![Located { value: text.clone(), at: node.at }],
                ..Tests::default()
            }))
        } else {
            What::Words(text.clone())
        };
        return Some(step);
    }
    if !matches!(node.value, Value::Map(_)) {
        reader.problem(
            node.at,
            format!("expected a step, found {}", node.value.kind()),
            "a step is a word, `@glossary`, `/regex/` or a map such as `{lemma: ser}`",
        );
        return None;
    }
    let noted = reader.problems.len();
    let valid: Vec<&str> = TESTS.iter().chain(STEPS).copied().collect();
    let mut tests = Tests::default();
    let mut any = None;
    let mut gap = None;
    for (key, value) in reader.map(node, "a step", &valid) {
        match key.name.as_str() {
            "repeat" => step.repeat = read_times(reader, value, MOST_REPEATS),
            "optional" => {
                if reader.flag(value) == Some(true) {
                    step.repeat = Some(Times::optional());
                }
            }
            "as" => step.name = reader.text(value),
            "any" => any = Some(read_sequences(reader, value)),
            "use" => any = Some(part_of_define(reader, value)),
            "gap" => gap = Some(read_times(reader, value, WIDEST_GAP).unwrap_or_else(Times::optional)),
            "followed_by" | "not_followed_by" | "preceded_by" | "not_preceded_by" => {
                step.looks.push(Look {
                    at: key.at,
                    behind: key.name.ends_with("preceded_by"),
                    negative: key.name.starts_with("not"),
                    sequence: read_steps(reader, value),
                });
            }
            _ => read_test(reader, key, value, &mut tests),
        }
    }
    let said = |reader: &mut Reader<'_>, what: &str| {
        reader.problem(
            node.at,
            format!("`{what}` and other tests exclude each other"),
            "put the tests into steps of their own",
        );
    };
    step.what = match (any, gap) {
        (Some(_), Some(_)) => {
            said(reader, "any");
            return None;
        }
        (Some(_), None) if !tests.is_empty() => {
            said(reader, "any");
            return None;
        }
        (Some(sequences), None) => What::Any(sequences),
        (None, Some(_)) if !tests.glossary.is_empty() => {
            said(reader, "gap");
            return None;
        }
        (None, Some(gap)) => What::Gap(gap, Box::new(tests)),
        (None, None) => {
            if tests.is_empty() && step.looks.is_empty() {
                if reader.problems.len() == noted {
                    reader.problem(
                        node.at,
                        "the step tests nothing",
                        "name a word or part of speech, or write `gap: 0..3` for any words",
                    );
                }
                return None;
            }
            What::Tests(Box::new(tests))
        }
    };
    Some(step)
}

fn read_times(reader: &mut Reader<'_>, node: &Node, most: u32) -> Option<Times> {
    let range = reader.text(node)?;
    Times::read(reader, &range, most)
}

/// The sequences of a named part.
fn part_of_define(reader: &mut Reader<'_>, node: &Node) -> Vec<Sequence> {
    let Some(name) = reader.text(node) else { return Vec::new() };
    if let Some(part) = reader.parts.get_mut(&name.value) {
        part.used = true;
        return part.sequences.clone();
    }
    if reader.later_parts.contains(&name.value) {
        let help =
            "a part may use those above it: move it up; where two need each other, write the steps out in one of them";
        reader.problem(node.at, format!("the part `{}` stands below this one, or is this one", *name), help);
        return Vec::new();
    }
    let known: Vec<String> = reader.parts.keys().cloned().collect();
    let help = if known.is_empty() {
        "name parts of patterns under `define:`".to_owned()
    } else {
        valid_names(&name, known.iter().map(String::as_str))
    };
    reader.problem(node.at, format!("unknown part `{}`", *name), help);
    Vec::new()
}

/// Reads `define:`; a part may use those that stand above it.
pub(crate) fn read_parts(reader: &mut Reader<'_>, node: &Node) {
    let Value::Map(pairs) = &node.value else {
        reader.problem(
            node.at,
            format!("expected named parts of patterns, found {}", node.value.kind()),
            "write `define:` as a map: `agent: [por, {pos: DET}]`",
        );
        return;
    };
    reader.later_parts = pairs.iter().map(|(key, _)| key.name.clone()).collect();
    for (key, value) in pairs {
        let before = reader.problems.len();
        let uses = uses(value);
        let sequences = read_match(reader, value);
        if let Some((other, _)) = pairs.iter().find(|(other, _)| {
            other.name != key.name && uses.contains(&other.name) && reaches(pairs, &other.name, &key.name)
        }) && !reader.parts.contains_key(&other.name)
        {
            reader.problems.truncate(before);
            reader.problem(
                key.at,
                format!("the parts `{}` and `{}` use each other", key.name, other.name),
                "write the steps out in one of them",
            );
        } else if uses.contains(&key.name) {
            reader.problems.truncate(before);
            reader.problem(
                key.at,
                format!("the part `{}` uses itself", key.name),
                "write `repeat: 1..4` for something that comes several times",
            );
        }
        let part = PatternPart { at: key.at, sequences, used: false };
        reader.parts.insert(key.name.clone(), part);
        reader.later_parts.remove(&key.name);
    }
}

/// The names after `use:` anywhere in a pattern.
fn uses(node: &Node) -> BTreeSet<String> {
    match &node.value {
        Value::List(items) => items.iter().flat_map(uses).collect(),
        Value::Map(pairs) => pairs
            .iter()
            .flat_map(|(key, value)| match &value.value {
                Value::Scalar { text, .. } if key.name == "use" => BTreeSet::from([text.clone()]),
                _ => uses(value),
            })
            .collect(),
        _ => BTreeSet::new(),
    }
}

/// Whether a part uses another one, directly or through others.
fn reaches(pairs: &[(Key, Node)], from: &str, to: &str) -> bool {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(name) = open.pop() {
        let used = pairs.iter().find(|(key, _)| key.name == name).map(|(_, node)| uses(node)).unwrap_or_default();
        if used.contains(to) {
            return true;
        }
        open.extend(used.into_iter().filter(|name| seen.insert(name.clone())));
    }
    false
}

/// A sequence, or `{any: [[…], […]]}`.
pub(crate) fn read_match(reader: &mut Reader<'_>, node: &Node) -> Vec<Sequence> {
    match &node.value {
        Value::Map(_) => {
            let mut sequences = Vec::new();
            for (_, value) in reader.map(node, "a pattern", &["any"]) {
                sequences.extend(read_sequences(reader, value));
            }
            sequences
        }
        _ => vec![read_sequence(reader, node)],
    }
}

fn read_tests(reader: &mut Reader<'_>, node: &Node) -> Tests {
    let mut tests = Tests::default();
    match &node.value {
        Value::Scalar { text, .. } => match text.strip_prefix('@') {
            Some(key) => tests = glossary_tests(key, node.at),
            None => tests.norm = reader.texts(node),
        },
        _ => {
            for (key, value) in reader.map(node, "tests", TESTS) {
                read_test(reader, key, value, &mut tests);
            }
        }
    }
    tests
}

fn read_test(reader: &mut Reader<'_>, key: &Key, value: &Node, tests: &mut Tests) {
    match key.name.as_str() {
        "form" => tests.form = reader.texts(value),
        "norm" => tests.norm = reader.texts(value),
        "lemma" => tests.lemma = reader.texts(value),
        "participle" => tests.participle = reader.texts(value),
        "starts" => tests.starts = reader.texts(value),
        "ends" => tests.ends = reader.texts(value),
        "pos" => tests.pos = reader.texts(value),
        "glossary" => tests.glossary = reader.texts(value),
        "part" => tests.part = Some(Box::new(read_tests(reader, value))),
        "relation" => tests.relation = reader.texts(value),
        "head" => tests.head = Some(Box::new(read_tests(reader, value))),
        "child" => tests.child = Some(Box::new(read_tests(reader, value))),
        "clause" => tests.clause = reader.texts(value),
        "block" => tests.block = reader.texts(value),
        "agrees_with" => tests.agrees_with = reader.text(value),
        "begins_like" => tests.begins_like = reader.text(value),
        "not" => {
            tests.not = match &value.value {
                Value::List(items) => items.iter().map(|item| read_tests(reader, item)).collect(),
                _ => vec![read_tests(reader, value)],
            };
        }
        "morph" => read_morph(reader, value, tests),
        flag => {
            if let (Some((_, flag)), Some(wanted)) = (FLAGS.iter().find(|(name, _)| *name == flag), reader.flag(value))
            {
                tests.flags.push((*flag, wanted));
            }
        }
    }
}

/// The features of Universal Dependencies that the three languages use, with their values; none listed allows any.
pub(crate) const FEATURES: &[(&str, &[&str])] = &[
    ("Abbr", &["Yes"]),
    ("AdpType", &["Prep", "Preppron", "Post", "Circ"]),
    ("AdvType", &["Man", "Loc", "Tim", "Deg", "Cau", "Mod"]),
    ("Aspect", &["Imp", "Perf", "Prog", "Hab"]),
    ("Case", &["Nom", "Acc", "Dat", "Gen", "Com", "Abl", "Loc"]),
    ("Definite", &["Def", "Ind"]),
    ("Degree", &["Pos", "Cmp", "Sup", "Abs", "Equ", "Dim", "Aug"]),
    ("ExtPos", &[]),
    ("Foreign", &["Yes"]),
    ("Gender", &["Masc", "Fem", "Neut", "Com"]),
    ("Mood", &["Ind", "Sub", "Imp", "Cnd"]),
    ("NumForm", &["Digit", "Roman", "Word", "Combi"]),
    ("NumType", &["Card", "Ord", "Mult", "Frac", "Range", "Sets", "Dist"]),
    ("Number", &["Sing", "Plur", "Ptan", "Coll"]),
    ("Person", &["1", "2", "3"]),
    ("Polarity", &["Pos", "Neg"]),
    ("Polite", &["Form", "Infm"]),
    ("Poss", &["Yes"]),
    ("PrepCase", &["Npr", "Pre"]),
    ("PronType", &["Prs", "Art", "Int", "Rel", "Exc", "Dem", "Emp", "Tot", "Neg", "Ind", "Rcp"]),
    ("PunctSide", &["Ini", "Fin"]),
    ("PunctType", &[]),
    ("Reflex", &["Yes"]),
    ("Style", &[]),
    ("Tense", &["Pres", "Past", "Imp", "Fut", "Pqp"]),
    ("Typo", &["Yes"]),
    ("VerbForm", &["Fin", "Inf", "Part", "Ger", "Sup", "Conv", "Vnoun"]),
    ("Voice", &["Act", "Pass", "Mid"]),
];

fn read_morph(reader: &mut Reader<'_>, node: &Node, tests: &mut Tests) {
    let Value::Map(pairs) = &node.value else {
        reader.problem(
            node.at,
            format!("expected features, found {}", node.value.kind()),
            "write `morph: {VerbForm: Part, Number: [Sing, Plur]}`",
        );
        return;
    };
    for (key, value) in pairs {
        let layer = key.name.split('[').next().unwrap_or_default();
        let Some((_, known)) = FEATURES.iter().find(|(name, _)| *name == layer) else {
            let help = valid_names(layer, FEATURES.iter().map(|(name, _)| *name));
            reader.problem(key.at, format!("unknown feature `{}`", key.name), help);
            continue;
        };
        let name = Located { value: key.name.clone(), at: key.at };
        let values = reader.texts(value);
        for value in values.iter().filter(|v| !known.is_empty() && !known.contains(&v.as_str())) {
            let help = valid_names(value, known.iter().copied());
            reader.problem(value.at, format!("`{}` has no value `{}`", key.name, **value), help);
        }
        tests.morph.push((name, values));
    }
}
