//! The programs of `corpus/verify` and what is expected of them.

pub mod expectation;
pub mod schedules;

use crate::root;
use clap::Args;
use expectation::Program;
use rayon::prelude::*;

/// Which programs, and how.
#[derive(Args)]
pub struct Options {
    /// Only programs whose name contains this
    pub filter: Option<String>,
    /// Run each under this many random schedules
    #[arg(long, default_value_t = 1000)]
    pub schedules: u64,
}

/// The programs of the corpus.
pub fn programs() -> Result<Vec<Program>, String> {
    expectation::programs(&root().join("corpus/verify"))
}

/// Checks the programs and prints what is not as expected; whether everything is.
pub fn run(options: &Options) -> bool {
    let mut programs = match programs() {
        Ok(programs) => programs,
        Err(error) => {
            eprintln!("{error}");
            return false;
        }
    };
    let wanted = |name: &str| options.filter.as_ref().is_none_or(|part| name.contains(part));
    programs.retain(|program| wanted(&program.name));
    let bad: Vec<String> = programs
        .par_iter()
        .filter_map(|program| {
            let wrong = schedules::check(program, options.schedules, true).err()?;
            Some(format!("{}: {wrong}", program.name))
        })
        .collect();
    bad.iter().for_each(|line| println!("{line}"));
    println!(
        "{} programs under {} schedules each: {} not as expected",
        programs.len(),
        options.schedules,
        bad.len()
    );
    bad.is_empty() && !programs.is_empty()
}
