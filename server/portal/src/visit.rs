//! One request of a browser: its language, its cookie, who is logged in. Everybody has a cookie with a random value, from which the
//! token of the forms is derived; a log-in gives another value, which the database knows as a session.
use crate::page::{Frame, Message};
use crate::refusal::Refusal;
use crate::texts::fill;
use crate::{Language, Portal};
use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use cookie::time::Duration;
use cookie::{Cookie, SameSite};
use glosa_http::Origin;
use glosa_store::{Person, StoreError, Token};

const LANGUAGE_COOKIE: &str = "glosa_language";
const LANGUAGE_LIFE: Duration = Duration::days(365);

/// A request of a browser.
#[derive(Debug)]
pub(crate) struct Visit {
    pub(crate) portal: Portal,
    pub(crate) language: Language,
    /// The value of the cookie.
    pub(crate) cookie: Token,
    /// Who is logged in.
    pub(crate) person: Option<Person>,
    /// What stands for the network of the visitor.
    pub(crate) network: String,
    notice: Option<String>,
    cookie_is_new: bool,
    chosen_language: Option<Language>,
}

/// A request of somebody who is logged in; others are sent to the log-in page.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) visit: Visit,
    pub(crate) person: Person,
}

fn cookie_name(is_secure: bool) -> &'static str {
    if is_secure { "__Host-glosa_portal" } else { "glosa_portal" }
}

fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = all.flat_map(Cookie::split_parse).flatten();
    cookies.find(|cookie| cookie.name() == name).map(|cookie| cookie.value().to_owned())
}

fn query(parts: &Parts, name: &str) -> Option<String> {
    let query = parts.uri.query()?;
    let found = form_urlencoded::parse(query.as_bytes()).find(|(known, _)| known == name);
    found.map(|(_, value)| value.into_owned())
}

/// The language that a request asked for before, or that its browser accepts.
pub(crate) fn language(headers: &HeaderMap) -> Language {
    let kept = cookie(headers, LANGUAGE_COOKIE).as_deref().and_then(Language::of_code);
    kept.unwrap_or_else(|| Language::accepted(headers))
}

impl FromRequestParts<Portal> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, Response> {
        let headers = &parts.headers;
        let chosen_language = query(parts, "language").as_deref().and_then(Language::of_code);
        let presented = cookie(headers, cookie_name(portal.site().is_secure())).as_deref().and_then(Token::parse);
        let mut visit = Self {
            language: chosen_language.unwrap_or_else(|| language(headers)),
            cookie_is_new: presented.is_none(),
            cookie: presented.unwrap_or_else(Token::new),
            person: None,
            network: Origin::of(&parts.extensions, headers).map_or("unknown".to_owned(), |origin| origin.to_string()),
            notice: query(parts, "notice"),
            chosen_language,
            portal: portal.clone(),
        };
        if headers.contains_key(AUTHORIZATION) {
            return Err(visit.refuse(Refusal::ApiKey));
        }
        if !visit.cookie_is_new {
            match portal.store().session(&visit.cookie).await {
                Ok(person) => visit.person = person,
                Err(error) => return Err(visit.fail(&error)),
            }
        }
        Ok(visit)
    }
}

impl FromRequestParts<Portal> for Member {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, Response> {
        Visit::from_request_parts(parts, portal).await?.member()
    }
}

impl Visit {
    /// The same visit where somebody is logged in; the way to the log-in page otherwise.
    #[expect(clippy::result_large_err, reason = "the answer goes to the visitor at once")]
    pub(crate) fn member(mut self) -> Result<Member, Response> {
        match self.person.clone() {
            Some(person) => Ok(Member { visit: self, person }),
            None => {
                let had_cookie = !self.cookie_is_new;
                self.renew();
                Err(self.go(if had_cookie { "/portal/?notice=expired" } else { "/portal/" }))
            }
        }
    }

    /// The token that forms of this visit carry.
    pub(crate) fn form(&self) -> Token {
        self.cookie.derive("form of the portal")
    }

    /// Gives the browser another cookie.
    pub(crate) fn renew(&mut self) {
        self.become_session(Token::new());
    }

    /// Gives the browser the cookie of a session.
    pub(crate) fn become_session(&mut self, session: Token) {
        self.cookie = session;
        self.cookie_is_new = true;
    }

    /// The frame of a page.
    pub(crate) fn frame(&self, title: &str) -> Frame {
        let texts = self.language.texts();
        let notices = &texts.notices;
        let notice = self.notice.as_deref().and_then(|name| match name {
            "password-set" => Some(notices.password_set.as_str()),
            "left" => Some(notices.left.as_str()),
            "expired" => Some(notices.expired.as_str()),
            "revoked" => Some(notices.revoked.as_str()),
            "once" => Some(notices.once.as_str()),
            _ => None,
        });
        Frame {
            language: self.language,
            title: title.to_owned(),
            person: self.person.as_ref().map(|person| {
                let values = [("email", person.email.as_str()), ("account", person.account_name.as_str())];
                fill(&texts.logged_in, &values)
            }),
            form: self.form().expose().to_owned(),
            may_switch: true,
            is_error: false,
            notice,
        }
    }

    /// A page as an answer.
    pub(crate) fn show(&self, status: StatusCode, page: &impl Template) -> Response {
        let html = match page.render() {
            Ok(html) => html,
            Err(error) => {
                tracing::error!(%error, "a page cannot be written");
                return StatusCode::INTERNAL_SERVER_ERROR.into_response();
            }
        };
        let headers = [
            (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        self.with_cookies((status, headers, html).into_response())
    }

    /// A page of words.
    pub(crate) fn tell(
        &self,
        status: StatusCode,
        title: &str,
        paragraphs: &[&str],
        links: Vec<(&'static str, &'static str)>,
    ) -> Response {
        let frame = self.frame(title);
        let paragraphs = paragraphs.iter().map(|words| (*words).to_owned()).collect();
        self.show(status, &Message { t: frame.texts(), frame, paragraphs, reference: None, links })
    }

    /// The page of a refusal.
    pub(crate) fn refuse(&self, refusal: Refusal) -> Response {
        let refused = &self.language.texts().refused;
        let (status, title, words) = refusal.page(self.language);
        let mut response = self.tell(status, title, &[words], vec![("/portal/", refused.back.as_str())]);
        if let Some(seconds) = refusal.retry_after() {
            response.headers_mut().insert(axum::http::header::RETRY_AFTER, seconds.into());
        }
        response
    }

    /// The page of a database that fails.
    pub(crate) fn fail(&self, error: &StoreError) -> Response {
        if error.is_unavailable() {
            tracing::warn!(%error, "the portal cannot answer");
            self.refuse(Refusal::Busy)
        } else {
            tracing::error!(%error, "the portal failed");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }

    /// The way to another page.
    pub(crate) fn go(&self, address: &'static str) -> Response {
        let headers =
            [(LOCATION, HeaderValue::from_static(address)), (CACHE_CONTROL, HeaderValue::from_static("no-store"))];
        self.with_cookies((StatusCode::SEE_OTHER, headers).into_response())
    }

    fn with_cookies(&self, mut response: Response) -> Response {
        let is_secure = self.portal.site().is_secure();
        let mut set = |name: &'static str, value: &str, path: &'static str, life: Option<Duration>| {
            let mut cookie = Cookie::build((name, value)).path(path).http_only(true).same_site(SameSite::Lax).build();
            cookie.set_secure(is_secure.then_some(true));
            cookie.set_max_age(life);
            if let Ok(mut value) = HeaderValue::from_str(&cookie.to_string()) {
                value.set_sensitive(true);
                response.headers_mut().append(SET_COOKIE, value);
            }
        };
        if self.cookie_is_new {
            set(cookie_name(is_secure), self.cookie.expose(), "/", None);
        }
        if let Some(language) = self.chosen_language {
            set(LANGUAGE_COOKIE, language.code(), "/portal", Some(LANGUAGE_LIFE));
        }
        response
    }
}
