//! `fencepost replay`: runs a counterexample from a file again, and shows it; or all that are in a
//! folder, and says which still happen.

use super::console::Console;
use super::exit;
use crate::cli::ReplayArgs;
use fencepost::files;
use fencepost::saved::{Trouble, replay};
use report::counterexample::{Problem, html, text};
use report::printable::{printable, shown};
use report::words;
use std::path::{Path, PathBuf};

/// Executes the command and gives its exit code.
pub fn execute(args: &ReplayArgs, console: &Console) -> u8 {
    if args.file.is_dir() {
        return all_in(&args.file, console);
    }
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

/// Replays all files of a folder: a line for each, and how many do not fit their programs any more.
fn all_in(folder: &Path, console: &Console) -> u8 {
    let is_one = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_one).collect();
    files.sort();
    if files.is_empty() {
        console.error(&format!("there are no counterexamples or schedules in {}", shown(folder)));
        return exit::INPUT;
    }
    let (mut lost, mut violated) = (0, 0);
    for file in &files {
        let name = file.file_name().map(Path::new).map(shown).unwrap_or_default();
        let what = match replay(file) {
            Ok((_, story)) => match &story.problem {
                Problem::Reached(what) => format!("reached: {}", printable(what)),
                _ => {
                    violated += 1;
                    format!("VIOLATED: {}", words::brief(&story))
                }
            },
            Err(trouble) => {
                lost += 1;
                match &trouble {
                    Trouble::Input(rejected) => {
                        let first = rejected.diagnostics.first();
                        let why = first.map_or("", |diagnostic| diagnostic.message.as_str());
                        format!("does not fit any more: {}", printable(why))
                    }
                    Trouble::Mismatch(why) => format!("does not fit any more: {}", printable(why)),
                }
            }
        };
        console.result(&format!("{name}: {what}\n"));
    }
    let fit = files.len() - lost;
    console.result(&format!("{fit} of {} executions fit\n", files.len()));
    match (violated, lost) {
        (0, 0) => exit::HOLDS,
        (0, _) => exit::INCONCLUSIVE,
        _ => exit::VIOLATED,
    }
}
