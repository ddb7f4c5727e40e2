//! The commands, one file each. Only these print, and only these decide on exit codes.

pub mod check;
mod files;
pub mod ir;
pub mod litmus;
pub mod models;
mod page;
mod pool;
mod progress;
pub mod replay;
mod results;
pub mod run;
pub mod verify;
mod wording;

use crate::cli::{CArgs, Cli, Colour, Command};
use crate::compile::{Compiled, Options, Rejected, compile_file};
use crate::evidence::Written;
use report::Style;
use sat::Interrupter;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
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
}

/// Executes a command line.
pub fn execute(cli: Cli) -> ExitCode {
    let style = style_of(cli.color, &std::io::stderr());
    let results = style_of(cli.color, &std::io::stdout());
    let code = match cli.command {
        Command::Check(args) => check::execute(&args, style, results),
        Command::Ir(args) => ir::execute(&args, style),
        Command::Litmus(args) => litmus::execute(&args, style),
        Command::Models(args) => models::execute(&args, style),
        Command::Replay(args) => replay::execute(&args, style, results),
        Command::Run(args) => run::execute(&args, style),
        Command::Verify(args) => verify::execute(&args, style, results),
    };
    ExitCode::from(code)
}

/// Whether what is written there has colours: messages go to standard error, results to standard
/// output.
fn style_of(colour: Colour, stream: &impl IsTerminal) -> Style {
    let coloured = match colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            stream.is_terminal()
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

/// The first Ctrl-C ends the check in good order, the second at once.
fn on_interrupt(interrupter: Interrupter) {
    // Without a handler Ctrl-C still ends the process, only without last words.
    let _ = ctrlc::set_handler(move || {
        if interrupter.is_interrupted() {
            std::process::exit(exit::INTERRUPTED.into());
        }
        interrupter.interrupt();
    });
}

/// Writes results into the folders that the user names, if any, and tells which files they are;
/// whether all could be written.
fn write_results(
    folders: [(&Option<PathBuf>, bool); 2],
    write: impl Fn(&Path, bool) -> Result<Vec<PathBuf>, String>,
) -> bool {
    let mut all = true;
    for (folder, pages) in folders {
        let Some(folder) = folder else { continue };
        match write(folder, pages) {
            Ok(files) if files.is_empty() => {}
            Ok(files) => {
                eprintln!();
                files.iter().for_each(|file| eprintln!("written: {}", file.display()));
            }
            Err(message) => {
                eprintln!("error: {message}");
                all = false;
            }
        }
    }
    all
}

/// Says which files were written about an answer, and what is to be said about them; whether all
/// could be written.
fn tell_files(place: &str, Written { files, remark, failed }: &Written) -> bool {
    files.iter().for_each(|file| eprintln!("written: {}", file.display()));
    if let Some(remark) = remark {
        let error = if *failed { "error: " } else { "" };
        eprintln!("{error}{place}: {remark}");
    }
    !failed
}
