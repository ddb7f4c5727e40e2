//! `fencepost cycles`: critical cycles of a program, and fences that cut them.

use super::console::Console;
use super::{exit, interrupter};
use crate::cli::CyclesArgs;
use fencepost::compile::Rejected;
use fencepost::cycles::{NoAnswer, answer, json, text};
use fencepost::verify::plan::{Request, plan};
use limits::Limits;
use std::time::{Duration, Instant};

/// Executes the command and gives its exit code.
pub fn execute(args: &CyclesArgs, console: &Console) -> u8 {
    let mut c = args.c.options();
    let Some((file, further)) = args.files.split_first() else { return exit::INPUT };
    c.with.splice(0..0, further.iter().cloned());
    let request = Request { models: args.model.clone(), c, ..Request::default() };
    let subject = match plan(file, &request) {
        Ok(subject) => subject,
        Err(rejected) => {
            let Rejected { sources, diagnostics } = &*rejected;
            console.diagnostics(diagnostics, sources);
            return exit::INPUT;
        }
    };
    console.diagnostics(&subject.warnings, &subject.sources);
    let interrupter = interrupter();
    let mut answers = Vec::new();
    for model in 0..subject.models.len() {
        let deadline = args.time_limit.map(|s| Instant::now() + Duration::from_secs_f64(s));
        let limits = Limits { deadline, interrupter: interrupter.clone(), ..Limits::default() };
        match answer(&subject, model, &limits) {
            Ok(answer) => answers.push(answer),
            Err(NoAnswer::Refused(diagnostic)) => {
                console.diagnostics(&[*diagnostic], &subject.sources);
                return exit::INPUT;
            }
            Err(NoAnswer::GaveUp) => {
                console.error(&format!(
                    "no answer on {}: a limit was reached",
                    subject.model_names[model]
                ));
                return exit::INCONCLUSIVE;
            }
        }
    }
    if args.json {
        console.json(&json::document(&subject, &answers));
    } else {
        let parts: Vec<String> = answers.iter().map(|one| text::text(one, args.all)).collect();
        console.result(&parts.join("\n"));
    }
    match answers.iter().all(|answer| answer.is_clean()) {
        true => exit::HOLDS,
        false => exit::VIOLATED,
    }
}
