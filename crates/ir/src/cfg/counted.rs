//! Loops that end by themselves, whatever else decides them: a register is counted up or down in
//! each iteration, and compared with what the loop does not change.
//!
//! Soundness S-091 (check, verify; all; misses): For the solver, a weak compare-and-swap in a loop
//! that retries fails spuriously only in the first iteration of the innermost loop, unless the loop
//! counts up or down to a constant or an unchanged register; so a program that counts failures in
//! memory is checked as if only the first could be spurious. Test:
//! crates/fencepost/tests/verdicts.rs::a_weak_compare_and_swap_may_fail_as_often_as_it_is_tried,
//! crates/ir/src/cfg/counted.rs::a_loop_with_a_counter_is_counted.

use super::Loop;
use crate::op::{BinaryOp, Op, Operand, Terminator};
use crate::program::{BlockId, Function, Reg};

/// Whether a loop compares a register somewhere, to leave the loop, that nothing in it changes but by
/// adding or subtracting constants, with a constant or a register that nothing in it changes.
pub fn is_counted(code: &Function, it: &Loop) -> bool {
    it.exits.iter().any(|&(from, _)| {
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

/// Whether a loop surely ends if all that its iterations call ends: each goes on only while a register
/// is less than what the loop does not change, or differs from it, and adds one to it; or the other
/// way round.
pub fn ends_by_itself(code: &Function, it: &Loop) -> bool {
    let always = |block: BlockId| block == it.header || it.back_edges.iter().all(|e| e.0 == block);
    it.exits.iter().filter(|(from, _)| always(*from)).any(|&(from, _)| {
        let Terminator::Branch { cond: Operand::Reg(cond), then, otherwise } =
            &code.blocks[from].terminator
        else {
            return false;
        };
        let own = std::slice::from_ref(&from);
        let [Op::Binary { op, a, b, .. }] = assigned(code, own, *cond)[..] else { return false };
        let inside = |block: &BlockId| it.blocks.contains(block);
        let (stays, leaves) =
            (inside(then) && !inside(otherwise), inside(otherwise) && !inside(then));
        let counts = |counter: &Operand, by: BinaryOp, limit: &Operand| {
            let Operand::Reg(counter) = counter else { return false };
            let counter = copied(code, it, from, *counter);
            let mut always = it.blocks.iter().copied().filter(|&block| always(block));
            is_fixed(code, it, limit) && always.any(|block| steps(code, it, (block, counter), by))
        };
        match op {
            BinaryOp::Ult | BinaryOp::Slt if stays => {
                counts(a, BinaryOp::Add, b) || counts(b, BinaryOp::Sub, a)
            }
            BinaryOp::Ne if stays => counts(a, BinaryOp::Add, b) || counts(a, BinaryOp::Sub, b),
            BinaryOp::Eq if leaves => counts(a, BinaryOp::Add, b) || counts(a, BinaryOp::Sub, b),
            _ => false,
        }
    })
}

/// Whether a block adds or subtracts one, and nothing else in the loop changes the register.
fn steps(code: &Function, it: &Loop, (block, reg): (BlockId, Reg), by: BinaryOp) -> bool {
    let own = std::slice::from_ref(&block);
    let ([op], [_]) = (&assigned(code, own, reg)[..], &assigned(code, &it.blocks, reg)[..]) else {
        return false;
    };
    let op = match op {
        Op::Copy { src: Operand::Reg(other), .. } => match assigned(code, own, *other)[..] {
            [op] => op,
            _ => return false,
        },
        op => op,
    };
    match op {
        Op::Binary { op, a: Operand::Reg(a), b: Operand::Int { bits: 1, .. }, .. } => {
            *op == by && (*a == reg || copied(code, it, block, *a) == reg)
        }
        _ => false,
    }
}

/// The register that a block copies into this one, which the loop changes nowhere else; or this one.
fn copied(code: &Function, it: &Loop, block: BlockId, reg: Reg) -> Reg {
    let own = assigned(code, std::slice::from_ref(&block), reg);
    match (&own[..], assigned(code, &it.blocks, reg).len()) {
        ([Op::Copy { src: Operand::Reg(from), .. }], 1) => *from,
        _ => reg,
    }
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
    use crate::cfg::LoopForest;
    use execution::ids::Id;
    use execution::span::FileId;

    /// Whether the loop of a function is counted.
    fn counted(body: &str) -> bool {
        let text = format!("fpir 1\nentry main\nfn main() {{\n{body}\n}}\n");
        let program = crate::text::parse(FileId::new(0), &text).expect("a program").program;
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

    /// Whether it surely ends.
    fn ends(body: &str) -> bool {
        let text = format!("fpir 1\nentry main\nfn main() {{\n{body}\n}}\n");
        let program = crate::text::parse(FileId::new(0), &text).expect("a program").program;
        let code = &program.functions[program.entry[0]];
        let forest = LoopForest::new(code).expect("natural loops");
        ends_by_itself(code, forest.loops.iter().next().expect("a loop"))
    }

    #[test]
    fn what_counts_to_a_limit_by_ones_surely_ends() {
        let head = "reg %i: i32, %n: i32, %m: i32, %c: i1, %k: i32\nb0:\n  %i = copy i32 0\n  jump b1\nb1:";
        let test = "  %k = copy %i\n  %c = ult i32 %k, %m\n  branch %c, b2, b3";
        let step = "b2:\n  %n = add i32 %i, 1\n  %i = copy %n\n  jump b1\nb3:\n  return";
        let all = |test: &str, step: &str| ends(&format!("{head}\n{test}\n{step}"));
        assert!(all(test, step));
        // The greatest number is not less than itself, but never greater than it.
        assert!(!all(&test.replace("ult", "ule"), step));
        assert!(all(&test.replace("ult", "ne"), step));
        assert!(!all(&test.replace("ult", "eq"), step));
        assert!(!all(test, &step.replace("%i, 1", "%i, 2")));
        assert!(!all(test, &step.replace("add", "sub")));
        assert!(!all(test, &step.replace("jump b1", "%m = add i32 %m, 1\n  jump b1")));
        assert!(!all(test, &step.replace("jump b1", "%i = copy i32 0\n  jump b1")));
        let perhaps = "b2:\n  branch %c, b4, b5\nb3:\n  return\nb4:\n  %n = add i32 %i, 1\n  \
            %i = copy %n\n  jump b5\nb5:\n  jump b1";
        assert!(!all(test, perhaps));
    }
}
