//! C programs: one `main` that starts threads and waits for them.
//!
//! What an execution of such a program is:
//! - `main` until its first spawn runs alone; the memory that it leaves is the initial memory.
//! - What is before a spawn is before all of the new thread in program order, and all of a thread
//!   is before what follows its join; at both there is the strongest fence of the model.
//! - Each allocation gives a new block, of undefined contents or zeros. `free` writes a special
//!   value to all of it; to read that, or to write after it in coherence order, is a use after
//!   free. Freed blocks are not used again.
//! - Stack and thread-local objects whose address is not passed on are not shared memory. The end
//!   of others (of the call, or of the thread) is for each what `free` is for a block, if another
//!   thread accesses the object or its own one does afterwards. When `main` returns its objects do
//!   not end: that is the end of the program.
//! - The accesses of an atomic section, or of a compare-and-swap of several words (which reads
//!   all words and then writes all), are related by `same-atomic`, unless the section makes only
//!   one access or read-modify-write.
//! - Something wrong stops its thread there; the others may then be anywhere, but not inside an
//!   atomic section.
//!
//! What is left out or approximated, so that engines which do more differ from the oracle there:
//! - Freed blocks are never used again (a replay knows that they may be).
//! - Accesses that overlap without being equal are refused on models that give them no meaning, also
//!   where only an execution that no model allows makes them; so is a value of which only some bytes
//!   are of one pointer.
//! - A deadlock is found only where threads wait in sections that have chosen nothing before they
//!   wait, or for such threads; a loop that waits for ever only where an iteration chooses nothing
//!   and returns the thread to where it was, but for registers that decide nothing in the loop.
//!   `main` ending, or `exit`, does not end other threads: an execution is complete when all are.
//! - Overflow, leaked blocks, locks that are left held and loops that wait for ever are looked for
//!   on request ([`EnumerationOptions::overflow`], [`EnumerationOptions::endings`]). Then one iteration of a loop that does
//!   nothing is explored, and no second one ([`rounds`] has the argument); this is compared with the
//!   solver, which unrolls them.
//! - A write of a computed value that only itself justifies (thin air through a branch) is not found;
//!   one of a constant is.
//! - One execution is explored for each finding, so a race in another one with the same finding may
//!   be missed.
//! - Loops that reads decide run at most as often as the bound says; the result says whether that
//!   cut anything off.
//!
//! C11 atomics have their meaning under C11 models only; for others, the program must have been
//! compiled for the architecture.

mod combine;
mod ends;
mod guesser;
mod outcome;
pub(crate) mod overlaps;
mod rounds;
mod run;
mod threads;
mod witness;

pub use outcome::{Flawed, ProgramOutcome};

use crate::{EnumerationOptions, Problem};
use combine::{Combination, Combiner, Threads};
use execution::event::ThreadId;
use execution::finding::FindingKind;
use execution::ids::Id;
use execution::witness::Witness;
use guesser::{Task, Tasks};
use ir::program::Program;
use ir::step::thread::Code;
use models::Model;
use replay::events::control::Regions;
use replay::events::trace::joint_sections;
use replay::language::language_of;
use replay::memory::objects::{Objects, Passed};
use replay::memory::overlaps::refuse;
use replay::memory::world::World;
use replay::observation::Observation;
use replay::thread::loops::Loops;
use run::{Run, RunEnd};
use std::collections::BTreeSet;
use threads::Enumerator;

/// All that can come of a program under a model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcomes {
    /// The outcomes.
    pub all: BTreeSet<ProgramOutcome>,
    /// Whether executions were cut off by the loop bound.
    pub bounded: bool,
    /// Whether signed overflow stopped a thread for some values that it might read.
    pub overflows: bool,
}

impl EnumerationOptions {
    /// For a C program that has been made ready for a model, with the usual bounds.
    pub fn for_program(model: &Model) -> Self {
        Self { loop_bound: 4, ..Self::new(language_of(model)) }
    }
}

/// All that can come of a C program under a model.
pub fn outcomes(
    program: &Program,
    model: &Model,
    options: &EnumerationOptions,
) -> Result<Outcomes, Problem> {
    let mut outcomes = Outcomes::default();
    let mut all = BTreeSet::new();
    (outcomes.bounded, outcomes.overflows) = each(program, model, options, &mut |_, outcome| {
        all.insert(outcome);
    })?;
    outcomes.all = all;
    Ok(outcomes)
}

/// A witness of every execution of a C program that the model allows, with its outcome, as far as
/// `wanted` says so.
pub fn witnesses(
    program: &Program,
    model: &Model,
    options: &EnumerationOptions,
    wanted: &mut dyn FnMut(&ProgramOutcome) -> bool,
) -> Result<Vec<(ProgramOutcome, Witness)>, Problem> {
    let mut found = Vec::new();
    each(program, model, options, &mut |execution, outcome| {
        if let Some((combination, tasks)) = execution
            && wanted(&outcome)
        {
            found.push((outcome, witness::witness(combination, tasks)));
        }
    })?;
    Ok(found)
}

/// The callback that receives executions; programs that start no threads have none.
type Receiver<'t> = &'t mut dyn FnMut(Option<(&Combination<'_, '_, '_>, &Tasks)>, ProgramOutcome);

/// Finds all outcomes; gives whether executions were cut off by the loop bound, and whether some
/// thread was stopped by overflow.
fn each(
    program: &Program,
    model: &Model,
    options: &EnumerationOptions,
    receive: Receiver<'_>,
) -> Result<(bool, bool), Problem> {
    // Local objects are private until an execution passes on their address; then all is done
    // again with those objects shared. So it is with those that may be accessed after their end.
    let mut passed = Passed::default();
    loop {
        let mut found = Vec::new();
        let mut tasks = Tasks::default();
        let prepared = prepare(program, model, options, &passed, &mut tasks)?;
        if tasks.passed.is_within(&passed) {
            let (bounded, overflows) = (prepared.bounded, prepared.overflows);
            for run in &prepared.alone {
                found.extend(alone(&prepared.world, run));
                found.extend(run.extra.left.iter().cloned().map(ProgramOutcome::of_all));
            }
            found.into_iter().for_each(|outcome| receive(None, outcome));
            for (world, tasks, runs) in prepared.parts {
                let threads =
                    Threads::new(program, &world, &tasks, &runs, model.knows_operations());
                let known = BTreeSet::new();
                let threads = &threads;
                let mut combiner = Combiner { program, world, threads, options, model, known };
                combiner.run(&mut |combination, outcome| {
                    receive(Some((&*combination, threads.tasks)), outcome);
                })?;
            }
            return Ok((bounded, overflows));
        }
        passed.append(&mut tasks.passed);
    }
}

/// The executions of the threads of a program.
struct Prepared<'p> {
    world: World<'p>,
    /// Executions of `main` that start no thread.
    alone: Vec<Run>,
    /// For each way in which `main` reaches its first spawn: what the threads then do.
    parts: Vec<(World<'p>, Tasks, Vec<Vec<Run>>)>,
    bounded: bool,
    overflows: bool,
}

fn prepare<'p>(
    program: &'p Program,
    model: &Model,
    options: &EnumerationOptions,
    passed: &Passed,
    tasks: &mut Tasks,
) -> Result<Prepared<'p>, Problem> {
    let &[main] = program.entry.as_slice() else {
        return Err(Problem::Unsupported("the program has no single `main`".to_string()));
    };
    if !program.functions[main].params.is_empty() {
        return Err(Problem::Unsupported("a `main` with parameters is not supported".to_string()));
    }
    let (code, regions) = (Code::new(program), Regions::new(program));
    let objects = Objects::new(program, passed.clone()).map_err(Problem::Unsupported)?;
    let mut world = World::of_objects(program, objects);
    tasks.parents.push(None);
    tasks.task(Task { thread: ThreadId::new(0), function: main, args: Vec::new() });
    let full_fence = model.full_fence();
    let (code, regions, loops) = (&code, &regions, Loops::new(program));
    let (bounded, overflows) = (false, false);
    let mut enumerator =
        Enumerator { code, regions, options, loops, full_fence, bounded, overflows };
    let prefixes = enumerator.prefixes(&mut world, tasks, main)?;
    let mut parts = Vec::new();
    for mut start in prefixes.starts {
        let mut own = tasks.clone();
        let runs = enumerator.threads(&mut start, &mut own)?;
        tasks.passed.append(&mut own.passed.clone());
        check_sections(model, &runs)?;
        refuse(model, &start.world).map_err(Problem::Unsupported)?;
        parts.push((start.world, own, runs));
    }
    let Enumerator { bounded, overflows, .. } = enumerator;
    Ok(Prepared { world, alone: prefixes.runs, parts, bounded, overflows })
}

/// A model must give atomic sections a meaning if there are any.
fn check_sections(model: &Model, runs: &[Vec<Run>]) -> Result<(), Problem> {
    let in_section = |run: &Run| !joint_sections(&run.events).is_empty();
    if model.knows_atomic_sections() || !runs.iter().flatten().any(in_section) {
        return Ok(());
    }
    let name = &model.name;
    let message = format!(
        "the program has atomic sections (or compare-and-swaps of several words), and the model \
         {name} gives them no meaning"
    );
    Err(Problem::Unsupported(message))
}

/// The outcome of a program that starts no thread.
fn alone(world: &World<'_>, run: &Run) -> Option<ProgramOutcome> {
    match &run.end {
        RunEnd::Complete(_) => {
            let seen = [(0, run.extra.seen.as_slice())];
            let observation = Observation::new(world, seen.into_iter());
            Some(ProgramOutcome { observation, ..ProgramOutcome::default() })
        }
        RunEnd::Wrong(wrong, location) => {
            let kind = wrong.kind.clone();
            let finding = Some(Flawed { kind, thread: 0, location: location.clone() });
            Some(ProgramOutcome { finding, ..ProgramOutcome::default() })
        }
        RunEnd::Spins(..) => Some(ProgramOutcome::of_all(FindingKind::Livelock)),
        _ => None,
    }
}
