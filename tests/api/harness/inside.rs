//! Looks into a database and holds its locks, as an operator or a stuck process would.
use super::{Database, Kind};
use sqlx::{AssertSqlSafe, Connection, Row};
use tokio::runtime::Runtime;

enum Connected {
    Sqlite(sqlx::SqliteConnection),
    Postgres(sqlx::PgConnection),
}

/// A connection beside the program.
pub struct Inside {
    runtime: Runtime,
    connected: Connected,
}

impl std::fmt::Debug for Inside {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Inside")
    }
}

impl Inside {
    /// Connects to a database that the program has made.
    pub fn of(database: &Database) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let connected = runtime.block_on(async {
            match database.kind {
                Kind::Sqlite => {
                    let options =
                        sqlx::sqlite::SqliteConnectOptions::new().filename(database.folder().join("glosa.db"));
                    Connected::Sqlite(sqlx::SqliteConnection::connect_with(&options).await.expect("a connection"))
                }
                Kind::Postgres => {
                    let url = database.url().expect("an address");
                    Connected::Postgres(sqlx::PgConnection::connect(url).await.expect("a connection"))
                }
            }
        });
        Self { runtime, connected }
    }

    /// Runs SQL and gives the first column of its rows, which must be text.
    pub fn ask(&mut self, sql: &str) -> Vec<String> {
        let sql = AssertSqlSafe(sql.to_owned());
        let Self { runtime, connected } = self;
        runtime.block_on(async {
            match connected {
                Connected::Sqlite(connection) => {
                    let rows = sqlx::raw_sql(sql).fetch_all(connection).await.expect("rows");
                    rows.iter().map(|row| row.try_get_unchecked::<String, _>(0).expect("text")).collect()
                }
                Connected::Postgres(connection) => {
                    let rows = sqlx::raw_sql(sql).fetch_all(connection).await.expect("rows");
                    rows.iter().map(|row| row.try_get_unchecked::<String, _>(0).expect("text")).collect()
                }
            }
        })
    }

    /// One number.
    pub fn number(&mut self, sql: &str) -> u64 {
        self.ask(&format!("SELECT cast(({sql}) AS text)"))[0].parse().expect("a number")
    }

    /// Keeps reports from being written until [`Inside::let_go`].
    pub fn hold_reports(&mut self) {
        match self.connected {
            Connected::Sqlite(_) => self.ask("BEGIN IMMEDIATE"),
            Connected::Postgres(_) => self.ask("BEGIN; LOCK TABLE report IN EXCLUSIVE MODE"),
        };
    }

    /// Ends the holding.
    pub fn let_go(&mut self) {
        self.ask("COMMIT");
    }
}
