//! A program under a model as one formula, with the questions that can be asked of it.
//!
//! Every solution is one execution. A thread may stop before any of its accesses, so that an
//! execution in which another thread goes wrong, or goes beyond a bound, need not be complete;
//! that all threads terminate is an assumption ([`Encoding::complete`]). What is wrong
//! with an execution stops the thread in which it happens.
//!
//! A program becomes an [`Unrolled`] one (`program`); `stages` lists, in their one order, the
//! functions that turn it into clauses (`structure`, and the `reductions` of what need not be
//! explored). What can be asked of the [`Encoding`] then is in `questions`, what a solution says in
//! `answers`.

mod answers;
mod clauses;
mod options;
mod program;
mod questions;
mod reductions;
mod stages;
mod structure;

pub use answers::final_observations::FinalObservations;
pub use answers::outcomes::{Enumeration, ExecutionOutcome, Seen, Unknown};
pub use options::{EncodeOptions, Mutexes, Scope};
pub use program::unrolled::Unrolled;
pub use questions::findings::Finding;
pub use questions::locks::Held;
pub use questions::observations::{Observations, Observed};
pub use questions::past_bound::{stores_justify_earlier_reads, writes_justify_reads};
pub use questions::stuck::{Spin, Stuck};

use crate::bounded::Bounded;
use crate::graph::Edges;
use crate::memory;
use crate::term::TermId;
use crate::unroll::Unsupported;
use crate::values::Values;
use execution::event::ThreadId;
use ir::program::Program;
use models::Model;
use questions::commits::Commits;
use sat::{Answer, Formula, Lit};
use std::collections::BTreeMap;
use std::sync::Arc;
use structure::events::Events;
pub(crate) use structure::sources::MemoryCell;
use structure::threads::Lives;

/// A program under a model, as a formula.
pub struct Encoding<'p> {
    pub(crate) scope: Scope,
    pub(crate) program: &'p Program,
    /// The program, unrolled.
    pub bounded: Arc<Bounded>,
    /// The formula.
    pub formula: Formula,
    pub(crate) values: Values,
    pub(crate) events: Events,
    pub(crate) co: Edges,
    pub(crate) lives: Lives,
    pub(crate) unrolled: Arc<Unrolled>,
    commits: Commits,
    findings: Vec<Finding>,
    bounds: Vec<Lit>,
    complete: Lit,
    /// The flags of the model, with the literals that say that they are raised.
    pub flags: Vec<memory::Flag>,
    /// By thread, those that are symmetric to it, where executions are explored up to exchanging
    /// them.
    symmetric: BTreeMap<ThreadId, Vec<ThreadId>>,
}

impl<'p> Encoding<'p> {
    /// Encodes a program under a model. If the limits are reached meanwhile
    /// ([`Limits::expired`](sat::Limits::expired)), there is an error too.
    pub fn new(
        program: &'p Program,
        model: &Model,
        options: &EncodeOptions,
    ) -> Result<Self, Unsupported> {
        let unrolled = Unrolled::new(program, model, options)?;
        Self::of(program, Arc::new(unrolled), model, options)
    }

    /// The same of a program that was unrolled under this model with these options (but for the
    /// scope and those of the solver).
    pub fn of(
        program: &'p Program,
        unrolled: Arc<Unrolled>,
        model: &Model,
        options: &EncodeOptions,
    ) -> Result<Self, Unsupported> {
        stages::encode(program, unrolled, model, options)
    }

    /// True in solutions in which every thread terminates and nothing is wrong.
    pub fn complete(&self) -> Lit {
        self.complete
    }

    /// A literal that is true only if a thread terminates, within the bounds.
    pub fn ends(&mut self, thread: ThreadId) -> Lit {
        let bounds = self.bounded.bounds.iter().zip(&self.bounds);
        let within = bounds.filter(|(hit, _)| hit.moment.thread == thread).map(|(_, &lit)| !lit);
        let all: Vec<Lit> = within.chain([self.lives.to_the_end(thread)]).collect();
        self.formula.and(&all)
    }

    /// After a solution: the number that a term is in it.
    pub fn value_of(&self, term: TermId) -> u64 {
        self.values.decode(&self.formula, term).low()
    }

    /// Looks for an execution.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.formula.solve(assumptions)
    }
}
