//! Which accesses took effect against program order, and matter.
//!
//! The idea is that of Shasha and Snir (*Efficient and correct execution of parallel programs that
//! share memory*, TOPLAS 1988): an execution is not sequentially consistent if program order and
//! communication form a cycle. With the steps in one order in which they
//! take effect, a cycle is closed by two accesses of one thread, the second of which took effect
//! before the first, was observed by another thread, and from there something led to the first. Of
//! nested pairs of the same kind (two stores, two loads, …), the innermost is shown. The order is
//! one of several, so this explains the execution and proves nothing.

use super::{Fence, Reordered};
use std::collections::BTreeMap;

/// What is known of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Its thread.
    pub column: usize,
    /// Its number in the order of the program.
    pub program_order: usize,
    /// Whether it reads or writes; fences do not.
    pub is_access: bool,
    /// Whether it writes.
    pub writes: bool,
}

/// The pairs. The steps are in the order in which they take effect; `seen(a, b)` says that `b`
/// comes after `a` because of what was read and written: reads-from, coherence, from-reads.
pub fn reordered(steps: &[Access], seen: impl Fn(usize, usize) -> bool) -> Vec<Reordered> {
    let before = |a: usize, b: usize| {
        steps[a].column == steps[b].column && steps[a].program_order < steps[b].program_order
    };
    let mut pairs = Vec::new();
    let overtaking = overtaking(steps);
    for second in (0..steps.len()).filter(|&step| overtaking[step]) {
        // What the second leads to, by what is seen and by program order where it is kept.
        let observed = |a: usize, b: usize| steps[a].column != steps[b].column && seen(a, b);
        let mut reached = vec![false; steps.len()];
        for later in second + 1..steps.len() {
            let leads = |earlier: usize| {
                reached[earlier] && (seen(earlier, later) || before(earlier, later))
            };
            reached[later] = observed(second, later) || (second + 1..later).any(leads);
        }
        for first in second + 1..steps.len() {
            let accesses = steps[first].is_access && steps[second].is_access;
            let back = (second + 1..first).any(|last| reached[last] && observed(last, first));
            if accesses && back && before(first, second) {
                pairs.push(Reordered { first, second, fence: Fence::Unknown });
            }
        }
    }
    let kind = |pair: &Reordered| (steps[pair.first].writes, steps[pair.second].writes);
    let inside = |inner: &Reordered, outer: &Reordered| {
        let order = |step: usize| steps[step].program_order;
        inner != outer
            && kind(inner) == kind(outer)
            && steps[inner.first].column == steps[outer.first].column
            && order(outer.first) <= order(inner.first)
            && order(inner.second) <= order(outer.second)
    };
    let innermost = |pair: &Reordered| !pairs.iter().any(|other| inside(other, pair));
    pairs.iter().copied().filter(innermost).collect()
}

/// Whether each step takes effect before one that its thread reaches earlier. In long executions
/// few do, and nothing else can be reordered.
fn overtaking(steps: &[Access]) -> Vec<bool> {
    let mut overtaking = vec![false; steps.len()];
    // For each thread, the first in program order of the steps that take effect later.
    let mut earliest: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, step) in steps.iter().enumerate().rev() {
        let earliest = earliest.entry(step.column).or_insert(usize::MAX);
        overtaking[index] = *earliest < step.program_order;
        *earliest = step.program_order.min(*earliest);
    }
    overtaking
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(steps: &[(usize, usize)]) -> Vec<Access> {
        let access = |&(column, program_order)| Access {
            column,
            program_order,
            is_access: true,
            writes: program_order == 0,
        };
        steps.iter().map(access).collect()
    }

    #[test]
    fn store_buffering_reorders_a_store_and_a_load() {
        // T0: Wx; Ry   T1: Wy; Rx, in the order Ry Wy Rx Wx.
        let steps = steps(&[(0, 1), (1, 0), (1, 1), (0, 0)]);
        let from_reads = |a, b| (a, b) == (0, 1) || (a, b) == (2, 3);
        let pairs = reordered(&steps, from_reads);
        assert_eq!(pairs, [Reordered { first: 3, second: 0, fence: Fence::Unknown }]);
    }

    #[test]
    fn nothing_is_reordered_in_an_interleaving() {
        let steps = steps(&[(0, 0), (1, 0), (0, 1), (1, 1)]);
        assert_eq!(reordered(&steps, |a, b| a < b), []);
    }

    #[test]
    fn an_interleaving_visits_each_step_once() {
        let many: Vec<(usize, usize)> = (0..2000).map(|i| (i % 2, i / 2)).collect();
        assert_eq!(reordered(&steps(&many), |_, _| panic!("nothing can be reordered")), []);
    }

    #[test]
    fn unobserved_reorderings_are_not_shown() {
        let steps = steps(&[(0, 1), (1, 0), (0, 0)]);
        assert_eq!(reordered(&steps, |_, _| false), []);
    }
}
