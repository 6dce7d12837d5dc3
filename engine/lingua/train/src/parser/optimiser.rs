//! Adam (Kingma & Ba 2015) for the network, and for the rows of the embeddings that a step touches.

const FIRST: f32 = 0.9;
const SECOND: f32 = 0.98;
const TINY: f32 = 1e-8;

/// Moments of parameters.
#[derive(Clone, Debug, Default)]
pub struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
    steps: Vec<u32>,
    row: usize,
}

impl Adam {
    /// Moments of `size` parameters in rows; a row is updated as a whole.
    pub fn new(size: usize, row: usize) -> Self {
        Adam { first: vec![0.0; size], second: vec![0.0; size], steps: vec![0; size / row], row }
    }

    /// A step of one row.
    pub fn step(&mut self, number: usize, values: &mut [f32], gradient: &[f32], rate: f32) {
        let at = number * self.row..(number + 1) * self.row;
        self.steps[number] += 1;
        let steps = self.steps[number].min(10_000) as i32;
        let (one, two) = (1.0 - FIRST.powi(steps), 1.0 - SECOND.powi(steps));
        let length = rate * two.sqrt() / one;
        let moments = self.first[at.clone()].iter_mut().zip(&mut self.second[at]);
        for ((value, g), (first, second)) in values.iter_mut().zip(gradient).zip(moments) {
            *first = FIRST * *first + (1.0 - FIRST) * g;
            *second = SECOND * *second + (1.0 - SECOND) * g * g;
            *value -= length * *first / (second.sqrt() + TINY);
        }
    }
}
