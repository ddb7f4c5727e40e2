//! Gives every cycle of control flow one entry.
//!
//! A `switch` whose cases are inside of a loop, or a `goto` into one, makes a cycle that is entered
//! at several blocks, so that none of them is the head of a loop. Such a cycle gets a head of its
//! own: a jump to one of these blocks stores in a register which one, and jumps to the head,
//! which jumps on. What control depends on is what it was; the register holds constants only.
//!
//! Soundness S-029 (check, verify; lkmm; cries wolf): A branch before a loop with several entries
//! that only decides where it is entered governs nothing in the loop. Test:
//! crates/ir/src/passes/one_entry.rs::a_cycle_with_two_entries_gets_a_head.

use crate::cfg::LoopForest;
use crate::op::{Inst, Op, Operand, SwitchCase, Terminator};
use crate::program::{Block, BlockId, Function, RegInfo, Width};
use std::collections::BTreeSet;

/// No function has more such cycles, one in the other, than this.
const MOST: usize = 64;

/// The function in which every cycle has one entry, as far as that is done here.
pub(crate) fn one_entry(mut function: Function) -> Function {
    for _ in 0..MOST {
        let Err(irreducible) = LoopForest::new(&function) else { break };
        let entries: BTreeSet<BlockId> =
            irreducible.entries.iter().map(|((_, to), _)| *to).collect();
        lead(&mut function, &entries);
    }
    function
}

/// Lets control reach these blocks only from one other.
fn lead(function: &mut Function, entries: &BTreeSet<BlockId>) {
    let width = Width::I32;
    let which = function.regs.push(RegInfo { width, name: None });
    let numbered: Vec<(u128, BlockId)> = (0..).zip(entries.iter().copied()).collect();
    let Some((&(_, default), others)) = numbered.split_last() else { return };
    let case =
        |&(number, target): &(u128, BlockId)| SwitchCase { low: number, high: number, target };
    let cases = others.iter().map(case).collect();
    let terminator = Terminator::Switch { value: Operand::Reg(which), cases, default };
    let blocks = function.blocks.len();
    let head = function.blocks.push(Block { insts: Vec::new(), terminator, place: None });
    // One way for each edge: those from outside of the cycle must not be part of it.
    for from in function.blocks.ids().take(blocks) {
        let mut terminator = function.blocks[from].terminator.clone();
        terminator.map_targets(|target| {
            let Some(&(number, _)) = numbered.iter().find(|(_, entry)| *entry == target) else {
                return target;
            };
            let op = Op::Copy { dst: which, src: Operand::int(width, number) };
            let insts = vec![Inst { op, place: None }];
            let terminator = Terminator::Jump(head);
            function.blocks.push(Block { insts, terminator, place: None })
        });
        function.blocks[from].terminator = terminator;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::tests::graph;

    #[test]
    fn a_cycle_with_two_entries_gets_a_head() {
        let function = graph(&[&[1, 2], &[2, 3], &[1], &[]]);
        assert!(LoopForest::new(&function).is_err());
        let function = one_entry(function);
        let forest = LoopForest::new(&function).expect("reducible");
        assert_eq!(forest.loops.len(), 1);
    }

    #[test]
    fn cycles_inside_of_others_get_heads_too() {
        let function = graph(&[&[1, 3], &[2, 3], &[3, 4], &[1, 2], &[3, 5], &[]]);
        assert!(LoopForest::new(&function).is_err());
        assert!(LoopForest::new(&one_entry(function)).is_ok());
    }

    #[test]
    fn loops_with_one_entry_stay_as_they_are() {
        let function = graph(&[&[1], &[2, 3], &[1], &[]]);
        assert_eq!(one_entry(function.clone()), function);
    }
}
