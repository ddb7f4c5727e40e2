//! Instruments a program to record which branches it takes and which assertions it reaches.

use encoding::bounded::Goal;
use engines::verification::coverage;
use ir::op::{Inst, Op, Operand, Terminator};
use ir::program::{Block, BlockId, Program, Width};
use std::collections::BTreeSet;

/// The goals of a program that are in the user's own files.
pub fn goals(program: &Program) -> BTreeSet<Goal> {
    let own = coverage::goals(program).into_iter().filter(|(_, place)| {
        place.is_some_and(|place| !program.places[place].location.is_library())
    });
    own.map(|(goal, _)| goal).collect()
}

/// The program with an observation, named after its goal, at each of these goals, and with no
/// others.
pub fn telling(mut program: Program, goals: &BTreeSet<Goal>) -> Program {
    let original = program.clone();
    for function in program.functions.iter_mut() {
        for block in function.blocks.iter_mut() {
            block.insts.retain(|inst| !matches!(inst.op, Op::Observe { .. }));
        }
    }
    // From the end of each block, so that the numbers of what comes before stay right.
    for &goal in goals.iter().rev() {
        let label = coverage::name(&original, goal);
        let op = Op::Observe { label, value: Operand::Int { width: Width::I32, bits: 1 } };
        match goal {
            // Only schedules are named by these.
            Goal::Result { .. } => {}
            Goal::Assertion { function, block, index } => {
                let before = original.functions[function].blocks[block].insts[..index as usize]
                    .iter()
                    .filter(|inst| !matches!(inst.op, Op::Observe { .. }))
                    .count();
                let insts = &mut program.functions[function].blocks[block].insts;
                let place = insts[before].place;
                insts.insert(before, Inst { op, place });
            }
            Goal::Branch { function, block, arm } => {
                let code = &mut program.functions[function];
                let place = code.blocks[block].place;
                let target = *target(&mut code.blocks[block].terminator, arm);
                let on_the_way = code.blocks.push(Block {
                    insts: vec![Inst { op, place }],
                    terminator: Terminator::Jump(target),
                    place,
                });
                *self::target(&mut code.blocks[block].terminator, arm) = on_the_way;
            }
        }
    }
    program
}

/// Where an arm of a branch goes.
fn target(terminator: &mut Terminator, arm: u32) -> &mut BlockId {
    match (terminator, arm) {
        (Terminator::Branch { then, .. }, 0) => then,
        (Terminator::Branch { otherwise, .. }, _) => otherwise,
        (Terminator::Switch { cases, default, .. }, arm) => match cases.get_mut(arm as usize) {
            Some(case) => &mut case.target,
            None => default,
        },
        _ => unreachable!("only branches have arms"),
    }
}
