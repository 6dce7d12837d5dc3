//! The tree of a sentence when it is asked for.
//!
//! A surface token has one place in the tree, that of its words which is highest. What the parser has made of a word is kept
//! for the next sentence, which changes no result.

use crate::clause::with_clauses;
use crate::parser::ParserScratch;
use crate::parser::features::ParserWord;
use crate::runtime::Analyser;
use crate::tagger::lower_form;
use glosa_text::{Document, SentenceParser, Sym, Syntax};
use std::fmt;
use std::sync::{Arc, Mutex};

/// The parser of one document.
pub(crate) struct OnDemand {
    analyser: Arc<Analyser>,
    /// Symbols of the relations, by their numbers.
    relations: Vec<Sym>,
    space: Mutex<Space>,
}

#[derive(Default)]
struct Space {
    parser: ParserScratch,
    tree: Vec<(u32, u16)>,
    owners: Vec<u32>,
    depths: Vec<u32>,
}

impl OnDemand {
    pub(crate) fn new(analyser: Arc<Analyser>, relations: Vec<Sym>) -> Self {
        OnDemand { analyser, relations, space: Mutex::default() }
    }
}

impl fmt::Debug for OnDemand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnDemand").finish_non_exhaustive()
    }
}

impl SentenceParser for OnDemand {
    fn parse(&self, document: &Document, sentence: u32) -> Syntax {
        let (Some(parser), Some(tagger)) = (&self.analyser.parser, &self.analyser.tagger) else {
            return Syntax::default();
        };
        let sentence = &document.sentences()[sentence as usize];
        // A space in which somebody panicked may hold half a sentence.
        let mut space = self.space.lock().unwrap_or_else(|poisoned| {
            let mut space = poisoned.into_inner();
            *space = Space::default();
            self.space.clear_poison();
            space
        });
        let Space { parser: scratch, tree, owners, depths } = &mut *space;
        owners.clear();
        tree.clear();
        for (number, token) in sentence.tokens.clone().zip(document.tokens_of(sentence)) {
            let alone = [(token.form, token.lemma, token.feats, token.pos)];
            let parts = &document.parts()[token.parts.start as usize..token.parts.end as usize];
            let parts = parts.iter().map(|part| (part.form, part.lemma, part.feats, part.pos));
            let alone = alone.into_iter().take(usize::from(token.parts.is_empty()));
            for (form, lemma, feats, pos) in alone.chain(parts) {
                owners.push(number);
                parser.push([form.0, lemma.0, feats.0, pos as u32], scratch, |keys| {
                    let form = document.string(form);
                    let lower = &*lower_form(form);
                    let (lemma, feats) = (document.string(lemma), document.string(feats));
                    let (upos, cluster) = (pos.as_str(), tagger.model.cluster(form, lower));
                    ParserWord { form, lower, lemma, upos, feats, cluster }.keys(keys);
                });
            }
        }
        parser.parse(scratch, tree);
        depths_of(tree, depths);
        let arcs = sentence.tokens.clone().map(|number| {
            let start = owners.partition_point(|owner| *owner < number);
            let end = owners.partition_point(|owner| *owner <= number);
            let highest = (start..end).min_by_key(|word| depths[*word]).unwrap_or(start);
            let (head, relation) = tree[highest];
            (head.checked_sub(1).map(|head| owners[head as usize]), self.relations[usize::from(relation)])
        });
        let syntax = Syntax::new(sentence.tokens.start, arcs);
        drop(space);
        with_clauses(document, sentence, syntax)
    }
}

/// Arcs between each word and the root.
fn depths_of(tree: &[(u32, u16)], depths: &mut Vec<u32>) {
    const UNKNOWN: u32 = u32::MAX;
    depths.clear();
    depths.resize(tree.len(), UNKNOWN);
    let mut path = Vec::new();
    for word in 0..tree.len() {
        let mut at = word;
        while depths[at] == UNKNOWN {
            path.push(at);
            match tree[at].0.checked_sub(1) {
                Some(head) => at = head as usize,
                None => depths[at] = 0,
            }
        }
        let mut depth = depths[at];
        while let Some(below) = path.pop() {
            if below != at {
                depth += 1;
                depths[below] = depth;
            }
        }
    }
}
