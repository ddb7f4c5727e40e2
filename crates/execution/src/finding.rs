//! What is wrong with a program, as plain data; only the reporter turns it into text.

use crate::event::ThreadId;
use crate::span::Location;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Something wrong that an execution showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What is wrong.
    pub kind: FindingKind,
    /// The access it is about, if it is about one.
    pub access: Option<AccessInfo>,
    /// The thread it happened in.
    pub thread: ThreadName,
    /// Where that thread was, innermost call first.
    pub stack: Vec<StackEntry>,
    /// The object it is about, if it is about one.
    pub object: Option<Object>,
    /// For a use of an undefined value: the read of memory that it came from, if it came from one.
    pub undefined_read: Option<UndefinedSource>,
    /// For a deadlock or a loop that waits for ever: every thread that waits, and where.
    pub waiting: Vec<ThreadPosition>,
    /// For a deadlock: the threads that may go on all the same.
    pub others: Vec<ThreadName>,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// An access through the null pointer, or close to it.
    Null,
    /// An access through a number that was not made from a pointer.
    Wild {
        /// The number.
        address: u64,
    },
    /// An access outside the object.
    OutOfBounds,
    /// An access outside an array that is a part of its object.
    IndexOutOfBounds {
        /// How many elements the array has.
        length: u64,
    },
    /// An access to a freed block.
    UseAfterFree,
    /// An access to a stack object of a call that has returned.
    UseAfterReturn,
    /// An access to a thread-local object of a thread that has ended.
    UseAfterThread,
    /// A write to an object that may not be written.
    WriteToConstant,
    /// A function was read or written as if it were data.
    FunctionAsData,
    /// An access at an address that is not a multiple of what its type asks for.
    Misaligned {
        /// The address.
        address: u64,
        /// What it asks for.
        multiple: u64,
    },
    /// An atomic access at an address that is not a multiple of its size.
    MisalignedAtomic {
        /// The address.
        address: u64,
    },
    /// A block was freed that had been freed.
    DoubleFree,
    /// Something was freed that is not a heap block.
    FreeOfNonHeap,
    /// A pointer into a block was freed, not to its start.
    FreeInsideBlock,
    /// A call through the null pointer.
    CallOfNull,
    /// A call of something that is not a function.
    CallOfNonFunction,
    /// A function was called with other arguments than it takes.
    BadCall(String),
    /// The call stack grew past its bound.
    StackOverflow,
    /// An undefined value was used: as what.
    UndefinedUse(Cow<'static, str>),
    /// An assertion does not hold.
    AssertionFailed(String),
    /// A rule of the language or of a library is broken, whose text says what should hold: what
    /// happens then is not defined.
    Misuse(String),
    /// A limit of the embedded library is exceeded, whose text names it: nothing is wrong with the
    /// program, and nothing is known about executions past it.
    NotSupported(String),
    /// A trap was reached: `abort()` and the like.
    Trap(String),
    /// Division by zero, or a quotient that does not fit.
    Division(DivisionError),
    /// Signed overflow in this operation.
    Overflow(Cow<'static, str>),
    /// An atomic section ended that had not begun, or a thread ended inside one.
    UnbalancedAtomicSection,
    /// What is to be printed is longer than the stepper prints.
    TooLongToPrint,
    /// A handle that is not a thread's, or of a thread that was joined before.
    BadJoin,
    /// All threads wait.
    Deadlock,
    /// A loop waits for ever for something that does not come.
    Livelock,
    /// A block is left at the end that nothing points to.
    Leak,
    /// A lock is held although all operations have ended.
    LockHeld,
}

impl FindingKind {
    /// Whether it is about an object whose lifetime had ended before.
    pub fn is_of_dead(&self) -> bool {
        self.is_use_after_end() || *self == FindingKind::DoubleFree
    }

    /// Whether it is an access to an object whose lifetime had ended before.
    pub fn is_use_after_end(&self) -> bool {
        use FindingKind::{UseAfterFree, UseAfterReturn, UseAfterThread};
        matches!(self, UseAfterFree | UseAfterReturn | UseAfterThread)
    }

    /// What sort of thing is wrong, whatever the details.
    pub fn class(&self) -> FindingClass {
        use FindingClass as Class;
        match self {
            FindingKind::Null => Class::Null,
            FindingKind::Wild { .. } => Class::Wild,
            FindingKind::OutOfBounds => Class::OutOfBounds,
            FindingKind::IndexOutOfBounds { .. } => Class::IndexOutOfBounds,
            FindingKind::UseAfterFree => Class::UseAfterFree,
            FindingKind::UseAfterReturn => Class::UseAfterReturn,
            FindingKind::UseAfterThread => Class::UseAfterThread,
            FindingKind::WriteToConstant => Class::WriteToConstant,
            FindingKind::FunctionAsData => Class::FunctionAsData,
            FindingKind::Misaligned { .. } => Class::Misaligned,
            FindingKind::MisalignedAtomic { .. } => Class::MisalignedAtomic,
            FindingKind::DoubleFree => Class::DoubleFree,
            FindingKind::FreeOfNonHeap | FindingKind::FreeInsideBlock => Class::InvalidFree,
            FindingKind::CallOfNull | FindingKind::CallOfNonFunction => Class::InvalidCall,
            FindingKind::BadCall(_) => Class::WrongFunctionType,
            FindingKind::StackOverflow => Class::StackOverflow,
            FindingKind::UndefinedUse(_) => Class::Undefined,
            FindingKind::AssertionFailed(_) => Class::Assertion,
            FindingKind::Misuse(_) => Class::Misuse,
            FindingKind::NotSupported(_) => Class::NotSupported,
            FindingKind::Trap(_) => Class::Trap,
            FindingKind::Division(_) => Class::Division,
            FindingKind::Overflow(_) => Class::Overflow,
            FindingKind::UnbalancedAtomicSection => Class::UnbalancedSection,
            FindingKind::TooLongToPrint => Class::TooLongToPrint,
            FindingKind::BadJoin => Class::InvalidJoin,
            FindingKind::Deadlock => Class::Deadlock,
            FindingKind::Livelock => Class::Livelock,
            FindingKind::Leak => Class::Leak,
            FindingKind::LockHeld => Class::LockHeld,
        }
    }

    /// The name of the class: for data files and for other programs.
    pub fn name(&self) -> &'static str {
        self.class().name()
    }
}

macro_rules! classes {
    ($($variant:ident = $name:literal,)*) => {
        /// A class of findings: what a verdict and its replay must agree about.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum FindingClass {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl FindingClass {
            /// All of them.
            pub const ALL: &[FindingClass] = &[$(FindingClass::$variant),*];

            /// A short name that does not change: for data files and for other programs.
            pub fn name(self) -> &'static str {
                match self {
                    $(FindingClass::$variant => $name,)*
                }
            }
        }
    };
}

classes! {
    Null = "null",
    Wild = "wild",
    OutOfBounds = "out-of-bounds",
    IndexOutOfBounds = "index-out-of-bounds",
    UseAfterFree = "use-after-free",
    UseAfterReturn = "use-after-return",
    UseAfterThread = "use-after-thread",
    WriteToConstant = "write-to-constant",
    FunctionAsData = "function-as-data",
    Misaligned = "misaligned",
    MisalignedAtomic = "misaligned-atomic",
    DoubleFree = "double-free",
    InvalidFree = "invalid-free",
    InvalidCall = "invalid-call",
    WrongFunctionType = "wrong-function-type",
    StackOverflow = "stack-overflow",
    Undefined = "undefined",
    Assertion = "assertion",
    Misuse = "misuse",
    NotSupported = "not-supported",
    Trap = "trap",
    Division = "division",
    Overflow = "overflow",
    UnbalancedSection = "unbalanced-section",
    TooLongToPrint = "too-long-to-print",
    InvalidJoin = "invalid-join",
    Deadlock = "deadlock",
    Livelock = "livelock",
    Leak = "leak",
    LockHeld = "lock-held",
}

impl FindingClass {
    /// The class of this name.
    pub fn named(name: &str) -> Option<FindingClass> {
        Self::ALL.iter().copied().find(|class| class.name() == name)
    }
}

impl std::fmt::Display for FindingClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a quotient does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DivisionError {
    /// The divisor is zero.
    ByZero,
    /// The least signed number divided by minus one.
    Overflow,
    /// The divisor has undefined bits, so it may be zero.
    Undefined,
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Reads and writes in one step.
    Update,
    /// Frees.
    Free,
    /// Asks for the size of a block, to resize it.
    Resize,
    /// Calls.
    Call,
}

/// An access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessInfo {
    /// What it does.
    pub verb: Verb,
    /// How many bytes.
    pub size: u64,
    /// What the source calls the place: `q->tail->next`.
    pub path: Option<String>,
}

/// A read that gave undefined bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndefinedSource {
    /// Where the thread was, innermost call first.
    pub stack: Vec<StackEntry>,
    /// The access.
    pub access: AccessInfo,
}

/// A thread, for people: its number and the function it started with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadName {
    /// The number.
    pub id: ThreadId,
    /// The function.
    pub function: String,
}

/// One line of a call stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackEntry {
    /// The function.
    pub function: String,
    /// The place in it, if it is known.
    pub location: Option<Location>,
}

/// Where a thread is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadPosition {
    /// The thread.
    pub thread: ThreadName,
    /// Where it is, innermost call first.
    pub stack: Vec<StackEntry>,
    /// The thread that it waits for, if it waits for the end of one.
    pub joins: Option<ThreadName>,
    /// Whether it is in a loop.
    pub loops: bool,
    /// If so: what every iteration reads of what other threads may write, as `flag = 0`.
    pub reads: Vec<String>,
    /// The lock that it waits for, if it waits for one.
    pub lock: Option<WantedLock>,
}

/// A lock that a thread waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedLock {
    /// What it is called: `queue.lock`.
    pub name: String,
    /// The threads that hold it, and where each took it, innermost call first.
    pub holders: Vec<(ThreadName, Vec<StackEntry>)>,
}

/// An object, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// What sort of object.
    pub kind: ObjectKind,
    /// Its name in the source; empty where it has none.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Where in the object the access begins, from its start.
    pub offset: i64,
    /// The member or element there: `.next`, `[3].key`; empty where nothing is known.
    pub member: String,
    /// Where it is declared or was allocated, innermost call first.
    pub origin: Vec<StackEntry>,
    /// For a freed block: the thread and the place of the free, innermost call first.
    pub freed: Option<(ThreadName, Vec<StackEntry>)>,
}

/// What sort of object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A global variable.
    Global,
    /// A constant or string literal.
    Constant,
    /// A thread-local variable of a thread.
    ThreadLocal(ThreadName),
    /// A local variable or temporary of a call of this function.
    Local(String),
    /// A heap block.
    Heap,
    /// A function.
    Function,
    /// An argument of `main`.
    Argument,
}

#[cfg(test)]
mod tests {
    use super::FindingClass;

    #[test]
    fn every_class_is_known_by_its_name() {
        for &class in FindingClass::ALL {
            assert_eq!(FindingClass::named(class.name()), Some(class));
        }
        assert_eq!(FindingClass::named("no-such-finding"), None);
    }
}
