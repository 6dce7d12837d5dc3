//! Keys and accounts.
use crate::harness::client::{check, exchange, letter};
use crate::harness::kept::Kept;
use crate::harness::{Client, Database, World, until};
use serde_json::Value;
use std::time::{Duration, Instant};

const TARGETS: [(&str, &str); 8] = [
    ("POST", "/v1/reports"),
    ("GET", "/v1/reports/rep_01m7y7ex2wez3vwngf7btwkqnt"),
    ("GET", "/v1/reports/rep_01m7y7ex2wez3vwngf7btwkqnt/events"),
    ("GET", "/v1/metrics"),
    ("GET", "/v1/metrics/none"),
    ("GET", "/v1/text-types"),
    ("GET", "/v1/text-types/none/none"),
    ("GET", "/v1/text-types/none/none/glossaries?language=xx"),
];

fn anonymous(mut problem: Value) -> Value {
    problem["request_id"].take();
    problem["instance"].take();
    problem
}

statements! {
    /// Every endpoint needs one key, and nothing is looked at before it.
    [159, 160, 161, 178]
    fn every_endpoint_needs_a_key(world) {
        let client = Client::new(&world.server.address, "");
        let good = world.database.key();
        let long = format!("Bearer {}", "k".repeat(10_000));
        let twice = format!("Bearer {good}");
        let headers: [&[(&str, &str)]; 9] = [
            &[],
            &[("Authorization", "")],
            &[("Authorization", "Bearer")],
            &[("Authorization", "Bearer ")],
            &[("Authorization", "Basic Zm9vOmJhcg==")],
            &[("Authorization", "Bearer glosa_live_0000000000000000000000000000000000000000000000000")],
            &[("Authorization", &good)],
            &[("Authorization", &long)],
            &[("Authorization", &twice), ("Authorization", &twice)],
        ];
        let mut first = None;
        for (method, target) in TARGETS {
            for headers in headers {
                let response = client.send(method, target, headers, if method == "POST" { b"{" } else { b"" });
                let problem = anonymous(response.is_problem(401, "unauthorized"));
                assert_eq!(response.header("www-authenticate"), Some("Bearer"));
                assert_eq!(*first.get_or_insert(problem.clone()), problem);
            }
        }
        let huge = client.request("POST", "/v1/reports", &[("Content-Length", "999999999999")], b"");
        let huge = String::from_utf8(huge).expect("text").replacen("Content-Length: 0\r\n", "", 1);
        let response = exchange(&client.address, huge.as_bytes());
        check("POST", "/v1/reports", &response);
        response.is_problem(401, "unauthorized");
        let accepted = client.send("GET", "/v1/text-types", &[("Authorization", &format!("bearer {good}"))], b"");
        assert_eq!(accepted.status, 200);
    }

    /// Revoked keys and inactive accounts are refused within seconds, in every process, with the same words.
    [160, 162]
    fn revocation_is_seen_everywhere(world) {
        let second = world.database.serve_only(&[]);
        let account = world.database.account();
        let client = Client::new(&world.server.address, &world.database.key_of(&account));
        let clients = [client.clone(), client.at(&second.address)];
        let refused = |what: &str| {
            let begun = Instant::now();
            for client in &clients {
                let problem = until(what, || {
                    let response = client.get("/v1/text-types");
                    (response.status == 401).then(|| anonymous(response.json()))
                });
                let unknown = Client::new(&client.address, "glosa_live_x").get("/v1/text-types").json();
                assert_eq!(problem, anonymous(unknown));
            }
            assert!(begun.elapsed() < Duration::from_secs(8), "{what} took {:?}", begun.elapsed());
        };
        for client in &clients {
            assert_eq!(client.get("/v1/text-types").status, 200);
        }
        world.database.command(&["accounts", "deactivate", &account]);
        refused("the inactive account");
        world.database.command(&["accounts", "activate", &account]);
        for client in &clients {
            assert_eq!(client.get("/v1/text-types").status, 200);
        }
        let keys = world.database.command(&["keys", "list", "--account", &account]);
        world.database.command(&["keys", "revoke", keys.split('\t').next().expect("an id"), "--account", &account]);
        refused("the revoked key");
    }

    /// A key is shown once: alone on standard output, and never in a list.
    [163]
    fn a_key_is_shown_once(world) {
        let account = world.database.account();
        let shown = world.database.command(&["keys", "create", "--account", &account]);
        let key = shown.trim_end();
        assert!(key.starts_with("glosa_live_") && !key.contains(char::is_whitespace));
        let keys = world.database.command(&["keys", "list", "--account", &account]);
        assert!(!keys.contains(key) && keys.contains(&key[..13]));
    }

    /// The first start of the embedded database makes a key and shows it; later starts do not. A server of a cluster makes none.
    [163]
    fn the_first_start_shows_a_key(world) {
        let database = Database::new(world.kind());
        let server = database.serve_only(&[]);
        let shown = server.greeting.lines().find_map(|line| Some(line.trim()).filter(|line| line.starts_with("glosa_live_")));
        if database.kind == crate::harness::Kind::Postgres {
            assert_eq!(shown, None);
            return;
        }
        let client = Client::new(&server.address, shown.expect("a key"));
        assert_eq!(client.post(&letter("Hola.")).status, 202);
        assert_eq!(server.stop(), Some(0));
        let again = database.serve_only(&[]);
        assert!(!again.greeting.contains("glosa_live_"), "{}", again.greeting);
        assert_eq!(client.at(&again.address).get("/v1/text-types").status, 200);
    }

    /// One account never reaches what is another's, by any route.
    [65, 164]
    fn accounts_are_apart(world) {
        let (mine, other) = (world.client(), world.client());
        let id = mine.create(&letter("Hola."));
        mine.finished(&id);
        for target in [format!("/v1/reports/{id}"), format!("/v1/reports/{id}/events")] {
            other.get(&target).is_problem(404, "report-not-found");
            for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
                other.send(method, &target, &[], b"").is_problem(405, "method-not-allowed");
            }
        }
        let name = world.database.account();
        world.database.key_of(&name);
        let theirs = world.database.command(&["keys", "list", "--account", &name]);
        let stranger = world.database.account();
        world.database.key_of(&stranger);
        let refused = crate::harness::process::run(
            &["keys", "revoke", theirs.split('\t').next().expect("an id"), "--account", &stranger],
            &world.database.settings(&[]),
        );
        assert_eq!(refused.status.code(), Some(1));
    }

    /// How long a refusal takes does not tell an unknown key from a revoked one or one of an inactive account (Mann and Whitney's test
    /// over 600 refusals of each). Times are judged on demand: `GLOSA_TIMING_TESTS=1`.
    [160]
    fn refusals_take_the_same_time(world) {
        let probes = if std::env::var_os("GLOSA_TIMING_TESTS").is_some() { 600 } else { 5 };
        let server = world.database.serve_only(&[("GLOSA_LOG", "warn")]);
        let [revoked, inactive] = [(); 2].map(|()| world.database.account());
        let keys = [&revoked, &inactive].map(|account| world.database.key_of(account));
        let list = world.database.command(&["keys", "list", "--account", &revoked]);
        world.database.command(&["keys", "revoke", list.split('\t').next().expect("an id"), "--account", &revoked]);
        world.database.command(&["accounts", "deactivate", &inactive]);
        let elsewhere = Database::new(world.kind());
        let unknown = elsewhere.key();
        let mut callers = [unknown.as_str(), &keys[0], &keys[1]].map(|key| (Kept::new(&Client::new(&server.address, key)), Vec::new()));
        for _ in 0..probes {
            for (kept, times) in &mut callers {
                let asked = Instant::now();
                kept.get(&["/v1/text-types"])[0].is_problem(401, "unauthorized");
                times.push(asked.elapsed());
            }
        }
        if probes < 100 {
            return;
        }
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            let (one, other) = (&callers[one].1, &callers[other].1);
            let wins: f64 = one.iter().map(|time| other.iter().filter(|other| time > other).count() as f64).sum();
            let pairs = (probes * probes) as f64;
            let deviation = (pairs * (2 * probes + 1) as f64 / 12.0).sqrt();
            let score = (wins - pairs / 2.0) / deviation;
            assert!(score.abs() < 4.0, "the ranks of the times differ: {score}");
        }
    }
}
