//! The binary `glosa`: the service, its administration, and the commands that need no service.
//!
//! Standard output carries the result of a command alone; words and logs go to standard error. Exit code 0 is done, 1 failed, 2 wrong
//! usage or settings. Here settings are read and parts are put together; nothing is decided about texts, requests or storage.
#![allow(clippy::disallowed_methods, reason = "settings are read here")]

mod accounts;
mod database;
mod keys;
mod log;
mod portal;
mod reload;
mod run;
mod serve;

use clap::Parser;
use glosa_cli::{Failure, RootOptions, exit_code};
use std::ffi::OsString;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Reads a text and says how to make it better for its genre
#[derive(Parser)]
#[command(name = "glosa", version, subcommand_required = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Serve the API and analyse reports (the default command)
    Serve(serve::Serve),
    /// Analyse reports without serving the API
    Work(serve::Work),
    /// Bring the schema of the database up to date
    Migrate(database::DatabaseOptions),
    /// Accounts: owners of reports, keys and limits
    Accounts {
        #[command(subcommand)]
        command: accounts::Accounts,
        #[command(flatten)]
        database: database::DatabaseOptions,
    },
    /// API keys
    Keys {
        #[command(subcommand)]
        command: keys::Keys,
        #[command(flatten)]
        database: database::DatabaseOptions,
    },
    /// Print the OpenAPI description of the service, with the categories of its rules
    Openapi(RootOptions),
    /// Serve an editor: the Language Server Protocol over standard input and output
    Lsp(glosa_lsp::Lsp),
    #[command(flatten)]
    Engine(glosa_cli::Command),
}

/// `glosa` and `glosa --listen …` mean `glosa serve …`.
fn with_default_command(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    let first = arguments.get(1).and_then(|first| first.to_str());
    let names_command =
        first.is_some_and(|first| !first.starts_with('-') || ["-h", "--help", "-V", "--version"].contains(&first));
    if !names_command {
        let at = arguments.len().min(1);
        arguments.insert(at, "serve".into());
    }
    arguments
}

fn main() -> ExitCode {
    let arguments = Arguments::parse_from(with_default_command(std::env::args_os()));
    exit_code(run(arguments.command))
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Engine(command) => command.run(),
        Command::Openapi(roots) => print(&String::from_utf8_lossy(&glosa_api::openapi_text(None, &roots.load()?))),
        Command::Lsp(lsp) => lsp.run(),
        Command::Serve(serve) => run::on_runtime(serve.run()),
        Command::Work(work) => run::on_runtime(work.run()),
        Command::Migrate(database) => run::on_runtime(database.migrate()),
        Command::Accounts { command, database } => run::on_runtime(command.run(database)),
        Command::Keys { command, database } => run::on_runtime(command.run(database)),
    }
}

/// Writes a result; a closed pipe is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    use std::io::{ErrorKind, Write};
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::failed(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Vec<String> {
        let words = words.iter().map(OsString::from);
        let words = with_default_command(words);
        words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn serving_is_the_default() {
        assert_eq!(parsed(&["glosa"]), ["glosa", "serve"]);
        assert_eq!(parsed(&["glosa", "--listen", "x"]), ["glosa", "serve", "--listen", "x"]);
        assert_eq!(parsed(&["glosa", "work"]), ["glosa", "work"]);
        assert_eq!(parsed(&["glosa", "--help"]), ["glosa", "--help"]);
    }

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }
}
