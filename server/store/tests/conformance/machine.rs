//! Random schedules of callers, workers, crashes and time against a model of who holds what: the public state moves forward only,
//! ends once, and only the latest lease writes.
use crate::world::*;
use glosa_store::*;
use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// Time moves in steps longer than a lease and shorter than a job's deadline.
const STEP: i64 = 40 * SECOND;
const STEPS: usize = 6;

#[derive(Clone, Copy, Debug)]
enum Act {
    Submit,
    Claim(u32),
    Renew(usize),
    Complete(usize),
    Fail(usize),
    Handover(usize),
    Retry(usize),
    Sweep,
    Wait,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => Just(Act::Submit),
        4 => (1u32..4).prop_map(Act::Claim),
        2 => (0usize..20).prop_map(Act::Renew),
        3 => (0usize..20).prop_map(Act::Complete),
        1 => (0usize..20).prop_map(Act::Fail),
        1 => (0usize..20).prop_map(Act::Handover),
        1 => (0usize..20).prop_map(Act::Retry),
        1 => Just(Act::Sweep),
        2 => Just(Act::Wait),
    ]
}

struct Bench {
    runtime: Runtime,
    world: World,
    stores: Vec<Arc<dyn Store>>,
    account: AccountId,
}

impl Bench {
    fn new(world: World) -> Self {
        let runtime = Runtime::new().unwrap();
        let (stores, account) = runtime.block_on(async {
            let mut stores = Vec::new();
            for step in 0..STEPS {
                stores.push(
                    world
                        .open_with(|settings| {
                            settings.clock_offset = step as i64 * STEP;
                            settings.connections = 2;
                        })
                        .await,
                );
            }
            let account = account(&stores[0], "a").await;
            (stores, account)
        });
        Self { runtime, world, stores, account }
    }

    async fn play(&self, acts: Vec<Act>) -> Result<(), TestCaseError> {
        self.world.raw("DELETE FROM report").await;
        let mut now = 0;
        let mut leases: Vec<Lease> = Vec::new();
        let mut current: HashMap<ReportId, Lease> = HashMap::new();
        let mut seen: HashMap<ReportId, Report> = HashMap::new();
        for act in acts {
            let store = &self.stores[now];
            let pick = |index: usize| leases.get(index % leases.len().max(1)).copied();
            let mut write = None;
            match act {
                Act::Submit => {
                    let report = queue(store, self.account).await;
                    seen.insert(report, look(store, self.account, report).await);
                }
                Act::Claim(at_most) => {
                    for job in store.claim("worker", at_most).await.unwrap() {
                        prop_assert!(job.attempt <= 3);
                        prop_assert_eq!(job.is_last_attempt, job.attempt == 3);
                        if let Some(before) = current.insert(job.lease.report_id, job.lease) {
                            prop_assert!(job.lease.token > before.token);
                        }
                        leases.push(job.lease);
                    }
                }
                Act::Renew(index) => {
                    if let Some(lease) = pick(index) {
                        let held = store.renew(lease, ReportPhase::Building).await.unwrap();
                        prop_assert!(held == Held::Lost || current.get(&lease.report_id) == Some(&lease));
                    }
                }
                Act::Complete(index) => {
                    write = pick(index).map(|lease| (lease, Outcome::Completed(lease.token.to_string().into())));
                }
                Act::Fail(index) => write = pick(index).map(|lease| (lease, Outcome::Failed("no".into()))),
                Act::Handover(index) | Act::Retry(index) => {
                    let how = if matches!(act, Act::Retry(_)) { Release::Retry } else { Release::Handover };
                    if let Some(lease) = pick(index) {
                        let holds = current.get(&lease.report_id) == Some(&lease);
                        let held = store.release(lease, how).await.unwrap();
                        prop_assert_eq!(held == Held::Held, holds);
                        if holds {
                            current.remove(&lease.report_id);
                        }
                    }
                }
                Act::Sweep => {
                    store.sweep().await.unwrap();
                }
                Act::Wait => now = (now + 1).min(STEPS - 1),
            }
            if let Some((lease, outcome)) = write {
                let holds = current.get(&lease.report_id) == Some(&lease);
                let held = store.finish(lease, outcome).await.unwrap();
                prop_assert_eq!(held == Held::Held, holds, "{:?}", lease);
                if holds {
                    current.remove(&lease.report_id);
                }
            }
            for (id, before) in &mut seen {
                let after = look(&self.stores[now], self.account, *id).await;
                prop_assert!(before.status <= after.status || before.status.is_terminal());
                prop_assert!(before.updated_at <= after.updated_at);
                prop_assert_eq!(before.status == after.status, before.updated_at == after.updated_at);
                prop_assert_eq!(after.started_at.is_some(), after.status != ReportStatus::Queued);
                prop_assert_eq!(after.finished_at.is_some(), after.status.is_terminal());
                prop_assert_eq!(after.result.is_some(), after.status == ReportStatus::Completed);
                prop_assert_eq!(after.failure.is_some(), after.status == ReportStatus::Failed);
                prop_assert_eq!(after.phase.is_some(), after.status == ReportStatus::Running);
                if before.started_at.is_some() {
                    prop_assert_eq!(before.started_at, after.started_at);
                }
                if before.status.is_terminal() {
                    prop_assert_eq!(before.status, after.status);
                    prop_assert_eq!(&before.result, &after.result);
                    prop_assert_eq!(&before.failure, &after.failure);
                }
                if after.status.is_terminal() {
                    current.remove(id);
                }
                *before = after;
            }
        }
        Ok(())
    }
}

fn run(world: World, cases: u32) {
    let bench = Bench::new(world);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(acts in prop::collection::vec(act(), 1..40))| {
        bench.runtime.block_on(bench.play(acts))?;
    });
}

#[test]
fn random_schedules_on_sqlite() {
    run(World::sqlite(), 40);
}

#[test]
fn random_schedules_on_postgres() {
    run(World::postgres(), 25);
}
