//! The rules that analyses are made with: loaded once, and anew when their files change.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use glosa_catalog::{Genre, GenreEdition};
use glosa_host::{Roots, Snapshot};
use glosa_metric::Problem;
use glosa_text::Language;

use crate::common_plan::common;

/// A snapshot, with the plans for documents without a genre.
pub(crate) struct Loaded {
    pub snapshot: Snapshot,
    pub common: BTreeMap<Language, (Genre, GenreEdition)>,
}

impl Loaded {
    fn new(snapshot: Snapshot) -> Arc<Loaded> {
        let common = Language::ALL.into_iter().map(|language| (language, common(&snapshot, language))).collect();
        Arc::new(Loaded { snapshot, common })
    }
}

/// What is loaded, or what keeps it from being loaded.
pub(crate) struct Rules {
    pub roots: Roots,
    loaded: Mutex<Option<Result<Arc<Loaded>, String>>>,
}

impl Rules {
    pub fn new(roots: Roots) -> Self {
        Rules { roots, loaded: Mutex::new(None) }
    }

    /// The rules, loaded where nobody has asked yet. It blocks.
    pub fn get(&self) -> Result<Arc<Loaded>, String> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.get_or_insert_with(|| glosa_host::load(&self.roots).map(Loaded::new).map_err(|p| told(&p))).clone()
    }

    /// Loads the rules anew. Where something is wrong with them, those in use stay. It blocks.
    pub fn reload(&self) -> Result<(), String> {
        let runtime = self.get().ok().map(|loaded| loaded.snapshot.engine.runtime.clone());
        let new = match runtime {
            Some(runtime) => glosa_host::load_with(runtime, &self.roots),
            None => glosa_host::load(&self.roots),
        };
        let new = new.map(Loaded::new).map_err(|problems| told(&problems))?;
        *self.loaded.lock().unwrap_or_else(PoisonError::into_inner) = Some(Ok(new));
        Ok(())
    }
}

fn told(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n")
}
