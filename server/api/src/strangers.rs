//! Networks that present wrong keys again and again. Beyond a rate, keys of theirs that are new to this process are looked up one at a
//! time, so that a flood of wrong keys costs one connection to the database at most. A right key passes all the same; when the wait for
//! its turn grows too long, the answer is 429 with the time to come back.
use glosa_http::Origin;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

const NETWORKS: usize = 20_000;
const PERIOD: Duration = Duration::from_secs(60);
/// The wait for a turn.
const PATIENCE: Duration = Duration::from_secs(5);

/// Counts wrong keys by network: `per_minute` at once, then at that rate (generic cell rate algorithm).
#[derive(Debug)]
pub struct Strangers {
    per_minute: u32,
    arrivals: Mutex<HashMap<IpAddr, Instant>>,
    turn: Arc<Semaphore>,
}

/// The turn of a stranger did not come in time.
#[derive(Clone, Copy, Debug)]
pub struct Crowded;

impl Strangers {
    /// 0 is no limit.
    pub fn new(per_minute: u32) -> Self {
        Self { per_minute, arrivals: Mutex::default(), turn: Arc::new(Semaphore::new(1)) }
    }

    /// Waits for the turn of a key that nobody knows yet; none is needed from a network with few wrong keys.
    ///
    /// # Errors
    /// `Crowded` when the turn does not come within seconds.
    pub async fn turn(&self, origin: Option<Origin>) -> Result<Option<OwnedSemaphorePermit>, Crowded> {
        if !self.is_crowd(origin, Instant::now()) {
            return Ok(None);
        }
        match timeout(PATIENCE, self.turn.clone().acquire_owned()).await {
            Ok(Ok(turn)) => Ok(Some(turn)),
            Ok(Err(_)) | Err(_) => Err(Crowded),
        }
    }

    /// The network to count. Whoever may stand for others is not counted.
    fn counted(&self, origin: Option<Origin>) -> Option<IpAddr> {
        origin.filter(|origin| self.per_minute > 0 && !origin.is_shared()).map(|origin| origin.network())
    }

    fn is_crowd(&self, origin: Option<Origin>, now: Instant) -> bool {
        let Some(network) = self.counted(origin) else { return false };
        let arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        let ahead = arrivals.get(&network).map_or(Duration::ZERO, |arrival| arrival.saturating_duration_since(now));
        ahead + PERIOD / self.per_minute > PERIOD
    }

    /// Counts a wrong key.
    pub fn count(&self, origin: Option<Origin>) {
        self.count_at(origin, Instant::now());
    }

    fn count_at(&self, origin: Option<Origin>, now: Instant) {
        let Some(network) = self.counted(origin) else { return };
        let mut arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        if arrivals.len() >= NETWORKS && !arrivals.contains_key(&network) {
            arrivals.retain(|_, arrival| *arrival > now);
            if arrivals.len() >= NETWORKS {
                return;
            }
        }
        let arrival = arrivals.entry(network).or_insert(now);
        *arrival = ((*arrival).max(now) + PERIOD / self.per_minute).min(now + PERIOD);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{Extensions, HeaderMap};
    use glosa_http::Peer;

    fn origin(address: &str) -> Option<Origin> {
        let mut extensions = Extensions::new();
        extensions.insert(Peer(address.parse().unwrap()));
        Origin::of(&extensions, &HeaderMap::new())
    }

    #[test]
    fn a_network_is_a_crowd_after_its_share_and_forgiven_with_time() {
        let strangers = Strangers::new(20);
        let (one, other, proxy) = (origin("203.0.113.1"), origin("203.0.113.2"), origin("127.0.0.1"));
        let now = Instant::now();
        for _ in 0..20 {
            assert!(!strangers.is_crowd(one, now));
            strangers.count_at(one, now);
            strangers.count_at(proxy, now);
        }
        assert!(strangers.is_crowd(one, now));
        assert!([other, proxy, None].into_iter().all(|origin| !strangers.is_crowd(origin, now)));
        strangers.count_at(one, now);
        assert!(strangers.is_crowd(one, now + Duration::from_secs(2)));
        assert!(!strangers.is_crowd(one, now + Duration::from_secs(4)));
        assert!(!Strangers::new(0).is_crowd(one, now));
    }

    #[tokio::test]
    async fn a_crowd_goes_one_by_one() {
        let strangers = Strangers::new(1);
        let one = origin("203.0.113.1");
        assert!(strangers.turn(one).await.unwrap().is_none());
        strangers.count(one);
        let turn = strangers.turn(one).await.unwrap();
        assert!(turn.is_some());
        assert!(timeout(Duration::from_millis(50), strangers.turn(one)).await.is_err(), "it waits");
        assert!(strangers.turn(origin("203.0.113.2")).await.unwrap().is_none());
        drop(turn);
        assert!(strangers.turn(one).await.unwrap().is_some());
    }
}
