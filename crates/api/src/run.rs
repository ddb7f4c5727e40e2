//! Running programs under sequential consistency: one schedule, or many.

pub use execution::finding::{Finding, ThreadPosition};
pub use ir::step::machine::{Machine, RunEnd, RunOptions};
pub use ir::step::memory::Stream;
pub use ir::step::thread::Code;
pub use ir::step::world::Output;

use ir::program::Program;
use std::collections::BTreeMap;

/// Runs a program under the schedule of one seed, to its end or its bound.
pub fn run(program: &Program, options: &RunOptions, output: &mut dyn Output) -> RunEnd {
    let code = Code::new(program);
    Machine::new(&code, options, output).run()
}

/// What many runs came to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// How many runs were made.
    pub runs: u64,
    /// How many instructions they executed.
    pub instructions: u64,
    /// How often each exit status occurred, and under which seed first.
    pub statuses: BTreeMap<i32, (u64, u64)>,
    /// How many were given up because an assumption did not hold.
    pub discarded: u64,
    /// How many reached the bound on instructions.
    pub out_of_steps: u64,
    /// The first seed that reached the bound, and where its threads were.
    pub stuck: Option<(u64, Vec<ThreadPosition>)>,
    /// The first finding, and its seed.
    pub finding: Option<(u64, Box<Finding>)>,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

impl Summary {
    /// The same in words, of so many schedules that were asked for and instructions that each was
    /// allowed.
    pub fn text(&self, schedules: u64, max_steps: u64) -> String {
        let mut text = match self.runs {
            runs if runs == schedules => format!("{runs} schedules run"),
            runs => format!("{runs} of {schedules} schedules run"),
        };
        if self.interrupted {
            text += ", then interrupted";
        }
        text += match self.finding {
            Some(_) => ": a finding\n",
            None => ": no finding\n",
        };
        for (status, (count, seed)) in &self.statuses {
            let from = if *status == 0 { String::new() } else { format!(" (first: seed {seed})") };
            text += &format!("  {count} ended with status {status}{from}\n");
        }
        if self.discarded > 0 {
            text += &format!("  {} discarded by an assumption\n", self.discarded);
        }
        if self.out_of_steps > 0 {
            let count = self.out_of_steps;
            text += &format!("  {count} not at their end after {max_steps} instructions\n");
        }
        text
    }
}

/// Runs a program under the schedules of `schedules` seeds, from `options.seed` on, up to the
/// first finding. `go_on` is asked now and then, with what is known so far.
pub fn run_many(
    program: &Program,
    options: &RunOptions,
    schedules: u64,
    mut go_on: impl FnMut(&Summary) -> bool,
) -> Summary {
    const SLICE: u64 = 1_000_000;
    let code = Code::new(program);
    let mut options = options.clone();
    let first = options.seed;
    let mut summary = Summary::default();
    for i in 0..schedules {
        options.seed = first.wrapping_add(i);
        let mut machine = Machine::new(&code, &options, Quiet);
        let outcome = loop {
            let outcome = machine.advance(SLICE);
            if !go_on(&summary) {
                summary.interrupted = true;
                return summary;
            }
            if let Some(outcome) = outcome {
                break outcome;
            }
        };
        summary.runs += 1;
        summary.instructions += machine.executed();
        if summary.add(options.seed, outcome) {
            break;
        }
    }
    summary
}

impl Summary {
    /// Adds a run, and says whether it ends the series.
    fn add(&mut self, seed: u64, outcome: RunEnd) -> bool {
        match outcome {
            RunEnd::Exited(status) => self.statuses.entry(status).or_insert((0, seed)).0 += 1,
            RunEnd::Discarded(_) => self.discarded += 1,
            RunEnd::OutOfSteps(positions) => {
                self.out_of_steps += 1;
                self.stuck.get_or_insert((seed, positions));
            }
            RunEnd::Violated(finding) => {
                self.finding = Some((seed, finding));
                return true;
            }
        }
        false
    }
}

/// Drops what a program prints.
#[derive(Clone, Copy, Debug)]
pub struct Quiet;

impl Output for Quiet {
    fn write(&mut self, _: Stream, _: &[u8]) {}
}
