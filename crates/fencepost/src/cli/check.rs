//! What can be said to `fencepost check`.

use super::{CArgs, seconds};
use clap::{Args, ValueEnum};
use engines::bounded::wanted::Wanted;
use engines::verification::Property;
use std::path::PathBuf;

/// Check that a data type is atomic to its clients, on memory models
///
/// A data type is a C file with a function `init` and one function for each operation, which picks
/// its arguments with fp_choose and shows arguments and results with fp_observe. A test says which
/// operations run at the same time: `e ( e d | d )` is an enqueue, and then two threads, one with
/// an enqueue and a dequeue and one with a dequeue.
///
/// First the operations are run one after the other, in every order: what their clients see then is
/// what is right. Then a solver checks all executions that the memory model allows, for one in
/// which the clients see something else, or in which something goes wrong: a failed assertion, a use
/// of an undefined value, an access that is null, out of bounds or after a free, a deadlock, and a
/// data race where the model knows races. An execution that is found is run again, step by step,
/// by independent code before it is shown.
///
/// Loops are unrolled as far as executions can go, up to --max-unroll iterations.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = HELP)]
pub struct CheckArgs {
    /// The data type, FILE.c; or a suite, FILE.toml, with the files and tests that it names
    pub file: PathBuf,
    /// A suite of tests for the file [default: check.toml next to the file, if it names the file]
    #[arg(long, value_name = "FILE.toml")]
    pub suite: Option<PathBuf>,
    /// A test of the suite, or one as in '( e | d )'; may be given several times [default: all]
    #[arg(long, value_name = "TEST")]
    pub test: Vec<String>,
    /// A model of the library, or a cat file; may be given several times [default: those of the
    /// suite, or sc, tso, pso and relaxed; for code with C11 atomics sc, tso, armv8 and rc11]
    #[arg(long, value_name = "NAME|FILE.cat", value_delimiter = ',')]
    pub model: Vec<String>,
    /// Another implementation, whose serial executions say what is right
    #[arg(long, value_name = "REF.c")]
    pub spec: Option<PathBuf>,
    /// How to decide what is right: by all observations of serial executions, or by the serial
    /// execution in the order of the commit points (fp_commit) [default: that of the suite, or
    /// observations]
    #[arg(long, value_name = "METHOD", value_enum)]
    pub method: Option<MethodArg>,
    /// What to look for; may be given several times [default: all]. Where executions can go wrong in
    /// a way that is not asked about and leaves open what follows, there is no answer
    #[arg(long, value_name = "PROPERTY", value_enum, value_delimiter = ',')]
    pub property: Vec<CheckedArg>,
    /// Follow no loop for more than N iterations [default: 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub max_unroll: Option<u32>,
    /// Let allocations give blocks that were freed, as real ones do (the ABA problem)
    #[arg(long)]
    pub reuse_memory: bool,
    /// Encode all values as bits, to see what the analysis of values is worth
    #[arg(long)]
    pub no_value_sets: bool,
    /// Give a test up after S seconds on each model
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Give up when the process uses more than N mebibytes of memory (otherwise: most of what the
    /// machine has left)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub memory_limit: Option<u64>,
    /// Write every query that is put to the solver as a DIMACS file into this folder
    #[arg(long, value_name = "FOLDER")]
    pub dimacs: Option<PathBuf>,
    /// Write a proof for a test that holds, as LRAT if the name ends in .lrat, otherwise as DRAT;
    /// the formula that it refutes is written next to it, as .cnf. With several tests or models, each
    /// has its files, with their names in them. What the analysis of the
    /// program decides before a solver is asked is not in it; the first line of the formula says
    /// what that was
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Check N tests at a time [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Find everything out anew, and remember nothing
    #[arg(long)]
    pub no_cache: bool,
    /// Write each counterexample as a page for a browser into this folder, and as --save does
    #[arg(long, value_name = "FOLDER")]
    pub html: Option<PathBuf>,
    /// Write each counterexample as FILE.json into this folder; `fencepost replay FILE.json` runs
    /// it again
    #[arg(long, value_name = "FOLDER")]
    pub save: Option<PathBuf>,
    /// Print everything as one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub c: CArgs,
}

/// A method, as it is called on the command line
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MethodArg {
    /// Clients see only what some serial execution shows
    Observations,
    /// Operations take effect at their commit points
    CommitPoints,
}

/// What a test is checked for, as it is called on the command line
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CheckedArg {
    /// Everything
    All,
    /// That clients see an atomic data type
    Atomic,
    /// Assertions, `abort`, division by zero
    Assert,
    /// Accesses that are null, out of bounds or after a free; uses of undefined values
    Memory,
    /// Data races, where the model knows them
    Race,
    /// Threads that wait for ever, and locks that are left held
    Deadlock,
}

impl CheckArgs {
    /// What to look for.
    pub fn wanted(&self) -> Wanted {
        let asked = |arg: CheckedArg| self.property.contains(&arg);
        if self.property.is_empty() || asked(CheckedArg::All) {
            return Wanted::default();
        }
        let properties = [
            (CheckedArg::Assert, Property::Assert),
            (CheckedArg::Memory, Property::Memory),
            (CheckedArg::Race, Property::Race),
            (CheckedArg::Deadlock, Property::Deadlock),
        ];
        let named = properties.into_iter().filter(|(arg, _)| asked(*arg));
        Wanted::only(asked(CheckedArg::Atomic), named.map(|(_, property)| property).collect())
    }
}

/// Run a counterexample again
///
/// Reads a counterexample that `fencepost check --save` (or --html) or `verify` wrote, or a schedule
/// of `verify --schedules`, runs the program again
/// with its decisions, step by step, asks the model whether it allows the execution, and shows it.
/// The file names the program, the test and the model; if one of them has changed since, that is
/// said, and nothing is shown. A schedule is run although its program has changed.
///
/// Of a folder, all files are run again: a line says of each what it still shows, or why it does not
/// fit its program any more.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = REPLAY_HELP)]
pub struct ReplayArgs {
    /// The counterexample, or a folder of them
    #[arg(value_name = "FILE.json|FOLDER")]
    pub file: PathBuf,
    /// Also write it as a page for a browser
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
}

const REPLAY_HELP: &str = "\
Example:
  fencepost check queue.c --test '( e | d )' --save found
  fencepost replay found/queue.e_d.relaxed.json

Exit status:
  0    the schedule is confirmed
  1    the counterexample is confirmed
  2    the file cannot be read, the program has changed, or the output cannot be written
  3    the replay shows something else, which is a mistake of Fencepost";

const HELP: &str = "\
Examples:
  fencepost check queue.c --test '( e | d )'      on sc, tso, pso and relaxed
  fencepost check queue.c --test '( e | d )' --model armv8 --model my.cat
                                                  on these two
  fencepost check queue.c                         the tests of check.toml next to it
  fencepost check examples/msn/check.toml         all files and tests of a suite
  fencepost check examples/msn/check.toml --test T0 --test Ti2
                                                  two of its tests

How to read the table:
  holds       no execution shows the clients anything wrong: proved for this test
  holds*      nothing is wrong within the bounds; below, the loops and their lines
  VIOLATED    an execution is wrong; below, how it happens
  ?           no answer; below, why (? time *: nothing is wrong within bounds)

Exit status:
  0    all tests hold on all models
  1    a test is violated
  2    the input is wrong, or the output cannot be written
  3    no test is violated, but some have no answer, or one within bounds only";
