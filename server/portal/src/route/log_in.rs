//! Log-in and log-out.
use crate::page::Frame;
use crate::rates::{LOG_IN_ADDRESS, LOG_IN_NETWORK};
use crate::refusal::Refusal;
use crate::submission::Submission;
use crate::texts::Texts;
use crate::visit::Visit;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use glosa_store::{Credentials, Email, StoreError};

#[derive(Debug, Template)]
#[template(path = "log_in.html")]
struct LogIn {
    t: &'static Texts,
    frame: Frame,
}

fn form(visit: &Visit, status: StatusCode) -> Response {
    let t = visit.language.texts();
    let frame = visit.frame(&t.log_in.title).with_error(status != StatusCode::OK);
    visit.show(status, &LogIn { t, frame })
}

/// `GET /portal/`.
pub(crate) async fn page(visit: Visit) -> Response {
    if visit.person.is_some() {
        return visit.go("/portal/keys");
    }
    form(&visit, StatusCode::OK)
}

/// Whether this address and this network may try a password now.
async fn may_try(visit: &Visit, address: &str) -> Result<bool, StoreError> {
    let store = visit.portal.store();
    let by_network = store.admit_visitor(&visit.network, LOG_IN_NETWORK).await?;
    let by_address = store.admit_visitor(address, LOG_IN_ADDRESS).await?;
    Ok(by_network.admitted && by_address.admitted)
}

/// `POST /portal/`. A wrong password and an unknown address have the same answer after the same work; too many attempts have that answer
/// without the work, whoever is asked for.
pub(crate) async fn enter(submission: Submission) -> Response {
    let Submission { mut visit, fields } = submission;
    let (typed, password) = (fields.get("email").trim().to_lowercase(), fields.get("password"));
    let portal = visit.portal.clone();
    let store = portal.store();
    match may_try(&visit, &typed).await {
        Ok(true) => {}
        Ok(false) => return form(&visit, StatusCode::UNPROCESSABLE_ENTITY),
        Err(error) => return visit.fail(&error),
    }
    let found = match Email::parse(&typed) {
        Some(email) => store.credentials(&email).await,
        None => Ok(None),
    };
    let known = match found {
        Ok(found) => found,
        Err(error) => return visit.fail(&error),
    };
    let hash = known.as_ref().and_then(|known| known.password.as_deref());
    let password = password.get(..1024).unwrap_or(password);
    let matches = match portal.passwords().matches(password, hash).await {
        Ok(matches) => matches,
        Err(_busy) => return visit.refuse(Refusal::Busy),
    };
    let Some(Credentials { person, password: Some(hash) }) = known.filter(|_| matches) else {
        return form(&visit, StatusCode::UNPROCESSABLE_ENTITY);
    };
    let begun = async {
        store.forgive_visitor(&typed, LOG_IN_ADDRESS).await?;
        if visit.person.is_some() {
            store.end_session(&visit.cookie).await?;
        }
        store.begin_session(person.id, &hash).await
    };
    match begun.await {
        Ok(Some(session)) => {
            visit.become_session(session);
            visit.go("/portal/keys")
        }
        Ok(None) => form(&visit, StatusCode::UNPROCESSABLE_ENTITY),
        Err(error) => visit.fail(&error),
    }
}

/// `POST /portal/leave`.
pub(crate) async fn leave(submission: Submission) -> Response {
    let mut visit = submission.visit;
    if let Err(error) = visit.portal.store().end_session(&visit.cookie).await {
        return visit.fail(&error);
    }
    visit.renew();
    visit.go("/portal/?notice=left")
}
