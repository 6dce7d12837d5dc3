//! Workers: who holds what, and what becomes of those that die.
use crate::on_both;
use crate::world::*;
use glosa_store::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

fn result(text: &str) -> Outcome {
    Outcome::Completed(text.into())
}

on_both! {
    async fn eight_workers_do_each_job_once(world) {
        let stores = [world.open().await, world.open().await];
        let account = account(&stores[0], "a").await;
        for _ in 0..400 {
            queue(&stores[0], account).await;
        }
        let claims: Arc<Mutex<HashMap<ReportId, u32>>> = Arc::default();
        let mut workers = tokio::task::JoinSet::new();
        for index in 0..8 {
            let (store, claims) = (stores[index % 2].clone(), claims.clone());
            workers.spawn(async move {
                let mut empty = 0;
                while empty < 3 {
                    let jobs = store.claim(&format!("worker {index}"), 5).await.unwrap();
                    assert!(jobs.len() <= 5);
                    empty = if jobs.is_empty() { empty + 1 } else { 0 };
                    for job in jobs {
                        *claims.lock().unwrap().entry(job.lease.report_id).or_default() += 1;
                        assert_eq!(store.finish(job.lease, result("{}")).await.unwrap(), Held::Held);
                    }
                }
            });
        }
        workers.join_all().await;
        let claims = claims.lock().unwrap().clone();
        assert_eq!(claims.len(), 400);
        assert!(claims.values().all(|times| *times == 1));
        assert_eq!(world.raw("SELECT cast(count(*) AS text) FROM report WHERE state = 2").await, ["400"]);
    }

    async fn a_lost_lease_writes_nothing(world) {
        let (store, later) = (world.open().await, world.open_later(31 * SECOND).await);
        let account = account(&store, "a").await;
        let report = queue(&store, account).await;
        let zombie = claim_one(&store).await;
        let before = look(&store, account, report).await;
        assert!(store.claim("other", 1).await.unwrap().is_empty());
        let rescued = claim_one(&later).await;
        assert_eq!((rescued.lease.report_id, rescued.attempt), (report, 2));
        assert_eq!(rescued.text, zombie.text);
        let during = look(&store, account, report).await;
        assert_eq!((during.status, during.updated_at, during.started_at), (before.status, before.updated_at, before.started_at));

        assert_eq!(store.renew(zombie.lease, ReportPhase::Building).await.unwrap(), Held::Lost);
        assert_eq!(store.release(zombie.lease, Release::Handover).await.unwrap(), Held::Lost);
        assert_eq!(store.finish(zombie.lease, result("zombie")).await.unwrap(), Held::Lost);
        assert_eq!(store.finish(zombie.lease, Outcome::Failed("zombie".into())).await.unwrap(), Held::Lost);
        assert_eq!(look(&store, account, report).await.status, ReportStatus::Running);
        assert_eq!(later.finish(rescued.lease, result("good")).await.unwrap(), Held::Held);
        assert_eq!(store.finish(zombie.lease, result("zombie")).await.unwrap(), Held::Lost);
        assert_eq!(later.finish(rescued.lease, result("again")).await.unwrap(), Held::Lost);
        assert_eq!(look(&store, account, report).await.result.as_deref(), Some(&b"good"[..]));
    }

    async fn a_late_finish_counts_when_nobody_took_over(world) {
        let (store, later) = (world.open().await, world.open_later(45 * SECOND).await);
        let account = account(&store, "a").await;
        let report = queue(&store, account).await;
        let job = claim_one(&store).await;
        assert_eq!(later.finish(job.lease, result("late")).await.unwrap(), Held::Held);
        assert_eq!(look(&store, account, report).await.status, ReportStatus::Completed);
        assert!(later.claim("other", 1).await.unwrap().is_empty());
    }

    async fn heartbeats_keep_a_lease_up_to_the_deadline(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        queue(&store, account).await;
        let job = claim_one(&store).await;
        for seconds in [15, 30, 45, 60, 75, 90, 105] {
            let later = world.open_later(seconds * SECOND).await;
            assert!(later.claim("other", 1).await.unwrap().is_empty(), "{seconds}");
            assert_eq!(later.renew(job.lease, ReportPhase::Analyzing).await.unwrap(), Held::Held, "{seconds}");
        }
        let after = world.open_later(121 * SECOND).await;
        assert_eq!(after.renew(job.lease, ReportPhase::Building).await.unwrap(), Held::Lost);
        let rescued = claim_one(&world.open_later(140 * SECOND).await).await;
        assert_eq!(rescued.attempt, 2);
    }

    async fn three_attempts_and_no_more(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let report = queue(&store, account).await;
        let mut job = claim_one(&store).await;
        for attempt in [2, 3] {
            assert!(!job.is_last_attempt);
            job = claim_one(&world.open_later(i64::from(attempt) * 31 * SECOND).await).await;
            assert_eq!(job.attempt, attempt);
        }
        assert!(job.is_last_attempt);
        let end = world.open_later(200 * SECOND).await;
        assert!(end.claim("other", 1).await.unwrap().is_empty());
        let swept = end.sweep().await.unwrap();
        assert_eq!((swept.failed, swept.expired), (1, 0));
        let failed = look(&end, account, report).await;
        assert_eq!(failed.status, ReportStatus::Failed);
        assert!(failed.failure.is_some_and(|message| !message.is_empty()));
        assert_eq!(end.finish(job.lease, result("zombie")).await.unwrap(), Held::Lost);
        assert_eq!(end.sweep().await.unwrap().failed, 0);
        assert_eq!(world.raw("SELECT cast(count(*) AS text) FROM report WHERE text IS NOT NULL").await, ["0"]);
    }

    async fn waiting_too_long_fails_by_way_of_running(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let report = queue(&store, account).await;
        assert_eq!(world.open_later(23 * HOUR).await.sweep().await.unwrap().failed, 0);
        let late = world.open_later(25 * HOUR).await;
        assert_eq!(late.sweep().await.unwrap().failed, 1);
        let failed = look(&late, account, report).await;
        assert_eq!(failed.status, ReportStatus::Failed);
        assert!(failed.started_at >= Some(failed.created_at));
        assert_eq!(failed.finished_at, Some(failed.updated_at));
        assert!(failed.started_at <= failed.finished_at);
    }

    async fn a_handover_costs_no_attempt(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let report = queue(&store, account).await;
        let mut job = claim_one(&store).await;
        for _ in 0..5 {
            assert_eq!(store.release(job.lease, Release::Handover).await.unwrap(), Held::Held);
            assert_eq!(look(&store, account, report).await.status, ReportStatus::Running);
            assert_eq!(store.finish(job.lease, result("late")).await.unwrap(), Held::Lost);
            let next = claim_one(&store).await;
            assert_eq!(next.attempt, 1);
            assert!(next.lease.token > job.lease.token);
            job = next;
        }
    }

    async fn a_retry_waits_and_counts(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        queue(&store, account).await;
        let job = claim_one(&store).await;
        let frozen = world.open_later(-60 * SECOND).await;
        assert_eq!(store.release(job.lease, Release::Retry).await.unwrap(), Held::Held);
        assert!(frozen.claim("worker", 1).await.unwrap().is_empty());
        let second = claim_one(&world.open_later(2 * SECOND).await).await;
        assert_eq!(second.attempt, 2);
        assert_eq!(store.release(second.lease, Release::Retry).await.unwrap(), Held::Held);
        assert!(frozen.claim("worker", 1).await.unwrap().is_empty());
        let third = claim_one(&world.open_later(11 * SECOND).await).await;
        assert!(third.is_last_attempt);
    }

    async fn a_clock_that_goes_back_keeps_times_in_order(world) {
        let (store, behind) = (world.open().await, world.open_later(-HOUR).await);
        let account = account(&store, "a").await;
        let report = queue(&store, account).await;
        let job = claim_one(&behind).await;
        let _held = behind.finish(job.lease, result("{}")).await.unwrap();
        let done = look(&store, account, report).await;
        assert!(Some(done.created_at) <= done.started_at && done.started_at <= done.finished_at);
        assert_eq!(done.finished_at, Some(done.updated_at));
    }
}
