//! Dependency tracking: which reads a value was computed from.
//!
//! Power, ARM and RISC-V give meaning to address, data and control dependencies of the program
//! as written. A stepper that is to know them carries a taint with every register; one that is
//! not carries `()`, which costs nothing.

/// What is remembered about the origin of a value.
pub trait Taint: Clone + Default {
    /// The taint of a value just read by the read event `event` (a number that the memory gave).
    fn read(event: u32) -> Self;
    /// Adds another origin: the value was computed from both.
    fn join(&mut self, other: &Self);
    /// The taint of a value picked by a condition (`Select`): it was copied from one of the
    /// alternatives, and the condition decided from which.
    fn pick(cond: &Self, chosen: &Self) -> Self;
}

impl Taint for () {
    fn read(_: u32) -> Self {}
    fn join(&mut self, (): &Self) {}
    fn pick((): &Self, (): &Self) -> Self {}
}

/// The dependencies of one memory event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependencies<T> {
    /// What the address was computed from.
    pub address: T,
    /// What the written value was computed from.
    pub data: T,
    /// What the branches before it in program order were decided by.
    pub control: T,
}
