//! One HTTP exchange: its identifier, the headers that every answer has, the problem body of every error, and one log line. The
//! outermost layer, so that the framework's own answers and panics look like ours.
use crate::problem::Problem;
use crate::telemetry;
use axum::body::Body;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::time::timeout;
use tracing::Instrument;

/// Name of the header with the identifier to retain for support.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Callers give up after 30 seconds; an event stream begins within this time and then lasts.
const ANSWER_WITHIN: Duration = Duration::from_secs(28);
const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

/// Headers that extractors add to the answer, whatever it will be.
#[derive(Clone, Debug, Default)]
pub struct ExtraHeaders(Arc<Mutex<HeaderMap>>);

impl ExtraHeaders {
    /// Adds a header.
    pub fn insert(&self, name: HeaderName, value: HeaderValue) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name, value);
    }
}

/// A new identifier of an exchange.
pub fn new_request_id() -> String {
    format!("req_{}", uuid::Uuid::now_v7().simple())
}

/// The answer when what a request needs does not come in time.
fn too_late(route: &str) -> Problem {
    if route == "/v1/reports" { Problem::queue() } else { Problem::protection() }
}

/// Identifies the exchange, runs the rest of the service, finishes the answer.
pub async fn layer(mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let request_id = new_request_id();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let route = request.extensions().get::<MatchedPath>().map_or("-".to_owned(), |route| route.as_str().to_owned());
    let extra = ExtraHeaders::default();
    request.extensions_mut().insert(extra.clone());
    let span = tracing::info_span!("request", id = %request_id, %method, route = route.as_str());
    let answered = timeout(ANSWER_WITHIN, next.run(request).instrument(span.clone())).await;
    let mut response = answered.unwrap_or_else(|_| too_late(&route).into_response());
    let problem = response.extensions_mut().remove::<Problem>();
    let problem = problem.or_else(|| {
        let status = response.status();
        (status.is_client_error() || status.is_server_error()).then(|| Problem::of_status(status))
    });
    if let Some(problem) = &problem {
        *response.status_mut() = problem.code().status();
        *response.body_mut() = Body::from(problem.body(&path, &request_id));
        let headers = response.headers_mut();
        headers.remove(header::CONTENT_LENGTH);
        headers.insert(header::CONTENT_TYPE, PROBLEM_JSON);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    let headers = response.headers_mut();
    headers.extend(
        extra.0.lock().unwrap_or_else(PoisonError::into_inner).drain().filter_map(|(name, value)| Some((name?, value))),
    );
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    if let Ok(value) = HeaderValue::from_str(&request_id) {
        headers.insert(X_REQUEST_ID, value);
    }
    let code = problem.map_or("", |problem| problem.code().as_str());
    let status = response.status().as_u16();
    let elapsed = started.elapsed();
    telemetry::PROCESS.answered(&route, &method, status, elapsed);
    let milliseconds = elapsed.as_secs_f64() * 1000.0;
    span.in_scope(|| {
        if status >= 500 {
            tracing::error!(status, code, milliseconds, "answered");
        } else {
            tracing::info!(status, code, milliseconds, "answered");
        }
    });
    response
}

/// The answer to a panic. Its message may quote what the caller sent, so it is not looked at.
pub fn panicked(_panic: Box<dyn Any + Send + 'static>) -> Response {
    Problem::internal().into_response()
}
