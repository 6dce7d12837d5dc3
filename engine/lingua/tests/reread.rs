//! Words that authors read otherwise than the tagger, in CoNLL-U.

use glosa_lingua::Runtime;
use glosa_lingua::conllu::{Reread, annotate, annotate_with};
use glosa_text::{Language, Upos};

#[test]
fn what_the_tagger_says_of_a_word_that_is_read_anew_stands_in_misc() {
    let runtime = Runtime::new().expect("the models");
    let text = "Proceed to platform two.";
    let plain = annotate(&runtime, Language::En, text, "t");
    let word = plain.lines().find(|line| line.starts_with("3\tplatform\t")).expect("the word");
    let [_, _, lemma, pos, _, feats, ..] = word.split('\t').collect::<Vec<_>>()[..] else { panic!("{word}") };
    let reread =
        Reread { bytes: 11..19, pos: Upos::X, lemma: format!("{lemma}s"), feats: "Foreign=Yes|Number=Sing".into() };
    let shown = annotate_with(&runtime, Language::En, text, "t", &[reread]);
    let wanted = format!("3\tplatform\t{lemma}s\tX\t_\tForeign=Yes|Number=Sing\t");
    let misc = format!("\tTaggerFeats={}|TaggerLemma={lemma}|TaggerUPOS={pos}", feats.replace('|', ","));
    assert!(shown.lines().any(|line| line.starts_with(&wanted) && line.ends_with(&misc)), "{shown}");
    assert_eq!(shown.lines().filter(|line| !plain.lines().any(|other| other == *line)).count(), 1, "{shown}");
}
