//! What the rules take as one token in each language.

use super::*;

fn forms(language: Language, text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    Tokenizer::new(language).tokenize(text, 0, text.len(), &mut tokens);
    tokens.iter().map(|t| &text[t.start as usize..t.end as usize]).collect()
}

#[test]
fn spanish() {
    assert_eq!(
        forms(
            Language::Es,
            "El art. 5.1 (núm. 3) sube un 3,5%: véase www.boe.es/a?b=1. ¿Sí? EE. UU., 1.º y/o 10:30..."
        ),
        [
            "El",
            "art.",
            "5.1",
            "(",
            "núm.",
            "3",
            ")",
            "sube",
            "un",
            "3,5%",
            ":",
            "véase",
            "www.boe.es/a?b=1",
            ".",
            "¿",
            "Sí",
            "?",
            "EE.",
            "UU.",
            ",",
            "1.º",
            "y/o",
            "10:30",
            "..."
        ]
    );
}

#[test]
fn catalan() {
    assert_eq!(
        forms(Language::Ca, "L’Anna se'n va d'aquí; n’hi ha. Col·legi, donar-los, veure's «l'any 19'30»."),
        [
            "L’",
            "Anna",
            "se",
            "'n",
            "va",
            "d'",
            "aquí",
            ";",
            "n’",
            "hi",
            "ha",
            ".",
            "Col·legi",
            ",",
            "donar-los",
            ",",
            "veure's",
            "«",
            "l'",
            "any",
            "19'30",
            "»",
            "."
        ]
    );
}

#[test]
fn english_signs_and_numbers_that_stay_whole() {
    let text = "Call 3-5213, see #reports and $$$ --==-- a vice-president, pages 3-5 =--- B8 1AB 90210-1234";
    let found = forms(Language::En, text);
    for whole in ["3-5213", "#reports", "$$$", "--==--", "vice-president", "=---", "90210-1234"] {
        assert!(found.contains(&whole), "{whole}: {found:?}");
    }
    assert_eq!(forms(Language::En, "pages 3-5 of item #5"), ["pages", "3", "-", "5", "of", "item", "#", "5"]);
}

#[test]
fn english() {
    assert_eq!(
        forms(Language::En, "Dr. J. Smith doesn't e-mail well-known users' a@b.org at 5pm (e.g. U.S. $3.50) :) 👩‍👩‍👧!!"),
        [
            "Dr.",
            "J.",
            "Smith",
            "doesn't",
            "e-mail",
            "well",
            "-",
            "known",
            "users'",
            "a@b.org",
            "at",
            "5",
            "pm",
            "(",
            "e.g.",
            "U.S.",
            "$",
            "3.50",
            ")",
            ":)",
            "👩‍👩‍👧",
            "!!"
        ]
    );
}
