//! The pages behind the links of letters: the first password, another password.
use crate::page::Frame;
use crate::password::{Unfit, unfit};
use crate::rates::LOG_IN_ADDRESS;
use crate::refusal::Refusal;
use crate::submission::Submission;
use crate::texts::{Texts, fill};
use crate::visit::Visit;
use askama::Template;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use glosa_store::{LinkPurpose, Person, StoreError, Token};

#[derive(Debug, Template)]
#[template(path = "password.html")]
struct Choose {
    t: &'static Texts,
    frame: Frame,
    lead: String,
    button: &'static str,
    email: String,
    problem: Option<&'static str>,
}

/// The page to choose a password.
fn choose(visit: &Visit, purpose: LinkPurpose, person: &Person, problem: Option<Unfit>) -> Response {
    let t = visit.language.texts();
    let words = &t.password;
    let (title, lead, button) = match purpose {
        LinkPurpose::Invitation => (&words.invitation_title, &words.invitation_lead, &words.invitation_button),
        LinkPurpose::Reset => (&words.reset_title, &words.reset_lead, &words.reset_button),
    };
    let problem = problem.map(|problem| match problem {
        Unfit::Short => words.short.as_str(),
        Unfit::Long => words.long.as_str(),
        Unfit::Easy => words.easy.as_str(),
        Unfit::Different => words.different.as_str(),
    });
    let status = if problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = Choose {
        t,
        frame: visit.frame(title).with_error(problem.is_some()),
        lead: fill(lead, &[("account", &person.account_name)]),
        button,
        email: person.email.as_str().to_owned(),
        problem,
    };
    visit.show(status, &page)
}

/// The page of an unknown, used or expired link: the same for all three.
fn dead(visit: &Visit) -> Response {
    let t = visit.language.texts();
    let words = &t.dead_link;
    let links = vec![("/portal/reset", t.log_in.forgotten.as_str()), ("/portal/", t.log_in.title.as_str())];
    visit.tell(StatusCode::NOT_FOUND, &words.title, &[&words.text, &words.cure], links)
}

async fn owner(visit: &Visit, token: &str, purpose: LinkPurpose) -> Result<Option<(Token, Person)>, StoreError> {
    let Some(token) = Token::parse(token) else { return Ok(None) };
    let person = visit.portal.store().link_owner(&token, purpose).await?;
    Ok(person.map(|person| (token, person)))
}

async fn open(visit: Visit, token: &str, purpose: LinkPurpose) -> Response {
    match owner(&visit, token, purpose).await {
        Ok(Some((_, person))) => choose(&visit, purpose, &person, None),
        Ok(None) => dead(&visit),
        Err(error) => visit.fail(&error),
    }
}

async fn set(submission: Submission, token: &str, purpose: LinkPurpose) -> Response {
    let Submission { mut visit, fields } = submission;
    let (token, person) = match owner(&visit, token, purpose).await {
        Ok(Some(found)) => found,
        Ok(None) => return dead(&visit),
        Err(error) => return visit.fail(&error),
    };
    let password = fields.get("password");
    if let Some(problem) = unfit(password, fields.get("again"), person.email.as_str()) {
        return choose(&visit, purpose, &person, Some(problem));
    }
    let portal = visit.portal.clone();
    let Ok(hash) = portal.passwords().hash(password).await else {
        return visit.refuse(Refusal::Busy);
    };
    match portal.store().set_password(&token, purpose, &hash).await {
        Ok(Some(person)) => {
            if let Err(error) = portal.store().forgive_visitor(person.email.as_str(), LOG_IN_ADDRESS).await {
                tracing::warn!(%error, "attempts are not forgotten");
            }
            visit.renew();
            visit.go("/portal/?notice=password-set")
        }
        Ok(None) => dead(&visit),
        Err(error) => visit.fail(&error),
    }
}

/// `GET /portal/invitation/{token}`.
pub(crate) async fn invitation(visit: Visit, Path(token): Path<String>) -> Response {
    open(visit, &token, LinkPurpose::Invitation).await
}

/// `POST /portal/invitation/{token}`.
pub(crate) async fn accept(Path(token): Path<String>, submission: Submission) -> Response {
    set(submission, &token, LinkPurpose::Invitation).await
}

/// `GET /portal/reset/{token}`.
pub(crate) async fn reset(visit: Visit, Path(token): Path<String>) -> Response {
    open(visit, &token, LinkPurpose::Reset).await
}

/// `POST /portal/reset/{token}`.
pub(crate) async fn change(Path(token): Path<String>, submission: Submission) -> Response {
    set(submission, &token, LinkPurpose::Reset).await
}
