//! What can be said to `fencepost prove`.

use super::{CArgs, seconds};
use clap::Args;
use std::path::PathBuf;

/// Prove a data type right for any number of threads
///
/// The data type is a C file as `fencepost check` reads it: `void init(void)`, and operations
/// `void f(void)` that choose their arguments with fp_choose and show their results with fp_observe.
/// The client is the most general one: any number of threads, each of which for ever picks an
/// operation and its arguments. No linearisation points, invariants or lemmas have to be written.
///
/// The answer is a proof for any number of threads; or an execution of a few threads that shows what
/// is wrong, found, replayed and explained as `check` does it; or `?` with what could not be
/// excluded, step by step. What could not be excluded is not said to be a bug.
///
/// It is proved that every operation takes effect at one moment between its begin and its end, as
/// the data type does when operations run one after the other; that no assertion fails and no access
/// to memory is wrong; and, where there are locks, that threads do not wait for each other for ever.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = HELP)]
pub struct ProveArgs {
    /// The data type
    #[arg(value_name = "FILE.c")]
    pub file: PathBuf,
    /// The operations, separated by commas [default: those that a function `fp_operations` of the file
    /// calls; without one, all functions that can be one]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub operations: Vec<String>,
    /// sc or tso; may be given several times [default: sc]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub model: Vec<String>,
    /// Let each operation choose its argument from N values, from the least that fp_choose allows
    /// on [default: as the program says]
    #[arg(long, visible_alias = "items", value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=64))]
    pub values: Option<u32>,
    /// Prove it as long as there are at most N more objects than at first [default: 3 for a type that
    /// grows, no bound for one that does not]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub max_size: Option<u32>,
    /// What is right: set, queue, stack or deque, or a C file with the same operations whose serial
    /// executions say so [default: the serial executions of the data type itself]
    #[arg(long, value_name = "TYPE|REF.c")]
    pub spec: Option<String>,
    /// Prove nothing, but write the data type as a Murphi model into this file: a few threads, each
    /// access a rule, linearizability checked within the model. Rumur and `fencepost murphi` read it
    #[arg(long, value_name = "OUT.m")]
    pub emit_murphi: Option<PathBuf>,
    /// How many threads the Murphi model has
    #[arg(long, value_name = "N", default_value_t = 2, requires = "emit_murphi")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=8))]
    pub threads: u32,
    /// How many heap blocks may be known at a time in the Murphi model [default: by the size of the
    /// type and the number of threads]
    #[arg(long, value_name = "N", requires = "emit_murphi")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=64))]
    pub nodes: Option<u32>,
    /// The function `void f(void)` that shows with fp_observe which abstract state the data type is
    /// in [default: fp_abstract if there is one; otherwise operations are run on snapshots]
    #[arg(long, value_name = "FUNCTION")]
    pub abstraction: Option<String>,
    /// Give up after S seconds per model
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Give up when the process uses more than N mebibytes of memory (otherwise: most of what the
    /// machine has left)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub memory_limit: Option<u64>,
    /// Print everything as one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub c: CArgs,
}

const HELP: &str = "\
Examples:
  fencepost prove examples/lazylist/lazylist.c         a set with two items, on sc
  fencepost prove examples/lazylist/lazylist.c --items 3 --model sc,tso
                                                       with three, with store buffers, too
  fencepost prove examples/msn/msn.c --spec queue --max-size 2
                                                       it is a queue, up to two values long
  fencepost prove examples/mcs-lock/mcs_lock.c         a lock: its critical section excludes others
  fencepost prove examples/lazylist/lazylist.c --emit-murphi lazy.m --threads 2
                                                       the same as a Murphi model, for Rumur

How to read the table:
  proved      for any number of threads
  VIOLATED    an execution is wrong; below, how it happens, and the test that shows it
  ?           not proved; below, why

Exit status:
  0    everything is proved
  1    something is violated
  2    the input is wrong, or the output cannot be written
  3    something is not proved";
