//! One key, one report.
use crate::on_both;
use crate::world::*;
use glosa_store::*;
use std::collections::HashSet;

on_both! {
    async fn the_same_request_gets_the_same_answer(world) {
        let (one, two) = (world.open().await, world.open().await);
        let account = account(&one, "a").await;
        let new = NewReport {
            external_id: Some("\0id".to_owned()),
            estimated_seconds: Some(9),
            first_poll_seconds: 50,
            ..keyed(account, "k", "p")
        };
        let first = created(one.submit(new.clone()).await.unwrap());
        let again = replayed(two.submit(new.clone()).await.unwrap());
        assert_eq!((again.report_id, &again.external_id, again.estimated_seconds),
            (first.report_id, &first.external_id, first.estimated_seconds));
        assert!((1..=50).contains(&again.retry_after_seconds) && again.retry_after_seconds > 1);
        let job = claim_one(&one).await;
        assert_eq!(replayed(two.submit(new.clone()).await.unwrap()).report_id, first.report_id);
        let _held = one.finish(job.lease, Outcome::Completed(b"{}".to_vec())).await.unwrap();
        let after = replayed(two.submit(new).await.unwrap());
        assert_eq!((after.report_id, after.retry_after_seconds), (first.report_id, 1));
        assert_eq!(world.raw("SELECT cast(count(*) AS text) FROM report").await, ["1"]);
    }

    async fn another_request_under_the_key_is_refused(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        created(store.submit(keyed(account, "k", "p")).await.unwrap());
        let reused = store.submit(keyed(account, "k", "P")).await.unwrap();
        assert!(matches!(reused, Submitted::KeyReused), "{reused:?}");
        replayed(store.submit(keyed(account, "k", "p")).await.unwrap());
    }

    async fn a_key_belongs_to_an_account(world) {
        let store = world.open().await;
        let (one, two) = (account(&store, "a").await, account(&store, "b").await);
        let first = created(store.submit(keyed(one, "k", "p")).await.unwrap());
        let second = created(store.submit(keyed(two, "k", "p")).await.unwrap());
        assert_ne!(first.report_id, second.report_id);
    }

    async fn a_key_is_kept_for_a_day(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let first = created(store.submit(keyed(account, "k", "p")).await.unwrap());
        let before = world.open_later(DAY - 60 * SECOND).await;
        before.sweep().await.unwrap();
        assert_eq!(replayed(before.submit(keyed(account, "k", "p")).await.unwrap()).report_id, first.report_id);
        let after = world.open_later(DAY + SECOND).await;
        assert_ne!(created(after.submit(keyed(account, "k", "q")).await.unwrap()).report_id, first.report_id);
        let long_after = world.open_later(3 * DAY).await;
        assert_eq!(long_after.sweep().await.unwrap().keys, 1);
    }

    async fn a_storm_of_one_key_makes_one_report(world) {
        let stores = [world.open().await, world.open().await, world.open().await];
        let account = account(&stores[0], "a").await;
        for round in 0..20 {
            let mut storm = tokio::task::JoinSet::new();
            for index in 0..50 {
                let store = stores[index % 3].clone();
                storm.spawn(async move { store.submit(keyed(account, &format!("k{round}"), "p")).await.unwrap() });
            }
            let answers = storm.join_all().await;
            let (mut new, mut ids) = (0, HashSet::new());
            for answer in answers {
                match answer {
                    Submitted::Created(accepted) => {
                        new += 1;
                        ids.insert(accepted.report_id);
                    }
                    Submitted::Replayed(accepted) => {
                        ids.insert(accepted.report_id);
                    }
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!((new, ids.len()), (1, 1), "round {round}");
        }
        assert_eq!(world.raw("SELECT cast(count(*) AS text) FROM report").await, ["20"]);
    }
}

/// Someone holds the key in a transaction that does not end: no second report, an answer within the patience of a caller.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_in_flight_is_waited_for_and_then_given_up() {
    use sqlx::Connection;
    let world = World::postgres();
    let store = world.open().await;
    let account = account(&store, "a").await;
    let Location::Postgres(url) = &world.location else { unreachable!() };
    let mut other = sqlx::PgConnection::connect(url).await.unwrap();
    let mut held = other.begin().await.unwrap();
    sqlx::query("LOCK TABLE idempotency IN EXCLUSIVE MODE").execute(&mut *held).await.unwrap();
    let answer = store.submit(keyed(account, "k", "p")).await.unwrap();
    assert!(matches!(answer, Submitted::InFlight), "{answer:?}");
    held.rollback().await.unwrap();
    created(store.submit(keyed(account, "k", "p")).await.unwrap());
}

/// The same on SQLite, where whoever writes holds the whole file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_file_is_unavailable() {
    use sqlx::Connection;
    let world = World::sqlite();
    let store = world.open().await;
    let account = account(&store, "a").await;
    let Location::Sqlite(path) = &world.location else { unreachable!() };
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
    let mut other = sqlx::SqliteConnection::connect_with(&options).await.unwrap();
    let held = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    let error = store.submit(keyed(account, "k", "p")).await.unwrap_err();
    assert!(error.is_unavailable(), "{error}");
    held.rollback().await.unwrap();
    created(store.submit(keyed(account, "k", "p")).await.unwrap());
}
