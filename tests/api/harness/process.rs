//! One process of the program. A shell stands between, so that no server outlives a killed test.
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A file that may not grow is an error of a write, as on a full disk, and not a signal.
const KEEPER: &str = r#"
trap '' XFSZ
exec 3<&0
"$@" 3<&- &
server=$!
echo "pid $server"
( read -r word <&3; kill -KILL "$server" 2>/dev/null ) >/dev/null 2>&1 &
exec 3<&-
wait "$server"
"#;

/// Settings of a process as environment variables.
pub type Settings = Vec<(String, String)>;

/// Settings from pairs.
pub fn settings(pairs: &[(&str, &str)]) -> Settings {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn command(program: &str, settings: &Settings) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let kept = ["GLOSA_ROOT"].iter().any(|kept| name == *kept);
        if name.to_string_lossy().starts_with("GLOSA_") && !kept {
            command.env_remove(name);
        }
    }
    if std::env::var_os("GLOSA_ROOT").is_none() {
        command.env("GLOSA_ROOT", repository());
    }
    command.env("GLOSA_EXTRA_ROOTS", repository().join("tests/api/root"));
    command.envs(settings.iter().map(|(name, value)| (name, value)));
    command.current_dir(std::env::temp_dir());
    command
}

/// Runs the program to its end.
pub fn run(arguments: &[&str], settings: &Settings) -> Output {
    let output = command(env!("CARGO_BIN_EXE_glosa"), settings).args(arguments).stdin(Stdio::null()).output();
    output.expect("the program starts")
}

/// Runs the program and gives its standard output.
///
/// # Panics
/// When it fails.
pub fn run_well(arguments: &[&str], settings: &Settings) -> String {
    let output = run(arguments, settings);
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {words}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A running process.
#[derive(Debug)]
pub struct Process {
    keeper: Child,
    /// Its process id.
    pub pid: u32,
    /// Its standard output until it was ready.
    pub greeting: String,
    /// Where it listens, `HOST:PORT`; empty for workers.
    pub address: String,
    log: PathBuf,
}

impl Process {
    /// Starts `serve` on a free port and waits until it listens.
    pub fn serve(folder: &Path, settings: &Settings) -> Self {
        Self::start(&["serve", "--listen", "127.0.0.1:0"], folder, settings, "glosa listens on http://")
    }

    /// Starts `work`.
    pub fn work(folder: &Path, settings: &Settings) -> Self {
        Self::start(&["work"], folder, settings, "")
    }

    fn start(arguments: &[&str], folder: &Path, settings: &Settings, ready: &str) -> Self {
        let number = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a clock").as_nanos();
        let log = folder.join(format!("{}-{number}.log", arguments[0]));
        let mut keeper = command("sh", settings)
            .args(["-c", KEEPER, "keeper", env!("CARGO_BIN_EXE_glosa")])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(&log).expect("a log"))
            .spawn()
            .expect("a shell starts");
        let mut lines = BufReader::new(keeper.stdout.take().expect("piped"));
        let mut process = Self { keeper, pid: 0, greeting: String::new(), address: String::new(), log };
        loop {
            let mut line = String::new();
            let read = lines.read_line(&mut line).expect("standard output");
            assert!(read > 0, "the process ended before it was ready: {}", process.log());
            if let Some(pid) = line.strip_prefix("pid ") {
                process.pid = pid.trim().parse().expect("a number");
                if ready.is_empty() {
                    break;
                }
                continue;
            }
            process.greeting.push_str(&line);
            if let Some(address) = line.strip_prefix(ready) {
                process.address = address.trim().to_owned();
                break;
            }
        }
        std::thread::spawn(move || {
            let _rest = lines.read_to_end(&mut Vec::new());
        });
        process
    }

    /// What it logged so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.pid.to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -{name}");
    }

    /// Lets no file that it writes grow beyond so many bytes; none lifts the limit.
    pub fn limit_files(&self, bytes: Option<u64>) {
        let limit = bytes.map_or("unlimited".to_owned(), |bytes| bytes.to_string());
        let set = Command::new("prlimit").args(["--pid", &self.pid.to_string(), &format!("--fsize={limit}:")]).status();
        assert!(set.is_ok_and(|status| status.success()), "prlimit (util-linux) sets the limit");
    }

    /// Ends it at once, as a crash would.
    pub fn kill(mut self) {
        self.signal("KILL");
        let _status = self.keeper.wait();
    }

    /// Asks it to stop and gives its exit code.
    ///
    /// # Panics
    /// When it has not stopped within half a minute.
    pub fn stop(mut self) -> Option<i32> {
        self.signal("TERM");
        for _ in 0..600 {
            if let Ok(Some(status)) = self.keeper.try_wait() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("did not stop: {}", self.log());
    }

    /// Its resident memory in KiB.
    pub fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid)).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("memory");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Its open file descriptors.
    pub fn descriptors(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.pid)).expect("a process").count()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _status = self.keeper.wait();
    }
}
