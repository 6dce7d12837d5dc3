//! How catalogs are answered: from memory, with an entity tag.
use crate::engine::{Answer, Generation, Question};
use axum::body::Body;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fmt::Write;

const REVALIDATE: HeaderValue = HeaderValue::from_static("private, no-cache");

/// Answers a catalog question.
pub fn answer<T: Serialize>(
    generation: &Generation,
    headers: &HeaderMap,
    question: Question,
    make: impl FnOnce() -> T,
) -> Response {
    let answer = generation.answer(question, || write(&make()));
    let known = headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|tag| matches!(tag.trim(), "*") || tag.trim().trim_start_matches("W/") == &answer.tag[2..]);
    let mut response = if known {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        let mut response = Response::new(Body::from(answer.body));
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
        response
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, REVALIDATE);
    headers.insert(VARY, ACCEPT_ENCODING.into());
    if let Ok(tag) = HeaderValue::from_str(&answer.tag) {
        headers.insert(ETAG, tag);
    }
    response
}

fn write(value: &impl Serialize) -> Answer {
    let body = serde_json::to_vec(value).unwrap_or_default();
    let mut tag = "W/\"".to_owned();
    for byte in &Sha256::digest(&body)[..12] {
        let _infallible = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    Answer { tag, body: body.into() }
}
