//! Hot reload: on SIGHUP, and with `--watch` when a file changes, everything is loaded anew and its examples are run. Only a snapshot
//! without any problem takes over, and none whose examples fail where those in use did not; until then the old one stays.
use glosa_api::CurrentEngine;
use glosa_cli::Failure;
use glosa_host::{Roots, Snapshot};
use notify::{RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

const DEBOUNCE: Duration = Duration::from_millis(300);

/// Reloads until `stop`.
pub fn start(engine: Arc<CurrentEngine>, roots: Roots, watch: bool, stop: CancellationToken) -> Result<(), Failure> {
    let (wake, mut woken) = mpsc::channel::<()>(1);
    let mut hangup = signal(SignalKind::hangup()).map_err(|error| Failure::failed(format!("signals: {error}")))?;
    let mut watch = watch.then(|| Watch::new(&roots, wake.clone())).transpose()?;
    tokio::spawn(async move {
        let _wake = wake;
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                _ = hangup.recv() => {}
                _ = woken.recv() => {
                    while tokio::time::timeout(DEBOUNCE, woken.recv()).await.is_ok() {}
                }
            }
            if let Some(Err(error)) = watch.as_mut().map(Watch::follow) {
                tracing::error!("--watch: {error}");
            }
            let (engine, roots) = (engine.clone(), roots.clone());
            let _logged = tokio::task::spawn_blocking(move || reload(&engine, &roots)).await;
        }
    });
    Ok(())
}

/// Watches the roots. A root itself is watched too, without what is below it, because its parts may come later; of what
/// happens there only its parts matter.
struct Watch {
    watcher: notify::RecommendedWatcher,
    roots: Vec<PathBuf>,
}

impl Watch {
    fn new(roots: &Roots, wake: mpsc::Sender<()>) -> Result<Watch, Failure> {
        let refuse = |error: notify::Error| Failure::failed(format!("--watch: {error}"));
        let roots: Vec<PathBuf> =
            roots.folders.iter().map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.clone())).collect();
        let read = roots.clone();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| !event.kind.is_access() && event.paths.iter().any(|path| is_read(&read, path))) {
                let _already_woken = wake.try_send(());
            }
        })
        .map_err(refuse)?;
        for root in &roots {
            watcher.watch(root, RecursiveMode::NonRecursive).map_err(refuse)?;
        }
        let mut watch = Watch { watcher, roots };
        watch.follow().map_err(refuse)?;
        Ok(watch)
    }

    /// Watches the parts that are there now; one that was put in the place of another has to be watched anew.
    fn follow(&mut self) -> notify::Result<()> {
        let parts = self.roots.iter().flat_map(|root| Roots::PARTS.map(|part| root.join(part)));
        for part in parts.filter(|part| part.is_dir()) {
            self.watcher.watch(&part, RecursiveMode::Recursive)?;
        }
        Ok(())
    }
}

/// Whether a path is a part of a root, or inside one.
fn is_read(roots: &[PathBuf], path: &Path) -> bool {
    let inside = roots.iter().filter_map(|root| path.strip_prefix(root).ok());
    inside
        .filter_map(|path| path.components().next())
        .any(|first| Roots::PARTS.iter().any(|part| first.as_os_str() == *part))
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
