//! The fixpoint: every view of every reachable state of any number of threads.
//!
//! Semi-naive: a new view takes its own steps and meets all effects of its shared part; a new
//! effect meets all views of its shared part, its own thread's among them, since any number of
//! threads may be where that thread is.

use super::effect::{Effect, apply, effect};
use super::heap::{Frozen, Life, Object, OddPointer, Own, Quick, Shared, canonical};
use super::machine::Machine;
use super::spec::{AbstractId, InvocationId, Next, Observed, OutcomeId, Spec};
use super::step::{Ran, Went, begin, steps};
use super::world::Seen;
use execution::finding::FindingKind;
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

/// The operation that a thread is in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Running {
    pub invocation: InvocationId,
    pub observed: Arc<Observed>,
    /// What it will have come to, once it has taken effect.
    pub done: Option<OutcomeId>,
    /// What it could have come to so far without changing anything, in order.
    pub possible: Vec<OutcomeId>,
}

impl Running {
    /// An operation that begins.
    pub fn of(invocation: InvocationId) -> Self {
        Self { invocation, observed: Arc::default(), done: None, possible: Vec::new() }
    }

    /// Remembers what the client has observed in a step.
    pub fn observe(&mut self, observed: &Observed) {
        if !observed.is_empty() {
            Arc::make_mut(&mut self.observed).extend(observed.iter().cloned());
        }
    }

    /// Remembers what the operation could return if it took effect now, without changing anything.
    pub fn could_return(&mut self, spec: &Spec, shown: AbstractId) {
        if self.done.is_none()
            && let Some(outcome) = spec.unchanged(shown, self.invocation)
            && let Err(at) = self.possible.binary_search(&outcome)
        {
            self.possible.insert(at, outcome);
        }
    }

    /// A step of the operation: it changes the abstract state as the operation does, if at all.
    /// The error is what is wrong with it, or nothing if the data type gets larger than the bound.
    pub fn step(
        &mut self,
        spec: &Spec,
        before: AbstractId,
        after: AbstractId,
    ) -> Result<(), Option<Alarming>> {
        if before != after {
            if self.done.is_some() {
                return Err(Some(Alarming::WrongChange));
            }
            match spec.next(before, self.invocation) {
                Next::To(outcome, to) if to == after => self.done = Some(outcome),
                Next::Past => return Err(None),
                Next::To(..) => return Err(Some(Alarming::WrongChange)),
            }
            self.possible.clear();
        }
        if spec.past[after.index()] {
            return Err(None);
        }
        self.could_return(spec, after);
        Ok(())
    }

    /// Checks what the operation has shown when it ends.
    pub fn result(&self, spec: &Spec) -> Result<(), Alarming> {
        let outcome = spec.outcome(&self.observed);
        let right = match (self.done, outcome) {
            (Some(done), Some(outcome)) => done == outcome,
            (None, Some(outcome)) => self.possible.contains(&outcome),
            (_, None) => false,
        };
        match right {
            true => Ok(()),
            false => Err(Alarming::WrongResult((*self.observed).clone())),
        }
    }
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

/// The parts of views, each kept once.
#[derive(Default)]
struct Parts {
    threads: HashSet<Arc<Frozen>, Quick>,
    objects: HashSet<Arc<Object>, Quick>,
    seen: HashSet<Arc<[Seen]>, Quick>,
}

impl Parts {
    /// Replaces the parts of a thread by those that are equal and known already.
    fn share(&mut self, own: &mut Own) {
        if let Some(thread) = &mut own.thread {
            *thread = self.threads.get_or_insert(thread.clone()).clone();
        }
        for object in &mut own.objects {
            *object = self.objects.get_or_insert(object.clone()).clone();
        }
        own.objects.shrink_to_fit();
        own.mine.shrink_to_fit();
    }

    fn seen(&mut self, seen: &[Seen]) -> Arc<[Seen]> {
        if let Some(known) = self.seen.get(seen) {
            return known.clone();
        }
        let seen: Arc<[Seen]> = seen.into();
        self.seen.insert(seen.clone());
        seen
    }
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

/// What is wrong with a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Alarming {
    Finding(FindingKind),
    /// The memory shows no state of the abstract type.
    NoAbstractState,
    /// The abstract state changes, and not as the thread's own operation changes it.
    WrongChange,
    /// An operation returns what it does at no moment while it runs.
    WrongResult(Observed),
    /// It depends on what was cut off.
    Cut,
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
}

/// Why a view is not added.
enum Rejected {
    Alarm(Alarming),
    Refused(String),
    /// The data type is larger than the bound.
    Past,
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
                (None, true) => return Ended::Proved,
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

    fn add(&mut self, shared: SharedId, mut tracked: Tracked, origin: Origin) {
        if self.groups[shared].numbers.contains_key(&tracked) {
            return;
        }
        self.parts.share(&mut tracked.own);
        let tracked = Arc::new(tracked);
        let view = self.views.push(View { shared, tracked: tracked.clone(), origin, met: None });
        let group = &mut self.groups[shared];
        group.views.push(view);
        group.numbers.insert(tracked, view);
        self.open_views.push_back(view);
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
                    if let Some(ended) = self.went(view, &memory, &tracked, running, went) {
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
    fn began(&mut self, view: ViewId, operation: usize, went: Went<'_>) -> Option<Ended> {
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
        self.arrive(view, shown, running, &ran)
    }

    /// A thread has made a step.
    fn went(
        &mut self,
        view: ViewId,
        memory: &Shared,
        tracked: &Tracked,
        running: &Running,
        went: Went<'_>,
    ) -> Option<Ended> {
        let ran = match went {
            Went::To(ran) => ran,
            went => return self.stopped(view, went),
        };
        let shown = self.shown[self.views[view].shared];
        if let Some(effect) = effect(&ran.world, memory, &tracked.own) {
            self.cause(view, effect, &ran.world.seen);
        }
        self.arrive(view, shown, running.clone(), &ran)
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
    fn arrive(
        &mut self,
        view: ViewId,
        shown: AbstractId,
        mut running: Running,
        ran: &Ran<'_>,
    ) -> Option<Ended> {
        let (memory, own) = ran.parts();
        let seen = &ran.world.seen;
        let place = seen.last().and_then(|seen| seen.place).or(ran.place);
        running.observe(&ran.world.observed);
        let formed = self.formed(memory, own);
        let Ok((memory, own)) = formed else {
            return self.rejected(odd_pointer(), view, seen, place);
        };
        let number = match self.number(memory) {
            Ok(number) => number,
            Err(rejected) => return self.rejected(rejected, view, seen, place),
        };
        if let Err(what) = running.step(self.spec, shown, self.shown[number]) {
            let rejected = what.map_or(Rejected::Past, Rejected::Alarm);
            return self.rejected(rejected, view, seen, place);
        }
        let origin = Origin::Own { before: view, seen: self.parts.seen(seen) };
        match ran.thread {
            Some(_) => self.add(number, Tracked { own, running: Some(running) }, origin),
            None => {
                if let Err(what) = running.result(self.spec) {
                    return self.rejected(Rejected::Alarm(what), view, seen, place);
                }
                self.add(number, Tracked::default(), origin);
            }
        }
        None
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
                None
            }
            Rejected::Alarm(what) => {
                Some(Ended::Alarm(Box::new(Alarm { what, view, seen: seen.to_vec(), place })))
            }
            Rejected::Refused(what) => Some(Ended::Refused { what, place }),
        }
    }

    /// Adds an effect.
    fn cause(&mut self, by: ViewId, effect: Effect, seen: &[Seen]) {
        let shared = self.views[by].shared;
        if self.groups[shared].known.contains(&effect) {
            return;
        }
        let effect = Arc::new(effect);
        self.groups[shared].known.insert(effect.clone());
        let position = self.groups[shared].effects.len();
        let number =
            self.effects.push(Caused { effect, by, seen: self.parts.seen(seen), position });
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
        for (memory, own) in apply(&self.machine.regions, &effect, &memory, &tracked.own, any) {
            let formed = self.formed(memory, own);
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
            if let Some(running) = &mut running {
                running.could_return(self.spec, after);
            }
            let origin = Origin::Effect { before: view, effect: number };
            self.add(to, Tracked { own, running }, origin);
        }
        None
    }
}

fn odd_pointer() -> Rejected {
    Rejected::Refused("a pointer in parts, shifted, or otherwise not an address".into())
}
