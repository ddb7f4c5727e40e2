//! The machine: runs a whole program under sequential consistency with a seeded scheduler.
//!
//! Given the program, its arguments and the seed, a run is always the same. The scheduler lets a
//! randomly picked thread run for a random number of steps; how long these runs are on average
//! depends on the seed, because some bugs need many switches and others a long stretch without.
//!
//! Soundness S-001 (run; sc; misses): Explores random schedules under sequential consistency, one
//! memory access per step: nothing is known about schedules that were not run, nor about weaker
//! models. Test: crates/fencepost/tests/run.rs::many_schedules_without_a_finding_are_summed_up.
//!
//! Soundness S-002 (run; sc; misses): A data race is not a finding, only its consequences are.
//! Test: corpus/verify/races/same_value.c.
//!
//! Soundness S-003 (run; sc; misses): Memory is released when the program ends, so a leak is not a
//! finding. Test: corpus/verify/memory/leak_overwritten.c.
//!
//! Soundness S-004 (run; sc; refuses): Threads that spin for ever are not a deadlock: the run ends
//! at `--max-steps` as inconclusive. Test:
//! crates/fencepost/tests/run.rs::a_bound_that_is_reached_says_where_the_threads_are,
//! crates/ir/src/step/machine/tests.rs::a_thread_that_never_ends_is_reported_with_its_place.

use super::describe;
use super::origin::Origin;
use super::random::{Random, Script};
use super::sc::{ScMemory, Violation};
use super::thread::{Code, Ending, Step, Thread};
use super::world::{Output, Record, Stop, World};
use crate::op::CastOp;
use crate::program::{FuncId, Width};
use crate::value::Value;
use execution::event::ThreadId;
use execution::finding::{Finding, FindingKind, StackEntry, ThreadName, ThreadPosition};
use execution::ids::Id;

/// How to run a program.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The seed of the scheduler, of choices, and of spurious failures.
    pub seed: u64,
    /// Whether signed overflow is a finding.
    pub overflow: bool,
    /// Whether weak compare-and-swaps and exclusive stores sometimes fail for no reason.
    pub spurious_failures: bool,
    /// The name of the program and the arguments, for `main`.
    pub args: Vec<String>,
    /// How many instructions all threads together may execute.
    pub max_steps: u64,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            overflow: false,
            spurious_failures: true,
            args: Vec::new(),
            max_steps: 100_000_000,
        }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// The program ended with this status.
    Exited(i32),
    /// Something is wrong with the program.
    Violated(Box<Finding>),
    /// An assumption did not hold: this run says nothing about the program.
    Discarded(Box<ThreadPosition>),
    /// The bound on instructions was reached; this is where the threads are.
    OutOfSteps(Vec<ThreadPosition>),
}

/// Whether a thread can run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Ready,
    /// It waits for a change of memory since this version; for a join, for a thread. If it waits
    /// for ever, this is a deadlock, or `discards` the run.
    Waiting {
        version: u64,
        joins: Option<ThreadId>,
        discards: bool,
    },
    Ended,
}

/// What is needed to undo an atomic section, besides the memory. It is kept between sections, so
/// that the next one finds its room.
#[derive(Debug)]
struct Section {
    holder: usize,
    thread: Thread<Origin>,
    endings: Vec<(Option<Ending>, bool)>,
    records: usize,
}

/// A program in the middle of a run.
#[derive(Debug)]
pub struct Machine<'c, 'p, O> {
    code: &'c Code<'p>,
    world: World<O>,
    threads: Vec<Thread<Origin>>,
    names: Vec<FuncId>,
    status: Vec<Status>,
    /// Whether a section is running; its thread runs alone.
    in_section: bool,
    /// The section that is running, or the last one.
    section: Option<Section>,
    /// One in how many steps the running thread is switched.
    stretch: u64,
    yielded: Option<usize>,
    executed: u64,
    max_steps: u64,
    outcome: Option<RunEnd>,
}

impl<'c, 'p, O: Output> Machine<'c, 'p, O> {
    /// A machine about to run a program.
    pub fn new(code: &'c Code<'p>, options: &RunOptions, output: O) -> Self {
        let mut memory = ScMemory::new(code.program);
        let args = main_arguments(&mut memory, &options.args);
        let mut world = World::new(memory, output, options.seed);
        world.overflow = options.overflow;
        world.spurious_failures = options.spurious_failures;
        let stretch = [1, 2, 8, 32][world.random.below(4) as usize];
        let mut machine = Self {
            code,
            world,
            threads: Vec::new(),
            names: Vec::new(),
            status: Vec::new(),
            in_section: false,
            section: None,
            stretch,
            yielded: None,
            executed: 0,
            max_steps: options.max_steps,
            outcome: None,
        };
        for &function in &code.program.entry {
            machine.world.add_thread();
            machine.start(function, &args);
        }
        machine
    }

    /// The same, where every decision of the scheduler and of the program follows a script
    /// ([`Random::scripted`]); threads may be switched at every step.
    pub fn scripted(
        code: &'c Code<'p>,
        options: &RunOptions,
        output: O,
        answers: Vec<u64>,
    ) -> Self {
        let mut machine = Self::new(code, options, output);
        machine.world.random = Random::scripted(answers);
        machine.stretch = 1;
        machine
    }

    /// The script that it follows.
    pub fn script(&self) -> Option<&Script> {
        self.world.random.script()
    }

    fn start(&mut self, function: FuncId, args: &[Value]) {
        let id = ThreadId::new(self.threads.len());
        self.threads.push(Thread::new(self.code, id, function, args));
        self.names.push(function);
        self.status.push(Status::Ready);
    }

    /// What the threads share.
    pub fn world(&self) -> &World<O> {
        &self.world
    }

    /// What happened, without what a section did that has not ended: it may yet have no effect.
    pub fn records(&self) -> &[Record] {
        match self.section.as_ref().filter(|_| self.in_section) {
            Some(section) => &self.world.records[..section.records],
            None => &self.world.records,
        }
    }

    /// What the threads share, when the run is over.
    pub fn into_world(self) -> World<O> {
        self.world
    }

    /// How many instructions were executed.
    pub fn executed(&self) -> u64 {
        self.executed
    }

    /// Runs to the end.
    pub fn run(&mut self) -> RunEnd {
        loop {
            if let Some(outcome) = self.advance(u64::MAX) {
                return outcome;
            }
        }
    }

    /// Runs about this many instructions, and gives the outcome if the run is over.
    pub fn advance(&mut self, instructions: u64) -> Option<RunEnd> {
        let until = self.executed.saturating_add(instructions);
        while self.outcome.is_none() && self.executed < until {
            self.turn(until - self.executed);
        }
        if self.outcome.is_some() {
            self.world.flush();
        }
        self.outcome.clone()
    }

    /// One turn of one thread.
    fn turn(&mut self, fuel: u64) {
        let left = self.max_steps.saturating_sub(self.executed);
        if left == 0 {
            self.outcome = Some(RunEnd::OutOfSteps(self.positions()));
            return;
        }
        let Some((index, steps)) = self.schedule() else { return };
        if !self.in_section && self.threads[index].at_section(self.code) {
            self.save(index);
        }
        let thread = &mut self.threads[index];
        let before = thread.executed();
        let step = thread.run(self.code, &mut self.world, steps, fuel.min(left));
        self.executed += thread.executed() - before;
        self.in_section = thread.in_section();
        if std::mem::take(&mut self.world.yielded) {
            self.yielded = Some(index);
        }
        match step {
            Step::Ran | Step::OutOfFuel => {
                self.status[index] = Status::Ready;
                self.start_spawned();
            }
            Step::Finished(ending) => self.finish(index, ending),
            Step::Stopped(Stop::Wait(joins)) => self.wait(index, joins, false),
            // Had it entered its section later, it might have gone on.
            Step::Stopped(Stop::Discard) if self.in_section => self.wait(index, None, true),
            Step::Stopped(Stop::Undecided(_)) => unreachable!("the machine's world decides itself"),
            Step::Stopped(Stop::Discard) => {
                self.outcome = Some(RunEnd::Discarded(Box::new(self.position(index))));
            }
            Step::Stopped(Stop::Wrong(violation)) => {
                let finding = self.finding(index, *violation);
                self.outcome = Some(RunEnd::Violated(Box::new(finding)));
            }
        }
    }

    /// Which thread runs next and for how many steps; none if that ended the run.
    fn schedule(&mut self) -> Option<(usize, u64)> {
        const ALONE: u64 = 4096;
        if let Some(section) = self.section.as_ref().filter(|_| self.in_section) {
            return Some((section.holder, 1));
        }
        let version = self.world.memory.version();
        let can_run = |&index: &usize| match self.status[index] {
            Status::Ready => true,
            Status::Waiting { version: seen, .. } => seen != version,
            Status::Ended => false,
        };
        let yielded = self.yielded.take();
        let mut ready = 0;
        let mut others = 0;
        for index in (0..self.threads.len()).filter(can_run) {
            ready += 1;
            others += u64::from(Some(index) != yielded);
        }
        if ready == 0 {
            self.outcome = Some(self.no_thread_can_run());
            return None;
        }
        let candidates = if others > 0 { others } else { ready };
        let skip = if others > 0 { yielded } else { None };
        let pick = if candidates == 1 { 0 } else { self.world.random.below(candidates) };
        let index = (0..self.threads.len())
            .filter(can_run)
            .filter(|&index| Some(index) != skip)
            .nth(pick as usize)?;
        let steps =
            if ready == 1 { ALONE } else { 1 + self.world.random.below(2 * self.stretch - 1) };
        Some((index, steps))
    }

    fn no_thread_can_run(&self) -> RunEnd {
        let waiting = |status: &Status| matches!(status, Status::Waiting { .. });
        let Some(first) = self.status.iter().position(waiting) else {
            return RunEnd::Exited(0);
        };
        let discards = |status: &Status| matches!(status, Status::Waiting { discards: true, .. });
        if let Some(index) = self.status.iter().position(discards) {
            return RunEnd::Discarded(Box::new(self.position(index)));
        }
        let mut finding = self.finding(first, *Box::<Violation>::from(FindingKind::Deadlock));
        finding.waiting = self.positions();
        RunEnd::Violated(Box::new(finding))
    }

    fn save(&mut self, index: usize) {
        let (thread, world) = (&self.threads[index], &self.world);
        match &mut self.section {
            Some(section) => {
                section.thread.clone_from(thread);
                section.endings.clone_from(&world.endings);
            }
            None => {
                let (thread, endings) = (thread.clone(), world.endings.clone());
                self.section = Some(Section { holder: index, thread, endings, records: 0 });
            }
        }
        if let Some(section) = &mut self.section {
            section.holder = index;
            section.records = world.records.len();
        }
    }

    /// The thread cannot go on now. If it is in a section, that has not begun.
    fn wait(&mut self, index: usize, joins: Option<ThreadId>, discards: bool) {
        let mut again = false;
        if let Some(section) = self.section.as_ref().filter(|_| self.in_section) {
            again = self.world.chose;
            self.world.roll_back();
            self.world.endings.clone_from(&section.endings);
            self.world.records.truncate(section.records);
            self.world.spawned.clear();
            self.threads.truncate(self.world.endings.len());
            self.names.truncate(self.threads.len());
            self.status.truncate(self.threads.len());
            self.threads[index].clone_from(&section.thread);
            self.in_section = false;
        }
        self.start_spawned();
        // What the section itself started has never been.
        let joins = joins.filter(|thread| thread.index() < self.threads.len());
        self.status[index] = match again {
            true => Status::Ready,
            false => Status::Waiting { version: self.world.memory.version(), joins, discards },
        };
        self.yielded = Some(index);
    }

    fn start_spawned(&mut self) {
        for spawned in std::mem::take(&mut self.world.spawned) {
            self.start(spawned.function, &spawned.args);
        }
    }

    fn finish(&mut self, index: usize, ending: Ending) {
        self.start_spawned();
        self.status[index] = Status::Ended;
        self.world.endings[index].0 = Some(ending);
        self.world.memory.end_thread(ThreadId::new(index));
        let is_main = index == 0 && self.code.program.entry.len() == 1;
        let status = match ending {
            Ending::Exit(status) => Some(status),
            Ending::Returned(Some(value)) if is_main => Some(value),
            Ending::Returned(None) if is_main => Some(Value::int(Width::I32, 0)),
            _ => None,
        };
        let Some(status) = status else { return };
        self.outcome = Some(if status.is_defined() {
            RunEnd::Exited(status.cast(CastOp::Truncate, Width::I32.min(status.width)).low() as i32)
        } else {
            let kind = FindingKind::UndefinedUse("the result of `main`".into());
            RunEnd::Violated(Box::new(self.finding(index, *Box::<Violation>::from(kind))))
        });
    }

    fn name(&self, thread: ThreadId) -> ThreadName {
        let function = self.code.program.functions[self.names[thread.index()]].name.clone();
        ThreadName { id: thread, function }
    }

    fn stack(&self, index: usize) -> Vec<StackEntry> {
        describe::stack(self.code.program, &self.threads[index].trace(self.code, usize::MAX))
    }

    fn position(&self, index: usize) -> ThreadPosition {
        let joins = match self.status[index] {
            Status::Waiting { joins, .. } => joins.map(|thread| self.name(thread)),
            _ => None,
        };
        ThreadPosition {
            thread: self.name(ThreadId::new(index)),
            stack: self.stack(index),
            joins,
            loops: false,
            reads: Vec::new(),
            lock: None,
        }
    }

    /// Where all threads are that have not ended.
    pub fn positions(&self) -> Vec<ThreadPosition> {
        let live = (0..self.threads.len()).filter(|&index| self.status[index] != Status::Ended);
        live.map(|index| self.position(index)).collect()
    }

    fn finding(&self, index: usize, violation: Violation) -> Finding {
        let thread = self.name(ThreadId::new(index));
        let stack = self.stack(index);
        let name = |thread| self.name(thread);
        describe::finding(self.code.program, &self.world.memory, violation, thread, stack, name)
    }
}

/// `argc`, `argv` and an empty environment.
fn main_arguments(memory: &mut ScMemory, args: &[String]) -> [Value; 3] {
    let null_ended = |memory: &mut ScMemory, pointers: &[Value]| {
        let list = memory.argument(8 * (pointers.len() as u64 + 1));
        for (i, &pointer) in pointers.iter().enumerate() {
            memory.preset(list, 8 * i as u64, pointer);
        }
        list
    };
    let strings: Vec<Value> = args
        .iter()
        .map(|arg| {
            let string = memory.argument(arg.len() as u64 + 1);
            for (i, byte) in arg.bytes().enumerate() {
                memory.preset(string, i as u64, Value::int(Width::I8, byte.into()));
            }
            string
        })
        .collect();
    let argv = null_ended(memory, &strings);
    let environment = null_ended(memory, &[]);
    [Value::int(Width::I32, args.len() as u128), argv, environment]
}

#[cfg(test)]
mod tests;
