//! The features of a word in its sentence: hashes of what it is, of the words around it, and of the tags around it.
//!
//! Each feature has a number, which is part of its hash: the models know it by that number alone. A new feature takes a
//! new number, and the models are trained again.

use crate::hash::mix;
use crate::tagger::{FormFacts, NO_TAG, TagId, TagModel, Weights};

/// A word in its sentence, ready to be scored.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// Hashes of the features that need no history; empty where there is one candidate.
    pub features: Vec<u32>,
    /// The candidates.
    pub candidates: Vec<TagId>,
    /// What the features of the form alone give each candidate; empty where they are among the features.
    pub(super) base: Vec<f32>,
    lower: u64,
    class: u64,
    ending: u64,
    next_class: u64,
    next_lower: u64,
}

/// The words before the first and after the last one.
const EDGE_LEFT: u64 = 11;
const EDGE_RIGHT: u64 = 13;

/// Numbers of the features that hang on the form alone and stand between others; the first ten do too.
const CLASS: u64 = 13;
const CLUSTER: u64 = 45;
const BRANCH: u64 = 47;

/// Adds the feature of a value if it has weights.
#[inline]
fn put(weights: &impl Weights, features: &mut Vec<u32>, value: u64, number: u64) {
    let feature = mix(value, number) as u32;
    if weights.has(feature) {
        features.push(feature);
    }
}

/// The first ten features: the form, its endings and its beginnings.
#[inline]
fn put_form(facts: &FormFacts, mut put: impl FnMut(u64, u64)) {
    put(0, 1);
    put(facts.form, 2);
    put(facts.lower, 3);
    for (number, ending) in (4..).zip(&facts.endings[..5]) {
        put(*ending, number);
    }
    put(facts.beginnings[0], 9);
    put(facts.beginnings[1], 10);
}

/// A sentence and one of its words.
struct Place<'s> {
    sentence: &'s [&'s FormFacts],
    positions: &'s [Position],
    at: usize,
    /// More than half of the words have a capital: capitals say little.
    capitals: bool,
}

impl Place<'_> {
    /// Whether a capital at the place says nothing.
    #[inline]
    fn initial(sentence: &[&FormFacts], at: usize) -> bool {
        at == 0 || sentence[at - 1].opener
    }

    /// The features of the word and the words around it; those of the form alone only if nobody added them up before.
    #[inline]
    fn put_features(&self, weights: &impl Weights, features: &mut Vec<u32>) {
        let here = self.sentence[self.at];
        let edge = |at: isize| if at < 0 { EDGE_LEFT } else { EDGE_RIGHT };
        let around: [Result<&FormFacts, u64>; 7] = std::array::from_fn(|k| {
            let at = self.at as isize + k as isize - 3;
            usize::try_from(at).ok().and_then(|a| self.sentence.get(a)).copied().ok_or(edge(at))
        });
        let lowers = around.map(|fact| fact.map_or_else(|e| e, |f| f.lower));
        let lower = |d: isize| lowers[(d + 3) as usize];
        let fact = |d: isize| around[(d + 3) as usize];
        let end3 = |d: isize| fact(d).map_or_else(|e| e, |f| f.endings[2]);
        let end2 = |d: isize| fact(d).map_or_else(|e| e, |f| f.endings[1]);
        let cluster = |d: isize| fact(d).map_or_else(|e| e + (1 << 20), |f| f.cluster);
        let branch = |d: isize| fact(d).map_or_else(|e| e + (1 << 20), |f| f.branch);
        let shape = |d: isize| fact(d).map_or_else(|e| e, |f| f.shape);
        let class = |d: isize| {
            let at = self.at as isize + d;
            usize::try_from(at).ok().and_then(|a| self.positions.get(a)).map_or(edge(at), |p| p.class)
        };
        let initial = Place::initial(self.sentence, self.at);
        let start = u64::from(initial) | u64::from(self.at == 0) << 1 | u64::from(self.capitals) << 2;
        let shaped = mix(here.shape, start);
        let last = self.sentence.last().map_or(0, |f| f.form);
        let (c0, l0) = (class(0), here.lower);
        let (lb, la) = (lower(-1), lower(1));
        let (cb, ca) = (class(-1), class(1));
        let (c2, clb, cla) = (class(2), cluster(-1), cluster(1));
        let own = !here.prepared;
        if own {
            put_form(here, |value, number| put(weights, features, value, number));
        }
        let mut put = |value: u64, number: u64| put(weights, features, value, number);
        put(shaped, 11);
        put(mix(shaped, here.endings[2]), 12);
        if own {
            put(c0, CLASS);
        }
        put(lb, 14);
        put(la, 15);
        put(lower(-2), 16);
        put(lower(2), 17);
        put(mix(lb, la), 18);
        put(mix(lb, l0), 19);
        put(mix(l0, la), 20);
        put(ca, 21);
        put(c2, 22);
        put(mix(ca, c2), 23);
        put(mix(c0, ca), 24);
        put(end3(-1), 25);
        put(end3(1), 26);
        put(mix(c0, la), 27);
        put(mix(c0, lb), 28);
        put(mix(last, c0), 29);
        put(shape(1), 30);
        put(mix(mix(c0, ca), c2), 31);
        put(mix(mix(cb, c0), ca), 32);
        put(mix(mix(lower(-2), lb), c0), 33);
        put(mix(mix(la, lower(2)), c0), 34);
        put(mix(shaped, mix(shape(-1), shape(1))), 35);
        put(mix(here.readings, start), 36);
        put(mix(here.readings, shape(1)), 37);
        put(mix(here.readings, shape(-1)), 38);
        put(mix(c0, end2(1)), 39);
        put(mix(c0, lower(2)), 40);
        put(mix(c0, lower(-2)), 41);
        put(mix(c0, class(3)), 42);
        put(mix(lower(3), c0), 43);
        put(mix(lower(-3), c0), 44);
        if own {
            put(here.cluster, CLUSTER);
        }
        put(mix(here.cluster, shaped), 46);
        if own {
            put(here.branch, BRANCH);
        }
        put(clb, 48);
        put(cla, 49);
        put(branch(-1), 50);
        put(branch(1), 51);
        put(mix(clb, cla), 52);
        put(mix(c0, cla), 53);
        put(mix(c0, clb), 54);
        put(mix(here.cluster, cla), 55);
        put(mix(clb, here.cluster), 56);
        put(mix(mix(branch(-1), here.branch), branch(1)), 57);
    }
}

impl TagModel {
    /// Adds up the features that hang on the form alone, once for all its places in a text.
    pub fn prepare(&self, weights: &impl Weights, facts: &mut FormFacts) {
        let mut features = Vec::with_capacity(16);
        put_form(facts, |value, number| put(weights, &mut features, value, number));
        put(weights, &mut features, facts.cluster, CLUSTER);
        put(weights, &mut features, facts.branch, BRANCH);
        let common = features.len();
        for candidates in [&mut facts.inside, &mut facts.initial].into_iter().filter(|c| c.tags.len() > 1) {
            features.truncate(common);
            put(weights, &mut features, candidates.class, CLASS);
            candidates.base.clear();
            candidates.base.resize(candidates.tags.len(), 0.0);
            self.add_scores(weights, &features, &candidates.tags, &mut candidates.base);
        }
        facts.prepared = true;
    }

    /// Prepares a sentence. `all` asks for features even where there is one candidate.
    pub fn positions(&self, weights: &impl Weights, sentence: &[&FormFacts], all: bool, out: &mut Vec<Position>) {
        let n = sentence.len();
        out.resize_with(n.max(out.len()), Position::default);
        out.truncate(n);
        for (i, position) in out.iter_mut().enumerate() {
            let here = sentence[i];
            let chosen = if Place::initial(sentence, i) { &here.initial } else { &here.inside };
            position.candidates.clear();
            position.candidates.extend_from_slice(&chosen.tags);
            position.base.clear();
            position.base.extend_from_slice(&chosen.base);
            position.lower = here.lower;
            position.class = chosen.class;
            position.ending = here.endings[2];
        }
        let capitals = sentence.iter().filter(|f| f.capital).count() * 2 > n;
        for at in 0..n {
            out[at].next_class = out.get(at + 1).map_or(EDGE_RIGHT, |p| p.class);
            out[at].next_lower = out.get(at + 1).map_or(EDGE_RIGHT, |p| p.lower);
            let mut features = std::mem::take(&mut out[at].features);
            features.clear();
            if all || out[at].candidates.len() > 1 {
                Place { sentence, positions: out, at, capitals }.put_features(weights, &mut features);
            }
            out[at].features = features;
        }
    }

    /// The number of the part of speech of a tag; that of no tag is like none of them.
    fn upos_number(&self, tag: TagId) -> u64 {
        if tag == NO_TAG { 99 } else { u64::from(self.upos[usize::from(tag)]) }
    }

    /// Features of the tags before position `i`: the last one, the one before, the third.
    #[inline]
    pub fn history(&self, weights: &impl Weights, position: &Position, tags: [TagId; 3], out: &mut Vec<u32>) {
        let upos = |tag: TagId| self.upos_number(tag);
        let (u1, u2, u3) = (upos(tags[0]), upos(tags[1]), upos(tags[2]));
        let (t1, t2) = (u64::from(tags[0]) + 5, u64::from(tags[1]) + 5);
        let (lower, class) = (position.lower, position.class);
        out.clear();
        let mut put = |value: u64, id: u64| put(weights, out, value, id);
        put(t1, 101);
        put(mix(t1, t2), 102);
        put(mix(u1, u2), 103);
        put(mix(t1, lower), 104);
        put(mix(t1, class), 105);
        put(mix(t1, position.next_class), 106);
        put(mix(u1, position.ending), 107);
        put(t2, 108);
        put(mix(mix(u1, u2), class), 109);
        put(mix(mix(u1, class), position.next_class), 110);
        put(mix(mix(t1, t2), class), 111);
        put(mix(mix(u1, u2), u3), 112);
        put(mix(mix(mix(u1, u2), u3), class), 113);
        put(mix(mix(u1, u2), lower), 114);
        put(mix(mix(u1, lower), position.next_class), 115);
        put(mix(mix(u1, class), position.next_lower), 116);
        put(mix(t2, class), 117);
    }

    /// Features of the tags after position `i`, as the first pass saw them, beside the tags before it.
    #[inline]
    pub fn ahead(
        &self,
        weights: &impl Weights,
        position: &Position,
        before: [TagId; 2],
        after: [TagId; 3],
        out: &mut Vec<u32>,
    ) {
        let upos = |tag: TagId| self.upos_number(tag);
        let (u1, u2) = (upos(before[0]), upos(before[1]));
        let (r1, r2, r3) = (upos(after[0]), upos(after[1]), upos(after[2]));
        let (t1, n1, n2) = (u64::from(before[0]) + 5, u64::from(after[0]) + 5, u64::from(after[1]) + 5);
        let (lower, class, ending) = (position.lower, position.class, position.ending);
        let mut put = |value: u64, id: u64| put(weights, out, value, id);
        put(n1, 201);
        put(mix(n1, n2), 202);
        put(mix(t1, n1), 203);
        put(mix(n1, lower), 204);
        put(mix(n1, class), 205);
        put(mix(mix(r1, r2), class), 206);
        put(mix(mix(t1, n1), class), 207);
        put(mix(mix(u1, r1), lower), 208);
        put(mix(mix(mix(u1, r1), r2), class), 209);
        put(mix(mix(r1, r2), r3), 210);
        put(mix(n2, class), 211);
        put(mix(mix(mix(r1, r2), r3), lower), 212);
        put(mix(mix(mix(u1, u2), r1), class), 213);
        put(mix(r1, ending), 214);
        put(mix(mix(mix(u2, u1), r1), r2), 215);
    }
}
