//! Registers that a loop changes and that do not decide what it does: a counter of attempts.
//!
//! `while (!flag) n++;` iterates in the same way whatever `n` is, though `n` may matter after the
//! loop. As long as control stays in the loop, nothing but other such registers is computed from
//! them.
//!
//! Soundness S-128 (verify; all; misses): A register that decides nothing in a waiting loop, such
//! as a counter of attempts, may change; that a signed one would overflow after many iterations is
//! not found. Test: crates/ir/src/cfg/bystanders.rs::a_counter_that_decides_nothing_is_a_bystander,
//! crates/fencepost/tests/effort.rs::a_loop_that_waits_may_count_its_attempts.

use super::Loop;
use crate::op::{BinaryOp, Op, Operand, UnaryOp};
use crate::program::{Function, Reg};
use std::collections::BTreeSet;

/// The registers that a loop sets and that, inside of it, nothing is computed from but other such
/// registers.
pub fn bystanders(function: &Function, of: &Loop) -> BTreeSet<Reg> {
    let blocks = || of.blocks.iter().map(|&block| &function.blocks[block]);
    let ops = || blocks().flat_map(|block| &block.insts).map(|inst| &inst.op);
    let mut found: BTreeSet<Reg> = ops().flat_map(Op::results).collect();
    for operand in blocks().flat_map(|block| block.terminator.operands()) {
        remove(&mut found, operand);
    }
    loop {
        let before = found.len();
        for op in ops() {
            let stays = is_pure(op) && op.results().iter().all(|reg| found.contains(reg));
            if !stays {
                op.operands().into_iter().for_each(|operand| remove(&mut found, operand));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn remove(found: &mut BTreeSet<Reg>, operand: &Operand) {
    if let Operand::Reg(reg) = operand {
        found.remove(reg);
    }
}

/// Whether an instruction only computes, and cannot be wrong but for an overflow.
fn is_pure(op: &Op) -> bool {
    use BinaryOp::{SDiv, SRem, UDiv, URem};
    match op {
        Op::Copy { .. } | Op::Cast { .. } | Op::Select { .. } => true,
        Op::Unary { op, .. } => !matches!(op, UnaryOp::Float(_)),
        Op::Binary { op, .. } => {
            !matches!(op, SDiv | SRem | UDiv | URem | BinaryOp::Float(_)) && !op.is_shift()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::LoopForest;
    use execution::ids::Id;
    use execution::span::FileId;

    /// The bystanders of the loop of a function.
    fn of(body: &str) -> Vec<usize> {
        let regs = "reg %n: i32, %m: i32, %f: i32, %c: i1";
        let text = format!(
            "fpir 1\nentry main\nfn main() {{\n{regs}\nb0:\n  %n = copy i32 0\n  jump b1\n{body}\n}}\n"
        );
        let program = crate::text::parse(FileId::new(0), &text);
        let program = program.unwrap_or_else(|error| panic!("{error:?}\n{text}")).program;
        let code = &program.functions[program.entry[0]];
        let forest = LoopForest::new(code).expect("natural loops");
        let found = bystanders(code, forest.loops.iter().next().expect("a loop"));
        found.into_iter().map(Id::index).collect()
    }

    #[test]
    fn a_counter_that_decides_nothing_is_a_bystander() {
        let test = "b1:\n  %c = eq i32 %f, 0\n  branch %c, b2, b3\n";
        let step = "b2:\n  %m = add i32 %n, 1\n  %n = copy %m\n  jump b1\n";
        let end = "b3:\n  exit %n";
        assert_eq!(of(&format!("{test}{step}{end}")), [0, 1]);
        let decides = test.replace("%f", "%n");
        assert_eq!(of(&format!("{decides}{step}{end}")), []);
        let indirectly = step.replace("jump b1", "%f = copy %m\n  jump b1");
        assert_eq!(of(&format!("{test}{indirectly}{end}")), []);
        let divides = step.replace("add i32 %n, 1", "udiv i32 3, %n");
        assert_eq!(of(&format!("{test}{divides}{end}")), []);
    }
}
