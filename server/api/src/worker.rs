//! Analyses reports: claims them, runs each on a thread of its own, keeps its lease alive, stores the outcome. A report whose lease is
//! lost belongs to another worker, so its work is dropped without a word.
use crate::engine::{CurrentEngine, Generation};
use crate::telemetry::{Ended, Telemetry};
use glosa_report::{BuildError, Phase, Progress};
use glosa_store::{Change, Held, Job, Lease, Outcome, Release, ReportPhase, Store, StoreError};
use glosa_text::Language;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep, timeout};
use tokio_util::sync::CancellationToken;

/// The most analyses at the same time.
const THREADS: usize = 1024;
const STACK_BYTES: usize = 16 << 20;
const POLL: Duration = Duration::from_secs(1);
const SWEEP: Duration = Duration::from_secs(60);
const FINISH_PATIENCE: Duration = Duration::from_secs(60);

const FAILED: &str =
    "The analysis could not be completed. The request identifier of this answer helps support to find the cause.";
const GENRE_GONE: &str = "The analysis could not be completed: the genre of the report is no longer available.";

/// How a process works.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Analyses at the same time, at least 1.
    pub threads: usize,
    /// Name of the process in the database, for operators.
    pub name: String,
    /// Time between two heartbeats of a lease; a third of the lease.
    pub heartbeat: Duration,
    /// Time that analyses under way get when the process stops.
    pub grace: Duration,
}

/// Works until `stop`; then gives analyses under way their grace and hands the rest over.
pub async fn work(
    store: Arc<dyn Store>,
    engine: Arc<CurrentEngine>,
    settings: WorkerSettings,
    telemetry: Telemetry,
    stop: CancellationToken,
) {
    let places = Arc::new(Semaphore::new(settings.threads.clamp(1, THREADS)));
    let mut changes = store.changes();
    let mut listening = true;
    let mut jobs = JoinSet::new();
    let mut trouble = false;
    while !stop.is_cancelled() {
        let place = tokio::select! {
            () = stop.cancelled() => break,
            place = places.clone().acquire_owned() => place,
        };
        let Ok(mut free) = place else { break };
        if let Ok(more) = places.clone().try_acquire_many_owned(places.available_permits() as u32) {
            free.merge(more);
        }
        let claimed = match store.claim(&settings.name, free.num_permits() as u32).await {
            Ok(claimed) => {
                if std::mem::take(&mut trouble) {
                    tracing::info!("the queue can be read again");
                }
                claimed
            }
            Err(error) => {
                if !std::mem::replace(&mut trouble, true) {
                    tracing::error!(%error, "no work can be claimed");
                }
                Vec::new()
            }
        };
        while jobs.try_join_next().is_some() {}
        if claimed.is_empty() {
            drop(free);
            let _woken = timeout(POLL, async {
                loop {
                    tokio::select! {
                        () = stop.cancelled() => break,
                        change = changes.next(), if listening => match change {
                            Some(Change::Work | Change::Unknown) => break,
                            Some(Change::Report(_)) => {}
                            None => listening = false,
                        },
                        else => std::future::pending().await,
                    }
                }
            })
            .await;
            continue;
        }
        for job in claimed {
            let place = free.split(1);
            let task = Analysis {
                store: store.clone(),
                generation: engine.current(),
                lease: job.lease,
                settings: settings.clone(),
                telemetry: telemetry.clone(),
                stop: stop.clone(),
            };
            jobs.spawn(async move {
                task.run(job).await;
                drop(place);
            });
        }
    }
    let _enough =
        timeout(settings.grace + Duration::from_secs(5), async { while jobs.join_next().await.is_some() {} }).await;
}

/// Housekeeping of the store until `stop`; any number of processes may do it.
pub async fn housekeep(store: Arc<dyn Store>, stop: CancellationToken) {
    let mut tick = interval_at(Instant::now() + Duration::from_secs(5), SWEEP);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            _ = tick.tick() => match store.sweep().await {
                Ok(swept) if swept.failed + swept.expired > 0 => {
                    tracing::info!(failed = swept.failed, expired = swept.expired, "swept");
                }
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "housekeeping has to wait"),
            },
        }
    }
}

enum News {
    Phase(ReportPhase),
    Done(Outcome),
    Stopped,
}

struct Analysis {
    store: Arc<dyn Store>,
    generation: Arc<Generation>,
    lease: Lease,
    settings: WorkerSettings,
    telemetry: Telemetry,
    stop: CancellationToken,
}

impl Analysis {
    async fn run(self, job: Job) {
        let begun = Instant::now();
        let telemetry = self.telemetry.clone();
        let ended = self.analyse(job).await;
        telemetry.analysed(ended, begun.elapsed());
    }

    async fn analyse(self, job: Job) -> Ended {
        let give_up = Arc::new(AtomicBool::new(false));
        let (tell, mut news) = mpsc::unbounded_channel();
        let thread = std::thread::Builder::new().name("analysis".to_owned()).stack_size(STACK_BYTES);
        let (generation, flag) = (self.generation.clone(), give_up.clone());
        let started = thread.spawn(move || {
            let outcome = analyse(&generation, &job, &flag, &tell);
            let _nobody_waits = tell.send(outcome.map_or(News::Stopped, News::Done));
        });
        if let Err(error) = started {
            tracing::error!(%error, "no thread for an analysis");
            self.release(Release::Retry).await;
            return Ended::Dropped;
        }
        let mut phase = ReportPhase::Analyzing;
        let beat = self.settings.heartbeat;
        let mut heartbeat = interval_at(Instant::now() + beat, beat);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut grace = std::pin::pin!(async {
            self.stop.cancelled().await;
            sleep(self.settings.grace).await;
        });
        loop {
            let held = tokio::select! {
                biased;
                heard = news.recv() => match heard {
                    Some(News::Done(outcome)) => return self.finish(outcome).await,
                    Some(News::Stopped) | None => {
                        self.release(Release::Retry).await;
                        return Ended::Dropped;
                    }
                    Some(News::Phase(now)) => {
                        let first = std::mem::replace(&mut phase, now) == now;
                        if first { Held::Held } else { self.renew(phase).await }
                    }
                },
                _ = heartbeat.tick() => self.renew(phase).await,
                () = &mut grace => {
                    give_up.store(true, Ordering::Relaxed);
                    self.release(Release::Handover).await;
                    return Ended::Dropped;
                }
            };
            if held == Held::Lost {
                give_up.store(true, Ordering::Relaxed);
                tracing::warn!(report = %self.lease.report_id, "lost the lease of a report");
                return Ended::Dropped;
            }
        }
    }

    async fn renew(&self, phase: ReportPhase) -> Held {
        match self.store.renew(self.lease, phase).await {
            Ok(held) => held,
            Err(error) => {
                tracing::warn!(%error, report = %self.lease.report_id, "a lease was not renewed");
                Held::Held
            }
        }
    }

    async fn release(&self, how: Release) {
        match self.store.release(self.lease, how).await {
            Ok(Held::Held | Held::Lost) => {}
            Err(error) => {
                tracing::warn!(%error, report = %self.lease.report_id, "a report waits for the end of its lease");
            }
        }
    }

    async fn finish(&self, outcome: Outcome) -> Ended {
        let ended = match outcome {
            Outcome::Completed(_) => Ended::Completed,
            Outcome::Failed(_) => Ended::Failed,
        };
        let begun = Instant::now();
        let mut wait = Duration::from_millis(100);
        loop {
            match self.store.finish(self.lease, outcome.clone()).await {
                Ok(Held::Held) => return ended,
                Ok(Held::Lost) => {
                    tracing::warn!(report = %self.lease.report_id, "a result came after its lease and was dropped");
                    return Ended::Dropped;
                }
                Err(error) if retry(&error) && begun.elapsed() < FINISH_PATIENCE => {
                    tracing::warn!(%error, report = %self.lease.report_id, "a result waits for the database");
                    sleep(wait).await;
                    wait = (wait * 2).min(Duration::from_secs(5));
                }
                Err(error) => {
                    tracing::error!(%error, report = %self.lease.report_id, "a result was not stored");
                    return Ended::Dropped;
                }
            }
        }
    }
}

fn retry(error: &StoreError) -> bool {
    error.is_unavailable()
}

/// Runs on a thread of its own. None when it was given up.
fn analyse(
    generation: &Generation,
    job: &Job,
    give_up: &Arc<AtomicBool>,
    tell: &mpsc::UnboundedSender<News>,
) -> Option<Outcome> {
    let snapshot = generation.snapshot();
    let report = job.lease.report_id;
    let genre = Language::from_str(&job.language).ok().and_then(|language| {
        let found = snapshot.catalog.find(language, Some(&job.domain_slug), &job.text_type_slug);
        Some((language, found.ok()?))
    });
    let Some((language, genre)) = genre else {
        tracing::error!(%report, domain = job.domain_slug, text_type = job.text_type_slug, "the genre of a report is gone");
        return Some(Outcome::Failed(GENRE_GONE.to_owned()));
    };
    for attempt in 1..=2 {
        let mut on = |progress| {
            let phase = match progress {
                Progress::Phase(Phase::Analyzing) => ReportPhase::Analyzing,
                Progress::Phase(Phase::Building) => ReportPhase::Building,
                Progress::CutShort { metric, origin, why, places } => {
                    let why = without_text(&why, &job.text);
                    tracing::warn!(%report, metric, origin, why, places, "a limit ended the search of a rule");
                    return;
                }
            };
            let _nobody_waits = tell.send(News::Phase(phase));
        };
        let built = catch_unwind(AssertUnwindSafe(|| {
            glosa_report::build(&snapshot.engine, genre, language, &job.text, &mut on, give_up)
        }));
        match built {
            Ok(Ok(result)) => match serde_json::to_vec(&result) {
                Ok(bytes) => return Some(Outcome::Completed(bytes)),
                Err(error) => {
                    tracing::error!(%report, %error, "a result cannot be written");
                    break;
                }
            },
            Ok(Err(BuildError::Stopped)) => return None,
            Ok(Err(BuildError::Metric { metric, origin, error })) => {
                let error = without_text(&error.to_string(), &job.text);
                tracing::error!(%report, metric, origin, error, "a metric failed twice");
                break;
            }
            Err(_panic) => {
                tracing::error!(%report, attempt, "the analysis panicked outside the metrics");
            }
        }
    }
    Some(Outcome::Failed(FAILED.to_owned()))
}

const QUOTE: usize = 12;

/// A message for the log, withheld when it repeats a stretch of the analysed text.
fn without_text(message: &str, text: &str) -> String {
    let characters: Vec<char> = message.chars().collect();
    let quotes = characters.windows(QUOTE).any(|window| text.contains(&window.iter().collect::<String>()));
    if quotes { "the message quotes the text and is withheld".to_owned() } else { message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_quotes_the_text_is_withheld() {
        let text = "El expediente de doña Inés sigue abierto.";
        assert_eq!(without_text("index out of bounds", text), "index out of bounds");
        assert!(!without_text("byte 3 of `doña Inés sigue`", text).contains("Inés"));
    }
}
