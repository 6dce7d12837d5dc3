//! Event streams, frame by frame as they come.
use super::Client;
use super::client::{Response, check, parse};
use serde_json::Value;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// An open stream.
#[derive(Debug)]
pub struct Stream {
    socket: TcpStream,
    raw: Vec<u8>,
    taken: usize,
    /// Head of the answer.
    pub head: Response,
    ended: bool,
}

impl Stream {
    /// Opens the stream of a report; none when the answer is a problem.
    pub fn open(client: &Client, report: &str, headers: &[(&str, &str)]) -> Result<Self, Response> {
        let target = format!("/v1/reports/{report}/events");
        let mut socket = TcpStream::connect(&client.address).expect("the server listens");
        socket.set_read_timeout(Some(Duration::from_millis(100))).expect("a timeout");
        socket.write_all(&client.request("GET", &target, headers, b"")).expect("written");
        let empty = Response { status: 0, headers: Vec::new(), body: Vec::new() };
        let mut stream = Self { socket, raw: Vec::new(), taken: 0, head: empty, ended: false };
        let begun = Instant::now();
        while !stream.raw.windows(4).any(|four| four == b"\r\n\r\n") {
            stream.read();
            assert!(begun.elapsed() < Duration::from_secs(30) && !stream.ended, "no head");
        }
        stream.head = parse(&stream.raw);
        if stream.head.status != 200 {
            while !stream.ended {
                stream.read();
            }
            let response = parse(&stream.raw);
            check("GET", &target, &response);
            return Err(response);
        }
        check("GET", &target, &stream.head);
        Ok(stream)
    }

    fn read(&mut self) {
        let mut piece = [0; 4096];
        match self.socket.read(&mut piece) {
            Ok(0) => self.ended = true,
            Ok(length) => self.raw.extend_from_slice(&piece[..length]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => self.ended = true,
        }
    }

    /// The next block, without its blank line; none at the end of the stream.
    ///
    /// # Panics
    /// After a minute of silence.
    pub fn block(&mut self) -> Option<String> {
        let begun = Instant::now();
        loop {
            let body = parse(&self.raw).body;
            let rest = String::from_utf8(body[self.taken..].to_vec()).unwrap_or_default();
            if let Some(end) = rest.find("\n\n") {
                self.taken += end + 2;
                return Some(rest[..end].to_owned());
            }
            if self.ended {
                assert!(rest.is_empty(), "an unfinished block: {rest:?}");
                return None;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "a minute of silence");
            self.read();
        }
    }

    /// The data of the next event; comments are passed over.
    pub fn event(&mut self) -> Option<Value> {
        loop {
            let block = self.block()?;
            if block.starts_with(':') {
                continue;
            }
            let data = block.strip_prefix("event: status\ndata: ").unwrap_or_else(|| panic!("a block: {block:?}"));
            assert!(!data.contains('\n'), "one line of data: {block:?}");
            let data: Value = serde_json::from_str(data).expect("JSON");
            super::schema::hold("ReportEvent", &data, "an event");
            return Some(data);
        }
    }

    /// The states of all events to the end.
    pub fn states(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.event()).map(|event| event["status"].as_str().expect("a state").to_owned()).collect()
    }
}
