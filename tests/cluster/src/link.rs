//! A network between the program and its database: a relay from a TCP port to the socket of the server, which a test can cut, or
//! silence at the very word that the program says next.
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(20);
const WHOLE: u8 = 0;
const CUT: u8 = 1;
const SILENT: u8 = 2;

/// What the two directions of all connections share.
#[derive(Debug, Default)]
struct Line {
    state: AtomicU8,
    /// The word of the program at which the line falls silent, before the server hears it.
    last_word: Mutex<Option<&'static str>>,
}

impl Line {
    fn state(&self) -> u8 {
        self.state.load(Ordering::Relaxed)
    }

    fn set(&self, state: u8) {
        self.state.store(state, Ordering::Relaxed);
    }

    /// Falls silent where the piece holds the word that was waited for.
    fn hear(&self, piece: &[u8]) {
        let mut last_word = self.last_word.lock().unwrap_or_else(PoisonError::into_inner);
        let said = last_word.is_some_and(|word| piece.windows(word.len()).any(|bytes| bytes == word.as_bytes()));
        if said {
            *last_word = None;
            self.set(SILENT);
        }
    }
}

/// The relay.
#[derive(Debug)]
pub struct Link {
    line: Arc<Line>,
    /// Its port on the loopback address.
    pub port: u16,
}

impl Link {
    /// A whole link to a socket.
    pub fn to(socket: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let line = Arc::new(Line::default());
        let shared = line.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if shared.state() == CUT {
                    continue;
                }
                if let Ok(server) = UnixStream::connect(&socket) {
                    relay(client, server, &shared);
                }
            }
        });
        Self { line, port }
    }

    /// Connections break, and new ones too.
    pub fn cut(&self) {
        self.line.set(CUT);
    }

    /// Nothing gets through, and nobody is told.
    pub fn silence(&self) {
        self.line.set(SILENT);
    }

    /// Silence as soon as the program says a word; the server hears it when the link is mended.
    pub fn silence_at(&self, word: &'static str) {
        *self.line.last_word.lock().unwrap_or_else(PoisonError::into_inner) = Some(word);
    }

    /// Nothing gets through at the moment.
    pub fn is_silent(&self) -> bool {
        self.line.state() == SILENT
    }

    /// Everything gets through again.
    pub fn mend(&self) {
        self.line.set(WHOLE);
    }
}

fn relay(client: TcpStream, server: UnixStream, line: &Arc<Line>) {
    client.set_read_timeout(Some(PAUSE)).expect("a timeout");
    server.set_read_timeout(Some(PAUSE)).expect("a timeout");
    let ends = Arc::new((client.try_clone().expect("a socket"), server.try_clone().expect("a socket")));
    let (back, forth) = (client.try_clone().expect("a socket"), server.try_clone().expect("a socket"));
    let close = |ends: &(TcpStream, UnixStream)| {
        let _closed = (ends.0.shutdown(Shutdown::Both), ends.1.shutdown(Shutdown::Both));
    };
    let (shared, both) = (line.clone(), ends.clone());
    std::thread::spawn(move || {
        pass(client, forth, &shared, |piece| shared.hear(piece));
        close(&both);
    });
    let shared = line.clone();
    std::thread::spawn(move || {
        pass(server, back, &shared, |_| {});
        close(&ends);
    });
}

fn pass(mut from: impl Read, mut to: impl Write, line: &Line, heard: impl Fn(&[u8])) {
    let mut piece = [0; 16_384];
    loop {
        let read = if line.state() == SILENT { Ok(None) } else { from.read(&mut piece).map(Some) };
        if let Ok(Some(length)) = read {
            heard(&piece[..length]);
        }
        while line.state() == SILENT {
            std::thread::sleep(PAUSE);
        }
        if line.state() == CUT {
            return;
        }
        match read {
            Ok(None) => {}
            Ok(Some(0)) => return,
            Ok(Some(length)) => {
                if to.write_all(&piece[..length]).is_err() {
                    return;
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
    }
}
