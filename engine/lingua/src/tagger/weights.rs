//! The weights of the features: the model's bytes, or the trainer's numbers.
//!
//! A shipped weight is one byte, companded by a square root, so that sums are sums of whole numbers and the order of the
//! features makes no difference.

use crate::ModelError;
use crate::tagger::TagModel;
use crate::tagger::decode::MOST_SLOTS;
use std::borrow::Cow;

/// Weights the decoder can add up: the model's bytes, or the trainer's numbers.
pub trait Weights {
    /// The weight at an index, already reduced to the table's size.
    fn weight(&self, index: usize) -> f32;
    /// Size of the table minus one; the size is a power of two.
    fn mask(&self) -> u32;
    /// Sums each of some slots over some features.
    fn sums(&self, features: &[u32], slots: &[u32], sums: &mut [f32]) {
        let mask = self.mask();
        for (sum, slot) in sums.iter_mut().zip(slots) {
            *sum = features.iter().map(|f| self.weight(TagModel::index(*f, *slot, mask))).sum();
        }
    }
    /// Whether a feature was frequent enough in training to have weights (a few others pass as well).
    fn has(&self, feature: u32) -> bool;
}

/// The set of features that have weights: one bit a hash.
#[derive(Clone, Debug, Default)]
pub struct FeatureSet {
    bits: Cow<'static, [u8]>,
}

impl FeatureSet {
    /// A set from its bytes; their number must be a power of two.
    pub fn new(bits: Cow<'static, [u8]>) -> Self {
        FeatureSet { bits }
    }
    /// The bytes of a set of `1 << size` bits.
    pub fn of(features: impl Iterator<Item = u32>, size: u32) -> Vec<u8> {
        let mut bits = vec![0u8; 1 << size.saturating_sub(3)];
        let mask = (bits.len() as u32 * 8).wrapping_sub(1);
        for feature in features {
            let at = feature & mask;
            bits[(at >> 3) as usize] |= 1 << (at & 7);
        }
        bits
    }
    /// Whether the feature may be in the set.
    #[inline]
    pub fn has(&self, feature: u32) -> bool {
        let at = feature & (self.bits.len() as u32 * 8).wrapping_sub(1);
        self.bits[(at >> 3) as usize] >> (at & 7) & 1 == 1
    }
}

/// The weights as they are shipped.
#[derive(Clone, Debug)]
pub struct CompandedWeights {
    features: FeatureSet,
    bytes: Cow<'static, [u8]>,
    decode: Box<[f32; 256]>,
}

impl Weights for CompandedWeights {
    #[inline]
    fn weight(&self, index: usize) -> f32 {
        self.decode[usize::from(self.bytes[index])]
    }
    #[inline]
    fn mask(&self) -> u32 {
        (self.bytes.len() as u32).wrapping_sub(1)
    }
    #[inline]
    fn sums(&self, features: &[u32], slots: &[u32], sums: &mut [f32]) {
        let bytes: &[u8] = &self.bytes;
        let mask = bytes.len().wrapping_sub(1);
        let mut totals = [0i32; MOST_SLOTS];
        let totals = &mut totals[..slots.len()];
        for feature in features {
            let base = feature.rotate_left(13);
            for (total, slot) in totals.iter_mut().zip(slots) {
                let byte = i32::from(bytes.get(base.wrapping_add(*slot) as usize & mask).copied().unwrap_or(0) as i8);
                *total += byte * byte.abs();
            }
        }
        for (sum, total) in sums.iter_mut().zip(totals) {
            *sum = *total as f32;
        }
    }
    #[inline]
    fn has(&self, feature: u32) -> bool {
        self.features.has(feature)
    }
}

impl CompandedWeights {
    /// Weights from their bytes; the number must be a power of two.
    ///
    /// # Errors
    /// [`ModelError::Damaged`] for another number.
    pub fn new(bytes: Cow<'static, [u8]>, features: Cow<'static, [u8]>) -> Result<Self, ModelError> {
        if !bytes.len().is_power_of_two() || !features.len().is_power_of_two() {
            return Err(ModelError::Damaged("weights of the tagger"));
        }
        let mut decode = Box::new([0f32; 256]);
        for (byte, value) in decode.iter_mut().enumerate() {
            let signed = f32::from(byte as u8 as i8);
            *value = signed * signed.abs();
        }
        Ok(CompandedWeights { features: FeatureSet::new(features), bytes, decode })
    }

    /// The bytes of trained weights: sign and square root, the largest at 127.
    pub fn compand(weights: &[f32]) -> Vec<u8> {
        let largest = weights.iter().fold(0f32, |m, w| m.max(w.abs())).max(f32::MIN_POSITIVE);
        let byte = |w: &f32| ((w.abs() / largest).sqrt() * 127.0).round().min(127.0).copysign(*w) as i8 as u8;
        weights.iter().map(byte).collect()
    }
}
