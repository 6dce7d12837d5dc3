//! Clients that do nothing, too little or too much: none of them may hold the service up.
use crate::harness::client::{check, letter, parse};
use crate::harness::kept::Kept;
use crate::harness::{Client, Process, World, until};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

fn impatient(world: &World, more: &[(&str, &str)]) -> Process {
    let settings = [("GLOSA_HEAD_SECONDS", "1"), ("GLOSA_BODY_SECONDS", "1"), ("GLOSA_READ_SECONDS", "1")];
    let settings: Vec<_> = settings.iter().chain(more).copied().collect();
    world.database.serve_only(&settings)
}

fn connect(address: &str) -> TcpStream {
    let socket = TcpStream::connect(address).expect("the server listens");
    socket.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    socket
}

/// Reads to the end of a connection, however it ends.
fn rest(mut socket: TcpStream) -> Vec<u8> {
    let mut all = Vec::new();
    match socket.read_to_end(&mut all) {
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
            panic!("the connection stays open")
        }
        _ => all,
    }
}

statements! {
    /// Connections that say nothing, or their headers one byte at a time, are closed, and hold nobody up meanwhile.
    [184]
    fn slow_headers_are_cut_off(world) {
        let server = impatient(world, &[]);
        let client = world.client().at(&server.address);
        let silent: Vec<TcpStream> = (0..100).map(|_| connect(&server.address)).collect();
        let mut slow: Vec<TcpStream> = (0..100).map(|_| connect(&server.address)).collect();
        for byte in b"GET /v1/text-types HTTP/1.1\r\nHost: x\r\n" {
            for socket in &mut slow {
                let _closed = socket.write_all(&[*byte]);
            }
            assert_eq!(client.get("/v1/text-types").status, 200);
            std::thread::sleep(Duration::from_millis(50));
        }
        for socket in silent.into_iter().chain(slow) {
            assert_eq!(String::from_utf8_lossy(&rest(socket)), "");
        }
    }

    /// A body that does not come is waited for so long, and the connection is closed with a word.
    [4, 6, 8, 184]
    fn slow_bodies_are_cut_off(world) {
        let server = impatient(world, &[]);
        let client = world.client().at(&server.address);
        let body = letter("Hola.").to_string();
        let request = client.request("POST", "/v1/reports", &[("Content-Type", "application/json")], body.as_bytes());
        let mut socket = connect(&server.address);
        socket.write_all(&request[..request.len() - 5]).expect("sent");
        let response = parse(&rest(socket));
        check("POST", "/v1/reports", &response);
        response.is_problem(408, "request-timeout");
        let chunked = String::from_utf8(request).expect("text");
        let head = &chunked[..chunked.find("\r\n\r\n").expect("an end") + 4];
        let head = head.replace(&format!("Content-Length: {}", body.len()), "Transfer-Encoding: chunked");
        let mut socket = connect(&server.address);
        socket.write_all(head.as_bytes()).expect("sent");
        let mut drip = socket.try_clone().expect("a second handle");
        let bytes = body.clone().into_bytes();
        let dripping = std::thread::spawn(move || {
            for byte in bytes.into_iter().take(40) {
                let _closed = drip.write_all(&[b'1', b'\r', b'\n', byte, b'\r', b'\n']);
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let response = parse(&rest(socket));
        check("POST", "/v1/reports", &response);
        response.is_problem(408, "request-timeout");
        dripping.join().expect("no panic");
    }

    /// A client that asks and does not read is let go, and its answers do not pile up.
    [150, 184]
    fn unread_answers_are_given_up(world) {
        let server = impatient(world, &[("GLOSA_LOG", "warn")]);
        let client = world.client().at(&server.address);
        let catalog = client.get("/v1/metrics").body.len() as u64;
        let (before, memory) = (server.descriptors(), server.resident());
        let request = client.request("GET", "/v1/metrics", &[], b"");
        let request = String::from_utf8(request).expect("text").replace("Connection: close\r\n", "");
        let many = request.repeat(1 + (30 << 20) / catalog as usize);
        let sockets: Vec<TcpStream> = (0..12)
            .map(|_| {
                let mut socket = connect(&server.address);
                socket.set_write_timeout(Some(Duration::from_millis(200))).expect("a timeout");
                let _full = socket.write_all(many.as_bytes());
                socket
            })
            .collect();
        until("closed sockets", || (server.descriptors() <= before + 5).then_some(()));
        assert!(server.resident() < memory + 60_000, "memory grew from {memory} to {} KiB", server.resident());
        drop(sockets);
        assert_eq!(client.get("/v1/text-types").status, 200);
    }

    /// A process serves so many connections; others wait for one to end.
    [184]
    fn connections_are_counted(world) {
        let server = impatient(world, &[("GLOSA_MAX_CONNECTIONS", "3")]);
        let client = world.client().at(&server.address);
        let idle: Vec<TcpStream> = (0..3).map(|_| connect(&server.address)).collect();
        assert_eq!(client.get("/v1/text-types").status, 200, "after the idle ones were closed");
        for socket in idle {
            assert!(rest(socket).is_empty());
        }
        let mut kept = Kept::new(&client);
        for _ in 0..3 {
            assert_eq!(kept.get(&["/v1/text-types"])[0].status, 200, "a connection in use stays");
            std::thread::sleep(Duration::from_millis(500));
        }
    }

    /// Clients that go away in the middle of anything leave nothing behind.
    [150]
    fn clients_that_vanish_leave_nothing(world) {
        let server = world.database.serve_only(&[("GLOSA_LOG", "warn")]);
        let client = world.client().at(&server.address);
        let body = letter(&"Hola. ".repeat(2_000)).to_string();
        let post = client.request("POST", "/v1/reports", &[("Content-Type", "application/json")], body.as_bytes());
        let catalog = client.request("GET", "/v1/metrics", &[], b"");
        assert_eq!(client.get("/v1/text-types").status, 200);
        let before = server.descriptors();
        for number in 0..60 {
            let whole = if number % 2 == 0 { &post } else { &catalog };
            let part = whole.len() * (number + 1) / 60;
            connect(&server.address).write_all(&whole[..part]).expect("sent");
        }
        until("closed sockets", || (server.descriptors() <= before + 15).then_some(()));
        assert_eq!(client.post(&letter("Hola.")).status, 202);
    }

    /// However many wrong keys an address presents, a right one of its passes, also one that this process has never seen, and also after
    /// a restart; wrong ones are refused in the same words as ever.
    [160, 161, 194]
    fn wrong_keys_cost_right_ones_nothing(world) {
        let settings = [("GLOSA_RATE_WRONG_KEYS", "5")];
        let server = world.database.serve_only(&settings);
        let account = world.database.account();
        let known = Client::new(&server.address, &world.database.key_of(&account));
        let new = Client::new(&server.address, &world.database.key_of(&account));
        let unknown = crate::harness::Database::new(world.kind()).key();
        let wrong = [Client::new(&server.address, "glosa_live_wrong"), Client::new(&server.address, &unknown)];
        let offender = "198.51.100.2, 203.0.113.7";
        let from = |client: &Client| client.send("GET", "/v1/text-types", &[("X-Forwarded-For", offender)], b"");
        assert_eq!(from(&known).status, 200);
        let mut words = Vec::new();
        for _ in 0..20 {
            words.extend(wrong.iter().map(|wrong| from(wrong).is_problem(401, "unauthorized")));
        }
        for problem in &mut words {
            problem["request_id"].take();
        }
        assert!(words.iter().all(|problem| *problem == words[0]));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..50).for_each(|_| drop(from(&wrong[1]).is_problem(401, "unauthorized"))));
            }
            assert_eq!(from(&new).status, 200, "a key that is new to the process");
            assert_eq!(from(&known).status, 200, "a known key");
        });
        let again = world.database.serve_only(&settings);
        for _ in 0..10 {
            from(&wrong[1].at(&again.address)).is_problem(401, "unauthorized");
        }
        for client in [&known, &new] {
            assert_eq!(from(&client.at(&again.address)).status, 200, "after a restart");
        }
    }
}
