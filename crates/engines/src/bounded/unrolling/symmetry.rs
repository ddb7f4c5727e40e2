//! Threads that do the same: whatever one of them can do in some execution, so can the others.
//!
//! Exchanging two threads of one class throughout an execution gives an execution of the same
//! program, and what is right does not change under it. So only one thread of each class is asked
//! whether it can go wrong or leave its bounds, and of all executions that differ by such
//! exchanges a method may look only at those in which the first operations of the threads come
//! in an order of its choice.
//!
//! A program that asks which thread it is may treat threads differently; there every thread is a
//! class of its own. (Programs that compare the addresses of objects of different threads by size
//! are not recognised.)
//!
//! Soundness S-069 (check; all; misses, cries wolf): Symmetric threads are exchanged unless the
//! program asks for its thread's handle; a program that behaves differently depending on which of
//! two threads' objects has the larger address may be judged wrongly. Test:
//! crates/fencepost/tests/symmetry.rs::what_is_found_is_the_same_with_and_without_symmetry.

use crate::test::compose::Composed;
use execution::event::ThreadId;
use execution::ids::Id;
use ir::op::Op;
use ir::program::Program;
use std::collections::BTreeSet;

/// For each thread, the first thread that does the same.
pub(crate) fn classes(composed: &Composed) -> Vec<usize> {
    let work = |column: usize| -> Vec<(&str, bool)> {
        let own = composed.instances.iter().filter(|instance| instance.column == column);
        own.map(|instance| (instance.operation.as_str(), instance.restricted)).collect()
    };
    if knows_itself(&composed.program) {
        return (0..composed.columns).collect();
    }
    let all: Vec<_> = (0..composed.columns).map(work).collect();
    let first = |column: usize| match column {
        // The initial sequence is not a thread like the others.
        0 => 0,
        _ => (1..column).find(|&other| all[other] == all[column]).unwrap_or(column),
    };
    (0..composed.columns).map(first).collect()
}

/// Whether some thread asks which one it is.
fn knows_itself(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| function.blocks.iter());
    blocks.flat_map(|block| &block.insts).any(|inst| matches!(inst.op, Op::Self_ { .. }))
}

/// One thread of each class.
pub(crate) fn representatives(classes: &[usize]) -> BTreeSet<ThreadId> {
    classes.iter().map(|&class| ThreadId::new(class)).collect()
}

/// Pairs of neighbouring threads of one class, as the numbers of their first operations.
pub(crate) fn pairs(composed: &Composed, classes: &[usize]) -> Vec<(usize, usize)> {
    let first = |column: usize| composed.instance(column, 0).map(|instance| instance.index());
    let mut pairs = Vec::new();
    for (column, &class) in classes.iter().enumerate().skip(1) {
        let earlier = (1..column).rev().find(|&other| classes[other] == class);
        if let Some(earlier) = earlier {
            pairs.extend(first(earlier).zip(first(column)));
        }
    }
    pairs
}
