//! What an unknown word may have been meant for.

use glosa_metric::Repair;
use glosa_text::Language;
use rhai::{Array, Dynamic, Engine, ImmutableString};

use crate::clock;
use crate::run::with_run;

/// Operations that a search counts for: it compares some hundred words.
const SEARCH: usize = 400;

pub(crate) fn register(engine: &mut Engine) {
    engine
        .register_type_with_name::<Repair>("Repair")
        .register_get("form", |r: &mut Repair| ImmutableString::from(r.form.as_str()))
        .register_get("cost", |r: &mut Repair| r.cost)
        .register_get("zipf", |r: &mut Repair| r.zipf)
        .register_get("accents", |r: &mut Repair| r.accents)
        .register_fn("repairs", |word: &str| {
            clock::charge(SEARCH);
            with_run(|run| {
                let found = run.src.input.inflect.repairs(run.src.document().language(), word);
                Ok(found.into_iter().map(Dynamic::from).collect::<Array>())
            })
        })
        .register_fn("accents", |word: &str| {
            clock::charge(SEARCH / 16);
            with_run(|run| {
                let found = run.src.input.inflect.accents(run.src.document().language(), word);
                Ok(found.into_iter().map(Dynamic::from).collect::<Array>())
            })
        })
        .register_fn("is_foreign", |form: &str| {
            with_run(|run| {
                let own = run.src.document().language();
                let others = Language::ALL.into_iter().filter(|language| *language != own);
                Ok(others.into_iter().any(|language| run.src.input.inflect.is_known(language, form)))
            })
        })
        .register_fn("frequency", |form: &str| {
            with_run(|run| Ok(run.src.input.inflect.frequency(run.src.document().language(), form)))
        })
        .register_fn("parts_of_speech", |form: &str| {
            with_run(|run| {
                let readings = run.src.input.inflect.readings(run.src.document().language(), form);
                let mut all: Vec<&str> = readings.iter().map(|reading| reading.pos.as_str()).collect();
                all.sort_unstable();
                all.dedup();
                Ok(all.into_iter().map(Dynamic::from).collect::<Array>())
            })
        });
}
