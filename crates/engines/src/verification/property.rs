//! The properties of a program: groups of findings, each with a verdict of its own.
//!
//! Soundness S-116 (verify; all; misses): `vacuous` asks only whether some execution satisfies the
//! assumptions, whether it is complete, waits for ever or fails in a way that was not asked for.
//! Test: crates/fencepost/tests/verify.rs::a_program_whose_assumptions_always_fail_says_nothing,
//! crates/fencepost/tests/verdicts.rs::what_always_goes_wrong_is_not_vacuous.
//!
//! Soundness S-117 (verify; all; misses): A failed assertion, `abort` and `reach_error` end the
//! program, although one that is compiled without assertions goes on past them: the other
//! properties speak of executions up to there. Test:
//! corpus/verify/memory/null_after_a_failed_assertion.c.
//!
//! Soundness S-118 (verify; all; refuses): Where an execution can end at a memory error, at the use
//! of an undefined value, at a broken rule of the language or the library
//! (`__builtin_unreachable`, a quotient that does not exist, misuse of a lock), or at a limit of
//! the embedded headers, a property without a violation is `? cut`. Test:
//! crates/fencepost/tests/ends.rs::a_memory_error_leaves_the_rest_open_whether_or_not_it_is_asked_for,
//! crates/fencepost/tests/ends.rs::a_quotient_that_does_not_fit_hides_what_follows_on_some_machines_only,
//! crates/fencepost/tests/ends.rs::a_broken_rule_leaves_the_rest_open_whether_or_not_it_is_asked_for,
//! corpus/verify/styles/unreachable_reached.c, corpus/verify/arithmetic/division_by_zero.c,
//! corpus/verify/approximations/not_supported_conversion.c.
//!
//! Soundness S-119 (verify; machines; misses): `--races plain` reports conflicts with a plain
//! access that no chain of program order and atomic or volatile accesses orders: every atomic
//! access synchronises, so a race that only a weak memory order leaves open is missed. Test:
//! crates/fencepost/tests/verdicts.rs::plain_conflicts_are_races_on_machines_if_somebody_asks,
//! crates/fencepost/tests/verdicts.rs::what_is_in_an_atomic_section_is_not_plain.
//!
//! Soundness S-120 (verify; languages; misses): Executions in which a thread goes on after a use of
//! a freed block or an object that has ended show no races. Test:
//! crates/fencepost/tests/verdicts.rs::there_is_no_race_behind_what_is_wrong.

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
    /// No assertion fails, nothing aborts, and no rule of the language or the library is broken
    /// (division by zero, joining twice, unlocking what another thread holds).
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
    /// All properties, in the order in which they are reported.
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

    /// The question that decides whether it is violated.
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
    /// some machines go on: memory errors, uses of undefined values, rules that are broken, limits
    /// of the library, and quotients that do not exist (x86 traps, others do not). A failed
    /// assertion ends the program: nothing lies past it.
    pub(crate) fn cuts(kind: &FindingKind) -> bool {
        match kind {
            FindingKind::Misuse(_)
            | FindingKind::NotSupported(_)
            | FindingKind::BadJoin
            | FindingKind::UnbalancedAtomicSection
            | FindingKind::Division(_) => true,
            kind => Property::of(kind) == Some(Property::Memory),
        }
    }

    /// The property that a finding violates; none where nothing is wrong with the program.
    pub fn of(kind: &FindingKind) -> Option<Property> {
        Some(match kind {
            FindingKind::NotSupported(_) => return None,
            FindingKind::AssertionFailed(_)
            | FindingKind::Misuse(_)
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
        })
    }
}

impl std::fmt::Display for Property {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
