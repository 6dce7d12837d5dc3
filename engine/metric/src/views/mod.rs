//! What many metrics need of one document: made once, and only when the first of them asks.
//!
//! Views say what stands in the text; what of it is good or bad is for metrics to say.

mod counts;
pub mod distances;
mod grammar;
pub(crate) mod places;
mod quotation;
mod vocabulary;

use std::any::Any;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use glosa_text::Document;

pub use counts::Counts;
pub use grammar::Grammar;
use places::Places;
pub use quotation::Quotation;
pub use vocabulary::Vocabulary;

use crate::Input;

/// The views of one document. All inputs of one report share them.
#[derive(Default)]
pub struct Views {
    counts: OnceLock<Counts>,
    grammar: OnceLock<Grammar>,
    vocabulary: OnceLock<Vocabulary>,
    places: OnceLock<Places>,
    kept: Mutex<Vec<Arc<dyn Any + Send + Sync>>>,
}

impl Views {
    fn counts(&self, document: &Document) -> &Counts {
        self.counts.get_or_init(|| Counts::of(document))
    }

    fn grammar(&self, document: &Document) -> &Grammar {
        self.grammar.get_or_init(|| Grammar::of(document))
    }

    fn vocabulary(&self, document: &Document) -> &Vocabulary {
        self.vocabulary.get_or_init(|| Vocabulary::of(document))
    }

    pub(crate) fn places(&self, document: &Document) -> &Places {
        self.places.get_or_init(|| Places::of(document))
    }

    /// Makes all views of a document, whether or not a metric asks: to measure them.
    pub fn warm(&self, document: &Document) {
        self.counts(document);
        self.grammar(document);
        self.vocabulary(document);
        self.places(document);
    }

    /// What another crate keeps for all metrics of its kind: one value of each type, made by the first that asks.
    pub fn kept<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let find = || {
            let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.iter().find_map(|one| Arc::clone(one).downcast::<T>().ok())
        };
        if let Some(found) = find() {
            return found;
        }
        let made = Arc::new(make());
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(made.clone());
        made
    }
}

impl Input {
    /// Counts of the document and their sums.
    pub fn counts(&self) -> &Counts {
        self.views.counts(&self.document)
    }

    /// Words of the document by grammatical class.
    pub fn grammar(&self) -> &Grammar {
        self.views.grammar(&self.document)
    }

    /// How many different words the document has, from its start to anywhere.
    pub fn vocabulary(&self) -> &Vocabulary {
        self.views.vocabulary(&self.document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_of_a_type_is_kept() {
        let views = Views::default();
        assert_eq!(*views.kept(|| 1u8), 1);
        assert_eq!(*views.kept(|| 2u8), 1);
        assert_eq!(*views.kept(|| "text"), "text");
    }
}
