//! A process that is killed in the middle of its work, again and again: what it was told to be accepted is there, once, and the
//! request it may or may not have finished can be sent again.
use crate::on_both;
use crate::world::*;
use glosa_store::*;
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

const CHILD: &str = "GLOSA_STORE_TEST_DATABASE";
const ROUND: &str = "GLOSA_STORE_TEST_ROUND";

/// What the killed process does; nothing in an ordinary run of the suite.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::disallowed_methods, reason = "the parent speaks through the environment")]
async fn child() {
    let (Ok(address), Ok(round)) = (std::env::var(CHILD), std::env::var(ROUND)) else { return };
    let store = open(Settings::new(Location::parse(&address).unwrap())).await.unwrap();
    let account = account(&store, "a").await;
    for number in 0.. {
        let key = format!("{round}.{number}");
        let accepted = created(store.submit(keyed(account, &key, "p")).await.unwrap());
        println!("accepted {key} {}", accepted.report_id);
        for job in store.claim("child", 1).await.unwrap() {
            if number % 3 != 0 {
                let _held = store.finish(job.lease, Outcome::Completed(b"{}".to_vec())).await.unwrap();
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "kills a process of its own")]
fn accepted_before_death(address: &str, round: u32) -> Vec<(String, ReportId)> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed::child", "--nocapture"])
        .env(CHILD, address)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let output = child.stdout.take().unwrap();
    let (told, tell) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let words: Vec<_> = line.split(' ').collect();
            if let ["accepted", key, id] = words[..] {
                told.send((key.to_owned(), id.parse().unwrap())).unwrap();
            }
        }
    });
    let mut accepted: Vec<(String, ReportId)> = Vec::new();
    while accepted.len() < 10 + round as usize * 3 {
        accepted.push(tell.recv_timeout(Duration::from_secs(60)).expect("the child accepts reports"));
    }
    std::thread::sleep(Duration::from_millis(u64::from(round) * 7 % 23));
    child.kill().unwrap();
    child.wait().unwrap();
    reader.join().unwrap();
    accepted.extend(tell.try_iter());
    accepted
}

on_both! {
    async fn what_was_accepted_is_there(world) {
        let address = match &world.location {
            Location::Sqlite(path) => format!("sqlite:{}", path.display()),
            Location::Postgres(url) => url.clone(),
        };
        let mut all: HashMap<String, ReportId> = HashMap::new();
        for round in 0..6 {
            let accepted = accepted_before_death(&address, round);
            let next = format!("{round}.{}", accepted.len());
            all.extend(accepted);
            let store = world.open().await;
            let account = account(&store, "a").await;
            let sent_again = match store.submit(keyed(account, &next, "p")).await.unwrap() {
                Submitted::Created(accepted) | Submitted::Replayed(accepted) => accepted.report_id,
                other => panic!("{other:?}"),
            };
            all.insert(next, sent_again);
            for (key, report) in &all {
                assert_eq!(replayed(store.submit(keyed(account, key, "p")).await.unwrap()).report_id, *report);
                look(&store, account, *report).await;
            }
            let stored = world.raw("SELECT cast(count(*) AS text) FROM report").await;
            assert_eq!(stored, [all.len().to_string()]);
            if world.folder().is_some() {
                assert_eq!(world.raw("PRAGMA integrity_check").await, ["ok"]);
            }
            store.close().await;
        }
        let late = world.open_later(HOUR).await;
        while let Some(job) = late.claim("rescuer", 1).await.unwrap().pop() {
            assert_eq!(late.finish(job.lease, Outcome::Completed(b"{}".to_vec())).await.unwrap(), Held::Held);
        }
        late.sweep().await.unwrap();
        let open = world.raw("SELECT cast(count(*) AS text) FROM report WHERE state < 2").await;
        assert_eq!(open, ["0"]);
    }
}
