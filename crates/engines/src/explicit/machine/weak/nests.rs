//! How far a thread has come: a rank, which grows but where a loop without a counter goes back.
//!
//! A call is ranked by the loops around its place, from the outermost inwards (the place of the loop,
//! then its counter), and then by its place in the innermost one. Which register counts does not
//! matter for what is concluded: a rank depends on the state of its thread alone, so a round of
//! states has a step at which it does not grow.

use execution::ids::IdVec;
use ir::cfg::{Loop, LoopForest, reverse_postorder};
use ir::op::{BinaryOp, Op, Operand};
use ir::program::{BlockId, Function, Reg};
use ir::step::thread::Thread;

/// Where the blocks of a function are in its loops.
#[derive(Debug)]
pub(crate) struct Nests {
    blocks: IdVec<BlockId, Nest>,
}

/// The loops around a block, from the outermost inwards.
#[derive(Clone, Debug, Default)]
struct Nest {
    loops: Vec<(u32, Option<Counter>)>,
    /// Its place in an order in which only loops go back.
    place: u32,
}

/// A register that a loop adds a number to, or subtracts one from.
#[derive(Clone, Copy, Debug)]
struct Counter {
    reg: Reg,
    down: bool,
}

impl Nests {
    pub(crate) fn new(function: &Function) -> Self {
        let mut blocks: IdVec<BlockId, Nest> =
            function.blocks.ids().map(|_| Nest::default()).collect();
        for (place, block) in reverse_postorder(function).into_iter().enumerate() {
            blocks[block].place = place as u32;
        }
        // Outer loops come before inner ones. Without a forest, no loop has a counter.
        for it in LoopForest::new(function).iter().flat_map(|forest| forest.loops.iter()) {
            let own = (blocks[it.header].place, counter(function, it));
            it.blocks.iter().for_each(|&block| blocks[block].loops.push(own));
        }
        Nests { blocks }
    }

    /// How far a call of a thread has come.
    pub(crate) fn rank(&self, thread: &Thread<()>, call: usize) -> Vec<i128> {
        let frame = thread.frames()[call];
        let nest = &self.blocks[frame.block];
        let count = |Counter { reg, down }: Counter| {
            let value = thread.register_of(call, reg).filter(|value| value.is_defined());
            let count = value.map_or(0, |value| value.as_signed());
            if down { -count } else { count }
        };
        let mut rank = Vec::with_capacity(2 * nest.loops.len() + 2);
        for &(place, counter) in &nest.loops {
            rank.extend([i128::from(place), counter.map_or(0, count)]);
        }
        rank.extend([i128::from(nest.place), i128::from(frame.next)]);
        rank
    }
}

/// A register that each round of a loop seems to count up or down.
fn counter(function: &Function, of: &Loop) -> Option<Counter> {
    let ops = || of.blocks.iter().flat_map(|&block| &function.blocks[block].insts);
    let sum = |op: &Op| match *op {
        Op::Binary { dst, op, a: Operand::Reg(from), b: Operand::Int { width, bits }, .. } => {
            let up = ir::value::Value::int(width, bits).as_signed() >= 0;
            match op {
                BinaryOp::Add => Some((dst, from, !up)),
                BinaryOp::Sub => Some((dst, from, up)),
                _ => None,
            }
        }
        _ => None,
    };
    let sums: Vec<(Reg, Reg, bool)> = ops().filter_map(|inst| sum(&inst.op)).collect();
    let counts = |op: &Op| match *op {
        Op::Copy { dst, src: Operand::Reg(from) } => {
            let own = sums.iter().find(|sum| (sum.0, sum.1) == (from, dst))?;
            Some(Counter { reg: dst, down: own.2 })
        }
        ref op => sum(op).filter(|sum| sum.0 == sum.1).map(|(reg, _, down)| Counter { reg, down }),
    };
    // One that an outer loop sets anew does not count its rounds.
    let is_set_once = |reg: Reg| ops().filter(|inst| inst.op.results().contains(&reg)).count() == 1;
    ops().filter_map(|inst| counts(&inst.op)).find(|counter| is_set_once(counter.reg))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::compiled;
    use models::Model;

    #[test]
    fn loops_that_count_have_counters() {
        let text = "int x; int main(void) { for (int i = 0; i < 3; i++) { for (int j = 3; j; j--) x++; } \
                    while (x) {} return 0; }";
        let program = compiled(text, &Model::named("sc").expect("a model of the library"));
        let nests = Nests::new(&program.functions[program.entry[0]]);
        let down = |nest: &Nest| -> Vec<Option<bool>> {
            nest.loops.iter().map(|it| it.1.map(|counter| counter.down)).collect()
        };
        let mut found: Vec<Vec<Option<bool>>> = nests.blocks.iter().map(down).collect();
        found.sort();
        found.dedup();
        assert_eq!(found, [vec![], vec![None], vec![Some(false)], vec![Some(false), Some(true)]]);
    }
}
