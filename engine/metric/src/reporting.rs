//! From hits to findings: what the keys beside `match`, `substitute` and `script` say of them.
//!
//! A hit gets values for the wording and a replacement; gates let it through or not; hits of one unit, sentence or text
//! become one occurrence. All of it holds for what a pattern found and for what a script reported.

use std::collections::BTreeMap;
use std::sync::Arc;

use glosa_text::{Document, Span, normal_form};

use crate::advice::{Advice, RowAdvice};
use crate::gate::{Gate, Passer};
use crate::pattern::{Match, Query, Template};
use crate::phrases::Hit;
use crate::{EditPolicy, Fact, Finding, GlossaryEntry, Input, MetricError, Sink, SpansMode};

/// What a variant says of its hits.
#[derive(Clone, Debug, Default)]
pub struct Reporting {
    /// By the number of the alternative of `match`, [`Match::choice`].
    pub(crate) sayings: Vec<Saying>,
    /// Any of these groups lets a hit through, if all its gates do.
    pub(crate) gates: Vec<Vec<Gate>>,
    pub(crate) spans: Option<SpansMode>,
    /// The capture that makes the unit of a hit.
    pub(crate) unit: Option<u32>,
}

/// What is said of the hits of one alternative.
#[derive(Clone, Debug, Default)]
pub(crate) struct Saying {
    pub(crate) fix: Option<Template>,
    pub(crate) alternatives: Vec<Template>,
    pub(crate) edit: Option<EditPolicy>,
    /// Further values for the wording.
    pub(crate) told: Vec<(String, Told)>,
    pub(crate) wording: Option<String>,
}

/// A value for the wording.
#[derive(Clone, Debug)]
pub(crate) enum Told {
    /// How often a named step stands in the match.
    Count(u32),
    /// A text.
    Text(Template),
}

/// A finding on its way.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What is reported.
    pub finding: Finding,
    /// The match that it reports.
    pub hit: Option<Arc<Match>>,
    /// What it has in common with others, where its rule says so itself.
    pub unit: Option<String>,
}

static SILENT: Saying = Saying { fix: None, alternatives: Vec::new(), edit: None, told: Vec::new(), wording: None };

impl Reporting {
    fn saying(&self, hit: &Match) -> &Saying {
        self.sayings.get(hit.choice as usize).unwrap_or(&SILENT)
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.gates.is_empty()
            && self.spans.is_none()
            && self.sayings.iter().all(|saying| {
                saying.fix.is_none()
                    && saying.alternatives.is_empty()
                    && saying.edit.is_none()
                    && saying.told.is_empty()
                    && saying.wording.is_none()
            })
    }

    /// Says of what a script reported what the variant says, lets through what the gates let through, and puts places of
    /// one occurrence together.
    ///
    /// # Errors
    /// A threshold that is not declared.
    pub fn finish(
        &self,
        query: Option<&Query>,
        mut found: Vec<Candidate>,
        input: &Input,
        out: &mut Sink,
    ) -> Result<(), MetricError> {
        for Candidate { finding, hit, .. } in &mut found {
            let saying = match hit {
                Some(hit) => self.saying(hit),
                None => self.sayings.first().unwrap_or(&SILENT),
            };
            if let (Some(hit), Some(query)) = (&*hit, query) {
                self.complete(finding, hit, query, input);
            }
            if saying.edit == Some(EditPolicy::None) {
                finding.edits.clear();
            }
        }
        self.emit(query, found, input, out)
    }

    /// What a pattern knows of a match, where its script says nothing else.
    fn complete(&self, finding: &mut Finding, hit: &Match, query: &Query, input: &Input) {
        let saying = self.saying(hit);
        let mut own = Finding::at(hit.span(&input.document));
        self.facts(&mut own, hit, query, input);
        let silent = finding.replacement.is_none() && finding.alternatives.is_empty() && finding.edits.is_empty();
        if silent && finding.place == own.place && (saying.fix.is_some() || !saying.alternatives.is_empty()) {
            self.advice(hit, query, input).give(finding, hit.span(&input.document), input);
        }
        for (name, fact) in own.facts {
            finding.facts.entry(name).or_insert(fact);
        }
        finding.wording = finding.wording.take().or(own.wording);
    }

    /// Lets candidates through and puts them together.
    pub(crate) fn emit(
        &self,
        query: Option<&Query>,
        found: Vec<Candidate>,
        input: &Input,
        out: &mut Sink,
    ) -> Result<(), MetricError> {
        let document = &*input.document;
        let found = self.gated(query, found, input, out)?;
        let mut units: BTreeMap<String, usize> = BTreeMap::new();
        for candidate in found {
            let unit = self.spans.map(|mode| self.together(mode, query, &candidate, document));
            // Forms of one word have replacements of their own, and one occurrence shows one.
            let shown = candidate.finding.replacement.as_deref().map(normal_form).unwrap_or_default();
            let unit = unit.map(|unit| format!("{unit}\n{shown}"));
            let mut finding = candidate.finding;
            if let Some(replacement) = &finding.replacement {
                finding.facts.entry("replacement".to_owned()).or_insert_with(|| Fact::Text(replacement.clone()));
            }
            if let Some(unit) = unit {
                if let Some(first) = units.get(&unit) {
                    let first: &mut Finding = &mut out.findings[*first];
                    first.also.extend(finding.span());
                    first.also.append(&mut finding.also);
                    first.edits.append(&mut finding.edits);
                    let count = first.also.len() as i64 + 1;
                    first.facts.insert("places".to_owned(), Fact::Integer(count));
                    continue;
                }
                finding.facts.insert("places".to_owned(), Fact::Integer(finding.also.len() as i64 + 1));
                units.insert(unit, out.findings.len());
            }
            out.find(finding);
        }
        Ok(())
    }

    fn gated(
        &self,
        query: Option<&Query>,
        found: Vec<Candidate>,
        input: &Input,
        out: &mut Sink,
    ) -> Result<Vec<Candidate>, MetricError> {
        if self.gates.is_empty() {
            return Ok(found);
        }
        let document = &*input.document;
        let by_unit = self.gates.iter().flatten().any(Gate::by_unit);
        let passers: Vec<Passer> = found
            .iter()
            .map(|candidate| Passer {
                sentence: sentence_of(candidate, document),
                unit: if by_unit { self.unit(query, candidate, document) } else { String::new() },
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
    fn together(&self, mode: SpansMode, query: Option<&Query>, candidate: &Candidate, document: &Document) -> String {
        let sentence = sentence_of(candidate, document);
        let block = |sentence: u32| document.sentences().get(sentence as usize).map(|s| s.block.to_string());
        match mode {
            SpansMode::Collect => self.unit(query, candidate, document),
            SpansMode::Sentence => sentence.map(|sentence| sentence.to_string()).unwrap_or_default(),
            SpansMode::Paragraph => sentence.and_then(block).unwrap_or_default(),
            SpansMode::Text => String::new(),
        }
    }

    /// What hits of one unit have in common: what their rule says, the row of their term, else the lemmas of the words.
    fn unit(&self, query: Option<&Query>, candidate: &Candidate, document: &Document) -> String {
        if let Some(unit) = &candidate.unit {
            return unit.clone();
        }
        let lemmas = |range: &std::ops::Range<u32>| {
            let tokens = &document.tokens()[range.start as usize..range.end as usize];
            tokens.iter().map(|t| document.string(t.lemma)).collect::<Vec<_>>().join(" ")
        };
        let Some(hit) = &candidate.hit else {
            return lemmas(&candidate.finding.span().map_or(0..0, |span| tokens_in(document, span)));
        };
        let named = self.unit.and_then(|unit| hit.capture(unit as usize));
        let term = match named {
            Some(capture) => capture.row,
            None => {
                let names = query.map_or(0, |query| query.names().len());
                let captures = (0..names).filter_map(|n| hit.capture(n));
                captures.filter(|capture| capture.tokens == hit.marked).find_map(|capture| capture.row)
            }
        };
        if let Some((glossary, row)) = term {
            return format!("row {glossary} {row}");
        }
        lemmas(named.map_or(&hit.marked, |capture| &capture.tokens))
    }

    pub(crate) fn advice(&self, hit: &Match, query: &Query, input: &Input) -> Advice {
        let saying = self.saying(hit);
        let allowed = saying.edit != Some(EditPolicy::None);
        if saying.fix.is_none() && saying.alternatives.is_empty() {
            let Some((phrase, entry)) = term(hit, query, input) else {
                return Advice::default();
            };
            let mut advice = RowAdvice::of(entry).at(&phrase, input);
            advice.edit &= allowed;
            return advice;
        }
        let fill = |template: &Template| template.fill(query, hit, input);
        Advice {
            replacement: saying.fix.as_ref().and_then(fill),
            alternatives: saying.alternatives.iter().filter_map(fill).collect(),
            edit: allowed,
            withdrawn: false,
        }
    }

    pub(crate) fn facts(&self, finding: &mut Finding, hit: &Match, query: &Query, input: &Input) {
        let document = &*input.document;
        let saying = self.saying(hit);
        finding.wording.clone_from(&saying.wording);
        let mut fact = |name: &str, text: &str| {
            if !text.is_empty() {
                finding.facts.insert(name.to_owned(), Fact::Text(text.to_owned()));
            }
        };
        fact("match", document.slice(hit.span(document)));
        for (number, name) in query.names().iter().enumerate() {
            let Some(capture) = hit.capture(number) else {
                continue;
            };
            let tokens = capture.tokens.start as usize..capture.tokens.end as usize;
            fact(name, document.slice(document.span_of_tokens(tokens)));
            if let Some(entry) = capture.entry(query, input) {
                for (column, value) in &entry.data {
                    fact(column, value);
                }
                fact("note", entry.note.as_deref().unwrap_or_default());
                fact("term", &entry.term);
            }
        }
        for (name, told) in &saying.told {
            let value = match told {
                Told::Count(capture) => {
                    Some(Fact::Integer(hit.capture(*capture as usize).map_or(0, |found| found.count.into())))
                }
                Told::Text(template) => template.text(query, hit, input).map(Fact::Text),
            };
            if let Some(value) = value {
                finding.facts.insert(name.clone(), value);
            }
        }
    }
}

/// The glossary term that is marked as a whole, with its row.
fn term<'i>(hit: &Match, query: &Query, input: &'i Input) -> Option<(Hit, &'i GlossaryEntry)> {
    let captures = (0..query.names().len()).filter_map(|n| hit.capture(n));
    let (capture, (glossary, _)) =
        captures.filter(|capture| capture.tokens == hit.marked).find_map(|capture| Some((capture, capture.row?)))?;
    let key = query.glossaries().get(glossary as usize)?;
    let glossary = input.glossaries.get(key)?;
    let phrase = input.hits.starting_at(glossary.table, capture.tokens.start)?;
    let entry = glossary.entries.get(phrase.row as usize)?;
    Some((phrase.clone(), entry))
}

/// The tokens that a span touches.
fn tokens_in(document: &Document, span: Span) -> std::ops::Range<u32> {
    let tokens = document.tokens();
    let start = tokens.partition_point(|token| token.span.end <= span.start);
    let end = tokens.partition_point(|token| token.span.start < span.end);
    start as u32..end.max(start) as u32
}

/// The sentence in which a finding starts; none where it has no place.
fn sentence_of(candidate: &Candidate, document: &Document) -> Option<u32> {
    let token = match &candidate.hit {
        Some(hit) => hit.marked.start,
        None => tokens_in(document, candidate.finding.span()?).start,
    };
    Some(document.tokens().get(token as usize)?.sentence)
}
