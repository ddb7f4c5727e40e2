//! The papers' results, reproduced: CAV 2006 (*Bounded Model Checking of Concurrent Data Types on
//! Relaxed Memory Models: A Case Study*) and PLDI 2007 (*CheckFence*), both by Burckhardt, Alur
//! and Martin.
//!
//! - [`bugs`]: the bugs that they found.
//! - [`cell`]: one test of one implementation under one model.
//! - [`child`]: a cell in a process of its own.
//! - [`fences`]: each fence left out.
//! - [`figure`]: Fig. 5 of CAV 2006.
//! - [`rounds`]: what is spent before the last round.
//! - [`plan`]: implementations, tests, and what is expected.
//! - [`runner`]: measures cells and remembers.
//! - [`table`]: the main table.
//! - [`write`]: the files in which the tables are kept.

pub mod bugs;
pub mod cell;
pub mod child;
mod fences;
mod figure;
pub mod plan;
mod rounds;
mod runner;
mod table;
pub(crate) mod write;

use runner::Runner;

/// What to run.
#[derive(clap::Args)]
pub struct PapersOptions {
    /// Only implementations (by folder), files, tests or models of these names; nothing is written
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
const QUICK: [&str; 10] = ["T0", "Tpc2", "Ti2", "Sac", "Sar", "Saa", "Sacr", "D0", "Da", "Db"];

impl PapersOptions {
    /// Whether a cell of the main table is wanted.
    fn wants(&self, implementation: &str, file: &str, test: &str, model: &str) -> bool {
        let quick = !self.quick || QUICK.contains(&test);
        quick && self.names(&[implementation, file, test, model])
    }

    /// Whether one of these names was given, or none at all.
    fn names(&self, names: &[&str]) -> bool {
        let given = |name: &String| names.contains(&name.as_str());
        self.only.is_empty() || self.only.iter().any(given)
    }

    /// Whether everything is run, so that the tables can be written.
    fn whole(&self) -> bool {
        self.only.is_empty() && !self.quick
    }
}

/// Runs, prints the tables, and writes them if everything was run; says whether everything that
/// finished is as expected.
pub fn run(options: &PapersOptions) -> bool {
    match attempt(options) {
        Ok(good) => good,
        Err(error) => {
            eprintln!("{error}");
            false
        }
    }
}

fn attempt(options: &PapersOptions) -> Result<bool, String> {
    let runner = Runner::new(options.time_limit, options.jobs, options.resume)?;
    let (bugs, bugs_good) = bugs::bugs(&runner, options);
    let bugs = format!("## Bugs that are found\n\n{bugs}");
    println!("{bugs}");
    let (tables, table_good) = table::tables(&runner, options)?;
    let (main, short) = (table::markdown(&tables), table::short(&tables));
    println!("{short}\n{main}");
    let (figure, figure_good) = figure::figure(&runner, options)?;
    println!("{figure}");
    let rounds = rounds::markdown(&tables);
    println!("{rounds}");
    let (fences, fences_good) = fences::fences(&runner, options)?;
    let fences = format!("## Fences\n\n{FENCES}\n{fences}");
    println!("{fences}");
    if options.whole() {
        let main = format!("## Implementations\n\n{short}\n{main}");
        write::benchmarks(&[&main, &figure, &rounds, &bugs, &fences], options.time_limit)?;
        write::readme(&short)?;
    }
    let good = bugs_good && table_good && figure_good && fences_good;
    println!("{}", if good { "all as expected" } else { "NOT all as expected" });
    Ok(good)
}

const FENCES: &str =
    "Each fence that stands in an implementation (those inside `lock` and `unlock` \
are not touched) is left out by itself, and the tests of up to six operations are tried on \
`relaxed`, the smallest first, until one fails.
";
