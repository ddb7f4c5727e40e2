//! The commands, one file each. Only these print, by way of the console, and only these decide on
//! exit codes.

pub mod check;
mod console;
pub mod cycles;
pub mod instrument;
pub mod ir;
pub mod litmus;
pub mod models;
pub mod murphi;
mod pages;
mod pool;
mod progress;
pub mod prove;
pub mod replay;
pub mod run;
mod signals;
pub mod verify;

use crate::cli::{CArgs, Cli, Colour, Command, as_compilers_do};
use clap::Parser;
use console::Console;
use fencepost::compile::{Compiled, Rejected, compile_file};
use fencepost::evidence::{Wanted, Written};
use report::printable::{printable, shown};
use sat::Interrupter;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Exit codes of the command line.
pub mod exit {
    use execution::verdict::{Reason, Verdict};

    /// What was asked holds.
    pub const HOLDS: u8 = 0;
    /// Something is wrong with the program.
    pub const VIOLATED: u8 = 1;
    /// The input is wrong, or the output cannot be written.
    pub const INPUT: u8 = 2;
    /// A bound was reached.
    pub const INCONCLUSIVE: u8 = 3;
    /// Fencepost itself is wrong.
    pub const INTERNAL: u8 = 101;
    /// A run was interrupted, as shells count Ctrl-C.
    pub const INTERRUPTED: u8 = 130;
    /// What shells add to the number of a signal that ended a command.
    pub const SIGNAL: u8 = 128;

    /// The status of these verdicts together.
    pub fn of<'r>(verdicts: impl Iterator<Item = &'r Verdict>) -> u8 {
        let code = |verdict: &Verdict| match verdict {
            Verdict::Violated(_) => VIOLATED,
            Verdict::Inconclusive(Reason::Input(_), _) => INPUT,
            Verdict::HoldsWithinBounds(_) | Verdict::Vacuous(..) | Verdict::Inconclusive(..) => {
                INCONCLUSIVE
            }
            Verdict::Holds => HOLDS,
        };
        let codes: Vec<u8> = verdicts.map(code).collect();
        let worst = [INPUT, VIOLATED, INCONCLUSIVE];
        worst.into_iter().find(|code| codes.contains(code)).unwrap_or(HOLDS)
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use execution::diagnostic::Diagnostic;
        use execution::verdict::Unfinished;

        #[test]
        fn an_error_counts_more_than_any_answer() {
            let error = Diagnostic::general("operation `f` does not end");
            let error = Verdict::unknown(Reason::Input(Box::new(error.into())));
            let bounded = Verdict::HoldsWithinBounds(Vec::new());
            assert_eq!(of([&bounded, &error].into_iter()), INPUT);
            let vacuous = Verdict::Vacuous(Vec::new(), Unfinished::NotTogether);
            assert_eq!(of([&vacuous, &Verdict::Holds].into_iter()), INCONCLUSIVE);
        }
    }
}

/// Executes the command line of this process.
pub fn main() -> ExitCode {
    match Cli::try_parse_from(as_compilers_do(std::env::args_os())) {
        Ok(cli) => execute(cli),
        Err(usage) => ExitCode::from(explain(&usage)),
    }
}

/// Prints what is wrong with a command line, or the help that it asks for.
fn explain(usage: &clap::Error) -> u8 {
    let console = Console::new(Colour::Never, false);
    let text = usage.render().to_string();
    if let (true, Cow::Owned(escaped)) = (usage.use_stderr(), printable(&text)) {
        console.message(escaped.trim_end());
    } else {
        console.attempt_result(|| usage.print());
    }
    console.finish(usage.exit_code() as u8)
}

/// Executes a command line.
pub fn execute(cli: Cli) -> ExitCode {
    signals::keep_errors();
    let console = Console::new(cli.color, cli.command.is_json());
    let code = match cli.command {
        Command::Check(args) => check::execute(&args, &console),
        Command::Cycles(args) => cycles::execute(&args, &console),
        Command::Instrument(args) => instrument::execute(&args, &console),
        Command::Ir(args) => ir::execute(&args, &console),
        Command::Litmus(args) => litmus::execute(&args, &console),
        Command::Completions(args) => pages::completions(&args, &console),
        Command::Man(args) => pages::man(&args, &console),
        Command::Models(args) => models::execute(&args, &console),
        Command::Murphi(args) => murphi::execute(&args, &console),
        Command::NativeHelper { socket } => match fencepost::native::serve(&socket) {
            Ok(()) => exit::HOLDS,
            Err(_) => exit::INPUT,
        },
        Command::Prove(args) => prove::execute(&args, &console),
        Command::Replay(args) => replay::execute(&args, &console),
        Command::Run(args) => run::execute(&args, &console),
        Command::Verify(args) => verify::execute(&args, &console),
    };
    ExitCode::from(console.finish(code))
}

/// Compiles a file and prints what is to be said about it.
fn compile(path: &Path, c: &CArgs, console: &Console) -> Option<Compiled> {
    match compile_file(path, &c.options()) {
        Ok(compiled) => {
            console.diagnostics(&compiled.warnings, &compiled.sources);
            Some(compiled)
        }
        Err(rejected) => {
            let Rejected { sources, diagnostics } = &*rejected;
            console.diagnostics(diagnostics, sources);
            None
        }
    }
}

/// Stops everything that knows it at the first signal; what is established then is printed, and the
/// second signal ends the process.
fn interrupter() -> Interrupter {
    let interrupter = Interrupter::default();
    let on_signal = interrupter.clone();
    signals::on_termination(move || on_signal.interrupt());
    interrupter
}

/// Writes results into the folders that the user names, if any, and tells which files they are;
/// whether all could be written.
fn write_results(
    console: &Console,
    folders: [(&Option<PathBuf>, bool); 2],
    write: impl Fn(&Path, bool) -> Result<Vec<PathBuf>, String>,
) -> bool {
    let mut all = true;
    for (folder, pages) in folders {
        let Some(folder) = folder else { continue };
        match write(folder, pages) {
            Ok(files) if files.is_empty() => {}
            Ok(files) => {
                console.message("");
                tell_written(console, &files);
            }
            Err(message) => {
                console.error(&message);
                all = false;
            }
        }
    }
    all
}

/// Removes the proofs of earlier runs under the names of these answers; whether all could be.
fn remove_stale(
    console: &Console,
    evidence: &Wanted,
    names: impl IntoIterator<Item = String>,
) -> bool {
    let removed = evidence.remove_stale(names);
    removed.map_err(|message| console.error(&message)).is_ok()
}

/// Says which files were written about an answer, and what is to be said about them; whether all
/// could be written.
fn tell_files(console: &Console, place: &str, Written { files, remark, failed }: &Written) -> bool {
    tell_written(console, files);
    if let Some(remark) = remark {
        let error = if *failed { "error: " } else { "" };
        console.message(&format!("{error}{place}: {remark}"));
    }
    !failed
}

fn tell_written(console: &Console, files: &[PathBuf]) {
    files.iter().for_each(|file| console.message(&format!("written: {}", shown(file))));
}
