//! The session: what the editor sends, and when documents are analysed.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use glosa_host::Roots;
use glosa_markup::{Syntax, Unit};
use glosa_report::BuildError;
use serde_json::json;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::{
    CodeActionKind, CodeActionOptions, CodeActionParams, CodeActionProviderCapability, CodeActionResponse,
    ConfigurationItem, DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, Hover, HoverParams, HoverProviderCapability,
    InitializeParams, InitializeResult, InitializedParams, MarkupKind, MessageType, PositionEncodingKind, Registration,
    ServerCapabilities, ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, Uri,
};
use tower_lsp_server::{Client, LanguageServer};

use crate::analysis::{Analysis, Task};
use crate::rules::Rules;
use crate::settings::{SECTION, Settings};
use crate::{actions, hover};

/// What the editor can do.
#[derive(Clone, Debug)]
struct Editor {
    unit: Unit,
    /// It knows versions in the changes that it is asked to make.
    versioned: bool,
    /// It shows related places.
    related: bool,
    /// It shows Markdown.
    markdown: bool,
    /// It can be asked for settings.
    configuration: bool,
    /// It can be asked to watch files.
    watches: bool,
}

struct Document {
    version: i32,
    text: String,
    syntax: Syntax,
    /// Raised by every change: an analysis of another generation has been overtaken.
    generation: u64,
    stop: Arc<AtomicBool>,
    analysis: Option<Arc<Analysis>>,
}

struct State {
    editor: Editor,
    settings: Settings,
    documents: HashMap<Uri, Document>,
    /// What was said once and need not be said again.
    said: Option<String>,
}

/// The server of one session.
#[derive(Clone)]
pub(crate) struct Backend {
    client: Client,
    rules: Arc<Rules>,
    pause: Duration,
    state: Arc<Mutex<State>>,
}

impl Backend {
    pub fn new(client: Client, roots: Roots, pause: Duration) -> Self {
        let editor = Editor {
            unit: Unit::Utf16,
            versioned: false,
            related: false,
            markdown: false,
            configuration: false,
            watches: false,
        };
        let state = State { editor, settings: Settings::default(), documents: HashMap::new(), said: None };
        Backend { client, rules: Arc::new(Rules::new(roots)), pause, state: Arc::new(Mutex::new(state)) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a text over and has it analysed after a pause.
    fn take(&self, uri: &Uri, version: i32, text: String, syntax: Option<Syntax>, pause: Duration) {
        let mut state = self.state();
        let document = state.documents.entry(uri.clone()).or_insert_with(|| Document {
            version: i32::MIN,
            text: String::new(),
            syntax: syntax_of(uri),
            generation: 0,
            stop: Arc::default(),
            analysis: None,
        });
        // Messages of an editor may be handled side by side: an older text never takes the place of a newer one.
        if version < document.version && syntax.is_none() {
            return;
        }
        document.version = version;
        document.text = text;
        document.syntax = syntax.unwrap_or(document.syntax);
        drop(state);
        self.schedule(uri, pause);
    }

    /// Has a document analysed after a pause, unless it changes before.
    fn schedule(&self, uri: &Uri, pause: Duration) {
        let mut state = self.state();
        let Some(document) = state.documents.get_mut(uri) else { return };
        document.generation += 1;
        document.stop.store(true, Ordering::Relaxed);
        document.stop = Arc::default();
        let (generation, server, uri) = (document.generation, self.clone(), uri.clone());
        drop(state);
        tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            server.analyse(uri, generation).await;
        });
    }

    fn schedule_all(&self) {
        let uris: Vec<Uri> = self.state().documents.keys().cloned().collect();
        uris.iter().for_each(|uri| self.schedule(uri, Duration::ZERO));
    }

    async fn analyse(&self, uri: Uri, generation: u64) {
        let task = {
            let state = self.state();
            let Some(document) = state.documents.get(&uri).filter(|d| d.generation == generation) else { return };
            Task {
                version: document.version,
                text: document.text.clone(),
                syntax: document.syntax,
                settings: state.settings.clone(),
                unit: state.editor.unit,
                stop: document.stop.clone(),
            }
        };
        let rules = self.rules.clone();
        let made = tokio::task::spawn_blocking(move || Analysis::make(rules.get()?, task).map_err(Told::from)).await;
        let analysis = match made {
            Ok(Ok(analysis)) => Arc::new(analysis),
            Ok(Err(Told(None))) => return,
            Ok(Err(Told(Some(message)))) => return self.say(MessageType::ERROR, message).await,
            Err(panic) => return self.say(MessageType::ERROR, format!("glosa: the analysis failed: {panic}")).await,
        };
        let (diagnostics, said) = {
            let mut state = self.state();
            let related = state.editor.related;
            let Some(document) = state.documents.get_mut(&uri).filter(|d| d.generation == generation) else { return };
            document.analysis = Some(analysis.clone());
            let said = match &analysis.wrong_setting {
                Some(wrong) => Some((MessageType::WARNING, format!("glosa: {wrong}"))),
                None if !analysis.has_genre && analysis.reading.settings().genre.is_none() => Some((
                    MessageType::INFO,
                    "glosa: no genre is set, so only what every genre asks for is checked; set `glosa.genre`, or begin a Markdown \
                     or HTML file with the front matter `glosa: {genre: DOMAIN/TEXT_TYPE}`"
                        .to_owned(),
                )),
                None => None,
            };
            (analysis.diagnostics(&uri, related), said)
        };
        self.client.publish_diagnostics(uri, diagnostics, Some(analysis.version)).await;
        if let Some((kind, message)) = said {
            self.say(kind, message).await;
        }
    }

    /// Tells the person something, once in a row.
    async fn say(&self, kind: MessageType, message: String) {
        if self.state().said.replace(message.clone()).as_ref() != Some(&message) {
            self.client.show_message(kind, message).await;
        }
    }

    async fn configure(&self, value: &serde_json::Value) {
        match Settings::read(value) {
            Ok(Some(settings)) => {
                self.state().settings = settings;
                self.schedule_all();
            }
            Ok(None) => {}
            Err(message) => self.say(MessageType::WARNING, message).await,
        }
    }

    /// Asks the editor for settings, where it can be asked.
    async fn ask_for_settings(&self) {
        if !self.state().editor.configuration {
            return;
        }
        let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
        if let Ok(values) = self.client.configuration(vec![item]).await
            && let Some(value) = values.first()
        {
            self.configure(value).await;
        }
    }

    /// Asks the editor to tell when rules, genres or glossaries change.
    async fn watch_rules(&self) {
        if !self.state().editor.watches {
            return;
        }
        let patterns = self.rules.roots.folders.iter().flat_map(|folder| {
            let folder = folder.canonicalize().unwrap_or_else(|_| folder.clone());
            let folder = folder.display().to_string().replace('\\', "/");
            ["rules", "genres", "glossaries"]
                .map(|part| json!({"globPattern": format!("{folder}/{part}/**/*.{{yaml,rhai}}")}))
        });
        let watchers: Vec<_> = patterns.collect();
        let registration = Registration {
            id: "glosa-rules".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: Some(json!({ "watchers": watchers })),
        };
        if let Err(error) = self.client.register_capability(vec![registration]).await {
            self.client.log_message(MessageType::LOG, format!("rules are not watched: {error}")).await;
        }
    }

    /// The analysis of the text that the editor shows now, where it is done.
    fn current(&self, uri: &Uri) -> Option<Arc<Analysis>> {
        let state = self.state();
        let document = state.documents.get(uri)?;
        document.analysis.clone().filter(|analysis| analysis.version == document.version)
    }
}

/// What a person is told of an analysis that was not made; `None` where a newer one is on its way.
struct Told(Option<String>);

impl From<BuildError> for Told {
    fn from(error: BuildError) -> Told {
        match error {
            BuildError::Stopped => Told(None),
            error => Told(Some(format!("glosa: {error}"))),
        }
    }
}

impl From<String> for Told {
    fn from(problems: String) -> Told {
        Told(Some(format!("glosa: the rules cannot be loaded:\n{problems}")))
    }
}

fn syntax_of(uri: &Uri) -> Syntax {
    Syntax::of_path(Path::new(uri.path().as_str()))
}

fn unit(offered: &[PositionEncodingKind]) -> Unit {
    let known = |kind: &PositionEncodingKind| match kind.as_str() {
        "utf-8" => Some(Unit::Utf8),
        "utf-16" => Some(Unit::Utf16),
        "utf-32" => Some(Unit::CodePoints),
        _ => None,
    };
    offered.iter().find_map(known).unwrap_or(Unit::Utf16)
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let capabilities = params.capabilities;
        let workspace = capabilities.workspace.unwrap_or_default();
        let document = capabilities.text_document.unwrap_or_default();
        let general = capabilities.general.unwrap_or_default();
        let editor = Editor {
            unit: unit(&general.position_encodings.unwrap_or_default()),
            versioned: workspace.workspace_edit.and_then(|edit| edit.document_changes).unwrap_or(false),
            related: document.publish_diagnostics.and_then(|told| told.related_information).unwrap_or(false),
            markdown: document
                .hover
                .and_then(|hover| hover.content_format)
                .is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            configuration: workspace.configuration.unwrap_or(false),
            watches: workspace.did_change_watched_files.and_then(|files| files.dynamic_registration).unwrap_or(false),
        };
        let position_encoding = Some(match editor.unit {
            Unit::Utf8 => PositionEncodingKind::UTF8,
            Unit::Utf16 => PositionEncodingKind::UTF16,
            Unit::CodePoints => PositionEncodingKind::UTF32,
        });
        self.state().editor = editor;
        if let Some(options) = params.initialization_options {
            self.configure(&options).await;
        }
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            ..TextDocumentSyncOptions::default()
        };
        let kinds = vec![CodeActionKind::QUICKFIX, CodeActionKind::new(actions::FIX_ALL)];
        Ok(InitializeResult {
            capabilities: ServerCapabilities {
                position_encoding,
                text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
                hover_provider: Some(HoverProviderCapability::Simple(true)),
                code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
                    code_action_kinds: Some(kinds),
                    ..CodeActionOptions::default()
                })),
                ..ServerCapabilities::default()
            },
            server_info: Some(ServerInfo {
                name: "glosa".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            ..InitializeResult::default()
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        // What asks the editor must not hold up what the editor asks.
        let server = self.clone();
        tokio::spawn(async move {
            server.ask_for_settings().await;
            server.watch_rules().await;
        });
        let rules = self.rules.clone();
        tokio::task::spawn_blocking(move || rules.get().map(|_| ()));
    }

    async fn shutdown(&self) -> Result<()> {
        for document in self.state().documents.values() {
            document.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let syntax = Syntax::of_language_id(&document.language_id).unwrap_or_else(|| syntax_of(&document.uri));
        self.take(&document.uri, document.version, document.text, Some(syntax), Duration::ZERO);
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let document = params.text_document;
        // Documents come whole, so the last change is the text.
        if let Some(change) = params.content_changes.into_iter().next_back() {
            self.take(&document.uri, document.version, change.text, None, self.pause);
        }
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        if let Some(document) = self.state().documents.remove(&uri) {
            document.stop.store(true, Ordering::Relaxed);
        }
        self.client.publish_diagnostics(uri, Vec::new(), None).await;
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.configure(&params.settings).await;
        let server = self.clone();
        tokio::spawn(async move { server.ask_for_settings().await });
    }

    async fn did_change_watched_files(&self, _: DidChangeWatchedFilesParams) {
        let (rules, server) = (self.rules.clone(), self.clone());
        tokio::spawn(async move {
            match tokio::task::spawn_blocking(move || rules.reload()).await {
                Ok(Ok(())) => server.schedule_all(),
                Ok(Err(problems)) => {
                    let message = format!("glosa: the rules were not loaded anew:\n{problems}");
                    server.say(MessageType::WARNING, message).await;
                }
                Err(panic) => server.client.log_message(MessageType::ERROR, format!("glosa: {panic}")).await,
            }
        });
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let place = params.text_document_position_params;
        let markdown = self.state().editor.markdown;
        let analysis = self.current(&place.text_document.uri);
        Ok(analysis.and_then(|analysis| hover::hover(&analysis, place.position, markdown)))
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let uri = params.text_document.uri;
        let versioned = self.state().editor.versioned;
        let analysis = self.current(&uri);
        Ok(analysis.map(|analysis| actions::actions(&analysis, &uri, params.range, &params.context, versioned)))
    }
}
