//! Accounts and keys.
use crate::on_both;
use crate::world::*;
use glosa_store::*;

on_both! {
    async fn a_key_opens_its_account(world) {
        let (one, two) = (world.open().await, world.open().await);
        let made = one.create_account("Ajuntament").await.unwrap();
        let key = one.issue_key(made.id, "portal").await.unwrap();
        let caller = two.authenticate(key.value.expose()).await.unwrap().unwrap();
        assert_eq!(caller, Caller { account: made.id, key: key.record.id });
        assert!(key.value.expose().starts_with(&key.record.hint));
        for wrong in ["", "glosa_live_", "Bearer", &key.value.expose()[1..], &key.value.expose().to_uppercase()] {
            assert_eq!(one.authenticate(wrong).await.unwrap(), None);
        }
        let listed = two.keys(made.id).await.unwrap();
        assert_eq!(listed, [key.record]);
    }

    async fn the_value_of_a_key_is_nowhere(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let key = store.issue_key(account, "k").await.unwrap();
        let secret = &key.value.expose()[key.record.hint.len()..];
        let shown = format!("{key:?} {:?} {:?}", store.keys(account).await.unwrap(), key.value);
        assert!(!shown.contains(secret));
        let cast = if world.folder().is_some() { "hex(digest)" } else { "encode(digest, 'hex')" };
        let stored = world.raw(format!("SELECT label || hint || {cast} FROM api_key")).await;
        assert!(!stored[0].contains(secret) && stored[0].len() > 64);
    }

    async fn revoked_is_revoked_everywhere(world) {
        let (one, two) = (world.open().await, world.open().await);
        let (owner, other) = (account(&one, "a").await, account(&one, "b").await);
        let key = one.issue_key(owner, "k").await.unwrap();
        let kept = one.issue_key(owner, "kept").await.unwrap();
        let ring = KeyRing::new(two.clone());
        assert!(ring.caller(key.value.expose()).await.unwrap().is_some());
        assert!(!one.revoke_key(other, key.record.id).await.unwrap(), "another account's key");
        assert!(two.authenticate(key.value.expose()).await.unwrap().is_some());
        assert!(one.revoke_key(owner, key.record.id).await.unwrap());
        assert!(!one.revoke_key(owner, key.record.id).await.unwrap(), "revoked already");
        assert_eq!(two.authenticate(key.value.expose()).await.unwrap(), None);
        let mut tries = 0;
        while ring.caller(key.value.expose()).await.unwrap().is_some() {
            tries += 1;
            assert!(tries < 40, "the ring forgets a revoked key");
            tokio::time::sleep(std::time::Duration::from_millis(250)).await;
        }
        assert!(ring.caller(kept.value.expose()).await.unwrap().is_some());
        let revoked: Vec<_> = one.keys(owner).await.unwrap().into_iter().filter(|key| key.revoked_at.is_some()).collect();
        assert_eq!(revoked.len(), 1);
    }

    async fn an_inactive_account_has_no_keys_that_work(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let key = store.issue_key(account, "k").await.unwrap();
        store.set_account_active(account, false).await.unwrap();
        assert_eq!(store.authenticate(key.value.expose()).await.unwrap(), None);
        store.set_account_active(account, true).await.unwrap();
        assert!(store.authenticate(key.value.expose()).await.unwrap().is_some());
    }

    async fn names_are_unique_and_usable(world) {
        let store = world.open().await;
        let made = store.create_account("a").await.unwrap();
        assert!(matches!(store.create_account("a").await, Err(StoreError::NameTaken)));
        assert_eq!(store.ensure_account("a").await.unwrap(), made);
        assert_eq!(store.find_account("a").await.unwrap().as_ref(), Some(&made));
        assert_eq!(store.find_account("b").await.unwrap(), None);
        assert_eq!(store.find_account("\0").await.unwrap(), None);
        for wrong in ["", " ", "a\0b", "a\nb", &"x".repeat(201)] {
            assert!(matches!(store.create_account(wrong).await, Err(StoreError::Setting { .. })), "{wrong:?}");
        }
        store.create_account("b").await.unwrap();
        let names: Vec<_> = store.accounts().await.unwrap().into_iter().map(|account| account.name).collect();
        assert_eq!(names, ["a", "b"]);
    }

    async fn keys_are_limited_under_concurrency_too(world) {
        let stores = [world.open().await, world.open().await];
        let account = account(&stores[0], "a").await;
        let mut makers = tokio::task::JoinSet::new();
        for index in 0..30 {
            let store = stores[index % 2].clone();
            makers.spawn(async move { store.issue_key(account, "k").await });
        }
        let answers = makers.join_all().await;
        let made = answers.iter().filter(|answer| answer.is_ok()).count();
        assert_eq!(made, ACTIVE_KEYS as usize);
        assert!(answers.iter().all(|answer| matches!(answer, Ok(_) | Err(StoreError::TooManyKeys { .. }))));
        let keys = stores[0].keys(account).await.unwrap();
        assert!(stores[0].revoke_key(account, keys[0].id).await.unwrap());
        stores[0].issue_key(account, "again").await.unwrap();
    }

    async fn an_unknown_account_gets_no_key(world) {
        let store = world.open().await;
        let unknown: AccountId = "0190f0a0-0000-7000-8000-000000000000".parse().unwrap();
        assert!(matches!(store.issue_key(unknown, "k").await, Err(StoreError::UnknownAccount)));
        assert!(matches!(store.set_account_active(unknown, true).await, Err(StoreError::UnknownAccount)));
    }

    async fn injected_sql_is_a_name(world) {
        let store = world.open().await;
        let name = "x'); DROP TABLE report; --";
        let made = store.create_account(name).await.unwrap();
        assert_eq!(store.find_account(name).await.unwrap().unwrap().id, made.id);
        queue(&store, made.id).await;
    }
}
