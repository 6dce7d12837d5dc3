//! No text within the limits of the service breaks a report, whatever it repeats; the benchmark `hostile` of `glosa-report` says what
//! such texts cost. Here they are short, and every promise of the report is held.
#![allow(clippy::disallowed_methods, reason = "a test that writes a rule")]

use glosa_host::{Roots, Snapshot};
use glosa_report::{Progress, violations};
use glosa_tests_hostile::{Case, Family, Material, Size, case, families, of_glossaries, of_rules, snapshot};
use glosa_text::Language;
use std::path::Path;
use std::sync::LazyLock;

static SNAPSHOT: LazyLock<Snapshot> = LazyLock::new(snapshot);

fn problem(case: &Case<'_>, text: &str) -> Option<String> {
    match case.report(text, &mut |_| {}) {
        Err(error) => Some(error.to_string()),
        Ok(result) => violations(&result, text).first().map(|violation| format!("{violation:?}")),
    }
}

fn check(language: Language, families: &[Family], material: &Material, size: Size) {
    let case = case(&SNAPSHOT, language);
    let mut broken = Vec::new();
    for family in families {
        let text = family.text(material, size).unwrap_or_default();
        broken.extend(problem(&case, &text).map(|why| format!("{language} {}: {why}", family.name)));
    }
    assert!(broken.is_empty(), "{} of {}:\n{}", broken.len(), families.len(), broken.join("\n"));
}

#[test]
fn texts_that_repeat_one_thing_have_reports() {
    for language in Language::ALL {
        let material = Material::new(&SNAPSHOT, language);
        let mut all = families();
        all.extend(of_glossaries(&material));
        check(language, &all, &material, Size::SERVICE.over(160));
    }
}

#[test]
fn each_rule_bears_its_own_examples_phrases_and_signs_again_and_again() {
    for language in Language::ALL {
        let material = Material::new(&SNAPSHOT, language);
        check(language, &of_rules(&SNAPSHOT, language), &material, Size::SERVICE.over(640));
    }
}

/// Long, but what people write: lists of names in one sentence, a transcript without punctuation, thousands of lines.
#[test]
fn long_sentences_and_long_lists_have_reports() {
    let language = Language::Es;
    let material = Material::new(&SNAPSHOT, language);
    let case = case(&SNAPSHOT, language);
    let names = |many: usize| {
        let name = |n: usize| format!("Ana {}", material.words[n % material.words.len()]);
        let all: Vec<String> = (0..many).map(name).collect();
        format!("Se notifica a {} y Juan Ruiz que el plazo termina mañana.", all.join(", "))
    };
    let transcript = material.words[..2_500].join(" ").to_lowercase();
    let lines = (0..10_001).map(|n| format!("línea {n}\n")).collect::<String>();
    for (name, text) in
        [("200 names", names(200)), ("400 names", names(400)), ("transcript", transcript), ("10,001 lines", lines)]
    {
        assert_eq!(problem(&case, &text), None, "{name}");
    }
}

/// A rule that runs out of its operations before it has found anything leaves no recommendation; those who run the service hear
/// of it all the same.
#[test]
fn a_rule_cut_short_is_told_also_when_it_found_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |file: &str, text: &str| {
        let path = folder.path().join("rules/squares").join(file);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("written");
    };
    put("metric.yaml", "id: squares\nkind: rule\ncategory: cohesion\norder: 1\n");
    put("es.yaml", "version: 1.0.0\nscript: rule.rhai\n");
    let script =
        "fn on_document(doc) { let n = 0; for a in doc.tokens { for b in doc.tokens { if a == b { n += 1; } } } }";
    put("rule.rhai", script);
    put("docs/es.yaml", "documentation: {title: T, summary: S.}\nreport: {summary: '{count}'}\n");
    let checkout = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let roots = Roots::find(Some(checkout), &[folder.path().to_owned()]).expect("the checkout");
    let snapshot = glosa_host::load(&roots).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let text = "La casa es grande. ".repeat(1_000);
    let mut cut = Vec::new();
    let report = case(&snapshot, Language::Es).report(&text, &mut |progress| {
        if let Progress::CutShort { metric, why, places, .. } = progress {
            cut.push((metric, places));
            assert!(why.contains("rule.rhai"), "{why}");
        }
    });
    let report = report.expect("a report");
    assert_eq!(cut, [("squares".to_owned(), 0)]);
    assert!(report.recommendations.iter().all(|one| one.metric_id != "squares"));
}
