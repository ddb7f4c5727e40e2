//! Visits each consistent execution graph of a program once, with linear memory, on models that
//! forbid cycles of program order and reads-from.
//!
//! - [`ahead`]: threads, run from one question to the next.
//! - [`graph`]: graphs as they grow, and which reads a new write may revisit.
//! - [`judge`]: asks the model.
//! - [`search`]: the method.
//! - [`leaf`]: what is found; [`witness`]: how it is written down.

mod ahead;
mod graph;
mod judge;
mod leaf;
mod search;
#[cfg(test)]
mod tests;
mod witness;

use crate::bounded::unrolling::CheckOptions;
use ahead::{Ahead, Names, Pause, Refusal, Runner};
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
use search::{Open, Search, Stop};
use std::sync::Arc;

/// What came of a search.
pub(crate) struct Visited {
    /// What was found.
    pub found: Found,
    /// Whether these are all graphs.
    pub all: bool,
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
    let names = Names {
        world: World::of_objects(program, objects),
        parents: vec![None],
        passed: Passed::default(),
        results: Vec::new(),
    };
    let mut search = Search::new(&runner, &judge, names, Found::new(wanted.clone()));
    let mut starts = starts(&mut search, main)?;
    let mut all = true;
    while let Some((names, run)) = starts.pop() {
        search.starts_with(names);
        search.open.push(Open { graph: Graph::new(run), ask: false, expected: true });
        while let Some(open) = search.open.pop() {
            if limits.expired() {
                all = false;
                break;
            }
            match search.visit(open) {
                Ok(()) => {}
                Err(Stop::GaveUp) => all = false,
                Err(Stop::Refused(refusal)) => return Err(refusal),
                Err(Stop::Known) => {
                    let found = std::mem::take(&mut search.found);
                    return Ok(Attempt::Done(Visited { found, all: true }));
                }
            }
            if !search.names.passed.is_within(passed) {
                return Ok(Attempt::Passed(search.names.passed));
            }
            if !all {
                break;
            }
        }
        search.open.clear();
    }
    Ok(Attempt::Done(Visited { found: search.found, all }))
}

/// How `main` stands when it runs alone no longer, for each way to choose until then.
fn starts<'p>(
    search: &mut Search<'_, 'p>,
    main: ir::program::FuncId,
) -> Result<Vec<(Names<'p>, Arc<Ahead>)>, Refusal> {
    let runner = search.runner;
    let mut open = vec![Arc::new(runner.prefix(&mut search.names, main)?)];
    let mut starts = Vec::new();
    while let Some(run) = open.pop() {
        let count = match run.pause {
            Pause::Choice(count) => count,
            Pause::Fails => 2,
            Pause::FirstSpawn => {
                let mut names = search.names.clone();
                let run = runner.past_prefix(&mut names, &run)?;
                starts.push((names, Arc::new(run)));
                continue;
            }
            // It starts no thread: nothing is an event.
            _ => {
                starts.push((search.names.clone(), run));
                continue;
            }
        };
        for answer in (0..count).rev() {
            open.push(Arc::new(runner.answer(&mut search.names, &run, answer)?));
        }
    }
    starts.reverse();
    Ok(starts)
}
