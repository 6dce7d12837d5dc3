//! The body of `POST /v1/reports`. Read by hand and not by serde, so that one answer names every fault with its place.
use crate::extract::JsonBody;
use crate::extract::invalid;
use crate::problem::{Code, Fault, Problem};
use glosa_text::Language;
use serde_json::{Map, Value, json};
use std::str::FromStr;
use utoipa::ToSchema;

/// A text to analyse.
#[derive(Clone, ToSchema)]
#[schema(examples(json!({
    "text": "Le comunicamos que, con el fin de subsanar su solicitud, deberá aportar el NIF.",
    "language": "es",
    "domain_slug": "administracion-clara",
    "text_type_slug": "notificacion"
})))]
pub struct ReportRequest {
    /// Plain text to analyse. Kept exactly as sent: every offset of the report counts its Unicode code points. The word limit counts as `word-count` does, labels of lists included.
    #[schema(min_length = 1)]
    pub text: String,
    /// Genre slug inside the domain, as listed by `GET /v1/text-types`.
    #[schema(min_length = 1)]
    pub text_type_slug: String,
    /// Domain slug. Omit it to name the genre by `text_type_slug` alone; send it after a 422 with code `ambiguous-genre`.
    #[schema(min_length = 1)]
    pub domain_slug: Option<String>,
    /// Analysis language.
    #[schema(value_type = crate::view::LanguageCode, required = false, default = json!("es"))]
    pub language: Language,
    /// Correlation identifier of the caller, returned unchanged; at most 4096 bytes of UTF-8.
    pub external_id: Option<String>,
}

impl std::fmt::Debug for ReportRequest {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ReportRequest")
            .field("text_bytes", &self.text.len())
            .field("language", &self.language)
            .finish_non_exhaustive()
    }
}

const LANGUAGE: &str = "literal_error";

struct Reader {
    object: Map<String, Value>,
    faults: Vec<Fault>,
}

impl Reader {
    fn fault(&mut self, name: &str, kind: &'static str, msg: impl Into<String>) {
        self.faults.push(Fault::of_property(name, kind, msg));
    }

    fn required(&mut self, name: &str) -> Option<String> {
        match self.object.remove(name) {
            Some(Value::String(text)) => self.not_empty(name, text),
            Some(_) => {
                self.fault(name, "string_type", "Expected a string");
                None
            }
            None => {
                self.fault(name, "missing", "The property is required");
                None
            }
        }
    }

    fn optional(&mut self, name: &str) -> Option<String> {
        match self.object.remove(name) {
            Some(Value::String(text)) => Some(text),
            Some(Value::Null) | None => None,
            Some(_) => {
                self.fault(name, "string_type", "Expected a string or null");
                None
            }
        }
    }

    fn not_empty(&mut self, name: &str, text: String) -> Option<String> {
        if text.is_empty() {
            let fault = Fault::of_property(name, "string_too_short", "Expected at least 1 character");
            self.faults.push(fault.with(json!({ "min_length": 1 })));
            return None;
        }
        Some(text)
    }

    fn language(&mut self) -> Option<Language> {
        match self.object.remove("language") {
            None => Some(Language::Es),
            Some(Value::String(code)) => {
                let language = Language::from_str(&code).ok();
                if language.is_none() {
                    self.fault("language", LANGUAGE, "Expected es, ca or en");
                }
                language
            }
            Some(_) => {
                self.fault("language", "string_type", "Expected a string");
                None
            }
        }
    }
}

impl ReportRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// One problem with all faults.
    pub fn read(body: JsonBody, external_id_bytes: usize) -> Result<Self, Problem> {
        let Value::Object(object) = body.0 else {
            let fault = Fault::of_body("model_type", "Expected an object");
            return Err(invalid(vec![fault]));
        };
        let mut reader = Reader { object, faults: Vec::new() };
        let text = reader.required("text");
        let text_type_slug = reader.required("text_type_slug");
        let domain_slug = reader.optional("domain_slug").and_then(|slug| reader.not_empty("domain_slug", slug));
        let language = reader.language();
        let external_id = reader.optional("external_id");
        if external_id.as_ref().is_some_and(|id| id.len() > external_id_bytes) {
            let msg = format!("Expected at most {external_id_bytes} bytes of UTF-8");
            let fault = Fault::of_property("external_id", "string_too_long", msg);
            reader.faults.push(fault.with(json!({ "max_bytes": external_id_bytes })));
        }
        let unknown: Vec<String> = reader.object.keys().cloned().collect();
        for name in unknown {
            reader.fault(&name, "extra_forbidden", "The property is not known");
        }
        match (text, text_type_slug, language) {
            (Some(text), Some(text_type_slug), Some(language)) if reader.faults.is_empty() => {
                Ok(Self { text, text_type_slug, domain_slug, language, external_id })
            }
            _ if reader.faults.iter().all(|fault| fault.kind == LANGUAGE) => Err(Problem::faults(
                Code::UnsupportedLanguage,
                "The supported languages are es, ca and en.",
                reader.faults,
            )),
            _ => Err(invalid(reader.faults)),
        }
    }

    /// The bytes that say whether two requests are the same: the parsed values with defaults applied.
    pub fn canonical(&self) -> Vec<u8> {
        json!([self.text, self.text_type_slug, self.domain_slug, self.language.code(), self.external_id])
            .to_string()
            .into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: Value) -> Result<ReportRequest, Problem> {
        ReportRequest::read(JsonBody(body), 4096)
    }

    #[test]
    fn defaults_are_part_of_the_payload() {
        let short = read(json!({"text": "á", "text_type_slug": "t"})).unwrap();
        let long = read(json!({"external_id": null, "domain_slug": null, "language": "es", "text_type_slug": "t", "text": "\u{e1}"})).unwrap();
        assert_eq!(short.canonical(), long.canonical());
        for other in [
            json!({"text": "a\u{301}", "text_type_slug": "t"}),
            json!({"text": "á", "text_type_slug": "u"}),
            json!({"text": "á", "text_type_slug": "t", "domain_slug": "d"}),
            json!({"text": "á", "text_type_slug": "t", "language": "ca"}),
            json!({"text": "á", "text_type_slug": "t", "external_id": ""}),
        ] {
            assert_ne!(short.canonical(), read(other).unwrap().canonical());
        }
    }

    #[test]
    fn all_faults_come_at_once() {
        let problem = read(json!({"text": "", "language": null, "metrics": [], "external_id": 1})).unwrap_err();
        let body: Value = serde_json::from_slice(&problem.body("/v1/reports", "req_0")).unwrap();
        let found: Vec<_> = body["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| (item["pointer"].as_str().unwrap(), item["type"].as_str().unwrap()))
            .collect();
        assert_eq!(
            found,
            [
                ("/text", "string_too_short"),
                ("/text_type_slug", "missing"),
                ("/language", "string_type"),
                ("/external_id", "string_type"),
                ("/metrics", "extra_forbidden"),
            ]
        );
    }

    #[test]
    fn a_wrong_language_has_its_own_code() {
        for language in ["de", "ES", "es-ES", ""] {
            let problem = read(json!({"text": "a", "text_type_slug": "t", "language": language}));
            assert_eq!(problem.unwrap_err().code(), Code::UnsupportedLanguage);
        }
    }
}
