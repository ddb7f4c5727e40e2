//! The threads of a program, how many there may be of each, and which of their steps run while
//! another thread may.

use crate::between::Steps;
use crate::flow::{Action, Flow, Known, StepId};
use ir::op::{Callee, Inst, Op};
use ir::points_to::PointsTo;
use ir::program::{FuncId, Program};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// From this number on, it does not matter how many threads there are.
pub const MANY: u32 = 64;

/// Threads that begin with the same function.
pub struct Root<'p> {
    /// The function.
    pub function: FuncId,
    /// What they do.
    pub flow: Flow<'p>,
    /// How many there are at most; [`MANY`] stands for any number.
    pub count: u32,
    /// Whether the program starts with it.
    initial: bool,
}

/// All threads that a program may start, the initial ones first.
pub fn roots<'p>(program: &'p Program, known: &PointsTo<'_>) -> Vec<Root<'p>> {
    let mut roots: Vec<Root<'p>> = Vec::new();
    let mut open: VecDeque<FuncId> = program.entry.iter().copied().collect();
    let mut starts: BTreeMap<FuncId, Vec<(FuncId, bool)>> = BTreeMap::new();
    while let Some(function) = open.pop_front() {
        if roots.iter().any(|root| root.function == function) {
            continue;
        }
        let flow = Flow::of(program, known, function);
        for (step, started) in spawns(&flow, known) {
            let again = flow.after(step).contains(&step);
            for callee in started {
                starts.entry(function).or_default().push((callee, again));
                open.push_back(callee);
            }
        }
        let initial = program.entry.contains(&function);
        roots.push(Root { function, flow, count: 0, initial });
    }
    count(&mut roots, &starts, program);
    roots
}

/// The steps that start threads, with the functions that these begin with.
fn spawns(flow: &Flow<'_>, known: &PointsTo<'_>) -> Vec<(StepId, BTreeSet<FuncId>)> {
    let reached = flow.reached();
    let started = reached.into_iter().filter_map(|id| {
        let step = &flow.steps[id];
        let Action::Inst(Inst { op: Op::Spawn { callee, .. }, .. }) = &step.action else {
            return None;
        };
        let function = flow.activations[step.activation].function;
        let here = match callee {
            Callee::Direct(function) => Some(Known::Function(*function)),
            Callee::Indirect(pointer) => flow.known(step.activation, pointer),
        };
        let callees = match here {
            Some(Known::Function(function)) => BTreeSet::from([function]),
            _ => known.callees(function, callee),
        };
        Some((id, callees))
    });
    started.collect()
}

/// How many threads there are of each kind: the sum over the places that start them.
fn count(
    roots: &mut [Root<'_>],
    starts: &BTreeMap<FuncId, Vec<(FuncId, bool)>>,
    program: &Program,
) {
    // Threads that start themselves, in a circle, grow until they are many.
    for _ in 0..=MANY as usize + roots.len() {
        let mut counts: BTreeMap<FuncId, u32> = BTreeMap::new();
        for entry in &program.entry {
            *counts.entry(*entry).or_default() += 1;
        }
        for root in roots.iter() {
            for (callee, again) in starts.get(&root.function).into_iter().flatten() {
                let more = match (root.count, again) {
                    (0, _) => 0,
                    (_, true) => MANY,
                    (count, false) => count,
                };
                let sum = counts.entry(*callee).or_default();
                *sum = sum.saturating_add(more).min(MANY);
            }
        }
        for root in roots.iter_mut() {
            root.count = counts.get(&root.function).copied().unwrap_or(0);
        }
    }
}

/// The steps of a thread that are executed while others may run. For the initial thread these lie
/// between the first start of a thread and the point where as many threads have been awaited as
/// there are: starting and awaiting order accesses on every model.
pub fn concurrent(root: &Root<'_>, roots: &[Root<'_>], steps: &Steps<'_, '_>) -> BTreeSet<StepId> {
    let reached = root.flow.reached();
    if !root.initial || roots.iter().filter(|root| root.initial).count() > 1 {
        return reached;
    }
    let is = |step: &StepId, wanted: fn(&Op) -> bool| match &steps.flow.steps[*step].action {
        Action::Inst(inst) => wanted(&inst.op),
        _ => false,
    };
    let starting = reached.iter().filter(|step| is(step, |op| matches!(op, Op::Spawn { .. })));
    let started: BTreeSet<StepId> = starting.flat_map(|&step| root.flow.after(step)).collect();
    let others = roots.iter().filter(|other| !other.initial).map(|other| other.count);
    let threads = others.fold(0, u32::saturating_add);
    if threads >= MANY {
        return started;
    }
    // The least number of threads awaited before each step.
    let mut awaited: BTreeMap<StepId, u32> = BTreeMap::from([(root.flow.start, 0)]);
    let mut open = VecDeque::from([root.flow.start]);
    while let Some(step) = open.pop_front() {
        let here = u32::from(is(&step, |op| matches!(op, Op::Join { .. })));
        let after = awaited[&step] + here;
        for &next in &root.flow.steps[step].next {
            if awaited.get(&next).is_none_or(|&known| after < known) {
                awaited.insert(next, after);
                open.push_back(next);
            }
        }
    }
    started.into_iter().filter(|step| awaited.get(step).is_none_or(|&n| n < threads)).collect()
}
