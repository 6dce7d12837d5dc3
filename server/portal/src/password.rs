//! Passwords: Argon2id with the parameters of OWASP's password storage recommendations (19 MiB, two passes, one lane). Two at once a
//! process, so that log-ins cannot take the memory of analyses.
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use unicode_normalization::UnicodeNormalization;

const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
const AT_ONCE: usize = 2;
const PATIENCE: Duration = Duration::from_secs(10);
/// Fewest and most code points of a password.
const LENGTH: std::ops::RangeInclusive<usize> = 12..=128;
const DIFFERENT: usize = 5;

/// Compared against for people who do not exist, at the same cost; no password has this hash.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Why a password is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    Short,
    Long,
    Easy,
    Different,
}

/// Too many log-ins at once.
#[derive(Debug)]
pub(crate) struct Busy;

/// Hashes and checks passwords.
#[derive(Debug)]
pub(crate) struct Passwords {
    turns: Arc<Semaphore>,
}

/// The same characters typed on another keyboard are the same password (RFC 8265 asks for a normal form; NFKC as in NIST SP 800-63B).
fn bytes(password: &str) -> Vec<u8> {
    password.nfkc().collect::<String>().into_bytes()
}

fn argon2() -> Option<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).ok()?;
    Some(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// What speaks against a new password of someone with this address.
pub(crate) fn unfit(password: &str, again: &str, email: &str) -> Option<Unfit> {
    let length = password.chars().count();
    let mut letters: Vec<char> = password.to_lowercase().chars().collect();
    letters.sort_unstable();
    letters.dedup();
    if length < *LENGTH.start() {
        Some(Unfit::Short)
    } else if length > *LENGTH.end() {
        Some(Unfit::Long)
    } else if letters.len() < DIFFERENT || password.trim().to_lowercase() == email {
        Some(Unfit::Easy)
    } else if password != again {
        Some(Unfit::Different)
    } else {
        None
    }
}

impl Passwords {
    pub(crate) fn new() -> Self {
        Self { turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    async fn turn(&self) -> Result<OwnedSemaphorePermit, Busy> {
        match tokio::time::timeout(PATIENCE, self.turns.clone().acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(Busy),
        }
    }

    /// The hash of a new password in the PHC string format.
    pub(crate) async fn hash(&self, password: &str) -> Result<String, Busy> {
        let turn = self.turn().await?;
        let password = bytes(password);
        let hashed = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            Some(argon2()?.hash_password(&password).ok()?.to_string())
        });
        hashed.await.ok().flatten().ok_or(Busy)
    }

    /// Whether a password has this hash; the same work when there is none.
    pub(crate) async fn matches(&self, password: &str, hash: Option<&str>) -> Result<bool, Busy> {
        let turn = self.turn().await?;
        let password = bytes(password);
        let known = hash.is_some();
        let hash = hash.unwrap_or(NOBODY).to_owned();
        let checked = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let hash = PasswordHash::new(&hash).ok()?;
            Some(argon2()?.verify_password(&password, &hash).is_ok())
        });
        let matches = checked.await.ok().flatten().ok_or(Busy)?;
        Ok(matches && known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn passwords_are_argon2id_with_their_own_salt() {
        let passwords = Passwords::new();
        let hash = passwords.hash("contraseña de prueba").await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert_ne!(hash, passwords.hash("contraseña de prueba").await.unwrap());
        assert!(passwords.matches("contraseña de prueba", Some(&hash)).await.unwrap());
        assert!(passwords.matches("contrasen\u{303}a de prueba", Some(&hash)).await.unwrap(), "decomposed");
        assert!(!passwords.matches("contrasena de prueba", Some(&hash)).await.unwrap());
        assert!(!passwords.matches("contraseña de prueba", None).await.unwrap());
    }

    /// The dummy must be parsed and computed with: a refusal before the work would tell who exists.
    #[test]
    fn the_dummy_costs_what_a_password_costs() {
        let dummy = PasswordHash::new(NOBODY).unwrap();
        assert_eq!(dummy.params.get_str("m"), Some("19456"));
        let error = argon2().unwrap().verify_password(b"any", &dummy).unwrap_err();
        assert_eq!(error.to_string(), argon2::password_hash::Error::PasswordInvalid.to_string());
    }

    #[test]
    fn weak_passwords_are_not_taken() {
        for (password, again, problem) in [
            ("once signos", "once signos", Some(Unfit::Short)),
            ("doce  signos", "doce  signos", None),
            ("ñandú ñandú!", "ñandú ñandú!", None),
            ("aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaa", Some(Unfit::Easy)),
            ("NAME@example.org", "NAME@example.org", Some(Unfit::Easy)),
            ("caballo pila grapa", "caballo pila grapo", Some(Unfit::Different)),
        ] {
            assert_eq!(unfit(password, again, "name@example.org"), problem, "{password}");
        }
        assert_eq!(unfit(&"abcdefg".repeat(19), "", "x"), Some(Unfit::Long));
    }
}
