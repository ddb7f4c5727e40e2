//! The papers' results, reproduced: CAV 2006 (*Bounded Model Checking of Concurrent Data Types on
//! Relaxed Memory Models: A Case Study*) and PLDI 2007 (*CheckFence*), both by Burckhardt, Alur
//! and Martin.
//!
//! - [`cell`]: one test of one implementation under one model.
//! - [`child`]: a cell in a process of its own.
//! - [`plan`]: implementations, tests, and what is expected.
//! - [`runner`]: measures cells and remembers.
//! - [`table`]: the main table.
//! - [`write`]: the files in which the tables are kept.

pub mod cell;
pub mod child;
pub mod plan;
mod runner;
mod table;
mod write;

use runner::Runner;

/// What to run.
#[derive(clap::Args)]
pub struct Options {
    /// Only implementations, tests, files or models whose name this is (several: all must fit one
    /// of them); nothing is written
    #[arg(long, value_name = "NAME", num_args = 1..)]
    only: Vec<String>,
    /// Only what takes a few seconds; nothing is written
    #[arg(long)]
    quick: bool,
    /// Processor seconds for each cell
    #[arg(long, value_name = "S", default_value_t = 300)]
    time_limit: u64,
    /// How many cells at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Keep what an earlier run has measured, and go on
    #[arg(long)]
    resume: bool,
}

/// Tests that take well under a second each.
const QUICK: [&str; 11] =
    ["T0", "Tpc2", "Ti2", "Sac", "Sar", "Saa", "Sacr", "D0", "Da", "Db", "Saacr"];

impl Options {
    /// Whether a cell is wanted: each name that was given fits it, or none was given. Names of
    /// one kind are alternatives.
    fn wants(&self, implementation: &str, file: &str, test: &str, model: &str) -> bool {
        let quick = !self.quick || QUICK.contains(&test);
        let known = [implementation, file, test, model];
        quick
            && (self.only.is_empty() || self.only.iter().any(|name| known.contains(&name.as_str())))
    }

    /// Whether everything is run, so that the tables can be written.
    fn whole(&self) -> bool {
        self.only.is_empty() && !self.quick
    }
}

/// Runs, prints the tables, and writes them if everything was run; says whether everything that
/// came to an end is as expected.
pub fn run(options: &Options) -> bool {
    match attempt(options) {
        Ok(good) => good,
        Err(error) => {
            eprintln!("{error}");
            false
        }
    }
}

fn attempt(options: &Options) -> Result<bool, String> {
    let runner = Runner::new(options.time_limit, options.jobs, options.resume)?;
    let (tables, good) = table::tables(&runner, options)?;
    let main = table::markdown(&tables);
    let short = table::short(&tables);
    println!("{main}\n{short}");
    if options.whole() {
        write::benchmarks(&[&main], options.time_limit)?;
        write::readme(&short)?;
    }
    println!("{}", if good { "all as expected" } else { "NOT all as expected" });
    Ok(good)
}
