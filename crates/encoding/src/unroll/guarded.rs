//! Variables whose value depends on the path: a stack of guarded assignments.
//!
//! The unroller never copies its state at a branch. An assignment is remembered with the guard it
//! was made under; a read under some guard sees the newest assignment that is compatible with it,
//! merged with older ones where the newest was not made on all of the reader's paths.

use crate::guard::{Guard, Guards};

/// A variable.
#[derive(Clone, Debug)]
pub struct Guarded<T> {
    assignments: Vec<(Guard, T)>,
    fresh: bool,
}

/// A value that a reader may see.
pub struct Seen<T> {
    /// The guard under which it was assigned.
    pub assigned: Guard,
    /// The reader's paths on which this value is the one.
    pub here: Guard,
    /// The value.
    pub value: T,
}

impl<T: Clone> Guarded<T> {
    /// A variable that holds `value` on all paths.
    pub fn new(value: T) -> Self {
        Self { assignments: vec![(Guard::TRUE, value)], fresh: true }
    }

    /// Whether nothing was assigned since it was made.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Assigns on the paths of `guard`.
    pub fn set(&mut self, guards: &mut Guards, guard: Guard, value: T) {
        while self.assignments.last().is_some_and(|&(older, _)| guards.implies(older, guard)) {
            self.assignments.pop();
        }
        self.assignments.push((guard, value));
        self.fresh = false;
    }

    /// The values that a reader on the paths of `guard` may see, newest first.
    pub fn get(&self, guards: &mut Guards, guard: Guard) -> Vec<Seen<T>> {
        let mut seen = Vec::new();
        let mut rest = guard;
        for (assigned, value) in self.assignments.iter().rev() {
            let here = guards.and(rest, *assigned);
            if here == Guard::FALSE {
                continue;
            }
            seen.push(Seen { assigned: *assigned, here, value: value.clone() });
            if here == rest {
                break;
            }
            let others = guards.not(*assigned);
            rest = guards.and(rest, others);
        }
        seen
    }
}

impl<T: Clone + PartialEq> Guarded<T> {
    /// The paths on which it may have been assigned to since it was `before`.
    pub fn changed(&self, before: &Self, guards: &mut Guards) -> Guard {
        let same = self.assignments.iter().zip(&before.assignments).take_while(|(a, b)| a == b);
        let newer = &self.assignments[same.count()..];
        newer.iter().fold(Guard::FALSE, |all, (guard, _)| guards.or(all, *guard))
    }

    /// The one value that a reader on the paths of `guard` sees; `None` if it depends.
    pub fn unique(&self, guards: &mut Guards, guard: Guard) -> Option<T> {
        let seen = self.get(guards, guard);
        let first = &seen.first()?.value;
        seen.iter().all(|seen| seen.value == *first).then(|| first.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::TermId;
    use execution::ids::Id;

    #[test]
    fn a_reader_sees_what_was_assigned_on_its_paths() {
        let mut guards = Guards::default();
        let a = guards.condition(TermId::new(0));
        let not_a = guards.not(a);
        let mut variable = Guarded::new(0);
        variable.set(&mut guards, a, 1);
        assert_eq!(variable.unique(&mut guards, a), Some(1));
        assert_eq!(variable.unique(&mut guards, not_a), Some(0));
        assert_eq!(variable.unique(&mut guards, Guard::TRUE), None);
        variable.set(&mut guards, Guard::TRUE, 2);
        assert_eq!(variable.unique(&mut guards, a), Some(2));
        assert_eq!(variable.assignments.len(), 1);
    }
}
