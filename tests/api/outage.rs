//! When the database is gone, out of reach or out of room.
use crate::harness::client::letter;
use crate::harness::inside::Inside;
use crate::harness::stream::Stream;
use crate::harness::{Client, Database, Kind, Process, Response, World, until};
use glosa_tests_cluster::{Cluster, Link};

/// Tests of this module and the statements they cover.
pub const COVERED: &[(&str, &[u16])] = &[
    ("the_service_outlives_its_database", &[4, 8, 49, 80, 131, 153, 174, 183]),
    ("a_cut_network_loses_nothing", &[49, 79, 80, 131, 174, 183]),
    ("a_silent_network_is_answered_for", &[80, 131, 174, 183, 184]),
    ("a_full_disk_loses_nothing", &[49, 80, 131, 174]),
    ("a_full_disk_of_the_cluster_loses_nothing", &[49, 80, 131, 174]),
];

fn id(created: &Response) -> String {
    created.json()["report_id"].as_str().expect("an id").to_owned()
}

fn catalogs_stay(client: &Client) {
    for target in ["/v1/metrics", "/v1/text-types", "/v1/text-types/salud/folleto/glossaries"] {
        assert_eq!(client.get(target).status, 200, "catalogs stay");
    }
}

/// Sends a creation until it is accepted.
fn accepted(client: &Client, key: &str) -> Response {
    until("the service to recover", || {
        let response = client.post_with_key(key, &letter("Hola."));
        assert!(matches!(response.status, 202 | 503), "{}", response.text());
        (response.status == 202).then_some(response)
    })
}

#[test]
fn the_service_outlives_its_database() {
    let mut cluster = Cluster::start();
    let database = Database::at(cluster.database());
    let server = database.serve(&[("GLOSA_RATE_STATUS", "20"), ("GLOSA_RATE_CREATE", "600")]);
    let client = Client::new(&server.address, &database.key());
    let first = client.create(&letter("Hola."));
    client.finished(&first);
    cluster.crash();
    catalogs_stay(&client);
    client.post_with_key("outage", &letter("Hola.")).is_problem(503, "queue-unavailable");
    client.get(&format!("/v1/reports/{first}")).is_problem(503, "protection-unavailable");
    Stream::open(&client, &first, &[]).expect_err("a problem").is_problem(503, "protection-unavailable");
    assert_eq!(client.get("/health").status, 200);
    client.get("/health/ready").is_problem(503, "queue-unavailable");
    cluster.resume();
    let accepted = accepted(&client, "outage");
    assert_eq!(accepted.header("idempotent-replayed"), None, "nothing was left behind");
    assert_eq!(client.finished(&id(&accepted))["status"], "completed");
    assert_eq!(client.finished(&first)["status"], "completed");
}

/// A cluster, a link to it and a database whose address goes over the link.
fn behind_a_link() -> (Cluster, Link, Database) {
    let cluster = Cluster::start();
    let direct = cluster.database();
    let link = Link::to(cluster.socket_of_server());
    let name = direct.rsplit('/').next().expect("a name");
    let database = Database::at(format!("postgres://postgres@127.0.0.1:{}/{name}?sslmode=disable", link.port));
    (cluster, link, database)
}

#[test]
fn a_cut_network_loses_nothing() {
    let (_cluster, link, database) = behind_a_link();
    let server = database.serve(&[("GLOSA_LEASE_SECONDS", "3")]);
    let client = Client::new(&server.address, &database.key());
    let text = letter(&"La administración resuelve la solicitud que usted presentó. ".repeat(100));
    let mut reports = Vec::new();
    let mut before = 0;
    for round in 0..3 {
        reports.extend((0..6).map(|_| client.create(&text)));
        link.cut();
        let key = format!("cut-{round}");
        client.post_with_key(&key, &letter("Hola.")).is_problem(503, "queue-unavailable");
        catalogs_stay(&client);
        link.mend();
        reports.push(id(&accepted(&client, &key)));
        before = if round == 0 { server.descriptors() } else { before };
    }
    for report in &reports {
        let finished = until("a finished report", || {
            let seen = client.get(&format!("/v1/reports/{report}"));
            (seen.status == 200).then(|| seen.json()).filter(|seen| seen["status"] == "completed")
        });
        assert_eq!(finished["report_id"], report.as_str());
    }
    assert!(server.descriptors() <= before + 12, "connections pile up: {before}, then {}", server.descriptors());
}

#[test]
fn a_silent_network_is_answered_for() {
    let (_cluster, link, database) = behind_a_link();
    let server = database.serve(&[("GLOSA_LEASE_SECONDS", "3"), ("GLOSA_RATE_STATUS", "20")]);
    let client = Client::new(&server.address, &database.key());
    let first = client.create(&letter("Hola."));
    client.finished(&first);
    link.silence();
    std::thread::scope(|scope| {
        scope.spawn(|| client.post_with_key("silence", &letter("Hola.")).is_problem(503, "queue-unavailable"));
        scope.spawn(|| client.get(&format!("/v1/reports/{first}")).is_problem(503, "protection-unavailable"));
        scope.spawn(|| catalogs_stay(&client));
    });
    link.mend();
    let accepted = accepted(&client, "silence");
    until("a finished report", || {
        let seen = client.get(&format!("/v1/reports/{}", id(&accepted)));
        (seen.status == 200 && seen.json()["status"] == "completed").then_some(())
    });
}

fn refuses_but_stays(client: &Client, finished: &str) {
    let refused = client.post_with_key("full", &letter(&"Hola. ".repeat(3_000)));
    refused.is_problem(503, "queue-unavailable");
    catalogs_stay(client);
    assert_eq!(client.get("/health").status, 200);
    assert_eq!(client.get(&format!("/v1/reports/{finished}")).json()["status"], "completed");
}

fn recovers(server: &Process, client: &Client) {
    let accepted = accepted(client, "full");
    assert_eq!(accepted.header("idempotent-replayed"), None, "nothing was left behind: {}", server.log());
    assert_eq!(client.finished(&id(&accepted))["status"], "completed");
}

#[test]
fn a_full_disk_loses_nothing() {
    let world = World::new(Kind::Sqlite, &[("GLOSA_LOG", "warn")]);
    let client = world.client();
    let first = client.create(&letter("Hola."));
    client.finished(&first);
    world.server.limit_files(Some(4096));
    refuses_but_stays(&client, &first);
    world.server.limit_files(None);
    recovers(&world.server, &client);
    assert_eq!(client.finished(&first)["status"], "completed");
    let World { database, server } = world;
    assert_eq!(server.stop(), Some(0));
    assert_eq!(Inside::of(&database).ask("PRAGMA integrity_check"), ["ok"]);
}

/// No disk is filled: a trigger refuses new rows with the words of a server whose disk is full.
#[test]
fn a_full_disk_of_the_cluster_loses_nothing() {
    let world = World::new(Kind::Postgres, &[]);
    let client = world.client();
    let first = client.create(&letter("Hola."));
    client.finished(&first);
    let mut inside = Inside::of(&world.database);
    inside.ask(
        "CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
         CREATE TRIGGER disk_full BEFORE INSERT ON report FOR EACH ROW EXECUTE FUNCTION disk_full()",
    );
    refuses_but_stays(&client, &first);
    inside.ask("DROP TRIGGER disk_full ON report");
    recovers(&world.server, &client);
}
