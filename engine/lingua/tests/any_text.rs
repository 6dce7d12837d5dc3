//! Any Unicode text: no panic, exact places, nothing lost but white space, and work that grows with the text.

use glosa_lingua::{Runtime, TokenKind, conllu};
use glosa_text::{Document, Language, Layout};
use proptest::prelude::*;
use std::collections::HashSet;
use std::sync::LazyLock;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("the shipped models are sound"));

fn document(language: Language, text: &str) -> Document {
    RUNTIME.analyse(language, text, Layout::new(text, &HashSet::new()))
}

fn check(language: Language, text: &str) {
    let analysis = RUNTIME.analyse_blocks(language, text, &conllu::paragraphs(text));
    let mut last = 0;
    let mut covered = String::new();
    for token in &analysis.tokens {
        assert!(last <= token.bytes.start && token.bytes.start < token.bytes.end, "tokens overlap in {text:?}");
        last = token.bytes.end;
        assert!(!token.words.is_empty(), "a token has no word in {text:?}");
        covered.push_str(&text[token.bytes.clone()]);
    }
    let kept = |s: &str| s.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect::<String>();
    assert_eq!(kept(&covered), kept(text), "text was lost");
    let in_sentences: usize = analysis.sentences.iter().map(|s| s.tokens.len()).sum();
    assert_eq!(in_sentences, analysis.tokens.len(), "a token is in no sentence of {text:?}");
    let document = document(language, text);
    for token in document.tokens() {
        let by_code_points: String =
            text.chars().skip(token.span.start as usize).take(token.span.len() as usize).collect();
        assert_eq!(by_code_points, text[token.bytes.start as usize..token.bytes.end as usize]);
    }
    let conllu = conllu::annotate(&RUNTIME, language, text, "t");
    assert!(conllu.lines().all(|l| l.is_empty() || l.starts_with('#') || l.split('\t').count() == 10), "{conllu}");
}

fn language() -> impl Strategy<Value = Language> {
    prop::sample::select(Language::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_characters(language in language(), text in "\\PC{0,80}") {
        check(language, &text);
    }

    #[test]
    fn controls_and_joiners(language in language(), text in "([\u{0}-\u{2f}\u{ad}\u{200b}-\u{200f}\u{2028}\u{2029}\u{301}\u{feff}👩🏽🇪🇸’'·.@a-zÀ-ÿ0-9]){0,60}") {
        check(language, &text);
    }

    #[test]
    fn pieces_of_real_writing(
        language in language(),
        pieces in prop::collection::vec(prop::sample::select(vec![
            "Sr.", "art.", "3,5%", "L'", "d’", "dárselo", "donar-los-hi", "se'n", "don't", "www.a.org/?x=1", "a@b.cat", "U.S.", "1.º",
            "...", "¿", "?!", "«", "»", "(", ")", "\"", " ", " ", "\n", "\n\n", "Juan", "de", "l·l", "-", "—", "👩‍👩‍👧", "e\u{301}", "12:30",
        ]), 0..40)
    ) {
        check(language, &pieces.concat());
    }
}

#[test]
fn empty_and_blank() {
    for language in Language::ALL {
        for text in ["", " ", "\n\n\n", "\u{feff}", "\u{0}"] {
            check(language, text);
        }
    }
}

#[test]
fn a_line_of_a_hundred_thousand_words() {
    let text = "El artículo 5.1 de l'Ajuntament doesn't wait, ".repeat(14_500);
    for language in Language::ALL {
        let document = document(language, &text);
        assert!(document.tokens().len() > 100_000);
    }
}

#[test]
fn no_spaces_at_all() {
    for piece in ["a.b.c.", "a@", "l'", "x-y_", "¿?", "1,2.", "http://", "👩‍👩‍👧", "é́", ".:", "a'b"] {
        let text = piece.repeat(60_000);
        for language in Language::ALL {
            let blocks = conllu::paragraphs(&text);
            let analysis = RUNTIME.analyse_blocks(language, &text, &blocks);
            assert_eq!(analysis.tokens.last().map(|t| t.bytes.end), Some(text.len()));
        }
    }
}

#[test]
fn a_megabyte_without_a_line_break() {
    let pieces = [
        "REQUISITS D'ACCÉS 👍 ",
        "ξένος слово 漢字 ",
        "Hola. Hello. Bon dia. ",
        "brillobres tralpen zzyzx ",
        "«(\"¿¡ ",
        "1.2.3, ",
    ];
    for piece in pieces {
        let text = piece.repeat((1 << 20) / piece.len() + 1);
        for language in Language::ALL {
            let analysis = RUNTIME.analyse_blocks(language, &text, &conllu::paragraphs(&text));
            assert_eq!(analysis.tokens.last().map(|t| t.bytes.end), Some(text.trim_end().len()));
        }
    }
}

#[test]
fn a_word_of_a_megabyte() {
    for letters in ["a", "À", "l·l", "xyz", "1", "漢"] {
        let text = letters.repeat((1 << 20) / letters.len());
        for language in Language::ALL {
            let document = document(language, &text);
            assert_eq!(document.tokens().last().map(|t| t.bytes.end as usize), Some(text.len()));
        }
    }
}

#[test]
fn kinds_are_told_apart() {
    let mut tokens = Vec::new();
    let text = "3 www.a.org 👍 % etc.";
    glosa_lingua::Tokenizer::new(Language::Es).tokenize(text, 0, text.len(), &mut tokens);
    let kinds: Vec<TokenKind> = tokens.iter().map(|t| t.kind).collect();
    assert_eq!(kinds[..4], [TokenKind::Number, TokenKind::Address, TokenKind::Emoji, TokenKind::Symbol]);
}
