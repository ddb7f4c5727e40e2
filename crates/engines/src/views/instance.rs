//! A data type with a fixed number of threads, for other tools: its program, the memory when the
//! threads start and the abstract type, as plain data; and whether something is wrong with any
//! execution of that number of threads.

use super::explore::exploration;
use super::heap::{Regions, Shared};
use super::kind;
use super::ladder::Options;
use super::machine::{Facts, Locks, Machine, Prepared, Rung};
use super::spec::{self, AbstractId, Failure, InvocationId, Next, OutcomeId, Spec};
use crate::test::compose::Composed;
use execution::ids::{Id, IdVec};
use ir::program::{FuncId, GlobalId, LocId, Program, Width};
use ir::step::sc::contents::Contents;
use ir::value::Value;
use std::collections::HashMap;

/// A data type that is ready to run.
pub struct Instance {
    /// Its program, as engines that visit states have it.
    pub program: Program,
    /// Its operations: names, functions, and for each invocation what it chooses.
    pub operations: Vec<(String, FuncId, Vec<Vec<Value>>)>,
    /// The abstract type: for each state (0 is the first), for each operation, for each of its
    /// invocations, what it shows and the state after it; nothing past the bound on its size.
    pub serial: Vec<Vec<Vec<Option<SerialStep>>>>,
    regions: Regions,
    globals: IdVec<GlobalId, Contents>,
    blocks: Vec<Contents>,
}

/// What a client observes of an invocation, labels and values, and the abstract state after it.
pub type SerialStep = (Vec<(String, Value)>, usize);

/// What a pointer points to when the threads start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    Global(GlobalId, i64),
    Block(usize, i64),
    Other,
}

/// Why there is no instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoInstance {
    pub what: String,
    pub place: Option<LocId>,
}

/// What is known of all executions of a number of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Explored {
    /// Nothing is wrong with any, after a number of states.
    Right(usize),
    /// Something is wrong with one.
    Wrong,
    /// There are too many.
    Unknown,
}

/// Operations run alone here, whatever a view says of locks.
fn machine<'a>(prepared: &'a Prepared, options: &Options) -> Machine<'a> {
    let rung = Rung::new(Locks::Exact, usize::MAX);
    Machine::new(prepared, rung, (false, options.values), Facts::default())
}

/// A data type, ready to run on sequential consistency.
pub fn instance(
    composed: &Composed,
    reference: Option<&Composed>,
    options: &Options,
) -> Result<Instance, NoInstance> {
    let prepared = |composed| Prepared::new(composed, options.abstraction.as_deref());
    let reference = reference.map(prepared);
    let prepared = prepared(composed);
    let machine = machine(&prepared, options);
    if let Some((what, place)) = machine.refusal() {
        return Err(NoInstance { what, place });
    }
    let failed = |failure| of_failure(failure);
    let memory = spec::initial(&machine).map_err(failed)?;
    let spec = spec_of(&machine, &memory, reference.as_ref(), options).map_err(failed)?;
    if let Some(shape) = options.shape.filter(|shape| kind::shape(&spec) != Some(*shape)) {
        let what = format!("serial executions that are not those of a {shape}");
        return Err(NoInstance { what, place: None });
    }
    let constant = |id| machine.constant(id).cloned();
    let globals = memory.globals.iter().enumerate().map(|(at, object)| {
        constant(GlobalId::new(at)).unwrap_or_else(|| object.body().contents.clone())
    });
    let globals = globals.collect();
    let blocks = memory.objects.iter().map(|object| object.body().contents.clone()).collect();
    let operations = operations(&prepared, &spec);
    let serial = serial(&spec, prepared.operations.len());
    let regions = machine.regions.clone();
    drop(machine);
    Ok(Instance { program: prepared.program, operations, serial, regions, globals, blocks })
}

impl Instance {
    /// How many heap blocks there are when the threads start.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// What a global holds when the threads start.
    pub fn of_global(&self, global: GlobalId, offset: u64, width: Width) -> Value {
        read(&self.globals[global], offset, width)
    }

    /// What a heap block holds when the threads start.
    pub fn of_block(&self, block: usize, offset: u64, width: Width) -> Value {
        read(&self.blocks[block], offset, width)
    }

    /// What a value points to, if it is a pointer.
    pub fn target(&self, value: Value) -> Option<Target> {
        let region = value.provenance?;
        let offset = value.low().wrapping_sub(self.regions.base(region)) as i64;
        Some(match (self.regions.heap(region), self.regions.global(region)) {
            (Some(block), _) => Target::Block(block, offset),
            (None, Some(global)) => Target::Global(global, offset),
            (None, None) => Target::Other,
        })
    }
}

/// What is in some bytes; nothing that is defined past the end.
fn read(contents: &Contents, offset: u64, width: Width) -> Value {
    match offset + width.bytes() <= contents.len() as u64 {
        true => contents.read(offset as usize, width),
        false => Value::undef(width),
    }
}

fn of_failure(failure: Failure) -> NoInstance {
    let (what, place) = match failure {
        Failure::Wrong { place, path, .. } => {
            (format!("operations that go wrong when they run alone: {}", path.join(", ")), place)
        }
        Failure::Differs { path, .. } => {
            let what = "operations that do alone what the reference does not";
            (format!("{what}: {}", path.join(", ")), None)
        }
        Failure::Refused { what, place } => (what, place),
        Failure::TooMany => ("more serial states than can be visited".into(), None),
        Failure::Limit => ("a limit that was reached".into(), None),
    };
    NoInstance { what, place }
}

fn spec_of(
    machine: &Machine<'_>,
    memory: &Shared,
    reference: Option<&Prepared>,
    options: &Options,
) -> Result<Spec, Failure> {
    match reference {
        None => Spec::of(machine, memory, options.size, &options.limits),
        Some(prepared) => {
            let machine = self::machine(prepared, options);
            let memory = spec::initial(&machine)?;
            Spec::of(&machine, &memory, options.size, &options.limits)
        }
    }
}

fn operations(prepared: &Prepared, spec: &Spec) -> Vec<(String, FuncId, Vec<Vec<Value>>)> {
    let operations = prepared.operations.iter().enumerate().map(|(number, operation)| {
        let own = spec.invocations.iter().filter(|(of, _)| *of == number);
        let chosen = own.map(|(_, chosen)| chosen.clone()).collect();
        (operation.name.clone(), operation.function, chosen)
    });
    operations.collect()
}

fn serial(spec: &Spec, operations: usize) -> Vec<Vec<Vec<Option<SerialStep>>>> {
    let shown: HashMap<OutcomeId, _> =
        spec.outcome_numbers.iter().map(|(observed, number)| (*number, observed)).collect();
    // Those within the bound, the first one first.
    let inside = (0..spec.next.len()).filter(|&state| !spec.past[state]);
    let mut states: Vec<usize> = inside.collect();
    states.sort_by_key(|&state| (state != spec.initial.index(), state));
    let step =
        |state: usize, at: usize| match spec.next(AbstractId::new(state), InvocationId::new(at)) {
            Next::To(outcome, to) => {
                let to = states.iter().position(|&state| state == to.index())?;
                Some((shown[&outcome].clone(), to))
            }
            Next::Past => None,
        };
    let of = |state: usize, operation: usize| {
        let all = spec.invocations.iter().enumerate().filter(|(_, it)| it.0 == operation);
        all.map(|(at, _)| step(state, at)).collect()
    };
    let row = |&state: &usize| (0..operations).map(|operation| of(state, operation)).collect();
    states.iter().map(row).collect()
}

/// Visits all states of a number of threads on sequential consistency, up to `most`.
pub fn explore_instance(
    composed: &Composed,
    reference: Option<&Composed>,
    options: &Options,
    limits: (usize, usize),
) -> Result<Explored, NoInstance> {
    let options = Options { buffers: false, ..options.clone() };
    let found = match exploration(composed, reference, &options, limits) {
        // So it does in an execution of any number of threads.
        Err(Failure::Wrong { .. } | Failure::Differs { .. }) => return Ok(Explored::Wrong),
        found => found.map_err(of_failure)?,
    };
    Ok(match (found.wrong.is_empty(), found.complete) {
        (false, _) => Explored::Wrong,
        (true, true) => Explored::Right(found.states),
        (true, false) => Explored::Unknown,
    })
}
