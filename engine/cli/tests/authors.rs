//! What authors of rules stumbled over, each as a test of what they see now.
#![allow(clippy::disallowed_methods, reason = "tests of commands and files")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use glosa_tests_root::Folder;

const TOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const METRIC: &str = "id: sample\nkind: rule\ncategory: vocabulary\norder: 1\n";
const VARIANT: &str = "version: 1.0.0\nsubstitute:\n  con el fin de: para\nexamples:\n  bad: ['Vino <con el fin de> ver.']\n  good: [Vino a ver.]\n";
const DOCS: &str = "documentation: {title: Muestra, summary: Una muestra.}\nreport: {summary: 'Hay {count}.'}\n";

/// A small sound root, and what the commands say of it.
struct Root {
    folder: Folder,
}

impl Root {
    fn new() -> Root {
        let root = Root { folder: Folder::root() };
        root.rule("sample", VARIANT);
        root
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.file(file)
    }

    fn put(&self, file: &str, text: &str) {
        self.folder.put(file, text);
    }

    /// A rule in Spanish with documentation in all languages.
    fn rule(&self, id: &str, variant: &str) {
        self.folder.rule(id, "vocabulary", variant, DOCS);
    }

    /// Runs a command; whether it did well, and what it said.
    fn run(&self, arguments: &[&str]) -> (bool, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_glosa-rules"))
            .args(arguments)
            .args(["--root", &self.folder.path().display().to_string()])
            .current_dir(self.folder.path())
            .output()
            .expect("the program runs");
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        (output.status.success(), said.replace(&format!("{}/", self.folder.path().display()), ""))
    }

    fn well(&self, arguments: &[&str]) -> String {
        let (well, said) = self.run(arguments);
        assert!(well, "{arguments:?}: {said}");
        said
    }

    fn badly(&self, arguments: &[&str]) -> String {
        let (well, said) = self.run(arguments);
        assert!(!well, "{arguments:?} must fail: {said}");
        said
    }

    /// What the rule makes of a text, by its examples: the sentence after the edits.
    fn fixed(&self, language: &str, text: &str) -> String {
        self.put("text.txt", text);
        self.well(&["run", "sample", "--text", "text.txt", "--language", language])
    }
}

#[track_caller]
fn has(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "{part:?} is missing in:\n{said}");
    }
}

#[track_caller]
fn lacks(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(!said.contains(part), "{part:?} must not stand in:\n{said}");
    }
}

const PROCEED: &str = "version: 1.0.0
match:
  - {lemma: [proceder, procedir], pos: VERB, as: light}
  - a
  - {pos: VERB, as: verb}
fix: \"{inflect(verb, light)}\"
examples:
";

/// Bug 2: a replacement takes the pronouns of the verb along, in their place, or there is none.
#[test]
fn a_template_never_loses_a_pronoun() {
    let root = Root::new();
    let es = "  bad:
    - {text: El banco <procedió a enviarle> la carta., fix: El banco le envió la carta.}
    - {text: Los jueces <procedieron a entregárselo>., fix: Los jueces se lo entregaron.}
    - {text: <Procedimos a revisarlas> ayer., fix: Las revisamos ayer.}
    - {text: Hay que <proceder a devolverlo>., fix: Hay que devolverlo.}
    - {text: El banco <procedió a pagar> la deuda., fix: El banco pagó la deuda.}
";
    root.rule("sample", &format!("{PROCEED}{es}"));
    let ca = "  bad:
    - {text: Ahir <vam procedir a enviar-vos> la carta., fix: Ahir <vam>.}
";
    let ca = ca.replace(
        "Ahir <vam procedir a enviar-vos> la carta., fix: Ahir <vam>.",
        "Ara <procedim a enviar-vos> la carta., fix: Ara us enviem la carta.",
    );
    let more = "    - {text: El jutge <procedeix a obrir-lo>., fix: El jutge l'obre.}\n";
    root.put("rules/sample/ca.yaml", &format!("{PROCEED}{ca}{more}"));
    let said = root.run(&["accept", "sample"]).1;
    let said = said + &root.well(&["test", "sample"]);
    has(&said, &["every example holds"]);
    // Two pronouns that Catalan writes in ways nobody can foresee: flagged, without a replacement.
    lacks(&root.fixed("ca", "El jutge procedeix a donar-li'l."), &["→"]);
    // A text that shows no verb cannot take the pronoun.
    root.rule("sample", &PROCEED.replace("{inflect(verb, light)}", "hace"));
    lacks(&root.fixed("es", "El banco procedió a enviarle la carta."), &["→"]);
    has(&root.fixed("es", "El banco procedió a enviar la carta."), &["→ hace"]);
    // The author may place it.
    root.rule("sample", &PROCEED.replace("{inflect(verb, light)}", "{verb.rest} {inflect(verb, light)}"));
    has(&root.fixed("es", "El banco procedió a enviarle la carta."), &["→ le envió"]);
}

/// Bug 2, for rows of tables: the pronoun of a verb that a row replaces goes along too.
#[test]
fn a_row_never_loses_a_pronoun() {
    let root = Root::new();
    root.rule("sample", "version: 1.0.0\nsubstitute: {notificar: {to: avisar, by: lemma, pos: VERB}}\n");
    has(&root.fixed("es", "Deben notificarle hoy."), &["→ avisarle"]);
    has(&root.fixed("es", "Está notificándoles la sentencia."), &["→ avisándoles"]);
}

/// Bug 3: every wording is rendered, also those that no example shows.
#[test]
fn every_wording_is_rendered() {
    let root = Root::new();
    let docs = |other: &str| {
        format!(
            "documentation: {{title: Muestra, summary: Una muestra.}}\nreport:\n  summary: {{one: Hay un caso., other: '{other}'}}\n"
        )
    };
    root.put("rules/sample/docs/es.yaml", &docs("Hay {count} casos en {plases}."));
    root.run(&["accept", "sample"]);
    for command in [&["test", "sample"][..], &["check"]] {
        has(&root.badly(command), &["rules/sample/docs/es.yaml: `summary.other` shows {plases}", "{count}, {match}"]);
    }
    root.put("rules/sample/docs/es.yaml", &(docs("Hay {count} casos.") + "  guidance: ['Diga {mach}.']\n"));
    has(&root.badly(&["test", "sample"]), &["{mach}"]);
    root.put("rules/sample/docs/es.yaml", &docs("Hay {count} casos, {match}."));
    root.well(&["test", "sample"]);
}

/// Bug 4: a scaffold that nobody touched is no rule.
#[test]
fn an_untouched_scaffold_fails() {
    let root = Root::new();
    for form in ["match", "substitute", "script"] {
        let id = format!("made-by-{form}");
        root.well(&["new", &id, "--form", form, "--language", "es"]);
        let test = root.badly(&["test", &id]);
        has(
            &test,
            &[&format!("rules/{id}/docs/es.yaml: `title` is still that of the scaffold"), "`examples` is still that"],
        );
        has(&root.badly(&["accept", &id]), &["is still that of the scaffold"]);
        has(&root.badly(&["check"]), &["is still that of the scaffold"]);
        has(&root.badly(&["docs", "--check"]), &["is still that of the scaffold"]);
        root.rule(&id, VARIANT);
        if form == "script" {
            fs::remove_file(root.path(&format!("rules/{id}/es.rhai"))).expect("deleted");
        }
        root.well(&["accept", &id]);
        root.well(&["test", &id]);
    }
}

/// Bug 6: `check` tells what nothing reads and what cannot match.
#[test]
fn the_check_remarks_on_what_is_hardly_meant() {
    let root = Root::new();
    has(&root.well(&["check", "--strict"]), &["no problem"]);
    root.put("glossaries/orphans.es.yaml", "title: De nadie\nrows:\n  - {term: abonar, replacement: pagar}\n");
    root.put(
        "glossaries/terms.es.yaml",
        "title: Términos\nrows:\n  - {term: subsanar, replacement: corregir, by: lemma, pos: VERB, data: {reson: x, why: y}}\n  - {term: subsanar, replacement: arreglar}\n  - {term: lapsos de tiempo, replacement: lapso, by: lemma}\n",
    );
    root.rule(
        "reader",
        "version: 1.0.0\nglossaries: [terms]\nmatch: ['@terms']\nfacts: {reason: '{term.why}'}\nexamples:\n  bad: ['Debe <subsanar> el error.']\n",
    );
    root.rule("silent", "version: 1.0.0\nsubstitute: {accidentes fortuitos: {to: accidente, by: lemmas}}\n");
    fs::remove_file(root.path("rules/sample/docs/ca.yaml")).expect("deleted");
    let said = root.well(&["check"]);
    let remarks = [
        "remark: glossaries/orphans.es.yaml: no rule reads this glossary",
        "remark: glossaries/terms.es.yaml:3",
        "no rule reads the column `reson`",
        "`subsanar` stands here twice, with `by: lemma` and with `by: form`",
        "`lapsos de tiempo` matches nothing: with `by: lemma` it needs dictionary forms, and `lapsos` is none",
        "write `lapso`, or `by: form`",
        "`accidentes fortuitos` matches nothing: with `by: lemmas`",
        "remark: rules/silent/es.yaml: the variant has no example",
        "remark: rules/sample/docs/ca.yaml: the documentation is missing",
        "6 remarks",
    ];
    has(&said, &remarks[..9]);
    lacks(&said, &["column `why`"]);
    has(&root.badly(&["check", "--strict"]), &["remarks"]);
}

/// Bug 7: a metric that fails on a text is left out of it; the table comes.
#[test]
fn statistics_survive_a_metric_that_fails() {
    let root = Root::new();
    root.rule("slow", "version: 1.0.0\nscript: es.rhai\nexamples:\n  good: [Nada.]\n");
    root.put(
        "rules/slow/es.rhai",
        "fn on_document(doc) {\n    if doc.text.contains(\"lento\") {\n        loop { let x = 1; }\n    }\n    for t in doc.with_norm(\"nada\") { report(t); }\n}\n",
    );
    root.put("corpus/a.txt", "Vino con el fin de ver. No hay nada.");
    root.put("corpus/b.txt", "Vino con el fin de ver algo lento.\n\nY con el fin de oír.");
    let stats = ["stats", "--corpus", "corpus", "--language", "es", "--genre", "test/note"];
    let said = root.well(&[&stats[..], &["--save", "before.json"]].concat());
    has(&said, &["2 texts, ", "       3 ", "sample", "slow failed on 1 of 2 texts", "b.txt"]);

    let shown = root.well(&[&stats[..], &["--show", "sample", "--sample", "2"]].concat());
    has(&shown, &["sample: 2 of 3 places", "a.txt:1: Vino «con el fin de» ver.", "→ «para»"]);

    root.rule("sample", &VARIANT.replace("  con el fin de: para\n", "  con el fin de: para\n  algo: ~\n"));
    let changed = root.well(&[&stats[..], &["--against", "before.json"]].concat());
    has(&changed, &["before", "change", "sample", "1 rules as often as before"]);
    has(&root.badly(&[&stats[..], &["--against", "corpus/a.txt"]].concat()), &["rules stats --save"]);
}

/// Bug 8: the same rule in two roots at one version: the cures that are offered work.
#[test]
fn one_rule_in_two_roots_has_a_cure_that_works() {
    let root = Root::new();
    let file = "extra/rules/sample/es.yaml";
    let extra = root.path("extra").display().to_string();
    for (name, text) in [("metric.yaml", METRIC), ("es.yaml", VARIANT), ("docs/es.yaml", DOCS)] {
        root.put(&format!("extra/rules/sample/{name}"), text);
    }
    let check = ["check", "--extra-root", &extra];
    let said = root.badly(&check);
    has(
        &said,
        &[
            "two active variants of `sample` for es",
            "delete one, or set `enabled: false` in it",
            "give the other another version first",
        ],
    );
    root.put(file, &VARIANT.replace("version: 1.0.0", "version: 1.0.0\nenabled: false"));
    root.well(&check);
    root.put(file, &VARIANT.replace("1.0.0", "1.1.0"));
    has(&root.badly(&check), &["choose one in rules/pins.yaml: `sample: { es: 1.1.0 }`"]);
    root.put("rules/pins.yaml", "sample: { es: 1.1.0 }\n");
    root.well(&check);
    fs::remove_file(root.path("rules/pins.yaml")).expect("deleted");
    fs::remove_dir_all(root.path("extra/rules/sample")).expect("deleted");
    root.put("extra/lib/.keep", "");
    root.well(&check);
}

/// Bug 9: what is broken elsewhere does not stop the work on a rule; a service does not start.
#[test]
fn work_on_one_rule_does_not_wait_for_others() {
    let root = Root::new();
    root.run(&["accept", "sample"]);
    root.rule("other", "version: 1.0.0\nsubstitue: {a: b}\n");
    fs::create_dir_all(root.path("rules/empty")).expect("a folder");
    root.put("genres/test/broken/genre.yaml", "names: {es: Nota\n");
    root.put("glossaries/broken.es.yaml", "title: [\n");
    let said = root.well(&["test", "sample"]);
    has(&said, &["every example holds", "problems elsewhere, which `rules check` shows, are left aside"]);
    root.well(&["accept", "sample"]);
    has(&root.fixed("es", "Vino con el fin de ver."), &["para"]);
    has(&root.badly(&["test", "other"]), &["unknown key `substitue`"]);
    has(&root.badly(&["test"]), &["rules/empty: a metric folder without metric.yaml", "unknown key `substitue`"]);
    let all = root.badly(&["check"]);
    has(&all, &["rules/empty", "other/es.yaml", "genres/test/broken/genre.yaml", "glossaries/broken.es.yaml"]);
}

/// Bug 10: what follows from a cause is not told as a problem of its own.
#[test]
fn only_causes_are_told() {
    let root = Root::new();
    root.run(&["accept", "sample"]);
    root.put("rules/sample/docs/es.yaml", "documentation: {title: [Muestra\n");
    for language in ["ca", "en"] {
        fs::remove_file(root.path(&format!("rules/sample/docs/{language}.yaml"))).expect("deleted");
    }
    root.put("genres/test/note/genre.yaml", "names: {es: Nota, ca: Nota, en: Note}\nclear_langage: true\n");
    let said = root.badly(&["check"]);
    has(&said, &["rules/sample/docs/es.yaml:1:", "unknown key `clear_langage`", "2 problems"]);
    lacks(&said, &["has no documentation", "there is no genre.yaml"]);

    let root = Root::new();
    root.run(&["accept", "sample"]);
    root.put("rules/sample/es.yaml", "version: 1.0.0\nsubstitute:\n  a: b: c\n");
    root.put("genres/test/domain.yaml", "names: {es: Prueba}\n");
    root.rule("broken", VARIANT);
    root.put("rules/broken/metric.yaml", "id: broken\nkind: rul\n");
    root.put("genres/test/note/genre.yaml", "names: {es: Nota, ca: Nota, en: Note}\nmetrics: {broken: off}\n");
    let said = root.badly(&["check"]);
    has(
        &said,
        &["rules/sample/es.yaml:3:", "unknown value `rul`", "the key `ca` is missing", "the key `en` is missing"],
    );
    lacks(&said, &["nothing reads this file", "unknown metric `broken`", "its domain has no file"]);
}

/// Bug 11: a root with plugins only is a root; a scaffold names a schema that is there; there is a native form.
#[test]
fn scaffolds_of_extra_roots() {
    let root = Root::new();
    root.put("rules/schemas/variant.schema.json", "{}\n");
    root.put("extra/lib/.keep", "");
    let extra = root.path("extra").display().to_string();
    root.well(&["new", "here", "--language", "es", "--form", "substitute", "--extra-root", &extra]);
    let text = fs::read_to_string(root.path("extra/rules/here/es.yaml")).expect("a file");
    let named = text.lines().next().and_then(|line| line.split("$schema=").nth(1)).expect("a line with a schema");
    assert!(root.path("extra/rules/here").join(named).is_file(), "{named}");
    let metric = fs::read_to_string(root.path("extra/rules/here/metric.yaml")).expect("a file");
    assert!(!metric.contains("$schema"), "there is no schema for it: {metric}");
    assert!(!root.path("extra/rules/here/docs/ca.yaml").exists(), "documentation of the languages that were asked for");
    let said = root.badly(&["new", "compiled", "--form", "native", "--language", "es"]);
    has(&said, &["the crate glosa-plugin is not there", "--root"]);
}

/// Authors put the tagger right: a form is read as they say where their words stand beside it, and rules see that.
#[test]
fn authors_correct_the_tagger() {
    let root = Root::new();
    root.put(
        "rules/sample/en.yaml",
        "version: 1.0.0\nmatch: [{lemma: proceed}, to, {pos: NOUN}]\nexamples:\n  bad: [<Proceed to platform> two.]\n",
    );
    let said = root.badly(&["check"]);
    has(&said, &["expected: <Proceed to platform> two."]);
    let readings = "readings:\n  - form: platform\n    now: {pos: VERB}\n    preceded_by: [{lemma: proceed}, to]\n    is: {pos: NOUN}\n    examples: {bad: [Proceed to <platform> two.], good: [We wait.]}\n";
    root.put("rules/readings.en.yaml", readings);
    root.well(&["check"]);
    let known =
        readings.replace("form: platform", "form: dog").replace("Proceed to <platform> two.", "The <dog> barks.");
    root.put("rules/readings.en.yaml", &known);
    has(
        &root.badly(&["check"]),
        &["rules/readings.en.yaml:6: reads anew: nothing; expected: dog", "needs no correction"],
    );
    root.put(
        "rules/readings.en.yaml",
        "readings:\n  - form: platform\n    is: {pos: NUON, morph: {Gender: Blue}}\n    preceeded_by: [to]\n",
    );
    let wrong = [
        "rules/readings.en.yaml:4:5: unknown key `preceeded_by`",
        "unknown part of speech `NUON`",
        "`Gender` has no value `Blue`",
        "a reading needs an example",
    ];
    has(&root.badly(&["check"]), &wrong);
    for (from, to, reason) in [
        ("form: platform", "form: [platform, Platform]", "2:22: `Platform` stands here twice"),
        ("form: platform", "form: [platform, the gate]", "2:22: `the gate` is not one word, so it never matches"),
        (
            "is: {pos: NOUN}",
            "is: {pos: VERB}",
            "5:9: the form is read so already, as `now` says, so that nothing ever changes",
        ),
    ] {
        root.put("rules/readings.en.yaml", &readings.replace(from, to));
        has(&root.badly(&["check"]), &[&format!("rules/readings.en.yaml:{reason}")]);
    }
}

/// The crate of `new --form native` compiles, and the steps that are printed make a rule that finds something.
#[test]
fn the_native_scaffold_builds_and_runs() {
    let root = tempfile::tempdir().expect("a folder");
    let extra = root.path().display().to_string();
    fs::create_dir_all(root.path().join("lib")).expect("a folder");
    let rules = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_glosa-rules"))
            .args(arguments)
            .args(["--root", TOP, "--extra-root", &extra])
            .output()
            .expect("the program runs");
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        (output.status.success(), said)
    };
    let (made, said) = rules(&["new", "hopefully-so", "--form", "native", "--language", "en"]);
    assert!(made, "{said}");
    let steps: Vec<&str> = said
        .lines()
        .map(str::trim)
        .filter(|line| ["cargo build", "mkdir", "cp "].iter().any(|s| line.starts_with(s)))
        .collect();
    assert_eq!(steps.len(), 3, "{said}");
    for step in steps {
        let step = step.replace("cargo build --release", "cargo build --offline --release");
        let output = Command::new("sh").args(["-c", &step]).output().expect("a shell");
        assert!(output.status.success(), "{step}: {}", String::from_utf8_lossy(&output.stderr));
    }
    fs::write(
        root.path().join("rules/hopefully-so/en.yaml"),
        "native: hopefully_so\nexamples:\n  bad: ['<Hopefully> it rains.']\n  good: [It rains.]\n",
    )
    .expect("written");
    let docs = "documentation: {title: Hopefully, summary: The word.}\nreport: {summary: 'One {word}.'}\n";
    fs::write(root.path().join("rules/hopefully-so/docs/en.yaml"), docs).expect("written");
    assert!(rules(&["accept", "hopefully-so"]).0);
    let (holds, said) = rules(&["test", "hopefully-so"]);
    assert!(holds, "{said}");
}

/// `genres new` makes a genre that loads.
#[test]
fn a_new_genre_loads() {
    let root = Root::new();
    root.put("genres/profiles/clear.yaml", "description: Clear.\n");
    let made = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_glosa-genres"))
            .args(arguments)
            .args(["--root", &root.folder.path().display().to_string()])
            .output()
            .expect("the program runs");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (done, said) = made(&["new", "cultura/programa-de-mano", "--language", "es,ca"]);
    assert!(done, "{said}");
    for file in ["domain.yaml", "programa-de-mano/genre.yaml", "programa-de-mano/es.yaml", "programa-de-mano/ca.yaml"] {
        assert!(root.path("genres/cultura").join(file).is_file(), "{file}");
    }
    root.well(&["check"]);
    for (arguments, reason) in [
        (&["new", "cultura/programa-de-mano"][..], "exists already"),
        (&["new", "Cultura"], "write DOMAIN/TEXT_TYPE"),
        (&["new", "cultura/cartel", "--profile", "cleer"], "there is no genres/profiles/cleer.yaml"),
    ] {
        let (done, said) = made(arguments);
        assert!(!done && said.contains(reason), "{said}");
    }
}
