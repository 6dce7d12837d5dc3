//! A network between the program and its database: a relay from a TCP port to the socket of the server, which a test can cut.
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

const WHOLE: u8 = 0;
const CUT: u8 = 1;
const SILENT: u8 = 2;

/// The relay.
#[derive(Debug)]
pub struct Link {
    state: Arc<AtomicU8>,
    /// Its port on the loopback address.
    pub port: u16,
}

impl Link {
    /// A whole link to a socket.
    pub fn to(socket: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(AtomicU8::new(WHOLE));
        let shared = state.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if shared.load(Ordering::Relaxed) == CUT {
                    continue;
                }
                if let Ok(server) = UnixStream::connect(&socket) {
                    relay(client, server, &shared);
                }
            }
        });
        Self { state, port }
    }

    /// Connections break, and new ones too.
    pub fn cut(&self) {
        self.state.store(CUT, Ordering::Relaxed);
    }

    /// Nothing gets through, and nobody is told.
    pub fn silence(&self) {
        self.state.store(SILENT, Ordering::Relaxed);
    }

    /// Everything gets through again.
    pub fn mend(&self) {
        self.state.store(WHOLE, Ordering::Relaxed);
    }
}

fn relay(client: TcpStream, server: UnixStream, state: &Arc<AtomicU8>) {
    let pause = Some(Duration::from_millis(20));
    client.set_read_timeout(pause).expect("a timeout");
    server.set_read_timeout(pause).expect("a timeout");
    let ends = Arc::new((client.try_clone().expect("a socket"), server.try_clone().expect("a socket")));
    let (back, forth) = (client.try_clone().expect("a socket"), server.try_clone().expect("a socket"));
    let close = |ends: &(TcpStream, UnixStream)| {
        let _closed = (ends.0.shutdown(Shutdown::Both), ends.1.shutdown(Shutdown::Both));
    };
    let (shared, both) = (state.clone(), ends.clone());
    std::thread::spawn(move || {
        pass(client, forth, &shared);
        close(&both);
    });
    let shared = state.clone();
    std::thread::spawn(move || {
        pass(server, back, &shared);
        close(&ends);
    });
}

fn pass(mut from: impl Read, mut to: impl Write, state: &AtomicU8) {
    let mut piece = [0; 16_384];
    loop {
        match state.load(Ordering::Relaxed) {
            CUT => return,
            SILENT => {
                std::thread::sleep(Duration::from_millis(20));
                continue;
            }
            _ => {}
        }
        match from.read(&mut piece) {
            Ok(0) => return,
            Ok(length) => {
                if to.write_all(&piece[..length]).is_err() {
                    return;
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
    }
}
