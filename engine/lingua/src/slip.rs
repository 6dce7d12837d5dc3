//! Slips of the pen: which known word an unknown one was meant to be.
//!
//! A word that the lexicon lacks is read as a known one a single change away (a letter after the first too many, missing,
//! wrong, or two in the wrong order), where that one is much more frequent and no other comes near. A letter written
//! three times or more is a lengthening (*sooo*). The tagger then sees the word that was meant; its features say what was done.
//!
//! Marks and their names are those of Universal Dependencies (`Typo=Yes`, `Style=Expr`). The limits were tried out on the
//! training part of EWT: more than half of the words they change are marked there as well, and most of the others are
//! slips that its annotators passed over (*seperate*, *commitee*).

use crate::frequency::{Frequencies, Unit};
use crate::lemma::capitalised;
use crate::lexicon::Lexicon;

/// Zipf frequency that the meant word has at least, in tenths.
const LEAST_ZIPF: u8 = 35;
/// By how much it is more frequent than what is written, in tenths.
const MORE_FREQUENT: u8 = 15;
/// By how much it is more frequent than any other candidate, in tenths.
const LEAD: u8 = 10;
/// Shorter words have too many neighbours.
const SHORTEST: usize = 5;
/// A lengthened word may be as short as this (*sooo*).
const SHORTEST_LENGTHENED: usize = 4;
/// Of two words that differ in one letter, either may be meant, the more so if they are short.
const SHORTEST_WITH_WRONG_LETTER: usize = 7;
const LONGEST: usize = 30;

/// What a word was meant to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip {
    /// The word that was meant, in the letter case of what is written.
    pub meant: String,
    /// What happened, as a pair of FEATS.
    pub mark: &'static str,
}

impl Slip {
    /// The known word that `form` was meant to be; `None` where the form is known or nothing is clear.
    pub fn find(lexicon: &Lexicon, frequencies: &Frequencies, form: &str) -> Option<Slip> {
        if form.len() < SHORTEST_LENGTHENED || form.len() > LONGEST || !form.bytes().all(|b| b.is_ascii_alphabetic()) {
            return None;
        }
        let lower = form.to_ascii_lowercase();
        if lexicon.is_known(form) || lexicon.is_known(&lower) {
            return None;
        }
        if let Some(slip) = lengthened(lexicon, frequencies, form) {
            return Some(slip);
        }
        let name = |written: String| lexicon.is_known(&written);
        let known_name = name(capitalised(&lower)) || name(lower.to_ascii_uppercase());
        if form != lower || form.len() < SHORTEST || known_name {
            return None;
        }
        let least = LEAST_ZIPF.max(frequencies.zipf(Unit::Form, &lower) + MORE_FREQUENT);
        let mut best: Option<(u8, String)> = None;
        let mut next = 0;
        lexicon.for_each_within_one_change(&lower, |candidate| {
            if lower.len() < SHORTEST_WITH_WRONG_LETTER && differ_in_one_letter(&lower, candidate) {
                return;
            }
            let zipf = frequencies.zipf(Unit::Form, candidate);
            match &best {
                Some((most, _)) if zipf <= *most => next = next.max(zipf),
                _ => {
                    next = best.take().map_or(0, |b| b.0);
                    best = Some((zipf, candidate.to_owned()));
                }
            }
        });
        let (zipf, meant) = best?;
        (zipf >= least && zipf >= next + LEAD).then_some(Slip { meant, mark: "Typo=Yes" })
    }
}

/// The word without letters that are repeated for emphasis or by accident: each run of three or more is two or one.
fn lengthened(lexicon: &Lexicon, frequencies: &Frequencies, form: &str) -> Option<Slip> {
    const SHORTEST_RUN: usize = 3;
    let letters: Vec<char> = form.chars().collect();
    let runs = || letters.chunk_by(|a, b| a.eq_ignore_ascii_case(b));
    if runs().all(|run| run.len() < SHORTEST_RUN) {
        return None;
    }
    let shortened = |times: usize| -> String {
        runs().flat_map(|run| &run[..if run.len() < SHORTEST_RUN { run.len() } else { times }]).collect()
    };
    let zipf = |word: &String| {
        let lower = word.to_ascii_lowercase();
        if lexicon.is_known(&lower) { frequencies.zipf(Unit::Form, &lower) } else { 0 }
    };
    let meant = [2, 1].map(shortened).into_iter().max_by_key(zipf).filter(|word| zipf(word) >= LEAST_ZIPF)?;
    let mark = if form.len() - meant.len() == 1 { "Typo=Yes" } else { "Style=Expr" };
    Some(Slip { meant, mark })
}

fn differ_in_one_letter(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).filter(|(a, b)| a != b).count() == 1
}

/// FEATS with a pair more, in alphabetical order.
pub fn with_mark(feats: &str, mark: &str) -> String {
    let mut pairs: Vec<&str> = feats.split('|').filter(|pair| !pair.is_empty() && *pair != "_").collect();
    if !pairs.contains(&mark) {
        pairs.push(mark);
    }
    pairs.sort_by_key(|pair| pair.to_ascii_lowercase());
    pairs.join("|")
}

/// FEATS without the marks of a slip.
pub fn without_marks(feats: &str) -> String {
    let kept: Vec<&str> = feats.split('|').filter(|pair| !matches!(*pair, "Typo=Yes" | "Style=Expr")).collect();
    if kept.is_empty() { "_".to_owned() } else { kept.join("|") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LanguageModels;
    use glosa_text::Language;

    #[test]
    fn slips_are_read_as_the_word_that_was_meant() {
        let models = LanguageModels::shipped(Language::En);
        let lexicon = Lexicon::new(models.lexicon, &models.lexicon_table).unwrap();
        let frequencies = Frequencies::new(models.frequency).unwrap();
        let meant =
            |form: &str| Slip::find(&lexicon, &frequencies, form).map(|slip| format!("{} {}", slip.meant, slip.mark));
        for (written, expected) in [
            ("administartion", "administration Typo=Yes"),
            ("goverment", "government Typo=Yes"),
            ("accomodate", "accommodate Typo=Yes"),
            ("appplication", "application Typo=Yes"),
            ("sooooo", "so Style=Expr"),
            ("VERYYYY", "VERY Style=Expr"),
        ] {
            assert_eq!(meant(written).as_deref(), Some(expected), "{written}");
        }
        for right in ["government", "Goverment", "NATO", "glosa", "so", "naïve", "x", "xxxxxxxxxxx", "Lluís"] {
            assert_eq!(meant(right), None, "{right}");
        }
    }

    #[test]
    fn marks_stand_in_order() {
        assert_eq!(with_mark("", "Typo=Yes"), "Typo=Yes");
        assert_eq!(with_mark("Tense=Past|VerbForm=Part", "Typo=Yes"), "Tense=Past|Typo=Yes|VerbForm=Part");
        assert_eq!(without_marks("Tense=Past|Typo=Yes|VerbForm=Part"), "Tense=Past|VerbForm=Part");
        assert_eq!(without_marks("Typo=Yes"), "_");
    }
}
