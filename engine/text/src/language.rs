//! The languages of analysis and of the catalogues.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One of the three languages that glosa analyses and speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Spanish.
    Es,
    /// Catalan.
    Ca,
    /// English.
    En,
}

/// A language code that is none of `es`, `ca`, `en`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown language `{0}`: expected es, ca or en")]
pub struct UnknownLanguage(pub String);

impl Language {
    /// All languages, in the order in which they are listed everywhere.
    pub const ALL: [Language; 3] = [Language::Es, Language::Ca, Language::En];

    /// The ISO 639-1 code.
    pub fn code(self) -> &'static str {
        match self {
            Language::Es => "es",
            Language::Ca => "ca",
            Language::En => "en",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(code: &str) -> Result<Self, UnknownLanguage> {
        Language::ALL.into_iter().find(|l| l.code() == code).ok_or_else(|| UnknownLanguage(code.to_owned()))
    }
}
