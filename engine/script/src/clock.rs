//! How much a script may compute: a number of operations that follows the length of the text, so that the same text gives
//! the same report on a calm and on a busy machine.
//!
//! Rhai asks before every operation whether to go on. Functions of the engine that read much of the text, or long arrays
//! and strings, [`charge`] for it. The clock on the wall decides nothing: the wish to stop a report is looked at every
//! [`INTERVAL`] operations.

use std::cell::{Cell, RefCell};

use glosa_metric::Budget;

/// Why a script ends that has used up its own allowance, whatever the report has left.
pub(crate) const SPENT: &str = "its computing time is used up";

/// Operations between two looks at the wish to stop.
const INTERVAL: u64 = 65_536;

/// What a script may compute on one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Operations for each 1,000 tokens begun.
    pub per_thousand_tokens: u64,
}

impl Default for Allowance {
    fn default() -> Self {
        Allowance { per_thousand_tokens: 500_000 }
    }
}

impl Allowance {
    pub(crate) fn of(self, tokens: usize) -> u64 {
        self.per_thousand_tokens * (tokens as u64 / 1000 + 1)
    }
}

thread_local! {
    /// Operations until something has to be looked at; far away where no script runs.
    static NEXT: Cell<u64> = const { Cell::new(u64::MAX) };
    static CLOCK: RefCell<Option<Clock>> = const { RefCell::new(None) };
}

struct Clock {
    /// Operations left, those until the next look not counted.
    left: u64,
    budget: Budget,
    over: Option<&'static str>,
}

impl Clock {
    /// The next interval, or why there is none.
    fn wind(&mut self) -> Result<u64, &'static str> {
        if self.left == 0 {
            return Err(SPENT);
        }
        if self.budget.exhausted() {
            return Err("the time of the report is used up");
        }
        let next = self.left.min(INTERVAL);
        self.left -= next;
        Ok(next)
    }
}

/// Stops the clock when it goes.
pub(crate) struct Running;

impl Drop for Running {
    fn drop(&mut self) {
        NEXT.set(u64::MAX);
        CLOCK.set(None);
    }
}

/// Starts the clock of this thread with so many operations.
pub(crate) fn start(operations: u64, budget: &Budget) -> Running {
    CLOCK.set(Some(Clock { left: operations, budget: budget.clone(), over: None }));
    NEXT.set(0);
    Running
}

/// Counts one operation; why the script has to end, if it has to. Once over, it stays over: some calls of Rhai swallow
/// the error of a closure and go on.
#[inline]
pub(crate) fn tick() -> Option<&'static str> {
    let next = NEXT.get();
    if next > 0 {
        NEXT.set(next - 1);
        return None;
    }
    look()
}

#[cold]
fn look() -> Option<&'static str> {
    CLOCK.with_borrow_mut(|clock| {
        let clock = clock.as_mut()?;
        if clock.over.is_none() {
            match clock.wind() {
                Ok(next) => NEXT.set(next - 1),
                Err(why) => clock.over = Some(why),
            }
        }
        clock.over
    })
}

/// Counts the work of a function of the engine: about one operation for what takes as long as one, some fifty
/// nanoseconds. The script ends at its next operation.
pub(crate) fn charge(operations: usize) {
    let mut operations = operations as u64;
    let next = NEXT.get();
    if operations < next {
        NEXT.set(next - operations);
        return;
    }
    operations -= next;
    NEXT.set(0);
    CLOCK.with_borrow_mut(|clock| {
        if let Some(clock) = clock {
            clock.left = clock.left.saturating_sub(operations);
        }
    });
}

/// Why the script had to end, if it had to: one that never noticed does not pass for a sound one.
pub(crate) fn over() -> Option<&'static str> {
    CLOCK.with_borrow(|clock| clock.as_ref()?.over)
}
