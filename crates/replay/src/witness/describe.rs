//! Describes a replayed execution.

use super::check::{Whole, value_of};
use super::locks::{Held, wanted};
use super::run::{Attempt, Status};
use crate::events::skeleton::CellEvents;
use crate::events::skeleton::label;
use crate::events::trace::Filling;
use crate::flaws::Flaw;
use crate::memory::world::{ValueId, freed};
use crate::observation::Observation;
use crate::thread::answers::Wrong;
use crate::{Detail, Mismatch, Replayed, ThreadSummary};
use execution::event::{EventId, EventKind, Execution, ThreadId};
use execution::finding::{
    AccessInfo, Finding, FindingKind, Object, ObjectKind as Sort, StackEntry, ThreadName,
    ThreadPosition, Verb,
};
use execution::ids::{Id, IdVec};
use execution::relation::Relation;
use execution::witness::ObjectKind;
use ir::program::SourcePlace;
use ir::step::describe::{is_float_at, member_at, stack};
use ir::value::{RegionId, float};
use models::Flag;
use std::sync::Arc;

/// Where the finding is.
pub enum Found {
    /// In this thread, which read from a freed block.
    FreedRead(usize),
    /// In this thread, which detects it itself.
    Thread(usize),
    /// In what happened to an object.
    Object(Flaw),
    /// All threads wait.
    Deadlock,
    /// A block is left that nothing points to.
    Lost(ir::value::RegionId),
    /// A lock is held in the end.
    Held(Held),
}

/// Describes an execution completely.
pub fn describe(
    attempt: &Attempt<'_, '_>,
    whole: &Whole<'_>,
    found: Option<Found>,
    flags: Vec<Flag>,
) -> Result<Replayed, Mismatch> {
    let execution = labelled(attempt, whole);
    let order = order(&execution, whole);
    let mut details: IdVec<EventId, Detail> = IdVec::new();
    for id in execution.events.ids() {
        let detail = detail(attempt, whole, &execution, id);
        let position = order.iter().position(|&other| other == id).unwrap_or(0);
        details.push(Detail { position, ..detail });
    }
    let finding = found.map(|found| finding(attempt, &details, found, whole));
    let threads = attempt.witness.threads.iter().enumerate().map(|(number, given)| {
        let run = attempt.runs.iter().find(|run| run.id.index() == number);
        let function = |run: &super::run::Run| &attempt.code.program.functions[run.function].name;
        ThreadSummary {
            function: run.map_or_else(String::new, |run| function(run).clone()),
            end: given.end,
            operations: run.map_or_else(Vec::new, |run| run.state.operations.clone()),
        }
    });
    let seen = attempt.runs.iter().map(|run| (run.id.index() as u32, run.state.seen.as_slice()));
    let observation = Observation::new(&attempt.world, seen);
    let threads = threads.collect();
    Ok(Replayed { execution, details, order, threads, observation, finding, flags })
}

/// The execution with values and labels.
fn labelled(attempt: &Attempt<'_, '_>, whole: &Whole<'_>) -> Execution {
    let mut execution = whole.skeleton.execution.clone();
    for id in execution.events.ids() {
        let value = value_of(&attempt.world, whole.skeleton, id);
        let value = value.map(|value| match attempt.world.value_of(value) == freed() {
            true if ends(attempt, whole, id) => "gone".to_string(),
            _ => float(attempt, whole, id, value).unwrap_or_else(|| attempt.world.describe(value)),
        });
        let tags = match whole.skeleton.position(id) {
            Some((thread, position)) => {
                let sets = &whole.skeleton.shapes[thread].events[position].sets;
                sets.iter().map(|set| &**attempt.world.set_name(*set)).collect()
            }
            None => Vec::new(),
        };
        let event = &mut execution.events[id];
        event.label = label(event, tags, value.as_deref());
        event.value = value.map(Arc::from);
    }
    execution
}

/// The floating-point number that an event reads or writes, where there is one.
fn float(
    attempt: &Attempt<'_, '_>,
    whole: &Whole<'_>,
    id: EventId,
    value: ValueId,
) -> Option<String> {
    let of = |cell: &&CellEvents| {
        cell.initial == id || cell.writes.contains(&id) || cell.reads.contains(&id)
    };
    let cell = whole.skeleton.cells.iter().find(of)?.cell;
    let cell = &attempt.world.cells[cell.index()];
    let value = attempt.world.value_of(value);
    let layout = attempt.world.objects().get(cell.region).layout?;
    let bytes = value.width.bytes();
    let whole = is_float_at(attempt.code.program, layout, cell.offset, bytes);
    (whole && value.is_defined()).then(|| float::text(&value))
}

/// Whether an event is of an object whose lifetime ends with a call or a thread.
fn ends(attempt: &Attempt<'_, '_>, whole: &Whole<'_>, id: EventId) -> bool {
    let Some((thread, position)) = whole.skeleton.position(id) else { return false };
    let cell = whole.skeleton.shapes[thread].events[position].cell;
    let region = cell.map(|cell| attempt.world.cells[cell.index()].region);
    region.is_some_and(|region| attempt.world.objects().get(region).ends)
}

fn detail(
    attempt: &Attempt<'_, '_>,
    whole: &Whole<'_>,
    execution: &Execution,
    id: EventId,
) -> Detail {
    let event = &execution.events[id];
    let location = event.location.as_deref().map(str::to_owned);
    let value = event.value.as_deref().map(str::to_owned);
    let Some((index, position)) = whole.skeleton.position(id) else {
        return Detail { location, value, ..Detail::default() };
    };
    let run = &attempt.runs[index];
    // Writes to the further cells of an object stand at the end, and further parts of accesses.
    let recorded = &whole.skeleton.shapes[index].events;
    let first = match recorded[position].access {
        Some(first) => Some(first as usize),
        None => recorded.iter().position(|e| e.instruction == recorded[position].instruction),
    };
    let known = if position < run.state.notes.len() { Some(position) } else { first };
    let note = known.and_then(|position| run.state.notes.get(position));
    let whole_note = note.filter(|_| recorded[position].access.is_none());
    let operation = recorded[position].operation.and_then(|number| {
        let number = number - 1;
        let name = run.state.operations.get(number as usize)?;
        Some((number, name.clone()))
    });
    Detail {
        thread: Some(run.id),
        stack: note.map_or(Vec::new(), |note| stack(attempt.code.program, &note.stack)),
        path: note
            .and_then(|note| Some(part_of(attempt, run, &recorded[position], note.path.as_ref()?))),
        purpose: whole_note.map(|note| note.purpose).unwrap_or_default(),
        location,
        value,
        operation,
        commits: commit_access(run, position) == Some(position),
        allocates: recorded[position]
            .whole
            .is_some_and(|(_, filling)| matches!(filling, Filling::Made { .. })),
        position: 0,
    }
}

/// What the source calls a place, or the bytes of it that an event accesses if that is only a part.
fn part_of(
    attempt: &Attempt<'_, '_>,
    run: &super::run::Run,
    event: &crate::events::trace::Event,
    path: &str,
) -> String {
    let first = event.access.and_then(|first| run.state.recorder.events.get(first as usize)?.cell);
    let (Some(whole), Some(part)) = (first, event.cell) else { return path.to_string() };
    let [whole, part] = [whole, part].map(|cell| &attempt.world.cells[cell.index()]);
    let from = part.offset - whole.offset;
    match part.bytes {
        1 => format!("{path} (byte {from})"),
        bytes => format!("{path} (bytes {from} to {})", from + bytes - 1),
    }
}

/// The access at which the operation of an event takes effect, as a position among the events.
fn commit_access(run: &super::run::Run, position: usize) -> Option<usize> {
    let events = &run.state.recorder.events;
    let operation = events.get(position)?.operation?;
    let &until = run.state.commits.get(&(operation - 1))?;
    let is_access = |event: &crate::events::trace::Event| {
        let access = matches!(event.kind, EventKind::Read | EventKind::Write);
        access && event.operation == Some(operation)
    };
    events.iter().take(until).rposition(is_access)
}

/// An order of the events that respects what is seen of other threads, and program order as far
/// as that allows.
fn order(execution: &Execution, whole: &Whole<'_>) -> Vec<EventId> {
    let size = execution.events.len();
    let mut fr = whole.rf.inverse().compose(&whole.co);
    fr = fr.intersection(&Relation::identity(size).complement());
    let seen = whole.rf.union(&whole.co).union(&fr);
    let none = Relation::empty(size);
    let po = execution.relations.get("po").unwrap_or(&none);
    // For each event, how many of those that are left come before it.
    let mut waits: IdVec<EventId, [usize; 2]> = IdVec::new();
    execution.events.ids().for_each(|_| {
        waits.push([0, 0]);
    });
    for (which, relation) in [&seen, po].into_iter().enumerate() {
        relation.iter().filter(|(a, b)| a != b).for_each(|(_, to)| waits[to][which] += 1);
    }
    let mut left: Vec<EventId> = execution.events.ids().collect();
    let mut order: Vec<EventId> = Vec::new();
    while !left.is_empty() {
        let last = order.last().map(|&id: &EventId| execution.events[id].thread);
        let rank = |&id: &EventId| {
            let event = &execution.events[id];
            let switch = last.is_some_and(|thread| thread != event.thread);
            (waits[id][0], event.thread.is_some(), waits[id][1], switch, id)
        };
        let next = left.iter().copied().min_by_key(|id| rank(id));
        let Some(next) = next else { break };
        left.retain(|&id| id != next);
        order.push(next);
        for (which, relation) in [&seen, po].into_iter().enumerate() {
            relation.successors(next).filter(|&to| to != next).for_each(|to| waits[to][which] -= 1);
        }
    }
    order
}

fn finding(
    attempt: &Attempt<'_, '_>,
    details: &IdVec<EventId, Detail>,
    found: Found,
    whole: &Whole<'_>,
) -> Finding {
    let program = attempt.code.program;
    let name = |index: usize| thread_name(attempt, index);
    let empty = |kind: FindingKind, thread: ThreadName| Finding {
        kind,
        access: None,
        thread,
        stack: Vec::new(),
        object: None,
        undefined_read: None,
        waiting: Vec::new(),
        others: Vec::new(),
    };
    match found {
        Found::FreedRead(index) | Found::Thread(index) => {
            let run = &attempt.runs[index];
            let (wrong, stack) = match (&run.state.freed_read, &run.status) {
                (Some((event, wrong)), _) => {
                    (wrong, details[whole.skeleton.event(index, *event)].stack.clone())
                }
                (None, Status::Wrong(wrong, stack)) => (wrong, stack.clone()),
                (None, _) => return empty(FindingKind::Deadlock, name(index)),
            };
            let Wrong { kind, access, object } = (**wrong).clone();
            let object = object.map(|(id, offset)| Object {
                freed: freed_by(attempt, details, whole, (id, None)),
                ..self::object(attempt, id, offset)
            });
            Finding { access, object, stack, ..empty(kind, name(index)) }
        }
        Found::Object(flaw) => {
            let (kind, event, verb) = match flaw {
                Flaw::WriteAfterEnd(event, region) => {
                    (attempt.world.objects().used_after_end(region), event, Verb::Write)
                }
                Flaw::DoubleFree(event) => (FindingKind::DoubleFree, event, Verb::Free),
                Flaw::Reused(_) => return empty(FindingKind::DoubleFree, name(0)),
            };
            let (index, position) = whole.skeleton.position(event).unwrap_or((0, 0));
            let cell = whole.skeleton.shapes[index].events[position].cell;
            let cell = cell.map(|cell| &attempt.world.cells[cell.index()]);
            let detail = &details[event];
            let size = cell.map_or(0, |cell| cell.bytes);
            let access = Some(AccessInfo { verb, size, path: detail.path.clone() });
            let recorded = &whole.skeleton.shapes[index].events[position];
            let place = match (cell, recorded.whole) {
                (Some(cell), _) => Some((cell.region, cell.offset as i64)),
                (None, Some((region, _))) => Some((region, 0)),
                (None, None) => None,
            };
            let object = place.map(|(region, offset)| Object {
                freed: freed_by(attempt, details, whole, (region, Some(event))),
                ..self::object(attempt, region, offset)
            });
            let stack = detail.stack.clone();
            Finding { access, object, stack, ..empty(kind, name(index)) }
        }
        Found::Lost(region) => {
            let made = |run: &super::run::Run| run.state.made.get(&region).cloned();
            let found = attempt.runs.iter().enumerate().find_map(|(i, run)| Some((i, made(run)?)));
            let (index, trace) = found.unwrap_or_default();
            let stack = stack(program, &trace);
            Finding { stack, ..empty(FindingKind::Leak, name(index)) }
        }
        Found::Held(Held { thread, stack }) => {
            Finding { stack, ..empty(FindingKind::LockHeld, name(thread)) }
        }
        Found::Deadlock => {
            let stopped = |run: &super::run::Run| attempt.waits(run);
            let goes_on = |&index: &usize| {
                let run = &attempt.runs[index];
                !stopped(run) && !matches!(run.status, Status::Ended)
            };
            let spins = |run: &super::run::Run| matches!(run.status, Status::Spins(_));
            let spinning = attempt.runs.iter().position(spins);
            let first = spinning.or(attempt.runs.iter().position(stopped)).unwrap_or(0);
            let waiting = (0..attempt.runs.len()).filter(|&i| stopped(&attempt.runs[i]));
            let waiting = waiting.map(|index| ThreadPosition {
                thread: name(index),
                stack: attempt.stack(index),
                joins: match attempt.runs[index].status {
                    Status::Joins(thread) => {
                        let other = attempt.runs.iter().position(|run| run.id == thread);
                        other.map(name)
                    }
                    _ => None,
                },
                loops: matches!(attempt.runs[index].status, Status::Spins(_)),
                reads: match &attempt.runs[index].status {
                    Status::Spins(reads) => reads.clone(),
                    _ => Vec::new(),
                },
                lock: attempt.runs[index].wants.map(|cell| wanted(attempt, whole, cell, name)),
            });
            let waiting = waiting.collect();
            let stack = attempt.stack(first);
            let kind = spinning.map_or(FindingKind::Deadlock, |_| FindingKind::Livelock);
            let others = (0..attempt.runs.len()).filter(goes_on).map(name).collect();
            Finding { waiting, others, stack, ..empty(kind, name(first)) }
        }
    }
}

fn thread_name(attempt: &Attempt<'_, '_>, index: usize) -> ThreadName {
    let run = &attempt.runs[index];
    let function = attempt.code.program.functions[run.function].name.clone();
    ThreadName { id: run.id, function }
}

/// An object, for people.
fn object(attempt: &Attempt<'_, '_>, region: RegionId, offset: i64) -> Object {
    let program = attempt.code.program;
    let object = attempt.world.objects().get(region);
    let thread = |number: u32| {
        let id = ThreadId::new(number as usize);
        let run = attempt.runs.iter().find(|run| run.id == id);
        let function = run.map(|run| program.functions[run.function].name.clone());
        ThreadName { id, function: function.unwrap_or_default() }
    };
    let declared = |name: &str| {
        let global = program.globals.iter().find(|global| global.name == name);
        global.and_then(|global| global.place).map(|place| &program.places[place])
    };
    let (kind, place) = match &object.kind {
        ObjectKind::Global { name } if object.constant => (Sort::Constant, declared(name)),
        ObjectKind::Global { name } => (Sort::Global, declared(name)),
        ObjectKind::ThreadLocal { name, thread: number } => {
            (Sort::ThreadLocal(thread(*number)), declared(name))
        }
        ObjectKind::Function { .. } => (Sort::Function, None),
        ObjectKind::Slot { function, .. } => (Sort::Local(function.clone()), None),
        ObjectKind::Heap { .. } => (Sort::Heap, None),
    };
    let declared = place.map(|place: &SourcePlace| StackEntry {
        function: place.function.clone(),
        location: Some(place.location.clone()),
    });
    let made = attempt.runs.iter().find_map(|run| run.state.made.get(&region));
    let origin = match made {
        Some(trace) if kind == Sort::Heap => stack(program, trace),
        _ => declared.into_iter().collect(),
    };
    let inside = u64::try_from(offset).ok().filter(|&offset| offset < object.size);
    let member = match (object.layout, inside) {
        (Some(layout), Some(offset)) => member_at(program, layout, offset),
        _ => String::new(),
    };
    let (name, size) = (object.name.clone(), object.size);
    Object { kind, name, size, offset, member, origin, freed: None }
}

/// Who frees a block first, by another event than this, and where.
fn freed_by(
    attempt: &Attempt<'_, '_>,
    details: &IdVec<EventId, Detail>,
    whole: &Whole<'_>,
    (region, other): (RegionId, Option<EventId>),
) -> Option<(ThreadName, Vec<StackEntry>)> {
    if attempt.world.objects().get(region).ends {
        return None;
    }
    let mut frees = Vec::new();
    for (index, run) in attempt.runs.iter().enumerate() {
        for (position, event) in run.state.recorder.events.iter().enumerate() {
            let id = whole.skeleton.event(index, position);
            if event.whole == Some((region, Filling::Freed)) && Some(id) != other {
                frees.push((details[id].position, index, id));
            }
        }
    }
    let &(_, index, id) = frees.iter().min()?;
    Some((thread_name(attempt, index), details[id].stack.clone()))
}
