//! When the database is gone: PostgreSQL is stopped under a running service and started again.
use crate::harness::client::letter;
use crate::harness::stream::Stream;
use crate::harness::{Client, Database, until};
use glosa_tests_cluster::Cluster;

/// Tests of this module and the statements they cover.
pub const COVERED: &[(&str, &[u16])] = &[("the_service_outlives_its_database", &[4, 8, 49, 80, 131, 153, 174, 183])];

#[test]
fn the_service_outlives_its_database() {
    let mut cluster = Cluster::start();
    let database = Database::at(cluster.database());
    let server = database.serve(&[("GLOSA_RATE_STATUS", "20"), ("GLOSA_RATE_CREATE", "600")]);
    let client = Client::new(&server.address, &database.key());
    let id = client.create(&letter("Hola."));
    client.finished(&id);
    cluster.crash();
    for target in ["/v1/metrics", "/v1/text-types", "/v1/text-types/salud/folleto/glossaries"] {
        assert_eq!(client.get(target).status, 200, "catalogs stay");
    }
    client.post_with_key("outage", &letter("Hola.")).is_problem(503, "queue-unavailable");
    client.get(&format!("/v1/reports/{id}")).is_problem(503, "protection-unavailable");
    Stream::open(&client, &id, &[]).expect_err("a problem").is_problem(503, "protection-unavailable");
    assert_eq!(client.get("/health").status, 200);
    client.get("/health/ready").is_problem(503, "queue-unavailable");
    cluster.resume();
    let accepted = until("the service to recover", || {
        let response = client.post_with_key("outage", &letter("Hola."));
        (response.status == 202).then_some(response)
    });
    assert_eq!(accepted.header("idempotent-replayed"), None, "nothing was left behind");
    let again = accepted.json()["report_id"].as_str().expect("an id").to_owned();
    assert_eq!(client.finished(&again)["status"], "completed");
    assert_eq!(client.finished(&id)["status"], "completed");
}
