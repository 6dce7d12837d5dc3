//! `cargo genres …`: the commands for genres, without the service.

use clap::Parser;
use glosa_cli::{Genres, RootOptions, exit_code};

/// Make and list genres
#[derive(Parser)]
#[command(name = "genres", version)]
struct Arguments {
    #[command(subcommand)]
    command: Genres,
    #[command(flatten)]
    roots: RootOptions,
}

fn main() -> std::process::ExitCode {
    let arguments = Arguments::parse();
    exit_code(arguments.command.run(&arguments.roots))
}
