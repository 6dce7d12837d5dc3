//! Word clusters: which words stand in the same surroundings in large collections of text, as paths in a binary tree.
//!
//! The table holds no words but 28 bits of their hash: one unknown word in some thousands is taken for a known one,
//! which the tagger bears.

use crate::ModelError;
use crate::bytes::{Reader, Writer};
use crate::hash::hash_str;
use std::collections::BTreeMap;

const BUCKET_BITS: u32 = 14;
const CHECK_BITS: u32 = 14;
const CLASS_BITS: u32 = 10;
const ENTRY_BYTES: usize = 3;

/// The clusters of one language; the empty table knows nothing.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    paths: Vec<u32>,
    starts: Vec<u32>,
    entries: Vec<u8>,
}

fn place(form: &str) -> (usize, u32) {
    let hash = hash_str(form).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((hash >> (64 - BUCKET_BITS)) as usize, (hash >> (64 - BUCKET_BITS - CHECK_BITS)) as u32 & ((1 << CHECK_BITS) - 1))
}

impl Clusters {
    /// The path of a form as written: the lowest bit is the first branch. 0 for an unknown form.
    pub fn path(&self, form: &str) -> u32 {
        let (bucket, check) = place(form);
        let (Some(&from), Some(&to)) = (self.starts.get(bucket), self.starts.get(bucket + 1)) else { return 0 };
        let rows = &self.entries[from as usize * ENTRY_BYTES..to as usize * ENTRY_BYTES];
        rows.chunks_exact(ENTRY_BYTES)
            .map(|row| u32::from_le_bytes([row[0], row[1], row[2], 0]))
            .find(|row| row >> CLASS_BITS == check)
            .and_then(|row| self.paths.get((row & ((1 << CLASS_BITS) - 1)) as usize).copied())
            .unwrap_or(0)
    }

    /// The bytes of `clusters.bin` from forms and their paths; of two forms that cannot be told apart the first stays.
    /// Paths beyond the first 1,024 are left out.
    pub fn to_bytes<'f>(rows: impl Iterator<Item = (&'f str, u32)>) -> Vec<u8> {
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        let mut paths: Vec<u32> = Vec::new();
        let mut buckets: Vec<BTreeMap<u32, u32>> = vec![BTreeMap::new(); 1 << BUCKET_BITS];
        for (form, path) in rows {
            let number = *numbers.entry(path).or_insert_with(|| {
                paths.push(path);
                paths.len() as u32 - 1
            });
            if number < 1 << CLASS_BITS {
                let (bucket, check) = place(form);
                buckets[bucket].entry(check).or_insert(number);
            }
        }
        paths.truncate(1 << CLASS_BITS);
        let mut out = Writer::new(b"GCL1");
        out.number(paths.len() as u64);
        paths.iter().for_each(|path| out.number(u64::from(*path)));
        let mut entries = Vec::new();
        for bucket in &buckets {
            out.number(bucket.len() as u64);
            for (check, number) in bucket {
                entries.extend_from_slice(&(check << CLASS_BITS | number).to_le_bytes()[..ENTRY_BYTES]);
            }
        }
        out.bytes(&entries);
        out.finish()
    }

    /// Reads `clusters.bin`; empty bytes make the empty table.
    ///
    /// # Errors
    /// [`ModelError`] when the file is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        const WHAT: &str = "word clusters";
        if bytes.is_empty() {
            return Ok(Clusters::default());
        }
        let mut reader = Reader::new(bytes, b"GCL1", WHAT)?;
        let paths = (0..reader.count()?).map(|_| Ok(reader.number()? as u32)).collect::<Result<_, ModelError>>()?;
        let mut starts = vec![0u32];
        let mut at = 0u64;
        for _ in 0..1 << BUCKET_BITS {
            at = at.saturating_add(reader.number()?);
            starts.push(u32::try_from(at).map_err(|_| ModelError::Damaged(WHAT))?);
        }
        let entries = reader.bytes()?.to_vec();
        if at.checked_mul(ENTRY_BYTES as u64) != Some(entries.len() as u64) {
            return Err(ModelError::Damaged(WHAT));
        }
        Ok(Clusters { paths, starts, entries })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_keep_their_paths() {
        let rows = [("casa", 5u32), ("Madrid", 77), ("perro", 5)];
        let bytes = Clusters::to_bytes(rows.into_iter());
        let clusters = Clusters::from_bytes(&bytes).unwrap();
        for (form, path) in rows {
            assert_eq!(clusters.path(form), path);
        }
        assert_eq!(clusters.path("gato"), 0);
        assert!(Clusters::from_bytes(&bytes[..bytes.len() - 1]).is_err());
    }
}
