//! The whole store as one object, and how to open it.
use crate::{AccountStore, ProtectionStore, ReportStore, Settings, StoreError};
use std::pin::Pin;
use std::sync::Arc;

/// What every operation of the store returns.
pub type Fut<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Everything the service keeps.
pub trait Store: ReportStore + AccountStore + ProtectionStore {
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
    Err(StoreError::Setting {
        name: "database-url",
        problem: "no database is built in yet".to_owned(),
    })
}
