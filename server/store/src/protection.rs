//! Limits that hold over all processes of one database: request rates and open event streams.
use crate::{AccountId, Fut, StreamId};
use std::time::Duration;

/// How long an open stream counts without a sign of life. Processes renew theirs about every third of it.
pub const STREAM_LEASE: Duration = Duration::from_secs(60);

/// A request rate, enforced by the generic cell rate algorithm (ITU-T I.371): `quantity` per `period` on average, `burst` at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatePolicy {
    /// Name of the bucket, such as `create`.
    pub name: &'static str,
    /// Requests per period, at least 1.
    pub quantity: u32,
    /// The period.
    pub period: Duration,
    /// Requests that may come at once, at least 1.
    pub burst: u32,
}

impl RatePolicy {
    /// Microseconds between two requests at the average rate.
    pub(crate) fn spacing(&self) -> i64 {
        (self.period.as_micros() as i64 / i64::from(self.quantity.max(1))).max(1)
    }

    /// Microseconds the theoretical arrival time may lie ahead of the clock.
    pub(crate) fn horizon(&self) -> i64 {
        self.spacing() * i64::from(self.burst.max(1))
    }
}

/// Answer to a request for admission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admission {
    /// Whether the request may go on.
    pub admitted: bool,
    /// Requests that could follow at once.
    pub remaining: u32,
    /// Seconds until the whole burst is available again.
    pub reset_seconds: u32,
    /// Seconds after which a refused request would be admitted, at least 1; 0 when admitted.
    pub retry_after_seconds: u32,
}

impl Admission {
    /// From the theoretical arrival time after the decision, both in microseconds of the database's clock.
    pub(crate) fn decide(policy: &RatePolicy, admitted: bool, arrival: i64, now: i64) -> Self {
        let ahead = (arrival - now).max(0);
        let retry = (ahead + policy.spacing() - policy.horizon()).max(1);
        Self {
            admitted,
            remaining: if admitted { ((policy.horizon() - ahead).max(0) / policy.spacing()) as u32 } else { 0 },
            reset_seconds: seconds_up(ahead),
            retry_after_seconds: if admitted { 0 } else { seconds_up(retry).max(1) },
        }
    }
}

/// Microseconds to whole seconds, upwards; nothing below zero.
pub(crate) fn seconds_up(microseconds: i64) -> u32 {
    u32::try_from(microseconds.max(0).cast_unsigned().div_ceil(1_000_000)).unwrap_or(u32::MAX)
}

/// Limits shared by all processes of one database.
pub trait ProtectionStore: Send + Sync {
    /// Counts one request of an account against a policy.
    fn admit(&self, account: AccountId, policy: RatePolicy) -> Fut<'_, Admission>;

    /// Takes one of the account's `cap` stream slots; none when all are taken. The slot frees itself when nobody renews it for
    /// [`STREAM_LEASE`].
    fn open_stream(&self, account: AccountId, cap: u32) -> Fut<'_, Option<StreamId>>;

    /// Renews the slots of streams that are still open, all of a process in one call.
    fn renew_streams<'a>(&'a self, streams: &'a [StreamId]) -> Fut<'a, ()>;

    /// Frees a slot.
    fn close_stream(&self, stream: StreamId) -> Fut<'_, ()>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The statement's decision, for the properties of the numbers told.
    fn admit(policy: &RatePolicy, arrival: &mut i64, now: i64) -> Admission {
        let next = (*arrival).max(now) + policy.spacing();
        let admitted = next - now <= policy.horizon();
        if admitted {
            *arrival = next;
        }
        Admission::decide(policy, admitted, *arrival, now)
    }

    proptest! {
        #[test]
        fn what_is_told_comes_true(quantity in 1u32..500, seconds in 1u64..4000, burst in 1u32..60, gaps in prop::collection::vec(0i64..3_000_000, 1..80)) {
            let policy = RatePolicy { name: "create", quantity, period: Duration::from_secs(seconds), burst };
            let (mut arrival, mut now) = (0, 1_000_000_000_000);
            for gap in gaps {
                now += gap;
                let told = admit(&policy, &mut arrival, now);
                let mut probe = arrival;
                if told.admitted {
                    for _ in 0..told.remaining {
                        prop_assert!(admit(&policy, &mut probe, now).admitted);
                    }
                    prop_assert!(!admit(&policy, &mut probe, now).admitted);
                } else {
                    prop_assert!(told.retry_after_seconds >= 1);
                    let then = now + i64::from(told.retry_after_seconds) * 1_000_000;
                    prop_assert!(admit(&policy, &mut probe, then).admitted);
                }
                let mut rested = arrival;
                let then = now + i64::from(told.reset_seconds) * 1_000_000;
                for _ in 0..burst {
                    prop_assert!(admit(&policy, &mut rested, then).admitted);
                }
            }
        }
    }
}
