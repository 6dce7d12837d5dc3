//! No text within the limits of the service breaks a report, whatever it repeats; the benchmark `hostile` of `glosa-report` says what
//! such texts cost. Here they are short, and every promise of the report is held.

use glosa_host::Snapshot;
use glosa_report::violations;
use glosa_tests_hostile::{Case, Family, Material, Size, case, families, of_glossaries, of_rules, snapshot};
use glosa_text::Language;
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
