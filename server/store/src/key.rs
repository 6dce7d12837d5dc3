//! The format of an API key: `glosa_live_`, 43 base-62 digits of 32 random bytes, 6 base-62 digits of their CRC-32. The checksum
//! lets secret scanners and this program tell a key from a typing error without asking the database.
use sha2::{Digest, Sha256};
use std::fmt;

const PREFIX: &str = "glosa_live_";
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY: usize = 43;
const CHECK: usize = 6;

/// The value of an API key. It has no `Display`, and its `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A new key from the operating system's random source.
    pub(crate) fn generate() -> Self {
        let secret: [u8; 32] = rand::random();
        let mut value = String::with_capacity(PREFIX.len() + BODY + CHECK);
        value.push_str(PREFIX);
        value.push_str(&base62(&secret, BODY));
        let check = crc32fast::hash(value.as_bytes());
        value.push_str(&base62(&check.to_be_bytes(), CHECK));
        Self(value)
    }

    /// Reads a presented value; none when it cannot be a key.
    pub fn parse(presented: &str) -> Option<Self> {
        let digits = presented.strip_prefix(PREFIX)?;
        if digits.len() != BODY + CHECK || !digits.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let (signed, check) = presented.split_at(PREFIX.len() + BODY);
        (base62(&crc32fast::hash(signed.as_bytes()).to_be_bytes(), CHECK) == check).then(|| Self(presented.to_owned()))
    }

    /// The value, for the one moment it is shown.
    pub fn expose(&self) -> &str {
        &self.0
    }

    pub(crate) fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }

    pub(crate) fn hint(&self) -> String {
        self.0[..PREFIX.len() + 4].to_owned()
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ApiKey(..)")
    }
}

pub(crate) fn base62(bytes: &[u8], digits: usize) -> String {
    let mut number = bytes.to_vec();
    let mut out = vec![b'0'; digits];
    for place in out.iter_mut().rev() {
        let mut remainder = 0u32;
        for byte in &mut number {
            let current = remainder << 8 | u32::from(*byte);
            *byte = (current / 62) as u8;
            remainder = current % 62;
        }
        *place = DIGITS[remainder as usize];
    }
    out.iter().map(|byte| *byte as char).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base62_is_positional() {
        assert_eq!(base62(&[0, 61], 2), "0z");
        assert_eq!(base62(&[0, 62], 2), "10");
        assert_eq!(base62(&[0xff; 32], 43).len(), 43);
        assert_ne!(base62(&[0xff; 32], 43), base62(&[0xfe; 32], 43));
    }

    #[test]
    fn a_key_with_a_typing_error_is_no_key() {
        let key = ApiKey::generate();
        assert_eq!(ApiKey::parse(key.expose()).as_ref(), Some(&key));
        for place in PREFIX.len()..key.expose().len() {
            let mut wrong = key.expose().as_bytes().to_vec();
            wrong[place] = if wrong[place] == b'x' { b'y' } else { b'x' };
            assert_eq!(ApiKey::parse(std::str::from_utf8(&wrong).unwrap()), None, "place {place}");
        }
        for wrong in ["", "glosa_live_", "Bearer x", "glosa_live_ñññññññññññññññññññññññññññññññññññññññññññññññññ"]
        {
            assert_eq!(ApiKey::parse(wrong), None);
        }
    }

    #[test]
    fn a_key_hides_in_debug() {
        let key = ApiKey::generate();
        assert!(!format!("{key:?}").contains(&key.expose()[15..]));
    }
}
