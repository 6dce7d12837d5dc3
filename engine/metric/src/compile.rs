//! Makes a metric of a phrase table or a token pattern.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::advice::{Advice, RowAdvice};
use crate::gate::Gate;
use crate::pattern::build::Builder;
use crate::pattern::{Condition, Query, Template};
use crate::phrases::PhraseRow;
use crate::reporting::{Reporting, Saying, Told};
use crate::rule::{PatternRule, Source};
use crate::yaml::At;
use crate::yaml_reader::{Located, Reader};
use crate::{
    Choice, EditPolicy, Form, Handling, Metric, Needs, ParamSpec, Pattern, PhraseTable, Problem, VariantFile, WordLists,
};

/// What compiling needs to know beside the file.
#[derive(Clone, Copy)]
pub struct CompileContext<'c> {
    /// Name of the file, for messages.
    pub file: &'c str,
    /// Its text, for messages.
    pub source: &'c str,
    /// Thresholds that `metric.yaml` declares.
    pub params: &'c BTreeMap<String, ParamSpec>,
    /// Takes a text apart as the language's tokenizer does and gives the normal forms.
    pub tokenize: &'c dyn Fn(&str) -> Vec<String>,
    /// Number of the variant's own phrase table in the index of its language.
    pub table: Option<u32>,
    /// Further columns that the rows of a glossary have in the language; `None` where there is no such glossary.
    pub columns: &'c dyn Fn(&str) -> Option<Vec<String>>,
    /// Lists of words that it may name.
    pub lists: &'c WordLists,
    /// Dictionary forms of a word that is no dictionary form itself; empty for others and for unknown words.
    pub lemmas: &'c dyn Fn(&str) -> Vec<String>,
    /// The past participles of a verb in all genders and numbers; empty where the language knows none.
    pub participles: &'c dyn Fn(&str) -> Vec<String>,
}

/// A metric made of data.
#[derive(Clone)]
pub struct Compiled {
    /// The metric.
    pub run: Arc<dyn Metric>,
    /// What it requires of the linguistic runtime: what the file declares and what its pattern tests.
    pub needs: Needs,
    /// Names of the lists that it reads.
    pub lists: BTreeSet<String>,
}

/// Compiles a variant whose form is `substitute` or `match`.
///
/// # Errors
/// Everything in the file that cannot be compiled, each with its place.
pub fn compile(file: &VariantFile, context: &CompileContext<'_>) -> Result<Compiled, Vec<Problem>> {
    let mut reader = Reader::new(context.file, context.source);
    let mut builder = builder(file, context, &mut reader);
    let form = file.form.as_ref().map(|form| (&form.value, form.at));
    let made = match form {
        Some((Form::Substitute(table), at)) => {
            let query = Query::build(&mut builder, &Pattern { unless: table.unless.clone(), ..Pattern::default() });
            let reporting = reporting(&mut builder, None, &table.handling);
            rows(&mut builder, table, at).map(|source| (query, reporting, source))
        }
        Some((Form::Match(pattern, handling), _)) => {
            let query = Query::build(&mut builder, pattern);
            let reporting = reporting(&mut builder, Some(pattern), handling);
            Some((query, reporting, Source::Pattern))
        }
        _ => {
            builder.reader.problem(
                At { line: 1, column: 1 },
                "a variant without `substitute` or `match` is no pattern",
                "give one of them",
            );
            None
        }
    };
    let needs = crate::pattern::build::needs(&file.needs, &builder.needs);
    let lists = std::mem::take(&mut builder.lists);
    match made {
        Some((query, reporting, source)) if reader.problems.is_empty() => {
            Ok(Compiled { needs, lists, run: Arc::new(PatternRule { query, source, reporting }) })
        }
        _ => Err(reader.sorted()),
    }
}

/// What the variant of a script says beside it.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The `match` that selects what the script is called for.
    pub query: Option<Query>,
    /// What holds for what the script reports.
    pub reporting: Reporting,
    /// What all this requires of the linguistic runtime.
    pub needs: Needs,
    /// Names of the lists of words that it reads.
    pub lists: BTreeSet<String>,
}

/// Compiles what stands beside a script.
///
/// # Errors
/// Everything in it that cannot be compiled, each with its place.
pub fn compile_selection(file: &VariantFile, context: &CompileContext<'_>) -> Result<Selection, Vec<Problem>> {
    let mut reader = Reader::new(context.file, context.source);
    let mut builder = builder(file, context, &mut reader);
    let pattern = file.pattern();
    let query = pattern.map(|pattern| Query::build(&mut builder, pattern));
    let silent = Handling::default();
    let reporting = reporting(&mut builder, pattern, file.handling().unwrap_or(&silent));
    let needs = crate::pattern::build::needs(&file.needs, &builder.needs);
    let lists = std::mem::take(&mut builder.lists);
    match reader.problems.is_empty() {
        true => Ok(Selection { query, reporting, needs, lists }),
        false => Err(reader.sorted()),
    }
}

/// What the keys beside the form say of hits.
fn reporting(builder: &mut Builder<'_, '_>, pattern: Option<&Pattern>, handling: &Handling) -> Reporting {
    let gates = handling.report.iter();
    let gates = gates.map(|group| group.iter().map(|gate| Gate::build(builder, gate)).collect()).collect();
    let silent = Pattern { choices: vec![Choice::default()], ..Pattern::default() };
    let pattern = pattern.unwrap_or(&silent);
    let unit = pattern.unit.as_ref().and_then(|unit| {
        let found = builder.names.iter().position(|name| *name == **unit);
        if found.is_none() {
            builder.unknown_capture(unit);
        }
        found.map(|number| number as u32)
    });
    let sayings = pattern.choices.iter().map(|choice| saying(builder, pattern, handling, choice)).collect();
    Reporting { sayings, gates, spans: handling.spans, unit }
}

/// What an alternative says of its hits, or else the variant.
fn saying(builder: &mut Builder<'_, '_>, pattern: &Pattern, handling: &Handling, choice: &Choice) -> Saying {
    let fix = choice.fix.as_ref().map_or(pattern.fix.as_ref(), Option::as_ref);
    let alternatives = choice.alternatives.as_ref().unwrap_or(&pattern.alternatives);
    let own = |name: &str| choice.facts.iter().any(|(own, _)| **own == *name);
    let facts = pattern.facts.iter().filter(|(name, _)| !own(name)).chain(&choice.facts);
    Saying {
        fix: fix.map(|fix| Template::build(builder, fix)),
        alternatives: alternatives.iter().map(|template| Template::build(builder, template)).collect(),
        edit: choice.edit.or(handling.edit),
        told: facts.filter_map(|(name, value)| told(builder, name, value)).collect(),
        wording: choice.wording.as_ref().map(|name| name.value.clone()),
    }
}

fn builder<'b, 's>(
    file: &'b VariantFile,
    context: &'b CompileContext<'b>,
    reader: &'b mut Reader<'s>,
) -> Builder<'b, 's> {
    Builder { listed: &file.glossaries, partial: file.partial, ..Builder::new(context, reader) }
}

/// Facts that every rule gives.
const OWN_FACTS: [&str; 5] = ["match", "count", "places", "replacement", "density"];

fn told(builder: &mut Builder<'_, '_>, name: &Located<String>, value: &Located<String>) -> Option<(String, Told)> {
    if OWN_FACTS.contains(&name.as_str()) {
        let message = format!("every rule gives `{}` already", **name);
        builder.reader.problem(name.at, message, "choose another name");
        return None;
    }
    let counted = value.trim().strip_prefix("count(").and_then(|rest| rest.strip_suffix(')'));
    let told = match counted {
        None => Told::Text(Template::build(builder, value)),
        Some(capture) => {
            let found = builder.names.iter().position(|n| *n == capture.trim());
            if found.is_none() {
                builder.unknown_capture(&Located { value: capture.trim().to_owned(), at: value.at });
            }
            Told::Count(found? as u32)
        }
    };
    Some((name.value.clone(), told))
}

fn rows(builder: &mut Builder<'_, '_>, file: &PhraseTable, at: At) -> Option<Source> {
    for row in &file.rows {
        if (builder.context.tokenize)(&row.phrase).is_empty() {
            builder.reader.problem(
                row.phrase.at,
                format!("`{}` has no words", *row.phrase),
                "write the phrase as it stands in texts",
            );
        }
        for tag in &row.pos {
            builder.upos(tag);
        }
    }
    let Some(table) = builder.context.table else {
        builder.reader.problem(
            at,
            "the phrase table has no number",
            "the loader numbers every `substitute` table of a language",
        );
        return None;
    };
    let mut conditions = Vec::with_capacity(file.rows.len());
    for row in &file.rows {
        match row.when.as_ref().map(|when| Condition::read(when, builder.context)).transpose() {
            Ok(made) => {
                builder.lists.extend(made.iter().flat_map(Condition::lists).cloned());
                conditions.push(made);
            }
            Err(problems) => builder.reader.problems.extend(problems),
        }
    }
    let rows = file
        .rows
        .iter()
        .zip(conditions)
        .map(|(row, when)| RowAdvice {
            when,
            by: row.by,
            advice: Advice {
                replacement: row.to.first().cloned(),
                alternatives: row.to.iter().skip(1).cloned().collect(),
                edit: row.edit.or(file.handling.edit).unwrap_or_default() == EditPolicy::Safe,
                withdrawn: false,
            },
        })
        .collect();
    Some(Source::Table { table, rows })
}

/// The rows of a `substitute` table, for the phrase index; empty for other forms.
pub fn phrase_rows(file: &VariantFile) -> Vec<PhraseRow> {
    file.rows()
        .iter()
        .map(|row| PhraseRow {
            phrase: row.phrase.value.clone(),
            by: row.by,
            pos: row.pos.iter().filter_map(|tag| tag.parse().ok()).collect(),
            allow: row.allow,
            active: true,
            when: None,
        })
        .collect()
}
