//! Plugins in C and in Rust do what they say, and a plugin that misbehaves fails its own run only.
#![allow(clippy::disallowed_methods, reason = "the tests start a clock to stop a plugin")]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use glosa_host::dylib::{Plugin, linked, load};
use glosa_metric::{Capability, Fact, Kind, Metric, MetricError, Number, ParamValue};
use glosa_tests_plugins::{build_c, build_rust, input, marked, root, run, sentences_library};
use glosa_text::Language;

fn metric(plugin: &Plugin, id: &str) -> Arc<dyn Metric> {
    plugin.metric(id).expect("the plugin has it").metric()
}

fn integer(value: i64) -> ParamValue {
    ParamValue::Integer(value)
}

#[test]
fn a_plugin_in_c() {
    let folder = tempfile::tempdir().expect("a folder");
    let plugin = load(&build_c(folder.path(), "libwords-0.3.0.so", &[])).expect("a plugin");
    assert_eq!((plugin.name(), plugin.version()), ("words", "0.3.0"));
    let rule = plugin.metric("two-spaces").expect("a rule");
    assert_eq!((rule.version.as_str(), rule.kind), ("2.1.0", Kind::Rule));
    assert_eq!(rule.languages, [Language::Ca]);
    assert!(rule.needs.has(Capability::Pos) && !rule.needs.has(Capability::Lemma));

    let text = input(Language::Ca, "Això  és així. Gràcies.", &[("min_letters", integer(4))], None);
    let counted = run(&metric(&plugin, "long-word-count"), &text).expect("a value");
    assert_eq!(counted.value, Some(Number::Integer(3)));
    assert_eq!(text.params.applied().into_iter().collect::<Vec<_>>(), [("min_letters".into(), integer(4))]);

    let found = run(&rule.metric(), &text).expect("findings");
    assert_eq!(marked(&text, &found.findings), ["  "]);
    assert_eq!(found.findings[0].replacement.as_deref(), Some(" "));
    assert_eq!(text.document.slice(found.findings[0].edits[0].span), " ");
}

#[test]
fn an_unknown_parameter_fails_with_the_names_that_exist() {
    let folder = tempfile::tempdir().expect("a folder");
    let plugin = load(&build_c(folder.path(), "libwords.so", &[])).expect("a plugin");
    let text = input(Language::En, "Two words.", &[("max_letters", integer(4))], None);
    let error = run(&metric(&plugin, "long-word-count"), &text).expect_err("an error");
    insta::assert_snapshot!(error, @"parameter `min_letters` is not declared in metric.yaml (declared: max_letters)");
    let text = input(Language::En, "Two words.", &[("min_letters", ParamValue::Flag(true))], None);
    let error = run(&metric(&plugin, "long-word-count"), &text).expect_err("an error");
    insta::assert_snapshot!(error, @"parameter `min_letters` is flag, but the metric reads it as integer");
}

const TERMS: &str = "
title: Terms
rows:
  - {term: por eso, data: {relation: result}}
  - {term: aunque, data: {relation: concession}}
";

#[test]
fn a_plugin_in_rust_outside_the_workspace() {
    let plugin = load(&build_rust(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("shouting"))).expect("a plugin");
    assert_eq!((plugin.name(), plugin.version()), ("shouting", "1.2.3"));

    let spared = ParamValue::List(vec!["DNI".into()]);
    let params = [("min_letters", integer(3)), ("spared", spared)];
    let text = input(Language::Es, "Traiga el DNI ¡AHORA MISMO! Sí, a él. Ñandú 👩‍👩‍👧 ÁRBOL.", &params, None);
    let found = run(&metric(&plugin, "shouted-word"), &text).expect("findings");
    assert_eq!(marked(&text, &found.findings), ["AHORA", "MISMO", "ÁRBOL"]);
    let last = &found.findings[2];
    assert_eq!(last.replacement.as_deref(), Some("árbol"));
    assert_eq!(last.alternatives, ["«ÁRBOL»"]);
    assert_eq!(last.facts["letters"], Fact::Integer(5));
    assert_eq!(found.facts["least"], Fact::Integer(3));

    let ratio = [("ratio", ParamValue::Number(0.5))];
    let text = input(Language::Es, "Llueve; por eso salgo, aunque tarde.", &ratio, Some(("terms", TERMS)));
    let every = run(&metric(&plugin, "every-ability"), &text).expect("a value");
    assert_eq!(every.value, Some(Number::Real(6.0 + 10.0 + 6.0 + 0.5)));
    assert_eq!(every.facts["form"], Fact::Text("pagan".into()));
    assert_eq!(every.facts["cue"], Fact::Text("porque".into()));
}

#[test]
fn noun_phrases_and_persons() {
    let plugin = load(&build_rust(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("phrases"))).expect("a plugin");
    let text = input(Language::Es, "Ayer recibimos la carta certificada del juzgado.", &[], None);
    let found = run(&metric(&plugin, "phrases"), &text).expect("findings");
    assert_eq!(marked(&text, &found.findings), ["la carta certificada del juzgado"]);
    assert_eq!(found.findings[0].facts["head"], Fact::Text("carta".into()));
    assert_eq!(found.findings[0].facts["modifiers"], Fact::Integer(2));
    assert_eq!(found.facts["person"], Fact::Integer(1));
}

#[test]
fn a_plugin_of_the_interface_before_this_one_still_loads() {
    let folder = tempfile::tempdir().expect("a folder");
    let plugin = load(&build_c(folder.path(), "libwords.so", &["MINOR=1"])).expect("a plugin");
    assert_eq!(plugin.name(), "words");
}

#[test]
fn a_plugin_that_misbehaves_fails_its_own_run_only() {
    let plugin = load(&build_rust(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("misbehaving"))).expect("a plugin");
    let params = [("min_letters", integer(2)), ("spared", ParamValue::List(Vec::new()))];
    let mut text = input(Language::En, "WE shout.", &params, None);
    let error = run(&metric(&plugin, "panics"), &text).expect_err("an error");
    assert_eq!(error, MetricError::Panicked("nothing at 0".into()));
    let error = run(&metric(&plugin, "outside-the-text"), &text).expect_err("an error");
    insta::assert_snapshot!(error, @"the plugin gave the host a span outside the text");

    let start = Instant::now();
    text.budget.deadline = Some(start + Duration::from_millis(20));
    let error = run(&metric(&plugin, "endless"), &text).expect_err("an error");
    assert!(matches!(error, MetricError::Budget(_)), "{error}");

    text.budget.deadline = None;
    let found = run(&metric(&plugin, "shouted-word"), &text).expect("findings");
    assert_eq!(marked(&text, &found.findings), ["WE"]);
}

fn connectors(language: Language) -> String {
    std::fs::read_to_string(root().join(format!("glossaries/connectors.{language}.yaml"))).expect("the glossary")
}

fn long(language: Language, max_words: i64, text: &str, plugin: &Plugin) -> Vec<(String, String, Vec<String>)> {
    let params = [
        ("max_words", integer(max_words)),
        ("semicolon_resets", ParamValue::Flag(false)),
        ("collapse_law_citations", ParamValue::Flag(true)),
        ("max_connectors", integer(6)),
    ];
    let text = input(language, text, &params, Some(("connectors", &connectors(language))));
    let found = run(&metric(plugin, "long-sentence"), &text).expect("findings");
    assert!(found.findings.len() <= 1);
    let connectors = found.findings.into_iter().flat_map(|f| f.connectors);
    connectors.map(|c| (text.document.slice(c.span).to_owned(), c.relation, c.alternatives)).collect()
}

#[test]
fn the_family_sentences_is_the_same_loaded_and_linked() {
    let loaded = load(&sentences_library()).expect("cargo builds it beside this test");
    let linked = linked(glosa_native_sentences::linked()).expect("a plugin");
    for plugin in [&loaded, &linked] {
        assert_eq!(plugin.name(), "sentences");
        let es = long(
            Language::Es,
            25,
            "Le comunicamos que hemos recibido su solicitud de ayuda para el alquiler correspondiente al año en \
             curso, aunque no podemos tramitarla porque falta el certificado de empadronamiento de la vivienda.",
            plugin,
        );
        insta::allow_duplicates! {
            insta::assert_debug_snapshot!("split_es", es);
        }
        let ca = long(
            Language::Ca,
            10,
            "Com que no vau signar l'imprès de la sol·licitud d'ajut, no us podem pagar enguany, per la qual cosa \
             haureu d'esperar la convocatòria de l'any vinent.",
            plugin,
        );
        insta::allow_duplicates! {
            insta::assert_debug_snapshot!("split_ca", ca);
        }
        let en = long(
            Language::En,
            25,
            "We are writing to tell you that we have received your application for help with your rent for this \
             year, although we cannot process it yet because your proof of address is missing.",
            plugin,
        );
        insta::allow_duplicates! {
            insta::assert_debug_snapshot!("split_en", en);
        }
    }
}
