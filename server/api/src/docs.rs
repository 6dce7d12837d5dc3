//! The documentation page at `/docs`: Swagger UI, shipped inside the program, so that it works without network.
use axum::Router;
use utoipa_swagger_ui::{Config, SwaggerUi};

/// The routes of the page.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    SwaggerUi::new("/docs").config(Config::from("/openapi.json")).into()
}
