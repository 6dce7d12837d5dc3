//! One HTTP exchange: its identifier, the headers that every answer has, one log line.
use axum::extract::MatchedPath;
use axum::http::header::X_CONTENT_TYPE_OPTIONS;
use axum::http::{HeaderName, HeaderValue, Method, Request, Response};
use std::time::{Duration, Instant};
use tracing::{Instrument, Span};

/// Name of the header with the identifier to retain for support.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A new identifier of an exchange.
pub fn new_request_id() -> String {
    format!("req_{}", uuid::Uuid::now_v7().simple())
}

/// A request that is being answered.
#[derive(Debug)]
pub struct Exchange {
    /// Its identifier.
    pub id: String,
    /// Method of the request.
    pub method: Method,
    /// Path of the request, without its query.
    pub path: String,
    /// Template of the route, `-` where there is none.
    pub route: String,
    span: Span,
    begun: Instant,
}

impl Exchange {
    /// Begins with a request.
    pub fn begin<B>(request: &Request<B>) -> Self {
        let id = new_request_id();
        let method = request.method().clone();
        let route = request.extensions().get::<MatchedPath>().map_or("-", |route| route.as_str()).to_owned();
        let span = tracing::info_span!("request", %id, %method, route);
        Self { id, method, path: request.uri().path().to_owned(), route, span, begun: Instant::now() }
    }

    /// Does the rest of the exchange; what it logs belongs to this request.
    pub async fn during<F: Future>(&self, rest: F) -> F::Output {
        rest.instrument(self.span.clone()).await
    }

    /// Ends with an answer, which gets its headers, and says how long it took. `code` is the stable word of an error.
    pub fn end<B>(&self, response: &mut Response<B>, code: &str) -> Duration {
        let headers = response.headers_mut();
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if let Ok(id) = HeaderValue::from_str(&self.id) {
            headers.insert(X_REQUEST_ID, id);
        }
        let status = response.status().as_u16();
        let elapsed = self.begun.elapsed();
        let milliseconds = elapsed.as_secs_f64() * 1000.0;
        self.span.in_scope(|| {
            if status >= 500 {
                tracing::error!(status, code, milliseconds, "answered");
            } else {
                tracing::info!(status, code, milliseconds, "answered");
            }
        });
        elapsed
    }
}
