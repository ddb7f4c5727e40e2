//! `fencepost litmus`: runs litmus tests under memory models.

use super::console::Console;
use super::{exit, interrupter};
use crate::cli::LitmusArgs;
use fencepost::answer::memory_limit;
use fencepost::litmus::session::{Request, Session};
use fencepost::litmus::tally::Tally;
use fencepost::litmus::{self, Limits, NoModel};
use fencepost::watch::Watchdog;
use models::Model;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// Executes the command and gives its exit code.
pub fn execute(args: &LitmusArgs, console: &Console) -> u8 {
    let watchdog = Watchdog::new(interrupter());
    let session = request(args, console).and_then(|request| {
        let models = request.models.clone();
        Ok((Session::new(request, watchdog)?, models))
    });
    match session {
        // It lasts as long as the process: work may have to be abandoned.
        Ok((session, models)) => run(Box::leak(Box::new(session)), &models, console),
        Err(message) => {
            console.error(&message);
            exit::INPUT
        }
    }
}

fn request(args: &LitmusArgs, console: &Console) -> Result<Request, String> {
    let files = litmus::files::collect(&args.paths)?;
    if files.is_empty() {
        return Err("there are no litmus tests there".to_string());
    }
    let mut seen = HashSet::new();
    let names = args.model.iter().filter(|name| seen.insert(*name));
    let models = names.map(|name| model(name, &args.variant, console));
    let models: Vec<Arc<Model>> = models.collect::<Result<_, _>>()?;
    litmus::check_variants(&args.variant, &models)?;
    if let Some(jobs) = args.jobs {
        // Fails only where the pool exists already, and then its size is what it is.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global();
    }
    let time = args.time_limit.map(Duration::from_secs_f64);
    let memory = memory_limit(args.memory_limit.map(|mebibytes| mebibytes << 20));
    Ok(Request {
        files,
        models,
        expect: args.expect.clone(),
        pictures: args.show.clone(),
        json: args.json,
        limits: Limits { time, memory, unroll: args.unroll, engine: args.engine.into() },
        styles: (console.messages(), console.results()),
    })
}

/// The model of a name, or what to say if there is none; mistakes in its text are printed.
pub(super) fn model(
    name: &str,
    variants: &[String],
    console: &Console,
) -> Result<Arc<Model>, String> {
    litmus::model_with(name, variants).map_err(|problem| {
        if let NoModel::Wrong(error) = &problem {
            console.diagnostics(std::slice::from_ref(&error.diagnostic), &error.sources);
        }
        problem.message(name)
    })
}

/// Prints what comes of all tests.
fn run(session: &'static Session, models: &[Arc<Model>], console: &Console) -> u8 {
    let mut tally = Tally::default();
    session.pages(|page| {
        console.write_result(page.out.as_bytes());
        console.write_message(page.err.as_bytes());
        // A refused test is a line, too.
        if console.prints_json() && page.out.is_empty() && !page.err.is_empty() {
            console.json_error(page.err.trim_end());
        }
        tally.add(&page.tally);
        !console.is_broken()
    });
    if let Some(rows) = &session.rows {
        console.result(&format!("{}\n", tally.summary(models, rows.len())));
    }
    if tally.panicked > 0 {
        return exit::INTERNAL;
    }
    let disagree = tally.compared.values().any(|(agree, all)| agree < all);
    if disagree {
        exit::VIOLATED
    } else if tally.unwritten > 0 || tally.refused > 0 && session.rows.is_none() {
        exit::INPUT
    } else if tally.inconclusive + tally.bounded > 0 {
        exit::INCONCLUSIVE
    } else {
        exit::HOLDS
    }
}
