//! The migrations, compiled in. `migrations/README.md` says how to add one.
use crate::error::Fault;
use crate::{Cause, StoreError};
use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

const SQLITE: &[(i64, &str, &str)] = &[
    (1, "reports", include_str!("../../../migrations/sqlite/0001_reports.sql")),
    (2, "portal", include_str!("../../../migrations/sqlite/0002_portal.sql")),
    (3, "poll promises", include_str!("../../../migrations/sqlite/0003_poll_promises.sql")),
];

const POSTGRES: &[(i64, &str, &str)] = &[
    (1, "reports", include_str!("../../../migrations/postgres/0001_reports.sql")),
    (2, "portal", include_str!("../../../migrations/postgres/0002_portal.sql")),
    (3, "poll promises", include_str!("../../../migrations/postgres/0003_poll_promises.sql")),
];

pub(crate) fn sqlite() -> Migrator {
    migrator(SQLITE)
}

pub(crate) fn postgres() -> Migrator {
    migrator(POSTGRES)
}

fn migrator(migrations: &'static [(i64, &'static str, &'static str)]) -> Migrator {
    let mut migrator = Migrator::with_migrations(
        migrations
            .iter()
            .map(|&(version, name, sql)| {
                let no_transaction = sql.starts_with("-- no-transaction");
                let simple = MigrationType::Simple;
                Migration::new(version, name.into(), simple, sql.into_sql_str(), no_transaction)
            })
            .collect(),
    );
    migrator.set_ignore_missing(true);
    migrator
}

pub(crate) fn failed(error: sqlx::migrate::MigrateError) -> StoreError {
    match error {
        sqlx::migrate::MigrateError::Execute(error) => Fault::from(error).during("migrate the schema"),
        other => StoreError::Migration { cause: Cause::new(other) },
    }
}
