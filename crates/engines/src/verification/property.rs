//! What can be asked of a program: groups of things that go wrong, each with a verdict of its own.

use encoding::encode::Scope;
use execution::finding::DivisionError;
use execution::finding::FindingKind;
use execution::question::Question;
use models::Model;
use serde::{Deserialize, Serialize};

/// A property.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// No assertion fails, nothing aborts, and nothing is used in a way that has no meaning
    /// (division by zero, joining twice).
    Assert,
    /// Every access is to an object that is there, every `free` of a block that is there, and no
    /// undefined value is used.
    Memory,
    /// The model flags no execution as having a data race.
    Race,
    /// There is always a thread that does not wait for a lock, a condition or another thread, and
    /// no thread ends while it holds a lock.
    Deadlock,
    /// No loop waits for ever, if the scheduler and the memory are fair.
    Liveness,
    /// No signed arithmetic overflows, left shifts included, and no shift is by the width or more.
    Overflow,
    /// In the end, every block has been freed or can be found through a global.
    Leak,
}

impl Property {
    /// All properties, in the order in which they are told.
    pub const ALL: [Property; 7] = [
        Property::Assert,
        Property::Memory,
        Property::Race,
        Property::Deadlock,
        Property::Liveness,
        Property::Overflow,
        Property::Leak,
    ];

    /// Its name on the command line and in data files.
    pub fn name(self) -> &'static str {
        match self {
            Property::Assert => "assert",
            Property::Memory => "memory",
            Property::Race => "race",
            Property::Deadlock => "deadlock",
            Property::Liveness => "liveness",
            Property::Overflow => "overflow",
            Property::Leak => "leak",
        }
    }

    /// Whether a model gives it a meaning: only some know what a data race is.
    pub fn is_known_to(self, model: &Model) -> bool {
        let flags = |model: &Model| {
            let worlds = model.compiled().map(|compiled| &compiled.worlds);
            worlds.is_none_or(|worlds| worlds.iter().any(|world| !world.flags.is_empty()))
        };
        self != Property::Race || flags(model)
    }

    /// Which executions can violate it.
    pub fn scope(self) -> Scope {
        match self {
            Property::Assert | Property::Memory | Property::Race | Property::Overflow => {
                Scope::Every
            }
            Property::Deadlock | Property::Liveness => Scope::Waiting,
            Property::Leak => Scope::Complete,
        }
    }

    /// What is asked to find out whether it is violated.
    pub fn question(self) -> Question {
        match self {
            Property::Assert | Property::Memory | Property::Race | Property::Overflow => {
                Question::Findings
            }
            Property::Deadlock | Property::Liveness => Question::Waiting,
            Property::Leak => Question::Leaks,
        }
    }

    /// Whether executions end at a finding past which the language gives no meaning to going on, or
    /// some machines go on: memory errors, uses of undefined values, and quotients that do not fit
    /// (x86 traps, others do not). A failed assertion ends the program: nothing lies past it.
    pub(crate) fn cuts(kind: &FindingKind) -> bool {
        Property::of(kind) == Property::Memory
            || matches!(kind, FindingKind::Division(DivisionError::Overflow))
    }

    /// The property that a finding violates.
    pub fn of(kind: &FindingKind) -> Property {
        match kind {
            FindingKind::AssertionFailed(_)
            | FindingKind::Trap(_)
            | FindingKind::Division(DivisionError::ByZero | DivisionError::Undefined)
            | FindingKind::UnbalancedAtomicSection
            | FindingKind::BadJoin => Property::Assert,
            FindingKind::Overflow(_) | FindingKind::Division(DivisionError::Overflow) => {
                Property::Overflow
            }
            FindingKind::Leak => Property::Leak,
            FindingKind::Deadlock | FindingKind::LockHeld => Property::Deadlock,
            FindingKind::Livelock => Property::Liveness,
            FindingKind::Null
            | FindingKind::Wild { .. }
            | FindingKind::OutOfBounds
            | FindingKind::IndexOutOfBounds { .. }
            | FindingKind::UseAfterFree
            | FindingKind::UseAfterReturn
            | FindingKind::UseAfterThread
            | FindingKind::WriteToConstant
            | FindingKind::FunctionAsData
            | FindingKind::Misaligned { .. }
            | FindingKind::MisalignedAtomic { .. }
            | FindingKind::DoubleFree
            | FindingKind::FreeOfNonHeap
            | FindingKind::FreeInsideBlock
            | FindingKind::CallOfNull
            | FindingKind::CallOfNonFunction
            | FindingKind::BadCall(_)
            | FindingKind::StackOverflow
            | FindingKind::UndefinedUse(_)
            | FindingKind::TooLongToPrint => Property::Memory,
        }
    }
}

impl std::fmt::Display for Property {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
