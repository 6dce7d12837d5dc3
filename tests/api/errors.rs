//! One shape for every error, the framework's own too.
use crate::harness::client::{check, exchange, letter};
use crate::harness::kept::Kept;
use crate::harness::schema::DESCRIPTION;
use crate::harness::{World, schema};
use std::collections::HashSet;

statements! {
    /// Unknown addresses and wrong methods are problems; the second say which methods there are.
    [4, 6, 8, 10, 168, 169, 170, 171, 180]
    fn the_framework_speaks_like_us(world) {
        let client = world.client();
        for target in ["/", "/v1", "/v1/", "/v1/nowhere", "/v1/reports/", "/v1/reports/a/b", "/v1//metrics", "/%ff", "/v1/metrics/a/b?secret=x"] {
            for method in ["GET", "POST", "DELETE"] {
                let problem = client.send(method, target, &[("Origin", "https://example.org")], b"").is_problem(404, "not-found");
                assert_eq!(problem["instance"], target.split('?').next().expect("a path"));
            }
        }
        for template in DESCRIPTION["paths"].as_object().expect("paths").keys() {
            let target = template.replace("{report_id}", "x").replace("{metric_id}", "x").replace("{domain_slug}", "x").replace("{text_type_slug}", "x");
            for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"] {
                if DESCRIPTION["paths"][template].get(method.to_ascii_lowercase()).is_some() {
                    continue;
                }
                let preflight = [("Origin", "https://example.org"), ("Access-Control-Request-Method", "POST")];
                let response = client.send(method, &target, &preflight, b"");
                response.is_problem(405, "method-not-allowed");
                assert!(response.header("allow").is_some_and(|allow| !allow.is_empty()), "{method} {target}");
            }
        }
    }

    /// The identifier of a request is ours, whatever the caller sends.
    [4, 5, 6, 7]
    fn request_ids_are_ours(world) {
        let client = world.client();
        let long = "x".repeat(8_000);
        for sent in ["evil", "a\tb", "ñ", &long] {
            let response = client.send("GET", "/v1/nowhere", &[("X-Request-ID", sent)], b"");
            assert!(!response.header("x-request-id").expect("an id").contains(sent));
        }
        for target in ["/openapi.json", "/v1/openapi.json", "/docs/", "/health", "/problems/not-found"] {
            assert_eq!(client.get(target).status, 200, "{target}");
        }
        let mut nobody = client.clone();
        nobody.key = String::new();
        let mut kept = Kept::new(&nobody);
        for _ in 0..200 {
            let answers = kept.get(&["/v1/nowhere", "/v1/text-types", "/health", "/v1/reports/x", "/problems/not-found"].repeat(10));
            assert_eq!(answers.len(), 50);
        }
    }

    /// Requests are refused in a fixed order.
    [161, 178]
    fn refusals_have_an_order(world) {
        let small = world.database.serve_only(&[("GLOSA_MAX_WORDS", "10"), ("GLOSA_MAX_BODY_BYTES", "1000"), ("GLOSA_RATE_CREATE", "6")]);
        let client = world.client().at(&small.address);
        let words = "palabra ".repeat(11);
        let huge = "x".repeat(1001);
        let mut nobody = client.clone();
        nobody.key = String::new();
        nobody.post_bytes(huge.as_bytes()).is_problem(401, "unauthorized");
        client.post_bytes(huge.as_bytes()).is_problem(413, "request-too-large");
        client.post_bytes(b"{}").is_problem(422, "validation-error");
        client.post_bytes(huge.as_bytes()).is_problem(429, "rate-limited");
        let client = world.client().at(&small.address);
        let shape = serde_json::json!({"text": words, "text_type_slug": "none", "extra": 1});
        client.post(&shape).is_problem(422, "validation-error");
        let long = serde_json::json!({"text": words, "text_type_slug": "none"});
        client.post(&long).is_problem(413, "text-too-long");
        let client = world.client().at(&small.address);
        assert_eq!(client.post_with_key("k", &letter("Hola.")).status, 202);
        let unknown = serde_json::json!({"text": "Otra.", "text_type_slug": "none"});
        client.post_with_key("k", &unknown).is_problem(422, "unknown-genre");
    }

    /// Problem types have a page for people.
    [169, 172]
    fn problem_types_have_pages(world) {
        let client = world.client();
        let mut codes = HashSet::new();
        for response in [
            client.get("/v1/nowhere"),
            client.get("/v1/text-types?language=xx"),
            client.get("/v1/reports/x"),
            client.post(&serde_json::json!({})),
        ] {
            let problem = response.json();
            let page = client.get(problem["type"].as_str().expect("a type"));
            assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
            assert!(page.text().contains(problem["title"].as_str().expect("a title")));
            codes.insert(problem["code"].to_string());
        }
        assert_eq!(codes.len(), 4);
        client.get("/problems/none").is_problem(404, "not-found");
    }

    /// The alternative shape of validation errors stays described and is never sent.
    [168, 179]
    fn one_shape_is_sent(world) {
        assert!(DESCRIPTION["components"]["schemas"]["HTTPValidationError"].is_object());
        let client = world.client();
        let problem = client.post(&serde_json::json!({})).is_problem(422, "validation-error");
        assert!(problem["detail"].is_string());
        schema::hold("ApiProblem", &problem, "a validation error");
    }

    /// What is no HTTP request is answered by the parser, in the same shape; headers that carry control characters do not reach the
    /// answer or the log.
    [4, 5, 6, 8, 10, 168, 195]
    fn what_is_no_request_is_a_problem_too(world) {
        let client = world.client();
        let many: String = (0..200).map(|n| format!("X-{n}: y\r\n")).collect();
        let long = "x".repeat(40_000);
        for (request, status, code, path) in [
            ("GET /v1/metrics HTTP/1.1\r\nHost: x\r\nX-Request-ID: a\u{0}b\r\n\r\n".to_owned(), 400, "bad-request", "/v1/metrics"),
            ("GET /v1/\u{0} HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(), 400, "bad-request", "/"),
            ("\u{16}\u{3}\u{1}\u{0}".to_owned(), 400, "bad-request", "/"),
            ("GET /v1/metrics HTTP/1.1\r\n\r\n".to_owned(), 400, "bad-request", "/v1/metrics"),
            ("GET /v1/metrics HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n".to_owned(), 400, "bad-request", "/v1/metrics"),
            ("POST /v1/reports HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_owned(), 400, "bad-request", "/v1/reports"),
            ("POST /v1/reports HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: x\r\nContent-Length: 5\r\n\r\n0\r\n\r\n".to_owned(), 400, "bad-request", "/v1/reports"),
            (format!("GET /v1/metrics?a=b HTTP/1.1\r\nHost: x\r\n{many}\r\n"), 431, "headers-too-large", "/v1/metrics"),
            (format!("GET /v1/metrics HTTP/1.1\r\nHost: x\r\nX-Long: {long}\r\n\r\n"), 431, "headers-too-large", "/v1/metrics"),
            (format!("GET /v1/{long} HTTP/1.1\r\nHost: x\r\n\r\n"), 414, "uri-too-long", "/"),
        ] {
            let response = exchange(&client.address, request.as_bytes());
            check("GET", path, &response);
            response.is_problem(status, code);
            assert_eq!(response.header("connection"), Some("close"));
        }
        let forged = client.send("GET", "/v1/nowhere", &[("User-Agent", "ñ\t{}"), ("X-Forwarded-For", "1\t2")], b"");
        forged.is_problem(404, "not-found");
    }

    /// HTTP/1.0 has no Host, and what a path escapes without need is the same path.
    [195]
    fn requests_have_one_meaning(world) {
        let client = world.client();
        let old = format!("GET /v1/text-types HTTP/1.0\r\nAuthorization: Bearer {}\r\n\r\n", client.key);
        assert_eq!(exchange(&client.address, old.as_bytes()).status, 200);
        assert_eq!(client.get("/v1/text%2Dtypes").json(), client.get("/v1/text-types").json());
        assert_eq!(client.get("/v1/metric%73?kind=%72ule").json(), client.get("/v1/metrics?kind=rule").json());
        client.get("/v1%2Fmetrics").is_problem(404, "not-found");
    }

    /// What codings a caller accepts is a wish and never a reason to refuse: without one that is had, the answer comes as it is.
    [193]
    fn odd_wishes_for_codings_change_nothing(world) {
        let client = world.client();
        let body = letter("Hola.").to_string();
        for wish in ["br, *;q=0", "*;q=0", "identity;q=0", "gzip;q=0", "gzip;q=0, identity;q=0", "nonsense", ";;q=", ""] {
            let with = [("Content-Type", "application/json"), ("Accept-Encoding", wish)];
            let created = client.send("POST", "/v1/reports", &with, body.as_bytes());
            assert_eq!(created.status, 202, "{wish}: {}", created.text());
            let place = created.header("location").expect("a place").to_owned();
            for target in [&place, "/v1/metrics", "/v1/metrics/long-sentence?analysis_language=es", "/v1/text-types", "/openapi.json"] {
                let answer = client.send("GET", target, &with[1..], b"");
                assert_eq!((answer.status, answer.header("content-encoding")), (200, None), "{wish} {target}");
                assert!(answer.json().is_object());
            }
            let events = client.send("GET", &format!("{place}/events"), &with[1..], b"");
            assert_eq!(events.status, 200, "{wish}");
            client.send("GET", "/v1/reports/x", &with[1..], b"").is_problem(404, "report-not-found");
        }
        for wish in ["gzip", "br;q=0.9, gzip;q=0.1", "*"] {
            let packed = crate::harness::client::exchange(&client.address, &client.request("GET", "/v1/metrics", &[("Accept-Encoding", wish)], b""));
            assert_eq!((packed.status, packed.header("content-encoding")), (200, Some("gzip")), "{wish}");
        }
    }
}
