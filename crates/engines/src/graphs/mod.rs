//! Visits each consistent execution graph of a program once, with linear memory, on models that
//! forbid cycles of program order and reads-from.
//!
//! - [`engine`]: what is asked and answered; [`conditions`]: on which models it works.
//! - [`ahead`]: threads, run from one question to the next.
//! - [`graph`]: graphs as they grow, and which reads a new write may revisit.
//! - [`judge`]: asks the model.
//! - [`search`]: the method; [`workers`]: on all cores.
//! - [`leaf`]: what is found; [`witness`]: how it is written down.

mod ahead;
mod conditions;
mod engine;
mod graph;
mod judge;
mod leaf;
mod search;
#[cfg(test)]
mod tests;
mod witness;
mod workers;

use crate::bounded::unrolling::CheckOptions;
pub use ahead::Refusal;
use ahead::{Ahead, Names, Pause, Runner};
pub use engine::Graphs;
use execution::statistics;
use graph::Graph;
use ir::program::Program;
use ir::step::thread::Code;
use judge::Judge;
use leaf::{Found, Wanted};
use limits::Limits;
use models::Model;
use replay::events::control::Regions;
use replay::events::record::Recording;
use replay::language::language_of;
use replay::memory::objects::{Objects, Passed};
use replay::memory::world::World;
use replay::thread::loops::Loops;
use search::Open;
use std::sync::Arc;
use workers::Crew;

/// What came of a search.
pub(crate) struct Visited {
    /// What was found.
    pub found: Found,
    /// Whether these are all graphs.
    pub all: bool,
}

/// How many executions a program has that are complete, and how many that are blocked; panics if one
/// is visited twice. `None` if a limit is reached.
pub fn count(
    program: &Program,
    model: &Model,
    options: &CheckOptions<'_>,
) -> Result<Option<statistics::Graphs>, Refusal> {
    let wanted = Wanted { all: true, once: true, ..Wanted::default() };
    let visited = visit(program, model, &wanted, options)?;
    Ok(visited.all.then_some(visited.found.counts))
}

/// Visits the graphs of a program.
pub(crate) fn visit(
    program: &Program,
    model: &Model,
    wanted: &Wanted,
    options: &CheckOptions<'_>,
) -> Result<Visited, Refusal> {
    // Local objects are private until their address is passed on; then all is done again with
    // those objects shared.
    let mut passed = Passed::default();
    loop {
        match attempt(program, model, wanted, options, &passed)? {
            Attempt::Done(visited) => return Ok(visited),
            Attempt::Passed(mut more) => passed.append(&mut more),
        }
    }
}

enum Attempt {
    Done(Visited),
    Passed(Passed),
}

fn refused(what: impl Into<String>) -> Refusal {
    Refusal { what: what.into(), place: None }
}

fn attempt(
    program: &Program,
    model: &Model,
    wanted: &Wanted,
    options: &CheckOptions<'_>,
    passed: &Passed,
) -> Result<Attempt, Refusal> {
    let &[main] = program.entry.as_slice() else {
        return Err(refused("a program without a single `main`"));
    };
    if !program.functions[main].params.is_empty() {
        return Err(refused("a `main` with parameters"));
    }
    if let Some(what) = conditions::refusal(program, model) {
        return Err(refused(what));
    }
    let limits: &Limits = &options.encoding.limits;
    let language = language_of(model);
    let (code, regions, loops) = (Code::new(program), Regions::new(program), Loops::new(program));
    let recording = Recording {
        loop_bound: options.max_unroll,
        endings: true,
        ..Recording::unbounded(language)
    };
    let runner = Runner {
        code: &code,
        regions: &regions,
        loops: &loops,
        recording,
        full_fence: model.full_fence(),
        overflow: options.encoding.unroll.overflow,
    };
    let judge = Judge { model, language, limits };
    let objects = Objects::new(program, passed.clone()).map_err(refused)?;
    let mut names = Names {
        world: World::of_objects(program, objects),
        parents: vec![None],
        passed: Passed::default(),
        results: Vec::new(),
    };
    let crew = Crew { runner: &runner, judge: &judge, limits, wanted, passed };
    // That no graph is visited twice is checked in one place.
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = if wanted.once { 1 } else { available() };
    let mut visited = Visited { found: Found::new(wanted.clone()), all: true };
    for (names, run) in starts(&runner, &mut names, main)? {
        let open = Open { graph: Graph::new(run), ask: false, expected: true };
        let done = crew.visit(names, open, jobs)?;
        if let Some(passed) = done.passed {
            return Ok(Attempt::Passed(passed));
        }
        visited.found.append(done.found);
        visited.all &= done.all;
        if !visited.all || visited.found.is_enough() {
            break;
        }
    }
    Ok(Attempt::Done(visited))
}

/// How `main` stands when it runs alone no longer, for each way to choose until then.
fn starts<'p>(
    runner: &Runner<'_, 'p>,
    names: &mut Names<'p>,
    main: ir::program::FuncId,
) -> Result<Vec<(Names<'p>, Arc<Ahead>)>, Refusal> {
    let mut open = vec![Arc::new(runner.prefix(names, main)?)];
    let mut starts = Vec::new();
    while let Some(run) = open.pop() {
        let count = match run.pause {
            Pause::Choice(count) => count,
            Pause::Fails => 2,
            Pause::FirstSpawn => {
                let mut names = names.clone();
                let run = runner.past_prefix(&mut names, &run)?;
                starts.push((names, Arc::new(run)));
                continue;
            }
            // It starts no thread: nothing is an event.
            _ => {
                starts.push((names.clone(), run));
                continue;
            }
        };
        for answer in (0..count).rev() {
            open.push(Arc::new(runner.answer(names, &run, answer)?));
        }
    }
    Ok(starts)
}
