//! Which memory is a lock for sure: the words of the locks of the embedded headers.
//!
//! A lock that somebody writes by hand is memory like any other, and nobody can tell for sure when
//! it is held. The locks of `<pthread.h>` (which are those of `<threads.h>`) and of
//! `<checkfence.h>` are known: each has one word that is zero if and only if the lock is free.

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
