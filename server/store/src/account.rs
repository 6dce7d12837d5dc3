//! Accounts and their API keys. A key's value exists in the answer that creates it and nowhere else: the database has its SHA-256.
use crate::{AccountId, ApiKey, Fut, KeyId, StoreError};
use jiff::Timestamp;

/// The most active keys an account may have.
pub const ACTIVE_KEYS: u32 = 20;

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// Its unique name.
    pub name: String,
    /// Whether its keys are accepted.
    pub active: bool,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What is known of a key after its creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRecord {
    /// Its id.
    pub id: KeyId,
    /// Its owner.
    pub account: AccountId,
    /// The owner's name for it.
    pub label: String,
    /// The first characters of its value, to tell keys apart; too few to help guess it.
    pub hint: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, to within some minutes.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// A key at its creation: the only time its value is shown.
#[derive(Debug)]
pub struct IssuedKey {
    /// The value.
    pub value: ApiKey,
    /// What is kept.
    pub record: KeyRecord,
}

/// Who presented a valid key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The account: reports, limits and idempotency keys belong to it.
    pub account: AccountId,
    /// The key used.
    pub key: KeyId,
}

/// Accounts and keys.
pub trait AccountStore: Send + Sync {
    /// Makes an account. Errors: `NameTaken`; `Setting` when the name is empty, longer than 200 characters or has control characters.
    fn create_account<'a>(&'a self, name: &'a str) -> Fut<'a, Account>;

    /// The account of that name, made when missing.
    fn ensure_account<'a>(&'a self, name: &'a str) -> Fut<'a, Account>;

    /// Looks an account up by name.
    fn find_account<'a>(&'a self, name: &'a str) -> Fut<'a, Option<Account>>;

    /// All accounts, oldest first.
    fn accounts(&self) -> Fut<'_, Vec<Account>>;

    /// Accepts or refuses all keys of an account. Errors: `UnknownAccount`.
    fn set_account_active(&self, account: AccountId, active: bool) -> Fut<'_, ()>;

    /// Makes a key. Errors: `UnknownAccount`, `TooManyKeys`.
    fn issue_key<'a>(&'a self, account: AccountId, label: &'a str) -> Fut<'a, IssuedKey>;

    /// The keys of an account, revoked ones too, newest first.
    fn keys(&self, account: AccountId) -> Fut<'_, Vec<KeyRecord>>;

    /// Revokes a key of the account, for good. False when the account has no such active key.
    fn revoke_key(&self, account: AccountId, key: KeyId) -> Fut<'_, bool>;

    /// Who presents this value: none for a malformed, unknown or revoked key or an inactive account, without distinction.
    /// Asks the database every time; see [`crate::KeyRing`] for requests.
    fn authenticate<'a>(&'a self, presented: &'a str) -> Fut<'a, Option<Caller>>;
}

/// What makes a name unusable.
pub(crate) fn name_problem(name: &str) -> Option<StoreError> {
    let unusable = name.trim().is_empty() || name.chars().count() > 200 || name.contains(char::is_control);
    unusable.then(|| StoreError::Setting {
        name: "account",
        problem: "expected a name of 1 to 200 characters without control characters".to_owned(),
    })
}
