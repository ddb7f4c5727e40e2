//! Which accesses took effect against program order, and matter.
//!
//! The idea is that of Shasha and Snir (*Efficient and correct execution of parallel programs that
//! share memory*, TOPLAS 1988): an execution is not sequentially consistent if program order and
//! communication form a cycle. A model that allows it does not keep one of the pairs of program
//! order in that cycle. So a pair of accesses is to blame if the second was observed by another
//! thread, and from there what was observed and what the model keeps in order leads to the first:
//! then the second comes first in every order that the model allows, and with the pair in order
//! there were a cycle. Where no single pair is like that (as in store buffering, where either of
//! two may come first), those are to blame that are out of order in the order that is shown, which
//! closes such a cycle. Of nested pairs of the same kind (two stores, two loads, …), the innermost
//! is shown.

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

/// What comes before what, by the positions of two steps.
pub struct Order<'a> {
    /// Because of what was read and written: reads-from, coherence, from-reads.
    pub seen: &'a dyn Fn(usize, usize) -> bool,
    /// In every order that the model allows.
    pub kept: &'a dyn Fn(usize, usize) -> bool,
}

/// The pairs. The steps are in the order in which they take effect.
pub fn reordered(steps: &[Access], order: &Order<'_>) -> Vec<Reordered> {
    let overtaking = overtaking(steps);
    let overtaking: Vec<usize> = (0..steps.len()).filter(|&step| overtaking[step]).collect();
    let pairs = forced(steps, &overtaking, order);
    let pairs = if pairs.is_empty() { possible(steps, &overtaking, order) } else { pairs };
    let kind = |pair: &Reordered| (steps[pair.first].writes, steps[pair.second].writes);
    let inside = |inner: &Reordered, outer: &Reordered| {
        let order =
            |pair: &Reordered| (steps[pair.first].program_order, steps[pair.second].program_order);
        let (own, other) = (order(inner), order(outer));
        // The parts of one access have one place in the program: of those, the first is shown.
        let first_of_parts =
            own == other && (inner.first, inner.second) < (outer.first, outer.second);
        kind(inner) == kind(outer)
            && steps[inner.first].column == steps[outer.first].column
            && other.0 <= own.0
            && own.1 <= other.1
            && (own != other || first_of_parts)
    };
    let innermost = |pair: &Reordered| !pairs.iter().any(|other| inside(other, pair));
    pairs.iter().copied().filter(innermost).collect()
}

/// Whether two steps are accesses of one thread, in the order of the program.
fn in_program_order(steps: &[Access], first: usize, second: usize) -> bool {
    let (a, b) = (&steps[first], &steps[second]);
    a.is_access && b.is_access && a.column == b.column && a.program_order < b.program_order
}

/// The pairs of which the second comes first in every order.
fn forced(steps: &[Access], overtaking: &[usize], order: &Order<'_>) -> Vec<Reordered> {
    let mut pairs = Vec::new();
    let observed = |a: usize, b: usize| {
        steps[a].column != steps[b].column && (order.seen)(a, b) && (order.kept)(a, b)
    };
    for &second in overtaking {
        let observers: Vec<usize> = (0..steps.len()).filter(|&x| observed(second, x)).collect();
        for first in second + 1..steps.len() {
            if !in_program_order(steps, first, second) || !(order.kept)(second, first) {
                continue;
            }
            let leads = |&last: &usize| {
                observed(last, first)
                    && observers.iter().any(|&x| x == last || (order.kept)(x, last))
            };
            if (0..steps.len()).any(|last| leads(&last)) {
                pairs.push(Reordered { first, second, fence: Fence::Unknown });
            }
        }
    }
    pairs
}

/// The pairs that are out of order here, and close a cycle with what is in order.
fn possible(steps: &[Access], overtaking: &[usize], order: &Order<'_>) -> Vec<Reordered> {
    let seen = order.seen;
    let before = |a: usize, b: usize| {
        steps[a].column == steps[b].column && steps[a].program_order < steps[b].program_order
    };
    let mut pairs = Vec::new();
    for &second in overtaking {
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
    pairs
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

    fn pairs(steps: &[Access], seen: &dyn Fn(usize, usize) -> bool) -> Vec<Reordered> {
        reordered(steps, &Order { seen, kept: &|_, _| false })
    }

    #[test]
    fn store_buffering_reorders_a_store_and_a_load() {
        // T0: Wx; Ry   T1: Wy; Rx, in the order Ry Wy Rx Wx.
        let steps = steps(&[(0, 1), (1, 0), (1, 1), (0, 0)]);
        let from_reads = |a, b| (a, b) == (0, 1) || (a, b) == (2, 3);
        assert_eq!(
            pairs(&steps, &from_reads),
            [Reordered { first: 3, second: 0, fence: Fence::Unknown }]
        );
    }

    #[test]
    fn nothing_is_reordered_in_an_interleaving() {
        let steps = steps(&[(0, 0), (1, 0), (0, 1), (1, 1)]);
        assert_eq!(pairs(&steps, &|a, b| a < b), []);
    }

    #[test]
    fn an_interleaving_visits_each_step_once() {
        let many: Vec<(usize, usize)> = (0..2000).map(|i| (i % 2, i / 2)).collect();
        assert_eq!(pairs(&steps(&many), &|_, _| panic!("nothing can be reordered")), []);
    }

    #[test]
    fn unobserved_reorderings_are_not_shown() {
        let steps = steps(&[(0, 1), (1, 0), (0, 0)]);
        assert_eq!(pairs(&steps, &|_, _| false), []);
    }

    #[test]
    fn of_the_parts_of_two_accesses_one_pair_is_shown() {
        // T0: Rx (steps 3 and 4, two parts); Rx again (0 and 1). T1: Wx in between.
        let steps = steps(&[(0, 2), (0, 2), (1, 1), (0, 1), (0, 1)]);
        let seen = |a, b| (a < 2 && b == 2) || (a == 2 && b > 2);
        let kept = |a: usize, b: usize| seen(a, b) || (a < 2 && b > 2);
        let pairs = reordered(&steps, &Order { seen: &seen, kept: &kept });
        assert_eq!(pairs, [Reordered { first: 3, second: 0, fence: Fence::Unknown }]);
    }

    #[test]
    fn what_the_model_keeps_in_order_is_not_to_blame() {
        // T0: Wv; fence; Wn, which is kept. T1: Rn=1; Rv=0, in the order Rv Wv Wn Rn.
        let steps = steps(&[(1, 1), (0, 0), (0, 1), (1, 0)]);
        let seen = |a, b| (a, b) == (0, 1) || (a, b) == (2, 3);
        let kept = |a: usize, b: usize| a < b;
        let pairs = reordered(&steps, &Order { seen: &seen, kept: &kept });
        assert_eq!(pairs, [Reordered { first: 3, second: 0, fence: Fence::Unknown }]);
    }
}
