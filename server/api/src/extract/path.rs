//! Parts of the path, decoded. What cannot be a name at all is refused with all its places.
use crate::problem::{Code, Fault, Problem};
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;

const LONGEST: usize = 255;

/// The decoded parts of a path by name.
#[derive(Debug)]
pub struct PathParts(Vec<(String, String)>);

impl PathParts {
    /// The part of a name, which must be one of the route.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathParts {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let unusable =
            |faults| Err(Problem::faults(Code::ValidationError, "A part of the path cannot be an identifier.", faults));
        let params = match RawPathParams::from_request_parts(parts, state).await {
            Ok(params) => params,
            Err(RawPathParamsRejection::InvalidUtf8InPathParam(_)) => {
                return unusable(vec![Fault::of_parameter("path", "path", "string_unicode", "Expected UTF-8")]);
            }
            Err(_) => return Err(Problem::internal()),
        };
        let mut faults = Vec::new();
        for (name, value) in &params {
            if value.chars().count() > LONGEST {
                let msg = format!("Expected at most {LONGEST} characters");
                faults.push(Fault::of_parameter("path", name, "string_too_long", msg));
            } else if value.chars().any(char::is_control) {
                let msg = "Expected no control characters";
                faults.push(Fault::of_parameter("path", name, "string_pattern_mismatch", msg));
            }
        }
        if !faults.is_empty() {
            return unusable(faults);
        }
        Ok(Self(params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()))
    }
}
