//! The `Idempotency-Key` header.
use crate::harness::client::letter;
use crate::harness::{Client, World};
use serde_json::{Value, json};

fn same(first: &crate::harness::Response, again: &crate::harness::Response) {
    assert_eq!(again.status, 202, "{}", again.text());
    assert_eq!(first.json(), again.json());
    assert_eq!(first.header("location"), again.header("location"));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_ne!(first.header("x-request-id"), again.header("x-request-id"));
    assert!(again.retry_after().is_some());
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

    /// Many equal requests at once, at two processes, make one report.
    [47]
    fn a_storm_makes_one_report(world) {
        let second = world.database.serve_only(&[]);
        let client = world.client();
        for round in 0..5 {
            let key = format!("storm-{round}");
            let bodies: Vec<Value> = std::thread::scope(|scope| {
                let senders: Vec<_> = (0..24)
                    .map(|number| {
                        let address = if number % 2 == 0 { &world.server.address } else { &second.address };
                        let (client, key) = (client.at(address), &key);
                        scope.spawn(move || {
                            let response = client.post_with_key(key, &letter("Hola."));
                            assert_eq!(response.status, 202, "{}", response.text());
                            response.json()
                        })
                    })
                    .collect();
                senders.into_iter().map(|sender| sender.join().expect("an answer")).collect()
            });
            assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
        }
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
