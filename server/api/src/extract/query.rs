//! Query parameters, read one by one so that all their faults are known before the answer. Parameters that a route does not know are
//! ignored.
use crate::problem::{Code, Fault, Problem};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use glosa_text::Language;
use std::convert::Infallible;
use std::str::FromStr;

/// Reads the parameters of one request and remembers what is wrong.
#[derive(Debug, Default)]
pub struct QueryReader {
    pairs: Vec<(String, String)>,
    faults: Vec<Fault>,
}

const LANGUAGE: &str = "language_unsupported";

impl QueryReader {
    /// The value of a parameter.
    pub fn text(&mut self, name: &'static str) -> Option<String> {
        let mut values = self.pairs.iter().filter(|(known, _)| known == name);
        let first = values.next().map(|(_, value)| value.clone());
        if values.next().is_some() {
            let msg = "Expected the parameter at most once";
            self.fault(name, "too_many_values", msg);
            return None;
        }
        first
    }

    /// A language code.
    pub fn language(&mut self, name: &'static str) -> Option<Language> {
        let value = self.text(name)?;
        let language = Language::from_str(&value).ok();
        if language.is_none() {
            self.fault(name, LANGUAGE, "Expected es, ca or en");
        }
        language
    }

    /// A language code that must be there.
    pub fn required_language(&mut self, name: &'static str) -> Option<Language> {
        if !self.pairs.iter().any(|(known, _)| known == name) {
            self.fault(name, "missing", "The parameter is required");
            return None;
        }
        self.language(name)
    }

    /// `true` or `false`.
    pub fn flag(&mut self, name: &'static str) -> Option<bool> {
        let value = self.text(name)?;
        let flag = [("true", true), ("false", false)]
            .into_iter()
            .find(|(word, _)| value.eq_ignore_ascii_case(word))
            .map(|(_, flag)| flag);
        if flag.is_none() {
            self.fault(name, "bool_parsing", "Expected true or false");
        }
        flag
    }

    /// A value that `read` recognises.
    pub fn one_of<T>(&mut self, name: &'static str, expected: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let value = self.text(name)?;
        let known = read(&value);
        if known.is_none() {
            self.fault(name, "string_pattern_mismatch", format!("Expected {expected}"));
        }
        known
    }

    /// The two slugs of a genre filter, which go together.
    pub fn genre(&mut self) -> Result<Option<(String, String)>, Problem> {
        let domain = self.slug("domain_slug");
        let text_type = self.slug("text_type_slug");
        if !self.faults.is_empty() {
            return Ok(None);
        }
        let missing = match (domain, text_type) {
            (Some(domain), Some(text_type)) => return Ok(Some((domain, text_type))),
            (None, None) => return Ok(None),
            (Some(_), None) => "text_type_slug",
            (None, Some(_)) => "domain_slug",
        };
        let fault = Fault::of_parameter("query", missing, "missing", "The parameter is required");
        Err(Problem::faults(
            Code::IncompleteGenreFilter,
            "domain_slug and text_type_slug filter together: send both or neither.",
            vec![fault],
        ))
    }

    fn slug(&mut self, name: &'static str) -> Option<String> {
        let slug = self.text(name)?;
        if slug.is_empty() {
            self.fault(name, "string_too_short", "Expected at least 1 character");
        }
        Some(slug)
    }

    fn fault(&mut self, name: &'static str, kind: &'static str, msg: impl Into<String>) {
        self.faults.push(Fault::of_parameter("query", name, kind, msg));
    }

    /// Ends the reading: all faults in one answer.
    pub fn check(&mut self) -> Result<(), Problem> {
        if self.faults.is_empty() {
            return Ok(());
        }
        let faults = std::mem::take(&mut self.faults);
        Err(if faults.iter().all(|fault| fault.kind == LANGUAGE) {
            let detail = "The supported languages are es, ca and en.";
            Problem::faults(Code::UnsupportedLanguage, detail, faults)
        } else {
            let detail = "Query parameters are not as the interface describes them.";
            Problem::faults(Code::ValidationError, detail, faults)
        })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for QueryReader {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs = form_urlencoded::parse(query.as_bytes()).into_owned();
        Ok(Self { pairs: pairs.collect(), faults: Vec::new() })
    }
}
