//! The command `fencepost`.

use clap::Parser;
use fencepost::cli::Cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    fencepost::commands::execute(Cli::parse())
}
