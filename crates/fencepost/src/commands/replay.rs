//! `fencepost replay`: runs a counterexample from a file again, and shows it.

use super::exit;
use crate::check::file::{Trouble, replay};
use crate::cli::ReplayArgs;
use report::Style;
use report::counterexample::{Problem, html, text};

/// Executes the command and gives its exit code.
pub fn execute(args: &ReplayArgs, style: Style, results: Style) -> u8 {
    match replay(&args.file) {
        Ok((sources, story)) => {
            print!("{}", text::render(&story, &sources, results));
            if let Some(path) = &args.html
                && let Err(error) = std::fs::write(path, html::page(&story, &sources))
            {
                eprintln!("error: cannot write `{}`: {error}", path.display());
                return exit::INPUT;
            }
            match story.problem {
                Problem::Reached(_) => exit::HOLDS,
                _ => exit::VIOLATED,
            }
        }
        Err(Trouble::Input(rejected)) => {
            let text =
                report::diagnostics::render_all(&rejected.diagnostics, &rejected.sources, style);
            eprint!("{text}");
            exit::INPUT
        }
        Err(Trouble::Mismatch(what)) => {
            eprintln!("the counterexample is not confirmed: {what}");
            exit::INCONCLUSIVE
        }
    }
}
