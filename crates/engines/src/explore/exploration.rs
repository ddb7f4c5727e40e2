//! What runs of a program have shown so far.

use super::may_have_tables;
use crate::bounded::unrolling::CheckOptions;
use encoding::bounded::{BoundHit, Unseen};
use encoding::encode::writes_justify_reads;
use encoding::known::Known;
use encoding::unroll::Language;
use execution::question::Step;
use execution::statistics::Explored;
use execution::witness::Witness;
use ir::program::Program;
use ir::step::machine::{Machine, RunEnd, RunOptions};
use ir::step::shown::{Computed, Direction, Place, Shown};
use ir::step::thread::Code;
use ir::value::Value;
use models::Model;
use replay::Under;
use sat::Limits;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The runs under random schedules with which exploration begins, and how many of them in a row may
/// show nothing new.
const FIRST_RUNS: u64 = 64;
const DULL_RUNS: u64 = 8;
/// How many instructions such a run may execute, and how many between two checks of the limits. Where
/// runs do not end, as where threads poll, the next ones are shorter by this factor, but not shorter
/// than the last number.
const LONGEST_RUN: u64 = 100_000;
const SLICE: u64 = 20_000;
const SHORTER: u64 = 8;
const SHORTEST_RUN: u64 = 2_000;

/// What is known of a program from runs.
pub(crate) struct Exploration {
    known: RefCell<Known>,
    explored: Cell<Explored>,
    seed: Cell<u64>,
    /// How many instructions the next random run may execute.
    longest: Cell<u64>,
    /// How many properties are known to be violated.
    violated: Cell<usize>,
}

impl Exploration {
    /// Runs the program under a few schedules.
    pub(crate) fn new(program: &Program, model: &Model, options: &CheckOptions<'_>) -> Self {
        let encoding = &options.encoding;
        let language = encoding.language.unwrap_or_else(|| Language::of(model));
        let all_directions = writes_justify_reads(model, language);
        let tables = may_have_tables(model, encoding);
        let own = Self {
            known: RefCell::new(Known::new(all_directions, tables)),
            explored: Cell::default(),
            seed: Cell::new(0),
            longest: Cell::new(LONGEST_RUN),
            violated: Cell::new(0),
        };
        let mut dull = 0;
        for _ in 0..FIRST_RUNS {
            if dull >= DULL_RUNS || encoding.limits.expired() {
                break;
            }
            dull = if own.run_at_random(program, &encoding.limits) { 0 } else { dull + 1 };
            (options.progress)(own.step());
        }
        own
    }

    /// What is known now.
    pub(crate) fn known(&self) -> Arc<Known> {
        Arc::new(self.known.borrow().clone())
    }

    /// What runs have shown, in numbers.
    pub(crate) fn explored(&self) -> Explored {
        let known = self.known.borrow();
        let (directions, entries) = (known.directions(), known.entries());
        Explored { directions, entries, ..self.explored.get() }
    }

    /// What is being done, and what that has shown.
    pub(crate) fn step(&self) -> Step {
        Step::Exploring(self.explored(), self.violated.get())
    }

    /// So many properties are known to be violated.
    pub(crate) fn is_violated(&self, properties: usize) {
        self.violated.set(properties);
    }

    /// Whether a bound is none any more, because a run has shown what comes there.
    pub(crate) fn has_shown(&self, bound: &BoundHit) -> bool {
        match &bound.unseen {
            Some(Unseen::Direction(direction)) => self.known.borrow().has_taken(direction),
            Some(Unseen::Entry { .. }) | None => false,
        }
    }

    /// These operations are tables.
    pub(crate) fn table(&self, sites: &BTreeSet<Place>) {
        self.known.borrow_mut().table(sites);
    }

    /// A solution goes this way at a branch.
    pub(crate) fn goes(&self, direction: Direction) {
        self.known.borrow_mut().take(direction);
    }

    /// A solution asks an operation for its result with these operands.
    pub(crate) fn enter(&self, table: Computed, operands: &[Value], site: Place) {
        self.known.borrow_mut().enter(table, operands, site);
    }

    /// Runs a solution under its model, and then another schedule on from what is known.
    pub(crate) fn run(&self, program: &Program, under: Under<'_>, witness: &Witness) {
        let (shown, wrong) = replay::follow(program, under.model, witness, under.limits);
        self.learn(shown, (true, wrong));
        self.run_at_random(program, under.limits);
    }

    /// Runs the program under the next random schedule; gives whether that has shown anything new.
    fn run_at_random(&self, program: &Program, limits: &Limits) -> bool {
        let seed = self.seed.replace(self.seed.get() + 1);
        let options = RunOptions { seed, max_steps: self.longest.get(), ..RunOptions::default() };
        let code = Code::new(program);
        let mut machine = Machine::new(&code, &options, Shown::default());
        let mut wrong = false;
        while !limits.expired() {
            if let Some(end) = machine.advance(SLICE) {
                wrong = matches!(end, RunEnd::Violated(_));
                if let RunEnd::OutOfSteps(_) = end {
                    self.longest.set((self.longest.get() / SHORTER).max(SHORTEST_RUN));
                }
                break;
            }
        }
        self.learn(machine.into_world().output, (false, wrong))
    }

    /// Adds what a run has shown; `directed` runs are there because they do what is new. Whether
    /// something went wrong in it.
    fn learn(&self, shown: Shown, (directed, is_wrong): (bool, bool)) -> bool {
        let new = self.known.borrow_mut().learn(shown);
        let Explored { runs, behaviours, wrong, .. } = self.explored.get();
        let behaviours = behaviours + usize::from(new || directed);
        let wrong = wrong + usize::from(is_wrong);
        self.explored.set(Explored { runs: runs + 1, behaviours, wrong, ..Explored::default() });
        new
    }
}
