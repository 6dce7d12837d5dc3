//! The store of a cluster: any number of processes on one PostgreSQL. Claims skip locked rows, wake-ups travel by NOTIFY in batches
//! (a notifying commit takes a lock of the whole server, so reports do not notify in their own transaction), and a look once a
//! second makes good what a notification failed to tell.
use crate::change::{Bell, Change};
use crate::error::during;
use crate::store::{Shared, Turn, bounded};
use crate::{Fut, ReportId, Settings, Store, StoreError, schema};
use sqlx::postgres::{PgConnectOptions, PgListener, PgPool, PgPoolOptions, PgRow};
use sqlx::{Connection, PgConnection, Postgres};
use std::pin::Pin;
use std::str::FromStr;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

const CHANNEL: &str = "glosa_changes";
const GATHER: Duration = Duration::from_millis(50);
const RECONNECT: Duration = Duration::from_secs(1);
/// A payload must be shorter than 8000 bytes; a report id has 30 and a comma.
const REPORTS_PER_NOTIFICATION: usize = 250;
/// A pooled connection that does not answer within this is given up, before it is used and after: a silent network would
/// else keep its place in the pool for as long as the system waits, since the pool's own test has no end.
const ANSWERS_WITHIN: Duration = Duration::from_secs(1);

mod statement {
    dialect!("postgres");
    portal_dialect!("postgres");
    statements! { "postgres": NOTIFY = "notify", SESSION = "session" }
}

/// Reports, accounts and limits in PostgreSQL.
pub(crate) struct PostgresStore {
    pool: PgPool,
    outbox: UnboundedSender<Change>,
    tasks: [JoinHandle<()>; 3],
    pub(crate) shared: Shared,
}

impl PostgresStore {
    const BEGIN: &'static str = "BEGIN";

    pub(crate) async fn open(url: &str, settings: Settings) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(url)
            .map_err(|_| StoreError::Setting {
                name: "database-url",
                problem: "expected postgres://USER:PASSWORD@HOST:PORT/DATABASE".to_owned(),
            })?
            .application_name("glosa");
        migrate(&options).await?;
        let pool = PgPoolOptions::new()
            .max_connections(settings.connections)
            .acquire_timeout(Duration::from_secs(5))
            .test_before_acquire(false)
            .before_acquire(|connection, _| Box::pin(answers(connection)))
            .after_release(|connection, _| Box::pin(answers(connection)))
            .after_connect(|connection, _| {
                Box::pin(async move {
                    sqlx::query(statement::SESSION).fetch_all(connection).await?;
                    Ok(())
                })
            })
            .connect_with(options)
            .await
            .map_err(during("connect"))?;
        let mac = Self::prepare_mac(&pool).await?;
        let bell = Bell::new();
        let (outbox, mail) = unbounded_channel();
        let tasks = [
            tokio::spawn(Self::watch(pool.clone(), bell.clone(), settings.clone())),
            tokio::spawn(notify(pool.clone(), mail)),
            tokio::spawn(listen(pool.clone(), bell.clone())),
        ];
        let shared = Shared { settings, mac, bell, fullness: Default::default() };
        Ok(Self { pool, outbox, tasks, shared })
    }

    fn reading(&self) -> &PgPool {
        &self.pool
    }

    async fn accepting(&self, _during: &'static str) -> Result<Turn<'_, Postgres>, StoreError> {
        Ok(Turn { pool: &self.pool, one_at_a_time: None })
    }

    async fn writing(&self, _during: &'static str) -> Result<Turn<'_, Postgres>, StoreError> {
        Ok(Turn { pool: &self.pool, one_at_a_time: None })
    }

    /// The clock is the server's; what is given to a statement is the shift.
    fn clock(settings: &Settings) -> i64 {
        settings.clock_offset
    }

    fn time(&self) -> i64 {
        Self::clock(&self.shared.settings)
    }

    fn announce(&self, changes: &[Change]) {
        for change in changes {
            self.shared.bell.ring(*change);
            let _store_is_closing = self.outbox.send(*change);
        }
    }

    async fn tidy(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl Store for PostgresStore {
    fn health(&self) -> Fut<'_, ()> {
        bounded("answer", async move {
            sqlx::query(statement::HEALTH).fetch_one(&self.pool).await.map_err(during("answer"))?;
            Ok(())
        })
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            for task in &self.tasks {
                task.abort();
            }
            self.pool.close().await;
        })
    }
}

async fn answers(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let silent = |_| sqlx::Error::Io(std::io::ErrorKind::TimedOut.into());
    tokio::time::timeout(ANSWERS_WITHIN, connection.ping()).await.map_err(silent)?.map(|()| true)
}

/// On a connection of its own, closed afterwards: the migrator's advisory lock ends with it whatever happens.
async fn migrate(options: &PgConnectOptions) -> Result<(), StoreError> {
    let mut connection = PgConnection::connect_with(options).await.map_err(during("connect"))?;
    let migrated = schema::postgres().run_direct(None, &mut connection, false).await;
    let closed = connection.close().await;
    migrated.map_err(schema::failed)?;
    closed.map_err(during("migrate the schema"))
}

/// Gathers changes for a moment and sends them as one notification.
async fn notify(pool: PgPool, mut mail: UnboundedReceiver<Change>) {
    let mut letters = Vec::new();
    while mail.recv_many(&mut letters, 4096).await > 0 {
        tokio::time::sleep(GATHER).await;
        while let Ok(change) = mail.try_recv() {
            letters.push(change);
        }
        let payload = payload(&letters);
        letters.clear();
        if let Err(error) = sqlx::query(statement::NOTIFY).bind(payload).fetch_all(&pool).await {
            tracing::debug!(%error, "no notification sent");
        }
    }
}

/// Hears the notifications of all processes, its own too.
async fn listen(pool: PgPool, bell: Bell) {
    loop {
        if let Ok(mut listener) = PgListener::connect_with(&pool).await
            && listener.listen(CHANNEL).await.is_ok()
        {
            bell.ring(Change::Unknown);
            loop {
                match listener.try_recv().await {
                    Ok(Some(notification)) => read(notification.payload(), &bell),
                    Ok(None) => bell.ring(Change::Unknown),
                    Err(_) => break,
                }
            }
        }
        bell.ring(Change::Unknown);
        tokio::time::sleep(RECONNECT).await;
    }
}

fn payload(changes: &[Change]) -> String {
    let mut reports: Vec<_> = changes
        .iter()
        .filter_map(|change| match change {
            Change::Report(report) => Some(*report),
            _ => None,
        })
        .collect();
    reports.sort();
    reports.dedup();
    if reports.len() > REPORTS_PER_NOTIFICATION {
        return "unknown".to_owned();
    }
    let mut words: Vec<_> = reports.iter().map(ReportId::to_string).collect();
    if changes.contains(&Change::Work) {
        words.push("work".to_owned());
    }
    words.join(",")
}

fn read(payload: &str, bell: &Bell) {
    for word in payload.split(',') {
        match word {
            "work" => bell.ring(Change::Work),
            _ => bell.ring(word.parse().map_or(Change::Unknown, Change::Report)),
        }
    }
}

operations!(PostgresStore, Postgres, PgRow, statement);
portal_operations!(PostgresStore, Postgres, PgRow, statement);
