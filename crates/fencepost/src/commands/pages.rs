//! `fencepost completions` and `fencepost man`: what shells and `man` know of the command line.

use super::console::Console;
use super::exit;
use crate::cli::{Cli, CompletionsArgs, ManArgs};
use clap::CommandFactory;

/// Prints the completions for a shell.
pub fn completions(args: &CompletionsArgs, console: &Console) -> u8 {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "fencepost", &mut text);
    console.result(&String::from_utf8_lossy(&text));
    exit::HOLDS
}

/// Prints a manual page.
pub fn man(args: &ManArgs, console: &Console) -> u8 {
    let mut command = Cli::command();
    command.build();
    let page = match &args.command {
        None => Some(command),
        Some(name) => command.find_subcommand(name).cloned(),
    };
    let Some(page) = page else {
        console.error("there is no such command; `fencepost help` lists them");
        return exit::INPUT;
    };
    let mut text = Vec::new();
    match clap_mangen::Man::new(page).render(&mut text) {
        Ok(()) => {
            console.result(&String::from_utf8_lossy(&text));
            exit::HOLDS
        }
        Err(error) => {
            console.error(&error.to_string());
            exit::INPUT
        }
    }
}
