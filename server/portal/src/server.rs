//! The router of the portal with what every answer passes: identifier, headers, one log line, a page after a panic.
use crate::page::{Frame, Message};
use crate::refusal::Refusal;
use crate::route::{contact, keys, log_in, password, reset, style};
use crate::visit::{Visit, language};
use crate::{Language, Portal};
use askama::Template;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{any, get, post};
use glosa_http::Exchange;
use std::any::Any;
use tower_http::catch_panic::CatchPanicLayer;

const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// Everything below `/portal`.
pub fn router(portal: Portal) -> Router {
    Router::new()
        .route("/portal", get(async || Redirect::permanent("/portal/")))
        .route("/portal/", get(log_in::page).post(log_in::enter))
        .route("/portal/leave", post(log_in::leave))
        .route("/portal/invitation/{token}", get(password::invitation).post(password::accept))
        .route("/portal/reset", get(reset::page).post(reset::send))
        .route("/portal/reset/{token}", get(password::reset).post(password::change))
        .route("/portal/keys", get(keys::page).post(keys::create))
        .route("/portal/keys/{key}/revoke", get(keys::ask).post(keys::revoke))
        .route("/portal/contact", get(contact::page).post(contact::send))
        .route("/portal/portal.css", get(style::sheet))
        .route("/portal/glosa.svg", get(style::icon))
        .route("/portal/{*rest}", any(not_found))
        .method_not_allowed_fallback(method_not_allowed)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(portal.clone(), exchange))
        .with_state(portal)
}

async fn not_found(visit: Visit) -> Response {
    visit.refuse(Refusal::NotFound)
}

async fn method_not_allowed(visit: Visit) -> Response {
    visit.refuse(Refusal::Method)
}

/// The message of a panic may quote what a visitor sent, so it is not looked at.
fn panicked(_panic: Box<dyn Any + Send + 'static>) -> Response {
    StatusCode::INTERNAL_SERVER_ERROR.into_response()
}

/// The page of a defect, made without database and cookie.
fn internal(language: Language, request_id: &str) -> Option<String> {
    let (_, title, words) = Refusal::Internal.page(language);
    let frame = Frame {
        language,
        title: title.to_owned(),
        person: None,
        form: String::new(),
        may_switch: false,
        is_error: true,
        notice: None,
    };
    let t = frame.texts();
    let links = vec![("/portal/", t.refused.back.as_str())];
    let paragraphs = vec![words.to_owned()];
    Message { t, frame, paragraphs, reference: Some(request_id.to_owned()), links }.render().ok()
}

async fn exchange(State(portal): State<Portal>, request: Request, next: Next) -> Response {
    let exchange = Exchange::begin(&request);
    let language = language(request.headers());
    let mut response = exchange.during(next.run(request)).await;
    if response.status() == StatusCode::INTERNAL_SERVER_ERROR
        && let Some(page) = internal(language, &exchange.id)
    {
        *response.body_mut() = Body::from(page);
        response.headers_mut().remove(CONTENT_LENGTH);
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    }
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "same-origin"),
        (OPENER_POLICY, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if portal.site().is_secure() {
        headers.insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    exchange.end(&mut response, "");
    response
}
