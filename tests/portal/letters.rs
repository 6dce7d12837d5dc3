//! A mail server in the test process: takes every letter and keeps it.
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A letter as the server got it.
#[derive(Clone, Debug)]
pub struct Letter {
    /// Recipient of the envelope.
    pub to: String,
    /// Headers and body, decoded.
    pub text: String,
}

impl Letter {
    /// The link in the letter that begins with this path.
    pub fn link(&self, path: &str) -> String {
        let start = self.text.find(path).unwrap_or_else(|| panic!("no {path} in {}", self.text));
        self.text[start..].split_whitespace().next().expect("a link").to_owned()
    }
}

/// The mail server.
#[derive(Clone, Debug)]
pub struct Post {
    /// Its address as a setting.
    pub url: String,
    letters: Arc<Mutex<Vec<Letter>>>,
}

impl Post {
    /// Starts it.
    pub fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("smtp://{}", listener.local_addr().expect("an address"));
        let letters = Arc::new(Mutex::new(Vec::new()));
        let kept = letters.clone();
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let kept = kept.clone();
                std::thread::spawn(move || converse(socket, &kept));
            }
        });
        Self { url, letters }
    }

    /// All letters so far.
    pub fn letters(&self) -> Vec<Letter> {
        self.letters.lock().expect("no panic inside").clone()
    }

    /// Waits for the letter of this place in the order of arrival, from 0.
    pub fn letter(&self, place: usize) -> Letter {
        crate::harness::until("a letter", || self.letters().get(place).cloned())
    }
}

fn converse(socket: TcpStream, kept: &Mutex<Vec<Letter>>) {
    let mut answers = socket.try_clone().expect("a second handle");
    let mut answer = |words: &str| answers.write_all(words.as_bytes()).is_ok();
    let mut lines = BufReader::new(socket).split(b'\n').map_while(Result::ok);
    let mut to = String::new();
    answer("220 test\r\n");
    while let Some(line) = lines.next() {
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        let verb = line.get(..4).unwrap_or_default().to_ascii_uppercase();
        match verb.as_str() {
            "EHLO" => answer("250-test\r\n250 8BITMIME\r\n"),
            "RCPT" => {
                to = line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                answer("250 ok\r\n")
            }
            "DATA" => {
                answer("354 go on\r\n");
                let mut raw = Vec::new();
                for line in lines.by_ref() {
                    if line.trim_ascii_end() == b"." {
                        break;
                    }
                    raw.extend_from_slice(line.strip_prefix(b".").unwrap_or(&line));
                    raw.push(b'\n');
                }
                kept.lock().expect("no panic inside").push(Letter { to: to.clone(), text: decode(&raw) });
                answer("250 kept\r\n")
            }
            "QUIT" => {
                answer("221 bye\r\n");
                return;
            }
            _ => answer("250 ok\r\n"),
        };
    }
}

/// Headers as they are; the body without its transfer coding.
fn decode(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(raw).replace("\r\n", "\n");
    let (head, body) = text.split_once("\n\n").expect("a body");
    let coding = head.to_ascii_lowercase();
    let body = if coding.contains("quoted-printable") {
        quoted_printable(body)
    } else {
        assert!(!coding.contains("base64"), "{head}");
        body.to_owned()
    };
    format!("{head}\n\n{body}")
}

fn quoted_printable(coded: &str) -> String {
    let joined = coded.replace("=\n", "");
    let mut bytes = Vec::new();
    let mut rest = joined.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let hex = more.get(..2).filter(|_| *first == b'=').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &more[2..];
            }
            None => {
                bytes.push(*first);
                rest = more;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
