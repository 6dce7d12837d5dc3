//! Who calls: `Authorization: Bearer <API_KEY>`, once.
use crate::connection::Peer;
use crate::problem::Problem;
use crate::strangers::origin;
use crate::{Service, telemetry};
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use glosa_store::{AccountId, KeyId};
use std::fmt;

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
        let peer = parts.extensions.get::<Peer>().map(|peer| peer.0);
        let origin = origin(peer, &parts.headers);
        let refused = |unseen: bool| {
            service.strangers().count(origin.filter(|_| !unseen));
            telemetry::PROCESS.refused_key(unseen);
            Problem::unauthorized()
        };
        let presented = presented(&parts.headers).ok_or_else(Problem::unauthorized)?;
        if service.strangers().is_refused(origin) && !service.keys().remembers(presented) {
            return Err(refused(true));
        }
        match service.keys().caller(presented).await {
            Ok(Some(caller)) => Ok(Self { account: caller.account, key: caller.key, presented: presented.to_owned() }),
            Ok(None) => Err(refused(false)),
            Err(error) => {
                tracing::warn!(%error, "keys cannot be checked");
                Err(Problem::protection())
            }
        }
    }
}
