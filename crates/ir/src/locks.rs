//! Which memory is a lock for sure: the words of the locks of the embedded headers.
//!
//! A lock that somebody writes by hand is memory like any other, and nobody can tell for sure when
//! it is held. The locks of `<pthread.h>` (which are those of `<threads.h>`) and of
//! `<checkfence.h>` are known: each has one word that is zero if and only if the lock is free.
//!
//! Soundness S-070 (check, verify; all; misses): A lock that is left held is reported only for
//! locks of the embedded headers (not for semaphores, nor for locks that a program makes itself),
//! and in `verify` not for one in a freed block or in an object that only one thread uses once
//! several run. Test:
//! crates/fencepost/tests/check.rs::a_lock_of_its_own_that_an_operation_keeps_is_a_deadlock_for_the_next,
//! crates/fencepost/tests/check.rs::a_lock_counts_where_nobody_can_reach_it_and_where_it_is_one_of_many,
//! crates/fencepost/tests/state_space/main.rs::one_of_many_locks_may_be_left_held.
//!
//! Soundness S-071 (check; all; cries wolf): A data type with an operation that acquires a lock for
//! a later one to release is right only in tests in which the later one runs. Test:
//! crates/fencepost/tests/check.rs::a_lock_that_is_left_held_is_a_finding.

use crate::value::Value;
use execution::event::ThreadId;

/// The headers, and what their code calls the words.
const WORDS: [(&str, &str); 4] = [
    ("<checkfence.h>", "*lock"),
    ("<pthread.h>", "mutex->__fp_owner"),
    ("<pthread.h>", "lock->__fp_owner"),
    ("<pthread.h>", "lock->__fp_state"),
];

/// Whether an access in this file, of a place that its source calls so, is one of the word of a
/// lock. The word is zero if and only if the lock is free.
pub fn is_lock_word(file: &str, path: &str) -> bool {
    WORDS.contains(&(file, path))
}

/// Whether such a word is that of a lock that one thread holds at a time: it is then the number of
/// that thread. It changes from 0 by read-modify-writes that find 0, and back by stores behind reads,
/// in the same call, that find the number of their own thread; and when it is initialised.
pub fn is_mutex_word(file: &str, path: &str) -> bool {
    file == "<pthread.h>" && matches!(path, "mutex->__fp_owner" | "lock->__fp_owner")
}

/// What a lock is called whose word has this name: `queue.lock` for `queue.lock.__fp_owner`.
pub fn lock_name(word: &str) -> &str {
    word.rfind(".__fp_").map_or(word, |end| &word[..end])
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
    use execution::ids::Id;

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

    #[test]
    fn a_lock_is_called_as_the_user_calls_it() {
        assert_eq!(lock_name("queue.lock.__fp_owner"), "queue.lock");
        assert_eq!(lock_name("l"), "l");
    }
}
