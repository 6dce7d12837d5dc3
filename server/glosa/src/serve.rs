//! `glosa serve` and `glosa work`.
use crate::database::{DatabaseOptions, failure};
use crate::log::LogOptions;
use crate::portal::PortalOptions;
use crate::{print, reload, run};
use clap::builder::BoolishValueParser;
use glosa_api::{CurrentEngine, Limits, Service, Telemetry, WorkerSettings, administer, housekeep, work};
use glosa_cli::{Failure, RootOptions};
use glosa_store::Store;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const GRACE: Duration = Duration::from_secs(10);
const FIRST_ACCOUNT: &str = "local";

/// How analyses run.
#[derive(Clone, Debug, clap::Args)]
pub struct WorkOptions {
    /// Analyses at the same time [default: one a processor]
    #[arg(long, env = "GLOSA_WORKERS", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,
    /// Load rules, genres and glossaries again when their files change
    #[arg(long, env = "GLOSA_WATCH", value_parser = BoolishValueParser::new())]
    pub watch: bool,
    /// Address for operators, with counts for Prometheus at /metrics and health; a port alone is one of the loopback address. Off where
    /// absent
    #[arg(long, env = "GLOSA_ADMIN_LISTEN", value_name = "ADDRESS", value_parser = admin_address)]
    pub admin_listen: Option<SocketAddr>,
    #[command(flatten)]
    roots: RootOptions,
    #[command(flatten)]
    database: DatabaseOptions,
    #[command(flatten)]
    log: LogOptions,
}

/// Serve the API.
#[derive(Clone, Debug, clap::Args)]
pub struct Serve {
    /// Address to listen on; port 0 takes a free one
    #[arg(long, env = "GLOSA_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Address under which callers know the service, without a path
    #[arg(long, env = "GLOSA_BASE_URL", value_name = "URL", value_parser = base_url)]
    base_url: Option<String>,
    /// Leave analyses to other processes
    #[arg(long, env = "GLOSA_NO_WORK", value_parser = BoolishValueParser::new())]
    no_work: bool,
    /// Reports that an account may create per minute; 0 is no limit
    #[arg(long, env = "GLOSA_RATE_CREATE", value_name = "N", default_value_t = 60)]
    rate_create: u32,
    /// Status requests of an account per second; 0 is no limit
    #[arg(long, env = "GLOSA_RATE_STATUS", value_name = "N", default_value_t = 20)]
    rate_status: u32,
    /// Event streams that an account may open per second; 0 is no limit
    #[arg(long, env = "GLOSA_RATE_STREAMS", value_name = "N", default_value_t = 5)]
    rate_streams: u32,
    /// Open event streams of an account; 0 is no limit
    #[arg(long, env = "GLOSA_MAX_STREAMS", value_name = "N", default_value_t = 20)]
    max_streams: u32,
    /// Shortest time between two polls of a report; 0 switches the check off
    #[arg(long, env = "GLOSA_MIN_POLL_SECONDS", value_name = "SECONDS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=10))]
    min_poll_seconds: u32,
    /// Words that a text may have
    #[arg(long, env = "GLOSA_MAX_WORDS", value_name = "N", default_value_t = 20_000)]
    max_words: usize,
    /// Unicode code points that a text may have
    #[arg(long, env = "GLOSA_MAX_CHARACTERS", value_name = "N", default_value_t = 400_000)]
    max_characters: usize,
    /// Bytes that a request body may have
    #[arg(long, env = "GLOSA_MAX_BODY_BYTES", value_name = "N", default_value_t = 4 << 20)]
    max_body_bytes: usize,
    /// Time between two heartbeats of an event stream
    #[arg(long, env = "GLOSA_HEARTBEAT_SECONDS", value_name = "SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..=60))]
    heartbeat_seconds: u16,
    /// Wrong keys of one network address per minute; beyond them its keys that were not accepted before are looked up one at a time. 0 is
    /// no limit
    #[arg(long, env = "GLOSA_RATE_WRONG_KEYS", value_name = "N", default_value_t = 20)]
    rate_wrong_keys: u32,
    /// Open connections, the most of this process
    #[arg(long, env = "GLOSA_MAX_CONNECTIONS", value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    max_connections: u32,
    /// Seconds for the headers of a request, and until an unused connection is closed
    #[arg(long, env = "GLOSA_HEAD_SECONDS", value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=600))]
    head_seconds: u16,
    /// Seconds for the body of a request
    #[arg(long, env = "GLOSA_BODY_SECONDS", value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=600))]
    body_seconds: u16,
    /// Seconds that a client may leave an answer unread
    #[arg(long, env = "GLOSA_READ_SECONDS", value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=600))]
    read_seconds: u16,
    #[command(flatten)]
    portal: PortalOptions,
    #[command(flatten)]
    work: WorkOptions,
}

/// Analyse reports.
#[derive(Clone, Debug, clap::Args)]
pub struct Work {
    #[command(flatten)]
    work: WorkOptions,
}

fn admin_address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.parse::<u16>() {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    text.parse().map_err(|_| "expected a port or ADDRESS:PORT".to_owned())
}

async fn bind(flag: &str, address: SocketAddr) -> Result<(TcpListener, SocketAddr), Failure> {
    let failed = |error: std::io::Error| Failure::failed(format!("{flag} {address}: {error}"));
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    Ok((listener, bound))
}

pub(crate) fn base_url(text: &str) -> Result<String, String> {
    let url = url::Url::parse(text).map_err(|error| format!("{error}; expected https://HOST"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("expected http:// or https://".to_owned());
    }
    if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
        return Err("expected an address without path, because the addresses in answers begin with /v1".to_owned());
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// What serving and working have in common.
struct Parts {
    store: Arc<dyn Store>,
    engine: Arc<CurrentEngine>,
    telemetry: Telemetry,
    stop: CancellationToken,
}

impl WorkOptions {
    async fn start(&self) -> Result<Parts, Failure> {
        self.log.start()?;
        let roots = self.roots.find()?;
        let options = self.roots.clone();
        let loaded = tokio::task::spawn_blocking(move || options.load());
        let snapshot = loaded.await.map_err(|_| Failure::failed("loading the rules panicked"))??;
        let engine = Arc::new(CurrentEngine::new(Arc::new(snapshot)));
        let store = self.database.open().await?;
        let stop = run::stop_signal()?;
        reload::start(engine.clone(), roots, self.watch, stop.clone())?;
        Ok(Parts { store, engine, telemetry: Telemetry::default(), stop })
    }

    /// Starts the listener of operators, where one is set.
    async fn administer(&self, parts: &Parts) -> Result<(), Failure> {
        let Some(address) = self.admin_listen else {
            return Ok(());
        };
        let (listener, address) = bind("--admin-listen", address).await?;
        tracing::info!(%address, "operators are listened to");
        print(&format!("glosa tells operators on http://{address}/metrics\n"))?;
        tokio::spawn(administer(parts.store.clone(), parts.telemetry.clone(), listener, parts.stop.clone()));
        Ok(())
    }

    fn workers(&self, parts: &Parts) -> JoinHandle<()> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let settings = WorkerSettings {
            threads: self.workers.map_or(processors, usize::from),
            name: format!("{}:{}", host_name(), std::process::id()),
            heartbeat: Duration::from_secs(self.database.lease_seconds.into()) / 3,
            grace: GRACE,
        };
        let Parts { store, engine, telemetry, stop } = parts;
        tokio::spawn(work(store.clone(), engine.clone(), settings, telemetry.clone(), stop.clone()))
    }
}

fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname");
    name.map_or_else(|_| "worker".to_owned(), |name| name.trim().to_owned())
}

impl Work {
    /// Works until a signal.
    pub async fn run(self) -> Result<(), Failure> {
        let parts = self.work.start().await?;
        self.work.administer(&parts).await?;
        let housekeeper = tokio::spawn(housekeep(parts.store.clone(), parts.stop.clone()));
        tracing::info!("working");
        let _ended = self.work.workers(&parts).await;
        let _ended = housekeeper.await;
        parts.store.close().await;
        Ok(())
    }
}

impl Serve {
    fn limits(&self) -> Limits {
        Limits {
            words: self.max_words,
            code_points: self.max_characters,
            body_bytes: self.max_body_bytes,
            create_per_minute: self.rate_create,
            status_per_second: self.rate_status,
            min_poll_seconds: self.min_poll_seconds,
            streams: self.max_streams,
            streams_per_second: self.rate_streams,
            heartbeat: Duration::from_secs(self.heartbeat_seconds.into()),
            refused_keys_per_minute: self.rate_wrong_keys,
            connections: self.max_connections as usize,
            head_patience: Duration::from_secs(self.head_seconds.into()),
            body_patience: Duration::from_secs(self.body_seconds.into()),
            read_patience: Duration::from_secs(self.read_seconds.into()),
            ..Limits::default()
        }
    }

    /// Serves until a signal.
    pub async fn run(self) -> Result<(), Failure> {
        let parts = self.work.start().await?;
        if self.work.database.is_embedded() {
            first_key(&*parts.store).await?;
        }
        self.work.administer(&parts).await?;
        let (listener, address) = bind("--listen", self.listen).await?;
        let portal = self.portal.portal(parts.store.clone(), self.base_url.as_deref(), address)?;
        let Parts { store, engine, telemetry, stop } = &parts;
        let housekeeper = tokio::spawn(housekeep(store.clone(), stop.clone()));
        let workers = (!self.no_work).then(|| self.work.workers(&parts));
        let service = Service::new(
            store.clone(),
            engine.clone(),
            self.limits(),
            self.base_url.as_deref(),
            telemetry.clone(),
            stop.clone(),
        );
        print(&format!("glosa listens on http://{address}\n"))?;
        tracing::info!(%address, "listening");
        let routes = glosa_portal::router(portal).fallback_service(glosa_api::router(service.clone()));
        let served = glosa_api::serve(service, routes, listener).await;
        stop.cancel();
        if let Some(workers) = workers {
            let _ended = workers.await;
        }
        let _ended = housekeeper.await;
        store.close().await;
        served.map_err(|error| Failure::failed(format!("serving ended: {error}")))
    }
}

/// The first start of an embedded database makes an account and a key, and shows the key once.
async fn first_key(store: &dyn Store) -> Result<(), Failure> {
    if !store.accounts().await.map_err(failure)?.is_empty() {
        return Ok(());
    }
    let account = store.ensure_account(FIRST_ACCOUNT).await.map_err(failure)?;
    let key = store.issue_key(account.id, "first start").await.map_err(failure)?;
    print(&format!(
        "Made the account {FIRST_ACCOUNT} and its API key, which is shown this once:\n\n    {}\n\n",
        key.value.expose()
    ))
}
