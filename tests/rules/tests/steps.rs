//! Small rules whose examples hold only where quotations, blocks, capitals and thresholds of others are seen.
#![allow(clippy::disallowed_methods, reason = "a test that writes files")]

use glosa_host::{Roots, Snapshot, check_examples, load};
use glosa_metric::ParamValue;
use glosa_tests_root::Folder;
use glosa_text::Language;

const METRIC: &str = "id: sample\nkind: rule\ncategory: vocabulary\norder: 1\n";
const DOCS: &str = "documentation: {title: Muestra, summary: Una muestra.}\nreport: {summary: 'Hay {count}.'}\n";

fn loaded(root: &Folder) -> Result<Snapshot, String> {
    let roots = Roots { folders: vec![root.path().to_owned()], plugins: Vec::new() };
    load(&roots).map_err(|problems| problems.iter().map(|p| format!("{p}\n\n")).collect())
}

/// What is wrong with the examples of a rule.
fn failures(variant: &str) -> Vec<String> {
    let root = Folder::root();
    root.put("rules/sample/metric.yaml", METRIC);
    root.put("rules/sample/es.yaml", variant);
    root.put("rules/sample/docs/es.yaml", DOCS);
    let snapshot = loaded(&root).unwrap_or_else(|said| panic!("{said}"));
    check_examples(&snapshot, Some("sample")).into_iter().map(|failure| failure.message).collect()
}

#[test]
fn words_in_quotation_marks() {
    let quoted = "version: 1.0.0\nmatch: [{lemma: tasa, quoted: false}]\nexamples:\n  bad:\n    - Pague la <tasa> «rápida» y la <tasa>.\n  good: ['La palabra «tasa» es corta.', 'La “tasa”.', 'La \"tasa\" y el \"precio\".']\n";
    assert_eq!(failures(quoted), [""; 0]);
}

#[test]
fn kinds_of_blocks() {
    let block = "version: 1.0.0\nmatch: [{norm: [pagar, cobrar], first: true, block: [paragraph, item]}]\nexamples:\n  bad: [\"Pasos\\n\\n- <pagar> ya.\", \"# Pagar\\n\\n<Cobrar> ya.\"]\n  good: [\"# Pagar\\n\\nAsí.\", Hay que pagar.]\n";
    assert_eq!(failures(block), [""; 0]);
}

#[test]
fn a_replacement_that_changes_capitals_alone() {
    let month = "version: 1.0.0\nmatch: [{form: Marzo}]\nfix: marzo\nexamples:\n  bad:\n    - {text: 'El 3 de <Marzo>.', fix: El 3 de marzo.}\n    - {text: '<Marzo> no.', fix: Marzo no.}\n";
    assert_eq!(failures(month), [""; 0]);
    let letter = "version: 1.0.0\nmatch: [{form: [Y, O]}]\nfix: e\nexamples:\n  bad:\n    - {text: 'Padres <Y> hijos.', fix: Padres e hijos.}\n    - {text: '<Y> hijos.', fix: E hijos.}\n";
    assert_eq!(failures(letter), [""; 0]);
}

/// A threshold that follows another one has its value in every genre, unless the genre sets it.
#[test]
fn a_threshold_follows_another() {
    let root = Folder::root();
    let follower = METRIC.to_owned()
        + "params:\n  most: {type: integer, default: {of: other}, min: 1, max: 50, meaning: Most of all.}\n";
    let other = METRIC.replace("sample", "other")
        + "params:\n  most: {type: integer, default: {es: 30, ca: 31, en: 32}, meaning: Most.}\n";
    root.put("rules/sample/metric.yaml", &follower);
    root.put("rules/other/metric.yaml", &other);
    for rule in ["sample", "other"] {
        root.put(&format!("rules/{rule}/docs/es.yaml"), DOCS);
    }
    root.put("rules/sample/es.yaml", "version: 1.0.0\nmatch: [a]\nreport: {over: $most, per: 100 words}\n");
    root.put("rules/other/es.yaml", "version: 1.0.0\nmatch: [b]\nreport: {over: $most, per: 100 words}\n");
    let genre = |name: &str, metrics: &str| {
        root.put(&format!("genres/test/{name}/genre.yaml"), format!("names: {{es: N, ca: N, en: N}}\n{metrics}"));
        root.put(&format!("genres/test/{name}/es.yaml"), "sections: []\n");
    };
    genre("set", "metrics: {other: {most: 20}}\n");
    genre("both", "metrics: {other: {most: 20}, sample: {most: 10}}\n");
    let snapshot = loaded(&root).unwrap_or_else(|said| panic!("{said}"));
    let most = |genre: &str| {
        let (_, edition) = snapshot.catalog.find(Language::Es, Some("test"), genre).expect("a genre");
        let step = edition.plan.steps.iter().find(|step| &*step.variant.metric == "sample").expect("it runs");
        step.params.get("most").cloned()
    };
    let values = ["note", "set", "both"].map(most);
    assert_eq!(values, [30, 20, 10].map(|n| Some(ParamValue::Integer(n))));

    root.put("rules/sample/metric.yaml", follower.replace("of: other", "of: othr"));
    root.put("rules/other/metric.yaml", other.replace("most", "more"));
    insta::assert_snapshot!(loaded(&root).expect_err("problems"));
}

/// A variant that nobody can have is listed with its note, and does not run.
#[test]
fn what_is_unavailable_says_why() {
    let root = Folder::root();
    root.put("rules/sample/metric.yaml", METRIC);
    root.put("rules/sample/docs/es.yaml", DOCS);
    root.put(
        "rules/sample/es.yaml",
        "version: 1.0.0\nunavailable: {es: Falta la lista., ca: Manca., en: No list.}\nmatch: [a]\n",
    );
    let snapshot = loaded(&root).unwrap_or_else(|said| panic!("{said}"));
    let entry = snapshot.engine.registry.get("sample").expect("the metric");
    let variant = &entry.variants[0];
    assert!(!variant.available() && !variant.active());
    assert_eq!(snapshot.availability_note(variant, Language::En).as_deref(), Some("No list."));
    root.put("rules/sample/es.yaml", "version: 1.0.0\nunavailable: {es: Falta.}\nmatch: [a]\n");
    insta::assert_snapshot!(loaded(&root).expect_err("problems"));
}

/// A list may hold a word that ends in an apostrophe, as it stands before another word.
#[test]
fn words_that_end_in_an_apostrophe() {
    let root = Folder::root();
    root.put("rules/sample/metric.yaml", METRIC);
    let variant = "version: 1.0.0\nlists: {wrong: {\"childrens'\": \"children's\"}}\nmatch: [{norm: $wrong, as: word}]\nfix: '{lookup($wrong, word.norm)}'\nexamples:\n  bad:\n    - {text: \"The <childrens'> toys.\", fix: \"The children's toys.\"}\n  good: [\"The parents' toys.\"]\n";
    root.put("rules/sample/en.yaml", variant);
    root.put("rules/sample/docs/en.yaml", DOCS);
    let snapshot = loaded(&root).unwrap_or_else(|said| panic!("{said}"));
    let failures = check_examples(&snapshot, Some("sample"));
    assert!(failures.is_empty(), "{failures:?}");
}
