//! All routes with all methods, as everybody.
use crate::harness::Client;
use crate::town::Town;

const ROUTES: [(&str, &[&str]); 11] = [
    ("/portal/", &["GET", "HEAD", "POST"]),
    ("/portal/leave", &["POST"]),
    ("/portal/invitation/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", &["GET", "HEAD", "POST"]),
    ("/portal/reset", &["GET", "HEAD", "POST"]),
    ("/portal/reset/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", &["GET", "HEAD", "POST"]),
    ("/portal/keys", &["GET", "HEAD", "POST"]),
    ("/portal/keys/0190f0a0-0000-7000-8000-000000000000/revoke", &["GET", "HEAD", "POST"]),
    ("/portal/contact", &["GET", "HEAD", "POST"]),
    ("/portal/portal.css", &["GET", "HEAD"]),
    ("/portal/glosa.svg", &["GET", "HEAD"]),
    ("/portal", &["GET", "HEAD"]),
];

statements! {
    /// Methods that a page does not have are refused, to members and strangers alike; nothing fails.
    [164, 165]
    fn methods_are_those_of_the_pages(kind) {
        let town = Town::new(kind);
        let mut browsers = [town.browser(), town.member("a", "a@example.org")];
        for browser in &mut browsers {
            for (target, methods) in ROUTES {
                for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] {
                    let response = browser.send(method, target, &[], "");
                    if methods.contains(&method) {
                        assert!(![404, 405].contains(&response.status) || target.len() > 40, "{method} {target}");
                        assert!(response.status < 500, "{method} {target}: {}", response.status);
                        if method == "POST" {
                            assert_eq!(response.status, 415, "{method} {target}: no form");
                        }
                    } else {
                        assert_eq!(response.status, 405, "{method} {target}");
                        let allowed = response.header("allow").expect("Allow");
                        assert!(methods.iter().all(|method| allowed.contains(method)), "{target}: {allowed}");
                    }
                }
            }
            assert_eq!(browser.get("/portal/nothing/here").status, 404);
        }
    }

    /// A key does not open the portal and a session does not open the interface.
    [164]
    fn keys_and_sessions_do_not_mix(kind) {
        let town = Town::new(kind);
        let mut browser = town.member("a", "a@example.org");
        let key = crate::browser::shown_key(&browser.create_key("k")).expect("a key");
        let bearer = format!("Bearer {key}");
        for (target, _) in ROUTES.iter().filter(|(target, _)| !target.contains('.') && *target != "/portal") {
            for method in ["GET", "POST"] {
                let mut stranger = town.browser();
                let status = stranger.send(method, target, &[("Authorization", &bearer)], "").status;
                assert!(status == 401 || status == 405, "{method} {target}: {status}");
            }
        }
        assert_eq!(browser.send("GET", "/portal/keys", &[("Authorization", &bearer)], "").status, 401);
        let cookie = format!("glosa_portal={}", browser.cookies["glosa_portal"]);
        let session = format!("Bearer {}", browser.cookies["glosa_portal"]);
        for header in [("Cookie", cookie.as_str()), ("Authorization", session.as_str())] {
            for target in ["/v1/text-types", "/v1/metrics", "/v1/reports/rep_01m7y7ex2wez3vwngf7btwkqnt"] {
                let refused = Client::new(&town.server.address, "").send("GET", target, &[header], b"");
                refused.is_problem(401, "unauthorized");
            }
        }
    }

    /// The language is the browser's, or the chosen one from then on; every page has it.
    [165]
    fn pages_speak_three_languages(kind) {
        let town = Town::new(kind);
        for (accept, code, words) in [
            ("ca,en;q=0.5", "ca", "Inicia la sessió"),
            ("es-MX", "es", "Iniciar sesión"),
            ("fr", "en", "Log in"),
        ] {
            let mut browser = town.browser();
            browser.headers = vec![("Accept-Language".into(), accept.into())];
            let text = browser.get("/portal/").text();
            assert!(text.contains(&format!("<html lang=\"{code}\">")) && text.contains(words), "{text}");
            let chosen = browser.get("/portal/contact?language=ca");
            assert!(chosen.text().contains("<html lang=\"ca\">"));
            for target in ["/portal/", "/portal/reset", "/portal/contact", "/portal/nothing"] {
                assert!(browser.get(target).text().contains("<html lang=\"ca\">"), "{target}");
            }
            assert!(browser.get("/portal/?language=xx").text().contains("<html lang=\"ca\">"));
        }
    }

    /// Every input has a label and every page its parts, so that a screen reader finds its way.
    [165]
    fn pages_can_be_heard(kind) {
        let town = Town::new(kind);
        let mut browser = town.member("a", "a@example.org");
        let pages = [browser.get("/portal/keys"), browser.create_key("k"), town.browser().get("/portal/"),
            browser.get("/portal/contact"), browser.get("/portal/reset"), browser.get("/portal/nothing")];
        for page in pages {
            let text = page.text();
            for input in text.split("<input ").skip(1).chain(text.split("<textarea ").skip(1)) {
                let input = input.split('>').next().expect("an end");
                if input.contains("type=\"hidden\"") {
                    continue;
                }
                let id = input.split("id=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an id");
                assert!(text.contains(&format!("<label for=\"{id}\">")), "{id} has no label");
            }
            for part in ["<main id=\"content\">", "href=\"#content\"", "<title>", "<header>", "name=\"viewport\""] {
                assert!(text.contains(part), "{part}: {text}");
            }
            assert_eq!(text.matches("<h1>").count(), 1);
            assert!(!text.contains("style=\"") && !text.contains("onclick"), "the policy allows neither");
        }
    }
}
