//! A sequence compiled to a small program, and the machine that runs it.
//!
//! The machine backtracks and remembers the (instruction, token) pairs that failed, so a search is linear in the
//! length of the sentence times the length of the program. Patterns that compare a token with an earlier capture
//! cannot share failures; they have an allowance of steps instead, and what begins after it is used up does not match.

use std::ops::Range;

use std::sync::Arc;

use glosa_text::{Document, feature, has_feature};

use super::test::{Scene, TokenTest};
use crate::{MetricError, WordList};

/// A number that is written or read from a threshold (number in [`super::query::Query::params`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Fixed(u32),
    Param(u32),
}

impl Bound {
    pub(crate) fn value(self, scene: &Scene<'_>) -> u32 {
        match self {
            Bound::Fixed(n) => n,
            Bound::Param(n) => scene.numbers[n as usize],
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Instruction {
    /// One token passes the test.
    Test(u32),
    /// An entry of a list starts here that has several tokens; goes on after it, after the longest first.
    Phrase(u32),
    /// A term of a glossary starts here; goes on after it.
    Term(u32),
    /// First one way, then the other.
    Split(u32, u32),
    Jump(u32),
    /// Before the `copy`th repetition: into it or to `out`, as the bounds say; `lazy` tries `out` first.
    Repeat {
        copy: u32,
        min: Bound,
        max: Bound,
        lazy: bool,
        out: u32,
    },
    Save(u32),
    /// Counts a step that was covered.
    Count(u32),
    Look(u32),
    Agree {
        slot: u32,
        beginning: bool,
    },
    Match,
}

/// Where a condition looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// At what begins here.
    Ahead,
    /// At what ends so many tokens before here.
    Behind { back: u32 },
}

#[derive(Clone, Debug)]
pub(crate) struct LookProgram {
    pub(crate) program: Program,
    /// The test of its last token, where it ends with one.
    pub(crate) end: Option<u32>,
    pub(crate) side: Side,
    pub(crate) negative: bool,
}

/// Entries of several tokens, and what else the first token must be.
#[derive(Clone, Debug)]
pub(crate) struct Phrases {
    pub(crate) lists: Vec<Arc<WordList>>,
    pub(crate) first: TokenTest,
}

impl Phrases {
    /// How many tokens of the window the entries that start at a token have, the longest first.
    fn lengths(&self, scene: &Scene<'_>, at: u32, end: u32) -> Vec<u32> {
        if at >= end || !self.first.passes(scene, at) {
            return Vec::new();
        }
        let document = scene.document;
        let norm = |token: u32| document.string(document.tokens()[token as usize].norm);
        let rests = self.lists.iter().flat_map(|list| list.rests(norm(at))).map(AsRef::as_ref);
        let fits = |rest: &&[String]| {
            at + (rest.len() as u32) < end && rest.iter().zip(at + 1..).all(|(word, token)| norm(token) == word)
        };
        let mut lengths: Vec<u32> = rests.filter(fits).map(|rest| rest.len() as u32 + 1).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths.dedup();
        lengths
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) code: Vec<Instruction>,
    pub(crate) tests: Vec<TokenTest>,
    pub(crate) looks: Vec<LookProgram>,
    pub(crate) phrases: Vec<Phrases>,
    /// For each name of the query where it starts and ends, then for each how often it stands.
    pub(crate) slots: usize,
    /// It compares tokens with captures.
    pub(crate) compares: bool,
    /// Tokens that it covers at most; 0 where that depends on terms.
    pub(crate) longest: u32,
}

/// Letters at the beginning that `begins_like` compares.
const ALIKE: usize = 3;

/// No token.
pub(crate) const NONE: u32 = u32::MAX;

/// Steps of a pattern that compares, on one text: so many, and so many more for each token.
const ALLOWANCE: u64 = 50_000;
const ALLOWANCE_PER_TOKEN: u64 = 500;
const MOST_CELLS: usize = 1 << 20;
/// Tokens that a match covers at most in a sentence so long that its failures cannot be kept.
const LONGEST_MATCH: u32 = 400;

enum Job {
    Explore(u32, u32),
    Restore(u32, u32),
}

/// What the machine keeps between searches.
#[derive(Default)]
pub(crate) struct Scratch {
    failed: Vec<u32>,
    stamp: u32,
    region: Range<u32>,
    window: Range<u32>,
    jobs: Vec<Job>,
    /// Steps of patterns that compare.
    steps: u64,
    pub(crate) slots: Vec<u32>,
}

impl Scratch {
    /// Forgets the failures; needed when the region or the program changes. `window` is the part of the region that
    /// matches may cover.
    pub(crate) fn enter(&mut self, program: &Program, region: &Range<u32>, window: &Range<u32>) {
        let cells = program.code.len() * (window.len() + 1);
        if self.failed.len() < cells {
            self.failed.resize(cells, 0);
        }
        if self.stamp == u32::MAX {
            self.failed.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.region = region.clone();
        self.window = window.clone();
    }
}

impl Program {
    /// Whether a region is so long that the failures of all its tokens would take too much memory.
    pub(crate) fn too_long(&self, region: &Range<u32>) -> bool {
        self.code.len() * (region.len() + 1) > MOST_CELLS
    }

    /// The part of a long region that a match from `start` may cover.
    pub(crate) fn window(&self, region: &Range<u32>, start: u32) -> Range<u32> {
        let longest = if self.longest == 0 { LONGEST_MATCH } else { self.longest.min(LONGEST_MATCH) };
        start..region.end.min(start.saturating_add(longest))
    }

    /// The end of the match that starts at a token, and ends at `ending` if that is given; the captures are in
    /// `scratch.slots`.
    pub(crate) fn run(
        &self,
        scene: &Scene<'_>,
        scratch: &mut Scratch,
        start: u32,
        ending: Option<u32>,
    ) -> Result<Option<u32>, MetricError> {
        let region = scratch.region.clone();
        let window = scratch.window.clone();
        let width = window.len() as u32 + 1;
        scratch.slots.clear();
        scratch.slots.resize(self.slots, NONE);
        scratch.jobs.clear();
        scratch.jobs.push(Job::Explore(0, start));
        let allowance = ALLOWANCE + ALLOWANCE_PER_TOKEN * scene.document.tokens().len() as u64;
        while let Some(job) = scratch.jobs.pop() {
            let (mut pc, mut at) = match job {
                Job::Restore(slot, old) => {
                    scratch.slots[slot as usize] = old;
                    continue;
                }
                Job::Explore(pc, at) => (pc, at),
            };
            loop {
                if self.compares {
                    scratch.steps += 1;
                    if scratch.steps > allowance {
                        return Ok(None);
                    }
                } else {
                    let cell = (pc * width + (at - window.start)) as usize;
                    if scratch.failed[cell] == scratch.stamp {
                        break;
                    }
                    scratch.failed[cell] = scratch.stamp;
                }
                match &self.code[pc as usize] {
                    Instruction::Match if ending.is_some_and(|ending| ending != at) => break,
                    Instruction::Match => {
                        scratch.jobs.clear();
                        return Ok(Some(at));
                    }
                    Instruction::Test(test) => {
                        if at >= window.end || !self.tests[*test as usize].passes(scene, at) {
                            break;
                        }
                        at += 1;
                        pc += 1;
                    }
                    Instruction::Phrase(phrases) => {
                        let lengths = self.phrases[*phrases as usize].lengths(scene, at, window.end);
                        let Some((longest, others)) = lengths.split_first() else { break };
                        for length in others.iter().rev() {
                            scratch.jobs.push(Job::Explore(pc + 1, at + length));
                        }
                        at += longest;
                        pc += 1;
                    }
                    Instruction::Term(glossary) => match scene.term(*glossary, at) {
                        Some(end) if at < window.end && end <= window.end => {
                            at = end;
                            pc += 1;
                        }
                        _ => break,
                    },
                    Instruction::Split(first, second) => {
                        scratch.jobs.push(Job::Explore(*second, at));
                        pc = *first;
                    }
                    Instruction::Jump(to) => pc = *to,
                    Instruction::Repeat { copy, min, max, lazy, out } => {
                        if *copy > max.value(scene).max(min.value(scene)) {
                            pc = *out;
                        } else if *copy <= min.value(scene) {
                            pc += 1;
                        } else if *lazy {
                            scratch.jobs.push(Job::Explore(pc + 1, at));
                            pc = *out;
                        } else {
                            scratch.jobs.push(Job::Explore(*out, at));
                            pc += 1;
                        }
                    }
                    Instruction::Save(slot) => {
                        let old = std::mem::replace(&mut scratch.slots[*slot as usize], at);
                        scratch.jobs.push(Job::Restore(*slot, old));
                        pc += 1;
                    }
                    Instruction::Count(slot) => {
                        let old = scratch.slots[*slot as usize];
                        scratch.slots[*slot as usize] = if old == NONE { 1 } else { old + 1 };
                        scratch.jobs.push(Job::Restore(*slot, old));
                        pc += 1;
                    }
                    Instruction::Look(look) => {
                        let look = &self.looks[*look as usize];
                        if look.found(scene, &region, at)? == look.negative {
                            break;
                        }
                        pc += 1;
                    }
                    Instruction::Agree { slot, beginning } => {
                        let model = scratch.slots[*slot as usize];
                        let fits = at < window.end
                            && model != NONE
                            && if *beginning {
                                begin_alike(scene.document, model, at)
                            } else {
                                agree(scene.document, model, at)
                            };
                        if !fits {
                            break;
                        }
                        pc += 1;
                    }
                }
            }
        }
        Ok(None)
    }
}

impl LookProgram {
    fn found(&self, scene: &Scene<'_>, region: &Range<u32>, at: u32) -> Result<bool, MetricError> {
        let (behind, at) = match self.side {
            Side::Ahead => (false, at),
            Side::Behind { back } => (true, at - back),
        };
        if let [Instruction::Test(test), Instruction::Match] = self.program.code.as_slice() {
            let beside = if behind { at.checked_sub(1).filter(|at| *at >= region.start) } else { Some(at) };
            let beside = beside.filter(|at| *at < region.end);
            return Ok(beside.is_some_and(|at| self.program.tests[*test as usize].passes(scene, at)));
        }
        let before = || at > region.start && at <= region.end;
        if let Some(end) = self.end.filter(|_| behind)
            && !(before() && self.program.tests[end as usize].passes(scene, at - 1))
        {
            return Ok(false);
        }
        let mut scratch = scene.scratch.take();
        let found = self.run(scene, &mut scratch, region, at, behind);
        scene.scratch.set(scratch);
        found
    }

    fn run(
        &self,
        scene: &Scene<'_>,
        scratch: &mut Scratch,
        region: &Range<u32>,
        at: u32,
        behind: bool,
    ) -> Result<bool, MetricError> {
        if !behind {
            scratch.enter(&self.program, region, &self.program.window(region, at));
            return Ok(self.program.run(scene, scratch, at, None)?.is_some());
        }
        let longest = if self.program.longest == 0 { LONGEST_MATCH } else { self.program.longest };
        let reach = longest.min(at - region.start);
        for start in (at - reach..at).rev() {
            scratch.enter(&self.program, region, &(start..at));
            if self.program.run(scene, scratch, start, Some(at))?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether the normal forms of two tokens begin with the same letters: members of one family of words do.
fn begin_alike(document: &Document, a: u32, b: u32) -> bool {
    let beginning = |token: u32| document.string(document.tokens()[token as usize].norm).chars().take(ALIKE);
    beginning(a).eq(beginning(b))
}

/// Whether gender and number of two tokens are the same; a token that has none of a feature agrees with any.
fn agree(document: &Document, a: u32, b: u32) -> bool {
    let feats = |token: u32| document.string(document.tokens()[token as usize].feats);
    let (a, b) = (feats(a), feats(b));
    ["Gender", "Number"].into_iter().all(|name| match (feature(a, name), feature(b, name)) {
        (Some(values), Some(_)) => values.split(',').any(|value| has_feature(b, name, value)),
        _ => true,
    })
}
