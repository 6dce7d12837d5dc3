//! `cargo rules …`: the commands for writing rules, without the service.

use clap::Parser;
use glosa_cli::{RootOptions, Rules, exit_code};

/// Write, try and test rules
#[derive(Parser)]
#[command(name = "rules", version)]
struct Arguments {
    #[command(subcommand)]
    command: Rules,
    #[command(flatten)]
    roots: RootOptions,
}

fn main() -> std::process::ExitCode {
    let arguments = Arguments::parse();
    exit_code(arguments.command.run(&arguments.roots))
}
