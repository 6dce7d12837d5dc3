//! Logs on standard error. No log line holds what a caller sent: a panic shows its place, and its message only where that is a
//! constant of the program.
use glosa_cli::Failure;
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// How to log.
#[derive(Clone, Debug, clap::Args)]
pub struct LogOptions {
    /// Log filter, such as `info` or `glosa_api=debug`
    #[arg(long = "log", env = "GLOSA_LOG", value_name = "FILTER", default_value = "info")]
    pub filter: String,
    /// Log format
    #[arg(long = "log-format", env = "GLOSA_LOG_FORMAT", default_value = "text")]
    pub format: LogFormat,
}

/// Format of log lines.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl LogOptions {
    /// Starts logging.
    pub fn start(&self) -> Result<(), Failure> {
        let filter = EnvFilter::try_new(&self.filter)
            .map_err(|error| Failure::usage(format!("--log: {error}")))?
            .add_directive(known("sqlx=warn"))
            .add_directive(known("hyper=info"));
        let log = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(std::io::stderr)
            .log_internal_errors(false)
            .with_ansi(std::io::stderr().is_terminal());
        match self.format {
            LogFormat::Text => log.init(),
            LogFormat::Json => log.json().init(),
        }
        std::panic::set_hook(Box::new(|panic| {
            let place = panic.location().map_or_else(String::new, ToString::to_string);
            let message = panic.payload().downcast_ref::<&'static str>().copied();
            tracing::error!(place, message, "panicked");
        }));
        Ok(())
    }
}

fn known(directive: &str) -> tracing_subscriber::filter::Directive {
    directive.parse().unwrap_or_default()
}
