//! One look at the database for all event streams of the process: wake-ups and a poll every second load the standings of the reports
//! that someone watches, and pass them on. A lost wake-up costs a second.
use glosa_store::{Change, ReportId, Standing, Store, StreamId};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

const POLL: Duration = Duration::from_secs(1);
const BATCH: usize = 500;

/// What is known of a watched report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Nothing since the watch began.
    Unknown,
    /// Its standing.
    At(Standing),
    /// It is no more.
    Gone,
}

/// Passes changes of reports to those who watch them.
pub struct Hub {
    store: Arc<dyn Store>,
    topics: Mutex<HashMap<ReportId, watch::Sender<Seen>>>,
    open: Mutex<HashSet<StreamId>>,
    closing: mpsc::UnboundedSender<StreamId>,
    closed: Mutex<Option<mpsc::UnboundedReceiver<StreamId>>>,
}

/// A watch on one report; ends when dropped.
pub struct Watch {
    hub: Arc<Hub>,
    report: ReportId,
    /// Changes.
    pub changes: watch::Receiver<Seen>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut topics = lock(&self.hub.topics);
        if topics.get(&self.report).is_some_and(|topic| topic.receiver_count() <= 1) {
            topics.remove(&self.report);
        }
    }
}

/// A place among the open streams of an account; given back when dropped.
pub struct Slot {
    hub: Arc<Hub>,
    stream: StreamId,
}

impl Drop for Slot {
    fn drop(&mut self) {
        lock(&self.hub.open).remove(&self.stream);
        let _process_ends = self.hub.closing.send(self.stream);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    /// A hub over a store; [`Hub::run`] makes it live.
    pub fn new(store: Arc<dyn Store>) -> Self {
        let (closing, closed) = mpsc::unbounded_channel();
        Self { store, topics: Mutex::default(), open: Mutex::default(), closing, closed: Mutex::new(Some(closed)) }
    }

    /// Watches a report. Look at the report after this, so that no change falls in between.
    pub fn watch(self: &Arc<Self>, report: ReportId) -> Watch {
        let changes = lock(&self.topics).entry(report).or_insert_with(|| watch::channel(Seen::Unknown).0).subscribe();
        Watch { hub: self.clone(), report, changes }
    }

    /// Keeps the place of a stream until the slot is dropped.
    pub fn keep(self: &Arc<Self>, stream: StreamId) -> Slot {
        lock(&self.open).insert(stream);
        Slot { hub: self.clone(), stream }
    }

    /// Serves the watches until `stop`.
    pub async fn run(self: Arc<Self>, stop: CancellationToken) {
        let Some(mut closed) = lock(&self.closed).take() else {
            return;
        };
        let mut changes = self.store.changes();
        let mut poll = interval(POLL);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut renew = interval(glosa_store::STREAM_LEASE / 3);
        let mut listening = true;
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                Some(stream) = closed.recv() => self.close(stream).await,
                change = changes.next(), if listening => match change {
                    Some(Change::Report(report)) => {
                        if lock(&self.topics).contains_key(&report) {
                            self.look(&[report]).await;
                        }
                    }
                    Some(Change::Unknown) => self.look_at_all().await,
                    Some(Change::Work) => {}
                    None => listening = false,
                },
                _ = poll.tick() => self.look_at_all().await,
                _ = renew.tick() => self.renew().await,
            }
        }
        let _enough = timeout(Duration::from_secs(2), async {
            while !lock(&self.open).is_empty() || !closed.is_empty() {
                match closed.recv().await {
                    Some(stream) => self.close(stream).await,
                    None => break,
                }
            }
        })
        .await;
    }

    async fn close(&self, stream: StreamId) {
        if let Err(error) = self.store.close_stream(stream).await {
            tracing::warn!(%error, "the place of a closed stream frees itself in a minute");
        }
    }

    async fn renew(&self) {
        let open: Vec<StreamId> = lock(&self.open).iter().copied().collect();
        if !open.is_empty()
            && let Err(error) = self.store.renew_streams(&open).await
        {
            tracing::warn!(%error, "open streams were not renewed");
        }
    }

    async fn look_at_all(&self) {
        let watched: Vec<ReportId> = lock(&self.topics).keys().copied().collect();
        for batch in watched.chunks(BATCH) {
            self.look(batch).await;
        }
    }

    async fn look(&self, reports: &[ReportId]) {
        let standings = match self.store.standings(reports).await {
            Ok(standings) => standings,
            Err(error) => {
                tracing::warn!(%error, "changes of reports cannot be read");
                return;
            }
        };
        let found: HashMap<ReportId, Standing> =
            standings.into_iter().map(|standing| (standing.report_id, standing)).collect();
        let topics = lock(&self.topics);
        for report in reports {
            if let Some(topic) = topics.get(report) {
                let now = found.get(report).map_or(Seen::Gone, |standing| Seen::At(*standing));
                topic.send_if_modified(|seen| std::mem::replace(seen, now) != now);
            }
        }
    }
}
