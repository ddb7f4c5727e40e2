//! The ladder of abstractions, climbed from the cheapest rung on; and, where no rung proves the data
//! type right, executions of two and three threads that may show that it is not.

use super::explore::{MOST_STATES, explored};
use super::heap::Shared;
use super::history::Alarming;
use super::kind::{self, Difference, Shape};
use super::machine::{Descriptor, Facts, Locks, Machine, Prepared, Rung, Witness};
use super::order::{Deadlock, deadlock};
use super::pairs::{Pairs, PairsEnded};
use super::search::{Assumptions, Ended, Search};
use super::spec::{self, Failure, Spec};
use super::trace::{TestShape, TraceStep, steps};
use crate::test::compose::Composed;
use execution::finding::FindingKind;
use ir::op::Op;
use ir::program::LocId;
use ir::value::Value;
use sat::Limits;

/// How a proof is searched for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether each thread has a store buffer: tso, and otherwise sc.
    pub buffers: bool,
    /// How many values an operation may choose from, if that is not as the program says.
    pub values: Option<u32>,
    /// How many objects the type may have beyond those at first.
    pub size: Option<usize>,
    /// The well-known abstract type that the type has to be.
    pub shape: Option<Shape>,
    /// The name of a function that shows the abstract state, composed as if it were an operation.
    pub abstraction: Option<String>,
    pub limits: Limits,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    pub verdict: Verdict,
    /// The rungs that were tried, the one that decided last.
    pub rungs: Vec<Rung>,
    pub cost: Cost,
}

/// What the last rung cost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cost {
    pub views: usize,
    /// The shared parts of views.
    pub shared: usize,
    pub effects: usize,
    /// How often an effect met a view.
    pub applied: u64,
    /// The most stores that waited in a store buffer.
    pub waiting: usize,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The data type is right for any number of threads.
    Proved(Proved),
    /// This could not be excluded.
    Open(Box<Open>),
    /// The program has something that has no meaning here.
    Refused { what: String, place: Option<LocId> },
    /// A limit was reached.
    Limit,
}

/// What a proof rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proved {
    /// The states of the abstract type.
    pub states: usize,
    /// The bound on the number of objects beyond those at first, if it was reached.
    pub size: Option<usize>,
    /// The most values that an operation chooses from.
    pub values: usize,
    /// The well-known abstract type that it is, if it is one.
    pub shape: Option<Shape>,
    /// Whether blocks are freed that other threads may know: they are not given again.
    pub frees: bool,
    /// Whether operations show nothing and change nothing, like critical sections.
    pub silent: bool,
    /// The assertions of the program that operations check.
    pub assertions: Vec<LocId>,
    pub deadlock: Deadlock,
}

/// What could not be excluded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Open {
    pub doubt: Doubt,
    pub place: Option<LocId>,
    /// The abstract execution that led there.
    pub trace: Vec<TraceStep>,
    /// Tests that may show that the data type is wrong, small ones first.
    pub tests: Vec<TestShape>,
    /// How many threads were explored completely, without finding anything wrong.
    pub explored: usize,
}

/// What is wrong with a step, perhaps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Doubt {
    Finding(FindingKind),
    /// The memory shows no state of the abstract type.
    NoAbstractState,
    /// The abstract state changes otherwise than by the stepping thread's own operation.
    WrongChange,
    /// An operation returns what it does at no moment while it runs: labels and values.
    WrongResult(Vec<(String, Value)>),
    /// It depends on objects that are far away from the thread.
    Far,
    /// The abstract type has more states than can be visited.
    TooManyStates,
}

impl From<Alarming> for Doubt {
    fn from(alarming: Alarming) -> Self {
        match alarming {
            Alarming::Finding(kind) => Doubt::Finding(kind),
            Alarming::NoAbstractState => Doubt::NoAbstractState,
            Alarming::WrongChange => Doubt::WrongChange,
            Alarming::WrongResult(observed) => Doubt::WrongResult(observed),
            Alarming::Cut => Doubt::Far,
        }
    }
}

/// States that are visited before views of two threads are tried.
const QUICK_STATES: usize = 10_000;
/// The numbers of threads that are explored for that.
const THREADS: [usize; 2] = [2, 3];
/// Objects are known up to so many pointers away from a thread, at least and at most.
const NEAR: usize = 2;
/// The same where two threads are tracked: what is cut off keeps its identity there.
const NEAR_TWO: usize = 1;
const FAR: usize = 5;

/// Tries to prove a data type right for any number of threads. `composed` is a test in which each
/// operation is a thread of its own; `reference` is the same for a data type whose serial behaviour
/// is right, if that is not its own.
pub fn prove(
    composed: &Composed,
    reference: Option<&Composed>,
    options: &Options,
    progress: &dyn Fn(usize),
) -> Proof {
    let prepared = Prepared::new(composed, options.abstraction.as_deref());
    let reference =
        reference.map(|reference| Prepared::new(reference, options.abstraction.as_deref()));
    let reference = reference.as_ref();
    let facts = Facts::default();
    let mut climb = Climb { prepared: &prepared, reference, options, progress, facts };
    let mut climbed = Climbed::default();
    let witness = prepared.witness();
    let base = ladder(&prepared).into_iter().map(|rung| Rung { witness, ..rung });
    let mut found = climbed.all(&mut climb, base.clone().collect());
    if found.is_none() && climbed.is_about_order() && prepared.abstraction.is_none() {
        let witness = Witness::Remembered;
        let rungs = base.clone().filter(|rung| rung.locks > Locks::Coarse);
        found = climbed.all(&mut climb, rungs.map(|rung| Rung { witness, ..rung }).collect());
    }
    if found.is_none() && climbed.is_about_order() && prepared.commits.any() {
        let witness = Witness::CommitPoints;
        let rungs = base.clone().filter(|rung| rung.locks > Locks::Coarse);
        found = climbed.all(&mut climb, rungs.map(|rung| Rung { witness, ..rung }).collect());
    }
    if found.is_none() && climbed.is_about_order() {
        let kinds = climbed.descriptors.clone().into_iter().map(Some);
        let rungs =
            kinds.map(|helping| Rung { helping, witness, ..Rung::new(Locks::Inferred, NEAR) });
        found = climbed.all(&mut climb, rungs.collect());
    }
    if let Some(proof) = found {
        return proof;
    }
    let mut executions = Executions::default();
    if climbed.doubt.is_some() {
        climb.look_for_executions(&mut executions, QUICK_STATES);
        // What is wrong with two or three threads is wrong in views of two.
        if executions.tests.is_empty() {
            let tracked = 2;
            let rungs = base.filter(|rung| rung.locks > Locks::Coarse);
            let rungs = rungs.map(|rung| Rung { tracked, depth: NEAR_TWO, ..rung });
            if let Some(proof) = climbed.all(&mut climb, rungs.collect()) {
                return proof;
            }
            climb.look_for_executions(&mut executions, MOST_STATES);
        }
    }
    climbed.end(executions)
}

/// The rungs that were climbed without a proof.
#[derive(Default)]
struct Climbed {
    rungs: Vec<Rung>,
    doubt: Option<(Box<Open>, Cost)>,
    refused: Option<(Verdict, Cost)>,
    /// The kinds of objects that may describe operations.
    descriptors: Vec<Descriptor>,
}

impl Climbed {
    /// Climbs rungs until one of them decides.
    fn all(&mut self, climb: &mut Climb<'_>, mut open: Vec<Rung>) -> Option<Proof> {
        open.reverse();
        while let Some(rung) = open.pop() {
            self.rungs.push(rung);
            let Attempt { verdict, cost, descriptors } = climb.rung(rung);
            for kind in descriptors {
                if !self.descriptors.contains(&kind) && self.descriptors.len() < MOST_DESCRIPTORS {
                    self.descriptors.push(kind);
                }
            }
            match verdict {
                // Serial executions are the same on each rung.
                Verdict::Open(ref open) if open.doubt == Doubt::TooManyStates => {
                    return Some(Proof { verdict, rungs: std::mem::take(&mut self.rungs), cost });
                }
                Verdict::Open(alarm) => {
                    if alarm.doubt == Doubt::Far && rung.depth < FAR {
                        open.push(Rung { depth: rung.depth + 1, ..rung });
                    }
                    self.doubt = Some((alarm, cost));
                }
                Verdict::Refused { .. } => {
                    self.refused.get_or_insert((verdict, cost));
                }
                // A search of pairs that gets too large leaves what was in doubt before.
                Verdict::Limit if rung.tracked > 1 && !climb.options.limits.expired() => {}
                Verdict::Proved(_) | Verdict::Limit => {
                    let proof = Proof { verdict, rungs: Vec::new(), cost };
                    let proof = climb.with_makers(rung, proof, &self.descriptors, &mut self.rungs);
                    let proof = climb.with_locks(rung, proof, &mut self.rungs);
                    return Some(Proof { rungs: std::mem::take(&mut self.rungs), ..proof });
                }
            }
        }
        None
    }

    /// Whether what is in doubt is when operations take effect.
    fn is_about_order(&self) -> bool {
        let doubt = self.doubt.as_ref().map(|(open, _)| &open.doubt);
        doubt.is_some_and(|doubt| {
            matches!(doubt, Doubt::NoAbstractState | Doubt::WrongChange | Doubt::WrongResult(_))
        })
    }

    fn end(self, executions: Executions) -> Proof {
        let rungs = self.rungs;
        if let Some((mut open, cost)) = self.doubt {
            open.explored = executions.explored;
            open.tests.extend(executions.tests);
            return Proof { verdict: Verdict::Open(open), rungs, cost };
        }
        let (verdict, cost) = self.refused.unwrap_or((Verdict::Limit, Cost::default()));
        Proof { verdict, rungs, cost }
    }
}

/// What executions of a few threads say.
#[derive(Default)]
struct Executions {
    tests: Vec<TestShape>,
    explored: usize,
}

/// At most this many kinds of objects are tried as descriptors.
const MOST_DESCRIPTORS: usize = 4;
/// Of proofs by views of one thread with at most this many, those of two are tried for deadlocks.
const FEW_VIEWS: usize = 2_000;

/// The rungs that make a difference for a program.
fn ladder(prepared: &Prepared) -> Vec<Rung> {
    let rung = |locks| Rung::new(locks, NEAR);
    match has_locks(prepared) {
        true => vec![rung(Locks::Coarse), rung(Locks::Exact), rung(Locks::Inferred)],
        false => vec![rung(Locks::Exact), rung(Locks::Inferred)],
    }
}

fn has_locks(prepared: &Prepared) -> bool {
    let insts = prepared.program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
    let mut ops = insts.map(|inst| &inst.op);
    ops.any(|op| match op {
        Op::Rmw { access, .. } | Op::Cas { access, .. } => access.purpose.is_mutex_word(),
        _ => false,
    })
}

/// A climb: what is learnt on one rung is known on the next.
struct Climb<'a> {
    prepared: &'a Prepared,
    reference: Option<&'a Prepared>,
    options: &'a Options,
    progress: &'a dyn Fn(usize),
    facts: Facts,
}

impl Climb<'_> {
    fn machine(&mut self, rung: Rung) -> Machine<'_> {
        let settings = (self.options.buffers, self.options.values);
        let facts = std::mem::take(&mut self.facts);
        Machine::new(self.prepared, rung, settings, facts)
    }

    /// Searches on one rung, until nothing new is learnt.
    fn rung(&mut self, rung: Rung) -> Attempt {
        let (options, progress, reference) = (self.options, self.progress, self.reference);
        let machine = self.machine(rung);
        if let Some((what, place)) = machine.refusal() {
            return Attempt::of(Verdict::Refused { what, place });
        }
        let found = loop {
            machine.facts.borrow_mut().begin();
            match attempt(&machine, reference, options, progress) {
                Some(found) => break found,
                None if options.limits.expired() => break Attempt::of(Verdict::Limit),
                None => {}
            }
        };
        self.facts = machine.facts.take();
        found
    }

    /// A proof in which a thread waits in a loop: where words that change like locks are known to be
    /// locks, these may be what it waits for.
    fn with_locks(&mut self, rung: Rung, proof: Proof, rungs: &mut Vec<Rung>) -> Proof {
        if !spins(&proof.verdict) || rung.locks == Locks::Inferred {
            return proof;
        }
        let nearer = Rung { locks: Locks::Inferred, ..rung };
        let Attempt { verdict, cost, .. } = self.rung(nearer);
        match verdict {
            Verdict::Proved(_) if !spins(&verdict) => {
                rungs.push(nearer);
                Proof { verdict, rungs: Vec::new(), cost }
            }
            _ => proof,
        }
    }

    /// A proof in which a thread waits in a loop, where no library's locks are used: the operation that
    /// it waits for may be known by an object that it has made.
    fn with_makers(
        &mut self,
        rung: Rung,
        proof: Proof,
        kinds: &[Descriptor],
        rungs: &mut Vec<Rung>,
    ) -> Proof {
        let is_small = rung.tracked > 1 || proof.cost.views <= FEW_VIEWS;
        let is_plain = rung.helping.is_none() && rung.witness == Witness::Observers;
        if !spins(&proof.verdict) || has_locks(self.prepared) || !is_small || !is_plain {
            return proof;
        }
        for &kind in kinds {
            let makers = Some(kind);
            let rung = Rung { tracked: 2, makers, ..Rung::new(Locks::Exact, NEAR_TWO) };
            let Attempt { verdict, cost, .. } = self.rung(rung);
            let is_settled = match &verdict {
                Verdict::Proved(proved) => !proved.deadlock.is_open(),
                _ => false,
            };
            if is_settled {
                rungs.push(rung);
                return Proof { verdict, rungs: Vec::new(), cost };
            }
        }
        proof
    }

    /// Explores two and three threads, for tests that may show what is wrong.
    fn look_for_executions(&mut self, found: &mut Executions, most: usize) {
        let (options, reference, locks) = (self.options, self.reference, Locks::Inferred);
        let witness = self.prepared.witness();
        let machine = self.machine(Rung { witness, ..Rung::new(locks, usize::MAX) });
        for threads in THREADS {
            let limits = (threads, most);
            let Ok(seen) = explored(&machine, reference, options, limits) else { return };
            for test in seen.tests {
                if !found.tests.contains(&test) {
                    found.tests.push(test);
                }
            }
            if seen.complete && seen.wrong.is_empty() {
                found.explored = threads;
            }
            if !seen.wrong.is_empty() {
                break;
            }
        }
        self.facts = machine.facts.take();
    }
}

/// Whether it is proved, but for a thread that waits in a loop.
fn spins(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Proved(Proved { deadlock: Deadlock::Spins(_), .. }))
}

/// The memory after the preparation, and the abstract type.
pub(super) fn prepare(
    machine: &Machine<'_>,
    reference: Option<&Prepared>,
    options: &Options,
) -> Result<(Shared, Spec), Failure> {
    let initial = spec::initial(machine)?;
    let spec = match reference {
        None => Spec::of(machine, &initial, options.size, &options.limits)?,
        Some(prepared) => {
            let settings = (options.buffers, options.values);
            // Words of the reference are not shared with threads.
            let rung = Rung::new(Locks::Coarse, NEAR);
            let reference = Machine::new(prepared, rung, settings, Facts::default());
            Spec::by_reference((machine, &reference), &initial, options.size, &options.limits)?
        }
    };
    let spec = spec.witnessed(machine, &initial, &options.limits)?;
    Ok((initial, spec))
}

/// Says why serial executions are not those of a well-known type.
fn unlike(machine: &Machine<'_>, spec: &Spec, shape: Shape) -> String {
    let is = match kind::shape(spec) {
        Some(other) => format!(" (it is a {other})"),
        None => String::new(),
    };
    let why = match kind::difference(spec, shape) {
        Difference::Operations(count) => format!("a {shape} has {count} operations"),
        Difference::Values => {
            format!("its operations do not choose from the same values as those of a {shape}")
        }
        Difference::After(path) => {
            let steps = spec.told(machine, &path).join(", ");
            format!("no {shape} does this when its operations run one after the other: {steps}")
        }
    };
    format!("serial executions that are not those of a {shape}{is}: {why}")
}

/// What came of a search.
struct Attempt {
    verdict: Verdict,
    cost: Cost,
    /// The kinds of objects that may describe an operation which another thread completes.
    descriptors: Vec<Descriptor>,
}

impl Attempt {
    fn of(verdict: Verdict) -> Self {
        Self { verdict, cost: Cost::default(), descriptors: Vec::new() }
    }
}

/// One search; nothing if something was learnt on the way.
fn attempt(
    machine: &Machine<'_>,
    reference: Option<&Prepared>,
    options: &Options,
    progress: &dyn Fn(usize),
) -> Option<Attempt> {
    let (initial, spec) = match prepare(machine, reference, options) {
        Ok(found) => found,
        Err(failure) => return Some(Attempt::of(failed(failure))),
    };
    if let Some(shape) = options.shape.filter(|shape| kind::shape(&spec) != Some(*shape)) {
        let what = unlike(machine, &spec, shape);
        return Some(Attempt::of(Verdict::Refused { what, place: None }));
    }
    machine.facts.borrow_mut().grown = false;
    match machine.rung.tracked {
        1 => search_views((machine, &spec), options, &initial, progress),
        _ => search_pairs((machine, &spec), options, &initial, progress),
    }
}

fn search_views(
    (machine, spec): (&Machine<'_>, &Spec),
    options: &Options,
    initial: &Shared,
    progress: &dyn Fn(usize),
) -> Option<Attempt> {
    let assumptions = Assumptions { common_objects: true };
    let mut search = Search::new(machine, spec, &options.limits, assumptions);
    let ended = search.run(initial, progress);
    let cost = Cost {
        views: search.views.len(),
        shared: search.shared.len(),
        effects: search.effects.len(),
        applied: search.applied,
        waiting: search.waiting,
    };
    let mut descriptors = Vec::new();
    let verdict = match ended {
        Ended::Alarm(alarm) => {
            let trace = steps(&search, machine, &alarm);
            if alarm.what == Alarming::WrongChange {
                descriptors = search.descriptors(alarm.view);
            }
            Open::verdict(alarm.what, alarm.place, trace)
        }
        ended => {
            let verdict = verdict((machine, spec), ended, search.cut)?;
            if spins(&verdict) {
                descriptors = search.published();
            }
            verdict
        }
    };
    Some(Attempt { verdict, cost, descriptors })
}

fn search_pairs(
    (machine, spec): (&Machine<'_>, &Spec),
    options: &Options,
    initial: &Shared,
    progress: &dyn Fn(usize),
) -> Option<Attempt> {
    let mut search = Pairs::new(machine, spec, &options.limits);
    let ended = search.run(initial, progress);
    let (views, shared) = (search.len(), search.shared.len());
    let (applied, waiting) = (search.triples, search.waiting);
    let cost = Cost { views, shared, effects: 0, applied, waiting };
    // Whether a thread spins while it holds a lock is not followed here.
    if has_locks(machine.prepared) {
        machine.facts.borrow_mut().waits.get_or_insert(None);
    }
    let verdict = match ended {
        PairsEnded::Alarm(alarm) => Open::verdict(alarm.what, alarm.place, alarm.trace),
        PairsEnded::Else(ended) => verdict((machine, spec), ended, search.cut)?,
    };
    let descriptors = if spins(&verdict) { search.published() } else { Vec::new() };
    Some(Attempt { verdict, cost, descriptors })
}

/// What the end of a search without an alarm says; nothing if something was learnt on the way.
fn verdict((machine, spec): (&Machine<'_>, &Spec), ended: Ended, cut: bool) -> Option<Verdict> {
    Some(match ended {
        Ended::Learnt => return None,
        Ended::Proved => {
            let facts = machine.facts.borrow();
            let locks = has_locks(machine.prepared)
                || machine.rung.locks == Locks::Inferred && !facts.locks().is_empty();
            Verdict::Proved(Proved {
                states: spec.next.len(),
                size: spec.size.filter(|_| cut),
                values: spec.most_values(),
                shape: kind::shape(spec),
                frees: facts.has_tokens(),
                silent: spec.is_silent(),
                assertions: machine.prepared.assertions(),
                deadlock: deadlock(&facts, locks),
            })
        }
        Ended::Alarm(alarm) => Open::verdict(alarm.what, alarm.place, Vec::new()),
        Ended::Refused { what, place } => Verdict::Refused { what, place },
        Ended::Limit => Verdict::Limit,
    })
}

impl Open {
    fn verdict(doubt: impl Into<Doubt>, place: Option<LocId>, trace: Vec<TraceStep>) -> Verdict {
        let doubt = doubt.into();
        Verdict::Open(Box::new(Open { doubt, place, trace, tests: Vec::new(), explored: 0 }))
    }
}

/// There is no abstract type.
fn failed(failure: Failure) -> Verdict {
    let serial = |doubt, place, path: Vec<String>| {
        let mut initial = path;
        let threads = initial.pop().map(|last| vec![last]).into_iter().collect();
        let tests = vec![TestShape { initial, threads }];
        Verdict::Open(Box::new(Open { doubt, place, trace: Vec::new(), tests, explored: 0 }))
    };
    match failure {
        Failure::Wrong { kind, place, path } => serial(Doubt::Finding(kind), place, path),
        Failure::Differs { observed, path } => serial(Doubt::WrongResult(observed), None, path),
        Failure::Refused { what, place } => Verdict::Refused { what, place },
        Failure::Limit => Verdict::Limit,
        Failure::TooMany => Open::verdict(Doubt::TooManyStates, None, Vec::new()),
    }
}
