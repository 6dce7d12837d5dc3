//! API keys. The database has their digests alone.
use crate::account::ACTIVE_KEYS;
use crate::driver::{FromRow, Row};
use crate::error::Fault;
use crate::mac::same;
use crate::settings::micros;
use crate::statement::{ACCOUNT_LOCK, KEY_COUNT, KEY_CREATE, KEY_LIST, KEY_LOOKUP, KEY_REVOKE, KEY_USED};
use crate::store::SqlStore;
use crate::{AccountId, ApiKey, Caller, IssuedKey, KEY_USE_GRAIN, KeyId, KeyRecord, StoreError};

/// Bytes of a digest that find the keys to compare: too few to tell a key, enough to find it.
const LOOKUP: usize = 8;

impl FromRow for KeyRecord {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        Ok(Self {
            id: KeyId(row.get("key_id")?),
            account: AccountId(row.get("account_id")?),
            label: row.get("label")?,
            hint: row.get("hint")?,
            created_at: row.instant("created_at")?,
            revoked_at: row.instant_or_none("revoked_at")?,
            last_used_at: row.instant_or_none("last_used_at")?,
        })
    }
}

/// A key that may be the one presented.
struct Candidate {
    digest: Vec<u8>,
    caller: Caller,
}

impl FromRow for Candidate {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        let caller = Caller { account: AccountId(row.get("account_id")?), key: KeyId(row.get("key_id")?) };
        Ok(Self { digest: row.get("digest")?, caller })
    }
}

impl SqlStore {
    pub(super) async fn make_key(&self, owner: AccountId, label: &str) -> Result<IssuedKey, Fault> {
        let value = ApiKey::generate();
        let digest = value.digest();
        let turn = self.accepting().await?;
        let mut tx = turn.begin().await?;
        if !tx.query(ACCOUNT_LOCK).bind(owner.0).any().await? {
            return Err(StoreError::UnknownAccount.into());
        }
        let active: i64 = tx.query(KEY_COUNT).bind(owner.0).row().await?.get("active_keys")?;
        if active >= i64::from(ACTIVE_KEYS) {
            return Err(StoreError::TooManyKeys { limit: ACTIVE_KEYS }.into());
        }
        let made = tx
            .query(KEY_CREATE)
            .bind(self.time())
            .bind(KeyId::fresh().0)
            .bind(owner.0)
            .bind(label.replace('\0', " "))
            .bind(value.hint())
            .bind(&digest[..LOOKUP])
            .bind(&digest[..])
            .row()
            .await?;
        let record = KeyRecord::from_row(&made)?;
        tx.commit().await?;
        Ok(IssuedKey { value, record })
    }

    pub(super) async fn list_keys(&self, account: AccountId) -> Result<Vec<KeyRecord>, Fault> {
        self.query(KEY_LIST).bind(account.0).all().await
    }

    pub(super) async fn end_key(&self, account: AccountId, key: KeyId) -> Result<bool, Fault> {
        let turn = self.accepting().await?;
        Ok(turn.query(KEY_REVOKE).bind(self.time()).bind(key.0).bind(account.0).run().await? == 1)
    }

    pub(super) async fn check_key(&self, presented: &str) -> Result<Option<Caller>, Fault> {
        let Some(key) = ApiKey::parse(presented) else {
            return Ok(None);
        };
        let digest = key.digest();
        let candidates: Vec<Candidate> = self.query(KEY_LOOKUP).bind(&digest[..LOOKUP]).all().await?;
        let mut caller = None;
        for candidate in candidates {
            if same(&candidate.digest, &digest) {
                caller = Some(candidate.caller);
            }
        }
        Ok(caller)
    }

    pub(super) async fn note_use(&self, key: KeyId) -> Result<(), Fault> {
        let turn = self.writing().await?;
        turn.query(KEY_USED).bind(self.time()).bind(key.0).bind(micros(KEY_USE_GRAIN)).run().await?;
        Ok(())
    }
}
