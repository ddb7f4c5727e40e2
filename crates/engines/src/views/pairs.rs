//! The fixpoint of views of two tracked threads: what a lock that is handed from one thread to the
//! next needs.
//!
//! The idea: a *pair* is what two threads know of a state, and which objects they have in common.
//! Every pair of threads of every reachable state is in the fixpoint: it contains the pair of the
//! first state; a step of one of the two is a step of the pair; and for a step of a third thread,
//! that thread makes a known pair with each of the two. So three pairs that agree are put together
//! to a state of three threads, the third one steps, and what the other two then know is a pair. This
//! is the abstraction of views of size two of P. A. Abdulla, F. Haziza, L. Holík, "All for the price
//! of few" (VMCAI 2013), which concretises to one thread more. Which objects the threads have in
//! common need not be guessed here: each of the three pairs says it.
//!
//! A pair is stored as two views of one thread, by number, and for each object of the second that
//! the first knows, too, which one it is.
//!
//! Deviation: an effect of the third thread is applied to a pair once for all third threads that have
//! it and know the same of its objects.
//!
//! A mistake here would take a wrong data type for right.
//!
//! Soundness S-250 (prove; sc, tso; refuses): More than 50,000 pairs or 1,000,000 steps of third
//! threads are too many, and so are 127 objects that only one thread leads to: then the answer is `?`.
//! Test: crates/engines/src/views/pair_tests.rs::the_pairs_of_two_and_three_threads_are_in_the_fixpoint.

use super::effect::{Effect, effect};
use super::heap::{
    Life, MADE, Object, OddPointer, Own, Quick, REPLACED, Shared, canonical, renamed, seen_by,
};
use super::history::{Alarming, Rejected, settle};
use super::machine::{Descriptor, Machine};
use super::makers::{Candidate, Meeting, Waiting};
use super::parts::Parts;
use super::parts::Seen;
use super::search::{Ended, SharedId, Tracked, kinds};
use super::several::{State, odd_pointer, successors};
use super::spec::{AbstractId, Spec};
use super::spin::{Loops, Stay};
use super::step::{Went, steps};
use super::trace::{TraceAccess, TraceStep, Who};
use execution::id;
use execution::ids::{Id, IdVec};
use hashbrown::{HashMap, HashSet};
use ir::program::LocId;
use ir::value::RegionId;
use sat::{Limits, Poll};
use std::collections::VecDeque;
use std::sync::Arc;

/// More pairs, or more states of three threads, are too many.
const MOST_PAIRS: usize = 50_000;
/// More objects that only one thread leads to are refused: their numbers have seven bits.
const MOST_OBJECTS: usize = 126;
const MOST_TRIPLES: u64 = 1_000_000;

id! {
    /// What one thread knows.
    pub struct SingleId("t");
}

id! {
    /// What two threads know.
    pub struct PairId("p");
}

/// What one thread knows.
struct Single {
    shared: SharedId,
    tracked: Arc<Tracked>,
    /// The effects of its steps.
    acts: Vec<u32>,
    /// The threads with which it makes pairs whose own steps have been taken.
    partners: Vec<(SingleId, Known)>,
}

/// What two threads have in common: which objects of the first those of the second are, and which of
/// the second those of the first.
#[derive(Clone, PartialEq, Eq)]
struct Known {
    first: Common,
    second: Common,
}

impl Known {
    fn swapped(&self) -> Self {
        Self { first: self.second.clone(), second: self.first.clone() }
    }
}

/// For each object of the second thread, the object of the first that it is.
type Common = Arc<[Option<u8>]>;

/// What two threads know.
struct Pair {
    members: [SingleId; 2],
    common: Common,
    origin: Origin,
}

/// Where a pair comes from.
struct Origin {
    before: Option<PairId>,
    /// Whether the second thread was the first before.
    swapped: bool,
    /// Which of the threads made the step, in the order before it; nothing for a third one.
    who: Option<usize>,
    operation: String,
    seen: Arc<[Seen]>,
}

/// An alarm, with the pair before the step.
pub(super) struct PairAlarm {
    pub what: Alarming,
    pub place: Option<LocId>,
    pub trace: Vec<TraceStep>,
}

/// How a search ended.
pub(super) enum PairsEnded {
    Alarm(Box<PairAlarm>),
    /// As searches of views of one thread do.
    Else(Ended),
}

pub(super) struct Pairs<'m, 'a> {
    machine: &'m Machine<'m>,
    spec: &'a Spec,
    limits: &'a Limits,
    pub shared: IdVec<SharedId, Arc<Shared>>,
    shown: IdVec<SharedId, AbstractId>,
    shared_numbers: HashMap<Arc<Shared>, SharedId, Quick>,
    singles: IdVec<SingleId, Single>,
    single_numbers: HashMap<(SharedId, Arc<Tracked>), SingleId, Quick>,
    pairs: IdVec<PairId, Pair>,
    pair_numbers: HashMap<(SingleId, SingleId, Common), PairId, Quick>,
    effects: HashMap<(SharedId, Effect), u32, Quick>,
    /// The pairs of two views, either way, whose own steps have been taken.
    met: HashMap<(SingleId, SingleId), Vec<Known>, Quick>,
    /// The effects that have been applied to pairs, with the objects in common.
    applied: HashSet<(PairId, u32, Vec<u8>), Quick>,
    parts: Parts,
    open: VecDeque<PairId>,
    /// How many states of three threads were put together.
    pub triples: u64,
    /// Whether an execution got larger than the bound.
    pub cut: bool,
    /// The most stores that waited in a store buffer.
    pub waiting: usize,
    /// Whether what two threads have in common is known; only tests forget it.
    pub common_objects: bool,
    /// The steps that may be parts of loops, each of one thread of a pair.
    loops: Loops,
}

/// Three pairs: what each of three threads has in common with the others.
struct Triple {
    members: [SingleId; 3],
    /// Of the first and second, the first and third, the second and third.
    known: [Known; 3],
}

impl Triple {
    /// The two other threads, what they have in common, and what each of them has in common with
    /// this one: which of its objects those of this one are.
    fn without(&self, thread: usize) -> ([usize; 2], &Common, [&Common; 2]) {
        let [ab, ac, bc] = &self.known;
        match thread {
            0 => ([1, 2], &bc.first, [&ab.second, &ac.second]),
            1 => ([0, 2], &ac.first, [&ab.first, &bc.second]),
            _ => ([0, 1], &ab.first, [&ac.first, &bc.first]),
        }
    }
}

/// A step of one of the two threads of a pair.
struct OwnStep {
    pair: PairId,
    thread: usize,
    operation: String,
    seen: Arc<[Seen]>,
}

/// A step of a third thread.
struct Third {
    thread: usize,
    operation: String,
    /// The two threads that are a pair, which pair that is before the step, and whether that has
    /// them the other way.
    others: [usize; 2],
    before: PairId,
    swapped: bool,
}

impl<'m, 'a> Pairs<'m, 'a> {
    pub fn new(machine: &'m Machine<'m>, spec: &'a Spec, limits: &'a Limits) -> Self {
        Self {
            machine,
            spec,
            limits,
            shared: IdVec::new(),
            shown: IdVec::new(),
            shared_numbers: HashMap::default(),
            singles: IdVec::new(),
            single_numbers: HashMap::default(),
            pairs: IdVec::new(),
            pair_numbers: HashMap::default(),
            effects: HashMap::default(),
            met: HashMap::default(),
            applied: HashSet::default(),
            parts: Parts::default(),
            open: VecDeque::new(),
            triples: 0,
            cut: false,
            waiting: 0,
            common_objects: true,
            loops: Loops::default(),
        }
    }

    /// How many pairs are known.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The kinds of objects that threads make and publish.
    pub fn published(&self) -> Vec<Descriptor> {
        let own = self.singles.iter().flat_map(|single| &single.tracked.own.objects);
        let shared = self.shared.iter().flat_map(|shared| &shared.objects);
        kinds(shared.chain(own))
    }

    /// Finds all pairs from a memory on.
    pub fn run(&mut self, initial: &Shared, progress: &dyn Fn(usize)) -> PairsEnded {
        let poll = Poll::new(self.limits, 16);
        let idle = [Own::default(), Own::default()].to_vec();
        let (shared, private) = (initial.clone(), Vec::new());
        let first = State { shared, private, threads: idle, running: vec![None, None] };
        let (seen, operation) = (Arc::from([]), String::new());
        let origin = Origin { before: None, swapped: false, who: None, operation, seen };
        if let Err(rejected) = self.add(&first, [0, 1], origin) {
            return self.rejected(rejected, None, None).expect("nothing is past the bound");
        }
        let mut done = 0;
        while let Some(pair) = self.open.pop_front() {
            if poll.expired() || self.pairs.len() > MOST_PAIRS || self.triples > MOST_TRIPLES {
                return PairsEnded::Else(Ended::Limit);
            }
            done += 1;
            if done % 256 == 0 {
                progress(self.pairs.len());
            }
            let ended = self.own_steps(pair).or_else(|| self.third_steps(pair));
            // What was found with less knowledge may be no alarm.
            if self.machine.facts.borrow().grown {
                return PairsEnded::Else(Ended::Learnt);
            }
            if let Some(ended) = ended {
                return ended;
            }
        }
        let mut facts = self.machine.facts.borrow_mut();
        facts.loops(&self.loops);
        if self.machine.rung.makers.is_some() && self.waiting_threads().ends() {
            facts.waits_end();
        }
        drop(facts);
        PairsEnded::Else(Ended::Proved)
    }

    /// The steps of the two threads of a pair.
    fn own_steps(&mut self, pair: PairId) -> Option<PairsEnded> {
        let Pair { members, common, .. } = &self.pairs[pair];
        let (members, common) = (*members, common.clone());
        let state = match self.state(&members, &[((0, 1), common)]) {
            Ok(state) => state.expect("a pair agrees with itself"),
            Err(OddPointer) => return self.rejected(odd_pointer(), None, None),
        };
        for (thread, member) in members.into_iter().enumerate() {
            let machine = self.machine;
            let before = self.operation(member);
            for successor in self.successors(&state, thread) {
                let name = successor.began.map(|at| machine.prepared.operations[at].name.clone());
                let operation = name.unwrap_or_else(|| before.clone());
                let seen = self.parts.seen(&successor.seen);
                let who = Some(thread);
                let step =
                    OwnStep { pair, thread, operation: operation.clone(), seen: seen.clone() };
                let (place, on_lock) = (successor.place, successor.on_lock);
                let stays = successor.began.is_none() && !successor.ended && !successor.acts;
                let added = successor.to.and_then(|to| {
                    let before = Some(pair);
                    let origin = Origin { before, swapped: false, who, operation, seen };
                    let (number, swapped) = self.add(&to, [0, 1], origin)?;
                    if state.running[thread].is_some() {
                        let holds = [&state, &to].map(|of| of.threads[thread].holds_lock());
                        let from = node(pair, thread, false);
                        let to_node = node(number, thread, swapped);
                        match stays && to.shared == state.shared {
                            true => self.loops.stay(Stay {
                                from,
                                to: to_node,
                                place,
                                holds: holds == [true, true],
                                on_lock,
                            }),
                            false => self.loops.leave(from),
                        }
                    }
                    Ok(())
                });
                if matches!(added, Err(Rejected::Past)) {
                    self.loops.leave(node(pair, thread, false));
                }
                if let Err(rejected) = added
                    && let Some(ended) = self.rejected(rejected, place, Some(step))
                {
                    return Some(ended);
                }
            }
        }
        None
    }

    fn operation(&self, single: SingleId) -> String {
        let running = self.singles[single].tracked.running.as_ref();
        let number = running.map(|running| self.spec.invocations[running.invocation.index()].0);
        number.map_or(String::new(), |at| self.machine.prepared.operations[at].name.clone())
    }

    fn successors(&mut self, state: &State, thread: usize) -> Vec<super::several::Successor> {
        let (machine, spec) = (self.machine, self.spec);
        successors((machine, spec), state, thread, &mut |shared| {
            self.number(shared.clone()).map(|number| self.shown[number])
        })
    }

    /// The steps of third threads that a new pair makes possible.
    fn third_steps(&mut self, pair: PairId) -> Option<PairsEnded> {
        let Pair { members: [a, b], common, .. } = &self.pairs[pair];
        let (a, b) = (*a, *b);
        let known = Known { first: common.clone(), second: inverse(common) };
        self.remember(a, b, known.clone());
        self.remember(b, a, known.swapped());
        for at in 0..self.singles[a].partners.len() {
            let (c, ac) = self.singles[a].partners[at].clone();
            if [a, b, c].iter().all(|member| self.singles[*member].acts.is_empty()) {
                continue;
            }
            for bc in self.met.get(&(b, c)).cloned().unwrap_or_default() {
                let known = [known.clone(), ac.clone(), bc];
                if let Some(ended) = self.act(&Triple { members: [a, b, c], known }) {
                    return Some(ended);
                }
            }
        }
        None
    }

    /// The own steps of a pair have been taken.
    fn remember(&mut self, a: SingleId, b: SingleId, known: Known) {
        let met = self.met.entry((a, b)).or_default();
        if !met.contains(&known) {
            met.push(known.clone());
            self.singles[a].partners.push((b, known));
        }
    }

    /// Each thread of a triple steps; the other two are a pair before and after.
    fn act(&mut self, triple: &Triple) -> Option<PairsEnded> {
        for thread in 0..3 {
            let ([a, b], common, with) = triple.without(thread);
            let members = [triple.members[a], triple.members[b]];
            let (ordered, common, swapped) = self.in_order(members, common.clone());
            let key = (ordered[0], ordered[1], common);
            let before = *self.pair_numbers.get(&key).expect("a pair of a triple");
            let with = if swapped { [with[1], with[0]] } else { with };
            let mut fresh = Vec::new();
            let single = &self.singles[triple.members[thread]];
            let place = |object: usize| {
                let of = |common: &Common| common.get(object).copied().flatten();
                let second = || of(with[1]).map(|at| at | SECOND);
                of(with[0]).or_else(second).unwrap_or(u8::MAX)
            };
            // All its objects: an effect may concern some that it does not keep, by their tokens.
            let places: Vec<u8> = (0..single.tracked.own.objects.len()).map(place).collect();
            for effect in &single.acts {
                let key = (before, *effect, places.clone());
                if !self.applied.contains(&key) {
                    fresh.push(key);
                }
            }
            if fresh.is_empty() {
                continue;
            }
            let state = match self.together(triple) {
                Ok(Some(state)) => state,
                Ok(None) => continue,
                Err(OddPointer) => return self.rejected(odd_pointer(), None, None),
            };
            self.applied.extend(fresh);
            let operation = self.operation(triple.members[thread]);
            let step = Third { thread, operation, others: [a, b], before, swapped };
            if let Some(ended) = self.acts_on(&state, step) {
                return Some(ended);
            }
        }
        None
    }

    /// The state of three threads that a triple is, if its pairs agree.
    fn together(&self, triple: &Triple) -> Result<Option<State>, OddPointer> {
        let [ab, ac, bc] = &triple.known;
        let common = [((0, 1), &ab.first), ((0, 2), &ac.first), ((1, 2), &bc.first)];
        self.state(&triple.members, &common.map(|(at, common)| (at, common.clone())))
    }

    /// One thread of three steps.
    fn acts_on(&mut self, state: &State, step: Third) -> Option<PairsEnded> {
        let Third { thread, operation, others, before, swapped } = step;
        self.triples += 1;
        for successor in self.successors(state, thread) {
            let to = match successor.to {
                // Then these threads know too little of what it leads to.
                Err(Rejected::Alarm(Alarming::Cut)) => Err(Rejected::Alarm(Alarming::Cut)),
                Ok(to) => Ok(to),
                // What is wrong with the step shows in the pairs of its own thread.
                Err(_) => continue,
            };
            let (operation, seen) = (operation.clone(), self.parts.seen(&successor.seen));
            let origin = Origin { before: Some(before), swapped, who: None, operation, seen };
            if let Err(rejected) = to.and_then(|to| self.add(&to, others, origin))
                && let Some(ended) = self.rejected(rejected, None, None)
            {
                return Some(ended);
            }
        }
        None
    }

    /// Puts two views into the order in which a pair has them.
    fn in_order(&self, [a, b]: [SingleId; 2], common: Common) -> ([SingleId; 2], Common, bool) {
        let common = trimmed(common);
        let inverse = inverse(&common);
        match a.cmp(&b) {
            std::cmp::Ordering::Less => ([a, b], common, false),
            std::cmp::Ordering::Greater => ([b, a], inverse, true),
            std::cmp::Ordering::Equal if common <= inverse => ([a, b], common, false),
            std::cmp::Ordering::Equal => ([a, b], inverse, true),
        }
    }

    /// The state of threads that know this and have this in common; nothing if what they have in
    /// common does not agree.
    fn state(
        &self,
        members: &[SingleId],
        common: &[((usize, usize), Common)],
    ) -> Result<Option<State>, OddPointer> {
        let regions = &self.machine.regions;
        let shared = self.shared[self.singles[members[0]].shared].clone();
        let count = shared.objects.len();
        let mut places: Vec<Vec<usize>> = Vec::new();
        let mut size = 0;
        for (at, member) in members.iter().enumerate() {
            let before = common.iter().filter(|((_, second), _)| *second == at);
            let before: Vec<(usize, &Common)> = before.map(|((a, _), it)| (*a, it)).collect();
            let mut own = Vec::new();
            for object in 0..self.singles[*member].tracked.own.objects.len() {
                let Ok(known) = known_place(&places, &before, object) else { return Ok(None) };
                own.push(known.unwrap_or_else(|| {
                    size += 1;
                    size - 1
                }));
            }
            places.push(own);
        }
        let mut private: Vec<Option<Arc<Object>>> = vec![None; size];
        let mut threads = Vec::new();
        for (member, place) in members.iter().zip(&places) {
            let rename = |old: usize| match old.checked_sub(count) {
                None => Some(old),
                Some(own) => place.get(own).map(|to| count + to),
            };
            let tracked = &self.singles[*member].tracked;
            for (object, &to) in tracked.own.objects.iter().zip(place) {
                let known = private[to].as_ref().map(|known| known.body().life);
                if known.is_none_or(|life| life == Life::Cut) {
                    let object = regions.object(object, &rename, object.body().escaped)?;
                    private[to] = Some(object);
                }
            }
            let own = Own { objects: Vec::new(), ..tracked.own.clone() };
            threads.push(renamed(regions, own, &rename)?);
        }
        let running =
            members.iter().map(|member| self.singles[*member].tracked.running.clone()).collect();
        let private = private.into_iter().flatten().collect();
        Ok(Some(State { shared: (*shared).clone(), private, threads, running }))
    }

    /// Adds what two threads of a state know: which pair that is, and whether the second thread is
    /// the first there.
    fn add(
        &mut self,
        state: &State,
        threads: [usize; 2],
        origin: Origin,
    ) -> Result<(PairId, bool), Rejected> {
        let shared = self.number(state.shared.clone())?;
        if self.spec.past[self.shown[shared].index()] {
            return Err(Rejected::Past);
        }
        let [(a, seen), (b, also)] =
            [self.project(shared, state, threads[0])?, self.project(shared, state, threads[1])?];
        if seen.len().max(also.len()) > MOST_OBJECTS {
            let what = format!("more than {MOST_OBJECTS} objects that only one thread leads to");
            return Err(Rejected::Refused(what));
        }
        let place = |object: &usize| seen.iter().position(|other| other == object);
        let common = also
            .iter()
            .map(|object| place(object).filter(|_| self.common_objects).map(|at| at as u8));
        let (members, common, swapped) = self.in_order([a, b], common.collect());
        let key = (members[0], members[1], common.clone());
        if let Some(&known) = self.pair_numbers.get(&key) {
            return Ok((known, swapped));
        }
        let origin = Origin { swapped: origin.swapped != swapped, ..origin };
        let number = self.pairs.push(Pair { members, common, origin });
        self.pair_numbers.insert(key, number);
        self.open.push_back(number);
        Ok((number, swapped))
    }

    /// What one thread of a state knows, and which of the state's objects its objects are.
    fn project(
        &mut self,
        shared: SharedId,
        state: &State,
        thread: usize,
    ) -> Result<(SingleId, Vec<usize>), Rejected> {
        let (regions, depth) = (&self.machine.regions, self.machine.rung.depth);
        let memory = (&state.shared, state.private.as_slice());
        let mut thread_of = state.threads[thread].clone();
        thread_of.mine.retain(|&(region, kind)| kind != REPLACED || self.goes_on(state, region));
        let seen = seen_by(regions, memory, &thread_of, depth);
        let (mut own, objects) = seen.map_err(|_| odd_pointer())?;
        self.parts.share(&mut own);
        let tracked = Arc::new(Tracked { own, running: state.running[thread].clone() });
        if let Some(&number) = self.single_numbers.get(&(shared, tracked.clone())) {
            return Ok((number, objects));
        }
        let acts = self.acts(shared, &tracked);
        self.waiting = self.waiting.max(tracked.own.buffer.len());
        let partners = Vec::new();
        let number = self.singles.push(Single { shared, tracked: tracked.clone(), acts, partners });
        self.single_numbers.insert((shared, tracked), number);
        Ok((number, objects))
    }

    /// Whether an object of a state belongs to an operation that goes on.
    fn goes_on(&self, state: &State, region: RegionId) -> bool {
        let number = self.machine.regions.heap(region);
        let object =
            number.and_then(|number| state.shared.objects.iter().chain(&state.private).nth(number));
        object.is_some_and(|object| self.machine.goes_on(object.body()))
    }

    /// What threads know that wait in loops, in each pair.
    fn waiting_threads(&self) -> Waiting {
        let caught = self.loops.caught();
        let is_caught = |node: u32| caught.get(node as usize).copied().unwrap_or(false);
        let knows = self.singles.iter().map(|single| self.candidates(single)).collect();
        let mut waiting = Waiting { knows, meetings: Vec::new() };
        for (pair, Pair { members, common, .. }) in self.pairs.enumerate() {
            let nodes = [0, 1].map(|thread| is_caught(node(pair, thread, false)));
            for at in (0..2).filter(|at| nodes[*at]) {
                let [waits, other] = [members[at], members[1 - at]];
                let made = self.made_for(other, (waits, at), common);
                let (waits, other) = (waits.index(), other.index());
                waiting.meetings.push(Meeting { waits, other, made, both: nodes[1 - at] });
            }
        }
        waiting
    }

    /// The objects that a thread knows whose operations go on, but for its own.
    fn candidates(&self, single: &Single) -> Vec<Candidate> {
        let Single { shared, tracked, .. } = single;
        let objects = self.shared[*shared].objects.iter().chain(&tracked.own.objects);
        let holds = |object: usize, kind: u32| {
            tracked.own.mine.contains(&(self.machine.regions.of_heap(object), kind))
        };
        let goes_on = objects.enumerate().filter(|(_, object)| self.machine.goes_on(object.body()));
        let others = goes_on.map(|(object, _)| object).filter(|&object| !holds(object, MADE));
        others.map(|object| Candidate { object, earlier: holds(object, REPLACED) }).collect()
    }

    /// The object that the operation of one thread of a pair has made, by its number for the other.
    fn made_for(
        &self,
        maker: SingleId,
        (waits, at): (SingleId, usize),
        common: &Common,
    ) -> Option<usize> {
        let single = &self.singles[maker];
        let made = single.tracked.own.mine.iter().find(|(_, kind)| *kind == MADE)?.0;
        let made = self.machine.regions.heap(made)?;
        let count = self.shared[self.singles[waits].shared].objects.len();
        let Some(own) = made.checked_sub(count) else { return Some(made) };
        let place = match at {
            0 => common.get(own).copied().flatten().map(usize::from),
            _ => common.iter().position(|is| *is == Some(own as u8)),
        };
        place.map(|place| count + place)
    }

    /// The effects of the steps of a thread. A step that goes wrong has none here: it goes wrong in
    /// the pair with a thread between two operations, too.
    fn acts(&mut self, shared: SharedId, tracked: &Tracked) -> Vec<u32> {
        let Some(running) = &tracked.running else { return Vec::new() };
        let memory = self.shared[shared].clone();
        let mut acts = Vec::new();
        for went in steps(self.machine, &memory, &tracked.own) {
            let Went::To(ran) = went else { continue };
            let before = self.shown[shared];
            let ways = settle(self.spec, before, running.clone(), *ran, &mut |ran| {
                let (memory, own) = ran.parts();
                let formed = canonical(&self.machine.regions, memory, own, usize::MAX);
                let (memory, _) = formed.map_err(|_| odd_pointer())?;
                self.number(memory).map(|number| self.shown[number])
            });
            for way in ways.into_iter().flatten() {
                let found = effect(&way.ran.world, &memory, &tracked.own, way.helped);
                let Some(effect) = found else { continue };
                let number = self.effects.len() as u32;
                acts.push(*self.effects.entry((shared, effect)).or_insert(number));
            }
        }
        acts
    }

    /// The number of a shared part; what it shows is computed once.
    fn number(&mut self, shared: Shared) -> Result<SharedId, Rejected> {
        if let Some(&number) = self.shared_numbers.get(&shared) {
            return Ok(number);
        }
        if shared.objects.iter().any(|object| object.body().life == Life::Cut) {
            return Err(Rejected::Alarm(Alarming::Cut));
        }
        let shown = self.spec.shown(self.machine, &shared);
        self.shown.push(shown.ok_or(Rejected::Alarm(Alarming::NoAbstractState))?);
        let shared = Arc::new(shared);
        let number = self.shared.push(shared.clone());
        self.shared_numbers.insert(shared, number);
        Ok(number)
    }

    /// What the end of a step that leads to no pair says about the search. The step is known by the
    /// pair before it, with the operation, what it did, and which thread made it.
    fn rejected(
        &mut self,
        rejected: Rejected,
        place: Option<LocId>,
        step: Option<OwnStep>,
    ) -> Option<PairsEnded> {
        match rejected {
            Rejected::Past => {
                self.cut = true;
                None
            }
            Rejected::Guessed => None,
            Rejected::Refused(what) => Some(PairsEnded::Else(Ended::Refused { what, place })),
            Rejected::Alarm(what) => {
                let trace = step.map_or(Vec::new(), |step| self.trace(step));
                Some(PairsEnded::Alarm(Box::new(PairAlarm { what, place, trace })))
            }
        }
    }

    /// The steps that led to a pair, and one more.
    fn trace(&self, step: OwnStep) -> Vec<TraceStep> {
        let named = |who: Option<usize>, swapped: bool| match who {
            None => Who::Other,
            Some(at) if (at == 0) != swapped => Who::First,
            Some(_) => Who::Second,
        };
        let told = |who, operation: &str, seen: &[Seen]| TraceStep {
            who,
            operation: operation.to_string(),
            accesses: seen.iter().map(TraceAccess::from).collect(),
        };
        let OwnStep { pair, thread, operation, seen } = step;
        let mut all = vec![told(named(Some(thread), false), &operation, &seen)];
        let mut swapped = false;
        let mut at = pair;
        while let Origin { before: Some(before), .. } = self.pairs[at].origin {
            let origin = &self.pairs[at].origin;
            swapped ^= origin.swapped;
            if !origin.seen.is_empty() {
                all.push(told(named(origin.who, swapped), &origin.operation, &origin.seen));
            }
            at = before;
        }
        all.reverse();
        all
    }

    /// Whether what two threads of a state know is known.
    #[cfg(test)]
    pub fn contains(&mut self, state: &State, threads: [usize; 2]) -> bool {
        let known = self.pairs.len();
        let (seen, operation) = (Arc::from([]), String::new());
        let origin = Origin { before: None, swapped: false, who: None, operation, seen };
        self.add(state, threads, origin).is_ok() && self.pairs.len() == known
    }
}

/// The place of an object of a thread among those of the threads before it, which have this in
/// common with it; an error if these do not agree.
fn known_place(
    places: &[Vec<usize>],
    before: &[(usize, &Common)],
    object: usize,
) -> Result<Option<usize>, ()> {
    let mut found = None;
    for (thread, common) in before {
        if let Some(same) = common.get(object).copied().flatten() {
            let place = *places[*thread].get(usize::from(same)).ok_or(())?;
            if found.is_some_and(|found| found != place) {
                return Err(());
            }
            found = Some(place);
        }
    }
    let Some(place) = found else { return Ok(None) };
    let without = |(thread, common): &(usize, &Common)| {
        common.get(object).copied().flatten().is_none() && places[*thread].contains(&place)
    };
    match before.iter().any(without) {
        true => Err(()),
        false => Ok(found),
    }
}

/// A thread of a pair, as one number; whether the pair has the two threads the other way.
fn node(pair: PairId, thread: usize, swapped: bool) -> u32 {
    let thread = thread ^ usize::from(swapped);
    (pair.index() * 2 + thread) as u32
}

/// The bit that tells the objects of the second thread of a pair from those of the first.
const SECOND: u8 = 1 << 7;

/// For each object of the first thread, the object of the second that it is.
fn inverse(common: &Common) -> Common {
    let first = common.iter().flatten().max().map_or(0, |most| usize::from(*most) + 1);
    let is = |object: usize| common.iter().position(|is| *is == Some(object as u8));
    (0..first).map(|object| is(object).map(|at| at as u8)).collect()
}

/// Without the objects at the end that are not in common.
fn trimmed(common: Common) -> Common {
    let last = common.iter().rposition(Option::is_some).map_or(0, |at| at + 1);
    match last == common.len() {
        true => common,
        false => common[..last].into(),
    }
}
