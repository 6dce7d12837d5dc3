//! JSON Schemas of the files of a metric, for editors.
//!
//! The schema of a variant is written here because its reader is too; both take the names of keys from the same
//! lists, and a test holds them together.

use glosa_text::{ClauseKind, Upos};
use serde_json::{Map, Value, json};

use crate::pattern::{BLOCKS, FEATURES, FLAGS};
use crate::variant_file::{SPANS, WITHIN};
use crate::{Capability, DocsFile, GlossaryFile, MetricFile};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// `metric.yaml`.
pub fn metric() -> Value {
    schemars::schema_for!(MetricFile).to_value()
}

/// `docs/<language>.yaml`.
pub fn docs() -> Value {
    schemars::schema_for!(DocsFile).to_value()
}

/// `<key>.<language>.yaml` of a glossary.
pub fn glossary() -> Value {
    let mut schema = schemars::schema_for!(GlossaryFile).to_value();
    let defs = variant()["$defs"].clone();
    for name in ["words", "scalar", "sequence", "tests", "step"] {
        schema["$defs"][name] = defs[name].clone();
    }
    schema
}

/// The conditions of a row.
pub(crate) fn when() -> Value {
    let tests: Vec<(&str, Value)> =
        steps().into_iter().filter(|(key, _)| key.ends_with("followed_by") || key.ends_with("preceded_by")).collect();
    let mut schema = self::tests(&tests);
    if let Some(keys) = schema["properties"].as_object_mut() {
        keys.retain(|key, _| crate::pattern::condition_keys().contains(&key.as_str()));
    }
    schema["minProperties"] = json!(1);
    json!({"anyOf": [schema, {"type": "array", "minItems": 1, "items": schema}]})
}

/// `rules/lists/<name>.<language>.yaml`.
pub fn list() -> Value {
    let mut schema = lists();
    if let Value::Object(map) = &mut schema {
        map.insert("$schema".to_owned(), DIALECT.into());
        map.insert("title".to_owned(), "ListFile".into());
        map.insert(
            "description".to_owned(),
            "Words that several variants name: a list, or a map from word to value.".into(),
        );
    }
    schema
}

/// `rules/readings.<language>.yaml`.
pub fn readings() -> Value {
    let beside: Vec<(&str, Value)> =
        steps().into_iter().filter(|(key, _)| key.ends_with("followed_by") || key.ends_with("preceded_by")).collect();
    let example = json!({"type": "array", "items": {"type": "string"}});
    let is = json!({"type": "object", "additionalProperties": false, "minProperties": 1, "properties": {
        "pos": {"enum": Upos::ALL.map(Upos::as_str)},
        "lemma": described(json!({"type": "string"}), "Dictionary form."),
        "morph": described(json!({"type": "object", "additionalProperties": {"type": ["string", "integer"]}}), "Features of Universal Dependencies.")
    }});
    let mut keys: Map<String, Value> = [
        ("form", described(json!({"$ref": "#/$defs/words"}), "One word, or several, as texts have it.")),
        ("now", described(json!({"$ref": "#/$defs/tests"}), "Tests that the form passes as it is read now.")),
        ("is", described(is, "What it is; what is absent stays.")),
        ("why", described(json!({"type": "string"}), "The reason, for whoever reads the file.")),
        (
            "examples",
            json!({"type": "object", "additionalProperties": false, "required": ["bad"], "properties": {
                "bad": described(example.clone(), "Texts whose marked form, between < and >, is read anew."),
                "good": described(example, "Texts in which nothing is read anew.")
            }}),
        ),
    ]
    .map(|(key, schema)| (key.to_owned(), schema))
    .into_iter()
    .collect();
    keys.extend(beside.into_iter().map(|(key, schema)| (key.to_owned(), schema)));
    let reading = json!({
        "type": "object", "additionalProperties": false, "required": ["form", "is", "examples"], "properties": keys
    });
    let defs = variant()["$defs"].clone();
    let defs: Map<String, Value> = ["words", "scalar", "sequence", "tests", "step"]
        .map(|name| (name.to_owned(), defs[name].clone()))
        .into_iter()
        .collect();
    json!({
        "$schema": DIALECT,
        "title": "ReadingsFile",
        "description": "Corrections of the tagger: what a form is where certain words stand beside it.",
        "type": "object",
        "additionalProperties": false,
        "required": ["readings"],
        "properties": {"readings": {"type": "array", "items": reading}},
        "$defs": defs
    })
}

fn lists() -> Value {
    let scalar = json!({"type": ["string", "number", "boolean"]});
    let texts = json!({"type": "array", "items": scalar});
    json!({"anyOf": [texts, {"type": "object", "additionalProperties": {"anyOf": [scalar, texts, {"type": "null"}]}}]})
}

/// `<language>.yaml` of a metric.
pub fn variant() -> Value {
    let words = json!({"$ref": "#/$defs/words"});
    let sequence = json!({"$ref": "#/$defs/sequence"});
    let sequences = json!({"type": "array", "items": sequence, "minItems": 1});
    let examples = examples();
    let row = row();
    let gate = gate();
    let pattern = json!({"anyOf": [
        sequence,
        {"type": "object", "additionalProperties": false, "required": ["any"], "properties": {"any": sequences}}
    ]});
    let choices = json!({"anyOf": [
        sequence,
        {"type": "object", "additionalProperties": false, "required": ["any"], "properties": {"any": {
            "type": "array", "minItems": 1, "items": {"anyOf": [sequence, {"$ref": "#/$defs/choice"}]}
        }}}
    ]});
    let all = json!({"type": "object", "additionalProperties": false, "required": ["all"], "properties": {
        "all": {"type": "array", "items": {"$ref": "#/$defs/gate"}, "minItems": 1}
    }});
    let gates = json!({"anyOf": [{"$ref": "#/$defs/gate"}, all]});
    json!({
        "$schema": DIALECT,
        "title": "VariantFile",
        "description": "One variant of a metric: a phrase table, a token pattern, a script, a native rule or a formula.",
        "type": "object",
        "additionalProperties": false,
        "oneOf": [
            {"required": ["substitute"]},
            {"required": ["match"], "not": {"required": ["script"]}},
            {"required": ["script"]},
            {"required": ["native"]},
            {"required": ["measure"]}
        ],
        "properties": {
            "version": described(json!({"type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+$"}), "Version of this variant, major.minor.patch; a native variant writes none."),
            "enabled": described(json!({"type": "boolean"}), "false lists the variant without running it."),
            "unavailable": described(json!({"type": "object", "additionalProperties": false, "required": ["es", "ca", "en"], "properties": {"es": {"type": "string"}, "ca": {"type": "string"}, "en": {"type": "string"}}}), "Why reports cannot have it, for the catalogue."),
            "needs": described(json!({"type": "array", "items": {"enum": Capability::ALL.map(Capability::name)}}), "What it requires of the linguistic runtime; tests of a pattern add theirs by themselves."),
            "glossaries": described(words.clone(), "Keys of the glossaries that it reads."),
            "lists": described(json!({"type": "object", "additionalProperties": lists()}), "Lists of words by name, which patterns read as $name and scripts as lists.name."),
            "define": described(json!({"type": "object", "additionalProperties": pattern}), "Named parts of patterns, for {use: name}."),
            "substitute": described(json!({"type": "object", "additionalProperties": {"$ref": "#/$defs/row"}}), "Phrase table: phrase to replacement, to a list whose first is preferred, or to ~ to flag it only."),
            "match": described(choices, "Token pattern: a list of steps, or {any: [[…], […]]}, whose items may be maps with keys of their own."),
            "script": described(json!({"type": "string"}), "File name of a Rhai script beside the file."),
            "uses": described(words.clone(), "Names of shared scripts, rules/scripts/<name>.rhai, whose functions the script or formula calls."),
            "native": described(json!({"type": "string"}), "Name of the plugin that holds the metric."),
            "measure": described(json!({"type": "string"}), "Formula over the counts of the document."),
            "unless": described(sequences.clone(), "A hit that overlaps one of these is dropped."),
            "mark": described(json!({"type": "string"}), "What is reported: a capture, or from..to."),
            "within": described(json!({"enum": WITHIN.iter().map(|(name, _)| *name).collect::<Vec<_>>()}), "Where a match has to stay; sentence where nothing is said."),
            "fix": described(json!({"type": "string"}), "Replacement: {name}, {name.column}, {name ? 'text' : 'other'}, {inflect(name.column, 'Mood=Ind|Tense=Pres', like)}."),
            "alternatives": described(words.clone(), "Templates of further replacements."),
            "edit": described(json!({"enum": ["safe", "none"]}), "Whether the replacement may be applied as it is; safe where nothing is said."),
            "report": described(json!({"anyOf": [gates, {"type": "array", "items": gates}]}), "Report only when there are enough hits: any of several opens, {all: […]} when all of its gates do."),
            "facts": described(json!({"type": "object", "additionalProperties": {"type": "string"}}), "Values for the wording: count(name), or a template."),
            "spans": described(json!({"enum": SPANS.iter().map(|(name, _)| *name).collect::<Vec<_>>()}), "Which hits become one occurrence with several places: those of one term or lemma (collect), sentence, paragraph or text."),
            "unit": described(json!({"type": "string"}), "The capture whose lemma makes hits one unit."),
            "examples": described(examples, "Run as tests.")
        },
        "$defs": {
            "words": {"anyOf": [{"$ref": "#/$defs/scalar"}, {"type": "array", "items": {"$ref": "#/$defs/scalar"}}]},
            "scalar": {"type": ["string", "number", "boolean"]},
            "sequence": {"type": "array", "items": {"$ref": "#/$defs/step"}, "minItems": 1},
            "row": row,
            "gate": gate,
            "choice": choice(&pattern),
            "example": {"anyOf": [
                {"type": "string"},
                {"type": "object", "additionalProperties": false, "required": ["text"], "properties": {
                    "text": {"type": "string"},
                    "fix": described(json!({"type": "string"}), "The whole text after all edits."),
                    "params": described(json!({"type": "object"}), "Thresholds of this example."),
                    "genre": described(json!({"type": "string"}), "domain/text_type that it is run in.")
                }}
            ]},
            "when": when(),
            "tests": tests(&[]),
            "step": {"anyOf": [{"$ref": "#/$defs/scalar"}, tests(&steps())]}
        }
    })
}

fn choice(pattern: &Value) -> Value {
    let text = json!({"type": "string"});
    json!({"type": "object", "additionalProperties": false, "required": ["match"], "properties": {
        "match": described(pattern.clone(), "Steps of the alternative."),
        "unless": described(json!({"type": "array", "items": {"$ref": "#/$defs/sequence"}}), "A hit of it that overlaps one of these is dropped."),
        "mark": described(text.clone(), "What of it is reported."),
        "fix": described(json!({"type": ["string", "null"]}), "Its replacement; ~ for none."),
        "alternatives": described(json!({"$ref": "#/$defs/words"}), "Further replacements."),
        "edit": {"enum": ["safe", "none"]},
        "facts": described(json!({"type": "object", "additionalProperties": text}), "Values for the wording, beside those of the variant."),
        "wording": described(text, "Name of a wording of the report, in report.wordings of the documentation.")
    }})
}

fn examples() -> Value {
    let list = json!({"type": "array", "items": {"$ref": "#/$defs/example"}});
    let values = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["text", "value"],
        "properties": {"text": {"type": "string"}, "value": {"type": ["number", "null"]}, "genre": {"type": "string"}}
    });
    json!({"type": "object", "additionalProperties": false, "properties": {
        "bad": described(list.clone(), "Texts in which exactly what stands between < and > is marked."),
        "good": described(list.clone(), "Texts in which nothing is marked."),
        "todo_bad": described(list.clone(), "Known gaps: should be marked and are not yet."),
        "todo_good": described(list, "Known false alarms: are marked and should not be."),
        "values": described(json!({"type": "array", "items": values}), "For measurements: texts and their values; ~ where the measurement is left out.")
    }})
}

fn row() -> Value {
    let words = json!({"$ref": "#/$defs/words"});
    let none = json!({"type": "null"});
    let map = json!({"type": "object", "additionalProperties": false, "properties": {
        "to": described(json!({"anyOf": [words, none]}), "Replacement, or a list whose first is preferred."),
        "by": described(json!({"enum": ["form", "lemma", "lemmas"]}), "Which words may be inflected: none, the first, all."),
        "pos": described(pos(), "Part of speech that the first word must have."),
        "edit": {"enum": ["safe", "none"]},
        "allow": described(json!({"type": "boolean"}), "Never marked; hides shorter phrases inside it."),
        "when": described(json!({"$ref": "#/$defs/when"}), "What else the place has to be like: tests of the first word and of what stands beside the phrase.")
    }});
    json!({"anyOf": [words, none, map]})
}

fn gate() -> Value {
    let number = json!({"$ref": "#/$defs/scalar"});
    let per = json!({"type": "string", "pattern": "^(text|sentence|paragraph|unit|[1-9][0-9]* (words|sentences))$"});
    json!({
        "type": "object",
        "additionalProperties": false,
        "anyOf": [{"required": ["over"]}, {"required": ["at_least"]}, {"required": ["skip"]}],
        "properties": {
            "over": described(number.clone(), "More than this; a number or $param."),
            "at_least": described(number.clone(), "At least this; a number or $param."),
            "per": described(per, "What hits are counted against; text where nothing is said."),
            "skip": described(number.clone(), "So many hits are tolerated; those after them are reported."),
            "from_words": described(number, "Closed in texts of fewer words.")
        }
    })
}

fn described(mut schema: Value, text: &str) -> Value {
    if let Value::Object(map) = &mut schema {
        map.insert("description".to_owned(), text.into());
    }
    schema
}

fn pos() -> Value {
    let tags = json!({"enum": Upos::ALL.map(Upos::as_str)});
    json!({"anyOf": [tags, {"type": "array", "items": tags}]})
}

fn blocks() -> Value {
    let kinds = json!({"enum": BLOCKS.map(|(name, _)| name)});
    json!({"anyOf": [kinds, {"type": "array", "items": kinds}]})
}

fn clauses() -> Value {
    let kinds = json!({"enum": ClauseKind::ALL.map(ClauseKind::name)});
    json!({"anyOf": [kinds, {"type": "array", "items": kinds}]})
}

fn tests(more: &[(&str, Value)]) -> Value {
    let words = json!({"$ref": "#/$defs/words"});
    let inner = json!({"anyOf": [{"$ref": "#/$defs/words"}, {"$ref": "#/$defs/tests"}]});
    let features: Map<String, Value> = FEATURES
        .iter()
        .map(|(name, values)| {
            let one = if values.is_empty() { json!({"type": "string"}) } else { json!({"enum": values}) };
            ((*name).to_owned(), json!({"anyOf": [one, {"type": "array", "items": one}]}))
        })
        .collect();
    let layered = json!({"^[A-Z][A-Za-z]*\\[[a-z]+\\]$": words});
    let mut keys: Map<String, Value> = [
        ("form", described(words.clone(), "As written.")),
        ("norm", described(words.clone(), "In lower case; /regex/ is matched against the whole word; $param reads a list.")),
        ("lemma", described(words.clone(), "Dictionary form.")),
        ("participle", described(words.clone(), "Verbs of which it is a past participle, whatever the tagger takes it for.")),
        ("starts", described(words.clone(), "How the word begins.")),
        ("ends", described(words.clone(), "How the word ends.")),
        ("pos", described(pos(), "Universal part of speech.")),
        ("morph", described(json!({"type": "object", "additionalProperties": false, "properties": features, "patternProperties": layered}), "Features of Universal Dependencies.")),
        ("glossary", described(words.clone(), "A term of this glossary; the step covers the whole term.")),
        ("part", described(inner.clone(), "A syntactic word of a contraction or of a verb with pronouns.")),
        ("relation", described(words.clone(), "Relation of Universal Dependencies to its head; nsubj is met by nsubj:pass too.")),
        ("head", described(inner.clone(), "Its head in the tree of the sentence passes these tests.")),
        ("child", described(inner.clone(), "A token of which it is the head passes these tests.")),
        ("block", described(blocks(), "Kind of the block that it stands in.")),
        ("clause", described(clauses(), "Kind of the innermost finite clause that it belongs to.")),
        ("agrees_with", described(json!({"type": "string"}), "Same gender and number as this capture.")),
        ("begins_like", described(json!({"type": "string"}), "Same first three letters as this capture.")),
        ("not", described(json!({"anyOf": [inner, {"type": "array", "items": inner}]}), "None of these may hold.")),
    ]
    .into_iter()
    .chain(more.iter().map(|(key, schema)| (*key, schema.clone())))
    .map(|(key, schema)| (key.to_owned(), schema))
    .collect();
    for (flag, _) in FLAGS {
        keys.insert((*flag).to_owned(), json!({"type": "boolean"}));
    }
    json!({"type": "object", "additionalProperties": false, "properties": keys})
}

fn steps() -> Vec<(&'static str, Value)> {
    let beside = json!({"anyOf": [{"$ref": "#/$defs/step"}, {"$ref": "#/$defs/sequence"}]});
    let range = json!({"type": ["string", "integer"]});
    vec![
        ("repeat", described(range.clone(), "How often: 2, 0..1, 1.. or $min..8, at most 8.")),
        ("optional", described(json!({"type": "boolean"}), "The same as repeat: 0..1.")),
        ("as", described(json!({"type": "string"}), "Name of the capture.")),
        (
            "any",
            described(
                json!({"type": "array", "items": {"$ref": "#/$defs/sequence"}, "minItems": 1}),
                "One of these sequences.",
            ),
        ),
        ("use", described(json!({"type": "string"}), "A part that define names.")),
        ("gap", described(range, "As few words as possible, 0..8, at most 40, that pass the other tests.")),
        ("followed_by", described(beside.clone(), "Stands after the step and is not covered.")),
        ("not_followed_by", described(beside.clone(), "Does not stand after the step.")),
        ("preceded_by", described(beside.clone(), "Stands before the step and is not covered.")),
        ("not_preceded_by", described(beside, "Does not stand before the step.")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{STEPS, TESTS};
    use crate::variant_file::{CHOICE, KEYS};

    fn keys(schema: &Value) -> Vec<&str> {
        let mut keys: Vec<&str> =
            schema["properties"].as_object().expect("a map of properties").keys().map(String::as_str).collect();
        keys.sort_unstable();
        keys
    }

    fn sorted<'n>(names: impl Iterator<Item = &'n &'n str>) -> Vec<&'n str> {
        let mut names: Vec<&str> = names.copied().collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn the_schema_has_the_keys_of_the_reader() {
        let schema = variant();
        assert_eq!(keys(&schema), sorted(KEYS.iter().map(|(key, _)| key)));
        assert_eq!(keys(&schema["$defs"]["choice"]), sorted(CHOICE.iter()));
        assert_eq!(keys(&schema["$defs"]["tests"]), sorted(TESTS.iter()));
        assert_eq!(keys(&schema["$defs"]["step"]["anyOf"][1]), sorted(TESTS.iter().chain(STEPS)));
        let reading = &readings()["properties"]["readings"]["items"];
        assert_eq!(keys(reading), sorted(crate::reading::KEYS.iter().chain(&crate::reading::BESIDE)));
    }

    #[test]
    fn schemas_of_types() {
        assert_eq!(metric()["title"], "MetricFile");
        assert_eq!(docs()["title"], "DocsFile");
        assert_eq!(glossary()["title"], "GlossaryFile");
    }
}
