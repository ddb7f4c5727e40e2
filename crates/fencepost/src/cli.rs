//! What can be said on the command line.

mod check;
mod cycles;
mod instrument;
mod murphi;
mod prove;
mod verify;

pub use check::{CheckArgs, MethodArg, ReplayArgs};
pub use cycles::CyclesArgs;
pub use instrument::{ForArg, InstrumentArgs};
pub use murphi::{DeadlockArg, MurphiArgs, SwitchArg};
pub use prove::ProveArgs;
pub use verify::{MutexesArg, PropertyArg, RacesArg, VerifyArgs};

use clap::{Args, Parser, Subcommand, ValueEnum};
use fencepost::compile::COptions;
use std::ffi::OsString;
use std::path::PathBuf;

/// Checks concurrent data types on relaxed memory models.
#[derive(Debug, Parser)]
#[command(name = "fencepost", version, propagate_version = true)]
#[command(after_help = "`fencepost help COMMAND` explains a command, with examples.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    #[arg(display_order = 900)]
    pub color: Colour,
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    Check(CheckArgs),
    Cycles(CyclesArgs),
    Instrument(InstrumentArgs),
    Ir(IrArgs),
    Litmus(LitmusArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
    Models(ModelsArgs),
    Murphi(MurphiArgs),
    /// Calls functions of shared libraries for another process
    #[command(hide = true)]
    NativeHelper {
        /// The socket of that process
        socket: PathBuf,
    },
    Prove(ProveArgs),
    Replay(ReplayArgs),
    Run(RunArgs),
    Verify(VerifyArgs),
}

impl Command {
    /// Whether this is to print JSON.
    pub fn is_json(&self) -> bool {
        match self {
            Command::Check(args) => args.json,
            Command::Cycles(args) => args.json,
            Command::Litmus(args) => args.json,
            Command::Murphi(args) => args.json,
            Command::Prove(args) => args.json,
            Command::Verify(args) => args.json,
            Command::Ir(_)
            | Command::Instrument(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Models(_)
            | Command::NativeHelper { .. }
            | Command::Replay(_)
            | Command::Run(_) => false,
        }
    }
}

/// Print the completions for a shell
#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Print the manual page of Fencepost, or of a command
#[derive(Clone, Debug, Args)]
pub struct ManArgs {
    /// The command
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

/// How C is to be read.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "C preprocessor")]
pub struct CArgs {
    /// Look for headers in this folder
    #[arg(short = 'I', value_name = "FOLDER")]
    pub include: Vec<PathBuf>,
    /// Define a macro, as 1 or as the value given
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,
    /// Look for headers in this folder, after those of -I (-isystem is the same)
    #[arg(long, value_name = "FOLDER")]
    pub isystem: Vec<PathBuf>,
    /// Include this file before the program (-include is the same)
    #[arg(long, value_name = "FILE")]
    pub include_file: Vec<PathBuf>,
    /// Link this file with the program; may be given several times
    #[arg(long, value_name = "FILE.c")]
    pub with: Vec<PathBuf>,
    /// Read each file as the compile_commands.json in this folder says
    #[arg(short = 'p', value_name = "FOLDER")]
    pub database: Option<PathBuf>,
    /// A standard of C, as compilers take it; all are read in the same way
    #[arg(long, value_name = "STANDARD", value_parser = standard)]
    pub std: Option<String>,
    /// Say nothing of doubts
    #[arg(short = 'w')]
    pub quiet: bool,
    /// What an access to a volatile object is: what it is in C, or an atomic one without any
    /// order, as which much code means it
    #[arg(long, value_enum, default_value_t = VolatileArg::Plain)]
    pub volatile: VolatileArg,
}

/// What an access to a volatile object is
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum VolatileArg {
    /// Volatile, and not atomic
    #[default]
    Plain,
    /// A relaxed atomic access
    Relaxed,
}

impl CArgs {
    /// How C is to be read.
    pub fn options(&self) -> COptions {
        COptions {
            include_dirs: self.include.iter().chain(&self.isystem).cloned().collect(),
            defines: self.define.clone(),
            undefines: self.undefine.clone(),
            included: self.include_file.clone(),
            with: self.with.clone(),
            database: self.database.clone(),
            quiet: self.quiet,
            volatile_is_relaxed: self.volatile == VolatileArg::Relaxed,
            natives: Vec::new(),
        }
    }
}

/// Flags that compilers spell with one dash and several letters, with two.
pub fn as_compilers_do(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut rest = false;
    let spelled = |word: OsString| {
        rest |= word == "--";
        match word.to_str() {
            _ if rest => word,
            Some("-include") => "--include-file".into(),
            Some("-isystem") => "--isystem".into(),
            Some(text) if text.starts_with("-std=") => format!("-{text}").into(),
            _ => word,
        }
    };
    words.map(spelled).collect()
}

fn standard(text: &str) -> Result<String, String> {
    let year = text.strip_prefix("gnu").or(text.strip_prefix('c')).unwrap_or(text);
    let known = ["89", "90", "99", "9x", "11", "1x", "17", "18", "2x", "23"];
    let iso = text.starts_with("iso9899:");
    match iso || year != text && known.contains(&year) {
        true => Ok(text.to_string()),
        false => Err("it is not a standard of C, such as c11 or gnu17".to_string()),
    }
}

/// Show a program in the load-store language
///
/// Everything that Fencepost does, it does to a program in its load-store language: functions as
/// control-flow graphs over registers, in which every access to memory is an instruction of its
/// own. This command prints that program in its text form (.fpir), which every other command reads
/// back. Use it to see what your C means: which accesses there are, in what order, with which
/// memory orders, and where the loops and fences are.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = IR_HELP)]
pub struct IrArgs {
    /// The program: FILE.c, FILE.litmus or FILE.fpir
    pub file: PathBuf,
    /// Print nothing but whether the program obeys the rules of the language and parses back
    #[arg(long)]
    pub check: bool,
    /// Show the program as `verify` prepares it: no output, and no starts of lifetimes that cannot
    /// be noticed
    #[arg(long)]
    pub prepared: bool,
    /// Show it as it is compiled for this model, too: the name of a model, or a .cat file
    #[arg(long, value_name = "MODEL", requires = "prepared")]
    pub model: Option<String>,
    #[command(flatten)]
    pub c: CArgs,
}

const IR_HELP: &str = "\
How to read it:
  %tail = load.acq i64 [%4 \"q->tail\"]    !12:5-12
    reads 64 bits at the address in %4, which line 12 of the source, from column 5 to before
    column 12, calls q->tail, with memory order acquire, into the register of `tail`
  @q        the address of the global q        $node     the address of the local node
  %7        a register without a name          &enqueue  the address of a function
  b3: ; loop header, depth 1                   where a loop is entered

Examples:
  fencepost ir queue.c                 print the program
  fencepost ir queue.c > queue.fpir    keep it; `fencepost run queue.fpir` runs it
  fencepost ir queue.fpir --check      check a program written or changed by hand
  fencepost ir main.c --prepared --model armv8
                                       what `fencepost verify main.c --model armv8` checks

Exit status:
  0    the program is printed, or passes the check
  2    the input cannot be read or compiled, or breaks a rule of the language, or the output
       cannot be written";

/// Run a program and stop at the first thing that is wrong with it
///
/// Runs a C program (or the text form of the load-store language, .fpir) under sequential
/// consistency. Which thread takes the next step is decided by a random generator with a seed, so
/// a run can be repeated exactly. What the program prints appears as it is printed, and its exit
/// status is passed on.
///
/// The run ends with a finding, and exit status 1, at a failed assertion, an access that is wrong
/// (null, out of bounds, freed, returned, misaligned …), a use of an undefined value, a
/// deadlock, a division by zero, and the like. The message shows the source line, the calls that
/// led there, the thread, and where the object came from.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = RUN_HELP)]
pub struct RunArgs {
    /// The program: FILE.c or FILE.fpir
    pub file: PathBuf,
    /// The seed of the scheduler and of nondeterministic choices
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
    /// Run N schedules, from the seed on, without output; stop at the first finding
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub schedules: Option<u64>,
    /// Report signed overflow, shifts by the width or more, and signed shifts into the sign
    #[arg(long)]
    pub overflow: bool,
    /// Give a run up after N instructions [default: 100000000, with --schedules 10000000]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
    #[command(flatten)]
    pub c: CArgs,
}

/// Run litmus tests under memory models
///
/// Reads litmus tests in herd's format (X86, X86_64, PPC, AArch64, RISCV, and C with C11 atomics or
/// the Linux kernel's primitives), enumerates every execution that the memory model allows, and
/// prints what herd prints: the final states, whether the test's condition is met, and how often.
/// Without --model each test is run under the model of its own architecture.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = LITMUS_HELP)]
pub struct LitmusArgs {
    /// Tests: files, folders, and @lists with one of these per line
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// A model of the library, or a cat file; may be given several times
    #[arg(long, value_name = "NAME|FILE.cat", value_delimiter = ',')]
    pub model: Vec<String>,
    /// Switch on a variant that a cat file asks about with `if "NAME"`; may be given several times
    #[arg(long, value_name = "NAME", requires = "model")]
    pub variant: Vec<String>,
    /// Compare with the answers recorded in this file and print only what disagrees
    #[arg(long, value_name = "FILE.csv")]
    pub expect: Option<PathBuf>,
    /// Who answers: `oracle` enumerates and counts all executions; `sat` solves a formula, finds
    /// the same states, and counts no executions; `auto` asks the oracle, and the solver where
    /// there are too many executions
    #[arg(long, value_enum, hide_possible_values = true, value_name = "auto|oracle|sat")]
    #[arg(default_value_t = LitmusEngineArg::Auto)]
    pub engine: LitmusEngineArg,
    /// Print one line of JSON per test and model
    #[arg(long)]
    pub json: bool,
    /// Run N tests at a time [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Give a test up after S seconds per model
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Give up when the process uses more than N mebibytes of memory (otherwise: most of what the
    /// machine has left)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub memory_limit: Option<u64>,
    /// Let what a thread reads decide each of its branches at most N times (for loops)
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub unroll: u32,
    /// Draw an execution that satisfies the condition, as text and as SVG into this folder
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = ".")]
    #[arg(conflicts_with = "engine")]
    pub show: Option<PathBuf>,
}

/// An engine for litmus tests, as it is called on the command line
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LitmusEngineArg {
    /// The oracle; the solver where there are too many executions for the oracle
    Auto,
    /// Enumerates and counts all executions, one by one
    Oracle,
    /// Solves a formula; finds the same states, without counting executions
    Sat,
}

impl From<LitmusEngineArg> for fencepost::litmus::Engine {
    fn from(arg: LitmusEngineArg) -> Self {
        match arg {
            LitmusEngineArg::Auto => Self::Auto,
            LitmusEngineArg::Oracle => Self::Oracle,
            LitmusEngineArg::Sat => Self::Sat,
        }
    }
}

/// List the memory models, or compare two of them
///
/// Prints the models of the library with a line about each, the fences they know, and which are
/// directly stronger than which. With --compare, two models (of the library, or cat files) are run
/// on our own litmus tests, and a short test is shown that distinguishes them.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = MODELS_HELP)]
pub struct ModelsArgs {
    /// Say what a model is for, and show its text
    #[arg(value_name = "NAME|FILE.cat", conflicts_with_all = ["compare", "matrix"])]
    pub name: Option<String>,
    /// Say which of two models is stronger, and show a test on which they differ
    #[arg(long, num_args = 2, value_names = ["MODEL", "MODEL"])]
    pub compare: Vec<String>,
    /// Print which models allow which of the classical litmus tests
    #[arg(long, conflicts_with = "compare")]
    pub matrix: bool,
}

const MODELS_HELP: &str = "\
Examples:
  fencepost models                       list the models
  fencepost models armv8                 show a model
  fencepost models --compare tso pso     distinguish two models
  fencepost models --compare my.cat tso  the same for a model of your own
  fencepost models --matrix              which model allows which test

Exit status:
  0    the models are listed or compared
  2    a model cannot be read, or the output cannot be written";

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        Ok(seconds) if seconds <= 0.0 => Err("expected more than 0 seconds".to_string()),
        _ => Err("expected a number of seconds".to_string()),
    }
}

const LITMUS_HELP: &str = "\
Examples:
  fencepost litmus SB.litmus                        under the model of its architecture
  fencepost litmus SB.litmus --model sc --model tso under these two
  fencepost litmus tests/ --model my.cat            every test of a folder, under your model
  fencepost litmus tests/ --model my.cat --variant mixed
                                                    with what stands under `if \"mixed\"`
  fencepost litmus tests/ --expect tests/expected.csv
                                                    compare with recorded answers
  fencepost litmus MP.litmus --show                 draw an execution that meets the condition

Exit status:
  0    all tests have an answer (with --expect: and all agree)
  1    with --expect: an answer disagrees
  2    the input cannot be read, or the output cannot be written
  3    a test has no answer within its bounds, or before a signal";

const RUN_HELP: &str = "\
Examples:
  fencepost run queue.c                      one run, under the schedule of seed 0
  fencepost run queue.c --seed 17            another schedule; the same one every time
  fencepost run queue.c --schedules 1000     look for a schedule in which something goes wrong
  fencepost run -DTHREADS=3 -Iinclude queue.c -- 10 20
                                             macros and headers; 10 and 20 go to the program

Exit status:
  the program's own, if it ends by itself (with --schedules: the first that is not 0)
  1    something is wrong with the program
  2    the input cannot be read or compiled, or the output cannot be written
  3    before the end, the bound on instructions was reached, an assumption failed, or something
       was needed that is not supported
  130  interrupted: Ctrl-C, SIGTERM or SIGHUP";
