//! A witness: every decision of one execution of a program, so that the stepper can run it again.
//!
//! The engine that finds an execution (a solver, the oracle) writes this; `replay` re-executes it
//! and trusts nothing in it. The program itself is not part of it, and neither is anything that
//! follows from running the program with these decisions.
//!
//! # How to read one
//!
//! `main` up to its first spawn is the *prefix*: it runs alone, its reads see its own last writes,
//! and the memory that it leaves is what the initial writes hold. In the prefix only
//! [`choices`](ThreadWitness::choices), [`spurious`](ThreadWitness::spurious) failures and
//! [`allocations`](ThreadWitness::allocations) are asked for. Everything later is the concurrent
//! part, in which every access of an object that is not [`private`](Object::private) is an event
//! and every read of one asks for its value.
//!
//! *Writes* of a thread are counted from zero, in program order, in the concurrent part only, and
//! only for objects that are not private. One each: a store, a store-exclusive that succeeds, a
//! read-modify-write, a compare-and-swap that succeeds, every word of a multi-word one that
//! succeeds (in the order of the words), a `free` (although it writes every cell of the block
//! that the execution touches), an allocation (likewise; a machine writes nothing where no zeros
//! are asked for and the block is new, but it counts all the same), each new start of a stack
//! object's lifetime but the first, and the end of each object that [`ends`](Object::ends): the
//! stack objects of a call in their order, those of outer calls first, then the thread-local ones
//! in the order of [`Witness::objects`].
//!
//! *Accesses* are counted the same way for [`End::Cut`]: one each for a load, a store, a
//! store-exclusive that succeeds, a read-modify-write, a compare-and-swap, a multi-word
//! compare-and-swap, a `free` and an end, of objects that are not private. A compare-and-swap counts
//! whether it succeeds or not; fences do not count.
//!
//! # Executions that do not end
//!
//! An infinite execution is given as a prefix and a repeated part
//! ([`End::Repeats`]). It is fair if every thread that can go on at some moment of what is repeated
//! does so in it.
//!
//! # Executions that are not complete
//!
//! If something is wrong in one thread, the others may have stopped: before any access that is not
//! inside an atomic section, where an assumption fails (or, if it is in an atomic section, before
//! that section), or where they wait for a thread that does not terminate. What a thread does by
//! itself after its last access is irrelevant.

use serde::{Deserialize, Serialize};

/// One execution.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Witness {
    /// Every object whose address is observable or that is not private, in any order. An
    /// object that is not listed is private, and its address is irrelevant.
    pub objects: Vec<Object>,
    /// The threads, by their numbers, which their handles are made of; the first is `main`. Those
    /// that were not started are [`ThreadWitness::NEVER`].
    pub threads: Vec<ThreadWitness>,
    /// The coherence order of every location that the concurrent part writes.
    pub co: Vec<Coherence>,
    /// The plain accesses that are split: this is an execution of the program that results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<Split>,
}

/// Plain accesses that are split into narrower ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Split {
    /// The number of their place in the program.
    pub place: u32,
    /// How many bytes they have there.
    pub bytes: u8,
    /// How many each part has.
    pub into: u8,
}

impl Witness {
    /// How many accesses the execution makes, about.
    pub fn accesses(&self) -> usize {
        let reads: usize = self.threads.iter().map(|thread| thread.reads.len()).sum();
        let writes: usize = self.co.iter().map(|co| co.writes.len()).sum();
        reads + writes
    }

    /// For each thread, its place among those that were started, in an order that no schedule
    /// changes: a thread comes after the one that started it, and after what that one had started
    /// before, with all of their threads. `None` if it was not started.
    pub fn ranks(&self) -> Vec<Option<usize>> {
        let path = |mut number: usize| {
            let mut path = Vec::new();
            while let Some(Parent { thread, spawn }) = self.threads.get(number)?.parent {
                // A file may say that threads started each other.
                if path.len() == self.threads.len() {
                    return None;
                }
                path.push(spawn);
                number = thread as usize;
            }
            path.reverse();
            (number == 0).then_some(path)
        };
        let paths: Vec<Option<Vec<u32>>> = (0..self.threads.len()).map(path).collect();
        let earlier = |own: &Vec<u32>| paths.iter().flatten().filter(|other| *other < own).count();
        paths.iter().map(|path| path.as_ref().map(earlier)).collect()
    }
}

/// An object and the address that it has in this execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Object {
    /// Which one.
    pub kind: ObjectKind,
    /// Its address. Objects do not overlap, and none is at zero.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Whether accesses of it in the concurrent part are not events, because only one thread makes
    /// any, because all are reads, or because those of different threads have an order: by threads
    /// that are started and awaited. Values pass through a private object as through registers,
    /// inside of a thread their dependencies with them.
    pub private: bool,
    /// Whether the end of its life is a write, as a `free` is: the return of the call that a stack
    /// object belongs to, or the end of the thread of a thread-local one. Only of objects that are
    /// not private; that the objects of `main` end when it returns is never a write.
    #[serde(default)]
    pub ends: bool,
}

/// What sort of object, and which one.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ObjectKind {
    /// A global or constant of this name.
    Global {
        /// Its name in the program.
        name: String,
    },
    /// A thread's copy of a thread-local.
    ThreadLocal {
        /// Its name in the program.
        name: String,
        /// The thread.
        thread: u32,
    },
    /// A function.
    Function {
        /// Its name in the program.
        name: String,
    },
    /// A stack object of a call.
    Slot {
        /// The thread.
        thread: u32,
        /// The function that was called.
        function: String,
        /// The slot's number in the function.
        slot: u32,
        /// Which call of this function by this thread, from zero; `main` and the first functions
        /// of threads are calls too.
        call: u32,
    },
    /// A heap block.
    Heap {
        /// The thread that allocated it (first).
        thread: u32,
        /// Which executed allocation of this thread that was, from zero, the prefix included.
        number: u32,
    },
}

/// The decisions of one thread.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ThreadWitness {
    /// Who started it; `None` for `main`.
    pub parent: Option<Parent>,
    /// What its reads of objects that are not private returned, in the order of execution. A
    /// multi-word compare-and-swap reads its words in order.
    pub reads: Vec<Read>,
    /// Where reads saw several writes, in different bytes: what a read saw from a byte on, up to
    /// the next byte that is listed for the read. Of a read that is not listed here, all bytes are
    /// from [`Read::from`]; of one that is, its first bytes are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartRead>,
    /// For each store-exclusive that could succeed (the exclusive load before it read the same
    /// location), whether it did.
    pub exclusives: Vec<bool>,
    /// For each weak compare-and-swap that found what it expected, whether it failed all the same;
    /// the prefix included.
    pub spurious: Vec<bool>,
    /// What its choices gave, in order; the prefix included.
    pub choices: Vec<Bits>,
    /// The address that each of its allocations gave, in order, zero for none; the prefix
    /// included.
    pub allocations: Vec<u64>,
    /// How far it came.
    pub end: End,
}

impl ThreadWitness {
    /// A thread that this execution does not start.
    pub const NEVER: ThreadWitness = ThreadWitness {
        parent: None,
        reads: Vec::new(),
        parts: Vec::new(),
        exclusives: Vec::new(),
        spurious: Vec::new(),
        choices: Vec::new(),
        allocations: Vec::new(),
        end: End::Cut { accesses: 0 },
    };
}

/// The spawn that started a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Parent {
    /// The thread that spawned.
    pub thread: u32,
    /// Which of its spawns, from zero.
    pub spawn: u32,
}

/// A read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Read {
    /// What it returned.
    pub value: Bits,
    /// The write it read from; `None` for the initial one.
    pub from: Option<WriteRef>,
}

/// The later bytes of a read that did not see one write only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PartRead {
    /// Which of the thread's reads, from zero.
    pub read: u32,
    /// The first of these bytes, counted from the address of the read.
    pub byte: u32,
    /// The write that they are from; `None` for the initial ones.
    pub from: Option<WriteRef>,
}

/// A value; its width is that of the access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Bits {
    /// The bits; undefined ones are zero.
    pub bits: u128,
    /// A one for every undefined bit.
    pub undef: u128,
    /// The base address of the object that the value (its lower 64 bits) may access, if it comes
    /// from a pointer. In a read this is a hint only: the replay takes it from the write.
    pub object: Option<u64>,
    /// The same for the upper 64 bits of a 128-bit value.
    pub high: Option<u64>,
}

impl Bits {
    /// What a read of a freed block, or of another object that is gone, returns: no value, and thus
    /// a finding.
    pub const FREED: Bits = Bits { bits: 0, undef: u128::MAX, object: None, high: Some(u64::MAX) };

    /// A number.
    pub const fn number(bits: u128) -> Bits {
        Bits { bits, undef: 0, object: None, high: None }
    }
}

/// A write by its thread and number; the location is known from where the reference stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct WriteRef {
    /// The thread.
    pub thread: u32,
    /// Which of its writes, from zero.
    pub index: u32,
}

/// The coherence order of one location. Where accesses of several sizes overlap, a location is a
/// part of memory that each access has all of or nothing of; a write to several of them is in the
/// orders of all.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Coherence {
    /// Its address.
    pub address: u64,
    /// Its size in bytes.
    pub bytes: u32,
    /// All writes but the initial one, which comes first.
    pub writes: Vec<WriteRef>,
}

/// How far a thread came.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum End {
    /// To its end.
    #[default]
    Completed,
    /// Its last step is an error that the thread itself detects: an assertion, an
    /// undefined value, a bad address, a read of [`Bits::FREED`] …
    Finding,
    /// It made this many accesses and not the next, because another thread has a finding, or
    /// because the last access is one that only the coherence order shows to be wrong: a write to
    /// an object after its end, or a second `free`.
    Cut {
        /// The number of accesses.
        accesses: u32,
    },
    /// It waits: for the end of a thread that does not end, or before an atomic section whose
    /// assumption fails for what the memory holds in the end.
    Waits,
    /// It loops for ever without changing anything, and reads the final contents of memory;
    /// what these iterations read is not recorded.
    Spins,
    /// What it did after this number of accesses, up to its last one, it does again and again. All threads
    /// that repeat something do so together: when they have done it once, they and memory are as they
    /// were before, and every store has taken place. All other threads have ended, or wait.
    Repeats {
        /// How many accesses it made before.
        since: u32,
        /// How many it has made when it starts again.
        until: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_ranked_by_who_started_them() {
        let by = |thread, spawn| Some(Parent { thread, spawn });
        let thread = |parent| ThreadWitness { parent, ..ThreadWitness::default() };
        let started = [None, by(0, 0), by(0, 1), by(1, 0)].map(thread);
        let threads = started.into_iter().chain([ThreadWitness::NEVER]).collect();
        let witness = Witness { threads, ..Witness::default() };
        assert_eq!(witness.ranks(), [Some(0), Some(1), Some(3), Some(2), None]);
        let circle = [None, by(2, 0), by(1, 0)].map(thread).to_vec();
        assert_eq!(
            Witness { threads: circle, ..Witness::default() }.ranks(),
            [Some(0), None, None]
        );
    }

    #[test]
    fn a_witness_survives_being_written_and_read() {
        let value = Bits { bits: u128::MAX, undef: 1 << 127, object: Some(64), high: None };
        let from = Some(WriteRef { thread: 1, index: 2 });
        let thread = ThreadWitness {
            parent: Some(Parent { thread: 0, spawn: 1 }),
            reads: vec![Read { value, from }],
            parts: vec![PartRead { read: 0, byte: 4, from: None }],
            end: End::Cut { accesses: 3 },
            ..ThreadWitness::default()
        };
        let kind = ObjectKind::Heap { thread: 0, number: 1 };
        let witness = Witness {
            objects: vec![Object { kind, base: 64, size: 16, private: false, ends: false }],
            threads: vec![thread],
            co: vec![Coherence { address: 64, bytes: 8, writes: from.into_iter().collect() }],
            splits: vec![Split { place: 3, bytes: 8, into: 4 }],
        };
        let text = serde_json::to_string(&witness).unwrap();
        assert_eq!(serde_json::from_str::<Witness>(&text).unwrap(), witness);
    }
}
