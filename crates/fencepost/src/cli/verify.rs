//! What can be said to `fencepost verify`.

use super::{CArgs, seconds};
use clap::{Args, ValueEnum};
use encoding::encode::Mutexes;
use engines::verification::{EngineChoice, Property};
use std::path::PathBuf;

/// Check a whole program with threads, on memory models
///
/// The program is a C file with `main` and threads (POSIX or C11). All executions that the memory
/// model allows are checked, with every value that the program may choose, for one in which
/// something goes wrong. Each property has a verdict of its own. An execution that is found is run
/// again, step by step, by independent code before it is shown.
///
/// On sc and tso the states of the program are visited, each once, however often loops iterate,
/// if they are not too many. Otherwise a solver looks at all executions together, and follows loops
/// as far as executions can go, up to --max-unroll iterations; a property `holds` only if no
/// execution goes further.
///
/// With --engine explore, the program is run instead, and only what runs have shown is encoded, until no
/// run can show anything new. Use it for programs that hash, multiply and divide what they read, or that
/// call libraries (--native).
#[derive(Clone, Debug, Args)]
#[command(after_long_help = HELP)]
pub struct VerifyArgs {
    /// The programs
    #[arg(required = true, value_name = "FILE.c")]
    pub files: Vec<PathBuf>,
    /// The files are one program; otherwise each is checked by itself
    #[arg(long)]
    pub link: bool,
    /// A model of the library, or a cat file; may be given several times [default: sc and tso]
    #[arg(long, value_name = "NAME|FILE.cat", value_delimiter = ',')]
    pub model: Vec<String>,
    /// What to look for; may be given several times [default: all, or nothing if one of --outcomes,
    /// --observe and --coverage is given]
    #[arg(long, value_name = "PROPERTY", value_enum)]
    pub property: Vec<PropertyArg>,
    /// Look for data races on models of machines, too, which have no notion of them: conflicts of
    /// plain accesses (neither atomic nor volatile) that no atomic or volatile accesses order
    #[arg(long, value_name = "WHICH", value_enum)]
    pub races: Option<RacesArg>,
    /// List all combinations of the values that these expressions can have when the program ends
    /// (`main` returns, or a thread calls `exit`): 'x, y, queue.head->value'
    #[arg(long, value_name = "EXPR,…")]
    pub outcomes: Option<String>,
    /// List all that the program can show with fp_observe, in executions in which all threads end
    #[arg(long)]
    pub observe: bool,
    /// Say for each branch and assertion whether some execution reaches it
    #[arg(long)]
    pub coverage: bool,
    /// Write an execution for each branch and assertion that is reached, and for each outcome that is
    /// asked for, into this folder, and a list of them; `fencepost replay FOLDER` runs them again
    #[arg(long, value_name = "FOLDER")]
    pub schedules: Option<PathBuf>,
    /// How to check executions; `auto` visits the program's states where the model is that of a
    /// machine and they are not too many, and leaves the rest to the solver; runs are explored where
    /// these refuse, and where the program calls native functions
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    pub engine: EngineArg,
    /// Count the executions that are complete, and those in which a thread waits for ever or an
    /// assumption fails; by --engine graphs, which this implies
    #[arg(long)]
    pub count: bool,
    /// Answer calls of a function that the program only declares by calling this function of a shared
    /// library, in a process of its own; may be given several times. You vouch that its result depends
    /// on its arguments alone. It takes and gives integers, `float` and `double`, and takes pointers to
    /// constant bytes, as fp_bytes(pointer, 8). @FILE names a list of such functions, one in each line
    #[arg(long, value_name = "LIBRARY:SYMBOL|@FILE")]
    pub native: Vec<String>,
    /// How the solver encodes mutexes; the verdicts are the same
    #[arg(long, value_enum, default_value_t = MutexesArg::Direct)]
    pub mutexes: MutexesArg,
    /// Look at all executions and states, also at those that differ only in which of several
    /// threads that do the same does what; the verdicts are the same
    #[arg(long)]
    pub no_symmetry: bool,
    /// Follow no loop for more than N iterations, in the solver [default: 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub max_unroll: Option<u32>,
    /// Give a program up after S seconds on each model
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Give up when the process uses more than N mebibytes of memory (otherwise: most of what the
    /// machine has left)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub memory_limit: Option<u64>,
    /// Write every query that is put to the solver as a DIMACS file into this folder
    #[arg(long, value_name = "FOLDER")]
    pub dimacs: Option<PathBuf>,
    /// Write a proof for a program of which all properties hold, as LRAT if the name ends in .lrat,
    /// otherwise as DRAT; the formula that it refutes is written next to it, as .cnf. With several
    /// programs or models, each has its files, with their names in them. What the analysis of the
    /// program decides before a solver is asked is not in it; the first line of the formula says
    /// what that was
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Check on N models at a time [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
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

/// A property, as it is called on the command line
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PropertyArg {
    /// All of them
    All,
    /// Assertions, `abort`, division by zero
    Assert,
    /// Accesses that are null, wild, out of bounds, misaligned or after a free; wrong frees; uses
    /// of undefined values
    Memory,
    /// Data races, where the model knows them
    Race,
    /// All threads wait: for locks, conditions or each other
    Deadlock,
    /// A loop waits for ever although scheduler and memory are fair
    Liveness,
    /// Signed overflow, shifts by the width or more, and signed shifts into the sign
    Overflow,
    /// Blocks that are never freed and that nothing points to in the end
    Leak,
}

/// Which data races are looked for where the model knows none
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RacesArg {
    /// Conflicts of plain accesses
    Plain,
}

/// An engine, as it is called on the command line
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EngineArg {
    /// States if that is possible and they are not too many, otherwise the solver
    Auto,
    /// All states, however many (on sc, tso and rc11, where the program allows it)
    States,
    /// The solver
    Sat,
    /// Concrete runs, which the solver directs: it encodes what runs have shown, not the whole
    /// program, and is done when no run can show anything new
    Explore,
    /// All execution graphs, each once, on models that forbid cycles of program order and
    /// reads-from (sc, tso, pso, rc11)
    Graphs,
}

/// An encoding of mutexes, as it is called on the command line
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MutexesArg {
    /// What is known about critical sections is added to the formula
    Direct,
    /// The words of mutexes are memory like any other
    Atomics,
}

impl From<MutexesArg> for Mutexes {
    fn from(arg: MutexesArg) -> Self {
        match arg {
            MutexesArg::Direct => Mutexes::Direct,
            MutexesArg::Atomics => Mutexes::Atomics,
        }
    }
}

impl VerifyArgs {
    /// The engine that is asked for.
    pub fn engine(&self) -> EngineChoice {
        match self.engine {
            EngineArg::Auto if self.count => EngineChoice::Graphs,
            EngineArg::Auto => EngineChoice::Either,
            EngineArg::States => EngineChoice::States,
            EngineArg::Sat => EngineChoice::Solver,
            EngineArg::Explore => EngineChoice::Explore,
            EngineArg::Graphs => EngineChoice::Graphs,
        }
    }

    /// The properties that are asked, in order and without repetition.
    pub fn properties(&self) -> Vec<Property> {
        let asked = |property: &Property| {
            let own = |arg: &PropertyArg| match arg {
                PropertyArg::All => true,
                PropertyArg::Assert => *property == Property::Assert,
                PropertyArg::Memory => *property == Property::Memory,
                PropertyArg::Race => *property == Property::Race,
                PropertyArg::Deadlock => *property == Property::Deadlock,
                PropertyArg::Liveness => *property == Property::Liveness,
                PropertyArg::Overflow => *property == Property::Overflow,
                PropertyArg::Leak => *property == Property::Leak,
            };
            let behaviours = self.outcomes.is_some() || self.observe || self.coverage || self.count;
            self.property.is_empty() && !behaviours || self.property.iter().any(own)
        };
        Property::ALL.into_iter().filter(asked).collect()
    }
}

const HELP: &str = "\
Examples:
  fencepost verify dekker.c                        on sc and tso, everything
  fencepost verify dekker.c --model armv8 --model my.cat
                                                   on these two
  fencepost verify dekker.c --property assert      assertions only
  fencepost verify dekker.c --outcomes 'x, y'      what x and y can be in the end
  fencepost verify dekker.c --coverage             which branches are taken in some execution
  fencepost verify map.c --engine explore          by runs: for hashes and other arithmetic
  fencepost verify mix.c --native ./libmix.so:mix  a function of it stands for a declared one
  fencepost verify -DN=3 *.c --json                many programs, for other programs

How to read the table:
  holds       no execution violates the property: proved for this program
  holds*      none does within the bounds; below, the loops and their lines
  VIOLATED    an execution does; below, how it happens
  ?           no answer; below, why (? time *: nothing is wrong within bounds)
  -           the model does not know what that is

Exit status:
  0    all properties hold on all models
  1    a property is violated
  2    the input is wrong, or the output cannot be written
  3    no property is violated, but some have no answer, or one within bounds only";
