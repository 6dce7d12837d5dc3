//! The style sheet and the icon, compiled in.
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;

const SHEET: &str = include_str!("../../static/portal.css");
const ICON: &str = include_str!("../../static/glosa.svg");

fn file(kind: &'static str, content: &'static str) -> impl IntoResponse {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600")),
    ];
    (headers, content)
}

/// `/portal/portal.css`.
pub(crate) async fn sheet() -> impl IntoResponse {
    file("text/css; charset=utf-8", SHEET)
}

/// `/portal/glosa.svg`.
pub(crate) async fn icon() -> impl IntoResponse {
    file("image/svg+xml", ICON)
}
