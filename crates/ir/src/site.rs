//! Places of a program as its user knows them: the function, and whether a loop, a recursion or an
//! allocation stands there.

use crate::op::{Callee, Inst, Op, Operand};
use crate::program::{FuncId, LocId, Program};
use execution::verdict::{Construct, Site};
use std::collections::HashSet;

/// A place as its user wrote it: the innermost one that is not in an embedded header.
pub fn site(program: &Program, place: LocId) -> Site {
    let mut user = place;
    while program.places[user].location.is_library() {
        let Some(caller) = program.places[user].inlined_at else {
            user = place;
            break;
        };
        user = caller;
    }
    let construct = match () {
        () if is_allocation(program, place) => Construct::Allocation,
        () if is_recursion(program, place) => Construct::Recursion,
        () => Construct::Loop,
    };
    let place = &program.places[user];
    Site { location: place.location.clone(), function: place.function.clone(), construct }
}

/// Whether at a place a block is allocated whose size is not a constant, by itself or by a function
/// of the embedded library.
fn is_allocation(program: &Program, place: LocId) -> bool {
    let is_constant = |size: &Operand| matches!(size, Operand::Int { .. });
    let allocates = |inst: &Inst| matches!(&inst.op, Op::Alloc { size, .. } if !is_constant(size));
    let insts =
        |function: FuncId| program.functions[function].blocks.iter().flat_map(|block| &block.insts);
    let is_library = |function: FuncId| {
        let at = program.functions[function].place;
        at.is_some_and(|at| program.places[at].location.is_library())
    };
    let here = |inst: &Inst| match &inst.op {
        _ if inst.place != Some(place) => false,
        Op::Call { callee: Callee::Direct(function), .. } => {
            is_library(*function) && insts(*function).any(allocates)
        }
        _ => allocates(inst),
    };
    program.functions.ids().flat_map(insts).any(here)
}

/// Whether what repeats at a place is a function that calls itself there, or is passed on to be
/// called (as to start a thread), rather than a loop.
fn is_recursion(program: &Program, place: LocId) -> bool {
    let called = |function: FuncId, at: Option<LocId>| {
        let insts = program.functions[function].blocks.iter().flat_map(|block| &block.insts);
        let here = move |inst: &&Inst| at.is_none() || inst.place == at;
        let functions = |inst: &Inst| match &inst.op {
            Op::Call { callee, args, .. } | Op::Spawn { callee, args, .. } => {
                let direct = match callee {
                    Callee::Direct(function) => Some(*function),
                    Callee::Indirect(_) => None,
                };
                let handed = args.iter().filter_map(|arg| match arg {
                    Operand::Function(function) => Some(*function),
                    _ => None,
                });
                direct.into_iter().chain(handed).collect()
            }
            _ => Vec::new(),
        };
        insts.filter(here).flat_map(functions).collect::<Vec<_>>()
    };
    program.functions.ids().any(|function| {
        let mut open = called(function, Some(place));
        let mut known = HashSet::new();
        while let Some(callee) = open.pop() {
            if known.insert(callee) {
                open.extend(called(callee, None));
            }
        }
        known.contains(&function)
    })
}
