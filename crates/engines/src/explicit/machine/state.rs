//! States of a program: what each thread is about to do, and what they share.
//!
//! Both halves are kept once each and numbered, as in G. J. Holzmann, "State compression in SPIN"
//! (1997): a state is a short list of numbers, and what a thread does next has to be computed only
//! once for each thread and memory.

use crate::explicit::machine::layout::MadeId;
use crate::explicit::machine::weak::Weak;
use execution::event::ThreadId;
use execution::finding::FindingKind;
use execution::ids::{Id, IdVec};
use ir::locks::LockWord;
use ir::program::{FuncId, GlobalId, LocId, SlotId, Width};
use ir::step::sc::contents::Contents;
use ir::step::thread::{Ending, Thread};
use ir::value::{RegionId, Value};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// A hash function for what we make ourselves.
pub(crate) type Quick = rustc_hash::FxBuildHasher;

/// A part of a state that is shared by many, with its hash.
#[derive(Clone, Debug)]
pub(crate) struct Part<T>(Arc<Hashed<T>>);

#[derive(Debug)]
struct Hashed<T> {
    value: T,
    /// Computed when somebody asks, since most parts change several times before.
    hash: OnceLock<u64>,
}

impl<T: Clone> Clone for Hashed<T> {
    /// A copy is made to be changed.
    fn clone(&self) -> Self {
        Self { value: self.value.clone(), hash: OnceLock::new() }
    }
}

impl<T: Hash + Eq + Clone> Part<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Arc::new(Hashed { value, hash: OnceLock::new() }))
    }

    pub(crate) fn get(&self) -> &T {
        &self.0.value
    }

    /// Changes the part of this state alone.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut T)) {
        let own = Arc::make_mut(&mut self.0);
        own.hash.take();
        change(&mut own.value);
    }
}

impl<T: Hash> Part<T> {
    fn number(&self) -> u64 {
        *self.0.hash.get_or_init(|| Quick::default().hash_one(&self.0.value))
    }
}

impl<T: Hash + Eq> PartialEq for Part<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || self.number() == other.number() && self.0.value == other.0.value
    }
}

impl<T: Hash + Eq> Eq for Part<T> {}

impl<T: Hash> Hash for Part<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.number());
    }
}

/// What all threads share.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Shared {
    /// The contents of globals; nothing for constants and thread-locals.
    pub globals: IdVec<GlobalId, Part<Contents>>,
    /// The objects that each thread has made.
    pub made: IdVec<ThreadId, Vec<Part<Made>>>,
    /// How each thread ended, and whether its end was awaited.
    pub endings: IdVec<ThreadId, (Option<Ending>, bool)>,
    /// The threads that were detached.
    pub detached: Threads,
    /// The stores of each thread that nobody else has seen yet, oldest first.
    pub buffers: IdVec<ThreadId, Vec<Pending>>,
    /// Which threads are alike, and which of them were awaited.
    pub alike: Alike,
    /// What threads have seen of each other's writes, on a machine with views.
    pub weak: Weak,
}

/// Some threads, a bit for each.
pub(crate) type Threads = u128;

/// One thread among some.
pub(crate) fn bit(thread: ThreadId) -> Threads {
    1 << thread.index()
}

/// The first threads, so many.
pub(crate) fn first_threads(count: usize) -> impl DoubleEndedIterator<Item = ThreadId> {
    (0..count).map(ThreadId::new)
}

/// The threads that are among some.
pub(crate) fn members(threads: Threads) -> impl Iterator<Item = ThreadId> {
    first_threads(Threads::BITS as usize).filter(move |&thread| threads & bit(thread) != 0)
}

/// Which threads are alike.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Alike {
    /// For each thread, the first that is like it.
    pub first: IdVec<ThreadId, u8>,
    /// The handles that were awaited, of those that stand for like threads.
    pub awaited: Threads,
    /// Threads that are not the one that is being awaited, though they have ended.
    pub passed: Threads,
}

impl Alike {
    /// Whether a thread is like another one.
    pub(crate) fn has_others(&self, thread: ThreadId) -> bool {
        self.like(thread).nth(1).is_some()
    }

    /// Whether a thread is the first of those that are like it.
    pub(crate) fn is_first(&self, thread: ThreadId) -> bool {
        self.first[thread] as usize == thread.index()
    }

    /// The threads that are like one, itself among them.
    pub(crate) fn like(&self, thread: ThreadId) -> impl Iterator<Item = ThreadId> + '_ {
        let first = self.first[thread];
        self.first.ids().filter(move |&other| self.first[other] == first)
    }
}

impl Shared {
    /// Adds a thread; gives its number.
    pub(crate) fn add_thread(&mut self) -> ThreadId {
        self.made.push(Vec::new());
        self.buffers.push(Vec::new());
        self.weak.add_thread();
        self.alike.first.push(self.alike.first.len() as u8);
        self.endings.push((None, false))
    }

    /// Whether the program is over: `main` has returned (and not only ended its own thread), or
    /// a thread has called `exit`.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.endings[ThreadId::MAIN].0, Some(Ending::Returned(_)))
            || self.is_over_by_design()
    }

    /// Whether no thread has to terminate that has not: a thread has called `exit`, or `main` has
    /// returned and the others were detached.
    pub(crate) fn is_over_by_design(&self) -> bool {
        let exits = |ending: &(Option<Ending>, bool)| matches!(ending.0, Some(Ending::Exit(_)));
        let mut others = self.endings.enumerate();
        self.endings.iter().any(exits)
            || matches!(self.endings[ThreadId::MAIN].0, Some(Ending::Returned(_)))
                && others
                    .all(|(thread, ending)| ending.0.is_some() || self.detached & bit(thread) != 0)
    }

    /// Whether a thread has ended the whole program: it is `main` and has returned, or it has called
    /// `exit`.
    pub(crate) fn has_ended_the_program(&self, thread: ThreadId) -> bool {
        match self.endings.get(thread).and_then(|ending| ending.0) {
            Some(Ending::Exit(_)) => true,
            Some(Ending::Returned(_)) => thread == ThreadId::MAIN,
            _ => false,
        }
    }

    /// The threads that have not ended.
    pub(crate) fn running(&self) -> Threads {
        let running = self.endings.enumerate().filter(|(_, ending)| ending.0.is_none());
        running.fold(0, |bits, (thread, _)| bits | bit(thread))
    }

    /// An object that a thread has made.
    pub(crate) fn object(&self, MadeId { thread, number }: MadeId) -> &Made {
        self.made[thread][number].get()
    }

    /// The same, to be changed.
    pub(crate) fn object_mut(&mut self, MadeId { thread, number }: MadeId) -> &mut Part<Made> {
        &mut self.made[thread][number]
    }

    /// How many objects threads have made.
    pub(crate) fn objects(&self) -> usize {
        self.made.iter().map(Vec::len).sum()
    }

    /// How many stores are in the longest buffer, or how many writes of a cell can be read.
    pub(crate) fn pending(&self) -> usize {
        let longest = self.buffers.iter().map(Vec::len).max().unwrap_or(0);
        longest.max(self.weak.longest())
    }

    /// Whether there is only one thread, and never was another.
    pub(crate) fn is_alone(&self) -> bool {
        self.endings.len() == 1
    }
}

/// The word of a lock in an object: its offset and width, and what it says.
pub(crate) type Lock = (u64, Width, LockWord);

/// An object that a thread made.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Made {
    pub base: u64,
    pub size: u64,
    pub kind: Kind,
    pub life: Life,
    /// What is in it; nothing once it is dead.
    pub contents: Contents,
    /// Whether the lifetime of a stack object has started.
    pub entered: bool,
    /// Whether others than the call that made a stack object may know where it is.
    pub exposed: bool,
    /// The words of locks that were used in it.
    pub locks: Vec<Lock>,
}

impl Made {
    /// The words of its locks that are held.
    pub(crate) fn held(&self) -> impl Iterator<Item = Lock> + '_ {
        let locks = self.locks.iter().copied();
        locks.filter(|&lock| self.life == Life::Over || is_held(&self.contents, lock))
    }

    /// Its lifetime is over. What stays are the locks that nobody can give back any more.
    pub(crate) fn end(&mut self) {
        match self.kind {
            Kind::Heap(..) => self.life = Life::Freed,
            _ => {
                self.locks = self.held().collect();
                self.life = Life::Over;
            }
        }
        self.contents = Contents::default();
    }
}

/// Whether a lock is held.
pub(crate) fn is_held(contents: &Contents, (offset, width, _): Lock) -> bool {
    contents.read(offset as usize, width).bits != 0
}

/// Sorts of objects; those that threads make are told apart by their threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    Global(GlobalId),
    Local(GlobalId, ThreadId),
    Slot(FuncId, SlotId, ThreadId),
    /// A heap block, by where it was allocated.
    Heap(Option<LocId>, ThreadId),
}

impl Kind {
    /// The thread that made an object, if it is gone with a call or with the thread.
    pub(crate) fn owner(self) -> Option<ThreadId> {
        match self {
            Kind::Local(_, thread) | Kind::Slot(_, _, thread) => Some(thread),
            Kind::Global(_) | Kind::Heap(..) => None,
        }
    }

    /// What is wrong with an access to such an object that is gone.
    pub(crate) fn used_after_end(self) -> FindingKind {
        match self {
            Kind::Slot(..) => FindingKind::UseAfterReturn,
            Kind::Local(..) => FindingKind::UseAfterThread,
            Kind::Global(_) | Kind::Heap(..) => FindingKind::UseAfterFree,
        }
    }
}

/// Whether an object exists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Life {
    Alive,
    Freed,
    /// A stack object whose call has returned, or a thread-local whose thread has ended.
    Over,
}

/// A store, or the end of an object, that nobody else has seen yet.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Pending {
    pub region: RegionId,
    pub offset: u32,
    /// Nothing where the object comes to its end.
    pub value: Option<Value>,
}

/// A thread.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    /// Nothing if it has ended, or if an assumption failed.
    pub thread: Option<Thread<()>>,
    /// Which thread.
    pub index: ThreadId,
    /// How it was started: which start of the thread that did it, after how that one was.
    pub path: Arc<[u32]>,
    /// How many threads it has started.
    pub starts: u32,
    /// Whether an assumption failed.
    pub discarded: bool,
    /// What was observed.
    pub observed: Vec<(String, Value)>,
}

impl Local {
    /// A thread that is about to start.
    pub(crate) fn started(index: ThreadId, thread: Thread<()>, path: Arc<[u32]>) -> Self {
        let (starts, discarded, observed) = (0, false, Vec::new());
        Self { thread: Some(thread), index, path, starts, discarded, observed }
    }
}

impl PartialEq for Local {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.thread, &other.thread) {
            (Some(a), Some(b)) => a.is_where(b),
            (None, None) => true,
            _ => false,
        };
        same && self.index == other.index
            && self.path == other.path
            && self.starts == other.starts
            && self.discarded == other.discarded
            && self.observed == other.observed
    }
}

impl Eq for Local {}

impl Hash for Local {
    fn hash<H: Hasher>(&self, state: &mut H) {
        if let Some(thread) = &self.thread {
            thread.hash_where(state);
        }
        (self.index, self.discarded, self.observed.len()).hash(state);
    }
}

impl Local {
    /// About how many bytes its stack needs.
    pub(crate) fn bytes(&self) -> usize {
        self.thread.as_ref().map_or(0, Thread::bytes)
    }

    /// The same under the number of a like thread, which was started in the same step.
    pub(crate) fn renumbered(&self, index: ThreadId) -> Self {
        let thread = self.thread.as_ref().map(|thread| thread.renumbered(index));
        let mut path = self.path.to_vec();
        if let Some(last) = path.last_mut() {
            *last = last.wrapping_add(index.index() as u32).wrapping_sub(self.index.index() as u32);
        }
        Self { thread, index, path: path.into(), ..self.clone() }
    }
}

/// Numbers for things that are kept once each.
#[derive(Debug)]
pub(crate) struct Numbered<T> {
    all: Vec<Arc<T>>,
    numbers: HashMap<Arc<T>, u32, Quick>,
}

impl<T: Hash + Eq> Numbered<T> {
    pub(crate) fn new() -> Self {
        Self { all: Vec::new(), numbers: HashMap::default() }
    }

    pub(crate) fn number(&mut self, value: T) -> u32 {
        match self.numbers.get(&value) {
            Some(&number) => number,
            None => self.add(Arc::new(value)),
        }
    }

    /// The number of what others may hold, too.
    pub(crate) fn number_of(&mut self, value: Arc<T>) -> u32 {
        match self.numbers.get(&value) {
            Some(&number) => number,
            None => self.add(value),
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    fn add(&mut self, value: Arc<T>) -> u32 {
        let number = self.all.len() as u32;
        self.all.push(value.clone());
        self.numbers.insert(value, number);
        number
    }

    pub(crate) fn get(&self, number: u32) -> &Arc<T> {
        &self.all[number as usize]
    }
}
