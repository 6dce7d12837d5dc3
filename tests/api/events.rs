//! Event streams.
use crate::harness::client::letter;
use crate::harness::kept::Kept;
use crate::harness::stream::Stream;
use crate::harness::{Client, World, until};
use std::time::{Duration, Instant};

fn open(client: &Client, report: &str) -> Stream {
    Stream::open(client, report, &[]).unwrap_or_else(|problem| panic!("{}", problem.text()))
}

/// How many files this process may open.
fn open_files() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").expect("limits");
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).expect("a limit");
    line.split_whitespace().next().and_then(|limit| limit.parse().ok()).unwrap_or(1 << 20)
}

statements! {
    /// The frames of a stream from the first state to its end.
    [55, 144, 145, 146, 147, 148, 149, 150, 155, 157]
    fn a_stream_tells_every_state(world) {
        let quiet = World::without_workers(world.kind(), &[]);
        let client = quiet.client();
        let id = client.create(&letter("Hola."));
        let asked = Instant::now();
        let mut stream = Stream::open(&client, &id, &[("Accept-Encoding", "gzip")]).expect("a stream");
        assert_eq!(stream.head.header("content-type"), Some("text/event-stream"));
        assert_eq!(stream.head.header("cache-control"), Some("no-store"));
        assert_eq!(stream.head.header("x-accel-buffering"), Some("no"));
        assert_eq!(stream.head.header("content-encoding"), None);
        let first = stream.event().expect("a snapshot");
        assert!(asked.elapsed() < Duration::from_secs(5));
        assert_eq!((&first["report_id"], &first["status"]), (&id.as_str().into(), &"queued".into()));
        let queued = client.get(&format!("/v1/reports/{id}")).json();
        assert_eq!(first["updated_at"], queued["updated_at"]);
        let _worker = quiet.database.work(&[]);
        let running = stream.event().expect("running");
        let completed = stream.event().expect("completed");
        assert_eq!(stream.event(), None, "the end");
        let report = client.get(&format!("/v1/reports/{id}")).json();
        assert_eq!((&running["status"], &running["updated_at"]), (&"running".into(), &report["started_at"]));
        assert_eq!((&completed["status"], &completed["updated_at"]), (&"completed".into(), &report["updated_at"]));
    }

    /// Many reports at once, watched at a process that does not analyse: each shows every state once and in order.
    [148, 149, 150]
    fn fast_reports_show_running(world) {
        let other = world.database.serve_only(&[]);
        let client = world.client().at(&other.address);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                let client = &client;
                scope.spawn(move || {
                    for _ in 0..6 {
                        let id = client.create(&letter("Hola."));
                        let states = open(client, &id).states();
                        let known = [vec!["queued", "running", "completed"], vec!["running", "completed"], vec!["completed"]];
                        assert!(known.iter().any(|known| *known == states), "{states:?}");
                    }
                });
            }
        });
    }

    /// A thousand streams of a hundred reports, all open before the work begins: each tells every state once and in order, and ends.
    [148, 149, 150]
    fn a_thousand_streams_tell_the_same(world) {
        let quiet = World::without_workers(world.kind(), &[("GLOSA_LOG", "warn")]);
        let client = quiet.client();
        let before = quiet.server.descriptors();
        let created = Kept::new(&client).post(letter("Hola.").to_string().as_bytes(), &[None; 100]);
        let ids: Vec<String> = created.iter().map(|created| created.json()["report_id"].as_str().expect("an id").to_owned()).collect();
        let each = (open_files().saturating_sub(300) / ids.len()).clamp(1, 10);
        let mut streams: Vec<Stream> = ids.iter().flat_map(|id| std::iter::repeat_n(id, each)).map(|id| open(&client, id)).collect();
        assert!(quiet.server.descriptors() >= before + streams.len());
        let _worker = quiet.database.work(&[("GLOSA_LOG", "warn")]);
        for stream in &mut streams {
            assert_eq!(stream.states(), ["queued", "running", "completed"]);
        }
        drop(streams);
        until("closed sockets", || (quiet.server.descriptors() <= before + 20).then_some(()));
    }

    /// A finished report has a stream of one event; connecting again gives the state first, whatever was seen before.
    [147, 150, 152]
    fn a_stream_can_be_opened_again(world) {
        let client = world.client();
        let id = client.create(&letter("Hola."));
        client.finished(&id);
        for headers in [&[][..], &[("Last-Event-ID", "7")][..], &[("Last-Event-ID", "ñ")][..]] {
            assert_eq!(Stream::open(&client, &id, headers).expect("a stream").states(), ["completed"]);
        }
        let failed = client.create(&serde_json::json!({"text": "romperadrede", "text_type_slug": "fallo"}));
        client.finished(&failed);
        assert_eq!(open(&client, &failed).states(), ["failed"]);
    }

    /// Silence is filled with comments.
    [151]
    fn heartbeats_are_comments(world) {
        let quiet = World::without_workers(world.kind(), &[("GLOSA_HEARTBEAT_SECONDS", "1")]);
        let client = quiet.client();
        let id = client.create(&letter("Hola."));
        let mut stream = open(&client, &id);
        assert!(stream.block().expect("a snapshot").starts_with("event: status\ndata: "));
        for _ in 0..4 {
            assert!(stream.block().expect("a heartbeat").starts_with(": heartbeat"));
        }
    }

    /// What keeps a stream from starting is a problem like any other.
    [8, 65, 153]
    fn a_stream_can_be_refused(world) {
        let client = world.client();
        let id = world.client().create(&letter("Hola."));
        for (client, report, status, code) in [
            (Client::new(&client.address, ""), id.as_str(), 401, "unauthorized"),
            (client.clone(), id.as_str(), 404, "report-not-found"),
            (client.clone(), "%00", 422, "validation-error"),
        ] {
            Stream::open(&client, report, &[]).expect_err("a problem").is_problem(status, code);
        }
    }

    /// An account has so many open streams; a closed one makes room.
    [154, 174]
    fn open_streams_are_counted(world) {
        let quiet = World::without_workers(world.kind(), &[("GLOSA_MAX_STREAMS", "3")]);
        let second = quiet.database.serve_only(&[("GLOSA_MAX_STREAMS", "3")]);
        let client = quiet.client();
        let id = client.create(&letter("Hola."));
        let mut streams: Vec<Stream> = (0..3).map(|_| open(&client, &id)).collect();
        for address in [&quiet.server.address, &second.address] {
            let refused = Stream::open(&client.at(address), &id, &[]).expect_err("a problem");
            refused.is_problem(429, "too-many-streams");
        }
        let other = quiet.client();
        let theirs = other.create(&letter("Hola."));
        drop(open(&other, &theirs));
        drop(streams.pop());
        until("room", || Stream::open(&client, &id, &[]).ok());
    }

    /// Clients that vanish leave nothing behind.
    [150]
    fn vanished_clients_leave_nothing(world) {
        let quiet = World::without_workers(world.kind(), &[("GLOSA_HEARTBEAT_SECONDS", "1")]);
        let client = quiet.client();
        let id = client.create(&letter("Hola."));
        drop((0..20).map(|_| open(&client, &id)).collect::<Vec<Stream>>());
        std::thread::sleep(Duration::from_secs(3));
        let before = quiet.server.descriptors();
        for _ in 0..5 {
            let streams: Vec<Stream> = (0..20).map(|_| open(&client, &id)).collect();
            assert!(quiet.server.descriptors() >= before + 10);
            drop(streams);
        }
        until("closed sockets", || (quiet.server.descriptors() <= before + 10).then_some(()));
    }

    /// The stream of a revoked key ends.
    [158, 162]
    fn a_revoked_key_ends_its_streams(world) {
        let quiet = World::without_workers(world.kind(), &[("GLOSA_HEARTBEAT_SECONDS", "1")]);
        let account = quiet.database.account();
        let client = Client::new(&quiet.server.address, &quiet.database.key_of(&account));
        let id = client.create(&letter("Hola."));
        let mut stream = open(&client, &id);
        let keys = quiet.database.command(&["keys", "list", "--account", &account]);
        let key = keys.split('\t').next().expect("an id");
        quiet.database.command(&["keys", "revoke", key, "--account", &account]);
        let begun = Instant::now();
        while stream.block().is_some() {
            assert!(begun.elapsed() < Duration::from_secs(40), "the stream outlives its key");
        }
    }

    /// A stopping server ends its streams.
    [150]
    fn a_stop_ends_streams(world) {
        let quiet = World::without_workers(world.kind(), &[]);
        let client = quiet.client();
        let id = client.create(&letter("Hola."));
        let mut stream = open(&client, &id);
        assert!(stream.event().is_some());
        assert_eq!(quiet.server.stop(), Some(0));
        assert_eq!(stream.event(), None);
    }
}
