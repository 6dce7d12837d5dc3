//! Clauses of sentences as people write them: kind and depth, what introduces them, subject and verb.

use std::collections::HashSet;
use std::fmt::Write;
use std::ops::Range;
use std::sync::LazyLock;

use glosa_lingua::Runtime;
use glosa_text::{Document, Language, Layout, NounPhrase};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("the shipped models"));

fn parsed(language: Language, text: &str) -> Document {
    RUNTIME.parse_document(RUNTIME.analyse(language, text, Layout::new(text, &HashSet::new())))
}

fn clauses(language: Language, text: &str) -> String {
    let document = parsed(language, text);
    let slice =
        |tokens: &Range<u32>| document.slice(document.span_of_tokens(tokens.start as usize..tokens.end as usize));
    let form = |token: u32| document.string(document.tokens()[token as usize].form);
    let mut out = String::new();
    let sentences = 0..document.sentences().len() as u32;
    for clause in sentences.flat_map(|number| document.syntax(number).expect("trees").clauses()) {
        let indent = "  ".repeat(clause.depth.into());
        let subject = clause.subject.map_or("–", form);
        let agent = clause.agent.map(|agent| format!(" by {}", form(agent))).unwrap_or_default();
        let passive = if clause.passive { " passive" } else { "" };
        let by = slice(&clause.introducer);
        let _ = writeln!(out, "{indent}{} [{by}] {subject} | {}{passive}{agent}", clause.kind, slice(&clause.verbs));
    }
    out
}

#[test]
fn clauses_of_letters() {
    insta::assert_snapshot!(
        "es",
        clauses(
            Language::Es,
            "Le comunicamos que hemos recibido su solicitud, aunque no podemos tramitarla porque falta el certificado. \
         Si no recibe la carta, llame al ayuntamiento. \
         La ayuda fue concedida por el ayuntamiento en mayo y se pagará cuando termine el plazo que le dimos. \
         En caso de que no pueda venir, llame antes para que le demos otra cita. \
         El plazo termina hoy, por lo que le rogamos que conteste pronto.",
        )
    );
    insta::assert_snapshot!(
        "ca",
        clauses(
            Language::Ca,
            "Com que no vau signar l'imprès, no us podem pagar, per la qual cosa haureu d'esperar. \
         Cal que envieu el document que hi falta abans que s'acabi el termini. \
         L'ajut va ser concedit per l'ajuntament i es pagarà al juny. \
         Podeu presentar un recurs, sempre que ho feu en el termini d'un mes.",
        )
    );
    insta::assert_snapshot!(
        "en",
        clauses(
            Language::En,
            "In the event that you do not return the form, we will close your case, because we cannot pay you without it. \
         We have received your application, but your landlord was not told by the council that the rent changed. \
         If you disagree, tell us why and send us your evidence before the month ends. \
         Although the office is closed, you can still apply online so that you do not lose any money.",
        )
    );
}

#[test]
fn a_conjunction_on_the_subject_and_a_semicolon_begin_clauses() {
    let text = "La oficina del distrito centro ofrece desde el lunes un nuevo servicio gratuito de ayuda presencial con los \
                trámites electrónicos de vivienda, empleo, educación y sanidad, y el personal del ayuntamiento atiende las consultas por teléfono todos los días.";
    let document = parsed(Language::Es, text);
    let clauses = document.syntax(0).expect("trees").clauses();
    let second = &clauses[1];
    assert_eq!((clauses.len(), second.introducer.len()), (2, 1), "{clauses:#?}");
    let text = "La oficina ofrece desde el lunes un nuevo servicio de ayuda presencial con los trámites de vivienda; \
                el personal del ayuntamiento atiende las consultas por teléfono.";
    let document = parsed(Language::Es, text);
    assert!(document.syntax(0).expect("trees").clauses().iter().all(|clause| clause.depth == 0));
}

#[test]
fn a_noun_phrase_holds_what_belongs_to_its_noun() {
    let text = "La nueva oficina de atención que abrió ayer el ayuntamiento tramita las ayudas.";
    let document = parsed(Language::Es, text);
    let syntax = document.syntax(0).expect("trees");
    let phrase = NounPhrase::of(&document, syntax, 2);
    let form = |token: &u32| document.string(document.tokens()[*token as usize].form);
    assert_eq!(phrase.tokens, 0..5);
    assert_eq!(phrase.modifiers.iter().map(form).collect::<Vec<_>>(), ["nueva", "atención"]);
}

#[test]
fn every_token_has_one_head_in_its_sentence() {
    let document =
        parsed(Language::Es, "Dárselo del todo, al final, no fue fácil. # Título\n\n- uno\n- dos tres\n\nFin");
    for (sentence, number) in document.sentences().iter().zip(0..) {
        let syntax = document.syntax(number).expect("trees");
        assert_eq!(syntax.tokens(), sentence.tokens);
        for token in sentence.tokens.clone() {
            let mut at = token;
            let mut steps = 0;
            while let Some(head) = syntax.head(at) {
                assert!(sentence.tokens.contains(&head) && steps < sentence.tokens.len(), "{token} {head}");
                assert!(syntax.children(head).contains(&at));
                (at, steps) = (head, steps + 1);
            }
        }
    }
}

/// The order in which sentences are asked about, and whether others are at all, makes no difference.
#[test]
fn a_tree_is_made_when_somebody_asks() {
    let text = "Le pagaremos cuando llegue la carta. No vino del banco. Dárselo hoy es lo que pedimos.";
    let all = parsed(Language::Es, text);
    let trees = |number: u32| format!("{:?}", all.syntax(number).expect("a tree"));
    let in_order: Vec<String> = (0..3).map(trees).collect();
    assert_eq!(all.trees_made().count(), 3);
    let one = parsed(Language::Es, text);
    assert_eq!(one.trees_made().count(), 0);
    let last = one.syntax_at(one.tokens().len() as u32 - 1).expect("a tree");
    assert_eq!(format!("{last:?}"), in_order[2]);
    assert_eq!(one.trees_made().collect::<Vec<_>>(), [2]);
    assert!(one.syntax(3).is_none() && one.syntax_at(99).is_none());
}
