//! Under which address people know the portal, and what follows from it: links, cookies, which origin is ours.
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName};
use std::net::SocketAddr;
use url::{Host, Url};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The address of the portal.
#[derive(Clone, Debug)]
pub struct Site {
    base: String,
    origin: Option<String>,
    secure: bool,
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

impl Site {
    /// From the address that people use, or else from where the server listens. Cookies are `Secure` and bound to the host, except on
    /// plain HTTP at a loopback address, where a browser would drop them.
    pub fn new(base_url: Option<&str>, listens: SocketAddr) -> Self {
        match base_url.and_then(|base| Url::parse(base).ok()) {
            Some(url) => Self {
                base: url.as_str().trim_end_matches('/').to_owned(),
                origin: Some(url.origin().ascii_serialization()),
                secure: !(url.scheme() == "http" && is_loopback(&url)),
            },
            None => Self { base: format!("http://{listens}"), origin: None, secure: !listens.ip().is_loopback() },
        }
    }

    /// Whether browsers must use TLS.
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    /// An address to send to people.
    pub fn link(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Whether a form comes from this site, as far as the browser says; the token in the form is checked besides.
    pub(crate) fn is_own(&self, headers: &HeaderMap) -> bool {
        let fetched_from = headers.get(SEC_FETCH_SITE).map(|value| value.as_bytes());
        if fetched_from.is_some_and(|site| site != b"same-origin") {
            return false;
        }
        let Some(origin) = headers.get(ORIGIN) else {
            return true;
        };
        let Ok(origin) = origin.to_str() else {
            return false;
        };
        match &self.origin {
            Some(own) => own.eq_ignore_ascii_case(origin),
            None => {
                let host = headers.get(HOST).and_then(|host| host.to_str().ok());
                let authority = origin.split_once("://").map(|(_, authority)| authority);
                host.is_some() && authority.is_some_and(|authority| Some(authority) == host)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())).collect()
    }

    #[test]
    fn cookies_are_plain_on_loopback_alone() {
        let local = "127.0.0.1:8080".parse().unwrap();
        let open = "0.0.0.0:8080".parse().unwrap();
        for (base, listens, secure) in [
            (None, local, false),
            (None, "[::1]:8080".parse().unwrap(), false),
            (None, open, true),
            (Some("https://glosa.example"), local, true),
            (Some("http://glosa.example"), local, true),
            (Some("http://localhost:8080"), open, false),
            (Some("http://[::1]:8080"), open, false),
        ] {
            assert_eq!(Site::new(base, listens).is_secure(), secure, "{base:?} {listens}");
        }
        assert_eq!(Site::new(Some("https://glosa.example/"), local).link("/portal/"), "https://glosa.example/portal/");
        assert_eq!(Site::new(None, local).link("/portal/"), "http://127.0.0.1:8080/portal/");
    }

    #[test]
    fn forms_come_from_here() {
        let local = "127.0.0.1:8080".parse().unwrap();
        let (named, unnamed) = (Site::new(Some("https://glosa.example"), local), Site::new(None, local));
        let host = ("host", "127.0.0.1:8080");
        for (pairs, by_name, by_host) in [
            (vec![host], true, true),
            (vec![host, ("origin", "https://glosa.example")], true, false),
            (vec![host, ("origin", "http://127.0.0.1:8080")], false, true),
            (vec![host, ("origin", "http://127.0.0.1:8080.evil.example")], false, false),
            (vec![host, ("origin", "null")], false, false),
            (vec![host, ("sec-fetch-site", "cross-site")], false, false),
            (vec![host, ("sec-fetch-site", "same-site")], false, false),
            (vec![host, ("sec-fetch-site", "same-origin")], true, true),
        ] {
            let headers = headers(&pairs);
            assert_eq!((named.is_own(&headers), unnamed.is_own(&headers)), (by_name, by_host), "{pairs:?}");
        }
    }
}
