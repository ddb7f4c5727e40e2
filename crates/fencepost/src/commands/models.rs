//! `fencepost models`: lists the memory models, and says how they differ.

use super::console::Console;
use super::exit;
use super::litmus::model;
use crate::cli::ModelsArgs;
use fencepost::comparison::{self, text};

/// Executes the command and gives its exit code.
pub fn execute(args: &ModelsArgs, console: &Console) -> u8 {
    if let Some(name) = &args.name {
        return match model(name, &[], console) {
            Ok(model) => {
                console.result(&text::shown(&model, name));
                exit::HOLDS
            }
            Err(message) => {
                console.error(&message);
                exit::INPUT
            }
        };
    }
    match &args.compare[..] {
        [first, second] => match (model(first, &[], console), model(second, &[], console)) {
            (Ok(a), Ok(b)) => {
                console.result(&text::describe(&a.name, &b.name, &comparison::compare(&a, &b)));
                exit::HOLDS
            }
            (Err(message), _) | (_, Err(message)) => {
                console.error(&message);
                exit::INPUT
            }
        },
        _ if args.matrix => {
            console.result(&text::matrix(&comparison::table()));
            exit::HOLDS
        }
        _ => {
            console.result(&text::list(&comparison::table()));
            exit::HOLDS
        }
    }
}
