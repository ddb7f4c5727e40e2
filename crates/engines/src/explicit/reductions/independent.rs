//! Independent threads: a thread that does not interfere with the others, explored separately.
//!
//! What the others do does not depend on such a thread, so their states are visited first, with the
//! thread standing still. Then the thread is run in all of them: if it can be at some point of its
//! own while the others are in some state, it can be there in every state to which they go on. So
//! for each of its own states, the states of the others are a set that is closed under their steps,
//! a bit for each, and the product is never built. (In general threads influence each other, and
//! to pair each of them with what the others do to memory is an approximation: C. Flanagan,
//! S. Qadeer, "Thread-modular model checking", SPIN 2003. Here it is exact.)
//!
//! The thread makes its next step as early as it can see what it sees: if a step of the others does
//! not change what it is about to read, to go after that step is to go before it. (Which of two
//! independent steps comes first does not matter: P. Godefroid, "Partial-Order Methods for the
//! Verification of Concurrent Systems", LNCS 1032, 1996; an independent thread never has to be
//! put to sleep for its own sake.)
//!
//! When the thread has ended, the others go on as they do in the search in which it ran at once:
//! they notice neither when it ends nor how, because that is always the same. What is left to be
//! asked of both together is whether it ends at all, and what it leaves behind. If it may go round
//! in circles or wait, or if it leaves blocks, or writes to what it has not made, this file gives
//! up, and the thread is explored together with the others.
//!
//! Soundness S-133 (verify; sc, tso; misses): A thread that only reads what others write is
//! explored separately; an error in that argument would lose executions. Test:
//! crates/fencepost/tests/state_space/main.rs::threads_can_be_looked_at_together_and_told_apart,
//! crates/xtask/tests/shortcuts.rs::shortcuts_change_nothing.

use crate::explicit::counterexamples::rerun;
use crate::explicit::machine::layout::{Layout, Map, Object};
use crate::explicit::machine::state::{Kind, Life, Local, Made, Numbered, Part, Shared};
use crate::explicit::machine::step::{After, StepOutcome, steps};
use crate::explicit::machine::world::Seen;
use crate::explicit::properties::liveness::Steps;
use crate::explicit::search::ids::StateId;
use crate::explicit::search::{MORE, POLL_INTERVAL, Search, Stopped, Way, at};
use crate::verdict::{Counterexample, Violation};
use crate::verification::Property;
use encoding::bounded::Goal;
use execution::event::ThreadId;
use execution::ids::{Id, IdVec};
use ir::value::Value;
use sat::Limits;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};
use std::sync::Arc;

/// So many words of bits, and memory might run out.
const MOST_WORDS: usize = 1 << 27;

/// Why the thread was not looked at to its end.
enum Halt {
    /// It has to be looked at together with the others.
    Together,
    Stopped(Stopped),
}

impl From<Stopped> for Halt {
    fn from(stopped: Stopped) -> Self {
        Halt::Stopped(stopped)
    }
}

/// A state of the thread: where it is, and what it has made.
#[derive(PartialEq, Eq, Hash)]
struct Own {
    local: Local,
    made: Vec<Part<Made>>,
}

execution::id! {
    /// A state of the thread, with what it has made.
    pub struct OwnId("o");
}

execution::id! {
    /// A moment: a position in the order in which they were found.
    pub struct MomentId("m");
}

/// The thread comes to a state of its own by a step, while the others are in a state of theirs.
#[derive(Clone, Copy)]
struct Moment {
    own: OwnId,
    others: StateId,
    /// From which moment; the others may have made steps since.
    from: Option<MomentId>,
    step: u16,
    /// How many steps the thread has made.
    steps: u32,
}

/// A set of numbers that lie close together.
#[derive(Default)]
struct Bits {
    /// How many words are left out before the first.
    skipped: usize,
    words: Vec<u64>,
}

impl Bits {
    fn contains(&self, number: usize) -> bool {
        let word = (number / 64).checked_sub(self.skipped);
        let word = word.and_then(|word| self.words.get(word));
        word.is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Adds a number; gives how many words that takes.
    fn insert(&mut self, number: usize) -> usize {
        let (word, before) = (number / 64, self.words.len());
        if self.words.is_empty() {
            self.skipped = word;
        }
        if word < self.skipped {
            let more = self.skipped - word;
            self.words.splice(0..0, std::iter::repeat_n(0, more));
            self.skipped = word;
        }
        let word = word - self.skipped;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (number % 64);
        self.words.len() - before
    }
}

/// What the steps of the thread from one of its states depend on.
enum Depends {
    /// On nothing that others change.
    Nothing,
    /// On one value that it reads.
    Value(Seen),
    /// On more.
    More,
}

/// Where steps lead: to states of the thread, by number, each with the number of the step.
type Led = Vec<(OwnId, u16)>;

/// The steps of a thread at one of its states, as far as they are known.
#[derive(Default)]
struct Known {
    depends: Option<Depends>,
    by_value: Map<Option<Value>, Led>,
}

struct Apart<'s, 'a> {
    search: &'s mut Search<'a>,
    thread: ThreadId,
    /// The steps of the others, and how far their states are from the first.
    others: Steps<StateId>,
    depths: IdVec<StateId, u32>,
    owns: Numbered<Own>,
    /// For each state of the thread, with which states of the others it was seen.
    seen: IdVec<OwnId, Bits>,
    words: usize,
    moments: IdVec<MomentId, Moment>,
    open: BinaryHeap<Reverse<(u32, MomentId)>>,
    /// Which states of the thread follow which, if somebody asks who waits for ever.
    edges: Vec<(OwnId, OwnId)>,
    looked: u32,
}

/// Looks at the thread that stands still in a search, when all states of the others have been
/// visited. Gives how many states it has, or nothing if it has to be looked at together with them.
pub(crate) fn explore(
    search: &mut Search<'_>,
    thread: ThreadId,
    limits: &Limits,
    most: usize,
) -> Result<Option<usize>, Stopped> {
    let others = Steps::new(search.states(), &search.edges);
    let depths = depths(search);
    let mut apart = Apart {
        search,
        thread,
        others,
        depths,
        owns: Numbered::new(),
        seen: IdVec::new(),
        words: 0,
        moments: IdVec::new(),
        open: BinaryHeap::new(),
        edges: Vec::new(),
        looked: 0,
    };
    match apart.run(limits, most) {
        Ok(()) => Ok(Some(apart.seen.len())),
        Err(Halt::Together) => Ok(None),
        Err(Halt::Stopped(stopped)) => Err(stopped),
    }
}

/// How far each state is from the first.
fn depths(search: &Search<'_>) -> IdVec<StateId, u32> {
    let mut depths: IdVec<StateId, u32> = IdVec::new();
    for state in (0..search.states()).map(StateId::new) {
        let is_first = state == StateId::FIRST;
        let depth = if is_first { 0 } else { depths[search.way(state).from] + 1 };
        depths.push(depth);
    }
    depths
}

impl Apart<'_, '_> {
    fn run(&mut self, limits: &Limits, most: usize) -> Result<(), Halt> {
        for state in (0..self.depths.len()).map(StateId::new) {
            let Some(&local) = self.search.list(state).get(at(self.thread)) else { continue };
            let local = (**self.search.locals.get(local)).clone();
            let own = self.number(Own { local, made: Vec::new() })?;
            if !self.seen[own].contains(state.index()) {
                let moment = Moment { own, others: state, from: None, step: 0, steps: 0 };
                let moment = self.moments.push(moment);
                self.flood(moment, limits)?;
            }
        }
        let mut more = MORE;
        while !self.search.is_done() || more > 0 {
            more -= usize::from(self.search.is_done());
            let Some(Reverse((_, moment))) = self.open.pop() else { break };
            self.flood(moment, limits)?;
            if self.moments.len() > most || self.words > MOST_WORDS {
                return Err(Stopped::Many.into());
            }
        }
        match self.search.asks_who_waits() && has_a_circle(self.seen.len(), &self.edges) {
            true => Err(Halt::Together),
            false => Ok(()),
        }
    }

    fn number(&mut self, own: Own) -> Result<OwnId, Halt> {
        let leaves = |made: &Part<Made>| {
            let made = made.get();
            matches!(made.kind, Kind::Heap(..)) && made.life == Life::Alive
        };
        if own.local.thread.is_none()
            && self.search.wanted.properties.contains(&Property::Leak)
            && own.made.iter().any(leaves)
        {
            return Err(Halt::Together);
        }
        let number = OwnId::new(self.owns.number(own) as usize);
        if number == self.seen.next_id() {
            self.seen.push(Bits::default());
        }
        Ok(number)
    }

    /// The thread is at a point of its own, and the others go on from where they are.
    fn flood(&mut self, number: MomentId, limits: &Limits) -> Result<(), Halt> {
        let moment = self.moments[number];
        let own = self.own(moment.own).clone();
        if own.local.thread.is_none() {
            return Ok(());
        }
        let mut known = Known::default();
        // States of the others, each with the one before it.
        let mut open = vec![(moment.others, None)];
        while let Some((state, before)) = open.pop() {
            if self.seen[moment.own].contains(state.index()) {
                continue;
            }
            self.words += self.seen[moment.own].insert(state.index());
            self.steps(number, &own, &mut known, state, before)?;
            let next = self.others.from(state).iter();
            open.extend(next.map(|&next| (next, Some(state))));
            self.looked += 1;
            if self.looked.is_multiple_of(POLL_INTERVAL) && limits.expired() {
                return Err(Stopped::Limit.into());
            }
        }
        Ok(())
    }

    /// The steps of the thread while the others are in a state, unless it could have made them
    /// before.
    fn steps(
        &mut self,
        number: MomentId,
        own: &Own,
        known: &mut Known,
        state: StateId,
        before: Option<StateId>,
    ) -> Result<(), Halt> {
        let value = |state: StateId| match &known.depends {
            Some(Depends::Nothing) => Some(None),
            Some(Depends::Value(seen)) => value(self.memory(state), *seen).map(Some),
            Some(Depends::More) | None => None,
        };
        if let Some(now) = value(state) {
            if before.is_some_and(|before| value(before) == Some(now)) {
                return Ok(());
            }
            if let Some(led) = known.by_value.get(&now) {
                return led.iter().try_for_each(|&(to, step)| self.come(number, to, state, step));
            }
        }
        let memory = self.memory(state).clone();
        let outcomes = self.outcomes(own, &memory)?;
        let depends = depends(&outcomes);
        let at = match &depends {
            Depends::Nothing => Some(None),
            Depends::Value(seen) => Some(Some(seen.value)),
            Depends::More => None,
        };
        // What it reads next does not depend on what others do.
        known.depends = Some(match (known.depends.take(), depends) {
            (None, now) => now,
            (Some(Depends::Value(a)), Depends::Value(b))
                if (a.object, a.offset, a.value.width) == (b.object, b.offset, b.value.width) =>
            {
                Depends::Value(b)
            }
            (Some(Depends::Nothing), Depends::Nothing) => Depends::Nothing,
            _ => Depends::More,
        });
        let mut led = Led::new();
        for (step, StepOutcome { after, goals, .. }) in outcomes.into_iter().enumerate() {
            let step = step as u16;
            self.cover(number, state, step, goals)?;
            match after {
                After::Next { local, shared, spawned } => {
                    if !spawned.is_empty() || !self.is_alone_changed(&memory, &shared) {
                        return Err(Halt::Together);
                    }
                    let made = shared.made[self.thread].clone();
                    let to = self.number(Own { local: *local, made })?;
                    led.push((to, step));
                    self.come(number, to, state, step)?;
                }
                After::Wrong { kind, place } => {
                    self.search.found.ends_at(&kind, place);
                    if let Some(property) = Property::of(&kind)
                        && self.search.is_open(property)
                    {
                        let path = self.path(number, state, step);
                        let witness = rerun::along(self.search, &path, true)?;
                        let violation = Violation::Finding { kind, place };
                        let found = Counterexample { violation, witness: Some(witness) };
                        self.search.found.violations.insert(property, found);
                    }
                }
            }
        }
        if let Some(at) = at {
            known.by_value.insert(at, led);
        }
        Ok(())
    }

    /// What the thread can do next.
    fn outcomes(&mut self, own: &Own, memory: &Arc<Shared>) -> Result<Vec<StepOutcome>, Halt> {
        let layout: &Layout<'_> = self.search.layout;
        let outcomes = match own.made.is_empty() {
            true => steps(layout, &own.local, memory, false, None)?,
            false => {
                let mut memory = (**memory).clone();
                memory.made[self.thread] = own.made.clone();
                steps(layout, &own.local, &Arc::new(memory), false, None)?
            }
        };
        if layout.sharing.borrow().learnt {
            return Err(Stopped::Learnt.into());
        }
        // Who waits may wait for ever.
        match outcomes.is_empty() && self.search.asks_who_waits() {
            true => Err(Halt::Together),
            false => Ok(outcomes),
        }
    }

    /// The thread comes to a state of its own.
    fn come(&mut self, from: MomentId, to: OwnId, others: StateId, step: u16) -> Result<(), Halt> {
        let Moment { own, steps, .. } = self.moments[from];
        if self.search.asks_who_waits() {
            if own == to {
                return Err(Halt::Together);
            }
            if self.edges.last() != Some(&(own, to)) {
                self.edges.push((own, to));
            }
        }
        let ended = self.own(to).local.thread.is_none();
        if !ended && !self.seen[to].contains(others.index()) {
            let steps = steps + 1;
            let moment = Moment { own: to, others, from: Some(from), step, steps };
            let number = self.moments.push(moment);
            self.open.push(Reverse((self.depths[others] + steps, number)));
        }
        Ok(())
    }

    fn cover(
        &mut self,
        number: MomentId,
        state: StateId,
        step: u16,
        goals: Vec<Goal>,
    ) -> Result<(), Halt> {
        if !self.search.wanted.coverage {
            return Ok(());
        }
        let new = |goal: &Goal| !self.search.covered.contains(goal);
        let new: BTreeSet<Goal> = goals.into_iter().filter(new).collect();
        if !new.is_empty() {
            self.search.covered.extend(&new);
            let path = self.path(number, state, step);
            let witness = rerun::along(self.search, &path, false)?;
            let coverage = &mut self.search.found.coverage;
            let number = coverage.witnesses.len();
            coverage.witnesses.push(witness);
            coverage.reached.extend(new.into_iter().map(|goal| (goal, number)));
        }
        Ok(())
    }

    fn own(&self, id: OwnId) -> &Arc<Own> {
        self.owns.get(id.index() as u32)
    }

    fn memory(&self, state: StateId) -> &Arc<Shared> {
        self.search.shareds.get(self.search.list(state)[0])
    }

    /// Whether a step has changed nothing but what the thread has made, and whether it has ended.
    fn is_alone_changed(&self, before: &Arc<Shared>, after: &Arc<Shared>) -> bool {
        let others = |shared: &Shared| shared.endings.ids();
        if Arc::ptr_eq(before, after) {
            return true;
        }
        before.globals == after.globals
            && before.buffers == after.buffers
            && before.endings.len() == after.endings.len()
            && others(before).filter(|&other| other != self.thread).all(|other| {
                before.endings[other] == after.endings[other]
                    && before.made[other] == after.made[other]
            })
    }

    /// All steps up to one of the thread, which it makes from a moment on and while the others are
    /// in a state.
    fn path(&self, number: MomentId, state: StateId, step: u16) -> Vec<Way> {
        let mut moments = vec![self.moments[number]];
        while let Some(before) = moments.last().and_then(|last| last.from) {
            moments.push(self.moments[before]);
        }
        moments.reverse();
        let own = |step: u16| Way::new(StateId::FIRST, self.thread, step);
        let mut now = moments[0].others;
        let mut path = self.search.path(now);
        for moment in &moments[1..] {
            path.extend(self.between(now, moment.others));
            path.push(own(moment.step));
            now = moment.others;
        }
        path.extend(self.between(now, state));
        path.push(own(step));
        path
    }

    /// Steps of the others from one state to another to which they lead.
    fn between(&self, from: StateId, to: StateId) -> Vec<Way> {
        let mut before: Map<StateId, Way> = Map::default();
        let mut open = VecDeque::from([from]);
        while let Some(state) = open.pop_front()
            && state != to
        {
            let first = self.others.first(state);
            for (edge, &next) in self.others.from(state).iter().enumerate() {
                if next != from && !before.contains_key(&next) {
                    // They were written down in the order of the states from which they lead.
                    before.insert(next, self.search.labels[first + edge]);
                    open.push_back(next);
                }
            }
        }
        let (mut state, mut path) = (to, Vec::new());
        while let Some(&way) = before.get(&state)
            && state != from
        {
            path.push(way);
            state = way.from;
        }
        path.reverse();
        path
    }
}

/// What steps depend on: all must have read the same, and no more than one value.
fn depends(outcomes: &[StepOutcome]) -> Depends {
    let mut reads = outcomes.iter().map(|outcome| outcome.reads.as_slice());
    match reads.next() {
        Some([]) if reads.all(|reads| reads.is_empty()) => Depends::Nothing,
        Some([first]) => {
            let same = |reads: &[Seen]| match reads {
                [seen] => (seen.object, seen.offset) == (first.object, first.offset),
                _ => false,
            };
            if reads.all(same) { Depends::Value(*first) } else { Depends::More }
        }
        _ => Depends::More,
    }
}

/// What is now where something was read, if that is still there.
fn value(memory: &Shared, seen: Seen) -> Option<Value> {
    let (offset, width) = (seen.offset as usize, seen.value.width);
    match seen.object {
        Object::Global(id) => Some(memory.globals[id].get().read(offset, width)),
        Object::Made(id) => {
            let made = memory.object(id);
            (made.life == Life::Alive).then(|| made.contents.read(offset, width))
        }
        Object::Function(_) => None,
    }
}

/// Whether somebody can come back to where it was.
fn has_a_circle(states: usize, edges: &[(OwnId, OwnId)]) -> bool {
    let steps = Steps::new(states, edges);
    let mut before = vec![0u32; states];
    edges.iter().for_each(|&(_, to)| before[to.index()] += 1);
    let all = (0..states).map(OwnId::new);
    let mut open: Vec<OwnId> = all.filter(|state| before[state.index()] == 0).collect();
    let mut left = states;
    while let Some(state) = open.pop() {
        left -= 1;
        for &to in steps.from(state) {
            before[to.index()] -= 1;
            if before[to.index()] == 0 {
                open.push(to);
            }
        }
    }
    left > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_grows_in_both_directions() {
        let mut bits = Bits::default();
        for number in [200, 70, 71, 700, 0] {
            assert!(!bits.contains(number));
            bits.insert(number);
            assert!(bits.contains(number));
        }
        let all: Vec<usize> = (0..1000).filter(|&number| bits.contains(number)).collect();
        assert_eq!(all, [0, 70, 71, 200, 700]);
    }

    #[test]
    fn circles_are_found_wherever_they_are() {
        let has = |states: usize, edges: &[[usize; 2]]| {
            let edges: Vec<_> = edges.iter().map(|edge| edge.map(OwnId::new).into()).collect();
            has_a_circle(states, &edges)
        };
        assert!(!has(4, &[[0, 1], [0, 2], [1, 3], [2, 3]]));
        assert!(has(4, &[[0, 1], [1, 2], [2, 3], [3, 1]]));
        assert!(!has(0, &[]));
    }
}
