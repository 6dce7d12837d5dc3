//! What an editor sets: the genre and language of documents that say nothing of themselves.

use glosa_text::Language;
use serde::Deserialize;
use serde_json::Value;

/// The section in which clients keep the settings of this server.
pub(crate) const SECTION: &str = "glosa";

/// Settings for all documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Genre as `DOMAIN/TEXT_TYPE` or `TEXT_TYPE`.
    pub genre: Option<String>,
    /// Language.
    pub language: Option<Language>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default)]
    genre: Option<String>,
    #[serde(default)]
    language: Option<String>,
}

impl Settings {
    /// Reads settings, bare or in their section; `None` where there are none.
    pub fn read(value: &Value) -> Result<Option<Settings>, String> {
        let value = value.get(SECTION).unwrap_or(value);
        if value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty) {
            return Ok(None);
        }
        let raw = Raw::deserialize(value).map_err(|error| format!("settings of glosa: {error}"))?;
        let some = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let language = some(raw.language).map(|code| code.parse::<Language>()).transpose();
        let language = language.map_err(|error| format!("settings of glosa: {error}"))?;
        Ok(Some(Settings { genre: some(raw.genre), language }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_come_bare_and_in_their_section() {
        let wanted = Settings { genre: Some("a/b".into()), language: Some(Language::Ca) };
        for value in [json!({"genre": "a/b", "language": "ca"}), json!({"glosa": {"genre": "a/b", "language": "ca"}})] {
            assert_eq!(Settings::read(&value), Ok(Some(wanted.clone())));
        }
        for nothing in [json!(null), json!({}), json!({"glosa": null})] {
            assert_eq!(Settings::read(&nothing), Ok(None));
        }
        assert_eq!(Settings::read(&json!({"genre": "", "language": null})), Ok(Some(Settings::default())));
        assert!(Settings::read(&json!({"gender": "a"})).is_err_and(|said| said.contains("unknown field `gender`")));
        assert!(Settings::read(&json!({"language": "fr"})).is_err_and(|said| said.contains("unknown language `fr`")));
    }
}
