//! A small memory of accepted keys, so that a busy caller costs one look at the database every two seconds and catalogs stay up
//! while the database is down. Refusals are never remembered: a new key works at once.
use crate::{ApiKey, Caller, Cause, KEY_USE_GRAIN, KeyId, Store, StoreError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const FRESH: Duration = Duration::from_secs(2);
const STALE: Duration = Duration::from_secs(600);
/// How long a silent database is waited for where memory can answer.
const PATIENCE: Duration = Duration::from_secs(2);
const ENTRIES: usize = 10_000;

#[derive(Clone, Copy)]
struct Known {
    caller: Caller,
    /// When the database last said so.
    said: Instant,
    /// When it was last asked.
    asked: Instant,
}

/// Who is known by a key. Revocation is seen within two seconds while the database answers.
pub struct KeyRing {
    store: Arc<dyn Store>,
    known: Mutex<HashMap<[u8; 32], Known>>,
    noted: Mutex<HashMap<KeyId, Instant>>,
}

impl std::fmt::Debug for KeyRing {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("KeyRing(..)")
    }
}

impl KeyRing {
    /// An empty ring over a store.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, known: Mutex::default(), noted: Mutex::default() }
    }

    /// Who presents this value; none is refused. While the database is unavailable, a caller accepted in the last ten minutes is
    /// accepted still.
    ///
    /// # Errors
    /// Those of the store when the caller is not known from before.
    pub async fn caller(&self, presented: &str) -> Result<Option<Caller>, StoreError> {
        let Some(key) = ApiKey::parse(presented) else {
            return Ok(None);
        };
        let digest = key.digest();
        let remembered = self.remembered(&digest);
        if let Some(known) = remembered
            && known.asked.elapsed() < FRESH
        {
            return Ok(Some(known.caller));
        }
        let asked = Instant::now();
        let answer = self.ask(presented, remembered.is_some()).await;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match answer {
            Ok(Some(caller)) => {
                if known.len() >= ENTRIES {
                    known.retain(|_, known| known.said.elapsed() < FRESH);
                }
                if known.len() < ENTRIES {
                    known.insert(digest, Known { caller, said: asked, asked });
                }
                drop(known);
                self.note(caller.key);
                Ok(Some(caller))
            }
            Ok(None) => {
                known.remove(&digest);
                Ok(None)
            }
            Err(error) if error.is_unavailable() => match remembered {
                Some(Known { caller, .. }) => {
                    if let Some(known) = known.get_mut(&digest) {
                        known.asked = Instant::now();
                    }
                    Ok(Some(caller))
                }
                None => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// Whether the caller with this value was accepted in the last ten minutes, without asking the database.
    pub fn remembers(&self, presented: &str) -> bool {
        ApiKey::parse(presented).is_some_and(|key| self.remembered(&key.digest()).is_some())
    }

    fn remembered(&self, digest: &[u8; 32]) -> Option<Known> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(digest).copied().filter(|known| known.said.elapsed() < STALE)
    }

    async fn ask(&self, presented: &str, impatient: bool) -> Result<Option<Caller>, StoreError> {
        let answer = self.store.authenticate(presented);
        if !impatient {
            return answer.await;
        }
        let silence =
            |_| Err(StoreError::Unavailable { during: "check a key", cause: Cause::new("no answer within 2 seconds") });
        tokio::time::timeout(PATIENCE, answer).await.unwrap_or_else(silence)
    }

    /// Has the use of a key written down, beside the request and now and then only.
    fn note(&self, key: KeyId) {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.get(&key).is_some_and(|at| at.elapsed() < KEY_USE_GRAIN) {
            return;
        }
        if noted.len() >= ENTRIES {
            noted.retain(|_, at| at.elapsed() < KEY_USE_GRAIN);
        }
        if noted.len() < ENTRIES {
            noted.insert(key, Instant::now());
        }
        let store = self.store.clone();
        tokio::spawn(async move {
            if let Err(error) = store.key_used(key).await {
                tracing::debug!(%error, "the use of a key is not written down");
            }
        });
    }
}
