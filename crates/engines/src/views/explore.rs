//! Explores a data type with a few threads, without any abstraction: what goes wrong then, and tests
//! that may show it.

use super::concrete::Explorer;
use super::ladder::{Doubt, Options, prepare};
use super::machine::{Facts, Locks, Machine, Prepared, Rung};
use super::spec::Failure;
use super::trace::{TestShape, shape};
use crate::test::compose::Composed;

/// States that are visited.
pub(super) const MOST_STATES: usize = 200_000;

/// What came of exploring some threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exploration {
    /// How many states were visited.
    pub states: usize,
    /// Whether these are all.
    pub complete: bool,
    /// What goes wrong.
    pub wrong: Vec<Doubt>,
    /// Tests of the data type in which it goes wrong.
    pub tests: Vec<TestShape>,
}

/// Explores this number of threads; nothing if the data type has no abstract type.
pub fn explore(
    composed: &Composed,
    reference: Option<&Composed>,
    options: &Options,
    threads: usize,
) -> Option<Exploration> {
    exploration(composed, reference, options, (threads, MOST_STATES)).ok()
}

/// The same up to a number of states, with the reason if there is no abstract type.
pub(super) fn exploration(
    composed: &Composed,
    reference: Option<&Composed>,
    options: &Options,
    (threads, most): (usize, usize),
) -> Result<Exploration, Failure> {
    let prepared = |composed| Prepared::new(composed, options.abstraction.as_deref());
    let reference = reference.map(prepared);
    let prepared = prepared(composed);
    let rung = Rung { witness: prepared.witness(), ..Rung::new(Locks::Inferred, usize::MAX) };
    let settings = (options.buffers, options.values);
    let machine = Machine::new(&prepared, rung, settings, Facts::default());
    match machine.refusal() {
        Some((what, place)) => Err(Failure::Refused { what, place }),
        None => explored(&machine, reference.as_ref(), options, (threads, most)),
    }
}

/// The same for a machine, until nothing more is learnt.
pub(super) fn explored(
    machine: &Machine<'_>,
    reference: Option<&Prepared>,
    options: &Options,
    (threads, most): (usize, usize),
) -> Result<Exploration, Failure> {
    loop {
        machine.facts.borrow_mut().begin();
        let (initial, spec) = prepare(machine, reference, options)?;
        machine.facts.borrow_mut().begin();
        let mut explorer = Explorer::new(machine, &spec);
        let complete = explorer.run(&initial, threads, most, &options.limits);
        if machine.facts.borrow().grown && !options.limits.expired() {
            continue;
        }
        let mut tests = Vec::new();
        for execution in &explorer.wrong {
            let test = shape(machine, execution);
            if !tests.contains(&test) {
                tests.push(test);
            }
        }
        let wrong: Vec<Doubt> =
            explorer.wrong.into_iter().map(|execution| execution.what.into()).collect();
        if !wrong.iter().all(|doubt| matches!(doubt, Doubt::Finding(_))) {
            let more: Vec<TestShape> =
                tests.iter().flat_map(|test| revealing(machine.prepared, test)).collect();
            tests.extend(more);
        }
        return Ok(Exploration { states: explorer.states.len(), complete, wrong, tests });
    }
}

/// What is wrong in memory may show only in later operations: a test with one more in each thread,
/// or in one of them.
fn revealing(prepared: &Prepared, test: &TestShape) -> Vec<TestShape> {
    let mut all = Vec::new();
    for operation in &prepared.operations {
        let last = test.threads.len().saturating_sub(1);
        for first in [0, last] {
            let mut longer = test.clone();
            let threads = longer.threads.iter_mut().skip(first);
            threads.for_each(|thread| thread.push(operation.name.clone()));
            if !all.contains(&longer) {
                all.push(longer);
            }
        }
    }
    all
}
