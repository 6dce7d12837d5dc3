//! Zipf frequencies of forms and lemmas in three bytes an entry: 18 bits of fingerprint, 6 bits of value.
//!
//! Zipf is log10 of the occurrences in a thousand million words (van Heuven et al. 2014); values are kept in tenths.
//! An unknown word is taken for a known one about twice in a hundred thousand.

use crate::ModelError;
use crate::bytes::{Reader, Writer};
use crate::hash::{hash_str, mix};
use std::borrow::Cow;
use std::ops::Range;

const BUCKET_BITS: u32 = 16;
/// The smallest value that is kept, in tenths.
pub const LOWEST: u8 = 10;

/// Frequencies of one language.
#[derive(Debug, Default)]
pub struct Frequencies {
    starts: Vec<u32>,
    bytes: Cow<'static, [u8]>,
    entries: Range<usize>,
}

/// Whether a string is looked up as a form or as a lemma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Unit {
    /// A normal form.
    Form = 1,
    /// A lemma.
    Lemma = 2,
}

fn place(unit: Unit, word: &str) -> (usize, u32) {
    let hash = mix(hash_str(word), unit as u64);
    let hash = mix(hash, 0x5bd1_e995);
    ((hash >> (64 - BUCKET_BITS)) as usize, (hash & 0x3ffff) as u32)
}

impl Frequencies {
    /// Reads `frequency.bin`; empty bytes know nothing.
    ///
    /// # Errors
    /// [`ModelError`] when the file is damaged.
    pub fn new(bytes: Cow<'static, [u8]>) -> Result<Self, ModelError> {
        if bytes.is_empty() {
            return Ok(Frequencies::default());
        }
        let mut reader = Reader::new(&bytes, b"GFQ1", "frequencies")?;
        let counts = reader.bytes()?;
        let mut starts = Vec::with_capacity(counts.len() + 1);
        let mut sum = 0u32;
        for count in counts {
            starts.push(sum);
            sum += u32::from(*count);
        }
        starts.push(sum);
        let entries = reader.bytes()?;
        if counts.len() != 1 << BUCKET_BITS || entries.len() != sum as usize * 3 {
            return Err(ModelError::Damaged("frequencies"));
        }
        let end = reader.position();
        let entries = end - entries.len()..end;
        Ok(Frequencies { starts, bytes, entries })
    }

    /// Zipf times 10; 0 is unknown.
    pub fn zipf(&self, unit: Unit, word: &str) -> u8 {
        let (bucket, fingerprint) = place(unit, word);
        let (Some(&start), Some(&end)) = (self.starts.get(bucket), self.starts.get(bucket + 1)) else { return 0 };
        let entries = &self.bytes[self.entries.clone()][start as usize * 3..end as usize * 3];
        entries
            .as_chunks::<3>()
            .0
            .iter()
            .map(|e| u32::from_le_bytes([e[0], e[1], e[2], 0]))
            .find(|e| e >> 6 == fingerprint)
            .map_or(0, |e| (e & 63) as u8 + LOWEST)
    }

    /// Whether there are no frequencies.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The bytes of `frequency.bin` for words with Zipf in tenths (those below [`LOWEST`] are left out).
    pub fn to_bytes<'w>(words: impl Iterator<Item = (Unit, &'w str, u8)>) -> Vec<u8> {
        let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); 1 << BUCKET_BITS];
        for (unit, word, zipf) in words.filter(|w| w.2 >= LOWEST) {
            let (bucket, fingerprint) = place(unit, word);
            buckets[bucket].push(fingerprint << 6 | u32::from((zipf - LOWEST).min(63)));
        }
        let mut out = Writer::new(b"GFQ1");
        let mut entries = Vec::new();
        let mut counts = Vec::with_capacity(buckets.len());
        for bucket in &mut buckets {
            bucket.sort_unstable();
            bucket.dedup_by_key(|e| *e >> 6);
            bucket.truncate(255);
            counts.push(bucket.len() as u8);
            for entry in bucket.iter() {
                entries.extend_from_slice(&entry.to_le_bytes()[..3]);
            }
        }
        out.bytes(&counts);
        out.bytes(&entries);
        out.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        let words: Vec<String> = (0..5000).map(|i| format!("w{i}")).collect();
        let bytes =
            Frequencies::to_bytes(words.iter().enumerate().map(|(i, w)| (Unit::Form, w.as_str(), 10 + (i % 60) as u8)));
        let table = Frequencies::new(Cow::Owned(bytes)).unwrap();
        for (i, word) in words.iter().enumerate() {
            assert_eq!(table.zipf(Unit::Form, word), 10 + (i % 60) as u8);
        }
        assert_eq!(table.zipf(Unit::Lemma, "w1"), 0);
        assert_eq!(table.zipf(Unit::Form, "unseen"), 0);
    }
}
