//! Limits over several processes.
use crate::on_both;
use crate::world::*;
use glosa_store::*;
use std::time::Duration;

const SLOW: RatePolicy = RatePolicy { name: "create", quantity: 6, period: Duration::from_secs(3600), burst: 5 };

on_both! {
    async fn a_burst_passes_and_the_next_waits(world) {
        let store = world.open().await;
        let (one, two) = (account(&store, "a").await, account(&store, "b").await);
        for left in (0..5).rev() {
            let admission = store.admit(one, SLOW).await.unwrap();
            assert_eq!((admission.admitted, admission.remaining, admission.retry_after_seconds), (true, left, 0));
        }
        let refused = store.admit(one, SLOW).await.unwrap();
        assert!(!refused.admitted);
        assert!((1..=600).contains(&refused.retry_after_seconds), "{refused:?}");
        assert!((1..=3000).contains(&refused.reset_seconds), "{refused:?}");
        assert!(store.admit(two, SLOW).await.unwrap().admitted, "another account");
        let other = RatePolicy { name: "status", ..SLOW };
        assert!(store.admit(one, other).await.unwrap().admitted, "another bucket");
        let later = world.open_later(i64::from(refused.retry_after_seconds) * SECOND).await;
        assert!(later.admit(one, SLOW).await.unwrap().admitted, "after the told time");
        assert!(!later.admit(one, SLOW).await.unwrap().admitted);
    }

    async fn refusals_cost_nothing(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        for _ in 0..20 {
            store.admit(account, SLOW).await.unwrap();
        }
        let later = world.open_later(3000 * SECOND).await;
        for _ in 0..5 {
            assert!(later.admit(account, SLOW).await.unwrap().admitted);
        }
    }

    async fn processes_share_a_rate(world) {
        let stores = [world.open().await, world.open().await, world.open().await];
        let account = account(&stores[0], "a").await;
        let policy = RatePolicy { burst: 17, ..SLOW };
        let mut callers = tokio::task::JoinSet::new();
        for index in 0..120 {
            let store = stores[index % 3].clone();
            callers.spawn(async move { store.admit(account, policy).await.unwrap().admitted });
        }
        let admitted = callers.join_all().await.into_iter().filter(|admitted| *admitted).count();
        assert_eq!(admitted, 17);
    }

    async fn a_sweep_forgets_spent_rates_and_streams(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        store.admit(account, SLOW).await.unwrap();
        store.open_stream(account, 1).await.unwrap();
        store.sweep().await.unwrap();
        let count = "SELECT cast((SELECT count(*) FROM rate_bucket) + (SELECT count(*) FROM stream) AS text)";
        assert_eq!(world.raw(count).await, ["2"]);
        world.open_later(HOUR).await.sweep().await.unwrap();
        assert_eq!(world.raw(count).await, ["0"]);
    }

    async fn streams_are_counted_over_processes(world) {
        let stores = [world.open().await, world.open().await, world.open().await];
        let (one, two) = (account(&stores[0], "a").await, account(&stores[0], "b").await);
        let mut openers = tokio::task::JoinSet::new();
        for index in 0..45 {
            let store = stores[index % 3].clone();
            openers.spawn(async move { store.open_stream(one, 20).await.unwrap() });
        }
        let open: Vec<_> = openers.join_all().await.into_iter().flatten().collect();
        assert_eq!(open.len(), 20);
        assert!(stores[1].open_stream(two, 1).await.unwrap().is_some(), "another account");
        stores[2].close_stream(open[0]).await.unwrap();
        assert!(stores[1].open_stream(one, 20).await.unwrap().is_some(), "a slot was freed");
        assert!(stores[1].open_stream(one, 20).await.unwrap().is_none());
    }

    async fn a_dead_process_frees_its_streams(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let alive = store.open_stream(account, 2).await.unwrap().unwrap();
        store.open_stream(account, 2).await.unwrap().unwrap();
        let later = world.open_later(40 * SECOND).await;
        assert!(later.open_stream(account, 2).await.unwrap().is_none());
        later.renew_streams(&[alive]).await.unwrap();
        let after = world.open_later(70 * SECOND).await;
        assert!(after.open_stream(account, 2).await.unwrap().is_some());
        assert!(after.open_stream(account, 2).await.unwrap().is_none());
        store.renew_streams(&[]).await.unwrap();
    }
}
