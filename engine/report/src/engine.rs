//! What every report of a snapshot shares.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use glosa_lingua::Runtime;
use glosa_metric::phrases::PhraseIndex;
use glosa_metric::{Inflect, Readings, Registry};
use glosa_text::{Document, Language, Layout};

use crate::Notes;

/// The parts of a snapshot that reports are made with; immutable and shared between threads.
#[derive(Clone)]
pub struct Engine {
    /// The linguistic runtime.
    pub runtime: Arc<Runtime>,
    /// Corrections of the tagger.
    pub readings: BTreeMap<Language, Arc<Readings>>,
    /// Inflection for replacement templates.
    pub inflect: Arc<dyn Inflect>,
    /// Phrase tables and glossaries, one index a language.
    pub phrases: BTreeMap<Language, Arc<PhraseIndex>>,
    /// All metrics.
    pub registry: Arc<Registry>,
    /// What reports add to the wording of rules.
    pub notes: Notes,
    /// Time that one metric may take on one text.
    pub metric_deadline: Duration,
}

impl Engine {
    /// The analysed text, what authors know better than the tagger put right.
    pub fn analyse(&self, language: Language, text: &str, headings: &HashSet<String>) -> Document {
        self.analyse_laid_out(language, text, Layout::new(text, headings))
    }

    /// The same for a text whose blocks are known.
    pub(crate) fn analyse_laid_out(&self, language: Language, text: &str, layout: Layout) -> Document {
        let document = self.runtime.analyse(language, text, layout);
        match self.readings.get(&language) {
            Some(readings) => readings.correct(document),
            None => document,
        }
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Engine of {} metrics", self.registry.entries().len())
    }
}
