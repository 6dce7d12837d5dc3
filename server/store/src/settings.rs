//! Where the database is and the limits the store itself keeps.
use crate::StoreError;
use std::path::PathBuf;
use std::time::Duration;

/// How long an idempotency key is remembered. Part of the contract, so no setting.
pub const IDEMPOTENCY_WINDOW: Duration = Duration::from_secs(24 * 3600);

/// Where the reports are.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// A SQLite file; made when missing, its folder too.
    Sqlite(PathBuf),
    /// A `postgres://` address.
    Postgres(String),
}

impl std::fmt::Debug for Location {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sqlite(path) => write!(out, "Sqlite({})", path.display()),
            Self::Postgres(_) => out.write_str("Postgres(..)"),
        }
    }
}

impl Location {
    /// Reads `postgres://…`, `postgresql://…` or `sqlite:PATH`.
    ///
    /// # Errors
    /// `Setting` for any other scheme.
    pub fn parse(address: &str) -> Result<Self, StoreError> {
        if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            return Ok(Self::Postgres(address.to_owned()));
        }
        match address.strip_prefix("sqlite:") {
            Some(path) if !path.is_empty() => Ok(Self::Sqlite(PathBuf::from(path.strip_prefix("//").unwrap_or(path)))),
            _ => Err(StoreError::Setting {
                name: "database-url",
                problem: "expected postgres://USER@HOST/DATABASE or sqlite:PATH".to_owned(),
            }),
        }
    }
}

/// What the store needs to know.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The database.
    pub location: Location,
    /// How long a terminal report is kept: 1 to 365 days, 30 by default.
    pub retention: Duration,
    /// How long a claim lasts without a heartbeat, 30 s by default.
    pub lease: Duration,
    /// How long one attempt may last whatever its heartbeats, 120 s by default.
    pub job_deadline: Duration,
    /// Attempts before a report fails, 3 by default.
    pub attempts: u32,
    /// How long a report may wait before it fails, 24 h by default.
    pub queue_age: Duration,
    /// Waiting reports one account may have, 5 000 by default.
    pub account_queue: u32,
    /// Waiting reports in all, 100 000 by default; held to within the submissions under way at once in other processes.
    pub queue: u32,
    /// Connections to the database, 10 by default.
    pub connections: u32,
    /// Added to the database's clock, microseconds; 0 but in tests of what time does.
    pub clock_offset: i64,
}

impl Settings {
    /// The defaults for a database.
    pub fn new(location: Location) -> Self {
        Self {
            location,
            retention: Duration::from_secs(30 * 24 * 3600),
            lease: Duration::from_secs(30),
            job_deadline: Duration::from_secs(120),
            attempts: 3,
            queue_age: Duration::from_secs(24 * 3600),
            account_queue: 5_000,
            queue: 100_000,
            connections: 10,
            clock_offset: 0,
        }
    }

    /// # Errors
    /// `Setting` for the first value that cannot hold.
    pub fn check(&self) -> Result<(), StoreError> {
        let day = Duration::from_secs(24 * 3600);
        let problem = |name, problem: &str| Err(StoreError::Setting { name, problem: problem.to_owned() });
        if self.retention < day || self.retention > 365 * day {
            return problem("retention", "expected 1 to 365 days: a replayed answer must find its report for 24 hours");
        }
        if self.lease.is_zero() || self.job_deadline < self.lease {
            return problem("lease", "expected more than zero and no more than the job deadline");
        }
        if self.attempts == 0 {
            return problem("attempts", "expected at least 1");
        }
        if self.queue_age.is_zero() {
            return problem("queue-age", "expected more than zero");
        }
        if self.account_queue == 0 || self.queue == 0 {
            return problem("queue", "expected at least 1");
        }
        if self.connections == 0 {
            return problem("connections", "expected at least 1");
        }
        Ok(())
    }
}

/// Microseconds, the unit of every stored time.
pub(crate) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX / 4)
}
