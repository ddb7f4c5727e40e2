//! The command `fencepost`.

use clap::Parser;
use fencepost::cli::Cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Whoever reads only the beginning (`| head`) has read enough: on Unix the signal ends all
    // commands alike, elsewhere there is none.
    sigpipe::reset();
    fencepost::commands::execute(Cli::parse())
}
