//! The whole store as one object, and how to open it.
use crate::change::Bell;
use crate::fullness::Fullness;
use crate::mac::MacKey;
use crate::{
    AccountStore, Cause, Location, PersonStore, ProtectionStore, ReportStore, SessionStore, Settings, StoreError,
    postgres, sqlite,
};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::MutexGuard;
use uuid::Uuid;

/// What every operation of the store returns.
pub type Fut<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// No operation takes longer than this; a database that is silent is unavailable.
const PATIENCE: Duration = Duration::from_secs(25);

/// Everything the service keeps.
pub trait Store: ReportStore + AccountStore + ProtectionStore + PersonStore + SessionStore {
    /// Whether the database answers.
    fn health(&self) -> Fut<'_, ()>;

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
        Location::Sqlite(path) => Ok(Arc::new(sqlite::SqliteStore::open(&path, settings).await?)),
        Location::Postgres(url) => Ok(Arc::new(postgres::PostgresStore::open(&url, settings).await?)),
    }
}

/// What both stores hold besides their connections.
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    pub(crate) mac: MacKey,
    pub(crate) bell: Bell,
    pub(crate) fullness: Fullness,
}

/// A future that ends, in `Unavailable` if need be.
pub(crate) fn bounded<'a, T>(
    during: &'static str,
    work: impl Future<Output = Result<T, StoreError>> + Send + 'a,
) -> Fut<'a, T> {
    Box::pin(async move {
        tokio::time::timeout(PATIENCE, work).await.unwrap_or_else(|_| {
            Err(StoreError::Unavailable { during, cause: Cause::new("no answer within 25 seconds") })
        })
    })
}

/// A JSON array of hexadecimal ids, the form in which both databases take a list.
pub(crate) fn hex_array(ids: impl Iterator<Item = Uuid>) -> String {
    let ids: Vec<_> = ids.map(|id| format!("\"{}\"", id.simple())).collect();
    format!("[{}]", ids.join(","))
}

/// The right to write: at once on a database of many writers, one after another on SQLite.
pub(crate) struct Turn<'a, Db: sqlx::Database> {
    pub(crate) pool: &'a sqlx::Pool<Db>,
    pub(crate) one_at_a_time: Option<MutexGuard<'a, ()>>,
}

impl<Db: sqlx::Database> Turn<'_, Db> {
    /// Lets the next writer go before this operation has answered.
    pub(crate) fn end(self) {
        drop(self.one_at_a_time);
    }
}
