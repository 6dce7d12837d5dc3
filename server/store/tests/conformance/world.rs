//! An empty database for a test, and short words for what tests do often.
use glosa_store::{
    Accepted, AccountId, Change, Changes, Idempotency, Job, Location, Look, NewReport, Observed, PollClient,
    PollInterval, Report, ReportId, Settings, Store, Submitted,
};
use glosa_tests_cluster::Cluster;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tempfile::TempDir;

static CLUSTER: OnceLock<Cluster> = OnceLock::new();

pub const SECOND: i64 = 1_000_000;
pub const HOUR: i64 = 3600 * SECOND;
pub const DAY: i64 = 24 * HOUR;

/// One empty database.
pub struct World {
    pub location: Location,
    folder: Option<TempDir>,
}

impl World {
    pub fn sqlite() -> Self {
        let folder = TempDir::new().unwrap();
        Self { location: Location::Sqlite(folder.path().join("glosa.db")), folder: Some(folder) }
    }

    pub fn postgres() -> Self {
        Self::at(&CLUSTER.get_or_init(Cluster::start).database())
    }

    /// The database at an address.
    pub fn at(url: &str) -> Self {
        Self { location: Location::parse(url).unwrap(), folder: None }
    }

    pub fn settings(&self) -> Settings {
        Settings { connections: 6, ..Settings::new(self.location.clone()) }
    }

    /// A store as a process of its own would have it.
    pub async fn open(&self) -> Arc<dyn Store> {
        self.open_later(0).await
    }

    /// A store whose clock is ahead, microseconds.
    pub async fn open_later(&self, clock_offset: i64) -> Arc<dyn Store> {
        self.open_with(|settings| settings.clock_offset = clock_offset).await
    }

    pub async fn open_with(&self, change: impl FnOnce(&mut Settings)) -> Arc<dyn Store> {
        let mut settings = self.settings();
        change(&mut settings);
        glosa_store::open(settings).await.unwrap()
    }

    pub fn folder(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.path().to_owned())
    }

    /// Runs statements past the store and gives the first column of the rows as text.
    pub async fn raw(&self, sql: impl Into<String>) -> Vec<String> {
        use sqlx::{AssertSqlSafe, Connection, Row};
        let sql = AssertSqlSafe(sql.into());
        match &self.location {
            Location::Sqlite(path) => {
                let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).pragma("secure_delete", "ON");
                let mut connection = sqlx::SqliteConnection::connect_with(&options).await.unwrap();
                let rows = sqlx::raw_sql(sql).fetch_all(&mut connection).await.unwrap();
                rows.iter().map(|row| row.try_get_unchecked::<String, _>(0).unwrap()).collect()
            }
            Location::Postgres(url) => {
                let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
                let rows = sqlx::raw_sql(sql).fetch_all(&mut connection).await.unwrap();
                rows.iter().map(|row| row.try_get_unchecked::<String, _>(0).unwrap()).collect()
            }
        }
    }
}

/// Runs a test once per database.
#[macro_export]
macro_rules! on_both {
    ($($(#[$meta:meta])* async fn $name:ident($world:ident) $body:block)*) => {
        $(
            $(#[$meta])*
            mod $name {
                #[allow(unused_imports, reason = "each test uses some")]
                use super::*;

                async fn check($world: &$crate::world::World) $body

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn sqlite() {
                    check(&$crate::world::World::sqlite()).await;
                }

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn postgres() {
                    check(&$crate::world::World::postgres()).await;
                }
            }
        )*
    };
}

pub async fn account(store: &Arc<dyn Store>, name: &str) -> AccountId {
    store.ensure_account(name).await.unwrap().id
}

pub fn letter(account: AccountId) -> NewReport {
    NewReport {
        account,
        text: "Estimada señora:\0 le escribo.".to_owned(),
        language: "es".to_owned(),
        domain_slug: "administration".to_owned(),
        text_type_slug: "letter".to_owned(),
        external_id: None,
        estimated_seconds: Some(2),
        first_poll_seconds: 0,
        client: CLIENT,
        idempotency: None,
    }
}

pub fn keyed(account: AccountId, key: &str, payload: &str) -> NewReport {
    NewReport { idempotency: Some(Idempotency { key: key.to_owned(), payload: payload.into() }), ..letter(account) }
}

pub fn created(submitted: Submitted) -> Accepted {
    match submitted {
        Submitted::Created(accepted) => accepted,
        other => panic!("not created: {other:?}"),
    }
}

pub fn replayed(submitted: Submitted) -> Accepted {
    match submitted {
        Submitted::Replayed(accepted) => accepted,
        other => panic!("not replayed: {other:?}"),
    }
}

pub async fn queue(store: &Arc<dyn Store>, account: AccountId) -> ReportId {
    created(store.submit(letter(account)).await.unwrap()).report_id
}

pub const CLIENT: PollClient = PollClient::ANYONE;

/// A poll that is never early.
pub fn unlimited() -> Look {
    Look::Poll(PollInterval { min_seconds: 0, max_seconds: 10 }, CLIENT, std::time::Instant::now())
}

pub async fn look(store: &Arc<dyn Store>, account: AccountId, report: ReportId) -> Report {
    match store.observe(account, report, unlimited()).await.unwrap() {
        Observed::Found(report) => *report,
        other => panic!("not found: {other:?}"),
    }
}

pub async fn claim_one(store: &Arc<dyn Store>) -> Job {
    let mut jobs = store.claim("worker", 1).await.unwrap();
    assert_eq!(jobs.len(), 1, "one job is there to be claimed");
    jobs.remove(0)
}

/// Waits for a wake-up that makes a listener look at `wanted`, past others: one may come for nothing, as `Unknown` does when the
/// listening connection of PostgreSQL is ready. The time is a guard against hanging.
pub async fn woken(changes: &mut Changes, wanted: Change) {
    let waiting = async {
        loop {
            let change = changes.next().await.unwrap();
            if change == wanted {
                return;
            }
        }
    };
    let told = tokio::time::timeout(Duration::from_secs(30), waiting).await;
    told.unwrap_or_else(|_| panic!("no wake-up for {wanted:?}"));
}
