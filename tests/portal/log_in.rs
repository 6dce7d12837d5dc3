//! Log-in, sessions, reset.
use crate::browser::{Browser, hidden};
use crate::harness::{Response, until};
use crate::town::{PASSWORD, Town};

const COOKIE: &str = "glosa_portal";

fn outcome(page: &Response) -> (u16, String) {
    let text = page.text();
    let (before, after) = text.split_once("name=\"form\" value=\"").expect("a form");
    (page.status, format!("{before}{}", &after[43..]))
}

/// What a cookie says beside its value, in alphabetical order.
fn attributes(cookie: &str) -> Vec<&str> {
    let mut attributes: Vec<&str> = cookie.split("; ").skip(1).collect();
    attributes.sort_unstable();
    attributes
}

statements! {
    /// Unknown address, wrong password and too many attempts have one answer.
    [165]
    fn refusals_are_alike(kind) {
        let town = Town::new(kind);
        town.member("a", "a@example.org");
        town.invite("a", "invited@example.org", "en");
        let mut browser = town.browser();
        let unknown = outcome(&browser.log_in("nobody@example.org", PASSWORD));
        assert_eq!(unknown.0, 422);
        for (email, password) in [
            ("a@example.org", "una contraseña que no es"),
            ("a@example.org", ""),
            ("invited@example.org", ""),
            ("invited@example.org", PASSWORD),
            ("not an address", PASSWORD),
            ("", ""),
        ] {
            assert_eq!(outcome(&browser.log_in(email, password)), unknown, "{email}");
        }
    }

    /// After five failures an address waits, also with the right password, on every server; success forgets the failures before it.
    [165]
    fn five_failures_and_the_address_waits(kind) {
        let town = Town::new(kind);
        town.member("a", "a@example.org");
        let second = town.beside(&[]);
        let mut browsers = [town.browser(), Browser::new(&second.address)];
        for round in 0..2 {
            for turn in 0..4 {
                assert_eq!(browsers[turn % 2].log_in("a@example.org", "una contraseña que no es").status, 422);
            }
            assert_eq!(browsers[0].log_in("A@example.org ", PASSWORD).status, 303, "round {round}");
            browsers[0] = town.browser();
        }
        for turn in 0..5 {
            assert_eq!(browsers[turn % 2].log_in("a@example.org", "una contraseña que no es").status, 422);
        }
        for browser in &mut browsers {
            assert_eq!(browser.log_in("A@EXAMPLE.org", PASSWORD).status, 422, "the address waits");
        }
        let later = town.beside(&[("GLOSA_CLOCK_OFFSET_SECONDS", "900")]);
        assert_eq!(Browser::new(&later.address).log_in("a@example.org", PASSWORD).status, 303, "after 15 minutes");
    }

    /// Twenty attempts a minute from one network, whatever the addresses; another network is not held.
    [165]
    fn twenty_attempts_and_the_network_waits(kind) {
        let town = Town::new(kind);
        let emails: Vec<_> = (0..6).map(|number| format!("person-{number}@example.org")).collect();
        for email in &emails {
            town.member("a", email);
        }
        let from = |network: &str| {
            let mut browser = town.browser();
            browser.headers = vec![("X-Forwarded-For".into(), network.into())];
            browser
        };
        let outcomes: Vec<u16> = std::thread::scope(|scope| {
            let tries: Vec<_> = (0..25)
                .map(|turn| {
                    let (mut browser, email) = (from("192.0.2.1"), &emails[turn % 5]);
                    let form = hidden(&browser.get("/portal/"), "form");
                    let fields = [("form", form), ("email", email.clone()), ("password", PASSWORD.to_owned())];
                    scope.spawn(move || {
                        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
                        browser.post("/portal/", &fields).status
                    })
                })
                .collect();
            tries.into_iter().map(|attempt| attempt.join().expect("no panic")).collect()
        });
        assert!(outcomes.contains(&422), "some wait: {outcomes:?}");
        assert!(outcomes.iter().filter(|status| **status == 303).count() >= 5, "most pass: {outcomes:?}");
        assert_eq!(from("192.0.2.2").log_in(&emails[5], PASSWORD).status, 303, "another network");
    }

    /// The cookie changes at log-in and log-out; the old one opens nothing.
    [165]
    fn the_session_is_new_at_log_in(kind) {
        let town = Town::new(kind);
        town.member("a", "a@example.org");
        let mut browser = town.browser();
        browser.get("/portal/");
        let before = browser.cookies[COOKIE].clone();
        let entered = browser.log_in("a@example.org", PASSWORD);
        let cookie = entered.header("set-cookie").expect("a cookie");
        assert_eq!(attributes(cookie), ["HttpOnly", "Path=/", "SameSite=Lax"], "plain HTTP on loopback");
        let session = browser.cookies[COOKIE].clone();
        assert_ne!(before, session);
        let mut thief = town.browser();
        thief.cookies.insert(COOKIE.into(), before);
        assert_eq!(thief.get("/portal/keys").status, 303, "the cookie from before");
        assert_eq!(browser.get("/portal/keys").status, 200);
        assert_eq!(browser.get("/portal/").header("location"), Some("/portal/keys"));
        let form = hidden(&browser.get("/portal/keys"), "form");
        assert_eq!(browser.post("/portal/leave", &[("form", &form)]).header("location"), Some("/portal/?notice=left"));
        assert_ne!(browser.cookies[COOKIE], session);
        thief.cookies.insert(COOKIE.into(), session);
        assert_eq!(thief.get("/portal/keys").status, 303, "the session has ended");
    }

    /// Behind TLS the cookie is bound to host and TLS.
    [165]
    fn the_cookie_is_bound_to_the_host(kind) {
        let town = Town::with(kind, &[("GLOSA_BASE_URL", "https://glosa.example")]);
        let page = town.browser().get("/portal/");
        let cookie = page.header("set-cookie").expect("a cookie");
        assert!(cookie.starts_with("__Host-glosa_portal="), "{cookie}");
        assert_eq!(attributes(cookie), ["HttpOnly", "Path=/", "SameSite=Lax", "Secure"]);
        assert_eq!(page.header("strict-transport-security"), Some("max-age=31536000"));
        assert_eq!(town.browser().get("/portal/portal.css").header("set-cookie"), None);
    }

    /// Twelve hours without a request end a session; a request before counts.
    [165]
    fn an_idle_session_ends(kind) {
        let town = Town::new(kind);
        let mut browser = town.member("a", "a@example.org");
        let at = |seconds: &str, browser: &mut Browser| {
            let server = town.beside(&[("GLOSA_CLOCK_OFFSET_SECONDS", seconds)]);
            browser.address.clone_from(&server.address);
            browser.get("/portal/keys").status
        };
        assert_eq!(at("39600", &mut browser), 200, "11 hours");
        assert_eq!(at("79200", &mut browser), 200, "22 hours");
        assert_eq!(at("126000", &mut browser), 303, "35 hours");
    }

    /// A reset letter goes to who exists, the answer is the same for all, and the new password ends the sessions.
    [165, 166]
    fn a_reset_ends_sessions(kind) {
        let town = Town::new(kind);
        let mut member = town.member("a", "a@example.org");
        let letters = town.post.letters().len();
        let mut browser = town.browser();
        let unknown = browser.fill("/portal/reset", &[("email", "nobody@example.org")]);
        let known = browser.fill("/portal/reset", &[("email", "A@example.org")]);
        assert_eq!((unknown.status, unknown.text()), (known.status, known.text()));
        let letter = town.post.letter(letters);
        assert_eq!((letter.to.as_str(), town.post.letters().len()), ("a@example.org", letters + 1));
        let link = letter.link("/portal/reset/");
        assert_eq!(browser.get(&link.replace("/reset/", "/invitation/")).status, 404, "another purpose");
        let other = "una frase de paso distinta";
        assert_eq!(browser.fill(&link, &[("password", other), ("again", other)]).status, 303);
        assert_eq!(browser.get(&link).status, 404, "used");
        assert_eq!(member.get("/portal/keys").header("location"), Some("/portal/?notice=expired"));
        assert_eq!(town.browser().log_in("a@example.org", PASSWORD).status, 422);
        assert_eq!(browser.log_in("a@example.org", other).status, 303);
        assert_eq!(browser.fill("/portal/reset", &[("email", "nonsense")]).status, 422);
    }

    /// Reset letters to one address are few.
    [165]
    fn reset_letters_are_few(kind) {
        let town = Town::new(kind);
        town.member("a", "a@example.org");
        let letters = town.post.letters().len();
        let mut browser = town.browser();
        for _ in 0..8 {
            assert_eq!(browser.fill("/portal/reset", &[("email", "a@example.org")]).status, 200);
        }
        let last = town.post.letter(letters + 4).link("/portal/reset/");
        let good = until("the last link", || Some(town.post.letters()).filter(|all| all.len() >= letters + 5));
        assert_eq!(good.len(), letters + 5);
        let works = good[letters..].iter().filter(|letter| browser.get(&letter.link("/portal/reset/")).status == 200);
        assert_eq!(works.count(), 1, "one link at a time: {last}");
    }
}
