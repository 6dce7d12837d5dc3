//! Answers to requests that the portal does not act upon.
use crate::Language;
use axum::http::StatusCode;

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    NotFound,
    Forbidden,
    Method,
    Large,
    Format,
    ApiKey,
    Busy,
    Internal,
}

impl Refusal {
    /// Status, title and words.
    pub(crate) fn page(self, language: Language) -> (StatusCode, &'static str, &'static str) {
        let t = &language.texts().refused;
        let (status, title, words) = match self {
            Self::NotFound => (StatusCode::NOT_FOUND, &t.not_found_title, &t.not_found),
            Self::Forbidden => (StatusCode::FORBIDDEN, &t.forbidden_title, &t.forbidden),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, &t.method_title, &t.method),
            Self::Large => (StatusCode::PAYLOAD_TOO_LARGE, &t.large_title, &t.large),
            Self::Format => (StatusCode::UNSUPPORTED_MEDIA_TYPE, &t.format_title, &t.format),
            Self::ApiKey => (StatusCode::UNAUTHORIZED, &t.key_title, &t.key),
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, &t.busy_title, &t.busy),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, &t.internal_title, &t.internal),
        };
        (status, title, words)
    }

    /// Seconds after which to try again.
    pub(crate) fn retry_after(self) -> Option<u32> {
        (self == Self::Busy).then_some(5)
    }
}
