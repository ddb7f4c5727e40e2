//! The ordering theory as an external propagator of CaDiCaL.
//!
//! A panic must not cross the C++ code in between: it is kept, the solver is stopped, and the
//! panic goes on outside.

use crate::Lit;
use crate::order::{Graph, Theory};
use cadical_sys::ExternalPropagator;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// The theory with the clauses that are being handed over literal by literal.
#[derive(Default)]
pub(super) struct Propagator {
    theory: Theory,
    /// Clauses to learn.
    clauses: Vec<Vec<Lit>>,
    /// The rest of the reason clause that is being handed over.
    reason: Option<Vec<Lit>>,
    panic: Option<Box<dyn Any + Send>>,
    stop: Rc<Cell<bool>>,
}

impl Propagator {
    /// Becomes true when the search has to end because of a panic.
    pub(super) fn stop_flag(&self) -> Rc<Cell<bool>> {
        self.stop.clone()
    }

    /// Keeps another graph acyclic.
    pub(super) fn watch(&mut self, graph: Rc<Graph>) {
        self.theory.watch(graph);
    }

    /// The panic of a callback.
    pub(super) fn take_panic(&mut self) -> Option<Box<dyn Any + Send>> {
        self.panic.take()
    }

    fn guarded<T: Default>(&mut self, callback: impl FnOnce(&mut Self) -> T) -> T {
        if self.panic.is_some() {
            return T::default();
        }
        catch_unwind(AssertUnwindSafe(|| callback(self))).unwrap_or_else(|panic| {
            self.panic = Some(panic);
            self.stop.set(true);
            T::default()
        })
    }
}

fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number).expect("a literal from the solver")
}

/// The next literal of a clause, or the zero that ends it.
fn number(lit: Option<Lit>) -> i32 {
    lit.map_or(0, Lit::dimacs)
}

impl ExternalPropagator for Propagator {
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        self.guarded(|this| lits.iter().for_each(|&number| this.theory.assign(lit(number))));
    }

    fn notify_new_decision_level(&mut self) {
        self.guarded(|this| this.theory.push_level());
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        self.guarded(|this| this.theory.backtrack(new_level));
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        self.guarded(|this| {
            let holds: HashSet<i32> = model.iter().copied().collect();
            this.clauses = this.theory.violated(|lit| holds.contains(&lit.dimacs()));
            Some(this.clauses.is_empty())
        })
        .unwrap_or(true)
    }

    fn cb_propagate(&mut self) -> i32 {
        self.guarded(|this| {
            this.clauses.extend(this.theory.conflict());
            let idle = this.clauses.is_empty();
            number(idle.then(|| this.theory.implied()).flatten())
        })
    }

    fn cb_add_reason_clause_lit(&mut self, propagated: i32) -> i32 {
        self.guarded(|this| {
            let reason = match this.reason.take() {
                Some(rest) => rest,
                None => this.theory.reason(lit(propagated)),
            };
            let rest = this.reason.insert(reason);
            let next = rest.pop();
            if next.is_none() {
                this.reason = None;
            }
            number(next)
        })
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = true;
        self.guarded(|this| {
            if this.clauses.is_empty() {
                this.clauses.extend(this.theory.conflict());
            }
            !this.clauses.is_empty()
        })
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.guarded(|this| {
            let next = this.clauses.last_mut().and_then(Vec::pop);
            if next.is_none() {
                this.clauses.pop();
            }
            number(next)
        })
    }
}

/// What CaDiCaL owns and we keep a hand on.
pub(super) type Shared = Rc<RefCell<Propagator>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_a_callback_is_kept_and_stops_the_search() {
        let mut propagator = Propagator::default();
        let stop = propagator.stop_flag();
        assert_eq!(propagator.cb_add_reason_clause_lit(5), 0, "nothing has implied that literal");
        assert!(stop.get());
        assert_eq!(propagator.cb_propagate(), 0);
        assert!(propagator.take_panic().is_some());
    }
}
