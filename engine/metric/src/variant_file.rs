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

use glosa_text::Language;

use crate::amount::Amount;
use crate::pattern::{Sequence, captures, read_match, read_parts, read_sequence_item, read_sequences};
use crate::word_list::read_lists;
use crate::yaml::{At, Node, Value, tree};
use crate::yaml_reader::{Located, Reader};
use crate::{Capability, ListFile, MatchBy, ParamValues, Problem};

/// The file `rules/<metric-id>/<language>.yaml`.
#[derive(Clone, Debug, Default)]
pub struct VariantFile {
    /// Version of this variant, `major.minor.patch`; a native variant has that of its binary and writes none.
    pub version: Option<Located<String>>,
    /// `false` lists the variant without running it.
    pub enabled: bool,
    /// Why reports cannot have it, in the languages of the catalogue; `None` where nothing is against it.
    pub unavailable: Option<BTreeMap<Language, String>>,
    /// What it requires of the linguistic runtime, beyond what its pattern tests.
    pub needs: Vec<Capability>,
    /// Keys of the glossaries that it reads.
    pub glossaries: Vec<String>,
    /// Lists of words of its own.
    pub lists: Vec<ListFile>,
    /// What it is; nothing where the file does not say it.
    pub form: Option<Located<Form>>,
    /// Sentences that show what it does, run as tests.
    pub examples: Examples,
    /// Parts of it could not be read, so that what refers to them is no problem of its own.
    pub partial: bool,
}

/// The form of a variant, and what only this form has.
#[derive(Clone, Debug)]
pub enum Form {
    /// `substitute`: a phrase table.
    Substitute(PhraseTable),
    /// `match`: a token pattern that reports its hits.
    Match(Pattern, Handling),
    /// `script`: a script, alone or with a pattern that selects what it is called for.
    Script(ScriptCall),
    /// `native`: the name of the plugin that holds the metric.
    Native(String),
    /// `measure`: a formula over the counts of the document.
    Measure(FormulaText),
}

/// A formula and what it may call.
#[derive(Clone, Debug, Default)]
pub struct FormulaText {
    /// The formula.
    pub body: String,
    /// Names of the shared scripts whose functions it calls.
    pub uses: Vec<Located<String>>,
}

/// A phrase table and what holds for its hits.
#[derive(Clone, Debug, Default)]
pub struct PhraseTable {
    /// In the order of the file.
    pub rows: Vec<SubstituteRow>,
    /// Patterns that drop a hit that they overlap.
    pub unless: Vec<Sequence>,
    /// What becomes of the hits.
    pub handling: Handling,
}

/// A token pattern and what it says of its hits.
#[derive(Clone, Debug, Default)]
pub struct Pattern {
    /// Any of these.
    pub choices: Vec<Choice>,
    /// Patterns that drop a hit that they overlap.
    pub unless: Vec<Sequence>,
    /// What of the match is reported.
    pub mark: Mark,
    /// Where a match has to stay.
    pub within: Within,
    /// Template of the replacement.
    pub fix: Option<Located<String>>,
    /// Templates of further replacements.
    pub alternatives: Vec<Located<String>>,
    /// Further values for the wording, by name.
    pub facts: Vec<(Located<String>, Located<String>)>,
    /// The capture whose lemma makes hits the same unit; else the row of their term, or the lemmas of what is marked.
    pub unit: Option<Located<String>>,
}

/// A script, what it is called for and what holds for what it reports.
#[derive(Clone, Debug, Default)]
pub struct ScriptCall {
    /// File name of the script.
    pub file: String,
    /// Names of the shared scripts whose functions it calls.
    pub uses: Vec<Located<String>>,
    /// The pattern that selects what it is called for.
    pub pattern: Option<Pattern>,
    /// What becomes of what it reports.
    pub handling: Handling,
}

/// What becomes of hits.
#[derive(Clone, Debug, Default)]
pub struct Handling {
    /// Whether the replacement comes with an edit; `safe` where nothing is said.
    pub edit: Option<EditPolicy>,
    /// Report only above a density: any of these groups lets a hit through, if all gates of the group do.
    pub report: Vec<Vec<ReportGate>>,
    /// Which hits become one occurrence, the other places in its spans.
    pub spans: Option<SpansMode>,
}

/// What of a match is reported.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Mark {
    /// All of it.
    #[default]
    Match,
    /// The sentence in which it starts.
    Sentence,
    /// A capture.
    Capture(Located<String>),
    /// From the beginning of one capture to the end of another, `from..to`.
    FromTo(Located<String>, Located<String>),
}

/// Sequences of a pattern, and what holds for their hits in place of what the variant says.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Any of these.
    pub sequences: Vec<Sequence>,
    /// Patterns that drop a hit that they overlap, beside those of the variant.
    pub unless: Vec<Sequence>,
    /// What of the match is reported, where it is not what the variant says.
    pub mark: Option<Mark>,
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
    /// What else its place has to be like, as written.
    pub when: Option<Node>,
}

/// How far a match may reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Within {
    /// Inside one sentence.
    #[default]
    Sentence,
    /// Inside one paragraph.
    Paragraph,
    /// Among words of one finite clause, without those of clauses inside it.
    Clause,
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
    pub over: Option<Amount<f64>>,
    /// At least this many; a number or `$param`.
    pub at_least: Option<Amount<f64>>,
    /// What hits are counted against.
    pub per: Per,
    /// So many hits are tolerated: those after them are reported; a number or `$param`.
    pub skip: Option<Amount<f64>>,
    /// Closed in texts of fewer words; a number or `$param`.
    pub from_words: Option<Amount<f64>>,
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
    /// The genre whose structure and glossaries are used, `domain/text_type`.
    pub genre: Option<String>,
}

/// What a variant is by the keys of its file.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    Substitute,
    Match,
    Script,
    /// `match` beside `script`.
    Query,
    Native,
    Measure,
}

impl Shape {
    fn name(self) -> &'static str {
        match self {
            Shape::Substitute => "`substitute`",
            Shape::Match => "`match`",
            Shape::Script => "a script without `match`",
            Shape::Query => "`script`",
            Shape::Native => "`native`",
            Shape::Measure => "`measure`",
        }
    }
}

const SEARCHING: &[Shape] = &[Shape::Substitute, Shape::Match, Shape::Script, Shape::Query];
const PATTERNS: &[Shape] = &[Shape::Match, Shape::Query];
const ALL: &[Shape] = &[Shape::Substitute, Shape::Match, Shape::Script, Shape::Query, Shape::Native, Shape::Measure];

/// The keys of the file, and beside which forms each of them says something.
pub(crate) const KEYS: &[(&str, &[Shape])] = &[
    ("version", ALL),
    ("enabled", ALL),
    ("unavailable", ALL),
    ("needs", ALL),
    ("glossaries", ALL),
    ("lists", &[Shape::Substitute, Shape::Match, Shape::Script, Shape::Query, Shape::Measure]),
    ("define", SEARCHING),
    ("substitute", &[Shape::Substitute]),
    ("match", PATTERNS),
    ("script", &[Shape::Script, Shape::Query]),
    ("uses", &[Shape::Script, Shape::Query, Shape::Measure]),
    ("native", &[Shape::Native]),
    ("measure", &[Shape::Measure]),
    ("unless", &[Shape::Substitute, Shape::Match, Shape::Query]),
    ("mark", PATTERNS),
    ("within", PATTERNS),
    ("fix", PATTERNS),
    ("alternatives", PATTERNS),
    ("edit", SEARCHING),
    ("report", SEARCHING),
    ("facts", PATTERNS),
    ("spans", SEARCHING),
    ("unit", PATTERNS),
    ("examples", ALL),
];

/// The keys of which a file has one, and its form then.
const FORMS: [(&str, Shape); 5] = [
    ("substitute", Shape::Substitute),
    ("script", Shape::Script),
    ("native", Shape::Native),
    ("measure", Shape::Measure),
    ("match", Shape::Match),
];

pub(crate) const WITHIN: &[(&str, Within)] =
    &[("sentence", Within::Sentence), ("paragraph", Within::Paragraph), ("clause", Within::Clause)];

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

    /// Its pattern, where it has one.
    pub fn pattern(&self) -> Option<&Pattern> {
        match &self.form.as_ref()?.value {
            Form::Match(pattern, _) => Some(pattern),
            Form::Script(script) => script.pattern.as_ref(),
            Form::Substitute(_) | Form::Native(_) | Form::Measure(_) => None,
        }
    }

    /// What becomes of its hits, where it has any.
    pub fn handling(&self) -> Option<&Handling> {
        match &self.form.as_ref()?.value {
            Form::Substitute(table) => Some(&table.handling),
            Form::Match(_, handling) => Some(handling),
            Form::Script(script) => Some(&script.handling),
            Form::Native(_) | Form::Measure(_) => None,
        }
    }

    /// Its script, where it is one.
    pub fn script(&self) -> Option<&ScriptCall> {
        match &self.form.as_ref()?.value {
            Form::Script(script) => Some(script),
            _ => None,
        }
    }

    /// Names of the shared scripts that its script or formula uses.
    pub fn uses(&self) -> &[Located<String>] {
        match self.form.as_ref().map(|form| &form.value) {
            Some(Form::Script(script)) => &script.uses,
            Some(Form::Measure(formula)) => &formula.uses,
            _ => &[],
        }
    }

    /// The rows of its phrase table; none where it is another form.
    pub fn rows(&self) -> &[SubstituteRow] {
        match self.form.as_ref().map(|form| &form.value) {
            Some(Form::Substitute(table)) => &table.rows,
            _ => &[],
        }
    }

    /// Names of the captures of its pattern.
    pub fn captures(&self) -> Vec<String> {
        let mut names: Vec<String> = {
            let sequences = self.pattern().into_iter().flat_map(|p| &p.choices).flat_map(|choice| &choice.sequences);
            sequences.flat_map(captures).map(|name| name.value).collect()
        };
        names.sort();
        names.dedup();
        names
    }
}

/// The form that the keys of a file give it and the place of the key that says so, or what is wrong with them.
fn shape(given: &BTreeMap<&str, At>) -> Result<(Shape, At), String> {
    let query = given.contains_key("script") && given.contains_key("match");
    let mut found = FORMS.iter().filter_map(|(key, shape)| Some((key, shape, given.get(key)?)));
    let mut found = found.by_ref().filter(|(_, shape, _)| !(query && **shape == Shape::Match));
    match (found.next(), found.next()) {
        (Some((_, Shape::Script, at)), None) if query => Ok((Shape::Query, *at)),
        (Some((_, shape, at)), None) => Ok((*shape, *at)),
        (None, _) => Err("one of `match`, `substitute`, `script`, `native` or `measure` is required".into()),
        (Some((a, ..)), Some((b, ..))) => Err(format!("`{a}` and `{b}` exclude each other: a variant has one form")),
    }
}

/// What the keys of a form say, whatever the form.
#[derive(Default)]
struct Said {
    rows: Vec<SubstituteRow>,
    pattern: Pattern,
    handling: Handling,
    /// File of the script, name of the plugin or formula.
    text: String,
    uses: Vec<Located<String>>,
}

impl Said {
    fn form(self, shape: Shape) -> Form {
        let Said { rows, pattern, handling, text, uses } = self;
        match shape {
            Shape::Substitute => Form::Substitute(PhraseTable { rows, unless: pattern.unless, handling }),
            Shape::Match => Form::Match(pattern, handling),
            Shape::Script => Form::Script(ScriptCall { file: text, uses, pattern: None, handling }),
            Shape::Query => Form::Script(ScriptCall { file: text, uses, pattern: Some(pattern), handling }),
            Shape::Native => Form::Native(text),
            Shape::Measure => Form::Measure(FormulaText { body: text, uses }),
        }
    }
}

pub(crate) fn read_variant(reader: &mut Reader<'_>, root: &Node) -> VariantFile {
    let mut file = VariantFile { enabled: true, ..VariantFile::default() };
    let mut said = Said::default();
    let mut given = BTreeMap::new();
    let keys: Vec<&str> = KEYS.iter().map(|(key, _)| *key).collect();
    let pairs = reader.map(root, "a variant", &keys);
    if let Some((_, node)) = pairs.iter().find(|(key, _)| key.name == "define") {
        read_parts(reader, node);
    }
    for (key, node) in pairs {
        given.insert(key.name.as_str(), key.at);
        match key.name.as_str() {
            "version" => file.version = reader.text(node).map(|text| Located { value: text.value, at: key.at }),
            "enabled" => file.enabled = reader.flag(node).unwrap_or(true),
            "unavailable" => file.unavailable = read_note(reader, node),
            "needs" => file.needs = read_needs(reader, node),
            "glossaries" => {
                file.glossaries = reader.texts(node).into_iter().map(|k| k.value).collect();
            }
            "lists" => file.lists = read_lists(reader, node),
            "substitute" => said.rows = read_table(reader, node),
            "match" => said.pattern.choices = read_choices(reader, node),
            "define" => {}
            "script" | "native" | "measure" => {
                said.text = reader.text(node).map(|text| text.value).unwrap_or_default();
            }
            "uses" => said.uses = reader.texts(node),
            "facts" => said.pattern.facts = read_facts(reader, node),
            "unless" => said.pattern.unless = read_sequences(reader, node),
            "mark" => said.pattern.mark = read_mark(reader, node).unwrap_or_default(),
            "within" => {
                said.pattern.within = reader.choice(node, WITHIN).unwrap_or_default();
            }
            "fix" => said.pattern.fix = reader.text(node),
            "alternatives" => said.pattern.alternatives = reader.texts(node),
            "edit" => said.handling.edit = reader.choice(node, EDITS),
            "report" => said.handling.report = read_gates(reader, node),
            "spans" => said.handling.spans = reader.choice(node, SPANS),
            "unit" => said.pattern.unit = reader.text(node),
            _ => file.examples = read_examples(reader, node),
        }
    }
    match shape(&given) {
        Ok((shape, at)) => {
            let idle = KEYS.iter().filter(|(_, shapes)| !shapes.contains(&shape));
            for (key, at) in idle.filter_map(|(key, _)| Some((key, given.get(key)?))) {
                let message = format!("`{key}` has no effect beside {}", shape.name());
                reader.problem(*at, message, "delete it, or write the rule in another form");
            }
            file.form = Some(Located { value: said.form(shape), at });
        }
        Err(message) => reader.problem(
            root.at,
            message,
            "a variant is a phrase table, a pattern, a script, a native rule or a formula",
        ),
    }
    file
}

/// A capture, `from..to`, `match` or `sentence`.
fn read_mark(reader: &mut Reader<'_>, node: &Node) -> Option<Mark> {
    let Located { value, at } = reader.text(node)?;
    let capture = |name: &str| Located { value: name.trim().to_owned(), at };
    Some(match value.split_once("..") {
        Some((from, to)) => Mark::FromTo(capture(from), capture(to)),
        None if value == "match" => Mark::Match,
        None if value == "sentence" => Mark::Sentence,
        None => Mark::Capture(capture(&value)),
    })
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
            "mark" => choice.mark = read_mark(reader, node),
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

/// A note in the three languages.
fn read_note(reader: &mut Reader<'_>, node: &Node) -> Option<BTreeMap<Language, String>> {
    let codes = Language::ALL.map(Language::code);
    let mut note = BTreeMap::new();
    for (key, value) in reader.map(node, "a note", &codes) {
        if let (Ok(language), Some(text)) = (key.name.parse(), reader.text(value)) {
            note.insert(language, text.value);
        }
    }
    if note.len() < codes.len() {
        reader.problem(node.at, "the note lacks a language", "write it in es, ca and en: `{es: …, ca: …, en: …}`");
    }
    Some(note)
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
    for (key, node) in reader.map(node, "a row", &["to", "by", "pos", "edit", "allow", "when"]) {
        match key.name.as_str() {
            "to" if node.value == Value::Null => {}
            "to" => row.to = reader.texts(node).into_iter().map(|to| to.value).collect(),
            "by" => row.by = reader.choice(node, BY).unwrap_or_default(),
            "pos" => row.pos = reader.texts(node),
            "edit" => row.edit = reader.choice(node, EDITS),
            "when" => row.when = Some(node.clone()),
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
    let mut said = false;
    for (key, value) in reader.map(node, "a gate", &["over", "at_least", "skip", "per", "from_words"]) {
        said |= ["over", "at_least", "skip"].contains(&key.name.as_str());
        match key.name.as_str() {
            "over" => gate.over = read_amount(reader, value),
            "at_least" => gate.at_least = read_amount(reader, value),
            "skip" => gate.skip = read_amount(reader, value),
            "from_words" => gate.from_words = read_amount(reader, value),
            _ => {
                if let Some(text) = reader.text(value) {
                    gate.per = read_per(reader, &text);
                }
            }
        }
    }
    if !said {
        reader.problem(
            node.at,
            "a gate needs `over`, `at_least` or `skip`",
            "write for instance `report: {over: $max_per_100, per: 100 words}`",
        );
    }
    gate
}

fn read_amount(reader: &mut Reader<'_>, node: &Node) -> Option<Amount<f64>> {
    let text = reader.text(node)?;
    Amount::read(reader, &text, text.at, "write a number, or `$name` for a threshold of metric.yaml")
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
    let mut genre = None;
    for (key, node) in reader.map(node, "a text and its value", &["text", "value", "genre"]) {
        match (key.name.as_str(), &node.value) {
            ("text", _) => text = reader.text(node),
            ("genre", _) => genre = reader.text(node).map(|genre| genre.value),
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
    Some(ValueExample { text: text?, value: value?, genre })
}
