//! The two drivers behind one set of types, so that each operation is written once and compiled once.
//!
//! A [`Query`] begins at where it runs, a [`Pool`] or a [`Transaction`], takes its parameters in the order of their numbers, and
//! gives [`Row`]s, whose columns are read by name.
use crate::error::Fault;
use crate::statement::Statement;
use sqlx::postgres::{PgArguments, PgPool, PgRow};
use sqlx::sqlite::{SqliteArguments, SqlitePool, SqliteRow};
use sqlx::{Database, Decode, Encode, Postgres, Row as _, Sqlite, Type};

/// Connections to one database.
#[derive(Clone)]
pub(crate) enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// A transaction; it is rolled back unless it is committed.
pub(crate) enum Transaction {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    Postgres(sqlx::Transaction<'static, Postgres>),
}

/// What a parameter can be: whatever both databases take.
pub(crate) trait Parameter<'t>:
    Encode<'t, Sqlite> + Type<Sqlite> + Encode<'t, Postgres> + Type<Postgres>
{
}
impl<'t, T: Encode<'t, Sqlite> + Type<Sqlite> + Encode<'t, Postgres> + Type<Postgres>> Parameter<'t> for T {}

/// What a column can be: whatever both databases give.
pub(crate) trait Column:
    for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres>
{
}
impl<T: for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres>> Column for T {}

/// What is read from a row.
pub(crate) trait FromRow: Sized {
    fn from_row(row: &Row) -> Result<Self, Fault>;
}

/// One row of an answer.
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    /// The value of a column.
    pub(crate) fn get<T: Column>(&self, column: &'static str) -> Result<T, sqlx::Error> {
        match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        }
    }
}

/// A statement with its parameters, and where it runs.
pub(crate) enum Query<'c> {
    Sqlite(sqlx::query::Query<'static, Sqlite, SqliteArguments>, Place<'c, Sqlite>),
    Postgres(sqlx::query::Query<'static, Postgres, PgArguments>, Place<'c, Postgres>),
}

/// Where a statement runs.
pub(crate) enum Place<'c, Db: Database> {
    Pool(&'c sqlx::Pool<Db>),
    Connection(&'c mut Db::Connection),
}

impl Pool {
    /// A statement on any connection, a transaction of its own.
    pub(crate) fn query(&self, statement: Statement) -> Query<'_> {
        match self {
            Self::Sqlite(pool) => Query::Sqlite(sqlx::query(statement.sqlite), Place::Pool(pool)),
            Self::Postgres(pool) => Query::Postgres(sqlx::query(statement.postgres), Place::Pool(pool)),
        }
    }

    /// A transaction that may write. On SQLite it takes the right to write at its beginning, so that it cannot fail half-way.
    pub(crate) async fn begin(&self) -> Result<Transaction, sqlx::Error> {
        Ok(match self {
            Self::Sqlite(pool) => Transaction::Sqlite(pool.begin_with("BEGIN IMMEDIATE").await?),
            Self::Postgres(pool) => Transaction::Postgres(pool.begin().await?),
        })
    }

    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

impl Transaction {
    /// A statement of this transaction.
    pub(crate) fn query(&mut self, statement: Statement) -> Query<'_> {
        match self {
            Self::Sqlite(tx) => Query::Sqlite(sqlx::query(statement.sqlite), Place::Connection(&mut **tx)),
            Self::Postgres(tx) => Query::Postgres(sqlx::query(statement.postgres), Place::Connection(&mut **tx)),
        }
    }

    pub(crate) async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(tx) => tx.commit().await,
            Self::Postgres(tx) => tx.commit().await,
        }
    }
}

impl Query<'_> {
    /// Gives the next parameter its value.
    pub(crate) fn bind<'t>(self, value: impl Parameter<'t>) -> Self {
        match self {
            Self::Sqlite(query, place) => Self::Sqlite(query.bind(value), place),
            Self::Postgres(query, place) => Self::Postgres(query.bind(value), place),
        }
    }

    /// All rows of the answer.
    pub(crate) async fn rows(self) -> Result<Vec<Row>, sqlx::Error> {
        Ok(match self {
            Self::Sqlite(query, place) => {
                let rows = match place {
                    Place::Pool(pool) => query.fetch_all(pool).await?,
                    Place::Connection(connection) => query.fetch_all(connection).await?,
                };
                rows.into_iter().map(Row::Sqlite).collect()
            }
            Self::Postgres(query, place) => {
                let rows = match place {
                    Place::Pool(pool) => query.fetch_all(pool).await?,
                    Place::Connection(connection) => query.fetch_all(connection).await?,
                };
                rows.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    /// The first row of the answer, if it has any.
    pub(crate) async fn first_row(self) -> Result<Option<Row>, sqlx::Error> {
        Ok(self.rows().await?.into_iter().next())
    }

    /// The row of an answer that always has one.
    pub(crate) async fn row(self) -> Result<Row, sqlx::Error> {
        self.first_row().await?.ok_or(sqlx::Error::RowNotFound)
    }

    /// Whether the answer has a row.
    pub(crate) async fn any(self) -> Result<bool, sqlx::Error> {
        Ok(!self.rows().await?.is_empty())
    }

    /// What is read from all rows of the answer.
    pub(crate) async fn all<T: FromRow>(self) -> Result<Vec<T>, Fault> {
        self.rows().await?.iter().map(T::from_row).collect()
    }

    /// What is read from the first row of the answer, if it has any.
    pub(crate) async fn first<T: FromRow>(self) -> Result<Option<T>, Fault> {
        self.first_row().await?.as_ref().map(T::from_row).transpose()
    }

    /// Runs the statement; gives the number of rows that it changed.
    pub(crate) async fn run(self) -> Result<u64, sqlx::Error> {
        Ok(match self {
            Self::Sqlite(query, place) => match place {
                Place::Pool(pool) => query.execute(pool).await?.rows_affected(),
                Place::Connection(connection) => query.execute(connection).await?.rows_affected(),
            },
            Self::Postgres(query, place) => match place {
                Place::Pool(pool) => query.execute(pool).await?.rows_affected(),
                Place::Connection(connection) => query.execute(connection).await?.rows_affected(),
            },
        })
    }
}
