//! Wake-ups. They carry no state: whoever is woken looks at the database, so a lost or doubled wake-up costs time, never truth.
use crate::ReportId;
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
    /// Waits for the next wake-up; none when the store was closed.
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
