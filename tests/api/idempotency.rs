//! The `Idempotency-Key` header.
use crate::harness::client::letter;
use crate::harness::inside::Inside;
use crate::harness::kept::Kept;
use crate::harness::{Client, Kind, Response, World, until};
use serde_json::{Value, json};
use std::sync::Barrier;
use std::time::Duration;

fn same(first: &crate::harness::Response, again: &crate::harness::Response) {
    assert_eq!(again.status, 202, "{}", again.text());
    assert_eq!(first.json(), again.json());
    assert_eq!(first.header("location"), again.header("location"));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_ne!(first.header("x-request-id"), again.header("x-request-id"));
    assert!(again.retry_after().is_some());
}

const ROUNDS: usize = 100;

/// Rounds in which several senders at several processes send under one key at the same moment. An embedded database has one process
/// and the occasional one beside it.
fn storm(world: &World, name: &str, body: impl Fn(usize) -> Value + Sync) -> Vec<Vec<Response>> {
    let beside = if world.kind() == Kind::Postgres { 2 } else { 1 };
    let others: Vec<_> = (0..beside).map(|_| world.database.serve_only(&[])).collect();
    let addresses: Vec<&str> =
        std::iter::once(&world.server).chain(&others).flat_map(|server| [&*server.address; 4]).collect();
    let client = world.client();
    let start = Barrier::new(addresses.len());
    let answers: Vec<Vec<Response>> = std::thread::scope(|scope| {
        let senders: Vec<_> = (0..addresses.len())
            .map(|sender| {
                let (client, start, body) = (client.at(addresses[sender]), &start, body(sender).to_string());
                scope.spawn(move || {
                    let mut kept = Kept::new(&client);
                    let round = |round| {
                        let key = format!("{name}-{round}");
                        start.wait();
                        kept.post(body.as_bytes(), &[Some(key.as_str())]).remove(0)
                    };
                    (0..ROUNDS).map(round).collect()
                })
            })
            .collect();
        senders.into_iter().map(|sender| sender.join().expect("answers")).collect()
    });
    (0..ROUNDS).map(|round| answers.iter().map(|sender| sender[round].clone()).collect()).collect()
}

statements! {
    /// A key has 1 to 255 visible characters and comes once.
    [39, 40]
    fn keys_are_checked(world) {
        let client = world.client();
        assert_eq!(client.post(&letter("Hola.")).header("idempotent-replayed"), None);
        for key in ["k", "a key with spaces", "\"quoted\"", &"k".repeat(255)] {
            assert_eq!(client.post_with_key(key, &letter("Hola.")).status, 202, "{key}");
        }
        for key in ["", "ñ", &"k".repeat(256)] {
            client.post_with_key(key, &letter("Hola.")).is_problem(422, "invalid-idempotency-key");
        }
        let body = letter("Hola.").to_string();
        let twice = [("Content-Type", "application/json"), ("Idempotency-Key", "a"), ("Idempotency-Key", "a")];
        client.send("POST", "/v1/reports", &twice, body.as_bytes()).is_problem(422, "invalid-idempotency-key");
    }

    /// The same request gives the first answer again, whatever has become of the report.
    [41]
    fn a_replay_is_the_first_answer(world) {
        let client = world.client();
        let mut body = letter("Hola.");
        body["external_id"] = "mío".into();
        let first = client.post_with_key("again", &body);
        assert_eq!(first.header("idempotent-replayed"), None);
        same(&first, &client.post_with_key("again", &body));
        client.finished(first.json()["report_id"].as_str().expect("an id"));
        let late = client.post_with_key("again", &body);
        same(&first, &late);
        assert_eq!(late.json()["status"], "queued");
    }

    /// Another payload under the same key is refused, whichever field differs.
    [42]
    fn another_payload_is_refused(world) {
        let client = world.client();
        let body = json!({"text": "á", "domain_slug": "pruebas", "text_type_slug": "llano", "language": "es", "external_id": "x"});
        let first = client.post_with_key("k", &body);
        assert_eq!(first.status, 202);
        let changes = [
            ("text", json!("a\u{301}")),
            ("text", json!("á ")),
            ("domain_slug", Value::Null),
            ("text_type_slug", json!("fallo")),
            ("external_id", json!("y")),
            ("external_id", Value::Null),
        ];
        for (name, value) in changes {
            let mut other = body.clone();
            other[name] = value;
            client.post_with_key("k", &other).is_problem(409, "idempotency-key-reused");
        }
        same(&first, &client.post_with_key("k", &body));
    }

    /// Spelling, order and defaults do not make another payload.
    [43]
    fn the_payload_is_what_was_meant(world) {
        let client = world.client();
        let send = |body: &str| {
            let headers = [("Content-Type", "application/json"), ("Idempotency-Key", "meant")];
            client.send("POST", "/v1/reports", &headers, body.as_bytes())
        };
        let first = send(r#"{"text":"á","text_type_slug":"llano"}"#);
        assert_eq!(first.status, 202);
        for body in [
            r#"{ "text_type_slug" : "llano", "text" : "\u00e1" }"#,
            r#"{"text":"á","text_type_slug":"llano","language":"es"}"#,
            r#"{"text":"á","text_type_slug":"llano","domain_slug":null,"external_id":null}"#,
        ] {
            same(&first, &send(body));
        }
    }

    /// A key belongs to the account: other accounts have their own, other keys of the account share it.
    [44, 45, 167]
    fn keys_belong_to_the_account(world) {
        let account = world.database.account();
        let mine = Client::new(&world.server.address, &world.database.key_of(&account));
        let mine_too = Client::new(&world.server.address, &world.database.key_of(&account));
        let first = mine.post_with_key("shared", &letter("Hola."));
        let other = world.client().post_with_key("shared", &letter("Hola."));
        assert_eq!(other.status, 202);
        assert_eq!(other.header("idempotent-replayed"), None);
        assert_ne!(first.json()["report_id"], other.json()["report_id"]);
        same(&first, &mine_too.post_with_key("shared", &letter("Hola.")));
        let report = mine_too.finished(first.json()["report_id"].as_str().expect("an id"));
        assert_eq!(report["status"], "completed");
    }

    /// A refused request leaves its key free.
    [49]
    fn refusals_do_not_use_the_key(world) {
        let client = world.client();
        client.post_with_key("free", &json!({"text": ""})).is_problem(422, "validation-error");
        client.post_with_key("free", &json!({"text": "a", "text_type_slug": "none"})).is_problem(422, "unknown-genre");
        client.post_with_key("free", &letter(&"a ".repeat(20_001))).is_problem(413, "text-too-long");
        let mut nobody = client.clone();
        nobody.key = "glosa_live_wrong".to_owned();
        nobody.post_with_key("free", &letter("Hola.")).is_problem(401, "unauthorized");
        assert_eq!(client.post_with_key("free", &letter("Hola.")).status, 202);
    }

    /// A hundred times, equal requests at once at several processes make one report.
    [47]
    fn a_storm_makes_one_report(world) {
        for answers in storm(world, "storm", |_| letter("Hola.")) {
            let first = answers[0].json();
            assert!(answers.iter().all(|answer| answer.status == 202 && answer.json() == first));
            assert_eq!(answers.iter().filter(|answer| answer.header("idempotent-replayed").is_none()).count(), 1);
        }
    }

    /// A hundred times, different requests under one key at several processes: one is accepted, and so are those that equal it.
    [42, 47]
    fn a_storm_of_two_payloads_makes_one_report(world) {
        for answers in storm(world, "quarrel", |sender| letter(if sender % 2 == 0 { "Uno." } else { "Dos." })) {
            let new: Vec<usize> = (0..answers.len())
                .filter(|sender| answers[*sender].status == 202 && answers[*sender].header("idempotent-replayed").is_none())
                .collect();
            assert_eq!(new.len(), 1);
            for (sender, answer) in answers.iter().enumerate() {
                if sender % 2 == new[0] % 2 {
                    assert_eq!(answer.status, 202, "{}", answer.text());
                    assert_eq!(answer.json(), answers[new[0]].json());
                } else {
                    answer.is_problem(409, "idempotency-key-reused");
                }
            }
        }
    }

    /// A request whose like is being stored waits for it and gets its answer.
    [48]
    fn a_duplicate_in_flight_waits(world) {
        let quiet = World::without_workers(world.kind(), &[]);
        let client = quiet.client();
        let mut inside = Inside::of(&quiet.database);
        inside.hold_reports();
        let answers: Vec<Response> = std::thread::scope(|scope| {
            let senders: Vec<_> = (0..3)
                .map(|_| scope.spawn(|| client.post_with_key("flight", &letter("Hola."))))
                .collect();
            std::thread::sleep(Duration::from_millis(500));
            assert!(senders.iter().all(|sender| !sender.is_finished()), "nothing can be stored yet");
            inside.let_go();
            senders.into_iter().map(|sender| sender.join().expect("an answer")).collect()
        });
        assert!(answers.iter().all(|answer| answer.status == 202 && answer.json() == answers[0].json()));
        assert_eq!(answers.iter().filter(|answer| answer.header("idempotent-replayed").is_none()).count(), 1);
        assert_eq!(inside.number("SELECT count(*) FROM report"), 1);
    }

    /// When the first request does not end, its like is told to come again, and finds the one report when it does.
    [48, 80, 174]
    fn a_duplicate_in_flight_gives_up(world) {
        let quiet = World::without_workers(world.kind(), &[]);
        let client = quiet.client();
        let mut inside = Inside::of(&quiet.database);
        inside.hold_reports();
        if world.kind() == Kind::Sqlite {
            let refused = client.post_with_key("stuck", &letter("Hola."));
            refused.is_problem(503, "queue-unavailable");
            inside.let_go();
            assert_eq!(inside.number("SELECT count(*) FROM report"), 0);
            assert_eq!(client.post_with_key("stuck", &letter("Hola.")).header("idempotent-replayed"), None);
            return;
        }
        let second = quiet.database.serve_only(&[]);
        let backends = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND";
        let first = std::thread::scope(|scope| {
            let first = scope.spawn(|| client.post_with_key("stuck", &letter("Hola.")));
            let mut other = Inside::of(&quiet.database);
            until("the first request to wait", || {
                (other.number(&format!("{backends} wait_event_type = 'Lock' AND query LIKE 'WITH clock%INSERT INTO report%'")) == 1).then_some(())
            });
            quiet.server.signal("STOP");
            inside.let_go();
            until("its transaction to stand open", || {
                (other.number(&format!("{backends} state = 'idle in transaction'")) == 1).then_some(())
            });
            let refused = client.at(&second.address).post_with_key("stuck", &letter("Hola."));
            quiet.server.signal("CONT");
            refused.is_problem(503, "queue-unavailable");
            first.join().expect("an answer")
        });
        assert_eq!((first.status, first.header("idempotent-replayed")), (202, None), "{}", first.text());
        same(&first, &client.at(&second.address).post_with_key("stuck", &letter("Hola.")));
        assert_eq!(inside.number("SELECT count(*) FROM report"), 1);
    }

    /// After 24 hours, and not before, a key is forgotten.
    [46]
    fn keys_are_kept_for_a_day(world) {
        let client = world.client();
        let first = client.post_with_key("day", &letter("Hola."));
        client.finished(first.json()["report_id"].as_str().expect("an id"));
        let almost = world.database.serve_only(&[("GLOSA_CLOCK_OFFSET_SECONDS", "86380")]);
        same(&first, &client.at(&almost.address).post_with_key("day", &letter("Hola.")));
        let after = world.database.serve_only(&[("GLOSA_CLOCK_OFFSET_SECONDS", "86402")]);
        let fresh = client.at(&after.address).post_with_key("day", &letter("Hola."));
        assert_eq!(fresh.status, 202);
        assert_eq!(fresh.header("idempotent-replayed"), None);
        assert_ne!(fresh.json()["report_id"], first.json()["report_id"]);
    }
}
