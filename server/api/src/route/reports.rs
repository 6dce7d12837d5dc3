//! `POST /v1/reports` and `GET /v1/reports/{report_id}`.
use crate::Service;
use crate::exchange::Arrival;
use crate::extract::{CreateRate, JsonBody, PathParts, StatusRate};
use crate::limits::{estimated_seconds, words};
use crate::problem::{Code, Fault, Problem};
use crate::refusals::refusals;
use crate::view::{self, Report, ReportAccepted, ReportRequest};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, LOCATION, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use glosa_catalog::GenreError;
use glosa_store::{Idempotency, Look, NewReport, Observed, PollClient, ReportId, StoreError, Submitted};
use serde_json::json;

const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const QUEUE_RETRY: u32 = 5;

refusals!(CreationRefusals:
    RequestTimeout IdempotencyKeyReused TextTooLong RequestTooLarge ValidationError UnknownGenre AmbiguousGenre UnsupportedLanguage
    InvalidIdempotencyKey QueueUnavailable);

/// Create a report
///
/// Queues a text for analysis and answers at once; the analysis has not finished then. Repeating a request with the same
/// `Idempotency-Key` and payload gives the first answer again, with the header `Idempotent-Replayed: true`.
#[utoipa::path(
    post, path = "/v1/reports", tag = "Reports", operation_id = "create_report",
    params(("Idempotency-Key" = Option<String>, Header, description = "Unique key that makes retrying safe; kept for 24 hours for the account.", min_length = 1, max_length = 255, nullable = false)),
    request_body(content = ReportRequest, description = "The text and its genre."),
    responses((status = 202, description = "Accepted and queued.", body = ReportAccepted, headers(
        ("Location" = String, description = "Canonical status resource."),
        ("Retry-After" = u32, description = "Seconds before the first status poll."),
        ("Idempotent-Replayed" = String, description = "`true` when this is the first answer to the Idempotency-Key again."),
    )), CreationRefusals)
)]
pub async fn create_report(
    State(service): State<Service>,
    CreateRate(caller): CreateRate,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, Problem> {
    let limits = service.limits();
    let request = ReportRequest::read(body, limits.external_id_bytes);
    let key = idempotency_key(&headers);
    let (request, key) = match (request, key) {
        (Ok(request), Ok(key)) => (request, key),
        (Err(problem), Ok(_)) => return Err(problem),
        (Ok(_), Err(fault)) => {
            let detail = "The Idempotency-Key header is not usable.";
            return Err(Problem::faults(Code::InvalidIdempotencyKey, detail, vec![fault]));
        }
        (Err(problem), Err(fault)) => return Err(problem.and(fault)),
    };
    let code_points = request.text.chars().count();
    check_length(&request.text, code_points, &service)?;
    let generation = service.engine().current();
    let found =
        generation.snapshot().catalog.find(request.language, request.domain_slug.as_deref(), &request.text_type_slug);
    let (genre, _) = found.map_err(unknown_genre)?;
    let estimate = estimated_seconds(code_points);
    let idempotency = key.map(|key| Idempotency { key, payload: request.canonical() });
    let new = NewReport {
        account: caller.account,
        language: request.language.code().to_owned(),
        domain_slug: genre.domain.slug.clone(),
        text_type_slug: genre.slug.clone(),
        external_id: request.external_id,
        estimated_seconds: Some(estimate),
        first_poll_seconds: limits.first_poll_seconds(estimate),
        client: PollClient::of(caller.key),
        idempotency,
        text: request.text,
    };
    let (accepted, replayed) = match service.store().submit(new).await.map_err(not_queued)? {
        Submitted::Created(accepted) => (accepted, false),
        Submitted::Replayed(accepted) => (accepted, true),
        Submitted::KeyReused => {
            let detail = "The idempotency key belongs to a request with another payload.";
            return Err(Problem::new(Code::IdempotencyKeyReused, detail));
        }
        Submitted::InFlight => return Err(Problem::queue()),
        Submitted::AccountQueueFull => {
            let detail = "The account has as many waiting reports as it may.";
            return Err(Problem::new(Code::RateLimited, detail).retry_after(QUEUE_RETRY));
        }
        Submitted::QueueFull => return Err(Problem::queue().retry_after(QUEUE_RETRY)),
    };
    let retry_after = accepted.retry_after_seconds.max(1);
    let location = view::status_url(accepted.report_id);
    let mut response = (StatusCode::ACCEPTED, Json(ReportAccepted::from(accepted))).into_response();
    let headers = response.headers_mut();
    headers.insert(RETRY_AFTER, retry_after.into());
    headers.insert(CACHE_CONTROL, NO_STORE);
    headers.insert(LOCATION, HeaderValue::from_str(&location).map_err(|_| Problem::internal())?);
    if replayed {
        headers.insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

refusals!(StatusRefusals: ReportNotFound ValidationError PollingTooFast);

/// Get a report
///
/// The state of a report, and its result once completed. While it is queued or running, wait at least the seconds of `Retry-After`
/// before the next request.
///
/// Every answer promises a time. Who waits as long as told is welcome then, however many clients with one key follow the report and
/// whatever the others do; an earlier request is refused with 429. A refusal is sent when whole seconds lead from it to the next such
/// time, and a poll in a contested moment is answered at its end, so while somebody polls too often an answer can take a second and a
/// half. `HEAD` has no such times.
#[utoipa::path(
    get, path = "/v1/reports/{report_id}", tag = "Reports", operation_id = "get_report",
    params(("report_id" = String, Path, description = "Identifier from the creation of the report.")),
    responses((status = 200, description = "The report.", body = Report, headers(
        ("Retry-After" = u32, description = "Seconds before the next poll; while queued or running."),
    )), StatusRefusals)
)]
pub async fn get_report(
    State(service): State<Service>,
    StatusRate(caller): StatusRate,
    method: Method,
    Extension(Arrival(arrived)): Extension<Arrival>,
    path: PathParts,
) -> Result<Response, Problem> {
    let report = report_id(&path)?;
    let observe = |look| service.store().observe(caller.account, report, look);
    let mut bounds = service.limits().poll();
    if method == Method::HEAD {
        bounds.min_seconds = 0;
    }
    let observed = observe(Look::Poll(bounds, PollClient::of(caller.key), arrived)).await;
    let decided = match observed.map_err(|error| unavailable(&error))? {
        Observed::Found(report) if report.hold.is_zero() => Ok(*report),
        Observed::Found(report) => Err((report.hold, report.retry_after_seconds, false)),
        Observed::TooSoon { retry_after_seconds, hold } => Err((hold, Some(retry_after_seconds), true)),
        Observed::Missing => return Err(missing()),
    };
    let (retry_after, report) = match decided {
        Ok(report) => (report.retry_after_seconds, report),
        Err((hold, retry_after, too_soon)) => {
            tokio::time::sleep_until((arrived + hold).into()).await;
            match observe(Look::Answer).await.map_err(|error| unavailable(&error))? {
                Observed::Found(report) if !too_soon || report.status.is_terminal() => (retry_after, *report),
                Observed::Found(_) | Observed::TooSoon { .. } => {
                    let detail = "The report was asked for before the seconds of Retry-After had passed.";
                    let seconds = retry_after.unwrap_or(1);
                    return Err(Problem::new(Code::PollingTooFast, detail).retry_after(seconds));
                }
                Observed::Missing => return Err(missing()),
            }
        }
    };
    let retry_after = retry_after.filter(|_| !report.status.is_terminal());
    let body = Report::try_from(report).map_err(|error| {
        tracing::error!(%error, "a report cannot be shown");
        Problem::internal()
    })?;
    let mut response = Json(body).into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, NO_STORE);
    if let Some(seconds) = retry_after {
        headers.insert(RETRY_AFTER, seconds.max(1).into());
    }
    Ok(response)
}

/// The report that a path names. What is no report id cannot exist.
pub fn report_id(path: &PathParts) -> Result<ReportId, Problem> {
    path.get("report_id").parse().map_err(|_| missing())
}

/// The answer for a report that the caller does not have.
pub fn missing() -> Problem {
    Problem::new(Code::ReportNotFound, "There is no such report.")
}

/// The answer when the database cannot be asked.
pub fn unavailable(error: &StoreError) -> Problem {
    if error.is_unavailable() {
        tracing::warn!(%error, "the database is unavailable");
        Problem::protection()
    } else {
        tracing::error!(%error, "the database failed");
        Problem::internal()
    }
}

fn not_queued(error: StoreError) -> Problem {
    match unavailable(&error).code() {
        Code::ProtectionUnavailable => Problem::queue(),
        _ => Problem::internal(),
    }
}

fn check_length(text: &str, code_points: usize, service: &Service) -> Result<(), Problem> {
    let limits = service.limits();
    let too_long = |what: &str, most: usize, has: usize| {
        let detail = format!("The text has {has} {what}; a report may have at most {most}.");
        let fault = Fault::of_property("text", "text_too_long", format!("Expected at most {most} {what}"));
        let fault = fault.with(json!({ "unit": what, "limit": most, "actual": has }));
        Err(Problem::faults(Code::TextTooLong, detail, vec![fault]))
    };
    let words = words(text);
    if words > limits.words {
        return too_long("words", limits.words, words);
    }
    if code_points > limits.code_points {
        return too_long("characters", limits.code_points, code_points);
    }
    Ok(())
}

fn unknown_genre(error: GenreError) -> Problem {
    match error {
        GenreError::Unknown => {
            let fault = Fault::of_property("text_type_slug", "unknown_genre", "Expected a genre of the language");
            let detail = "The slugs name no genre of the language; GET /v1/text-types lists them.";
            Problem::faults(Code::UnknownGenre, detail, vec![fault])
        }
        GenreError::Ambiguous(domains) => {
            let detail =
                format!("The text type exists in several domains; send domain_slug, one of: {}.", domains.join(", "));
            let fault = Fault::of_property(
                "domain_slug",
                "ambiguous_genre",
                "Expected one of the domains that have the text type",
            );
            let fault = fault.with(json!({ "domains": domains }));
            Problem::faults(Code::AmbiguousGenre, detail, vec![fault])
        }
    }
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Fault> {
    let fault = |kind, msg: &str| Err(Fault::of_parameter("header", "idempotency-key", kind, msg));
    let mut values = headers.get_all("idempotency-key").iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return fault("too_many_values", "Expected the header once");
    }
    let visible = value.as_bytes().iter().all(|byte| (0x20..0x7f).contains(byte));
    match value.to_str() {
        Ok(key) if visible && (1..=255).contains(&key.len()) => Ok(Some(key.to_owned())),
        _ => fault("string_pattern_mismatch", "Expected 1 to 255 visible ASCII characters"),
    }
}
