//! Hot reload: on SIGHUP, and with `--watch` when a file changes, everything is loaded anew and its examples are run. Only a snapshot
//! without any problem takes over, and none whose examples fail where those in use did not; until then the old one stays.
use glosa_api::CurrentEngine;
use glosa_cli::Failure;
use glosa_host::{Roots, Snapshot};
use notify::{RecursiveMode, Watcher};
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

const DEBOUNCE: Duration = Duration::from_millis(300);
const FOLDERS: [&str; 3] = ["rules", "genres", "glossaries"];

/// Reloads until `stop`.
pub fn start(engine: Arc<CurrentEngine>, roots: Roots, watch: bool, stop: CancellationToken) -> Result<(), Failure> {
    let (wake, mut woken) = mpsc::channel::<()>(1);
    let mut hangup = signal(SignalKind::hangup()).map_err(|error| Failure::failed(format!("signals: {error}")))?;
    let watcher = watch.then(|| watcher(&roots, wake.clone())).transpose()?;
    tokio::spawn(async move {
        let (_watcher, _wake) = (watcher, wake);
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                _ = hangup.recv() => {}
                _ = woken.recv() => {
                    while tokio::time::timeout(DEBOUNCE, woken.recv()).await.is_ok() {}
                }
            }
            let (engine, roots) = (engine.clone(), roots.clone());
            let _logged = tokio::task::spawn_blocking(move || reload(&engine, &roots)).await;
        }
    });
    Ok(())
}

fn watcher(roots: &Roots, wake: mpsc::Sender<()>) -> Result<notify::RecommendedWatcher, Failure> {
    let refuse = |error: notify::Error| Failure::failed(format!("--watch: {error}"));
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !event.kind.is_access()) {
            let _already_woken = wake.try_send(());
        }
    })
    .map_err(refuse)?;
    for folder in &roots.folders {
        for name in FOLDERS {
            let folder = folder.join(name);
            if folder.is_dir() {
                watcher.watch(&folder, RecursiveMode::Recursive).map_err(refuse)?;
            }
        }
    }
    Ok(watcher)
}

fn reload(engine: &CurrentEngine, roots: &Roots) {
    let runtime = engine.current().snapshot().engine.runtime.clone();
    let snapshot: Snapshot = match glosa_host::load_with(runtime, roots) {
        Ok(snapshot) => snapshot,
        Err(problems) => {
            for problem in &problems {
                tracing::error!("{problem}");
            }
            tracing::error!(problems = problems.len(), "not reloaded; the rules in use stay");
            return;
        }
    };
    let mut failures = glosa_host::check_examples(&snapshot, None);
    if !failures.is_empty() {
        let before = glosa_host::check_examples(engine.current().snapshot(), None);
        failures.retain(|failure| !before.contains(failure));
    }
    if failures.is_empty() {
        engine.replace(Arc::new(snapshot));
        tracing::info!("reloaded");
        return;
    }
    for failure in &failures {
        tracing::error!("{failure}");
    }
    tracing::error!(examples = failures.len(), "not reloaded; the rules in use stay");
}
