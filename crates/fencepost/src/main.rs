//! The command `fencepost`.

use std::process::ExitCode;

fn main() -> ExitCode {
    fencepost_cli::commands::main()
}
