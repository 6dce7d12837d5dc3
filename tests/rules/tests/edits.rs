//! Edits read well in the whole sentence: the words beside them are mended, in every language and form of rule.
#![allow(clippy::disallowed_methods, reason = "a test that writes and reads files")]

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use glosa_host::{Roots, load_with};
use glosa_lingua::Runtime;
use glosa_text::Language;

static RUNTIME: LazyLock<Arc<Runtime>> = LazyLock::new(|| Arc::new(Runtime::new().expect("models")));

/// The text after the edits of a rule.
fn edited(language: Language, variant: &str, script: Option<&str>, text: &str) -> String {
    let dir = tempfile::tempdir().expect("a folder");
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    for shared in ["rules/categories.yaml", "rules/capabilities.yaml", "rules/notes.yaml", "genres/occurrences.yaml"] {
        write(shared, &fs::read_to_string(top.join(shared)).expect("a shipped file"));
    }
    write("rules/sample/metric.yaml", "id: sample\nkind: rule\ncategory: vocabulary\norder: 1\n");
    write(&format!("rules/sample/{language}.yaml"), &format!("version: 1.0.0\n{variant}"));
    write(
        &format!("rules/sample/docs/{language}.yaml"),
        "documentation: {title: T, summary: S.}\nreport: {summary: '{match}.'}\n",
    );
    if let Some(script) = script {
        write("rules/sample/rule.rhai", script);
    }
    let roots = Roots { folders: vec![dir.path().to_owned()], plugins: Vec::new() };
    let snapshot = load_with(RUNTIME.clone(), &roots).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let outcome = snapshot.trial("sample", language, None).expect("a variant").run(&snapshot.engine, text);
    let outcome = outcome.expect("a result");
    assert_eq!(outcome.unknown_facts, Vec::<String>::new(), "{{match}} is a fact of every rule");
    outcome.edited
}

#[test]
fn the_words_beside_an_edit_are_mended() {
    use Language::{Ca, En, Es};
    for (language, variant, text, after) in [
        (Ca, "substitute: {trametre: enviar}\n", "Hem de trametre l'escrit.", "Hem d'enviar l'escrit."),
        (Ca, "substitute: {trametre: enviar}\n", "Hem de trametre l’escrit.", "Hem d’enviar l’escrit."),
        (Ca, "substitute: {\"per tal d'\": per}\n", "Veniu per tal d’ajudar.", "Veniu per ajudar."),
        (Ca, "substitute: {abonament: pagament}\n", "Feu l'abonament avui.", "Feu el pagament avui."),
        (Ca, "substitute: {abonament: pagament}\n", "La data de l'abonament.", "La data del pagament."),
        (Ca, "match: [mitjançant]\nfix: per mitjà de\n", "Pagueu mitjançant el banc.", "Pagueu per mitjà del banc."),
        (Es, "match: [mediante]\nfix: a través de\n", "Pague mediante el banco.", "Pague a través del banco."),
        (Es, "substitute: {comunicar: informar}\n", "Debe venir y comunicar.", "Debe venir e informar."),
        (En, "substitute: {demand: inquiry}\n", "We received a demand.", "We received an inquiry."),
        (En, "substitute: {absolute: ''}\n", "It is an absolute must.", "It is a must."),
    ] {
        assert_eq!(edited(language, variant, None, text), after, "{variant}");
    }
}

#[test]
fn a_replacement_takes_the_form_that_its_place_wants() {
    use Language::{Ca, En, Es};
    for (language, term, to, text, after) in [
        (Es, "interponer", "presentar", "No podrá interponerse recurso.", "No podrá presentarse recurso."),
        (Es, "cumplimentar", "rellenar", "Cumpliméntelo ya.", "Rellénelo ya."),
        (Es, "utilizar", "usar", "Ahorre utilizándolo bien.", "Ahorre usándolo bien."),
        (Es, "remitir", "entregar", "Los papeles se los remitieron ayer.", "Los papeles se los entregaron ayer."),
        (Es, "semestral", "cada seis meses", "Hay pagos semestrales.", "Hay pagos cada seis meses."),
        (Es, "cónyuge", "marido o mujer", "Avise a sus cónyuges.", "Avise a sus maridos o mujeres."),
        (Es, "crónico", "que dura mucho", "Tiene dolores crónicos.", "Tiene dolores que duran mucho."),
        (Es, "domicilio", "dirección", "Escriba en el domicilio indicado.", "Escriba en la dirección indicada."),
        (Es, "domicilio", "dirección", "Es un cambio del domicilio.", "Es un cambio de la dirección."),
        (Ca, "domicili", "adreça", "És un canvi del domicili.", "És un canvi de l'adreça."),
        (Ca, "renal", "del ronyó", "Té dolors renals.", "Té dolors del ronyó."),
        (Ca, "cònjuge", "marit o muller", "Aviseu els seus cònjuges.", "Aviseu els seus cònjuges."),
        (Ca, "utilitzar", "fer servir", "Tothom utilitza la clau.", "Tothom fa servir la clau."),
        (En, "end result", "result", "The end result is good.", "The result is good."),
        (En, "utilise", "use", "It was utilised often.", "It was used often."),
    ] {
        let variant = format!("substitute: {{{term}: {{to: {to}, by: lemma}}}}\n");
        assert_eq!(edited(language, &variant, None, text), after, "{term}: {to}");
    }
}

#[test]
fn what_is_not_sure_is_not_offered() {
    use Language::{Ca, En, Es};
    for (language, term, to, by, text) in [
        (Es, "especialmente", "sobre todo", "form", "Es un grupo especialmente vulnerable."),
        (Es, "inmediatamente", "enseguida", "form", "El año inmediatamente anterior llovió."),
        (Es, "prórroga", "más tiempo", "lemma", "Hubo dos prórrogas."),
        (Es, "domicilio", "dirección", "lemma", "El domicilio debe ser correcto y comunicado por escrito."),
        (Es, "acta", "reunión", "lemma", "Lea el acta."),
        (Ca, "utilitzar", "fer servir", "lemma", "Utilitza la clau."),
        (Ca, "atès que", "com que", "form", "No hi va anar, atès que plovia."),
        (Ca, "conjuntament", "junts", "form", "És un pla fet conjuntament."),
        (En, "appellant", "person who appeals", "lemma", "The appellants must sign."),
        (En, "accompany", "go with", "lemma", "Children are accompanied by an adult."),
        (En, "have the opportunity to", "can", "lemma", "You will have the opportunity to speak."),
        (En, "applicant", "you", "lemma", "The applicant signs here."),
        (En, "previously", "before", "form", "The papers previously agreed apply."),
    ] {
        let variant = format!("substitute: {{{term}: {{to: {to}, by: {by}}}}}\n");
        assert_eq!(edited(language, &variant, None, text), text, "{term}: {to}");
    }
}

#[test]
fn elided_forms_of_a_phrase_are_found() {
    for (phrase, text, after) in [
        ("per tal de", "Escrivim per tal d'informar.", "Escrivim per informar."),
        ("amb l'objectiu de", "Ho fem amb l'objectiu d’aclarir-ho.", "Ho fem per aclarir-ho."),
        ("per tal de", "Escrivim per tal de saber-ho.", "Escrivim per saber-ho."),
    ] {
        let variant = format!("substitute: {{\"{phrase}\": per}}\n");
        assert_eq!(edited(Language::Ca, &variant, None, text), after, "{phrase}");
    }
}

#[test]
fn those_of_a_script_too() {
    let script = "fn on_match(m) { report(m).replace(\"order\"); }\n";
    let variant = "match: [demand]\nscript: rule.rhai\n";
    assert_eq!(edited(Language::En, variant, Some(script), "A demand came."), "An order came.");
}

#[test]
fn the_one_character_with_a_dot_is_two() {
    let text = "El co\u{140}legi obre i ells tanquen el co\u{140}legi.";
    let after = edited(Language::Ca, "substitute: {col·legi: escola}\n", None, text);
    assert_eq!(after, "L'escola obre i ells tanquen l'escola.");
}

#[test]
fn a_row_holds_where_its_conditions_do() {
    let variant = concat!(
        "lists: {land: [campo, tierra]}\n",
        "substitute:\n",
        "  abonar: {to: pagar, by: lemma, when: {pos: VERB, not_followed_by: [{gap: 0..1}, {norm: $land}]}}\n",
        "  en su caso: {to: si procede, when: {first: false, not_preceded_by: [salvo]}}\n",
    );
    for (text, after) in [
        ("Debe abonar la tasa.", "Debe pagar la tasa."),
        ("Debe abonar la tierra.", "Debe abonar la tierra."),
        ("Traiga, en su caso, el carné.", "Traiga, si procede, el carné."),
        ("En su caso, traiga el carné.", "En su caso, traiga el carné."),
        ("Venga, salvo en su caso.", "Venga, salvo en su caso."),
    ] {
        assert_eq!(edited(Language::Es, variant, None, text), after);
    }
}

#[test]
fn a_deletion_takes_its_comma_along_and_leaves_no_empty_sentence() {
    let variant = "substitute: {sense res més a afegir: ''}\n";
    for (text, after) in [
        ("Us ho dic, sense res més a afegir.", "Us ho dic."),
        ("Us ho dic, sense res més a afegir, i prou.", "Us ho dic i prou."),
        ("Vinc. Sense res més a afegir. Adeu.", "Vinc. Sense res més a afegir. Adeu."),
        ("Sense res més a afegir, us saludo.", "Us saludo."),
    ] {
        assert_eq!(edited(Language::Ca, variant, None, text), after);
    }
}

#[test]
fn a_verb_of_a_script_keeps_the_pronoun_of_the_one_it_replaces() {
    let script = "fn on_match(m) { report(m).replace(inflect(\"archivar\", m.first)); }\n";
    let variant = "match: [{lemma: guardar}]\nscript: rule.rhai\n";
    for (text, after) in [
        ("Acabó guardándose todo.", "Acabó archivándose todo."),
        ("Hay que guardarlo bien.", "Hay que archivarlo bien."),
        ("Guardó el libro.", "Archivó el libro."),
    ] {
        assert_eq!(edited(Language::Es, variant, Some(script), text), after);
    }
}

#[test]
fn a_phrase_is_found_behind_an_elided_article() {
    let script = "fn on_document(doc) { if doc.has_phrase(\"ordre del dia\") { report(doc.tokens.first).replace(\"Hi és\"); } }\n";
    let variant = "script: rule.rhai\n";
    assert_eq!(edited(Language::Ca, variant, Some(script), "Llegim l'ordre del dia."), "Hi és l'ordre del dia.");
    assert_eq!(edited(Language::Ca, variant, Some(script), "Llegim l'ordre d'avui."), "Llegim l'ordre d'avui.");
}
