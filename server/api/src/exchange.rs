//! What every answer of the API passes: the shape of errors, headers that extractors added, the time that a caller waits at most. The
//! outermost layer, so that the framework's own answers and panics look like ours.
use crate::Telemetry;
use crate::problem::Problem;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use glosa_http::Exchange;
use std::any::Any;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// Callers give up after 30 seconds; an event stream begins within this time and then lasts.
const ANSWER_WITHIN: Duration = Duration::from_secs(28);
const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

/// When a request came.
#[derive(Clone, Copy, Debug)]
pub struct Arrival(pub Instant);

/// Headers that extractors add to the answer, whatever it will be.
#[derive(Clone, Debug, Default)]
pub struct ExtraHeaders(Arc<Mutex<HeaderMap>>);

impl ExtraHeaders {
    /// Adds a header.
    pub fn insert(&self, name: HeaderName, value: HeaderValue) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name, value);
    }
}

/// The answer when what a request needs does not come in time.
fn too_late(route: &str) -> Problem {
    if route == "/v1/reports" { Problem::queue() } else { Problem::protection() }
}

/// Identifies the exchange, runs the rest of the service, finishes the answer.
pub async fn layer(State(telemetry): State<Telemetry>, mut request: Request, next: Next) -> Response {
    let exchange = Exchange::begin(&request);
    let extra = ExtraHeaders::default();
    request.extensions_mut().insert(extra.clone());
    request.extensions_mut().insert(Arrival(Instant::now()));
    let answered = exchange.during(timeout(ANSWER_WITHIN, next.run(request))).await;
    let mut response = answered.unwrap_or_else(|_| too_late(&exchange.route).into_response());
    let added = std::mem::take(&mut *extra.0.lock().unwrap_or_else(PoisonError::into_inner));
    response.headers_mut().extend(added.into_iter().filter_map(|(name, value)| Some((name?, value))));
    finish(&telemetry, &exchange, response)
}

/// The whole answer to a request that goes no further.
pub fn refuse<B>(telemetry: &Telemetry, request: &axum::http::Request<B>, problem: Problem) -> Response {
    finish(telemetry, &Exchange::begin(request), problem.into_response())
}

fn finish(telemetry: &Telemetry, exchange: &Exchange, mut response: Response) -> Response {
    let problem = response.extensions_mut().remove::<Problem>();
    let problem = problem.or_else(|| {
        let status = response.status();
        (status.is_client_error() || status.is_server_error()).then(|| Problem::of_status(status))
    });
    let headers = response.headers_mut();
    if let Some(problem) = &problem {
        headers.remove(header::CONTENT_LENGTH);
        headers.insert(header::CONTENT_TYPE, PROBLEM_JSON);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        *response.status_mut() = problem.code().status();
        *response.body_mut() = Body::from(problem.body(&exchange.path, &exchange.id));
    } else if response.status() == StatusCode::NOT_MODIFIED {
        response.headers_mut().remove(header::CONTENT_LENGTH);
        *response.body_mut() = Body::from_stream(tokio_stream::empty::<Result<Bytes, Infallible>>());
    }
    let code = problem.map_or("", |problem| problem.code().as_str());
    let elapsed = exchange.end(&mut response, code);
    telemetry.answered(&exchange.route, &exchange.method, response.status().as_u16(), elapsed);
    response
}

/// The answer to a panic. Its message may quote what the caller sent, so it is not looked at.
pub fn panicked(_panic: Box<dyn Any + Send + 'static>) -> Response {
    Problem::internal().into_response()
}
