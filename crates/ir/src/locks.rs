//! What an access is for: plain data, or the word of a lock.
//!
//! A lock that a program writes by hand is memory like any other, and it cannot be known for sure
//! when it is held. The locks of the embedded headers are known: each has one word that is zero if
//! and only if the lock is free. The declaration of that word says so (`__fp_lock_word`), the front
//! end writes it into the accesses that the headers make ([`Access::purpose`]), and reductions and
//! reports rest on this fact alone, never on the names of members, functions or files.
//!
//! Soundness S-070 (check, verify; all; misses): A lock that is left held is reported only for
//! locks of the embedded headers (not for semaphores, nor for locks that a program makes itself),
//! and in `verify` not for one in a freed block, nor, where only one thread uses it once several
//! run, for readers-writer locks and locks on a stack, nor in programs that start no thread. Test:
//! corpus/verify/deadlock/kept_by_one.c,
//! crates/fencepost/tests/check.rs::a_lock_of_its_own_that_an_operation_keeps_is_a_deadlock_for_the_next,
//! crates/fencepost/tests/check.rs::a_lock_counts_where_nobody_can_reach_it_and_where_it_is_one_of_many,
//! crates/fencepost/tests/state_space/main.rs::one_of_many_locks_may_be_left_held.
//!
//! Soundness S-071 (check; all; cries wolf): A data type with an operation that acquires a lock for
//! a later one to release is right only in tests in which the later one runs. Test:
//! crates/fencepost/tests/check.rs::a_lock_that_is_left_held_is_a_finding.
//!
//! [`Access::purpose`]: crate::op::Access::purpose

use crate::value::Value;
use execution::event::ThreadId;
use execution::ids::Id;

/// What an access, or a member of a record, is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Purpose {
    /// Memory like any other.
    #[default]
    Data,
    /// The word of a lock, accessed by the library that the lock belongs to.
    LockWord(LockWord),
}

impl Purpose {
    /// Whether this is the word of a lock. It is zero if and only if the lock is free.
    pub fn is_lock_word(self) -> bool {
        matches!(self, Purpose::LockWord(_))
    }

    /// What the word says, if this is the word of a lock.
    pub fn lock_word(self) -> Option<LockWord> {
        match self {
            Purpose::Data => None,
            Purpose::LockWord(word) => Some(word),
        }
    }

    /// Whether this is the word of a lock that one thread holds at a time: it is then the number of
    /// that thread. It changes from 0 by read-modify-writes that find 0, and back by stores after
    /// reads, in the same call, that find the number of their own thread; and when it is
    /// initialised.
    pub fn is_mutex_word(self) -> bool {
        self == Purpose::LockWord(LockWord::Owner)
    }
}

/// What the word of a lock says while the lock is held.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LockWord {
    /// Which thread holds it.
    Owner,
    /// How many threads hold it, as a number that grows, in either direction, with each of them.
    Count,
}

impl LockWord {
    /// All of them.
    pub const ALL: [LockWord; 2] = [LockWord::Owner, LockWord::Count];

    /// The name in the text form, and in the attribute of the headers.
    pub fn name(self) -> &'static str {
        match self {
            LockWord::Owner => "owner",
            LockWord::Count => "count",
        }
    }

    /// The thread that holds a lock whose word has this value, if the word says which.
    pub fn owner(self, value: Value) -> Option<ThreadId> {
        match self {
            // Handles count from one; a program may have written anything else there.
            LockWord::Owner => {
                let handle = u32::try_from(value.bits).ok()?;
                handle.checked_sub(1).map(|index| ThreadId::new(index as usize))
            }
            LockWord::Count => None,
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<LockWord> {
        Self::ALL.into_iter().find(|word| word.name() == name)
    }
}

/// What a function makes of the words of locks that it reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LockView {
    /// It may do something else for each value.
    #[default]
    Exact,
    /// It does the same whether it sees that another thread holds the lock or that the lock is
    /// free, or it goes wrong, or it waits. It recognises its own thread at most.
    OwnHolderOnly,
}

/// Who holds a lock, as its word changes: several threads may, if they only read.
#[derive(Clone, Debug)]
pub struct Holders<T> {
    value: i128,
    list: Vec<(ThreadId, T)>,
}

impl<T> Default for Holders<T> {
    fn default() -> Self {
        Self { value: 0, list: Vec::new() }
    }
}

impl<T> Holders<T> {
    /// A thread writes the word. A number that grows, in either direction, takes the lock once more;
    /// one that shrinks gives it back.
    pub fn write(&mut self, thread: ThreadId, value: Value, taken: T) {
        let value = value.as_signed();
        let (before, now) = (self.value.unsigned_abs(), value.unsigned_abs());
        if now == 0 {
            self.list.clear();
        } else if now > before {
            self.list.push((thread, taken));
        } else if now < before {
            let own = self.list.iter().rposition(|(holder, _)| *holder == thread);
            // What one thread has taken another may give back.
            own.or(self.list.len().checked_sub(1)).map(|index| self.list.remove(index));
        }
        self.value = value;
    }

    /// The threads that hold it, each with what it said when it took it.
    pub fn list(&self) -> &[(ThreadId, T)] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Width;

    #[test]
    fn a_word_that_a_program_has_damaged_names_no_thread() {
        let owner = |bits: u128| LockWord::Owner.owner(Value::int(Width::I64, bits));
        assert_eq!(owner(0), None);
        assert_eq!(owner(2), Some(ThreadId::new(1)));
        assert_eq!(owner(u128::from(u64::MAX)), None);
        assert_eq!(LockWord::Count.owner(Value::int(Width::I64, 2)), None);
    }

    #[test]
    fn readers_hold_a_lock_together_and_a_writer_alone() {
        let mut holders = Holders::default();
        let mut after = |thread: usize, value: i128| {
            holders.write(ThreadId::new(thread), Value::signed(Width::I32, value), value);
            holders.list().iter().map(|(thread, _)| thread.index()).collect::<Vec<_>>()
        };
        assert_eq!(after(1, 1), [1]);
        assert_eq!(after(2, 2), [1, 2]);
        assert_eq!(after(1, 1), [2]);
        assert_eq!(after(2, 0), [0; 0]);
        assert_eq!(after(1, -1), [1]);
        assert_eq!(after(2, 0), [0; 0]);
    }
}
