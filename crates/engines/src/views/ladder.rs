//! The ladder of abstractions, climbed from the cheapest rung on; and, where no rung proves the data
//! type right, executions of two and three threads that may show that it is not.

use super::explore::explored;
use super::heap::Shared;
use super::kind::{self, Shape};
use super::machine::{Facts, Locks, Machine, Prepared, Rung};
use super::order::{Deadlock, deadlock};
use super::search::{Alarming, Assumptions, Ended, Search};
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

/// The numbers of threads that are explored for that.
const THREADS: [usize; 2] = [2, 3];
/// Objects are known up to so many pointers away from a thread, at least and at most.
const NEAR: usize = 2;
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
    let prepared = Prepared::new(composed);
    let reference = reference.map(Prepared::new);
    let reference = reference.as_ref();
    let facts = Facts::default();
    let mut climb = Climb { prepared: &prepared, reference, options, progress, facts };
    let mut rungs = Vec::new();
    let mut doubt: Option<(Box<Open>, Cost)> = None;
    let mut refused = None;
    let mut open = ladder(&prepared);
    open.reverse();
    while let Some(rung) = open.pop() {
        rungs.push(rung);
        let (verdict, cost) = climb.rung(rung);
        match verdict {
            Verdict::Open(alarm) => {
                if alarm.doubt == Doubt::Far && rung.depth < FAR {
                    open.push(Rung { depth: rung.depth + 1, ..rung });
                }
                doubt = Some((alarm, cost));
            }
            Verdict::Refused { .. } => refused = refused.or(Some((verdict, cost))),
            Verdict::Proved(_) | Verdict::Limit => return Proof { verdict, rungs, cost },
        }
    }
    if let Some((mut alarm, cost)) = doubt {
        climb.look_for_executions(&mut alarm);
        return Proof { verdict: Verdict::Open(alarm), rungs, cost };
    }
    let (verdict, cost) = refused.unwrap_or((Verdict::Limit, Cost::default()));
    Proof { verdict, rungs, cost }
}

/// The rungs that make a difference for a program.
fn ladder(prepared: &Prepared) -> Vec<Rung> {
    let rung = |locks| Rung { locks, depth: NEAR };
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
    fn rung(&mut self, rung: Rung) -> (Verdict, Cost) {
        let (options, progress, reference) = (self.options, self.progress, self.reference);
        let machine = self.machine(rung);
        if let Some((what, place)) = machine.refusal() {
            return (Verdict::Refused { what, place }, Cost::default());
        }
        let found = loop {
            machine.facts.borrow_mut().begin();
            match attempt(&machine, reference, options, progress) {
                Some(found) => break found,
                None if options.limits.expired() => break (Verdict::Limit, Cost::default()),
                None => {}
            }
        };
        self.facts = machine.facts.take();
        found
    }

    /// Explores two and three threads, for tests that may show what is wrong.
    fn look_for_executions(&mut self, open: &mut Open) {
        let (options, reference, locks) = (self.options, self.reference, Locks::Inferred);
        let machine = self.machine(Rung { locks, depth: usize::MAX });
        for threads in THREADS {
            let Some(found) = explored(&machine, reference, options, threads) else { return };
            for test in found.tests {
                if !open.tests.contains(&test) {
                    open.tests.push(test);
                }
            }
            if found.complete && found.wrong.is_empty() {
                open.explored = threads;
            }
            if !found.wrong.is_empty() {
                break;
            }
        }
    }
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
            let machine = Machine::new(prepared, machine.rung, settings, Facts::default());
            let initial = spec::initial(&machine)?;
            Spec::of(&machine, &initial, options.size, &options.limits)?
        }
    };
    Ok((initial, spec))
}

/// One search; nothing if something was learnt on the way.
fn attempt(
    machine: &Machine<'_>,
    reference: Option<&Prepared>,
    options: &Options,
    progress: &dyn Fn(usize),
) -> Option<(Verdict, Cost)> {
    let (initial, spec) = match prepare(machine, reference, options) {
        Ok(found) => found,
        Err(failure) => return Some((failed(failure), Cost::default())),
    };
    if let Some(shape) = options.shape.filter(|shape| kind::shape(&spec) != Some(*shape)) {
        let what = format!("serial executions that are not those of a {shape}");
        return Some((Verdict::Refused { what, place: None }, Cost::default()));
    }
    machine.facts.borrow_mut().grown = false;
    let assumptions = Assumptions { common_objects: true };
    let mut search = Search::new(machine, &spec, &options.limits, assumptions);
    let ended = search.run(&initial, progress);
    let cost = Cost {
        views: search.views.len(),
        shared: search.shared.len(),
        effects: search.effects.len(),
        applied: search.applied,
    };
    let verdict = match ended {
        Ended::Learnt => return None,
        Ended::Proved => {
            let facts = machine.facts.borrow();
            let locks = has_locks(machine.prepared)
                || machine.rung.locks == Locks::Inferred && !facts.locks().is_empty();
            Verdict::Proved(Proved {
                states: spec.next.len(),
                size: spec.size.filter(|_| search.cut),
                values: spec.most_values(),
                shape: kind::shape(&spec),
                frees: facts.has_tokens(),
                deadlock: deadlock(&facts, locks),
            })
        }
        Ended::Alarm(alarm) => {
            let trace = steps(&search, machine, &alarm);
            let (doubt, place) = (alarm.what.into(), alarm.place);
            let open = Open { doubt, place, trace, tests: Vec::new(), explored: 0 };
            Verdict::Open(Box::new(open))
        }
        Ended::Refused { what, place } => Verdict::Refused { what, place },
        Ended::Limit => Verdict::Limit,
    };
    Some((verdict, cost))
}

/// There is no abstract type.
fn failed(failure: Failure) -> Verdict {
    let what = match failure {
        Failure::Wrong { kind, place, path } => {
            let doubt = Doubt::Finding(kind);
            let mut initial = path;
            let threads = initial.pop().map(|last| vec![last]).into_iter().collect();
            let tests = vec![TestShape { initial, threads }];
            let open = Open { doubt, place, trace: Vec::new(), tests, explored: 0 };
            return Verdict::Open(Box::new(open));
        }
        Failure::Refused { what, place } => return Verdict::Refused { what, place },
        Failure::Limit => return Verdict::Limit,
        Failure::TooMany => "more serial states than can be visited",
    };
    Verdict::Refused { what: what.into(), place: None }
}
