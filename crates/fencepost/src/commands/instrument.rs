//! `fencepost instrument`: programs that do under sequential consistency what they do on a model.

use super::console::Console;
use super::{exit, interrupter};
use crate::cli::{ForArg, InstrumentArgs};
use fencepost::compile::Rejected;
use fencepost::cycles::text;
use fencepost::instrument::{Dialect, NotInstrumented, Settings, instrument, tally};
use fencepost::verify::plan::Request;
use limits::Limits;
use std::time::{Duration, Instant};

/// Executes the command and gives its exit code.
pub fn execute(args: &InstrumentArgs, console: &Console) -> u8 {
    let models = vec![args.model.clone()];
    let request = Request { models, c: args.c.options(), ..Request::default() };
    let settings = Settings {
        dialect: dialect(args.tool),
        all_accesses: args.all_accesses,
        buffer: args.buffer,
        ..Settings::default()
    };
    let deadline = args.time_limit.map(|s| Instant::now() + Duration::from_secs_f64(s));
    let limits = Limits { deadline, interrupter: interrupter(), ..Limits::default() };
    let result = match instrument(&args.file, &request, &settings, &limits) {
        Ok(result) => result,
        Err(NotInstrumented::Rejected(rejected)) => {
            let Rejected { sources, diagnostics } = &*rejected;
            console.diagnostics(diagnostics, sources);
            return exit::INPUT;
        }
        Err(NotInstrumented::GaveUp) => {
            console.error("a limit was reached");
            return exit::INCONCLUSIVE;
        }
    };
    let mut report = text::text(&result.cycles, false);
    report += &format!("\nrewritten: {}\n", tally(result.rewritten, result.shared));
    match &args.output {
        Some(path) => {
            if let Err(error) = fencepost::files::write(path, &result.text) {
                console.error(&error);
                return exit::INPUT;
            }
            console.result(&report);
        }
        None => {
            console.result(&result.text);
            console.message(&report);
        }
    }
    exit::HOLDS
}

fn dialect(tool: ForArg) -> Dialect {
    match tool {
        ForArg::Fencepost => Dialect::Fencepost,
        ForArg::Svcomp => Dialect::Svcomp,
        ForArg::Cbmc => Dialect::Cbmc,
        ForArg::Gcc => Dialect::Gcc,
    }
}
