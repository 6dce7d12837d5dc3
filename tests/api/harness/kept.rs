//! A connection that is kept for many requests, several under way at once.
use super::Client;
use super::client::{Response, check, parse};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Target, headers and body of a request.
pub type Request<'r> = (&'r str, &'r [(&'r str, &'r str)], &'r [u8]);

/// The connection.
#[derive(Debug)]
pub struct Kept {
    client: Client,
    socket: TcpStream,
    read: Vec<u8>,
}

impl Kept {
    /// Connects.
    pub fn new(client: &Client) -> Self {
        let socket = TcpStream::connect(&client.address).expect("the server listens");
        socket.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        Self { client: client.clone(), socket, read: Vec::new() }
    }

    /// Sends requests of a method one after another, without waiting, and gives their answers in order.
    #[track_caller]
    pub fn send(&mut self, method: &str, requests: &[Request<'_>]) -> Vec<Response> {
        let mut bytes = Vec::new();
        for (target, headers, body) in requests {
            let request = self.client.request(method, target, headers, body);
            let line = b"Connection: close\r\n";
            let at = request.windows(line.len()).position(|window| window == line).expect("the line");
            bytes.extend_from_slice(&request[..at]);
            bytes.extend_from_slice(&request[at + line.len()..]);
        }
        self.socket.write_all(&bytes).expect("sent");
        let mut responses = Vec::with_capacity(requests.len());
        for (target, _, _) in requests {
            let response = self.next();
            check(method, target, &response);
            responses.push(response);
        }
        responses
    }

    /// `GET` of several targets.
    #[track_caller]
    pub fn get(&mut self, targets: &[&str]) -> Vec<Response> {
        let (no_headers, no_body): (&[(&str, &str)], &[u8]) = (&[], &[]);
        let requests: Vec<_> = targets.iter().map(|target| (*target, no_headers, no_body)).collect();
        self.send("GET", &requests)
    }

    /// Creations of one body, as many as there are idempotency keys.
    #[track_caller]
    pub fn post(&mut self, body: &[u8], keys: &[Option<&str>]) -> Vec<Response> {
        let plain = [("Content-Type", "application/json")];
        let keyed: Vec<_> = keys.iter().map(|key| key.map(|key| [plain[0], ("Idempotency-Key", key)])).collect();
        let requests: Vec<Request<'_>> = keyed
            .iter()
            .map(|keyed| ("/v1/reports", keyed.as_ref().map_or(&plain[..], |keyed| &keyed[..]), body))
            .collect();
        self.send("POST", &requests)
    }

    fn next(&mut self) -> Response {
        let mut piece = [0; 65_536];
        loop {
            if let Some(response) = self.whole() {
                return response;
            }
            let length = self.socket.read(&mut piece).expect("an answer within a minute");
            assert!(length > 0, "the connection ended: {}", String::from_utf8_lossy(&self.read));
            self.read.extend_from_slice(&piece[..length]);
        }
    }

    fn whole(&mut self) -> Option<Response> {
        let head = self.read.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
        let mut response = parse(&self.read[..head]);
        let length = response.header("content-length").expect("a length").parse::<usize>().expect("a number");
        if self.read.len() < head + length {
            return None;
        }
        response.body = self.read[head..head + length].to_vec();
        self.read.drain(..head + length);
        Some(response)
    }
}
