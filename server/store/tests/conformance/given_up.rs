//! Operations that nobody waits for any more: a caller hangs up, a network is silent, a limit of time ends them anywhere.
use crate::world::*;
use glosa_store::*;
use glosa_tests_cluster::{Cluster, Link};
use std::time::Duration;

/// An operation is given up while the word that opens its transaction is on the way. The connection goes to the next one, and the
/// transaction must not: whoever worked inside it would keep locks and lose what it wrote.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transaction_that_was_given_up_is_nobodys() {
    let cluster = Cluster::start();
    let direct = cluster.database();
    let link = Link::to(cluster.socket_of_server());
    let name = direct.rsplit('/').next().unwrap();
    let over_the_link = format!("postgres://postgres@127.0.0.1:{}/{name}?sslmode=disable", link.port);
    let world = World::at(&direct);
    let other = world.open().await;
    // One of them listens.
    let settings = Settings { connections: 2, ..Settings::new(Location::parse(&over_the_link).unwrap()) };
    let store = open(settings).await.unwrap();
    let account = account(&store, "a").await;
    link.silence_at("BEGIN");
    let given_up = tokio::time::timeout(Duration::from_millis(300), store.submit(letter(account))).await;
    assert!(given_up.is_err() && link.is_silent(), "given up at the word");
    link.mend();
    let later = store.ensure_account("later").await.unwrap().id;
    let stored = "SELECT name FROM account WHERE name = 'later'";
    assert_eq!(world.raw(stored).await, ["later"], "seen by everybody as soon as it is answered");
    assert_eq!(other.ensure_account("later").await.unwrap().id, later);
    let open = "SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
    assert_eq!(world.raw(open).await, ["0"], "no transaction stays open");
}
