//! A text is parsed where a metric of the plan asks for trees, and nowhere else; without a parser such a metric is not
//! available.

#![allow(clippy::disallowed_methods, reason = "a test that writes rules")]

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, Mutex};

use glosa_host::{Roots, check_examples, load, load_language, load_with};
use glosa_lingua::{LanguageModels, Runtime};
use glosa_metric::{Capability, Input, Metric, MetricError, Needs, Sink, Variant};
use glosa_report::Trial;
use glosa_text::{ClauseKind, Language};

const TEXT: &str = "No podemos tramitar su solicitud porque falta el certificado que le pedimos en mayo.";

/// Notes what it sees of the syntax.
#[derive(Default)]
struct Witness(Mutex<Vec<Option<Vec<ClauseKind>>>>);

impl Metric for Witness {
    fn run(&self, input: &Input, _: &mut Sink) -> Result<(), MetricError> {
        let kinds = input.document.syntax(0).map(|syntax| syntax.clauses().iter().map(|clause| clause.kind).collect());
        self.0.lock().expect("one thread").push(kinds);
        Ok(())
    }
}

fn checkout() -> Roots {
    Roots::find(Some(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))), &[]).expect("the checkout")
}

#[test]
fn only_who_asks_for_trees_gets_them() {
    let snapshot = load_language(&checkout(), Language::Es).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let entry = snapshot.engine.registry.get("long-paragraph").expect("a rule without needs");
    let plain = entry.variant(Language::Es).expect("a variant");
    let witness = Arc::new(Witness::default());
    for needs in [Needs::default(), [Capability::Dependency].into_iter().collect()] {
        let variant = Arc::new(Variant { needs, run: witness.clone(), ..Variant::clone(plain) });
        let trial = Trial {
            variant,
            params: Default::default(),
            glossaries: Default::default(),
            structure: Default::default(),
            headings: Default::default(),
            gates_open: false,
        };
        trial.run(&snapshot.engine, TEXT).expect("an outcome");
    }
    let seen = witness.0.lock().expect("one thread");
    let kinds = vec![ClauseKind::Main, ClauseKind::Causal, ClauseKind::Relative];
    assert_eq!(*seen, [None, Some(kinds)]);
}

#[test]
fn without_a_parser_they_are_not_available() {
    let without = |language| LanguageModels { parser: Cow::Borrowed(&[]), ..LanguageModels::shipped(language) };
    let runtime = Runtime::with_models(without).expect("the shipped models");
    let rule = tempfile::tempdir().expect("a folder");
    let folder = rule.path().join("rules/needs-a-tree");
    std::fs::create_dir_all(folder.join("docs")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    write("metric.yaml", "id: needs-a-tree\nkind: rule\ncategory: structure\norder: 2\n");
    write("es.yaml", "version: 0.1.0\nneeds: [dependency]\nmatch: [palabra]\nexamples:\n  bad: [Una <palabra> más.]\n");
    write("docs/es.yaml", "documentation: {title: Uno, summary: Dos.}\nreport: {summary: Tres.}\n");
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let roots = Roots::find(Some(top), &[rule.path().to_owned()]).expect("two roots");
    let snapshot = load_with(Arc::new(runtime), &roots).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let entry = snapshot.engine.registry.get("needs-a-tree").expect("it is listed");
    let variant = entry.variant(Language::Es).expect("a variant");
    assert!(!variant.active());
    let note = snapshot.availability_note(variant, Language::Ca).expect("a note");
    assert!(note.contains("sintàctica"), "{note}");
}

#[test]
fn patterns_and_scripts_read_the_tree() {
    let root = tempfile::tempdir().expect("a folder");
    let rule = |id: &str, variant: &str, script: Option<&str>| {
        let folder = root.path().join("rules").join(id);
        std::fs::create_dir_all(folder.join("docs")).expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
        write("metric.yaml", &format!("id: {id}\nkind: rule\ncategory: structure\norder: 2\n"));
        write("es.yaml", variant);
        write("docs/es.yaml", "documentation: {title: Uno, summary: Dos.}\nreport: {summary: Tres.}\n");
        if let Some(script) = script {
            write("rule.rhai", script);
        }
    };
    rule(
        "by-pattern",
        "version: 0.1.0\nmatch: [{relation: nsubj, clause: causal, head: {lemma: faltar, child: {norm: porque}}}]\n\
         examples:\n  bad: [No le pagamos porque falta el <certificado>.]\n  good: [Falta el certificado.]\n",
        None,
    );
    rule(
        "by-exception",
        "version: 0.1.0\nmatch: [{norm: certificado, not: {relation: obj}, not_followed_by: {norm: que, head: {clause: main}}}]\n\
         examples:\n  bad: [El <certificado> falta., El <certificado> que le pedimos no llegó.]\n\
         \x20 good: [Hemos recibido el certificado.]\n",
        None,
    );
    rule(
        "by-clause",
        "version: 0.1.0\nwithin: clause\nmatch: ['no', {gap: 0..8}, certificado]\n\
         examples:\n  bad: [Hoy <no falta el certificado>.]\n\
         \x20 good: [No le pagamos porque falta el certificado., No le pagamos el recibo que trae el certificado.]\n",
        None,
    );
    rule(
        "by-script",
        "version: 0.1.0\nneeds: [dependency]\nscript: rule.rhai\n\
         examples:\n  bad: ['No le pagamos <porque falta el certificado>.']\n  good: [Falta el certificado.]\n",
        Some(
            "fn on_sentence(s) {\n    for c in s.clauses {\n        \
             if c.kind == \"causal\" && c.subject.head == c.finite && c.depth == 1 { report(c.tokens); }\n    }\n}\n",
        ),
    );
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let roots = Roots::find(Some(top), &[root.path().to_owned()]).expect("two roots");
    // Loading runs the examples.
    let snapshot = load(&roots).unwrap_or_else(|problems| panic!("{problems:#?}"));
    for id in ["by-pattern", "by-exception", "by-clause", "by-script"] {
        let failures = check_examples(&snapshot, Some(id));
        assert!(failures.is_empty(), "{failures:?}");
    }
}
