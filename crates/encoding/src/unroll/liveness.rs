//! Which registers are read before they are written, from each block on.

use execution::ids::{Id, IdVec};
use ir::op::Operand;
use ir::program::{BlockId, Function, Reg};
use std::collections::BTreeSet;

/// The registers that are live at the start of each block.
pub fn live_in(function: &Function) -> IdVec<BlockId, BTreeSet<Reg>> {
    let mut live: IdVec<BlockId, BTreeSet<Reg>> =
        function.blocks.iter().map(|_| BTreeSet::new()).collect();
    loop {
        let mut changed = false;
        for index in (0..function.blocks.len()).rev() {
            let id = BlockId::new(index);
            let block = &function.blocks[id];
            let mut now = BTreeSet::new();
            for next in block.terminator.successors() {
                now.extend(live[next].iter().copied());
            }
            let add = |operand: &Operand, now: &mut BTreeSet<Reg>| {
                if let Operand::Reg(reg) = operand {
                    now.insert(*reg);
                }
            };
            block.terminator.operands().into_iter().for_each(|operand| add(operand, &mut now));
            for inst in block.insts.iter().rev() {
                for reg in inst.op.results() {
                    now.remove(&reg);
                }
                inst.op.operands().into_iter().for_each(|operand| add(operand, &mut now));
            }
            if now != live[id] {
                live[id] = now;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}
