//! Wake-ups reach every process, the lost ones late.
use crate::on_both;
use crate::world::*;
use glosa_store::*;
use std::time::Duration;

on_both! {
    async fn other_processes_hear_of_changes(world) {
        let (worker, listener) = (world.open().await, world.open().await);
        let account = account(&worker, "a").await;
        let (mut here, mut there) = (worker.changes(), listener.changes());
        let report = queue(&worker, account).await;
        woken(&mut here, Change::Work).await;
        woken(&mut there, Change::Work).await;
        let job = claim_one(&worker).await;
        woken(&mut here, Change::Report(report)).await;
        woken(&mut there, Change::Report(report)).await;
        let _held = worker.finish(job.lease, Outcome::Completed(b"{}".to_vec())).await.unwrap();
        woken(&mut here, Change::Report(report)).await;
        woken(&mut there, Change::Report(report)).await;
        worker.close().await;
    }

    async fn a_change_nobody_told_is_found(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let report = queue(&store, account).await;
        let mut changes = store.changes();
        woken(&mut changes, Change::Work).await;
        tokio::time::sleep(Duration::from_millis(2500)).await;
        let now = if world.folder().is_some() {
            "CAST(unixepoch('subsec') * 1000000 AS INTEGER)"
        } else {
            "glosa_now(0)"
        };
        world.raw(format!(
            "UPDATE report SET state = 1, started_at = {now}, updated_at = {now}, lease_until = {now}, claimed_at = {now}"
        )).await;
        woken(&mut changes, Change::Report(report)).await;
        woken(&mut changes, Change::Work).await;
    }
}

/// Cutting the listening connections loses notifications in between; the listener says so and comes back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_listener_says_so_and_hears_again() {
    let world = World::postgres();
    let (worker, listener) = (world.open().await, world.open().await);
    let account = account(&worker, "a").await;
    let mut changes = listener.changes();
    queue(&worker, account).await;
    woken(&mut changes, Change::Work).await;
    world
        .raw(
            "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
              WHERE datname = current_database() AND query LIKE 'LISTEN%'",
        )
        .await;
    woken(&mut changes, Change::Unknown).await;
    let job = claim_one(&worker).await;
    woken(&mut changes, Change::Report(job.lease.report_id)).await;
}
