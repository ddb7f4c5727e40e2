//! `fencepost run`: executes a program under one schedule or many.

use super::console::Console;
use super::{exit, interrupter};
use crate::cli::{RunArgs, VolatileArg};
use execution::finding::FindingKind;
use fencepost::compile::Compiled;
use fencepost::run::{
    Code, Finding, Machine, Output, RunEnd, RunOptions, Stream, ThreadPosition, run_many,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ir::step::sc::LARGEST_HEAP;
use report::printable::shown;
use sat::Interrupter;
use std::time::{Duration, Instant};

/// How many instructions are run between two looks at the interrupt flag.
const SLICE: u64 = 1_000_000;

/// Executes the command and gives its exit code.
pub fn execute(args: &RunArgs, console: &Console) -> u8 {
    let interrupter = interrupter();
    let Some(compiled) = super::compile(&args.file, &args.c, console) else { return exit::INPUT };
    let compiled = compiled.with_text_places();
    if compiled.program.entry.is_empty() {
        console.error(&format!("`{}` has no function `main` to run", shown(&args.file)));
        return exit::INPUT;
    }
    if let Err(error) = fencepost::target::check_runnable(&compiled.program, &compiled.sources) {
        console.diagnostics(&[error], &compiled.sources);
        return exit::INPUT;
    }
    let size = compiled.program.globals.iter().map(|global| global.size).sum::<u64>();
    if size > LARGEST_HEAP {
        let most = LARGEST_HEAP;
        console.error(&format!("the global objects take {size} bytes; {most} is the most"));
        return exit::INPUT;
    }
    let run = Run { args, compiled: &compiled, console, interrupter };
    match args.schedules {
        None => run.once(),
        Some(schedules) => run.many(schedules),
    }
}

struct Run<'a> {
    args: &'a RunArgs,
    compiled: &'a Compiled,
    console: &'a Console,
    interrupter: Interrupter,
}

impl Run<'_> {
    fn options(&self, default_steps: u64) -> RunOptions {
        let name = self.args.file.display().to_string();
        RunOptions {
            seed: self.args.seed,
            overflow: self.args.overflow,
            spurious_failures: true,
            args: std::iter::once(name).chain(self.args.args.iter().cloned()).collect(),
            max_steps: self.args.max_steps.unwrap_or(default_steps),
        }
    }

    fn once(&self) -> u8 {
        let options = self.options(100_000_000);
        let code = Code::new(&self.compiled.program);
        let console = self.console;
        let mut machine = Machine::new(&code, &options, Terminal(console));
        let outcome = loop {
            if let Some(outcome) = machine.advance(SLICE) {
                break outcome;
            }
            if self.interrupter.is_interrupted() {
                console.message(&format!("interrupted after {} instructions", machine.executed()));
                self.positions(&machine.positions());
                return exit::INTERRUPTED;
            }
            if console.is_broken() {
                return exit::INPUT;
            }
        };
        match outcome {
            RunEnd::Exited(status) => status as u8,
            RunEnd::Violated(finding) => {
                self.show(&finding, options.seed);
                status_of(&finding)
            }
            RunEnd::Discarded(position) => {
                let place = report::finding::place(&position.stack);
                let seed = options.seed;
                console.message(&format!(
                    "inconclusive: the assumption {place} does not hold under seed {seed}"
                ));
                exit::INCONCLUSIVE
            }
            RunEnd::OutOfSteps(threads) => {
                let bound = options.max_steps;
                console.message(&format!(
                    "inconclusive: not at its end after {bound} instructions (--max-steps)"
                ));
                self.positions(&threads);
                exit::INCONCLUSIVE
            }
        }
    }

    fn many(&self, schedules: u64) -> u8 {
        let options = self.options(10_000_000);
        let mut progress = Progress::new(schedules);
        let summary = run_many(&self.compiled.program, &options, schedules, |summary| {
            progress.show(summary.runs);
            !self.interrupter.is_interrupted()
        });
        progress.end();
        if let Some((seed, finding)) = &summary.finding {
            self.show(finding, *seed);
            self.console.message("");
        }
        self.console.message(summary.text(schedules, options.max_steps).trim_end());
        if let Some((seed, threads)) = &summary.stuck {
            self.console.message(&format!("under seed {seed}:"));
            self.positions(threads);
        }
        let failed = summary.statuses.iter().filter(|(status, _)| **status != 0);
        let failed = failed.min_by_key(|(_, (_, seed))| *seed).map(|(status, _)| *status);
        match (&summary.finding, failed) {
            (Some((_, finding)), _) => status_of(finding),
            _ if summary.interrupted => exit::INTERRUPTED,
            (None, Some(status)) => status as u8,
            _ if summary.out_of_steps > 0 || summary.statuses.is_empty() => exit::INCONCLUSIVE,
            _ => exit::HOLDS,
        }
    }

    /// Prints a finding, with the command that shows it again.
    fn show(&self, finding: &Finding, seed: u64) {
        let message = report::finding::message(finding)
            .section(format!("to see this run again: {}", self.replay(seed)));
        let sources = &self.compiled.sources;
        self.console.painted_message(|style| message.render(sources, style) + "\n");
    }

    /// Says where threads are, one line each.
    fn positions(&self, threads: &[ThreadPosition]) {
        for position in threads {
            self.console.message(&format!("  {}", report::finding::position(position)));
        }
    }

    fn replay(&self, seed: u64) -> String {
        let args = self.args;
        let mut words = vec!["fencepost".into(), "run".into(), shown(&args.file)];
        words.push(format!("--seed {seed}"));
        if args.overflow {
            words.push("--overflow".into());
        }
        words.extend(args.c.include.iter().map(|folder| format!("-I{}", shown(folder))));
        words.extend(args.c.isystem.iter().map(|folder| format!("--isystem {}", shown(folder))));
        let included = args.c.include_file.iter();
        words.extend(included.map(|file| format!("--include-file {}", shown(file))));
        words.extend(args.c.with.iter().map(|file| format!("--with {}", shown(file))));
        words.extend(args.c.database.iter().map(|folder| format!("-p {}", shown(folder))));
        if args.c.volatile == VolatileArg::Relaxed {
            words.push("--volatile relaxed".into());
        }
        words.extend(args.c.define.iter().map(|name| format!("-D{name}")));
        words.extend(args.c.undefine.iter().map(|name| format!("-U{name}")));
        if !args.args.is_empty() {
            words.push("--".into());
            words.extend(args.args.iter().cloned());
        }
        words.join(" ")
    }
}

/// Nothing is wrong with a program that needs what is not supported, but nothing is known either.
fn status_of(finding: &Finding) -> u8 {
    match finding.kind {
        FindingKind::NotSupported(_) => exit::INCONCLUSIVE,
        _ => exit::VIOLATED,
    }
}

/// Passes on what the program prints, as it is.
struct Terminal<'a>(&'a Console);

impl Output for Terminal<'_> {
    fn write(&mut self, stream: Stream, text: &[u8]) {
        match stream {
            Stream::Stdout => self.0.write_result(text),
            Stream::Stderr => self.0.write_message(text),
        }
    }
}

/// A progress bar that appears after two seconds.
struct Progress {
    bar: ProgressBar,
    started: Instant,
    shown: bool,
}

impl Progress {
    fn new(schedules: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(schedules), ProgressDrawTarget::hidden());
        let template = "{bar:40} {pos}/{len} schedules, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, started: Instant::now(), shown: false }
    }

    fn show(&mut self, runs: u64) {
        if !self.shown && self.started.elapsed() > Duration::from_secs(2) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.shown = true;
        }
        if self.shown {
            self.bar.set_position(runs);
        }
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}
