//! Hot reload seen from outside: a running server gets new editions of its rules under load, about half of them broken.
#![allow(clippy::disallowed_methods, reason = "starts processes and writes the files that they read")]
#![allow(dead_code, unused_imports, reason = "the tests of the interface use the rest of the harness")]

#[path = "../api/harness/mod.rs"]
mod harness;
mod tree;

use harness::process::{run, settings};
use harness::{Client, Database, Kind, Process, until};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use tree::{BREAKAGES, Tree};

const SWAPS: u32 = 100;
const CLIENTS: usize = 3;
const TEXT: &str =
    "Vamos a gestionar la palabra. La frase siguiente dice cosa y palabra otra vez.\n\nEl final repite cosa.";

/// The pairs of settings that make a server read a tree.
fn roots(tree: &Tree) -> [(&'static str, String); 3] {
    [("GLOSA_ROOT", tree.first()), ("GLOSA_EXTRA_ROOTS", tree.second()), ("GLOSA_LOG", "info".to_owned())]
}

fn serve(database: &Database, tree: &Tree, more: &[(&str, &str)]) -> Process {
    let roots = roots(tree);
    let all: Vec<_> = roots.iter().map(|(name, value)| (*name, value.as_str())).chain(more.iter().copied()).collect();
    database.serve(&all)
}

/// The editions that a text names: each stands after `edición`, or in the middle of a version.
fn editions(shown: &Value, found: &mut BTreeSet<u32>) {
    match shown {
        Value::String(text) => {
            for (at, word) in text.match_indices("edición ") {
                let digits: String = text[at + word.len()..].chars().take_while(char::is_ascii_digit).collect();
                found.extend(digits.parse::<u32>());
            }
        }
        Value::Array(items) => items.iter().for_each(|item| editions(item, found)),
        Value::Object(fields) => {
            for (key, value) in fields {
                if key == "implementation_version" {
                    let edition = value.as_str().and_then(|version| version.split('.').nth(1)).expect("a version");
                    found.insert(edition.parse().expect("a number"));
                }
                editions(value, found);
            }
        }
        _ => {}
    }
}

/// The only edition of a report; the report must show every part that editions change.
fn edition(report: &Value) -> u32 {
    assert_eq!(report["status"], "completed", "{report}");
    let result = &report["result"];
    let metrics: Vec<_> = result["recommendations"].as_array().expect("recommendations").iter().collect();
    let ids: Vec<_> = metrics.iter().map(|m| m["metric_id"].as_str().expect("an id")).collect();
    assert_eq!(ids, ["by-table", "by-script", "by-glossary"], "{report}");
    let mut found = BTreeSet::new();
    editions(result, &mut found);
    found.insert(result["measurements"][0]["value"].as_u64().expect("a count") as u32);
    assert_eq!(found.len(), 1, "a report of several snapshots: {report}");
    *found.first().expect("an edition")
}

fn request() -> Value {
    json!({ "text": TEXT, "language": "es", "domain_slug": "prueba", "text_type_slug": "nota" })
}

/// How many attempts to reload have ended.
fn attempts(server: &Process) -> usize {
    server.log().matches("reloaded").count()
}

/// Asks for a reload and waits for its end.
fn reload(server: &Process) {
    let before = attempts(server);
    server.signal("HUP");
    until("the end of a reload", || (attempts(server) > before).then_some(()));
}

/// Posts until told to stop. Every report is of an edition that was in use between its creation and its end.
fn load(client: &Client, newest: &AtomicU32, written: &AtomicU32, done: &AtomicBool) -> u32 {
    let mut reports = 0;
    while !done.load(Ordering::SeqCst) {
        let oldest = newest.load(Ordering::SeqCst);
        let report = client.finished(&client.create(&request()));
        let latest = written.load(Ordering::SeqCst);
        let edition = edition(&report);
        assert!(Tree::is_sound(edition), "edition {edition} is broken and was used");
        assert!((oldest..=latest).contains(&edition), "{edition} is not between {oldest} and {latest}");
        reports += 1;
    }
    reports
}

#[test]
fn a_hundred_swaps_under_load_half_of_them_broken() {
    let tree = Tree::new();
    let database = Database::new(Kind::Sqlite);
    let server = serve(&database, &tree, &[]);
    let client = Client::new(&server.address, &database.key());
    let (newest, written, done) = (AtomicU32::new(0), AtomicU32::new(0), AtomicBool::new(false));
    let mut used = 0;
    let reports: u32 = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(|| load(&client, &newest, &written, &done))).collect();
        let _stopped_however_this_ends = Stop(&done);
        for edition in 1..=SWAPS {
            let broken = tree.write(edition);
            if broken.is_none() {
                written.store(edition, Ordering::SeqCst);
            }
            let read = server.log().len();
            reload(&server);
            let said = server.log()[read..].to_owned();
            match broken {
                None => {
                    assert!(!said.contains("not reloaded"), "edition {edition}: {said}");
                    newest.store(edition, Ordering::SeqCst);
                    used += 1;
                }
                Some(reason) => {
                    assert!(said.contains("not reloaded; the rules in use stay"), "edition {edition}: {said}");
                    assert!(said.contains(reason), "edition {edition} must name {reason:?}: {said}");
                }
            }
        }
        done.store(true, Ordering::SeqCst);
        clients.into_iter().map(|client| client.join().expect("every report holds")).sum()
    });
    assert!((40..=60).contains(&used), "{used} of {SWAPS} editions were sound");
    assert!(reports > SWAPS / 2, "the load was {reports} reports");
    assert_eq!(edition(&client.finished(&client.create(&request()))), newest.load(Ordering::SeqCst));
}

/// Lets the clients end, also when the test fails.
struct Stop<'d>(&'d AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn files_that_change_are_seen() {
    let tree = Tree::new();
    let database = Database::new(Kind::Sqlite);
    let server = serve(&database, &tree, &[("GLOSA_WATCH", "true")]);
    let client = Client::new(&server.address, &database.key());
    let now = || edition(&client.finished(&client.create(&request())));
    assert_eq!(now(), 0);
    tree.write_sound(1);
    until("the first edition", || (now_any(&client) == Some(1)).then_some(()));
    tree.break_with(0);
    let reason = BREAKAGES[0].reason;
    until("the reason of a refusal", || server.log().contains(reason).then_some(()));
    assert_eq!(now(), 1);
    tree.write_sound(2);
    until("the second edition", || (now_any(&client) == Some(2)).then_some(()));
}

/// The edition of a report, if it is of one; while files are being written a loaded tree may hold two.
fn now_any(client: &Client) -> Option<u32> {
    let report = client.finished(&client.create(&request()));
    let mut found = BTreeSet::new();
    editions(&report["result"], &mut found);
    (found.len() == 1).then(|| *found.first().expect("one"))
}

#[test]
fn a_plugin_is_replaced_while_reports_run() {
    let tree = Tree::new();
    tree.write_native();
    tree.build_plugin("libgaps.so", "1.0.0");
    let database = Database::new(Kind::Sqlite);
    let server = serve(&database, &tree, &[("GLOSA_WATCH", "true")]);
    let client = Client::new(&server.address, &database.key());
    let version = || -> String {
        let report = client.finished(&client.create(&request()));
        let counted = report["result"]["measurements"].as_array().expect("measurements").iter();
        let native: Vec<_> = counted.filter(|m| m["metric_id"] == "long-word-count").collect();
        native[0]["implementation_version"].as_str().expect("a version").to_owned()
    };
    assert_eq!(version(), "1.0.0");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reports = scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                version();
            }
        });
        let _stopped_however_this_ends = Stop(&done);
        for edition in 1..=4 {
            let wanted = format!("1.{edition}.0");
            tree.build_plugin("libgaps.so", &wanted);
            until("the version that lies there now", || (version() == wanted).then_some(()));
            let read = server.log().len();
            tree.spoil_plugin("libgaps.so");
            until("the reason of a refusal", || {
                server.log()[read..].contains("not reloaded; the rules in use stay").then_some(())
            });
            assert!(server.log()[read..].contains("libgaps.so:"), "{}", &server.log()[read..]);
            assert_eq!(version(), wanted);
        }
        done.store(true, Ordering::SeqCst);
        reports.join().expect("every report holds");
    });
}

#[test]
fn a_root_that_vanishes_changes_nothing() {
    let tree = Tree::new();
    let database = Database::new(Kind::Sqlite);
    let server = serve(&database, &tree, &[]);
    let client = Client::new(&server.address, &database.key());
    assert_eq!(edition(&client.finished(&client.create(&request()))), 0);
    tree.hide_second();
    reload(&server);
    let said = server.log();
    assert!(said.contains("this root is not there") && said.contains("not reloaded"), "{said}");
    assert_eq!(edition(&client.finished(&client.create(&request()))), 0);
}

#[test]
fn the_check_shows_why_the_old_rules_stay() {
    let tree = Tree::new();
    for (number, breakage) in BREAKAGES.iter().enumerate().step_by(3) {
        tree.write_sound(0);
        tree.break_with(number);
        let roots = roots(&tree);
        let pairs: Vec<_> = roots.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let checked = run(&["rules", "check"], &settings(&pairs));
        let said = [checked.stdout, checked.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(!checked.status.success(), "{said}");
        assert!(said.contains(breakage.reason), "{said}");
    }
}
