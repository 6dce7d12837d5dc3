//! The inflection that replacement templates may ask for. The linguistic runtime implements it.

use glosa_text::Language;

/// Makes the form of a lemma.
pub trait Inflect: Send + Sync {
    /// The form of `lemma` that has the features of the model word: `pos` and `feats` are those of the model.
    /// `None` when the runtime does not know it; the caller must then offer no replacement.
    fn inflect(&self, language: Language, lemma: &str, pos: &str, feats: &str) -> Option<String>;

    /// Two words side by side as the language writes them: `de` and `el` make `del`. Runtimes without contractions
    /// put a space between them.
    fn join(&self, _language: Language, left: &str, right: &str) -> String {
        format!("{left} {right}")
    }
}

/// Knows no form; for tests and for runtimes without inflection.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoInflection;

impl Inflect for NoInflection {
    fn inflect(&self, _: Language, _: &str, _: &str, _: &str) -> Option<String> {
        None
    }
}
