//! A program under a model as one formula, with the questions that can be asked of it.
//!
//! Every solution is one execution. A thread may stop before any of its accesses, so that an
//! execution in which another thread goes wrong, or goes beyond a bound, need not be complete;
//! that all threads come to their ends is an assumption ([`Encoding::complete`]). What is wrong
//! with an execution stops the thread in which it happens.

mod events;
mod findings;
mod lifetimes;
mod observe;
mod order;
mod threads;
mod witness;

pub use findings::Finding;
pub use observe::Observed;

use crate::bounded::{ActionId, Bounded, BoundHit};
use crate::graph::{Edges, Graph};
use crate::memory::{self, Memory};
use crate::unroll::{self, Unsupported, unroll};
use crate::values::{self, Values};
use execution::event::EventId;
use ir::program::{LocId, Program, Width};
use models::{Architecture, Model};
use sat::{Answer, BackendKind, Formula, Lit};
use std::collections::{BTreeMap, HashMap};

/// How to encode.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How far to unroll.
    pub unroll: unroll::Options,
    /// How to look at values.
    pub values: values::Options,
    /// How to keep relations acyclic; by size if not given.
    pub strategy: Option<sat::order::Strategy>,
    /// Which solver.
    pub backend: BackendKind,
}

/// An event of the graph: an action, or the part of one that is at one cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// The initial write of a cell.
    Initial(Cell),
    /// An access or a fence.
    Action(ActionId),
    /// What a `free` does to one cell of its block.
    Freed(ActionId, Cell),
}

/// A location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Cell {
    pub(crate) address: u64,
    pub(crate) width: Width,
}

/// A program under a model, as a formula.
pub struct Encoding<'p> {
    pub(crate) program: &'p Program,
    /// The program, unrolled.
    pub bounded: Bounded,
    /// The formula.
    pub formula: Formula,
    pub(crate) values: Values,
    pub(crate) sources: Vec<Source>,
    pub(crate) events: HashMap<Source, EventId>,
    pub(crate) graph: Graph,
    pub(crate) co: Edges,
    pub(crate) lives: threads::Lives,
    findings: Vec<Finding>,
    bounds: Vec<Lit>,
    complete: Lit,
    /// The flags of the model, with the literals that say that they are raised.
    pub flags: Vec<memory::Flag>,
}

impl<'p> Encoding<'p> {
    /// Encodes a program under a model.
    pub fn new(
        program: &'p Program,
        model: &Model,
        options: &Options,
    ) -> Result<Self, Unsupported> {
        let mut bounded = unroll(program, &options.unroll)?;
        let sets = values::analyse(&bounded, &options.values);
        let compiled = model.compiled().ok_or_else(|| Unsupported {
            what: format!("the model {} looks at each execution by itself", model.name),
            place: None,
        })?;
        let cells = events::cells(&mut bounded, &sets)?;
        let values = Values::new(&bounded, sets);
        let mut builder = Builder {
            architecture: model.architecture(),
            full_fence: model.full_fence(),
            formula: Formula::new(options.backend),
            bounded,
            values,
            cells,
            sources: Vec::new(),
            events: HashMap::new(),
            findings: Vec::new(),
        };
        let lives = builder.lives()?;
        let graph = builder.graph(&lives, model)?;
        let strategy = options.strategy.unwrap_or_default();
        let Memory { co, flags, .. } =
            memory::encode(&mut builder.formula, &graph, compiled, strategy)
                .map_err(|problem| Unsupported { what: problem.to_string(), place: None })?;
        builder.overwritten(&lives, &graph, &co)?;
        let bounds = builder.bound_hits(&lives)?;
        let complete = builder.completeness(&lives, &bounds);
        let Builder { formula, bounded, values, sources, events, findings, .. } = builder;
        Ok(Self {
            program,
            bounded,
            formula,
            values,
            sources,
            events,
            graph,
            co,
            lives,
            findings,
            bounds,
            complete,
            flags,
        })
    }

    /// True in solutions in which every thread comes to its end and nothing is wrong.
    pub fn complete(&self) -> Lit {
        self.complete
    }

    /// What may be wrong.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// A literal that is true only if something is wrong.
    pub fn wrong(&mut self) -> Lit {
        let all: Vec<Lit> = self.findings.iter().map(|finding| finding.wrong).collect();
        self.formula.or(&all)
    }

    /// A literal that is true only if some loop goes on beyond its bound.
    pub fn beyond(&mut self) -> Lit {
        self.formula.or(&self.bounds.clone())
    }

    /// After a solution: the bounds that it goes beyond.
    pub fn exceeded(&self) -> Vec<&BoundHit> {
        let hit = |&(_, &lit): &(&BoundHit, &Lit)| self.formula.value(lit);
        self.bounded.bounds.iter().zip(&self.bounds).filter(hit).map(|(bound, _)| bound).collect()
    }

    /// After a solution: what is wrong in it.
    pub fn found(&self) -> Vec<&Finding> {
        self.findings.iter().filter(|finding| self.formula.value(finding.wrong)).collect()
    }

    /// Looks for an execution.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.formula.solve(assumptions)
    }
}

/// What is needed to build an encoding.
pub(crate) struct Builder {
    architecture: Architecture,
    full_fence: &'static [&'static str],
    formula: Formula,
    bounded: Bounded,
    values: Values,
    /// The locations that may be accessed.
    cells: BTreeMap<Cell, crate::term::TermId>,
    sources: Vec<Source>,
    events: HashMap<Source, EventId>,
    findings: Vec<Finding>,
}

/// An error about a term, at a place.
pub(crate) fn at(place: Option<LocId>) -> impl Fn(values::Unsupported) -> Unsupported {
    move |problem| Unsupported { what: problem.to_string(), place }
}
