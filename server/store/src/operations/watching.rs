//! The look once a second for what no wake-up told: changes of other processes and work whose lease ran out.
use crate::change::{Bell, MOST_TOLD, News, WATCH_EVERY};
use crate::driver::{FromRow, Pool, Row};
use crate::error::Fault;
use crate::statement::{CHANGED, PULSE};
use crate::store::time;
use crate::{Change, ReportId, Settings};

/// What one look saw.
struct Glance {
    now: i64,
    work: bool,
    changed: Vec<Changed>,
}

/// A report, and when it changed.
struct Changed {
    report: ReportId,
    at: i64,
}

impl FromRow for Changed {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        Ok(Self { report: ReportId(row.get("report_id")?), at: row.get("updated_at")? })
    }
}

/// Looks for as long as the store is open, and rings the bell.
pub(crate) async fn watch(pool: Pool, bell: Bell, settings: Settings) {
    let mut news = News::default();
    let mut answered = true;
    loop {
        tokio::time::sleep(WATCH_EVERY).await;
        if !bell.has_listeners() {
            news = News::default();
            continue;
        }
        match glance(&pool, &settings, &news).await {
            Ok(Glance { now, work, changed }) => {
                if !answered || changed.len() >= MOST_TOLD {
                    bell.ring(Change::Unknown);
                }
                answered = true;
                let changed = changed.into_iter().map(|change| (change.report, change.at)).collect();
                for report in news.tell(now, changed) {
                    bell.ring(Change::Report(report));
                }
                if work {
                    bell.ring(Change::Work);
                }
            }
            Err(fault) => {
                if answered {
                    let error = fault.during("look at the queue");
                    tracing::warn!(%error, "no look at the queue");
                }
                answered = false;
            }
        }
    }
}

async fn glance(pool: &Pool, settings: &Settings, news: &News) -> Result<Glance, Fault> {
    let pulse = pool.query(PULSE).bind(time(pool, settings)).row().await?;
    let changed = match news.since() {
        Some(since) => pool.query(CHANGED).bind(since).bind(MOST_TOLD as i64).all().await?,
        None => Vec::new(),
    };
    Ok(Glance { now: pulse.get("now")?, work: pulse.get::<i64>("work")? == 1, changed })
}
