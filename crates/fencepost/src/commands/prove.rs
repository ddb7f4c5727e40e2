//! `fencepost prove`: data types with any number of threads.

use super::console::Console;
use super::pool::Pool;
use super::{exit, interrupter};
use crate::cli::ProveArgs;
use fencepost::answer::memory_limit;
use fencepost::compile::{Rejected, Texts};
use fencepost::prove::answer::{Answer, Asking, Outcome, Reply, prove};
use fencepost::prove::emit::{Size, emit};
use fencepost::prove::plan::{Request, Subject, plan};
use fencepost::prove::{json, text};
use fencepost::watch::{Notice, Voice, Watchdog};
use report::printable::shown;
use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;

/// Executes the command and gives its exit code.
pub fn execute(args: &ProveArgs, console: &Console) -> u8 {
    let watchdog = Watchdog::new(interrupter());
    let subject = match plan(&request(args)) {
        Ok(subject) => subject,
        Err(rejected) => {
            let Rejected { sources, diagnostics } = &*rejected;
            console.diagnostics(diagnostics, sources);
            return exit::INPUT;
        }
    };
    if let Some(path) = &args.emit_murphi {
        return write_model(&subject, path, args, console);
    }
    // It lasts as long as the process: work on it may have to be abandoned.
    let subject: &'static Subject = Box::leak(Box::new(subject));
    console.diagnostics(&subject.test.warnings, &subject.test.sources);
    let replies = replies(subject, &watchdog);
    match args.json {
        true => console.json(&json::document(subject, &replies)),
        false => {
            console.result(&text::table(subject, &replies));
            for (model, reply) in subject.test.models.iter().zip(&replies) {
                console.painted_result(|style| text::remarks(subject, &model.name, reply, style));
            }
        }
    }
    status(&replies)
}

fn request(args: &ProveArgs) -> Request {
    Request {
        file: args.file.clone(),
        operations: args.operations.clone(),
        models: args.model.clone(),
        values: args.values,
        size: args.max_size.map(|size| size as usize),
        spec: args.spec.clone(),
        abstraction: args.abstraction.clone(),
        c: args.c.options(),
        texts: Texts::default(),
        time_limit: args.time_limit.map(Duration::from_secs_f64),
        memory_limit: args.memory_limit.map(|mebibytes| mebibytes << 20),
    }
}

/// Writes the data type as a Murphi model.
fn write_model(subject: &Subject, path: &Path, args: &ProveArgs, console: &Console) -> u8 {
    console.diagnostics(&subject.test.warnings, &subject.test.sources);
    let threads = NonZeroU32::new(args.threads).expect("at least one thread");
    let nodes = args.nodes.map(|nodes| nodes as usize);
    let model = match emit(subject, Size { threads, nodes }) {
        Ok(model) => model,
        Err(rejected) => {
            let Rejected { sources, diagnostics } = &*rejected;
            console.diagnostics(diagnostics, sources);
            return exit::INPUT;
        }
    };
    match sat::whole_file::write(path, model.text) {
        Ok(()) => {
            if let Some(remark) = model.remark {
                console.message(&format!("note: {remark}"));
            }
            exit::HOLDS
        }
        Err(error) => {
            console.error(&format!("cannot write `{}`: {error}", shown(path)));
            exit::INPUT
        }
    }
}

/// Asks about every model.
fn replies(subject: &'static Subject, watchdog: &Watchdog) -> Vec<Reply> {
    let models: Vec<usize> = (0..subject.test.models.len()).collect();
    let work = |&model: &usize, tell: &dyn Fn(Notice)| -> Reply {
        let interrupter = watchdog.interrupter.clone();
        let name = subject.test.models[model].name.clone();
        let work = move |voice: &Voice<Answer>| {
            let progress = |what: String| voice.tell(format!("{name}: {what}"));
            prove(subject, model, Asking { interrupter: &interrupter, progress: &progress })
        };
        let request = &subject.request;
        let watch = watchdog.watch(request.time_limit, memory_limit(request.memory_limit));
        watch.run(tell, work).map_err(|abandoned| abandoned.why)
    };
    let mut replies: Vec<Option<Reply>> = models.iter().map(|_| None).collect();
    let pool = Pool { tasks: &models, jobs: models.len(), work: &work, found: &|_| {} };
    pool.run(|&model, reply, _| replies[model] = Some(reply));
    replies.into_iter().flatten().collect()
}

fn status(replies: &[Reply]) -> u8 {
    let code = |reply: &Reply| match reply {
        Ok(Answer { outcome: Outcome::Violated(_), .. }) => exit::VIOLATED,
        Ok(Answer { outcome: Outcome::Proved(proved), .. }) => match proved.deadlock.is_open() {
            true => exit::INCONCLUSIVE,
            false => exit::HOLDS,
        },
        _ => exit::INCONCLUSIVE,
    };
    let codes: Vec<u8> = replies.iter().map(code).collect();
    let worst = [exit::VIOLATED, exit::INCONCLUSIVE].into_iter().find(|code| codes.contains(code));
    worst.unwrap_or(exit::HOLDS)
}
