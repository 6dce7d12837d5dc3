//! A database of one of the two kinds, with the processes and keys that use it.
use super::process::{Process, Settings, run_well, settings};
use glosa_tests_cluster::Cluster;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

/// The kinds of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The embedded one.
    Sqlite,
    /// A private PostgreSQL.
    Postgres,
}

/// The cluster of this test process.
pub fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(Cluster::start)
}

/// A database of its own.
#[derive(Debug)]
pub struct Database {
    /// Its kind.
    pub kind: Kind,
    folder: TempDir,
    url: Option<String>,
    accounts: AtomicU32,
}

impl Database {
    /// An empty database.
    pub fn new(kind: Kind) -> Self {
        let folder = tempfile::Builder::new().prefix("glosa-api").tempdir().expect("a folder");
        let url = (kind == Kind::Postgres).then(|| cluster().database());
        Self { kind, folder, url, accounts: AtomicU32::new(0) }
    }

    /// A database at an address, on the cluster of a test.
    pub fn at(url: String) -> Self {
        let folder = tempfile::Builder::new().prefix("glosa-api").tempdir().expect("a folder");
        Self { kind: Kind::Postgres, folder, url: Some(url), accounts: AtomicU32::new(0) }
    }

    /// Its address, on PostgreSQL.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// The folder of logs and, on SQLite, of the data.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// The settings of a process on this database.
    pub fn settings(&self, more: &[(&str, &str)]) -> Settings {
        let mut all = settings(&[
            ("GLOSA_DATA_DIR", self.folder.path().to_str().expect("UTF-8")),
            ("GLOSA_WORKERS", "2"),
            ("GLOSA_RATE_CREATE", "0"),
            ("GLOSA_RATE_STATUS", "0"),
            ("GLOSA_RATE_STREAMS", "0"),
            ("GLOSA_MAX_STREAMS", "0"),
            ("GLOSA_MIN_POLL_SECONDS", "0"),
            ("GLOSA_LOG", "trace"),
        ]);
        if let Some(url) = &self.url {
            all.extend(settings(&[("GLOSA_DATABASE_URL", url)]));
        }
        all.extend(settings(more));
        all
    }

    /// Starts a server, without limits unless `more` sets them.
    pub fn serve(&self, more: &[(&str, &str)]) -> Process {
        Process::serve(self.folder.path(), &self.settings(more))
    }

    /// Starts a server that leaves analyses to others.
    pub fn serve_only(&self, more: &[(&str, &str)]) -> Process {
        let more: Vec<_> = more.iter().copied().chain([("GLOSA_NO_WORK", "1")]).collect();
        self.serve(&more)
    }

    /// Starts a worker.
    pub fn work(&self, more: &[(&str, &str)]) -> Process {
        Process::work(self.folder.path(), &self.settings(more))
    }

    /// Runs a command of the program on this database and gives its standard output.
    pub fn command(&self, arguments: &[&str]) -> String {
        run_well(arguments, &self.settings(&[]))
    }

    /// The name of an account that no other test has.
    pub fn account(&self) -> String {
        format!("account-{}", self.accounts.fetch_add(1, Ordering::Relaxed))
    }

    /// A key of an account, which is made where missing.
    pub fn key_of(&self, account: &str) -> String {
        self.command(&["keys", "create", "--account", account]).trim_end().to_owned()
    }

    /// A key of a new account.
    pub fn key(&self) -> String {
        self.key_of(&self.account())
    }
}
