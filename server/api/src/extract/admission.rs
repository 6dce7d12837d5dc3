//! Admission under the request rates of the account, and the headers that tell the caller where it stands.
use crate::Service;
use crate::exchange::ExtraHeaders;
use crate::extract::Caller;
use crate::problem::{Code, Problem};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue};
use glosa_store::{AccountId, Admission, RatePolicy};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Proof that the caller may create one more report now.
#[derive(Clone, Debug)]
pub struct CreateRate(pub Caller);

/// Proof that the caller may ask for one more status now.
#[derive(Clone, Debug)]
pub struct StatusRate(pub Caller);

/// Proof that the caller may open one more stream now.
#[derive(Clone, Debug)]
pub struct StreamRate(pub Caller);

async fn admit(
    parts: &Parts,
    service: &Service,
    account: AccountId,
    policy: Option<RatePolicy>,
    unavailable: fn() -> Problem,
) -> Result<(), Problem> {
    let Some(policy) = policy else {
        return Ok(());
    };
    let admission = service.store().admit(account, policy).await;
    let admission = admission.map_err(|error| {
        tracing::warn!(%error, "rates cannot be checked");
        if error.is_unavailable() { unavailable() } else { Problem::internal() }
    })?;
    tell(parts, &policy, &admission);
    if admission.admitted {
        return Ok(());
    }
    Err(Problem::new(Code::RateLimited, "The request rate of the account is used up.")
        .retry_after(admission.retry_after_seconds))
}

fn tell(parts: &Parts, policy: &RatePolicy, admission: &Admission) {
    let Some(extra) = parts.extensions.get::<ExtraHeaders>() else {
        return;
    };
    let name = policy.name;
    let stated = format!("\"{name}\";q={};w={}", policy.quantity, policy.period.as_secs().max(1));
    let state = format!("\"{name}\";r={};t={}", admission.remaining, admission.reset_seconds);
    for (header, value) in [(RATE_LIMIT_POLICY, stated), (RATE_LIMIT, state)] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            extra.insert(header, value);
        }
    }
}

macro_rules! admission {
    ($name:ident, $policy:ident, $unavailable:path) => {
        impl FromRequestParts<Service> for $name {
            type Rejection = Problem;

            async fn from_request_parts(parts: &mut Parts, service: &Service) -> Result<Self, Problem> {
                let caller = Caller::from_request_parts(parts, service).await?;
                let policy = service.limits().$policy();
                admit(parts, service, caller.account, policy, $unavailable).await?;
                Ok(Self(caller))
            }
        }
    };
}

admission!(CreateRate, create_policy, Problem::queue);
admission!(StatusRate, status_policy, Problem::protection);
admission!(StreamRate, stream_policy, Problem::protection);
