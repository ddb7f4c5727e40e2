//! Puts the executions of threads together, in every way in which they may belong together.
//!
//! A thread is part of an execution if it is `main` or another part starts it, with these
//! arguments. A thread that joins another gets the result that it has. There are three kinds
//! of execution:
//! - All threads terminate.
//! - One thread goes wrong; the others are wherever they may be stopped.
//! - Each thread has terminated or waits, and no thread can continue: a deadlock, or a loop that
//!   does not terminate. Only the simple case is explored: sections, and iterations of loops, that
//!   choose nothing before they wait.

use super::ends;
use super::guesser::{Task, Tasks};
use super::outcome::{Flawed, ProgramOutcome};
use super::run::{Extra, Group, Run, RunEnd, group};
use crate::search::{Found, search};
use crate::{EnumerationOptions, Problem};
use execution::event::{EventId, EventKind, ThreadId};
use execution::finding::FindingKind;
use execution::ids::Id;
use execution::span::Location;
use execution::witness::ObjectKind;
use ir::program::Program;
use ir::value::{RegionId, Value};
use models::Model;
use replay::events::skeleton::{Link, Links};
use replay::events::trace::Filling;
use replay::flaws::{self, Flaw};
use replay::memory::expand::expand;
use replay::memory::parts::put_together;
use replay::memory::world::{CellId, World};
use replay::observation::Observation;
use std::collections::BTreeSet;

/// The executions of all threads, grouped.
pub struct Threads<'t> {
    /// The threads.
    pub tasks: &'t Tasks,
    /// Executions by task, with the ends they have.
    whole: Vec<Vec<Group>>,
    /// Executions by task, cut where they may be stopped; the shortest first.
    cut: Vec<Vec<Group>>,
    /// Executions by task whose last event may be wrong.
    suspect: Vec<Vec<Group>>,
    /// The objects that several threads use.
    shared: BTreeSet<RegionId>,
}

impl<'t> Threads<'t> {
    /// Groups the executions of threads, of which none stops in the middle of an operation if
    /// operations are units.
    pub fn new(
        program: &Program,
        world: &World<'_>,
        tasks: &'t Tasks,
        runs: &[Vec<Run>],
        units: bool,
    ) -> Self {
        let freed = freed_blocks(runs);
        let cut = |list: &Vec<Run>| {
            let cuts = |run: &Run| {
                let at: Vec<usize> = match units {
                    true => run.cuts_between_operations().collect(),
                    false => run.cuts().collect(),
                };
                let mut parts: Vec<Run> =
                    at.into_iter().map(|at| run.cut(at, RunEnd::Partial)).collect();
                // A thread that joins this one needs it whole.
                if matches!(run.end, RunEnd::Complete(_)) {
                    parts.push(run.clone());
                }
                parts
            };
            let mut groups = group(list.iter().flat_map(|run| -> Vec<Run> { cuts(run) }));
            groups.sort_by_key(|group| group.shape.events.len());
            groups
        };
        let suspect = |list: &Vec<Run>| {
            let late = |run: &Run| suspects(program, world, &freed, run);
            group(list.iter().flat_map(late).chain(list.iter().flat_map(|r| readers(program, r))))
        };
        let whole =
            |list: &Vec<Run>| group(list.iter().filter(|run| run.freed_read.is_none()).cloned());
        let by_thread: Vec<_> =
            tasks.list.iter().zip(runs).map(|(task, runs)| (task.thread, &runs[..])).collect();
        Self {
            tasks,
            shared: ends::shared(world, &by_thread),
            whole: runs.iter().map(whole).collect(),
            cut: runs.iter().map(cut).collect(),
            suspect: runs.iter().map(suspect).collect(),
        }
    }
}

/// The objects whose lifetime ends in some execution.
fn freed_blocks(runs: &[Vec<Run>]) -> BTreeSet<RegionId> {
    let events = runs.iter().flatten().flat_map(|run| &run.events);
    let freed = events.filter_map(|event| event.whole);
    freed.filter(|(_, filling)| *filling == Filling::Freed).map(|(region, _)| region).collect()
}

/// The execution, cut wherever it may be after an event that is invalid if the lifetime of an
/// object had ended before. A store may be late, and what follows it in the program may be what led
/// to the end.
fn suspects(
    program: &Program,
    world: &World<'_>,
    freed: &BTreeSet<RegionId>,
    run: &Run,
) -> Vec<Run> {
    let touches_freed = |event: &usize| {
        let event = &run.events[*event];
        let region = event.cell.map(|cell| world.cells[cell.index()].region);
        let writes = event.kind == EventKind::Write && region.is_some_and(|r| freed.contains(&r));
        let fills = event.whole.is_some_and(|(region, filling)| match filling {
            Filling::Made { zeroed } => zeroed && freed.contains(&region),
            _ => !world.objects().get(region).ends,
        });
        writes || fills
    };
    let late = |event: usize| {
        let place = run.events[event].place;
        let location = place.map(|place| program.places[place].location.clone());
        let cell = run.events[event].cell;
        let kind = match (run.events[event].whole, cell) {
            (None, Some(cell)) => world.objects().used_after_end(world.cells[cell.index()].region),
            (Some((_, Filling::Made { .. })), _) => FindingKind::UseAfterFree,
            _ => FindingKind::DoubleFree,
        };
        let end = RunEnd::Suspect(kind, location);
        let cuts = run.cuts().filter(move |at| *at > event);
        cuts.map(move |at| run.cut(at, end.clone()))
    };
    (0..run.events.len()).filter(touches_freed).flat_map(late).collect()
}

/// The execution of a thread that reads from a freed block, cut wherever it may be after that.
/// A load may be late, and what follows it in the program may be what led to the free.
fn readers(program: &Program, run: &Run) -> Vec<Run> {
    let Some((event, wrong)) = &run.freed_read else { return Vec::new() };
    let place = run.events[*event].place;
    let location = place.map(|place| program.places[place].location.clone());
    let end = RunEnd::Wrong(wrong.clone(), location);
    run.cuts().filter(|at| at > event).map(|at| run.cut(at, end.clone())).collect()
}

/// One execution that was put together.
pub struct Combination<'c, 'f, 'p> {
    /// The groups of the threads, in the order of the skeleton's threads.
    pub parts: &'c [(usize, &'c Group)],
    /// The choice of reads-from and coherence.
    pub found: &'c mut Found<'f, 'p>,
}

impl Combination<'_, '_, '_> {
    /// The writes of each cell in coherence order, the initial one first.
    pub fn orders(&self) -> Vec<Vec<EventId>> {
        let order = |cell: &replay::events::skeleton::CellEvents| {
            let mut writes = cell.writes.clone();
            let before = |id: EventId| {
                cell.writes.iter().filter(|&&other| self.found.co.contains(other, id)).count()
            };
            writes.sort_by_key(|&id| before(id));
            writes.insert(0, cell.initial);
            writes
        };
        self.found.skeleton.cells.iter().map(order).collect()
    }

    /// What the model remarks.
    fn flags(&mut self) -> BTreeSet<String> {
        self.found.flags().into_iter().map(|flag| flag.name.to_string()).collect()
    }

    /// What the executions of the threads have besides events.
    pub fn extras(&self) -> impl Iterator<Item = &Extra> {
        let parts = self.parts.iter().zip(self.found.executions);
        parts.map(|((_, group), &execution)| &group.extras[execution])
    }

    /// What a cell holds in the end; it may be written in parts.
    pub fn last(&self, cell: CellId) -> Value {
        let world = self.found.world;
        if let Some(value) = self.found.final_value(cell) {
            return world.value_of(value);
        }
        let lasts = self.found.skeleton.cells.iter().map(|part| part.cell);
        let lasts = lasts.filter_map(|part| Some((part, self.found.final_value(part)?)));
        put_together(world, cell, lasts)
    }
}

/// The callback that receives executions.
pub type Tell<'t> = &'t mut dyn FnMut(&mut Combination<'_, '_, '_>, ProgramOutcome);

/// Puts executions together.
pub struct Combiner<'c, 't, 'p> {
    /// The program.
    pub program: &'p Program,
    /// Cells and values.
    pub world: World<'p>,
    /// The executions of threads.
    pub threads: &'c Threads<'t>,
    /// How to enumerate.
    pub options: &'c EnumerationOptions,
    /// The model.
    pub model: &'c Model,
    /// What is known to go wrong: there is no need to find it twice.
    pub known: BTreeSet<Flawed>,
}

/// Which executions are looked for.
#[derive(Clone, Copy)]
enum Kind<'k> {
    Complete,
    Wrong { task: usize, group: &'k Group },
    Waiting,
}

impl<'c, 'p> Combiner<'c, '_, 'p> {
    /// Finds all outcomes.
    pub fn run(&mut self, tell: Tell<'_>) -> Result<(), Problem> {
        let threads = self.threads;
        self.extend(Kind::Complete, &mut Vec::new(), tell)?;
        for task in 0..threads.whole.len() {
            let wrong = |group: &&Group| matches!(group.end, RunEnd::Wrong(..));
            let groups = threads.whole[task].iter().filter(wrong);
            for group in groups.chain(&threads.suspect[task]) {
                if !self.is_known(task, group) {
                    self.extend(Kind::Wrong { task, group }, &mut Vec::new(), tell)?;
                }
            }
        }
        let waits = |group: &Group| matches!(group.end, RunEnd::Waits(_) | RunEnd::Spins(..));
        if threads.whole.iter().flatten().any(waits) {
            self.extend(Kind::Waiting, &mut Vec::new(), tell)?;
        }
        Ok(())
    }

    fn thread_of(&self, task: usize) -> u32 {
        self.threads.tasks.list[task].thread.index() as u32
    }

    fn is_known(&self, task: usize, group: &Group) -> bool {
        let thread = self.thread_of(task);
        let found = |kind: FindingKind, location: &Option<Location>| {
            self.known.contains(&Flawed { kind, thread, location: location.clone() })
        };
        match &group.end {
            RunEnd::Wrong(wrong, location) => found(wrong.kind.clone(), location),
            RunEnd::Suspect(kind, location) => found(kind.clone(), location),
            _ => false,
        }
    }

    /// The next thread that a part has started and that has no part yet.
    fn next(&self, parts: &[(usize, &Group)]) -> Option<usize> {
        if parts.is_empty() {
            return Some(0);
        }
        let spawned = parts.iter().flat_map(|(_, group)| &group.spawned);
        let tasks = spawned.filter_map(|spawned| {
            let thread = spawned.thread;
            let (function, args) = (spawned.function, spawned.args.clone());
            let wanted = Task { thread, function, args };
            self.threads.tasks.list.iter().position(|task| *task == wanted)
        });
        let mut tasks = tasks;
        tasks.find(|task| parts.iter().all(|(known, _)| known != task))
    }

    fn extend(
        &mut self,
        kind: Kind<'c>,
        parts: &mut Vec<(usize, &'c Group)>,
        tell: Tell<'_>,
    ) -> Result<(), Problem> {
        self.options.step(0)?;
        let threads = self.threads;
        let Some(task) = self.next(parts) else { return self.whole(kind, parts, tell) };
        let groups: Vec<&Group> = match kind {
            Kind::Complete => {
                let complete = |group: &&Group| matches!(group.end, RunEnd::Complete(_));
                threads.whole[task].iter().filter(complete).collect()
            }
            Kind::Wrong { task: culprit, group } if culprit == task => vec![group],
            Kind::Wrong { .. } => threads.cut[task].iter().collect(),
            Kind::Waiting => {
                let stays =
                    |group: &&Group| matches!(group.end, RunEnd::Complete(_)) || waits(&group.end);
                threads.whole[task].iter().filter(stays).collect()
            }
        };
        for group in groups {
            if let Kind::Wrong { task, group } = kind
                && self.is_known(task, group)
            {
                return Ok(());
            }
            parts.push((task, group));
            self.extend(kind, parts, tell)?;
            parts.pop();
        }
        Ok(())
    }

    /// Whether what the parts know of each other's ends agrees.
    fn agree(&self, kind: Kind<'_>, parts: &[(usize, &Group)]) -> bool {
        let tasks = &self.threads.tasks.list;
        let part = |thread| parts.iter().find(|(task, _)| tasks[*task].thread == thread);
        let joined = parts.iter().flat_map(|(_, group)| &group.joined);
        let ended = joined.map(|joined| match part(joined.thread) {
            Some((_, group)) => group.end == RunEnd::Complete(joined.result),
            None => false,
        });
        let mut awaited = parts.iter().filter_map(|(_, group)| match group.end {
            RunEnd::WaitsFor(thread) => Some(part(thread).is_some_and(|(_, g)| waits(&g.end))),
            _ => None,
        });
        let right = match kind {
            Kind::Complete => true,
            Kind::Wrong { task, .. } => parts.iter().any(|(known, _)| *known == task),
            Kind::Waiting => awaited.all(|waits| waits) && parts.iter().any(|(_, g)| waits(&g.end)),
        };
        right && ended.into_iter().all(|ended| ended)
    }

    fn whole(
        &mut self,
        kind: Kind<'c>,
        parts: &mut [(usize, &'c Group)],
        tell: Tell<'_>,
    ) -> Result<(), Problem> {
        if !self.agree(kind, parts) {
            return Ok(());
        }
        let mut parts = parts.to_vec();
        parts.sort_by_key(|(task, _)| self.threads.tasks.list[*task].thread);
        let links = self.links(&parts);
        let shapes: Vec<_> = parts.iter().map(|(_, group)| &group.shape).collect();
        let shapes = expand(&mut self.world, &shapes, std::iter::empty());
        let shapes: Vec<_> = shapes.iter().collect();
        let (world, known) = (&self.world, &mut self.known);
        let (program, tasks) = (self.program, &self.threads.tasks.list);
        let (endings, shared) = (self.options.endings, &self.threads.shared);
        search(world, self.options, self.model, (&shapes, &links), &mut |found| {
            let mut combination = Combination { parts: &parts, found };
            let thread = |task: usize| tasks[task].thread.index() as u32;
            let outcomes: Vec<ProgramOutcome> = match kind {
                Kind::Complete => {
                    let outcome = complete(program, &mut combination, tasks);
                    let left = outcome.is_some() && endings;
                    let left = left.then(|| ends::of_all(&combination, tasks, shared));
                    let left = left.into_iter().flatten().map(ProgramOutcome::of_all);
                    outcome.into_iter().chain(left).collect()
                }
                Kind::Wrong { task, group } => {
                    wrong(&mut combination, (task, group), thread(task)).into_iter().collect()
                }
                Kind::Waiting => waiting(&combination, tasks),
            };
            for outcome in outcomes {
                known.extend(outcome.finding.clone());
                tell(&mut combination, outcome);
            }
        })
    }

    fn links(&self, parts: &[(usize, &Group)]) -> Links {
        let tasks = &self.threads.tasks.list;
        let position = |thread| parts.iter().position(|(task, _)| tasks[*task].thread == thread);
        let threads = parts.iter().map(|(task, _)| tasks[*task].thread).collect();
        let mut links = Links { threads, ..Links::default() };
        for (parent, (_, group)) in parts.iter().enumerate() {
            for spawned in &group.spawned {
                let (child, after) = (position(spawned.thread), spawned.after);
                links.spawns.extend(child.map(|child| Link { parent, after, child }));
            }
            for joined in &group.joined {
                let (child, after) = (position(joined.thread), joined.after);
                links.joins.extend(child.map(|child| Link { parent, after, child }));
            }
        }
        links
    }
}

/// The outcome of an execution in which all threads terminate.
fn complete(
    program: &Program,
    combination: &mut Combination<'_, '_, '_>,
    tasks: &[Task],
) -> Option<ProgramOutcome> {
    let world = combination.found.world;
    let orders = combination.orders();
    if !flaws::of_objects(world, combination.found.skeleton, &orders).is_empty() {
        return None;
    }
    let mut outcome = ProgramOutcome::default();
    for (index, cell) in world.cells.iter().enumerate() {
        let global = matches!(world.objects().get(cell.region).kind, ObjectKind::Global { .. });
        // Of bytes that are accessed in several widths, no one width is the right one.
        if global && !cell.part && !world.overlaps(CellId::new(index)) {
            let value = combination.last(CellId::new(index));
            let text = world.objects().describe(program, value);
            outcome.finals.insert(cell.name.to_string(), text);
        }
    }
    let seen = combination.parts.iter().enumerate().map(|(position, (task, group))| {
        let execution = combination.found.executions[position];
        (tasks[*task].thread.index() as u32, group.extras[execution].seen.as_slice())
    });
    outcome.observation = Observation::new(world, seen);
    outcome.flags = combination.flags();
    Some(outcome)
}

/// The outcome of an execution in which a thread goes wrong.
fn wrong(
    combination: &mut Combination<'_, '_, '_>,
    (task, group): (usize, &Group),
    thread: u32,
) -> Option<ProgramOutcome> {
    let (kind, location) = match &group.end {
        RunEnd::Wrong(wrong, location) => (wrong.kind.clone(), location),
        RunEnd::Suspect(kind, location) => {
            let (found, orders) = (&combination.found, combination.orders());
            let flaws = flaws::of_objects(found.world, found.skeleton, &orders);
            let is_it = |flaw: &Flaw| {
                let (here, event) = match *flaw {
                    Flaw::WriteAfterEnd(event, region) => {
                        (found.world.objects().used_after_end(region), event)
                    }
                    Flaw::DoubleFree(event) => (FindingKind::DoubleFree, event),
                    Flaw::Reused(_) => return false,
                };
                let Some((position, at)) = found.skeleton.position(event) else { return false };
                let place = found.skeleton.shapes[position].events[at].place;
                let there = place.map(|place| &found.world.program.places[place].location);
                let own = combination.parts[position].0 == task;
                own && here == *kind && there == location.as_ref()
            };
            if !flaws.iter().any(is_it) {
                return None;
            }
            (kind.clone(), location)
        }
        _ => return None,
    };
    let finding = Some(Flawed { kind, thread, location: location.clone() });
    // What was executed until then is an execution like others.
    Some(ProgramOutcome { finding, flags: combination.flags(), ..ProgramOutcome::default() })
}

/// Whether a thread has not terminated and stays where it is.
fn waits(end: &RunEnd) -> bool {
    matches!(end, RunEnd::Waits(_) | RunEnd::WaitsFor(_) | RunEnd::Spins(..))
}

/// Whether `main` has returned, and only threads that were detached have not ended: they end with
/// the program.
fn ends_with_main(combination: &Combination<'_, '_, '_>, tasks: &[Task]) -> bool {
    let thread = |task: usize| tasks[task].thread;
    let mut parts = combination.parts.iter().zip(combination.extras());
    let returned = parts.any(|((task, _), extra)| thread(*task).index() == 0 && extra.returned);
    let is_detached =
        |thread: ThreadId| combination.extras().any(|extra| extra.detached.contains(&thread));
    let mut left = combination.parts.iter().filter(|(_, group)| waits(&group.end));
    returned && left.all(|(task, _)| is_detached(thread(*task)))
}

/// The findings of an execution in which no thread can continue: a thread that loops is not in a
/// deadlock, nor is one that only joins such a thread.
fn waiting(combination: &Combination<'_, '_, '_>, tasks: &[Task]) -> Vec<ProgramOutcome> {
    let (found, orders) = (&combination.found, combination.orders());
    let ends = || combination.parts.iter().map(|(_, group)| &group.end);
    let stays = |end: &RunEnd| match end {
        RunEnd::Waits(held) | RunEnd::Spins(held, _) => {
            held.iter().all(|&(cell, value)| combination.last(cell) == found.world.value_of(value))
        }
        _ => true,
    };
    let sees_last = |(position, (_, group)): (usize, &(usize, &Group))| {
        let RunEnd::Spins(_, Some(start)) = group.end else { return true };
        let count = group.shape.events.len();
        let events = found.skeleton.shapes[position].events.iter().enumerate();
        let last = events.filter(|&(at, event)| {
            let first = event.access.map_or(at, |first| first as usize);
            (start..count).contains(&first)
        });
        let reads = last.filter(|(_, event)| event.kind == EventKind::Read);
        let reads = reads.map(|(at, _)| found.skeleton.event(position, at));
        let lasts = || orders.iter().filter_map(|order| order.last());
        reads.into_iter().all(|read| lasts().any(|&last| found.rf.contains(last, read)))
    };
    if !ends().all(stays)
        || !combination.parts.iter().enumerate().all(sees_last)
        || combination.extras().any(|extra| extra.over)
        || ends_with_main(combination, tasks)
        || !flaws::of_objects(found.world, found.skeleton, &orders).is_empty()
    {
        return Vec::new();
    }
    let spins = ends().any(|end| matches!(end, RunEnd::Spins(..)));
    let deadlock = !spins || ends().any(|end| matches!(end, RunEnd::Waits(_)));
    let kinds = [(FindingKind::Livelock, spins), (FindingKind::Deadlock, deadlock)];
    let kinds = kinds.into_iter().filter(|(_, is_it)| *is_it);
    kinds.map(|(kind, _)| ProgramOutcome::of_all(kind)).collect()
}
