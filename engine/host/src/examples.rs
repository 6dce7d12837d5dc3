//! Examples are the tests: every marked place must be found, nothing else, and every fix must come out.
//!
//! Places are marked with `<…>`; `\<` is the sign itself. A bad example without marks must give a finding that has no
//! place, such as a missing section.

use std::collections::{BTreeSet, HashSet};
use std::fmt::{self, Write};

use glosa_metric::{Example, Kind, ParamValues, Plural, ValueExample, did_you_mean};
use glosa_report::{MeasurementValue, Recommendation, TrialOutcome, placeholders};
use glosa_text::{Document, Language, Layout, Span};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::{Snapshot, reading_files, row_examples};

/// An example that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleFailure {
    /// The metric.
    pub metric: String,
    /// The language.
    pub language: Language,
    /// The file of the example.
    pub file: String,
    /// Line of the example; 0 where it is not known.
    pub line: u64,
    /// What was expected and what came, for people.
    pub message: String,
}

impl fmt::Display for ExampleFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message),
            line => write!(f, "{}:{line}: {}", self.file, self.message),
        }
    }
}

/// A text and the places that its author marked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marked {
    pub(crate) text: String,
    pub(crate) spans: Vec<Span>,
}

pub(crate) fn parse(source: &str) -> Result<Marked, String> {
    let mut marked = Marked::default();
    let mut open = None;
    let mut at = 0;
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if matches!(chars.peek(), Some('<' | '>')) => {
                marked.text.extend(chars.next());
                at += 1;
            }
            '<' if open.is_some() => return Err("`<` inside a mark; write \\< for the sign itself".into()),
            '<' => open = Some(at),
            '>' => {
                let start = open.take().ok_or("`>` without `<`; write \\> for the sign itself")?;
                marked.spans.push(Span::new(start, at));
            }
            c => {
                marked.text.push(c);
                at += 1;
            }
        }
    }
    if open.is_some() { Err("a mark is not closed: `>` is missing".into()) } else { Ok(marked) }
}

/// Draws marks into a text; the same place is drawn once.
fn draw(text: &str, spans: &[Span]) -> String {
    let mut drawn = String::with_capacity(text.len() + 2 * spans.len());
    for (at, c) in text.chars().map(Some).chain([None]).enumerate() {
        let at = at as u32;
        drawn.extend(spans.iter().filter(|s| s.end == at && s.start < at).map(|_| '>'));
        drawn.extend(spans.iter().filter(|s| s.start == at).map(|_| '<'));
        drawn.extend(spans.iter().filter(|s| s.end == at && s.start == at).map(|_| '>'));
        drawn.extend(c);
    }
    drawn
}

fn places(recommendation: Option<&Recommendation>) -> Vec<Span> {
    let occurrences = recommendation.into_iter().flat_map(|r| &r.occurrences);
    let mut spans: Vec<Span> = occurrences
        .flat_map(|o| {
            let own = o.start.zip(o.end).map(|(start, end)| Span { start, end });
            own.into_iter().chain(o.spans.iter().map(|s| Span { start: s.start, end: s.end }))
        })
        .collect();
    spans.sort();
    spans.dedup();
    spans
}

struct Runner<'s> {
    snapshot: &'s Snapshot,
    metric: &'s str,
    language: Language,
    file: &'s str,
    failures: Vec<ExampleFailure>,
}

impl Runner<'_> {
    fn fail(&mut self, example: &Example, message: String) {
        self.failures.push(ExampleFailure {
            metric: self.metric.to_owned(),
            language: self.language,
            file: self.file.to_owned(),
            line: example.text.at.line.into(),
            message,
        });
    }

    fn outcome(&self, text: &str, params: &ParamValues, genre: Option<&str>) -> Result<TrialOutcome, String> {
        let place = match genre {
            None => None,
            Some(name) => Some(name.split_once('/').ok_or(format!("genre `{name}`: expected domain/text_type"))?),
        };
        let trial = self.snapshot.trial(self.metric, self.language, place);
        let mut trial =
            trial.ok_or_else(|| format!("genre `{}` does not exist in {}", genre.unwrap_or(""), self.language))?;
        let manifest = &self.snapshot.engine.registry.get(self.metric).ok_or("unknown metric")?.manifest;
        for (key, value) in params {
            let spec =
                manifest.params.get(key).ok_or_else(|| format!("threshold `{key}` is not declared in metric.yaml"))?;
            trial.params.insert(key.clone(), spec.accept(value).map_err(|wrong| format!("{key}: {wrong}"))?);
        }
        trial.run(&self.snapshot.engine, text).map_err(|error| error.to_string())
    }

    fn tried(&self, example: &Example) -> Result<(Marked, TrialOutcome), String> {
        let marked = parse(&example.text.value)?;
        let outcome = self.outcome(&marked.text, &example.params, example.genre.as_deref())?;
        Ok((marked, outcome))
    }

    /// Whether a bad example holds: the values that the wording may show of it; the message says why not.
    fn bad(&self, example: &Example) -> Result<Vec<String>, String> {
        let (marked, outcome) = self.tried(example)?;
        let found = places(outcome.recommendation.as_ref());
        let mut wanted = marked.spans.clone();
        wanted.sort();
        if found != wanted {
            return Err(format!(
                "expected: {}\n  found:    {}",
                draw(&marked.text, &wanted),
                draw(&marked.text, &found)
            ));
        }
        if wanted.is_empty() && outcome.recommendation.is_none() {
            return Err(format!("nothing was found in: {}", marked.text));
        }
        if let Some(fix) = example.fix.as_deref().filter(|fix| *fix != outcome.edited) {
            return Err(format!("in:        {}\n  fix:      {fix}\n  came out: {}", marked.text, outcome.edited));
        }
        if let Some(name) = outcome.unknown_facts.first() {
            return Err(format!("the wording shows {{{name}}}, but the rule gives no such value"));
        }
        Ok(outcome.known_facts)
    }

    /// The wordings that no example renders, such as that of several places, show values that the rule gives.
    fn wordings(&mut self, known: &BTreeSet<String>) {
        let Some(entry) = self.snapshot.engine.registry.get(self.metric) else { return };
        let Some((shown, docs)) = entry.docs(self.language) else { return };
        let Some(report) = &docs.report else { return };
        let mut texts = wording_texts("", Some(&report.summary), report.explanation.as_ref(), &report.guidance);
        for (name, other) in &report.wordings {
            let guidance = other.guidance.as_deref().unwrap_or_default();
            let before = format!("wordings.{name}.");
            texts.extend(wording_texts(&before, other.summary.as_ref(), other.explanation.as_ref(), guidance));
        }
        let dir = self.file.rsplit_once('/').map_or("", |(dir, _)| dir);
        for (key, text) in texts {
            for name in placeholders(&text).into_iter().filter(|name| !known.contains(*name)) {
                let all = known.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(", ");
                let near = did_you_mean(name, known.iter().map(String::as_str));
                let near = near.map_or_else(String::new, |near| format!("; did you mean {{{near}}}?"));
                self.failures.push(ExampleFailure {
                    metric: self.metric.to_owned(),
                    language: self.language,
                    file: format!("{dir}/docs/{shown}.yaml"),
                    line: 0,
                    message: format!(
                        "`{key}` shows {{{name}}}, but no example gives such a value{near} The examples give {all}"
                    ),
                });
            }
        }
    }

    fn good(&self, example: &Example) -> Result<(), String> {
        let (marked, outcome) = self.tried(example)?;
        if !marked.spans.is_empty() {
            return Err("a good example has no marks; write \\< for the sign itself".into());
        }
        match outcome.recommendation {
            None => Ok(()),
            found => Err(format!("must stay unmarked, found: {}", draw(&marked.text, &places(found.as_ref())))),
        }
    }

    fn value(&self, example: &ValueExample) -> Result<(), String> {
        let (text, wanted) = (&example.text.value, example.value);
        let outcome = self.outcome(text, &ParamValues::new(), example.genre.as_deref())?;
        let found = outcome.measurement.map(|m| match m.value {
            MeasurementValue::Integer(n) => n as f64,
            MeasurementValue::Number(x) => x,
        });
        let same = match (found, wanted) {
            (Some(a), Some(b)) => (a - b).abs() < 0.005_000_1,
            (None, None) => true,
            _ => false,
        };
        let show = |v: Option<f64>| v.map_or("left out".to_owned(), |v| v.to_string());
        if same { Ok(()) } else { Err(format!("expected {}, found {} in: {text}", show(wanted), show(found))) }
    }
}

/// The texts of a wording, each with its key.
fn wording_texts(
    before: &str,
    summary: Option<&Plural>,
    explanation: Option<&String>,
    guidance: &[String],
) -> Vec<(String, String)> {
    let summaries = match summary {
        Some(Plural::Same(text)) => vec![("summary", text)],
        Some(Plural::Each { one, other }) => vec![("summary.one", one), ("summary.other", other)],
        None => Vec::new(),
    };
    let more = explanation.into_iter().map(|text| ("explanation", text));
    let all = summaries.into_iter().chain(more).chain(guidance.iter().map(|text| ("guidance", text)));
    all.map(|(key, text)| (format!("{before}{key}"), text.clone())).collect()
}

/// Runs the examples of one metric, or of all, and lists those that do not hold. Known gaps (`todo_…`) are listed when
/// they start to hold, so that they are moved to where they belong. Variants that do not run are left out.
pub fn check_examples(snapshot: &Snapshot, metric: Option<&str>) -> Vec<ExampleFailure> {
    let mut failures = Vec::new();
    if metric.is_none() {
        check_readings(snapshot, &mut failures);
        row_examples::check(snapshot, &mut failures);
    }
    for ((id, language), source) in snapshot.sources() {
        if metric.is_some_and(|m| m != id) || !runs(snapshot, id, *language) {
            continue;
        }
        let mut runner = Runner { snapshot, metric: id, language: *language, file: &source.file, failures: Vec::new() };
        let examples = &source.examples;
        let mut known = BTreeSet::new();
        for example in &examples.bad {
            match runner.bad(example) {
                Ok(facts) => known.extend(facts),
                Err(message) => runner.fail(example, message),
            }
        }
        if !known.is_empty() && runner.failures.is_empty() {
            runner.wordings(&known);
        }
        for example in &examples.good {
            if let Err(message) = runner.good(example) {
                runner.fail(example, message);
            }
        }
        for example in &examples.todo_bad {
            if runner.bad(example).is_ok() {
                runner.fail(example, format!("this gap is closed; move it to `bad`: {}", *example.text));
            }
        }
        for example in &examples.todo_good {
            if runner.good(example).is_ok() {
                runner.fail(example, format!("this gap is closed; move it to `good`: {}", *example.text));
            }
        }
        for example in &examples.values {
            if let Err(message) = runner.value(example) {
                let example = Example { text: example.text.clone(), ..Example::default() };
                runner.fail(&example, message);
            }
        }
        failures.append(&mut runner.failures);
    }
    failures
}

/// Corrections of the tagger hold: what an example marks is read as they say, and would not be without them; what must
/// stay unmarked is read as before.
fn check_readings(snapshot: &Snapshot, failures: &mut Vec<ExampleFailure>) {
    let engine = &snapshot.engine;
    let headings = HashSet::new();
    for (language, readings) in &engine.readings {
        let mut fail = |line: u32, message: String| {
            let file = reading_files::file(*language);
            failures.push(ExampleFailure {
                metric: "readings".into(),
                language: *language,
                file,
                line: line.into(),
                message,
            });
        };
        let read = |document: &Document, token: usize| {
            let token = &document.tokens()[token];
            (token.pos, document.string(token.lemma).to_owned(), document.string(token.feats).to_owned())
        };
        for reading in readings.all() {
            let all = reading.examples.bad.iter().map(|e| (e, true));
            for (example, applies) in all.chain(reading.examples.good.iter().map(|e| (e, false))) {
                let line = example.text.at.line;
                let marked = match parse(&example.text.value) {
                    Ok(marked) if marked.spans.is_empty() != applies => marked,
                    Ok(_) => {
                        fail(line, "mark the form between < and > in `bad`, and nothing in `good`".into());
                        continue;
                    }
                    Err(message) => {
                        fail(line, message);
                        continue;
                    }
                };
                let now = engine.analyse(*language, &marked.text, &headings);
                let before = engine.runtime.analyse(*language, &marked.text, Layout::new(&marked.text, &headings));
                let changed: Vec<usize> =
                    (0..now.tokens().len()).filter(|t| read(&now, *t) != read(&before, *t)).collect();
                let wanted: Vec<usize> =
                    (0..now.tokens().len()).filter(|t| marked.spans.contains(&now.tokens()[*t].span)).collect();
                if changed != wanted {
                    let shown = |tokens: &[usize]| {
                        let words = tokens.iter().map(|t| now.string(now.tokens()[*t].form).to_owned());
                        words.collect::<Vec<_>>().join(", ")
                    };
                    let said = if changed.is_empty() { "nothing".to_owned() } else { shown(&changed) };
                    fail(
                        line,
                        format!(
                            "reads anew: {said}; expected: {}; what the tagger reads so by itself needs no correction: {}",
                            if wanted.is_empty() { "nothing".to_owned() } else { shown(&wanted) },
                            marked.text
                        ),
                    );
                }
            }
        }
    }
}

fn runs(snapshot: &Snapshot, id: &str, language: Language) -> bool {
    snapshot.engine.registry.get(id).and_then(|e| e.variant(language)).is_some_and(|v| v.active())
}

/// What a variant says of its examples, as a text that a linguist reviews; `None` where there is nothing to show.
pub fn picture(snapshot: &Snapshot, id: &str, language: Language) -> Option<String> {
    let source = snapshot.sources().get(&(id.to_owned(), language))?;
    if !runs(snapshot, id, language) {
        return None;
    }
    let runner = Runner { snapshot, metric: id, language, file: &source.file, failures: Vec::new() };
    let mut drawn = String::new();
    for example in source.examples.bad.iter().chain(&source.examples.good) {
        match runner.tried(example) {
            Ok((marked, outcome)) => show(&marked.text, &outcome, &mut drawn),
            Err(message) => drop(writeln!(drawn, "{}\n  {message}\n", *example.text)),
        }
    }
    for example in &source.examples.values {
        if let Ok(outcome) = runner.outcome(&example.text, &ParamValues::new(), example.genre.as_deref()) {
            let value = outcome.measurement.map(|m| serde_json::to_string(&m.value).unwrap_or_default());
            let _ = writeln!(
                drawn,
                "{}\n  = {}\n",
                example.text.value.trim_end(),
                value.unwrap_or_else(|| "left out".into())
            );
        }
    }
    (!drawn.is_empty()).then_some(drawn)
}

fn show(text: &str, outcome: &TrialOutcome, out: &mut String) {
    let spans = places(outcome.recommendation.as_ref());
    let mut start = 0u32;
    for line in text.split('\n') {
        let end = start + line.chars().count() as u32;
        let _ = writeln!(out, "{}", line.trim_end());
        let mut carets = String::new();
        let mut at = start;
        for cluster in line.graphemes(true) {
            let marked = spans.iter().any(|s| s.start <= at && at < s.end);
            carets.push_str(&(if marked { "^" } else { " " }).repeat(cluster.width()));
            at += cluster.chars().count() as u32;
        }
        if carets.contains('^') {
            let _ = writeln!(out, "{}", carets.trim_end());
        }
        start = end + 1;
    }
    if let Some(r) = &outcome.recommendation {
        let _ = writeln!(out, "  {}", r.summary);
        for o in &r.occurrences {
            if o.start.is_none() {
                let _ = writeln!(out, "  – {}", o.text);
            }
            if let Some(replacement) = &o.replacement {
                let or = o.alternatives.iter().map(|a| format!(" | {a}")).collect::<String>();
                let _ = writeln!(out, "  «{}» → «{replacement}»{or}", o.text);
            } else if !o.alternatives.is_empty() {
                let _ = writeln!(out, "  «{}»: {}", o.text, o.alternatives.join(" | "));
            }
            for c in &o.connectors {
                let _ = writeln!(out, "  split at «{}» ({}): {}", c.text, c.relation, c.alternatives.join(" | "));
            }
        }
        if outcome.edited != text {
            let _ = writeln!(out, "  = {}", outcome.edited.trim_end().replace('\n', "\n    "));
        }
    } else {
        let _ = writeln!(out, "  (nothing)");
    }
    out.push('\n');
}

/// One true output of a variant, for the catalogue: that of its first example.
pub(crate) fn output(snapshot: &Snapshot, id: &str, language: Language) -> Option<serde_json::Value> {
    let source = snapshot.sources().get(&(id.to_owned(), language)).filter(|_| runs(snapshot, id, language))?;
    let runner = Runner { snapshot, metric: id, language, file: &source.file, failures: Vec::new() };
    if snapshot.engine.registry.get(id)?.manifest.kind == Kind::Measurement {
        let tried = source.examples.values.iter().filter(|e| e.value.is_some());
        let mut outcomes =
            tried.filter_map(|e| runner.outcome(&e.text, &ParamValues::new(), e.genre.as_deref()).ok()?.measurement);
        serde_json::to_value(outcomes.next()?).ok()
    } else {
        let mut outcomes = source.examples.bad.iter().filter_map(|e| runner.tried(e).ok()?.1.recommendation);
        serde_json::to_value(outcomes.next()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_places() {
        let marked = parse("Con <el fin de> é \\<b\\> <x>.").unwrap();
        assert_eq!(marked.text, "Con el fin de é <b> x.");
        assert_eq!(marked.spans, [Span::new(4, 13), Span::new(20, 21)]);
        assert_eq!(draw("abc", &[Span::new(1, 2)]), "a<b>c");
        assert!(parse("a <b").is_err());
        assert!(parse("a> b").is_err());
    }
}
