//! The request for another password. Its answer is the same whoever is asked for.
use crate::Language;
use crate::letter;
use crate::page::Frame;
use crate::rates::{RESET_ADDRESS, RESET_NETWORK};
use crate::submission::Submission;
use crate::texts::Texts;
use crate::visit::Visit;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use glosa_store::{Email, StoreError};

#[derive(Debug, Template)]
#[template(path = "reset.html")]
struct Reset {
    t: &'static Texts,
    frame: Frame,
}

fn form(visit: &Visit, status: StatusCode) -> Response {
    let t = visit.language.texts();
    if !visit.portal.has_mail() {
        return visit.tell(StatusCode::OK, &t.reset.title, &[&t.reset.off], vec![("/portal/", &t.log_in.title)]);
    }
    let frame = visit.frame(&t.reset.title).with_error(status != StatusCode::OK);
    visit.show(status, &Reset { t, frame })
}

/// `GET /portal/reset`.
pub(crate) async fn page(visit: Visit) -> Response {
    form(&visit, StatusCode::OK)
}

async fn send_link(visit: &Visit, email: &Email) -> Result<(), StoreError> {
    let portal = &visit.portal;
    let store = portal.store();
    let by_network = store.admit_visitor(&visit.network, RESET_NETWORK).await?;
    let by_address = store.admit_visitor(email.as_str(), RESET_ADDRESS).await?;
    if !(by_network.admitted && by_address.admitted) {
        return Ok(());
    }
    if let Some((person, token)) = store.reset_link(email).await? {
        let link = portal.site().link(&format!("/portal/reset/{}", token.expose()));
        let language = Language::of_code(&person.language).unwrap_or(visit.language);
        portal.post(person.email.as_str().to_owned(), letter::reset(language, &person.account_name, &link));
    }
    Ok(())
}

/// `POST /portal/reset`.
pub(crate) async fn send(submission: Submission) -> Response {
    let Submission { visit, fields } = submission;
    if !visit.portal.has_mail() {
        return form(&visit, StatusCode::OK);
    }
    let Some(email) = Email::parse(fields.get("email")) else {
        return form(&visit, StatusCode::UNPROCESSABLE_ENTITY);
    };
    if let Err(error) = send_link(&visit, &email).await {
        return visit.fail(&error);
    }
    let t = visit.language.texts();
    visit.tell(StatusCode::OK, &t.reset.sent_title, &[&t.reset.sent], vec![("/portal/", &t.log_in.title)])
}
