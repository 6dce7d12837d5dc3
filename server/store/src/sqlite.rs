//! The embedded store: one file in WAL mode, for one service process and the occasional command beside it. One writer at a time
//! waits its turn in memory rather than on SQLite's lock; what a caller was promised is on disk before the answer (synchronous
//! FULL), progress of workers survives a crash of the process but perhaps not a power cut (NORMAL): it would be done again.
use crate::change::Bell;
use crate::driver::Pool;
use crate::error::During;
use crate::fullness::Fullness;
use crate::operations::{secret, watch};
use crate::store::{Connections, SqlStore, WAIT};
use crate::{Cause, Settings, StoreError, schema};
use sqlx::Connection;
use sqlx::sqlite::{
    SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use std::path::Path;
use tokio::sync::Mutex;

/// Opens the file, made where it is missing.
pub(crate) async fn open(path: &Path, settings: Settings) -> Result<SqlStore, StoreError> {
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
    let acceptor = Pool::Sqlite(acceptor);
    let mac = secret(&acceptor).await?;
    drop(lock);
    let writer = Pool::Sqlite(pool(options.clone().synchronous(SqliteSynchronous::Normal), 1).await?);
    let readers = Pool::Sqlite(pool(options.pragma("query_only", "ON"), settings.connections).await?);
    let bell = Bell::new();
    let tasks = vec![tokio::spawn(watch(readers.clone(), bell.clone(), settings.clone()))];
    let connections = Connections { readers, acceptor, writer, turn: Some(Mutex::new(())) };
    Ok(SqlStore { connections, settings, mac, bell, fullness: Fullness::default(), outbox: None, tasks })
}

/// Gives freed pages back and empties the write-ahead log, where deleted texts would linger.
pub(crate) async fn tidy(pool: &SqlitePool) -> Result<(), sqlx::Error> {
    for sql in ["PRAGMA incremental_vacuum(4096)", "PRAGMA wal_checkpoint(TRUNCATE)"] {
        sqlx::query(sql).fetch_all(pool).await?;
    }
    Ok(())
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
        .during("open its file")
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
