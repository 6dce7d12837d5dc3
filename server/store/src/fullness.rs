//! Whether the queue is full, asked of the database once a second at most while there is plenty of room.
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const VALID: Duration = Duration::from_secs(1);
const LEAST_ROOM: u32 = 64;

/// How much room a queue has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    Plenty,
    /// So little that every report is counted.
    Little,
    None,
}

#[derive(Default)]
pub(crate) struct Fullness(Mutex<Option<Instant>>);

impl Fullness {
    /// Reports that may wait while there is plenty of room: all but a tenth, and none of a small queue.
    pub(crate) fn plenty(queue: u32) -> u32 {
        queue.saturating_sub((queue / 10).max(LEAST_ROOM))
    }

    /// Whether there was plenty of room in the last second. Otherwise the database has to be asked.
    pub(crate) fn had_plenty(&self) -> bool {
        let known = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.is_some_and(|at| at.elapsed() < VALID)
    }

    pub(crate) fn learn(&self, room: Room) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (room == Room::Plenty).then(Instant::now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_queues_are_always_counted() {
        assert_eq!([0, 3, 64, 1_000, 100_000].map(Fullness::plenty), [0, 0, 0, 900, 90_000]);
        let fullness = Fullness::default();
        for (room, known) in [(Room::Little, false), (Room::Plenty, true), (Room::None, false)] {
            fullness.learn(room);
            assert_eq!(fullness.had_plenty(), known);
        }
    }
}
