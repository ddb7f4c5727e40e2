//! Executes the threads of a witness.

use super::check;
use super::decided::{Cursor, Decided, Hub};
use super::last::{Last, last_value};
use super::repeat::Mark;
use crate::events::control::Regions;
use crate::events::record::{Recorder, Recording, Scribe};
use crate::events::trace::{Filling, Flow};
use crate::language::language_of;
use crate::memory::objects::Objects;
use crate::memory::world::{CellId, ValueId, World};
use crate::thread::answers::{Stop, Wrong, result};
use crate::thread::loops::{Counting, Loops};
use crate::thread::shared::Shared;
use crate::thread::spot::Spot;
use crate::thread::state::{Local, Note, State};
use crate::{Expected, Mismatch, Replayed};
use execution::event::{EventKind, ThreadId};
use execution::finding::StackEntry;
use execution::ids::{Id, IdVec};
use execution::witness::{End, Witness};
use ir::cfg::Liveness;
use ir::prepare::{Pieces, in_pieces};
use ir::program::{FuncId, Program};
use ir::step::describe;
use ir::step::shown::Shown;
use ir::step::thread::{Code, Ending, Step, Thread};
use ir::value::RegionId;
use limits::Limits;
use models::Model;
use std::collections::{BTreeMap, BTreeSet};

/// How many instructions a thread may execute in all.
const FUEL: u64 = 50_000_000;
/// The same for a thread that has only to show that it goes on for ever.
const SPINNING_FUEL: u64 = 1_000_000;
/// After this many steps, a check whether the thread runs for ever.
const AT_A_TIME: u64 = 1000;
/// How many steps a loop that waits may take until it is back in the same state.
const SPINS: usize = 1000;
/// How often what reads point to is corrected before we give up.
const ROUNDS: usize = 64;

/// A thread in the middle of its replay.
pub struct Run {
    /// Its number.
    pub id: ThreadId,
    /// The function it starts with.
    pub function: FuncId,
    /// The thread.
    thread: Thread<Flow>,
    /// What it has done.
    pub state: State,
    /// Which of its decisions have been used.
    pub cursor: Cursor,
    /// How far it is.
    pub status: Status,
    /// Where it was, once its decisions are used up and it is to loop for ever.
    trail: Vec<Spot>,
    /// The thread, its state and its answers where that began.
    before_loop: Option<Box<(Thread<Flow>, State, Cursor)>>,
    /// The thread, its state and its answers before the atomic section that it reached last.
    section: Option<Box<(Thread<Flow>, State, Cursor)>>,
    /// Where it was before what it repeats for ever.
    pub mark: Option<Box<Mark>>,
    /// The lock that it waits for, if it waits for one.
    pub wants: Option<CellId>,
    /// Whether it waits for what no other thread accesses.
    pub alone: bool,
    /// What it had done not long after its last access, if it is to be cut, and after how many
    /// instructions that was.
    at_cut: Option<(Box<State>, u64)>,
}

impl Run {
    /// Whether its decisions are used up, and it has made all the writes that the witness knows.
    fn is_used_up(&self, witness: &Witness) -> bool {
        let Some(given) = witness.threads.get(self.id.index()) else { return false };
        let all = witness.co.iter().flat_map(|co| &co.writes);
        let own = all.filter(|write| write.thread as usize == self.id.index());
        let writes = own.map(|write| write.index + 1).max().unwrap_or(0);
        self.cursor.unused(given).is_none() && self.state.writes >= writes
    }

    /// Goes back to where the loop began, if the thread has written since then.
    fn stay_in_loop(&mut self) {
        let wrote = |saved: &(Thread<Flow>, State, Cursor)| saved.1.writes != self.state.writes;
        if self.before_loop.as_deref().is_some_and(wrote)
            && let Some(saved) = self.before_loop.take()
        {
            (self.thread, self.state, self.cursor) = *saved;
        }
    }

    /// Goes back to before the section that the thread reached last.
    pub fn leave_section(&mut self) {
        if let Some(saved) = self.section.take() {
            (self.thread, self.state, self.cursor) = *saved;
        }
    }
}

/// How far a thread is.
#[derive(Clone, Debug)]
pub enum Status {
    /// It can go on.
    Running,
    /// It has ended.
    Ended,
    /// It waits for the end of a thread.
    Joins(ThreadId),
    /// It waits before an atomic section.
    Waits,
    /// It loops for ever, and every iteration reads this, as `flag = 0`.
    Spins(Vec<String>),
    /// It is not to go on.
    Cut,
    /// Something is wrong with what it did; where it was.
    Wrong(Box<Wrong>, Vec<StackEntry>),
}

/// Everything about one attempt.
pub struct Attempt<'a, 'p> {
    /// The program, ready for stepping.
    pub code: Code<'p>,
    /// The model.
    pub model: &'a Model,
    /// The witness.
    pub witness: &'a Witness,
    /// Cells, values and objects.
    pub world: World<'p>,
    /// The threads that were started.
    pub runs: Vec<Run>,
    /// What the threads share.
    pub hub: Hub,
    /// How events are recorded.
    pub options: Recording,
    /// When to give up.
    pub limits: Limits,
    regions: Regions,
    /// Which registers are still to be read.
    alive: IdVec<FuncId, Liveness>,
    full_fence: &'static [&'static str],
    /// What threads that wait before a section read.
    waited_for: BTreeSet<CellId>,
}

/// What a thread that loops does to memory.
#[derive(Default)]
struct Changed {
    /// The cells that hold something else now than before, and those that ever did.
    now: BTreeMap<CellId, Option<ValueId>>,
    ever: BTreeSet<CellId>,
    /// The first event that was not processed.
    next: usize,
}

impl Changed {
    /// Processes the new events of a thread, which found these values.
    fn follow(&mut self, world: &World<'_>, recorder: &Recorder, values: &[ValueId]) {
        let new = recorder.events.iter().zip(&recorder.values).skip(self.next);
        for (event, value) in new.filter(|(event, _)| event.kind == EventKind::Write) {
            let Some(cell) = event.cell else { continue };
            let now = value.map(|value| world.value_of(value));
            if now == Some(last_value(world, values, cell)) {
                self.now.remove(&cell);
            } else {
                self.now.insert(cell, *value);
                self.ever.insert(cell);
            }
        }
        self.next = recorder.events.len();
    }
}

/// Runs a witness of a program under a model again.
pub fn replay(
    program: &Program,
    model: &Model,
    witness: &Witness,
    expected: Expected,
    limits: &Limits,
) -> Result<Replayed, Mismatch> {
    let split;
    let program = match witness.splits.as_slice() {
        [] => program,
        splits => {
            let pieces = Pieces { splits: splits.to_vec(), at_once: false };
            split = in_pieces(program.clone(), &pieces);
            &split
        }
    };
    let mut hub = Hub::new(expected);
    for _ in 0..ROUNDS {
        let mut attempt = Attempt::new(program, model, witness, hub)?;
        attempt.limits = limits.clone();
        attempt.run()?;
        // What a read points to is known only when the write it reads from has been executed.
        if !attempt.correct() {
            return check::finish(attempt);
        }
        hub = attempt.hub.again();
    }
    let what = "what the values that are read point to depends on itself";
    Err(Mismatch::Objects(what.to_string()))
}

/// Runs a witness as far as it can be followed; gives what that shows, and whether something goes
/// wrong in it.
pub fn follow(
    program: &Program,
    model: &Model,
    witness: &Witness,
    limits: &Limits,
) -> (Shown, bool) {
    let expected = Expected { class: None, unfinished: true };
    let mut hub = Hub::new(expected);
    hub.shown = Some(Shown::default());
    for _ in 0..ROUNDS {
        let Ok(mut attempt) = Attempt::new(program, model, witness, hub) else { break };
        attempt.limits = limits.clone();
        if attempt.run().is_err() || !attempt.correct() {
            let wrong = attempt.runs.iter().any(|run| matches!(run.status, Status::Wrong(..)));
            return (attempt.hub.shown.unwrap_or_default(), wrong);
        }
        hub = attempt.hub.again();
    }
    (Shown::default(), false)
}

impl<'a, 'p> Attempt<'a, 'p> {
    fn new(
        program: &'p Program,
        model: &'a Model,
        witness: &'a Witness,
        hub: Hub,
    ) -> Result<Self, Mismatch> {
        let &[main] = program.entry.as_slice() else {
            return Err(Mismatch::Unsupported("a program without a single `main`".to_string()));
        };
        if !program.functions[main].params.is_empty() {
            return Err(Mismatch::Unsupported("a `main` with parameters".to_string()));
        }
        if witness.threads.is_empty() {
            return Err(Mismatch::Objects("the witness has no threads".to_string()));
        }
        let objects = Objects::given(program, &witness.objects).map_err(Mismatch::Objects)?;
        let options = Recording::unbounded(language_of(model));
        let code = Code::new(program);
        let thread = Thread::new(&code, ThreadId::new(0), main, &[]);
        let state = State { prefix: true, ..State::default() };
        let main = Run {
            id: ThreadId::new(0),
            function: main,
            thread,
            state,
            cursor: Cursor::default(),
            status: Status::Running,
            trail: Vec::new(),
            before_loop: None,
            section: None,
            mark: None,
            wants: None,
            alone: false,
            at_cut: None,
        };
        let alive = program.functions.iter().map(Liveness::new).collect();
        Ok(Self {
            code,
            alive,
            model,
            witness,
            world: World::of_objects(program, objects),
            runs: vec![main],
            hub,
            options,
            limits: Limits::default(),
            regions: Regions::new(program),
            full_fence: model.full_fence(),
            waited_for: BTreeSet::new(),
        })
    }

    fn run(&mut self) -> Result<(), Mismatch> {
        loop {
            let joinable = |status: &Status| match status {
                Status::Running => true,
                Status::Joins(thread) => self.hub.results.contains_key(thread),
                _ => false,
            };
            let Some(index) = self.runs.iter().position(|run| joinable(&run.status)) else {
                break;
            };
            self.poll()?;
            self.step(index)?;
        }
        for (number, given) in self.witness.threads.iter().enumerate() {
            let started = self.runs.iter().any(|run| run.id.index() == number);
            if !started && given.end != (End::Cut { accesses: 0 }) {
                return Err(Mismatch::Thread {
                    thread: number as u32,
                    what: "it is never started".to_string(),
                    stack: Vec::new(),
                });
            }
        }
        Ok(())
    }

    /// An error if a limit is reached.
    pub(super) fn poll(&self) -> Result<(), Mismatch> {
        if self.limits.expired() { Err(Mismatch::GaveUp) } else { Ok(()) }
    }

    /// Lets a thread run until it stops.
    fn step(&mut self, index: usize) -> Result<(), Mismatch> {
        let run = &mut self.runs[index];
        if run.thread.at_section(&self.code) {
            let saved = (run.thread.clone(), run.state.clone(), run.cursor.clone());
            run.section = Some(Box::new(saved));
        }
        let end = self.witness.threads.get(run.id.index()).map(|given| given.end);
        if end == Some(End::Spins) && run.before_loop.is_none() && run.is_used_up(self.witness) {
            let saved = (run.thread.clone(), run.state.clone(), run.cursor.clone());
            run.before_loop = Some(Box::new(saved));
        }
        if end == Some(End::Cut { accesses: run.cursor.accesses }) && run.at_cut.is_none() {
            run.at_cut = Some((Box::new(run.state.clone()), run.thread.executed()));
        }
        let mut state = std::mem::take(&mut run.state);
        let recorder = std::mem::take(&mut state.recorder);
        let scribe = Scribe {
            world: &mut self.world,
            recorder,
            regions: &self.regions,
            options: self.options,
        };
        let cursor = std::mem::take(&mut run.cursor);
        let given =
            Decided { witness: self.witness, thread: run.id.index(), cursor, hub: &mut self.hub };
        let mut memory = Shared {
            scribe,
            state,
            before: State::default(),
            answers: given,
            full_fence: self.full_fence,
        };
        let given = run.before_loop.is_some();
        let fuel = match end {
            Some(End::Spins) if given => SPINNING_FUEL,
            Some(End::Cut { accesses }) if accesses == memory.answers.cursor.accesses => {
                SPINNING_FUEL
            }
            _ => FUEL.saturating_sub(run.thread.executed()),
        };
        let spins = end == Some(End::Spins) && given;
        let spot = |thread: &Thread<Flow>, memory: &Shared<'_, '_, Decided<'_, '_>>| {
            let objects = memory.scribe.world.objects();
            Spot::new(&self.code, &self.alive, objects, thread, &memory.state)
        };
        if spins {
            run.trail.push(spot(&run.thread, &memory));
        }
        let steps = if end == Some(End::Spins) { 1 } else { AT_A_TIME };
        let mut step = run.thread.run(&self.code, &mut memory, steps, fuel);
        if spins && matches!(step, Step::Ran) {
            let here = spot(&run.thread, &memory);
            let again = run.trail.iter().any(|earlier| earlier.is_like(&here));
            if again || run.trail.len() > SPINS {
                step = Step::Stopped(Stop::Spins);
            }
        }
        run.state = memory.state;
        run.state.recorder = memory.scribe.recorder;
        run.cursor = memory.answers.cursor;
        self.after(index, step)
    }

    /// What came of it.
    fn after(&mut self, index: usize, step: Step<Stop>) -> Result<(), Mismatch> {
        let given = self.witness.threads.get(self.runs[index].id.index()).map(|given| given.end);
        let at_its_cut = given == Some(End::Cut { accesses: self.runs[index].cursor.accesses });
        // A thread may be said to stop where it reads from a freed block.
        let freed = given == Some(End::Finding) && self.runs[index].state.freed_read.is_some();
        let cut = at_its_cut || freed;
        match step {
            Step::Ran if self.goes_on(index) => {
                // Past its last access, what a thread does by itself is irrelevant.
                match self.runs[index].at_cut.take().filter(|_| cut) {
                    Some((state, _)) => {
                        self.runs[index].state = *state;
                        self.cut(index);
                    }
                    None => return Err(self.mismatch(index, "it goes on and on")),
                }
            }
            Step::Ran => self.runs[index].status = Status::Running,
            Step::OutOfFuel | Step::Stopped(Stop::Spins) if given == Some(End::Spins) => {
                self.runs[index].stay_in_loop();
                self.runs[index].status = Status::Spins(Vec::new());
            }
            Step::Stopped(Stop::Repeats) => self.repeat(index)?,
            // It has made its last access, and a thread that joins it waits all the same.
            Step::Finished(_) if at_its_cut => self.cut(index),
            Step::Finished(ending) => {
                let value = match ending {
                    Ending::Returned(value) | Ending::ThreadExit(value) => value,
                    Ending::Exit(_) => None,
                };
                let run = &mut self.runs[index];
                self.hub.over |= matches!(ending, Ending::Exit(_));
                self.hub.returned |= run.id.index() == 0 && matches!(ending, Ending::Returned(_));
                // No thread continues after the end of the program.
                if !matches!(ending, Ending::Exit(_)) || run.id.index() == 0 {
                    self.hub.results.insert(run.id, result(value));
                    self.hub.left.insert(run.id, run.state.hand_over());
                }
                let undefined = value.is_some_and(|value| !value.is_defined());
                run.status = match undefined && run.id.index() == 0 && !cut {
                    true => Status::Wrong(Box::new(Wrong::undefined_result()), Vec::new()),
                    false => Status::Ended,
                };
            }
            Step::OutOfFuel if cut => self.runs[index].status = Status::Cut,
            // Past its last access, what a thread does by itself is irrelevant.
            Step::Stopped(Stop::Cut | Stop::Wrong(_) | Stop::Discard | Stop::Waits) if cut => {
                self.cut(index);
            }
            Step::Stopped(Stop::FirstSpawn) => {
                self.runs[index].state.end_prefix(self.world.objects_mut());
            }
            Step::Stopped(Stop::WaitsFor(thread)) => {
                self.runs[index].status = Status::Joins(thread);
            }
            Step::Stopped(Stop::Waits) if matches!(given, Some(End::Repeats { .. })) => {
                return Err(self.mismatch(index, "it waits in what it is to repeat"));
            }
            Step::Stopped(Stop::Waits) => self.wait(index),
            Step::Stopped(Stop::Wrong(wrong)) => {
                let stack = self.stack(index);
                self.runs[index].status = Status::Wrong(wrong, stack);
            }
            Step::Stopped(Stop::Unsupported(what)) => return Err(Mismatch::Unsupported(what)),
            Step::Stopped(Stop::Mismatch(what)) => return Err(self.mismatch(index, &what)),
            Step::Stopped(Stop::Discard) => {
                return Err(self.mismatch(index, "an assumption fails"));
            }
            Step::OutOfFuel => return Err(self.mismatch(index, "it does not end")),
            Step::Stopped(Stop::Cut | Stop::Bounded | Stop::Fork(_) | Stop::Spins) => {
                return Err(self.mismatch(index, "it stops for no reason"));
            }
        }
        self.start_threads(index);
        Ok(())
    }

    /// What threads that wait before a section read.
    pub fn waited_for(&self) -> &BTreeSet<CellId> {
        &self.waited_for
    }

    /// Where a thread is.
    pub fn spot(&self, index: usize) -> Spot {
        let Run { thread, state, .. } = &self.runs[index];
        Spot::new(&self.code, &self.alive, self.world.objects(), thread, state)
    }

    /// Whether a thread waits for ever.
    pub fn waits(&self, run: &Run) -> bool {
        matches!(run.status, Status::Waits | Status::Joins(_) | Status::Spins(_))
            && !matches!(self.witness.threads[run.id.index()].end, End::Cut { .. })
    }

    /// Whether a thread does more than a witness can be about.
    fn goes_on(&self, index: usize) -> bool {
        let run = &self.runs[index];
        let since = run.at_cut.as_ref().map_or(0, |(_, start)| run.thread.executed() - start);
        run.state.recorder.events.len() > super::check::MOST_EVENTS || since > SPINNING_FUEL
    }

    /// The thread waits before the section, as if it had not entered it.
    fn wait(&mut self, index: usize) {
        self.runs[index].leave_section();
        self.runs[index].status = Status::Waits;
    }

    /// The thread goes no further. If it has accessed nothing in its section, it has not entered it.
    fn cut(&mut self, index: usize) {
        let run = &mut self.runs[index];
        if let Some((start, _)) = run.state.section {
            let accesses = |event: &crate::events::trace::Event| event.kind != EventKind::Fence;
            if !run.state.recorder.events[start..].iter().any(accesses) {
                run.leave_section();
            }
        }
        run.status = Status::Cut;
    }

    fn start_threads(&mut self, index: usize) {
        let spawned = self.runs[index].state.spawned.clone();
        for spawn in spawned {
            if self.runs.iter().any(|run| run.id == spawn.thread) {
                continue;
            }
            let thread = Thread::new(&self.code, spawn.thread, spawn.function, &spawn.args);
            let handed = &self.runs[index].state.handed;
            let local = handed.iter().find(|(thread, _)| *thread == spawn.thread);
            let local = local.map(|(_, local)| local.clone()).unwrap_or_default();
            self.runs.push(Run {
                id: spawn.thread,
                function: spawn.function,
                thread,
                state: State { local, ..State::default() },
                cursor: Cursor::default(),
                status: Status::Running,
                trail: Vec::new(),
                before_loop: None,
                section: None,
                mark: None,
                wants: None,
                alone: false,
                at_cut: None,
            });
        }
    }

    /// An object that is not shared, as the thread that changed it last has left it.
    pub fn newest(&self, region: RegionId) -> Option<&Local> {
        let own = self.runs.iter().filter_map(|run| run.state.local.get(&region));
        own.max_by_key(|local| local.changes)
    }

    /// Where a thread is.
    pub fn stack(&self, index: usize) -> Vec<StackEntry> {
        let trace = self.runs[index].thread.trace(&self.code, usize::MAX);
        describe::stack(self.code.program, &trace)
    }

    /// Something about a thread differs.
    pub fn mismatch(&self, index: usize, what: &str) -> Mismatch {
        Mismatch::Thread {
            thread: self.runs[index].id.index() as u32,
            what: what.to_string(),
            stack: self.stack(index),
        }
    }

    /// Corrects what reads point to by the writes that they read from; gives whether anything
    /// had to be corrected.
    fn correct(&mut self) -> bool {
        let mut changed = false;
        for run in &self.runs {
            let reads = run.state.recorder.events.iter().zip(&run.state.recorder.values);
            let reads =
                reads.filter(|(event, _)| event.kind == EventKind::Read && event.cell.is_some());
            for (number, (event, value)) in reads.enumerate() {
                let (Some(cell), Some(value)) = (event.cell, *value) else { continue };
                let Some(wrote) = self.seen(run, number, cell) else { continue };
                let value = self.world.value_of(value);
                let (right, given) =
                    ((wrote.provenance, wrote.high), (value.provenance, value.high));
                if wrote.bits == value.bits && wrote.undef == value.undef && right != given {
                    let key = (run.id.index(), number);
                    self.hub.corrected.insert(key, right);
                    changed = true;
                }
            }
        }
        changed
    }

    /// The threads that wait before a section cannot enter it when memory holds these values.
    pub fn check_waiting(&mut self, values: &[ValueId]) -> Result<(), Mismatch> {
        for index in 0..self.runs.len() {
            if !matches!(self.runs[index].status, Status::Waits) {
                continue;
            }
            let run = &self.runs[index];
            let mut thread = run.thread.clone();
            let mut state = run.state.clone();
            let recorder = std::mem::take(&mut state.recorder);
            let start = recorder.events.len();
            let scribe = Scribe {
                world: &mut self.world,
                recorder,
                regions: &self.regions,
                options: self.options,
            };
            let (before, answers) = (State::default(), Last::new(values));
            let full_fence = self.full_fence;
            let mut memory = Shared { scribe, state, before, answers, full_fence };
            let step = thread.run(&self.code, &mut memory, u64::MAX, FUEL);
            let tried = &memory.scribe.recorder.events[start..];
            let frees = |event: &crate::events::trace::Event| {
                event.whole.is_some_and(|(_, filling)| !matches!(filling, Filling::Made { .. }))
            };
            if tried.iter().any(frees) {
                let what = "a thread that frees memory in an atomic section, and waits";
                return Err(Mismatch::Unsupported(what.to_string()));
            }
            let looked = tried.iter().zip(memory.state.notes.iter().skip(start));
            let wanted = |(event, note): (&crate::events::trace::Event, &Note)| {
                let word = event.kind == EventKind::Read && note.purpose.is_lock_word();
                event.cell.filter(|_| word)
            };
            let wants = looked.filter_map(wanted).next_back();
            let reads = |event: &crate::events::trace::Event| {
                event.kind == EventKind::Read && event.cell.is_some()
            };
            let alone = !tried.iter().any(reads);
            self.waited_for
                .extend(tried.iter().filter(|event| reads(event)).filter_map(|e| e.cell));
            match step {
                Step::Stopped(Stop::Waits) => {
                    self.runs[index].wants = wants;
                    self.runs[index].alone = alone;
                }
                Step::Stopped(Stop::Unsupported(what)) => return Err(Mismatch::Unsupported(what)),
                _ => return Err(self.mismatch(index, "it waits, but it could go on")),
            }
        }
        Ok(())
    }

    /// The threads that loop do so for ever when memory holds these values: they return to where
    /// they were, restore these values, and no other waiting thread reads what they change on the
    /// way.
    pub fn check_spinning(&mut self, values: &[ValueId]) -> Result<(), Mismatch> {
        let loops = Loops::new(self.code.program);
        let (mut final_reads, mut seen_in_between) = (Vec::new(), Vec::new());
        for index in 0..self.runs.len() {
            let repeats = self.runs[index].mark.is_some();
            if repeats || !matches!(self.runs[index].status, Status::Spins(_)) {
                continue;
            }
            let run = &self.runs[index];
            let mut thread = run.thread.clone();
            let mut state = run.state.clone();
            let recorder = std::mem::take(&mut state.recorder);
            let start = recorder.events.len();
            let scribe = Scribe {
                world: &mut self.world,
                recorder,
                regions: &self.regions,
                options: self.options,
            };
            let (before, answers) = (State::default(), Last::new(values));
            let full_fence = self.full_fence;
            let mut memory = Shared { scribe, state, before, answers, full_fence };
            let mut seen: Vec<(Spot, BTreeMap<CellId, Option<ValueId>>)> = Vec::new();
            let (mut again, mut counting) = (false, Counting::default());
            let mut changed = Changed { next: start, ..Changed::default() };
            // Where it was, or at the head of a loop in which nothing differs but what was counted;
            // with the same in memory.
            while seen.len() < SPINS && !again {
                let objects = memory.scribe.world.objects();
                let here = Spot::new(&self.code, &self.alive, objects, &thread, &memory.state);
                seen.push((here, changed.now.clone()));
                let end = thread.executed() + SPINNING_FUEL;
                let step = loop {
                    let step = thread.run(&self.code, &mut memory, 1, 1);
                    changed.follow(memory.scribe.world, &memory.scribe.recorder, values);
                    counting.stay(&loops, &thread);
                    if matches!(step, Step::Ran | Step::OutOfFuel) && loops.is_at_head(&thread) {
                        let objects = memory.scribe.world.objects();
                        let now = (&thread, &memory.state);
                        let counted = !counting.come(&self.code, &loops, objects, now).is_empty();
                        again |= counted && changed.now.is_empty();
                    }
                    match step {
                        Step::OutOfFuel if thread.executed() < end && !again => {}
                        step => break step,
                    }
                };
                match step {
                    Step::Ran => {}
                    // It runs on without a visible step.
                    Step::OutOfFuel => again |= changed.now.is_empty(),
                    Step::Stopped(Stop::Unsupported(what)) => {
                        return Err(Mismatch::Unsupported(what));
                    }
                    _ => return Err(self.mismatch(index, "it waits in a loop, but could leave it")),
                }
                let objects = memory.scribe.world.objects();
                let here = Spot::new(&self.code, &self.alive, objects, &thread, &memory.state);
                let first = |(spot, now): &(Spot, _)| *now == changed.now && spot.is_like(&here);
                if let Some(first) = seen.iter().position(first) {
                    // On its way round, it leaves memory once as it was.
                    again |= seen[first..].iter().any(|(_, changed)| changed.is_empty());
                }
            }
            let tried = memory.scribe.recorder.events[start..].to_vec();
            let read: Vec<Option<ValueId>> = memory.scribe.recorder.values[start..].to_vec();
            // A thread that meets a lock held for a moment waits for that moment.
            let notes = memory.state.notes.iter().skip(start);
            let locks: BTreeSet<CellId> = tried
                .iter()
                .zip(notes)
                .filter(|(_, note)| note.purpose.is_lock_word())
                .filter_map(|(event, _)| event.cell)
                .collect();
            if !again {
                return Err(self.mismatch(index, "it does not come back to where it was in a loop"));
            }
            let in_between = changed.ever.difference(&locks);
            seen_in_between.extend(in_between.map(|&cell| (index, cell)));
            let looked = tried.iter().filter(|event| event.kind == EventKind::Read);
            final_reads.extend(looked.filter_map(|event| Some((index, event.cell?))));
            let mut reads = Vec::new();
            for (event, value) in tried.iter().zip(read) {
                let (Some(cell), Some(value)) = (event.cell, value) else { continue };
                let name = &self.world.cells[cell.index()].name;
                let text = format!("{name} = {}", self.world.describe(value));
                if event.kind == EventKind::Read && !reads.contains(&text) {
                    reads.push(text);
                }
            }
            self.runs[index].status = Status::Spins(reads);
        }
        // A waiting thread may see what is there only for a moment.
        let sees = |&(index, cell): &(usize, CellId)| {
            let meet = |other: CellId| self.world.meet(other, cell);
            let others = final_reads.iter().any(|&(other, seen)| other != index && meet(seen));
            others || self.waited_for.iter().any(|&seen| meet(seen))
        };
        match seen_in_between.iter().find(|changed| sees(changed)) {
            Some(&(index, _)) => Err(self.mismatch(index, "others see what it writes in a loop")),
            None => Ok(()),
        }
    }
}
