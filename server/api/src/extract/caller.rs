//! Who calls: `Authorization: Bearer <API_KEY>`, once.
use crate::Service;
use crate::problem::Problem;
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use glosa_store::AccountId;
use std::fmt;

/// A caller with an active key.
#[derive(Clone)]
pub struct Caller {
    /// Owner of reports, limits and idempotency keys.
    pub account: AccountId,
    presented: String,
}

impl fmt::Debug for Caller {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Caller({})", self.account)
    }
}

impl Caller {
    /// Whether the key is still accepted. Trouble with the database does not end what has begun.
    pub async fn still_active(&self, service: &Service) -> bool {
        !matches!(service.keys().caller(&self.presented).await, Ok(None))
    }
}

fn presented(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    let (scheme, key) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim_matches(' '))
}

impl FromRequestParts<Service> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, service: &Service) -> Result<Self, Problem> {
        let presented = presented(&parts.headers).ok_or_else(Problem::unauthorized)?;
        match service.keys().caller(presented).await {
            Ok(Some(caller)) => Ok(Self { account: caller.account, presented: presented.to_owned() }),
            Ok(None) => Err(Problem::unauthorized()),
            Err(error) => {
                tracing::warn!(%error, "keys cannot be checked");
                Err(Problem::protection())
            }
        }
    }
}
