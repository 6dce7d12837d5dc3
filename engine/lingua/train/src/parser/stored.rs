//! Takes the numbers of a `parser.bin` back, for a training that goes on from it. What rounding to whole numbers took is lost.

use super::Trained;
use super::network::Places;
use glosa_lingua::ModelError;
use glosa_lingua::bytes::Reader;
use glosa_lingua::parser::{DISTANCES, Dimensions};
use std::ops::Range;

const MAGIC: &[u8; 4] = b"GPA1";
/// Bytes of a row of the embeddings before its numbers: their scale.
const SCALE_BYTES: usize = 4;

fn float(bytes: &[u8]) -> f32 {
    f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// Numbers of four bytes.
fn plain(reader: &mut Reader<'_>, out: &mut [f32]) -> Result<(), ModelError> {
    let bytes = reader.bytes()?;
    if bytes.len() != 4 * out.len() {
        return Err(ModelError::Damaged("parser"));
    }
    out.iter_mut().zip(bytes.chunks_exact(4)).for_each(|(out, number)| *out = float(number));
    Ok(())
}

/// Whole numbers of two bytes, divided by their scale.
fn scaled(reader: &mut Reader<'_>, count: usize) -> Result<Vec<f32>, ModelError> {
    let scale = f32::from_bits(reader.word()?);
    let bytes = reader.bytes()?;
    if bytes.len() != 2 * count || !scale.is_finite() || scale <= 0.0 {
        return Err(ModelError::Damaged("parser"));
    }
    Ok(bytes.chunks_exact(2).map(|b| f32::from(i16::from_le_bytes([b[0], b[1]])) / scale).collect())
}

/// Reads what [`Trained::to_bytes`] writes.
///
/// # Errors
/// [`ModelError::Damaged`] where it is no such file.
pub fn read(file: &[u8]) -> Result<Trained, ModelError> {
    let mut reader = Reader::new(file, MAGIC, "parser")?;
    let mut sizes = [0usize; 5];
    for size in &mut sizes {
        *size = reader.count()?;
    }
    let [width, layers, arc, label, relations] = sizes;
    let of = Dimensions { width, layers, arc, label, relations };
    let names = (0..relations).map(|_| Ok(reader.text()?.to_owned())).collect::<Result<Vec<String>, ModelError>>()?;
    let places = Places::new(&of);
    let mut all = vec![0f32; places.total];
    let matrix = |reader: &mut Reader<'_>, parts: &[&Range<usize>], all: &mut Vec<f32>| {
        let values = scaled(reader, parts.iter().map(|part| part.len()).sum())?;
        let mut from = 0;
        for part in parts {
            all[(*part).clone()].copy_from_slice(&values[from..from + part.len()]);
            from += part.len();
        }
        Ok::<(), ModelError>(())
    };
    for [gates, bias, peep] in &places.layers {
        matrix(&mut reader, &[gates], &mut all)?;
        plain(&mut reader, &mut all[bias.clone()])?;
        plain(&mut reader, &mut all[peep.clone()])?;
    }
    matrix(&mut reader, &[&places.projections], &mut all)?;
    plain(&mut reader, &mut all[places.projection_bias.clone()])?;
    debug_assert_eq!(places.arc_distance.len(), DISTANCES * arc);
    matrix(&mut reader, &[&places.bilinear, &places.arc_distance], &mut all)?;
    for part in [&places.head_bias, &places.arc_root, &places.label_distance, &places.label_root] {
        plain(&mut reader, &mut all[part.clone()])?;
    }
    matrix(&mut reader, &[&places.relations], &mut all)?;
    plain(&mut reader, &mut all[places.relation_bias.clone()])?;
    let keys = reader.bytes()?.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let rows = keys.zip(0..).collect();
    let embeddings = reader.bytes()?.chunks_exact(width + SCALE_BYTES).flat_map(|row| {
        let (scale, numbers) = row.split_at(SCALE_BYTES);
        let scale = float(scale);
        numbers.iter().map(move |number| f32::from(*number as i8) * scale)
    });
    Ok(Trained { of, all, rows, embeddings: embeddings.collect(), relations: names })
}
