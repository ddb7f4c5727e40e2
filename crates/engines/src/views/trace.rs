//! Executions for people: what led to a view that could not be excluded, and which test of the data
//! type an execution of so many threads is.

use super::concrete::{Execution, Happened};
use super::machine::Machine;
use super::parts::Seen;
use super::search::{Alarm, Origin, Search, ViewId};
use execution::finding::Verb;
use ir::program::LocId;

/// A step of an abstract execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// Which thread made it.
    pub who: Who,
    /// The operation of the thread that made it.
    pub operation: String,
    /// What it did that others may notice.
    pub accesses: Vec<TraceAccess>,
}

/// A thread of an abstract execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// The tracked thread, or the first of two.
    First,
    /// The second of two tracked threads.
    Second,
    /// Any other.
    Other,
}

/// An access of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceAccess {
    pub verb: Verb,
    /// What the source calls the place.
    pub path: Option<String>,
    pub place: Option<LocId>,
}

impl From<&Seen> for TraceAccess {
    fn from(seen: &Seen) -> Self {
        Self { verb: seen.verb, path: seen.path.clone(), place: seen.place }
    }
}

/// A test of the data type: the names of operations.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TestShape {
    /// What runs first, one after the other.
    pub initial: Vec<String>,
    /// The threads.
    pub threads: Vec<Vec<String>>,
}

impl std::fmt::Display for TestShape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for operation in &self.initial {
            write!(f, "{operation} ")?;
        }
        let threads: Vec<String> = self.threads.iter().map(|thread| thread.join(" ")).collect();
        write!(f, "( {} )", threads.join(" | "))
    }
}

/// The steps that led to an alarm, the step that raised it last.
pub(super) fn steps(
    search: &Search<'_, '_>,
    machine: &Machine<'_>,
    alarm: &Alarm,
) -> Vec<TraceStep> {
    let name = |view: ViewId| {
        search.operation(view).map(|at| machine.prepared.operations[at].name.clone())
    };
    let mut all = vec![TraceStep {
        who: Who::First,
        operation: name(alarm.view).unwrap_or_default(),
        accesses: alarm.seen.iter().map(TraceAccess::from).collect(),
    }];
    let mut at = alarm.view;
    loop {
        let view = &search.views[at];
        let (before, who, of, seen) = match &view.origin {
            Origin::Initial => break,
            Origin::Own { before, seen } => (*before, Who::First, at, seen),
            Origin::Effect { before, effect } => {
                let caused = &search.effects[*effect];
                (*before, Who::Other, caused.by, &caused.seen)
            }
        };
        // A step that ends an operation belongs to it.
        let operation = name(of).or_else(|| name(before)).unwrap_or_default();
        let accesses: Vec<TraceAccess> = seen.iter().map(TraceAccess::from).collect();
        if !accesses.is_empty() {
            all.push(TraceStep { who, operation, accesses });
        }
        at = before;
    }
    all.reverse();
    all
}

/// The test that an execution is: what ran alone at its beginning runs first.
pub(super) fn shape(machine: &Machine<'_>, execution: &Execution) -> TestShape {
    let name = |operation: usize| machine.prepared.operations[operation].name.clone();
    let mut initial = Vec::new();
    let mut threads: Vec<Vec<String>> = Vec::new();
    let mut serial = true;
    let happened = &execution.happened;
    for (at, happening) in happened.iter().enumerate() {
        let Happened::Began { thread, operation } = *happening else { continue };
        // Whether it ends before another operation begins.
        let rest = &happened[at + 1..];
        let next = rest.iter().find(|next| !matches!(next, Happened::Stepped { .. }));
        serial &= next.is_some_and(|next| *next == Happened::Ended { thread });
        match serial {
            true => initial.push(name(operation)),
            false => {
                if threads.len() <= thread {
                    threads.resize(thread + 1, Vec::new());
                }
                threads[thread].push(name(operation));
            }
        }
    }
    threads.retain(|thread| !thread.is_empty());
    if threads.is_empty() {
        threads.extend(initial.pop().map(|last| vec![last]));
    }
    TestShape { initial, threads }
}
