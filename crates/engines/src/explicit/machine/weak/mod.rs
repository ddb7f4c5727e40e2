//! Memory with views: C11 atomics without load buffering.
//!
//! J. Kang, C.-K. Hur, O. Lahav, V. Vafeiadis, D. Dreyer, "A promising semantics for relaxed-memory
//! concurrency" (POPL 2017), without promises: each cell has a list of messages, its writes in
//! coherence order, and each thread a view, which says how far in each list it has come. A load
//! reads any message that its view has not passed; a store goes anywhere after the view where
//! nothing has to stay together; a read-modify-write goes directly after what it reads. Deviations:
//! release sequences are those of `rc11` (the same thread's later atomic writes to the cell, and
//! read-modify-writes), so a thread keeps a view for each cell at its last release; accesses that
//! are not atomic are messages without a view, races or not.
//!
//! Why that is `rc11` without SC accesses: an execution whose program order and reads-from have no
//! cycle can be run in any order that extends both. What is executed last is not before anything
//! that was executed earlier in `hb`, so coherence and atomicity say only which positions are left
//! for it, and that is what the views say.
//!
//! An SC fence joins what it sees with what all earlier SC fences saw. That runs SC fences in an
//! order that extends program order and reads-from, where `rc11` asks for an order that extends its
//! relation `psc` alone. The two differ only if one SC fence precedes another one by reads that do
//! not synchronise, two of them in a row. [`Fences`] notices that, and such a fence is then an
//! acquire and release fence only: the others can be run in an order that extends both.
//!
//! Soundness S-500 (verify; rc11; misses): The machine with views is tested, and argued in the file's
//! head, to have the executions of the text of `rc11`; it is not proved, and used only if
//! `--engine states` asks for it. Test:
//! crates/xtask/tests/views.rs::each_rule_of_the_machine_matters,
//! crates/xtask/tests/views.rs::a_sample_of_all_small_programs_has_the_outcomes_of_the_model.
//!
//! Soundness S-501 (verify; rc11; cries wolf): An SC fence after a chain of reads that do not
//! synchronise from another thread's SC fence counts as an acquire and release fence, which allows
//! more than the model does; what is found is shown only if its replay confirms it, and the solver is
//! asked otherwise. Test: crates/xtask/tests/views.rs::each_rule_of_the_machine_matters.

pub mod cells;
pub mod data;
pub mod exchange;
pub mod future;
pub mod nests;
pub mod normal;
pub mod rules;
pub mod view;

use crate::explicit::machine::state::{Part, Threads, bit};
use data::Data;
use execution::event::ThreadId;
use execution::ids::IdVec;
use future::{FutureId, Futures};
use ir::order::Order;
use ir::value::Value;
use rules::Rules;
use view::{Cell, View};

/// What threads know of SC fences of others; a bit for each thread that has executed one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Fences {
    /// Fences that are before the next SC fence in any order that the model allows.
    pub known: Threads,
    /// Fences that are before by a read that does not synchronise: an SC fence makes them known.
    pub near: Threads,
    /// Fences that are before by several such reads in a row.
    pub far: Threads,
}

impl Fences {
    fn join(&mut self, other: Fences) {
        self.known |= other.known;
        self.near |= other.near;
        self.far |= other.far;
    }

    /// A thread reads what another one wrote that knew these.
    fn read(&mut self, thread: ThreadId, written: Fences, synchronises: bool) {
        match synchronises {
            true => self.join(written),
            false => {
                self.near |= written.known;
                self.far |= written.near | written.far;
            }
        }
        self.near &= !bit(thread);
        self.far &= !bit(thread);
    }
}

/// A write of a cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Message {
    pub value: Value,
    /// Whether nothing can be written directly after it.
    pub closed: bool,
    /// What an acquiring read of it sees of other cells.
    pub view: View,
    /// Whether such a read synchronises with its thread's last SC fence.
    pub released: bool,
    pub fences: Fences,
}

/// What a thread has seen.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Seeing {
    /// What happens before its next step.
    pub now: View,
    /// The same if that is an acquire fence; not kept in programs without any.
    pub acquired: View,
    /// What happened before its last release fence.
    pub released: View,
    /// What happened before its last release write of each cell.
    pub heads: Vec<(Cell, View)>,
    pub fences: Fences,
    /// What it may still do.
    pub future: FutureId,
    /// The thread whose end it waits for, if it does.
    pub awaits: Option<ThreadId>,
}

impl Seeing {
    fn head(&self, cell: Cell) -> Option<&View> {
        self.heads.iter().find(|head| head.0 == cell).map(|head| &head.1)
    }

    fn set_head(&mut self, cell: Cell, view: View) {
        match self.heads.binary_search_by_key(&cell, |head| head.0) {
            Ok(index) => self.heads[index].1 = view,
            Err(index) => self.heads.insert(index, (cell, view)),
        }
    }

    /// All its views.
    fn views(&mut self) -> impl Iterator<Item = &mut View> {
        let Seeing { now, acquired, released, heads, .. } = self;
        [now, acquired, released].into_iter().chain(heads.iter_mut().map(|head| &mut head.1))
    }

    fn join(&mut self, other: &Seeing) {
        self.now.join(&other.now);
        self.acquired.join(&other.acquired);
        self.released.join(&other.released);
        for (cell, view) in &other.heads {
            let mut head = self.head(*cell).cloned().unwrap_or_default();
            head.join(view);
            self.set_head(*cell, head);
        }
        self.fences.join(other.fences);
    }
}

/// What the threads share of memory that several of them access.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Weak {
    /// The messages of cells, in coherence order. A cell without a list has one message, which
    /// everybody has seen: what memory holds.
    lists: Vec<(Cell, Part<Vec<Message>>)>,
    pub threads: IdVec<ThreadId, Part<Seeing>>,
    /// Cells without atomic accesses of which not all know what happened.
    data: Vec<(Cell, Data)>,
    /// What SC fences have seen of cells with lists.
    sc: View,
    /// Blocks that were allocated while there were several threads, and that not all know of.
    pub(crate) blocks: Vec<Cell>,
}

pub(crate) fn acquires(order: Order) -> bool {
    matches!(order, Order::Consume | Order::Acquire | Order::AcqRel | Order::SeqCst)
}

pub(crate) fn releases(order: Order) -> bool {
    matches!(order, Order::Release | Order::AcqRel | Order::SeqCst)
}

/// A running thread and a cell that it accesses, with what memory holds there if the cell has no
/// list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub thread: ThreadId,
    pub cell: Cell,
    pub held: Value,
}

impl Weak {
    /// Adds a thread.
    pub(crate) fn add_thread(&mut self) {
        self.threads.push(Part::new(Seeing::default()));
    }

    /// A thread starts another one.
    pub(crate) fn start(&mut self, thread: ThreadId, other: ThreadId) {
        self.threads[other] = self.threads[thread].clone();
    }

    /// What a thread may do after a step, and whom it waits for.
    pub(crate) fn goes_on(&mut self, thread: ThreadId, future: FutureId, awaits: Option<ThreadId>) {
        let own = self.threads[thread].get();
        if (own.future, own.awaits) != (future, awaits) {
            self.threads[thread].change(|own| (own.future, own.awaits) = (future, awaits));
        }
    }

    /// Whether a running thread but this one may still write a cell.
    pub(crate) fn may_be_written(
        &self,
        cell: Cell,
        but: ThreadId,
        running: Threads,
        futures: &Futures,
    ) -> bool {
        let others = self.threads.ids().filter(|&other| other != but && running & bit(other) != 0);
        let mut futures = others.map(|other| futures.get(self.threads[other].get().future));
        futures.any(|future| future.writes(cell))
    }

    /// A thread awaits the end of another one.
    pub(crate) fn await_thread(&mut self, thread: ThreadId, other: ThreadId) {
        let seen = self.threads[other].clone();
        self.threads[thread].change(|own| own.join(seen.get()));
    }

    /// The messages of a cell that has a list.
    pub(crate) fn list(&self, cell: Cell) -> Option<&[Message]> {
        let index = self.lists.binary_search_by_key(&cell, |list| list.0).ok()?;
        Some(self.lists[index].1.get())
    }

    /// How many messages the longest list has.
    pub(crate) fn longest(&self) -> usize {
        self.lists.iter().map(|list| list.1.get().len()).max().unwrap_or(0)
    }

    /// The positions that a thread may read, with the values there and whether something can be
    /// written directly after them.
    pub(crate) fn readable(&self, at: At, rules: Rules) -> Vec<(u16, Value, bool)> {
        let Some(list) = self.list(at.cell) else { return vec![(0, at.held, true)] };
        let last = list.len() - 1;
        let first = if rules.coherent { self.threads[at.thread].get().now.get(at.cell) } else { 0 };
        let first = if rules.stale { first.into() } else { last };
        let one = |(position, message): (usize, &Message)| {
            (position as u16, message.value, !(message.closed && rules.whole))
        };
        list.iter().enumerate().skip(first).map(one).collect()
    }

    /// The positions after which a thread may store.
    pub(crate) fn writable(&self, at: At, rules: Rules) -> Vec<u16> {
        let readable = self.readable(at, rules);
        let from = if rules.between { 0 } else { readable.len() - 1 };
        readable[from..].iter().filter(|it| it.2).map(|it| it.0).collect()
    }

    /// A thread reads a message.
    pub(crate) fn read(&mut self, at: At, position: u16, order: Order, rules: Rules) {
        let At { thread, cell, .. } = at;
        let list = self.lists.binary_search_by_key(&cell, |list| list.0);
        let message = list.ok().map(|index| &self.lists[index].1.get()[usize::from(position)]);
        let Some(message) = message else { return };
        let sees = order.is_atomic() && rules.synchronise;
        let own = self.threads[thread].get();
        let acquires = acquires(order) && sees;
        let mut after = own.clone();
        after.now.raise(cell, position);
        after.acquired.raise(cell, position);
        if sees {
            after.acquired.join(&message.view);
        }
        if acquires {
            after.now.join(&message.view);
        }
        after.fences.read(thread, message.fences, acquires && message.released);
        if after != *own {
            self.threads[thread] = Part::new(after);
        }
    }

    /// A thread writes directly after a message; of which its write is the other half, if it is a
    /// read-modify-write. Gives whether that is the last message now.
    pub(crate) fn write(
        &mut self,
        at: At,
        value: Value,
        (after, update): (u16, bool),
        order: Order,
        rules: Rules,
    ) -> bool {
        let At { thread, cell, held } = at;
        let index = match self.lists.binary_search_by_key(&cell, |list| list.0) {
            Ok(index) => index,
            Err(index) => {
                let first = Message {
                    value: held,
                    closed: false,
                    view: View::default(),
                    released: false,
                    fences: Fences::default(),
                };
                self.lists.insert(index, (cell, Part::new(vec![first])));
                index
            }
        };
        let before = self.lists[index].1.get()[usize::from(after)].view.clone();
        let position = after + 1;
        self.renumber(cell, |at| if at >= position { at + 1 } else { at });
        let own = self.threads[thread].get();
        let mut seeing = own.clone();
        seeing.now.raise(cell, position);
        seeing.acquired.raise(cell, position);
        let mut view = View::default();
        if order.is_atomic() {
            if releases(order) {
                view.join(&seeing.now);
            }
            view.join(&seeing.released);
            if let Some(head) = seeing.head(cell).filter(|_| rules.own_sequences) {
                view.join(head);
            }
            if update && rules.sequences {
                view.join(&before);
            }
            view.forget(cell);
        }
        if releases(order) {
            let now = seeing.now.clone();
            seeing.set_head(cell, now);
        }
        let fences = seeing.fences;
        let released = releases(order);
        let message = Message { value, closed: false, view, released, fences };
        self.threads[thread] = Part::new(seeing);
        let list = &mut self.lists[index].1;
        list.change(|list| {
            if update {
                list[usize::from(after)].closed = true;
            }
            list.insert(position.into(), message);
        });
        usize::from(position) + 1 == self.lists[index].1.get().len()
    }

    /// A thread executes a fence; gives whether the machine still does what the model says.
    pub(crate) fn fence(&mut self, thread: ThreadId, order: Order, rules: Rules) -> bool {
        let sc = order == Order::SeqCst;
        let mut seen = self.sc.clone();
        let mut exact = true;
        let mut after = self.threads[thread].get().clone();
        if acquires(order) && rules.acquire_fences {
            let acquired = after.acquired.clone();
            after.now.join(&acquired);
        }
        if sc && rules.sc_fences {
            exact = after.fences.far == 0 || !rules.chains;
            if exact {
                seen.join(&after.now);
                // It does not synchronise, so marks do not spread.
                seen.retain(|cell| self.list(cell).is_some());
                after.now.join(&seen);
                after.acquired.join(&seen);
            }
            after.fences.known |= after.fences.near | bit(thread);
            after.fences.near = 0;
        }
        if releases(order) && rules.release_fences {
            after.released = after.now.clone();
        }
        if sc {
            self.sc = seen;
        }
        self.threads[thread] = Part::new(after);
        exact
    }

    /// Puts the positions of a cell where others are, in all views.
    fn renumber(&mut self, cell: Cell, to: impl Fn(u16) -> u16 + Copy) {
        let moves = |view: &View| {
            let at = view.get(cell);
            at != to(at)
        };
        for seeing in self.threads.iter_mut() {
            let own = seeing.get();
            let views = [&own.now, &own.acquired, &own.released];
            let heads = own.heads.iter().any(|head| moves(&head.1));
            if heads || views.into_iter().any(moves) {
                seeing.change(|own| own.views().for_each(|view| view.renumber(cell, to)));
            }
        }
        for (_, list) in &mut self.lists {
            if list.get().iter().any(|message| moves(&message.view)) {
                list.change(|list| {
                    list.iter_mut().for_each(|message| message.view.renumber(cell, to));
                });
            }
        }
        self.sc.renumber(cell, to);
    }

    /// A thread has allocated a block.
    pub(crate) fn allocate(&mut self, thread: ThreadId, block: Cell) {
        self.threads[thread].change(|own| {
            own.now.raise(block, 1);
            own.acquired.raise(block, 1);
        });
        if let Err(index) = self.blocks.binary_search(&block) {
            self.blocks.insert(index, block);
        }
    }

    /// Whether a thread comes after the allocation of a block.
    pub(crate) fn knows(&self, thread: ThreadId, block: Cell) -> bool {
        self.blocks.binary_search(&block).is_err() || self.threads[thread].get().now.get(block) > 0
    }
}
