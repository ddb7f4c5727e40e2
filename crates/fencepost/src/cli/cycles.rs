//! What can be said to `fencepost cycles`.

use super::{CArgs, seconds};
use clap::Args;
use std::path::PathBuf;

/// Find where a memory model may reorder a program's accesses, and the fences that prevent it
///
/// Searches the text of a C program with threads for critical cycles: accesses of several threads,
/// one before the other in each thread, that communicate in a circle. Only by way of such a cycle
/// can a program do on a weak memory model what it cannot do under sequential consistency. Each
/// cycle that the model allows is shown with its source lines and the accesses that may be
/// reordered, and then a small set of fences that cuts all of them.
///
/// Nothing is run or unrolled, so there are no bounds, and it takes seconds where `fencepost verify`
/// takes hours. No cycle is a good sign that the program does on the model exactly what it does
/// under sequential consistency, and not a proof: `fencepost verify` proves. A cycle need not be a
/// bug: the values that the program computes, or a lock, may exclude it, or the program may be
/// right in spite of it, which `fencepost verify --model MODEL` finds out.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = HELP)]
pub struct CyclesArgs {
    /// The program: FILE.c or FILE.fpir; further files are linked with it
    #[arg(value_name = "FILE.c", required = true)]
    pub files: Vec<PathBuf>,
    /// A model of the library, or a cat file; may be given several times
    #[arg(long, value_name = "NAME|FILE.cat", value_delimiter = ',', required = true)]
    pub model: Vec<String>,
    /// Show all cycles that are kept (up to 1000), not only the first ten
    #[arg(long)]
    pub all: bool,
    /// Print everything as one JSON document
    #[arg(long)]
    pub json: bool,
    /// Give up after S seconds per model
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    #[command(flatten)]
    pub c: CArgs,
}

const HELP: &str = "\
Examples:
  fencepost cycles queue.c --model armv8        the cycles that ARMv8 allows, and fences
  fencepost cycles main.c queue.c --model tso,power
                                                two files, two models
  fencepost cycles queue.c --model power --json | jq .results[0].fences

How to read it:
  cycle 1:
    mp.c:8:5: write of data in writer
    mp.c:9:5: write of flag in writer  <- may be reordered with the one before
    mp.c:14:12: read of flag in reader
    mp.c:14:25: read of data in reader  <- may be reordered with the one before
        two accesses of each thread in program order; the second communicates with the first of
        the next thread, and the last with the first of all
  fences that cut all of them, each atomic_thread_fence(memory_order_seq_cst);
        full fences, at a place that every path between the two accesses passes. A weaker fence or
        a release and an acquire may be enough: try, and ask again. The choice is greedy: it is
        small, not always the smallest

Exit status:
  0    there is no cycle on any of the models
  1    there are cycles, or longer ones are not excluded
  2    the input cannot be read or compiled, or the output cannot be written
  3    a time limit was reached";
