//! A form that a browser sent, once it is known to come from a page of ours.
use crate::Portal;
use crate::refusal::Refusal;
use crate::visit::Visit;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::Response;
use glosa_store::Token;

const LARGEST: usize = 64 << 10;
/// More than is accepted is read to the end up to here, so that a browser gets the page rather than a broken connection.
const READ: usize = 1 << 20;
const FORM: &str = "application/x-www-form-urlencoded";

/// The fields of a form; passwords are among them, so they have no `Debug`.
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// The value of a field; empty where absent.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

/// A form and who sent it.
pub(crate) struct Submission {
    pub(crate) visit: Visit,
    pub(crate) fields: Fields,
}

impl FromRequest<Portal> for Submission {
    type Rejection = Response;

    async fn from_request(request: Request, portal: &Portal) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let visit = Visit::from_request_parts(&mut parts, portal).await?;
        if !portal.site().is_own(&parts.headers) {
            return Err(visit.refuse(Refusal::Forbidden));
        }
        let kind = parts.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(FORM) {
            return Err(visit.refuse(Refusal::Format));
        }
        let length = parts.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if length.is_some_and(|length| length > READ) {
            return Err(visit.refuse(Refusal::Large));
        }
        let Ok(body) = axum::body::to_bytes(body, READ).await else {
            return Err(visit.refuse(Refusal::Large));
        };
        if body.len() > LARGEST {
            return Err(visit.refuse(Refusal::Large));
        }
        let fields = form_urlencoded::parse(&body).into_owned().collect();
        let fields = Fields(fields);
        let presented = Token::parse(fields.get("form"));
        if !presented.is_some_and(|presented| presented.is(&visit.form())) {
            return Err(visit.refuse(Refusal::Forbidden));
        }
        Ok(Self { visit, fields })
    }
}
