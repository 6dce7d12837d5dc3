//! The keys of an account.
use crate::browser::{hidden, key_ids, shown_key};
use crate::harness::{Client, until};
use crate::town::Town;
use std::time::{Duration, Instant};

statements! {
    /// A key is in the answer that made it and in none after it; the form that made it makes no second one.
    [163]
    fn a_key_is_shown_once(kind) {
        let town = Town::new(kind);
        let mut browser = town.member("a", "a@example.org");
        let page = browser.get("/portal/keys");
        let (form, once) = (hidden(&page, "form"), hidden(&page, "once"));
        let fields = [("form", form.as_str()), ("once", once.as_str()), ("label", "web municipal")];
        let issued = browser.post("/portal/keys", &fields);
        let key = shown_key(&issued).expect("a key");
        assert_eq!(issued.header("cache-control"), Some("no-store"));
        let again = browser.post("/portal/keys", &fields);
        assert_eq!(again.header("location"), Some("/portal/keys?notice=once"), "a reload makes no key");
        for _ in 0..2 {
            let list = browser.get("/portal/keys");
            assert_eq!(shown_key(&list), None);
            let text = list.text();
            assert!(!text.contains(&key[16..]) && text.contains(&key[..15]), "the list has the beginning alone");
            assert!(text.contains("web municipal") && text.contains("(1 of 20)") && text.contains("Never"), "{text}");
        }
        let client = Client::new(&town.server.address, &key);
        assert_eq!(client.get("/v1/text-types").status, 200);
        until("the use of the key", || (!browser.get("/portal/keys").text().contains("Never")).then_some(()));
        assert!(!town.server.log().contains(&key[16..]), "the log has the key");
    }

    /// A revoked key is refused within seconds, by every server, and stays in the list as revoked.
    [162, 164]
    fn revoking_asks_and_works_everywhere(kind) {
        let town = Town::new(kind);
        let servers = [town.beside(&[]), town.beside(&[])];
        let mut browser = town.member("a", "a@example.org");
        let key = shown_key(&browser.create_key("doomed")).expect("a key");
        let kept = shown_key(&browser.create_key("kept")).expect("a key");
        let addresses = [&town.server.address, &servers[0].address, &servers[1].address];
        for address in addresses {
            assert_eq!(Client::new(address, &key).get("/v1/text-types").status, 200);
        }
        let ids = key_ids(&browser.get("/portal/keys"));
        let target = format!("/portal/keys/{}/revoke", ids[1]);
        let asked = browser.get(&target).text();
        assert!(asked.contains("“doomed”") && asked.contains("cannot be undone"), "{asked}");
        assert_eq!(Client::new(addresses[0], &key).get("/v1/text-types").status, 200, "asking is not revoking");
        let begun = Instant::now();
        assert_eq!(browser.fill(&target, &[]).header("location"), Some("/portal/keys?notice=revoked"));
        for address in addresses {
            until("the refusal", || (Client::new(address, &key).get("/v1/text-types").status == 401).then_some(()));
            assert_eq!(Client::new(address, &kept).get("/v1/text-types").status, 200);
        }
        assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
        let list = browser.get("/portal/keys");
        assert!(list.text().contains("Revoked keys") && key_ids(&list) == [ids[0].clone()]);
        assert_eq!(browser.get(&target).status, 404, "no key to revoke any more");
    }

    /// An account does not see, ask for or revoke what is another's; another's key is the same page as none.
    [164]
    fn accounts_do_not_reach_each_other(kind) {
        let town = Town::new(kind);
        let mut mine = town.member("a", "a@example.org");
        let mut other = town.member("b", "b@example.org");
        let key = shown_key(&mine.create_key("la-clave-de-a")).expect("a key");
        other.create_key("la-clave-de-b");
        let id = key_ids(&mine.get("/portal/keys")).remove(0);
        let theirs = other.get("/portal/keys").text();
        assert!(!theirs.contains("la-clave-de-a") && !theirs.contains(&id));
        let foreign = format!("/portal/keys/{id}/revoke");
        let unknown = "/portal/keys/0190f0a0-0000-7000-8000-000000000000/revoke";
        let form = hidden(&other.get("/portal/keys"), "form");
        let none = other.get(unknown);
        assert_eq!(none.status, 404);
        for target in [foreign.as_str(), unknown, "/portal/keys/x/revoke"] {
            let seen = other.get(target);
            assert_eq!((seen.status, seen.text()), (404, none.text()), "{target}");
            let sent = other.post(target, &[("form", &form)]);
            assert_eq!((sent.status, sent.text()), (404, none.text()), "{target}");
        }
        for (method, target) in [("PUT", "/portal/keys"), ("DELETE", foreign.as_str()), ("PATCH", foreign.as_str())] {
            assert_eq!(other.send(method, target, &[], "").status, 405);
        }
        let smuggled = [("form", form.as_str()), ("once", &"a".repeat(43)), ("label", "x"), ("account", "a"), ("account_id", &id)];
        assert_eq!(other.post("/portal/keys", &smuggled).status, 200);
        assert!(mine.get("/portal/keys").text().contains("(1 of 20)"));
        assert!(other.get("/portal/keys").text().contains("(2 of 20)"));
        assert_eq!(Client::new(&town.server.address, &key).get("/v1/text-types").status, 200, "the key works still");
        let mut stranger = town.browser();
        assert_eq!(stranger.get(&foreign).header("location"), Some("/portal/"));
        let form = hidden(&stranger.get("/portal/"), "form");
        assert_eq!(stranger.post(&foreign, &[("form", &form)]).status, 303);
        assert_eq!(Client::new(&town.server.address, &key).get("/v1/text-types").status, 200, "the key works still");
    }

    /// Twenty active keys are the most; revoking one makes room.
    [164]
    fn twenty_keys_are_the_most(kind) {
        let town = Town::new(kind);
        let mut browser = town.member("a", "a@example.org");
        for number in 0..20 {
            assert!(shown_key(&browser.create_key(&format!("k{number}"))).is_some());
        }
        let page = browser.get("/portal/keys");
        assert!(page.text().contains("20 active keys") && !page.text().contains("name=\"once\""));
        let form = hidden(&page, "form");
        let more = browser.post("/portal/keys", &[("form", &form), ("once", &"b".repeat(43)), ("label", "more")]);
        assert_eq!((more.status, shown_key(&more)), (303, None));
        let id = key_ids(&page).remove(0);
        assert_eq!(browser.fill(&format!("/portal/keys/{id}/revoke"), &[]).status, 303);
        assert!(shown_key(&browser.create_key("again")).is_some());
    }

    /// Names are text: what looks like a page is shown as it was written, and what is no name is refused.
    [164]
    fn names_are_text(kind) {
        let town = Town::new(kind);
        let account = "<b>\"Ajuntament\" & 'co' {link}</b>";
        let mut browser = town.member(account, "a@example.org");
        let label = "<script>alert(1)</script>\"><img src=x onerror=alert(2)> {hint} & 'x'";
        let issued = browser.create_key(label);
        let list = browser.get("/portal/keys");
        let id = key_ids(&list).remove(0);
        let asked = browser.get(&format!("/portal/keys/{id}/revoke"));
        for page in [&issued, &list, &asked] {
            let text = page.text();
            assert_eq!(page.status, 200);
            assert!(!text.contains("<script>alert") && !text.contains("<img") && !text.contains("<b>\""), "{text}");
            assert!(text.contains("&#60;script&#62;alert(1)") || text.contains("&lt;script&gt;alert(1)"), "{text}");
            assert!(text.contains("{hint}"), "braces are text: {text}");
        }
        for wrong in ["", "   ", "a\nb", "a\0b", &"x".repeat(101)] {
            let refused = browser.create_key(wrong);
            assert_eq!(refused.status, 422, "{wrong:?}");
            assert!(refused.text().contains("role=\"alert\""));
        }
        assert!(shown_key(&browser.create_key(&"ñ".repeat(100))).is_some());
    }
}
