//! Whether the queue is full, asked of the database once a second at most.
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const VALID: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(crate) struct Fullness(Mutex<Option<(bool, Instant)>>);

impl Fullness {
    /// What is known from the last second. A full queue is asked again every time: room may have come.
    pub(crate) fn recent(&self) -> Option<bool> {
        let known = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.filter(|(full, at)| !full && at.elapsed() < VALID).map(|(full, _)| full)
    }

    pub(crate) fn learn(&self, full: bool) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((full, Instant::now()));
    }
}
