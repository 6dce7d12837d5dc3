//! Operations that nobody waits for any more: a caller hangs up, a network is silent, a limit of time ends them anywhere.
use crate::world::*;
use glosa_store::*;
use std::time::Duration;

/// A sum of moments at which an operation of a few milliseconds is at each of its steps.
const MOMENTS: u32 = 150;

/// The connection of an operation that was given up goes to the next one. A transaction that it had begun must not: whoever
/// worked inside it would keep locks and lose what it wrote.
async fn leaves_no_transaction(world: &World) {
    let store = world.open().await;
    let account = account(&store, "a").await;
    for moment in 0..MOMENTS {
        let patience = Duration::from_micros(u64::from(moment) * 40);
        let _given_up = tokio::time::timeout(patience, store.submit(letter(account))).await;
        let _given_up = tokio::time::timeout(patience, store.claim("worker", 1)).await;
        let _given_up = tokio::time::timeout(patience, store.open_stream(account, 1000)).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let open = world.raw("SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'");
    assert_eq!(open.await, ["0"]);
    let reports = tokio::time::timeout(Duration::from_secs(4), async {
        let mut reports = Vec::new();
        for _ in 0..24 {
            reports.push(queue(&store, account).await);
        }
        reports
    });
    let reports = reports.await.expect("no lock is left");
    let other = world.open().await;
    for report in reports {
        assert_eq!(look(&other, account, report).await.status, ReportStatus::Queued, "seen by another process");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operations_given_up_leave_no_transaction() {
    leaves_no_transaction(&World::postgres()).await;
}
