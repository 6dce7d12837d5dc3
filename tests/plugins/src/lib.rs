//! Builds plugins in C and in Rust outside the workspace, and makes the input that their metrics run on.
#![allow(clippy::disallowed_methods, reason = "the tests start compilers and read what these made")]
#![allow(clippy::expect_used, reason = "a test that cannot build its plugin fails")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use glosa_lingua::Runtime;
use glosa_metric::phrases::{PhraseIndexBuilder, PhraseRow};
use glosa_metric::{
    Budget, Content, Finding, Glossaries, Glossary, GlossaryFile, Inflect, Input, Metric, MetricError, ParamValue,
    Params, Section, Sink, SourceLevel, Structure, yaml,
};
use glosa_text::{Language, Layout, normal_form, orthographic_words};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("two folders up").to_owned()
}

/// Compiles `c/words.c` with some definitions into a folder, under a file name.
pub fn build_c(folder: &Path, name: &str, definitions: &[&str]) -> PathBuf {
    let library = folder.join(name);
    let output = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I"])
        .arg(root().join("engine/plugin/include"))
        .args(definitions.iter().map(|d| format!("-D{d}")))
        .arg("-o")
        .arg(&library)
        .arg(root().join("tests/plugins/c/words.c"))
        .output()
        .expect("a C compiler named cc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    library
}

/// Builds the Rust plugin outside the workspace; gives its library.
pub fn build_rust(target: &Path) -> PathBuf {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--offline", "--quiet", "--manifest-path"])
        .arg(root().join("tests/plugins/rust/Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    target.join("debug").join(format!("{}shouting{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX))
}

/// The library of the family `sentences`, which cargo leaves beside the tests that depend on it.
pub fn sentences_library() -> PathBuf {
    let tests = std::env::current_exe().expect("the running test");
    let name = format!("{}glosa_native_sentences{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    tests.with_file_name(name)
}

struct Plurals;

impl Inflect for Plurals {
    fn inflect(&self, _: Language, lemma: &str, _: &str, feats: &str) -> Option<String> {
        (lemma == "pagar" && feats == "Number=Plur").then(|| "pagan".to_owned())
    }
}

fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| Runtime::new().expect("the models of the repository"))
}

/// An input with parameters and one glossary, given as the text of its file.
pub fn input(language: Language, text: &str, params: &[(&str, ParamValue)], glossary: Option<(&str, &str)>) -> Input {
    let layout = Layout::new(text, &Default::default());
    let document = runtime().parse_document(runtime().analyse(language, text, layout));
    let mut glossaries = BTreeMap::new();
    let tokenize = |phrase: &str| orthographic_words(phrase).map(|r| normal_form(&phrase[r])).collect::<Vec<_>>();
    let mut index = PhraseIndexBuilder::new(&tokenize);
    if let Some((key, source)) = glossary {
        let file: GlossaryFile = yaml::read(source).expect("a glossary file");
        let entries = file.entries();
        index.table(0, entries.iter().map(|e| PhraseRow { active: e.active, ..PhraseRow::form(e.term.clone()) }));
        let glossary = Glossary {
            key: key.to_owned(),
            title: file.title,
            level: SourceLevel::Global,
            table: 0,
            entries,
            rows: Default::default(),
        };
        glossaries.insert(key.to_owned(), Arc::new(glossary));
    }
    let hits = index.build().expect("an index").scan(&document, &[0]);
    let values = params.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    let content = Content { name: "Motivo".into(), cues: vec!["porque".into()], ..Content::default() };
    let section = Section { name: "Hechos".into(), synonyms: vec!["Antecedentes".into()], contents: vec![content] };
    Input {
        document: Arc::new(document),
        params: Arc::new(Params::new(Arc::new(values))),
        glossaries: Arc::new(Glossaries::new(glossaries)),
        views: Arc::default(),
        hits: Arc::new(hits),
        structure: Arc::new(Structure { sections: vec![section], free_order: false }),
        inflect: Arc::new(Plurals),
        budget: Budget::default(),
        occurrences: 0,
        trial: false,
    }
}

/// Runs a metric.
pub fn run(metric: &Arc<dyn Metric>, input: &Input) -> Result<Sink, MetricError> {
    let mut sink = Sink::default();
    metric.run(input, &mut sink).map(|()| sink)
}

/// The marked places of findings, as text.
pub fn marked<'t>(input: &'t Input, findings: &[Finding]) -> Vec<&'t str> {
    findings.iter().filter_map(Finding::span).map(|span| input.document.slice(span)).collect()
}
