//! Status, phases, polling, the queue, crashes.
use crate::harness::client::{exchange, letter};
use crate::harness::inside::Inside;
use crate::harness::kept::Kept;
use crate::harness::stream::Stream;
use crate::harness::{Client, Database, Kind, World, until};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::time::{Duration, Instant};

fn rank(status: &str) -> usize {
    ["queued", "running", "completed", "failed"]
        .iter()
        .position(|known| *known == status)
        .expect("a known state")
        .min(2)
}

fn assert_shape(report: &Value, retry_after: Option<u64>) {
    let status = report["status"].as_str().expect("a state");
    let null = |name: &str| report[name].is_null();
    let terminal = rank(status) == 2;
    assert!(!null("created_at") && !null("updated_at"));
    assert_eq!(null("started_at"), status == "queued", "{report}");
    assert_eq!(null("finished_at"), !terminal, "{report}");
    assert_eq!(null("result"), status != "completed", "{report}");
    assert_eq!(null("error"), status != "failed", "{report}");
    assert_eq!(report.get("status_url").is_some(), status == "queued", "{report}");
    assert_eq!(report.get("events_url").is_some(), status == "queued", "{report}");
    assert_eq!(retry_after.is_some(), !terminal, "{report}");
    assert!(null("position_in_queue") || status == "queued", "{report}");
    assert!(null("phase") || status == "running", "{report}");
    let moments = ["created_at", "started_at", "updated_at", "finished_at"];
    let moments: Vec<&str> = moments.iter().filter_map(|name| report[*name].as_str()).collect();
    assert!(
        moments.is_sorted() && moments.iter().all(|moment| moment.len() == 27 && moment.ends_with('Z')),
        "{moments:?}"
    );
    if terminal {
        assert_eq!(report["finished_at"], report["updated_at"]);
    }
}

fn look(client: &Client, id: &str) -> Value {
    let response = client.get(&format!("/v1/reports/{id}"));
    assert_eq!(response.status, 200, "{}", response.text());
    assert_eq!(response.header("cache-control"), Some("no-store"));
    let report = response.json();
    assert_shape(&report, response.retry_after());
    report
}

statements! {
    /// What a report shows in each of its states.
    [11, 53, 54, 55, 56, 57, 60, 61, 62, 63, 64, 71, 192]
    fn states_show_what_they_should(world) {
        let quiet = World::without_workers(world.kind(), &[]);
        let client = quiet.client();
        let ids: Vec<String> = (0..5).map(|_| client.create(&letter("Hola."))).collect();
        let positions: Vec<u64> =
            ids.iter().map(|id| look(&client, id)["position_in_queue"].as_u64().expect("a place")).collect();
        assert!(positions.is_sorted() && positions[0] == 1 && positions[4] <= 5, "{positions:?}");
        let before = look(&client, &ids[0]);
        for _ in 0..5 {
            assert_eq!(look(&client, &ids[0]), before);
        }
        let _worker = quiet.database.work(&[]);
        for id in &ids {
            until("the end", || (rank(look(&client, id)["status"].as_str()?) == 2).then_some(()));
        }
    }

    /// A creation does not wait for the analysis.
    [36]
    fn acceptance_does_not_wait(world) {
        let quiet = World::without_workers(world.kind(), &[]);
        let id = quiet.client().create(&letter("Hola."));
        assert!(id.starts_with("rep_"));
    }

    /// States only move forward, phases too.
    [58, 59, 75, 76]
    fn states_move_forward(world) {
        let client = world.client();
        let text = "La administración resuelve la solicitud que usted presentó. ".repeat(300);
        let mut phases = Vec::new();
        for _ in 0..5 {
            let id = client.create(&letter(&text));
            let mut last = (0, 0);
            loop {
                let report = look(&client, &id);
                let phase = match report["phase"].as_str() {
                    None => 0,
                    Some("analyzing") => 1,
                    Some("building") => 2,
                    Some(other) => panic!("{other}"),
                };
                let now = (rank(report["status"].as_str().expect("a state")), phase);
                assert!(now.0 > last.0 || now >= last, "{last:?} then {now:?}");
                phases.push(phase);
                last = now;
                if now.0 == 2 {
                    break;
                }
            }
        }
    }

    /// An analysis that fails is a report of its own: status 200, a safe message.
    [61, 62, 73, 74]
    fn a_failed_analysis_is_told_safely(world) {
        let client = world.client();
        let report = client.finished(&client.create(&json!({"text": "Esto es romperadrede, sin más.", "text_type_slug": "fallo"})));
        assert_eq!(report["status"], "failed");
        assert_eq!(report["error"]["code"], "analysis_failed");
        assert!(report["result"].is_null());
        let message = report["error"]["message"].as_str().expect("a message");
        for leak in ["romperadrede", "breaks-on-purpose", "rhai", "panic", "/", "SQL"] {
            assert!(!message.contains(leak), "{message}");
        }
        let log = world.server.log();
        assert!(log.contains("breaks-on-purpose"), "the log names the rule");
        assert!(!log.contains("romperadrede"), "the log has no text");
    }

    /// Unknown and foreign reports are the same to a caller; what cannot be an identifier is refused.
    [65, 66, 69]
    fn other_reports_do_not_exist(world) {
        let (mine, other) = (world.client(), world.client());
        let id = other.create(&letter("Hola."));
        let strip = |mut problem: Value| {
            problem["request_id"].take();
            problem["instance"].take();
            problem
        };
        let unknown = strip(mine.get("/v1/reports/rep_01m7y7ex2wez3vwngf7btwkqnt").is_problem(404, "report-not-found"));
        for wrong in [id.as_str(), "x", "rep_", "%20", "..%2f..%2fetc", "REP_01M7Y7EX2WEZ3VWNGF7BTWKQNT", &"a".repeat(255)] {
            for events in ["", "/events"] {
                let problem = mine.get(&format!("/v1/reports/{wrong}{events}")).is_problem(404, "report-not-found");
                assert_eq!(strip(problem), unknown, "{wrong}");
            }
        }
        for unusable in ["%00", "%0a", "%ff", &"a".repeat(256), &"a".repeat(10_000)] {
            for events in ["", "/events"] {
                mine.get(&format!("/v1/reports/{unusable}{events}")).is_problem(422, "validation-error");
            }
        }
    }

    /// A poll before the time is refused and does not move the time; one at the time is always welcome.
    [67, 68, 69, 70, 185]
    fn polling_has_a_pace(world) {
        let quiet = World::without_workers(world.kind(), &[("GLOSA_MIN_POLL_SECONDS", "1")]);
        let second = quiet.database.serve_only(&[("GLOSA_MIN_POLL_SECONDS", "1")]);
        let client = quiet.client();
        let created = client.post(&letter("Hola."));
        let path = format!("/v1/reports/{}", created.json()["report_id"].as_str().expect("an id"));
        let mut wait = created.retry_after().expect("a wait");
        let mut answered = Instant::now();
        let mut refused = 0;
        for round in 0..6 {
            assert!((1..=10).contains(&wait));
            let other = client.at(if round % 2 == 0 { &second.address } else { &quiet.server.address });
            let early = other.get(&path);
            if early.status == 429 {
                early.is_problem(429, "polling-too-fast");
                refused += 1;
                std::thread::sleep(Duration::from_secs(wait).saturating_sub(answered.elapsed()));
            }
            let polite = other.get(&path);
            assert!(polite.status == 200 || early.status == 200, "{}", polite.text());
            if polite.status == 200 {
                wait = polite.retry_after().expect("a wait");
            }
            answered = Instant::now();
        }
        assert!(refused > 0, "no early poll was refused");
        let _worker = quiet.database.work(&[]);
        client.finished(path.rsplit('/').next().expect("an id"));
        for _ in 0..3 {
            assert_eq!(client.get(&path).status, 200, "a finished report may be asked for at any time");
        }
    }

    /// What was accepted is there after a crash of the process that accepted it, and a retry with its key finds it.
    [38, 52, 79]
    fn accepted_reports_survive_a_crash(world) {
        let database = Database::new(world.kind());
        let key = database.key();
        let mut accepted = Vec::new();
        for round in 0..4 {
            let server = database.serve_only(&[]);
            let client = Client::new(&server.address, &key);
            for number in 0..5 {
                let name = format!("{round}-{number}");
                let response = client.post_with_key(&name, &letter("Hola."));
                accepted.push((name, response.json()["report_id"].as_str().expect("an id").to_owned()));
            }
            let body = letter("Hola.").to_string();
            let last = format!("{round}-last");
            let headers = [("Content-Type", "application/json"), ("Idempotency-Key", last.as_str())];
            let mut socket = std::net::TcpStream::connect(&server.address).expect("a server");
            socket.write_all(&client.request("POST", "/v1/reports", &headers, body.as_bytes())).expect("sent");
            let mut start = [0; 12];
            let seen = socket.read_exact(&mut start).is_ok();
            server.kill();
            if seen {
                accepted.push((last, String::new()));
            }
        }
        let server = database.serve(&[]);
        let client = Client::new(&server.address, &key);
        for (name, id) in accepted {
            let again = client.post_with_key(&name, &letter("Hola."));
            assert_eq!(again.header("idempotent-replayed"), Some("true"), "{name}");
            let report = again.json()["report_id"].as_str().expect("an id").to_owned();
            assert!(id.is_empty() || id == report);
            assert_eq!(client.finished(&report)["status"], "completed");
        }
    }

    /// Work of a killed worker is done by another; the report never looks queued again.
    [76, 78, 79]
    fn a_killed_worker_loses_nothing(world) {
        let quiet = World::without_workers(world.kind(), &[("GLOSA_LEASE_SECONDS", "2")]);
        let client = quiet.client();
        let text = "La administración resuelve la solicitud que usted presentó. ".repeat(100);
        let ids: Vec<String> = (0..40).map(|_| client.create(&letter(&text))).collect();
        let worker = quiet.database.work(&[("GLOSA_LEASE_SECONDS", "2")]);
        until("a started report", || {
            ids.iter().any(|id| look(&client, id)["status"] != "queued").then_some(())
        });
        worker.kill();
        let mut ranks = vec![0; ids.len()];
        let _another = quiet.database.work(&[("GLOSA_LEASE_SECONDS", "2")]);
        until("the end of all", || {
            for (id, rank_so_far) in ids.iter().zip(&mut ranks) {
                let now = rank(look(&client, id)["status"].as_str()?);
                assert!(now >= *rank_so_far, "a state moved back");
                *rank_so_far = now;
            }
            ranks.iter().all(|rank| *rank == 2).then_some(())
        });
        for id in &ids {
            assert_eq!(look(&client, id)["status"], "completed");
        }
    }

    /// A report that waits too long fails, and its stream shows that it ran before: there is no other way to an end.
    [77]
    fn a_report_that_fails_in_the_queue_shows_running(world) {
        let quiet = World::without_workers(world.kind(), &[]);
        let client = quiet.client();
        let id = client.create(&letter("Hola."));
        let mut stream = Stream::open(&client, &id, &[]).expect("a stream");
        assert_eq!(stream.event().expect("a snapshot")["status"], "queued");
        let _a_day_later = quiet.database.serve_only(&[("GLOSA_CLOCK_OFFSET_SECONDS", "90000")]);
        let running = stream.event().expect("running");
        let failed = stream.event().expect("failed");
        assert_eq!(stream.event(), None);
        let report = look(&client, &id);
        assert_eq!((&report["status"], &report["error"]["code"]), (&"failed".into(), &"analysis_failed".into()));
        assert_eq!((&running["status"], &running["updated_at"]), (&"running".into(), &report["started_at"]));
        assert_eq!((&failed["status"], &failed["updated_at"]), (&"failed".into(), &report["finished_at"]));
    }

    /// Workers are killed at random while they work: every report ends, once, and every stream shows each state once.
    [75, 76, 78, 79, 148]
    fn killed_workers_end_every_report_once(world) {
        const REPORTS: usize = 150;
        let settings = [("GLOSA_LEASE_SECONDS", "2"), ("GLOSA_ATTEMPTS", "50"), ("GLOSA_LOG", "warn")];
        let quiet = World::without_workers(world.kind(), &settings);
        let mut inside = Inside::of(&quiet.database);
        inside.ask(match world.kind() {
            Kind::Sqlite => "CREATE TABLE passage (report_id BLOB, state INTEGER);
                CREATE TRIGGER passage AFTER UPDATE OF state ON report WHEN OLD.state <> NEW.state
                BEGIN INSERT INTO passage VALUES (NEW.report_id, NEW.state); END",
            Kind::Postgres => "CREATE TABLE passage (report_id uuid, state bigint);
                CREATE FUNCTION passage() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN INSERT INTO passage VALUES (NEW.report_id, NEW.state); RETURN NULL; END $$;
                CREATE TRIGGER passage AFTER UPDATE OF state ON report FOR EACH ROW
                    WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION passage()",
        });
        let client = quiet.client();
        let text = letter(&"La administración resuelve la solicitud que usted presentó. ".repeat(60)).to_string();
        let created = Kept::new(&client).post(text.as_bytes(), &[None; REPORTS]);
        let ids: Vec<String> = created.iter().map(|created| created.json()["report_id"].as_str().expect("an id").to_owned()).collect();
        let mut streams: Vec<Stream> = ids.iter().map(|id| Stream::open(&client, id, &[]).expect("a stream")).collect();
        let mut chance = 0x9e37_79b9_7f4a_7c15_u64;
        let mut workers = vec![quiet.database.work(&settings)];
        for _ in 0..8 {
            workers.push(quiet.database.work(&settings));
            chance ^= chance << 13;
            chance ^= chance >> 7;
            chance ^= chance << 17;
            std::thread::sleep(Duration::from_millis(700 + chance % 800));
            workers.swap_remove((chance >> 32) as usize % workers.len()).kill();
        }
        workers.push(quiet.database.work(&settings));
        for (id, stream) in ids.iter().zip(&mut streams) {
            assert_eq!(stream.states(), ["queued", "running", "completed"], "{id}");
            assert_eq!(look(&client, id)["status"], "completed");
        }
        let reports = REPORTS as u64;
        for state in [1, 2] {
            assert_eq!(inside.number(&format!("SELECT count(*) FROM passage WHERE state = {state}")), reports);
            let each = format!("SELECT count(DISTINCT report_id) FROM passage WHERE state = {state}");
            assert_eq!(inside.number(&each), reports);
        }
        assert_eq!(inside.number("SELECT count(*) FROM passage"), 2 * reports);
    }

    /// A finished report stays as it is, and its address works until it expires; then it is as if it had never been.
    [65, 72, 78, 191]
    fn reports_stay_until_they_expire(world) {
        let client = world.client();
        let id = client.create(&letter("Hola."));
        let first = client.finished(&id);
        assert_eq!(client.finished(&id), first);
        let late = world.database.serve_only(&[("GLOSA_CLOCK_OFFSET_SECONDS", &(30 * 86_400 - 60).to_string())]);
        assert_eq!(client.at(&late.address).get(&format!("/v1/reports/{id}")).json(), first);
        let after = world.database.serve_only(&[("GLOSA_CLOCK_OFFSET_SECONDS", &(30 * 86_400 + 60).to_string())]);
        client.at(&after.address).get(&format!("/v1/reports/{id}")).is_problem(404, "report-not-found");
    }

    /// A process asked to stop ends its work and its connections and exits with 0.
    [75]
    fn a_stop_is_clean(world) {
        let own = World::new(world.kind(), &[]);
        let client = own.client();
        let ids: Vec<String> = (0..10).map(|_| client.create(&letter("Hola."))).collect();
        assert_eq!(own.server.stop(), Some(0));
        let server = own.database.serve(&[]);
        let client = client.at(&server.address);
        for id in ids {
            assert_eq!(client.finished(&id)["status"], "completed");
        }
    }
}

#[test]
fn a_healthy_process_says_so() {
    let world = World::of(Kind::Sqlite);
    for path in ["/health", "/health/ready"] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assert_eq!(exchange(&world.server.address, request.as_bytes()).status, 200);
    }
}
