//! `/health` for balancers: whether the process answers, and whether its database does. No part of the interface, so no key.
use crate::Service;
use crate::problem::Problem;
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

/// The process answers.
pub async fn live() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// The process and its database answer.
pub async fn ready(State(service): State<Service>) -> Result<Json<Value>, Problem> {
    match service.store().health().await {
        Ok(()) => Ok(Json(json!({ "status": "ok" }))),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            Err(Problem::queue())
        }
    }
}
