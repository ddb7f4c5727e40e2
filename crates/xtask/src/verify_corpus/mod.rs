//! The programs of `corpus/verify`: what is expected of them, compared with what `fencepost verify`
//! and random schedules say.

pub mod expectation;
pub mod schedules;
pub mod verdicts;

use crate::root;
use clap::Args;
use engines::verification::EngineChoice;
use expectation::Program;
use fencepost_cli::cli::MutexesArg;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use verdicts::{Compared, Comparison, How};

/// Which programs, and how.
#[derive(Args)]
pub struct CorpusOptions {
    /// Only programs whose name contains this
    pub filter: Option<String>,
    /// Only these models
    #[arg(long = "model")]
    pub models: Vec<String>,
    /// Seconds for a program on a model
    #[arg(long, default_value_t = 10.0)]
    pub limit: f64,
    /// How the solver encodes mutexes
    #[arg(long, value_enum, default_value_t = MutexesArg::Direct)]
    pub mutexes: MutexesArg,
    /// Ask the solver on sc and tso, too
    #[arg(long)]
    pub solver: bool,
    /// Ask the engine that explores runs instead
    #[arg(long, conflicts_with = "solver")]
    pub explore: bool,
    /// Ask the engine that visits execution graphs instead
    #[arg(long, conflicts_with_all = ["solver", "explore"])]
    pub graphs: bool,
    /// Ask the engine that visits states alone instead, however many they are
    #[arg(long, conflicts_with_all = ["solver", "explore", "graphs"])]
    pub states: bool,
    /// Print every verdict that is not the expected one, also those that are refused or bounded
    #[arg(long)]
    pub verbose: bool,
    /// How many programs at a time
    #[arg(long, default_value_t = 1)]
    pub jobs: usize,
    /// Do not verify, but run each program under this many random schedules
    #[arg(long)]
    pub schedules: Option<u64>,
}

/// The programs of the corpus.
pub fn programs() -> Result<Vec<Program>, String> {
    expectation::programs(&root().join("corpus/verify"))
}

/// Checks the programs and prints what is not as expected; whether everything is.
pub fn run(options: &CorpusOptions) -> bool {
    let mut programs = match programs() {
        Ok(programs) => programs,
        Err(error) => {
            eprintln!("{error}");
            return false;
        }
    };
    let wanted = |name: &str| options.filter.as_ref().is_none_or(|part| name.contains(part));
    programs.retain(|program| wanted(&program.name));
    match options.schedules {
        Some(schedules) => run_schedules(&programs, schedules),
        None => match rayon::ThreadPoolBuilder::new().num_threads(options.jobs).build() {
            Ok(pool) => pool.install(|| run_verdicts(&programs, options)),
            Err(error) => {
                eprintln!("{error}");
                false
            }
        },
    }
}

fn run_schedules(programs: &[Program], schedules: u64) -> bool {
    let bad: Vec<String> = programs
        .par_iter()
        .filter_map(|program| {
            let wrong = schedules::check(program, schedules, true).err()?;
            Some(format!("{}: {wrong}", program.name))
        })
        .collect();
    bad.iter().for_each(|line| println!("{line}"));
    let (count, bad) = (programs.len(), bad.len());
    println!("{count} programs under {schedules} schedules each: {bad} not as expected");
    bad == 0 && count > 0
}

fn run_verdicts(programs: &[Program], options: &CorpusOptions) -> bool {
    let start = Instant::now();
    let limit = Duration::from_secs_f64(options.limit);
    let engine = match options {
        CorpusOptions { solver: true, .. } => EngineChoice::Solver,
        CorpusOptions { explore: true, .. } => EngineChoice::Explore,
        CorpusOptions { graphs: true, .. } => EngineChoice::Graphs,
        CorpusOptions { states: true, .. } => EngineChoice::States,
        _ => EngineChoice::Either,
    };
    let how = How { limit, engine, mutexes: options.mutexes.into() };
    let wanted = |model: &String| options.models.is_empty() || options.models.contains(model);
    let cells: Vec<(&Program, &String)> = programs
        .iter()
        .flat_map(|program| program.models.keys().map(move |model| (program, model)))
        .filter(|(_, model)| wanted(model))
        .collect();
    let verdicts: Vec<Compared> = cells
        .par_iter()
        .with_max_len(1)
        .flat_map_iter(|(program, model)| {
            let start = Instant::now();
            let verdicts = verdicts::check(program, model, &how);
            let lines = verdicts.iter().filter_map(|verdict| difference(verdict, options.verbose));
            lines.for_each(|line| println!("{line}"));
            if start.elapsed() > limit.mul_f64(1.5) {
                let seconds = start.elapsed().as_secs_f64();
                println!("{} on {model}: took {seconds:.1} s", program.name);
            }
            verdicts
        })
        .collect();
    summarise(&verdicts, cells.len(), start.elapsed())
}

/// A line of the table of differences.
fn difference(verdict: &Compared, verbose: bool) -> Option<String> {
    let what = match &verdict.comparison {
        Comparison::Different(what) => what,
        Comparison::OutOfTime => "no answer in time",
        Comparison::Bounded if verbose => "holds within bounds",
        Comparison::Refused(what) if verbose => what,
        _ => return None,
    };
    let [name, model, property] = &verdict.about;
    Some(format!("{name} on {model}, {property}: {what}"))
}

fn summarise(verdicts: &[Compared], cells: usize, time: Duration) -> bool {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for verdict in verdicts {
        *counts
            .entry(match &verdict.comparison {
                Comparison::Same => "as expected",
                Comparison::Bounded => "hold within bounds only",
                Comparison::OutOfTime => "without an answer in time",
                Comparison::Refused(_) => "refused",
                Comparison::Different(_) => "NOT as expected",
            })
            .or_default() += 1;
        if let Comparison::Refused(what) = &verdict.comparison {
            let [_, model, _] = &verdict.about;
            *refused.entry(format!("{model}: {what}")).or_default() += 1;
        }
    }
    println!("{cells} programs on models in {:.0} s; verdicts:", time.as_secs_f64());
    counts.iter().for_each(|(what, count)| println!("  {count} {what}"));
    refused.iter().for_each(|(what, count)| println!("  refused {count} times on {what}"));
    !counts.contains_key("NOT as expected") && !verdicts.is_empty()
}
