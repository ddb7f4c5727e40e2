//! The fixpoint: every view of every reachable state of any number of threads.
//!
//! Semi-naive: a new view takes its own steps and meets all effects of its shared part; a new
//! effect meets all views of its shared part, its own thread's among them, since any number of
//! threads may be where that thread is.

use super::effect::{Effect, apply, effect};
use super::heap::{Life, Object, OddPointer, Own, Quick, Shared, canonical};
use super::history::{Alarming, Rejected, Running, Settled, settle};
use super::machine::{Descriptor, Machine};
use super::parts::Parts;
use super::parts::Seen;
use super::several::odd_pointer;
use super::spec::{AbstractId, Spec};
use super::spin::{Loops, Stay};
use super::step::{Ran, Went, begin, steps};
use execution::id;
use execution::ids::{Id, IdVec};
use hashbrown::{HashMap, HashSet};
use ir::program::LocId;
use sat::{Limits, Poll};
use std::collections::VecDeque;
use std::sync::Arc;

id! {
    /// A shared part.
    pub struct SharedId("s");
}

id! {
    /// A view.
    pub struct ViewId("v");
}

id! {
    /// An effect.
    pub struct EffectId("e");
}

/// A thread with what is known of its operation.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Tracked {
    pub own: Own,
    /// Nothing between two operations.
    pub running: Option<Running>,
}

/// Where a view comes from.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    Initial,
    Own { before: ViewId, seen: Arc<[Seen]> },
    Effect { before: ViewId, effect: EffectId },
}

pub(super) struct View {
    pub shared: SharedId,
    pub tracked: Arc<Tracked>,
    pub origin: Origin,
    /// How many effects of its shared part it has met; nothing before it takes its own steps.
    met: Option<usize>,
}

/// An effect with the step that has it.
pub(super) struct Caused {
    pub effect: Arc<Effect>,
    pub by: ViewId,
    pub seen: Arc<[Seen]>,
    /// Its position among the effects of its shared part.
    position: usize,
}

/// The views and effects of one shared part.
#[derive(Default)]
struct Group {
    views: Vec<ViewId>,
    numbers: HashMap<Arc<Tracked>, ViewId, Quick>,
    effects: Vec<EffectId>,
    known: HashSet<Arc<Effect>, Quick>,
}

/// What could not be excluded.
#[derive(Clone, Debug)]
pub(super) struct Alarm {
    pub what: Alarming,
    /// The view before the step.
    pub view: ViewId,
    /// What the step did.
    pub seen: Vec<Seen>,
    pub place: Option<LocId>,
}

/// How a search ended.
pub(super) enum Ended {
    /// Every view is known, and nothing is wrong.
    Proved,
    Alarm(Box<Alarm>),
    Refused {
        what: String,
        place: Option<LocId>,
    },
    /// Something was learnt: begin again.
    Learnt,
    Limit,
}

/// The options of a search that only tests change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assumptions {
    /// Whether two threads may know objects in common that no other thread can find.
    pub common_objects: bool,
}

pub(super) struct Search<'m, 'a> {
    machine: &'m Machine<'m>,
    spec: &'a Spec,
    limits: &'a Limits,
    assumptions: Assumptions,
    pub shared: IdVec<SharedId, Arc<Shared>>,
    shown: IdVec<SharedId, AbstractId>,
    numbers: HashMap<Arc<Shared>, SharedId, Quick>,
    groups: IdVec<SharedId, Group>,
    pub views: IdVec<ViewId, View>,
    pub effects: IdVec<EffectId, Caused>,
    parts: Parts,
    open_views: VecDeque<ViewId>,
    open_effects: VecDeque<EffectId>,
    /// How often an effect was applied to a view.
    pub applied: u64,
    /// Whether an execution got larger than the bound.
    pub cut: bool,
    /// The most stores that waited in a store buffer.
    pub waiting: usize,
    /// Whether a thread learns that another one has completed its operation; only tests forget it.
    pub learns_help: bool,
    /// The steps that may be parts of loops.
    loops: Loops,
}

impl<'m, 'a> Search<'m, 'a> {
    pub fn new(
        machine: &'m Machine<'m>,
        spec: &'a Spec,
        limits: &'a Limits,
        assumptions: Assumptions,
    ) -> Self {
        Self {
            machine,
            spec,
            limits,
            assumptions,
            shared: IdVec::new(),
            shown: IdVec::new(),
            numbers: HashMap::default(),
            groups: IdVec::new(),
            views: IdVec::new(),
            effects: IdVec::new(),
            parts: Parts::default(),
            open_views: VecDeque::new(),
            open_effects: VecDeque::new(),
            applied: 0,
            cut: false,
            waiting: 0,
            learns_help: true,
            loops: Loops::default(),
        }
    }

    /// Finds all views from a memory on.
    pub fn run(&mut self, initial: &Shared, progress: &dyn Fn(usize)) -> Ended {
        let poll = Poll::new(self.limits, 64);
        let first = match self.number(initial.clone()) {
            Ok(shared) => shared,
            Err(what) => {
                // The trace begins at a view, though there is none to show.
                let ended = self.rejected(what, ViewId::new(0), &[], None);
                return ended.unwrap_or(Ended::Proved);
            }
        };
        self.add(first, Tracked::default(), Origin::Initial);
        // What it shows at first is what the type is at first.
        if self.shown[first] != self.spec.initial {
            let rejected = Rejected::Alarm(Alarming::NoAbstractState);
            return self.rejected(rejected, ViewId::new(0), &[], None).unwrap_or(Ended::Proved);
        }
        let mut done = 0;
        loop {
            if poll.expired() {
                return Ended::Limit;
            }
            done += 1;
            if done % 1024 == 0 {
                progress(self.views.len());
            }
            let ended = match (self.open_effects.pop_front(), self.open_views.is_empty()) {
                (Some(effect), _) => self.spread(effect),
                (None, false) => {
                    let view = self.open_views.pop_front().expect("there is one");
                    self.expand(view)
                }
                (None, true) => {
                    self.machine.facts.borrow_mut().loops(&self.loops);
                    return Ended::Proved;
                }
            };
            // What was found with less knowledge may be no alarm.
            if self.machine.facts.borrow().grown {
                return Ended::Learnt;
            }
            if let Some(ended) = ended {
                return ended;
            }
        }
    }

    /// Whether a view is known.
    #[cfg(test)]
    pub fn contains(&self, shared: &Shared, tracked: &Tracked) -> bool {
        let group = self.numbers.get(shared).map(|number| &self.groups[*number]);
        group.is_some_and(|group| group.numbers.contains_key(tracked))
    }

    /// The operation that the tracked thread of a view is in.
    pub fn operation(&self, view: ViewId) -> Option<usize> {
        let running = self.views[view].tracked.running.as_ref()?;
        Some(self.spec.invocations[running.invocation.index()].0)
    }

    /// The kinds of objects in a view that may describe an operation which another thread completes.
    pub fn descriptors(&self, view: ViewId) -> Vec<Descriptor> {
        let View { shared, tracked, .. } = &self.views[view];
        kinds(self.shared[*shared].objects.iter().chain(&tracked.own.objects))
    }

    /// The kinds of objects that threads make and publish.
    pub fn published(&self) -> Vec<Descriptor> {
        let own = self.views.iter().flat_map(|view| &view.tracked.own.objects);
        let shared = self.shared.iter().flat_map(|shared| &shared.objects);
        kinds(shared.chain(own))
    }

    /// The number of a shared part; what it shows is computed once.
    fn number(&mut self, shared: Shared) -> Result<SharedId, Rejected> {
        if let Some(&number) = self.numbers.get(&shared) {
            return Ok(number);
        }
        let shared = Arc::new(shared);
        // What was cut off may lead to what the views of other threads take for their own.
        if shared.objects.iter().any(|object| object.body().life == Life::Cut) {
            return Err(Rejected::Alarm(Alarming::Cut));
        }
        let shown = self.spec.shown(self.machine, &shared);
        let shown = shown.ok_or(Rejected::Alarm(Alarming::NoAbstractState))?;
        self.shown.push(shown);
        self.groups.push(Group::default());
        let number = self.shared.push(shared.clone());
        self.numbers.insert(shared, number);
        Ok(number)
    }

    fn add(&mut self, shared: SharedId, mut tracked: Tracked, origin: Origin) -> ViewId {
        if let Some(&known) = self.groups[shared].numbers.get(&tracked) {
            return known;
        }
        self.parts.share(&mut tracked.own);
        let tracked = Arc::new(tracked);
        self.waiting = self.waiting.max(tracked.own.buffer.len());
        let view = self.views.push(View { shared, tracked: tracked.clone(), origin, met: None });
        let group = &mut self.groups[shared];
        group.views.push(view);
        group.numbers.insert(tracked, view);
        self.open_views.push_back(view);
        view
    }

    /// A view takes its own steps and meets the effects of its shared part.
    fn expand(&mut self, view: ViewId) -> Option<Ended> {
        let (shared, tracked) = (self.views[view].shared, self.views[view].tracked.clone());
        let memory = self.shared[shared].clone();
        match &tracked.running {
            None => {
                for (operation, function) in self.functions() {
                    for went in begin(self.machine, &memory, &tracked.own, function) {
                        if let Some(ended) = self.began(view, operation, went) {
                            return Some(ended);
                        }
                    }
                }
            }
            Some(running) => {
                for went in steps(self.machine, &memory, &tracked.own) {
                    if let Some(ended) = self.went(view, running, went) {
                        return Some(ended);
                    }
                }
            }
        }
        let known = self.groups[shared].effects.len();
        self.views[view].met = Some(known);
        for at in 0..known {
            let effect = self.groups[shared].effects[at];
            if let Some(ended) = self.meet(view, effect) {
                return Some(ended);
            }
        }
        None
    }

    fn functions(&self) -> Vec<(usize, ir::program::FuncId)> {
        let operations = self.machine.prepared.operations.iter().enumerate();
        operations.map(|(number, operation)| (number, operation.function)).collect()
    }

    /// A thread has begun an operation.
    fn began(&mut self, view: ViewId, operation: usize, went: Went<'m>) -> Option<Ended> {
        let ran = match went {
            Went::To(ran) => ran,
            went => return self.stopped(view, went),
        };
        let shown = self.shown[self.views[view].shared];
        let invocation = match self.spec.invocation(operation, &ran.world.chosen) {
            Some(invocation) => invocation,
            None => {
                let what = "an operation that chooses otherwise than alone".to_string();
                return Some(Ended::Refused { what, place: ran.place });
            }
        };
        let mut running = Running::of(invocation);
        running.could_return(self.spec, shown);
        self.arrive(view, running, *ran)
    }

    /// A thread has made a step.
    fn went(&mut self, view: ViewId, running: &Running, went: Went<'m>) -> Option<Ended> {
        match went {
            Went::To(ran) => self.arrive(view, running.clone(), *ran),
            went => self.stopped(view, went),
        }
    }

    fn stopped(&self, view: ViewId, went: Went<'_>) -> Option<Ended> {
        let alarm = |what, place| {
            Some(Ended::Alarm(Box::new(Alarm { what, view, seen: Vec::new(), place })))
        };
        match went {
            Went::To(_) => None,
            Went::Wrong { kind, place } => alarm(Alarming::Finding(kind), place),
            Went::Cut => alarm(Alarming::Cut, None),
            Went::Refused { what, place } => Some(Ended::Refused { what, place }),
        }
    }

    /// A thread is where a step of its own has led it: checks the step, and adds the view.
    fn arrive(&mut self, view: ViewId, running: Running, mut ran: Ran<'m>) -> Option<Ended> {
        let (spec, shared) = (self.spec, self.views[view].shared);
        let place = ran.last_place();
        let seen = self.parts.seen(&std::mem::take(&mut ran.world.seen));
        let mut reached = None;
        let ways = settle(spec, self.shown[shared], running, ran, &mut |ran| {
            let (number, own) = self.reach(ran)?;
            reached = Some((number, own));
            Ok(self.shown[number])
        });
        for settled in ways {
            let arrived = settled.and_then(|settled| {
                let (number, own) = match reached.take().filter(|_| !settled.changed) {
                    Some(reached) => reached,
                    None => self.reach(&settled.ran)?,
                };
                self.settled(view, settled, (number, own), &seen);
                Ok(())
            });
            if let Err(rejected) = arrived
                && let Some(ended) = self.rejected(rejected, view, &seen, place)
            {
                return Some(ended);
            }
        }
        None
    }

    /// The shared part after a step, and what the thread knows then.
    fn reach(&mut self, ran: &Ran<'m>) -> Result<(SharedId, Own), Rejected> {
        let (memory, own) = ran.parts();
        let (memory, own) = self.formed(memory, own).map_err(|_| odd_pointer())?;
        Ok((self.number(memory)?, own))
    }

    /// A step is right: adds its effect and the view.
    fn settled(
        &mut self,
        view: ViewId,
        settled: Settled<'m>,
        (number, own): (SharedId, Own),
        seen: &Arc<[Seen]>,
    ) {
        let Settled { ran, running, helped, .. } = settled;
        let View { shared, tracked, .. } = &self.views[view];
        let (same, tracked) = (*shared, tracked.clone());
        let memory = self.shared[same].clone();
        if let Some(effect) = effect(&ran.world, &memory, &tracked.own, helped) {
            self.cause(view, effect, seen);
        }
        let stays = number == same && running.is_some();
        let holds = tracked.own.holds_lock() && own.holds_lock();
        let (place, on_lock) = (ran.last_place(), ran.world.waits_for_lock());
        let origin = Origin::Own { before: view, seen: seen.clone() };
        let tracked = match running {
            Some(running) => Tracked { own, running: Some(running) },
            None => Tracked::default(),
        };
        let to = self.add(number, tracked, origin);
        // What waits for its own buffer to be empty goes on when it is; what does not, waits then, too.
        let View { tracked, .. } = &self.views[view];
        let drains = to == view && !tracked.own.buffer.is_empty();
        if tracked.running.is_some() && !drains {
            let (from, to) = (view.index() as u32, to.index() as u32);
            match stays {
                true => self.loops.stay(Stay { from, to, place, holds, on_lock }),
                false => self.loops.leave(from),
            }
        }
    }

    fn formed(&self, memory: Shared, own: Own) -> Result<(Shared, Own), OddPointer> {
        canonical(&self.machine.regions, memory, own, self.machine.rung.depth)
    }

    fn rejected(
        &mut self,
        rejected: Rejected,
        view: ViewId,
        seen: &[Seen],
        place: Option<LocId>,
    ) -> Option<Ended> {
        match rejected {
            Rejected::Past => {
                self.cut = true;
                self.loops.leave(view.index() as u32);
                None
            }
            Rejected::Guessed => None,
            Rejected::Alarm(what) => {
                Some(Ended::Alarm(Box::new(Alarm { what, view, seen: seen.to_vec(), place })))
            }
            Rejected::Refused(what) => Some(Ended::Refused { what, place }),
        }
    }

    /// Adds an effect.
    fn cause(&mut self, by: ViewId, effect: Effect, seen: &Arc<[Seen]>) {
        let shared = self.views[by].shared;
        if self.groups[shared].known.contains(&effect) {
            return;
        }
        let effect = Arc::new(effect);
        self.groups[shared].known.insert(effect.clone());
        let position = self.groups[shared].effects.len();
        let number = self.effects.push(Caused { effect, by, seen: seen.clone(), position });
        self.groups[shared].effects.push(number);
        self.open_effects.push_back(number);
    }

    /// A new effect meets the views of its shared part. Those that are still to take their own
    /// steps meet it then.
    fn spread(&mut self, effect: EffectId) -> Option<Ended> {
        let Caused { by, position, .. } = self.effects[effect];
        let shared = self.views[by].shared;
        for at in 0..self.groups[shared].views.len() {
            let view = self.groups[shared].views[at];
            if self.views[view].met.is_none_or(|met| met > position) {
                continue;
            }
            if let Some(ended) = self.meet(view, effect) {
                return Some(ended);
            }
        }
        None
    }

    /// A view meets an effect.
    fn meet(&mut self, view: ViewId, number: EffectId) -> Option<Ended> {
        self.applied += 1;
        let shared = self.views[view].shared;
        let (memory, tracked) = (self.shared[shared].clone(), self.views[view].tracked.clone());
        let effect = self.effects[number].effect.clone();
        let any = self.assumptions.common_objects;
        for applied in apply(&self.machine.regions, &effect, &memory, &tracked.own, any) {
            let formed = self.formed(applied.shared, applied.own);
            let Ok((memory, own)) = formed else {
                return self.rejected(odd_pointer(), view, &[], None);
            };
            let to = match self.number(memory) {
                Ok(to) => to,
                // Here this thread knows less than the one whose step it is.
                Err(cut @ Rejected::Alarm(Alarming::Cut)) => {
                    return self.rejected(cut, view, &[], None);
                }
                // The thread whose step it is has been asked about it.
                Err(_) => continue,
            };
            let after = self.shown[to];
            if self.spec.past[after.index()] {
                self.cut = true;
                continue;
            }
            let mut running = tracked.running.clone();
            match (&mut running, applied.helped.filter(|_| self.learns_help)) {
                (Some(running), Some(outcome)) => {
                    if let Err(what) = running.is_helped(outcome) {
                        return self.rejected(Rejected::Alarm(what), view, &[], None);
                    }
                }
                (Some(running), None) => running.could_return(self.spec, after),
                (None, _) => {}
            }
            let origin = Origin::Effect { before: view, effect: number };
            self.add(to, Tracked { own, running }, origin);
        }
        None
    }
}

/// The kinds of those objects that other threads may know.
pub(super) fn kinds<'a>(objects: impl Iterator<Item = &'a Arc<Object>>) -> Vec<Descriptor> {
    let mut kinds = Vec::new();
    for body in objects.map(|object| object.body()).filter(|body| body.escaped) {
        let kind = Descriptor(body.what);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}
