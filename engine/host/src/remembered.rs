//! Inflected forms that were made once: making one searches the lexicon, and the rules ask for the same forms in every
//! text, so they are kept for all reports.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use glosa_metric::{FormReading, Inflect, Repair};
use glosa_text::Language;

/// Answers that are kept before they are forgotten together; the rules of a language ask for a few thousand.
const MOST: usize = 50_000;

/// Lemma, part of speech and features in a language, and the form where there is one.
type Forms = HashMap<(Language, [String; 3]), Option<String>>;

/// Inflection with a memory.
pub(crate) struct Remembered {
    inner: Arc<dyn Inflect>,
    forms: Mutex<Forms>,
}

impl Remembered {
    pub(crate) fn new(inner: Arc<dyn Inflect>) -> Self {
        Remembered { inner, forms: Mutex::default() }
    }

    fn forms(&self) -> MutexGuard<'_, Forms> {
        self.forms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inflect for Remembered {
    fn inflect(&self, language: Language, lemma: &str, pos: &str, feats: &str) -> Option<String> {
        let question = (language, [lemma, pos, feats].map(str::to_owned));
        if let Some(known) = self.forms().get(&question) {
            return known.clone();
        }
        let form = self.inner.inflect(language, lemma, pos, feats);
        let mut forms = self.forms();
        if forms.len() >= MOST {
            forms.clear();
        }
        forms.insert(question, form.clone());
        form
    }

    fn attach(
        &self,
        language: Language,
        verb: &str,
        feats: &str,
        pronouns: &[&str],
        before: Option<&str>,
    ) -> Option<String> {
        self.inner.attach(language, verb, feats, pronouns, before)
    }

    fn readings(&self, language: Language, form: &str) -> Vec<FormReading> {
        self.inner.readings(language, form)
    }

    fn repairs(&self, language: Language, word: &str) -> Vec<Repair> {
        self.inner.repairs(language, word)
    }

    fn accents(&self, language: Language, word: &str) -> Vec<Repair> {
        self.inner.accents(language, word)
    }

    fn is_known(&self, language: Language, form: &str) -> bool {
        self.inner.is_known(language, form)
    }

    fn frequency(&self, language: Language, form: &str) -> f64 {
        self.inner.frequency(language, form)
    }

    fn is_listed(&self, language: Language, role: &str, words: &str) -> bool {
        self.inner.is_listed(language, role, words)
    }

    fn counterpart(&self, language: Language, form: &str, gender: &str) -> Option<String> {
        self.inner.counterpart(language, form, gender)
    }

    fn join(&self, language: Language, left: &str, right: &str) -> String {
        self.inner.join(language, left, right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl Inflect for Counting {
        fn inflect(&self, _: Language, lemma: &str, _: &str, feats: &str) -> Option<String> {
            self.0.fetch_add(1, Ordering::Relaxed);
            (lemma != "x").then(|| format!("{lemma}{feats}"))
        }
    }

    #[test]
    fn a_question_is_asked_once() {
        let counting = Arc::new(Counting::default());
        let remembered = Remembered::new(counting.clone());
        for (lemma, form) in [("usar", Some("usarF")), ("x", None)] {
            for _ in 0..3 {
                assert_eq!(remembered.inflect(Language::Es, lemma, "VERB", "F").as_deref(), form);
            }
        }
        assert_eq!(counting.0.load(Ordering::Relaxed), 2);
        assert_eq!(remembered.inflect(Language::Ca, "usar", "VERB", "F").as_deref(), Some("usarF"));
        assert_eq!(counting.0.load(Ordering::Relaxed), 3, "another language is another question");
    }
}
