//! The machines: what a state is, and how one thread makes a step from it.
//!
//! - [`layout`]: what is the same in all states; [`state`]: what differs.
//! - [`world`], [`access`], [`lifetimes`]: what a running thread meets: memory, other threads,
//!   choices, the ends of objects.
//! - [`step`]: the steps of one thread; [`refusal`]: why there are none.

pub mod access;
pub mod layout;
pub mod lifetimes;
pub mod refusal;
pub mod state;
pub mod step;
pub mod world;

use models::Model;

/// A machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machine {
    /// One memory: sequential consistency.
    Interleaving,
    /// One memory, and a first-in first-out store buffer for each thread: x86-TSO.
    StoreBuffers,
}

impl Machine {
    /// The machine that does what a model of the library says, or one that only flags more.
    pub fn of(model: &Model) -> Option<Machine> {
        match model.same_executions_as()? {
            "sc" => Some(Machine::Interleaving),
            "tso" => Some(Machine::StoreBuffers),
            _ => None,
        }
    }

    pub(super) fn has_buffers(self) -> bool {
        self == Machine::StoreBuffers
    }
}
