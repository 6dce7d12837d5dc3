//! Products of matrices of whole numbers.
//!
//! Numbers of 16 bits, added up in 32: the compiler makes of it the instruction that multiplies and adds eight or more
//! pairs at once, and the sums are the same in every order.

/// Numbers of the network are multiplied by this before they are cut to whole ones; they stay below 2⁵ in size.
pub const UNIT: f32 = 1024.0;
const MOST: f32 = 31.0 * UNIT;
/// Rows of the left matrix that are worked on together.
const BLOCK: usize = 4;

/// A matrix of weights, a row for each number of the result.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    weights: Vec<i16>,
    scale: f32,
}

/// Cuts numbers to whole ones.
pub fn quantise(values: &[f32], out: &mut Vec<i16>) {
    out.clear();
    out.extend(values.iter().map(|value| whole(value * UNIT)));
}

/// The nearest whole number.
#[inline]
fn whole(value: f32) -> i16 {
    // Adding 1.5 × 2²³ leaves no place for digits behind the point; what stays are the lowest bits.
    const SHIFT: f32 = 12_582_912.0;
    let near = value.clamp(-MOST, MOST) + SHIFT;
    near.to_bits() as i16
}

#[inline]
fn dot(a: &[i16], b: &[i16]) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

impl Matrix {
    /// A matrix of whole numbers, each `1 / scale` of its true value.
    pub fn new(columns: usize, weights: Vec<i16>, scale: f32) -> Self {
        Matrix { rows: weights.len() / columns, columns, weights, scale: 1.0 / (scale * UNIT) }
    }

    /// The scale at which weights fit and no sum of a product overflows.
    pub fn scale_of(columns: usize, weights: &[f32]) -> f32 {
        let largest = weights.iter().fold(0f32, |most, w| most.max(w.abs()));
        let heaviest = weights.chunks(columns).map(|row| row.iter().map(|w| w.abs()).sum()).fold(0f32, f32::max);
        // Half a unit more for each weight, as much as rounding may add.
        let by_sum = (i32::MAX as f32 / MOST - columns as f32) / heaviest.max(1e-6);
        by_sum.min(32_000.0 / largest.max(1e-6)).min(16_384.0)
    }

    /// `x` (rows of `columns` numbers) times this matrix transposed.
    pub fn product(&self, x: &[i16], out: &mut Vec<f32>) {
        let (i, o) = (self.columns, self.rows);
        let n = x.len() / i;
        out.clear();
        out.resize(n * o, 0.0);
        let (mut blocks, mut from) = (x.chunks_exact(BLOCK * i), 0);
        for block in &mut blocks {
            let (x0, rest) = block.split_at(i);
            let (x1, rest) = rest.split_at(i);
            let (x2, x3) = rest.split_at(i);
            for (r, row) in self.weights.chunks_exact(i).enumerate() {
                let (mut a, mut b, mut c, mut d) = (0i32, 0i32, 0i32, 0i32);
                #[allow(clippy::needless_range_loop, reason = "five arrays side by side")]
                for k in 0..i {
                    let w = i32::from(row[k]);
                    a += w * i32::from(x0[k]);
                    b += w * i32::from(x1[k]);
                    c += w * i32::from(x2[k]);
                    d += w * i32::from(x3[k]);
                }
                for (place, sum) in [a, b, c, d].into_iter().enumerate() {
                    out[(from + place) * o + r] = sum as f32 * self.scale;
                }
            }
            from += BLOCK;
        }
        for x in blocks.remainder().chunks_exact(i) {
            for (r, row) in self.weights.chunks_exact(i).enumerate() {
                out[from * o + r] = dot(row, x) as f32 * self.scale;
            }
            from += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_in_floating_point() {
        let (columns, rows, n) = (16, 5, 7);
        let weights: Vec<f32> = (0..columns * rows).map(|i| ((i * 37 % 101) as f32 - 50.0) / 40.0).collect();
        let x: Vec<f32> = (0..columns * n).map(|i| ((i * 53 % 89) as f32 - 44.0) / 11.0).collect();
        let scale = Matrix::scale_of(columns, &weights);
        let matrix = Matrix::new(columns, weights.iter().map(|w| (w * scale).round() as i16).collect(), scale);
        let (mut whole, mut out) = (Vec::new(), Vec::new());
        quantise(&x, &mut whole);
        matrix.product(&whole, &mut out);
        for (i, found) in out.iter().enumerate() {
            let (row, of) = (i / rows, i % rows);
            let exact: f32 = (0..columns).map(|k| x[row * columns + k] * weights[of * columns + k]).sum();
            assert!((found - exact).abs() < 0.01 * (1.0 + exact.abs()), "{found} {exact}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_cut() {
        let mut out = Vec::new();
        quantise(&[0.5 / UNIT * 3.0, -1e9, 1e9, -0.25], &mut out);
        assert_eq!(out, [2, -31 * 1024, 31 * 1024, -256]);
    }
}
