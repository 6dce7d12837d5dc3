//! The metric that runs a phrase table or a token pattern.

use std::collections::BTreeMap;

use glosa_text::Document;

use crate::advice::{Advice, RowAdvice};
use crate::gate::{Gate, Passer};
use crate::pattern::{Match, Query, Template};
use crate::phrases::Hit;
use crate::{EditPolicy, Fact, Finding, GlossaryEntry, Input, Metric, MetricError, Sink, SpansMode};

/// Where hits come from.
pub(crate) enum Source {
    /// A phrase table: its number and what its rows advise.
    Table { table: u32, rows: Vec<RowAdvice> },
    /// The pattern of the query.
    Pattern,
}

/// A rule made of data.
pub(crate) struct PatternRule {
    pub(crate) query: Query,
    pub(crate) source: Source,
    pub(crate) fix: Option<Template>,
    pub(crate) alternatives: Vec<Template>,
    pub(crate) edit: Option<EditPolicy>,
    /// Any of these groups lets a hit through, if all its gates do.
    pub(crate) gates: Vec<Vec<Gate>>,
    /// Further values for the wording.
    pub(crate) told: Vec<(String, Told)>,
    pub(crate) spans: Option<SpansMode>,
    /// The capture that makes the unit of a hit.
    pub(crate) unit: Option<u32>,
}

/// A value for the wording.
pub(crate) enum Told {
    /// How often a named step stands in the match.
    Count(u32),
    /// A text.
    Text(Template),
}

struct Found {
    hit: Match,
    /// The phrase and its row, where the source is a table.
    row: Option<Hit>,
}

impl Metric for PatternRule {
    fn run(&self, input: &Input, out: &mut Sink) -> Result<(), MetricError> {
        let found = self.gated(self.find(input)?, input, out)?;
        let document = &*input.document;
        let mut units: BTreeMap<String, usize> = BTreeMap::new();
        for Found { hit, row } in &found {
            let span = hit.span(document);
            let mut finding = Finding::at(span);
            self.facts(&mut finding, hit, input);
            self.advice(hit, row.as_ref(), input).give(&mut finding, span, input);
            if let Some(replacement) = &finding.replacement {
                finding.facts.insert("replacement".to_owned(), Fact::Text(replacement.clone()));
            }
            if let Some(mode) = self.spans {
                let unit = self.together(mode, hit, row.as_ref(), document);
                if let Some(first) = units.get(&unit) {
                    let first: &mut Finding = &mut out.findings[*first];
                    first.also.push(span);
                    first.edits.append(&mut finding.edits);
                    let count = first.also.len() as i64 + 1;
                    first.facts.insert("places".to_owned(), Fact::Integer(count));
                    continue;
                }
                finding.facts.insert("places".to_owned(), Fact::Integer(1));
                units.insert(unit, out.findings.len());
            }
            out.find(finding);
        }
        Ok(())
    }
}

impl PatternRule {
    fn find(&self, input: &Input) -> Result<Vec<Found>, MetricError> {
        match &self.source {
            Source::Pattern => {
                let hits = self.query.find(input)?;
                Ok(hits.into_iter().map(|hit| Found { hit, row: None }).collect())
            }
            Source::Table { table, .. } => {
                let phrases = input.hits.of(*table);
                let places = phrases.iter().map(|hit| hit.tokens.clone());
                let kept = self.query.without_exceptions(places, input)?;
                Ok(phrases
                    .iter()
                    .zip(kept)
                    .filter_map(|(phrase, hit)| Some(Found { hit: hit?, row: Some(phrase.clone()) }))
                    .collect())
            }
        }
    }

    fn gated(&self, found: Vec<Found>, input: &Input, out: &mut Sink) -> Result<Vec<Found>, MetricError> {
        if self.gates.is_empty() {
            return Ok(found);
        }
        let document = &*input.document;
        let by_unit = self.gates.iter().flatten().any(Gate::by_unit);
        let passers: Vec<Passer> = found
            .iter()
            .map(|Found { hit, row }| Passer {
                token: hit.marked.start,
                unit: if by_unit { self.unit(hit, row.as_ref(), document) } else { String::new() },
            })
            .collect();
        let mut open = vec![false; found.len()];
        for group in &self.gates {
            let mut all = vec![true; found.len()];
            let opened = input.trial && group.iter().any(Gate::is_density);
            for gate in group {
                if let Some(density) = gate.density(found.len(), document) {
                    out.facts.insert("density".to_owned(), Fact::Number(density));
                }
                let through = gate.open(&passers, document, &input.params, input.trial, opened)?;
                all.iter_mut().zip(through).for_each(|(a, t)| *a &= t);
            }
            open.iter_mut().zip(all).for_each(|(o, a)| *o |= a);
        }
        let mut open = open.into_iter();
        Ok(found.into_iter().filter(|_| open.next().unwrap_or_default()).collect())
    }

    /// What hits of one occurrence have in common.
    fn together(&self, mode: SpansMode, hit: &Match, row: Option<&Hit>, document: &Document) -> String {
        let sentence = document.tokens()[hit.marked.start as usize].sentence;
        match mode {
            SpansMode::Collect => self.unit(hit, row, document),
            SpansMode::Sentence => sentence.to_string(),
            SpansMode::Paragraph => document.sentences()[sentence as usize].block.to_string(),
            SpansMode::Text => String::new(),
        }
    }

    fn advice(&self, hit: &Match, row: Option<&Hit>, input: &Input) -> Advice {
        let allowed = self.edit != Some(EditPolicy::None);
        if let (Source::Table { rows, .. }, Some(phrase)) = (&self.source, row) {
            return rows.get(phrase.row as usize).map(|row| row.at(phrase, input)).unwrap_or_default();
        }
        if self.fix.is_none() && self.alternatives.is_empty() {
            let Some((phrase, entry)) = self.term(hit, input) else {
                return Advice::default();
            };
            let mut advice = RowAdvice::of(entry).at(&phrase, input);
            advice.edit &= allowed;
            return advice;
        }
        let fill = |template: &Template| template.fill(&self.query, hit, input);
        Advice {
            replacement: self.fix.as_ref().and_then(fill),
            alternatives: self.alternatives.iter().filter_map(fill).collect(),
            edit: allowed,
        }
    }

    /// The glossary term that is marked as a whole, with its row.
    fn term<'i>(&self, hit: &Match, input: &'i Input) -> Option<(Hit, &'i GlossaryEntry)> {
        let captures = (0..self.query.names().len()).filter_map(|n| hit.capture(n));
        let (capture, (glossary, _)) = captures
            .filter(|capture| capture.tokens == hit.marked)
            .find_map(|capture| Some((capture, capture.row?)))?;
        let key = self.query.glossaries().get(glossary as usize)?;
        let glossary = input.glossaries.get(key)?;
        let phrase = input.hits.starting_at(glossary.table, capture.tokens.start)?;
        let entry = glossary.entries.get(phrase.row as usize)?;
        Some((phrase.clone(), entry))
    }

    fn facts(&self, finding: &mut Finding, hit: &Match, input: &Input) {
        let document = &*input.document;
        let mut fact = |name: &str, text: &str| {
            if !text.is_empty() {
                finding.facts.insert(name.to_owned(), Fact::Text(text.to_owned()));
            }
        };
        fact("match", document.slice(hit.span(document)));
        for (number, name) in self.query.names().iter().enumerate() {
            let Some(capture) = hit.capture(number) else {
                continue;
            };
            let tokens = capture.tokens.start as usize..capture.tokens.end as usize;
            fact(name, document.slice(document.span_of_tokens(tokens)));
            if let Some(entry) = capture.entry(&self.query, input) {
                for (column, value) in &entry.data {
                    fact(column, value);
                }
                fact("note", entry.note.as_deref().unwrap_or_default());
                fact("term", &entry.term);
            }
        }
        for (name, told) in &self.told {
            let value = match told {
                Told::Count(capture) => {
                    Some(Fact::Integer(hit.capture(*capture as usize).map_or(0, |found| found.count.into())))
                }
                Told::Text(template) => template.text(&self.query, hit, input).map(Fact::Text),
            };
            if let Some(value) = value {
                finding.facts.insert(name.clone(), value);
            }
        }
    }

    /// What hits of one unit have in common: the row of their term, else the lemmas of the marked words.
    fn unit(&self, hit: &Match, row: Option<&Hit>, document: &Document) -> String {
        if let Some(row) = row {
            return format!("row {}", row.row);
        }
        let named = self.unit.and_then(|unit| hit.capture(unit as usize));
        let term = match named {
            Some(capture) => capture.row,
            None => {
                let captures = (0..self.query.names().len()).filter_map(|n| hit.capture(n));
                captures.filter(|capture| capture.tokens == hit.marked).find_map(|capture| capture.row)
            }
        };
        if let Some((glossary, row)) = term {
            return format!("row {glossary} {row}");
        }
        let range = named.map_or(&hit.marked, |capture| &capture.tokens);
        let tokens = &document.tokens()[range.start as usize..range.end as usize];
        let lemmas: Vec<_> = tokens.iter().map(|t| document.string(t.lemma)).collect();
        lemmas.join(" ")
    }
}
