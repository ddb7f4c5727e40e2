//! The ordering theory as BatSat wants one.

use super::batsat::translated;
use crate::Lit;
use crate::order::{Graph, Theory};
use ::batsat::TheoryArg;
use std::rc::Rc;

/// The theory, and how much of BatSat's trail it knows.
#[derive(Default)]
pub(super) struct Propagator {
    theory: Theory,
    seen: usize,
    /// How much it knew when each level began.
    levels: Vec<usize>,
    explanation: Vec<::batsat::Lit>,
}

fn translated_back(lit: ::batsat::Lit) -> Lit {
    let variable = Lit::positive(lit.var().idx() + 1);
    if lit.sign() { variable } else { !variable }
}

impl Propagator {
    /// Keeps another graph acyclic.
    pub(super) fn watch(&mut self, graph: Rc<Graph>) {
        self.theory.watch(graph);
    }

    fn check(&mut self, solver: &mut TheoryArg) {
        for &lit in &solver.model()[self.seen..] {
            self.theory.assign(translated_back(lit));
        }
        self.seen = solver.model().len();
        if let Some(clause) = self.theory.conflict() {
            let clause: Vec<_> = clause.iter().map(|lit| translated(lit.dimacs())).collect();
            solver.raise_conflict(&clause, true);
            return;
        }
        while let Some(lit) = self.theory.implied() {
            if !solver.propagate(translated(lit.dimacs())) {
                return;
            }
            self.theory.assign(lit);
        }
    }
}

impl ::batsat::Theory for Propagator {
    fn final_check(&mut self, solver: &mut TheoryArg) {
        self.check(solver);
    }

    fn partial_check(&mut self, solver: &mut TheoryArg) {
        self.check(solver);
    }

    fn create_level(&mut self) {
        self.levels.push(self.seen);
        self.theory.push_level();
    }

    fn pop_levels(&mut self, n: usize) {
        let left = self.theory.levels() - n;
        self.theory.backtrack(left);
        if let Some(seen) = self.levels.drain(left..).next() {
            self.seen = seen;
        }
    }

    fn n_levels(&self) -> usize {
        self.theory.levels()
    }

    /// BatSat wants true literals from which the given one follows.
    fn explain_propagation(&mut self, lit: ::batsat::Lit) -> &[::batsat::Lit] {
        let implied = translated_back(lit);
        let reason = self.theory.reason(implied);
        let others = reason.iter().filter(|&&other| other != implied);
        self.explanation = others.map(|&other| translated((!other).dimacs())).collect();
        &self.explanation
    }
}
