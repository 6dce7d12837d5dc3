//! What callers see of their reports, and when they may look again.
use crate::driver::{FromRow, Row};
use crate::error::Fault;
use crate::pace::{Pace, Poll};
use crate::settings::micros;
use crate::statement::{OBSERVE, PROMISE, STANDINGS};
use crate::store::{SqlStore, hex_array};
use crate::{AccountId, Look, Observed, Report, ReportId, Standing};
use std::time::Duration;

/// A report with what decides on a poll.
struct Polled {
    report: Report,
    now: i64,
    next_poll_at: i64,
    promises: Option<Vec<u8>>,
}

impl FromRow for Polled {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        Ok(Self {
            report: Report::from_row(row)?,
            now: row.get("now")?,
            next_poll_at: row.get("next_poll_at")?,
            promises: row.get("promises")?,
        })
    }
}

impl FromRow for Report {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        Ok(Self {
            report_id: ReportId(row.get("report_id")?),
            status: row.status("state")?,
            phase: row.phase_or_none("phase")?,
            external_id: row.utf8_or_none("external_id", "external id")?,
            created_at: row.instant("created_at")?,
            started_at: row.instant_or_none("started_at")?,
            updated_at: row.instant("updated_at")?,
            finished_at: row.instant_or_none("finished_at")?,
            estimated_seconds: row.count_or_none("estimated_seconds")?,
            position_in_queue: row.count_or_none("place")?,
            result: row.get("result")?,
            failure: row.get("failure")?,
            retry_after_seconds: None,
            hold: Duration::ZERO,
        })
    }
}

impl FromRow for Standing {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        Ok(Self {
            report_id: ReportId(row.get("report_id")?),
            status: row.status("state")?,
            created_at: row.instant("created_at")?,
            started_at: row.instant_or_none("started_at")?,
            updated_at: row.instant("updated_at")?,
        })
    }
}

impl SqlStore {
    pub(super) async fn show(&self, owner: AccountId, id: ReportId, look: Look) -> Result<Observed, Fault> {
        let (poll, read_all) = match look {
            Look::Poll(interval, client, arrived) => (Some((interval, client, arrived)), 1i64),
            Look::Answer => (None, 1),
            Look::Stream => (None, 0),
        };
        loop {
            let found = self.query(OBSERVE).bind(self.time()).bind(id.0).bind(owner.0).bind(read_all).first::<Polled>();
            let Some(Polled { mut report, now, next_poll_at, promises }) = found.await? else {
                return Ok(Observed::Missing);
            };
            let Some((bounds, client, arrived)) = poll.filter(|_| !report.status.is_terminal()) else {
                return Ok(Observed::Found(Box::new(report)));
            };
            let mut pace = Pace::read(promises.as_deref(), next_poll_at)?;
            let came = now - micros(arrived.elapsed());
            let running_for = report.started_at.map_or(0, |started| now - started.as_microsecond());
            let running_for = Duration::from_micros(running_for.max(0).cast_unsigned());
            let wait = bounds.seconds(report.estimated_seconds, running_for);
            report.retry_after_seconds = Some(wait);
            if bounds.min_seconds == 0 {
                return Ok(Observed::Found(Box::new(report)));
            }
            let before = pace.clone();
            let answer = match pace.poll(client, came, now, wait) {
                Poll::Welcome { hold } => {
                    report.hold = hold;
                    Observed::Found(Box::new(report))
                }
                Poll::TooSoon { seconds, hold } => Observed::TooSoon { retry_after_seconds: seconds, hold },
            };
            if pace == before || self.promise(id, &pace, promises).await? {
                return Ok(answer);
            }
        }
    }

    /// Keeps the promises of a report, unless someone else has made others since they were read.
    async fn promise(&self, report: ReportId, pace: &Pace, read: Option<Vec<u8>>) -> Result<bool, Fault> {
        let turn = self.writing().await?;
        Ok(turn.query(PROMISE).bind(report.0).bind(pace.bytes()).bind(read).run().await? == 1)
    }

    pub(super) async fn show_standings(&self, reports: &[ReportId]) -> Result<Vec<Standing>, Fault> {
        let reports = hex_array(reports.iter().map(|report| report.0));
        self.query(STANDINGS).bind(self.time()).bind(reports).all().await
    }
}
