//! Limits of size and rate.
use crate::harness::client::{check, letter, parse};
use crate::harness::kept::Kept;
use crate::harness::{Response, World};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When answers that came just now say to come back.
fn wait_of(answers: &[Response]) -> Instant {
    let wait = answers.iter().filter_map(Response::retry_after).max().expect("a wait");
    Instant::now() + Duration::from_secs(wait)
}

/// Clients that people write without a library: program, argument, script. Each sends five bodies that are too large.
const ORDINARY: [(&str, &str, &str); 3] = [
    (
        "python3",
        "-c",
        r#"
import http.client, json, sys
for _ in range(5):
    connection = http.client.HTTPConnection(sys.argv[1], timeout=30)
    headers = {"Authorization": "Bearer " + sys.argv[2], "Content-Type": "application/json"}
    connection.request("POST", "/v1/reports", body=b"a" * (9 << 20), headers=headers)
    response = connection.getresponse()
    print(response.status, json.load(response)["code"], end=" ")
"#,
    ),
    (
        "python3",
        "-c",
        r#"
import json, sys, urllib.error, urllib.request
for _ in range(5):
    headers = {"Authorization": "Bearer " + sys.argv[2], "Content-Type": "application/json"}
    request = urllib.request.Request("http://" + sys.argv[1] + "/v1/reports", data=b"a" * (9 << 20), headers=headers)
    try:
        urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        print(error.code, json.load(error)["code"], end=" ")
"#,
    ),
    (
        "node",
        "-e",
        r#"
const [address, key] = process.argv.slice(-2);
const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
(async () => {
  for (let round = 0; round < 5; round++) {
    const answer = await fetch(`http://${address}/v1/reports`, { method: "POST", headers, body: "a".repeat(9 << 20) });
    process.stdout.write(`${answer.status} ${(await answer.json()).code} `);
  }
})();
"#,
    ),
];

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

    /// A body over the limit is refused without being kept; its length may be a lie or missing. A client that never stops sending is
    /// cut off, after its answer.
    [177]
    fn large_bodies_are_not_kept(world) {
        let server = world.database.serve_only(&[("GLOSA_LOG", "warn")]);
        let client = world.client().at(&server.address);
        client.post(&letter("Hola."));
        let before = server.resident();
        let head = client.request("POST", "/v1/reports", &[("Content-Type", "application/json"), ("Transfer-Encoding", "chunked")], b"");
        let head = String::from_utf8(head).expect("text").replace("Content-Length: 0\r\n", "");
        let mut socket = TcpStream::connect(&client.address).expect("a server");
        socket.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        let mut reader = socket.try_clone().expect("a second handle");
        let reading = std::thread::spawn(move || {
            let mut answer = Vec::new();
            let _reset = reader.read_to_end(&mut answer);
            answer
        });
        socket.write_all(head.as_bytes()).expect("sent");
        let piece = format!("100000\r\n{}\r\n", "a".repeat(1 << 20));
        let mut sent = 0;
        while sent < 256 && socket.write_all(piece.as_bytes()).is_ok() {
            sent += 1;
        }
        assert!(sent < 256, "the server read everything");
        let response = parse(&reading.join().expect("an answer"));
        check("POST", "/v1/reports", &response);
        response.is_problem(413, "request-too-large");
        assert!(server.resident() < before + 60_000, "memory grew from {before} to {} KiB", server.resident());
        let stated = client.request("POST", "/v1/reports", &[("Content-Type", "application/json")], b"");
        let stated = String::from_utf8(stated).expect("text").replace("Content-Length: 0", "Content-Length: 4194305");
        let response = crate::harness::client::exchange(&client.address, stated.as_bytes());
        check("POST", "/v1/reports", &response);
        response.is_problem(413, "request-too-large");
    }

    /// Clients that send a body to its end before they look for the answer find it: by hand, and with what Python and Node bring along
    /// where these are installed.
    [177, 197]
    fn refused_bodies_reach_ordinary_clients(world) {
        let client = world.client();
        let body = format!("{{\"text\": \"{}\"}}", "a".repeat(12 << 20));
        let request = client.request("POST", "/v1/reports", &[("Content-Type", "application/json")], body.as_bytes());
        let coded = String::from_utf8(client.request("POST", "/v1/reports", &[("Transfer-Encoding", "chunked")], b"")).expect("text");
        let mut chunked = coded.replace("Content-Length: 0\r\n", "").into_bytes();
        for piece in body.as_bytes().chunks(100_000) {
            chunked.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
            chunked.extend_from_slice(piece);
            chunked.extend_from_slice(b"\r\n");
        }
        chunked.extend_from_slice(b"0\r\n\r\n");
        for request in [request, chunked] {
            for _ in 0..3 {
                let mut socket = TcpStream::connect(&client.address).expect("a server");
                socket.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
                socket.write_all(&request).expect("the body is taken to its end");
                let mut answer = Vec::new();
                socket.read_to_end(&mut answer).expect("the connection ends in order");
                let response = parse(&answer);
                check("POST", "/v1/reports", &response);
                response.is_problem(413, "request-too-large");
            }
        }
        for (program, argument, script) in ORDINARY {
            let run = std::process::Command::new(program).args([argument, script, &client.address, &client.key]).output();
            match run {
                Ok(output) => assert_eq!(
                    String::from_utf8_lossy(&output.stdout).trim(),
                    "413 request-too-large ".repeat(5).trim(),
                    "{program}: {}",
                    String::from_utf8_lossy(&output.stderr)
                ),
                Err(error) => println!("{program} is not installed ({error}): not run"),
            }
        }
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
        let small = World::without_workers(world.kind(), &[("GLOSA_MAX_QUEUE", "3")]);
        for _ in 0..3 {
            small.client().create(&letter("Hola."));
        }
        small.client().post_with_key("full", &letter("Hola.")).is_problem(503, "queue-unavailable");
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

    /// Twelve clients with one key follow one report at two servers, each waiting as told and no longer; one that hurries, with the same
    /// key, costs none of them a refusal and is refused itself.
    [67, 68, 69, 70]
    fn clients_of_one_key_keep_their_own_time(world) {
        let settings = [("GLOSA_MIN_POLL_SECONDS", "1"), ("GLOSA_LOG", "warn")];
        let quiet = World::without_workers(world.kind(), &settings);
        let second = quiet.database.serve_only(&settings);
        let client = quiet.client();
        let created = client.post(&letter("Hola."));
        let place = created.header("location").expect("a place");
        for hurry in [false, true] {
            let over = AtomicBool::new(false);
            std::thread::scope(|scope| {
                let polite: Vec<_> = (0..if hurry { 6 } else { 12 })
                    .map(|number| {
                        let client = client.at(if number % 2 == 0 { &quiet.server.address } else { &second.address });
                        scope.spawn(move || {
                            std::thread::sleep(Duration::from_millis(130 * number));
                            let mut due = wait_of(&[client.get(place)]);
                            for round in 0..6 {
                                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                                let polled = client.get(place);
                                assert_eq!(polled.status, 200, "client {number}, round {round}: {}", polled.text());
                                due = wait_of(&[polled]);
                            }
                        })
                    })
                    .collect();
                let hasty = hurry.then(|| {
                    scope.spawn(|| {
                        let answers = std::iter::from_fn(|| {
                            std::thread::sleep(Duration::from_millis(10));
                            (!over.load(Ordering::Relaxed)).then(|| client.get(place).status)
                        });
                        answers.filter(|status| *status == 429).count()
                    })
                });
                let ended: Vec<_> = polite.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
                over.store(true, Ordering::Relaxed);
                assert!(ended.iter().all(Result::is_ok), "a polite client was refused");
                if let Some(hasty) = hasty {
                    assert!(hasty.join().expect("a count") > 0, "the hasty client was never refused");
                }
            });
        }
    }

    /// A client that polls early is refused, gains nothing by it and loses nothing: it is welcome when it waits as the refusal told.
    [67, 68, 69]
    fn hurry_gains_nothing(world) {
        let quiet = World::without_workers(world.kind(), &[("GLOSA_MIN_POLL_SECONDS", "1")]);
        let client = quiet.client();
        let created = client.post(&letter("Hola."));
        let place = created.header("location").expect("a place");
        let (begun, mut welcome, mut refused) = (Instant::now(), Vec::new(), 0);
        while begun.elapsed() < Duration::from_secs(10) {
            let asked = begun.elapsed();
            match client.get(place).status {
                200 => welcome.push(asked),
                _ => refused += 1,
            }
            assert_eq!(client.send("HEAD", place, &[], b"").status, 200, "HEAD has no times and uses none up");
            std::thread::sleep(Duration::from_millis(50));
        }
        for two in welcome.windows(2) {
            assert!(two[1] - two[0] >= Duration::from_millis(850), "{welcome:?}");
        }
        assert!(welcome.len() >= 4 && refused >= 4, "{welcome:?}, {refused} refused");
        for _ in 0..2 {
            std::thread::sleep(Duration::from_secs(3));
            assert_eq!(client.get(place).status, 200, "after a pause");
            let early = client.get(place);
            early.is_problem(429, "polling-too-fast");
            std::thread::sleep(Duration::from_secs(early.retry_after().expect("a wait")));
            let polled = client.get(place);
            assert_eq!(polled.status, 200, "{}", polled.text());
        }
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
