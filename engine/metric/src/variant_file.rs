//! `<language>.yaml`: one variant of a metric, in one of five forms.
//!
//! | key | the variant is |
//! |---|---|
//! | `substitute` | a phrase table |
//! | `match` | a token pattern, alone or as the query of a `script` |
//! | `script` | a Rhai script beside the file |
//! | `native` | a metric of a compiled plugin |
//! | `measure` | a formula over the counts of the document |

use std::collections::BTreeMap;

use serde::Serialize;

use crate::pattern::{Sequence, captures, read_match, read_parts, read_sequence_item, read_sequences};
use crate::word_list::read_lists;
use crate::yaml::{At, Node, Value, tree};
use crate::yaml_reader::{Located, Reader};
use crate::{Capability, ListFile, MatchBy, ParamValues, Problem};

/// The file `rules/<metric-id>/<language>.yaml`.
#[derive(Clone, Debug, Default)]
pub struct VariantFile {
    /// Version of this variant, `major.minor.patch`; a native variant has that of its binary and writes none.
    pub version: Option<String>,
    /// `false` lists the variant without running it.
    pub enabled: bool,
    /// What it requires of the linguistic runtime, beyond what its pattern tests.
    pub needs: Vec<Capability>,
    /// Keys of the glossaries that it reads.
    pub glossaries: Vec<String>,
    /// Lists of words of its own.
    pub lists: Vec<ListFile>,
    /// Phrase table, in the order of the file.
    pub substitute: Option<Vec<SubstituteRow>>,
    /// Token patterns: any of these.
    pub pattern: Option<Vec<Choice>>,
    /// File name of a script.
    pub script: Option<String>,
    /// Names of the shared scripts whose functions it calls.
    pub uses: Vec<Located<String>>,
    /// Name of the plugin that holds the metric.
    pub native: Option<String>,
    /// Formula over the counts of the document.
    pub measure: Option<String>,
    /// Patterns that drop a hit that they overlap.
    pub unless: Vec<Sequence>,
    /// What of the match is reported: a capture, or `from..to`.
    pub mark: Option<Located<String>>,
    /// Where a match has to stay.
    pub within: Within,
    /// Template of the replacement.
    pub fix: Option<Located<String>>,
    /// Templates of further replacements.
    pub alternatives: Vec<Located<String>>,
    /// Whether the replacement comes with an edit; `safe` where nothing is said.
    pub edit: Option<EditPolicy>,
    /// Report only above a density: any of these groups lets a hit through, if all gates of the group do.
    pub report: Vec<Vec<ReportGate>>,
    /// Further values for the wording, by name.
    pub facts: Vec<(Located<String>, Located<String>)>,
    /// Which hits become one occurrence, the other places in its spans.
    pub spans: Option<SpansMode>,
    /// The capture whose lemma makes hits the same unit; else the row of their term, or the lemmas of what is marked.
    pub unit: Option<Located<String>>,
    /// Sentences that show what it does, run as tests.
    pub examples: Examples,
    /// Where each key of the file stands.
    pub places: BTreeMap<String, At>,
    /// Parts of it could not be read, so that what refers to them is no problem of its own.
    pub partial: bool,
}

/// Sequences of a pattern, and what holds for their hits in place of what the variant says.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Any of these.
    pub sequences: Vec<Sequence>,
    /// Patterns that drop a hit that they overlap, beside those of the variant.
    pub unless: Vec<Sequence>,
    /// What of the match is reported.
    pub mark: Option<Located<String>>,
    /// Template of the replacement; `Some(None)` is none, whatever the variant says.
    pub fix: Option<Option<Located<String>>>,
    /// Templates of further replacements.
    pub alternatives: Option<Vec<Located<String>>>,
    /// Whether the replacement comes with an edit.
    pub edit: Option<EditPolicy>,
    /// Values for the wording, beside those of the variant.
    pub facts: Vec<(Located<String>, Located<String>)>,
    /// Name of a wording of the report, in `report.wordings` of the documentation.
    pub wording: Option<Located<String>>,
}

/// One row of a phrase table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubstituteRow {
    /// The phrase.
    pub phrase: Located<String>,
    /// The preferred replacement, then the others; empty only flags. An empty text deletes the phrase.
    pub to: Vec<String>,
    /// Which of its words may be inflected.
    pub by: MatchBy,
    /// Parts of speech that the first word may have.
    pub pos: Vec<Located<String>>,
    /// Whether its replacement comes with an edit, where the row says so itself.
    pub edit: Option<EditPolicy>,
    /// Never reported; hides shorter phrases inside it.
    pub allow: bool,
}

/// How far a match may reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Within {
    /// Inside one sentence.
    #[default]
    Sentence,
    /// Inside one paragraph.
    Paragraph,
}

/// Whether a replacement comes with an edit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EditPolicy {
    /// The edit may be applied as it is.
    #[default]
    Safe,
    /// Only the replacement is shown.
    None,
}

/// Report only when there are enough hits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportGate {
    /// More than this many; a number or `$param`.
    pub over: Option<Located<String>>,
    /// At least this many; a number or `$param`.
    pub at_least: Option<Located<String>>,
    /// What hits are counted against.
    pub per: Located<Per>,
    /// So many hits are tolerated: those after them are reported; a number or `$param`.
    pub skip: Option<Located<String>>,
    /// Closed in texts of fewer words; a number or `$param`.
    pub from_words: Option<Located<String>>,
}

/// What the hits of a gate are counted against.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Per {
    /// The whole text.
    #[default]
    Text,
    /// Each sentence by itself: a sentence with enough hits is reported, the others are not.
    Sentence,
    /// Each paragraph by itself.
    Paragraph,
    /// Each unit by itself: hits of one term or lemma.
    Unit,
    /// So many words of the text.
    Words(u32),
    /// So many sentences of the text.
    Sentences(u32),
}

/// How places of one unit are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpansMode {
    /// One occurrence for each unit.
    Collect,
    /// One occurrence for each sentence.
    Sentence,
    /// One occurrence for each paragraph.
    Paragraph,
    /// One occurrence for the text.
    Text,
}

/// Examples of a variant.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    /// Texts in which the rule must mark exactly what stands between `<` and `>`.
    pub bad: Vec<Example>,
    /// Texts in which it must mark nothing.
    pub good: Vec<Example>,
    /// Texts in which it should mark something but does not yet.
    pub todo_bad: Vec<Example>,
    /// Texts in which it marks something but should not.
    pub todo_good: Vec<Example>,
    /// For measurements: texts and the value that each must have.
    pub values: Vec<ValueExample>,
}

/// A marked text and what is expected of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Example {
    /// The marked text.
    pub text: Located<String>,
    /// The text after all edits; `None` where the example does not say.
    pub fix: Option<String>,
    /// Thresholds of this example.
    pub params: ParamValues,
    /// The genre that it is run in, `domain/text_type`; `None` runs it with the defaults of the language.
    pub genre: Option<String>,
}

/// A text and the value of a measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueExample {
    /// The text.
    pub text: Located<String>,
    /// The expected value; `null` where the measurement is left out.
    pub value: Option<f64>,
}

/// The form of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// `substitute`
    Substitute,
    /// `match`
    Match,
    /// `script`, with or without `match`
    Script,
    /// `native`
    Native,
    /// `measure`
    Measure,
}

pub(crate) const KEYS: &[&str] = &[
    "version",
    "enabled",
    "needs",
    "glossaries",
    "lists",
    "define",
    "substitute",
    "match",
    "script",
    "uses",
    "native",
    "measure",
    "unless",
    "mark",
    "within",
    "fix",
    "alternatives",
    "edit",
    "report",
    "facts",
    "spans",
    "unit",
    "examples",
];

const EDITS: &[(&str, EditPolicy)] = &[("safe", EditPolicy::Safe), ("none", EditPolicy::None)];
pub(crate) const SPANS: &[(&str, SpansMode)] = &[
    ("collect", SpansMode::Collect),
    ("sentence", SpansMode::Sentence),
    ("paragraph", SpansMode::Paragraph),
    ("text", SpansMode::Text),
];
const BY: &[(&str, MatchBy)] = &[("form", MatchBy::Form), ("lemma", MatchBy::Lemma), ("lemmas", MatchBy::Lemmas)];

impl VariantFile {
    /// Reads the file.
    ///
    /// # Errors
    /// Everything in it that is no variant, each with its place.
    pub fn read(file: &str, source: &str) -> Result<VariantFile, Vec<Problem>> {
        match VariantFile::read_with_problems(file, source) {
            (Some(variant), problems) if problems.is_empty() => Ok(variant),
            (_, problems) => Err(problems),
        }
    }

    /// Reads what can be read of the file, and names everything that cannot: what is left can still be compiled, so that
    /// its other problems show at the same time. Nothing is left of a text that is no YAML.
    pub fn read_with_problems(file: &str, source: &str) -> (Option<VariantFile>, Vec<Problem>) {
        let root = match tree(source) {
            Ok(root) => root,
            Err(error) => return (None, vec![Problem::yaml(file, &error)]),
        };
        let mut reader = Reader::new(file, source);
        let mut variant = read_variant(&mut reader, &root);
        match variant.form() {
            Ok(form) => misplaced(&mut reader, &variant, form),
            Err(message) => reader.problem(
                root.at,
                message,
                "a variant is a phrase table, a pattern, a script, a native rule or a formula",
            ),
        }
        if reader.problems.is_empty() {
            let unused: Vec<(String, At)> =
                reader.parts.iter().filter(|(_, p)| !p.used).map(|(name, p)| (name.clone(), p.at)).collect();
            for (name, at) in unused {
                reader.problem(at, format!("nothing uses the part `{name}`"), "delete it, or write `{use: …}`");
            }
        }
        variant.partial = !reader.problems.is_empty();
        (Some(variant), reader.sorted())
    }

    /// Names of the captures of its pattern.
    pub fn captures(&self) -> Vec<String> {
        let mut names: Vec<String> = {
            let sequences = self.pattern.iter().flatten().flat_map(|choice| &choice.sequences);
            sequences.flat_map(captures).map(|name| name.value).collect()
        };
        names.sort();
        names.dedup();
        names
    }

    /// The form of the variant, or what is wrong: exactly one of the five keys, `match` may stand beside `script`.
    pub fn form(&self) -> Result<Form, String> {
        let given = [
            (self.substitute.is_some(), "substitute", Form::Substitute),
            (self.script.is_some(), "script", Form::Script),
            (self.native.is_some(), "native", Form::Native),
            (self.measure.is_some(), "measure", Form::Measure),
            (self.pattern.is_some() && self.script.is_none(), "match", Form::Match),
        ];
        let mut forms = given.iter().filter(|(is, ..)| *is);
        match (forms.next(), forms.next()) {
            (Some((_, _, form)), None) => Ok(*form),
            (None, _) => Err("one of `match`, `substitute`, `script`, `native` or `measure` is required".into()),
            (Some((_, a, _)), Some((_, b, _))) => {
                Err(format!("`{a}` and `{b}` exclude each other: a variant has one form"))
            }
        }
    }

    /// Where a key of the file stands; the start of the file where it is not given.
    pub fn at(&self, key: &str) -> At {
        self.places.get(key).copied().unwrap_or(At { line: 1, column: 1 })
    }
}

/// Keys that say nothing in a form.
fn misplaced(reader: &mut Reader<'_>, variant: &VariantFile, form: Form) {
    let (name, idle): (_, &[&str]) = match form {
        Form::Match => ("`match`", &["uses"]),
        Form::Substitute => ("`substitute`", &["mark", "within", "fix", "alternatives", "facts", "uses"]),
        Form::Script if variant.pattern.is_none() => {
            ("a script without `match`", &["unless", "mark", "within", "fix", "alternatives", "facts", "unit"])
        }
        Form::Script => ("`script`", &[]),
        Form::Native | Form::Measure => (
            if form == Form::Native { "`native`" } else { "`measure`" },
            &[
                "lists",
                "define",
                "unless",
                "mark",
                "within",
                "fix",
                "alternatives",
                "edit",
                "report",
                "facts",
                "spans",
                "unit",
                "uses",
            ],
        ),
    };
    for key in idle {
        if let Some(at) = variant.places.get(*key) {
            reader.problem(
                *at,
                format!("`{key}` has no effect beside {name}"),
                "delete it, or write the rule in another form",
            );
        }
    }
}

pub(crate) fn read_variant(reader: &mut Reader<'_>, root: &Node) -> VariantFile {
    let mut file = VariantFile { enabled: true, ..VariantFile::default() };
    let text = |reader: &mut Reader<'_>, node| reader.text(node).map(|text| text.value);
    let pairs = reader.map(root, "a variant", KEYS);
    if let Some((_, node)) = pairs.iter().find(|(key, _)| key.name == "define") {
        read_parts(reader, node);
    }
    for (key, node) in pairs {
        file.places.insert(key.name.clone(), key.at);
        match key.name.as_str() {
            "version" => file.version = text(reader, node),
            "enabled" => file.enabled = reader.flag(node).unwrap_or(true),
            "needs" => file.needs = read_needs(reader, node),
            "glossaries" => {
                file.glossaries = reader.texts(node).into_iter().map(|k| k.value).collect();
            }
            "lists" => file.lists = read_lists(reader, node),
            "substitute" => file.substitute = Some(read_table(reader, node)),
            "match" => file.pattern = Some(read_choices(reader, node)),
            "define" => {}
            "script" => file.script = text(reader, node),
            "uses" => file.uses = reader.texts(node),
            "facts" => file.facts = read_facts(reader, node),
            "native" => file.native = text(reader, node),
            "measure" => file.measure = text(reader, node),
            "unless" => file.unless = read_sequences(reader, node),
            "mark" => file.mark = reader.text(node),
            "within" => {
                file.within = reader
                    .choice(node, &[("sentence", Within::Sentence), ("paragraph", Within::Paragraph)])
                    .unwrap_or_default();
            }
            "fix" => file.fix = reader.text(node),
            "alternatives" => file.alternatives = reader.texts(node),
            "edit" => file.edit = reader.choice(node, EDITS),
            "report" => file.report = read_gates(reader, node),
            "spans" => file.spans = reader.choice(node, SPANS),
            "unit" => file.unit = reader.text(node),
            _ => file.examples = read_examples(reader, node),
        }
    }
    file
}

pub(crate) const CHOICE: &[&str] = &["match", "unless", "mark", "fix", "alternatives", "edit", "facts", "wording"];

/// A sequence, or `{any: […]}` whose items are sequences or maps with keys of their own.
fn read_choices(reader: &mut Reader<'_>, node: &Node) -> Vec<Choice> {
    let Value::Map(_) = &node.value else {
        return vec![Choice { sequences: read_match(reader, node), ..Choice::default() }];
    };
    let mut choices = Vec::new();
    let plain = |sequence| Choice { sequences: vec![sequence], ..Choice::default() };
    for (_, value) in reader.map(node, "a pattern", &["any"]) {
        for item in reader.list(value, "a list of sequences") {
            match item.value {
                Value::Map(_) => choices.push(read_choice(reader, item)),
                _ => choices.extend(read_sequence_item(reader, item).map(plain)),
            }
        }
    }
    choices
}

fn read_choice(reader: &mut Reader<'_>, node: &Node) -> Choice {
    let mut choice = Choice::default();
    for (key, node) in reader.map(node, "an alternative", CHOICE) {
        match key.name.as_str() {
            "match" => choice.sequences = read_match(reader, node),
            "unless" => choice.unless = read_sequences(reader, node),
            "mark" => choice.mark = reader.text(node),
            "fix" if node.value == Value::Null => choice.fix = Some(None),
            "fix" => choice.fix = Some(reader.text(node)),
            "alternatives" => choice.alternatives = Some(reader.texts(node)),
            "edit" => choice.edit = reader.choice(node, EDITS),
            "facts" => choice.facts = read_facts(reader, node),
            _ => choice.wording = reader.text(node),
        }
    }
    if choice.sequences.is_empty() {
        reader.problem(
            node.at,
            "an alternative needs `match`",
            "write its steps, `match: [one, two]`, or the alternative as a list of steps",
        );
    }
    choice
}

fn read_needs(reader: &mut Reader<'_>, node: &Node) -> Vec<Capability> {
    let names = reader.texts(node);
    let mut needs = Vec::with_capacity(names.len());
    for name in names {
        match name.parse() {
            Ok(capability) => needs.push(capability),
            Err(_) => {
                let known = Capability::ALL.map(Capability::name);
                let help = crate::problem::valid_names(&name, known);
                reader.problem(name.at, format!("unknown capability `{}`", *name), help);
            }
        }
    }
    needs
}

fn read_table(reader: &mut Reader<'_>, node: &Node) -> Vec<SubstituteRow> {
    let Value::Map(pairs) = &node.value else {
        reader.problem(
            node.at,
            format!("expected a table of phrases, found {}", node.value.kind()),
            "write `phrase: replacement`, one a line; `~` as the replacement only flags the phrase",
        );
        return Vec::new();
    };
    let mut rows = Vec::with_capacity(pairs.len());
    for (key, node) in pairs {
        let mut row =
            SubstituteRow { phrase: Located { value: key.name.clone(), at: key.at }, ..SubstituteRow::default() };
        match &node.value {
            Value::Null => {}
            Value::Map(_) => read_row(reader, node, &mut row),
            _ => row.to = reader.texts(node).into_iter().map(|to| to.value).collect(),
        }
        if row.to.first().is_some_and(|to| *to == key.name) {
            reader.problem(
                node.at,
                format!("`{}` is replaced by itself", key.name),
                "write another replacement, or `~` to flag the phrase only",
            );
        }
        rows.push(row);
    }
    rows
}

fn read_row(reader: &mut Reader<'_>, node: &Node, row: &mut SubstituteRow) {
    for (key, node) in reader.map(node, "a row", &["to", "by", "pos", "edit", "allow"]) {
        match key.name.as_str() {
            "to" if node.value == Value::Null => {}
            "to" => row.to = reader.texts(node).into_iter().map(|to| to.value).collect(),
            "by" => row.by = reader.choice(node, BY).unwrap_or_default(),
            "pos" => row.pos = reader.texts(node),
            "edit" => row.edit = reader.choice(node, EDITS),
            _ => row.allow = reader.flag(node).unwrap_or_default(),
        }
    }
}

fn read_facts(reader: &mut Reader<'_>, node: &Node) -> Vec<(Located<String>, Located<String>)> {
    let Value::Map(pairs) = &node.value else {
        reader.problem(
            node.at,
            format!("expected values for the wording, found {}", node.value.kind()),
            "write `facts: {links: count(link)}`",
        );
        return Vec::new();
    };
    let mut facts = Vec::with_capacity(pairs.len());
    for (key, value) in pairs {
        let name = Located { value: key.name.clone(), at: key.at };
        facts.extend(reader.text(value).map(|value| (name, value)));
    }
    facts
}

fn read_gates(reader: &mut Reader<'_>, node: &Node) -> Vec<Vec<ReportGate>> {
    match &node.value {
        Value::List(items) => items.iter().map(|item| read_group(reader, item)).collect(),
        _ => vec![read_group(reader, node)],
    }
}

/// One gate, or `{all: […]}`.
fn read_group(reader: &mut Reader<'_>, node: &Node) -> Vec<ReportGate> {
    let all = match &node.value {
        Value::Map(pairs) => pairs.iter().find(|(key, _)| key.name == "all"),
        _ => None,
    };
    let Some((_, gates)) = all else { return vec![read_gate(reader, node)] };
    reader.map(node, "gates that must all be open", &["all"]);
    let gates: Vec<_> = reader.list(gates, "a list of gates").iter().map(|gate| read_gate(reader, gate)).collect();
    if gates.is_empty() {
        reader.problem(node.at, "`all` has no gate", "write `{all: [{at_least: 2}, {over: $max, per: 100 words}]}`");
    }
    gates
}

fn read_gate(reader: &mut Reader<'_>, node: &Node) -> ReportGate {
    let mut gate = ReportGate::default();
    for (key, value) in reader.map(node, "a gate", &["over", "at_least", "skip", "per", "from_words"]) {
        match key.name.as_str() {
            "over" => gate.over = reader.text(value),
            "at_least" => gate.at_least = reader.text(value),
            "skip" => gate.skip = reader.text(value),
            "from_words" => gate.from_words = reader.text(value),
            _ => {
                if let Some(text) = reader.text(value) {
                    gate.per = Located { value: read_per(reader, &text), at: text.at };
                }
            }
        }
    }
    if gate.over.is_none() && gate.at_least.is_none() && gate.skip.is_none() {
        reader.problem(
            node.at,
            "a gate needs `over`, `at_least` or `skip`",
            "write for instance `report: {over: $max_per_100, per: 100 words}`",
        );
    }
    gate
}

fn read_per(reader: &mut Reader<'_>, text: &Located<String>) -> Per {
    let words: Vec<&str> = text.split_whitespace().collect();
    let per = match words[..] {
        ["text"] => Some(Per::Text),
        ["sentence"] => Some(Per::Sentence),
        ["paragraph"] => Some(Per::Paragraph),
        ["unit"] => Some(Per::Unit),
        [number, unit] => match (number.parse(), unit) {
            (Ok(n), "words") if n > 0 => Some(Per::Words(n)),
            (Ok(n), "sentences") if n > 0 => Some(Per::Sentences(n)),
            _ => None,
        },
        _ => None,
    };
    per.unwrap_or_else(|| {
        reader.problem(
            text.at,
            format!("`{}` is nothing to count against", **text),
            "write `text`, `sentence`, `paragraph`, `unit`, `100 words` or `100 sentences`",
        );
        Per::Text
    })
}

pub(crate) fn read_examples(reader: &mut Reader<'_>, node: &Node) -> Examples {
    let mut examples = Examples::default();
    if node.value == Value::Null {
        return examples;
    }
    let keys = ["bad", "good", "todo_bad", "todo_good", "values"];
    for (key, node) in reader.map(node, "examples", &keys) {
        if node.value == Value::Null {
            continue;
        }
        let items = reader.list(node, "a list of examples").iter();
        match key.name.as_str() {
            "values" => {
                examples.values = items.filter_map(|item| read_value(reader, item)).collect();
            }
            name => {
                let list = items.filter_map(|item| read_example(reader, item)).collect();
                match name {
                    "bad" => examples.bad = list,
                    "good" => examples.good = list,
                    "todo_bad" => examples.todo_bad = list,
                    _ => examples.todo_good = list,
                }
            }
        }
    }
    examples
}

fn read_example(reader: &mut Reader<'_>, node: &Node) -> Option<Example> {
    if let Value::Scalar { .. } = node.value {
        return Some(Example { text: reader.text(node)?, ..Example::default() });
    }
    let mut example = Example::default();
    let mut given = false;
    for (key, value) in reader.map(node, "an example", &["text", "fix", "params", "genre"]) {
        match key.name.as_str() {
            "text" => {
                given = true;
                example.text = reader.text(value).unwrap_or_default();
            }
            "fix" => example.fix = reader.text(value).map(|fix| fix.value),
            "genre" => example.genre = reader.text(value).map(|genre| genre.value),
            _ => {
                let Value::Map(pairs) = &value.value else {
                    reader.problem(
                        value.at,
                        format!("expected thresholds, found {}", value.value.kind()),
                        "write `params: {max_words: 5}`",
                    );
                    continue;
                };
                for (name, value) in pairs {
                    if let Some(value) = reader.param(value) {
                        example.params.insert(name.name.clone(), value);
                    }
                }
            }
        }
    }
    if !given {
        reader.problem(
            node.at,
            "an example needs `text`",
            "write the sentence, or `{text: …, fix: …}`; quote it if it holds `: ` or ` #`",
        );
    }
    given.then_some(example)
}

fn read_value(reader: &mut Reader<'_>, node: &Node) -> Option<ValueExample> {
    let mut text = None;
    let mut value = None;
    for (key, node) in reader.map(node, "a text and its value", &["text", "value"]) {
        match (key.name.as_str(), &node.value) {
            ("text", _) => text = reader.text(node),
            (_, Value::Null) => value = Some(None),
            (_, Value::Scalar { text, .. }) if text.parse::<f64>().is_ok() => {
                value = Some(text.parse().ok());
            }
            _ => reader.problem(
                node.at,
                format!("expected a number, found {}", node.value.kind()),
                "write the value, or `~` where the measurement is left out",
            ),
        }
    }
    if text.is_none() || value.is_none() {
        reader.problem(
            node.at,
            "an example of a measurement needs `text` and `value`",
            "write `{text: …, value: 12.5}`",
        );
    }
    Some(ValueExample { text: text?, value: value? })
}
