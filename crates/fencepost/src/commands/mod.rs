//! The commands, one file each. Only these print, and only these decide on exit codes.

pub mod check;
pub mod ir;
pub mod litmus;
pub mod models;
pub mod replay;
pub mod run;

use crate::cli::{CArgs, Cli, Colour, Command};
use crate::compile::{Compiled, Options, Rejected, compile_file};
use report::Style;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

/// Exit codes of the command line.
pub mod exit {
    /// What was asked holds.
    pub const HOLDS: u8 = 0;
    /// Something is wrong with the program.
    pub const VIOLATED: u8 = 1;
    /// The input is wrong.
    pub const INPUT: u8 = 2;
    /// A bound was reached.
    pub const INCONCLUSIVE: u8 = 3;
    /// Fencepost itself is wrong.
    pub const INTERNAL: u8 = 101;
    /// Ctrl-C, as shells count it.
    pub const INTERRUPTED: u8 = 130;
    /// Nobody reads the output any more, as shells count it.
    pub const BROKEN_PIPE: u8 = 141;
}

/// Executes a command line.
pub fn execute(cli: Cli) -> ExitCode {
    let style = style(cli.color);
    let code = match cli.command {
        Command::Check(args) => check::execute(&args, style),
        Command::Ir(args) => ir::execute(&args, style),
        Command::Litmus(args) => litmus::execute(&args, style),
        Command::Models(args) => models::execute(&args, style),
        Command::Replay(args) => replay::execute(&args, style),
        Command::Run(args) => run::execute(&args, style),
    };
    ExitCode::from(code)
}

/// Whether messages on standard error have colours.
fn style(colour: Colour) -> Style {
    let coloured = match colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            std::io::stderr().is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    };
    if coloured { Style::Coloured } else { Style::Plain }
}

/// Compiles a file and prints what is to be said about it.
fn compile(path: &Path, c: &CArgs, style: Style) -> Option<Compiled> {
    let options = Options {
        include_dirs: c.include.clone(),
        defines: c.define.clone(),
        undefines: c.undefine.clone(),
    };
    match compile_file(path, &options) {
        Ok(compiled) => {
            let text =
                report::diagnostics::render_all(&compiled.warnings, &compiled.sources, style);
            eprint!("{text}");
            Some(compiled)
        }
        Err(rejected) => {
            let Rejected { sources, diagnostics } = &*rejected;
            eprint!("{}", report::diagnostics::render_all(diagnostics, sources, style));
            None
        }
    }
}
