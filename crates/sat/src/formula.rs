//! The formula everybody builds and asks: clauses, gates, order constraints and one solver.

use crate::backend;
use crate::cpu::Stopwatch;
use crate::gates::Gates;
use crate::order::{Graph, lazy};
use crate::{Answer, Backend, BackendKind, Cnf, Interrupter, Journal, Limits, Lit};
use std::collections::HashMap;
use std::io;
use std::rc::Rc;
use std::time::Instant;

/// Clauses with a solver. Clauses may be added between queries.
///
/// A formula stays on the thread that made it; its [`Interrupter`] may go anywhere.
pub struct Formula {
    pub(crate) cnf: Cnf,
    pub(crate) gates: Gates,
    /// Graphs whose cycles are excluded when a model has one.
    pub(crate) lazy: Vec<Rc<Graph>>,
    /// Graphs that the solver keeps acyclic.
    watched: Vec<Rc<Graph>>,
    backend: Box<dyn Backend>,
    /// How much of `cnf` the solver has.
    sent: usize,
    sent_graphs: usize,
    sent_variables: u32,
    /// Hints that the solver does not have yet.
    phases: Vec<Lit>,
    limits: Limits,
    model: Vec<bool>,
    core: Vec<Lit>,
    seconds: f64,
    journal: Option<Journal>,
}

/// Clauses that are handed to the solver between two reads of the clock.
const CLAUSES_PER_LOOK: usize = 4096;

/// How large a formula is and what solving it has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    pub variables: u64,
    pub clauses: u64,
    pub literals: u64,
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
    pub solver_cpu_seconds: f64,
}

impl Formula {
    /// An empty formula.
    pub fn new(kind: BackendKind) -> Self {
        Self {
            cnf: Cnf::default(),
            gates: Gates::default(),
            lazy: Vec::new(),
            watched: Vec::new(),
            sent_graphs: 0,
            sent_variables: 1,
            backend: backend::new(kind),
            sent: 0,
            phases: Vec::new(),
            limits: Limits::default(),
            model: Vec::new(),
            core: Vec::new(),
            seconds: 0.0,
            journal: None,
        }
    }

    /// A new variable.
    pub fn fresh(&mut self) -> Lit {
        self.cnf.fresh()
    }

    /// Adds a clause.
    pub fn clause(&mut self, lits: &[Lit]) {
        self.cnf.clause(lits);
    }

    /// Looks for a model in which the assumptions hold. Limits hold for this call alone, except the
    /// deadline and the interrupter, which stay.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        let stopwatch = Stopwatch::start();
        self.core.clear();
        let answer = loop {
            if self.limits.expired() || !self.send() {
                break Answer::Unknown;
            }
            let answer = self.backend.solve(assumptions, &self.limits);
            match answer {
                Answer::Sat => self.read_model(),
                Answer::Unsat => self.read_core(assumptions),
                Answer::Unknown => {}
            }
            if answer != Answer::Sat || !self.exclude_cycles() {
                break answer;
            }
        };
        self.seconds += stopwatch.seconds();
        if let Some(journal) = &self.journal {
            journal.note(self, assumptions, answer);
        }
        answer
    }

    /// Hands the solver what was added since the last query; whether there was time for all of it.
    fn send(&mut self) -> bool {
        self.backend.reserve(self.cnf.variables());
        for (count, clause) in self.cnf.clauses_after(self.sent).enumerate() {
            self.backend.add_clause(clause);
            self.sent += clause.len() + 1;
            if count % CLAUSES_PER_LOOK == CLAUSES_PER_LOOK - 1 && self.limits.expired() {
                return false;
            }
        }
        self.sent = self.cnf.end();
        self.sent_variables = self.cnf.variables();
        for graph in &self.watched[self.sent_graphs..] {
            self.backend.watch(graph.clone());
        }
        self.sent_graphs = self.watched.len();
        for lit in self.phases.drain(..) {
            self.backend.set_phase(lit);
        }
        true
    }

    /// Lets the solver keep a graph acyclic.
    ///
    /// Solvers may have eliminated a variable they know and then cannot watch it: a new one that
    /// follows from its literal is watched instead.
    pub(crate) fn watch(&mut self, mut graph: Graph) {
        let mut stand_ins = HashMap::new();
        for edge in &mut graph.edges {
            if edge.lit.variable() <= self.sent_variables {
                edge.lit = *stand_ins.entry(edge.lit).or_insert_with_key(|&lit| {
                    let stand_in = self.cnf.fresh();
                    self.cnf.clause(&[!lit, stand_in]);
                    stand_in
                });
            }
        }
        self.watched.push(Rc::new(graph));
    }

    fn read_model(&mut self) {
        let variables = 1..=self.cnf.variables();
        self.model.clear();
        self.model.push(false);
        self.model.extend(variables.map(|v| self.backend.value(Lit::positive(v))));
    }

    fn read_core(&mut self, assumptions: &[Lit]) {
        self.core.extend(assumptions.iter().copied().filter(|&lit| self.backend.failed(lit)));
        self.core.sort_unstable();
        self.core.dedup();
    }

    /// Adds clauses against the cycles of the model; whether there were any.
    fn exclude_cycles(&mut self) -> bool {
        let mut clauses = Vec::new();
        for graph in &self.lazy {
            lazy::cycles(graph, |lit| self.value(lit), &mut clauses);
        }
        for clause in &clauses {
            self.cnf.clause(clause);
        }
        !clauses.is_empty()
    }

    /// The value of a literal in the model of the last [`Answer::Sat`]; a variable that is younger
    /// than the model is false.
    pub fn value(&self, lit: Lit) -> bool {
        let value = self.model.get(lit.variable() as usize).copied().unwrap_or(false);
        value == lit.is_positive()
    }

    /// Those assumptions of the last query that the solver needed for [`Answer::Unsat`].
    pub fn core(&self) -> Vec<Lit> {
        self.core.clone()
    }

    /// Lets a journal know every query from now on.
    pub fn set_journal(&mut self, journal: Journal) {
        self.journal = Some(journal);
    }

    /// Suggests the value to try first when this variable is decided. A solver may ignore it.
    pub fn set_phase(&mut self, lit: Lit) {
        self.phases.push(lit);
    }

    /// Sets all limits at once.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Queries end with [`Answer::Unknown`] at this time.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.limits.deadline = deadline;
    }

    /// Each query ends with [`Answer::Unknown`] after this number of conflicts.
    pub fn set_conflict_limit(&mut self, conflicts: Option<u64>) {
        self.limits.conflicts = conflicts;
    }

    /// What stops queries of this formula from another thread or a signal handler.
    pub fn interrupter(&self) -> Interrupter {
        self.limits.interrupter.clone()
    }

    /// Lets one interrupter stop several formulas.
    pub fn set_interrupter(&mut self, interrupter: Interrupter) {
        self.limits.interrupter = interrupter;
    }

    /// When it gives up.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// How large the formula is and what solving it has cost so far.
    pub fn stats(&self) -> Stats {
        let effort = self.backend.effort();
        Stats {
            variables: u64::from(self.cnf.variables()),
            clauses: self.cnf.clauses() as u64,
            literals: self.cnf.literals() as u64,
            conflicts: effort.conflicts,
            decisions: effort.decisions,
            propagations: effort.propagations,
            solver_cpu_seconds: self.seconds,
        }
    }

    /// Writes a query as a DIMACS file, assumptions as unit clauses, order constraints as clauses.
    pub fn write_dimacs(&self, out: &mut dyn io::Write, assumptions: &[Lit]) -> io::Result<()> {
        self.whole_cnf().write_dimacs(out, assumptions)
    }

    /// The clauses together with those that express the constraints kept elsewhere.
    pub(crate) fn whole_cnf(&self) -> Cnf {
        let mut cnf = self.cnf.clone();
        for graph in self.lazy.iter().chain(&self.watched) {
            graph.encode(&mut cnf);
        }
        cnf
    }
}
