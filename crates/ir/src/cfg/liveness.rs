//! Which registers may still be read: before each instruction, those whose value matters.
//!
//! The usual backward analysis over sets of registers, once for each function.

use crate::op::Operand;
use crate::program::{BlockId, Function, Reg};
use execution::ids::{Id, IdVec};

/// A set of registers.
type Set = Vec<u64>;

/// The registers of a function that are alive, before each of its instructions.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// For each block, before each instruction, and last before the terminator.
    before: IdVec<BlockId, Vec<Set>>,
}

impl Liveness {
    pub fn new(function: &Function) -> Self {
        let empty = vec![0; function.regs.len().div_ceil(64)];
        let mut before: IdVec<BlockId, Vec<Set>> = function
            .blocks
            .iter()
            .map(|block| vec![empty.clone(); block.insts.len() + 1])
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for id in function.blocks.ids().collect::<Vec<_>>().into_iter().rev() {
                let alive = block(function, id, &before, &empty);
                changed |= alive[0] != before[id][0];
                before[id] = alive;
            }
        }
        Self { before }
    }

    /// Whether a register may be read after control reaches an instruction of a block (past the
    /// last one, to its terminator).
    pub fn is_alive(&self, block: BlockId, instruction: usize, reg: Reg) -> bool {
        contains(&self.before[block][instruction], reg)
    }
}

/// What is alive before each instruction of a block, given what is at the starts of all blocks.
fn block(
    function: &Function,
    id: BlockId,
    before: &IdVec<BlockId, Vec<Set>>,
    empty: &Set,
) -> Vec<Set> {
    let block = &function.blocks[id];
    let mut alive = empty.clone();
    for successor in block.terminator.successors() {
        for (word, more) in alive.iter_mut().zip(&before[successor][0]) {
            *word |= more;
        }
    }
    read(&mut alive, block.terminator.operands());
    let mut all = vec![alive];
    for inst in block.insts.iter().rev() {
        let mut alive = all.last().expect("the terminator's").clone();
        for reg in inst.op.results() {
            alive[reg.index() / 64] &= !(1 << (reg.index() % 64));
        }
        read(&mut alive, inst.op.operands());
        all.push(alive);
    }
    all.reverse();
    all
}

fn read(alive: &mut Set, operands: Vec<&Operand>) {
    for operand in operands {
        if let Operand::Reg(reg) = operand {
            alive[reg.index() / 64] |= 1 << (reg.index() % 64);
        }
    }
}

fn contains(set: &Set, reg: Reg) -> bool {
    set[reg.index() / 64] >> (reg.index() % 64) & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    #[test]
    fn a_register_is_alive_from_its_write_to_its_last_read() {
        let text = "fpir 1\nentry f\nfn f() -> i32 {\n  reg %x: i32, %y: i32, %2: i1\nb0:\n  %x = copy i32 1\n  jump b1\nb1:\n  %y = add i32 %x, %x\n  %2 = eq i32 %y, 4\n  branch %2, b1, b2\nb2:\n  return %y\n}\n";
        let program = parse(Id::new(0), text).expect("a program").program;
        let liveness = Liveness::new(&program.functions[Id::new(0)]);
        let [b0, b1, b2] = [0, 1, 2].map(BlockId::new);
        let [x, y] = [0, 1].map(Reg::new);
        assert!(!liveness.is_alive(b0, 0, x) && liveness.is_alive(b0, 1, x));
        assert!(liveness.is_alive(b1, 0, x) && !liveness.is_alive(b1, 0, y));
        assert!(liveness.is_alive(b1, 2, x) && liveness.is_alive(b2, 0, y));
        assert!(!liveness.is_alive(b2, 0, x));
    }
}
