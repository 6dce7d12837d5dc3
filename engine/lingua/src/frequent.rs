//! What the models say of a form by itself, and its keeping from text to text where the form is frequent: most words of a
//! letter are words of every letter. Rare forms, names among them, are forgotten with their text, and what is kept has an
//! end: the frequent forms of the language, small or with a capital.

use crate::slip::Slip;
use crate::tagger::{FormFacts, TagId};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// Zipf frequency times 10 from which a form is kept: one word of 100,000.
const FREQUENT: u8 = 40;

/// A lemma and its Zipf frequency times 10.
type Lemma = (Arc<str>, u8);

/// What the models say of a form, whatever stands around it.
#[derive(Debug)]
pub(crate) struct SeenForm {
    pub(crate) norm: String,
    /// What was meant, where the form is a slip of the pen.
    pub(crate) slip: Option<Slip>,
    /// In small letters, of what was meant.
    pub(crate) lower: String,
    pub(crate) facts: FormFacts,
    pub(crate) known: bool,
    pub(crate) zipf: u8,
    /// The words of a contraction, or a verb and its pronouns.
    pub(crate) words: Vec<String>,
    /// `words` are a verb and its pronouns.
    pub(crate) clitics: bool,
    /// The lemma and its frequency for each tag that the form had.
    pub(crate) lemmas: Mutex<Vec<(TagId, Lemma)>>,
}

impl SeenForm {
    /// Its lemma and the frequency of it as a word with this tag.
    pub(crate) fn lemma(&self, tag: TagId, find: impl FnOnce(&Self) -> Lemma) -> Lemma {
        let mut lemmas = self.lemmas.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = lemmas.iter().find(|(of, _)| *of == tag) {
            return found.clone();
        }
        let found = find(self);
        lemmas.push((tag, found.clone()));
        found
    }

    /// Whether it is worth keeping, and one of few ways to write the word.
    fn is_frequent(&self, form: &str) -> bool {
        let mut letters = form.chars();
        let plain = letters.next().is_some_and(char::is_alphabetic)
            && letters.all(|c| c.is_lowercase() || matches!(c, '\'' | '’' | '·'));
        plain && self.zipf >= FREQUENT
    }
}

/// How a form is cut into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Split {
    /// It is a word of a contraction.
    Never,
    /// It is a pronoun after its verb, in one token with it.
    Clitic,
    /// As it stands.
    Alone,
    /// As the form after it asks.
    Before,
}

impl Split {
    /// The table of forms: a form that is cut differently is another entry.
    pub(crate) fn table(self) -> usize {
        match self {
            Split::Never | Split::Alone => 0,
            Split::Clitic => 1,
            Split::Before => 2,
        }
    }
}

/// Frequent forms that some text had.
#[derive(Debug, Default)]
pub(crate) struct FrequentForms {
    /// One for each way to cut a form.
    tables: [RwLock<FxHashMap<Box<str>, Arc<SeenForm>>>; 4],
}

impl FrequentForms {
    pub(crate) fn get(&self, form: &str, split: Split) -> Option<Arc<SeenForm>> {
        self.tables[split as usize].read().unwrap_or_else(PoisonError::into_inner).get(form).cloned()
    }

    /// Keeps what was seen of a form if it is frequent, and gives it back.
    pub(crate) fn keep(&self, form: &str, split: Split, seen: Arc<SeenForm>) -> Arc<SeenForm> {
        if seen.is_frequent(form) {
            let mut table = self.tables[split as usize].write().unwrap_or_else(PoisonError::into_inner);
            table.insert(form.into(), seen.clone());
        }
        seen
    }
}
