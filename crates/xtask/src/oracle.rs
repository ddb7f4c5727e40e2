//! All that can come of small C programs, by brute force; each execution is replayed.
//!
//! `cargo run --release -p xtask -- oracle FILE.c --model relaxed --model tso`

use clap::Args;
use fencepost::compile::{COptions, compile_file};
use fencepost::target::prepare;
use ir::prepare::{Preparation, whole};
use ir::program::Program;
use models::Model;
use oracle::EnumerationOptions as Bounds;
use oracle::program::{outcomes, witnesses};
use replay::replay;
use report::Style;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What to enumerate.
#[derive(Args)]
pub struct OracleRunOptions {
    /// The programs
    files: Vec<PathBuf>,
    /// The models: a name in the library, or a cat file
    #[arg(long = "model", default_value = "sc")]
    models: Vec<String>,
    /// How often a branch may be decided by what was read, in one call
    #[arg(long, default_value_t = 4)]
    loop_bound: u32,
    /// How many seconds each program may take under each model
    #[arg(long, default_value_t = 60)]
    time_limit: u64,
    /// Replay a witness of every execution too
    #[arg(long)]
    replay: bool,
}

/// Prints the outcomes of each program under each model; says whether all could be found.
pub fn run(options: &OracleRunOptions) -> bool {
    let mut good = true;
    for file in &options.files {
        let compiled = match compile_file(file, &COptions::default()) {
            Ok(compiled) => compiled,
            Err(rejected) => {
                let (all, map) = (&rejected.diagnostics, &rejected.sources);
                print!("{}", report::diagnostics::render_all(all, map, Style::Plain));
                good = false;
                continue;
            }
        };
        let program = whole(compiled.program, &Preparation::default());
        for name in &options.models {
            println!("{} under {name}", file.display());
            match fencepost::litmus::model(name) {
                Ok(model) => match prepare(&program, &compiled.sources, &model) {
                    Ok(program) => good &= enumerate(&program, &model, options),
                    Err(refused) => {
                        let map = &compiled.sources;
                        print!(
                            "{}",
                            report::diagnostics::render_all(&[refused], map, Style::Plain)
                        );
                        good = false;
                    }
                },
                Err(problem) => {
                    println!("  {problem:?}");
                    good = false;
                }
            }
        }
    }
    good
}

fn enumerate(program: &Program, model: &Model, options: &OracleRunOptions) -> bool {
    let mut bounds = Bounds::for_program(model);
    bounds.loop_bound = options.loop_bound;
    bounds.limits.deadline = Some(Instant::now() + Duration::from_secs(options.time_limit));
    let found = match outcomes(program, model, &bounds) {
        Ok(found) => found,
        Err(problem) => {
            println!("  no answer: {problem}");
            return false;
        }
    };
    for outcome in &found.all {
        println!("  {outcome}");
    }
    if found.bounded {
        println!("  (loops were cut off)");
    }
    !options.replay || replayed(program, model, &bounds)
}

/// Replays a witness of every execution.
fn replayed(program: &Program, model: &Model, bounds: &Bounds) -> bool {
    let all = match witnesses(program, model, bounds, &mut |_| true) {
        Ok(all) => all,
        Err(problem) => {
            println!("  no witnesses: {problem}");
            return false;
        }
    };
    let mut refused = 0;
    for (outcome, witness) in &all {
        if let Err(mismatch) = replay(program, model, witness) {
            println!("  {outcome}: the replay refuses its witness: {mismatch}");
            refused += 1;
        }
    }
    println!("  {} executions replayed, {refused} refused", all.len());
    refused == 0
}
