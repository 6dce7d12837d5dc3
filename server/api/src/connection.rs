//! Connections: the loop that accepts them, and the guard around each. The HTTP parser answers by itself what it cannot read; the guard
//! gives those answers the shape of every other error. It also lets go of clients that leave an answer unread, as the parser does of
//! those that never finish their headers, so that no client can hold a connection by doing nothing.
use crate::problem::{Code, Problem};
use crate::{Service, Telemetry, exchange};
use axum::Router;
use axum::body::Body;
use axum::http::header::{CONNECTION, HOST};
use axum::http::{Request, Version};
use axum::response::Response;
use glosa_http::{Peer, new_request_id};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, Sleep, sleep, timeout};
use tower::ServiceExt;

const HEAD_BYTES: usize = 32 << 10;
/// What is still read, and for how long, after the last answer: a socket closed over unread bytes takes the answer with it.
/// Ordinary clients send a body to its end before they look for the answer, so they get time and bytes for that.
const LINGER_BYTES: usize = 32 << 20;
const LINGER: Duration = Duration::from_secs(10);
/// Silence of this length ends the wait.
const LINGER_SILENCE: Duration = Duration::from_secs(1);
const START_BYTES: usize = 1 << 10;
/// Requests under way get this long when the process stops.
const DRAIN: Duration = Duration::from_secs(30);

/// Serves `routes` until the service stops, then lets requests under way end. `routes` are those of [`crate::router`], with others of
/// the process merged.
///
/// # Errors
/// None today; those of a listener that cannot go on.
pub async fn serve(service: Service, routes: Router, listener: TcpListener) -> io::Result<()> {
    let stop = service.stop().clone();
    let hub = tokio::spawn(service.hub().clone().run(stop.clone()));
    let places = Arc::new(Semaphore::new(service.limits().connections.clamp(1, Semaphore::MAX_PERMITS)));
    let mut open = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            Some(_) = open.join_next() => continue,
            accepted = accept(&listener, &places) => accepted,
        };
        match accepted {
            Ok((socket, place)) => {
                let (service, routes) = (service.clone(), routes.clone());
                open.spawn(async move {
                    converse(service, routes, socket).await;
                    drop(place);
                });
            }
            Err(error) if is_of_one_client(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                sleep(Duration::from_secs(1)).await;
            }
        }
    }
    drop(listener);
    let _enough = timeout(DRAIN, async { while open.join_next().await.is_some() {} }).await;
    let _ended = hub.await;
    Ok(())
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, Option<tokio::sync::OwnedSemaphorePermit>)> {
    let place = places.clone().acquire_owned().await.ok();
    let (socket, _) = listener.accept().await?;
    Ok((socket, place))
}

fn is_of_one_client(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset)
}

async fn converse(service: Service, routes: Router, socket: TcpStream) {
    let (Ok(peer), Ok(())) = (socket.peer_addr(), socket.set_nodelay(true)) else {
        return;
    };
    let _open = service.telemetry().connection();
    let limits = service.limits();
    let guarded = Guarded::new(socket, limits.read_patience, service.telemetry().clone());
    let framed_twice = guarded.framed_twice.clone();
    let telemetry = service.telemetry().clone();
    let answer = tower::service_fn(move |request: Request<Incoming>| {
        let (routes, telemetry) = (routes.clone(), telemetry.clone());
        let framed_twice = framed_twice.swap(false, Ordering::Relaxed);
        async move {
            match readable(&telemetry, request, framed_twice) {
                Ok(mut request) => {
                    request.extensions_mut().insert(Peer(peer.ip()));
                    routes.oneshot(request.map(Body::new)).await
                }
                Err(refused) => Ok(*refused),
            }
        }
    });
    let io = TokioIo::new(guarded);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_patience)
        .max_header_size(HEAD_BYTES)
        .serve_connection(io, TowerToHyperService::new(answer));
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = service.stop().cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// What the parser lets pass and RFC 9112 does not (3.2, 6.3), and the plain form of a path.
fn readable(
    telemetry: &Telemetry,
    mut request: Request<Incoming>,
    framed_twice: bool,
) -> Result<Request<Incoming>, Box<Response>> {
    let hosts = request.headers().get_all(HOST).iter().count();
    let problem = |detail| Problem::new(Code::BadRequest, detail).header(CONNECTION, "close");
    if hosts > 1 || hosts == 0 && request.version() == Version::HTTP_11 {
        let detail = "A request of HTTP/1.1 has exactly one Host header.";
        return Err(Box::new(exchange::refuse(telemetry, &request, problem(detail))));
    }
    if framed_twice {
        let detail = "A request has Content-Length or Transfer-Encoding, not both.";
        return Err(Box::new(exchange::refuse(telemetry, &request, problem(detail))));
    }
    if let Some(path) = plain(request.uri().path()) {
        let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
        if let Ok(uri) = format!("{path}{query}").parse() {
            *request.uri_mut() = uri;
        }
    }
    Ok(request)
}

/// A path with every letter, digit and mark that needs no escape as itself (RFC 3986, 6.2.2.2); none when it is so already.
fn plain(path: &str) -> Option<String> {
    let mut parts = path.split('%');
    let mut plain = parts.next()?.to_owned();
    let mut changed = false;
    for part in parts {
        let code = part.get(..2).filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let byte = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match byte.filter(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(byte)) {
            Some(byte) => {
                changed = true;
                plain.push(byte.into());
                plain.push_str(&part[2..]);
            }
            None => {
                plain.push('%');
                plain.push_str(part);
            }
        }
    }
    changed.then_some(plain)
}

/// Notices, while a head is read, that it says in two ways how long its body is. The parser follows one and hides the other.
#[derive(Debug, Default)]
struct Framing {
    line: Vec<u8>,
    over: bool,
    length: bool,
    coding: bool,
}

impl Framing {
    /// Longest name that matters, with its colon.
    const NAME: usize = "transfer-encoding:".len();

    /// Whether a head ends in these bytes and has both headers.
    fn read(&mut self, bytes: &[u8]) -> bool {
        for byte in bytes {
            if self.over {
                return false;
            }
            if *byte != b'\n' {
                if self.line.len() < Self::NAME {
                    self.line.push(byte.to_ascii_lowercase());
                }
                continue;
            }
            self.length |= self.line.starts_with(b"content-length:");
            self.coding |= self.line.starts_with(b"transfer-encoding:");
            self.over = matches!(&self.line[..], b"" | b"\r");
            self.line.clear();
            if self.over {
                return self.length && self.coding;
            }
        }
        false
    }
}

/// A socket under guard.
struct Guarded<Io> {
    io: Io,
    framing: Framing,
    /// Whether the last head that was read is framed twice.
    framed_twice: Arc<AtomicBool>,
    /// The first bytes of what is being read.
    start: Vec<u8>,
    patience: Duration,
    telemetry: Telemetry,
    unread: Option<Pin<Box<Sleep>>>,
    instead: Option<Instead>,
    closing: Option<Closing>,
}

/// The end of a connection, after the last answer.
struct Closing {
    drained: usize,
    until: Instant,
    silence: Pin<Box<Sleep>>,
}

/// What is written instead of an answer of the parser.
struct Instead {
    bytes: Vec<u8>,
    written: usize,
    replaced: usize,
}

impl<Io> Guarded<Io> {
    fn new(io: Io, patience: Duration, telemetry: Telemetry) -> Self {
        Self {
            io,
            framing: Framing::default(),
            framed_twice: Arc::default(),
            start: Vec::new(),
            patience,
            telemetry,
            unread: None,
            instead: None,
            closing: None,
        }
    }

    /// Passes an outcome on, and ends the waiting when the client has left an answer unread too long.
    fn patiently<T>(&mut self, cx: &mut Context<'_>, outcome: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.unread = None;
            return outcome;
        }
        let patience = self.patience;
        let unread = self.unread.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(unread.as_mut().poll(cx));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }
}

impl<Io: AsyncWrite + Unpin> Guarded<Io> {
    fn poll_instead(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        while let Some(instead) = &mut self.instead {
            if instead.written == instead.bytes.len() {
                let replaced = instead.replaced;
                self.instead = None;
                return Poll::Ready(Ok(replaced));
            }
            let written = ready!(Pin::new(&mut self.io).poll_write(cx, &instead.bytes[instead.written..]))?;
            if written == 0 {
                return Poll::Ready(Err(ErrorKind::WriteZero.into()));
            }
            instead.written += written;
        }
        Poll::Pending
    }
}

impl<Io: AsyncRead + Unpin> Guarded<Io> {
    /// Reads what still comes, to its end or to a bound.
    fn poll_drain(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let closing = self.closing.get_or_insert_with(|| Closing {
            drained: 0,
            until: Instant::now() + LINGER,
            silence: Box::pin(sleep(LINGER_SILENCE)),
        });
        let mut bytes = [0; 4096];
        while closing.drained < LINGER_BYTES && Instant::now() < closing.until {
            let mut buffer = ReadBuf::new(&mut bytes);
            match Pin::new(&mut self.io).poll_read(cx, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {
                    closing.drained += buffer.filled().len();
                    let until = closing.until.min(Instant::now() + LINGER_SILENCE);
                    closing.silence.as_mut().reset(until);
                }
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => return closing.silence.as_mut().poll(cx),
            }
        }
        Poll::Ready(())
    }
}

impl<Io: AsyncRead + Unpin> AsyncRead for Guarded<Io> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let outcome = Pin::new(&mut self.io).poll_read(cx, buffer);
        let room = START_BYTES.saturating_sub(self.start.len());
        let new = &buffer.filled()[before..];
        if self.framing.read(new) {
            self.framed_twice.store(true, Ordering::Relaxed);
        }
        self.start.extend_from_slice(&new[..new.len().min(room)]);
        outcome
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Guarded<Io> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let guard = &mut *self;
        if guard.instead.is_none() {
            let mut filled = slices.iter().filter(|slice| !slice.is_empty());
            if let (Some(only), None) = (filled.next(), filled.next())
                && let Some(bytes) = instead_of(only, &guard.start)
            {
                guard.telemetry.unreadable();
                guard.instead = Some(Instead { bytes, written: 0, replaced: only.len() });
            }
            guard.start.clear();
            guard.framing = Framing::default();
        }
        let outcome = match guard.instead {
            Some(_) => guard.poll_instead(cx),
            None => Pin::new(&mut guard.io).poll_write_vectored(cx, slices),
        };
        guard.patiently(cx, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.io).poll_flush(cx);
        self.patiently(cx, outcome)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.closing.is_none() {
            let outcome = Pin::new(&mut self.io).poll_shutdown(cx);
            ready!(self.patiently(cx, outcome))?;
        }
        self.poll_drain(cx).map(Ok)
    }
}

/// The problem in place of an answer that the parser made: a whole head of a client error without the header that all answers of ours
/// have.
fn instead_of(answer: &[u8], start: &[u8]) -> Option<Vec<u8>> {
    let head = answer.strip_suffix(b"\r\n\r\n")?;
    let head = std::str::from_utf8(head).ok().filter(|head| head.starts_with("HTTP/1.1 4"))?;
    if head.lines().any(|line| line.to_ascii_lowercase().starts_with("x-request-id:")) {
        return None;
    }
    let is_one_long_line = start.len() >= START_BYTES && !start.contains(&b'\n');
    let code = match head.get(9..12)? {
        "414" => Code::UriTooLong,
        "431" if is_one_long_line => Code::UriTooLong,
        "431" => Code::HeadersTooLarge,
        _ => Code::BadRequest,
    };
    let request_id = new_request_id();
    tracing::info!(id = %request_id, code = code.as_str(), "answered what is no request");
    let body = Problem::new(code, code.meaning()).body(path(start), &request_id);
    let mut bytes = format!("HTTP/1.1 {}\r\n", code.status());
    for line in head.lines().skip(1).filter(|line| !line.to_ascii_lowercase().starts_with("content-length:")) {
        bytes.push_str(line);
        bytes.push_str("\r\n");
    }
    let length = body.len();
    bytes.push_str(&format!(
        "content-type: application/problem+json\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\n\
         x-request-id: {request_id}\r\ncontent-length: {length}\r\n\r\n"
    ));
    let mut bytes = bytes.into_bytes();
    bytes.extend_from_slice(&body);
    Some(bytes)
}

/// The path that a request begins to name, `/` where it cannot be told.
fn path(start: &[u8]) -> &str {
    let line = start.split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
    let target = line.split(|byte| *byte == b' ').nth(1).unwrap_or_default();
    let path = target.split(|byte| matches!(byte, b'?' | b'#')).next().unwrap_or_default();
    let whole = start.len() > path.len() + b"GET ".len() && path.len() < START_BYTES / 2;
    let usable = whole && path.starts_with(b"/") && path.iter().all(u8::is_ascii_graphic);
    std::str::from_utf8(path).ok().filter(|_| usable).unwrap_or("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    const BARE: &[u8] =
        b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

    #[tokio::test]
    async fn an_answer_of_the_parser_becomes_a_problem() {
        let (mut client, socket) = tokio::io::duplex(64);
        let mut guarded = Guarded::new(socket, Duration::from_secs(5), Telemetry::default());
        client.write_all(b"GET /v1/metrics?x=1 HTTP/1.1\r\n").await.unwrap();
        let mut read = [0; 30];
        guarded.read_exact(&mut read).await.unwrap();
        let (written, answer) = tokio::join!(
            async {
                guarded.write_all(BARE).await.unwrap();
                guarded.shutdown().await.unwrap();
            },
            async {
                let mut answer = String::new();
                client.read_to_string(&mut answer).await.unwrap();
                answer
            }
        );
        let () = written;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 431 ") && head.contains("connection: close"), "{head}");
        assert!(head.contains(&format!("content-length: {}", body.len())) && !head.contains("content-length: 0"));
        let problem: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!((&problem["status"], &problem["code"]), (&431.into(), &"headers-too-large".into()));
        assert_eq!(problem["instance"], "/v1/metrics");
        assert!(head.contains(&format!("x-request-id: {}", problem["request_id"].as_str().unwrap())));
    }

    #[tokio::test]
    async fn answers_of_ours_pass_unchanged() {
        for answer in [
            &b"HTTP/1.1 404 Not Found\r\nx-request-id: req_1\r\ncontent-length: 0\r\n\r\n"[..],
            b"HTTP/1.1 200 OK\r\n\r\n",
            b"{\"text\": \"HTTP/1.1 400\"}",
        ] {
            let (mut client, socket) = tokio::io::duplex(1024);
            let mut guarded = Guarded::new(socket, Duration::from_secs(5), Telemetry::default());
            guarded.write_all(answer).await.unwrap();
            drop(guarded);
            let mut seen = Vec::new();
            client.read_to_end(&mut seen).await.unwrap();
            assert_eq!(seen, answer);
        }
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_is_let_go() {
        let (_client, socket) = tokio::io::duplex(16);
        let mut guarded = Guarded::new(socket, Duration::from_millis(20), Telemetry::default());
        let error = guarded.write_all(&[b'x'; 64]).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }

    #[test]
    fn a_head_is_framed_once() {
        let both = b"POST / HTTP/1.1\r\nContent-Length: 3\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
        let one = b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\ntransfer-encoding: x\r\n\r\n";
        for (head, framed_twice) in [(&both[..], true), (one, false)] {
            assert_eq!(Framing::default().read(head), framed_twice);
            let mut framing = Framing::default();
            assert_eq!(head.iter().any(|byte| framing.read(&[*byte])), framed_twice);
        }
    }

    #[test]
    fn paths_have_one_plain_form() {
        assert_eq!(plain("/v1/text%2Dtypes").as_deref(), Some("/v1/text-types"));
        assert_eq!(plain("/v1/%61%2f%C3%b1%7e").as_deref(), Some("/v1/a%2f%C3%b1~"));
        for same in ["/v1/metrics", "/%", "/%2", "/%zz", "/%ñ", "/%00"] {
            assert_eq!(plain(same), None, "{same}");
        }
    }

    #[test]
    fn paths_are_told_where_they_can_be() {
        for (start, told) in [
            (&b"GET /v1/x?secret HTTP/1.1\r\n"[..], "/v1/x"),
            (&b"GET /v1/\0 HTTP/1.1\r\n"[..], "/"),
            (&b"\x16\x03\x01"[..], "/"),
            (&b"GET"[..], "/"),
            (&b""[..], "/"),
        ] {
            assert_eq!(path(start), told, "{start:?}");
        }
    }
}
