//! Holds the walls between crates: which crate may depend on which, and where `unsafe` and file access may stand.
//!
//! The table below is the architecture. A new edge is a decision: change the table and say why in the commit.

/// Each workspace crate and the workspace crates that it may depend on in its normal build.
pub const ALLOWED: &[(&str, &[&str])] = &[
    ("glosa-text", &[]),
    ("glosa-plugin", &[]),
    ("glosa-lingua", &["glosa-text"]),
    ("glosa-train", &["glosa-text", "glosa-lingua"]),
    ("glosa-metric", &["glosa-text"]),
    ("glosa-script", &["glosa-text", "glosa-metric"]),
    ("glosa-catalog", &["glosa-text", "glosa-metric"]),
    ("glosa-report", &["glosa-text", "glosa-lingua", "glosa-metric", "glosa-catalog"]),
    ("glosa-markup", &["glosa-text", "glosa-metric", "glosa-catalog", "glosa-report"]),
    (
        "glosa-host",
        &[
            "glosa-text",
            "glosa-lingua",
            "glosa-metric",
            "glosa-plugin",
            "glosa-script",
            "glosa-catalog",
            "glosa-report",
        ],
    ),
    (
        "glosa-cli",
        &[
            "glosa-text",
            "glosa-lingua",
            "glosa-metric",
            "glosa-catalog",
            "glosa-report",
            "glosa-markup",
            "glosa-host",
            "glosa-native-*",
        ],
    ),
    ("glosa-native-*", &["glosa-plugin"]),
    ("glosa-store", &[]),
    ("glosa-http", &[]),
    (
        "glosa-api",
        &["glosa-text", "glosa-metric", "glosa-catalog", "glosa-report", "glosa-host", "glosa-store", "glosa-http"],
    ),
    ("glosa-portal", &["glosa-store", "glosa-http"]),
    (
        "glosa-lsp",
        &["glosa-text", "glosa-metric", "glosa-catalog", "glosa-report", "glosa-markup", "glosa-host", "glosa-cli"],
    ),
    ("glosa", &["glosa-lsp", "glosa-cli", "glosa-api", "glosa-portal", "glosa-store", "glosa-host", "glosa-native-*"]),
];

/// Crates in which `unsafe` may stand.
pub const UNSAFE: &[&str] = &["engine/plugin", "engine/host"];

/// Whether a crate name matches an entry of the table; `*` stands for any ending.
pub fn matches(entry: &str, name: &str) -> bool {
    entry.strip_suffix('*').map_or(entry == name, |stem| name.starts_with(stem))
}
