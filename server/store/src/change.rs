//! Wake-ups. They carry no state: whoever is woken looks at the database, so a lost or doubled wake-up costs time, never truth.
use crate::ReportId;
use std::collections::HashMap;
use std::time::Duration;
use tokio::sync::broadcast::{self, error::RecvError};

/// A reason to look again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The state of this report changed.
    Report(ReportId),
    /// There may be work to claim.
    Work,
    /// Wake-ups may have been lost: look at everything of interest.
    Unknown,
}

/// A subscription to wake-ups.
#[derive(Debug)]
pub struct Changes(broadcast::Receiver<Change>);

impl Changes {
    /// Waits for the next wake-up; none when the store is gone.
    pub async fn next(&mut self) -> Option<Change> {
        match self.0.recv().await {
            Ok(change) => Some(change),
            Err(RecvError::Lagged(_)) => Some(Change::Unknown),
            Err(RecvError::Closed) => None,
        }
    }
}

/// The sending side, one per store.
#[derive(Clone, Debug)]
pub(crate) struct Bell(broadcast::Sender<Change>);

impl Bell {
    pub(crate) fn new() -> Self {
        Self(broadcast::channel(4096).0)
    }

    pub(crate) fn ring(&self, change: Change) {
        let _nobody_listens = self.0.send(change);
    }

    pub(crate) fn listen(&self) -> Changes {
        Changes(self.0.subscribe())
    }

    pub(crate) fn has_listeners(&self) -> bool {
        self.0.receiver_count() > 0
    }
}

/// How often a store looks for changes that no wake-up told.
pub(crate) const WATCH_EVERY: Duration = Duration::from_secs(1);

/// The most changes one look reads; more are `Unknown`.
pub(crate) const MOST_TOLD: usize = 5_000;

/// Transactions become visible a little after the time they carry; the look goes back this far.
const OVERLAP: i64 = 5_000_000;

/// Which changes a repeated look has told already.
#[derive(Default)]
pub(crate) struct News {
    since: Option<i64>,
    told: HashMap<ReportId, i64>,
}

impl News {
    /// From when on to look; none at the first look, which only finds out what time it is.
    pub(crate) fn since(&self) -> Option<i64> {
        self.since
    }

    /// The reports among `changed` that were not told in this state before.
    pub(crate) fn tell(&mut self, now: i64, changed: Vec<(ReportId, i64)>) -> Vec<ReportId> {
        let since = now - OVERLAP;
        self.since = Some(since);
        self.told.retain(|_, at| *at > since);
        changed
            .into_iter()
            .filter(|(report, at)| self.told.insert(*report, *at) != Some(*at))
            .map(|(report, _)| report)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_once() {
        let (one, two) = (ReportId::new(), ReportId::new());
        let mut news = News::default();
        assert_eq!(news.since(), None);
        assert!(news.tell(10_000_000, vec![]).is_empty());
        assert_eq!(news.since(), Some(5_000_000));
        assert_eq!(news.tell(11_000_000, vec![(one, 10_500_000)]), [one]);
        assert_eq!(news.tell(12_000_000, vec![(one, 10_500_000), (two, 11_500_000)]), [two]);
        assert_eq!(news.tell(13_000_000, vec![(one, 12_500_000)]), [one]);
    }
}
