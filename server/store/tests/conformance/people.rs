//! People of the portal: invitations, passwords, sessions, limits of visitors.
use crate::on_both;
use crate::world::*;
use glosa_store::*;
use std::sync::Arc;
use std::time::Duration;

const HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA";
const OTHER: &str = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$b3RoZXI";

fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

async fn member(store: &Arc<dyn Store>, account: AccountId, address: &str) -> Person {
    let link = store.invite(account, &email(address), "ca").await.unwrap();
    store.set_password(&link, LinkPurpose::Invitation, HASH).await.unwrap().unwrap()
}

on_both! {
    async fn an_invitation_sets_one_password(world) {
        let store = world.open().await;
        let owner = store.ensure_account("Ajuntament").await.unwrap();
        let link = store.invite(owner.id, &email("Pia@example.org"), "ca").await.unwrap();
        let invited = store.link_owner(&link, LinkPurpose::Invitation).await.unwrap().unwrap();
        assert_eq!((invited.account, invited.account_name.as_str(), invited.language.as_str()), (owner.id, "Ajuntament", "ca"));
        assert_eq!((invited.email.as_str(), invited.has_password), ("pia@example.org", false));
        assert_eq!(store.link_owner(&link, LinkPurpose::Reset).await.unwrap(), None, "another purpose");
        assert_eq!(store.set_password(&link, LinkPurpose::Reset, HASH).await.unwrap(), None, "another purpose");
        assert_eq!(store.set_password(&Token::new(), LinkPurpose::Invitation, HASH).await.unwrap(), None);
        let set = store.set_password(&link, LinkPurpose::Invitation, HASH).await.unwrap().unwrap();
        assert_eq!((set.id, set.has_password), (invited.id, true));
        assert_eq!(store.set_password(&link, LinkPurpose::Invitation, OTHER).await.unwrap(), None, "used");
        assert_eq!(store.link_owner(&link, LinkPurpose::Invitation).await.unwrap(), None, "used");
        let known = store.credentials(&email("pia@example.org")).await.unwrap().unwrap();
        assert_eq!(known.password.as_deref(), Some(HASH));
        assert!(!format!("{known:?}").contains("argon2"));
        assert_eq!(store.people(owner.id).await.unwrap(), [set]);
    }

    async fn one_of_many_uses_a_link(world) {
        let stores = [world.open().await, world.open().await];
        let owner = account(&stores[0], "a").await;
        let link = stores[0].invite(owner, &email("a@b.org"), "es").await.unwrap();
        let mut users = tokio::task::JoinSet::new();
        for index in 0..12 {
            let (store, link) = (stores[index % 2].clone(), link.clone());
            users.spawn(async move { store.set_password(&link, LinkPurpose::Invitation, HASH).await.unwrap().is_some() });
        }
        assert_eq!(users.join_all().await.into_iter().filter(|used| *used).count(), 1);
    }

    async fn invitations_expire_after_72_hours(world) {
        let store = world.open().await;
        let owner = account(&store, "a").await;
        let link = store.invite(owner, &email("a@b.org"), "en").await.unwrap();
        let before = world.open_later(72 * HOUR - 60 * SECOND).await;
        assert!(before.link_owner(&link, LinkPurpose::Invitation).await.unwrap().is_some());
        let after = world.open_later(72 * HOUR).await;
        assert_eq!(after.link_owner(&link, LinkPurpose::Invitation).await.unwrap(), None);
        assert_eq!(after.set_password(&link, LinkPurpose::Invitation, HASH).await.unwrap(), None);
        let again = after.invite(owner, &email("a@b.org"), "en").await.unwrap();
        assert!(after.link_owner(&again, LinkPurpose::Invitation).await.unwrap().is_some());
    }

    async fn a_new_link_ends_the_one_before(world) {
        let store = world.open().await;
        let owner = account(&store, "a").await;
        let first = store.invite(owner, &email("a@b.org"), "es").await.unwrap();
        assert!(store.reset_link(&email("a@b.org")).await.unwrap().is_none(), "no password yet");
        let second = store.invite(owner, &email("A@b.org"), "en").await.unwrap();
        assert_eq!(store.link_owner(&first, LinkPurpose::Invitation).await.unwrap(), None);
        store.set_password(&second, LinkPurpose::Invitation, HASH).await.unwrap().unwrap();
        let (person, one) = store.reset_link(&email("a@b.org")).await.unwrap().unwrap();
        assert_eq!(person.language, "en");
        let (_, two) = store.reset_link(&email("a@b.org")).await.unwrap().unwrap();
        assert_eq!(store.link_owner(&one, LinkPurpose::Reset).await.unwrap(), None);
        let later = world.open_later(HOUR).await;
        assert_eq!(later.link_owner(&two, LinkPurpose::Reset).await.unwrap(), None, "an hour is over");
        assert!(store.reset_link(&email("nobody@b.org")).await.unwrap().is_none());
    }

    async fn secrets_are_digests(world) {
        let store = world.open().await;
        let owner = account(&store, "a").await;
        let link = store.invite(owner, &email("a@b.org"), "es").await.unwrap();
        let person = member(&store, owner, "c@d.org").await;
        let session = store.begin_session(person.id, HASH).await.unwrap().unwrap();
        let form = Token::new();
        assert!(store.take_form(&session, &form).await.unwrap());
        store.admit_visitor("192.0.2.7", RatePolicy { name: "x", quantity: 1, period: Duration::from_secs(9), burst: 1 }).await.unwrap();
        let hex = |column: &str| if world.folder().is_some() { format!("hex({column})") } else { format!("upper(encode({column}, 'hex'))") };
        let links = world.raw(format!("SELECT {} FROM password_link", hex("digest"))).await;
        let sessions = world.raw(format!("SELECT {} || {} FROM portal_session", hex("digest"), hex("form"))).await;
        assert_eq!((links.len(), links[0].len(), sessions.len(), sessions[0].len()), (1, 64, 1, 128));
        for secret in [&link, &session, &form] {
            let plain: String = secret.expose().bytes().map(|byte| format!("{byte:02X}")).collect();
            assert!(!links[0].contains(&plain) && !sessions[0].contains(&plain));
        }
    }

    async fn an_address_belongs_to_one_account(world) {
        let store = world.open().await;
        let (one, two) = (account(&store, "a").await, account(&store, "b").await);
        let person = member(&store, one, "a@b.org").await;
        assert!(matches!(store.invite(two, &email("A@B.org"), "es").await, Err(StoreError::EmailTaken)));
        assert!(matches!(store.invite(one, &email("x@b.org"), "fr").await, Err(StoreError::Setting { .. })));
        assert!(!store.dismiss(two, &email("a@b.org")).await.unwrap(), "another account's person");
        let session = store.begin_session(person.id, HASH).await.unwrap().unwrap();
        let (_, link) = store.reset_link(&email("a@b.org")).await.unwrap().unwrap();
        assert!(store.dismiss(one, &email("a@b.org")).await.unwrap());
        assert_eq!(store.session(&session).await.unwrap(), None);
        assert_eq!(store.link_owner(&link, LinkPurpose::Reset).await.unwrap(), None);
        store.invite(two, &email("a@b.org"), "es").await.unwrap();
        let unknown: AccountId = "0190f0a0-0000-7000-8000-000000000000".parse().unwrap();
        assert!(matches!(store.invite(unknown, &email("u@b.org"), "es").await, Err(StoreError::UnknownAccount)));
    }

    async fn a_session_ends_when_idle(world) {
        let store = world.open().await;
        let owner = account(&store, "a").await;
        let person = member(&store, owner, "a@b.org").await;
        let session = store.begin_session(person.id, HASH).await.unwrap().unwrap();
        assert_eq!(store.session(&session).await.unwrap(), Some(person));
        assert_eq!(store.session(&Token::new()).await.unwrap(), None);
        let later = world.open_later(11 * HOUR).await;
        assert!(later.session(&session).await.unwrap().is_some(), "a sign of life");
        let much_later = world.open_later(22 * HOUR).await;
        assert!(much_later.session(&session).await.unwrap().is_some());
        let idle = world.open_later(35 * HOUR).await;
        assert_eq!(idle.session(&session).await.unwrap(), None);
        store.end_session(&session).await.unwrap();
        assert_eq!(store.session(&session).await.unwrap(), None);
    }

    async fn another_password_ends_all_sessions(world) {
        let store = world.open().await;
        let owner = account(&store, "a").await;
        let (person, other) = (member(&store, owner, "a@b.org").await, member(&store, owner, "c@b.org").await);
        let session = store.begin_session(person.id, HASH).await.unwrap().unwrap();
        let kept = store.begin_session(other.id, HASH).await.unwrap().unwrap();
        let (_, link) = store.reset_link(&email("a@b.org")).await.unwrap().unwrap();
        store.set_password(&link, LinkPurpose::Reset, OTHER).await.unwrap().unwrap();
        assert_eq!(store.session(&session).await.unwrap(), None);
        assert!(store.session(&kept).await.unwrap().is_some());
        assert!(store.begin_session(person.id, HASH).await.unwrap().is_none(), "checked against the old password");
        assert!(store.begin_session(person.id, OTHER).await.unwrap().is_some());
    }

    async fn people_of_inactive_accounts_are_unknown(world) {
        let store = world.open().await;
        let owner = account(&store, "a").await;
        let person = member(&store, owner, "a@b.org").await;
        let session = store.begin_session(person.id, HASH).await.unwrap().unwrap();
        let (_, link) = store.reset_link(&email("a@b.org")).await.unwrap().unwrap();
        store.set_account_active(owner, false).await.unwrap();
        assert!(store.credentials(&email("a@b.org")).await.unwrap().is_none());
        assert_eq!(store.session(&session).await.unwrap(), None);
        assert_eq!(store.link_owner(&link, LinkPurpose::Reset).await.unwrap(), None);
        assert_eq!(store.set_password(&link, LinkPurpose::Reset, OTHER).await.unwrap(), None);
        assert!(store.reset_link(&email("a@b.org")).await.unwrap().is_none());
        assert!(matches!(store.invite(owner, &email("n@b.org"), "es").await, Err(StoreError::AccountInactive)));
        store.set_account_active(owner, true).await.unwrap();
        assert!(store.session(&session).await.unwrap().is_some());
    }

    async fn a_form_acts_once(world) {
        let store = world.open().await;
        let owner = account(&store, "a").await;
        let person = member(&store, owner, "a@b.org").await;
        let session = store.begin_session(person.id, HASH).await.unwrap().unwrap();
        let (one, two) = (Token::new(), Token::new());
        assert!(store.take_form(&session, &one).await.unwrap());
        assert!(!store.take_form(&session, &one).await.unwrap());
        assert!(store.take_form(&session, &two).await.unwrap());
        assert!(!store.take_form(&Token::new(), &two).await.unwrap(), "no session");
    }

    async fn visitors_are_counted_and_forgiven(world) {
        let stores = [world.open().await, world.open().await];
        let policy = RatePolicy { name: "log-in", quantity: 5, period: Duration::from_secs(900), burst: 5 };
        for index in 0..5 {
            assert!(stores[index % 2].admit_visitor("a@b.org", policy).await.unwrap().admitted);
        }
        assert!(!stores[0].admit_visitor("a@b.org", policy).await.unwrap().admitted);
        assert!(stores[0].admit_visitor("c@b.org", policy).await.unwrap().admitted, "another visitor");
        stores[1].forgive_visitor("a@b.org", policy).await.unwrap();
        assert!(stores[0].admit_visitor("a@b.org", policy).await.unwrap().admitted);
        assert!(!world.raw("SELECT name FROM rate_bucket").await.join(" ").contains('@'));
    }

    async fn the_use_of_a_key_is_noted(world) {
        let store = world.open().await;
        let owner = account(&store, "a").await;
        let key = store.issue_key(owner, "k").await.unwrap();
        assert_eq!(key.record.last_used_at, None);
        let ring = KeyRing::new(store.clone());
        assert!(ring.caller(key.value.expose()).await.unwrap().is_some());
        let used = async |store: &Arc<dyn Store>| store.keys(owner).await.unwrap()[0].last_used_at;
        let mut tries = 0;
        while used(&store).await.is_none() {
            tries += 1;
            assert!(tries < 400, "the use is noted");
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        let first = used(&store).await;
        store.key_used(key.record.id).await.unwrap();
        assert_eq!(used(&store).await, first, "once in some minutes");
        world.open_later(HOUR).await.key_used(key.record.id).await.unwrap();
        assert!(used(&store).await > first);
    }

    async fn a_sweep_forgets_dead_links_and_sessions(world) {
        let store = world.open().await;
        let owner = account(&store, "a").await;
        let person = member(&store, owner, "a@b.org").await;
        store.begin_session(person.id, HASH).await.unwrap().unwrap();
        store.invite(owner, &email("c@b.org"), "es").await.unwrap();
        store.sweep().await.unwrap();
        let count = "SELECT cast((SELECT count(*) FROM password_link) + (SELECT count(*) FROM portal_session) AS text)";
        assert_eq!(world.raw(count).await, ["2"]);
        world.open_later(73 * HOUR).await.sweep().await.unwrap();
        assert_eq!(world.raw(count).await, ["0"]);
        assert_eq!(store.people(owner).await.unwrap().len(), 2);
    }
}
