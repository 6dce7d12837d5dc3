//! The keys of an account: list, create, revoke.
use crate::date::Moment;
use crate::page::Frame;
use crate::refusal::Refusal;
use crate::submission::Submission;
use crate::texts::{Texts, fill};
use crate::visit::{Member, Visit};
use askama::Template;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use glosa_store::{ACTIVE_KEYS, KeyId, KeyRecord, Person, StoreError, Token};

const LABEL: usize = 100;
const REVOKED_SHOWN: usize = 20;

#[derive(Debug)]
struct Key {
    id: String,
    label: String,
    hint: String,
    created: Moment,
    used: Option<Moment>,
    revoked: Option<Moment>,
    revoke: String,
}

#[derive(Debug, Template)]
#[template(path = "keys.html")]
struct List {
    t: &'static Texts,
    frame: Frame,
    active: Vec<Key>,
    revoked: Vec<Key>,
    active_title: String,
    is_full: bool,
    full: String,
    once: String,
}

#[derive(Template)]
#[template(path = "issued.html")]
struct Issued {
    t: &'static Texts,
    frame: Frame,
    lead: String,
    value: String,
}

#[derive(Debug, Template)]
#[template(path = "revoke.html")]
struct Revoke {
    t: &'static Texts,
    frame: Frame,
    id: String,
    lead: String,
}

async fn list(member: &Member, status: StatusCode) -> Response {
    let Member { visit, person } = member;
    let keys = match visit.portal.store().keys(person.account).await {
        Ok(keys) => keys,
        Err(error) => return visit.fail(&error),
    };
    let t = visit.language.texts();
    let row = |key: &KeyRecord| Key {
        id: key.id.to_string(),
        label: key.label.clone(),
        hint: key.hint.clone(),
        created: Moment::of(key.created_at, visit.language),
        used: key.last_used_at.map(|at| Moment::of(at, visit.language)),
        revoked: key.revoked_at.map(|at| Moment::of(at, visit.language)),
        revoke: fill(&t.keys.revoke_named, &[("label", &key.label)]),
    };
    let active: Vec<_> = keys.iter().filter(|key| key.revoked_at.is_none()).map(row).collect();
    let mut revoked: Vec<_> = keys.iter().filter(|key| key.revoked_at.is_some()).collect();
    revoked.sort_by_key(|key| std::cmp::Reverse(key.revoked_at));
    let limit = ACTIVE_KEYS.to_string();
    let page = List {
        t,
        frame: visit.frame(&t.keys.title).with_error(status != StatusCode::OK),
        active_title: fill(&t.keys.active_title, &[("active", &active.len().to_string()), ("limit", &limit)]),
        is_full: active.len() >= ACTIVE_KEYS as usize,
        full: fill(&t.keys.full, &[("limit", &limit)]),
        active,
        revoked: revoked.into_iter().take(REVOKED_SHOWN).map(row).collect(),
        once: Token::new().expose().to_owned(),
    };
    visit.show(status, &page)
}

/// `GET /portal/keys`.
pub(crate) async fn page(member: Member) -> Response {
    list(&member, StatusCode::OK).await
}

/// `POST /portal/keys`. The value of the key is in this answer and in none after it.
pub(crate) async fn create(submission: Submission) -> Response {
    let Submission { visit, fields } = submission;
    let member = match visit.member() {
        Ok(member) => member,
        Err(elsewhere) => return elsewhere,
    };
    let label = fields.get("label").trim();
    if label.is_empty() || label.chars().count() > LABEL || label.contains(char::is_control) {
        return list(&member, StatusCode::UNPROCESSABLE_ENTITY).await;
    }
    let Member { visit, person } = &member;
    let Some(once) = Token::parse(fields.get("once")) else {
        return visit.refuse(Refusal::Forbidden);
    };
    let store = visit.portal.store();
    let issued = async {
        if !store.take_form(&visit.cookie, &once).await? {
            return Ok(None);
        }
        store.issue_key(person.account, label).await.map(Some)
    };
    match issued.await {
        Ok(Some(issued)) => show_once(visit, label, issued.value.expose()),
        Ok(None) => visit.go("/portal/keys?notice=once"),
        Err(StoreError::TooManyKeys { .. }) => visit.go("/portal/keys"),
        Err(error) => visit.fail(&error),
    }
}

fn show_once(visit: &Visit, label: &str, value: &str) -> Response {
    let t = visit.language.texts();
    let page = Issued {
        t,
        frame: Frame { may_switch: false, ..visit.frame(&t.issued.title) },
        lead: fill(&t.issued.lead, &[("label", label)]),
        value: value.to_owned(),
    };
    visit.show(StatusCode::OK, &page)
}

/// The active key of that id, if it is the account's.
async fn own_key(visit: &Visit, person: &Person, id: &str) -> Result<Option<KeyRecord>, StoreError> {
    let Ok(id) = id.parse::<KeyId>() else { return Ok(None) };
    let keys = visit.portal.store().keys(person.account).await?;
    Ok(keys.into_iter().find(|key| key.id == id && key.revoked_at.is_none()))
}

/// `GET /portal/keys/{key}/revoke`.
pub(crate) async fn ask(member: Member, Path(id): Path<String>) -> Response {
    let Member { visit, person } = &member;
    let key = match own_key(visit, person, &id).await {
        Ok(Some(key)) => key,
        Ok(None) => return visit.refuse(Refusal::NotFound),
        Err(error) => return visit.fail(&error),
    };
    let t = visit.language.texts();
    let hint = format!("{}…", key.hint);
    let lead = fill(&t.revoke.lead, &[("label", &key.label), ("hint", &hint)]);
    visit.show(StatusCode::OK, &Revoke { t, frame: visit.frame(&t.revoke.title), id: key.id.to_string(), lead })
}

/// `POST /portal/keys/{key}/revoke`.
pub(crate) async fn revoke(Path(id): Path<String>, submission: Submission) -> Response {
    let Member { visit, person } = match submission.visit.member() {
        Ok(member) => member,
        Err(elsewhere) => return elsewhere,
    };
    let Ok(id) = id.parse::<KeyId>() else {
        return visit.refuse(Refusal::NotFound);
    };
    match visit.portal.store().revoke_key(person.account, id).await {
        Ok(true) => visit.go("/portal/keys?notice=revoked"),
        Ok(false) => visit.refuse(Refusal::NotFound),
        Err(error) => visit.fail(&error),
    }
}
