//! Who calls: `Authorization: Bearer <API_KEY>`, once.
use crate::Service;
use crate::problem::{Code, Problem};
use crate::strangers::Crowded;
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use glosa_http::Origin;
use glosa_store::{AccountId, KeyId};
use std::fmt;

const CROWD_RETRY: u32 = 5;

/// A caller with an active key.
#[derive(Clone)]
pub struct Caller {
    /// Owner of reports, limits and idempotency keys.
    pub account: AccountId,
    /// The key used; it tells apart the clients of an account.
    pub key: KeyId,
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
        let origin = Origin::of(&parts.extensions, &parts.headers);
        let _turn = if service.keys().remembers(presented) {
            None
        } else {
            service.strangers().turn(origin).await.map_err(|Crowded| {
                service.telemetry().refused_key(true);
                let detail = "Too many wrong keys come from this network for the key to be looked at now.";
                Problem::new(Code::RateLimited, detail).retry_after(CROWD_RETRY)
            })?
        };
        match service.keys().caller(presented).await {
            Ok(Some(caller)) => Ok(Self { account: caller.account, key: caller.key, presented: presented.to_owned() }),
            Ok(None) => {
                service.strangers().count(origin);
                service.telemetry().refused_key(false);
                Err(Problem::unauthorized())
            }
            Err(error) => {
                tracing::warn!(%error, "keys cannot be checked");
                Err(Problem::protection())
            }
        }
    }
}
