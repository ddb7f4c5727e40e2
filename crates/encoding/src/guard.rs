//! Path conditions as reduced ordered binary decision diagrams (Bryant, IEEE ToC 1986).
//!
//! The variables are the conditions that the threads branch on. They are ordered as the branches
//! are met, and the guards of structured code then have diagrams about as wide as the code has
//! open paths. Diagrams are canonical: a guard after a join is the very guard before the branch,
//! and whether one event implies or excludes another is a matter of comparing numbers.

use crate::term::TermId;
use rustc_hash::FxHashMap;

/// A guard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Guard(u32);

impl Guard {
    /// Never.
    pub const FALSE: Guard = Guard(0);
    /// Always.
    pub const TRUE: Guard = Guard(1);
}

/// A decision: on `condition` (a term of one bit), `high` if it is 1, `low` if it is 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Decision {
    /// The condition.
    pub condition: TermId,
    /// What remains if it holds.
    pub high: Guard,
    /// What remains if it does not.
    pub low: Guard,
}

/// All guards of a program.
#[derive(Clone, Debug, Default)]
pub struct Guards {
    nodes: Vec<(u32, Guard, Guard)>,
    unique: FxHashMap<(u32, Guard, Guard), Guard>,
    memo: FxHashMap<(Guard, Guard, Guard), Guard>,
    conditions: Vec<TermId>,
    ranks: FxHashMap<TermId, u32>,
}

impl Guards {
    /// The guard that is true iff `condition` is 1. The first mention of a condition gives it its
    /// place in the order.
    pub fn condition(&mut self, condition: TermId) -> Guard {
        let next = self.conditions.len() as u32;
        let rank = *self.ranks.entry(condition).or_insert(next);
        if rank == next {
            self.conditions.push(condition);
        }
        self.node(rank, Guard::TRUE, Guard::FALSE)
    }

    /// The conditions that guards decide.
    pub fn conditions(&self) -> &[TermId] {
        &self.conditions
    }

    /// What a guard decides first; `None` for the constants.
    pub fn decision(&self, guard: Guard) -> Option<Decision> {
        let (rank, high, low) = *self.nodes.get((guard.0 as usize).checked_sub(2)?)?;
        Some(Decision { condition: self.conditions[rank as usize], high, low })
    }

    /// `a ? b : c`.
    pub fn ite(&mut self, a: Guard, b: Guard, c: Guard) -> Guard {
        if a == Guard::TRUE || b == c {
            return b;
        }
        if a == Guard::FALSE {
            return c;
        }
        if (b, c) == (Guard::TRUE, Guard::FALSE) {
            return a;
        }
        if let Some(&known) = self.memo.get(&(a, b, c)) {
            return known;
        }
        let rank = [a, b, c].into_iter().map(|g| self.rank(g)).min().unwrap_or(u32::MAX);
        let [high, low] = [true, false].map(|branch| {
            let [a, b, c] = [a, b, c].map(|g| self.cofactor(g, rank, branch));
            self.ite(a, b, c)
        });
        let result = self.node(rank, high, low);
        self.memo.insert((a, b, c), result);
        result
    }

    /// Both.
    pub fn and(&mut self, a: Guard, b: Guard) -> Guard {
        // One order of the operands, so that more is remembered.
        let (a, b) = (a.min(b), a.max(b));
        self.ite(a, b, Guard::FALSE)
    }

    /// At least one.
    pub fn or(&mut self, a: Guard, b: Guard) -> Guard {
        let (a, b) = (a.min(b), a.max(b));
        self.ite(a, Guard::TRUE, b)
    }

    /// The opposite.
    pub fn not(&mut self, a: Guard) -> Guard {
        self.ite(a, Guard::FALSE, Guard::TRUE)
    }

    /// Whether `a` holds only where `b` does.
    pub fn implies(&mut self, a: Guard, b: Guard) -> bool {
        self.ite(a, b, Guard::TRUE) == Guard::TRUE
    }

    /// Whether `a` and `b` never hold together.
    pub fn exclude(&mut self, a: Guard, b: Guard) -> bool {
        self.and(a, b) == Guard::FALSE
    }

    /// How many decisions there are, shared ones once.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn rank(&self, guard: Guard) -> u32 {
        match (guard.0 as usize).checked_sub(2) {
            Some(index) => self.nodes[index].0,
            None => u32::MAX,
        }
    }

    fn cofactor(&self, guard: Guard, rank: u32, branch: bool) -> Guard {
        match (guard.0 as usize).checked_sub(2).map(|index| self.nodes[index]) {
            Some((r, high, low)) if r == rank => {
                if branch {
                    high
                } else {
                    low
                }
            }
            _ => guard,
        }
    }

    fn node(&mut self, rank: u32, high: Guard, low: Guard) -> Guard {
        if high == low {
            return high;
        }
        let next = Guard(self.nodes.len() as u32 + 2);
        let guard = *self.unique.entry((rank, high, low)).or_insert(next);
        if guard == next {
            self.nodes.push((rank, high, low));
        }
        guard
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::ids::Id;

    fn conditions(guards: &mut Guards) -> [Guard; 3] {
        [0, 1, 2].map(|i| guards.condition(TermId::new(i)))
    }

    #[test]
    fn the_guard_after_a_join_is_the_guard_before_the_branch() {
        let mut guards = Guards::default();
        let [a, b, _] = conditions(&mut guards);
        let not_b = guards.not(b);
        let (then, otherwise) = (guards.and(a, b), guards.and(a, not_b));
        assert_eq!(guards.or(then, otherwise), a);
    }

    #[test]
    fn implication_and_exclusion_are_decided() {
        let mut guards = Guards::default();
        let [a, b, c] = conditions(&mut guards);
        let both = guards.and(a, b);
        let not_a = guards.not(a);
        let other = guards.and(not_a, c);
        assert!(guards.implies(both, a) && !guards.implies(a, both));
        assert!(guards.exclude(both, other) && !guards.exclude(a, c));
    }

    #[test]
    fn equal_functions_are_equal_guards() {
        let mut guards = Guards::default();
        let [a, b, c] = conditions(&mut guards);
        let ab = guards.and(a, b);
        let left = guards.or(ab, c);
        let (ac, bc) = (guards.or(a, c), guards.or(b, c));
        assert_eq!(left, guards.and(ac, bc));
    }
}
