//! The contact form: a message to the operator, and no letter to anybody else.
use crate::letter;
use crate::page::Frame;
use crate::rates::CONTACT_NETWORK;
use crate::submission::Submission;
use crate::texts::Texts;
use crate::visit::Visit;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use glosa_store::Email;

const LINE: usize = 200;
const MESSAGE: usize = 5000;

#[derive(Debug, Default)]
struct Message {
    person: String,
    organisation: String,
    email: String,
    text: String,
}

#[derive(Debug, Template)]
#[template(path = "contact.html")]
struct Contact {
    t: &'static Texts,
    frame: Frame,
    message: Message,
    problem: Option<&'static str>,
}

fn form(visit: &Visit, status: StatusCode, message: Message, problem: Option<&'static str>) -> Response {
    let t = visit.language.texts();
    let frame = visit.frame(&t.contact.title).with_error(problem.is_some());
    visit.show(status, &Contact { t, frame, message, problem })
}

fn off(visit: &Visit) -> Response {
    let t = visit.language.texts();
    visit.tell(StatusCode::OK, &t.contact.title, &[&t.contact.off], vec![("/portal/", &t.refused.back)])
}

fn thanks(visit: &Visit) -> Response {
    let t = visit.language.texts();
    visit.tell(StatusCode::OK, &t.contact.sent_title, &[&t.contact.sent], vec![("/portal/", &t.refused.back)])
}

/// `GET /portal/contact`.
pub(crate) async fn page(visit: Visit) -> Response {
    if visit.portal.contact().is_none() {
        return off(&visit);
    }
    form(&visit, StatusCode::OK, Message::default(), None)
}

fn is_line(text: &str) -> bool {
    text.chars().count() <= LINE && !text.contains(char::is_control)
}

/// `POST /portal/contact`.
pub(crate) async fn send(submission: Submission) -> Response {
    let Submission { visit, fields } = submission;
    let portal = visit.portal.clone();
    let (Some(operator), Some(mailer)) = (portal.contact(), portal.settings().mailer.as_ref()) else {
        return off(&visit);
    };
    if !fields.get("website").is_empty() {
        return thanks(&visit);
    }
    let field = |name: &str| fields.get(name).trim().to_owned();
    let message = Message {
        person: field("person"),
        organisation: field("organisation"),
        email: field("email"),
        text: field("message").replace("\r\n", "\n"),
    };
    let t = visit.language.texts();
    let lines = [&message.person, &message.organisation];
    let email = Email::parse(&message.email).filter(|email| email.as_str().parse::<lettre::Address>().is_ok());
    let complete = !message.person.is_empty() && lines.iter().all(|line| is_line(line));
    let readable = !message.text.is_empty() && message.text.chars().count() <= MESSAGE;
    let Some(email) = email.filter(|_| complete && readable) else {
        return form(&visit, StatusCode::UNPROCESSABLE_ENTITY, message, Some(&t.contact.missing));
    };
    match portal.store().admit_visitor(&visit.network, CONTACT_NETWORK).await {
        Ok(admission) if !admission.admitted => {
            return form(&visit, StatusCode::TOO_MANY_REQUESTS, message, Some(&t.contact.often));
        }
        Ok(_) => {}
        Err(error) => return visit.fail(&error),
    }
    let letter = letter::contact(visit.language, &message.person, &message.organisation, email.as_str(), &message.text);
    match mailer.send(&operator, Some(email.as_str()), letter).await {
        Ok(()) => thanks(&visit),
        Err(error) => {
            tracing::warn!(kind = error.kind(), "a message of the contact form was not sent");
            form(&visit, StatusCode::SERVICE_UNAVAILABLE, message, Some(&t.contact.failed))
        }
    }
}
