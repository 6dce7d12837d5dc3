//! The file of the parser, `parser.bin`: embeddings of one byte a number, weights of two.

use super::features::source_key;
use super::matrix::Matrix;
use super::network::{Layer, Network};
use super::wide::{Computation, compute};
use super::{DISTANCES, Dimensions};
use crate::ModelError;
use crate::bytes::{Reader, Writer};
use std::borrow::Cow;

const MAGIC: &[u8; 4] = b"GPA1";
const WHAT: &str = "parser";
/// First bits of a key, by which its place is found.
const BUCKET_BITS: u32 = 12;
/// Bytes of a row before its numbers: their scale.
const SCALE_BYTES: usize = 4;
/// Keys that are looked up before their rows are added.
const TOGETHER: usize = 32;

/// Embeddings by their keys.
#[derive(Debug)]
pub struct Embeddings {
    width: usize,
    keys: Vec<u32>,
    buckets: Vec<u32>,
    file: Cow<'static, [u8]>,
    /// Where the rows begin in the file.
    start: usize,
    everywhere: Vec<f32>,
}

impl Embeddings {
    fn new(width: usize, keys: Vec<u32>, file: Cow<'static, [u8]>, start: usize) -> Self {
        let bucket = |bucket: u32| keys.partition_point(|key| key >> (32 - BUCKET_BITS) < bucket) as u32;
        let buckets = (0..=1u32 << BUCKET_BITS).map(bucket).collect();
        let mut embeddings = Embeddings { width, keys, buckets, file, start, everywhere: Vec::new() };
        let mut everywhere = vec![0f32; width];
        embeddings.add(&[source_key(0)], &mut everywhere);
        embeddings.everywhere = everywhere;
        embeddings
    }

    /// What every word has: the embedding of the first treebank.
    pub fn everywhere(&self) -> &[f32] {
        &self.everywhere
    }

    /// Adds the embeddings of those keys that have one.
    pub fn add(&self, keys: &[u32], sum: &mut [f32]) {
        compute(Sum { embeddings: self, keys, sum });
    }

    /// Where the row of a key begins in the file.
    #[inline]
    fn row(&self, key: u32) -> Option<usize> {
        let bucket = (key >> (32 - BUCKET_BITS)) as usize;
        let (from, to) = (self.buckets[bucket] as usize, self.buckets[bucket + 1] as usize);
        let row = self.keys[from..to].iter().position(|other| *other == key)?;
        Some(self.start + (from + row) * (self.width + SCALE_BYTES))
    }
}

/// The sum of the embeddings of a word.
struct Sum<'s> {
    embeddings: &'s Embeddings,
    keys: &'s [u32],
    sum: &'s mut [f32],
}

impl Computation for Sum<'_> {
    /// All keys are looked up first: the processor waits for several of them at once.
    #[inline(always)]
    fn run(self) {
        let Sum { embeddings: own, keys, sum } = self;
        for keys in keys.chunks(TOGETHER) {
            let mut rows = [None; TOGETHER];
            rows.iter_mut().zip(keys).for_each(|(row, key)| *row = own.row(*key));
            for at in rows.into_iter().flatten() {
                let (scale, numbers) = own.file[at..at + SCALE_BYTES + own.width].split_at(SCALE_BYTES);
                let scale = f32::from_le_bytes([scale[0], scale[1], scale[2], scale[3]]);
                sum.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += f32::from(*number as i8) * scale);
            }
        }
    }
}

/// A part of the network.
#[derive(Clone, Copy, Debug)]
pub enum Part<'p> {
    /// A matrix with rows of so many numbers.
    Matrix(&'p [f32], usize),
    /// Numbers that stay as they are.
    Numbers(&'p [f32]),
}

/// What a training gives.
#[derive(Clone, Debug)]
pub struct ParserParameters<'p> {
    /// Sizes.
    pub of: Dimensions,
    /// Names of the relations.
    pub relations: &'p [String],
    /// Keys, ascending, each with its embedding.
    pub embeddings: Vec<(u32, &'p [f32])>,
    /// For each layer gates, bias and peep; then projections and bias; biaffine product with the distances below it,
    /// score of a head, root of arcs; distances and root of relations; relations and bias.
    pub parts: Vec<Part<'p>>,
}

impl ParserParameters<'_> {
    /// The bytes of `parser.bin`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(MAGIC);
        for size in [self.of.width, self.of.layers, self.of.arc, self.of.label, self.of.relations] {
            out.number(size as u64);
        }
        self.relations.iter().for_each(|name| out.text(name));
        for part in &self.parts {
            match part {
                Part::Matrix(weights, columns) => {
                    let scale = Matrix::scale_of(*columns, weights);
                    out.word(scale.to_bits());
                    let whole = weights.iter().map(|w| (w * scale).round() as i16);
                    out.bytes(&whole.flat_map(i16::to_le_bytes).collect::<Vec<u8>>());
                }
                Part::Numbers(values) => out.bytes(&values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>()),
            }
        }
        out.bytes(&self.embeddings.iter().flat_map(|(key, _)| key.to_le_bytes()).collect::<Vec<u8>>());
        let mut rows = Vec::new();
        for (_, values) in &self.embeddings {
            let most = values.iter().fold(1e-6f32, |most, v| most.max(v.abs()));
            let scale = most / f32::from(i8::MAX);
            rows.extend(scale.to_le_bytes());
            rows.extend(values.iter().map(|v| (v / scale).round() as i8 as u8));
        }
        out.bytes(&rows);
        out.finish()
    }
}

fn numbers(reader: &mut Reader<'_>, count: usize) -> Result<Vec<f32>, ModelError> {
    let bytes = reader.bytes()?;
    if bytes.len() != 4 * count {
        return Err(ModelError::Damaged(WHAT));
    }
    Ok(bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

fn matrix(reader: &mut Reader<'_>, rows: usize, columns: usize) -> Result<Matrix, ModelError> {
    let scale = f32::from_bits(reader.word()?);
    let bytes = reader.bytes()?;
    if bytes.len() != 2 * rows * columns || !scale.is_finite() || scale <= 0.0 {
        return Err(ModelError::Damaged(WHAT));
    }
    let weights: Vec<i16> = bytes.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect();
    Ok(Matrix::new(columns, &weights, scale))
}

/// Reads the file.
pub fn read(file: Cow<'static, [u8]>) -> Result<(Network, Embeddings, Vec<Box<str>>), ModelError> {
    const LARGEST: usize = 1 << 12;
    let mut reader = Reader::new(&file, MAGIC, WHAT)?;
    let mut sizes = [0usize; 5];
    for size in &mut sizes {
        *size = reader.number()? as usize;
        if *size == 0 || *size > LARGEST {
            return Err(ModelError::Damaged(WHAT));
        }
    }
    let [width, layers, arc, label, relations] = sizes;
    if width % 2 != 0 {
        return Err(ModelError::Damaged(WHAT));
    }
    let of = Dimensions { width, layers, arc, label, relations };
    let names = (0..relations).map(|_| Ok(reader.text()?.into())).collect::<Result<Vec<Box<str>>, ModelError>>()?;
    let layer = |reader: &mut Reader<'_>| {
        let gates = matrix(reader, 3 * width, width)?;
        Ok(Layer { gates, bias: numbers(reader, 3 * width)?, peep: numbers(reader, 2 * width)? })
    };
    let network = Network {
        of,
        layers: (0..layers).map(|_| layer(&mut reader)).collect::<Result<_, ModelError>>()?,
        projections: matrix(&mut reader, of.projections(), width)?,
        projection_bias: numbers(&mut reader, of.projections())?,
        lift: matrix(&mut reader, arc + DISTANCES, arc)?,
        head_bias: numbers(&mut reader, arc)?,
        arc_root: numbers(&mut reader, arc)?,
        label_distance: numbers(&mut reader, DISTANCES * label)?,
        label_root: numbers(&mut reader, label)?,
        relations: matrix(&mut reader, relations, label)?,
        relation_bias: numbers(&mut reader, relations)?,
    };
    let keys: Vec<u32> =
        reader.bytes()?.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let rows = reader.bytes()?.len();
    if rows != keys.len() * (width + SCALE_BYTES) || !keys.is_sorted() {
        return Err(ModelError::Damaged(WHAT));
    }
    let start = reader.position() - rows;
    Ok((network, Embeddings::new(width, keys, file, start), names))
}
