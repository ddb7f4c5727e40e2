//! `cargo run --release -p xtask -- COMMAND`.

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Commands for people who work on Fencepost
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compare what the solver and the oracle say about random small programs
    Agree(xtask::agree::AgreeOptions),
    /// Measure how fast the stepper and the C front end are
    Bench,
    /// Compare what Rumur, murphi and our exploration say about data types written as Murphi models
    Bridge(xtask::bridge::BridgeOptions),
    /// Compare which branches verify says are reached with brute force
    Coverage(xtask::coverage::CoverageOptions),
    /// Run all examples under many random schedules and compare with examples/expected.toml
    Examples {
        /// How many schedules for each example
        #[arg(long, default_value_t = 1000)]
        schedules: u64,
        /// Only examples whose path contains this
        filter: Option<String>,
    },
    /// Run every command on mutated inputs: none may panic, abort or exceed its limits
    Fuzz(xtask::fuzz::FuzzOptions),
    /// The command line of Fencepost itself
    #[command(name = "command-line", hide = true, disable_help_flag = true)]
    Fencepost {
        /// Its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<std::ffi::OsString>,
    },
    /// Compare programs that were rewritten for a model, under sequential consistency, with the
    /// programs under the model
    Instrument(xtask::instrument::InstrumentOptions),
    /// Measure how many litmus tests a second are answered
    Litmus {
        /// Folders of tests, one line each; those of our own corpus, if none is given
        folders: Vec<std::path::PathBuf>,
    },
    /// Compare observation sets and verdicts by one method with those by another
    Methods(xtask::methods::MethodsOptions),
    /// Measure Murphi models beside Rumur (Debian's package `rumur`)
    Murphi(xtask::murphi::Options),
    /// Show all that can come of small C programs, by brute force
    Oracle(xtask::oracle::OracleRunOptions),
    /// Measure what each way of demanding acyclicity costs the solvers
    Order {
        /// Only instances whose name contains this
        filter: Option<String>,
    },
    /// Compare what random programs made by csmith print under gcc and under Fencepost
    Csmith(xtask::csmith::CsmithOptions),
    /// Compare what verify, solver and oracle say about random C programs
    Programs(xtask::agree::programs::ProgramsOptions),
    /// Run what the papers report and print tables against them
    Papers(xtask::papers::PapersOptions),
    /// Check one cell of those tables
    #[command(hide = true)]
    PapersCell {
        /// The cell, as JSON
        cell: String,
        /// Processor seconds
        limit: u64,
    },
    /// Measure proofs for any number of threads
    Proofs(xtask::proofs::Options),
    /// Measure the programs of the SATCheck evaluation with growing N
    Satcheck(xtask::satcheck::SatcheckOptions),
    /// Measure one of them
    #[command(hide = true)]
    SatcheckCell {
        /// What to measure, as JSON
        cell: String,
        /// Processor seconds
        limit: u64,
    },
    /// Compare the register of SOUNDNESS.md with the heads of the source files, or write it
    Soundness(xtask::soundness::SoundnessOptions),
    /// Check the order and the blamed pairs of the counterexamples of random programs
    Stories(xtask::stories::StoriesOptions),
    /// Check the programs of corpus/verify and print what is not as expected
    VerifyCorpus(xtask::verify_corpus::CorpusOptions),
    /// Measure all engines of verify on programs that grow, next to each other
    Engines(xtask::side_by_side::EnginesOptions),
    /// Compare what the machine with views can observe in small programs with brute force
    Views(xtask::views::ViewsOptions),
    /// Visit the states of random programs with and without shortcuts
    Shortcuts(xtask::shortcuts::ShortcutsOptions),
    /// Verify random programs with locks in ways that must give the same answers
    Ways(xtask::ways::WaysOptions),
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    if let Command::Fencepost { args } = command {
        let name = std::ffi::OsString::from("fencepost");
        let cli = fencepost_cli::cli::Cli::parse_from(std::iter::once(name).chain(args));
        return fencepost_cli::commands::execute(cli);
    }
    let good = match command {
        Command::Agree(options) => xtask::agree::run(&options),
        Command::Bench => xtask::bench::run(),
        Command::Coverage(options) => xtask::coverage::run(&options),
        Command::Examples { schedules, filter } => {
            xtask::examples::run(schedules, filter.as_deref())
        }
        Command::Fuzz(options) => xtask::fuzz::run(&options),
        Command::Fencepost { .. } => unreachable!("executed above"),
        Command::Instrument(options) => xtask::instrument::run(&options),
        Command::Litmus { folders } => xtask::litmus::run(&folders),
        Command::Methods(options) => xtask::methods::run(&options),
        Command::Bridge(options) => xtask::bridge::run(&options),
        Command::Murphi(options) => xtask::murphi::run(&options),
        Command::Oracle(options) => xtask::oracle::run(&options),
        Command::Order { filter } => xtask::order::run(filter.as_deref()),
        Command::Csmith(options) => xtask::csmith::run(&options),
        Command::Programs(options) => xtask::agree::programs::run(&options),
        Command::Proofs(options) => xtask::proofs::run(&options),
        Command::Papers(options) => xtask::papers::run(&options),
        Command::PapersCell { cell, limit } => xtask::papers::child::run(&cell, limit),
        Command::Satcheck(options) => xtask::satcheck::run(&options),
        Command::SatcheckCell { cell, limit } => xtask::satcheck::child(&cell, limit),
        Command::Soundness(options) => xtask::soundness::run(&options),
        Command::Stories(options) => xtask::stories::run(&options),
        Command::VerifyCorpus(options) => xtask::verify_corpus::run(&options),
        Command::Engines(options) => xtask::side_by_side::run(&options),
        Command::Views(options) => xtask::views::run(&options),
        Command::Shortcuts(options) => xtask::shortcuts::run(&options),
        Command::Ways(options) => xtask::ways::run(&options),
    };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
