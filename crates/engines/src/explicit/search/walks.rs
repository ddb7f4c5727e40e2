//! Some executions of a program that has too many states to visit them all soon.
//!
//! States are visited in the order of their distance from the first, so with many threads what is
//! wrong after each has made a few steps is behind more states than anybody can visit, however
//! simple the execution is that shows it. Most bugs need few preemptions, at the right places, and
//! executions from the beginning to the end that try different ones find them soon (M. Musuvathi,
//! S. Qadeer, "Iterative context bounding for systematic testing of multithreaded programs", PLDI
//! 2007). Which thread runs is decided by one of several plans ([`Plan`]), in turn, and by random
//! numbers that are the same each time.
//!
//! Where a plan draws a thread, those that are about to execute the same instruction count as one:
//! of a hundred writers and a reader, the reader is drawn half of the times.
//!
//! An error here can miss nothing and invent nothing: what is not found is left to the search, and
//! what is found is replayed.

use crate::explicit::Wanted;
use crate::explicit::machine::layout::Layout;
use crate::explicit::machine::state::{Quick, first_threads};
use crate::explicit::search::ids::StateId;
use crate::explicit::search::{
    FLUSH, Found, MORE, Numbers, POLL_INTERVAL, Search, Stopped, Way, at,
};
use execution::event::ThreadId;
use sat::Limits;
use std::hash::{BuildHasher, Hash, Hasher};

/// So many steps make a walk at most.
const LONGEST: u32 = 10_000;
/// Of so many states at the end of a turn, none may come again.
const CIRCLE: usize = 32;

/// Who runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Plan {
    /// Everybody makes so many steps, or changes memory so many times, in turn. (Such schedulers
    /// without choices are those of M. Emmi, S. Qadeer, Z. Rakamarić, "Delay-bounded scheduling",
    /// POPL 2011.)
    Turns { length: u32, changes: bool, backwards: bool },
    /// Before each step, one time in so many, somebody else gets a turn.
    Switches { one_in: u32 },
    /// The first in a random order that can; at so many random steps, the one who runs becomes the
    /// last. (S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, "A randomized scheduler with
    /// probabilistic guarantees of finding bugs", ASPLOS 2010.)
    Priorities { changes: u32 },
    /// The same, but each of the first threads becomes the last after a random number of its own
    /// steps.
    Sleepers { number: u32 },
}

impl Plan {
    /// The plan of a walk.
    fn of(number: u32) -> Plan {
        let round = number / 8;
        let (some, backwards) = (1 + round / 2 % 8, round % 2 == 1);
        match number % 8 {
            0 => Plan::Turns { length: some, changes: round / 16 % 2 == 1, backwards },
            1 if round.is_multiple_of(8) => {
                Plan::Turns { length: u32::MAX, changes: false, backwards }
            }
            1 => Plan::Priorities { changes: 1 + round % 3 },
            2 => Plan::Switches { one_in: 2 },
            3 | 6 => Plan::Sleepers { number: 1 + round % 3 },
            4 => Plan::Switches { one_in: 4 },
            5 => Plan::Switches { one_in: 8 },
            _ => Plan::Switches { one_in: if backwards { 1 } else { 16 } },
        }
    }

    fn has_an_order(self) -> bool {
        matches!(self, Plan::Priorities { .. } | Plan::Sleepers { .. })
    }
}

/// The generator of D. Knuth's MMIX; its upper bits are the better ones.
struct Random(u64);

impl Random {
    /// A number below another one.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % (end as u64).max(1)) as usize
    }
}

/// A walk.
struct Walker {
    plan: Plan,
    random: Random,
    /// Who has the turn, for how many steps, or changes of memory.
    current: ThreadId,
    turn: u32,
    /// The order of threads, and the steps at which it changes: of the walk, or of the turns.
    order: Vec<ThreadId>,
    changes: Vec<u32>,
    /// Whether `main` runs only where nobody else can.
    main_last: bool,
    /// Threads that go round in circles until memory changes.
    tired: Vec<ThreadId>,
    /// Where the thread that has the turn was since memory changed last.
    circle: Vec<StateId>,
    stores: Stores,
}

/// When stores leave the buffers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stores {
    /// As soon as they are there.
    Immediate,
    /// At any time.
    Random,
    /// When their thread can do nothing else.
    Late,
}

impl Walker {
    /// A walk through a program in which others take so many steps, and threads so many of these.
    fn new(number: u32, (length, own): (u32, u32)) -> Self {
        let (plan, mut random) = (Plan::of(number), Random(number.into()));
        let (changes, end) = match plan {
            Plan::Priorities { changes } => (changes, length),
            Plan::Sleepers { number } => (number, own),
            Plan::Turns { .. } | Plan::Switches { .. } => (0, 0),
        };
        let changes = (0..changes).map(|_| random.below(end as usize) as u32 + 1).collect();
        let stores = match (number + number / 8) % 3 {
            0 => Stores::Immediate,
            1 => Stores::Random,
            _ => Stores::Late,
        };
        let main_last = number / 8 % 3 == 2;
        let (order, tired, circle) = (vec![ThreadId::MAIN], Vec::new(), Vec::new());
        let current = ThreadId::MAIN;
        Self { plan, random, current, turn: 0, order, changes, main_last, tired, circle, stores }
    }

    /// One of the steps of a thread, or the next one for its buffer, if it holds a store.
    fn way(&mut self, steps: usize, pending: bool) -> Option<usize> {
        match (steps, self.stores) {
            (0, _) | (_, Stores::Immediate) if pending => Some(steps),
            (0, _) => None,
            (_, Stores::Random) => Some(self.random.below(steps + usize::from(pending))),
            _ => Some(self.random.below(steps)),
        }
    }

    /// The thread that is to make the next step, of some that may be able to; `place` says which
    /// of them count as one.
    fn choose(
        &mut self,
        open: &[ThreadId],
        step: u32,
        place: impl Fn(ThreadId) -> u64,
    ) -> ThreadId {
        let open = match open {
            [ThreadId::MAIN, rest @ ..] if self.main_last && !rest.is_empty() => rest,
            _ => open,
        };
        let here = open.contains(&self.current);
        match self.plan {
            Plan::Turns { length, .. } if here && self.turn < length => self.current,
            Plan::Turns { backwards: false, .. } => {
                open.iter().copied().find(|&other| other > self.current).unwrap_or(open[0])
            }
            Plan::Turns { .. } => {
                let before = open.iter().rev().copied().find(|&other| other < self.current);
                before.unwrap_or(open[open.len() - 1])
            }
            Plan::Switches { one_in } => {
                if here && self.random.below(one_in as usize) != 0 {
                    return self.current;
                }
                let others: Vec<ThreadId> =
                    open.iter().copied().filter(|&other| other != self.current).collect();
                if others.is_empty() { self.current } else { self.draw(&others, place) }
            }
            Plan::Priorities { .. } | Plan::Sleepers { .. } => {
                let now = if let Plan::Sleepers { .. } = self.plan { self.turn } else { step };
                let change = self.changes.iter().position(|&change| change == now);
                if let Some(change) = change.filter(|_| open.len() > 1) {
                    self.changes.swap_remove(change);
                    self.order.retain(|&other| other != self.current);
                    self.order.push(self.current);
                }
                let first = self.order.iter().copied().find(|thread| open.contains(thread));
                first.unwrap_or(open[0])
            }
        }
    }

    /// Draws a place, and one of the threads that are there.
    fn draw(&mut self, threads: &[ThreadId], place: impl Fn(ThreadId) -> u64) -> ThreadId {
        let mut all: Vec<(u64, Vec<ThreadId>)> = Vec::new();
        for &thread in threads {
            let here = place(thread);
            match all.iter_mut().find(|(other, _)| *other == here) {
                Some((_, there)) => there.push(thread),
                None => all.push((here, vec![thread])),
            }
        }
        let there = &all[self.random.below(all.len())].1;
        there[self.random.below(there.len())]
    }

    /// Puts new threads into the order.
    fn start(&mut self, mut new: Vec<ThreadId>, place: impl Fn(ThreadId) -> u64) {
        let mut drawn = Vec::new();
        while !new.is_empty() {
            let next = self.draw(&new, &place);
            new.retain(|&thread| thread != next);
            drawn.push(next);
        }
        // They stay in the order in which they were drawn.
        let mut next = 0;
        for (index, &thread) in drawn.iter().enumerate() {
            let room = self.order.len() - next;
            next += self.random.below(room / (drawn.len() - index) + 2).min(room);
            self.order.insert(next, thread);
            next += 1;
        }
    }

    /// A thread has made a step to a state, after which memory may be another.
    fn went(&mut self, thread: ThreadId, to: StateId, changed: bool) {
        if thread != self.current {
            (self.current, self.turn) = (thread, 0);
            self.circle.clear();
        }
        let counts = !matches!(self.plan, Plan::Turns { changes: true, .. }) || changed;
        self.turn += u32::from(counts);
        if changed {
            self.circle.clear();
            self.tired.clear();
        }
        if self.circle.iter().rev().take(CIRCLE).any(|&before| before == to) {
            self.tired.push(thread);
        }
        self.circle.push(to);
    }
}

/// Walks through a program for a part of the time that visiting so many states takes; gives whether
/// everything was found.
pub(crate) fn walk(
    layout: &Layout<'_>,
    wanted: &Wanted,
    found: &mut Found,
    limits: &Limits,
    states: usize,
) -> Result<bool, Stopped> {
    let mut search = Search::for_walks(layout, wanted, found);
    match search.walk(limits, states) {
        Ok(()) => {}
        // The search may not come there.
        Err(Stopped::Unsupported(_)) => {}
        Err(stopped) => {
            if stopped != Stopped::Learnt {
                search.tell()?;
            }
            return Err(stopped);
        }
    }
    search.tell()?;
    Ok(search.is_done())
}

impl Search<'_> {
    /// Walks through the program until everything is found, or time is over.
    pub(crate) fn walk(&mut self, limits: &Limits, states: usize) -> Result<(), Stopped> {
        self.begin();
        let (mut made, mut longest) = (0, (1, 1));
        // Each time, others are the first.
        for number in states as u32.. {
            let known = self.violations.keys().copied().collect::<Vec<_>>();
            let (length, threads) = self.walk_once(Walker::new(number, longest), limits)?;
            if self.violations.len() > known.len() {
                self.shorten(&known)?;
            }
            made += length.max(1) as usize;
            longest = (longest.0.max(length), longest.1.max(2 * length / threads));
            // From a state that is visited, there is a step for each thread.
            let steps = states * threads.clamp(2, 16) as usize / 8;
            let enough = if self.is_done() { MORE.min(steps) } else { steps };
            if made >= enough {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Walks once; gives how many steps that takes, and how many threads there were.
    fn walk_once(&mut self, mut walker: Walker, limits: &Limits) -> Result<(u32, u32), Stopped> {
        let (mut state, mut step) = (StateId::FIRST, 0);
        let threads = loop {
            if step % POLL_INTERVAL == 0 && limits.expired() {
                return Err(Stopped::Limit);
            }
            let list = self.list(state).to_vec();
            let (shared, threads) = (list[0], list.len() - 1);
            let discards = |&local: &u32| self.locals.get(local).discarded;
            if step == LONGEST || list[1..].iter().any(discards) {
                break threads;
            }
            let known = walker.order.len();
            if known < threads && walker.plan.has_an_order() {
                let new = first_threads(threads).skip(known).collect();
                walker.start(new, |thread| self.place(list[at(thread)]));
            }
            let is_open = |&thread: &ThreadId| self.may_move(&list, thread);
            let all: Vec<ThreadId> = first_threads(threads).filter(is_open).collect();
            let mut open = all.clone();
            open.retain(|thread| !walker.tired.contains(thread));
            let circles = open.len() < all.len();
            let next = loop {
                if open.is_empty() {
                    break None;
                }
                let thread = walker.choose(&open, step, |thread| self.place(list[at(thread)]));
                let steps = self.steps(thread, list[at(thread)], shared)?.len();
                let pending = !self.shareds.get(shared).buffers[thread].is_empty();
                match walker.way(steps, pending) {
                    Some(way) => break Some((thread, way)),
                    None => open.retain(|&other| other != thread),
                }
            };
            let Some((thread, way)) = next else {
                if !circles {
                    self.end(state, &list);
                }
                break threads;
            };
            step += 1;
            let to = self.go(state, &list, thread, way)?;
            if self.layout.sharing.borrow().learnt {
                return Err(Stopped::Learnt);
            }
            let Some(to) = to else { break threads };
            walker.went(thread, to, self.list(to)[0] != shared);
            state = to;
        };
        Ok((step, threads as u32))
    }

    /// Where a thread is, as a number.
    fn place(&self, local: u32) -> u64 {
        let frames = self.locals.get(local).thread.as_ref().map(|thread| thread.frames());
        let mut hasher = Quick::default().build_hasher();
        for frame in frames.unwrap_or_default() {
            (frame.function, frame.block, frame.next).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Whether a thread has not ended, or has stores in its buffer.
    fn may_move(&self, list: &[u32], thread: ThreadId) -> bool {
        self.locals.get(list[at(thread)]).thread.is_some()
            || !self.shareds.get(list[0]).buffers[thread].is_empty()
    }

    /// Makes one of the steps of a thread, or the next one for its buffer; gives where it leads to,
    /// unless something is wrong there.
    pub(crate) fn go(
        &mut self,
        state: StateId,
        list: &[u32],
        thread: ThreadId,
        way: usize,
    ) -> Result<Option<StateId>, Stopped> {
        let steps = self.steps(thread, list[at(thread)], list[0])?;
        let flushes = way == steps.len();
        let way = Way::new(state, thread, if flushes { FLUSH } else { way as u16 });
        let mut list = list.to_vec();
        if flushes {
            list[0] = match self.flush(list[0], thread) {
                Some(Ok(after)) => after,
                Some(Err(kind)) => {
                    self.find(kind, None, way);
                    return Ok(None);
                }
                None => return Ok(None),
            };
            return Ok(Some(self.number(&list, way)));
        }
        let numbers = &steps[way.step as usize];
        self.cover(way, numbers);
        match numbers {
            Numbers::Next { local, shared, spawned, .. } => {
                list[0] = *shared;
                list[at(thread)] = *local;
                list.extend(spawned);
                Ok(Some(self.number(&list, way)))
            }
            Numbers::Wrong { kind, place, .. } => {
                self.find(kind.clone(), *place, way);
                Ok(None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::ids::{Id, IdVec};

    /// Lets threads run that make three steps each; gives who made them.
    fn steps(number: u32) -> Vec<usize> {
        let mut walker = Walker::new(number, (12, 4));
        walker.order = first_threads(4).collect();
        let mut left: IdVec<ThreadId, u64> = vec![3; 4].into();
        let mut made = Vec::new();
        for step in 0.. {
            let open: Vec<ThreadId> = left.ids().filter(|&thread| left[thread] > 0).collect();
            if open.is_empty() {
                break;
            }
            let thread = walker.choose(&open, step, |thread| left[thread]);
            left[thread] -= 1;
            made.push(thread.index());
            walker.went(thread, StateId::new(step as usize), true);
        }
        made
    }

    #[test]
    fn everybody_comes_to_the_end_in_every_plan() {
        for number in 0..1000 {
            let mut made = steps(number);
            assert_eq!(made, steps(number));
            made.sort_unstable();
            assert_eq!(made, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
        }
    }

    #[test]
    fn walks_differ() {
        let all: std::collections::BTreeSet<_> = (0..1000).map(steps).collect();
        assert!(all.len() > 300, "{}", all.len());
    }

    #[test]
    fn who_is_alone_at_a_place_is_drawn_as_often_as_all_who_are_at_another() {
        let mut walker = Walker::new(0, (1, 1));
        let threads: Vec<ThreadId> = first_threads(50).collect();
        let alone = |thread: ThreadId| u64::from(thread.index() == 17);
        let drawn = (0..1000).filter(|_| walker.draw(&threads, alone).index() == 17).count();
        assert!((400..600).contains(&drawn), "{drawn}");
    }

    #[test]
    fn who_goes_round_in_circles_waits_until_memory_changes() {
        let mut walker = Walker::new(2, (1, 1));
        for state in [5, 6, 5] {
            walker.went(ThreadId::new(1), StateId::new(state), false);
        }
        assert_eq!(walker.tired, [ThreadId::new(1)]);
        walker.went(ThreadId::new(2), StateId::new(7), true);
        assert!(walker.tired.is_empty());
    }
}
