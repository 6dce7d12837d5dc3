//! What workers do with the queue: claims, leases, outcomes. Every write of a worker names its lease token.
use crate::driver::{FromRow, Row};
use crate::error::Fault;
use crate::settings::micros;
use crate::statement::{BACKLOG, CLAIM, FINISH, RELEASE, RENEW};
use crate::store::SqlStore;
use crate::{Backlog, Change, Held, Job, Lease, Outcome, Release, ReportId, ReportPhase};

impl FromRow for Job {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        Ok(Self {
            lease: Lease { report_id: ReportId(row.get("report_id")?), token: row.get("lease_token")? },
            text: row.utf8("text", "text")?,
            language: row.get("language")?,
            domain_slug: row.get("domain_slug")?,
            text_type_slug: row.get("text_type_slug")?,
            attempt: row.get::<i64>("attempt")? as u32,
            is_last_attempt: false,
        })
    }
}

impl FromRow for Backlog {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        let now: i64 = row.get("now")?;
        let age = |since: Option<i64>| since.map(|since| ((now - since).max(0) / 1_000_000) as u64);
        Ok(Self {
            queued: row.get::<i64>("queued")? as u64,
            running: row.get::<i64>("running")? as u64,
            oldest_queued_seconds: age(row.get("oldest_queued_at")?),
            oldest_running_seconds: age(row.get("oldest_running_at")?),
        })
    }
}

fn held(rows: u64) -> Held {
    if rows == 1 { Held::Held } else { Held::Lost }
}

impl SqlStore {
    pub(super) async fn claim_work(&self, worker: &str, at_most: u32) -> Result<Vec<Job>, Fault> {
        let settings = &self.settings;
        let turn = self.writing().await?;
        let claimed = turn
            .query(CLAIM)
            .bind(self.time())
            .bind(worker)
            .bind(i64::from(at_most))
            .bind(micros(settings.lease))
            .bind(i64::from(settings.attempts))
            .all::<Job>()
            .await;
        turn.end();
        let mut jobs = claimed?;
        for job in &mut jobs {
            job.is_last_attempt = job.attempt >= settings.attempts;
        }
        jobs.sort_by_key(|job| job.lease.report_id);
        let started: Vec<_> = jobs.iter().map(|job| Change::Report(job.lease.report_id)).collect();
        self.announce(&started);
        Ok(jobs)
    }

    pub(super) async fn renew_lease(&self, lease: Lease, phase: ReportPhase) -> Result<Held, Fault> {
        let turn = self.writing().await?;
        let rows = turn
            .query(RENEW)
            .bind(self.time())
            .bind(lease.report_id.0)
            .bind(lease.token)
            .bind(phase.code())
            .bind(micros(self.settings.lease))
            .bind(micros(self.settings.job_deadline))
            .run()
            .await?;
        Ok(held(rows))
    }

    pub(super) async fn store_outcome(&self, lease: Lease, outcome: Outcome) -> Result<Held, Fault> {
        let (state, result, failure) = match outcome {
            Outcome::Completed(result) => (2i64, Some(result), None),
            Outcome::Failed(message) => (3i64, None, Some(message.replace('\0', " "))),
        };
        let turn = self.writing().await?;
        let rows = turn
            .query(FINISH)
            .bind(self.time())
            .bind(lease.report_id.0)
            .bind(lease.token)
            .bind(state)
            .bind(result)
            .bind(failure)
            .bind(micros(self.settings.retention))
            .run()
            .await?;
        turn.end();
        if held(rows) == Held::Held {
            self.announce(&[Change::Report(lease.report_id)]);
        }
        Ok(held(rows))
    }

    pub(super) async fn give_back(&self, lease: Lease, how: Release) -> Result<Held, Fault> {
        let turn = self.writing().await?;
        let rows = turn
            .query(RELEASE)
            .bind(self.time())
            .bind(lease.report_id.0)
            .bind(lease.token)
            .bind(i64::from(how == Release::Retry))
            .run()
            .await?;
        turn.end();
        self.announce(&[Change::Work]);
        Ok(held(rows))
    }

    pub(super) async fn measure_queue(&self) -> Result<Backlog, Fault> {
        Backlog::from_row(&self.query(BACKLOG).bind(self.time()).row().await?)
    }
}
