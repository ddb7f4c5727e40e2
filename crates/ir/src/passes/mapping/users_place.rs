//! Where the user calls what an embedded header cannot have for a target.

use crate::op::{Callee, Inst, Op, Operand};
use crate::program::{FuncId, LocId, Program};
use std::collections::BTreeSet;

/// For a place in an embedded header, one where the user's code calls what it is in, directly or
/// through others.
pub(super) fn users_place(program: &Program, place: LocId) -> LocId {
    let is_own = |place: LocId| !program.places[place].location.is_library();
    let mentions = |inst: &Inst, function: FuncId| {
        let named = Operand::Function(function);
        let called = match &inst.op {
            Op::Call { callee, .. } | Op::Spawn { callee, .. } => {
                *callee == Callee::Direct(function)
            }
            _ => false,
        };
        called || inst.op.operands().contains(&&named)
    };
    let insts = || {
        program.functions.enumerate().flat_map(|(id, function)| {
            let insts = function.blocks.iter().flat_map(|block| &block.insts);
            insts.map(move |inst| (id, inst))
        })
    };
    if is_own(place) {
        return place;
    }
    let mut open: Vec<FuncId> =
        insts().filter(|(_, inst)| inst.place == Some(place)).map(|(id, _)| id).collect();
    let mut seen: BTreeSet<FuncId> = open.iter().copied().collect();
    while let Some(function) = open.pop() {
        for (caller, inst) in insts().filter(|(_, inst)| mentions(inst, function)) {
            match inst.place {
                Some(call) if is_own(call) => return call,
                _ if seen.insert(caller) => open.push(caller),
                _ => {}
            }
        }
    }
    place
}
