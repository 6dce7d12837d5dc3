//! The network of the parser: from the embeddings of the words to scores of heads and relations.
//!
//! Products are over whole numbers of 16 bits, everything else over floating-point numbers with operations that are
//! exact to the bit on every machine: +, −, × and shifts. The trainer has the same network in floating point
//! (`glosa-train`, parser/network.rs), where the method is explained.
//!
//! What the first layer makes of a word does not depend on its sentence, so the caller keeps it from one sentence to the
//! next (`Words::gates`).

#![allow(clippy::needless_range_loop, reason = "one number of several arrays after the other, as the formulas have it")]

use super::matrix::{Matrix, quantise};
use super::wide::{Computation, compute};
use super::{DISTANCES, Dimensions, LEAK, distance};

/// A recurrent layer.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Gates: candidate, forget, output; three numbers for each of the width.
    pub gates: Matrix,
    /// Their bias.
    pub bias: Vec<f32>,
    /// What the forget and the output gate see of the state before.
    pub peep: Vec<f32>,
}

/// The parameters.
#[derive(Clone, Debug)]
pub struct Network {
    /// Sizes.
    pub of: Dimensions,
    /// Recurrent layers.
    pub layers: Vec<Layer>,
    /// Projections: dependent and head of arcs, dependent and head of relations.
    pub projections: Matrix,
    /// Their bias.
    pub projection_bias: Vec<f32>,
    /// The biaffine product, and below it the scores of the distances.
    pub lift: Matrix,
    /// The score of a head as such.
    pub head_bias: Vec<f32>,
    /// The root as the head of an arc.
    pub arc_root: Vec<f32>,
    /// Embeddings of the distance for relations.
    pub label_distance: Vec<f32>,
    /// The root as the head of a relation.
    pub label_root: Vec<f32>,
    /// Scores of the relations.
    pub relations: Matrix,
    /// Their bias.
    pub relation_bias: Vec<f32>,
}

/// Space for one sentence, used again for the next.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The words: sums of embeddings, then what each layer makes of them.
    words: Vec<f32>,
    whole: Vec<i16>,
    twos: Vec<i32>,
    gates: Vec<f32>,
    projected: Vec<f32>,
    dependents: Vec<f32>,
    lifted: Vec<f32>,
    heads: Vec<f32>,
    pairs: Vec<f32>,
    /// Scores of the heads: a row for each word, the root first.
    pub arcs: Vec<f32>,
    /// Scores of the relations: a row for each word.
    pub relations: Vec<f32>,
}

/// The words of a text that are known by number: the sums of their embeddings and the gates of the first layer, a row each.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// Sums of embeddings.
    pub sums: Vec<f32>,
    gates: Vec<f32>,
}

impl Words {
    /// Forgets all words.
    pub fn clear(&mut self) {
        self.sums.clear();
        self.gates.clear();
    }
}

/// 1 / √x for x ≥ 1: a first guess by halving the exponent (Lomont 2003), then two steps of Newton's method, which leave
/// an error below 5 × 10⁻⁶. A root and a division take three times as long.
#[inline(always)]
fn inverse_root(x: f32) -> f32 {
    let guess = f32::from_bits(0x5f37_5a86 - (x.to_bits() >> 1));
    let half = 0.5 * x;
    let better = guess * (1.5 - half * guess * guess);
    better * (1.5 - half * better * better)
}

#[inline(always)]
fn bend(x: f32) -> f32 {
    x * inverse_root(1.0 + x * x)
}

#[inline(always)]
fn gate(x: f32) -> f32 {
    0.5 + 0.5 * bend(x)
}

#[inline(always)]
fn leaky(x: f32) -> f32 {
    if x > 0.0 { x } else { LEAK * x }
}

/// One direction of a layer over one word: `gates` are its three parts before bias and bending.
#[inline(always)]
fn step(gates: [&[f32]; 3], bias: [&[f32]; 3], peep: [&[f32]; 2], state: &mut [f32], words: &mut [f32]) {
    let n = state.len();
    let ([z, f, r], [bz, bf, br], [pf, pr]) = (gates, bias, peep);
    let (z, f, r) = (&z[..n], &f[..n], &r[..n]);
    let (bz, bf, br) = (&bz[..n], &bf[..n], &br[..n]);
    let (pf, pr, words) = (&pf[..n], &pr[..n], &mut words[..n]);
    for k in 0..n {
        let before = state[k];
        let forget = gate(f[k] + bf[k] + pf[k] * before);
        let out = gate(r[k] + br[k] + pr[k] * before);
        let now = forget * before + (1.0 - forget) * (z[k] + bz[k]);
        state[k] = now;
        words[k] = out * bend(now) + (1.0 - out) * words[k];
    }
}

/// Scoring the heads of a sentence, whose words are given by their numbers.
struct Arcs<'s> {
    network: &'s Network,
    known: &'s Words,
    words: &'s [u32],
    scratch: &'s mut Scratch,
}

/// Scoring the relations of its words to their heads.
struct Relations<'s> {
    network: &'s Network,
    heads: &'s [u32],
    scratch: &'s mut Scratch,
}

impl Network {
    /// Makes the gates of words whose sums were added to `known`.
    pub fn prepare(&self, known: &mut Words, scratch: &mut Scratch) {
        let (d, done) = (self.of.width, known.gates.len() / (3 * self.of.width));
        if done * d == known.sums.len() {
            return;
        }
        let Some(first) = self.layers.first() else { return };
        quantise(&known.sums[done * d..], &mut scratch.whole);
        first.gates.product(&scratch.whole, &mut scratch.twos, &mut scratch.gates);
        known.gates.extend_from_slice(&scratch.gates);
    }

    /// Scores the heads of words, given by their numbers in `known`, for which `prepare` was called.
    pub fn score_arcs(&self, known: &Words, words: &[u32], scratch: &mut Scratch) {
        compute(Arcs { network: self, known, words, scratch });
    }

    /// Scores the relations of the words to their heads (from 1; 0 is the root).
    pub fn score_relations(&self, heads: &[u32], scratch: &mut Scratch) {
        compute(Relations { network: self, heads, scratch });
    }
}

impl Computation for Arcs<'_> {
    #[inline(always)]
    fn run(self) {
        let Arcs { network, known, words, scratch } = self;
        let (d, k, half) = (network.of.width, network.of.arc, network.of.width / 2);
        let n = words.len();
        let mut state = vec![0f32; half];
        scratch.words.clear();
        for word in words {
            scratch.words.extend_from_slice(&known.sums[*word as usize * d..][..d]);
        }
        for (number, layer) in network.layers.iter().enumerate() {
            if number > 0 {
                quantise(&scratch.words, &mut scratch.whole);
                layer.gates.product(&scratch.whole, &mut scratch.twos, &mut scratch.gates);
            }
            for side in 0..2 {
                let own = side * half;
                let bias = [0, 1, 2].map(|number| &layer.bias[number * d + own..][..half]);
                let peep = [0, 1].map(|number| &layer.peep[number * d + own..][..half]);
                state.fill(0.0);
                for i in 0..n {
                    let t = if side == 0 { i } else { n - 1 - i };
                    let row = if number == 0 {
                        &known.gates[words[t] as usize * 3 * d..][..3 * d]
                    } else {
                        &scratch.gates[t * 3 * d..][..3 * d]
                    };
                    let gates = [0, 1, 2].map(|number| &row[number * d + own..][..half]);
                    step(gates, bias, peep, &mut state, &mut scratch.words[t * d + own..][..half]);
                }
            }
        }
        quantise(&scratch.words, &mut scratch.whole);
        network.projections.product(&scratch.whole, &mut scratch.twos, &mut scratch.projected);
        let width = network.of.projections();
        scratch.dependents.clear();
        scratch.heads.clear();
        scratch.heads.resize(n * k, 0.0);
        for (t, row) in scratch.projected.chunks_exact_mut(width).enumerate() {
            row.iter_mut().zip(&network.projection_bias).for_each(|(value, bias)| *value += bias);
            row[..2 * k].iter_mut().for_each(|value| *value = leaky(*value));
            scratch.dependents.extend_from_slice(&row[..k]);
            for (c, value) in row[k..2 * k].iter().enumerate() {
                scratch.heads[c * n + t] = *value;
            }
        }
        quantise(&scratch.dependents, &mut scratch.whole);
        network.lift.product(&scratch.whole, &mut scratch.twos, &mut scratch.lifted);
        scratch.arcs.clear();
        scratch.arcs.resize(n * (n + 1), 0.0);
        for (i, (lifted, out)) in
            scratch.lifted.chunks_exact_mut(k + DISTANCES).zip(scratch.arcs.chunks_exact_mut(n + 1)).enumerate()
        {
            let (own, far) = lifted.split_at_mut(k);
            own.iter_mut().zip(&network.head_bias).for_each(|(value, bias)| *value += bias);
            out[0] = far[0] + own.iter().zip(&network.arc_root).map(|(a, b)| a * b).sum::<f32>();
            let out = &mut out[1..];
            for (j, score) in out.iter_mut().enumerate() {
                *score = far[distance(i, j + 1)];
            }
            for (value, row) in own.iter().zip(scratch.heads.chunks_exact(n)) {
                out.iter_mut().zip(row).for_each(|(score, head)| *score += value * head);
            }
        }
    }
}

impl Computation for Relations<'_> {
    #[inline(always)]
    fn run(self) {
        let Relations { network, heads, scratch } = self;
        let (k, q, width) = (network.of.arc, network.of.label, network.of.projections());
        scratch.pairs.clear();
        for (i, head) in heads.iter().enumerate() {
            let class = distance(i, *head as usize);
            let own = &scratch.projected[i * width + 2 * k..][..q];
            let other = match *head as usize {
                0 => &network.label_root[..],
                head => &scratch.projected[(head - 1) * width + 2 * k + q..][..q],
            };
            let far = &network.label_distance[class * q..(class + 1) * q];
            scratch.pairs.extend(own.iter().zip(other).zip(far).map(|((a, b), c)| leaky(a + b + c)));
        }
        quantise(&scratch.pairs, &mut scratch.whole);
        network.relations.product(&scratch.whole, &mut scratch.twos, &mut scratch.relations);
        let rows = scratch.relations.chunks_exact_mut(network.of.relations);
        rows.for_each(|row| row.iter_mut().zip(&network.relation_bias).for_each(|(score, bias)| *score += bias));
    }
}
