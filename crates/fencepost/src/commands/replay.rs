//! `fencepost replay`: runs a counterexample from a file again, and shows it.

use super::console::Console;
use super::exit;
use crate::cli::ReplayArgs;
use fencepost::files;
use fencepost::saved::{Trouble, replay};
use report::counterexample::{Problem, html, text};

/// Executes the command and gives its exit code.
pub fn execute(args: &ReplayArgs, console: &Console) -> u8 {
    match replay(&args.file) {
        Ok((sources, story)) => {
            console.painted_result(|style| text::render(&story, &sources, style));
            if let Some(path) = &args.html
                && let Err(message) = files::write(path, html::page(&story, &sources))
            {
                console.error(&message);
                return exit::INPUT;
            }
            match story.problem {
                Problem::Reached(_) => exit::HOLDS,
                _ => exit::VIOLATED,
            }
        }
        Err(Trouble::Input(rejected)) => {
            console.diagnostics(&rejected.diagnostics, &rejected.sources);
            exit::INPUT
        }
        Err(Trouble::Mismatch(what)) => {
            console.message(&format!("the counterexample is not confirmed: {what}"));
            exit::INCONCLUSIVE
        }
    }
}
