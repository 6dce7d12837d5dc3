//! `on` and `off` in YAML files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether a metric runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// It runs.
    #[default]
    On,
    /// It does not.
    Off,
}

impl Switch {
    /// Whether it is on.
    pub fn is_on(self) -> bool {
        self == Switch::On
    }
}
