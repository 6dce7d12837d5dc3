//! The language server: `glosa lsp` speaks the Language Server Protocol 3.17 over standard input and output.
//!
//! An editor sends documents; the server answers with diagnostics, explanations and changes. Markdown, HTML and plain text are told
//! apart as `glosa check` does, and every position is one of the document. Documents are sent whole at every change: texts are short,
//! and nothing can get out of step. An analysis waits for a pause in the writing, and one that a change has overtaken is given up.
//!
//! It must never know of: HTTP, databases.

mod actions;
mod analysis;
mod common_plan;
mod hover;
mod rules;
mod server;
mod settings;
mod words;

use std::time::Duration;

use glosa_cli::{Failure, RootOptions};
use tower_lsp_server::{LspService, Server};

/// Serve an editor: the Language Server Protocol over standard input and output
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Settings come from initializationOptions, workspace/didChangeConfiguration or workspace/configuration (section `glosa`):

    {\"genre\": \"administracion-clara/carta\", \"language\": \"es\"}

A document may say the same of itself in its front matter, which goes before them. Without a genre only the rules run that every
genre of the language runs.")]
pub struct Lsp {
    /// Milliseconds without a change after which a document is analysed
    #[arg(long, env = "GLOSA_LSP_PAUSE", default_value = "300", value_name = "MS")]
    pub pause: u64,
    /// Accepted because clients send it: standard input and output are the only way to talk
    #[arg(long, hide = true)]
    pub stdio: bool,
    /// Where rules are
    #[command(flatten)]
    pub roots: RootOptions,
}

impl Lsp {
    /// Serves until the editor ends the session.
    pub fn run(&self) -> Result<(), Failure> {
        let roots = self.roots.find()?;
        let pause = Duration::from_millis(self.pause);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::failed(format!("threads: {error}")))?;
        runtime.block_on(async {
            let (service, socket) = LspService::new(|client| server::Backend::new(client, roots, pause));
            Server::new(tokio::io::stdin(), tokio::io::stdout(), socket).serve(service).await;
        });
        // A read of standard input that nobody will ever answer must not hold the process.
        runtime.shutdown_background();
        Ok(())
    }
}
