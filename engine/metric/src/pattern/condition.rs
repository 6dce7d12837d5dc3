//! What one row of a table or glossary asks of its place, `when: {pos: VERB, not_followed_by: {gap: 0..2}, …}`: tests of the first
//! word of its phrase, and what stands before and behind the phrase, as in a step.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::Range;

use glosa_text::Document;

use super::build::Builder;
use super::program::{Program, Scratch};
use super::step::{Step, TESTS, read_place};
use super::test::Scene;
use crate::compile::CompileContext;
use crate::phrases::PhraseHits;
use crate::yaml::{Node, Value};
use crate::yaml_reader::Reader;
use crate::{Capability, Problem, Views};

/// Tests of what stands beside the phrase.
pub(crate) const BESIDE: [&str; 4] = ["preceded_by", "not_preceded_by", "followed_by", "not_followed_by"];

/// Tests that say nothing of one place: they compare with a capture, look for another glossary, or need a tree.
const FOREIGN: [&str; 8] =
    ["glossary", "relation", "head", "child", "clause", "agrees_with", "begins_like", "participle"];

/// The keys of `when`.
pub(crate) fn keys() -> Vec<&'static str> {
    TESTS.iter().copied().filter(|key| !FOREIGN.contains(key)).chain(BESIDE).collect()
}

/// The conditions of a row, ready to be asked.
#[derive(Clone, Debug)]
pub struct Condition {
    /// One of these must hold.
    any: Vec<Place>,
    /// Names of the lists that it reads.
    lists: BTreeSet<String>,
}

#[derive(Clone, Debug)]
struct Place {
    /// Starts at the first word of the phrase.
    first: Program,
    /// Starts behind its last word.
    behind: Program,
}

impl Condition {
    /// Reads and compiles the value of `when`: a map, or a list of maps of which one must hold.
    ///
    /// # Errors
    /// Everything in it that cannot be compiled, each with its place.
    pub fn read(node: &Node, context: &CompileContext<'_>) -> Result<Condition, Vec<Problem>> {
        let mut reader = Reader::new(context.file, context.source);
        let items = match &node.value {
            Value::List(items) if !items.is_empty() => items.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let mut lists = BTreeSet::new();
        let any: Vec<Place> = items.iter().filter_map(|item| place(&mut reader, item, context, &mut lists)).collect();
        if reader.problems.is_empty() { Ok(Condition { any, lists }) } else { Err(reader.sorted()) }
    }

    /// Names of the lists that it reads.
    pub fn lists(&self) -> &BTreeSet<String> {
        &self.lists
    }

    /// Whether it holds where a phrase covers some tokens.
    pub fn holds(&self, document: &Document, tokens: &Range<u32>) -> bool {
        let (hits, views) = (PhraseHits::default(), Views::default());
        let scene = Scene {
            document,
            hits: &hits,
            views: &views,
            scratch: Cell::default(),
            tables: Vec::new(),
            numbers: Vec::new(),
            words: Vec::new(),
        };
        let Some(first) = document.tokens().get(tokens.start as usize) else { return false };
        let region = document.sentences()[first.sentence as usize].tokens.clone();
        let mut scratch = Scratch::default();
        let mut passes = |program: &Program, start: u32| {
            let window = if program.too_long(&region) { program.window(&region, start) } else { region.clone() };
            scratch.enter(program, &region, &window);
            program.run(&scene, &mut scratch, start, None).is_ok_and(|end| end.is_some())
        };
        self.any.iter().any(|place| passes(&place.first, tokens.start) && passes(&place.behind, tokens.end))
    }
}

fn place(
    reader: &mut Reader<'_>,
    node: &Node,
    context: &CompileContext<'_>,
    lists: &mut BTreeSet<String>,
) -> Option<Place> {
    let step = step(reader, node)?;
    let mut builder = Builder::new(context, reader);
    let (first, behind) = builder.place(&step);
    lists.append(&mut builder.lists);
    let (tree, free) = (builder.needs.contains(&Capability::Dependency), builder.params.is_empty());
    if tree {
        reader.problem(node.at, "a row cannot ask for the tree of a sentence", "write a pattern with `match`");
    }
    if !free {
        reader.problem(node.at, "a row cannot ask for a threshold", "write the number or the words");
    }
    Some(Place { first, behind })
}

/// The conditions as a step that covers the first word.
fn step(reader: &mut Reader<'_>, node: &Node) -> Option<Step> {
    if !matches!(&node.value, Value::Map(tests) if !tests.is_empty()) {
        let help = "write what holds of the first word and beside the phrase: `when: {not_followed_by: [de]}`";
        reader.problem(node.at, format!("expected conditions, found {}", node.value.kind()), help);
        return None;
    }
    let before = reader.problems.len();
    reader.map(node, "the conditions of a row", &keys());
    if reader.problems.len() > before {
        return None;
    }
    read_place(reader, node).filter(|_| reader.problems.len() == before)
}
