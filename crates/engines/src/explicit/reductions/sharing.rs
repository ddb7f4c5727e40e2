//! Which memory several threads touch, and which threads change any.
//!
//! Where only one thread goes, or where all only read, nobody can notice when an access takes
//! place, so it needs no turn of its own; an atomic section that touches nothing else needs none
//! either, so locks that only one thread takes cost nothing. And a thread that only reads what
//! others write cannot be noticed by them at all, so their behaviour can be looked at as if it ran
//! at one moment. Neither is known beforehand: both are assumed, and if the search finds otherwise
//! it starts again, knowing more. Up to the first access that breaks an assumption every execution
//! is equivalent to one that was looked at (private accesses commute with everything that other
//! threads do), so such an access is always found. (The idea of discovering conflicts while
//! exploring is that of C. Flanagan and P. Godefroid, "Dynamic partial-order reduction for model
//! checking software", POPL 2005.)
//!
//! In the same way a thread is assumed to read nothing that another one writes while there are
//! several. What such a thread does depends on nobody, and nobody can tell whether a store of its
//! still waits in a store buffer or whether the thread has not come to it yet: its steps commute
//! with everything that others do up to the moment at which its next store is seen. So its stores
//! need no buffer. Fences, updates, starting and awaiting threads take place when the buffer is
//! empty anyway, and what goes wrong with the thread goes wrong later, too.
//!
//! What a thread does before it starts another one, and after it has awaited it, is no access
//! beside those of that other one: its own order of steps separates them, whenever they take place.
//! So an array of which each thread gets an element, that `main` fills before and reads afterwards,
//! is not shared, and a thread that touches nothing else can run to its end before anybody else
//! goes on. Such a thread is noticed all the same: what it writes may depend on what it has read.
//!
//! When all other threads have been awaited, the last one goes on to its end, or to where it waits,
//! in one step. Not if it chooses something on its way, or does not seem to come to an end: then
//! its steps are told apart, because those of a loop decide whether it waits for something.
//!
//! Threads that are alike exchange their numbers ([`symmetry`](super::symmetry)), so what one of
//! them does, all of them do here. That they are alike is assumed, too, until one of them does what
//! tells it apart.
//!
//! Soundness S-132 (verify; sc, tso; misses): Steps that no other thread can notice are taken
//! together; an error in what is shared would lose executions. Test:
//! crates/fencepost/tests/state_space/main.rs::threads_can_be_looked_at_together_and_told_apart,
//! crates/xtask/tests/shortcuts.rs::shortcuts_change_nothing.

use crate::explicit::Machine;
use crate::explicit::machine::layout::Map;
use crate::explicit::machine::state::{Kind, Lock, Quick, Threads, bit, first_threads, members};
use crate::explicit::machine::weak::cells::Cells;
use crate::explicit::machine::weak::future::Learnt;
use crate::explicit::machine::weak::view::Cell;
use execution::event::ThreadId;
use execution::finding::Verb;
use execution::ids::Id;
use ir::program::{FuncId, GlobalId};
use ir::step::thread::Ending;
use std::collections::HashSet;

/// How many bytes belong together, unless somebody accesses fewer of an object: then each is told
/// apart there.
const GRAIN: u64 = 4;

/// After so many bytes of an object, those belong together that lie in one block of this size: an
/// array of a gigabyte must not have as many pieces as elements.
const FINE: u64 = 1 << 16;
const BLOCK: u64 = 1 << 16;

/// A piece of an object: by its number among the first ones, or by that of its block.
pub(crate) type Piece = (Kind, u32);

/// Who touches a piece.
#[derive(Clone, Copy, Debug)]
struct Touched {
    thread: ThreadId,
    several: bool,
    written: bool,
}

impl Touched {
    /// Notes an access; whether somebody may notice when it takes place.
    fn touch(&mut self, thread: ThreadId, write: bool) -> bool {
        self.several |= self.thread != thread;
        self.written |= write;
        self.is_shared()
    }

    fn is_shared(self) -> bool {
        self.several && self.written
    }
}

/// A thread that touches a piece.
#[derive(Clone, Copy, Debug)]
struct Toucher {
    thread: ThreadId,
    /// Whether it stands for several that are alike.
    several: bool,
    written: bool,
    /// The threads that it had started and not awaited at some touch; a bit for each.
    beside: Threads,
}

/// Which threads read and which write a piece, a bit for each.
#[derive(Clone, Copy, Default, Debug)]
struct Users {
    readers: Threads,
    writers: Threads,
}

impl Users {
    /// Threads that read what others write.
    fn influenced(self) -> Threads {
        match self.writers.count_ones() {
            0 => 0,
            1 => self.readers & !self.writers,
            _ => self.readers,
        }
    }
}

/// What is known about sharing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sharing {
    /// What several threads touch beside each other.
    shared: HashSet<Piece, Quick>,
    /// What several threads touch, though perhaps one after the other.
    passed: HashSet<Piece, Quick>,
    touched: Map<Piece, Vec<Toucher>>,
    /// Who started each thread; nobody if it is not always the same.
    parents: Map<ThreadId, Option<ThreadId>>,
    /// Threads that another one than who started them awaits, a bit for each.
    awaited: Threads,
    /// Objects whose bytes are told apart.
    fine: HashSet<Kind, Quick>,
    /// Who touches objects as wholes.
    objects: Map<Kind, Touched>,
    /// Objects that are taken for shared, whoever touches them.
    taken_for_shared: HashSet<Kind, Quick>,
    /// Heap blocks that were allocated with zeros in them while there were several threads.
    zeroed: HashSet<Kind, Quick>,
    /// Objects that came to their ends while others were there, and the threads that their own one
    /// had started and not awaited then; a bit for each.
    ended: Map<Kind, Threads>,
    /// The cells of shared memory, on a machine with views, and which are accessed where.
    pub cells: Cells,
    pub accesses: Learnt,
    /// Cells that have lists: there are atomic accesses of them, or races.
    listed: HashSet<Cell, Quick>,
    /// Whether some atomic access is not sequentially consistent, or there is a race.
    several_views: bool,
    /// Whether other threads than `main` start or await threads.
    nested: bool,
    /// Whether all threads are taken for noticed.
    all_noticed: bool,
    /// Threads that others may notice.
    noticed: HashSet<ThreadId>,
    users: Map<Piece, Users>,
    /// Threads that read what others write, a bit for each.
    influenced: Threads,
    /// How threads ended that nobody has noticed so far.
    endings: Map<ThreadId, Ending>,
    /// The words of locks in globals.
    locks: HashSet<(GlobalId, Lock), Quick>,
    /// What each thread runs, and which were started alike; a bit for each.
    started: Map<ThreadId, (FuncId, Threads)>,
    /// Functions whose threads are told apart.
    told_apart: HashSet<FuncId, Quick>,
    /// How threads ended that were started alike.
    results: Map<(FuncId, Threads), Ending>,
    /// Whether like threads are not told apart.
    symmetry: bool,
    /// The thread that is told apart because it is the one that is looked at.
    pub single: Option<ThreadId>,
    /// Whether there are store buffers, so that it matters who reads what others write.
    buffers: bool,
    /// How many threads there were at most.
    pub threads: usize,
    /// Whether the program computes numbers that tell where objects are.
    numbers: bool,
    /// Whether a thread that is the last one makes its steps one by one.
    one_by_one: bool,
    /// Whether something was learnt that the search has not known from its beginning.
    pub learnt: bool,
}

impl Sharing {
    /// Nothing is known yet.
    pub(crate) fn new(machine: Machine, symmetry: bool) -> Self {
        // What a thread sees on a machine with views depends on others in more ways.
        let all_noticed = machine.has_views();
        let buffers = machine.has_buffers();
        Self { buffers, symmetry, all_noticed, ..Self::default() }
    }

    /// Whether an access is to memory that several threads touch beside each other.
    pub(crate) fn is_shared(&self, kind: Kind, offset: u64, bytes: u64) -> bool {
        self.pieces(kind, offset, bytes).any(|piece| self.shared.contains(&piece))
    }

    /// Whether an access is to memory that several threads touch.
    pub(crate) fn is_passed(&self, kind: Kind, offset: u64, bytes: u64) -> bool {
        self.pieces(kind, offset, bytes).any(|piece| self.passed.contains(&piece))
    }

    /// The pieces of an object that an access touches.
    fn pieces(&self, kind: Kind, offset: u64, bytes: u64) -> impl Iterator<Item = Piece> + use<> {
        let grain = if self.fine.contains(&kind) { 1 } else { GRAIN };
        let end = offset.saturating_add(bytes.max(1));
        let first = offset / grain..end.min(FINE).div_ceil(grain);
        // The numbers of blocks follow those of bytes.
        let blocks = offset.max(FINE) / BLOCK..end.div_ceil(BLOCK);
        let blocks = if end > FINE { blocks } else { 0..0 };
        first.chain(blocks.map(|block| FINE + block)).map(move |piece| (kind, piece as u32))
    }

    /// From now on, the bytes of an object are told apart. What is known about several of them is
    /// known about each.
    fn tell_bytes_apart(&mut self, kind: Kind) {
        if !self.fine.insert(kind) {
            return;
        }
        for pieces in [&mut self.shared, &mut self.passed] {
            let known: Vec<Piece> = pieces.extract_if(|piece| piece.0 == kind).collect();
            pieces.extend(known.into_iter().flat_map(bytes_of));
        }
        let known: Vec<_> = self.touched.extract_if(|piece, _| piece.0 == kind).collect();
        for (piece, touchers) in known {
            self.touched.extend(bytes_of(piece).map(|byte| (byte, touchers.clone())));
        }
        let known: Vec<_> = self.users.extract_if(|piece, _| piece.0 == kind).collect();
        for (piece, users) in known {
            self.users.extend(bytes_of(piece).map(|byte| (byte, users)));
        }
    }

    /// A thread starts another one.
    pub(crate) fn starts(&mut self, thread: ThreadId, other: ThreadId) {
        let parent = self.parents.entry(other).or_insert(Some(thread));
        if *parent != Some(thread) {
            self.learnt |= parent.take().is_some();
        }
    }

    /// A thread awaits another one.
    pub(crate) fn awaits(&mut self, thread: ThreadId, other: ThreadId) {
        if self.parents.get(&other) != Some(&Some(thread)) {
            self.learnt |= self.awaited & bit(other) == 0;
            self.awaited |= bit(other);
        }
    }

    /// Whether one thread is started and awaited by another one, as far as is known.
    pub(crate) fn is_child(&self, other: ThreadId, thread: ThreadId) -> bool {
        self.awaited & bit(other) == 0 && self.parents.get(&other) == Some(&Some(thread))
    }

    /// Whether two threads touch a piece beside each other. One of several that are alike may be
    /// any of these.
    fn meet(&self, one: &Toucher, other: &Toucher) -> bool {
        let (first, second) = (self.like(one.thread), self.like(other.thread));
        if self.are_children(second, one.thread) {
            one.beside & second != 0
        } else if self.are_children(first, other.thread) {
            other.beside & first != 0
        } else {
            true
        }
    }

    fn are_children(&self, others: Threads, thread: ThreadId) -> bool {
        let mut others = members(others);
        others.all(|other| self.is_child(other, thread))
    }

    /// Notes an access that is made while there are several threads, of which the thread has started
    /// those `beside` it.
    pub(crate) fn touch(
        &mut self,
        (thread, beside): (ThreadId, Threads),
        (kind, offset, bytes): (Kind, u64, u64),
        verb: Verb,
    ) {
        if !offset.is_multiple_of(GRAIN) || !bytes.is_multiple_of(GRAIN) {
            self.tell_bytes_apart(kind);
        }
        let write = verb != Verb::Read;
        let several = self.like(thread).count_ones() > 1;
        let untouched = Touched { thread, several, written: false };
        // That its thread brings an object to its end is a store to all of it.
        let owner = kind.owner().zip(self.ended.get(&kind).copied());
        let object = self.objects.entry(kind).or_insert(untouched);
        let before = object.is_shared();
        object.several |= several;
        let mut now = object.touch(thread, write);
        if let Some((owner, _)) = owner {
            now = object.touch(owner, true);
        }
        self.learnt |= now != before;
        for piece in self.pieces(kind, offset, bytes) {
            self.uses(thread, piece, verb);
            if let Some((owner, _)) = owner {
                self.uses(owner, piece, Verb::Write);
            }
            if self.shared.contains(&piece) {
                continue;
            }
            self.touch_piece(Toucher { thread, several, written: write, beside }, piece);
            if let Some((owner, beside)) = owner {
                let end = Toucher { thread: owner, several: false, written: true, beside };
                self.touch_piece(end, piece);
            }
        }
        // What is accessed at once with something that is shared waits in the same buffers.
        if self.is_shared(kind, offset, bytes) {
            for piece in self.pieces(kind, offset, bytes) {
                self.learnt |= self.shared.insert(piece);
            }
        }
    }

    /// Notes that an object comes to its end while there are others, of which its thread has started
    /// those `beside` it; gives whether one of these may notice.
    pub(crate) fn end(&mut self, kind: Kind, size: u64, beside: Threads) -> bool {
        let Some(owner) = kind.owner() else { return false };
        *self.ended.entry(kind).or_insert(0) |= beside;
        let Some(object) = self.objects.get_mut(&kind) else { return false };
        if object.thread == owner && !object.several {
            return false;
        }
        let before = object.is_shared();
        self.learnt |= object.touch(owner, true) != before;
        let end = Toucher { thread: owner, several: false, written: true, beside };
        for piece in self.pieces(kind, 0, size) {
            let of_others = |toucher: &Toucher| toucher.thread != owner || toucher.several;
            if self.touched.get(&piece).is_some_and(|touchers| touchers.iter().any(of_others)) {
                self.touch_piece(end, piece);
                self.uses(owner, piece, Verb::Write);
            }
        }
        self.is_shared(kind, 0, size)
    }

    /// The program computes a number that tells where an object is.
    pub(crate) fn reveal(&mut self) {
        self.learnt |= !std::mem::replace(&mut self.numbers, true);
    }

    /// Whether an address may be used again when its object is gone: no number may tell.
    pub(crate) fn may_use_again(&self) -> bool {
        !self.numbers
    }

    /// A cell needs a list.
    pub(crate) fn list(&mut self, cell: Cell) {
        self.learnt |= self.listed.insert(cell);
    }

    /// Whether a cell has a list, as far as is known.
    pub(crate) fn is_listed(&self, cell: Cell) -> bool {
        self.listed.contains(&cell)
    }

    /// Threads may see different writes.
    pub(crate) fn see_apart(&mut self) {
        self.learnt |= !std::mem::replace(&mut self.several_views, true);
    }

    /// Whether threads may see different writes, as far as is known.
    pub(crate) fn may_see_apart(&self) -> bool {
        self.several_views
    }

    /// Another thread than `main` starts or awaits one.
    pub(crate) fn nest(&mut self) {
        self.learnt |= !std::mem::replace(&mut self.nested, true);
    }

    /// Whether other threads than `main` start or await threads, as far as is known.
    pub(crate) fn is_nested(&self) -> bool {
        self.nested
    }

    /// The last thread goes on for long, or chooses.
    pub(crate) fn never_last(&mut self) {
        self.learnt |= !std::mem::replace(&mut self.one_by_one, true);
    }

    /// Whether a thread that is the last one makes larger steps, as far as is known.
    pub(crate) fn may_be_last(&self) -> bool {
        !self.one_by_one
    }

    fn touch_piece(&mut self, now: Toucher, piece: Piece) {
        let touchers = self.touched.entry(piece).or_default();
        match touchers.iter_mut().find(|toucher| toucher.thread == now.thread) {
            Some(known) => {
                let before = *known;
                known.several |= now.several;
                known.written |= now.written;
                known.beside |= now.beside;
                let same = |of: fn(&Toucher) -> Threads| of(known) == of(&before);
                if same(|t| t.beside) && same(|t| t.written.into()) && same(|t| t.several.into()) {
                    return;
                }
            }
            None => touchers.push(now),
        }
        let touchers = &self.touched[&piece];
        let written = touchers.iter().any(|toucher| toucher.written);
        let several = touchers.iter().any(|toucher| toucher.several);
        let each_other = touchers.iter().any(|toucher| toucher.several && toucher.written);
        let meets = touchers.iter().enumerate().any(|(index, one)| {
            let others = &touchers[index + 1..];
            others.iter().any(|other| (one.written || other.written) && self.meet(one, other))
        });
        let passed = written && (several || touchers.len() > 1);
        if passed {
            self.learnt |= self.passed.insert(piece);
        }
        if each_other || meets {
            self.learnt |= self.shared.insert(piece);
        }
    }

    /// Notes who reads what others write.
    fn uses(&mut self, thread: ThreadId, piece: Piece, verb: Verb) {
        if !self.buffers {
            return;
        }
        let like = self.like(thread);
        let users = self.users.entry(piece).or_default();
        if verb != Verb::Write {
            users.readers |= like;
        }
        if verb != Verb::Read {
            users.writers |= like;
        }
        let new = users.influenced() & !self.influenced;
        self.influenced |= new;
        self.learnt |= new != 0;
    }

    /// Whether a thread reads what others write, as far as is known.
    pub(crate) fn is_influenced(&self, thread: ThreadId) -> bool {
        self.influenced & bit(thread) != 0
    }

    /// Takes an object for shared: whether a lock in it is held in the end matters even if only one
    /// thread uses it. When it is accessed does not.
    pub(crate) fn take_for_shared(&mut self, kind: Kind) {
        self.taken_for_shared.insert(kind);
    }

    /// Takes memory for shared, whoever touches it; gives whether that is new.
    pub(crate) fn share(&mut self, (kind, offset, bytes): (Kind, u64, u64)) -> bool {
        let mut new = false;
        self.taken_for_shared.insert(kind);
        for piece in self.pieces(kind, offset, bytes) {
            new |= self.shared.insert(piece);
            self.passed.insert(piece);
        }
        self.learnt |= new;
        new
    }

    /// Others may notice this thread.
    pub(crate) fn notice(&mut self, thread: ThreadId) {
        let like = self.like(thread);
        for other in members(like) {
            self.learnt |= self.noticed.insert(other);
        }
    }

    /// Whether others may notice this thread, as far as is known.
    pub(crate) fn is_noticed(&self, thread: ThreadId) -> bool {
        self.all_noticed || self.noticed.contains(&thread)
    }

    /// Threads of a step were started alike, or one was by itself; whether they are alike as far as
    /// is known.
    pub(crate) fn start(&mut self, function: FuncId, like: Threads) -> bool {
        if like.count_ones() > 1 && !self.symmetry {
            return false;
        }
        for thread in members(like) {
            let (known, others) = *self.started.entry(thread).or_insert((function, like));
            // One number stands for different threads in different executions.
            if (known, others) != (function, like) && (like | others).count_ones() > 1 {
                for function in [known, function] {
                    self.learnt |= self.told_apart.insert(function);
                }
            }
        }
        like.count_ones() > 1 && !self.told_apart.contains(&function)
    }

    /// Whether two threads are alike.
    pub(crate) fn are_alike(&self, one: ThreadId, other: ThreadId) -> bool {
        self.like(one) & bit(other) != 0
    }

    /// The threads that are like one, itself among them; a bit for each.
    fn like(&self, thread: ThreadId) -> Threads {
        match self.started.get(&thread) {
            Some((function, like)) if !self.told_apart.contains(function) => *like,
            _ => bit(thread),
        }
    }

    /// Whether some threads are alike.
    pub(crate) fn has_like_threads(&self) -> bool {
        self.started.keys().any(|&thread| self.like(thread).count_ones() > 1)
    }

    /// A thread does what tells it apart from those like it.
    pub(crate) fn tell_apart(&mut self, thread: ThreadId) {
        if let Some(&(function, like)) = self.started.get(&thread)
            && like.count_ones() > 1
        {
            self.learnt |= self.told_apart.insert(function);
        }
    }

    /// A thread ends. If it can end in different ways, others may notice how.
    pub(crate) fn ends(&mut self, thread: ThreadId, ending: Ending) {
        if self.like(thread).count_ones() > 1
            && let Some(&started) = self.started.get(&thread)
            && *self.results.entry(started).or_insert(ending) != ending
        {
            self.tell_apart(thread);
        }
        if thread == ThreadId::MAIN || self.noticed.contains(&thread) {
            return;
        }
        let known = *self.endings.entry(thread).or_insert(ending);
        if known != ending || matches!(ending, Ending::Exit(_)) {
            self.notice(thread);
        }
    }

    /// The first thread after this one that nobody notices.
    pub(crate) fn unnoticed_after(&self, thread: Option<ThreadId>) -> Option<ThreadId> {
        let first = thread.map_or(1, |thread| thread.index() + 1);
        first_threads(self.threads).skip(first).find(|other| !self.is_noticed(*other))
    }

    /// Whether several threads touch an object, though perhaps different parts of it.
    pub(crate) fn is_shared_object(&self, kind: Kind) -> bool {
        self.taken_for_shared.contains(&kind) || self.is_seen_by_several(kind)
    }

    /// Whether several threads touch an object, and one of them writes it.
    fn is_seen_by_several(&self, kind: Kind) -> bool {
        self.objects.get(&kind).is_some_and(|touched| touched.is_shared())
    }

    /// A heap block is allocated with zeros in it, concurrently with other threads.
    pub(crate) fn zeroes(&mut self, kind: Kind) {
        self.zeroed.insert(kind);
    }

    /// Whether a thread accesses a block that another one filled with zeros. No thread can tell
    /// when that took place, since the address is known only afterwards; but it is a write.
    fn is_filled_for_others(&self, kind: Kind, touched: Touched) -> bool {
        matches!(kind, Kind::Heap(_, thread) if touched.several || touched.thread != thread)
            && self.zeroed.contains(&kind)
    }

    /// The objects that several threads touch.
    pub(crate) fn shared_objects(&self) -> Vec<Kind> {
        let mut all: Vec<Kind> = self.taken_for_shared.iter().copied().collect();
        let seen = self.objects.iter().filter(|(kind, touched)| {
            touched.is_shared() || self.is_filled_for_others(**kind, **touched)
        });
        all.extend(
            seen.map(|(kind, _)| *kind).filter(|kind| !self.taken_for_shared.contains(kind)),
        );
        all
    }

    /// A lock is here.
    pub(crate) fn lock(&mut self, global: GlobalId, lock: Lock) {
        self.locks.insert((global, lock));
    }

    /// All locks in globals that were found so far.
    pub(crate) fn locks(&self) -> impl Iterator<Item = (GlobalId, Lock)> + '_ {
        self.locks.iter().copied()
    }

    /// What a new search starts with.
    pub(crate) fn again(&self) -> Self {
        Self {
            shared: self.shared.clone(),
            passed: self.passed.clone(),
            parents: self.parents.clone(),
            awaited: self.awaited,
            touched: Map::default(),
            fine: self.fine.clone(),
            objects: self.objects.clone(),
            taken_for_shared: self.taken_for_shared.clone(),
            zeroed: self.zeroed.clone(),
            ended: self.ended.clone(),
            cells: self.cells.clone(),
            accesses: self.accesses.clone(),
            listed: self.listed.clone(),
            several_views: self.several_views,
            nested: self.nested,
            all_noticed: self.all_noticed,
            noticed: self.noticed.clone(),
            users: self.users.clone(),
            influenced: self.influenced,
            endings: Map::default(),
            locks: self.locks.clone(),
            started: Map::default(),
            told_apart: self.told_apart.clone(),
            results: Map::default(),
            symmetry: self.symmetry,
            single: None,
            buffers: self.buffers,
            threads: 0,
            numbers: self.numbers,
            one_by_one: self.one_by_one,
            learnt: false,
        }
    }
}

/// The pieces of one byte that one of several is made of.
fn bytes_of((kind, piece): Piece) -> impl Iterator<Item = Piece> {
    let grain = GRAIN as u32;
    let bytes = match u64::from(piece) < FINE {
        true => piece * grain..(piece + 1) * grain,
        false => piece..piece + 1,
    };
    bytes.map(move |byte| (kind, byte))
}
