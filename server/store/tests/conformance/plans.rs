//! The statements of every request and every claim read through an index, with a million reports in the table.
use crate::world::*;
use std::fmt::Write as _;

const REPORTS: u32 = 1_000_000;

macro_rules! statements {
    ($($name:literal: $arguments:literal),* $(,)?) => {
        [$(
            ($name, $arguments,
             include_str!(concat!("../../src/postgres/", $name, ".sql")),
             include_str!(concat!("../../src/sqlite/", $name, ".sql")))
        ),*]
    };
}

/// Name and arguments of each hot statement.
fn hot() -> impl Iterator<Item = (&'static str, &'static str, &'static str, &'static str)> {
    statements! {
        "queue_full": "99999",
        "idempotency_take": "0, ID, 'k'::bytea, 'f'::bytea, ID, 86400000000",
        "idempotency_find": "0, ID, 'k'::bytea",
        "submit": "0, ID, ID, 't'::bytea, 'es', 'd', 't', NULL::bytea, NULL::bigint, 1, 5000, NULL::bytea",
        "promise": "ID, 'p'::bytea, NULL::bytea",
        "observe": "0, ID, ID, 1",
        "standings": "0, '[\"0190f0a0000070008000000000000000\"]'",
        "claim": "0, 'w', 20, 30000000, 3",
        "renew": "0, ID, 1, 0, 30000000, 120000000",
        "finish": "0, ID, 1, 2, 'r'::bytea, NULL::text, 1000",
        "release": "0, ID, 1, 1",
        "fail_overdue": "0, 3, 86400000000, 1000",
        "delete_expired": "0",
        "delete_idempotency": "0",
        "changed": "4000000000000000, 5000",
        "pulse": "0",
        "key_lookup": "'12345678'::bytea",
        "admit": "0, ID, 'create', 1, 1",
        "stream_open": "0, ID, ID, 60000000, 20",
    }
    .into_iter()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_reads_no_table_from_end_to_end() {
    let world = World::postgres();
    let store = world.open().await;
    account(&store, "a").await;
    world
        .raw(format!(
            "CREATE VIEW owner AS SELECT account_id FROM account WHERE name = 'a';
             INSERT INTO account SELECT gen_random_uuid(), 'account ' || n, true, 0 FROM generate_series(1, 5000) n;
             INSERT INTO report (report_id, account_id, state, created_at, started_at, updated_at, finished_at, expires_at,
                                 next_poll_at, turn, lease_until, language, domain_slug, text_type_slug, text, result)
             SELECT gen_random_uuid(), account_id, state, at, CASE WHEN state > 0 THEN at END, at,
                    CASE WHEN state = 2 THEN at END, CASE WHEN state = 2 THEN at + 2592000000000 END, at, n,
                    CASE WHEN state = 1 THEN at END, 'es', 'd', 't',
                    CASE WHEN state < 2 THEN 't'::bytea END, CASE WHEN state = 2 THEN 'r'::bytea END
             FROM owner, generate_series(1, {REPORTS}) n,
                  LATERAL (SELECT CASE WHEN n % 500 = 0 THEN 0 WHEN n % 500 = 1 THEN 1 ELSE 2 END AS state,
                                  1700000000000000 + n * 1000000::bigint AS at) made;
             INSERT INTO idempotency SELECT account_id, decode(md5(n::text), 'hex'), 'f', gen_random_uuid(), n
             FROM owner, generate_series(1, 20000) n;
             INSERT INTO api_key SELECT gen_random_uuid(), account_id, 'l', 'h', decode(md5(n::text), 'hex'),
                                        decode(md5(n::text), 'hex'), 0
             FROM owner, generate_series(1, 20000) n;
             INSERT INTO rate_bucket SELECT gen_random_uuid(), 'create', 0 FROM generate_series(1, 20000);
             INSERT INTO stream SELECT gen_random_uuid(), gen_random_uuid(), 4000000000000000
             FROM generate_series(1, 20000);
             ANALYZE;"
        ))
        .await;
    let mut scans = String::new();
    for (name, arguments, sql, _) in hot() {
        let arguments = arguments.replace("ID", "'0190f0a0-0000-7000-8000-000000000000'::uuid");
        for mode in ["force_custom_plan", "force_generic_plan"] {
            let plan = world
                .raw(format!("SET plan_cache_mode = {mode}; PREPARE hot AS {sql}; EXPLAIN EXECUTE hot({arguments})"))
                .await
                .join("\n");
            assert!(plan.contains("cost="), "{name} has a plan: {plan}");
            if plan.contains("Seq Scan on") {
                writeln!(scans, "{name} ({mode}):\n{plan}\n").unwrap();
            }
        }
    }
    assert!(scans.is_empty(), "{scans}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_reads_no_table_from_end_to_end() {
    use sqlx::{AssertSqlSafe, Connection, Row};
    let world = World::sqlite();
    world.open().await.close().await;
    let glosa_store::Location::Sqlite(path) = &world.location else { unreachable!() };
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
    let mut connection = sqlx::SqliteConnection::connect_with(&options).await.unwrap();
    let mut scans = String::new();
    for (name, _, _, sql) in hot() {
        let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
        let rows = sqlx::raw_sql(explain).fetch_all(&mut connection).await.unwrap();
        for row in rows {
            let step: String = row.get(3);
            let table =
                ["report", "idempotency", "api_key", "rate_bucket", "stream", "account", "r", "q", "k", "a", "i"]
                    .iter()
                    .any(|table| step == format!("SCAN {table}"));
            if table {
                writeln!(scans, "{name}: {step}").unwrap();
            }
        }
    }
    assert!(scans.is_empty(), "{scans}");
}
