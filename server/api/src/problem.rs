//! The one error shape: `application/problem+json` with a stable code. Handlers return a [`Problem`]; the exchange layer adds what
//! only it knows (path, request id) and writes the body.
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Map, Value};

macro_rules! codes {
    ($($name:ident $code:literal $status:literal $title:literal $meaning:literal)*) => {
        /// The stable codes of problems. `analysis_failed` is not among them: it belongs to a report, not to a response.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Code {
            $(#[doc = $meaning] $name,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];

            /// The word of the interface.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }

            /// The HTTP status that carries it.
            pub fn status(self) -> StatusCode {
                let status = match self { $(Code::$name => $status,)* };
                StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
            }

            /// The stable title.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }

            /// What it means and what to do, for the page of its type.
            pub fn meaning(self) -> &'static str {
                match self { $(Code::$name => $meaning,)* }
            }
        }
    };
}

codes! {
    BadRequest "bad-request" 400 "Bad request"
        "What was sent is no HTTP/1.1 request: a line or header cannot be read, `Host` does not stand there once, or the length of the body is told in two ways."
    Unauthorized "unauthorized" 401 "Unauthorized"
        "The request has no active API key. Send `Authorization: Bearer <API_KEY>` with a key that was neither revoked nor belongs to an inactive account."
    NotFound "not-found" 404 "Not found"
        "There is no resource at this address."
    ReportNotFound "report-not-found" 404 "Report not found"
        "No report of this account has this identifier. It may have expired."
    MetricNotFound "metric-not-found" 404 "Metric not found"
        "No measurement or rule of this identifier exists for the analysis language."
    GenreNotFound "genre-not-found" 404 "Genre not found"
        "The domain and text type name no genre of the requested language."
    MethodNotAllowed "method-not-allowed" 405 "Method not allowed"
        "The address exists but not with this method; the `Allow` header lists those it has."
    RequestTimeout "request-timeout" 408 "Request timeout"
        "The body of the request did not arrive in time. Send it again over a faster connection."
    IdempotencyKeyReused "idempotency-key-reused" 409 "Idempotency key reused"
        "The idempotency key was used in the last 24 hours for another payload. Use a new key for a new request."
    TextTooLong "text-too-long" 413 "Text too long"
        "The text has more words or characters than one report may have. Split it."
    RequestTooLarge "request-too-large" 413 "Request too large"
        "The request body has more bytes than the service reads."
    UriTooLong "uri-too-long" 414 "Address too long"
        "The address of the request is longer than any of the service."
    ValidationError "validation-error" 422 "Validation error"
        "The request is not as the interface describes it; `errors` lists every place."
    UnknownGenre "unknown-genre" 422 "Unknown genre"
        "The slugs name no genre of the language. `GET /v1/text-types` lists those there are."
    AmbiguousGenre "ambiguous-genre" 422 "Ambiguous genre"
        "The text type exists in several domains. Send `domain_slug` too."
    IncompleteGenreFilter "incomplete-genre-filter" 422 "Incomplete genre filter"
        "`domain_slug` and `text_type_slug` filter together; only one was sent."
    UnsupportedLanguage "unsupported-language" 422 "Unsupported language"
        "The language is none of es, ca and en."
    InvalidIdempotencyKey "invalid-idempotency-key" 422 "Invalid idempotency key"
        "The `Idempotency-Key` header must come once and have 1 to 255 visible ASCII characters."
    RateLimited "rate-limited" 429 "Too many requests"
        "The account sends more requests than its rate allows, or so many wrong keys come from its network that the key was not looked at. Wait the seconds of `Retry-After`."
    PollingTooFast "polling-too-fast" 429 "Polling too fast"
        "The status was asked for before the seconds of the last `Retry-After` had passed. The refused request did not move the time."
    TooManyStreams "too-many-streams" 429 "Too many event streams"
        "The account has as many open event streams as it may. Close one, or poll the status."
    HeadersTooLarge "headers-too-large" 431 "Headers too large"
        "The headers of the request are too many or too long."
    QueueUnavailable "queue-unavailable" 503 "Queue unavailable"
        "The analysis queue cannot take the report now. Nothing was stored: send the same request again later."
    ProtectionUnavailable "protection-unavailable" 503 "Service temporarily unavailable"
        "The service cannot check the limits of the account now. Send the same request again later."
    InternalError "internal-error" 500 "Internal error"
        "The service failed. Keep the request identifier for support."
}

/// Where and why one part of a request is wrong. Never holds the value that was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// JSON pointer (RFC 6901) into the body; none for headers, query and path.
    pub pointer: Option<String>,
    /// Place as a path: `body`, `query`, `path` or `header`, then names.
    pub loc: Vec<Value>,
    /// What is expected.
    pub msg: String,
    /// Stable kind of the fault.
    pub kind: &'static str,
    /// Figures of the message.
    pub ctx: Option<Value>,
}

impl Fault {
    /// A fault of the body as a whole.
    pub fn of_body(kind: &'static str, msg: impl Into<String>) -> Self {
        Self { pointer: Some(String::new()), loc: vec!["body".into()], msg: msg.into(), kind, ctx: None }
    }

    /// A fault of one property of the body.
    pub fn of_property(name: &str, kind: &'static str, msg: impl Into<String>) -> Self {
        let name: String = name.chars().take(100).collect();
        Self {
            pointer: Some(format!("/{}", name.replace('~', "~0").replace('/', "~1"))),
            loc: vec!["body".into(), name.into()],
            msg: msg.into(),
            kind,
            ctx: None,
        }
    }

    /// A fault of a `query`, `path` or `header` value.
    pub fn of_parameter(place: &'static str, name: &str, kind: &'static str, msg: impl Into<String>) -> Self {
        Self { pointer: None, loc: vec![place.into(), name.into()], msg: msg.into(), kind, ctx: None }
    }

    /// Adds figures.
    pub fn with(mut self, ctx: Value) -> Self {
        self.ctx = Some(ctx);
        self
    }

    fn json(&self) -> Value {
        let mut item = Map::new();
        item.insert("pointer".into(), self.pointer.clone().into());
        item.insert("loc".into(), self.loc.clone().into());
        item.insert("msg".into(), self.msg.clone().into());
        item.insert("type".into(), self.kind.into());
        if let Some(ctx) = &self.ctx {
            item.insert("ctx".into(), ctx.clone());
        }
        item.into()
    }
}

/// The most faults that one answer lists.
pub const FAULTS: usize = 50;

/// An error on its way to the caller.
#[derive(Clone, Debug)]
pub struct Problem(Box<Parts>);

#[derive(Clone, Debug)]
struct Parts {
    code: Code,
    detail: String,
    retry_after: Option<u32>,
    faults: Vec<Fault>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Problem {
    /// A problem with an explanation of this occurrence. The explanation must not hold what the caller sent.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            code,
            detail: detail.into(),
            retry_after: None,
            faults: Vec::new(),
            headers: Vec::new(),
        }))
    }

    /// A validation problem with all its places.
    pub fn faults(code: Code, detail: impl Into<String>, faults: Vec<Fault>) -> Self {
        let mut problem = Self::new(code, detail);
        problem.0.faults = faults;
        problem.0.faults.truncate(FAULTS);
        problem
    }

    /// The same problem with one more fault; of another kind, so the code becomes that of any fault.
    pub fn and(mut self, fault: Fault) -> Self {
        if self.0.faults.len() < FAULTS {
            self.0.faults.push(fault);
        }
        self.0.code = Code::ValidationError;
        self
    }

    /// Adds the seconds after which the request may come again; at least 1.
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.0.retry_after = Some(seconds.max(1));
        self
    }

    /// Adds a header to the response.
    pub fn header(mut self, name: HeaderName, value: &'static str) -> Self {
        self.0.headers.push((name, HeaderValue::from_static(value)));
        self
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The answer to a request without an active key, the same for every reason.
    pub fn unauthorized() -> Self {
        Self::new(
            Code::Unauthorized,
            "An active API key is required in the Authorization header, as `Bearer <API_KEY>`.",
        )
        .header(axum::http::header::WWW_AUTHENTICATE, "Bearer")
    }

    /// The answer to a defect of ours.
    pub fn internal() -> Self {
        Self::new(Code::InternalError, "The service failed while answering this request.")
    }

    /// The answer when the limits cannot be checked.
    pub fn protection() -> Self {
        Self::new(Code::ProtectionUnavailable, "The limits of the account cannot be checked at the moment.")
            .retry_after(5)
    }

    /// The answer when nothing can be queued.
    pub fn queue() -> Self {
        Self::new(
            Code::QueueUnavailable,
            "The analysis queue cannot take the report at the moment; nothing was stored.",
        )
        .retry_after(5)
    }

    /// The problem that stands for a response made by the framework.
    pub(crate) fn of_status(status: StatusCode) -> Self {
        match status.as_u16() {
            404 => Self::new(Code::NotFound, "There is no resource at this address."),
            405 => Self::new(Code::MethodNotAllowed, "This address does not have this method."),
            413 => Self::new(Code::RequestTooLarge, "The request body has more bytes than the service reads."),
            400..500 => Self::new(Code::ValidationError, "The request is not as the interface describes it."),
            _ => Self::internal(),
        }
    }

    /// The body, once path and request id are known.
    pub(crate) fn body(&self, instance: &str, request_id: &str) -> Vec<u8> {
        let Parts { code, detail, retry_after, faults, .. } = &*self.0;
        let errors = (!faults.is_empty()).then(|| faults.iter().map(Fault::json).collect::<Vec<_>>());
        let body = Body {
            kind: format!("/problems/{}", code.as_str()),
            title: code.title(),
            status: code.status().as_u16(),
            detail,
            instance,
            code: code.as_str(),
            request_id,
            retry_after_seconds: *retry_after,
            errors,
        };
        serde_json::to_vec(&body).unwrap_or_default()
    }
}

#[derive(Serialize)]
struct Body<'p> {
    #[serde(rename = "type")]
    kind: String,
    title: &'static str,
    status: u16,
    detail: &'p str,
    instance: &'p str,
    code: &'static str,
    request_id: &'p str,
    retry_after_seconds: Option<u32>,
    errors: Option<Vec<Value>>,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.0.code.status().into_response();
        if let Some(seconds) = self.0.retry_after {
            response.headers_mut().insert(axum::http::header::RETRY_AFTER, seconds.into());
        }
        for (name, value) in &self.0.headers {
            response.headers_mut().insert(name, value.clone());
        }
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_a_public_table() {
        let table: String = Code::ALL
            .iter()
            .map(|code| format!("{} {} {}\n", code.status().as_u16(), code.as_str(), code.title()))
            .collect();
        insta::assert_snapshot!(table);
    }

    #[test]
    fn pointers_are_escaped() {
        let fault = Fault::of_property("a/b~c", "extra_forbidden", "no");
        assert_eq!(fault.pointer.as_deref(), Some("/a~1b~0c"));
    }
}
