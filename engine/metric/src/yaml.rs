//! The one door to YAML: every error names line, column, what was expected, and shows the place.

use serde::de::DeserializeOwned;
pub use serde_saphyr::Spanned;

/// What is wrong with a YAML file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct YamlError {
    /// Line, from 1; 0 when the reader gave none.
    pub line: u64,
    /// Column, from 1.
    pub column: u64,
    /// Cause and snippet.
    pub message: String,
}

/// Reads a YAML document into a type.
pub fn read<T: DeserializeOwned>(source: &str) -> Result<T, YamlError> {
    serde_saphyr::from_str(source).map_err(|error| {
        let at = error.location();
        YamlError {
            line: at.map_or(0, |l| l.line()),
            column: at.map_or(0, |l| l.column()),
            message: error.to_string(),
        }
    })
}
