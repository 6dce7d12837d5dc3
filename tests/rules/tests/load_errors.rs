//! What people see when a file is wrong: place, cause and cure, all problems at once, and nothing is loaded.
#![allow(clippy::disallowed_methods, reason = "a test that reads files")]

use std::fs;
use std::path::Path;

use glosa_host::{Roots, load};

const METRIC: &str = "id: sample\nkind: rule\ncategory: vocabulary\norder: 1\nparams:\n  max_words: {type: integer, default: 30, min: 5, max: 90, meaning: Longest sentence that is fine.}\n";
const VARIANT: &str =
    "version: 1.0.0\nsubstitute:\n  con el fin de: para\nexamples:\n  bad: ['Vino <con el fin de> ver.']\n";
const DOCS: &str = "documentation: {title: Muestra, summary: Una muestra.}\nreport: {summary: 'Hay {count}.'}\n";
const GENRE: &str = "names: {es: Nota, ca: Nota, en: Note}\n";
const DOMAIN: &str = "names: {es: Prueba, ca: Prova, en: Test}\n";

/// A small sound tree with some files put in place of others.
fn tree(root: &Path, changes: &[(&str, &str)]) {
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    for shared in ["rules/categories.yaml", "rules/capabilities.yaml", "rules/notes.yaml", "genres/occurrences.yaml"] {
        write(root, shared, &fs::read_to_string(top.join(shared)).expect("a shipped file"));
    }
    let sound = [
        ("rules/sample/metric.yaml", METRIC),
        ("rules/sample/es.yaml", VARIANT),
        ("rules/sample/docs/es.yaml", DOCS),
        ("genres/test/domain.yaml", DOMAIN),
        ("genres/test/note/genre.yaml", GENRE),
        ("genres/test/note/es.yaml", "sections: []\n"),
    ];
    for (path, text) in sound.iter().chain(changes) {
        write(root, path, text);
    }
}

/// What people are told of such a tree.
fn problems(changes: &[(&str, &str)]) -> String {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path();
    tree(root, changes);
    let roots = Roots { folders: vec![root.to_owned()], plugins: vec![root.join("lib")] };
    match load(&roots) {
        Ok(snapshot) => format!("loaded {} metrics", snapshot.engine.registry.entries().len()),
        Err(problems) => {
            let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
            shown.join("\n\n").replace(&root.display().to_string(), "<root>")
        }
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, text).expect("a file");
}

macro_rules! shown {
    ($name:ident, $changes:expr) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!(problems($changes));
        }
    };
}

shown!(a_sound_tree_loads, &[]);
shown!(unknown_key_in_a_variant, &[("rules/sample/es.yaml", "version: 1.0.0\nsubstitue:\n  a: b\n")]);
shown!(unknown_key_in_a_step, &[("rules/sample/es.yaml", "version: 1.0.0\nmatch:\n  - {lema: ser, pos: VERB}\n")]);
shown!(unknown_part_of_speech, &[("rules/sample/es.yaml", "version: 1.0.0\nmatch:\n  - {lemma: ser, pos: VERBO}\n")]);
shown!(broken_yaml, &[("rules/sample/es.yaml", "version: 1.0.0\nsubstitute:\n  'con el fin: para\n  otra: cosa\n")]);
shown!(
    duplicate_phrase,
    &[("rules/sample/es.yaml", "version: 1.0.0\nsubstitute:\n  a nivel de: en\n  a nivel de: con\n")]
);
shown!(two_forms, &[("rules/sample/es.yaml", "version: 1.0.0\nsubstitute: {a: b}\nmatch: [a]\n")]);
shown!(
    a_measurement_that_finds_places,
    &[("rules/sample/metric.yaml", "id: sample\nkind: measurement\ncategory: length\norder: 1\nunit: words\n")]
);
shown!(a_rule_that_is_a_formula, &[("rules/sample/es.yaml", "version: 1.0.0\nmeasure: words / sentences\n")]);
shown!(no_version, &[("rules/sample/es.yaml", "substitute: {con el fin de: para}\n")]);
shown!(
    undeclared_threshold_in_a_pattern,
    &[("rules/sample/es.yaml", "version: 1.0.0\nmatch: [de]\nreport: {over: $max_word, per: 100 words}\n")]
);
shown!(expression_too_large, &[("rules/sample/es.yaml", "version: 1.0.0\nmatch: ['/(a{500}){500}/']\n")]);
shown!(
    missing_glossary,
    &[("rules/sample/es.yaml", "version: 1.0.0\nglossaries: [plain-term]\nmatch: ['@plain-term']\n")]
);
shown!(missing_script, &[("rules/sample/es.yaml", "version: 1.0.0\nscript: es.rhai\n")]);
shown!(
    script_that_does_not_parse,
    &[
        ("rules/sample/es.yaml", "version: 1.0.0\nscript: es.rhai\n"),
        ("rules/sample/es.rhai", "fn on_document(doc) {\n    let x = ;\n}\n")
    ]
);
shown!(
    script_without_an_entry,
    &[
        ("rules/sample/es.yaml", "version: 1.0.0\nscript: es.rhai\n"),
        ("rules/sample/es.rhai", "fn on_documents(doc) {}\n")
    ]
);
shown!(missing_plugin, &[("rules/sample/es.yaml", "native: sentence\n")]);
shown!(
    a_plugin_that_is_no_library,
    &[("rules/sample/es.yaml", "native: broken\n"), ("lib/libbroken.so", "not a library")]
);
shown!(
    missing_docs_and_wrong_category,
    &[("rules/other/metric.yaml", "id: other\nkind: rule\ncategory: vocabulari\norder: 2\n")]
);
shown!(id_differs_from_folder, &[("rules/sample/metric.yaml", &METRIC.replace("id: sample", "id: simple"))]);
shown!(default_out_of_range, &[("rules/sample/metric.yaml", &METRIC.replace("default: 30", "default: 300"))]);
shown!(a_file_that_nothing_reads, &[("rules/sample/spanish.yaml", VARIANT), ("glossaries/terms.yaml", "title: x\n")]);
shown!(
    unknown_metric_in_a_genre,
    &[("genres/test/note/genre.yaml", "names: {es: Nota, ca: Nota, en: Note}\nmetrics:\n  sampel: off\n")]
);
shown!(
    unknown_threshold_in_a_genre,
    &[("genres/test/note/genre.yaml", "names: {es: Nota, ca: Nota, en: Note}\nmetrics:\n  sample: {max_word: 3}\n")]
);
shown!(
    threshold_out_of_range,
    &[("genres/test/note/genre.yaml", "names: {es: Nota, ca: Nota, en: Note}\nmetrics:\n  sample: {max_words: 3}\n")]
);
shown!(unknown_profile, &[("genres/test/note/genre.yaml", "names: {es: Nota, ca: Nota, en: Note}\nprofile: clear\n")]);
shown!(
    unknown_occurrence,
    &[("genres/test/note/es.yaml", "sections:\n  - name: Plazo\n    contents: [{name: fecha, occurrence: allways}]\n")]
);
shown!(
    rows_that_harm,
    &[(
        "glossaries/terms.es.yaml",
        "title: Términos\nrows:\n  - {term: abonar, replacement: Abonar}\n  - {term: óbito, replacement: muerte, active: false}\n  - {term: dirimir, replacement: resolver, pos: VERBO}\n"
    )]
);
shown!(
    one_term_in_two_glossaries,
    &[
        ("glossaries/terms.es.yaml", "title: Términos\nrows:\n  - {term: abonar, replacement: pagar}\n"),
        ("glossaries/words.es.yaml", "title: Palabras\nrows:\n  - {term: Abonar, replacement: pagar}\n"),
    ]
);
shown!(
    a_column_that_no_row_has,
    &[
        (
            "rules/sample/es.yaml",
            "version: 1.0.0\nglossaries: [terms]\nmatch: ['@terms']\nfix: '{term.prefered}'\nfacts: {why: '{term.reason}'}\n"
        ),
        (
            "glossaries/terms.es.yaml",
            "title: Términos\nrows:\n  - {term: abonar, replacement: pagar, data: {preferred: pagar}}\n"
        )
    ]
);
shown!(
    files_that_nothing_runs,
    &[
        ("rules/sample/old.rhai", "fn on_document(doc) {}\n"),
        ("rules/sample/snapshots/ca.snap", "x\n"),
        ("rules/scripts/lists.rhai", "fn longest(list) { list.len }\n"),
    ]
);
shown!(
    names_in_scripts,
    &[
        ("rules/sample/es.yaml", "version: 1.0.0\nscript: es.rhai\nuses: [list]\nglossaries: [terms]\n"),
        (
            "rules/sample/es.rhai",
            "fn on_sentence(s) {\n    if s.tokens.lenght > params.max_word && longest(s) > 3 {\n        reprot(s).fact(\"relation\", glossary(\"term\").terms[0].data(\"relacion\"));\n    }\n}\n"
        ),
        ("rules/scripts/lists.rhai", "fn longest(list) { list.len }\n"),
        ("glossaries/terms.es.yaml", "title: Términos\nrows:\n  - {term: mas, data: {relation: contrast}}\n"),
    ]
);
shown!(
    form_and_meaning_of_one_file,
    &[(
        "rules/sample/es.yaml",
        "version: 1.0.0\nmatch:\n  - {lema: ser, as: aux}\n  - {pos: VERV}\nfix: '{aux}'\nreport: {over: $max_word, per: 100 words}\nexamples:\n  bads: [x]\n"
    )]
);
shown!(
    wordings_of_alternatives,
    &[
        ("rules/sample/es.yaml", "version: 1.0.0\nmatch:\n  any:\n    - [uno]\n    - {match: [dos], wording: secnd}\n"),
        (
            "rules/sample/docs/es.yaml",
            "documentation: {title: Muestra, summary: Una muestra.}\nreport: {summary: 'Hay {count}.', wordings: {second: {summary: Dos.}}}\n"
        ),
    ]
);
shown!(
    keys_without_a_match,
    &[
        ("rules/sample/es.yaml", "version: 1.0.0\nscript: es.rhai\nfix: x\nmark: y\nunit: z\nreport: {over: 2}\n"),
        ("rules/sample/es.rhai", "fn on_sentence(s) {\n    report(s);\n}\n"),
    ]
);
shown!(
    lists_of_words,
    &[
        (
            "rules/sample/es.yaml",
            "version: 1.0.0\nlists:\n  months: [enero, febrero, Enero]\n  ways: [de modo que, por]\n  max_words: [uno]\n  hues: [rojo]\n  acts: [denegada, pagar]\nmatch:\n  - {norm: $month}\n  - {lemma: $acts}\n  - {norm: $hues, not: {norm: $ways}}\n  - $towns\n"
        ),
        ("rules/lists/hues.es.yaml", "# Colours.\n- azul\n"),
        ("rules/lists/towns.ca.yaml", "[Reus, Vic]\n"),
        ("rules/lists/towns.yaml", "[Reus, Vic]\n"),
        ("rules/lists/beasts.es.yaml", "perro: {sound: guau}\n"),
    ]
);
shown!(
    lists_that_nothing_reads,
    &[
        ("rules/sample/es.yaml", "version: 1.0.0\nscript: es.rhai\nlists:\n  months: [enero]\n  days: [lunes]\n"),
        (
            "rules/sample/es.rhai",
            "fn on_sentence(s) {\n    if s.tokens.some(|t| t in lists.month || t in lists.day_names) { report(s); }\n}\n"
        ),
        ("rules/lists/day_names.es.yaml", "[lunes]\n"),
        ("rules/lists/hues.es.yaml", "[azul]\n"),
    ]
);
shown!(
    a_list_that_nothing_reads,
    &[
        ("rules/sample/es.yaml", "version: 1.0.0\nscript: es.rhai\nlists:\n  months: [enero]\n  days: [lunes]\n"),
        (
            "rules/sample/es.rhai",
            "fn on_sentence(s) {\n    if s.tokens.some(|t| t in lists.months) { report(s); }\n}\n"
        ),
        ("rules/lists/hues.es.yaml", "[azul]\n"),
    ]
);
shown!(
    all_problems_at_once,
    &[
        ("rules/sample/es.yaml", "version: 1.0\nsubstitue: {}\n"),
        ("rules/sample/docs/es.yaml", "documentation: {title: Muestra}\n"),
        ("genres/test/note/genre.yaml", "names: {es: Nota, ca: Nota}\n"),
        ("glossaries/terms.es.yaml", "rows: []\n"),
    ]
);
shown!(
    conditions_of_rows,
    &[
        (
            "rules/sample/es.yaml",
            "version: 1.0.0\nglossaries: [terms]\nsubstitute:\n  uno: {to: un, when: {lema: ser}}\n  dos: {to: dós, when: {}}\n  tres: {to: tras, when: {not_followed_by: [{lemma: casa, pos: NOUNS}]}}\n  cuatro: {to: cuarto, when: {norm: $min_words}}\n"
        ),
        (
            "glossaries/terms.es.yaml",
            "title: Términos\nrows:\n  - {term: abonar, replacement: pagar, when: {followed_by: el, relation: obj}}\n  - {term: remitir, replacement: enviar, when: no}\n"
        ),
    ]
);
/// What the examples of a tree that loads are found to say.
fn failures(changes: &[(&str, &str)]) -> String {
    let dir = tempfile::tempdir().expect("a folder");
    tree(dir.path(), changes);
    let roots = Roots { folders: vec![dir.path().to_owned()], plugins: Vec::new() };
    let snapshot = load(&roots).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let shown: Vec<String> = glosa_host::check_examples(&snapshot, None).iter().map(ToString::to_string).collect();
    shown.join("\n")
}

#[test]
fn examples_of_rows() {
    insta::assert_snapshot!(failures(&[
        (
            "rules/sample/es.yaml",
            "version: 1.0.0\nglossaries: [terms]\nmatch: ['@terms']\nexamples: {bad: ['Debe <abonar> la tasa.']}\n"
        ),
        (
            "glossaries/terms.es.yaml",
            "title: Términos\nby: lemma\nrows:\n  - term: abonar\n    replacement: pagar\n    when: {not_followed_by: [{gap: 0..1}, {norm: [campo, tierra]}]}\n    examples:\n      bad: [Debe <abonar> la tasa., Debe <abonar> la tierra., Debe abonar la tasa.]\n      good: [Hay que abonar el campo., Abonó la tasa.]\n"
        ),
    ]));
}
shown!(
    advice_that_leads_in_a_circle,
    &[
        (
            "rules/sample/es.yaml",
            "version: 1.0.0\nglossaries: [terms]\nmatch: ['@terms']\nexamples: {bad: ['Debe <abonar> la tasa.']}\n"
        ),
        (
            "glossaries/terms.es.yaml",
            "title: Términos\nby: lemma\nrows:\n  - {term: abonar, replacement: sufragar}\n  - {term: sufragar, replacement: pagar}\n"
        ),
        ("rules/other/metric.yaml", "id: other\nkind: rule\ncategory: vocabulary\norder: 2\n"),
        (
            "rules/other/es.yaml",
            "version: 1.0.0\nmatch: [costear]\nfix: sufragar\nexamples: {bad: ['Debe <costear> la obra.']}\n"
        ),
        (
            "rules/other/docs/es.yaml",
            "documentation: {title: Otra, summary: Otra muestra.}\nreport: {summary: 'Hay {count}.'}\n"
        ),
    ]
);
shown!(
    glossaries_that_extend_badly,
    &[
        (
            "glossaries/terms.es.yaml",
            "title: T\nrows:\n  - {term: abonar, replacement: pagar}\n  - {term: finalizar}\n"
        ),
        ("glossaries/test/terms.es.yaml", "title: T\nextends: termz\nrows:\n  - {term: a cargo de}\n"),
        (
            "glossaries/test/note/terms.es.yaml",
            "title: T\nextends: terms\nwithout: [abonarse, finalizar, abonar, abonar]\nrows:\n  - {term: finalizar, replacement: acabar}\n"
        ),
        ("glossaries/own.es.yaml", "title: T\nextends: own\n"),
        ("glossaries/first.es.yaml", "title: T\nextends: test/second\n"),
        ("glossaries/test/second.es.yaml", "title: T\nextends: first\n"),
        ("glossaries/alone.es.yaml", "title: T\nwithout: [abonar]\n"),
    ]
);
