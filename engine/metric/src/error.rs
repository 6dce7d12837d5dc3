//! What can go wrong while a metric runs. Any of these fails the report, never the process.

/// A failure of one metric on one text.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum MetricError {
    /// The metric asked for a parameter that its folder does not declare.
    #[error("parameter `{key}` is not declared in metric.yaml{hint}", hint = hint(known))]
    UnknownParam {
        /// The key that was asked for.
        key: String,
        /// The declared keys.
        known: Vec<String>,
    },
    /// The parameter has another type than the metric asked for.
    #[error("parameter `{key}` is {found}, but the metric reads it as {wanted}")]
    ParamType {
        /// The key.
        key: String,
        /// The declared type.
        found: &'static str,
        /// The type asked for.
        wanted: &'static str,
    },
    /// The metric asked for a glossary that its variant does not list.
    #[error("glossary `{0}` is not listed under `glossaries:` of the variant")]
    UnknownGlossary(String),
    /// The time, memory or depth budget is used up.
    #[error("stopped: {0}")]
    Budget(String),
    /// A script or plugin reported an error of its own.
    #[error("{0}")]
    Failed(String),
    /// A plugin panicked.
    #[error("panicked: {0}")]
    Panicked(String),
}

fn hint(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!(" (declared: {})", known.join(", ")) }
}
