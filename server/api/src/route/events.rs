//! `GET /v1/reports/{report_id}/events`: a snapshot, then every change, comments in between, and an end after the terminal state.
use crate::Service;
use crate::extract::{Caller, PathParts, StreamRate};
use crate::hub::{Seen, Slot, Watch};
use crate::problem::{Code, Problem};
use crate::refusals::{Events, refusals};
use crate::route::reports::{missing, report_id, unavailable};
use crate::view::{Moment, ReportEvent};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use glosa_store::{Look, Observed, ReportId, ReportStatus};
use jiff::Timestamp;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, interval_at, sleep, timeout};
use tokio_stream::wrappers::ReceiverStream;

const LIFE: Duration = Duration::from_secs(15 * 60);
const KEY_CHECK: Duration = Duration::from_secs(10);
const STALL: Duration = Duration::from_secs(30);
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
const HEARTBEAT: &[u8] = b": heartbeat\n\n";
const FIRST_HEARTBEAT: &[u8] = b": heartbeat\nretry: 3000\n\n";

refusals!(StreamRefusals: ReportNotFound ValidationError TooManyStreams);

/// Follow a report
///
/// Server-sent events named `status`: the state now, then every change. Lines that begin with a colon are heartbeats. The stream ends
/// after `completed` or `failed`; when it ends before, connect again or poll the status.
#[utoipa::path(
    get, path = "/v1/reports/{report_id}/events", tag = "Reports", operation_id = "stream_report_events",
    params(("report_id" = String, Path, description = "Identifier from the creation of the report.")),
    responses(Events, StreamRefusals)
)]
pub async fn stream_report_events(
    State(service): State<Service>,
    StreamRate(caller): StreamRate,
    path: PathParts,
) -> Result<Response, Problem> {
    let report = report_id(&path)?;
    let watch = service.hub().watch(report);
    let observed = service.store().observe(caller.account, report, Look::Stream).await;
    let found = match observed.map_err(|error| unavailable(&error))? {
        Observed::Found(found) => found,
        Observed::TooSoon { .. } | Observed::Missing => return Err(missing()),
    };
    let slot = take_slot(&service, &caller).await?;
    let (send, receive) = mpsc::channel(8);
    let stream = EventStream { service, caller, report, watch, _slot: slot, send };
    tokio::spawn(stream.run(found.status, found.updated_at));
    let mut response = Response::new(Body::from_stream(ReceiverStream::new(receive)));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_ACCEL_BUFFERING, HeaderValue::from_static("no"));
    Ok(response)
}

async fn take_slot(service: &Service, caller: &Caller) -> Result<Option<Slot>, Problem> {
    let cap = service.limits().streams;
    if cap == 0 {
        return Ok(None);
    }
    let stream = service.store().open_stream(caller.account, cap).await;
    match stream.map_err(|error| unavailable(&error))? {
        Some(stream) => Ok(Some(service.hub().keep(stream))),
        None => {
            let detail = format!("The account has {cap} open event streams, the most it may have.");
            Err(Problem::new(Code::TooManyStreams, detail).retry_after(5))
        }
    }
}

struct EventStream {
    service: Service,
    caller: Caller,
    report: ReportId,
    watch: Watch,
    _slot: Option<Slot>,
    send: mpsc::Sender<Result<Bytes, Infallible>>,
}

/// The client is gone or does not read.
struct Over;

impl EventStream {
    async fn run(mut self, status: ReportStatus, at: Timestamp) {
        let _open = self.service.telemetry().stream();
        let _ended = self.follow(status, at).await;
    }

    async fn follow(&mut self, mut last: ReportStatus, at: Timestamp) -> Result<(), Over> {
        self.event(last, at).await?;
        if last.is_terminal() {
            return Ok(());
        }
        self.write(FIRST_HEARTBEAT.into()).await?;
        let beat = self.service.limits().heartbeat;
        let mut heartbeat = interval_at(Instant::now() + beat, beat);
        let mut key_check = interval_at(Instant::now() + KEY_CHECK, KEY_CHECK);
        let mut end = std::pin::pin!(sleep(LIFE));
        let stop = self.service.stop().clone();
        loop {
            let seen = tokio::select! {
                () = self.send.closed() => return Err(Over),
                () = stop.cancelled() => return Ok(()),
                () = &mut end => return Ok(()),
                _ = heartbeat.tick() => {
                    self.write(HEARTBEAT.into()).await?;
                    continue;
                }
                _ = key_check.tick() => {
                    if !self.caller.still_active(&self.service).await {
                        return Ok(());
                    }
                    continue;
                }
                changed = self.watch.changes.changed() => match changed {
                    Ok(()) => *self.watch.changes.borrow_and_update(),
                    Err(_) => return Ok(()),
                },
            };
            let standing = match seen {
                Seen::At(standing) => standing,
                Seen::Gone => return Ok(()),
                Seen::Unknown => continue,
            };
            if standing.status <= last || last.is_terminal() {
                continue;
            }
            if last == ReportStatus::Queued && standing.status.is_terminal() {
                let started = standing.started_at.unwrap_or(standing.updated_at);
                self.event(ReportStatus::Running, started).await?;
            }
            last = standing.status;
            self.event(last, standing.updated_at).await?;
            if last.is_terminal() {
                return Ok(());
            }
        }
    }

    async fn event(&self, status: ReportStatus, at: Timestamp) -> Result<(), Over> {
        let data = ReportEvent { report_id: self.report.to_string(), status: status.into(), updated_at: Moment(at) };
        let data = serde_json::to_string(&data).map_err(|_| Over)?;
        self.write(format!("event: status\ndata: {data}\n\n").into_bytes()).await
    }

    async fn write(&self, frame: Vec<u8>) -> Result<(), Over> {
        match timeout(STALL, self.send.send(Ok(frame.into()))).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Over),
        }
    }
}
