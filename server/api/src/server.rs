//! The routers with their layers.
use crate::route::{events, health, metrics, problems, reports, text_types};
use crate::{Service, Telemetry, accept, docs, exchange, telemetry};
use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{from_fn_with_state, map_request};
use axum::response::IntoResponse;
use axum::routing::get;
use glosa_store::Store;
use std::io;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

const SMALLEST_COMPRESSED: u64 = 1024;

/// The endpoints of `/v1` with their descriptions.
pub(crate) fn described() -> OpenApiRouter<Service> {
    OpenApiRouter::new()
        .routes(routes!(reports::create_report))
        .routes(routes!(reports::get_report))
        .routes(routes!(events::stream_report_events))
        .routes(routes!(metrics::list_metrics))
        .routes(routes!(metrics::get_metric))
        .routes(routes!(text_types::list_text_types))
        .routes(routes!(text_types::get_text_type))
        .routes(routes!(text_types::list_genre_glossaries))
}

async fn description(State(service): State<Service>) -> impl IntoResponse {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, service.description())
}

/// Everything the service answers.
pub fn router(service: Service) -> Router {
    let (endpoints, _) = described().split_for_parts();
    let routes = endpoints
        .route("/openapi.json", get(description))
        .route("/v1/openapi.json", get(description))
        .route("/problems/{code}", get(problems::page))
        .route("/health", get(health::live))
        .route("/health/ready", get(health::ready))
        .merge(docs::routes());
    layered(routes, service.telemetry().clone()).with_state(service)
}

/// What every answer passes, the framework's own and those after panics too.
fn layered<S: Clone + Send + Sync + 'static>(routes: Router<S>, telemetry: Telemetry) -> Router<S> {
    let compressed = SizeAbove::new(SMALLEST_COMPRESSED).and(NotForContentType::SSE);
    routes
        .fallback(async || crate::Problem::of_status(StatusCode::NOT_FOUND))
        .layer(CompressionLayer::new().gzip(true).compress_when(compressed))
        .layer(map_request(async |request| accept::simplified(request)))
        .layer(CatchPanicLayer::custom(exchange::panicked))
        .layer(from_fn_with_state(telemetry, exchange::layer))
}

/// What operators see, on a listener of its own: counts for Prometheus and health. No key, so the listener belongs on an address that
/// callers do not reach.
///
/// # Errors
/// Those of the listener.
pub async fn administer(
    store: Arc<dyn Store>,
    telemetry: Telemetry,
    listener: TcpListener,
    stop: CancellationToken,
) -> io::Result<()> {
    async fn counts(store: Arc<dyn Store>, telemetry: Telemetry) -> impl IntoResponse {
        let counts = telemetry.text(&store.backlog().await).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
        Ok::<_, StatusCode>(([(CONTENT_TYPE, HeaderValue::from_static(telemetry::CONTENT_TYPE))], counts))
    }
    let seen = store.clone();
    async fn ready(State(store): State<Arc<dyn Store>>) -> StatusCode {
        store.health().await.map_or(StatusCode::SERVICE_UNAVAILABLE, |()| StatusCode::OK)
    }
    let routes = Router::new()
        .route("/metrics", get(move || counts(seen.clone(), telemetry.clone())))
        .route("/health", get(async || StatusCode::OK))
        .route("/health/ready", get(ready))
        .with_state(store);
    axum::serve(listener, routes).with_graceful_shutdown(async move { stop.cancelled().await }).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::http::Request;
    use axum::response::Response;
    use serde_json::Value;
    use tower::ServiceExt;

    async fn broken() -> &'static str {
        let text = "a secret of the caller".to_owned();
        panic!("cannot handle {text}")
    }

    async fn answer(path: &str) -> (Response<()>, Value) {
        let routes = layered(
            Router::new().route("/broken", get(broken)).route("/teapot", get(StatusCode::IM_A_TEAPOT)),
            Telemetry::default(),
        );
        let request = Request::get(path).body(Body::empty()).unwrap();
        let (parts, body) = routes.oneshot(request).await.unwrap().into_parts();
        let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
        (Response::from_parts(parts, ()), serde_json::from_slice(&body).unwrap())
    }

    #[tokio::test]
    async fn a_panic_is_a_problem_without_its_message() {
        let (response, problem) = answer("/broken?x=y").await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(response.headers()[CONTENT_TYPE], "application/problem+json");
        assert_eq!(response.headers()[glosa_http::X_REQUEST_ID], problem["request_id"].as_str().unwrap());
        assert_eq!((&problem["code"], &problem["instance"]), (&"internal-error".into(), &"/broken".into()));
        assert!(!problem.to_string().contains("secret"));
    }

    #[tokio::test]
    async fn an_answer_of_the_framework_is_a_problem() {
        let (response, problem) = answer("/teapot").await;
        assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(problem["status"], 422);
    }
}
