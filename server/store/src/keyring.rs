//! A small memory of accepted keys, so that a busy caller costs one look at the database every two seconds and catalogs stay up
//! while the database is down. Refusals are never remembered: a new key works at once.
use crate::{ApiKey, Caller, Store, StoreError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const FRESH: Duration = Duration::from_secs(2);
const STALE: Duration = Duration::from_secs(600);
const ENTRIES: usize = 10_000;

/// Who is known by a key. Revocation is seen within two seconds while the database answers.
pub struct KeyRing {
    store: Arc<dyn Store>,
    known: Mutex<HashMap<[u8; 32], (Caller, Instant)>>,
}

impl std::fmt::Debug for KeyRing {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("KeyRing(..)")
    }
}

impl KeyRing {
    /// An empty ring over a store.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, known: Mutex::default() }
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
        let remembered = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&digest).copied();
        if let Some((caller, at)) = remembered
            && at.elapsed() < FRESH
        {
            return Ok(Some(caller));
        }
        let asked = Instant::now();
        let answer = self.store.authenticate(presented).await;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match answer {
            Ok(Some(caller)) => {
                if known.len() >= ENTRIES {
                    known.retain(|_, (_, at)| at.elapsed() < FRESH);
                }
                if known.len() < ENTRIES {
                    known.insert(digest, (caller, asked));
                }
                Ok(Some(caller))
            }
            Ok(None) => {
                known.remove(&digest);
                Ok(None)
            }
            Err(error) if error.is_unavailable() => match remembered {
                Some((caller, at)) if at.elapsed() < STALE => Ok(Some(caller)),
                _ => Err(error),
            },
            Err(error) => Err(error),
        }
    }
}
