//! The command `fencepost`.

use clap::Parser;
use fencepost::cli::Cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Whoever reads only the beginning (`| head`) has read enough.
    sigpipe::reset();
    fencepost::commands::execute(Cli::parse())
}
