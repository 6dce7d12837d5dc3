//! Housekeeping: ends reports that can no longer run, and deletes what has expired of every kind.
use crate::driver::{FromRow, Pool, Row};
use crate::error::{During, Fault};
use crate::settings::micros;
use crate::statement::{
    DELETE_EXPIRED, DELETE_IDEMPOTENCY, DELETE_LINKS, DELETE_RATES, DELETE_SESSIONS, DELETE_STREAMS, FAIL_OVERDUE,
    Statement,
};
use crate::store::SqlStore;
use crate::{Change, ReportId, StoreError, Swept, sqlite};

/// Rows that one statement ends or deletes at most, as the SQL has it: writers wait no longer than for these.
const BATCH: u64 = 1000;
/// Batches of one sweep; what is left waits for the next.
const BATCHES: u32 = 50;

impl FromRow for ReportId {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        Ok(ReportId(row.get("report_id")?))
    }
}

impl SqlStore {
    pub(crate) async fn sweep_all(&self) -> Result<Swept, StoreError> {
        let swept = Swept {
            failed: self.end_overdue().await.during("end overdue reports")?,
            expired: self.delete_in_batches(DELETE_EXPIRED).await.during("delete expired reports")?,
            keys: self.delete_in_batches(DELETE_IDEMPOTENCY).await.during("delete expired idempotency keys")?,
        };
        self.delete(&[DELETE_RATES, DELETE_STREAMS]).await.during("delete spent limits")?;
        self.delete(&[DELETE_SESSIONS, DELETE_LINKS]).await.during("delete ended sessions and links")?;
        self.tidy().await.during("tidy the file")?;
        Ok(swept)
    }

    /// Fails the reports that have no attempt left or have waited too long.
    async fn end_overdue(&self) -> Result<u64, Fault> {
        let settings = &self.settings;
        let mut all = 0;
        for _ in 0..BATCHES {
            let turn = self.writing().await?;
            let failed = turn
                .query(FAIL_OVERDUE)
                .bind(self.time())
                .bind(i64::from(settings.attempts))
                .bind(micros(settings.queue_age))
                .bind(micros(settings.retention))
                .all::<ReportId>()
                .await?;
            turn.end();
            let changes: Vec<_> = failed.into_iter().map(Change::Report).collect();
            self.announce(&changes);
            all += changes.len() as u64;
            if (changes.len() as u64) < BATCH {
                break;
            }
        }
        Ok(all)
    }

    async fn delete_in_batches(&self, statement: Statement) -> Result<u64, Fault> {
        let mut all = 0;
        for _ in 0..BATCHES {
            let turn = self.writing().await?;
            let rows = turn.query(statement).bind(self.time()).run().await?;
            turn.end();
            all += rows;
            if rows < BATCH {
                break;
            }
        }
        Ok(all)
    }

    async fn delete(&self, statements: &[Statement]) -> Result<(), Fault> {
        for statement in statements {
            let turn = self.writing().await?;
            turn.query(*statement).bind(self.time()).run().await?;
        }
        Ok(())
    }

    /// What the file of SQLite needs after deletions.
    async fn tidy(&self) -> Result<(), Fault> {
        if let Pool::Sqlite(pool) = &self.connections.writer {
            let _turn = self.writing().await?;
            sqlite::tidy(pool).await?;
        }
        Ok(())
    }
}
