//! `fencepost murphi --cmp`: a model for any number of members of a scalarset.

use super::super::console::Console;
use super::super::exit;
use super::super::progress::Display;
use super::options;
use crate::cli::MurphiArgs;
use fencepost::compile::Rejected;
use fencepost::murphi::any_number::{
    AnyAnswer, AnyVerdict, Method, NoProof, ProvedBy, Stage, check_any_number, json, text,
};
use fencepost::watch::{Abandoned, Notice, Voice};
use report::printable::shown;
use std::cell::RefCell;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Executes the command and gives its exit code.
pub fn execute(args: &MurphiArgs, set: &str, console: &Console) -> u8 {
    let read = |path: &Path| match execution::input::read(path) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => {
            console.error(&format!("cannot read `{}`: {error}", shown(path)));
            None
        }
    };
    let Some(text) = read(&args.file) else { return exit::INPUT };
    let method = match args.lemmas.as_deref() {
        None => Method::Automatic,
        Some(path) => match path.to_str() {
            Some("views") => Method::Views,
            Some("mined") => Method::Mined,
            Some("none") => Method::Unrestricted,
            _ => match read(path) {
                Some(text) => Method::Lemmas(path.display().to_string(), text),
                None => return exit::INPUT,
            },
        },
    };
    let started = Instant::now();
    let answer = match ask(args, set, text, method) {
        Ok(answer) => answer,
        Err(rejected) => {
            console.diagnostics(&rejected.diagnostics, &rejected.sources);
            return exit::INPUT;
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    let asked = text::Asked { file: &args.file, set, lemmas: args.lemmas.as_deref() };
    match args.json {
        true => console.json(&json::document(asked, &answer, seconds)),
        false => {
            console.painted_result(|style| text::details(&answer, style));
            console.result(&text::summary(asked, &answer, seconds));
        }
    }
    if let Some(path) = &args.save_lemmas
        && !save(path, &answer, console)
    {
        return exit::INPUT;
    }
    match answer.verdict {
        AnyVerdict::Proved(_) => exit::HOLDS,
        AnyVerdict::Violated(..) => exit::VIOLATED,
        AnyVerdict::Unknown(_) => exit::INCONCLUSIVE,
    }
}

/// Writes the lemmas of a proof; whether that is possible.
fn save(path: &Path, answer: &AnyAnswer, console: &Console) -> bool {
    match &answer.verdict {
        AnyVerdict::Proved(ProvedBy::Lemmas(proof)) if proof.effort.rounds > 0 => {
            let written = std::fs::write(path, &proof.file);
            if let Err(error) = &written {
                console.error(&format!("cannot write `{}`: {error}", shown(path)));
            }
            written.is_ok()
        }
        AnyVerdict::Proved(_) => {
            console.message("note: no lemmas were mined, and none are saved");
            true
        }
        _ => true,
    }
}

fn ask(
    args: &MurphiArgs,
    set: &str,
    text: String,
    method: Method,
) -> Result<AnyAnswer, Box<Rejected>> {
    let (options, watch) = options(args);
    let (name, owned) = (args.file.display().to_string(), set.to_string());
    let display = RefCell::new(Display::new(1));
    let tell = |notice: Notice| {
        if let Notice::Doing(what) = notice {
            display.borrow_mut().show(&[Mutex::new(Some(what))]);
        }
    };
    // How far lemmas are is known even if the work does not end in time.
    let reached = Arc::new(Mutex::new(None));
    let reaches = reached.clone();
    let done = watch.run(&tell, move |voice: &Voice<Result<AnyAnswer, Box<Rejected>>>| {
        let voice = Mutex::new(voice.clone());
        let progress = |stage: Stage| {
            if let (Stage::Lemmas(effort), Ok(mut reached)) = (stage, reaches.lock()) {
                *reached = Some(effort);
            }
            if let Ok(voice) = voice.lock() {
                voice.tell(text::doing(stage));
            }
        };
        check_any_number(&name, &text, &owned, &method, &options, &progress)
    });
    display.borrow().end();
    done.unwrap_or_else(|Abandoned { why, .. }| {
        let effort = reached.lock().ok().and_then(|reached| *reached);
        let verdict = AnyVerdict::Unknown(NoProof::Limit(why, effort));
        Ok(AnyAnswer { verdict, explored: Vec::new(), sources: Default::default() })
    })
}
