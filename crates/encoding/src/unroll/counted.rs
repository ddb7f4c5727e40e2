//! Loops that end by themselves, whatever else decides them: a register is counted up or down in
//! each iteration, and compared with what the loop does not change.
//!
//! Soundness S-091 (check, verify; all; misses): For the solver, a weak compare-and-swap in a loop
//! that retries fails spuriously only in the first iteration of the innermost loop, unless the loop
//! counts up or down to a constant or an unchanged register; so a program that counts failures in
//! memory is checked as if only the first could be spurious. Test:
//! crates/fencepost/tests/verdicts.rs::a_weak_compare_and_swap_may_fail_as_often_as_it_is_tried,
//! crates/encoding/src/unroll/counted.rs::a_loop_with_a_counter_is_counted.

use ir::cfg::Loop;
use ir::op::{BinaryOp, Op, Operand, Terminator};
use ir::program::{BlockId, Function, Reg};

/// Whether each iteration of a loop compares a register, to leave the loop, that nothing in it
/// changes but by adding or subtracting constants, with a constant or a register that nothing in it
/// changes.
pub(super) fn is_counted(code: &Function, it: &Loop) -> bool {
    // Every iteration reaches its header, and the only block that goes back.
    let always = |block: BlockId| block == it.header || it.back_edges.iter().all(|e| e.0 == block);
    let mut exits = it.exits.iter().filter(|(from, _)| always(*from));
    exits.any(|&(from, _)| {
        let Terminator::Branch { cond: Operand::Reg(cond), .. } = code.blocks[from].terminator
        else {
            return false;
        };
        let own = std::slice::from_ref(&from);
        let [Op::Binary { op, a, b, .. }] = assigned(code, own, cond)[..] else { return false };
        let counted = |counter: &Operand, limit: &Operand| {
            matches!(counter, Operand::Reg(reg) if is_counter(code, it, *reg))
                && is_fixed(code, it, limit)
        };
        op.is_comparison() && (counted(a, b) || counted(b, a))
    })
}

/// Whether a loop leaves an operand as it is.
fn is_fixed(code: &Function, it: &Loop, operand: &Operand) -> bool {
    match operand {
        Operand::Int { .. } => true,
        Operand::Reg(reg) => assigned(code, &it.blocks, *reg).is_empty(),
        _ => false,
    }
}

/// Whether a loop changes a register only by constants, and does so.
fn is_counter(code: &Function, it: &Loop, reg: Reg) -> bool {
    let steps = |op: &&Op| match op {
        Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, a, b, .. } => {
            *a == Operand::Reg(reg) && matches!(b, Operand::Int { .. })
        }
        _ => false,
    };
    // `%2 = add %i, 1` and then `%i = copy %2`.
    let step = |op: &&Op| match op {
        Op::Copy { src: Operand::Reg(other), .. } => {
            let all = assigned(code, &it.blocks, *other);
            !all.is_empty() && all.iter().all(steps)
        }
        _ => steps(op),
    };
    let all = assigned(code, &it.blocks, reg);
    !all.is_empty() && all.iter().all(step)
}

/// What assigns a register in some blocks.
fn assigned<'c>(code: &'c Function, blocks: &[BlockId], reg: Reg) -> Vec<&'c Op> {
    let insts = blocks.iter().flat_map(|&block| &code.blocks[block].insts);
    insts.map(|inst| &inst.op).filter(|op| op.results().contains(&reg)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::ids::Id;
    use execution::span::FileId;
    use ir::cfg::LoopForest;

    /// Whether the loop of a function is counted.
    fn counted(body: &str) -> bool {
        let text = format!("fpir 1\nentry main\nfn main() {{\n{body}\n}}\n");
        let program = ir::text::parse(FileId::new(0), &text).expect("a program").program;
        let code = &program.functions[program.entry[0]];
        let forest = LoopForest::new(code).expect("natural loops");
        is_counted(code, forest.loops.iter().next().expect("a loop"))
    }

    #[test]
    fn a_loop_with_a_counter_is_counted() {
        let head = "reg %i: i32, %n: i32, %m: i32, %c: i1\nb0:\n  %i = copy i32 0\n  jump b1\nb1:";
        let test = "  %c = slt i32 %i, 3\n  branch %c, b2, b3";
        let step = "b2:\n  %n = add i32 %i, 1\n  %i = copy %n\n  jump b1\nb3:\n  return";
        assert!(counted(&format!("{head}\n{test}\n{step}")));
        let reset = step.replace("copy %n", "copy i32 0");
        assert!(!counted(&format!("{head}\n{test}\n{reset}")));
        let product = step.replace("add", "mul");
        assert!(!counted(&format!("{head}\n{test}\n{product}")));
        let test = test.replace("3\n", "%m\n");
        assert!(counted(&format!("{head}\n{test}\n{step}")));
        let moves = step.replace("jump b1", "%m = add i32 %m, 1\n  jump b1");
        assert!(!counted(&format!("{head}\n{test}\n{moves}")));
    }
}
