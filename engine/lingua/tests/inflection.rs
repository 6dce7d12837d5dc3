//! Inflection of common words through tenses, persons, gender and number; and what is not known is not made up.

use glosa_lingua::Runtime;
use glosa_text::{Language, Upos};
use std::sync::LazyLock;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("the shipped models are sound"));

fn check(language: Language, rows: &[(&str, Upos, &str, Option<&str>)]) {
    let found: Vec<_> =
        rows.iter().map(|(lemma, pos, feats, _)| RUNTIME.inflect(language, lemma, *pos, feats)).collect();
    let wanted: Vec<_> = rows.iter().map(|row| row.3.map(str::to_owned)).collect();
    assert_eq!(found, wanted);
}

#[test]
fn spanish() {
    use Upos::{Adj, Adv, Noun, Verb};
    check(
        Language::Es,
        &[
            ("usar", Verb, "Mood=Ind|Number=Plur|Person=1|Tense=Fut|VerbForm=Fin", Some("usaremos")),
            ("ir", Verb, "Mood=Ind|Number=Sing|Person=1|Tense=Pres|VerbForm=Fin", Some("voy")),
            ("ser", Verb, "Mood=Ind|Number=Plur|Person=3|Tense=Past|VerbForm=Fin", Some("fueron")),
            ("contar", Verb, "Mood=Sub|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", Some("cuente")),
            ("pedir", Verb, "Mood=Cnd|Number=Sing|Person=3|VerbForm=Fin", Some("pediría")),
            ("hacer", Verb, "Gender=Fem|Number=Plur|Tense=Past|VerbForm=Part", Some("hechas")),
            ("decir", Verb, "VerbForm=Ger", Some("diciendo")),
            ("juez", Noun, "Number=Plur", Some("jueces")),
            ("ayuda", Noun, "Gender=Masc|Number=Plur", Some("ayudas")),
            ("adecuado", Adj, "Gender=Fem|Number=Plur", Some("adecuadas")),
            ("fácil", Adj, "Gender=Fem|Number=Plur", Some("fáciles")),
            ("llevar a cabo", Verb, "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin", Some("llevó a cabo")),
            ("reimplementar", Verb, "Mood=Ind|Number=Sing|Person=1|Tense=Pres|VerbForm=Fin", Some("reimplemento")),
            ("tuitear", Verb, "Mood=Ind|Number=Plur|Person=3|Tense=Past|VerbForm=Fin", Some("tuitearon")),
            ("tener", Verb, "Mood=Sub|Number=Sing|Person=3|Tense=Fut|VerbForm=Fin", None),
            ("xyz", Verb, "Mood=Ind|Number=Plur|Person=3|Tense=Past|VerbForm=Fin", None),
            ("rápidamente", Adv, "", None),
        ],
    );
}

#[test]
fn catalan() {
    use Upos::{Adj, Noun, Verb};
    check(
        Language::Ca,
        &[
            ("usar", Verb, "Mood=Ind|Number=Plur|Person=1|Tense=Fut|VerbForm=Fin", Some("usarem")),
            ("anar", Verb, "Mood=Ind|Number=Sing|Person=1|Tense=Pres|VerbForm=Fin", Some("vaig")),
            ("cantar", Verb, "Mood=Ind|Number=Sing|Person=1|Tense=Pres|VerbForm=Fin", Some("canto")),
            ("fer", Verb, "Gender=Fem|Number=Sing|Tense=Past|VerbForm=Part", Some("feta")),
            ("establir", Verb, "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", Some("estableix")),
            ("tenir", Verb, "Mood=Ind|Number=Sing|Person=3|Tense=Fut|VerbForm=Fin", Some("tindrà")),
            ("obtenir", Verb, "Mood=Ind|Number=Sing|Person=3|Tense=Fut|VerbForm=Fin", Some("obtindrà")),
            ("venir", Verb, "Mood=Ind|Number=Plur|Person=3|Tense=Fut|VerbForm=Fin", Some("vindran")),
            ("haver", Verb, "Mood=Ind|Number=Plur|Person=2|Tense=Pres|VerbForm=Fin", Some("heu")),
            ("enviar", Verb, "Mood=Imp|Number=Plur|Person=2|VerbForm=Fin", Some("envieu")),
            ("jutge", Noun, "Number=Plur", Some("jutges")),
            ("sol·licitud", Noun, "Number=Plur", Some("sol·licituds")),
            ("adequat", Adj, "Gender=Fem|Number=Plur", Some("adequades")),
            ("xyz", Verb, "Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin", None),
        ],
    );
}

#[test]
fn english() {
    use Upos::{Adj, Noun, Verb};
    check(
        Language::En,
        &[
            ("use", Verb, "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", Some("uses")),
            ("go", Verb, "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin", Some("went")),
            ("begin", Verb, "Tense=Past|VerbForm=Part", Some("begun")),
            ("show", Verb, "Tense=Past|VerbForm=Part", Some("shown")),
            ("show", Verb, "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin", Some("showed")),
            ("leave", Verb, "Tense=Past|VerbForm=Part", Some("left")),
            ("leave", Verb, "VerbForm=Ger", Some("leaving")),
            ("stop", Verb, "VerbForm=Ger", Some("stopping")),
            ("child", Noun, "Number=Plur", Some("children")),
            ("good", Adj, "Degree=Cmp", Some("better")),
            ("blorf", Verb, "Tense=Past|VerbForm=Part", Some("blorfed")),
            ("beautiful", Adj, "Degree=Cmp", None),
            ("unblorf", Noun, "Number=Plur", Some("unblorfs")),
            ("cyberbully", Noun, "Number=Plur", Some("cyberbullies")),
            ("reseek", Verb, "Tense=Past|VerbForm=Part", Some("resought")),
            ("deconflict", Verb, "VerbForm=Ger", Some("deconflicting")),
            ("glop", Verb, "VerbForm=Ger", Some("glopping")),
        ],
    );
}
