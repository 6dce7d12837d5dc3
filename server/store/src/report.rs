//! The life of a report as the store keeps it: what comes in, what a caller sees, what a worker holds.
use crate::{AccountId, Changes, Fut, PollClient, ReportId};
use jiff::Timestamp;
use std::fmt;
use std::time::{Duration, Instant};

/// The public state of a report. It only moves forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReportStatus {
    /// Accepted, not started.
    Queued,
    /// An analysis has started (perhaps more than once).
    Running,
    /// The result is stored. Final.
    Completed,
    /// The analysis failed. Final.
    Failed,
}

impl ReportStatus {
    /// The word of the interface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }

    /// Whether nothing will change any more.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }

    pub(crate) fn from_code(code: i64) -> Option<Self> {
        [Self::Queued, Self::Running, Self::Completed, Self::Failed].get(usize::try_from(code).ok()?).copied()
    }
}

/// What a running analysis is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReportPhase {
    /// Linguistic analysis.
    Analyzing,
    /// Applying rules.
    Building,
}

impl ReportPhase {
    /// The word of the interface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Analyzing => "analyzing",
            Self::Building => "building",
        }
    }

    pub(crate) fn code(self) -> i64 {
        match self {
            Self::Analyzing => 0,
            Self::Building => 1,
        }
    }

    pub(crate) fn from_code(code: i64) -> Option<Self> {
        [Self::Analyzing, Self::Building].get(usize::try_from(code).ok()?).copied()
    }
}

/// A request to be stored and queued. Text and external id are kept byte for byte; U+0000 is an ordinary character.
#[derive(Clone)]
pub struct NewReport {
    /// Who asks; owner of the report.
    pub account: AccountId,
    /// The exact text.
    pub text: String,
    /// Analysis language, opaque to the store.
    pub language: String,
    /// Domain slug of the resolved genre, opaque to the store.
    pub domain_slug: String,
    /// Text type slug of the resolved genre, opaque to the store.
    pub text_type_slug: String,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Estimate given to the caller, seconds.
    pub estimated_seconds: Option<u32>,
    /// Seconds before the first poll, counted from the answer; 0 sets no deadline.
    pub first_poll_seconds: u32,
    /// Whom the first poll is promised.
    pub client: PollClient,
    /// Set when the caller sent an idempotency key.
    pub idempotency: Option<Idempotency>,
}

impl fmt::Debug for NewReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("NewReport")
            .field("account", &self.account)
            .field("text_bytes", &self.text.len())
            .field("language", &self.language)
            .field("domain_slug", &self.domain_slug)
            .field("text_type_slug", &self.text_type_slug)
            .finish_non_exhaustive()
    }
}

/// A caller's key and what it stands for. Both are stored only as keyed digests.
#[derive(Clone)]
pub struct Idempotency {
    /// The header's value, 1 to 255 characters.
    pub key: String,
    /// Canonical bytes of the parsed request with defaults applied. Two requests are the same when these bytes are equal.
    pub payload: Vec<u8>,
}

impl fmt::Debug for Idempotency {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Idempotency(..)")
    }
}

/// Answer to a submission.
#[derive(Clone, Debug)]
pub enum Submitted {
    /// Stored and committed.
    Created(Accepted),
    /// The same request came before under this key: its first answer again, whatever has become of the report.
    Replayed(Accepted),
    /// The key was used for another request. Nothing was stored.
    KeyReused,
    /// A request with this key is being stored by someone else and did not end within 5 seconds. Nothing was stored.
    InFlight,
    /// The account has as many waiting reports as it may. Nothing was stored, the key is free.
    AccountQueueFull,
    /// The whole queue is full. Nothing was stored, the key is free.
    QueueFull,
}

/// What the caller is told about an accepted report.
#[derive(Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The report.
    pub report_id: ReportId,
    /// The caller's own identifier, unchanged.
    pub external_id: Option<String>,
    /// The estimate of the first answer, seconds.
    pub estimated_seconds: Option<u32>,
    /// Seconds until the next poll is welcome, at least 1. On a replay, what remains.
    pub retry_after_seconds: u32,
}

impl fmt::Debug for Accepted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Accepted").field("report_id", &self.report_id).finish_non_exhaustive()
    }
}

/// Why a report is being looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A client polls: it must have been told to come by now, and is told when to come again.
    /// How long its request has waited inside the service does not count.
    Poll(PollInterval, PollClient, Instant),
    /// A client whose poll was decided on is answered now: the same without a deadline.
    Answer,
    /// A stream or another internal reader: no deadline, and neither result nor position is loaded.
    Stream,
}

/// Bounds of the polling interval in seconds. The interval is a quarter of the estimate that remains, held between the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PollInterval {
    /// Shortest interval; 0 switches the check off (the suggested interval is then at least 1 second all the same).
    pub min_seconds: u32,
    /// Longest interval.
    pub max_seconds: u32,
}

impl PollInterval {
    /// Seconds until the next poll is useful, at least 1.
    pub fn seconds(&self, estimated_seconds: Option<u32>, running_for: Duration) -> u32 {
        let estimate = Duration::from_secs(estimated_seconds.unwrap_or(0).into());
        let remaining = estimate.saturating_sub(running_for);
        let quarter = remaining.as_millis().div_ceil(1000).div_ceil(4);
        let at_least = self.min_seconds.max(1);
        u32::try_from(quarter).unwrap_or(u32::MAX).clamp(at_least, self.max_seconds.max(at_least))
    }
}

impl Default for PollInterval {
    fn default() -> Self {
        Self { min_seconds: 1, max_seconds: 10 }
    }
}

/// Answer to a look at a report.
#[derive(Debug)]
pub enum Observed {
    /// The report as its owner sees it.
    Found(Box<Report>),
    /// Polled before the time that was told; that time has not moved.
    TooSoon {
        /// Seconds until a poll is welcome, at least 1, counted from the answer.
        retry_after_seconds: u32,
        /// How long the answer has to wait after the arrival of the poll.
        hold: Duration,
    },
    /// No such report of this account: unknown, another account's, or expired, without distinction.
    Missing,
}

/// A report as its owner sees it.
#[derive(Clone)]
pub struct Report {
    /// The report.
    pub report_id: ReportId,
    /// Its state.
    pub status: ReportStatus,
    /// Set while running, once known.
    pub phase: Option<ReportPhase>,
    /// The caller's own identifier, unchanged.
    pub external_id: Option<String>,
    /// Acceptance. All times have microsecond precision and come from the database's clock.
    pub created_at: Timestamp,
    /// First start of an analysis; never later than `updated_at`.
    pub started_at: Option<Timestamp>,
    /// Last change of state.
    pub updated_at: Timestamp,
    /// Terminal change; then equal to `updated_at`.
    pub finished_at: Option<Timestamp>,
    /// The estimate of acceptance, seconds.
    pub estimated_seconds: Option<u32>,
    /// While queued and polled: 1 is next, capped at 1000.
    pub position_in_queue: Option<u32>,
    /// The stored result when completed and polled, as the worker gave it.
    pub result: Option<Vec<u8>>,
    /// The safe message when failed.
    pub failure: Option<String>,
    /// Seconds until the next poll is welcome, counted from the answer; none when terminal or not polled.
    pub retry_after_seconds: Option<u32>,
    /// How long the answer to a poll has to wait after its arrival, so that clients who come at the same time cannot be mistaken for one in a hurry.
    pub hold: Duration,
}

impl fmt::Debug for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Report")
            .field("report_id", &self.report_id)
            .field("status", &self.status)
            .field("phase", &self.phase)
            .field("created_at", &self.created_at)
            .field("started_at", &self.started_at)
            .field("updated_at", &self.updated_at)
            .field("finished_at", &self.finished_at)
            .field("position_in_queue", &self.position_in_queue)
            .field("result_bytes", &self.result.as_ref().map(Vec::len))
            .field("retry_after_seconds", &self.retry_after_seconds)
            .finish_non_exhaustive()
    }
}

/// The state of a report without its contents, for those that fan out changes. When `status` is terminal and `started_at` was not
/// seen before, a `running` at `started_at` came in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The report.
    pub report_id: ReportId,
    /// Its state.
    pub status: ReportStatus,
    /// Acceptance.
    pub created_at: Timestamp,
    /// First start.
    pub started_at: Option<Timestamp>,
    /// Last change of state.
    pub updated_at: Timestamp,
}

/// The right to work on a report, until it expires or someone else holds a later one. The token fences: a write with an old token
/// changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The report.
    pub report_id: ReportId,
    /// Grows with every claim of the report.
    pub token: i64,
}

/// A claimed report: the lease and what is to be analysed.
#[derive(Clone)]
pub struct Job {
    /// The right to work on it.
    pub lease: Lease,
    /// The exact text.
    pub text: String,
    /// Analysis language.
    pub language: String,
    /// Domain slug.
    pub domain_slug: String,
    /// Text type slug.
    pub text_type_slug: String,
    /// 1 for the first.
    pub attempt: u32,
    /// Whether no attempt is left after this one: the worker then finishes with a failure instead of releasing.
    pub is_last_attempt: bool,
}

impl fmt::Debug for Job {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Job")
            .field("lease", &self.lease)
            .field("text_bytes", &self.text.len())
            .field("language", &self.language)
            .field("domain_slug", &self.domain_slug)
            .field("text_type_slug", &self.text_type_slug)
            .field("attempt", &self.attempt)
            .finish_non_exhaustive()
    }
}

/// Whether a write under a lease took effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a lost lease means that the work is someone else's"]
pub enum Held {
    /// It did.
    Held,
    /// Someone else has the report, or it is terminal, or its time is up. Nothing was written: drop the work.
    Lost,
}

/// How an analysis ended.
#[derive(Clone)]
pub enum Outcome {
    /// The result, opaque to the store.
    Completed(Vec<u8>),
    /// A message that is safe to show.
    Failed(String),
}

impl fmt::Debug for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Completed(result) => write!(out, "Completed({} bytes)", result.len()),
            Self::Failed(message) => write!(out, "Failed({message:?})"),
        }
    }
}

/// Why a lease is given back before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// The worker stops: the attempt does not count, another worker may take the report at once.
    Handover,
    /// The attempt failed in a way that another may not: it counts, and the next waits 1 s after the first, 10 s after the second.
    Retry,
}

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Reports failed because their attempts were used up or they waited too long.
    pub failed: u64,
    /// Reports deleted because their retention ended.
    pub expired: u64,
    /// Idempotency keys forgotten.
    pub keys: u64,
}

/// Load of the queue, for operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Reports that wait.
    pub queued: u64,
    /// Reports being analysed or between two attempts.
    pub running: u64,
    /// Seconds since the oldest waiting report was accepted.
    pub oldest_queued_seconds: Option<u64>,
    /// Seconds since the start of the oldest running report.
    pub oldest_running_seconds: Option<u64>,
}

/// Reports and their queue. Every call is one transaction at most and holds none when it returns.
pub trait ReportStore: Send + Sync {
    /// Stores and queues a report, and takes the idempotency key in the same transaction. When it answers `Created`, the report is
    /// committed.
    fn submit(&self, new: NewReport) -> Fut<'_, Submitted>;

    /// Shows a report to its owner.
    fn observe(&self, account: AccountId, report: ReportId, look: Look) -> Fut<'_, Observed>;

    /// The standing of several reports at once; expired and unknown ones are absent. For readers that have checked the owner.
    fn standings<'a>(&'a self, reports: &'a [ReportId]) -> Fut<'a, Vec<Standing>>;

    /// Takes up to `at_most` reports: first those whose lease ran out, then waiting ones, one of each account in turn. Each comes
    /// with a lease to be renewed about every third of its length. Empty when there is no work.
    fn claim<'a>(&'a self, worker: &'a str, at_most: u32) -> Fut<'a, Vec<Job>>;

    /// Heartbeat: extends the lease and tells the phase. Lost also when the job has run longer than one may.
    fn renew(&self, lease: Lease, phase: ReportPhase) -> Fut<'_, Held>;

    /// Stores the outcome and deletes the text in the same statement.
    fn finish(&self, lease: Lease, outcome: Outcome) -> Fut<'_, Held>;

    /// Gives a lease back. The report stays `running` to its owner.
    fn release(&self, lease: Lease, how: Release) -> Fut<'_, Held>;

    /// Load of the queue.
    fn backlog(&self) -> Fut<'_, Backlog>;

    /// Wake-ups from now on. They may come twice or for nothing; when some may have been lost, `Change::Unknown` says so.
    fn changes(&self) -> Changes;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_a_quarter_of_what_remains() {
        let bounds = PollInterval::default();
        for (estimate, running_for, expected) in
            [(None, 0, 1), (Some(4), 0, 1), (Some(5), 0, 2), (Some(20), 0, 5), (Some(20), 19, 1), (Some(4000), 0, 10)]
        {
            assert_eq!(bounds.seconds(estimate, Duration::from_secs(running_for)), expected);
        }
        let (off, long) =
            (PollInterval { min_seconds: 0, max_seconds: 0 }, PollInterval { min_seconds: 20, max_seconds: 10 });
        assert_eq!((off.seconds(None, Duration::ZERO), long.seconds(None, Duration::ZERO)), (1, 20));
    }
}
