//! `fencepost check`: tests of data types on memory models, as a table.

mod workers;

use super::console::Console;
use super::{exit, interrupter, remove_stale, tell_files, write_results};
use crate::cli::{CheckArgs, MethodArg};
use engines::test::suite::Method;
use fencepost::check::cache::Cache;
use fencepost::check::plan::{Request, Subject, plan};
use fencepost::check::{Row, json, save, table};
use fencepost::compile::{self, Rejected};
use fencepost::evidence::Wanted;
use fencepost::files;
use fencepost::watch::Watchdog;
use std::time::Duration;

/// Executes the command and gives its exit code.
pub fn execute(args: &CheckArgs, console: &Console) -> u8 {
    let watchdog = Watchdog::new(interrupter());
    let subjects = match plan(&request(args)) {
        Ok(subjects) => subjects,
        Err(rejected) => {
            let Rejected { sources, diagnostics } = &*rejected;
            console.diagnostics(diagnostics, sources);
            return exit::INPUT;
        }
    };
    let folders = [&args.html, &args.save, &args.dimacs].into_iter().flatten();
    // A document is printed in any case.
    if !args.json
        && let Err(message) = files::can_be_written(folders, args.proof.as_ref())
    {
        console.error(&message);
        return exit::INPUT;
    }
    let cache = if args.no_cache { None } else { Cache::of_user() };
    let cache = cache.map(|cache| &*Box::leak(Box::new(cache)));
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let models = subjects.iter().flat_map(|subject| &subject.tests).map(|test| test.models.len());
    let answers: usize = models.sum();
    let session = Session {
        args,
        console,
        watchdog,
        cache,
        jobs: args.jobs.map_or_else(available, usize::from),
        evidence: Wanted {
            dimacs: args.dimacs.clone(),
            proof: args.proof.clone(),
            several: answers > 1,
        },
    };
    // They last as long as the process: work on them may have to be abandoned.
    session.execute(Vec::leak(subjects))
}

/// What the files about all answers are called.
fn names(subjects: &[Subject]) -> impl Iterator<Item = String> {
    subjects.iter().flat_map(|subject| {
        let tests = subject.tests.iter().enumerate();
        tests.flat_map(move |(index, test)| {
            test.models.iter().map(move |&model| save::name(subject, index, model))
        })
    })
}

fn request(args: &CheckArgs) -> Request {
    Request {
        file: args.file.clone(),
        suite: args.suite.clone(),
        tests: args.test.clone(),
        models: args.model.clone(),
        spec: args.spec.clone(),
        texts: compile::Texts::default(),
        c: args.c.options(),
        method: args.method.map(|method| match method {
            MethodArg::Observations => Method::Observations,
            MethodArg::CommitPoints => Method::CommitPoints,
        }),
        wanted: args.wanted(),
        max_unroll: args.max_unroll,
        no_value_sets: args.no_value_sets,
        reuse_memory: args.reuse_memory,
        time_limit: args.time_limit.map(Duration::from_secs_f64),
        memory_limit: args.memory_limit.map(|mebibytes| mebibytes << 20),
    }
}

struct Session<'a> {
    args: &'a CheckArgs,
    console: &'a Console,
    watchdog: Watchdog,
    cache: Option<&'static Cache>,
    jobs: usize,
    evidence: Wanted,
}

impl Session<'_> {
    fn execute(&self, subjects: &'static [Subject]) -> u8 {
        let console = self.console;
        let mut rows: Vec<Vec<Row>> = Vec::new();
        let mut unwritten = !remove_stale(console, &self.evidence, names(subjects));
        for (index, subject) in subjects.iter().enumerate() {
            console.diagnostics(&subject.warnings, &subject.sources);
            if index > 0 && !self.args.json {
                console.result("\n");
            }
            let answers = self.subject(subject);
            let folders = [(&self.args.html, true), (&self.args.save, false)];
            unwritten |= !write_results(console, folders, |folder, pages| {
                save::save(folder, pages, subject, &answers)
            });
            unwritten |= !told(console, subject, &answers);
            rows.push(answers);
        }
        if self.args.json {
            console.json(&json::document(subjects, &rows));
        }
        match unwritten {
            true => exit::INPUT,
            false => exit::of(
                rows.iter().flatten().flatten().flatten().map(|answer| &answer.outcome.verdict),
            ),
        }
    }

    /// Checks all tests of a file, and prints them as they are answered.
    fn subject(&self, subject: &'static Subject) -> Vec<Row> {
        let (console, table) = (self.console, table::Table::new(subject));
        if !self.args.json {
            console.result(&table.head());
        }
        let rows = workers::run(self, subject, |test, row| {
            if !self.args.json {
                console.painted_result(|style| table.row(test, row, style));
            }
        });
        if !self.args.json {
            console.result(&table.footnotes(&rows));
            console.painted_result(|style| table.counterexamples(&rows, style));
        }
        console.painted_message(|style| table.errors(&rows, style));
        rows
    }
}

/// Says which files were written about the answers; whether all could be.
fn told(console: &Console, subject: &Subject, rows: &[Row]) -> bool {
    let mut all = true;
    for (test, row) in subject.tests.iter().zip(rows) {
        for (model, answer) in subject.models.iter().zip(row) {
            let Some(answer) = answer else { continue };
            let place = format!("{} on {}", test.title(), model.name);
            all &= tell_files(console, &place, &answer.written);
        }
    }
    all
}
