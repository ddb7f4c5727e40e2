//! Symmetric threads: which of them has which number does not matter.
//!
//! Threads that `main` starts in one step, with the same function and the same arguments, can do
//! the same things, and states that differ only in which of them is where lead to the same; of such
//! states one is visited, with the threads in the order of the numbers of their local states (C. N.
//! Ip, D. L. Dill, "Better verification through symmetry", Formal Methods in System Design 9,
//! 1996). What could tell like threads apart: their numbers, if they ask for them; the addresses of
//! objects that they make; what they observe; threads that they start; that another thread than
//! `main` awaits one; and how they end, if they end differently. Whoever does such a thing is not
//! alike: the search starts again, knowing that ([`sharing`](super::sharing)).
//!
//! `main` knows them only by their handles, which it can but await. Which thread a handle stands
//! for is decided when that matters: when `main` awaits it, and some of the threads in question
//! have ended and others have not. Then it is one of those that have ended, or none of them; both
//! are looked at, and in the second case those that have ended are passed over until `main` goes
//! on. So the states stand for all executions, whatever the handles stand for, and each of their
//! paths for one: numbers are given to the threads of a path in the end
//! ([`rerun`](crate::explicit::counterexamples::rerun)), as they were awaited.
//!
//! On a machine with views, what a thread has seen is part of its seat, and the marks of its reads
//! have its number in them.
//!
//! Soundness S-134 (verify; sc, tso, rc11; misses): Of states that differ by exchanging symmetric threads
//! one is visited (not with `--no-symmetry`); an error in what is symmetric would lose executions.
//! Test: crates/xtask/tests/shortcuts.rs::shortcuts_change_nothing,
//! crates/xtask/tests/views.rs::symmetry_of_threads_changes_nothing,
//! crates/fencepost/tests/symmetry.rs::what_is_found_is_the_same_with_and_without_symmetry.

use crate::explicit::machine::layout::Map;
use crate::explicit::machine::state::{Local, Numbered, Part, Pending, Shared, Threads, bit};
use crate::explicit::machine::weak::Seeing;
use crate::explicit::machine::world::{Join, Stop, World};
use crate::explicit::search::at;
use execution::event::ThreadId;
use execution::ids::{Id, IdVec};
use ir::program::Width;
use ir::step::thread::Ending;
use ir::value::Value;
use std::rc::Rc;

impl World<'_> {
    /// `main` awaits a thread that is like others.
    pub(crate) fn join_one_of(&mut self, handle: ThreadId) -> Result<Value, Stop> {
        let alike = &self.shared.alike;
        if alike.awaited & bit(handle) != 0 {
            return Err(Stop::Unsupported("a thread that is awaited twice".into()));
        }
        self.noticed();
        self.drain()?;
        let like: Vec<ThreadId> = alike.like(handle).collect();
        let is_open =
            |&thread: &ThreadId| !self.shared.endings[thread].1 && alike.passed & bit(thread) == 0;
        let open: Vec<ThreadId> = like.iter().copied().filter(is_open).collect();
        let result = |thread: ThreadId| match self.shared.endings[thread].0 {
            Some(Ending::Returned(value) | Ending::ThreadExit(value))
                if self.shared.buffers[thread].is_empty() =>
            {
                Some(value.unwrap_or(Value::int(Width::I64, 0)))
            }
            // Nobody goes on after the end of the program.
            _ => None,
        };
        let ended: Vec<(ThreadId, Value)> =
            open.iter().filter_map(|&thread| Some((thread, result(thread)?))).collect();
        // In an execution that is written down, a thread has the number that its handle says.
        let own = self.record.is_some().then(|| ended.iter().find(|(thread, _)| *thread == handle));
        let taken = own.unwrap_or(ended.first()).copied();
        let chosen = !ended.is_empty() && ended.len() < open.len();
        let goes_on = match (chosen, own) {
            (false, _) => taken.is_some(),
            (true, Some(own)) => {
                self.answered()?;
                own.is_some()
            }
            (true, None) => {
                let both = || Some([0, 1].map(|bit| Value::int(Width::BOOL, bit)).to_vec());
                !self.ask(both)?.is_zero()
            }
        };
        let Some((thread, value)) = taken.filter(|_| goes_on) else {
            if !chosen {
                self.awaits = open.iter().fold(0, |bits: Threads, &thread| bits | bit(thread));
                return Err(Stop::Wait);
            }
            let passed = ended.iter().fold(0, |bits: Threads, &(thread, _)| bits | bit(thread));
            self.change().alike.passed |= passed;
            self.joins.push(Join { handle, taken: None, chosen });
            return Err(Stop::Pause);
        };
        self.joins.push(Join { handle, taken: Some(thread), chosen });
        self.view_await(thread, false);
        let shared = self.change();
        shared.endings[thread].1 = true;
        shared.alike.awaited |= bit(handle);
        like.iter().for_each(|&thread| shared.alike.passed &= !bit(thread));
        Ok(value)
    }
}

/// A new order of threads: for each number, the one that the thread had before.
pub(crate) type Order = Box<[u8]>;

/// What memory knows of one thread.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Seat {
    ending: (Option<Ending>, bool),
    buffer: Vec<Pending>,
    seeing: Part<Seeing>,
    passed: bool,
}

impl Seat {
    pub(crate) fn of(shared: &Shared, thread: ThreadId) -> Self {
        Self {
            ending: shared.endings[thread],
            buffer: shared.buffers[thread].clone(),
            seeing: shared.weak.threads[thread].clone(),
            passed: shared.alike.passed & bit(thread) != 0,
        }
    }
}

/// The orders into which threads were brought, and what was worked out for them.
pub(crate) struct Orders {
    all: Vec<Order>,
    numbers: Map<Order, u32>,
    /// Local states under the number of another thread.
    renumbered: Map<(u32, ThreadId), u32>,
    seats: Numbered<Seat>,
    /// The seats of all threads, for each memory in which some are alike.
    seated: Map<u32, Option<Rc<[u32]>>>,
    memories: Map<(u32, u32), u32>,
}

impl Orders {
    /// As they are.
    pub(crate) const SAME: u32 = 0;

    pub(crate) fn new() -> Self {
        Self {
            all: vec![Order::default()],
            numbers: Map::default(),
            renumbered: Map::default(),
            seats: Numbered::new(),
            seated: Map::default(),
            memories: Map::default(),
        }
    }

    /// The order of a number; nothing if it changes nothing.
    pub(crate) fn get(&self, number: u32) -> Option<&Order> {
        self.all.get(number as usize).filter(|_| number != Self::SAME)
    }

    /// The state that stands for one, and the order of its threads; nothing if it is that state.
    pub(crate) fn representative(
        &mut self,
        list: &[u32],
        locals: &mut Numbered<Local>,
        shareds: &mut Numbered<Shared>,
    ) -> Option<(Vec<u32>, u32)> {
        let seats = self.seats(list[0], shareds)?;
        let memory = shareds.get(list[0]).clone();
        let mut order: Order = (0..seats.len() as u8).collect();
        for first in memory.endings.ids().filter(|&thread| memory.alike.is_first(thread)) {
            let like: Vec<ThreadId> = memory.alike.like(first).collect();
            let key = |&thread: &ThreadId| {
                let local = self.renumbered(list[at(thread)], first, locals);
                (local, seats[thread.index()], thread)
            };
            let mut sorted: Vec<(u32, u32, ThreadId)> = like.iter().map(key).collect();
            sorted.sort_unstable();
            for (&place, (_, _, thread)) in like.iter().zip(sorted) {
                order[place.index()] = thread.index() as u8;
            }
        }
        if order.iter().enumerate().all(|(thread, &before)| thread == before as usize) {
            return None;
        }
        let mut after = vec![self.memory(list[0], &order, shareds)];
        for (thread, &before) in order.iter().enumerate() {
            let thread = ThreadId::new(thread);
            after.push(self.renumbered(list[1 + before as usize], thread, locals));
        }
        Some((after, self.number(order)))
    }

    fn seats(&mut self, shared: u32, shareds: &Numbered<Shared>) -> Option<Rc<[u32]>> {
        if let Some(known) = self.seated.get(&shared) {
            return known.clone();
        }
        let memory = shareds.get(shared);
        let alike = memory.endings.ids().any(|thread| memory.alike.has_others(thread));
        let mut seat = |thread| self.seats.number(Seat::of(memory, thread));
        let seats = alike.then(|| memory.endings.ids().map(&mut seat).collect());
        self.seated.insert(shared, seats.clone());
        seats
    }

    fn renumbered(&mut self, local: u32, thread: ThreadId, locals: &mut Numbered<Local>) -> u32 {
        if locals.get(local).index == thread {
            return local;
        }
        if let Some(&known) = self.renumbered.get(&(local, thread)) {
            return known;
        }
        let after = locals.get(local).renumbered(thread);
        let number = locals.number(after);
        self.renumbered.insert((local, thread), number);
        number
    }

    fn number(&mut self, order: Order) -> u32 {
        if let Some(&known) = self.numbers.get(&order) {
            return known;
        }
        let number = self.all.len() as u32;
        self.all.push(order.clone());
        self.numbers.insert(order, number);
        number
    }

    fn memory(&mut self, shared: u32, order: &Order, shareds: &mut Numbered<Shared>) -> u32 {
        let number = self.number(order.clone());
        if let Some(&known) = self.memories.get(&(shared, number)) {
            return known;
        }
        let after = reordered_memory(shareds.get(shared), order);
        let after = shareds.number(after);
        self.memories.insert((shared, number), after);
        after
    }
}

/// The threads of a state in another order.
pub(crate) fn reordered<T: Clone>(all: &IdVec<ThreadId, T>, order: &[u8]) -> IdVec<ThreadId, T> {
    order.iter().map(|&before| all[ThreadId::new(before.into())].clone()).collect()
}

/// The same for what they share.
pub(crate) fn reordered_memory(shared: &Shared, order: &[u8]) -> Shared {
    let mut after = shared.clone();
    after.made = reordered(&shared.made, order);
    after.endings = reordered(&shared.endings, order);
    after.buffers = reordered(&shared.buffers, order);
    after.weak = shared.weak.reordered(order);
    let passed = |&before: &u8| shared.alike.passed & (1 << before) != 0;
    let bits = order.iter().enumerate().filter(|(_, before)| passed(before));
    after.alike.passed = bits.fold(0, |bits, (thread, _)| bits | bit(ThreadId::new(thread)));
    after
}

/// The same for what they are about to do.
pub(crate) fn reordered_locals(
    locals: &IdVec<ThreadId, Local>,
    order: &[u8],
) -> IdVec<ThreadId, Local> {
    let all = reordered(locals, order);
    all.enumerate().map(|(index, local)| local.renumbered(index)).collect()
}

/// The numbers of like threads, where handles say which they have: `awaited` is the handle by which
/// each was awaited, `pending` one that is being awaited, which is not that of those `passed`.
pub(crate) fn numbers(
    like: &[ThreadId],
    awaited: &Map<ThreadId, ThreadId>,
    pending: Option<ThreadId>,
    passed: &[ThreadId],
) -> Map<ThreadId, ThreadId> {
    let mut numbers: Map<ThreadId, ThreadId> =
        like.iter().filter_map(|thread| Some((*thread, *awaited.get(thread)?))).collect();
    if let Some(handle) = pending
        && let Some(&thread) =
            like.iter().find(|thread| !numbers.contains_key(thread) && !passed.contains(thread))
    {
        numbers.insert(thread, handle);
    }
    let mut rest: Vec<ThreadId> =
        like.iter().copied().filter(|n| numbers.values().all(|taken| taken != n)).collect();
    for &thread in like {
        // Where it can, it keeps its own.
        if !numbers.contains_key(&thread)
            && let Some(place) = rest.iter().position(|&number| number == thread)
        {
            numbers.insert(thread, rest.remove(place));
        }
    }
    for &thread in like {
        numbers.entry(thread).or_insert_with(|| rest.remove(0));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(awaited: &[(usize, usize)], pending: Option<usize>, passed: &[usize]) -> Vec<usize> {
        let like = [1, 2, 3].map(ThreadId::new);
        let pair =
            |&(thread, handle): &(usize, usize)| (ThreadId::new(thread), ThreadId::new(handle));
        let passed: Vec<ThreadId> = passed.iter().copied().map(ThreadId::new).collect();
        let awaited = awaited.iter().map(pair).collect();
        let numbers = numbers(&like, &awaited, pending.map(ThreadId::new), &passed);
        like.map(|thread| numbers[&thread].index()).to_vec()
    }

    #[test]
    fn threads_keep_their_numbers_unless_they_were_awaited_by_others() {
        assert_eq!(given(&[], None, &[]), [1, 2, 3]);
        assert_eq!(given(&[(2, 1)], None, &[]), [2, 1, 3]);
        assert_eq!(given(&[(3, 1), (1, 2)], None, &[]), [2, 3, 1]);
        assert_eq!(given(&[], Some(1), &[1, 2]), [3, 2, 1]);
        assert_eq!(given(&[(2, 1)], Some(2), &[1]), [3, 1, 2]);
    }
}
