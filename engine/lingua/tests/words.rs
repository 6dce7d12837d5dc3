//! The words of contractions and what the tagger may make of them.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use glosa_lingua::{Runtime, conllu};
use glosa_text::{Language, Upos};
use std::sync::LazyLock;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// Form, lemma and part of speech of each word.
fn words(language: Language, text: &str) -> Vec<(String, String, Upos)> {
    let analysis = RUNTIME.analyse_blocks(language, text, &conllu::paragraphs(text));
    let string = |number: u32| analysis.strings[number as usize].clone();
    analysis.words.iter().map(|word| (string(word.form), string(word.lemma), word.pos)).collect()
}

fn forms(language: Language, text: &str) -> Vec<String> {
    words(language, text).into_iter().map(|word| word.0).collect()
}

#[test]
fn some_forms_are_two_words_before_others_only() {
    assert_eq!(forms(Language::En, "Its not here."), ["It", "s", "not", "here", "."]);
    assert_eq!(forms(Language::En, "Its colour is red."), ["Its", "colour", "is", "red", "."]);
    assert_eq!(forms(Language::En, "its not in its box"), ["it", "s", "not", "in", "its", "box"]);
    assert_eq!(forms(Language::En, "hes late")[..2], ["he", "s"]);
}

#[test]
fn a_pronoun_inside_a_verb_is_no_article() {
    let texts = [
        (Language::Es, "Debe notificarla, dictarlos, enviarlas y resolverlo."),
        (Language::Ca, "Cal notificar-la, dictar-los i enviar-les."),
    ];
    for (language, text) in texts {
        let found = words(language, text);
        let articles: Vec<_> = found.iter().filter(|word| word.2 == Upos::Det).collect();
        assert!(articles.is_empty(), "{articles:?}");
        assert!(found.iter().filter(|word| word.2 == Upos::Pron).count() >= 3, "{found:?}");
    }
}

#[test]
fn only_auxiliaries_are_auxiliaries() {
    for text in ["No heu aportat el document.", "Haureu de signar.", "Perquè hàgiu rebut l'avís."] {
        let found = words(Language::Ca, text);
        let auxiliary = found.iter().find(|word| word.2 == Upos::Aux).expect("an auxiliary");
        assert_eq!(auxiliary.1, "haver", "{text}: {found:?}");
    }
}

#[test]
fn an_address_of_a_host_without_a_dot_is_one_word_in_english_only() {
    assert!(forms(Language::En, "Write to Griffith@ENRON today").contains(&"Griffith@ENRON".to_owned()));
    assert!(forms(Language::Es, "Hola, amig@s").contains(&"@".to_owned()));
}

/// Lemma and features of each word.
fn features(language: Language, text: &str) -> Vec<(String, String)> {
    let analysis = RUNTIME.analyse_blocks(language, text, &conllu::paragraphs(text));
    let string = |number: u32| analysis.strings[number as usize].clone();
    analysis.words.iter().map(|word| (string(word.lemma), string(word.feats))).collect()
}

#[test]
fn a_slip_of_the_pen_has_the_lemma_of_the_word_that_was_meant() {
    let found = features(Language::En, "The goverment office sent two aplications.");
    assert_eq!(found[1], ("government".to_owned(), "Number=Sing|Typo=Yes".to_owned()));
    assert_eq!(found[5], ("application".to_owned(), "Number=Plur|Typo=Yes".to_owned()));
    assert_eq!(forms(Language::En, "The goverment")[1], "goverment", "the form stays as written");
    assert_eq!(features(Language::En, "It is sooooo good.")[2], ("so".to_owned(), "Style=Expr".to_owned()));
    let spanish = features(Language::Es, "El gobirno lo dice.");
    assert!(!spanish[1].1.contains("Typo"), "AnCora marks no slips: {spanish:?}");
}

#[test]
fn lemmas_of_english_names_are_written_as_names() {
    let lemmas = |text: &str| words(Language::En, text).into_iter().map(|word| word.1).collect::<Vec<_>>();
    assert_eq!(lemmas("We live in london.")[3], "London");
    assert_eq!(lemmas("Many Americans left.")[1], "American");
    assert_eq!(lemmas("The CEO read it.")[1], "ceo");
    assert_eq!(lemmas("NATO agreed.")[0], "NATO");
}

#[test]
fn an_english_verb_can_have_every_person_that_its_form_stands_for() {
    for text in ["We forfeited a fee.", "We waived the fee.", "We redacted a page."] {
        let found = features(Language::En, text);
        assert!(found[1].1.contains("Number=Plur|Person=1"), "{text}: {found:?}");
    }
}

#[test]
fn abbreviations_and_titles_of_acts_end_no_sentence() {
    for text in [
        "The hall has 44,000 sq. ft. of floor and cost approx. £20 a day.",
        "We wrote to Cllr. Smith and Cllrs. Jones and Hill in May.",
        "See the Planning (Consequential Provisions) Act 1990 and the Housing (Scotland) Act 2001 for more.",
    ] {
        let analysis = RUNTIME.analyse_blocks(Language::En, text, &conllu::paragraphs(text));
        assert_eq!(analysis.sentences.len(), 1, "{text}");
    }
}

#[test]
fn a_unit_behind_a_figure_ends_its_sentence() {
    let sentences = |text: &str| RUNTIME.analyse_blocks(Language::En, text, &conllu::paragraphs(text)).sentences.len();
    assert_eq!(sentences("Lows are 30 to 50 F. Summer days exceed 100 F. Winters are cold."), 3);
    assert_eq!(sentences("The letter was signed by J. Smith and M. Summer."), 1);
}
