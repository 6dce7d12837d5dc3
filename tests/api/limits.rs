//! Limits of size and rate.
use crate::harness::client::{check, letter, parse};
use crate::harness::kept::Kept;
use crate::harness::{Client, Response, World};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When answers that came just now say to come back.
fn wait_of(answers: &[Response]) -> Instant {
    let wait = answers.iter().filter_map(Response::retry_after).max().expect("a wait");
    Instant::now() + Duration::from_secs(wait)
}

statements! {
    /// A text may have so many words, as the report counts them, and not one more.
    [176]
    fn words_are_counted(world) {
        let client = world.client();
        let most = "a\u{a0}b c\u{2003}d\n".repeat(5_000);
        assert_eq!(client.post(&letter(&most)).status, 202);
        let problem = client.post(&letter(&format!("{most}e"))).is_problem(413, "text-too-long");
        assert_eq!(problem["errors"][0]["ctx"], serde_json::json!({"unit": "words", "limit": 20_000, "actual": 20_001}));
        assert_eq!(client.post(&letter(&"ñ".repeat(400_000))).status, 202);
        let problem = client.post(&letter(&"ñ".repeat(400_001))).is_problem(413, "text-too-long");
        assert_eq!(problem["errors"][0]["ctx"]["unit"], "characters");
    }

    /// The words of the limit are those of the measurement `word-count`: a dash is none.
    [176]
    fn the_limit_counts_the_words_of_the_report(world) {
        let text = "Una — dos, tres.\n".repeat(6_666);
        let result = world.client().result(&letter(&text));
        let measurements = result["measurements"].as_array().expect("measurements");
        let words = measurements.iter().find(|m| m["metric_id"] == "word-count").expect("word-count");
        assert_eq!(words["value"], 19_998);
    }

    /// The longest text that is accepted is analysed too.
    [176]
    fn the_longest_text_completes(world) {
        let text = "La administración resuelve la solicitud que usted presentó ayer.\n\n".repeat(2_222);
        let result = world.client().result(&letter(&text));
        assert_eq!(result["language"], "es");
    }

    /// A body over the limit is refused without being read; its length may be a lie or missing.
    [177]
    fn large_bodies_are_not_read(world) {
        let client = world.client();
        let before = world.server.resident();
        let head = client.request("POST", "/v1/reports", &[("Content-Type", "application/json"), ("Transfer-Encoding", "chunked")], b"");
        let head = String::from_utf8(head).expect("text").replace("Content-Length: 0\r\n", "");
        let mut socket = TcpStream::connect(&client.address).expect("a server");
        socket.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
        socket.write_all(head.as_bytes()).expect("sent");
        let piece = format!("100000\r\n{}\r\n", "a".repeat(1 << 20));
        let mut sent = 0;
        while sent < 64 && socket.write_all(piece.as_bytes()).is_ok() {
            sent += 1;
        }
        let mut answer = Vec::new();
        let _reset = socket.read_to_end(&mut answer);
        if !answer.is_empty() {
            let response = parse(&answer);
            check("POST", "/v1/reports", &response);
            response.is_problem(413, "request-too-large");
        }
        assert!(sent < 64, "the server read everything");
        assert!(world.server.resident() < before + 80_000, "memory grew from {before} to {} KiB", world.server.resident());
        let stated = client.request("POST", "/v1/reports", &[("Content-Type", "application/json")], b"");
        let stated = String::from_utf8(stated).expect("text").replace("Content-Length: 0", "Content-Length: 4194305");
        let response = crate::harness::client::exchange(&client.address, stated.as_bytes());
        check("POST", "/v1/reports", &response);
        response.is_problem(413, "request-too-large");
    }

    /// A rate that is used up says when to come back, and keeps its word.
    [173, 174, 181]
    fn the_creation_rate_holds(world) {
        let limited = world.database.serve_only(&[("GLOSA_RATE_CREATE", "30")]);
        let client = world.client().at(&limited.address);
        let mut admitted = 0;
        let refused = loop {
            let response = client.post(&letter("Hola."));
            assert_eq!(response.header("ratelimit-policy"), Some("\"create\";q=30;w=60"));
            let state = response.header("ratelimit").expect("a state");
            assert!(state.starts_with("\"create\";r="), "{state}");
            if response.status != 202 {
                break response;
            }
            assert!(admitted > 0 || state.starts_with("\"create\";r=9;"), "{state}");
            admitted += 1;
            assert!(admitted < 100, "no refusal");
        };
        assert!(admitted >= 10, "{admitted}");
        refused.is_problem(429, "rate-limited");
        std::thread::sleep(Duration::from_secs(refused.retry_after().expect("a wait")));
        assert_eq!(client.post(&letter("Hola.")).status, 202);
        assert_eq!(world.client().at(&limited.address).post(&letter("Hola.")).status, 202, "another account has its own");
    }

    /// Rates are one for all processes of a database.
    [182]
    fn rates_are_shared(world) {
        let settings = [("GLOSA_RATE_CREATE", "60")];
        let servers = [world.database.serve_only(&settings), world.database.serve_only(&settings)];
        let client = world.client();
        let begun = Instant::now();
        let admitted: usize = std::thread::scope(|scope| {
            let senders: Vec<_> = servers
                .iter()
                .flat_map(|server| [server, server])
                .map(|server| {
                    let client = client.at(&server.address);
                    scope.spawn(move || (0..20).filter(|_| client.post(&letter("Hola.")).status == 202).count())
                })
                .collect();
            senders.into_iter().map(|sender| sender.join().expect("a count")).sum()
        });
        let most = 20 + begun.elapsed().as_secs() as usize + 1;
        assert!((20..=most).contains(&admitted), "{admitted} of at most {most}");
    }

    /// The status rate and the rate of opening streams hold too; statuses of finished reports count.
    [67, 174, 181]
    fn the_status_rates_hold(world) {
        let limited = world.database.serve_only(&[("GLOSA_RATE_STATUS", "1"), ("GLOSA_RATE_STREAMS", "1")]);
        let client = world.client();
        let id = client.create(&letter("Hola."));
        client.finished(&id);
        let client = client.at(&limited.address);
        for (target, burst) in [(format!("/v1/reports/{id}"), 3), (format!("/v1/reports/{id}/events"), 4)] {
            let mut answers = (0..100).map(|_| client.get(&target));
            assert!(answers.by_ref().take(burst).all(|answer| answer.status == 200));
            let refused = answers.find(|answer| answer.status == 429).expect("a refusal");
            refused.is_problem(429, "rate-limited");
            std::thread::sleep(Duration::from_secs(refused.retry_after().expect("a wait")));
            assert_eq!(client.get(&target).status, 200);
        }
    }

    /// A full queue refuses; nothing is stored.
    [49, 80, 174]
    fn queues_have_an_end(world) {
        let quiet = World::without_workers(world.kind(), &[("GLOSA_MAX_ACCOUNT_QUEUE", "3")]);
        let client = quiet.client();
        for _ in 0..3 {
            client.create(&letter("Hola."));
        }
        client.post_with_key("full", &letter("Hola.")).is_problem(429, "rate-limited");
        assert_eq!(quiet.client().post(&letter("Hola.")).status, 202, "another account has its own");
    }

    /// Clients that wait as long as they are told are never refused: five thousand polls.
    [68]
    fn polite_polls_are_never_refused(world) {
        const BATCH: usize = 50;
        let quiet = World::without_workers(world.kind(), &[("GLOSA_MIN_POLL_SECONDS", "1"), ("GLOSA_LOG", "warn")]);
        let mut kept = Kept::new(&quiet.client());
        let letter = letter("Hola.").to_string();
        let mut batches: Vec<(Vec<String>, Instant)> = (0..10)
            .map(|_| {
                let created = kept.post(letter.as_bytes(), &[None; BATCH]);
                let place = |created: &Response| created.header("location").expect("a place").to_owned();
                (created.iter().map(place).collect(), wait_of(&created))
            })
            .collect();
        for _ in 0..10 {
            for (places, due) in &mut batches {
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                let targets: Vec<&str> = places.iter().map(String::as_str).collect();
                let polled = kept.get(&targets);
                assert!(polled.iter().all(|polled| polled.status == 200), "{:?}", polled.iter().find(|polled| polled.status != 200));
                *due = wait_of(&polled);
            }
        }
    }

    /// Clients that share a report do not share a time: each that waits as told is welcome, and one that hurries disturbs nobody.
    [67, 68, 69, 70]
    fn clients_of_one_report_keep_their_own_time(world) {
        let quiet = World::without_workers(world.kind(), &[("GLOSA_MIN_POLL_SECONDS", "1")]);
        let second = quiet.database.serve_only(&[("GLOSA_MIN_POLL_SECONDS", "1")]);
        let account = quiet.database.account();
        let [one, two, hasty] = [(); 3].map(|()| Client::new(&quiet.server.address, &quiet.database.key_of(&account)));
        let created = one.post(&letter("Hola."));
        let place = created.header("location").expect("a place");
        let polite = [one.clone(), one.at(&second.address), two.clone(), two.at(&second.address)].map(|client| {
            let due = wait_of(&[client.get(place)]);
            (client, due)
        });
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let polite = polite.map(|(client, mut due)| {
                scope.spawn(move || {
                    for _ in 0..5 {
                        std::thread::sleep(due.saturating_duration_since(Instant::now()));
                        let polled = client.get(place);
                        assert_eq!(polled.status, 200, "{}", polled.text());
                        due = wait_of(&[polled]);
                    }
                })
            });
            let hurry = scope.spawn(|| {
                let answers = std::iter::from_fn(|| (!over.load(Ordering::Relaxed)).then(|| hasty.get(place)));
                answers.filter(|answer| answer.status == 429).count()
            });
            for polite in polite {
                polite.join().expect("a polite client");
            }
            over.store(true, Ordering::Relaxed);
            assert!(hurry.join().expect("a count") > 0, "the hasty client was never refused");
        });
    }

    /// Settings that cannot hold stop the start with their name and a cure.
    [3, 50]
    fn settings_are_checked(world) {
        for (name, value, flag) in [
            ("GLOSA_BASE_URL", "https://example.org/api", "--base-url"),
            ("GLOSA_BASE_URL", "example.org", "--base-url"),
            ("GLOSA_RETENTION_DAYS", "0", "retention"),
            ("GLOSA_MIN_POLL_SECONDS", "60", "--min-poll-seconds"),
            ("GLOSA_LISTEN", "nowhere", "--listen"),
            ("GLOSA_ADMIN_LISTEN", "nowhere", "--admin-listen"),
            ("GLOSA_BODY_SECONDS", "0", "--body-seconds"),
            ("GLOSA_DATABASE_URL", "mysql://x", "database-url"),
        ] {
            let output = crate::harness::process::run(&["serve"], &world.database.settings(&[(name, value)]));
            assert_eq!(output.status.code(), Some(2), "{name}={value}");
            let words = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(words.contains(flag) && output.stdout.is_empty(), "{name}={value}: {words}");
        }
    }
}
