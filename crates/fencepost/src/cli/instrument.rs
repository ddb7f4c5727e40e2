//! What can be said to `fencepost instrument`.

use super::{CArgs, seconds};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Rewrite a program so that any tool sees what a weak memory model lets it do
///
/// Writes a C program that does under sequential consistency what FILE.c does on the model. Tools that
/// know no memory models, such as verifiers, sanitisers and test runs, then find what breaks by weak
/// memory. The text stays as it is but for accesses that matter to the model, fences and
/// read-modify-writes, which use a small runtime at the top of the file; its comments say what each
/// part models.
///
/// Only accesses on critical cycles (`fencepost cycles`), and those of the same objects, are
/// rewritten; `--all-accesses` rewrites all accesses to what threads share. What cannot be rewritten
/// is refused at its line.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = HELP)]
pub struct InstrumentArgs {
    /// The program
    #[arg(value_name = "FILE.c")]
    pub file: PathBuf,
    /// The model: tso, pso, relaxed, rmo, armv8 or power
    #[arg(long, value_name = "NAME")]
    pub model: String,
    /// The tool that will read the result
    #[arg(long = "for", value_enum, default_value_t = ForArg::Fencepost, value_name = "TOOL")]
    pub tool: ForArg,
    /// Rewrite all accesses to what threads share, not only those on critical cycles
    #[arg(long)]
    pub all_accesses: bool,
    /// How many stores of a thread can wait (5 without it), or, on relaxed, rmo, armv8 and power, how many
    /// accesses it can make (62 in all without it); a run that needs more is inconclusive
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub buffer: Option<u32>,
    /// Write the result to this file and a report to the standard output; without it, the result is
    /// printed and the report goes to the standard error
    #[arg(short, value_name = "OUT.c")]
    pub output: Option<PathBuf>,
    /// Give up after S seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    #[command(flatten)]
    pub c: CArgs,
}

/// A tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ForArg {
    /// Fencepost itself: `fencepost verify --model sc`.
    Fencepost,
    /// Verifiers that know the names of SV-COMP.
    Svcomp,
    /// CBMC.
    Cbmc,
    /// A compiler: choices are random, and the program takes a seed and a number of runs.
    Gcc,
}

const HELP: &str = "\
Examples:
  fencepost instrument queue.c --model tso -o queue_tso.c
  fencepost verify queue_tso.c --model sc       says what verify --model tso says of queue.c

  fencepost instrument queue.c --model pso --for gcc -o stress.c
  gcc -std=c11 -O2 -pthread stress.c -o stress
  ./stress 1 1000                               runs it with the seeds 1 to 1000

Exit status:
  0    the result was written
  2    the input cannot be read, compiled or rewritten, or the output cannot be written
  3    a time limit was reached";
