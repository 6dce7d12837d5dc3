//! Products of matrices of whole numbers.
//!
//! Numbers of 16 bits, added up in 32. Two columns go together: the instruction that multiplies eight or sixteen pairs at
//! once and adds their halves (`madd`) takes sixteen rows of the left matrix, which are kept side by side for it. All
//! machines find the same sums, those without the instruction more slowly.

/// Numbers of the network are multiplied by this before they are cut to whole ones; they stay below 2⁵ in size.
pub const UNIT: f32 = 1024.0;
const MOST: f32 = 31.0 * UNIT;
/// Rows of weights that lie side by side.
const ROWS: usize = 16;

/// Two columns of [`ROWS`] rows.
type Pairs = [i16; 2 * ROWS];

/// A matrix of weights, a row for each number of the result.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    /// For each group of rows its pairs of columns; rows and columns that are missing are zero.
    weights: Vec<Pairs>,
    scale: f32,
}

/// Cuts numbers to whole ones.
#[inline(always)]
pub fn quantise(values: &[f32], out: &mut Vec<i16>) {
    out.clear();
    out.extend(values.iter().map(|value| whole(value * UNIT)));
}

/// The nearest whole number.
#[inline(always)]
fn whole(value: f32) -> i16 {
    // Adding 1.5 × 2²³ leaves no place for digits behind the point; what stays are the lowest bits.
    const SHIFT: f32 = 12_582_912.0;
    let near = value.clamp(-MOST, MOST) + SHIFT;
    near.to_bits() as i16
}

/// A product in the making: pairs of the right matrix, its rows one after the other.
struct Product<'p> {
    matrix: &'p Matrix,
    x: &'p [i32],
    out: &'p mut [f32],
}

impl Product<'_> {
    fn pairs(&self) -> usize {
        self.matrix.columns.div_ceil(2)
    }

    /// On any machine.
    fn plain(self) {
        let (pairs, rows) = (self.pairs(), self.matrix.rows);
        for (x, out) in self.x.chunks_exact(pairs).zip(self.out.chunks_exact_mut(rows)) {
            for (group, out) in self.matrix.weights.chunks_exact(pairs).zip(out.chunks_mut(ROWS)) {
                let mut sums = [0i32; ROWS];
                for (weights, pair) in group.iter().zip(x) {
                    let (a, b) = (i32::from(*pair as i16), *pair >> 16);
                    for (sum, own) in sums.iter_mut().zip(weights.as_chunks::<2>().0) {
                        *sum += i32::from(own[0]) * a + i32::from(own[1]) * b;
                    }
                }
                out.iter_mut().zip(sums).for_each(|(out, sum)| *out = sum as f32 * self.matrix.scale);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    //! The product with 256 bits at a time.

    use super::{Product, ROWS};
    use pulp::x86::V3;
    use pulp::{NullaryFnOnce, cast};
    use std::array::from_fn;

    /// Rows of the right matrix that share what is loaded of the left one.
    const TOGETHER: usize = 4;

    struct Wide<'p> {
        cpu: V3,
        product: Product<'p>,
    }

    /// Whether the processor could do it.
    pub(super) fn done(product: Product<'_>) -> Result<(), Product<'_>> {
        match V3::try_new() {
            Some(cpu) => {
                cpu.vectorize(Wide { cpu, product });
                Ok(())
            }
            None => Err(product),
        }
    }

    impl NullaryFnOnce for Wide<'_> {
        type Output = ();

        #[inline(always)]
        fn call(mut self) {
            let n = self.product.x.len() / self.product.pairs();
            let mut from = 0;
            while from + TOGETHER <= n {
                self.block::<TOGETHER>(from);
                from += TOGETHER;
            }
            while from < n {
                self.block::<1>(from);
                from += 1;
            }
        }
    }

    impl Wide<'_> {
        // Loops rather than closures: what is not inlined loses the instructions.
        #[allow(clippy::needless_range_loop, reason = "several arrays side by side")]
        #[inline(always)]
        fn block<const N: usize>(&mut self, from: usize) {
            let (cpu, pairs) = (self.cpu, self.product.pairs());
            let (rows, scale) = (self.product.matrix.rows, self.product.matrix.scale);
            let x: [&[i32]; N] = from_fn(|i| &self.product.x[(from + i) * pairs..][..pairs]);
            for (number, group) in self.product.matrix.weights.chunks_exact(pairs).enumerate() {
                let mut sums = [[cpu.avx._mm256_setzero_si256(); 2]; N];
                for (k, weights) in group.iter().enumerate() {
                    let [first, second]: [[i16; ROWS]; 2] = cast(*weights);
                    let (first, second) = (cast(first), cast(second));
                    for i in 0..N {
                        let pair = cpu.avx._mm256_set1_epi32(x[i][k]);
                        let [a, b] = sums[i];
                        let a = cpu.avx2._mm256_add_epi32(a, cpu.avx2._mm256_madd_epi16(first, pair));
                        let b = cpu.avx2._mm256_add_epi32(b, cpu.avx2._mm256_madd_epi16(second, pair));
                        sums[i] = [a, b];
                    }
                }
                for i in 0..N {
                    let sums: [i32; ROWS] = cast(sums[i]);
                    let out = &mut self.product.out[(from + i) * rows..][..rows];
                    for (out, sum) in out[number * ROWS..].iter_mut().zip(sums) {
                        *out = sum as f32 * scale;
                    }
                }
            }
        }
    }
}

impl Matrix {
    /// A matrix of whole numbers, rows one after the other, each `1 / scale` of its true value.
    pub fn new(columns: usize, weights: &[i16], scale: f32) -> Self {
        let (rows, pairs) = (weights.len() / columns, columns.div_ceil(2));
        let mut groups = vec![[0; 2 * ROWS]; rows.div_ceil(ROWS) * pairs];
        for (r, row) in weights.chunks_exact(columns).enumerate() {
            for (k, weight) in row.iter().enumerate() {
                groups[r / ROWS * pairs + k / 2][r % ROWS * 2 + k % 2] = *weight;
            }
        }
        Matrix { rows, columns, weights: groups, scale: 1.0 / (scale * UNIT) }
    }

    /// The scale at which weights fit and no sum of a product overflows.
    pub fn scale_of(columns: usize, weights: &[f32]) -> f32 {
        let largest = weights.iter().fold(0f32, |most, w| most.max(w.abs()));
        let heaviest = weights.chunks(columns).map(|row| row.iter().map(|w| w.abs()).sum()).fold(0f32, f32::max);
        // Half a unit more for each weight, as much as rounding may add.
        let by_sum = (i32::MAX as f32 / MOST - columns as f32) / heaviest.max(1e-6);
        by_sum.min(32_000.0 / largest.max(1e-6)).min(16_384.0)
    }

    /// `x` (rows of `columns` numbers) times this matrix transposed. `pairs` is space.
    pub fn product(&self, x: &[i16], pairs: &mut Vec<i32>, out: &mut Vec<f32>) {
        pairs.clear();
        for row in x.chunks_exact(self.columns) {
            let (twos, last) = row.as_chunks::<2>();
            pairs.extend(twos.iter().map(|[a, b]| i32::from(*a as u16) | i32::from(*b) << 16));
            pairs.extend(last.iter().map(|a| i32::from(*a as u16)));
        }
        out.clear();
        out.resize(x.len() / self.columns * self.rows, 0.0);
        let product = Product { matrix: self, x: pairs, out };
        #[cfg(target_arch = "x86_64")]
        let product = match wide::done(product) {
            Ok(()) => return,
            Err(product) => product,
        };
        product.plain();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_in_floating_point() {
        for (columns, rows, n) in [(16, 5, 7), (15, 16, 4), (48, 35, 9), (2, 1, 1)] {
            compare(columns, rows, n);
        }
    }

    fn compare(columns: usize, rows: usize, n: usize) {
        let weights: Vec<f32> = (0..columns * rows).map(|i| ((i * 37 % 101) as f32 - 50.0) / 40.0).collect();
        let x: Vec<f32> = (0..columns * n).map(|i| ((i * 53 % 89) as f32 - 44.0) / 11.0).collect();
        let scale = Matrix::scale_of(columns, &weights);
        let weights16: Vec<i16> = weights.iter().map(|w| (w * scale).round() as i16).collect();
        let matrix = Matrix::new(columns, &weights16, scale);
        let (mut whole, mut pairs, mut out) = (Vec::new(), Vec::new(), Vec::new());
        quantise(&x, &mut whole);
        matrix.product(&whole, &mut pairs, &mut out);
        let mut plain = vec![0.0; out.len()];
        Product { matrix: &matrix, x: &pairs, out: &mut plain }.plain();
        assert_eq!(out, plain, "machines differ");
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
