//! When a report may be polled again, and how that holds for any number of clients that nobody can tell apart.
//!
//! Every answer promises a time. A poll that comes at a promised time or later is welcome and uses the promise up; one that comes
//! before is early. Clients with different API keys have promises of their own. Those that share a key share its promises, and which
//! of them polls cannot be known, so three rules keep one in a hurry from costing the others anything:
//!
//! 1. A promised time is a moment, [`MOMENT`] long. Who comes in it is welcome even when somebody else has used the promise up: one of
//!    them was told. Promises of the past that nobody came for are kept, one poll each.
//! 2. An early poll makes the moment before it a guarded one, and so does one who comes besides: everybody who comes in it from then on
//!    is answered at its end. A client that waits for its answer before it polls again can so be welcome once in a moment and no more.
//! 3. An early poll is refused when this moment is over (or, when it is more than a second off, as soon as whole seconds lead to it),
//!    and told a time at which there is a moment: the one that those who were welcome are told too. So the refused one that waits as
//!    told is welcome then, and no promise was made that another early poll could use up. Of those who come besides and wait for their
//!    answers together, all but one get a promise: so many clients there must be.
//!
//! What follows, for clients that wait for an answer before they poll again (the properties below hold it): who waits as long as told
//! is welcome, whatever others do; who waits longer than a moment too, unless an early poll took its promise; a client in a hurry gains
//! nothing that another is promised, and nothing at all when it polls several times a second; a report without early polls is answered
//! at once. Who polls several times at once is several clients.
use crate::{KeyId, StoreError};
use std::time::Duration;

const SECOND: i64 = 1_000_000;
/// A poll may come this much before its time: clocks and timers are not exact.
const GRACE: i64 = SECOND / 10;
/// How long a promised time lasts: what clients that wait exactly differ by, and the way of their requests.
const MOMENT: i64 = SECOND / 2;
/// The longest that an answer waits.
const LONGEST: i64 = 2 * SECOND;
/// Promised times kept for one report. More than these are put together, the later with the earlier.
const MOST: usize = 64;
/// Of what is stored: the form, then times of 8 bytes, clients of 4, those told, refused and come besides of 2 each, whether guarded of 1.
const FORM: u8 = 1;
const BYTES: usize = 19;
/// The form before: times and clients.
const BYTES_BEFORE: usize = 12;

/// Tells the clients of an account apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PollClient(u32);

impl PollClient {
    /// A client without a key.
    pub const ANYONE: Self = Self(0);

    /// The client that uses a key.
    pub fn of(key: KeyId) -> Self {
        Self((key.0.as_u128() & u128::from(u32::MAX)) as u32)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Promise {
    client: PollClient,
    /// Microseconds; 0 stands for the first poll, whose time the report has.
    due: i64,
    /// How many were told this time and have not come.
    told: u16,
    /// How many were told it with a refusal.
    refused: u16,
    /// How many came in the moment although nobody was left who was told.
    besides: u16,
    /// Whether those who come are answered at the end of the moment.
    guarded: bool,
}

impl Promise {
    fn end(&self) -> i64 {
        self.due + MOMENT
    }

    fn is_now(&self, now: i64) -> bool {
        self.due - GRACE <= now && now <= self.end()
    }

    fn put_together(&mut self, other: Self) {
        self.told = self.told.saturating_add(other.told);
        self.refused = self.refused.saturating_add(other.refused);
        self.besides = self.besides.saturating_add(other.besides);
        self.guarded |= other.guarded;
    }
}

/// The open promises of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pace(Vec<Promise>);

/// What becomes of a poll, and how long its answer has to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Poll {
    /// In time; the next is promised the interval after the answer.
    Welcome { hold: Duration },
    /// Too early; come back so many seconds after the answer.
    TooSoon { seconds: u32, hold: Duration },
}

impl Pace {
    /// What is stored with a new report: the first poll is its creator's.
    pub(crate) fn first(client: PollClient) -> Vec<u8> {
        Self(vec![Promise { client, due: 0, told: 1, refused: 0, besides: 0, guarded: false }]).bytes()
    }

    /// Reads what is stored. Nothing stored means that the first poll is anyone's.
    pub(crate) fn read(stored: Option<&[u8]>, first_due: i64) -> Result<Self, StoreError> {
        let damaged = StoreError::Damaged { what: "promises" };
        let due = |bytes: &[u8]| match i64::from_be_bytes(bytes.try_into().unwrap_or_default()) {
            0 => first_due,
            due => due,
        };
        let client = |bytes: &[u8]| PollClient(u32::from_be_bytes(bytes.try_into().unwrap_or_default()));
        let promises = match stored {
            None => vec![Promise {
                client: PollClient::ANYONE,
                due: first_due,
                told: 1,
                refused: 0,
                besides: 0,
                guarded: false,
            }],
            Some([FORM, rest @ ..]) if rest.len().is_multiple_of(BYTES) => rest
                .chunks_exact(BYTES)
                .map(|bytes| Promise {
                    client: client(&bytes[8..12]),
                    due: due(&bytes[..8]),
                    told: u16::from_be_bytes([bytes[12], bytes[13]]),
                    refused: u16::from_be_bytes([bytes[14], bytes[15]]),
                    besides: u16::from_be_bytes([bytes[16], bytes[17]]),
                    guarded: bytes[18] != 0,
                })
                .collect(),
            Some(before) if before.len().is_multiple_of(BYTES_BEFORE) => before
                .chunks_exact(BYTES_BEFORE)
                .map(|bytes| Promise {
                    client: client(&bytes[8..]),
                    due: due(&bytes[..8]),
                    told: 1,
                    refused: 0,
                    besides: 0,
                    guarded: false,
                })
                .collect(),
            Some(_) => return Err(damaged),
        };
        Ok(Self(promises))
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![FORM];
        for Promise { client, due, told, refused, besides, guarded } in &self.0 {
            bytes.extend_from_slice(&due.to_be_bytes());
            bytes.extend_from_slice(&client.0.to_be_bytes());
            for count in [told, refused, besides] {
                bytes.extend_from_slice(&count.to_be_bytes());
            }
            bytes.push(u8::from(*guarded));
        }
        bytes
    }

    /// Decides on a poll that came at `now` and makes the promise that its answer tells, which goes out at `out` or when it was held
    /// long enough. `interval` is in seconds.
    pub(crate) fn poll(&mut self, client: PollClient, now: i64, out: i64, interval: u32) -> Poll {
        self.0.retain(|promise| promise.told > 0 || promise.end() >= now);
        self.0.sort_unstable_by_key(|promise| promise.due);
        if !self.0.iter().any(|promise| promise.client == client) {
            return self.newcomer(client, now, out, interval);
        }
        let own = |wanted: &dyn Fn(&Promise) -> bool| {
            self.0.iter().position(|promise| promise.client == client && wanted(promise))
        };
        let expected = own(&|promise| promise.told > 0 && promise.is_now(now));
        let late = || own(&|promise| promise.told > 0 && promise.end() < now);
        if let Some(place) = expected.or_else(late) {
            let promise = &mut self.0[place];
            let answered = if promise.is_now(now) && promise.guarded { promise.end() } else { now };
            promise.told -= 1;
            self.promise(client, answered.max(out), interval);
            return Poll::Welcome { hold: micros(answered - now) };
        }
        let guarded = own(&|promise| promise.guarded && promise.is_now(now));
        if let Some(place) = guarded.or_else(|| own(&|promise| promise.is_now(now))) {
            return self.unexpected(place, now, interval);
        }
        match own(&|promise| promise.due > now) {
            Some(next) => self.early(next, now, interval),
            None => self.newcomer(client, now, out, interval),
        }
    }

    /// A poll in a moment for which nobody is left who was told. Of those who come besides, and wait for their answers together, one at
    /// most may have been told another time; the others are new.
    fn unexpected(&mut self, place: usize, now: i64, interval: u32) -> Poll {
        let client = self.0[place].client;
        let promise = &mut self.0[place];
        promise.guarded = true;
        let (end, is_new) = (promise.end(), promise.besides > 0);
        promise.besides = promise.besides.saturating_add(1);
        let due = end + i64::from(interval) * SECOND;
        self.add(Promise { client, due, told: u16::from(is_new), refused: 0, besides: 0, guarded: true });
        Poll::Welcome { hold: micros(end - now) }
    }

    /// A client with a key to which nothing was promised may poll once somebody could.
    fn newcomer(&mut self, client: PollClient, now: i64, out: i64, interval: u32) -> Poll {
        let first = self.0.iter().map(|promise| promise.due).min().unwrap_or(now);
        if first - GRACE <= now {
            self.promise(client, out, interval);
            return Poll::Welcome { hold: Duration::ZERO };
        }
        let seconds = crate::protection::seconds_up(first - now).max(1);
        self.promise(client, out, seconds);
        Poll::TooSoon { seconds, hold: Duration::ZERO }
    }

    /// Refuses a poll before the promise at `next`.
    fn early(&mut self, next: usize, now: i64, interval: u32) -> Poll {
        self.0[next].guarded = true;
        let Promise { client, due, .. } = self.0[next];
        let ahead = due - now;
        if ahead < SECOND {
            let end = self.last_end(client, due + MOMENT, now + LONGEST);
            let due = end + i64::from(interval) * SECOND;
            self.add(Promise { client, due, told: 0, refused: 1, besides: 0, guarded: true });
            return Poll::TooSoon { seconds: interval, hold: micros(end - now) };
        }
        let up = crate::protection::seconds_up(ahead);
        if i64::from(up) * SECOND - ahead <= MOMENT / 2 {
            return Poll::TooSoon { seconds: up, hold: Duration::ZERO };
        }
        Poll::TooSoon { seconds: up - 1, hold: micros(ahead % SECOND) }
    }

    /// The end of the last of several moments that follow one another closely, all guarded.
    fn last_end(&mut self, client: PollClient, first: i64, at_most: i64) -> i64 {
        let mut last = first;
        for promise in self.0.iter_mut().filter(|promise| promise.client == client) {
            if promise.due - MOMENT / 2 <= last && promise.end() > last && promise.end() <= at_most {
                promise.guarded = true;
                last = promise.end();
            }
        }
        last
    }

    /// Promises a poll so many seconds after an answer.
    pub(crate) fn promise(&mut self, client: PollClient, answered: i64, seconds: u32) {
        let due = answered + i64::from(seconds) * SECOND;
        self.add(Promise { client, due, told: 1, refused: 0, besides: 0, guarded: false });
    }

    fn add(&mut self, promise: Promise) {
        match self.0.iter_mut().find(|known| (known.client, known.due) == (promise.client, promise.due)) {
            Some(known) => known.put_together(promise),
            None => self.0.push(promise),
        }
        if self.0.len() <= MOST {
            return;
        }
        self.0.sort_unstable();
        let gap = |place: &usize| {
            let (one, next) = (&self.0[place - 1], &self.0[*place]);
            if one.client == next.client { next.due - one.due } else { i64::MAX }
        };
        if let Some(closest) = (1..self.0.len()).min_by_key(gap) {
            let later = self.0.remove(closest);
            if self.0[closest - 1].client == later.client {
                self.0[closest - 1].put_together(later);
            }
        }
    }
}

fn micros(hold: i64) -> Duration {
    Duration::from_micros(hold.max(0).cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    const START: i64 = 1_700_000_000 * SECOND;

    fn new(creator: PollClient) -> Pace {
        Pace::read(Some(&Pace::first(creator)), START + SECOND).unwrap()
    }

    const AT_ONCE: Poll = Poll::Welcome { hold: Duration::ZERO };

    #[test]
    fn an_early_poll_is_refused_at_the_end_of_the_moment_and_told_the_next() {
        let one = PollClient(1);
        let mut pace = new(one);
        assert_eq!(pace.poll(one, START + SECOND, START + SECOND, 2), AT_ONCE);
        let early = pace.poll(one, START + 5 * SECOND / 2, START + 5 * SECOND / 2, 2);
        assert_eq!(early, Poll::TooSoon { seconds: 2, hold: Duration::from_secs(1) });
        let guarded = pace.poll(one, START + 3 * SECOND - GRACE, START + 3 * SECOND - GRACE, 2);
        assert_eq!(guarded, Poll::Welcome { hold: micros(GRACE + MOMENT) });
        let next = START + 3 * SECOND + MOMENT + 2 * SECOND;
        for _ in 0..2 {
            assert!(
                matches!(pace.poll(one, next, next, 2), Poll::Welcome { .. }),
                "the one that was refused, and the other"
            );
        }
    }

    #[test]
    fn whole_seconds_lead_to_a_time_far_off() {
        let one = PollClient(1);
        let far = |ahead: i64| {
            let mut pace = new(one);
            pace.poll(one, START + SECOND + ahead, START + SECOND + ahead, 10);
            pace.poll(
                one,
                START + SECOND + ahead + SECOND / 2 + SECOND / 8,
                START + SECOND + ahead + SECOND / 2 + SECOND / 8,
                10,
            )
        };
        assert_eq!(far(0), Poll::TooSoon { seconds: 9, hold: Duration::from_millis(375) });
        let mut pace = new(one);
        pace.poll(one, START + SECOND, START + SECOND, 10);
        let close = pace.poll(one, START + 2 * SECOND + SECOND / 8, START + 2 * SECOND + SECOND / 8, 10);
        assert_eq!(close, Poll::TooSoon { seconds: 9, hold: Duration::ZERO });
    }

    #[test]
    fn a_new_key_need_not_wait_longer_than_others() {
        let (one, other) = (PollClient(1), PollClient(2));
        let mut pace = new(one);
        assert_eq!(pace.poll(other, START, START, 5), Poll::TooSoon { seconds: 1, hold: Duration::ZERO });
        let mut pace = new(one);
        assert_eq!(pace.poll(other, START + SECOND, START + SECOND, 5), AT_ONCE);
        assert_eq!(pace.poll(one, START + SECOND, START + SECOND, 5), AT_ONCE, "the creator was promised this time");
    }

    #[test]
    fn what_is_stored_comes_back() {
        let mut pace = new(PollClient(7));
        pace.promise(PollClient(u32::MAX), START, 9);
        pace.poll(PollClient(7), START, START, 1);
        assert_eq!(Pace::read(Some(&pace.bytes()), 0).unwrap(), pace);
        assert!(Pace::read(Some(&[1, 2]), 0).is_err());
        assert_eq!(Pace::read(None, START).unwrap().poll(PollClient(3), START, START, 1), AT_ONCE);
        let before = [&START.to_be_bytes()[..], &7u32.to_be_bytes()[..]].concat();
        assert_eq!(Pace::read(Some(&before), 0).unwrap().poll(PollClient(7), START, START, 1), AT_ONCE);
    }

    /// A client of the model, one of those behind a single key: when it comes first, and what it waits between an answer and its next
    /// poll.
    #[derive(Clone, Debug)]
    struct Client {
        first: i64,
        kind: Kind,
    }

    #[derive(Clone, Debug)]
    enum Kind {
        /// As long as told, and so much longer.
        Polite(Vec<i64>),
        /// Whatever was told, so long.
        Hasty(i64),
    }

    /// An answer of the model.
    #[derive(Clone, Copy, Debug)]
    struct Seen {
        client: usize,
        asked: i64,
        answered: i64,
        welcome: bool,
        /// Whether the client had an answer before.
        told: bool,
    }

    const KEY: PollClient = PollClient(1);

    fn run(clients: &[Client], pace: &mut Pace, interval: u32, seconds: i64) -> Vec<Seen> {
        let mut polls: BinaryHeap<_> =
            clients.iter().enumerate().map(|(number, client)| Reverse((START + client.first, number))).collect();
        let mut rounds = vec![0; clients.len()];
        let mut seen = Vec::new();
        while let Some(Reverse((now, number))) = polls.pop() {
            if now > START + seconds * SECOND {
                break;
            }
            let (welcome, told, hold) = match pace.poll(KEY, now, now, interval) {
                Poll::Welcome { hold } => (true, interval, hold),
                Poll::TooSoon { seconds, hold } => (false, seconds, hold),
            };
            assert!(told >= 1 && hold <= Duration::from_secs(2));
            let answered = now + hold.as_micros() as i64;
            seen.push(Seen { client: number, asked: now, answered, welcome, told: rounds[number] > 0 });
            let next = match &clients[number].kind {
                Kind::Polite(late) => i64::from(told) * SECOND + late[rounds[number] % late.len()],
                Kind::Hasty(gap) => *gap,
            };
            rounds[number] += 1;
            polls.push(Reverse((answered + next, number)));
        }
        assert!(pace.bytes().len() <= 1 + MOST * BYTES);
        seen
    }

    fn polite(first: i64, late: i64) -> impl Strategy<Value = Client> {
        (0..first, prop::collection::vec(0..=late, 1..8))
            .prop_map(|(first, late)| Client { first, kind: Kind::Polite(late) })
    }

    fn hasty() -> impl Strategy<Value = Client> {
        (0..3 * SECOND, 1_000..950_000i64).prop_map(|(first, gap)| Client { first, kind: Kind::Hasty(gap) })
    }

    proptest! {
        /// Clients behind one key that wait as long as told are never refused, however many they are, whenever they first come, and
        /// whatever hasty ones do between their polls.
        #[test]
        fn the_polite_are_never_refused(
            polite in prop::collection::vec(polite(5 * SECOND, 200_000), 1..30),
            hasty in prop::collection::vec(hasty(), 0..3),
            interval in 1u32..5,
        ) {
            let clients = [polite.clone(), hasty].concat();
            let seen = run(&clients, &mut new(KEY), interval, 30);
            let refused = seen.iter().find(|seen| seen.client < polite.len() && seen.told && !seen.welcome);
            prop_assert!(refused.is_none(), "{:?} after {:?}", refused, START);
        }

        /// Without hasty ones, they may also come as late as they like.
        #[test]
        fn lateness_costs_nothing(polite in prop::collection::vec(polite(SECOND, 9 * SECOND), 1..30), interval in 1u32..5) {
            let mut pace = new(KEY);
            let clients: Vec<Client> = polite
                .into_iter()
                .map(|client| {
                    pace.promise(KEY, START, 1);
                    Client { first: client.first + SECOND, ..client }
                })
                .collect();
            let seen = run(&clients, &mut pace, interval, 60);
            prop_assert!(seen.iter().all(|seen| seen.welcome && seen.asked == seen.answered));
        }

        /// A hasty client alone, whether it polls at once after an answer or some times a second, gains one answer at most.
        #[test]
        fn hurry_gains_nothing(first in 0..3 * SECOND, gap in 1_000..250_000i64) {
            let seen = run(&[Client { first, kind: Kind::Hasty(gap) }], &mut new(KEY), 1, 30);
            let (welcome, refused): (Vec<&Seen>, Vec<&Seen>) = seen.iter().partition(|seen| seen.welcome);
            let early = welcome.windows(2).filter(|two| two[1].asked - two[0].answered < SECOND - GRACE).count();
            prop_assert!(early <= 1, "{welcome:?}");
            prop_assert!((15..=20).contains(&welcome.len()) && refused.len() >= welcome.len() - 2, "{} {}", welcome.len(), refused.len());
        }

        /// However it times its polls, what it gains is bounded: an answer for each end of a moment.
        #[test]
        fn hurry_gains_little(hasty in hasty(), interval in 1u32..5) {
            let seen = run(&[hasty], &mut new(KEY), interval, 30);
            let welcome = seen.iter().filter(|seen| seen.welcome).count() as i64;
            let waits = 30 / i64::from(interval);
            prop_assert!((waits / 3..=2 * waits + 4).contains(&welcome), "{welcome} in {waits} intervals");
        }

        /// Beside polite clients, it is welcome once in a moment at most, and refused elsewhere.
        #[test]
        fn hurry_is_refused_in_company(polite in prop::collection::vec(polite(SECOND, 100_000), 1..4), hasty in hasty()) {
            let number = polite.len();
            let clients = [polite, vec![hasty]].concat();
            let seen = run(&clients, &mut new(KEY), 2, 40);
            let (welcome, refused): (Vec<&Seen>, Vec<&Seen>) = seen.iter().filter(|seen| seen.client == number).partition(|seen| seen.welcome);
            prop_assert!(!refused.is_empty());
            prop_assert!(welcome.len() as i64 <= 1 + 40 * SECOND / MOMENT, "{} welcome, {} refused", welcome.len(), refused.len());
        }
    }
}
