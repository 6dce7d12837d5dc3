//! The report as a resource: acceptance, status, events.
use super::ReportResult;
use glosa_store as store;
use jiff::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// State of a report. `completed` and `failed` are terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReportStatus {
    /// Accepted, not started.
    Queued,
    /// Being analysed.
    Running,
    /// The result is there.
    Completed,
    /// The analysis failed.
    Failed,
}

impl From<store::ReportStatus> for ReportStatus {
    fn from(status: store::ReportStatus) -> Self {
        match status {
            store::ReportStatus::Queued => Self::Queued,
            store::ReportStatus::Running => Self::Running,
            store::ReportStatus::Completed => Self::Completed,
            store::ReportStatus::Failed => Self::Failed,
        }
    }
}

/// What a running analysis is doing: linguistic analysis, by far the longest part, or applying rules. Not a percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReportPhase {
    /// Linguistic analysis.
    Analyzing,
    /// Applying rules.
    Building,
}

impl From<store::ReportPhase> for ReportPhase {
    fn from(phase: store::ReportPhase) -> Self {
        match phase {
            store::ReportPhase::Analyzing => Self::Analyzing,
            store::ReportPhase::Building => Self::Building,
        }
    }
}

/// A moment in UTC with microseconds, always written the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment(pub Timestamp);

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:.6}", self.0))
    }
}

/// A report was accepted; the analysis has not finished.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReportAccepted {
    /// Unique, opaque identifier of the report.
    pub report_id: String,
    /// Always `queued`.
    pub status: ReportStatus,
    /// Relative URL of the status resource.
    pub status_url: String,
    /// Relative URL of the optional event stream.
    pub events_url: String,
    /// The identifier of the request, unchanged.
    pub external_id: Option<String>,
    /// Rough duration of the analysis in seconds from the length of the text; without the time in the queue.
    pub estimated_seconds: Option<u32>,
}

/// The address of a report.
pub fn status_url(report: store::ReportId) -> String {
    format!("/v1/reports/{report}")
}

/// The address of its event stream.
pub fn events_url(report: store::ReportId) -> String {
    format!("/v1/reports/{report}/events")
}

impl From<store::Accepted> for ReportAccepted {
    fn from(accepted: store::Accepted) -> Self {
        Self {
            report_id: accepted.report_id.to_string(),
            status: ReportStatus::Queued,
            status_url: status_url(accepted.report_id),
            events_url: events_url(accepted.report_id),
            external_id: accepted.external_id,
            estimated_seconds: accepted.estimated_seconds,
        }
    }
}

/// A report: its state, and its result once completed.
#[derive(Debug, Serialize, ToSchema)]
pub struct Report {
    /// Unique, opaque identifier of the report.
    pub report_id: String,
    /// State.
    pub status: ReportStatus,
    /// The identifier of the request, unchanged.
    pub external_id: Option<String>,
    /// Acceptance, UTC.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub created_at: Option<Moment>,
    /// Start of the analysis, UTC.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Moment>,
    /// Last change of state, UTC.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub updated_at: Option<Moment>,
    /// End, UTC.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Moment>,
    /// Rough duration of the analysis in seconds from the length of the text; without the time in the queue.
    pub estimated_seconds: Option<u32>,
    /// Present while running.
    pub phase: Option<ReportPhase>,
    /// Approximate place in the queue while waiting, from 1; not a time estimate.
    #[schema(minimum = 1)]
    pub position_in_queue: Option<u32>,
    /// The result; null unless completed.
    #[schema(value_type = Option<ReportResult>)]
    pub result: Option<Box<RawValue>>,
    /// What went wrong; null unless failed.
    pub error: Option<ReportFailure>,
    /// Relative URL of the status resource; while queued.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub status_url: Option<String>,
    /// Relative URL of the optional event stream; while queued.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub events_url: Option<String>,
}

/// Why an analysis failed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReportFailure {
    /// Always `analysis_failed`.
    #[schema(required = false, default = json!("analysis_failed"))]
    pub code: &'static str,
    /// A description without internals.
    pub message: String,
}

/// A stored result is not JSON: the database was changed by something else.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a stored result is not JSON")]
pub struct DamagedResult;

impl TryFrom<store::Report> for Report {
    type Error = DamagedResult;

    fn try_from(report: store::Report) -> Result<Self, DamagedResult> {
        let result = report
            .result
            .map(|bytes| {
                let text = String::from_utf8(bytes).map_err(|_| DamagedResult)?;
                RawValue::from_string(text).map_err(|_| DamagedResult)
            })
            .transpose()?;
        let queued = report.status == store::ReportStatus::Queued;
        let running = report.status == store::ReportStatus::Running;
        Ok(Self {
            report_id: report.report_id.to_string(),
            status: report.status.into(),
            external_id: report.external_id,
            created_at: Some(Moment(report.created_at)),
            started_at: report.started_at.map(Moment),
            updated_at: Some(Moment(report.updated_at)),
            finished_at: report.finished_at.map(Moment),
            estimated_seconds: report.estimated_seconds,
            phase: report.phase.filter(|_| running).map(Into::into),
            position_in_queue: report.position_in_queue.filter(|_| queued),
            result,
            error: report.failure.map(|message| ReportFailure { code: "analysis_failed", message }),
            status_url: queued.then(|| status_url(report.report_id)),
            events_url: queued.then(|| events_url(report.report_id)),
        })
    }
}

/// Data of a `status` event.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReportEvent {
    /// The report.
    pub report_id: String,
    /// Its state.
    pub status: ReportStatus,
    /// The change, UTC; the same value as `updated_at` of the report.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Moment,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_microseconds_and_z() {
        for (stamp, shown) in [
            ("2026-01-02T03:04:05Z", "\"2026-01-02T03:04:05.000000Z\""),
            ("2026-01-02T03:04:05.123456Z", "\"2026-01-02T03:04:05.123456Z\""),
        ] {
            let moment = Moment(stamp.parse().unwrap());
            assert_eq!(serde_json::to_string(&moment).unwrap(), shown);
        }
    }
}
