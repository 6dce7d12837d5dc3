//! What the process counts for its operators, in the text format of Prometheus. Labels are closed sets (routes, methods, statuses,
//! outcomes): nothing that a caller sends can become one. A `Telemetry` is a handle: its clones count together.
use axum::http::Method;
use glosa_store::{Backlog, StoreError};
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::fmt;
use std::time::Duration;

/// The kind of content that [`Telemetry::text`] writes.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the buckets in seconds.
const BOUNDS: [f64; 12] = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0];

/// How an analysis ended, as a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ended {
    /// With a result.
    Completed,
    /// With a failure.
    Failed,
    /// Without an outcome: handed over, or its lease was lost.
    Dropped,
}

impl EncodeLabelValue for Ended {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        let label = match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Dropped => "dropped",
        };
        label.encode(encoder)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answer {
    route: String,
    method: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Analysis {
    outcome: Ended,
}

type Durations<L> = Family<L, Histogram, fn() -> Histogram>;

fn durations<L: Clone + std::hash::Hash + Eq>() -> Durations<L> {
    Family::new_with_constructor(|| Histogram::new(BOUNDS))
}

/// Counts.
#[derive(Clone, Debug)]
pub struct Telemetry {
    answers: Durations<Answer>,
    analyses: Durations<Analysis>,
    connections: Gauge,
    streams: Gauge,
    refused_keys: Counter,
    unseen_keys: Counter,
    unreadable: Counter,
}

impl Default for Telemetry {
    fn default() -> Self {
        Self {
            answers: durations(),
            analyses: durations(),
            connections: Gauge::default(),
            streams: Gauge::default(),
            refused_keys: Counter::default(),
            unseen_keys: Counter::default(),
            unreadable: Counter::default(),
        }
    }
}

/// Counts one of something that is open until dropped.
#[derive(Debug)]
pub struct Open(Gauge);

impl Open {
    fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Telemetry {
    /// A request was answered. `route` is the template of the path, never the path.
    pub(crate) fn answered(&self, route: &str, method: &Method, status: u16, after: Duration) {
        let answer = Answer { route: route.to_owned(), method: known(method), status };
        self.answers.get_or_create(&answer).observe(after.as_secs_f64());
    }

    /// An analysis ended.
    pub(crate) fn analysed(&self, outcome: Ended, after: Duration) {
        self.analyses.get_or_create(&Analysis { outcome }).observe(after.as_secs_f64());
    }

    /// A connection, open until dropped.
    pub(crate) fn connection(&self) -> Open {
        Open::new(&self.connections)
    }

    /// An event stream, open until dropped.
    pub(crate) fn stream(&self) -> Open {
        Open::new(&self.streams)
    }

    /// A key was refused; `unseen` when it was not looked up, because its address sends too many wrong ones.
    pub(crate) fn refused_key(&self, unseen: bool) {
        self.refused_keys.inc();
        if unseen {
            self.unseen_keys.inc();
        }
    }

    /// Something came that is no HTTP request.
    pub(crate) fn unreadable(&self) {
        self.unreadable.inc();
    }

    /// Everything, as Prometheus reads it. Without an answer of the database nothing is said about the queue.
    ///
    /// # Errors
    /// None: writing into a text does not fail.
    pub(crate) fn text(&self, backlog: &Result<Backlog, StoreError>) -> Result<String, fmt::Error> {
        let mut registry = Registry::with_prefix("glosa");
        registry.register("connections", "Open connections of this process", self.connections.clone());
        registry.register("event_streams", "Open event streams of this process", self.streams.clone());
        registry.register("refused_keys", "Requests with a key that is not accepted", self.refused_keys.clone());
        let unseen = "Refused keys that were not looked up, because their address sends too many wrong ones";
        registry.register("unseen_keys", unseen, self.unseen_keys.clone());
        registry.register("unreadable_requests", "What came and was no HTTP request", self.unreadable.clone());
        let answers = "Time from a request to the head of its answer";
        registry.register("http_request_duration_seconds", answers, self.answers.clone());
        registry.register("analysis_duration_seconds", "Duration of analyses", self.analyses.clone());
        let mut now = |name: &str, help: &str, value: u64| {
            registry.register(name, help, ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX)));
        };
        now("database_up", "Whether the database answers", u64::from(backlog.is_ok()));
        if let Ok(backlog) = backlog {
            let (queued, running) = (backlog.oldest_queued_seconds, backlog.oldest_running_seconds);
            now("queued_reports", "Reports that wait", backlog.queued);
            now("running_reports", "Reports being analysed", backlog.running);
            now("oldest_queued_seconds", "Age of the oldest waiting report", queued.unwrap_or(0));
            let help = "Time since the start of the oldest running report";
            now("oldest_running_seconds", help, running.unwrap_or(0));
        }
        let mut out = String::new();
        text::encode(&mut out, &registry)?;
        Ok(out)
    }
}

fn known(method: &Method) -> &'static str {
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
        .into_iter()
        .find(|known| method.as_str() == *known)
        .unwrap_or("other")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_cumulative_and_labels_closed() {
        let telemetry = Telemetry::default();
        let get = Method::GET;
        for milliseconds in [1, 4, 40_000] {
            telemetry.clone().answered("/v1/metrics", &get, 200, Duration::from_millis(milliseconds));
        }
        telemetry.answered("-", &Method::from_bytes(b"SECRET").unwrap(), 404, Duration::ZERO);
        telemetry.analysed(Ended::Failed, Duration::from_secs(1));
        telemetry.refused_key(true);
        let open = telemetry.connection();
        let text = telemetry.text(&Ok(Backlog { queued: 3, ..Backlog::default() })).unwrap();
        for (bound, count) in [("0.002", 1), ("0.005", 2), ("30.0", 2), ("+Inf", 3)] {
            let bucket = text.lines().find(|line| {
                line.starts_with("glosa_http_request_duration_seconds_bucket{")
                    && line.contains("\"/v1/metrics\"")
                    && line.contains(&format!("le=\"{bound}\""))
            });
            assert!(bucket.is_some_and(|line| line.ends_with(&format!(" {count}"))), "{bound} {bucket:?} {text}");
        }
        assert!(text.contains("method=\"other\"") && !text.contains("SECRET"));
        assert!(text.contains("glosa_queued_reports 3\n") && text.contains("glosa_database_up 1\n"));
        assert!(text.contains("glosa_analysis_duration_seconds_count{outcome=\"failed\"} 1\n"));
        assert!(text.contains("glosa_unseen_keys_total 1\n") && text.contains("glosa_connections 1\n"));
        drop(open);
        let text = telemetry.text(&Err(StoreError::UnknownAccount)).unwrap();
        assert!(text.contains("glosa_connections 0\n") && text.contains("glosa_database_up 0\n"));
        assert!(!text.contains("glosa_queued_reports"));
    }
}
