//! The error object, for the description of the interface: responses are written by the exchange layer.
#![expect(dead_code, reason = "these types are descriptions and have no values")]
use serde_json::Value;
use utoipa::ToSchema;

/// An error (RFC 9457).
#[derive(Debug, ToSchema)]
pub struct ApiProblem {
    /// URI reference that identifies the problem type.
    #[schema(rename = "type", format = "uri-reference")]
    pub kind: String,
    /// Short, stable title.
    pub title: String,
    /// HTTP status code.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// Explanation of this occurrence for people.
    pub detail: String,
    /// Request path.
    pub instance: String,
    /// Stable machine-readable code.
    pub code: String,
    /// Identifier to retain for support; equal to `X-Request-ID`.
    pub request_id: String,
    /// Seconds to wait before the request may come again; equal to `Retry-After`.
    #[schema(minimum = 1)]
    pub retry_after_seconds: Option<u32>,
    /// All places where the request is wrong.
    pub errors: Option<Vec<ProblemItem>>,
}

/// One place where a request is wrong.
#[derive(Debug, ToSchema)]
pub struct ProblemItem {
    /// JSON pointer into the body; null for headers, query and path.
    pub pointer: Option<String>,
    /// Place: `body`, `query`, `path` or `header`, then names.
    #[schema(value_type = Vec<Value>)]
    pub loc: Vec<Value>,
    /// What is expected.
    pub msg: String,
    /// Stable kind of the fault.
    #[schema(rename = "type")]
    pub kind: String,
    /// Figures of the message.
    #[schema(value_type = Object, required = false)]
    pub ctx: Option<Value>,
}

/// Alternative shape of validation errors. Kept for older clients; this service answers with `ApiProblem`.
#[derive(Debug, ToSchema)]
#[schema(as = HTTPValidationError)]
pub struct HttpValidationError {
    /// The faults.
    #[schema(required = false)]
    pub detail: Vec<ValidationError>,
}

/// One fault of a validation error.
#[derive(Debug, ToSchema)]
pub struct ValidationError {
    /// Place.
    #[schema(value_type = Vec<Value>)]
    pub loc: Vec<Value>,
    /// What is expected.
    pub msg: String,
    /// Kind of the fault.
    #[schema(rename = "type")]
    pub kind: String,
}
