//! The inflection that replacements may ask for. The linguistic runtime implements it.

use glosa_text::{Language, Upos, feature, overlaid};

/// What a form may be, whatever stands around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormReading {
    /// Part of speech.
    pub pos: Upos,
    /// Dictionary form.
    pub lemma: String,
    /// FEATS string.
    pub feats: String,
}

/// A known word that an unknown one may have been meant for.
#[derive(Clone, Debug, PartialEq)]
pub struct Repair {
    /// The word, in small letters; two words where a space is missing.
    pub form: String,
    /// What it takes to come from one to the other: 0.2 is an accent, 0.5 two letters in the wrong order, 1 another letter.
    pub cost: f64,
    /// Zipf frequency.
    pub zipf: f64,
    /// Accents alone differ.
    pub accents: bool,
}

/// Makes the form of a lemma, and knows the forms that there are.
pub trait Inflect: Send + Sync {
    /// The form of `lemma` that has the features of the model word: `pos` and `feats` are those of the model.
    /// `None` when the runtime does not know it; the caller must then offer no replacement.
    fn inflect(&self, language: Language, lemma: &str, pos: &str, feats: &str) -> Option<String>;

    /// A verb form, whose features are `feats`, with weak pronouns in any of their forms: before a finite form, joined to
    /// the others. `before` is the word that stands before the verb. `None` where the runtime does not know how that is
    /// written; the caller must then offer no replacement.
    fn attach(
        &self,
        _language: Language,
        _verb: &str,
        _feats: &str,
        _pronouns: &[&str],
        _before: Option<&str>,
    ) -> Option<String> {
        None
    }

    /// All that the lexicon says of a form; empty where it does not know it.
    fn readings(&self, _language: Language, _form: &str) -> Vec<FormReading> {
        Vec::new()
    }

    /// What an unknown word may have been meant for, the likeliest first, at most eight; empty where the runtime knows it.
    fn repairs(&self, _language: Language, _word: &str) -> Vec<Repair> {
        Vec::new()
    }

    /// Those of the repairs of a word that change nothing but accents.
    fn accents(&self, _language: Language, _word: &str) -> Vec<Repair> {
        Vec::new()
    }

    /// Whether the lexicon of a language has a form.
    fn is_known(&self, _language: Language, _form: &str) -> bool {
        false
    }

    /// Zipf frequency of a form; 0 where it is unknown.
    fn frequency(&self, _language: Language, _form: &str) -> f64 {
        0.0
    }

    /// Whether a word may stand in a position or role of its language: `modifier` of an adjective or participle, `opening` a clause
    /// that follows, … as the runtime lists them.
    fn is_listed(&self, _language: Language, _role: &str, _words: &str) -> bool {
        false
    }

    /// A determiner in a gender, `Masc` or `Fem`; `None` where the runtime does not list it.
    fn counterpart(&self, _language: Language, _form: &str, _gender: &str) -> Option<String> {
        None
    }

    /// Two words side by side as the language writes them: `de` and `el` make `del`. Runtimes without contractions
    /// put a space between them.
    fn join(&self, _language: Language, left: &str, right: &str) -> String {
        format!("{left} {right}")
    }
}

/// The features of a model word with others put over them. A mood makes a finite form and a form of the verb that is not
/// finite has neither mood nor person, so that `Mood=Ind|Tense=Pres` makes *regula* of *regulando*.
pub fn features(model: &str, changes: &str) -> String {
    let form = feature(changes, "VerbForm").or(feature(changes, "Mood").map(|_| "Fin"));
    let base = match form {
        Some("Inf" | "Ger") => overlaid(model, "Mood=|Tense=|Person=|Number=|Gender="),
        Some("Part") => overlaid(model, "Mood=|Person=|Tense=Past"),
        Some("Fin") => {
            let person = feature(model, "Person").map_or("Person=3", |_| "");
            let number = feature(model, "Number").map_or("Number=Sing", |_| "");
            overlaid(&overlaid(&overlaid(model, "Gender="), person), number)
        }
        _ => model.to_owned(),
    };
    let base = form.map_or(base.clone(), |form| overlaid(&base, &format!("VerbForm={form}")));
    overlaid(&base, changes)
}

/// Number and gender of a word that another has to agree with.
pub fn agreement(feats: &str) -> String {
    let of = |name| feature(feats, name).map(|value| format!("{name}={value}"));
    ["Gender", "Number"].into_iter().filter_map(of).collect::<Vec<_>>().join("|")
}

/// Knows no form; for tests and for runtimes without inflection.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoInflection;

impl Inflect for NoInflection {
    fn inflect(&self, _: Language, _: &str, _: &str, _: &str) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mood_makes_a_finite_form() {
        assert_eq!(
            features("VerbForm=Ger", "Mood=Ind|Tense=Pres"),
            "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
        );
        let future = "Mood=Sub|Number=Plur|Person=1|Tense=Fut|VerbForm=Fin";
        assert_eq!(features(future, "Tense=Pres"), "Mood=Sub|Number=Plur|Person=1|Tense=Pres|VerbForm=Fin");
        assert_eq!(features(future, "VerbForm=Inf"), "VerbForm=Inf");
        assert_eq!(agreement("Case=Acc|Gender=Fem|Number=Plur"), "Gender=Fem|Number=Plur");
    }
}
