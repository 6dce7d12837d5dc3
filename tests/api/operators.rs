//! What operators see: counts on a listener of their own.
use crate::harness::client::{exchange, letter};
use crate::harness::stream::Stream;
use crate::harness::{Client, World};

/// Tests of this module and the statements they cover.
pub const COVERED: &[(&str, &[u16])] = &[];

fn ask(address: &str, target: &str) -> crate::harness::Response {
    exchange(address, format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes())
}

/// The value of a series.
fn value(text: &str, series: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {series}: {text}")).parse().expect("a number")
}

#[test]
fn counts_say_nothing_of_callers() {
    let world =
        World::new(crate::harness::Kind::Sqlite, &[("GLOSA_ADMIN_LISTEN", "0"), ("GLOSA_HEARTBEAT_SECONDS", "1")]);
    let greeting = &world.server.greeting;
    let address =
        greeting.lines().find_map(|line| line.strip_prefix("glosa tells operators on http://")).expect("an address");
    let (address, path) = address.split_once('/').expect("a path");
    assert!(address.starts_with("127.0.0.1:") && path == "metrics");
    let client = world.client();
    let marker = "marca-7f3a9c51e8d24b60a1";
    let mut body = letter(&format!("El texto {marker} no se cuenta."));
    body["external_id"] = marker.into();
    let created = client.post_with_key(marker, &body);
    let id = created.json()["report_id"].as_str().expect("an id").to_owned();
    client.finished(&id);
    let _states = Stream::open(&client, &id, &[]).expect("a stream").states();
    client.get(&format!("/v1/{marker}?{marker}")).is_problem(404, "not-found");
    client.get(&format!("/v1/reports/{marker}")).is_problem(404, "report-not-found");
    Client::new(&client.address, marker).get("/v1/metrics").is_problem(401, "unauthorized");
    let _answered = exchange(&client.address, b"GET /v1/metrics HTTP/1.1\r\nbad header\r\n\r\n");
    let response = ask(address, "/metrics");
    assert_eq!(response.status, 200);
    assert!(
        response
            .header("content-type")
            .is_some_and(|kind| kind.starts_with("application/openmetrics-text; version=1.0.0"))
    );
    let text = response.text();
    assert!(!text.contains("marca-") && !text.contains(&id) && !text.contains("account"), "{text}");
    for (series, at_least) in [
        ("glosa_http_request_duration_seconds_count{route=\"/v1/reports\",method=\"POST\",status=\"202\"}", 1.0),
        (
            "glosa_http_request_duration_seconds_count{route=\"/v1/reports/{report_id}\",method=\"GET\",status=\"404\"}",
            1.0,
        ),
        ("glosa_http_request_duration_seconds_count{route=\"-\",method=\"GET\",status=\"404\"}", 1.0),
        ("glosa_analysis_duration_seconds_count{outcome=\"completed\"}", 1.0),
        ("glosa_refused_keys_total", 1.0),
        ("glosa_unreadable_requests_total", 1.0),
        ("glosa_database_up", 1.0),
        ("glosa_queued_reports", 0.0),
        ("glosa_event_streams", 0.0),
    ] {
        assert!(value(&text, series) >= at_least, "{series}: {text}");
    }
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (series, number) = line.rsplit_once(' ').expect("a series and a number");
        assert!(number.parse::<f64>().is_ok() && series.starts_with("glosa_"), "{line}");
    }
    assert_eq!(ask(address, "/health").status, 200);
    assert_eq!(ask(address, "/health/ready").status, 200);
    client.get("/metrics").is_problem(404, "not-found");
}
