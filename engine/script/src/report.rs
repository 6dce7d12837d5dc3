//! What a script says: findings and values.

use std::ops::Range;
use std::sync::Arc;

use glosa_metric::pattern::keep_capitals;
use glosa_metric::{Candidate, Edit, Fact, Finding, Place};
use glosa_text::Span;
use rhai::{Dynamic, Engine, EvalAltResult, INT, Position};

use crate::glossary::{Hit, Match};
use crate::list::List;
use crate::run::with_run;
use crate::source::Src;
use crate::units::{Block, NO_TOKEN, Sentence, Token, Word};

/// As many as a text may have code points.
pub(crate) const MOST_FINDINGS: usize = 400_000;

/// A finding that is being written.
#[derive(Clone)]
pub(crate) struct Report {
    number: usize,
}

type Answer<T> = Result<T, Box<EvalAltResult>>;

fn tokens_span(src: &Src, tokens: &Range<u32>) -> Option<Span> {
    (!tokens.is_empty()).then(|| src.document().span_of_tokens(tokens.start as usize..tokens.end as usize))
}

/// The place of whatever stands in the text.
fn place(thing: &Dynamic) -> Answer<Span> {
    let span = if let Some(t) = thing.read_lock::<Token>() {
        if t.is_absent() {
            return Err(NO_TOKEN.into());
        }
        Some(t.raw().span)
    } else if let Some(m) = thing.read_lock::<Match>() {
        tokens_span(&m.src, &m.inner.marked)
    } else if let Some(h) = thing.read_lock::<Hit>() {
        tokens_span(&h.src, &h.tokens)
    } else if let Some(s) = thing.read_lock::<Sentence>() {
        Some(s.raw().span)
    } else if let Some(b) = thing.read_lock::<Block>() {
        Some(b.span())
    } else if let Some(w) = thing.read_lock::<Word>() {
        Some(w.raw().span)
    } else if let Some(list) = thing.read_lock::<List>() {
        list.span()
    } else {
        let what =
            format!("{} is no place of the text; give a token, word, sentence, block, hit or match", kind(thing));
        return Err(what.into());
    };
    span.ok_or_else(|| "an empty list of tokens is no place of the text".into())
}

/// What a value is, for people.
pub(crate) fn kind(value: &Dynamic) -> &str {
    match value.type_name() {
        "i64" | "f64" => "a number",
        "bool" => "a flag",
        "string" => "a text",
        "()" => "nothing, `()`,",
        "array" => "an array",
        other => other.rsplit("::").next().unwrap_or(other),
    }
}

fn between(from: &Dynamic, to: &Dynamic) -> Answer<Span> {
    if let (Ok(from), Ok(to)) = (from.as_int(), to.as_int()) {
        return offsets(from, to);
    }
    Ok(place(from)?.cover(place(to)?))
}

/// Code points of the text, end exclusive: for places that are no token, such as white space.
fn offsets(from: INT, to: INT) -> Answer<Span> {
    let end = with_run(|run| Ok(run.src.document().code_points()))?;
    match (u32::try_from(from), u32::try_from(to)) {
        (Ok(from), Ok(to)) if from <= to && to <= end => Ok(Span { start: from, end: to }),
        _ => Err(format!("{from}..{to} is no place of a text of {end} code points").into()),
    }
}

fn value(value: &Dynamic) -> Fact {
    if let Ok(n) = value.as_int() {
        Fact::Integer(n)
    } else if let Ok(n) = value.as_float() {
        Fact::Number(n)
    } else {
        Fact::Text(value.to_string())
    }
}

/// The error of a limit that ends the search: no script can catch it, and what was reported stays.
pub(crate) fn limit(why: String) -> Box<EvalAltResult> {
    EvalAltResult::ErrorDataTooLarge(why, Position::NONE).into()
}

fn add(finding: Finding, of: Option<Arc<glosa_metric::pattern::Match>>) -> Answer<Report> {
    with_run(|run| {
        if run.findings.len() >= MOST_FINDINGS {
            return Err(limit(format!("more than {MOST_FINDINGS} findings in one text")));
        }
        let hit = of.or_else(|| run.handled.clone());
        run.findings.push(Candidate { finding, hit, unit: None });
        Ok(Report { number: run.findings.len() - 1 })
    })
}

fn change(report: &Report, change: impl FnOnce(&mut Finding)) -> Answer<Report> {
    with_run(|run| {
        if let Some(candidate) = run.findings.get_mut(report.number) {
            change(&mut candidate.finding);
        }
        Ok(report.clone())
    })
}

/// Changes a finding by a replacement, which keeps the capitals of the place.
fn advise(report: &Report, text: &str, change: impl FnOnce(&mut Finding, String)) -> Answer<Report> {
    with_run(|run| {
        let src = Arc::clone(&run.src);
        if let Some(Candidate { finding, .. }) = run.findings.get_mut(report.number) {
            let text = match finding.span() {
                Some(span) => keep_capitals(text, src.document(), span),
                None => text.to_owned(),
            };
            change(finding, text);
        }
        Ok(report.clone())
    })
}

pub(crate) fn register(engine: &mut Engine) {
    engine
        .register_type_with_name::<Report>("Report")
        .register_fn("report", |thing: Dynamic| {
            let hit = thing.read_lock::<Match>().map(|m| Arc::clone(&m.inner));
            add(Finding::at(place(&thing)?), hit)
        })
        .register_fn("report", |from: Dynamic, to: Dynamic| add(Finding::at(between(&from, &to)?), None))
        .register_fn("report_missing", |name: &str| add(Finding::unlocated(name), None))
        .register_fn("unit", |r: &mut Report, text: &str| {
            with_run(|run| {
                if let Some(candidate) = run.findings.get_mut(r.number) {
                    candidate.unit = Some(text.to_owned());
                }
                Ok(r.clone())
            })
        })
        .register_fn("replace", |r: &mut Report, text: &str| {
            advise(r, text, |f, text| *f = std::mem::replace(f, Finding::unlocated("")).replace(text))
        })
        .register_fn("suggest", |r: &mut Report, text: &str| advise(r, text, |f, text| f.replacement = Some(text)))
        .register_fn("alternative", |r: &mut Report, text: &str| advise(r, text, |f, text| f.alternatives.push(text)))
        .register_fn("also", |r: &mut Report, thing: Dynamic| {
            let span = place(&thing)?;
            change(r, |f| f.also.push(span))
        })
        .register_fn("also", |r: &mut Report, from: Dynamic, to: Dynamic| {
            let span = between(&from, &to)?;
            change(r, |f| f.also.push(span))
        })
        .register_fn("edit", |r: &mut Report, thing: Dynamic, text: &str| {
            let span = place(&thing)?;
            change(r, |f| f.edits.push(Edit { span, text: text.to_owned() }))
        })
        .register_fn("edit", |r: &mut Report, from: Dynamic, to: Dynamic, text: &str| {
            let span = between(&from, &to)?;
            change(r, |f| f.edits.push(Edit { span, text: text.to_owned() }))
        })
        .register_fn("mark", |r: &mut Report, from: Dynamic, to: Dynamic| {
            let span = between(&from, &to)?;
            change(r, |f| f.place = Place::At(span))
        })
        .register_fn("fact", |r: &mut Report, name: &str, of: Dynamic| {
            change(r, |f| {
                f.facts.insert(name.to_owned(), value(&of));
            })
        })
        .register_fn("fact", |name: &str, of: Dynamic| {
            with_run(|run| {
                run.facts.insert(name.to_owned(), value(&of));
                Ok::<(), Box<EvalAltResult>>(())
            })
        });
}
