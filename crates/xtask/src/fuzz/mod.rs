//! Mutated inputs for every command: none may panic, abort, or run past its limits.
//!
//! Each input is a file of the corpus, the examples or the library with a few tokens, statements,
//! lines or bytes changed. Most changes keep C well-formed, so that what lies after the front end
//! is tested as well. A command reads it in a process of its own with a limit on its address space
//! and its processor time ([`child`]). The number of an input decides everything about it, so
//! `--seed N --count 1` makes input N again.

mod child;
mod mutate;
mod reduce;
mod targets;
mod tokens;
mod write;

pub use targets::Target;

use crate::agree::random::Random;
use child::{End, Limits};
use clap::Args;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use targets::Seeds;

/// How many inputs, and which.
#[derive(Args)]
pub struct FuzzOptions {
    /// The number of inputs
    #[arg(long, default_value_t = 100_000)]
    pub count: u64,
    /// The number of the first input; the others follow it
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Only targets whose name contains this
    #[arg(long)]
    pub target: Option<String>,
    /// The limit on the address space of a process, in MiB
    #[arg(long, default_value_t = 2048)]
    pub memory: u64,
    /// The limit on the processor time of a process, in seconds
    #[arg(long, default_value_t = 10)]
    pub seconds: u64,
    /// The folder for inputs that fail
    #[arg(long, default_value = "target/fuzz")]
    pub keep: PathBuf,
    /// Write the figures into benchmarks/fuzzing.md
    #[arg(long)]
    pub write: bool,
}

impl FuzzOptions {
    /// A sample of `count` inputs from `seed` on, whose failures are kept in `keep`.
    pub fn sample(count: u64, seed: u64, keep: PathBuf) -> Self {
        Self { count, seed, target: None, memory: 2048, seconds: 10, keep, write: false }
    }
}

/// The share of inputs of `check` and `verify` that the front end must accept.
pub const ACCEPTED_FLOOR: f64 = 0.25;

/// How often progress is printed.
const PROGRESS: Duration = Duration::from_secs(20);

/// What became of the inputs of one target.
#[derive(Clone, Copy, Default)]
pub struct Count {
    /// Inputs.
    pub inputs: u64,
    /// Inputs that were not rejected as wrong (status 2).
    pub accepted: u64,
    /// Inputs that failed.
    pub failed: u64,
}

/// An input on which a command failed.
pub struct Failure {
    /// Its number.
    pub seed: u64,
    /// The target.
    pub target: &'static str,
    /// How it ended.
    pub how: String,
    /// The folder in which it is kept.
    pub kept: PathBuf,
}

/// What was found.
#[derive(Default)]
pub struct Report {
    /// By target.
    pub counts: BTreeMap<&'static str, Count>,
    /// The failures.
    pub failures: Vec<Failure>,
}

impl Report {
    /// The number of inputs.
    pub fn inputs(&self) -> u64 {
        self.counts.values().map(|count| count.inputs).sum()
    }

    /// The targets that reject more inputs than they should.
    pub fn below_floor(&self) -> Vec<&'static str> {
        let floored = |name: &str| targets::ALL.iter().any(|t| t.name == name && t.floor);
        let low = |count: &Count| (count.accepted as f64) < ACCEPTED_FLOOR * count.inputs as f64;
        let all = self.counts.iter();
        all.filter(|(name, count)| floored(name) && low(count)).map(|(name, _)| *name).collect()
    }
}

/// Runs the inputs and prints the figures; whether nothing failed and enough was accepted.
pub fn run(options: &FuzzOptions) -> bool {
    let start = Instant::now();
    let executable = match std::env::current_exe() {
        Ok(path) => path,
        Err(error) => {
            eprintln!("{error}");
            return false;
        }
    };
    let report = match check(options, &executable, &|line| println!("{line}")) {
        Ok(report) => report,
        Err(error) => {
            eprintln!("{error}");
            return false;
        }
    };
    let table = write::table(&report);
    println!("{table}");
    println!("{} inputs in {:.0} s", report.inputs(), start.elapsed().as_secs_f64());
    let low = report.below_floor();
    for name in &low {
        println!("{name}: fewer than {:.0}% were accepted", 100.0 * ACCEPTED_FLOOR);
    }
    if options.write
        && let Err(error) = write::benchmarks(options, &report, &table)
    {
        eprintln!("{error}");
        return false;
    }
    report.inputs() > 0 && report.failures.is_empty() && low.is_empty()
}

/// Runs the inputs; `executable` is this program, and `tell` is called with failures and progress.
pub fn check(
    options: &FuzzOptions,
    executable: &Path,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<Report, String> {
    let wanted = |target: &&Target| {
        options.target.as_ref().is_none_or(|part| target.name.contains(part.as_str()))
    };
    let targets: Vec<&Target> = targets::ALL.iter().filter(wanted).collect();
    if targets.is_empty() {
        return Err("there is no such target".to_string());
    }
    let limits = Limits { executable, memory: options.memory, seconds: options.seconds };
    let seeds = Seeds::collect(&limits)?;
    let report = Mutex::new((Report::default(), Instant::now()));
    (options.seed..options.seed + options.count).into_par_iter().try_for_each(|seed| {
        let outcome = one(seed, &targets, &seeds, &limits, &options.keep)?;
        let mut guard = report.lock().expect("no worker panics while it holds the lock");
        let (report, reported) = &mut *guard;
        let count = report.counts.entry(outcome.target).or_default();
        count.inputs += 1;
        count.accepted += u64::from(outcome.accepted);
        if let Some(failure) = outcome.failure {
            count.failed += 1;
            let kept = failure.kept.display();
            tell(&format!("input {seed}, {}: {}; kept in {kept}", failure.target, failure.how));
            report.failures.push(failure);
        }
        if reported.elapsed() >= PROGRESS {
            *reported = Instant::now();
            tell(&format!("{} inputs, {} failed", report.inputs(), report.failures.len()));
        }
        Ok::<(), String>(())
    })?;
    Ok(report.into_inner().expect("no worker panics while it holds the lock").0)
}

/// What became of one input.
struct Outcome {
    target: &'static str,
    accepted: bool,
    failure: Option<Failure>,
}

fn one(
    seed: u64,
    targets: &[&Target],
    seeds: &Seeds,
    limits: &Limits<'_>,
    keep: &Path,
) -> Result<Outcome, String> {
    let mut random = Random::new(seed);
    let total: usize = targets.iter().map(|target| target.weight).sum();
    let mut at = random.below(total);
    let picked = targets.iter().find(|target| {
        let here = at < target.weight;
        at = at.wrapping_sub(target.weight);
        here
    });
    let target = picked.expect("the number is below the sum of the weights");
    let seed_file = random.pick(seeds.of(target.seeds));
    let mutant = mutate::mutate(&mut random, &seed_file.bytes, target.seeds.is_c());
    let args = (target.args)(&mut random);
    let args = seed_file.with_test(&mut random, args);
    let stage = targets::Stage::new(seeds, target, seed_file)?;
    let end = stage.run(limits, &args, &mutant)?;
    let failure = match &end {
        End::Status(_) => None,
        End::Failed(how) => {
            let same = |bytes: &[u8]| matches!(stage.run(limits, &args, bytes), Ok(End::Failed(other)) if other == *how);
            let small = reduce::reduce(&mutant, &same);
            let kept = stage.keep(keep, seed, &args, &small)?;
            Some(Failure { seed, target: target.name, how: how.clone(), kept })
        }
    };
    Ok(Outcome { target: target.name, accepted: end != End::Status(2), failure })
}
