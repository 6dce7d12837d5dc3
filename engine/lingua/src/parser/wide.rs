//! Loops over numbers with the widest instructions of the processor at hand. They are compiled twice; every processor finds
//! the same numbers, since nothing is fused or put in another order.

/// A loop that is worth it. `run` and what it calls must be inlined, or it loses the instructions.
pub trait Computation {
    /// Does it.
    fn run(self);
}

/// Runs it.
#[cfg(target_arch = "x86_64")]
pub fn compute(computation: impl Computation) {
    struct Wide<C>(C);
    impl<C: Computation> pulp::NullaryFnOnce for Wide<C> {
        type Output = ();
        #[inline(always)]
        fn call(self) {
            self.0.run();
        }
    }
    match pulp::x86::V3::try_new() {
        Some(cpu) => cpu.vectorize(Wide(computation)),
        None => computation.run(),
    }
}

/// Runs it.
#[cfg(not(target_arch = "x86_64"))]
pub fn compute(computation: impl Computation) {
    computation.run();
}
