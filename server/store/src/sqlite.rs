//! The embedded store: one file in WAL mode, for one service process and the occasional command beside it. One writer at a time
//! waits its turn in memory rather than on SQLite's lock; what a caller was promised is on disk before the answer (synchronous
//! FULL), progress of workers survives a crash of the process but perhaps not a power cut (NORMAL): it would be done again.
use crate::change::{Bell, Change};
use crate::error::during;
use crate::store::{Shared, Turn, bounded};
use crate::{Cause, Fut, Settings, Store, StoreError, schema};
use sqlx::sqlite::{
    SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow,
    SqliteSynchronous,
};
use sqlx::{Connection, Sqlite};
use std::path::Path;
use std::pin::Pin;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

const WAIT: Duration = Duration::from_secs(5);

mod statement {
    dialect!("sqlite");
    portal_dialect!("sqlite");
}

/// Reports, accounts and limits in a SQLite file.
pub(crate) struct SqliteStore {
    readers: SqlitePool,
    acceptor: SqlitePool,
    writer: SqlitePool,
    turn: Mutex<()>,
    watcher: JoinHandle<()>,
    pub(crate) shared: Shared,
}

impl SqliteStore {
    const BEGIN: &'static str = "BEGIN IMMEDIATE";

    pub(crate) async fn open(path: &Path, settings: Settings) -> Result<Self, StoreError> {
        prepare_file(path).await?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .auto_vacuum(SqliteAutoVacuum::Incremental)
            .journal_mode(SqliteJournalMode::Wal)
            .pragma("secure_delete", "ON")
            .pragma("journal_size_limit", "16777216")
            .foreign_keys(true)
            .busy_timeout(WAIT);
        let lock = lock_file(path).await?;
        let acceptor = pool(options.clone().synchronous(SqliteSynchronous::Full), 1).await?;
        schema::sqlite().run(&acceptor).await.map_err(schema::failed)?;
        let mac = Self::prepare_mac(&acceptor).await?;
        drop(lock);
        let writer = pool(options.clone().synchronous(SqliteSynchronous::Normal), 1).await?;
        let readers = pool(options.pragma("query_only", "ON"), settings.connections).await?;
        let bell = Bell::new();
        let watcher = tokio::spawn(Self::watch(readers.clone(), bell.clone(), settings.clone()));
        Ok(Self {
            readers,
            acceptor,
            writer,
            turn: Mutex::new(()),
            watcher,
            shared: Shared { settings, mac, bell, fullness: Default::default() },
        })
    }

    fn reading(&self) -> &SqlitePool {
        &self.readers
    }

    async fn accepting(&self, during: &'static str) -> Result<Turn<'_, Sqlite>, StoreError> {
        self.turn(&self.acceptor, during).await
    }

    async fn writing(&self, during: &'static str) -> Result<Turn<'_, Sqlite>, StoreError> {
        self.turn(&self.writer, during).await
    }

    async fn turn<'a>(&'a self, pool: &'a SqlitePool, during: &'static str) -> Result<Turn<'a, Sqlite>, StoreError> {
        match tokio::time::timeout(WAIT, self.turn.lock()).await {
            Ok(guard) => Ok(Turn { pool, one_at_a_time: Some(guard) }),
            Err(_) => {
                Err(StoreError::Unavailable { during, cause: Cause::new("other writes took more than 5 seconds") })
            }
        }
    }

    fn clock(settings: &Settings) -> i64 {
        jiff::Timestamp::now().as_microsecond() + settings.clock_offset
    }

    fn time(&self) -> i64 {
        Self::clock(&self.shared.settings)
    }

    fn announce(&self, changes: &[Change]) {
        for change in changes {
            self.shared.bell.ring(*change);
        }
    }

    /// Gives freed pages back and empties the write-ahead log, where deleted texts would linger.
    async fn tidy(&self) -> Result<(), StoreError> {
        let turn = self.writing("tidy the file").await?;
        for sql in ["PRAGMA incremental_vacuum(4096)", "PRAGMA wal_checkpoint(TRUNCATE)"] {
            sqlx::query(sql).fetch_all(turn.pool).await.map_err(during("tidy the file"))?;
        }
        Ok(())
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.watcher.abort();
    }
}

impl Store for SqliteStore {
    fn health(&self) -> Fut<'_, ()> {
        bounded("answer", async move {
            sqlx::query(statement::HEALTH).fetch_one(&self.readers).await.map_err(during("answer"))?;
            Ok(())
        })
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            self.watcher.abort();
            self.readers.close().await;
            self.acceptor.close().await;
            self.writer.close().await;
        })
    }
}

/// A pool that drops a connection whose transaction could be neither committed nor rolled back, as on a full disk: SQLite has ended the
/// transaction then, but the driver still counts it and would begin no other.
async fn pool(options: SqliteConnectOptions, connections: u32) -> Result<SqlitePool, StoreError> {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(WAIT)
        .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
        .connect_with(options)
        .await
        .map_err(during("open its file"))
}

/// Makes folder and file readable by their owner alone: the file holds texts while they wait.
async fn prepare_file(path: &Path) -> Result<(), StoreError> {
    let failed = |error: std::io::Error| StoreError::Setting {
        name: "data-dir",
        problem: format!("{} cannot be made or opened for writing: {error}", path.display()),
    };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let mut builder = tokio::fs::DirBuilder::new();
        #[cfg(unix)]
        builder.mode(0o700);
        builder.recursive(true).create(folder).await.map_err(failed)?;
    }
    let mut open = tokio::fs::OpenOptions::new();
    #[cfg(unix)]
    open.mode(0o600);
    open.create(true).append(true).open(path).await.map_err(failed)?;
    Ok(())
}

/// Held while the schema is made: SQLite itself has no lock around several statements of several connections.
async fn lock_file(path: &Path) -> Result<std::fs::File, StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let failed =
        |cause: String| StoreError::Unavailable { during: "lock its file for migration", cause: Cause::new(cause) };
    let mut open = tokio::fs::OpenOptions::new();
    #[cfg(unix)]
    open.mode(0o600);
    let file = open.create(true).append(true).open(Path::new(&name)).await;
    let file = file.map_err(|error| failed(error.to_string()))?.into_std().await;
    for _ in 0..200 {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(std::fs::TryLockError::WouldBlock) => tokio::time::sleep(WAIT / 100).await,
            Err(std::fs::TryLockError::Error(error)) => return Err(failed(error.to_string())),
        }
    }
    Err(failed("another process has held it for 10 seconds".to_owned()))
}

operations!(SqliteStore, Sqlite, SqliteRow, statement);
portal_operations!(SqliteStore, Sqlite, SqliteRow, statement);
