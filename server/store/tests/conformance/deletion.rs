//! Texts go, and what a caller wrote is nowhere it does not belong.
use crate::on_both;
use crate::world::*;
use glosa_store::*;
use std::path::Path;

const TEXT: &str = "TEXTMARKER-5f1c9d27-sólo-aquí";
const KEY: &str = "KEYMARKER-77aa0c1e";
const PAYLOAD: &str = "PAYLOADMARKER-0b2d44";

fn new(account: AccountId) -> NewReport {
    NewReport { text: TEXT.repeat(3000), ..keyed(account, KEY, PAYLOAD) }
}

fn holds(bytes: &[u8], marker: &str) -> bool {
    bytes.windows(marker.len()).any(|window| window == marker.as_bytes())
}

#[expect(clippy::disallowed_methods, reason = "looks into the files of the database")]
fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_default()
}

#[expect(clippy::disallowed_methods, reason = "looks into the files of the database")]
fn found_in(folder: &Path, marker: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            found_in(&entry.path(), marker, found);
        } else if holds(&read(&entry.path()), marker) {
            found.push(entry.path().display().to_string());
        }
    }
}

fn find(folder: &Path, marker: &str) -> Vec<String> {
    let mut found = Vec::new();
    found_in(folder, marker, &mut found);
    found
}

/// On SQLite the bytes are gone from every file after the next sweep, for each way a report can end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deleted_text_is_gone_from_the_files_of_sqlite() {
    let world = World::sqlite();
    let folder = world.folder().unwrap();
    let store = world.open().await;
    let account = account(&store, "a").await;
    created(store.submit(new(account)).await.unwrap());
    assert!(!find(&folder, TEXT).is_empty(), "the search finds what is there");
    let job = claim_one(&store).await;
    let _held = store.finish(job.lease, Outcome::Completed(b"{}".to_vec())).await.unwrap();
    store.sweep().await.unwrap();
    assert_eq!(find(&folder, TEXT), Vec::<String>::new());

    created(store.submit(NewReport { idempotency: None, ..new(account) }).await.unwrap());
    let late = world.open_later(25 * HOUR).await;
    assert_eq!(late.sweep().await.unwrap().failed, 1);
    assert_eq!(find(&folder, TEXT), Vec::<String>::new());
    for marker in [KEY, PAYLOAD] {
        assert_eq!(find(&folder, marker), Vec::<String>::new());
    }
}

/// On PostgreSQL dead rows stay in the heap until a vacuum and in the write-ahead log until it is recycled; the tables themselves
/// hold nothing once rewritten.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deleted_text_is_gone_from_the_tables_of_postgres() {
    let cluster = glosa_tests_cluster::Cluster::start();
    let location = Location::parse(&cluster.url()).unwrap();
    let store = open(Settings::new(location)).await.unwrap();
    let account = account(&store, "a").await;
    cluster.execute("ALTER TABLE report ALTER text SET STORAGE EXTERNAL");
    created(store.submit(new(account)).await.unwrap());
    cluster.execute("CHECKPOINT");
    assert!(!find(&cluster.data().join("base"), TEXT).is_empty(), "the search finds what is there");
    let unknown: AccountId = "0190f0a0-0000-7000-8000-000000000000".parse().unwrap();
    store.submit(NewReport { external_id: Some(PAYLOAD.into()), ..new(unknown) }).await.unwrap_err();
    let job = claim_one(&store).await;
    let _held = store.finish(job.lease, Outcome::Completed(b"{}".to_vec())).await.unwrap();
    store.close().await;
    let log = read(&cluster.log());
    assert!(holds(&log, "ERROR"), "the refusal is in the server's log");
    for marker in [TEXT, KEY, PAYLOAD] {
        let hexadecimal: String = marker.bytes().map(|byte| format!("{byte:02x}")).collect();
        assert!(!holds(&log, marker) && !holds(&log, &hexadecimal), "{marker} in the server's log");
    }
    cluster.execute("VACUUM FULL report");
    cluster.execute("CHECKPOINT");
    for marker in [TEXT, KEY, PAYLOAD] {
        assert_eq!(find(&cluster.data().join("base"), marker), Vec::<String>::new());
    }
}

on_both! {
    async fn what_is_shown_for_debugging_says_nothing(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let mut new = new(account);
        new.external_id = Some("EXTERNALMARKER".to_owned());
        let mut shown = format!("{new:?}");
        let submitted = store.submit(new.clone()).await.unwrap();
        shown += &format!("{submitted:?}");
        let job = claim_one(&store).await;
        shown += &format!("{job:?}");
        let outcome = Outcome::Completed(TEXT.into());
        shown += &format!("{outcome:?}");
        let _held = store.finish(job.lease, outcome).await.unwrap();
        shown += &format!("{:?}", store.observe(account, job.lease.report_id, unlimited()).await.unwrap());
        for marker in [TEXT, KEY, PAYLOAD, "EXTERNALMARKER"] {
            assert!(!shown.contains(marker), "{marker} in {shown}");
        }
    }

    async fn errors_do_not_quote_rows(world) {
        let store = world.open().await;
        let unknown: AccountId = "0190f0a0-0000-7000-8000-000000000000".parse().unwrap();
        let error = store.submit(new(unknown)).await.unwrap_err();
        let shown = format!("{error} {error:?}");
        assert!(matches!(error, StoreError::Refused { .. }), "{shown}");
        for marker in [TEXT, KEY, PAYLOAD, "0190f0a0"] {
            assert!(!shown.contains(marker), "{marker} in {shown}");
        }
        assert_eq!(world.raw("SELECT cast(count(*) AS text) FROM idempotency").await, ["0"]);
    }
}
