//! The run that is going on in a thread: what its script may ask for by name, and what it has said so far.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use glosa_metric::pattern::{Match, with_joined_pronouns};
use glosa_metric::{Candidate, Fact, FormReading, MetricError, features};
use glosa_text::{Upos, has_feature};
use rhai::{Dynamic, Engine, EvalAltResult};

use crate::genre::Genre;
use crate::glossary::glossary;
use crate::source::Src;
use crate::units::{Doc, Token};
use crate::words::{Lists, dynamic};

/// The run of one script on one document.
pub(crate) struct Run {
    pub(crate) src: Src,
    pub(crate) findings: Vec<Candidate>,
    /// The match that the script is called for.
    pub(crate) handled: Option<Arc<Match>>,
    pub(crate) facts: BTreeMap<String, Fact>,
    /// The first thing that the script asked for and may not have.
    pub(crate) refused: Option<MetricError>,
}

thread_local! {
    static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
}

/// Ends the run when it goes.
pub(crate) struct Going;

impl Drop for Going {
    fn drop(&mut self) {
        RUN.set(None);
    }
}

/// Starts a run in this thread.
pub(crate) fn begin(src: &Src) -> Going {
    let src = Arc::clone(src);
    RUN.set(Some(Run { src, findings: Vec::new(), handled: None, facts: BTreeMap::new(), refused: None }));
    Going
}

/// Takes what the run has said.
pub(crate) fn end(_: Going) -> Option<Run> {
    RUN.take()
}

/// Notes the match that the script is called for.
pub(crate) fn handle(hit: Option<&Arc<Match>>) {
    RUN.with_borrow_mut(|run| {
        if let Some(run) = run {
            run.handled = hit.cloned();
        }
    });
}

/// Works on the run of this thread.
pub(crate) fn with_run<T>(
    work: impl FnOnce(&mut Run) -> Result<T, Box<EvalAltResult>>,
) -> Result<T, Box<EvalAltResult>> {
    RUN.with_borrow_mut(|run| match run {
        Some(run) => work(run),
        None => Err("only a running metric can do this; move it into the entry function".into()),
    })
}

/// The thresholds of the genre.
#[derive(Clone)]
pub(crate) struct Thresholds;

fn threshold(key: &str) -> Result<Dynamic, Box<EvalAltResult>> {
    with_run(|run| match run.src.input.params.value(key) {
        Ok(value) => Ok(dynamic(value)),
        Err(error) => {
            let message = error.to_string();
            run.refused.get_or_insert(error);
            Err(message.into())
        }
    })
}

/// A name that is no variable of the script.
pub(crate) fn resolve(name: &str) -> Result<Option<Dynamic>, Box<EvalAltResult>> {
    match name {
        "params" => Ok(Some(Dynamic::from(Thresholds))),
        "doc" => with_run(|run| Ok(Some(Dynamic::from(Doc { src: Arc::clone(&run.src) })))),
        "lists" => Ok(Some(Dynamic::from(Lists))),
        "genre" => with_run(|run| {
            let structure = Arc::clone(&run.src.input.structure);
            Ok(Some(Dynamic::from(Genre { structure })))
        }),
        _ => Ok(None),
    }
}

/// The form of a lemma that a token has, with the pronouns that are one word with it.
fn inflected_like(lemma: &str, feats: &str, like: &Token) -> Result<Dynamic, Box<EvalAltResult>> {
    let pos = like.raw().pos.as_str();
    with_run(|run| {
        let input = &run.src.input;
        let form = input.inflect.inflect(input.document.language(), lemma, pos, feats);
        let form = form.and_then(|form| with_joined_pronouns(input, form, feats, like.number));
        Ok(form.map_or(Dynamic::UNIT, Into::into))
    })
}

/// The verb that a token is a past participle of, whatever the tagger takes it for; `()` where it is of none or of several.
fn participle_of(token: &Token) -> Result<Dynamic, Box<EvalAltResult>> {
    let document = token.src.document();
    let raw = token.raw();
    if raw.pos == Upos::Verb && has_feature(document.string(raw.feats), "VerbForm", "Part") {
        return Ok(document.string(raw.lemma).into());
    }
    with_run(|run| {
        let readings = run.src.input.inflect.readings(document.language(), document.string(raw.norm));
        let participle = |reading: &&FormReading| {
            reading.pos == Upos::Verb
                && has_feature(&reading.feats, "VerbForm", "Part")
                && !has_feature(&reading.feats, "Tense", "Pres")
        };
        let mut verbs: Vec<String> = readings.iter().filter(participle).map(|reading| reading.lemma.clone()).collect();
        verbs.sort_unstable();
        verbs.dedup();
        Ok(if let [verb] = &mut verbs[..] { std::mem::take(verb).into() } else { Dynamic::UNIT })
    })
}

fn inflected(lemma: &str, pos: &str, feats: &str) -> Result<Dynamic, Box<EvalAltResult>> {
    with_run(|run| {
        let input = &run.src.input;
        let form = input.inflect.inflect(input.document.language(), lemma, pos, feats);
        Ok(form.map_or(Dynamic::UNIT, Into::into))
    })
}

pub(crate) fn register(engine: &mut Engine) {
    engine
        .register_type_with_name::<Thresholds>("Params")
        .register_indexer_get(|_: &mut Thresholds, key: &str| threshold(key))
        .register_fn("glossary", |key: &str| with_run(|run| Ok(glossary(&run.src, key))))
        .register_fn("has_phrase", |doc: &mut Doc, phrase: &str| doc.src.has_phrase(phrase))
        .register_fn("junction", |left: &str, right: &str| {
            with_run(|run| Ok(run.src.input.inflect.join(run.src.document().language(), left, right)))
        })
        .register_fn("participle_of", |token: Token| participle_of(&token))
        .register_fn("inflect", inflected)
        .register_fn("inflect", |lemma: &str, changes: &str, like: Token| {
            let raw = like.raw();
            let feats = features(like.src.document().string(raw.feats), changes);
            inflected_like(lemma, &feats, &like)
        })
        .register_fn("inflect", |lemma: &str, like: Token| {
            let feats = like.src.document().string(like.raw().feats).to_owned();
            inflected_like(lemma, &feats, &like)
        });
}
