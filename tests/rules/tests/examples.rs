//! The examples beside the rules are the tests; their pictures are snapshots beside the rules.

use std::path::Path;
use std::sync::LazyLock;

use glosa_host::{Roots, Snapshot, check_examples, picture};
use glosa_text::Language;

static SNAPSHOT: LazyLock<Snapshot> = LazyLock::new(|| {
    let roots = Roots::find(Some(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))), &[]).expect("the checkout");
    glosa_host::load(&roots).unwrap_or_else(|problems| {
        let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
        panic!("{}", shown.join("\n\n"))
    })
});

#[test]
fn every_example_holds() {
    let failures = check_examples(&SNAPSHOT, None);
    let shown: Vec<String> = failures.iter().map(ToString::to_string).collect();
    assert!(shown.is_empty(), "\n{}\n", shown.join("\n\n"));
}

#[test]
fn pictures_are_those_that_were_reviewed() {
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    for entry in SNAPSHOT.engine.registry.entries() {
        for language in Language::ALL {
            let Some(now) = picture(&SNAPSHOT, &entry.manifest.id, language) else { continue };
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path(top.join("rules").join(&entry.manifest.id).join("snapshots"));
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            settings.bind(|| insta::assert_snapshot!(language.code(), now));
        }
    }
}

#[test]
fn every_active_variant_has_examples_and_documentation_in_three_languages() {
    let mut wrong = Vec::new();
    for entry in SNAPSHOT.engine.registry.entries() {
        let id = &entry.manifest.id;
        for language in Language::ALL {
            if !entry.docs.contains_key(&language) {
                wrong.push(format!("{id} has no documentation in {language}"));
            }
            let key = (id.clone(), language);
            let active = entry.variant(language).is_some_and(|v| v.active());
            if let Some(source) = SNAPSHOT.sources().get(&key).filter(|_| active) {
                let examples = &source.examples;
                if examples.bad.is_empty() && examples.values.is_empty() {
                    wrong.push(format!("{} has no example", source.file));
                }
                if SNAPSHOT.example(id, language).is_none() {
                    wrong.push(format!("{} gives no output for the catalogue", source.file));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
