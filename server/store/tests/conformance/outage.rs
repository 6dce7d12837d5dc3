//! The database goes away and comes back.
use crate::world::*;
use glosa_store::*;
use glosa_tests_cluster::Cluster;
use std::time::Duration;

/// A crash of PostgreSQL: calls are `Unavailable`, known keys still open, nothing accepted is lost, and the same store works again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_of_the_database_loses_nothing_accepted() {
    let mut cluster = Cluster::start();
    let location = Location::parse(&cluster.url()).unwrap();
    let store = open(Settings::new(location)).await.unwrap();
    let account = account(&store, "a").await;
    let (known, fresh) =
        (store.issue_key(account, "known").await.unwrap(), store.issue_key(account, "fresh").await.unwrap());
    let ring = KeyRing::new(store.clone());
    let caller = ring.caller(known.value.expose()).await.unwrap();
    assert!(caller.is_some());
    let mut accepted = Vec::new();
    for round in 0..3 {
        for _ in 0..20 {
            accepted.push(queue(&store, account).await);
        }
        cluster.crash();
        assert!(store.submit(letter(account)).await.unwrap_err().is_unavailable(), "round {round}");
        assert!(store.observe(account, accepted[0], Look::Stream).await.unwrap_err().is_unavailable());
        assert!(store.claim("worker", 1).await.unwrap_err().is_unavailable());
        assert!(store.health().await.unwrap_err().is_unavailable());
        tokio::time::sleep(Duration::from_millis(2500)).await;
        assert_eq!(ring.caller(known.value.expose()).await.unwrap(), caller, "known from before");
        if round == 0 {
            assert!(ring.caller(fresh.value.expose()).await.unwrap_err().is_unavailable());
        }
        cluster.resume();
        for report in &accepted {
            assert_eq!(look(&store, account, *report).await.status, ReportStatus::Queued);
        }
        assert!(ring.caller(fresh.value.expose()).await.unwrap().is_some());
    }
    let mut changes = store.changes();
    queue(&store, account).await;
    assert!(changes.next().await.is_some());
}
