//! What all handlers share.
use crate::engine::{Answer, CurrentEngine, Question};
use crate::hub::Hub;
use crate::limits::Limits;
use crate::openapi;
use crate::strangers::Strangers;
use crate::telemetry::Telemetry;
use axum::body::Bytes;
use glosa_store::{KeyRing, Store};
use std::fmt;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The service: store, rules and limits. Cheap to clone.
#[derive(Clone)]
pub struct Service(Arc<Inner>);

struct Inner {
    store: Arc<dyn Store>,
    keys: KeyRing,
    engine: Arc<CurrentEngine>,
    limits: Limits,
    hub: Arc<Hub>,
    stop: CancellationToken,
    base_url: Option<String>,
    strangers: Strangers,
    telemetry: Telemetry,
}

impl fmt::Debug for Service {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Service").field("limits", &self.0.limits).finish_non_exhaustive()
    }
}

impl Service {
    /// A service over a store and rules. Its streams end when `stop` is cancelled. `base_url` is the address under which callers know
    /// it, for its description. What it does is counted in `telemetry`.
    pub fn new(
        store: Arc<dyn Store>,
        engine: Arc<CurrentEngine>,
        limits: Limits,
        base_url: Option<&str>,
        telemetry: Telemetry,
        stop: CancellationToken,
    ) -> Self {
        Self(Arc::new(Inner {
            base_url: base_url.map(str::to_owned),
            strangers: Strangers::new(limits.refused_keys_per_minute),
            keys: KeyRing::new(store.clone()),
            hub: Arc::new(Hub::new(store.clone())),
            store,
            engine,
            limits,
            telemetry,
            stop,
        }))
    }

    /// The database.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.0.store
    }

    /// Callers by key.
    pub fn keys(&self) -> &KeyRing {
        &self.0.keys
    }

    /// Rules and genres.
    pub fn engine(&self) -> &Arc<CurrentEngine> {
        &self.0.engine
    }

    /// Limits.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Changes of reports, for event streams.
    pub(crate) fn hub(&self) -> &Arc<Hub> {
        &self.0.hub
    }

    /// Addresses that present wrong keys.
    pub(crate) fn strangers(&self) -> &Strangers {
        &self.0.strangers
    }

    /// What the process counts.
    pub(crate) fn telemetry(&self) -> &Telemetry {
        &self.0.telemetry
    }

    /// The machine-readable description, with the categories of the rules in use.
    pub(crate) fn description(&self) -> Bytes {
        let generation = self.0.engine.current();
        let make =
            || Answer { tag: String::new(), body: openapi::text(self.0.base_url.as_deref(), generation.snapshot()) };
        generation.answer(Question::Description, make).body
    }

    /// Cancelled when the process stops.
    pub fn stop(&self) -> &CancellationToken {
        &self.0.stop
    }
}
