//! Noun phrases, read off the tree: a noun with its determiners, adjectives and complements.
//!
//! What is joined to the noun, stands beside it in apposition or says something of it in a clause is no part of its phrase,
//! nor is the preposition that leads to it.

use std::ops::Range;

use crate::{Document, Syntax};

/// A noun with what belongs to it. Tokens are numbers of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NounPhrase {
    /// The noun.
    pub head: u32,
    /// From its first token to its last, without a gap.
    pub tokens: Range<u32>,
    /// Heads of what modifies the noun, in reading order: adjectives, numbers, complements.
    pub modifiers: Vec<u32>,
}

/// Relations of Universal Dependencies inside a noun phrase.
const INSIDE: [&str; 8] = ["det", "amod", "nummod", "nmod", "flat", "compound", "fixed", "advmod"];
/// Those of them that modify the noun.
const MODIFIERS: [&str; 4] = ["amod", "nummod", "nmod", "compound"];

impl NounPhrase {
    /// The phrase that a token heads.
    pub fn of(document: &Document, syntax: &Syntax, head: u32) -> NounPhrase {
        let relation = |token: u32| {
            let whole = document.string(syntax.relation(token));
            whole.split(':').next().unwrap_or(whole)
        };
        let mut inside = vec![head];
        let mut next = 0;
        while let Some(token) = inside.get(next).copied() {
            let case = |child: u32| token != head && relation(child) == "case";
            let own = syntax.children(token).iter().copied();
            inside.extend(own.filter(|child| INSIDE.contains(&relation(*child)) || case(*child)));
            next += 1;
        }
        let has = |token: u32| inside.contains(&token);
        let start = (0..head).rev().take_while(|token| has(*token)).last().unwrap_or(head);
        let end = (head + 1..).take_while(|token| has(*token)).last().unwrap_or(head) + 1;
        let tokens = start..end;
        let children = syntax.children(head).iter().copied();
        let modifies = |child: &u32| tokens.contains(child) && MODIFIERS.contains(&relation(*child));
        let modifiers = children.filter(modifies).collect();
        NounPhrase { head, tokens, modifiers }
    }
}
