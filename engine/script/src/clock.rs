//! The time of a script: what it computes, not what the system makes it wait.
//!
//! Rhai asks before every operation whether to go on. Between two operations a script cannot compute for long, because
//! the sizes of its strings and arrays are limited; a longer gap means that the thread was not running. So a gap counts
//! for no more than [`LONGEST_GAP`], and a busy machine does not fail a script that a calm one lets pass.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use glosa_metric::Budget;

/// Why a script ends that has used up its own allowance, whatever the report has left.
pub(crate) const SPENT: &str = "its computing time is used up";

const LONGEST_GAP: Duration = Duration::from_millis(8);

/// How long a script may compute on one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// For each 1,000 tokens begun.
    pub per_thousand_tokens: Duration,
}

impl Default for Allowance {
    fn default() -> Self {
        Allowance { per_thousand_tokens: Duration::from_millis(50) }
    }
}

impl Allowance {
    pub(crate) fn of(self, tokens: usize) -> Duration {
        self.per_thousand_tokens * (tokens as u32 / 1000 + 1)
    }
}

struct Clock {
    left: Duration,
    last: Instant,
    budget: Budget,
    over: Option<&'static str>,
}

impl Clock {
    fn spend(&mut self) -> Option<&'static str> {
        let now = Instant::now();
        let gap = now.duration_since(self.last).min(LONGEST_GAP);
        self.last = now;
        match self.left.checked_sub(gap) {
            Some(left) => self.left = left,
            None => return Some(SPENT),
        }
        self.budget.exhausted().then_some("the time of the report is used up")
    }
}

thread_local! {
    static CLOCK: RefCell<Option<Clock>> = const { RefCell::new(None) };
}

/// Stops the clock when it goes.
pub(crate) struct Running;

impl Drop for Running {
    fn drop(&mut self) {
        CLOCK.set(None);
    }
}

/// Starts the clock of this thread.
pub(crate) fn start(allowance: Duration, budget: &Budget) -> Running {
    CLOCK.set(Some(Clock { left: allowance, last: Instant::now(), budget: budget.clone(), over: None }));
    Running
}

/// Counts the time since the last call; why the script has to end, if it has to. Once over, it stays over: some calls
/// of Rhai swallow the error of a closure and go on.
pub(crate) fn tick() -> Option<&'static str> {
    CLOCK.with_borrow_mut(|clock| {
        let clock = clock.as_mut()?;
        if clock.over.is_none() {
            clock.over = clock.spend();
        }
        clock.over
    })
}

/// Why the script had to end, if it had to: one that never noticed does not pass for a sound one.
pub(crate) fn over() -> Option<&'static str> {
    CLOCK.with_borrow(|clock| clock.as_ref()?.over)
}
