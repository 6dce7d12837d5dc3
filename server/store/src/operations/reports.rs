//! Reports and their queue, one line an operation.
use crate::store::{SqlStore, bounded};
use crate::{
    AccountId, Backlog, Changes, Fut, Held, Job, Lease, Look, NewReport, Observed, Outcome, Release, ReportId,
    ReportPhase, ReportStore, Standing, Submitted,
};

impl ReportStore for SqlStore {
    fn submit(&self, new: NewReport) -> Fut<'_, Submitted> {
        bounded("accept a report", self.accept(new))
    }

    fn observe(&self, account: AccountId, report: ReportId, look: Look) -> Fut<'_, Observed> {
        bounded("show a report", self.show(account, report, look))
    }

    fn standings<'a>(&'a self, reports: &'a [ReportId]) -> Fut<'a, Vec<Standing>> {
        bounded("show reports", self.show_standings(reports))
    }

    fn claim<'a>(&'a self, worker: &'a str, at_most: u32) -> Fut<'a, Vec<Job>> {
        bounded("claim work", self.claim_work(worker, at_most))
    }

    fn renew(&self, lease: Lease, phase: ReportPhase) -> Fut<'_, Held> {
        bounded("renew a lease", self.renew_lease(lease, phase))
    }

    fn finish(&self, lease: Lease, outcome: Outcome) -> Fut<'_, Held> {
        bounded("store an outcome", self.store_outcome(lease, outcome))
    }

    fn release(&self, lease: Lease, how: Release) -> Fut<'_, Held> {
        bounded("give back a lease", self.give_back(lease, how))
    }

    fn backlog(&self) -> Fut<'_, Backlog> {
        bounded("measure the queue", self.measure_queue())
    }

    fn changes(&self) -> Changes {
        self.bell.listen()
    }
}
