//! What must not be kept or shown: passwords, links, sessions, keys, addresses.
use crate::browser::{hidden, shown_key};
use crate::harness::database::cluster;
use crate::harness::{Kind, files};
use crate::town::{PASSWORD, Town};

statements! {
    /// No secret of the portal is in a log, at the most talkative level, nor in the files of the database.
    [163, 166]
    fn secrets_are_neither_kept_nor_logged(kind) {
        let town = Town::new(kind);
        let mut browser = town.member("a", "marca-correo@example.org");
        let invitation = town.post.letter(0).link("/portal/invitation/").replace("/portal/invitation/", "");
        let key = shown_key(&browser.create_key("k")).expect("a key");
        let session = browser.cookies["glosa_portal"].clone();
        let form = hidden(&browser.get("/portal/keys"), "form");
        let wrong = "marca-contraseña-equivocada";
        town.browser().log_in("marca-correo@example.org", wrong);
        town.browser().fill("/portal/reset", &[("email", "marca-correo@example.org")]);
        let reset = town.post.letter(1).link("/portal/reset/").replace("/portal/reset/", "");
        let message = [("person", "marca-nombre"), ("email", "marca-correo@example.org"), ("message", "marca-mensaje")];
        assert_eq!(town.browser().fill("/portal/contact", &message).status, 200);
        town.browser().get("/portal/marca-ruta?marca=consulta");
        let log = town.server.log();
        assert!(log.lines().count() > 10, "the log is on");
        for secret in [PASSWORD, wrong, &invitation, &reset, &key[16..], &session, &form, "marca-"] {
            assert!(!log.contains(secret), "the log holds {secret}");
        }
        let Town { database, server, .. } = town;
        server.stop();
        let folder = match database.kind {
            Kind::Sqlite => database.folder(),
            Kind::Postgres => {
                cluster().execute("CHECKPOINT");
                cluster().data()
            }
        };
        let secrets = [PASSWORD, wrong, &invitation, &reset, &key[16..], &session, &form, "marca-mensaje"];
        let found = files::holding(&folder, &secrets);
        assert!(found.is_empty(), "{found:?}");
    }
}
