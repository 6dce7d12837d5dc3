//! Where the database is, and the limits that the store keeps.
use glosa_cli::Failure;
use glosa_store::{Location, Settings, Store, StoreError};
use std::env;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Where the database is.
#[derive(Clone, Debug, clap::Args)]
pub struct DatabaseOptions {
    /// Folder of the embedded database [default: ./.glosa in a checkout, else the data folder of the platform]
    #[arg(long, env = "GLOSA_DATA_DIR", value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Database of a cluster, postgres://…; the embedded database where absent
    #[arg(long, env = "GLOSA_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// Connections to the database
    #[arg(long, env = "GLOSA_DATABASE_CONNECTIONS", value_name = "N", default_value_t = 10)]
    pub database_connections: u32,
    /// Days that a finished report is kept, 1 to 365
    #[arg(long, env = "GLOSA_RETENTION_DAYS", value_name = "DAYS", default_value_t = 30)]
    pub retention_days: u32,
    /// Waiting reports in all
    #[arg(long, env = "GLOSA_MAX_QUEUE", value_name = "N", default_value_t = 100_000)]
    pub max_queue: u32,
    /// Waiting reports of one account
    #[arg(long, env = "GLOSA_MAX_ACCOUNT_QUEUE", value_name = "N", default_value_t = 5_000)]
    pub max_account_queue: u32,
    /// Seconds until the work of a silent worker is given to another
    #[arg(long, env = "GLOSA_LEASE_SECONDS", value_name = "SECONDS", default_value_t = 30)]
    pub lease_seconds: u32,
    /// Seconds that one attempt may last
    #[arg(long, env = "GLOSA_JOB_SECONDS", value_name = "SECONDS", default_value_t = 120)]
    pub job_seconds: u32,
    /// Attempts before a report fails
    #[arg(long, env = "GLOSA_ATTEMPTS", value_name = "N", default_value_t = 3)]
    pub attempts: u32,
    /// Hours that a report may wait before it fails
    #[arg(long, env = "GLOSA_QUEUE_HOURS", value_name = "HOURS", default_value_t = 24)]
    pub queue_hours: u32,
    /// Seconds added to the clock of the database, for tests
    #[arg(
        long,
        env = "GLOSA_CLOCK_OFFSET_SECONDS",
        value_name = "SECONDS",
        default_value_t = 0,
        hide = true,
        allow_negative_numbers = true
    )]
    pub clock_offset_seconds: i64,
}

fn seconds(seconds: u32) -> Duration {
    Duration::from_secs(seconds.into())
}

/// What a store error means for the exit code.
pub fn failure(error: StoreError) -> Failure {
    match error {
        StoreError::Setting { .. } => Failure::usage(error.to_string()),
        other => Failure::failed(other.to_string()),
    }
}

impl DatabaseOptions {
    /// Whether nothing but the embedded database was asked for.
    pub fn is_embedded(&self) -> bool {
        self.database_url.is_none()
    }

    fn location(&self) -> Result<Location, Failure> {
        match self.database_url.as_deref().filter(|url| !url.is_empty()) {
            Some(url) => Location::parse(url).map_err(failure),
            None => Ok(Location::Sqlite(self.folder()?.join("glosa.db"))),
        }
    }

    fn folder(&self) -> Result<PathBuf, Failure> {
        if let Some(dir) = self.data_dir.clone().filter(|dir| !dir.as_os_str().is_empty()) {
            return Ok(dir);
        }
        let is_checkout = ["Cargo.toml", "rules/categories.yaml"].iter().all(|mark| PathBuf::from(mark).is_file());
        if is_checkout {
            return Ok(PathBuf::from(".glosa"));
        }
        platform_data_dir()
            .ok_or_else(|| Failure::usage("--data-dir: there is no home folder to put data in; name a folder"))
    }

    /// The settings of the store.
    pub fn settings(&self) -> Result<Settings, Failure> {
        Ok(Settings {
            retention: Duration::from_secs(u64::from(self.retention_days) * 24 * 3600),
            lease: seconds(self.lease_seconds),
            job_deadline: seconds(self.job_seconds),
            attempts: self.attempts,
            queue_age: Duration::from_secs(u64::from(self.queue_hours) * 3600),
            account_queue: self.max_account_queue,
            queue: self.max_queue,
            connections: self.database_connections,
            clock_offset: self.clock_offset_seconds * 1_000_000,
            ..Settings::new(self.location()?)
        })
    }

    /// Opens the database and brings its schema up to date.
    pub async fn open(&self) -> Result<Arc<dyn Store>, Failure> {
        glosa_store::open(self.settings()?).await.map_err(failure)
    }

    /// The command `migrate`.
    pub async fn migrate(self) -> Result<(), Failure> {
        self.open().await?.close().await;
        eprintln!("The schema of the database is up to date.");
        Ok(())
    }
}

fn platform_data_dir() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(target_os = "windows") {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("glosa"))
}
