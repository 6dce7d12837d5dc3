//! What authors are told: every problem of a file at once, with place, cause and cure.

mod toy;

use toy::Bench;

#[test]
fn all_problems_of_a_file_at_once() {
    let bench = Bench::default().params(
        "  max_words: {type: integer, default: 1, meaning: m}\n  list: {type: list, default: [a], meaning: m}\n",
    );
    insta::assert_snapshot!(bench.problems(
        "\
version: 1.0.0
needs: [lema]
glossary: [x]
within: sentense
match:
  - {lema: ser, as: aux}
  - {pos: VERV, repeat: 0..12}
  - {norm: 'a pesar', ends: [mente]}
  - {glossary: terms, morph: {Verbform: Part, Tense: Pats}}
  - [a, b]
  - {}
  - '/a(b/'
  - {gap: 0..$max_word}
  - {gap: 3..some}
  - {any: [[a], b]}
  - {capitalised: yes}
  - {norm: $max_words, repeat: 0..$list}
unless: [a]
mark: auxx
fix: '{aux} {inflekt(aux, aux)} {other'
report: [{per: 100 wrods}, {over: many}]
examples:
  bad: [{fix: x}]
  gut: []
"
    ));
}

#[test]
fn problems_of_meaning_are_told_together() {
    let bench = Bench::default().params(
        "  max_words: {type: integer, default: 1, meaning: m}\n  list: {type: list, default: [a], meaning: m}\n",
    );
    insta::assert_snapshot!(bench.problems(
        "\
version: 1.0.0
glossaries: [other]
match:
  - {lemma: ser, as: aux}
  - {pos: VERV}
  - {norm: 'a pesar', ends: [mente]}
  - {glossary: terms}
  - '/a(b/'
  - {gap: 0..$max_word}
  - {norm: $max_words, repeat: 0..$list}
  - {pos: ADJ, agrees_with: aus}
  - {norm: x, followed_by: {norm: y, as: z}}
unless: [[{norm: b, repeat: 0..1}]]
mark: auxx
fix: '{aux} {inflekt(aux, aux)} {other'
report: {over: $many}
"
    ));
}

#[test]
fn not_yaml() {
    let problems = Bench::default().problems("version: 1.0.0\nmatch: [a\nfix: b\n");
    insta::assert_snapshot!(problems);
    insta::assert_snapshot!("twice", Bench::default().problems("version: 1\nmatch: [a]\nmatch: [b]\n"));
    insta::assert_snapshot!(
        "forms",
        Bench::default().problems("version: 1\nmatch: [a]\nsubstitute: {a: a, b: {too: c}}\nscript: x\n")
    );
}

#[test]
fn other_files_name_place_and_cure_too() {
    let read = |source: &str| {
        let errors = glosa_metric::yaml::read::<glosa_metric::MetricFile>(source).unwrap_err();
        let shown = errors.iter().map(|error| glosa_metric::Problem::yaml("rules/x/metric.yaml", error).to_string());
        shown.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!("metric_field", read("id: x\nkind: rule\ncategry: a\norder: 1\n"));
    insta::assert_snapshot!("metric_kind", read("id: x\nkind: rul\ncategory: a\norder: 1\n"));
    insta::assert_snapshot!("metric_missing", read("id: x\nkind: rule\ncategory: a\n"));
    insta::assert_snapshot!("metric_type", read("id: x\nkind: rule\ncategory: a\norder: first\n"));
    insta::assert_snapshot!(
        "metric_everything",
        read(
            "id: [x]\nkind: rul\ncategry: a\norder: first\nparams:\n  a: {type: int, default: {fr: 1}, meaning: A.}\n  b: {type: integer, defualt: 1}\n  c: 3\nreferences: one\n"
        )
    );
}

/// What people write, and what they are told: no words of the reader, and a cure that can be copied.
#[test]
fn texts_that_are_no_yaml() {
    let broken = [
        "key: Lee esto: importante\n",
        "examples:\n  bad:\n    - Vino ayer: llovía: mucho\n",
        "examples:\n  bad:\n    - text: Vino: ayer\n",
        "a: b\n\tc: d\n",
        "a:\n\tb: c\n",
        "a: b\n  c: d\n",
        "a:\n  b: c\n d: e\n",
        "a: 'x\nb: y\n",
        "a: \"x\nb: y\n",
        "a: 'it's'\n",
        "a: \"b\" c\n",
        "a: [b, c\nd: e\n",
        "a: {b: c\nd: e\n",
        "a: [b: c: d]\n",
        "a: [x, y]]\n",
        "a: {b}: c\n",
        "a: @b\n",
        "a: *b\n",
        "a: %b\n",
        "a:b\nc: d\n",
        "a b\nc: d\n",
        "a: b\nc\n",
        "- a\nb: c\n",
        "a: b\n- c\n",
        "a: \"x\\q\"\n",
        "---\na: b\n---\nc: d\n",
        "a: b\na: c\n",
    ];
    let shown = broken.map(|source| {
        let error = glosa_metric::yaml::tree(source).expect_err(source);
        assert!(error.help.is_some(), "no cure: {source}: {error}");
        glosa_metric::Problem::yaml("x.yaml", &error).to_string()
    });
    insta::assert_snapshot!(shown.join("\n"));
}
