//! `fencepost check`: tests of data types on memory models, as a table.

mod json;
mod progress;
mod save;
mod table;
mod workers;

use super::exit;
use crate::check::cache::Cache;
use crate::check::cell::{Answer, Outcome};
use crate::check::plan::{Request, Subject, plan};
use crate::cli::{CheckArgs, MethodArg};
use crate::compile::{self, Rejected};
use crate::evidence::Wanted;
use engines::test::suite::Method;
use report::Style;
use sat::Interrupter;
use std::time::Duration;

/// Executes the command and gives its exit code.
pub fn execute(args: &CheckArgs, style: Style) -> u8 {
    let subjects = match plan(&request(args)) {
        Ok(subjects) => subjects,
        Err(rejected) => {
            let Rejected { sources, diagnostics } = &*rejected;
            eprint!("{}", report::diagnostics::render_all(diagnostics, sources, style));
            return exit::INPUT;
        }
    };
    let interrupter = Interrupter::default();
    on_interrupt(interrupter.clone());
    let cache = if args.no_cache { None } else { Cache::of_user() };
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let models = subjects.iter().flat_map(|subject| &subject.tests).map(|test| test.models.len());
    let answers: usize = models.sum();
    let session = Session {
        args,
        style,
        interrupter,
        cache,
        jobs: args.jobs.map_or_else(available, usize::from),
        evidence: Wanted {
            dimacs: args.dimacs.clone(),
            proof: args.proof.clone(),
            several: answers > 1,
        },
    };
    session.execute(&subjects)
}

fn request(args: &CheckArgs) -> Request {
    Request {
        file: args.file.clone(),
        suite: args.suite.clone(),
        tests: args.test.clone(),
        models: args.model.clone(),
        spec: args.spec.clone(),
        c: compile::Options {
            include_dirs: args.c.include.clone(),
            defines: args.c.define.clone(),
            undefines: args.c.undefine.clone(),
        },
        method: args.method.map(|method| match method {
            MethodArg::Observations => Method::Observations,
            MethodArg::CommitPoints => Method::CommitPoints,
        }),
        max_unroll: args.max_unroll,
        no_value_sets: args.no_value_sets,
        time_limit: args.time_limit.map(Duration::from_secs_f64),
        memory_limit: args.memory_limit.map(|mebibytes| mebibytes << 20),
    }
}

/// The first Ctrl-C ends the check in good order, the second at once.
fn on_interrupt(interrupter: Interrupter) {
    // Without a handler Ctrl-C still ends the process, only without last words.
    let _ = ctrlc::set_handler(move || {
        if interrupter.is_interrupted() {
            std::process::exit(exit::INTERRUPTED.into());
        }
        interrupter.interrupt();
    });
}

struct Session<'a> {
    args: &'a CheckArgs,
    style: Style,
    interrupter: Interrupter,
    cache: Option<Cache>,
    jobs: usize,
    evidence: Wanted,
}

/// The answers of a test, by column; `None` where the test is not asked on that model.
type Row = Vec<Option<Answer>>;

impl Session<'_> {
    fn execute(&self, subjects: &[Subject]) -> u8 {
        let mut rows: Vec<Vec<Row>> = Vec::new();
        for (index, subject) in subjects.iter().enumerate() {
            let warnings =
                report::diagnostics::render_all(&subject.warnings, &subject.sources, self.style);
            eprint!("{warnings}");
            if index > 0 && !self.args.json {
                println!();
            }
            match self.subject(subject) {
                Ok(answers) => rows.push(answers),
                Err(code) => return code,
            }
        }
        if self.args.json {
            println!("{}", json::document(subjects, &rows));
        }
        exit_code(rows.iter().flatten().flatten().flatten())
    }

    /// Checks all tests of a file, and prints them as they are answered.
    fn subject(&self, subject: &Subject) -> Result<Vec<Row>, u8> {
        let table = table::Table::new(subject);
        if !self.args.json {
            print!("{}", table.head());
        }
        let rows = workers::run(self, subject, |test, row| {
            if !self.args.json {
                print!("{}", table.row(test, row));
            }
        });
        let rows = rows.map_err(|diagnostic| {
            let text = report::diagnostics::render(&diagnostic, &subject.sources, self.style);
            eprintln!("{text}");
            exit::INPUT
        })?;
        if !self.args.json {
            print!("{}", table.footnotes(&rows));
            print!("{}", table.counterexamples(&rows, self.style));
        }
        self.save(subject, &rows)?;
        told(subject, &rows);
        Ok(rows)
    }

    /// Writes the counterexamples to files, if the user wants them.
    fn save(&self, subject: &Subject, rows: &[Row]) -> Result<(), u8> {
        let folders = [(&self.args.html, true), (&self.args.save, false)];
        for (folder, pages) in folders {
            let Some(folder) = folder else { continue };
            match save::save(folder, pages, subject, rows) {
                Ok(files) if files.is_empty() => {}
                Ok(files) => {
                    eprintln!();
                    files.iter().for_each(|file| eprintln!("written: {}", file.display()));
                }
                Err(message) => {
                    eprintln!("error: {message}");
                    return Err(exit::INPUT);
                }
            }
        }
        Ok(())
    }
}

/// Says which files were written about the answers, and which could not be.
fn told(subject: &Subject, rows: &[Row]) {
    for (test, row) in subject.tests.iter().zip(rows) {
        for (model, answer) in subject.models.iter().zip(row) {
            let Some(answer) = answer else { continue };
            for file in &answer.files {
                eprintln!("written: {}", file.display());
            }
            if let Some(remark) = &answer.remark {
                eprintln!("{} on {}: {remark}", test.title(), model.name);
            }
        }
    }
}

fn exit_code<'r>(answers: impl Iterator<Item = &'r Answer>) -> u8 {
    let code = |answer: &Answer| match answer.outcome {
        Outcome::Violated(_) => exit::VIOLATED,
        Outcome::HoldsWithinBounds(_) | Outcome::Inconclusive(_) => exit::INCONCLUSIVE,
        Outcome::Holds => exit::HOLDS,
    };
    let codes: Vec<u8> = answers.map(code).collect();
    match (codes.contains(&exit::VIOLATED), codes.contains(&exit::INCONCLUSIVE)) {
        (true, _) => exit::VIOLATED,
        (false, true) => exit::INCONCLUSIVE,
        (false, false) => exit::HOLDS,
    }
}
