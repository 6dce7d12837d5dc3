//! What the process counts for its operators, in the text format of Prometheus. Labels are closed sets (routes, methods, statuses,
//! outcomes): nothing that a caller sends can become one.
use axum::http::Method;
use glosa_store::{Backlog, StoreError};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Upper bounds of the buckets in seconds.
const BOUNDS: [f64; 12] = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0];

/// The counts of this process.
pub static PROCESS: Telemetry = Telemetry::new();

/// How an analysis ended, as a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ended {
    /// With a result.
    Completed,
    /// With a failure.
    Failed,
    /// Without an outcome: handed over, or its lease was lost.
    Dropped,
}

impl Ended {
    fn label(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Dropped => "dropped",
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Histogram {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    seconds: f64,
}

impl Histogram {
    fn observe(&mut self, duration: Duration) {
        let seconds = duration.as_secs_f64();
        if let Some(bucket) = BOUNDS.iter().position(|bound| seconds <= *bound) {
            self.buckets[bucket] += 1;
        }
        self.count += 1;
        self.seconds += seconds;
    }

    fn write(&self, out: &mut String, name: &str, labels: &str) {
        let mut below = 0;
        for (bound, count) in BOUNDS.iter().zip(self.buckets) {
            below += count;
            line(out, &format!("{name}_bucket{{{labels},le=\"{bound}\"}}"), below);
        }
        line(out, &format!("{name}_bucket{{{labels},le=\"+Inf\"}}"), self.count);
        line(out, &format!("{name}_sum{{{labels}}}"), self.seconds);
        line(out, &format!("{name}_count{{{labels}}}"), self.count);
    }
}

/// Route, method, status.
type Answer = (String, &'static str, u16);

/// Counts.
#[derive(Debug)]
pub struct Telemetry {
    answers: Mutex<BTreeMap<Answer, Histogram>>,
    analyses: Mutex<BTreeMap<Ended, Histogram>>,
    connections: AtomicI64,
    streams: AtomicI64,
    refused_keys: AtomicU64,
    unseen_keys: AtomicU64,
    unreadable: AtomicU64,
}

/// Counts one of something that is open until dropped.
#[derive(Debug)]
pub struct Open(&'static AtomicI64);

impl Open {
    fn new(gauge: &'static AtomicI64) -> Self {
        gauge.fetch_add(1, Ordering::Relaxed);
        Self(gauge)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Telemetry {
    const fn new() -> Self {
        Self {
            answers: Mutex::new(BTreeMap::new()),
            analyses: Mutex::new(BTreeMap::new()),
            connections: AtomicI64::new(0),
            streams: AtomicI64::new(0),
            refused_keys: AtomicU64::new(0),
            unseen_keys: AtomicU64::new(0),
            unreadable: AtomicU64::new(0),
        }
    }

    /// A request was answered. `route` is the template of the path, never the path.
    pub fn answered(&self, route: &str, method: &Method, status: u16, after: Duration) {
        let answer = (route.to_owned(), known(method), status);
        lock(&self.answers).entry(answer).or_default().observe(after);
    }

    /// An analysis ended.
    pub fn analysed(&self, ended: Ended, after: Duration) {
        lock(&self.analyses).entry(ended).or_default().observe(after);
    }

    /// A connection, open until dropped.
    pub fn connection(&'static self) -> Open {
        Open::new(&self.connections)
    }

    /// An event stream, open until dropped.
    pub fn stream(&'static self) -> Open {
        Open::new(&self.streams)
    }

    /// A key was refused; `unseen` when it was not looked up, because its address sends too many wrong ones.
    pub fn refused_key(&self, unseen: bool) {
        self.refused_keys.fetch_add(1, Ordering::Relaxed);
        if unseen {
            self.unseen_keys.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Something came that is no HTTP request.
    pub fn unreadable(&self) {
        self.unreadable.fetch_add(1, Ordering::Relaxed);
    }

    /// Everything, as Prometheus reads it.
    pub fn text(&self, backlog: &Result<Backlog, StoreError>) -> String {
        let mut out = String::new();
        let mut one = |name: &str, kind: &str, help: &str, value: f64| {
            about(&mut out, name, kind, help);
            line(&mut out, name, value);
        };
        let gauge = |gauge: &AtomicI64| gauge.load(Ordering::Relaxed) as f64;
        let counter = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f64;
        one("glosa_connections", "gauge", "Open connections of this process.", gauge(&self.connections));
        one("glosa_event_streams", "gauge", "Open event streams of this process.", gauge(&self.streams));
        one(
            "glosa_refused_keys_total",
            "counter",
            "Requests with a key that is not accepted.",
            counter(&self.refused_keys),
        );
        one(
            "glosa_unseen_keys_total",
            "counter",
            "Refused keys that were not looked up, because their address sends too many wrong ones.",
            counter(&self.unseen_keys),
        );
        one(
            "glosa_unreadable_requests_total",
            "counter",
            "What came and was no HTTP request.",
            counter(&self.unreadable),
        );
        one("glosa_database_up", "gauge", "Whether the database answers.", f64::from(u8::from(backlog.is_ok())));
        if let Ok(backlog) = backlog {
            let oldest = |seconds: Option<u64>| seconds.unwrap_or(0) as f64;
            one("glosa_queued_reports", "gauge", "Reports that wait.", backlog.queued as f64);
            one("glosa_running_reports", "gauge", "Reports being analysed.", backlog.running as f64);
            one(
                "glosa_oldest_queued_seconds",
                "gauge",
                "Age of the oldest waiting report.",
                oldest(backlog.oldest_queued_seconds),
            );
            one(
                "glosa_oldest_running_seconds",
                "gauge",
                "Time since the start of the oldest running report.",
                oldest(backlog.oldest_running_seconds),
            );
        }
        let name = "glosa_http_request_duration_seconds";
        about(&mut out, name, "histogram", "Time from a request to the head of its answer.");
        for ((route, method, status), histogram) in &*lock(&self.answers) {
            let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
            histogram.write(&mut out, name, &labels);
        }
        let name = "glosa_analysis_duration_seconds";
        about(&mut out, name, "histogram", "Duration of analyses.");
        for (ended, histogram) in &*lock(&self.analyses) {
            histogram.write(&mut out, name, &format!("outcome=\"{}\"", ended.label()));
        }
        out
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn known(method: &Method) -> &'static str {
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
        .into_iter()
        .find(|known| method.as_str() == *known)
        .unwrap_or("other")
}

fn about(out: &mut String, name: &str, kind: &str, help: &str) {
    let _infallible = write!(out, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
}

fn line(out: &mut String, series: &str, value: impl std::fmt::Display) {
    let _infallible = writeln!(out, "{series} {value}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_cumulative_and_labels_closed() {
        let telemetry = Telemetry::new();
        let get = Method::GET;
        for milliseconds in [1, 4, 40_000] {
            telemetry.answered("/v1/metrics", &get, 200, Duration::from_millis(milliseconds));
        }
        telemetry.answered("-", &Method::from_bytes(b"SECRET").unwrap(), 404, Duration::ZERO);
        telemetry.analysed(Ended::Failed, Duration::from_secs(1));
        let text = telemetry.text(&Ok(Backlog { queued: 3, ..Backlog::default() }));
        let labels = "route=\"/v1/metrics\",method=\"GET\",status=\"200\"";
        for (bound, count) in [("0.002", 1), ("0.005", 2), ("30", 2), ("+Inf", 3)] {
            let bucket = format!("glosa_http_request_duration_seconds_bucket{{{labels},le=\"{bound}\"}} {count}\n");
            assert!(text.contains(&bucket), "{bucket}{text}");
        }
        assert!(text.contains("method=\"other\"") && !text.contains("SECRET"));
        assert!(text.contains("glosa_queued_reports 3\n") && text.contains("glosa_database_up 1\n"));
        assert!(text.contains("glosa_analysis_duration_seconds_count{outcome=\"failed\"} 1\n"));
    }
}
