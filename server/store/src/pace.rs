//! When a report may be polled again. Every answer promises its client a time; a poll is in time when a promise to that client is due,
//! and uses it up. So several clients of one report keep each their own time, whoever comes in between, and one that hurries finds no
//! promise due. A refusal makes a promise too, because it also says when to come back.
//!
//! Clients are told apart by their API key. Those that share a key share its promises, up to [`OF_ONE_CLIENT`] at once. A client to
//! whom nothing was promised may poll once somebody could.
use crate::{KeyId, StoreError};

/// A poll may come this much before its time: clocks and networks are not exact.
const GRACE: i64 = 250_000;
/// Open promises to one client, and so its polls per interval at the very most.
const OF_ONE_CLIENT: usize = 8;
/// Open promises in all.
const OF_ALL: usize = 24;
const BYTES: usize = 12;

/// Tells the clients of an account apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PollClient(u32);

impl PollClient {
    /// A client without a key.
    pub const ANYONE: Self = Self(0);

    /// The client that uses a key.
    pub fn of(key: KeyId) -> Self {
        Self((key.0.as_u128() & u128::from(u32::MAX)) as u32)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Promise {
    /// Microseconds; 0 stands for the first poll, whose time the report has.
    due: i64,
    client: PollClient,
}

/// The open promises of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pace(Vec<Promise>);

/// What becomes of a poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Poll {
    /// In time; the next is promised after the interval.
    Welcome,
    /// Too early; come back after these seconds.
    TooSoon(u32),
}

impl Pace {
    /// What is stored with a new report: the first poll is its creator's.
    pub(crate) fn first(client: PollClient) -> Vec<u8> {
        Self(vec![Promise { due: 0, client }]).bytes()
    }

    /// Reads what is stored. Nothing stored means that the first poll is anyone's.
    pub(crate) fn read(stored: Option<&[u8]>, first_due: i64) -> Result<Self, StoreError> {
        let stored = stored.unwrap_or(&[0; BYTES]);
        if !stored.len().is_multiple_of(BYTES) {
            return Err(StoreError::Damaged { what: "promises" });
        }
        let promises = stored.chunks_exact(BYTES).map(|bytes| {
            let (due, client) = bytes.split_at(8);
            let due = i64::from_be_bytes(due.try_into().unwrap_or_default());
            let client = u32::from_be_bytes(client.try_into().unwrap_or_default());
            Promise { due: if due == 0 { first_due } else { due }, client: PollClient(client) }
        });
        Ok(Self(promises.collect()))
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0
            .iter()
            .flat_map(|promise| promise.due.to_be_bytes().into_iter().chain(promise.client.0.to_be_bytes()))
            .collect()
    }

    /// Decides on a poll at `now` and makes the promise that its answer tells. `interval` is in seconds.
    pub(crate) fn poll(&mut self, client: PollClient, now: i64, interval: u32) -> Poll {
        let is_due = |promise: &Promise| promise.due <= now + GRACE;
        let earliest = self.of(client).min_by_key(|(_, promise)| promise.due);
        match earliest {
            Some((place, promise)) if is_due(&promise) => {
                self.0.swap_remove(place);
            }
            None if self.0.iter().any(is_due) => {}
            _ => {
                let due =
                    earliest.map_or_else(|| self.0.iter().map(|promise| promise.due).min(), |own| Some(own.1.due));
                let seconds = crate::protection::seconds_up(due.unwrap_or(now) - now).max(1);
                self.promise(client, now, seconds);
                return Poll::TooSoon(seconds);
            }
        }
        self.promise(client, now, interval);
        Poll::Welcome
    }

    /// Promises a poll after so many seconds.
    pub(crate) fn promise(&mut self, client: PollClient, now: i64, seconds: u32) {
        if self.of(client).count() >= OF_ONE_CLIENT {
            return;
        }
        let promise = Promise { due: now + i64::from(seconds) * 1_000_000, client };
        if self.0.len() >= OF_ALL
            && let Some(oldest) = self.0.iter_mut().min_by_key(|promise| promise.due)
        {
            *oldest = promise;
            return;
        }
        self.0.push(promise);
    }

    fn of(&self, client: PollClient) -> impl Iterator<Item = (usize, Promise)> {
        self.0.iter().copied().enumerate().filter(move |(_, promise)| promise.client == client)
    }
}

/// Seconds until the next poll is useful: a quarter of what remains of the estimate, held between two bounds.
pub(crate) fn interval(estimated_seconds: Option<u32>, running_for: i64, at_least: u32, at_most: u32) -> u32 {
    let remaining = i64::from(estimated_seconds.unwrap_or(0)) * 1_000_000 - running_for;
    crate::protection::seconds_up(remaining).div_ceil(4).clamp(at_least, at_most.max(at_least))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECOND: i64 = 1_000_000;
    const START: i64 = 1_700_000_000 * SECOND;

    fn new(creator: PollClient) -> Pace {
        Pace::read(Some(&Pace::first(creator)), START + SECOND).unwrap()
    }

    #[test]
    fn a_client_in_a_hurry_waits() {
        let one = PollClient(1);
        let mut pace = new(one);
        assert_eq!(pace.poll(one, START + SECOND, 2), Poll::Welcome);
        assert_eq!(pace.poll(one, START + SECOND + 50_000, 2), Poll::TooSoon(2));
        assert_eq!(pace.poll(one, START + 3 * SECOND - GRACE, 2), Poll::Welcome);
    }

    #[test]
    fn a_new_client_need_not_wait_longer_than_others() {
        let (one, other) = (PollClient(1), PollClient(2));
        let mut pace = new(one);
        assert_eq!(pace.poll(other, START, 5), Poll::TooSoon(1));
        let mut pace = new(one);
        assert_eq!(pace.poll(other, START + SECOND, 5), Poll::Welcome);
        assert_eq!(pace.poll(one, START + SECOND, 5), Poll::Welcome, "the creator was promised this time");
    }

    #[test]
    fn what_is_stored_comes_back() {
        let mut pace = new(PollClient(7));
        pace.promise(PollClient(u32::MAX), START, 9);
        assert_eq!(Pace::read(Some(&pace.bytes()), 0).unwrap(), pace);
        assert!(Pace::read(Some(&[1]), 0).is_err());
        assert_eq!(Pace::read(None, START).unwrap().poll(PollClient(3), START, 1), Poll::Welcome);
    }

    #[test]
    fn the_interval_follows_what_remains() {
        for (estimate, running_for, expected) in [
            (None, 0, 1),
            (Some(4), 0, 1),
            (Some(5), 0, 2),
            (Some(20), 0, 5),
            (Some(20), 19 * SECOND, 1),
            (Some(4000), 0, 10),
        ] {
            assert_eq!(interval(estimate, running_for, 1, 10), expected);
        }
    }

    /// A client of the model: when it comes back, and how much longer than told it waits each time.
    #[derive(Clone, Debug)]
    struct Polite {
        key: u32,
        first: i64,
        late: Vec<i64>,
    }

    fn polite() -> impl Strategy<Value = Polite> {
        (0u32..3, 0i64..700_000, prop::collection::vec(0i64..4 * SECOND, 1..12)).prop_map(|(key, first, late)| Polite {
            key,
            first,
            late,
        })
    }

    proptest! {
        /// Clients that wait as long as they were told are never refused a second time, whatever a client with another key does.
        #[test]
        fn the_polite_are_never_refused(clients in prop::collection::vec(polite(), 1..6), hurry in 20_000i64..2 * SECOND, interval in 1u32..4) {
            let hasty = PollClient(99);
            let mut pace = new(PollClient(0));
            let mut events: Vec<(i64, Option<usize>)> =
                clients.iter().enumerate().map(|(number, client)| (START + client.first, Some(number))).collect();
            events.extend((0..200).map(|number| (START + number * hurry, None)));
            let mut rounds = vec![0; clients.len()];
            let mut told = vec![false; clients.len()];
            while let Some(next) = events.iter().copied().min() {
                events.retain(|event| *event != next);
                let (now, who) = next;
                let Some(number) = who else {
                    pace.poll(hasty, now, interval);
                    continue;
                };
                let seconds = match pace.poll(PollClient(clients[number].key), now, interval) {
                    Poll::Welcome => interval,
                    Poll::TooSoon(seconds) => {
                        prop_assert!(!told[number], "client {number} waited as told and was refused at {}", now - START);
                        seconds
                    }
                };
                told[number] = true;
                if let Some(late) = clients[number].late.get(rounds[number]) {
                    rounds[number] += 1;
                    events.push((now + i64::from(seconds) * SECOND + late, Some(number)));
                }
            }
        }

        /// However often a client comes, its polls that pass are bounded.
        #[test]
        fn hurry_gains_little(gap in 1_000i64..500_000, interval in 1u32..4) {
            let mut pace = new(PollClient(1));
            let seconds = 12;
            let mut passed = 0;
            for now in (START..START + seconds * SECOND).step_by(gap as usize) {
                passed += usize::from(pace.poll(PollClient(1), now, interval) == Poll::Welcome);
            }
            let rounds = seconds * SECOND / (i64::from(interval) * SECOND - GRACE) + 2;
            prop_assert!(passed as i64 <= OF_ONE_CLIENT as i64 * rounds);
            prop_assert!(pace.bytes().len() <= OF_ALL * BYTES);
        }
    }
}
