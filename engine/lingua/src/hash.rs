//! The one hash of the models: what the trainer writes under a number, the runtime finds under the same number.

/// FNV-1a over bytes, folded so that high and low bits both vary.
#[inline]
pub fn hash_str(s: &str) -> u64 {
    hash_bytes(s.as_bytes())
}

/// As [`hash_str`], for bytes.
#[inline]
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut h: u64 = 0xcbf2_9ce4_8422_2325;
    for b in bytes {
        h = (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
    }
    h ^ (h >> 31)
}

/// Combines two hashes; not symmetric.
#[inline]
pub fn mix(a: u64, b: u64) -> u64 {
    let x = (a ^ b.rotate_left(23)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^ (x >> 32)
}
