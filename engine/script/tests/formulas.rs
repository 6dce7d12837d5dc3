//! Formulas over the counts of a document.

mod support;

use glosa_metric::{Number, ParamValue};
use glosa_script::{Formula, compile_formula};
use support::{input, run};

fn value(body: &str, text: &str) -> Option<Number> {
    let formula = Formula { body, file: "es.yaml", source: body, line: 1, ..Formula::default() };
    let metric = compile_formula(&formula).unwrap_or_else(|problems| panic!("{problems:?}")).run;
    let text = input(text, &[("words_per_minute", ParamValue::Integer(30))]);
    run(&metric, &text).expect("a value").value
}

const TEXT: &str = "# Aviso\n\nUno dos tres. Cuatro.\n\n- cinco\n- seis 7\n\nOcho.\n\n- nueve";

#[test]
fn counts() {
    let counted = |name: &str| match value(name, TEXT) {
        Some(Number::Real(n)) => n,
        other => panic!("{name}: {other:?}"),
    };
    let counts = [
        ("words", 10.0),
        ("letters", 39.0),
        ("letter_words", 9.0),
        ("sentences", 6.0),
        ("paragraphs", 2.0),
        ("headings", 1.0),
        ("list_items", 3.0),
        ("list_count", 2.0),
        ("paragraph_words", 5.0),
        ("paragraph_sentences", 3.0),
        ("heading_words", 1.0),
        ("item_words", 4.0),
        ("tokens", 10.0),
        ("occurrences", 3.0),
        ("syllabic_words", 9.0),
        ("long_words", 2.0),
    ];
    for (name, expected) in counts {
        assert_eq!(counted(name), expected, "{name}");
    }
    assert_eq!(counted("characters"), TEXT.chars().count() as f64);
}

#[test]
fn values() {
    assert_eq!(value("words.to_int()", TEXT), Some(Number::Integer(10)));
    assert_eq!(value("if sentences > 0.0 { words / sentences }", TEXT), Some(Number::Real(10.0 / 6.0)));
    assert_eq!(value("if sentences > 0.0 { words / sentences }", ""), None);
    assert_eq!(value("60.0 * words / params.words_per_minute", TEXT), Some(Number::Real(20.0)));
    assert_eq!(value("let long = doc.words.count(|w| w.letters > 4);\nlong", TEXT), Some(Number::Integer(4)));
}

#[test]
fn errors_name_the_place_in_the_file() {
    let source = "version: 1.0.0\nmeasure: |-\n  let ratio = words / sentencs;\n  ratio\n";
    let body = "let ratio = words / sentencs;\nratio";
    let formula = Formula { body, file: "rules/x/es.yaml", source, line: 2, ..Formula::default() };
    let unknown = &compile_formula(&formula).err().expect("a problem")[0];
    let source = "version: 1.0.0\nmeasure: if words > 0.0 { words / }\n";
    let body = "if words > 0.0 { words / }";
    let formula = Formula { body, file: "rules/x/es.yaml", source, line: 2, ..Formula::default() };
    let broken = &compile_formula(&formula).err().expect("a problem")[0];
    insta::assert_snapshot!(format!("{unknown}\n\n{broken}"));

    let formula = Formula { body: "\"text\"", file: "es.yaml", source: "", line: 1, ..Formula::default() };
    let metric = compile_formula(&formula).unwrap_or_else(|problems| panic!("{problems:?}")).run;
    let error = run(&metric, &input("Uno.", &[])).expect_err("an error");
    insta::assert_snapshot!(error, @"es.yaml: the formula gives a text, not a number; write `()` to leave the measurement out");
}
