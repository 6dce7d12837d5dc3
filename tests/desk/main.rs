//! The desk seen from outside: an editor's session with `glosa lsp`, spoken over standard input and output as editors speak it.
#![allow(clippy::disallowed_methods, reason = "starts processes and writes the files that they read")]

mod client;
mod root;

use std::time::{Duration, Instant};

use client::{Client, diagnostics};
use root::Root;
use serde_json::{Value, json};

const LETTER: &str = "Vino con el fin de ver.\n\nLa gestion: 👩‍👧 y la gestion.\n";

fn titles(actions: &Value) -> Vec<&str> {
    actions.as_array().expect("actions").iter().map(|a| a["title"].as_str().expect("a title")).collect()
}

/// A text after the edits of an action, whose positions count UTF-16 units.
fn changed(text: &str, action: &Value) -> String {
    let document = &action["edit"]["documentChanges"][0];
    let mut edits: Vec<&Value> = document["edits"].as_array().expect("edits").iter().collect();
    edits.sort_by_key(|edit| {
        std::cmp::Reverse((edit["range"]["start"]["line"].as_u64(), edit["range"]["start"]["character"].as_u64()))
    });
    let byte = |place: &Value| {
        let mut start = 0;
        for _ in 0..place["line"].as_u64().expect("a line") {
            start += text[start..].find('\n').expect("a line") + 1;
        }
        let mut units = place["character"].as_u64().expect("a column") as usize;
        for (at, c) in text[start..].char_indices() {
            if units == 0 {
                return start + at;
            }
            units -= c.len_utf16();
        }
        text.len()
    };
    let mut text_now = text.to_owned();
    for edit in edits {
        let range = byte(&edit["range"]["start"])..byte(&edit["range"]["end"]);
        text_now.replace_range(range, edit["newText"].as_str().expect("a text"));
    }
    text_now
}

#[test]
fn a_session() {
    let root = Root::new();
    let mut client = Client::start(&root, &[]);
    let uri = "file:///tmp/carta.txt";
    let told = client.initialize(json!({"genre": "test/note"}), json!({}));
    assert_eq!(told["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(told["serverInfo"]["name"], "glosa");

    // Diagnostics of the version that was opened, by rule and severity, in UTF-16 units.
    client.open(uri, "plaintext", 1, LETTER);
    let params = client.diagnostics(uri, 1);
    assert_eq!(
        diagnostics(&params),
        [
            "0:5-0:18 3 wordy-phrase Título de wordy-phrase: «con el fin de» → «para»",
            "2:3-2:10 1 common-slip Título de common-slip: «gestion» → «gestión»",
            "2:23-2:30 1 common-slip Título de common-slip: «gestion» → «gestión»",
        ]
    );

    // The explanation and the page of the rule.
    let place = |line: u32, character: u32| json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
    let hover = client.request("textDocument/hover", place(0, 8));
    let shown = hover["contents"]["value"].as_str().expect("Markdown");
    for part in [
        "**Título de wordy-phrase**",
        "Vocabulario",
        "`wordy-phrase`",
        "**para**",
        "Hay 1.",
        "Así se mira.",
        "Diga menos.",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(hover["range"]["start"]["character"], 5);
    assert!(client.request("textDocument/hover", place(0, 1)).is_null());

    // Quick fixes: the ready edit, other suggestions, and everything at once.
    let actions = |client: &mut Client, only: Value| {
        let range = json!({"start": {"line": 0, "character": 8}, "end": {"line": 0, "character": 8}});
        let context = json!({"diagnostics": params["diagnostics"], "only": only});
        client.request(
            "textDocument/codeAction",
            json!({"textDocument": {"uri": uri}, "range": range, "context": context}),
        )
    };
    let offered = actions(&mut client, Value::Null);
    assert_eq!(
        titles(&offered),
        [
            "Cambiar «con el fin de» por «para»",
            "Poner «a fin de» (sugerencia: repase la oración)",
            "Hacer todos los cambios seguros de este archivo (3)"
        ]
    );
    assert_eq!(offered[0]["isPreferred"], true);
    assert_eq!(offered[0]["diagnostics"][0]["code"], "wordy-phrase");
    assert_eq!(offered[0]["edit"]["documentChanges"][0]["textDocument"]["version"], 1);
    assert_eq!(changed(LETTER, &offered[0]), LETTER.replace("con el fin de", "para"));
    assert_eq!(changed(LETTER, &offered[1]), LETTER.replace("con el fin de", "a fin de"));
    let all = LETTER.replace("con el fin de", "para").replace("gestion", "gestión");
    assert_eq!(changed(LETTER, &offered[2]), all);
    assert_eq!(titles(&actions(&mut client, json!(["quickfix"]))).len(), 2);
    assert_eq!(titles(&actions(&mut client, json!(["source.fixAll"]))).len(), 1);

    // After a change: nothing of the old version is offered, and the new one is told under its number.
    client.change(uri, 2, &all);
    assert_eq!(
        client.request("textDocument/hover", place(0, 8)),
        Value::Null,
        "the old places are not those of this text"
    );
    assert_eq!(diagnostics(&client.diagnostics(uri, 2)), [""; 0]);
    client.close(uri);
    client.end();
}

#[test]
fn a_pause_and_many_changes() {
    let root = Root::new();
    let mut client = Client::start(&root, &["--pause", "150"]);
    client.initialize(json!({"genre": "test/note"}), json!({}));
    let uri = "file:///tmp/carta.txt";
    client.open(uri, "plaintext", 1, "");
    client.diagnostics(uri, 1);
    let long = "Vino con el fin de ver. ".repeat(400);
    for version in 2..40 {
        client.change(uri, version, &long);
    }
    client.change(uri, 40, LETTER);
    let mut versions = Vec::new();
    let last = loop {
        let params = client.notification("textDocument/publishDiagnostics");
        versions.push(params["version"].as_i64().expect("a version"));
        if versions.last() == Some(&40) {
            break params;
        }
    };
    assert_eq!(diagnostics(&last).len(), 3);
    assert!(
        versions.len() < 5 && versions.is_sorted(),
        "changes that follow each other are analysed once: {versions:?}"
    );
    client.end();
}

#[test]
fn positions_in_utf_8() {
    let root = Root::new();
    let mut client = Client::start(&root, &[]);
    let general = json!({"general": {"positionEncodings": ["utf-8", "utf-16"]}});
    let told = client.initialize(json!({"genre": "test/note"}), general);
    assert_eq!(told["capabilities"]["positionEncoding"], "utf-8");
    let uri = "file:///tmp/carta.txt";
    client.open(uri, "plaintext", 7, LETTER);
    let params = client.diagnostics(uri, 7);
    let column = LETTER.lines().nth(2).expect("a line").rfind("gestion").expect("a place");
    assert_eq!(params["diagnostics"][2]["range"]["start"], json!({"line": 2, "character": column}));
    client.end();
}

#[test]
fn documents_say_what_they_are() {
    let root = Root::new();
    let mut client = Client::start(&root, &[]);
    client.initialize(json!(null), json!({}));
    let uri = "file:///tmp/nota.md";
    let text = "---\nglosa: {genre: test/note}\n---\n\nVino `con el fin de` y **con el fin de** ver.\n\n> Con el fin de citar.\n\n<!-- glosa off: wordy-frase -->\n";
    client.open(uri, "markdown", 1, text);
    let told = diagnostics(&client.diagnostics(uri, 1)).join("\n");
    assert!(told.contains("4:25-4:38 3 wordy-phrase"), "{told}");
    assert!(told.contains("8:16-8:27 2  unknown rule `wordy-frase`; did you mean `wordy-phrase`?"), "{told}");
    assert_eq!(told.lines().count(), 2, "{told}");
    // A genre that is not there is told where it stands, and what every genre asks for is checked.
    client.change(uri, 2, &text.replace("test/note", "test/nota"));
    let told = diagnostics(&client.diagnostics(uri, 2)).join("\n");
    assert!(told.contains("1:15-1:24 1  no genre `test/nota` in es"), "{told}");
    client.end();
}

#[test]
fn settings_come_late_and_change() {
    let root = Root::new();
    let mut client = Client::start(&root, &[]);
    client.initialize(json!(null), json!({}));
    let uri = "file:///tmp/carta.txt";
    client.open(uri, "plaintext", 1, LETTER);
    // Two genres: only the rules of both run where none is named.
    let codes = |params: &Value| -> Vec<String> {
        params["diagnostics"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|d| d["code"].as_str().expect("a code").to_owned())
            .collect()
    };
    assert_eq!(codes(&client.diagnostics(uri, 1)), ["common-slip", "common-slip"]);
    let said = client.notification("window/showMessage");
    assert!(said["message"].as_str().expect("a message").contains("no genre is set"), "{said}");
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"glosa": {"genre": "test/note", "language": "es"}}}),
    );
    assert_eq!(codes(&client.diagnostics(uri, 1)), ["wordy-phrase", "common-slip", "common-slip"]);
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"glosa": {"genre": "test/nite"}}}));
    assert_eq!(codes(&client.diagnostics(uri, 1)).len(), 2);
    let said = client.notification("window/showMessage");
    assert!(
        said["message"]
            .as_str()
            .expect("a message")
            .contains("no genre `test/nite` in es; there are:\n  test/list\n  test/note"),
        "{said}"
    );
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"glosa": {"gender": "x"}}}));
    let said = client.notification("window/showMessage");
    assert!(said["message"].as_str().expect("a message").contains("unknown field `gender`"), "{said}");
    client.end();
}

#[test]
fn an_editor_that_keeps_settings_is_asked_for_them() {
    let root = Root::new();
    let mut client = Client::start(&root, &[]);
    client.settings = json!({"genre": "test/note"});
    client.initialize(json!(null), json!({"workspace": {"configuration": true}}));
    let uri = "file:///tmp/carta.txt";
    client.open(uri, "plaintext", 1, LETTER);
    let until = Instant::now() + Duration::from_secs(60);
    while client.diagnostics(uri, 1)["diagnostics"].as_array().expect("a list").len() < 3 {
        assert!(Instant::now() < until, "the settings never arrived");
    }
    client.end();
}

#[test]
fn rules_that_change_are_loaded_anew() {
    let root = Root::new();
    let mut client = Client::start(&root, &[]);
    let watches = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    client.initialize(json!({"genre": "test/note"}), watches);
    let uri = "file:///tmp/carta.txt";
    client.open(uri, "plaintext", 1, LETTER);
    assert_eq!(client.diagnostics(uri, 1)["diagnostics"].as_array().expect("a list").len(), 3);
    let registered = client.asked("client/registerCapability");
    let pattern = &registered["registrations"][0]["registerOptions"]["watchers"][0]["globPattern"];
    assert!(pattern.as_str().expect("a pattern").ends_with("/rules/**/*.{yaml,rhai}"), "{registered}");
    root.rule("common-slip", "correctness", "version: 1.0.1\nsubstitute:\n  vino: ~\n");
    let changed = json!({"changes": [{"uri": "file:///tmp/x.yaml", "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changed.clone());
    let told = diagnostics(&client.diagnostics(uri, 1)).join("\n");
    assert!(told.starts_with("0:0-0:4 1 common-slip"), "{told}");
    // Rules that are broken do not take the place of those that work.
    root.rule("common-slip", "correctness", "version: 1.0.2\nsubstitute: [\n");
    client.notify("workspace/didChangeWatchedFiles", changed);
    let said = client.notification("window/showMessage");
    assert!(said["message"].as_str().expect("a message").contains("rules/common-slip/es.yaml"), "{said}");
    client.change(uri, 2, LETTER);
    assert_eq!(diagnostics(&client.diagnostics(uri, 2)).len(), 2);
    client.end();
}

/// With the rules that are shipped: what is wrong in any text is marked in every language, also where no genre is named.
#[test]
fn without_a_genre_correctness_is_checked() {
    let mut client = Client::start_at(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."), &[]);
    client.initialize(json!(null), json!({}));
    for (language, text) in [
        ("es", "Los vecinos ya estan aquí y la reunion empieza mañana."),
        ("ca", "Hi ha varis documents a la taula i tenim que signar-los."),
        ("en", "The committee have recieved you're letter and a apple."),
    ] {
        let uri = format!("file:///tmp/{language}.md");
        client.open(&uri, "markdown", 1, &format!("---\nglosa: {{language: {language}}}\n---\n\n{text}\n"));
        let params = client.diagnostics(&uri, 1);
        let told = params["diagnostics"].as_array().expect("a list");
        assert!(told.iter().any(|d| d["severity"] == 1), "{language}: {params}");
    }
    client.end();
}
