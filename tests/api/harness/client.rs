//! HTTP/1.1 over a socket, by hand: the tests need malformed requests and raw frames. Every answer of `/v1` is held to the description
//! of the interface and to the promises that all answers share.
use super::schema;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::time::Duration;

/// An answer.
#[derive(Clone, Debug)]
pub struct Response {
    /// Status code.
    pub status: u16,
    /// Headers with names in lower case.
    pub headers: Vec<(String, String)>,
    /// Body, without transfer coding.
    pub body: Vec<u8>,
}

impl Response {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The seconds of `Retry-After`, which must be a whole number from 1.
    pub fn retry_after(&self) -> Option<u64> {
        self.header("retry-after").map(|value| {
            assert!(value.bytes().all(|byte| byte.is_ascii_digit()) && !value.starts_with('0'), "{value}");
            value.parse().expect("a number")
        })
    }

    /// Asserts status and problem code.
    #[track_caller]
    pub fn is_problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        let body = self.json();
        assert_eq!(body["code"], code, "{body}");
        body
    }
}

/// Sends requests to one server with one key.
#[derive(Clone, Debug)]
pub struct Client {
    /// `HOST:PORT`.
    pub address: String,
    /// The API key.
    pub key: String,
}

/// Sends raw bytes and reads until the server closes.
pub fn exchange(address: &str, bytes: &[u8]) -> Response {
    let mut socket = TcpStream::connect(address).expect("the server listens");
    socket.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    let _refused_early = socket.write_all(bytes);
    let mut answer = Vec::new();
    let _reset_after_the_answer = socket.read_to_end(&mut answer);
    parse(&answer)
}

/// Splits an answer into its parts.
pub fn parse(answer: &[u8]) -> Response {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no HTTP: {}", String::from_utf8_lossy(answer)));
    let head = String::from_utf8(answer[..end].to_vec()).expect("ASCII headers");
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).expect("a status");
    let headers: Vec<(String, String)> = lines
        .map(|line| {
            let (name, value) = line.split_once(':').expect("a header");
            (name.to_ascii_lowercase(), value.trim().to_owned())
        })
        .collect();
    let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = if chunked { dechunk(&answer[end + 4..]) } else { answer[end + 4..].to_vec() };
    Response { status, headers, body }
}

/// Removes the chunked transfer coding; what came of an unfinished body stays.
pub fn dechunk(mut coded: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(line) = coded.windows(2).position(|two| two == b"\r\n") {
        let length = std::str::from_utf8(&coded[..line]).ok().and_then(|length| usize::from_str_radix(length, 16).ok());
        let Some(length) = length.filter(|length| *length > 0) else { break };
        let start = line + 2;
        body.extend_from_slice(&coded[start..(start + length).min(coded.len())]);
        if start + length + 2 > coded.len() {
            break;
        }
        coded = &coded[start + length + 2..];
    }
    body
}

impl Client {
    /// A client.
    pub fn new(address: &str, key: &str) -> Self {
        Self { address: address.to_owned(), key: key.to_owned() }
    }

    /// The same key at another server.
    pub fn at(&self, address: &str) -> Self {
        Self::new(address, &self.key)
    }

    /// The bytes of a request.
    pub fn request(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
        let mut request = format!("{method} {target} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        if !self.key.is_empty() {
            request.push_str(&format!("Authorization: Bearer {}\r\n", self.key));
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() || method == "POST" {
            request.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        request.push_str("\r\n");
        let mut request = request.into_bytes();
        request.extend_from_slice(body);
        request
    }

    /// Sends a request and checks the answer.
    #[track_caller]
    pub fn send(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let response = exchange(&self.address, &self.request(method, target, headers, body));
        check(method, target, &response);
        response
    }

    /// `GET`.
    #[track_caller]
    pub fn get(&self, target: &str) -> Response {
        self.send("GET", target, &[], b"")
    }

    /// `POST /v1/reports` with raw bytes.
    #[track_caller]
    pub fn post_bytes(&self, body: &[u8]) -> Response {
        self.send("POST", "/v1/reports", &[("Content-Type", "application/json")], body)
    }

    /// `POST /v1/reports`.
    #[track_caller]
    pub fn post(&self, body: &Value) -> Response {
        self.post_bytes(body.to_string().as_bytes())
    }

    /// `POST /v1/reports` with an idempotency key.
    #[track_caller]
    pub fn post_with_key(&self, key: &str, body: &Value) -> Response {
        let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key)];
        self.send("POST", "/v1/reports", &headers, body.to_string().as_bytes())
    }

    /// Creates a report and gives its identifier.
    #[track_caller]
    pub fn create(&self, body: &Value) -> String {
        let response = self.post(body);
        assert_eq!(response.status, 202, "{}", response.text());
        response.json()["report_id"].as_str().expect("an identifier").to_owned()
    }

    /// Waits for the end of a report and gives it.
    #[track_caller]
    pub fn finished(&self, report: &str) -> Value {
        super::until("a finished report", || {
            let response = self.get(&format!("/v1/reports/{report}"));
            if response.status == 429 {
                std::thread::sleep(Duration::from_secs(response.retry_after().expect("a wait")));
                return None;
            }
            assert_eq!(response.status, 200, "{}", response.text());
            let body = response.json();
            ["completed", "failed"].iter().any(|end| body["status"] == *end).then_some(body)
        })
    }

    /// Creates a report, waits for its completion and gives the result.
    #[track_caller]
    pub fn result(&self, body: &Value) -> Value {
        let report = self.finished(&self.create(body));
        assert_eq!(report["status"], "completed", "{report}");
        report["result"].clone()
    }
}

/// A request that every installation of the repository's genres accepts.
pub fn letter(text: &str) -> Value {
    json!({ "text": text, "domain_slug": "administracion-clara", "text_type_slug": "notificacion" })
}

static SEEN: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// What holds for every answer: an identifier that no other answer has, problems in one shape that agree with status and headers,
/// bodies as the description says.
#[track_caller]
pub fn check(method: &str, target: &str, response: &Response) {
    let place = format!("{method} {} -> {}", target.chars().take(80).collect::<String>(), response.status);
    let id = response.header("x-request-id").unwrap_or_else(|| panic!("{place}: no X-Request-ID"));
    let digits = id.strip_prefix("req_").unwrap_or_default();
    let well_formed = (26..=32).contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_lowercase() || digit.is_ascii_digit());
    assert!(well_formed, "{place}: {id}");
    let is_new = SEEN.lock().expect("no panic inside").get_or_insert_default().insert(id.to_owned());
    assert!(is_new, "{place}: {id} came twice");
    if method == "HEAD" {
        return;
    }
    let path = target.split('?').next().expect("a path");
    schema::described(method, path, response.status, &response.headers, &place);
    if response.status >= 400 {
        assert_eq!(response.header("content-type"), Some("application/problem+json"), "{place}");
        let problem = response.json();
        schema::hold("ApiProblem", &problem, &place);
        assert_eq!(problem["status"], response.status, "{place}");
        assert_eq!(problem["request_id"], id, "{place}");
        assert_eq!(problem["instance"], path, "{place}");
        assert_eq!(problem["type"], format!("/problems/{}", problem["code"].as_str().expect("a code")), "{place}");
        assert_eq!(problem["retry_after_seconds"].as_u64(), response.retry_after(), "{place}");
        if matches!(response.status, 429 | 503) {
            assert!(response.retry_after().is_some(), "{place}: no Retry-After");
        }
        for absent in ["panicked", ".rs:", "SELECT", "sqlx"] {
            assert!(!response.text().contains(absent), "{place}: {absent}");
        }
    } else if let Some(component) = schema::component(method, path, response.status) {
        assert_eq!(response.header("content-type"), Some("application/json"), "{place}");
        schema::hold(component, &response.json(), &place);
    }
    for (name, _) in &response.headers {
        assert!(!name.starts_with("access-control-"), "{place}: {name}");
    }
}
