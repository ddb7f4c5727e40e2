//! Acyclicity as a theory inside a solver's search: given the assignment, it propagates what
//! follows.
//!
//! The graphs' reachability is kept up to date while edges come and go, so every edge that would
//! close a cycle is excluded as soon as the rest of the cycle is there. Reasons are looked up only
//! when they are asked for. The interface is that of K. Fazekas et al., "IPASIR-UP: user
//! propagators for CDCL" (SAT 2023), with which one solver talks; the other's is close enough.
//!
//! Unlike theories built on the incremental topological order of D. J. Pearce and P. H. J. Kelly
//! (2007), ours pays quadratic space in the nodes of a graph, which is little at our sizes, and
//! finds implied edges by a few operations on words instead of searches.

use super::closure::{Closure, Time};
use super::{Graph, lazy};
use crate::Lit;
use std::ops::Index;
use std::rc::Rc;

/// The graphs a solver has to keep acyclic, under its current assignment.
#[derive(Default)]
pub(crate) struct Theory {
    graphs: Vec<Rc<Graph>>,
    closures: Vec<Closure>,
    variables: Variables,
    /// True literals in the order in which they were assigned.
    assigned: Vec<Lit>,
    /// How many of them have their edges in the graphs, and how many edges there were before each.
    entered: Vec<usize>,
    /// The closures that edges were added to.
    edges: Vec<usize>,
    levels: Vec<Level>,
    implied: Vec<Implied>,
    /// How many of the implied literals the solver has seen.
    handed_over: usize,
}

/// A variable with edges.
#[derive(Default)]
struct Watched {
    value: Option<bool>,
    /// Edges that are there if it is true, and if it is false.
    edges: [Vec<EdgeRef>; 2],
    /// Why it last followed that it is true, and false.
    reasons: [Option<Implied>; 2],
}

#[derive(Clone, Copy)]
struct EdgeRef {
    graph: usize,
    edge: usize,
}

/// The variables with edges. The solver reports every assignment: looking one up must cost
/// nothing.
#[derive(Default)]
struct Variables {
    /// By variable, its position among the watched ones.
    positions: Vec<Option<u32>>,
    watched: Vec<Watched>,
}

impl Variables {
    fn add(&mut self, variable: u32) -> &mut Watched {
        let index = variable as usize;
        if index >= self.positions.len() {
            self.positions.resize(index + 1, None);
        }
        let position = *self.positions[index].get_or_insert_with(|| {
            self.watched.push(Watched::default());
            self.watched.len() as u32 - 1
        });
        &mut self.watched[position as usize]
    }

    fn position(&self, variable: u32) -> Option<usize> {
        self.positions.get(variable as usize).copied().flatten().map(|at| at as usize)
    }

    fn get(&self, lit: Lit) -> Option<&Watched> {
        self.position(lit.variable()).map(|at| &self.watched[at])
    }

    fn get_mut(&mut self, lit: Lit) -> Option<&mut Watched> {
        self.position(lit.variable()).map(|at| &mut self.watched[at])
    }
}

impl Index<Lit> for Variables {
    type Output = Watched;

    fn index(&self, lit: Lit) -> &Watched {
        self.get(lit).expect("a literal with edges")
    }
}

/// An edge that would close a cycle with those of a time.
#[derive(Clone, Copy)]
struct Implied {
    edge: EdgeRef,
    lit: Lit,
    at: Time,
}

/// Where the literals of a variable have their data.
fn side(lit: Lit) -> usize {
    usize::from(!lit.is_positive())
}

/// What to go back to.
struct Level {
    assigned: usize,
    handed_over: usize,
}

impl Theory {
    /// Keeps another graph acyclic. None of its variables may be assigned.
    pub(crate) fn watch(&mut self, graph: Rc<Graph>) {
        for (edge, lit) in graph.edges.iter().map(|edge| edge.lit).enumerate() {
            let watched = self.variables.add(lit.variable());
            let edge = EdgeRef { graph: self.graphs.len(), edge };
            watched.edges[side(lit)].push(edge);
        }
        self.closures.push(Closure::new(&graph));
        self.graphs.push(graph);
    }

    /// A literal became true. Solvers repeat themselves, and report variables that are not watched.
    pub(crate) fn assign(&mut self, lit: Lit) {
        if let Some(watched) = self.variables.get_mut(lit)
            && watched.value.is_none()
        {
            watched.value = Some(lit.is_positive());
            self.assigned.push(lit);
        }
    }

    /// What follows is taken back first.
    pub(crate) fn push_level(&mut self) {
        self.levels.push(Level { assigned: self.assigned.len(), handed_over: self.handed_over });
    }

    pub(crate) fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Backtracks to this number of levels.
    pub(crate) fn backtrack(&mut self, level: usize) {
        let Some(state) = self.levels.drain(level..).next() else { return };
        while self.entered.len() > state.assigned {
            self.leave();
        }
        for lit in self.assigned.drain(state.assigned..) {
            if let Some(watched) = self.variables.get_mut(lit) {
                watched.value = None;
            }
        }
        let time = self.edges.len();
        let kept = self.implied.iter().rposition(|implied| implied.at <= time);
        self.implied.truncate(kept.map_or(0, |last| last + 1));
        self.handed_over = state.handed_over.min(self.implied.len());
    }

    /// Puts the edges of new literals into the graphs; the clause that is violated, if any.
    pub(crate) fn conflict(&mut self) -> Option<Vec<Lit>> {
        while let Some(&lit) = self.assigned.get(self.entered.len()) {
            self.entered.push(self.edges.len());
            let edges = self.edges_of(lit);
            for i in 0..edges {
                if let Some(clause) = self.enter(lit, i) {
                    self.leave();
                    return Some(clause);
                }
            }
        }
        None
    }

    fn edges_of(&self, lit: Lit) -> usize {
        self.variables[lit].edges[side(lit)].len()
    }

    /// Adds one edge of a literal; the clause against the cycle that it closes.
    fn enter(&mut self, lit: Lit, i: usize) -> Option<Vec<Lit>> {
        let edge = self.variables[lit].edges[side(lit)][i];
        let closure = &mut self.closures[edge.graph];
        let mut excluded = Vec::new();
        let at = self.edges.len() + 1;
        if closure.add(edge.edge, at, |other| excluded.push(other)).is_err() {
            return Some(self.explanation(edge, at));
        }
        self.edges.push(edge.graph);
        for other in excluded {
            let lit = !self.closures[edge.graph].edge(other).lit;
            if self.variables[lit].value != Some(lit.is_positive()) {
                let edge = EdgeRef { graph: edge.graph, edge: other };
                self.implied.push(Implied { edge, lit, at });
            }
        }
        None
    }

    /// Takes back the edges of the literal entered last.
    fn leave(&mut self) {
        let Some(before) = self.entered.pop() else { return };
        for graph in self.edges.drain(before..).rev() {
            self.closures[graph].take_back();
        }
    }

    /// A literal that follows and that the solver does not know yet. Ask for conflicts first, and
    /// assign it before asking again.
    pub(crate) fn implied(&mut self) -> Option<Lit> {
        while let Some(&implied) = self.implied.get(self.handed_over) {
            self.handed_over += 1;
            if let Some(watched) = self.variables.get_mut(implied.lit)
                && watched.value.is_none()
            {
                watched.reasons[side(implied.lit)] = Some(implied);
                return Some(implied.lit);
            }
        }
        None
    }

    /// Why a literal followed: a clause with it in which all others are false.
    ///
    /// # Panics
    /// If it did not follow, or no longer does.
    pub(crate) fn reason(&self, lit: Lit) -> Vec<Lit> {
        let watched = self.variables.get(lit);
        let reason = watched.and_then(|w| w.reasons[side(lit)]);
        let reason = reason.expect("an implied literal");
        self.explanation(reason.edge, reason.at)
    }

    /// The clause that one edge and a way back exclude each other.
    fn explanation(&self, edge: EdgeRef, at: Time) -> Vec<Lit> {
        let closure = &self.closures[edge.graph];
        let excluded = closure.edge(edge.edge);
        let mut clause = closure.way(excluded.to, excluded.from, at).expect("the rest of a cycle");
        clause.push(excluded.lit);
        clause.sort_unstable();
        clause.dedup();
        for lit in &mut clause {
            *lit = !*lit;
        }
        clause
    }

    /// Clauses that a whole assignment violates, found without relying on incremental state.
    pub(crate) fn violated(&self, holds: impl Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let mut clauses = Vec::new();
        for graph in &self.graphs {
            lazy::cycles(graph, &holds, &mut clauses);
        }
        clauses
    }
}
