//! Secrets that the portal hands to a browser: session identifiers and the ends of password links. 32 random bytes as 43 base-62
//! digits; the database has their SHA-256.
use crate::key::base62;
use sha2::{Digest, Sha256};
use std::fmt;

const DIGITS: usize = 43;

/// A secret of a browser or of a link. It has no `Display`, and its `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new one from the operating system's random source.
    #[expect(clippy::new_without_default, reason = "every call gives another value")]
    pub fn new() -> Self {
        let secret: [u8; 32] = rand::random();
        Self(base62(&secret, DIGITS))
    }

    /// Reads a presented value; none when it cannot be a token.
    pub fn parse(presented: &str) -> Option<Self> {
        let well_formed = presented.len() == DIGITS && presented.bytes().all(|byte| byte.is_ascii_alphanumeric());
        well_formed.then(|| Self(presented.to_owned()))
    }

    /// The value, for the cookie or the link.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Another token that only who has this one can tell, and that does not tell this one.
    #[must_use]
    pub fn derive(&self, purpose: &str) -> Self {
        let digest = Sha256::new().chain_update(purpose).chain_update([0]).chain_update(&self.0).finalize();
        Self(base62(&digest, DIGITS))
    }

    /// Equality in constant time.
    pub fn is(&self, other: &Self) -> bool {
        crate::mac::same(self.0.as_bytes(), other.0.as_bytes())
    }

    pub(crate) fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Token(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_hides_and_derives() {
        let token = Token::new();
        assert_eq!(Token::parse(token.expose()).as_ref(), Some(&token));
        assert!(!format!("{token:?}").contains(token.expose()));
        let derived = token.derive("form");
        assert!(derived.is(&token.derive("form")) && !derived.is(&token) && !derived.is(&token.derive("other")));
        assert_eq!(Token::parse(derived.expose()), Some(derived));
        for wrong in ["", "a", &"ñ".repeat(43), &"-".repeat(43), &"a".repeat(44)] {
            assert_eq!(Token::parse(wrong), None);
        }
    }
}
