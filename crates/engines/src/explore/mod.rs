//! Exploration: runs of the program, which the solver directs until no run can show anything new.
//!
//! *Idea.* The program is run. What runs have shown is encoded: the directions that branches have taken,
//! and tables of costly operations; anything else is a way out of the formula. A solution that takes one
//! is an execution of the model in which the program does what no run has shown; it is run, and what
//! it shows is added. Where there is no such solution, the formula is about all executions, and the
//! questions about them are those of [`bounded::solver`](crate::bounded::solver).
//!
//! *Paper.* Brian Demsky, Patrick Lam, *SATCheck: SAT-Directed Stateless Model Checking for SC and
//! TSO*, OOPSLA 2015.
//!
//! *Deviations.* The memory model is any cat text, by the memory half of the encoding, and so is
//! everything that makes its formulas small. The event graph is not kept as such, but unrolled from
//! the program along what runs have shown ([`encoding::known`]), in each round anew. Branches are
//! identified by the calls that lead to them: what one iteration, or one thread with the same function, has
//! shown counts for all; how often loops iterate is asked of each by itself. Numbers that are chosen
//! and addresses that are met are not goals: choices are free in the formula, and the analysis of values
//! lists the addresses of what is unrolled, so that no run is needed for them. Where a model lets stores
//! come before reads that only program order, or only control, relates them to, a thread that stops
//! could leave out what lets it come so far; there, operations are encoded as such, and branches are
//! followed in all directions.
//!
//! *Which way an error errs.* A run that shows what the model does not allow makes the formula larger
//! and no answer wrong. An error in the formula could miss a violation; it cannot invent one, because
//! every witness is replayed before it is shown.
//!
//! Soundness S-280 (verify; weak; misses): With `--engine explore`, what no run has shown is looked for
//! with threads that stop there, which is complete for models in which no store justifies an earlier
//! read of its thread; whether a model is one is asked of its smallest such execution. Test:
//! crates/fencepost/tests/explore.rs::where_stores_justify_reads_everything_is_encoded,
//! crates/fencepost/tests/explore.rs::load_buffering_around_a_product_is_found.

mod exploration;
pub(crate) mod turn;

pub(crate) use exploration::Exploration;
pub use turn::Because;

use crate::bounded::solver;
use crate::engine::{Budget, Engine, Reply, Report, Task};
use crate::explicit::{interleavings, states};
use crate::verdict::Verdict;
use crate::verification::coverage::Coverage;
use crate::verification::{EngineChoice, Questions};
use encoding::encode::{EncodeOptions, stores_justify_earlier_reads, writes_justify_reads};
use encoding::unroll::Language;
use execution::statistics::Explored;
use ir::op::Op;
use ir::program::Program;
use models::Model;
use std::collections::BTreeMap;

/// Encodes what runs show, and runs what that leaves open.
pub struct Explore;

impl Engine for Explore {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn ask(&self, task: Task<'_>, budget: Budget<'_>) -> Option<Reply> {
        // A proof is about one formula for the whole program.
        if budget.options.encoding.journal.is_some() {
            return None;
        }
        match budget.portfolio.engine {
            EngineChoice::Explore => {}
            EngineChoice::Either => return turn::before_the_solver(task, budget),
            EngineChoice::States | EngineChoice::Solver | EngineChoice::Graphs => return None,
        }
        if !task.questions.coverage {
            return solver::Solver.ask(task, budget);
        }
        let shown = interleavings::coverage(task.program, task.model, budget);
        let Questions { properties, outcomes, results, .. } = task.questions;
        let only_coverage = properties.is_empty() && !outcomes.is_some();
        if only_coverage && !(*results && is_costly(task.program)) {
            if shown.is_all_of(task.program) {
                return Some(all_covered(shown));
            }
            if let Some(reply) = states::few(task, budget) {
                return Some(reply);
            }
        }
        // What executions of the formula reach is compared with other engines, so it is found out by
        // itself where it is not all that is asked.
        let known = if only_coverage { &shown } else { task.known };
        let mut reply = solver::Solver.ask(Task { known, ..task }, budget)?;
        if matches!(reply.report.rest, Verdict::Inconclusive(..))
            && let Some(coverage) = &mut reply.report.behaviours.coverage
        {
            coverage.extend(shown);
        }
        Some(reply)
    }
}

/// The first runs have reached everything that is asked for, so there is nothing to ask the solver.
fn all_covered(coverage: Coverage) -> Reply {
    let runs = coverage.witnesses.len();
    let directions = coverage.reached.len();
    let mut report = Report::of_violations(BTreeMap::new());
    report.statistics.explored =
        Explored { runs, behaviours: runs, directions, ..Explored::default() };
    report.behaviours.coverage = Some(coverage);
    Reply { report, left: Questions::default(), discarded: false, gave_up_early: false }
}

/// Whether costly operations may be tables: whether threads may stop for want of a result.
fn may_have_tables(model: &Model, encoding: &EncodeOptions) -> bool {
    let language = encoding.language.unwrap_or_else(|| Language::of(model));
    !writes_justify_reads(model, language) && !stores_justify_earlier_reads(model)
}

/// Whether a program has operations that may have to be known from runs alone.
fn is_costly(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let mut all = blocks.flat_map(|block| &block.insts);
    all.any(|inst| match &inst.op {
        Op::Native { .. } => true,
        Op::Binary { op, .. } => op.is_multiplicative(),
        _ => false,
    })
}

/// Whether a program calls functions of shared libraries.
pub(crate) fn calls_native(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    blocks.flat_map(|block| &block.insts).any(|inst| matches!(inst.op, Op::Native { .. }))
}
