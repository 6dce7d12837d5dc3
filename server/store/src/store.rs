//! The whole store as one object, and how to open it.
use crate::change::{Bell, Change};
use crate::driver::{Pool, Query, Transaction};
use crate::error::{During, Fault};
use crate::fullness::Fullness;
use crate::mac::MacKey;
use crate::statement::{self, Statement};
use crate::{
    AccountStore, Cause, Location, PersonStore, ProtectionStore, ReportStore, SessionStore, Settings, StoreError,
    Swept, postgres, sqlite,
};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Mutex, MutexGuard};
use tokio::task::JoinHandle;
use uuid::Uuid;

/// What every operation of the store returns.
pub type Fut<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// No operation takes longer than this; a database that is silent is unavailable.
const PATIENCE: Duration = Duration::from_secs(25);

/// How long a write waits for others.
pub(crate) const WAIT: Duration = Duration::from_secs(5);

/// Everything the service keeps.
pub trait Store: ReportStore + AccountStore + ProtectionStore + PersonStore + SessionStore {
    /// Whether the database answers.
    fn health(&self) -> Fut<'_, ()>;

    /// Housekeeping, safe to run in every process, about once a minute: ends reports that can no longer run, and deletes what has
    /// expired of every kind: reports, idempotency keys, limits, streams, sessions and password links.
    fn sweep(&self) -> Fut<'_, Swept>;

    /// Closes the connections; later calls are `Unavailable`.
    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// Opens the database, makes it when it is a missing SQLite file, and brings its schema up to date under a lock.
///
/// # Errors
/// `Setting`, `Unavailable`, `Migration`.
pub async fn open(settings: Settings) -> Result<Arc<dyn Store>, StoreError> {
    settings.check()?;
    match settings.location.clone() {
        Location::Sqlite(path) => Ok(Arc::new(sqlite::open(&path, settings).await?)),
        Location::Postgres(url) => Ok(Arc::new(postgres::open(&url, settings).await?)),
    }
}

/// The store on either database. What it does stands in [`operations`](crate::operations), by subject.
pub(crate) struct SqlStore {
    pub(crate) connections: Connections,
    pub(crate) settings: Settings,
    pub(crate) mac: MacKey,
    pub(crate) bell: Bell,
    pub(crate) fullness: Fullness,
    /// To the other processes, where the database carries messages.
    pub(crate) outbox: Option<UnboundedSender<Change>>,
    pub(crate) tasks: Vec<JoinHandle<()>>,
}

/// The ways to the database. They differ on SQLite alone, which has one writer at a time.
pub(crate) struct Connections {
    pub(crate) readers: Pool,
    /// Writes what must survive a power cut.
    pub(crate) acceptor: Pool,
    pub(crate) writer: Pool,
    /// Held by the one who writes, where only one can.
    pub(crate) turn: Option<Mutex<()>>,
}

/// The right to write: at once on a database of many writers, one after another on SQLite.
pub(crate) struct Turn<'a> {
    pool: &'a Pool,
    one_at_a_time: Option<MutexGuard<'a, ()>>,
}

impl Turn<'_> {
    /// A statement that is a transaction of its own.
    pub(crate) fn query(&self, statement: Statement) -> Query<'_> {
        self.pool.query(statement)
    }

    /// A transaction of several statements.
    pub(crate) async fn begin(&self) -> Result<Transaction, sqlx::Error> {
        self.pool.begin().await
    }

    /// Lets the next writer go before this operation has answered.
    pub(crate) fn end(self) {
        drop(self.one_at_a_time);
    }
}

impl SqlStore {
    /// A statement that reads.
    pub(crate) fn query(&self, statement: Statement) -> Query<'_> {
        self.connections.readers.query(statement)
    }

    /// The right to write what a caller is promised: it is on disk before the answer.
    pub(crate) async fn accepting(&self) -> Result<Turn<'_>, Fault> {
        self.turn(&self.connections.acceptor).await
    }

    /// The right to write what would be done again after a power cut.
    pub(crate) async fn writing(&self) -> Result<Turn<'_>, Fault> {
        self.turn(&self.connections.writer).await
    }

    async fn turn<'a>(&'a self, pool: &'a Pool) -> Result<Turn<'a>, Fault> {
        let Some(turn) = &self.connections.turn else {
            return Ok(Turn { pool, one_at_a_time: None });
        };
        let guard = tokio::time::timeout(WAIT, turn.lock()).await.map_err(|_| Fault::Busy)?;
        Ok(Turn { pool, one_at_a_time: Some(guard) })
    }

    /// The first parameter of a statement that reads the clock.
    pub(crate) fn time(&self) -> i64 {
        time(&self.connections.readers, &self.settings)
    }

    /// Wakes those who wait for these changes, in this process and the others.
    pub(crate) fn announce(&self, changes: &[Change]) {
        for change in changes {
            self.bell.ring(*change);
            if let Some(outbox) = &self.outbox {
                let _store_is_closing = outbox.send(*change);
            }
        }
    }
}

impl Store for SqlStore {
    fn health(&self) -> Fut<'_, ()> {
        bounded("answer", async move {
            self.query(statement::HEALTH).row().await?;
            Ok(())
        })
    }

    fn sweep(&self) -> Fut<'_, Swept> {
        Box::pin(self.sweep_all())
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            self.tasks.iter().for_each(JoinHandle::abort);
            self.connections.readers.close().await;
            self.connections.acceptor.close().await;
            self.connections.writer.close().await;
        })
    }
}

impl Drop for SqlStore {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

/// What a statement that reads the clock is given: on SQLite the time of the machine, on PostgreSQL, which has its own, the shift.
pub(crate) fn time(pool: &Pool, settings: &Settings) -> i64 {
    match pool {
        Pool::Sqlite(_) => jiff::Timestamp::now().as_microsecond() + settings.clock_offset,
        Pool::Postgres(_) => settings.clock_offset,
    }
}

/// A future that ends, in `Unavailable` if need be. `during` says in errors what the operation does.
pub(crate) fn bounded<'a, T>(
    during: &'static str,
    work: impl Future<Output = Result<T, Fault>> + Send + 'a,
) -> Fut<'a, T> {
    Box::pin(async move {
        match tokio::time::timeout(PATIENCE, work).await {
            Ok(done) => done.during(during),
            Err(_) => Err(StoreError::Unavailable { during, cause: Cause::new("no answer within 25 seconds") }),
        }
    })
}

/// A JSON array of hexadecimal ids, the form in which both databases take a list.
pub(crate) fn hex_array(ids: impl Iterator<Item = Uuid>) -> String {
    let ids: Vec<_> = ids.map(|id| format!("\"{}\"", id.simple())).collect();
    format!("[{}]", ids.join(","))
}
