//! The oracle: enumerates all candidate executions of a small program and asks a model about each.
//!
//! Each thread is executed by the stepper, on its own, for every value that its reads may return
//! ([`threads`]). Executions of one thread that differ in values only share a shape ([`shapes`]);
//! one shape per thread makes a [`replay::events::skeleton`], in which reads-from and coherence are then chosen in
//! every way ([`search`]). The oracle knows nothing of any model except what the model's
//! evaluator answers, and shares no code with any solver.
//!
//! Litmus tests are in [`litmus`], C programs in [`program`]. How threads are run and their events
//! recorded is the same as where a witness is run again: see [`replay`].
//!
//! What is left out, and why that loses nothing:
//! - Values: a read returns what the write it reads from wrote, so only such choices are tried.
//! - A read-modify-write does not read what it writes itself: its write comes from its read. Only
//!   models without coherence could distinguish them, and herd leaves such executions out, too.
//! - Partial choices of `rf` and `co` are dropped when an axiom that is monotone in both already
//!   fails for the part ([`models::Evaluator::forbidden_already`]). No other property of a
//!   model, such as coherence per location, is assumed.
//! - Where cycles alone decide, a model is asked once about choices that differ only in how
//!   threads communicate that are on no cycle together ([`components`]).
//! - Loops run at most [`EnumerationOptions::loop_bound`] times; [`Oracle::bounded`] says whether that cut
//!   anything off.

mod components;
mod domain;
mod guess;
pub mod litmus;
pub mod program;
mod search;
mod shapes;
mod threads;

use execution::diagnostic::Diagnostic;
use execution::event::Execution;
use execution::ids::Id;
use ir::program::Program;
use limits::{Exceeded, Limits};
use models::{Evaluator, Model, Unevaluated};
use replay::events::record::Recording;
use replay::events::shape::Shape;
use replay::events::skeleton::Links;
use replay::language::Language;
use replay::memory::overlaps;
use replay::memory::parts::{self, Cuts};
use replay::memory::world::{self, CellId, World};
use std::cell::Cell;

pub use search::Found;

/// How to enumerate.
#[derive(Clone, Debug)]
pub struct EnumerationOptions {
    /// The kind of language.
    pub language: Language,
    /// Whether accesses that one place of a litmus test makes one after the other belong to one
    /// machine instruction.
    pub merges: bool,
    /// How often a branch may be decided by what was read, in one thread.
    pub loop_bound: u32,
    /// How many executions one thread may have.
    pub max_traces: usize,
    /// When to give up.
    pub limits: Limits,
    /// How many steps to take before it is too much: a step is a choice of what a read returns or
    /// of how the writes of a location are ordered.
    pub max_steps: Option<u64>,
    /// The steps taken so far.
    steps: Cell<u64>,
    /// Whether partial choices that already fail a monotone axiom are dropped. Without it every
    /// candidate is put to the model as a whole: slower, and the same answers.
    pub prune: bool,
    /// From how many combinations of choices on it is worth while to find out what decides the
    /// model's answer, and to ask only once about choices that agree in that (with `prune` only).
    pub many_choices: usize,
    /// Whether signed overflow is wrong, in C programs.
    pub overflow: bool,
    /// Whether C programs are also asked what they leave in the end, lost blocks and locks that are
    /// held, and whether threads loop for ever.
    pub endings: bool,
}

impl EnumerationOptions {
    /// For a language, with the usual bounds.
    pub fn new(language: Language) -> Self {
        Self {
            language,
            merges: !language.is_structured(),
            loop_bound: 2,
            max_traces: 2_000_000,
            limits: Limits::default(),
            max_steps: None,
            steps: Cell::new(0),
            prune: true,
            many_choices: 1 << 12,
            overflow: false,
            endings: false,
        }
    }

    /// How the events of threads are recorded.
    fn recording(&self) -> Recording {
        let Self { language, merges, loop_bound, endings, .. } = *self;
        Recording { language, merges, loop_bound, endings }
    }

    /// Takes a step in an execution of this many events, if there are time and steps left. Big
    /// executions cost more.
    fn step(&self, events: usize) -> Result<(), Problem> {
        let cost = (events as u64).pow(2) / 256 + 1;
        self.steps.set(self.steps.get() + cost);
        if self.max_steps.is_some_and(|most| self.steps.get() > most) {
            let message = "there are too many executions to go through one by one";
            return Err(Problem::TooLarge(message.to_string()));
        }
        self.in_time()
    }

    /// An error if a limit is reached.
    fn in_time(&self) -> Result<(), Problem> {
        self.limits.exceeded().map_or(Ok(()), |exceeded| Err(exceeded.into()))
    }

    /// An evaluator of a model, within the limits.
    fn prepare(&self, model: &Model, skeleton: &Execution) -> Result<Evaluator, Problem> {
        model.prepare_within(skeleton, &self.limits).map_err(|problem| match problem {
            Unevaluated::Model(diagnostic) => Problem::Model(diagnostic),
            Unevaluated::GaveUp => self.limits.exceeded().map_or(Problem::OutOfTime, Problem::from),
        })
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The program does what the oracle does not know.
    Unsupported(String),
    /// There is too much of something.
    TooLarge(String),
    /// The time is over.
    OutOfTime,
    /// The memory is used up.
    OutOfMemory,
    /// It was interrupted.
    Interrupted,
    /// The model cannot be evaluated.
    Model(Box<Diagnostic>),
}

impl From<Exceeded> for Problem {
    fn from(exceeded: Exceeded) -> Self {
        match exceeded {
            Exceeded::Time => Problem::OutOfTime,
            Exceeded::Memory => Problem::OutOfMemory,
            Exceeded::Interrupted => Problem::Interrupted,
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Problem::Unsupported(what) | Problem::TooLarge(what) => f.write_str(what),
            Problem::OutOfTime => f.write_str("no answer within the time limit"),
            Problem::OutOfMemory => f.write_str("no answer within the memory limit"),
            Problem::Interrupted => f.write_str("interrupted"),
            Problem::Model(diagnostic) => f.write_str(&diagnostic.message),
        }
    }
}

/// A program whose threads have been enumerated, ready to be asked under any model.
pub struct Oracle<'p> {
    world: World<'p>,
    shapes: Vec<Vec<Shape>>,
    options: EnumerationOptions,
    /// Whether some execution was cut off by the loop bound.
    pub bounded: bool,
}

impl<'p> Oracle<'p> {
    /// Enumerates the threads of a program.
    pub fn new(program: &'p Program, options: EnumerationOptions) -> Result<Self, Problem> {
        let mut world = World::new(program);
        let threads = threads::enumerate(&mut world, &options)?;
        let mut shapes: Vec<Vec<Shape>> = threads.traces.into_iter().map(shapes::shapes).collect();
        if world.overlap().is_some() {
            divide(&mut world, &mut shapes)?;
        }
        Ok(Self { world, shapes, options, bounded: threads.bounded })
    }

    /// What is wrong with asking a model: it may give accesses that overlap no meaning.
    fn refuses(&self, model: &Model) -> Result<(), Problem> {
        overlaps::refuse(model, &self.world).map_err(Problem::Unsupported)
    }

    /// Calls `found` with every execution that the model allows.
    pub fn run(
        &self,
        model: &Model,
        found: &mut dyn FnMut(&mut Found<'_, '_>),
    ) -> Result<(), Problem> {
        self.refuses(model)?;
        let mut chosen = Vec::new();
        self.combine(model, &mut chosen, found)
    }

    fn combine<'s>(
        &'s self,
        model: &Model,
        chosen: &mut Vec<&'s Shape>,
        found: &mut dyn FnMut(&mut Found<'_, '_>),
    ) -> Result<(), Problem> {
        self.options.step(0)?;
        if chosen.len() == self.shapes.len() {
            let links = Links::default();
            return search::search(&self.world, &self.options, model, (chosen, &links), found);
        }
        for shape in &self.shapes[chosen.len()] {
            chosen.push(shape);
            self.combine(model, chosen, found)?;
            chosen.pop();
        }
        Ok(())
    }
}

/// Divides accesses where others that overlap begin and end.
fn divide(world: &mut World<'_>, shapes: &mut [Vec<Shape>]) -> Result<(), Problem> {
    let accessed: Vec<CellId> = (0..world.cells.len()).map(CellId::new).collect();
    let cuts = Cuts::of(world, accessed.iter().copied());
    for cell in accessed {
        let world::MemoryCell { region, offset, bytes, .. } = world.cells[cell.index()];
        let possible = &world.cells[cell.index()].possible;
        let address = possible.iter().any(|&id| world.value_of(id).provenance.is_some());
        if address && cuts.parts(region, offset, bytes).len() > 1 {
            let name = &world.cells[cell.index()].name;
            let what = format!("`{name}` holds an address and is accessed in parts");
            return Err(Problem::Unsupported(what));
        }
    }
    for list in shapes {
        let whole: Vec<&Shape> = list.iter().collect();
        *list = parts::divide(world, &whole, &cuts);
    }
    Ok(())
}
