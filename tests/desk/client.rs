//! An editor: it starts the server, frames messages, and answers what the server asks.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::root::Root;

const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    process: Child,
    input: ChildStdin,
    incoming: Receiver<Value>,
    /// Messages that nobody has waited for yet.
    kept: VecDeque<Value>,
    next: i64,
    /// What it answers when it is asked for settings.
    pub settings: Value,
}

impl Client {
    pub fn start(root: &Root, arguments: &[&str]) -> Client {
        Client::start_at(root.path().to_str().expect("UTF-8"), arguments)
    }

    pub fn start_at(root: &str, arguments: &[&str]) -> Client {
        let mut process = Command::new(env!("CARGO_BIN_EXE_glosa"))
            .args(["lsp", "--stdio", "--root", root])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = process.stdin.take().expect("an input");
        let mut output = BufReader::new(process.stdout.take().expect("an output"));
        let (sender, incoming) = channel();
        std::thread::spawn(move || {
            while let Some(message) = receive(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Client { process, input, incoming, kept: VecDeque::new(), next: 0, settings: Value::Null }
    }

    fn send(&mut self, message: Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("written");
        self.input.flush().expect("written");
    }

    /// The next message that is wanted; the others are kept, and what the server asks is answered.
    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&wanted) {
            return self.kept.remove(at).expect("a message");
        }
        loop {
            let message = self.incoming.recv_timeout(PATIENCE).expect("the server answers in time");
            if let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) {
                let result = if method == "workspace/configuration" { json!([self.settings]) } else { Value::Null };
                self.send(json!({"jsonrpc": "2.0", "id": id, "result": result}));
            }
            if wanted(&message) {
                return message;
            }
            self.kept.push_back(message);
        }
    }

    pub fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.wait(|message| message["id"] == id && message.get("method").is_none());
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub fn notification(&mut self, method: &str) -> Value {
        self.wait(|message| message["method"] == method)["params"].clone()
    }

    /// The parameters of what the server asked.
    pub fn asked(&mut self, method: &str) -> Value {
        self.notification(method)
    }

    /// Begins the session. The editor knows versions, Markdown and what is told beside.
    pub fn initialize(&mut self, options: Value, more: Value) -> Value {
        let mut capabilities = json!({
            "workspace": {"workspaceEdit": {"documentChanges": true}},
            "textDocument": {"hover": {"contentFormat": ["markdown"]}, "publishDiagnostics": {"relatedInformation": true}},
        });
        for (part, value) in more.as_object().expect("an object") {
            for (key, value) in value.as_object().expect("an object") {
                capabilities[part][key] = value.clone();
            }
        }
        let params =
            json!({"processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options});
        let told = self.request("initialize", params);
        self.notify("initialized", json!({}));
        told
    }

    pub fn open(&mut self, uri: &str, language: &str, version: i32, text: &str) {
        let document = json!({"uri": uri, "languageId": language, "version": version, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub fn change(&mut self, uri: &str, version: i32, text: &str) {
        let document = json!({"uri": uri, "version": version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": [{"text": text}]}));
    }

    pub fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
        let params = self.notification("textDocument/publishDiagnostics");
        assert_eq!(params["diagnostics"], json!([]), "nothing stays behind");
    }

    /// What is told of a version of a document.
    pub fn diagnostics(&mut self, uri: &str, version: i32) -> Value {
        let wanted = |message: &Value| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && params["version"] == version
        };
        self.wait(wanted)["params"].clone()
    }

    /// Ends the session as the protocol says; the server goes by itself.
    pub fn end(mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        let status = self.process.wait().expect("it ends");
        assert!(status.success(), "{status}");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ended = self.process.kill();
        let _waited = self.process.wait();
    }
}

/// Each diagnostic as `line:column-line:column severity code message`, the first line of the message.
pub fn diagnostics(params: &Value) -> Vec<String> {
    let place = |at: &Value| format!("{}:{}", at["line"], at["character"]);
    let shown = |d: &Value| {
        let range = format!("{}-{}", place(&d["range"]["start"]), place(&d["range"]["end"]));
        let message = d["message"].as_str().expect("a message").lines().next().unwrap_or_default();
        format!("{range} {} {} {message}", d["severity"], d["code"].as_str().unwrap_or_default())
    };
    params["diagnostics"].as_array().expect("a list").iter().map(shown).collect()
}

fn receive(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().expect("a length");
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("JSON"))
}
