//! Keyed digests (HMAC-SHA-256, RFC 2104) for what must be recognised but not kept: idempotency keys, request
//! payloads, visitors of the portal. The key
//! is made at the first start and lives in the database, so that every process recognises the same requests.
use crate::{AccountId, StoreError};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

pub(crate) struct MacKey([u8; 32]);

impl MacKey {
    /// A new secret from the operating system's random source.
    pub(crate) fn fresh() -> [u8; 32] {
        rand::random()
    }

    pub(crate) fn new(stored: &[u8]) -> Result<Self, StoreError> {
        stored.try_into().map(Self).map_err(|_| StoreError::Damaged { what: "secret" })
    }

    pub(crate) fn key(&self, account: AccountId, key: &str) -> [u8; 32] {
        self.digest(1, account, key.as_bytes())
    }

    pub(crate) fn payload(&self, account: AccountId, payload: &[u8]) -> [u8; 32] {
        self.digest(2, account, payload)
    }

    pub(crate) fn visitor(&self, visitor: &str) -> [u8; 32] {
        self.digest(3, AccountId(uuid::Uuid::nil()), visitor.as_bytes())
    }

    fn digest(&self, purpose: u8, account: AccountId, bytes: &[u8]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        mac.update(&[purpose]);
        mac.update(account.0.as_bytes());
        mac.update(bytes);
        mac.finalize().into_bytes().into()
    }
}

/// Equality in constant time.
pub(crate) fn same(one: &[u8], other: &[u8]) -> bool {
    one.ct_eq(other).into()
}
