//! A browser without script: keeps cookies, reads the hidden fields of forms, sends forms back.
use crate::harness::client::{Client, Response, exchange};
use std::collections::BTreeMap;

/// A browser at one server.
#[derive(Clone, Debug)]
pub struct Browser {
    /// `HOST:PORT`.
    pub address: String,
    /// Cookies by name.
    pub cookies: BTreeMap<String, String>,
    /// Sent with every request.
    pub headers: Vec<(String, String)>,
}

/// Writes a form as browsers do.
pub fn encode(fields: &[(&str, &str)]) -> String {
    let mut out = String::new();
    for (name, value) in fields {
        if !out.is_empty() {
            out.push('&');
        }
        out.push_str(name);
        out.push('=');
        for byte in value.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => out.push(byte as char),
                b' ' => out.push('+'),
                _ => out.push_str(&format!("%{byte:02X}")),
            }
        }
    }
    out
}

/// The value of the hidden field of a page.
pub fn hidden(page: &Response, name: &str) -> String {
    let text = page.text();
    let mark = format!("type=\"hidden\" name=\"{name}\" value=\"");
    let start = text.find(&mark).unwrap_or_else(|| panic!("no field {name} in {text}")) + mark.len();
    text[start..].split('"').next().expect("a value").to_owned()
}

impl Browser {
    /// A new browser.
    pub fn new(address: &str) -> Self {
        Self { address: address.to_owned(), cookies: BTreeMap::new(), headers: Vec::new() }
    }

    /// Sends a request with the cookies of this browser and keeps those of the answer.
    pub fn send(&mut self, method: &str, target: &str, more: &[(&str, &str)], body: &str) -> Response {
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let cookies = cookies.join("; ");
        let own = self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let mut headers: Vec<_> = own.chain(more.iter().copied()).collect();
        if !cookies.is_empty() {
            headers.push(("Cookie", &cookies));
        }
        let request = Client::new(&self.address, "").request(method, target, &headers, body.as_bytes());
        let response = exchange(&self.address, &request);
        for (_, cookie) in response.headers.iter().filter(|(name, _)| name == "set-cookie") {
            let (name, value) = cookie.split(';').next().and_then(|pair| pair.split_once('=')).expect("a cookie");
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        for (name, value) in
            [("x-content-type-options", "nosniff"), ("referrer-policy", "same-origin"), ("x-frame-options", "DENY")]
        {
            assert_eq!(response.header(name), Some(value), "{method} {target}");
        }
        let policy = response.header("content-security-policy").expect("a policy");
        assert!(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert!(response.header("x-request-id").is_some_and(|id| id.starts_with("req_")));
        assert!(!response.headers.iter().any(|(name, _)| name.starts_with("access-control-")), "{method} {target}");
        let text = response.text();
        if text.starts_with("<!doctype html>") {
            assert_eq!(response.header("cache-control"), Some("no-store"), "{method} {target}");
            let named = ["es", "ca", "en"].iter().any(|code| text.contains(&format!("<html lang=\"{code}\">")));
            assert!(named && text.contains("<h1>") && !text.contains("<script"), "{text}");
        }
        response
    }

    /// Opens a page.
    pub fn get(&mut self, target: &str) -> Response {
        self.send("GET", target, &[], "")
    }

    /// Sends a form.
    pub fn post(&mut self, target: &str, fields: &[(&str, &str)]) -> Response {
        self.send("POST", target, &[("Content-Type", "application/x-www-form-urlencoded")], &encode(fields))
    }

    /// Opens the page of a form and sends it filled in, to the same address.
    pub fn fill(&mut self, target: &str, fields: &[(&str, &str)]) -> Response {
        let page = self.get(target);
        assert_eq!(page.status, 200, "{target}: {}", page.text());
        let form = hidden(&page, "form");
        let fields: Vec<_> = [("form", form.as_str())].into_iter().chain(fields.iter().copied()).collect();
        self.post(target, &fields)
    }

    /// Logs in.
    pub fn log_in(&mut self, email: &str, password: &str) -> Response {
        self.fill("/portal/", &[("email", email), ("password", password)])
    }

    /// Creates a key and gives the page that shows it.
    pub fn create_key(&mut self, label: &str) -> Response {
        let page = self.get("/portal/keys");
        assert_eq!(page.status, 200, "{}", page.text());
        let (form, once) = (hidden(&page, "form"), hidden(&page, "once"));
        self.post("/portal/keys", &[("form", &form), ("once", &once), ("label", label)])
    }
}

/// The key that a page shows.
pub fn shown_key(page: &Response) -> Option<String> {
    let text = page.text();
    let whole = |word: &&str| word.len() == "glosa_live_".len() + 49;
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .filter(|word| word.starts_with("glosa_live_"))
        .find(whole)
        .map(str::to_owned)
}

/// The identifiers of the keys that a page lets revoke.
pub fn key_ids(page: &Response) -> Vec<String> {
    let text = page.text();
    let links = text.split("/portal/keys/").skip(1);
    links
        .filter_map(|rest| rest.split_once("/revoke\"").map(|(id, _)| id.to_owned()))
        .filter(|id| id.len() == 36)
        .collect()
}
