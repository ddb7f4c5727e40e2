//! The machines: what a state is, and how one thread makes a step from it.
//!
//! - [`layout`]: what is the same in all states; [`state`]: what differs.
//! - [`world`], [`access`], [`lifetimes`]: what a running thread meets: memory, other threads,
//!   choices, the ends of objects.
//! - [`weak`]: memory in which threads see different writes.
//! - [`step`]: the steps of one thread; [`refusal`]: why there are none.

pub mod access;
pub mod layout;
pub mod lifetimes;
pub mod refusal;
pub mod state;
pub mod step;
pub mod weak;
pub mod world;

pub use weak::rules::Rules;

use crate::verification::Property;
use models::Model;

/// A machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machine {
    /// One memory: sequential consistency.
    Interleaving,
    /// One memory, and a first-in first-out store buffer for each thread: x86-TSO.
    StoreBuffers,
    /// Cells with lists of writes, and views of them: C11 atomics without load buffering.
    Views,
}

impl Machine {
    /// The machine that does what a model of the library says, or one that only flags more.
    pub fn of(model: &Model) -> Option<Machine> {
        match model.same_executions_as()? {
            "sc" => Some(Machine::Interleaving),
            "tso" => Some(Machine::StoreBuffers),
            "rc11" => Some(Machine::Views),
            _ => None,
        }
    }

    /// Whether its states tell about a property.
    pub fn knows(self, property: Property) -> bool {
        match property {
            Property::Race => self == Machine::Views,
            _ => true,
        }
    }

    /// Whether it is the one with views.
    pub(crate) fn has_views(self) -> bool {
        self == Machine::Views
    }

    pub(in crate::explicit) fn has_buffers(self) -> bool {
        self == Machine::StoreBuffers
    }
}
