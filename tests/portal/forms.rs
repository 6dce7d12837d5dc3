//! Forms: where they must come from, and the contact form.
use crate::browser::{encode, hidden};
use crate::harness::process::run;
use crate::town::{PASSWORD, Town};

const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

statements! {
    /// A form without the token of its browser, with another's, or from another site changes nothing.
    [164]
    fn forms_come_from_this_site(kind) {
        let town = Town::new(kind);
        let mut victim = town.member("a", "a@example.org");
        let mut attacker = town.member("b", "b@example.org");
        let page = victim.get("/portal/keys");
        let (form, once) = (hidden(&page, "form"), hidden(&page, "once"));
        let foreign = hidden(&attacker.get("/portal/keys"), "form");
        for wrong in ["", "x", &"a".repeat(43), foreign.as_str(), &form.to_lowercase(), &form[1..]] {
            let refused = victim.post("/portal/keys", &[("form", wrong), ("once", &once), ("label", "x")]);
            assert_eq!(refused.status, 403, "{wrong}");
        }
        assert_eq!(victim.post("/portal/keys", &[("once", &once), ("label", "x")]).status, 403);
        let body = encode(&[("form", &form), ("once", &once), ("label", "x")]);
        let host = format!("http://{}", town.server.address);
        for (name, value) in [
            ("Origin", "https://evil.example"),
            ("Origin", "null"),
            ("Origin", "http://127.0.0.1.evil.example"),
            ("Origin", "http://localhost"),
            ("Sec-Fetch-Site", "cross-site"),
            ("Sec-Fetch-Site", "same-site"),
            ("Sec-Fetch-Site", "none"),
        ] {
            assert_eq!(victim.send("POST", "/portal/keys", &[FORM, (name, value)], &body).status, 403, "{name}: {value}");
        }
        assert!(victim.get("/portal/keys").text().contains("(0 of 20)"), "nothing was made");
        for target in ["/portal/", "/portal/leave", "/portal/reset", "/portal/contact"] {
            assert_eq!(victim.post(target, &[("email", "a@example.org"), ("password", PASSWORD)]).status, 403, "{target}");
        }
        assert_eq!(victim.get("/portal/keys").status, 200, "still logged in");
        let headers = [FORM, ("Origin", host.as_str()), ("Sec-Fetch-Site", "same-origin")];
        assert_eq!(victim.send("POST", "/portal/keys", &headers, &body).status, 200, "as browsers send it");
        let mut without_cookie = town.browser();
        assert_eq!(without_cookie.send("POST", "/portal/keys", &headers, &body).status, 403);
    }

    /// What is no form is refused with a page, not with a defect.
    [165]
    fn hostile_bodies_are_refused(kind) {
        let town = Town::new(kind);
        let mut browser = town.browser();
        let form = hidden(&browser.get("/portal/"), "form");
        let json = browser.send("POST", "/portal/", &[("Content-Type", "application/json")], "{}");
        assert_eq!(json.status, 415);
        let large = encode(&[("form", &form), ("email", &"x".repeat(70_000))]);
        assert_eq!(browser.send("POST", "/portal/", &[FORM], &large).status, 413);
        let long = encode(&[("form", &form), ("email", "a@example.org"), ("password", &"ñ".repeat(5_000))]);
        assert_eq!(browser.send("POST", "/portal/", &[FORM], &long).status, 422);
        for body in ["%", "form=%FF%FE", "form", "&&&===", "\0\u{1}"] {
            assert_eq!(browser.send("POST", "/portal/", &[FORM], body).status, 403, "{body:?}");
        }
        let mut lost = town.browser();
        lost.cookies.insert("glosa_portal".into(), "x".repeat(5000));
        assert_eq!(lost.get("/portal/").status, 200);
    }

    /// A message goes to the operator and to nobody else; a robot is thanked and not heard; five an hour are the most.
    [165]
    fn the_contact_form_writes_to_the_operator(kind) {
        let town = Town::with(kind, &[("GLOSA_CONTACT_ADDRESS", "desk@example.org")]);
        let mut browser = town.browser();
        let message = |email: &'static str, text: &'static str| {
            [("person", "Núria Pla"), ("organisation", ""), ("email", email), ("message", text), ("website", "")]
        };
        let robot = [("person", "x"), ("email", "x@example.org"), ("message", "buy"), ("website", "http://spam.example")];
        let thanks = browser.fill("/portal/contact", &robot);
        assert_eq!((thanks.status, town.post.letters().len()), (200, 0));
        let sent = browser.fill("/portal/contact", &message("nuria@example.org", "Volem un compte.\r\n.\r\nGràcies {email}"));
        assert_eq!(sent.status, 200, "{}", sent.text());
        assert_eq!(sent.text().split("<main").nth(1), thanks.text().split("<main").nth(1), "the same thanks");
        for value in ["Núria", "nuria@", "Volem"] {
            assert!(!sent.text().contains(value), "nothing is sent back");
        }
        let letter = town.post.letter(0);
        assert_eq!(letter.to, "desk@example.org");
        assert!(letter.text.contains("Reply-To: nuria@example.org") && letter.text.contains("Núria Pla"), "{}", letter.text);
        assert!(letter.text.contains("Volem un compte.") && letter.text.contains("Gràcies {email}"), "{}", letter.text);
        for (email, text) in [
            ("nobody", "text"),
            ("a@example.org\r\nBcc: x@example.org", "text"),
            ("a@example.org", ""),
        ] {
            assert_eq!(browser.fill("/portal/contact", &message(email, text)).status, 422, "{email:?}");
        }
        for _ in 0..4 {
            assert_eq!(browser.fill("/portal/contact", &message("nuria@example.org", "Un altre.")).status, 200);
        }
        let refused = browser.fill("/portal/contact", &message("nuria@example.org", "Massa."));
        assert_eq!(refused.status, 429);
        browser.headers = vec![("X-Forwarded-For".into(), "192.0.2.9".into())];
        assert_eq!(browser.fill("/portal/contact", &message("nuria@example.org", "De lluny.")).status, 200);
        assert_eq!(town.post.letters().len(), 6);
        assert!(town.post.letters().iter().all(|letter| letter.to == "desk@example.org"), "no letter to the sender");
    }

    /// Without a mail server the pages say so.
    [165]
    fn without_mail_the_pages_say_so(kind) {
        let database = crate::harness::Database::new(kind);
        let server = database.serve_only(&[]);
        let mut browser = crate::browser::Browser::new(&server.address);
        for (target, words) in [("/portal/contact", "no contact form"), ("/portal/reset", "sends no e-mail")] {
            let page = browser.get(target);
            assert!(page.status == 200 && page.text().contains(words) && !page.text().contains("<form"), "{}", page.text());
        }
        let open = [
            ("GLOSA_LISTEN", "0.0.0.0:0"),
            ("GLOSA_SMTP_URL", "smtp://127.0.0.1:1"),
            ("GLOSA_MAIL_FROM", "glosa@example.org"),
        ];
        let refused = run(&["serve"], &database.settings(&open));
        assert_eq!(refused.status.code(), Some(2), "links need an address");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("--base-url"));
    }
}
