//! Files that are made from the types are those that the types make.
#![allow(clippy::disallowed_methods, reason = "a test of commands")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// The schemas are those that the types make, and every file names its own in its first line.
#[test]
fn schemas_and_the_lines_that_name_them_are_up_to_date() {
    let output = Command::new(env!("CARGO_BIN_EXE_glosa-rules"))
        .args(["schema", "--check"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_yaml_file_has_a_schema() {
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let known: Vec<_> = glosa_host::files_with_schema(top).into_iter().map(|(path, _)| path).collect();
    let mut open: Vec<_> = ["rules", "genres", "glossaries"].map(|part| top.join(part)).into();
    let mut without = Vec::new();
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "yaml") && !known.contains(&path) {
                without.push(path);
            }
        }
    }
    assert!(known.len() > 500, "{} files", known.len());
    assert!(without.is_empty(), "no schema for {without:?}");
}

fn docs(arguments: &[&str]) -> (bool, String) {
    program(&[&["docs"], arguments].concat())
}

fn program(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_glosa-rules"))
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("the program runs");
    (output.status.success(), [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned()).concat())
}

#[test]
fn every_metric_has_a_page_in_three_languages() {
    let (complete, said) = docs(&["--check"]);
    assert!(complete, "{said}");
    let root = tempfile::tempdir().expect("a folder");
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let files = [
        ("rules/categories.yaml", fs::read_to_string(top.join("rules/categories.yaml")).expect("a file")),
        ("rules/capabilities.yaml", fs::read_to_string(top.join("rules/capabilities.yaml")).expect("a file")),
        ("rules/notes.yaml", fs::read_to_string(top.join("rules/notes.yaml")).expect("a file")),
        ("genres/occurrences.yaml", fs::read_to_string(top.join("genres/occurrences.yaml")).expect("a file")),
        ("rules/sample/metric.yaml", "id: sample\nkind: rule\ncategory: vocabulary\norder: 1\n".to_owned()),
        ("rules/sample/es.yaml", "version: 1.0.0\nsubstitute: {a nivel de: en}\n".to_owned()),
        (
            "rules/sample/docs/es.yaml",
            "documentation: {title: Muestra, summary: Una muestra., methodology: M., interpretation: I.}\nreport: {summary: Hay.}\n"
                .to_owned(),
        ),
    ];
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("written");
    }
    let folder = root.path().display().to_string();
    let (complete, said) = docs(&["--check", "--root", &folder]);
    assert!(!complete);
    for lack in ["sample/docs/ca.yaml: the file is missing", "sample/docs/es.yaml: `limitations` is empty"] {
        assert!(said.contains(lack), "{said}");
    }
    let out = root.path().join("pages").display().to_string();
    let (written, said) = docs(&["--out", &out, "--root", &folder]);
    assert!(written, "{said}");
    let page = fs::read_to_string(root.path().join("pages/sample.es.md")).expect("a page");
    assert!(page.contains("## Cómo leerlo\n\nI.\n"), "{page}");
}

/// The pages of rules show what people said of them, as it is today.
#[test]
fn pages_show_the_figures_of_the_judged_documents() {
    let root = glosa_tests_root::Folder::root();
    root.put("rules/sample/metric.yaml", "id: sample\nkind: rule\ncategory: vocabulary\norder: 1\n");
    root.put("rules/sample/es.yaml", "version: 1.0.0\nsubstitute: {a nivel de: en}\n");
    let docs = "documentation: {title: Muestra, summary: Una., methodology: M., interpretation: I., limitations: L.}\n\
                report: {summary: Hay.}\n";
    for language in ["es", "ca", "en"] {
        root.put(&format!("rules/sample/docs/{language}.yaml"), docs);
    }
    let judged = "genre: test/note\nsource: s\nlicence: l\ntext: Es así a nivel de pueblo y a nivel de barrio.\nplaces:\n  \
                  - {rule: sample, text: a nivel de, verdict: right, suggestions: {en: right}}\n  \
                  - {rule: sample, text: a nivel de, nth: 2, verdict: debatable}\n";
    root.put("tests/rules/judged/es/01-note.yaml", judged);
    let folder = root.path().display().to_string();
    let (complete, said) = program(&["docs", "--check", "--root", &folder]);
    assert!(!complete && said.contains("run `rules precision --write`"), "{said}");
    let (written, said) = program(&["precision", "--write", "--root", &folder]);
    assert!(written, "{said}");
    let (complete, said) = program(&["docs", "--check", "--root", &folder]);
    assert!(complete, "{said}");
    let out = root.file("pages").display().to_string();
    program(&["docs", "--out", &out, "--root", &folder]);
    let page = fs::read_to_string(root.file("pages/sample.en.md")).expect("a page");
    assert!(page.contains("| es | 1 / 1 | 1 / 1 / 0 | 1 / 0 / 0 | 0 |"), "{page}");
}
