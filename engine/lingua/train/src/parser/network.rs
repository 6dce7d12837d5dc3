//! The network of the parser in floating point, forwards and backwards.
//!
//! A word is the sum of the embeddings of its keys. Bidirectional layers of simple recurrent units (SRU, Lei et al. 2018)
//! read the sentence; all their products are over whole sentences, which makes them fast. Heads are scored by a
//! biaffine product (Dozat & Manning 2017) with embeddings of the distance, relations by a small layer over both words.
//! Sigmoid and hyperbolic tangent are the algebraic ones, x / √(1 + x²): they need no table and give the same bits
//! everywhere. The runtime computes the same with whole numbers (`glosa_lingua::parser`).

#![allow(clippy::needless_range_loop, reason = "one number of several arrays after the other, as the formulas have it")]

use glosa_lingua::parser::{DISTANCES, Dimensions, LEAK, distance};
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, ShapeBuilder};
use std::ops::Range;

/// Where the parts of the network lie among its parameters.
#[derive(Clone, Debug)]
pub struct Places {
    /// Of each layer: gates, their bias, what they see of the state.
    pub layers: Vec<[Range<usize>; 3]>,
    /// Projections for arcs (dependent, head) and relations (dependent, head), and their bias.
    pub projections: Range<usize>,
    /// Bias of the projections.
    pub projection_bias: Range<usize>,
    /// The biaffine product and the score of a head as such.
    pub bilinear: Range<usize>,
    /// The score of a head as such.
    pub head_bias: Range<usize>,
    /// Embeddings of the distance, for arcs.
    pub arc_distance: Range<usize>,
    /// The root as a head, for arcs.
    pub arc_root: Range<usize>,
    /// Embeddings of the distance, for relations.
    pub label_distance: Range<usize>,
    /// The root as a head, for relations.
    pub label_root: Range<usize>,
    /// Weights of the relations.
    pub relations: Range<usize>,
    /// Their bias.
    pub relation_bias: Range<usize>,
    /// All parameters.
    pub total: usize,
}

impl Places {
    /// The places of a network of some dimensions.
    pub fn new(of: &Dimensions) -> Self {
        let mut total = 0;
        let mut take = |size: usize| {
            total += size;
            total - size..total
        };
        let d = of.width;
        let layers = (0..of.layers).map(|_| [take(3 * d * d), take(3 * d), take(2 * d)]).collect();
        let projections = take(of.projections() * d);
        let projection_bias = take(of.projections());
        let bilinear = take(of.arc * of.arc);
        let head_bias = take(of.arc);
        let arc_distance = take(DISTANCES * of.arc);
        let arc_root = take(of.arc);
        let label_distance = take(DISTANCES * of.label);
        let label_root = take(of.label);
        let relations = take(of.relations * of.label);
        let relation_bias = take(of.relations);
        Places {
            layers,
            projections,
            projection_bias,
            bilinear,
            head_bias,
            arc_distance,
            arc_root,
            label_distance,
            label_root,
            relations,
            relation_bias,
            total,
        }
    }
}

/// Random numbers, the same everywhere (xorshift*).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    /// From 0 to 1.
    pub fn share(&mut self) -> f32 {
        (self.draw() >> 40) as f32 / (1u64 << 24) as f32
    }
    /// Normally distributed, about (sum of uniform ones).
    pub fn normal(&mut self) -> f32 {
        (0..12).map(|_| self.share()).sum::<f32>() - 6.0
    }
}

/// Parameters at the start of a training.
pub fn initial(of: &Dimensions, random: &mut Random) -> Vec<f32> {
    let places = Places::new(of);
    let mut all = vec![0f32; places.total];
    let mut fill = |range: &Range<usize>, spread: f32| {
        all[range.clone()].iter_mut().for_each(|value| *value = random.normal() * spread);
    };
    let wide = (1.0 / of.width as f32).sqrt();
    for [gates, _, state] in &places.layers {
        fill(gates, wide);
        fill(state, 0.1);
    }
    fill(&places.projections, wide);
    fill(&places.bilinear, (1.0 / of.arc as f32).sqrt() * 0.5);
    fill(&places.arc_root, 0.2);
    fill(&places.label_root, 0.2);
    fill(&places.relations, (1.0 / of.label as f32).sqrt());
    // Forget gates begin with a spread of memories, from the neighbour to the whole sentence.
    for [_, bias, _] in &places.layers {
        for i in 0..of.width {
            all[bias.start + of.width + i] = 2.0 * (i % 8) as f32 / 8.0;
        }
    }
    all
}

fn matrix(data: &[f32], rows: usize, columns: usize) -> ArrayView2<'_, f32> {
    ArrayView2::from_shape((rows, columns), &data[..rows * columns]).expect("the size of a matrix")
}

fn transposed(data: &[f32], rows: usize, columns: usize) -> ArrayView2<'_, f32> {
    ArrayView2::from_shape((columns, rows).f(), &data[..rows * columns]).expect("the size of a matrix")
}

fn matrix_mut(data: &mut [f32], rows: usize, columns: usize) -> ArrayViewMut2<'_, f32> {
    ArrayViewMut2::from_shape((rows, columns), &mut data[..rows * columns]).expect("the size of a matrix")
}

/// out (n × o) = x (n × i) · w (o × i) transposed.
fn forwards(x: &[f32], w: &[f32], out: &mut [f32], n: usize, i: usize, o: usize) {
    general_mat_mul(1.0, &matrix(x, n, i), &transposed(w, o, i), 0.0, &mut matrix_mut(out, n, o));
}

/// dx (n × i) += dy (n × o) · w (o × i); dw (o × i) += dy transposed · x. The sizes are n, i, o.
fn backwards(x: &[f32], w: &[f32], dy: &[f32], dx: &mut [f32], dw: &mut [f32], [n, i, o]: [usize; 3]) {
    general_mat_mul(1.0, &matrix(dy, n, o), &matrix(w, o, i), 1.0, &mut matrix_mut(dx, n, i));
    general_mat_mul(1.0, &transposed(dy, n, o), &matrix(x, n, i), 1.0, &mut matrix_mut(dw, o, i));
}

#[inline]
fn bend(x: f32) -> f32 {
    x / (1.0 + x * x).sqrt()
}

/// The derivative of [`bend`] from its value.
#[inline]
fn slope(y: f32) -> f32 {
    let rest = (1.0 - y * y).max(0.0);
    rest * rest.sqrt()
}

#[inline]
fn gate(x: f32) -> f32 {
    0.5 + 0.5 * bend(x)
}

/// The derivative of [`gate`] from its value.
#[inline]
fn gate_slope(y: f32) -> f32 {
    0.5 * slope(2.0 * y - 1.0)
}

#[inline]
fn leaky(x: f32) -> f32 {
    if x > 0.0 { x } else { LEAK * x }
}

/// What a layer keeps for the way back.
#[derive(Clone, Debug, Default)]
struct Layer {
    input: Vec<f32>,
    mask: Vec<f32>,
    gates: Vec<f32>,
    state: Vec<f32>,
}

/// The sentences of one step: words one after the other.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Where each sentence begins, and the end.
    pub starts: Vec<usize>,
    /// Heads in the sentence (0 is the root), if known.
    pub heads: Vec<Option<u32>>,
    /// Numbers of the relations.
    pub relations: Vec<Option<u16>>,
    /// What each sentence counts.
    pub weights: Vec<f32>,
}

/// The network at work.
pub struct Network<'p> {
    of: Dimensions,
    places: Places,
    all: &'p [f32],
    layers: Vec<Layer>,
    top: Vec<f32>,
    top_mask: Vec<f32>,
    projected: Vec<f32>,
    lifted: Vec<f32>,
    far: Vec<f32>,
}

/// Shares of inputs left out at random in training.
#[derive(Clone, Copy, Debug, Default)]
pub struct Drop {
    /// Of the input of each layer.
    pub layer: f32,
    /// Of the input of the projections.
    pub top: f32,
}

fn drop_out(values: &mut [f32], mask: &mut Vec<f32>, share: f32, random: &mut Random) {
    mask.clear();
    if share <= 0.0 {
        mask.resize(values.len(), 1.0);
        return;
    }
    let kept = 1.0 / (1.0 - share);
    mask.extend((0..values.len()).map(|_| if random.share() < share { 0.0 } else { kept }));
    values.iter_mut().zip(mask.iter()).for_each(|(value, mask)| *value *= mask);
}

/// The words of a sentence in the order in which a direction reads them.
fn order(from: usize, to: usize, side: usize) -> impl Iterator<Item = usize> {
    (0..to - from).map(move |i| if side == 0 { from + i } else { to - 1 - i })
}

/// The gradient of the parameters, and of the input.
#[derive(Clone, Debug, Default)]
pub struct Gradient {
    /// Of the parameters.
    pub all: Vec<f32>,
    /// Of the sums of embeddings.
    pub input: Vec<f32>,
}

/// Losses of a batch, summed over its words.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loss {
    /// Of the heads.
    pub arcs: f32,
    /// Of the relations.
    pub relations: f32,
}

/// Natural logarithm of the sum of exponentials; `values` become probabilities.
fn softmax(values: &mut [f32]) -> f32 {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for value in values.iter_mut() {
        *value = (*value - most).exp();
        sum += *value;
    }
    values.iter_mut().for_each(|value| *value /= sum);
    most + sum.ln()
}

impl<'p> Network<'p> {
    /// A network over its parameters.
    pub fn new(of: Dimensions, all: &'p [f32]) -> Self {
        let places = Places::new(&of);
        assert_eq!(all.len(), places.total);
        let layers = vec![Layer::default(); of.layers];
        let none = Vec::new;
        Network {
            of,
            places,
            all,
            layers,
            top: none(),
            top_mask: none(),
            projected: none(),
            lifted: none(),
            far: none(),
        }
    }

    /// Reads sentences, from the sums of embeddings to what heads and relations are scored with.
    pub fn read(&mut self, input: &[f32], starts: &[usize], drop: Drop, random: &mut Random) {
        let d = self.of.width;
        let n = input.len() / d;
        let half = d / 2;
        let mut values = input.to_vec();
        let mut state = vec![0f32; half];
        for (layer, [gates, bias, peep]) in self.layers.iter_mut().zip(&self.places.layers) {
            layer.input.clone_from(&values);
            drop_out(&mut values, &mut layer.mask, drop.layer, random);
            layer.gates.resize(n * 3 * d, 0.0);
            forwards(&values, &self.all[gates.clone()], &mut layer.gates, n, d, 3 * d);
            layer.state.resize(n * d, 0.0);
            let (bias, peep) = (&self.all[bias.clone()], &self.all[peep.clone()]);
            for sentence in starts.windows(2) {
                for side in 0..2 {
                    state.fill(0.0);
                    let own = side * half..(side + 1) * half;
                    let (bz, bf, br) =
                        (&bias[..d][own.clone()], &bias[d..2 * d][own.clone()], &bias[2 * d..][own.clone()]);
                    let (pf, pr) = (&peep[..d][own.clone()], &peep[d..][own.clone()]);
                    for t in order(sentence[0], sentence[1], side) {
                        let row = &mut layer.gates[t * 3 * d..(t + 1) * 3 * d];
                        let (z, rest) = row.split_at_mut(d);
                        let (f, r) = rest.split_at_mut(d);
                        let (z, f, r) = (&mut z[own.clone()], &mut f[own.clone()], &mut r[own.clone()]);
                        let input = &layer.input[t * d..(t + 1) * d][own.clone()];
                        let kept = &mut layer.state[t * d..(t + 1) * d][own.clone()];
                        let out = &mut values[t * d..(t + 1) * d][own.clone()];
                        for k in 0..half {
                            let before = state[k];
                            z[k] += bz[k];
                            f[k] = gate(f[k] + bf[k] + pf[k] * before);
                            r[k] = gate(r[k] + br[k] + pr[k] * before);
                            let now = f[k] * before + (1.0 - f[k]) * z[k];
                            state[k] = now;
                            kept[k] = now;
                            out[k] = r[k] * bend(now) + (1.0 - r[k]) * input[k];
                        }
                    }
                }
            }
        }
        drop_out(&mut values, &mut self.top_mask, drop.top, random);
        self.top = values;
        let width = self.of.projections();
        self.projected.resize(n * width, 0.0);
        forwards(&self.top, &self.all[self.places.projections.clone()], &mut self.projected, n, d, width);
        let bias = &self.all[self.places.projection_bias.clone()];
        let (k, arcs) = (self.of.arc, 2 * self.of.arc);
        for row in self.projected.chunks_exact_mut(width) {
            row.iter_mut().zip(bias).for_each(|(value, bias)| *value += bias);
            row[..arcs].iter_mut().for_each(|value| *value = leaky(*value));
        }
        let dependents = self.dependents();
        self.lifted.resize(n * k, 0.0);
        forwards(&dependents, &self.all[self.places.bilinear.clone()], &mut self.lifted, n, k, k);
        let bias = &self.all[self.places.head_bias.clone()];
        self.lifted.chunks_exact_mut(k).for_each(|row| row.iter_mut().zip(bias).for_each(|(v, b)| *v += b));
        self.far.resize(n * DISTANCES, 0.0);
        forwards(&dependents, &self.all[self.places.arc_distance.clone()], &mut self.far, n, k, DISTANCES);
    }

    /// What dependents are scored with, as a matrix of its own.
    fn dependents(&self) -> Vec<f32> {
        self.projected.chunks_exact(self.of.projections()).flat_map(|row| &row[..self.of.arc]).copied().collect()
    }

    /// The same for heads, words `from..to`.
    fn heads(&self, from: usize, to: usize) -> Vec<f32> {
        let (width, k) = (self.of.projections(), self.of.arc);
        let rows = self.projected[from * width..to * width].chunks_exact(width);
        rows.flat_map(|row| &row[k..2 * k]).copied().collect()
    }

    /// The scores of all heads of the words of the sentence at `from..to`: a row for each word, the root first.
    pub fn arcs(&self, from: usize, to: usize, scores: &mut Vec<f32>) {
        let (n, k) = (to - from, self.of.arc);
        let lifted = &self.lifted[from * k..to * k];
        let mut products = vec![0f32; n * n];
        forwards(lifted, &self.heads(from, to), &mut products, n, k, n);
        let root = &self.all[self.places.arc_root.clone()];
        scores.clear();
        for i in 0..n {
            let far = &self.far[(from + i) * DISTANCES..(from + i + 1) * DISTANCES];
            let own = lifted[i * k..(i + 1) * k].iter().zip(root).map(|(a, b)| a * b).sum::<f32>();
            scores.push(own + far[0]);
            scores.extend((0..n).map(|j| products[i * n + j] + far[distance(i, j + 1)]));
        }
    }

    /// The hidden layer of the relation of each word to its head; words without a head are left at zero.
    fn pairs(&self, batch: &Batch) -> Vec<f32> {
        let (width, k, q) = (self.of.projections(), self.of.arc, self.of.label);
        let far = &self.all[self.places.label_distance.clone()];
        let root = &self.all[self.places.label_root.clone()];
        let mut pairs = vec![0f32; batch.heads.len() * q];
        for sentence in batch.starts.windows(2) {
            for i in sentence[0]..sentence[1] {
                let Some(head) = batch.heads[i] else { continue };
                let head = head as usize;
                let class = distance(i - sentence[0], head);
                let own = &self.projected[i * width + 2 * k..][..q];
                let other =
                    if head == 0 { root } else { &self.projected[(sentence[0] + head - 1) * width + 2 * k + q..][..q] };
                let far = &far[class * q..(class + 1) * q];
                let out = &mut pairs[i * q..(i + 1) * q];
                for c in 0..q {
                    out[c] = leaky(own[c] + other[c] + far[c]);
                }
            }
        }
        pairs
    }

    /// The scores of all relations of each word to its head.
    pub fn relations(&self, batch: &Batch) -> Vec<f32> {
        let (q, r, n) = (self.of.label, self.of.relations, batch.heads.len());
        let mut scores = vec![0f32; n * r];
        forwards(&self.pairs(batch), &self.all[self.places.relations.clone()], &mut scores, n, q, r);
        let bias = &self.all[self.places.relation_bias.clone()];
        scores.chunks_exact_mut(r).for_each(|row| row.iter_mut().zip(bias).for_each(|(s, b)| *s += b));
        scores
    }

    /// The loss of the last sentences read, and its gradient.
    pub fn learn(&self, batch: &Batch, gradient: &mut Gradient) -> Loss {
        let mut loss = Loss::default();
        let (d, k, q, width) = (self.of.width, self.of.arc, self.of.label, self.of.projections());
        let n = batch.heads.len();
        gradient.all.clear();
        gradient.all.resize(self.places.total, 0.0);
        let places = &self.places;
        let mut projected = vec![0f32; n * width];
        let mut lifted = vec![0f32; n * k];
        let mut far = vec![0f32; n * DISTANCES];
        let mut scores = Vec::new();
        for (sentence, weight) in batch.starts.windows(2).zip(&batch.weights) {
            let (from, to) = (sentence[0], sentence[1]);
            let m = to - from;
            self.arcs(from, to, &mut scores);
            let mut products = vec![0f32; m * m];
            let root = &mut gradient.all[places.arc_root.clone()];
            for i in 0..m {
                let row = &mut scores[i * (m + 1)..(i + 1) * (m + 1)];
                row[i + 1] = f32::NEG_INFINITY;
                let Some(gold) = batch.heads[from + i] else { continue };
                let gold_score = row[gold as usize];
                loss.arcs += weight * (softmax(row) - gold_score);
                row[gold as usize] -= 1.0;
                row.iter_mut().for_each(|value| *value *= weight);
                let far = &mut far[(from + i) * DISTANCES..(from + i + 1) * DISTANCES];
                far[0] += row[0];
                let own = &self.lifted[(from + i) * k..(from + i + 1) * k];
                root.iter_mut().zip(own).for_each(|(g, v)| *g += row[0] * v);
                for j in 0..m {
                    far[distance(i, j + 1)] += row[j + 1];
                }
                products[i * m..(i + 1) * m].copy_from_slice(&row[1..]);
                let root = &self.all[places.arc_root.clone()];
                let out = &mut lifted[(from + i) * k..(from + i + 1) * k];
                out.iter_mut().zip(root).for_each(|(g, v)| *g += row[0] * v);
            }
            let heads = self.heads(from, to);
            let mut heads_gradient = vec![0f32; m * k];
            let own = &self.lifted[from * k..to * k];
            general_mat_mul(
                1.0,
                &matrix(&products, m, m),
                &matrix(&heads, m, k),
                1.0,
                &mut matrix_mut(&mut lifted[from * k..to * k], m, k),
            );
            general_mat_mul(
                1.0,
                &transposed(&products, m, m),
                &matrix(own, m, k),
                0.0,
                &mut matrix_mut(&mut heads_gradient, m, k),
            );
            for j in 0..m {
                let out = &mut projected[(from + j) * width + k..][..k];
                out.iter_mut().zip(&heads_gradient[j * k..(j + 1) * k]).for_each(|(g, v)| *g += v);
            }
        }
        for row in lifted.chunks_exact(k) {
            let bias = &mut gradient.all[places.head_bias.clone()];
            bias.iter_mut().zip(row).for_each(|(g, v)| *g += v);
        }
        let dependents = self.dependents();
        let mut own = vec![0f32; n * k];
        let weights = |range: &Range<usize>| &self.all[range.clone()];
        backwards(
            &dependents,
            weights(&places.bilinear),
            &lifted,
            &mut own,
            &mut gradient.all[places.bilinear.clone()],
            [n, k, k],
        );
        backwards(
            &dependents,
            weights(&places.arc_distance),
            &far,
            &mut own,
            &mut gradient.all[places.arc_distance.clone()],
            [n, k, DISTANCES],
        );
        for (row, own) in projected.chunks_exact_mut(width).zip(own.chunks_exact(k)) {
            row[..k].iter_mut().zip(own).for_each(|(g, v)| *g += v);
        }
        // Relations.
        let r = self.of.relations;
        let pairs = self.pairs(batch);
        let mut scores = self.relations(batch);
        for (sentence, weight) in batch.starts.windows(2).zip(&batch.weights) {
            for i in sentence[0]..sentence[1] {
                let row = &mut scores[i * r..(i + 1) * r];
                match (batch.heads[i], batch.relations[i]) {
                    (Some(_), Some(gold)) => {
                        let gold_score = row[usize::from(gold)];
                        loss.relations += weight * (softmax(row) - gold_score);
                        row[usize::from(gold)] -= 1.0;
                        row.iter_mut().for_each(|value| *value *= weight);
                    }
                    _ => row.fill(0.0),
                }
                let bias = &mut gradient.all[places.relation_bias.clone()];
                bias.iter_mut().zip(&scores[i * r..(i + 1) * r]).for_each(|(g, v)| *g += v);
            }
        }
        let mut pairs_gradient = vec![0f32; n * q];
        backwards(
            &pairs,
            weights(&places.relations),
            &scores,
            &mut pairs_gradient,
            &mut gradient.all[places.relations.clone()],
            [n, q, r],
        );
        for sentence in batch.starts.windows(2) {
            for i in sentence[0]..sentence[1] {
                let Some(head) = batch.heads[i] else { continue };
                let head = head as usize;
                let class = distance(i - sentence[0], head);
                for c in 0..q {
                    let g = pairs_gradient[i * q + c] * if pairs[i * q + c] > 0.0 { 1.0 } else { LEAK };
                    projected[i * width + 2 * k + c] += g;
                    gradient.all[places.label_distance.start + class * q + c] += g;
                    if head == 0 {
                        gradient.all[places.label_root.start + c] += g;
                    } else {
                        projected[(sentence[0] + head - 1) * width + 2 * k + q + c] += g;
                    }
                }
            }
        }
        // The projections and the layers below.
        for (row, value) in projected.chunks_exact_mut(width).zip(self.projected.chunks_exact(width)) {
            for c in 0..2 * k {
                if value[c] <= 0.0 {
                    row[c] *= LEAK;
                }
            }
            let bias = &mut gradient.all[places.projection_bias.clone()];
            bias.iter_mut().zip(row.iter()).for_each(|(g, v)| *g += v);
        }
        let mut above = vec![0f32; n * d];
        backwards(
            &self.top,
            weights(&places.projections),
            &projected,
            &mut above,
            &mut gradient.all[places.projections.clone()],
            [n, d, width],
        );
        above.iter_mut().zip(&self.top_mask).for_each(|(g, mask)| *g *= mask);
        for (layer, at) in self.layers.iter().zip(&places.layers).rev() {
            above = self.learn_layer(layer, at, &batch.starts, &above, gradient);
        }
        gradient.input = above;
        loss
    }

    fn learn_layer(
        &self,
        layer: &Layer,
        at: &[Range<usize>; 3],
        starts: &[usize],
        above: &[f32],
        gradient: &mut Gradient,
    ) -> Vec<f32> {
        let d = self.of.width;
        let (n, half) = (above.len() / d, d / 2);
        let [gates, bias, peep] = at;
        let peep_values = &self.all[peep.clone()];
        let mut gates_gradient = vec![0f32; n * 3 * d];
        let mut below = vec![0f32; n * d];
        let mut carry = vec![0f32; half];
        for sentence in starts.windows(2) {
            for side in 0..2 {
                carry.fill(0.0);
                let own = side * half..(side + 1) * half;
                let (pf, pr) = (&peep_values[..d][own.clone()], &peep_values[d..][own.clone()]);
                let first = if side == 0 { sentence[0] } else { sentence[1].wrapping_sub(1) };
                for t in order(sentence[0], sentence[1], 1 - side) {
                    let before = if t == first {
                        None
                    } else {
                        let earlier = if side == 0 { t - 1 } else { t + 1 };
                        Some(&layer.state[earlier * d..(earlier + 1) * d][own.clone()])
                    };
                    let row = &layer.gates[t * 3 * d..(t + 1) * 3 * d];
                    let (z, f, r) = (&row[..d][own.clone()], &row[d..2 * d][own.clone()], &row[2 * d..][own.clone()]);
                    let input = &layer.input[t * d..(t + 1) * d][own.clone()];
                    let state = &layer.state[t * d..(t + 1) * d][own.clone()];
                    let dh = &above[t * d..(t + 1) * d][own.clone()];
                    let out = &mut gates_gradient[t * 3 * d..(t + 1) * 3 * d];
                    let (oz, rest) = out.split_at_mut(d);
                    let (of, or) = rest.split_at_mut(d);
                    let (oz, of, or) = (&mut oz[own.clone()], &mut of[own.clone()], &mut or[own.clone()]);
                    let below = &mut below[t * d..(t + 1) * d][own.clone()];
                    let (dpf, dpr) = gradient.all[peep.clone()].split_at_mut(d);
                    let (dpf, dpr) = (&mut dpf[own.clone()], &mut dpr[own.clone()]);
                    for c in 0..half {
                        let bent = bend(state[c]);
                        let last = before.map_or(0.0, |before| before[c]);
                        let dr = dh[c] * (bent - input[c]) * gate_slope(r[c]);
                        below[c] += dh[c] * (1.0 - r[c]);
                        let dc = carry[c] + dh[c] * r[c] * slope(bent);
                        let df = dc * (last - z[c]) * gate_slope(f[c]);
                        oz[c] = dc * (1.0 - f[c]);
                        of[c] = df;
                        or[c] = dr;
                        dpf[c] += df * last;
                        dpr[c] += dr * last;
                        carry[c] = dc * f[c] + df * pf[c] + dr * pr[c];
                    }
                }
            }
        }
        for row in gates_gradient.chunks_exact(3 * d) {
            gradient.all[bias.clone()].iter_mut().zip(row).for_each(|(g, v)| *g += v);
        }
        let dropped: Vec<f32> = layer.input.iter().zip(&layer.mask).map(|(value, mask)| value * mask).collect();
        let mut inside = vec![0f32; n * d];
        backwards(
            &dropped,
            &self.all[gates.clone()],
            &gates_gradient,
            &mut inside,
            &mut gradient.all[gates.clone()],
            [n, d, 3 * d],
        );
        below.iter_mut().zip(inside.iter().zip(&layer.mask)).for_each(|(g, (v, mask))| *g += v * mask);
        below
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gradient agrees with the difference that a small step makes.
    #[test]
    fn gradient_by_differences() {
        let of = Dimensions { width: 8, layers: 2, arc: 4, label: 6, relations: 5 };
        let mut random = Random::new(3);
        let all = initial(&of, &mut random);
        let input: Vec<f32> = (0..7 * 8).map(|_| random.normal()).collect();
        let batch = Batch {
            starts: vec![0, 4, 7],
            heads: vec![Some(2), Some(0), Some(2), Some(3), Some(0), None, Some(1)],
            relations: vec![Some(1), Some(0), Some(2), None, Some(0), None, Some(4)],
            weights: vec![1.0, 0.5],
        };
        let loss = |all: &[f32], input: &[f32]| {
            let mut network = Network::new(of, all);
            network.read(input, &batch.starts, Drop::default(), &mut Random::new(1));
            let mut gradient = Gradient::default();
            let loss = network.learn(&batch, &mut gradient);
            (f64::from(loss.arcs + loss.relations), gradient)
        };
        let (_, gradient) = loss(&all, &input);
        const STEP: f32 = 1e-2;
        let close =
            |numeric: f64, exact: f32| (numeric - f64::from(exact)).abs() < 0.02 * (1.0 + f64::from(exact).abs());
        for i in 0..all.len() {
            let (mut more, mut less) = (all.clone(), all.clone());
            more[i] += STEP;
            less[i] -= STEP;
            let numeric = (loss(&more, &input).0 - loss(&less, &input).0) / f64::from(2.0 * STEP);
            assert!(close(numeric, gradient.all[i]), "parameter {i}: {numeric} {}", gradient.all[i]);
        }
        for i in 0..input.len() {
            let (mut more, mut less) = (input.clone(), input.clone());
            more[i] += STEP;
            less[i] -= STEP;
            let numeric = (loss(&all, &more).0 - loss(&all, &less).0) / f64::from(2.0 * STEP);
            assert!(close(numeric, gradient.input[i]), "input {i}: {numeric} {}", gradient.input[i]);
        }
    }
}
