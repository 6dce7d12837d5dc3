//! How much a caller may send and ask. Defaults are those of the public service; 0 switches a rate off.
use glosa_store::{PollInterval, RatePolicy};
use std::time::Duration;

/// The limits of the service.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Most words of a text, counted as the measurement `word-count` counts them, labels of lists included.
    pub words: usize,
    /// Most code points of a text.
    pub code_points: usize,
    /// Most bytes of a request body.
    pub body_bytes: usize,
    /// Most bytes of an external id.
    pub external_id_bytes: usize,
    /// Reports an account may create per minute; a third of them at once. 0 is no limit.
    pub create_per_minute: u32,
    /// Status requests of an account per second; three times as many at once. 0 is no limit.
    pub status_per_second: u32,
    /// Shortest polling interval of a report in seconds. 0 switches the check off.
    pub min_poll_seconds: u32,
    /// Longest suggested polling interval in seconds.
    pub max_poll_seconds: u32,
    /// Open event streams of an account. 0 is no limit.
    pub streams: u32,
    /// Event streams an account may open per second. 0 is no limit.
    pub streams_per_second: u32,
    /// Time between two heartbeats of an event stream.
    pub heartbeat: Duration,
    /// Wrong keys of one network per minute before keys of its that are new to the process are looked up one at a time. 0 is no limit.
    pub refused_keys_per_minute: u32,
    /// Open connections, the most of this process.
    pub connections: usize,
    /// Time for the headers of a request, and for a kept connection to be used again.
    pub head_patience: Duration,
    /// Time for the body of a request.
    pub body_patience: Duration,
    /// Time that a client may leave an answer unread.
    pub read_patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            words: 20_000,
            code_points: 400_000,
            body_bytes: 4 << 20,
            external_id_bytes: 4096,
            create_per_minute: 60,
            status_per_second: 20,
            min_poll_seconds: 1,
            max_poll_seconds: 10,
            streams: 20,
            streams_per_second: 5,
            heartbeat: Duration::from_secs(15),
            refused_keys_per_minute: 20,
            connections: 16_384,
            head_patience: Duration::from_secs(20),
            body_patience: Duration::from_secs(20),
            read_patience: Duration::from_secs(30),
        }
    }
}

impl Limits {
    /// The rate of `POST /v1/reports`.
    pub fn create_policy(&self) -> Option<RatePolicy> {
        (self.create_per_minute > 0).then(|| RatePolicy {
            name: "create",
            quantity: self.create_per_minute,
            period: Duration::from_secs(60),
            burst: (self.create_per_minute / 3).max(1),
        })
    }

    /// The rate of `GET /v1/reports/{report_id}`.
    pub fn status_policy(&self) -> Option<RatePolicy> {
        (self.status_per_second > 0).then(|| RatePolicy {
            name: "status",
            quantity: self.status_per_second,
            period: Duration::from_secs(1),
            burst: self.status_per_second.saturating_mul(3),
        })
    }

    /// The rate of `GET /v1/reports/{report_id}/events`.
    pub fn stream_policy(&self) -> Option<RatePolicy> {
        (self.streams_per_second > 0).then(|| RatePolicy {
            name: "events",
            quantity: self.streams_per_second,
            period: Duration::from_secs(1),
            burst: self.streams_per_second.saturating_mul(4),
        })
    }

    /// The polling interval.
    pub fn poll(&self) -> PollInterval {
        PollInterval {
            min_seconds: self.min_poll_seconds,
            max_seconds: self.max_poll_seconds.max(self.min_poll_seconds).max(1),
        }
    }

    /// Seconds before the first poll of a report of this estimate: what the store sets as the deadline, 0 for none.
    pub fn first_poll_seconds(&self, estimated_seconds: u32) -> u32 {
        if self.min_poll_seconds == 0 {
            return 0;
        }
        self.poll().seconds(Some(estimated_seconds), Duration::ZERO)
    }
}

/// Words of a text as the word limit counts them: orthographic words, as in a report.
pub fn words(text: &str) -> usize {
    glosa_text::orthographic_words(text).count()
}

/// Half of what prose costs one core (`cargo bench -p glosa-report --bench hostile` prints prose of up to 400,000 code points and
/// the dearest texts): an estimate is better met early, and texts of signs alone cost up to three times as much.
const CODE_POINTS_PER_SECOND: usize = 200_000;

/// Rough duration of an analysis in seconds, at least 1. Depends on the length alone.
pub fn estimated_seconds(code_points: usize) -> u32 {
    u32::try_from(1 + code_points / CODE_POINTS_PER_SECOND).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_report() {
        assert_eq!(words(""), 0);
        assert_eq!(words(" \n\u{3000}"), 0);
        assert_eq!(words("a\u{a0}b  c-d — (l'e) 3,5.\n"), 5);
    }

    proptest::proptest! {
        #[test]
        fn estimates_grow_with_the_length(shorter in 0usize..10_000_000, more in 0usize..1_000_000) {
            let estimate = estimated_seconds(shorter);
            proptest::prop_assert!(estimate >= 1 && estimated_seconds(shorter + more) >= estimate);
        }
    }

    #[test]
    fn the_first_poll_comes_after_a_second_at_least() {
        let limits = Limits::default();
        assert_eq!(limits.first_poll_seconds(1), 1);
        assert_eq!(limits.first_poll_seconds(9), 3);
        assert_eq!(limits.first_poll_seconds(900), 10);
        let off = Limits { min_poll_seconds: 0, ..limits };
        assert_eq!(off.first_poll_seconds(900), 0);
    }
}
