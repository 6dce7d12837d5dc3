//! What must not be kept or shown: texts, keys, identifiers of callers.
use crate::harness::client::letter;
use crate::harness::database::cluster;
use crate::harness::inside::Inside;
use crate::harness::stream::Stream;
use crate::harness::{Client, Kind, World, files};

statements! {
    /// Markers in everything a caller sends reach no log; keys, idempotency keys and, after the analysis, texts reach no file. On
    /// PostgreSQL the files are those of the tables after a vacuum: its write-ahead log keeps what was written until it is recycled.
    [13, 51, 73, 163, 190]
    fn nothing_is_kept_or_logged(world) {
        let own = World::new(world.kind(), &[("GLOSA_LOG", "trace")]);
        let account = own.database.account();
        let client = Client::new(&own.server.address, &own.database.key_of(&account));
        let marker = |name: &str| format!("marca-{name}-7f3a9c51e8d24b60a1");
        let mut body = letter(&format!("El texto {} no se guarda.", marker("texto")));
        body["external_id"] = marker("externa").into();
        let id = client.post_with_key(&marker("clave"), &body).json()["report_id"].as_str().expect("an id").to_owned();
        client.post_with_key(&marker("clave"), &letter("Otro."));
        client.finished(&id);
        let _states = Stream::open(&client, &id, &[]).expect("a stream").states();
        let failing = format!("{} romperadrede {}", marker("antes"), marker("después"));
        let failed = client.create(&serde_json::json!({"text": failing, "text_type_slug": "fallo"}));
        client.finished(&failed);
        client.get(&format!("/v1/reports/{}?key={}", marker("ruta"), marker("consulta")));
        client.send("GET", "/v1/metrics", &[("X-Request-ID", &marker("petición")), ("User-Agent", &marker("agente"))], b"");
        body["language"] = marker("idioma").into();
        body[marker("propiedad")] = 1.into();
        client.post(&body);
        client.post_bytes(format!("{{\"text\": \"{}", marker("rota")).as_bytes());
        let log = own.server.log();
        assert!(log.lines().count() > 10, "the log is on");
        assert!(!log.contains("marca-") && !log.contains("7f3a9c51e8d24b60a1"), "the log holds what a caller sent");
        assert!(!log.contains(&client.key) && !log.contains(&client.key[20..]), "the log holds a key");
        let World { database, server } = own;
        server.stop();
        let mut inside = Inside::of(&database);
        for text in ["texto", "antes", "después", "rota", "idioma"] {
            let kept = match database.kind {
                Kind::Sqlite => format!("SELECT count(*) FROM report WHERE instr(text, cast('{}' AS BLOB)) > 0", marker(text)),
                Kind::Postgres => format!("SELECT count(*) FROM report WHERE position(convert_to('{}', 'UTF8') IN text) > 0", marker(text)),
            };
            assert_eq!(inside.number(&kept), 0, "{text}");
        }
        let folder = match database.kind {
            Kind::Sqlite => database.folder(),
            Kind::Postgres => {
                inside.ask("VACUUM FULL report");
                inside.ask("CHECKPOINT");
                cluster().data()
            }
        };
        let mut found = files::holding(&folder, &[&marker("clave"), &client.key[20..]]);
        let tables = if database.kind == Kind::Sqlite { folder } else { folder.join("base") };
        let texts = ["texto", "antes", "después", "rota", "idioma"].map(marker);
        found.extend(files::holding(&tables, &texts.each_ref().map(String::as_str)));
        assert!(found.is_empty(), "{found:?}");
    }
}
