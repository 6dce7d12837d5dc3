//! The store of a cluster: any number of processes on one PostgreSQL. Claims skip locked rows, wake-ups travel by NOTIFY in batches
//! (a notifying commit takes a lock of the whole server, so reports do not notify in their own transaction), and a look once a
//! second makes good what a notification failed to tell.
use crate::change::{Bell, Change};
use crate::driver::Pool;
use crate::error::During;
use crate::fullness::Fullness;
use crate::operations::{secret, watch};
use crate::store::{Connections, SqlStore, WAIT};
use crate::{ReportId, Settings, StoreError, schema};
use sqlx::postgres::{PgConnectOptions, PgListener, PgPool, PgPoolOptions};
use sqlx::{Connection, PgConnection};
use std::str::FromStr;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

const CHANNEL: &str = "glosa_changes";
const GATHER: Duration = Duration::from_millis(50);
const RECONNECT: Duration = Duration::from_secs(1);
/// A payload must be shorter than 8000 bytes; a report id has 30 and a comma.
const REPORTS_PER_NOTIFICATION: usize = 250;
/// A pooled connection that does not answer within this is given up, before it is used and after: a silent network would
/// else keep its place in the pool for as long as the system waits, since the pool's own test has no end.
const ANSWERS_WITHIN: Duration = Duration::from_secs(1);

const NOTIFY: &str = include_str!("postgres/notify.sql");
const SESSION: &str = include_str!("postgres/session.sql");

/// Opens the database at an address.
pub(crate) async fn open(url: &str, settings: Settings) -> Result<SqlStore, StoreError> {
    let options = PgConnectOptions::from_str(url)
        .map_err(|_| StoreError::Setting {
            name: "database-url",
            problem: "expected postgres://USER:PASSWORD@HOST:PORT/DATABASE".to_owned(),
        })?
        .application_name("glosa");
    migrate(&options).await?;
    let pool = PgPoolOptions::new()
        .max_connections(settings.connections)
        .acquire_timeout(WAIT)
        .test_before_acquire(false)
        .before_acquire(|connection, _| Box::pin(answers(connection)))
        .after_release(|connection, _| Box::pin(ends_its_transaction(connection)))
        .after_connect(|connection, _| {
            Box::pin(async move {
                sqlx::query(SESSION).fetch_all(connection).await?;
                Ok(())
            })
        })
        .connect_with(options)
        .await
        .during("connect")?;
    let all = Pool::Postgres(pool.clone());
    let mac = secret(&all).await?;
    let bell = Bell::new();
    let (outbox, mail) = unbounded_channel();
    let tasks = vec![
        tokio::spawn(watch(all.clone(), bell.clone(), settings.clone())),
        tokio::spawn(notify(pool.clone(), mail)),
        tokio::spawn(listen(pool, bell.clone())),
    ];
    let connections = Connections { readers: all.clone(), acceptor: all.clone(), writer: all, turn: None };
    Ok(SqlStore { connections, settings, mac, bell, fullness: Fullness::default(), outbox: Some(outbox), tasks })
}

async fn answers(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let silent = |_| sqlx::Error::Io(std::io::ErrorKind::TimedOut.into());
    tokio::time::timeout(ANSWERS_WITHIN, connection.ping()).await.map_err(silent)?.map(|()| true)
}

/// Ends what may be left open: where an operation was given up while its `BEGIN` was on the way, nobody else knows of the
/// transaction (sqlx counts it only when it is answered), and whoever got the connection next would work inside it, keep its
/// locks and lose what it wrote. Without a transaction the server has nothing to say that the session wants to hear
/// (`session.sql`).
async fn ends_its_transaction(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let silent = |_| sqlx::Error::Io(std::io::ErrorKind::TimedOut.into());
    let rollback = sqlx::raw_sql("ROLLBACK").execute(connection);
    tokio::time::timeout(ANSWERS_WITHIN, rollback).await.map_err(silent)?.map(|_| true)
}

/// On a connection of its own, closed afterwards: the migrator's advisory lock ends with it whatever happens.
async fn migrate(options: &PgConnectOptions) -> Result<(), StoreError> {
    let mut connection = PgConnection::connect_with(options).await.during("connect")?;
    let migrated = schema::postgres().run_direct(None, &mut connection, false).await;
    let closed = connection.close().await;
    migrated.map_err(schema::failed)?;
    closed.during("migrate the schema")
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
        if let Err(error) = sqlx::query(NOTIFY).bind(payload).fetch_all(&pool).await {
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
