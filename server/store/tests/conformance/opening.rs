//! Starting: schema, settings, several at once.
use crate::on_both;
use crate::world::*;
use glosa_store::*;

on_both! {
    async fn eight_processes_start_at_once(world) {
        let mut starts = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let settings = world.settings();
            starts.spawn(async move { open(settings).await.unwrap() });
        }
        let stores = starts.join_all().await;
        let account = account(&stores[0], "a").await;
        created(stores[1].submit(keyed(account, "k", "p")).await.unwrap());
        for store in &stores {
            store.health().await.unwrap();
            replayed(store.submit(keyed(account, "k", "p")).await.unwrap());
        }
    }

    async fn what_was_stored_is_there_after_a_restart(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let report = created(store.submit(keyed(account, "k", "p")).await.unwrap()).report_id;
        store.close().await;
        assert!(store.health().await.unwrap_err().is_unavailable());
        let store = world.open().await;
        assert_eq!(look(&store, account, report).await.status, ReportStatus::Queued);
        assert_eq!(replayed(store.submit(keyed(account, "k", "p")).await.unwrap()).report_id, report);
    }

    async fn a_newer_schema_is_accepted_and_a_changed_one_is_not(world) {
        world.open().await.close().await;
        world.raw("INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                   SELECT 9999, 'later', success, checksum, 0 FROM _sqlx_migrations WHERE version = 1").await;
        world.open().await.close().await;
        let zero = if world.folder().is_some() { "x'00'" } else { "'\\x00'" };
        world.raw(format!("UPDATE _sqlx_migrations SET checksum = {zero} WHERE version = 1")).await;
        let refused = open(world.settings()).await.err().unwrap();
        assert!(matches!(refused, StoreError::Migration { .. }), "{refused:?}");
    }
}

#[tokio::test]
async fn settings_that_cannot_hold_are_named() {
    let world = World::sqlite();
    type Change = fn(&mut Settings);
    let wrong: [(&str, Change); 7] = [
        ("retention", |settings| settings.retention = std::time::Duration::from_secs(3600)),
        ("lease", |settings| settings.lease = std::time::Duration::ZERO),
        ("attempts", |settings| settings.attempts = 0),
        ("queue-age", |settings| settings.queue_age = std::time::Duration::ZERO),
        ("queue", |settings| settings.account_queue = 0),
        ("connections", |settings| settings.connections = 0),
        ("database-url", |settings| settings.location = Location::Postgres("postgres://[".into())),
    ];
    for (expected, change) in wrong {
        let mut settings = world.settings();
        change(&mut settings);
        match open(settings).await.err() {
            Some(StoreError::Setting { name, .. }) => assert_eq!(name, expected),
            other => panic!("{expected}: {other:?}"),
        }
    }
    for wrong in ["", "mysql://x", "sqlite:", "glosa.db"] {
        assert!(matches!(Location::parse(wrong), Err(StoreError::Setting { .. })), "{wrong}");
    }
    assert_eq!(Location::parse("sqlite:a/b.db").unwrap(), Location::Sqlite("a/b.db".into()));
    assert_eq!(Location::parse("sqlite:///a/b.db").unwrap(), Location::Sqlite("/a/b.db".into()));
}

#[tokio::test]
async fn a_database_that_is_not_there_is_unavailable() {
    let location = Location::Postgres("postgres://glosa@127.0.0.1:1/glosa".into());
    let refused = open(Settings::new(location)).await.err().unwrap();
    assert!(refused.is_unavailable(), "{refused:?}");
    let location = Location::Sqlite("/proc/no/such/place.db".into());
    let refused = open(Settings::new(location)).await.err().unwrap();
    assert!(refused.to_string().contains("place.db"), "{refused}");
}

/// The file holds texts: its owner reads it and nobody else.
#[cfg(unix)]
#[tokio::test]
async fn the_file_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/down/glosa.db");
    let store = open(Settings::new(Location::Sqlite(path.clone()))).await.unwrap();
    account(&store, "a").await;
    for name in ["glosa.db", "glosa.db-wal", "glosa.db-shm", "glosa.db.lock"] {
        let mode = path.with_file_name(name).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name}");
    }
    assert_eq!(path.parent().unwrap().metadata().unwrap().permissions().mode() & 0o077, 0);
}

/// Owning the database is enough; no step needs a superuser.
#[tokio::test]
async fn an_ordinary_role_is_enough() {
    let cluster = glosa_tests_cluster::Cluster::start();
    cluster.execute("CREATE ROLE ordinary LOGIN");
    cluster.execute("CREATE DATABASE plain OWNER ordinary");
    let url = cluster.url().replace("//postgres@", "//ordinary@").replace("/postgres", "/plain");
    let store = open(Settings::new(Location::parse(&url).unwrap())).await.unwrap();
    let account = account(&store, "a").await;
    let report = queue(&store, account).await;
    let mut changes = store.changes();
    let job = claim_one(&store).await;
    woken(&mut changes, Change::Report(report)).await;
    let _held = store.finish(job.lease, Outcome::Completed(b"{}".to_vec())).await.unwrap();
    store.sweep().await.unwrap();
}
