//! The rules in use. A reload swaps the whole generation; whoever holds one keeps it until done.
use arc_swap::ArcSwap;
use axum::body::Bytes;
use glosa_host::Snapshot;
use glosa_metric::Kind;
use glosa_text::Language;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

const ANSWERS: usize = 256;

/// What is asked of the rules in use. A genre is named by the slugs of domain and text type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    /// The description of the interface.
    Description,
    Metrics {
        analysis: Option<Language>,
        documentation: Language,
        kind: Option<Kind>,
        enabled: Option<bool>,
        genre: Option<(String, String)>,
    },
    Metric {
        metric_id: String,
        analysis: Language,
        documentation: Language,
        genre: Option<(String, String)>,
    },
    TextTypes {
        language: Language,
    },
    TextType {
        language: Language,
        domain: String,
        text_type: String,
    },
    Glossaries {
        language: Language,
        domain: String,
        text_type: String,
    },
}

/// A catalog answer that was written once: its entity tag and body.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Weak entity tag.
    pub tag: String,
    /// JSON.
    pub body: Bytes,
}

/// One immutable state of the rules, with the catalog answers made from it.
pub struct Generation {
    snapshot: Arc<Snapshot>,
    answers: Mutex<HashMap<Question, Answer>>,
}

impl fmt::Debug for Generation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Generation")
    }
}

impl Generation {
    fn new(snapshot: Arc<Snapshot>) -> Self {
        Self { snapshot, answers: Mutex::default() }
    }

    /// Rules, genres, glossaries.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The answer to a question, made once.
    pub(crate) fn answer(&self, question: Question, make: impl FnOnce() -> Answer) -> Answer {
        let known = |answers: &HashMap<Question, Answer>| answers.get(&question).cloned();
        if let Some(answer) = known(&self.answers.lock().unwrap_or_else(PoisonError::into_inner)) {
            return answer;
        }
        let answer = make();
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= ANSWERS {
            answers.clear();
        }
        answers.insert(question, answer.clone());
        answer
    }
}

/// The generation in use.
#[derive(Debug)]
pub struct CurrentEngine(ArcSwap<Generation>);

impl CurrentEngine {
    /// Starts with a snapshot.
    pub fn new(snapshot: Arc<Snapshot>) -> Self {
        Self(ArcSwap::from_pointee(Generation::new(snapshot)))
    }

    /// The generation in use now.
    pub fn current(&self) -> Arc<Generation> {
        self.0.load_full()
    }

    /// Puts another snapshot in use. Analyses under way keep theirs.
    pub fn replace(&self, snapshot: Arc<Snapshot>) {
        self.0.store(Arc::new(Generation::new(snapshot)));
    }
}
