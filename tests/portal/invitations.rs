//! How people come in: by invitation of the operator, and in no other way.
use crate::browser::Browser;
use crate::harness::Client;
use crate::harness::process::run;
use crate::town::{PASSWORD, Town};

/// What pages have in common when the browser's cookie is left out.
fn words(page: &crate::harness::Response) -> String {
    let text = page.text();
    text.split("<footer>").next().expect("a page").to_owned()
}

statements! {
    /// The operator invites, the letter comes, the password is set, a key is created and opens the interface.
    [163, 165]
    fn from_invitation_to_report(kind) {
        let town = Town::new(kind);
        let said = town.invite("Ajuntament", "Pia@Example.org", "ca");
        assert!(!said.contains("/portal/invitation/"), "the link is in the letter alone: {said}");
        let letter = town.post.letter(0);
        assert_eq!(letter.to, "pia@example.org");
        assert!(letter.text.contains("From: glosa@example.org") && letter.text.contains("Us convidem"), "{}", letter.text);
        assert!(letter.text.contains("Ajuntament") && letter.text.contains("72 hores"), "{}", letter.text);
        assert!(letter.text.contains(&format!("http://{}/portal/invitation/", town.server.address)), "{}", letter.text);
        let link = letter.link("/portal/invitation/");
        assert_eq!(link.len(), "/portal/invitation/".len() + 43, "32 random bytes");
        let mut browser = town.browser();
        assert_eq!(browser.get("/portal/keys").header("location"), Some("/portal/"));
        let page = browser.get(&link);
        assert!(page.status == 200 && page.text().contains("pia@example.org"), "{}", page.text());
        let accepted = browser.fill(&link, &[("password", PASSWORD), ("again", PASSWORD)]);
        assert_eq!(accepted.header("location"), Some("/portal/?notice=password-set"), "{}", accepted.text());
        assert_eq!(browser.log_in("pia@example.org", PASSWORD).header("location"), Some("/portal/keys"));
        let issued = browser.create_key("web municipal");
        let key = crate::browser::shown_key(&issued).expect("a key");
        assert_eq!(Client::new(&town.server.address, &key).get("/v1/text-types").status, 200);
        let people = town.database.command(&["accounts", "people", "--account", "Ajuntament"]);
        assert!(people.starts_with("pia@example.org\tactive\tca\t"), "{people}");
    }

    /// A link works once: afterwards it is the same page as one that never existed.
    [166]
    fn an_invitation_works_once(kind) {
        let town = Town::new(kind);
        town.invite("a", "a@example.org", "en");
        let link = town.post.letter(0).link("/portal/invitation/");
        let mut browser = town.browser();
        let form = crate::browser::hidden(&browser.get(&link), "form");
        let fields = [("form", form.as_str()), ("password", PASSWORD), ("again", PASSWORD)];
        assert_eq!(browser.post(&link, &fields).status, 303);
        let other = "otra frase de paso larga";
        let unknown = format!("/portal/invitation/{}", "a".repeat(43));
        let mut later = town.browser();
        let first = later.get(&unknown);
        assert_eq!(first.status, 404);
        for dead in [link.as_str(), unknown.as_str(), "/portal/invitation/x", "/portal/invitation/%F0%9F%92%A9"] {
            let page = later.get(dead);
            assert_eq!((page.status, words(&page)), (404, words(&first)), "{dead}");
            let form = crate::browser::hidden(&later.get("/portal/"), "form");
            let page = later.post(dead, &[("form", &form), ("password", other), ("again", other)]);
            assert_eq!((page.status, words(&page)), (404, words(&first)), "{dead}");
        }
        assert_eq!(town.browser().log_in("a@example.org", other).status, 422);
        assert_eq!(town.browser().log_in("a@example.org", PASSWORD).status, 303);
    }

    /// A link works for 72 hours of the database's clock.
    [166]
    fn an_invitation_expires(kind) {
        let town = Town::new(kind);
        town.invite("a", "a@example.org", "en");
        let link = town.post.letter(0).link("/portal/invitation/");
        let shortly_before = (72 * 3600 - 300).to_string();
        let before = town.beside(&[("GLOSA_CLOCK_OFFSET_SECONDS", &shortly_before)]);
        assert_eq!(Browser::new(&before.address).get(&link).status, 200);
        let after = town.beside(&[("GLOSA_CLOCK_OFFSET_SECONDS", "259200")]);
        let mut browser = Browser::new(&after.address);
        let page = browser.get(&link);
        let unknown = browser.get(&format!("/portal/invitation/{}", "a".repeat(43)));
        assert_eq!((page.status, words(&page)), (404, words(&unknown)));
        let form = crate::browser::hidden(&browser.get("/portal/"), "form");
        let late = browser.post(&link, &[("form", &form), ("password", PASSWORD), ("again", PASSWORD)]);
        assert_eq!((late.status, words(&late)), (404, words(&unknown)));
        assert_eq!(town.browser().get(&link).status, 200, "where the clock says so it works still");
    }

    /// A second invitation ends the first; a person of another account is not taken over.
    [165, 166]
    fn invitations_replace_each_other(kind) {
        let town = Town::new(kind);
        town.invite("a", "a@example.org", "en");
        town.invite("a", "a@example.org", "es");
        let (first, second) = (town.post.letter(0), town.post.letter(1));
        assert!(second.text.contains("Le invitamos"), "{}", second.text);
        assert_eq!(town.browser().get(&first.link("/portal/invitation/")).status, 404);
        assert_eq!(town.browser().get(&second.link("/portal/invitation/")).status, 200);
        let stolen = ["accounts", "invite", "--account", "b", "--email", "A@example.org"];
        let refused = run(&stolen, &town.database.settings(&[]));
        assert_eq!(refused.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("another account"));
        for wrong in ["nobody", "a b@example.org", "a@example.org\r\nBcc: x@example.org"] {
            let refused = run(&["accounts", "invite", "--account", "b", "--email", wrong], &town.database.settings(&[]));
            assert_eq!(refused.status.code(), Some(2), "{wrong}");
        }
    }

    /// Without a mail server the operator gets the link to hand over; with one that refuses, too.
    [165]
    fn without_mail_the_link_is_handed_over(kind) {
        let town = Town::new(kind);
        let base = format!("http://{}", town.server.address);
        let arguments = ["accounts", "invite", "--account", "a", "--email", "a@example.org"];
        let done = run(&arguments, &town.database.settings(&[("GLOSA_BASE_URL", &base)]));
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success() && done.stdout.is_empty(), "{said}");
        let link = said.split_whitespace().find(|word| word.starts_with(&base)).expect("a link");
        let path = link.strip_prefix(&base).expect("of the server").to_owned();
        assert_eq!(town.browser().get(&path).status, 200);
        let broken = [("GLOSA_SMTP_URL", "smtp://127.0.0.1:1"), ("GLOSA_MAIL_FROM", "glosa@example.org")];
        let failed = run(&arguments, &town.database.settings(&broken));
        assert_eq!(failed.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&failed.stderr).contains("/portal/invitation/"));
        let half = run(&arguments, &town.database.settings(&[("GLOSA_SMTP_URL", "smtp://127.0.0.1:1")]));
        assert_eq!(half.status.code(), Some(2), "a server without a sender");
    }

    /// Passwords that are no good are refused with a reason, and the link stays good.
    [165]
    fn weak_passwords_are_refused(kind) {
        let town = Town::new(kind);
        town.invite("a", "name@example.org", "en");
        let link = town.post.letter(0).link("/portal/invitation/");
        let mut browser = town.browser();
        for (password, again, reason) in [
            ("short", "short", "fewer than 12"),
            ("name@example.org", "name@example.org", "too easy"),
            ("aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaa", "too easy"),
            (PASSWORD, "otra frase de paso", "differ"),
        ] {
            let page = browser.fill(&link, &[("password", password), ("again", again)]);
            assert_eq!(page.status, 422);
            let text = page.text();
            assert!(text.contains(reason) && text.contains("role=\"alert\"") && text.contains("<title>Error: "), "{text}");
            assert!(!text.contains(password) || password == "name@example.org", "passwords are not sent back");
        }
        assert_eq!(browser.fill(&link, &[("password", PASSWORD), ("again", PASSWORD)]).status, 303);
    }

    /// Nobody signs up: there is no such page, no such operation and no word of it in the description.
    [165]
    fn there_is_no_sign_up(kind) {
        let town = Town::new(kind);
        let mut browser = town.browser();
        for name in ["register", "signup", "sign-up", "join", "accounts", "people", "invitation", "registro", "new"] {
            for method in ["GET", "POST", "PUT"] {
                let page = browser.send(method, &format!("/portal/{name}"), &[], "");
                assert_eq!(page.status, 404, "{method} {name}");
            }
        }
        let log_in = browser.get("/portal/").text();
        assert_eq!(log_in.matches("<form").count(), 1, "log-in is the only form");
        assert!(log_in.contains("/portal/contact"));
        let client = Client::new(&town.server.address, &town.database.key());
        let described = client.get("/v1/openapi.json").text();
        assert!(!described.contains("/portal") && !described.contains("register"));
        for target in ["/v1/accounts", "/v1/keys", "/v1/register", "/register", "/accounts"] {
            assert_eq!(client.send("POST", target, &[], b"").status, 404, "{target}");
        }
    }

    /// A dismissed person is out at once, and an inactive account has no people.
    [165]
    fn people_can_be_shut_out(kind) {
        let town = Town::new(kind);
        let mut browser = town.member("a", "a@example.org");
        town.database.command(&["accounts", "deactivate", "a"]);
        assert_eq!(browser.get("/portal/keys").status, 303);
        let mut fresh = town.browser();
        assert_eq!(fresh.log_in("a@example.org", PASSWORD).status, 422);
        town.database.command(&["accounts", "activate", "a"]);
        assert_eq!(fresh.log_in("a@example.org", PASSWORD).status, 303);
        town.database.command(&["accounts", "dismiss", "--account", "a", "--email", "a@example.org"]);
        assert_eq!(fresh.get("/portal/keys").status, 303);
        assert_eq!(town.browser().log_in("a@example.org", PASSWORD).status, 422);
    }
}
