//! What is not supported in a program: an error where every execution reaches it, and a finding of
//! those that do otherwise.
//!
//! Soundness S-301 (run, check, verify; all; refuses): Whether every execution reaches something
//! that is not supported is read off the control flow, in which calls through pointers are not
//! followed: it may be a finding of every execution instead of an error. Test:
//! crates/ir/src/cfg/certain.rs::a_loop_without_an_end_may_avoid_what_is_in_it.

use execution::diagnostic::Diagnostic;
use ir::cfg::certain as certain_blocks;
use ir::op::{Claim, Inst, Op, Operand, Terminator};
use ir::program::{LocId, Program};
use std::collections::{HashMap, HashSet};

/// What every execution reaches, in the order of the source.
pub fn certain(program: &Program, refused: &HashMap<LocId, Diagnostic>) -> Vec<Diagnostic> {
    if refused.is_empty() {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for (function, block) in certain_blocks(program) {
        let insts = &program.functions[function].blocks[block].insts;
        let places = insts.iter().filter(|inst| refuses(inst)).filter_map(|inst| inst.place);
        found.extend(places.filter(|place| seen.insert(*place)).filter_map(|p| refused.get(&p)));
    }
    let mut found: Vec<Diagnostic> = found.into_iter().cloned().collect();
    found.sort_by_key(|found| found.primary.as_ref().map(|at| (at.span.file, at.span.start)));
    found.dedup();
    found
}

/// The program without what follows such a place.
pub fn cut(mut program: Program, refused: &HashMap<LocId, Diagnostic>) -> Program {
    if refused.is_empty() {
        return program;
    }
    for function in program.functions.iter_mut() {
        for block in function.blocks.iter_mut() {
            let is_refused = |inst: &Inst| {
                refuses(inst) && inst.place.is_some_and(|place| refused.contains_key(&place))
            };
            let Some(at) = block.insts.iter().position(is_refused) else { continue };
            block.insts.truncate(at + 1);
            if let Op::Assert { message, .. } = &block.insts[at].op {
                block.terminator = Terminator::Trap(message.clone());
            }
            block.place = block.insts[at].place;
        }
    }
    program
}

fn refuses(inst: &Inst) -> bool {
    matches!(
        inst.op,
        Op::Assert { cond: Operand::Int { bits: 0, .. }, claim: Claim::Supported, .. }
    )
}
