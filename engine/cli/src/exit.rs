//! Exit codes: 0 done, 1 failed, 2 wrong usage or settings. For `check`, 1 says that something was found, and nothing else.

use std::process::ExitCode;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// The input or settings are wrong.
    Usage(String),
    /// The work failed.
    Failed(String),
    /// The work was done, and found what the caller asked to be told of.
    Found,
}

impl Failure {
    /// A usage failure.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure::Usage(message.into())
    }

    /// A failure of the work.
    pub fn failed(message: impl Into<String>) -> Self {
        Failure::Failed(message.into())
    }
}

/// Says what went wrong on standard error and gives the exit code.
pub fn exit_code(outcome: Result<(), Failure>) -> ExitCode {
    let (code, message) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Found) => return ExitCode::from(1),
        Err(Failure::Failed(message)) => (1, message),
        Err(Failure::Usage(message)) => (2, message),
    };
    anstream::eprintln!("{message}");
    ExitCode::from(code)
}
