//! Synthetic event structures as clauses: guarded accesses, reads-from, coherence, from-read.
//!
//! A stand-in for real programs, to compare order encodings with each other and nothing else.

use sat::order::{Strategy, acyclic};
use sat::{Formula, Lit};
use std::collections::HashMap;

/// Which program order is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Model {
    Sc,
    /// Stores may be delayed past loads, but not past an atomic access.
    Tso,
    /// Stores may be delayed past everything to other locations.
    Pso,
}

/// A load or store that may happen at one of several locations.
pub struct Event {
    thread: usize,
    store: bool,
    guard: Lit,
    at: Vec<(u32, Lit)>,
    /// The literal of each value.
    pub value: Vec<Lit>,
    /// Part of an atomic read-modify-write; a store names its load.
    atomic: bool,
    load: Option<usize>,
}

/// A formula together with the events it talks about.
pub struct Events<'a> {
    pub formula: &'a mut Formula,
    events: Vec<Event>,
    /// Values at the start, zero if not here.
    pub initial: HashMap<u32, usize>,
}

/// A literal for each two events.
struct Triangle(Vec<Vec<Lit>>);

impl Triangle {
    /// Whether a symmetric relation holds.
    fn of(&self, a: usize, b: usize) -> Lit {
        self.0[a.max(b)][a.min(b)]
    }

    /// Whether a total order has `a` before `b`.
    fn before(&self, a: usize, b: usize) -> Lit {
        if a > b { self.of(a, b) } else { !self.of(a, b) }
    }
}

/// A constant among values below `size`.
pub fn constant(value: usize, size: usize) -> Vec<Lit> {
    (0..size).map(|v| Lit::constant(v == value)).collect()
}

impl<'a> Events<'a> {
    pub fn new(formula: &'a mut Formula) -> Self {
        Self { formula, events: Vec::new(), initial: HashMap::new() }
    }

    pub fn len(&self) -> usize {
        self.events.len()
    }

    fn push(&mut self, event: Event) -> usize {
        self.events.push(event);
        self.events.len() - 1
    }

    /// A load of one of `size` values; these are its literals.
    pub fn load(&mut self, thread: usize, guard: Lit, at: &[(u32, Lit)], size: usize) -> Vec<Lit> {
        let load = self.load_event(thread, guard, at, size, false);
        self.events[load].value.clone()
    }

    fn load_event(
        &mut self,
        thread: usize,
        guard: Lit,
        at: &[(u32, Lit)],
        size: usize,
        atomic: bool,
    ) -> usize {
        let value: Vec<Lit> = (0..size).map(|_| self.formula.fresh()).collect();
        self.formula.exactly_one_if(guard, &value);
        let at = at.to_vec();
        self.push(Event { thread, store: false, guard, at, value, atomic, load: None })
    }

    pub fn store(&mut self, thread: usize, guard: Lit, at: &[(u32, Lit)], value: Vec<Lit>) {
        let at = at.to_vec();
        self.push(Event { thread, store: true, guard, at, value, atomic: false, load: None });
    }

    /// A compare-and-swap; the literal says whether it succeeds.
    pub fn cas(
        &mut self,
        thread: usize,
        guard: Lit,
        at: &[(u32, Lit)],
        [old, new]: [&[Lit]; 2],
    ) -> Lit {
        let load = self.load_event(thread, guard, at, old.len(), true);
        let equal = equal(self.formula, &self.events[load].value.clone(), old);
        let success = self.formula.and(&[guard, equal]);
        let (at, value) = (at.to_vec(), new.to_vec());
        let load = Some(load);
        self.push(Event { thread, store: true, guard: success, at, value, atomic: true, load });
        success
    }

    /// Demands that the events are an execution of the model.
    pub fn execution(&mut self, model: Model, strategy: Strategy) {
        let n = self.events.len();
        let same = self.same_location();
        let co = self.coherence(&same);
        let mut global: Vec<(u32, u32, Lit)> = Vec::new();
        let mut local = Vec::new();
        for a in 0..n {
            for b in a + 1..n {
                if self.events[a].thread == self.events[b].thread {
                    if self.kept(model, a, b) {
                        global.push((a as u32, b as u32, Lit::TRUE));
                    }
                    local.push((a as u32, b as u32, same.of(a, b)));
                }
                if self.events[a].store && self.events[b].store && same.of(a, b) != Lit::FALSE {
                    for edges in [&mut global, &mut local] {
                        edges.push((a as u32, b as u32, co.before(a, b)));
                        edges.push((b as u32, a as u32, !co.before(a, b)));
                    }
                }
            }
        }
        for load in 0..n {
            if !self.events[load].store {
                self.reads_from(load, model, &same, &co, &mut global, &mut local);
            }
        }
        acyclic(self.formula, n, &global, strategy);
        if model != Model::Sc {
            acyclic(self.formula, n, &local, strategy);
        }
    }

    fn same_location(&mut self) -> Triangle {
        let n = self.events.len();
        Triangle((0..n).map(|a| (0..a).map(|b| self.same(a, b)).collect()).collect())
    }

    /// The literal that two events happen at one location.
    fn same(&mut self, a: usize, b: usize) -> Lit {
        let (x, y) = (&self.events[a], &self.events[b]);
        let mut ways = Vec::new();
        for &(here, at_here) in &x.at {
            for &(_, at_there) in y.at.iter().filter(|&&(there, _)| there == here) {
                ways.push(self.formula.and(&[x.guard, y.guard, at_here, at_there]));
            }
        }
        self.formula.or(&ways)
    }

    /// An order of the stores that may be to one location.
    fn coherence(&mut self, same: &Triangle) -> Triangle {
        let n = self.events.len();
        let mut pair = |a: usize, b: usize| {
            let ordered = self.events[a].store && self.events[b].store;
            if ordered && same.of(a, b) != Lit::FALSE { self.formula.fresh() } else { Lit::FALSE }
        };
        Triangle((0..n).map(|a| (0..a).map(|b| pair(a, b)).collect()).collect())
    }

    fn kept(&self, model: Model, a: usize, b: usize) -> bool {
        let thread = self.events[a].thread;
        let fenced = || (a..=b).any(|e| self.events[e].thread == thread && self.events[e].atomic);
        match model {
            Model::Sc => true,
            Model::Tso => !self.events[a].store || self.events[b].store || fenced(),
            Model::Pso => !self.events[a].store,
        }
    }

    fn reads_from(
        &mut self,
        load: usize,
        model: Model,
        same: &Triangle,
        co: &Triangle,
        global: &mut Vec<(u32, u32, Lit)>,
        local: &mut Vec<(u32, u32, Lit)>,
    ) {
        let n = self.events.len();
        let stores: Vec<usize> =
            (0..n).filter(|&s| self.events[s].store && same.of(s, load) != Lit::FALSE).collect();
        let (guard, value) = (self.events[load].guard, self.events[load].value.clone());
        let initial = self.formula.fresh();
        for &(location, here) in &self.events[load].at {
            let first = self.initial.get(&location).copied().unwrap_or(0);
            self.formula.implies_any(&[guard, initial, here], &[value[first]]);
        }
        let mut sources = vec![initial];
        let later: Vec<Lit> = stores.iter().map(|_| self.formula.fresh()).collect();
        for (&store, &after) in stores.iter().zip(&later) {
            local.push((load as u32, store as u32, after));
            global.push((load as u32, store as u32, after));
            self.formula.implies_any(&[initial, same.of(store, load)], &[after]);
            let source = self.formula.fresh();
            sources.push(source);
            self.formula.implies(source, same.of(store, load));
            for (&written, &read) in self.events[store].value.iter().zip(&value) {
                self.formula.implies_any(&[source, written], &[read]);
            }
            local.push((store as u32, load as u32, source));
            if model == Model::Sc || self.events[store].thread != self.events[load].thread {
                global.push((store as u32, load as u32, source));
            }
            for (&other, &after) in stores.iter().zip(&later).filter(|&(&other, _)| other != store)
            {
                self.formula.implies_any(
                    &[source, same.of(other, load), co.before(store, other)],
                    &[after],
                );
            }
        }
        self.formula.exactly_one_if(guard, &sources);
        if let Some(own) = (0..n).find(|&s| self.events[s].load == Some(load)) {
            self.atomic(own, &stores, &later, same, co);
        }
    }

    /// Nothing comes between the halves of a read-modify-write.
    fn atomic(
        &mut self,
        own: usize,
        stores: &[usize],
        later: &[Lit],
        same: &Triangle,
        co: &Triangle,
    ) {
        for (&other, &after) in stores.iter().zip(later).filter(|&(&other, _)| other != own) {
            let guard = self.events[own].guard;
            self.formula
                .implies_any(&[guard, same.of(other, own), after, co.before(other, own)], &[]);
        }
    }
}

/// Whether two values are the same.
pub fn equal(formula: &mut Formula, a: &[Lit], b: &[Lit]) -> Lit {
    let ways: Vec<Lit> = a.iter().zip(b).map(|(&x, &y)| formula.and(&[x, y])).collect();
    formula.or(&ways)
}
