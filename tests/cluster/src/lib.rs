//! A private PostgreSQL for tests: a cluster in a temporary folder, reached through a socket in that folder, gone when dropped. It
//! needs the PostgreSQL server programs and nothing that is running. The server refuses to run as root, so a root test runs it as
//! the user `postgres`. A shell stands between: when the test process is gone without a word, killed or with the cluster in a
//! static, the shell stops the server and deletes the files.
#![allow(clippy::disallowed_methods, reason = "starts the database server and looks for its programs")]
mod link;

pub use link::Link;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tempfile::TempDir;

const USER: &str = "postgres";

/// Runs the server given as arguments; standard input is the life line to the test, `$0` the folder.
const KEEPER: &str = r#"
exec 3<&0
"$@" 3<&- &
server=$!
(
    if ! read -r word <&3; then
        kill -QUIT "$server" 2>/dev/null
        while kill -0 "$server" 2>/dev/null; do sleep 0.1; done
        rm -rf "$0"
    fi
) &
exec 3<&-
wait "$server"
"#;

/// A running PostgreSQL. Dropping it stops the server and deletes its files.
#[derive(Debug)]
pub struct Cluster {
    programs: PathBuf,
    folder: TempDir,
    server: Option<Child>,
    databases: AtomicU32,
}

impl Cluster {
    /// The address of the socket, for a link to the server.
    pub fn socket_of_server(&self) -> PathBuf {
        self.socket().join(".s.PGSQL.5432")
    }

    /// Makes and starts a cluster. Durability is on, as in production: tests of crashes mean what they say.
    ///
    /// # Panics
    /// When there are no server programs and none can be installed, or the server does not start; the message says what to do.
    pub fn start() -> Self {
        let programs = programs();
        let folder = tempfile::Builder::new().prefix("glosa-pg").tempdir().expect("a temporary folder");
        let mut cluster = Self { programs, folder, server: None, databases: AtomicU32::new(0) };
        let made = fs::create_dir(cluster.socket());
        made.expect("a folder for the socket");
        if is_root() {
            let everyone = fs::Permissions::from_mode(0o755);
            fs::set_permissions(cluster.folder.path(), everyone).expect("permissions");
            run("chown", &["-R", USER, &show(cluster.folder.path())]);
        }
        let data = show(&cluster.data());
        let arguments = ["-D", &data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "-N"];
        let made = cluster.program("initdb", &arguments).output().expect("initdb runs");
        assert!(made.status.success(), "initdb failed: {}", words(&made));
        cluster.resume();
        cluster
    }

    /// The address of the database `postgres` of the cluster.
    pub fn url(&self) -> String {
        self.address("postgres")
    }

    /// Makes an empty database and gives its address.
    ///
    /// # Panics
    /// When the server does not answer.
    pub fn database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.execute(&format!("CREATE DATABASE {name}"));
        self.address(&name)
    }

    /// Runs one statement in the database `postgres` and gives its output, unaligned.
    ///
    /// # Panics
    /// When the server refuses it.
    pub fn execute(&self, sql: &str) -> String {
        let done = self.psql("postgres", sql);
        assert!(done.status.success(), "psql refused {sql:?}: {}", words(&done));
        String::from_utf8_lossy(&done.stdout).into_owned()
    }

    /// The folder of the database's files, for tests that look for what should be gone.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Stops the server at once, as a crash would.
    ///
    /// # Panics
    /// When it does not stop.
    pub fn crash(&mut self) {
        self.stop("immediate");
    }

    /// Starts a stopped server on the same files.
    ///
    /// # Panics
    /// When it does not start within a minute.
    pub fn resume(&mut self) {
        assert!(self.server.is_none(), "the server runs already");
        let (data, socket) = (show(&self.data()), show(&self.socket()));
        let folder = show(self.folder.path());
        let postgres = show(&self.programs.join("postgres"));
        let settings = [
            "-c",
            KEEPER,
            &folder,
            &postgres,
            "-D",
            &data,
            "-k",
            &socket,
            "-c",
            "listen_addresses=",
            "-c",
            "max_connections=200",
            "-c",
            "shared_buffers=64MB",
            "-c",
            "logging_collector=off",
            "-c",
            "log_min_messages=warning",
        ];
        let log = fs::File::create(self.log()).expect("a log");
        let server = self
            .as_user("sh", &settings)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("postgres runs");
        self.server = Some(server);
        for _ in 0..600 {
            if self.psql("postgres", "SELECT 1").status.success() {
                return;
            }
            if let Ok(Some(status)) = self.server.as_mut().expect("started").try_wait() {
                let log = fs::read_to_string(self.log()).unwrap_or_default();
                self.server = None;
                panic!("postgres ended with {status}: {log}");
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("postgres did not answer within a minute");
    }

    fn stop(&mut self, mode: &str) {
        let Some(mut server) = self.server.take() else {
            return;
        };
        let data = show(&self.data());
        let stopped = self.program("pg_ctl", &["-D", &data, "-m", mode, "-w", "stop"]).output();
        if stopped.is_ok_and(|stopped| stopped.status.success())
            && let Some(life_line) = &mut server.stdin
        {
            let _gone = writeln!(life_line, "stopped");
        }
        let _status = server.wait();
    }

    fn psql(&self, database: &str, sql: &str) -> Output {
        let socket = show(&self.socket());
        let arguments = ["-h", &socket, "-U", USER, "-d", database, "-X", "-q", "-A", "-t", "-c", sql];
        Command::new(self.programs.join("psql")).args(arguments).output().expect("psql runs")
    }

    fn program(&self, name: &str, arguments: &[&str]) -> Command {
        self.as_user(&show(&self.programs.join(name)), arguments)
    }

    fn as_user(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", USER, "--", program]);
            command
        } else {
            Command::new(program)
        };
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    fn address(&self, database: &str) -> String {
        let mut host = String::new();
        for byte in show(&self.socket()).bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => host.push(byte as char),
                _ => write!(host, "%{byte:02X}").expect("a string takes text"),
            }
        }
        format!("postgres://{USER}@{host}/{database}")
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    /// The server's log since it last started.
    pub fn log(&self) -> PathBuf {
        self.folder.path().join("server.log")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop("immediate");
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

fn programs() -> PathBuf {
    if let Some(found) = find() {
        return found;
    }
    if is_root() && Command::new("apt-get").arg("--version").output().is_ok() {
        for arguments in [&["update", "-q"][..], &["install", "-q", "-y", "postgresql"]] {
            let _refused = Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive").output();
        }
        if let Some(found) = find() {
            return found;
        }
    }
    panic!(
        "these tests need the PostgreSQL server programs (initdb, postgres, pg_ctl, psql) and found none: install the package \
         `postgresql` (Debian, Ubuntu), `postgresql-server` (Fedora) or `postgresql` (Homebrew), or put their folder on PATH"
    );
}

/// The folder where the server programs are together: Debian keeps them out of PATH, one folder per version.
fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<_> = fs::read_dir("/usr/lib/postgresql")
        .map(|versions| versions.flatten().map(|version| version.path().join("bin")).collect())
        .unwrap_or_default();
    folders.sort_by_key(|folder: &PathBuf| version(folder));
    folders.reverse();
    let complete =
        |folder: &PathBuf| ["initdb", "postgres", "pg_ctl", "psql"].iter().all(|name| folder.join(name).exists());
    folders.into_iter().chain(std::env::split_paths(&path)).find(complete)
}

fn version(folder: &Path) -> u32 {
    let name = folder.parent().and_then(Path::file_name).unwrap_or_default();
    name.to_string_lossy().parse().unwrap_or(0)
}

fn run(program: &str, arguments: &[&str]) {
    let done = Command::new(program).args(arguments).output();
    let done = done.unwrap_or_else(|error| panic!("{program} does not run: {error}"));
    assert!(done.status.success(), "{program} failed: {}", words(&done));
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn show(path: &Path) -> String {
    path.to_str().expect("a path in UTF-8").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_survives_a_crash_and_leaves_nothing() {
        let mut cluster = Cluster::start();
        cluster.execute("CREATE TABLE kept (value int)");
        cluster.execute("INSERT INTO kept VALUES (7)");
        cluster.crash();
        cluster.resume();
        assert_eq!(cluster.execute("SELECT value FROM kept").trim(), "7");
        assert_ne!(cluster.database(), cluster.database());
        let folder = cluster.folder.path().to_owned();
        drop(cluster);
        assert!(!folder.exists());
    }
}
