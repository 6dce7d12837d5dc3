//! The command line that needs no database: `check`, `annotate` and `rules`.
//!
//! `glosa` mounts these commands beside its own; `glosa-rules` (`cargo rules …` in a checkout) is the same `rules`
//! without the service, so that a linguist never compiles a database driver. Standard output carries the result alone;
//! words about it go to standard error.
//!
//! It must never know of: HTTP, databases.
#![allow(clippy::disallowed_methods, reason = "a command line reads the files it is given")]

mod annotate;
mod check;
mod clause_tree;
mod console;
mod exit;
mod genres;
mod html;
mod roots;
mod rules;
mod text_report;

pub use annotate::{Annotate, AnnotateFormat};
pub use check::{Check, Format, Gate, find_genre, unknown_name};
pub use console::{Console, Terminal};
pub use exit::{Failure, exit_code};
pub use genres::Genres;
pub use roots::RootOptions;
pub use rules::Rules;

/// A command that needs no database.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Analyse texts and show, or put right, what could be better for their genre
    Check(Check),
    /// Print the linguistic analysis of a text as CoNLL-U
    Annotate(Annotate),
    /// Write, try and test rules
    Rules {
        /// What to do
        #[command(subcommand)]
        command: Rules,
        /// Where rules are
        #[command(flatten)]
        roots: RootOptions,
    },
    /// Make and list genres
    Genres {
        /// What to do
        #[command(subcommand)]
        command: Genres,
        /// Where genres are
        #[command(flatten)]
        roots: RootOptions,
    },
}

impl Command {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        match self {
            Command::Check(check) => check.run(),
            Command::Annotate(annotate) => annotate.run(),
            Command::Rules { command, roots } => command.run(roots),
            Command::Genres { command, roots } => command.run(roots),
        }
    }
}
