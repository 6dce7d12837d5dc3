//! A compiled pattern with its exceptions: what it finds in a document.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use glosa_text::{Document, Span};
use rustc_hash::FxHashMap;

use super::anchor::starts;
use super::build::{Builder, Built};
use super::program::{NONE, Program, Scratch};
use super::test::Scene;
use crate::variant_file::Mark as MarkFile;
use crate::yaml_reader::Located;
use crate::{Capability, GlossaryEntry, Input, MetricError, ParamValue, Pattern, Within};

/// What a pattern found at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// Tokens of the whole match.
    pub tokens: Range<u32>,
    /// Tokens that are reported.
    pub marked: Range<u32>,
    /// Number of the alternative of `match`.
    pub choice: u32,
    captures: Vec<Option<Capture>>,
}

/// What a named step covered.
#[derive(Clone, Debug, PartialEq)]
pub struct Capture {
    /// Its tokens, at least one.
    pub tokens: Range<u32>,
    /// The glossary (number in [`Query::glossaries`]) and row, where the step is a term.
    pub row: Option<(u32, u32)>,
    /// How often the step stands in the match: its repetitions.
    pub count: u32,
    /// How many syntactic words of its last token the term leaves over; see [`crate::phrases::Hit::rest`].
    pub rest: u32,
}

/// The part of a match that is reported.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Mark {
    #[default]
    Whole,
    /// The sentence in which the match starts.
    Sentence,
    One(u32),
    FromTo(u32, u32),
}

/// A pattern that is ready to run on any document of its language.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Sequences with the number of their alternative.
    sequences: Vec<(Built, u32)>,
    /// Exceptions; of one alternative, or of all.
    unless: Vec<(Built, Option<u32>)>,
    names: Vec<String>,
    terms: Vec<Vec<u32>>,
    params: Vec<String>,
    glossaries: Vec<String>,
    /// What is reported, by alternative.
    marks: Vec<Mark>,
    within: Within,
}

impl Query {
    /// Compiles a pattern: its alternatives, exceptions and marks; problems go to the builder's reader.
    pub(crate) fn build(builder: &mut Builder<'_, '_>, pattern: &Pattern) -> Query {
        let choices = &pattern.choices;
        let mut sequences = Vec::new();
        for (choice, number) in choices.iter().zip(0u32..) {
            sequences.extend(choice.sequences.iter().map(|s| (builder.sequence(s), number)));
        }
        let names = builder.names.clone();
        let mut unless: Vec<_> = pattern.unless.iter().map(|s| (builder.sequence(s), None)).collect();
        for (choice, number) in choices.iter().zip(0u32..) {
            unless.extend(choice.unless.iter().map(|s| (builder.sequence(s), Some(number))));
        }
        builder.names.truncate(names.len());
        builder.terms.truncate(names.len());
        if pattern.within == Within::Clause {
            builder.needs.push(Capability::Dependency);
        }
        let marks = choices.iter().map(|choice| mark(builder, choice.mark.as_ref().unwrap_or(&pattern.mark))).collect();
        Query {
            sequences,
            unless,
            terms: builder.terms.clone(),
            params: builder.params.clone(),
            glossaries: builder.glossaries.clone(),
            names,
            marks,
            within: pattern.within,
        }
    }

    /// Names of the captures, in the order of their numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Keys of the glossaries that the pattern reads.
    pub fn glossaries(&self) -> &[String] {
        &self.glossaries
    }

    /// All matches in reading order; they do not overlap.
    ///
    /// # Errors
    /// A threshold that is not declared, or a sentence with too many ways to match.
    pub fn find(&self, input: &Input) -> Result<Vec<Match>, MetricError> {
        let document = &*input.document;
        let scene = self.scene(input)?;
        let mut scratch = Scratch::default();
        let mut found: Vec<(Match, usize)> = Vec::new();
        for (number, (built, choice)) in self.sequences.iter().enumerate() {
            if input.budget.exhausted() {
                return Err(MetricError::Budget("out of time".to_owned()));
            }
            self.search(built, &scene, document, None, &mut scratch, &mut |tokens, slots| {
                found.push((self.matched(tokens, slots, *choice, &scene), number));
            })?;
        }
        found.sort_by(|(a, first), (b, second)| {
            let key = |m: &Match, n: &usize| (m.tokens.start, std::cmp::Reverse(m.tokens.end), *n);
            key(a, first).cmp(&key(b, second))
        });
        let mut matches: Vec<Match> = Vec::with_capacity(found.len());
        let mut exceptions = Exceptions::default();
        for (next, _) in found {
            let free = matches.last().is_none_or(|last| last.tokens.end <= next.tokens.start);
            if free && !self.excepted(&next, &scene, document, &mut scratch, &mut exceptions)? {
                matches.push(next);
            }
        }
        Ok(matches)
    }

    /// Matches that cover these tokens; `None` for those that an exception overlaps.
    pub(crate) fn without_exceptions(
        &self,
        places: impl Iterator<Item = Range<u32>>,
        input: &Input,
    ) -> Result<Vec<Option<Match>>, MetricError> {
        let document = &*input.document;
        let scene = self.scene(input)?;
        let mut scratch = Scratch::default();
        let mut exceptions = Exceptions::default();
        places
            .map(|tokens| {
                let hit = Match { marked: tokens.clone(), tokens, choice: 0, captures: Vec::new() };
                let dropped = self.excepted(&hit, &scene, document, &mut scratch, &mut exceptions)?;
                Ok((!dropped).then_some(hit))
            })
            .collect()
    }

    fn scene<'s>(&self, input: &'s Input) -> Result<Scene<'s>, MetricError> {
        let mut numbers = Vec::with_capacity(self.params.len());
        let mut words = Vec::with_capacity(self.params.len());
        for name in &self.params {
            let value = input.params.value(name)?;
            numbers.push(match value {
                ParamValue::Integer(n) => u32::try_from(*n).unwrap_or(0),
                ParamValue::Flag(flag) => u32::from(*flag),
                _ => 0,
            });
            words.push(match value {
                ParamValue::Text(text) => [glosa_text::normal_form(text)].into_iter().collect(),
                ParamValue::List(texts) => texts.iter().map(|t| glosa_text::normal_form(t)).collect(),
                _ => rustc_hash::FxHashSet::default(),
            });
        }
        Ok(Scene {
            document: &input.document,
            hits: &input.hits,
            views: &input.views,
            scratch: Cell::default(),
            tables: self.glossaries.iter().map(|key| input.glossaries.get(key).map(|g| g.table)).collect(),
            numbers,
            words,
        })
    }

    /// How far conditions on what stands beside a match, and exceptions, may look.
    fn seen(&self) -> Within {
        if self.within == Within::Clause { Within::Sentence } else { self.within }
    }

    fn search(
        &self,
        built: &Built,
        scene: &Scene<'_>,
        document: &Document,
        inside: Option<&Range<u32>>,
        scratch: &mut Scratch,
        found: &mut dyn FnMut(Range<u32>, &[u32]),
    ) -> Result<(), MetricError> {
        let mut region = 0..0;
        let mut free = 0;
        let candidates = match inside {
            Some(region) => region.clone().collect(),
            None => starts(&built.anchors, scene, document),
        };
        let mut around = 0..0;
        let mut long = false;
        // Clauses are known from trees; what does not match in the sentence matches in none of them.
        let by_clause = (self.within == Within::Clause && inside.is_none()).then_some(&built.program);
        let mut loose = built.loose.as_ref().or(by_clause).map(Loose::new);
        for start in candidates {
            if start < free {
                continue;
            }
            let whole = || inside.cloned().unwrap_or_else(|| region_of(document, start, self.seen()));
            if let Some(loose) = &mut loose
                && !loose.may_start(scene, start, whole)?
            {
                continue;
            }
            if !region.contains(&start) {
                region = inside.cloned().unwrap_or_else(|| region_of(document, start, self.within));
                around = whole();
                long = built.program.too_long(&region);
                if !long {
                    scratch.enter(&built.program, &around, &region);
                }
            }
            if long {
                scratch.enter(&built.program, &around, &built.program.window(&region, start));
            }
            if let Some(end) = built.program.run(scene, scratch, start, None)? {
                if end > start {
                    found(start..end, &scratch.slots);
                    free = end;
                }
                if !long {
                    scratch.enter(&built.program, &around, &region);
                }
            }
        }
        Ok(())
    }

    fn matched(&self, tokens: Range<u32>, slots: &[u32], choice: u32, scene: &Scene<'_>) -> Match {
        let named = slots.len() / 3;
        let captures: Vec<Option<Capture>> = (0..named)
            .map(|name| {
                let from = *slots.get(name * 2)?;
                let to = *slots.get(name * 2 + 1)?;
                if from == NONE || to == NONE || from == to {
                    return None;
                }
                let term = self.terms[name].iter().find_map(|glossary| {
                    let table = scene.tables[*glossary as usize]?;
                    let hit = scene.hits.starting_at(table, from)?;
                    (hit.tokens.end == to).then_some((*glossary, hit))
                });
                Some(Capture {
                    tokens: from..to,
                    count: slots.get(named * 2 + name).copied().filter(|n| *n != NONE).unwrap_or(0),
                    row: term.map(|(glossary, hit)| (glossary, hit.row)),
                    rest: term.map_or(0, |(_, hit)| hit.rest),
                })
            })
            .collect();
        let of = |name: u32| captures.get(name as usize)?.as_ref().map(|c| c.tokens.clone()).filter(|t| !t.is_empty());
        let marked = match self.marks.get(choice as usize).copied().unwrap_or_default() {
            Mark::Whole => None,
            Mark::Sentence => Some(region_of(scene.document, tokens.start, Within::Sentence)),
            Mark::One(name) => of(name),
            Mark::FromTo(from, to) => match (of(from), of(to)) {
                (Some(from), Some(to)) => Some(from.start.min(to.start)..from.end.max(to.end)),
                (one, other) => one.or(other),
            },
        };
        Match { marked: marked.unwrap_or_else(|| tokens.clone()), tokens, choice, captures }
    }

    fn excepted(
        &self,
        hit: &Match,
        scene: &Scene<'_>,
        document: &Document,
        scratch: &mut Scratch,
        exceptions: &mut Exceptions,
    ) -> Result<bool, MetricError> {
        if self.unless.is_empty() {
            return Ok(false);
        }
        let region = region_of(document, hit.tokens.start, self.seen());
        let places = match exceptions.by_region.entry(region.start) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let mut places: BTreeMap<Option<u32>, Vec<Range<u32>>> = BTreeMap::new();
                for (built, choice) in &self.unless {
                    let of_choice = places.entry(*choice).or_default();
                    let found = &mut |tokens, _: &[u32]| of_choice.push(tokens);
                    self.search(built, scene, document, Some(&region), scratch, found)?;
                }
                new.insert(places.into_iter().map(|(choice, places)| (choice, apart(places))).collect())
            }
        };
        Ok([None, Some(hit.choice)].iter().filter_map(|choice| places.get(choice)).any(|places| {
            let before = places.partition_point(|place| place.start < hit.tokens.end);
            places[..before].last().is_some_and(|place| hit.tokens.start < place.end)
        }))
    }
}

/// A search without trees that goes before the search with them.
struct Loose<'b> {
    program: &'b Program,
    scratch: Scratch,
    region: Range<u32>,
}

impl<'b> Loose<'b> {
    fn new(program: &'b Program) -> Self {
        Loose { program, scratch: Scratch::default(), region: 0..0 }
    }

    /// Whether a match may begin at a token, as far as this can be said without trees.
    fn may_start(
        &mut self,
        scene: &Scene<'_>,
        start: u32,
        region: impl FnOnce() -> Range<u32>,
    ) -> Result<bool, MetricError> {
        if !self.region.contains(&start) {
            self.region = region();
            let whole = self.region.clone();
            let long = self.program.too_long(&whole);
            let window = if long { self.program.window(&whole, start) } else { whole.clone() };
            self.scratch.enter(self.program, &whole, &window);
            if long {
                self.region = 0..0;
            }
        }
        let found = self.program.run(scene, &mut self.scratch, start, None)?.is_some();
        if found {
            self.region = 0..0;
        }
        Ok(found)
    }
}

/// What is marked, by the numbers of captures.
fn mark(builder: &mut Builder<'_, '_>, mark: &MarkFile) -> Mark {
    let mut capture = |name: &Located<String>| {
        let found = builder.names.iter().position(|n| *n == **name);
        if found.is_none() {
            builder.unknown_capture(name);
        }
        found.map(|n| n as u32)
    };
    match mark {
        MarkFile::Match => Mark::Whole,
        MarkFile::Sentence => Mark::Sentence,
        MarkFile::Capture(name) => capture(name).map_or(Mark::Whole, Mark::One),
        MarkFile::FromTo(from, to) => match (capture(from), capture(to)) {
            (Some(from), Some(to)) => Mark::FromTo(from, to),
            _ => Mark::Whole,
        },
    }
}

/// The same places in reading order, those that overlap as one.
fn apart(mut places: Vec<Range<u32>>) -> Vec<Range<u32>> {
    places.sort_by_key(|place| (place.start, place.end));
    let mut joined: Vec<Range<u32>> = Vec::with_capacity(places.len());
    for place in places {
        match joined.last_mut() {
            Some(last) if place.start < last.end => last.end = last.end.max(place.end),
            _ => joined.push(place),
        }
    }
    joined
}

#[derive(Default)]
struct Exceptions {
    /// By the first token of the region, then by the alternative that they are exceptions of; `None` are those of all.
    by_region: FxHashMap<u32, BTreeMap<Option<u32>, Vec<Range<u32>>>>,
}

fn region_of(document: &Document, token: u32, within: Within) -> Range<u32> {
    let sentence = &document.sentences()[document.tokens()[token as usize].sentence as usize];
    match within {
        Within::Sentence => sentence.tokens.clone(),
        Within::Paragraph => {
            let sentences = document.sentences_of_block(sentence.block as usize);
            match (sentences.first(), sentences.last()) {
                (Some(first), Some(last)) => first.tokens.start..last.tokens.end,
                _ => sentence.tokens.clone(),
            }
        }
        Within::Clause => {
            let Some(syntax) = document.syntax_at(token) else { return sentence.tokens.clone() };
            let own = syntax.clause_of(token);
            let same = |other: &u32| syntax.clause_of(*other) == own;
            let start = (sentence.tokens.start..token).rev().take_while(same).last().unwrap_or(token);
            let end = (token..sentence.tokens.end).take_while(same).last().unwrap_or(token) + 1;
            start..end
        }
    }
}

impl Match {
    /// A capture by number; `None` where its step covered nothing.
    pub fn capture(&self, number: usize) -> Option<&Capture> {
        self.captures.get(number)?.as_ref()
    }

    /// A capture by name.
    pub fn named<'m>(&'m self, query: &Query, name: &str) -> Option<&'m Capture> {
        let number = query.names.iter().position(|n| n == name)?;
        self.capture(number)
    }

    /// The place that is reported.
    pub fn span(&self, document: &Document) -> Span {
        document.span_of_tokens(self.marked.start as usize..self.marked.end as usize)
    }
}

impl Capture {
    /// The glossary row that the capture is a term of.
    pub fn entry<'i>(&self, query: &Query, input: &'i Input) -> Option<&'i GlossaryEntry> {
        let (glossary, row) = self.row?;
        let key = query.glossaries.get(glossary as usize)?;
        input.glossaries.get(key)?.entries.get(row as usize)
    }
}
