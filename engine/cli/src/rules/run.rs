//! `rules run`: one metric on one text, in or out of a genre.

use std::path::Path;

use glosa_metric::{Kind, ParamValue};
use glosa_report::{MeasurementValue, ReportResult};
use glosa_text::Language;

use crate::roots::read_text;
use crate::{Failure, RootOptions, check, text_report};

pub(super) fn run(
    roots: &RootOptions,
    id: &str,
    file: &Path,
    language: Language,
    set: &[String],
    genre: Option<&str>,
) -> Result<(), Failure> {
    let text = read_text(file)?;
    let snapshot = roots.load_for(Some(id))?;
    super::chosen(&snapshot, Some(id))?;
    let found = genre.map(|name| check::find(&snapshot.catalog, language, name)).transpose()?;
    let place = found.map(|(g, _)| (g.domain.slug.as_str(), g.slug.as_str()));
    let Some(mut trial) = snapshot.trial(id, language, place) else {
        return Err(Failure::usage(format!("`{id}` has no variant for {language}")));
    };
    trial.gates_open = false;
    if let Some((_, edition)) = found
        && let Some(scope) = edition.scope.get(id)
    {
        trial.params.extend(scope.params.clone());
    }
    let manifest = &snapshot.engine.registry.get(id).expect("chosen").manifest;
    for pair in set {
        let (key, value) = parameter(pair)?;
        let Some(spec) = manifest.params.get(&key) else {
            let known: Vec<_> = manifest.params.keys().map(String::as_str).collect();
            return Err(Failure::usage(format!("`{id}` has no threshold `{key}`; it has: {}", known.join(", "))));
        };
        let value = spec.accept(&value).map_err(|wrong| Failure::usage(format!("{key}: {wrong}")))?;
        trial.params.insert(key, value);
    }
    let outcome = trial.run(&snapshot.engine, &text).map_err(|e| Failure::failed(e.to_string()))?;
    if manifest.kind == Kind::Measurement {
        match outcome.measurement.map(|m| m.value) {
            Some(MeasurementValue::Integer(n)) => anstream::println!("{n}"),
            Some(MeasurementValue::Number(x)) => anstream::println!("{x:.2}"),
            None => anstream::println!("left out: the metric gives no value for this text"),
        }
        return Ok(());
    }
    let result =
        ReportResult { recommendations: outcome.recommendation.into_iter().collect(), ..ReportResult::default() };
    anstream::print!("{}", text_report::recommendations(&result, &text));
    if result.recommendations.is_empty() {
        anstream::println!("nothing found");
    }
    Ok(())
}

fn parameter(pair: &str) -> Result<(String, ParamValue), Failure> {
    let (key, value) = pair.split_once('=').ok_or_else(|| Failure::usage(format!("`{pair}`: expected KEY=VALUE")))?;
    let value = glosa_metric::yaml::read::<ParamValue>(value)
        .map_err(|errors| Failure::usage(format!("{key}: {}", errors[0])))?;
    Ok((key.to_owned(), value))
}
