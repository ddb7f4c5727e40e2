//! Puts the executed threads together, compares reads-from and coherence with what was written,
//! and asks the model.
//!
//! Soundness S-155 (check, verify; serial; cries wolf): The replay does not check that no operation
//! stops in its middle because another one failed; solver and oracle know it. Test:
//! crates/fencepost/tests/nothing_lost.rs::no_operation_stops_in_its_middle_where_operations_are_units.

use super::run::{Attempt, Run, Status};
use super::{describe, leaks, locks, sources};
use crate::events::shape::Shape;
use crate::events::skeleton::{CellEvents, Link, Links, Skeleton, parts};
use crate::events::trace::Trace;
use crate::flaws::{self, Flaw};
use crate::memory::expand::expand;
use crate::memory::overlaps;
use crate::memory::parts::put_together;
use crate::memory::world::{CellId, ValueId, World};
use crate::{Mismatch, Replayed};
use execution::event::{EventId, EventKind, Execution, ThreadId};
use execution::finding::{FindingClass, FindingKind};
use execution::ids::Id;
use execution::relation::Relation;
use execution::witness::{Coherence, End, Witness, WriteRef};
use ir::value::Value;
use models::{Unevaluated, check_execution_within};
use std::collections::{BTreeMap, BTreeSet};

/// The threads put together, with what the witness says of reads-from and coherence.
pub struct Whole<'s> {
    /// Everything but `rf` and `co`.
    pub skeleton: &'s Skeleton<'s>,
    /// Reads-from.
    pub rf: Relation,
    /// Coherence.
    pub co: Relation,
    /// Coherence, per cell of the skeleton, the initial write first.
    pub orders: Vec<Vec<EventId>>,
}

/// Relations of more events than this do not fit into memory.
pub(super) const MOST_EVENTS: usize = 20_000;
/// Relations of more events than this need room; about how many of them there are.
const MANY_EVENTS: usize = 1000;
const RELATIONS: u64 = 24;

/// Checks everything about an attempt whose threads have been executed.
pub fn finish(mut attempt: Attempt<'_, '_>) -> Result<Replayed, Mismatch> {
    attempt.world.refresh();
    attempt.runs.sort_by_key(|run| run.id);
    check_ends(&attempt)?;
    overlaps::refuse(attempt.model, &attempt.world).map_err(Mismatch::Unsupported)?;
    check_made(&attempt)?;
    let events: usize = attempt.runs.iter().map(|run| run.state.recorder.events.len()).sum();
    if events > MOST_EVENTS {
        let what = format!("an execution of {events} events is too long to be run again");
        return Err(Mismatch::Unsupported(what));
    }
    let relation = (events as u64).pow(2) / 8;
    if events > MANY_EVENTS && !attempt.limits.has_room(RELATIONS * relation) {
        return Err(Mismatch::GaveUp);
    }
    let shapes: Vec<Shape> = attempt.runs.iter().map(shape).collect();
    let cuts = sources::cuts(&attempt);
    let shapes = shapes.iter().collect::<Vec<_>>();
    let shapes = expand(&mut attempt.world, &shapes, cuts.into_iter());
    let links = links(&attempt.runs);
    let structured = attempt.options.language.orders_instructions();
    let mut skeleton = Skeleton::new(&attempt.world, shapes.iter().collect(), structured, &links);
    if !attempt.model.knows_atomic_sections() && has_large_sections(&skeleton.execution) {
        let name = &attempt.model.name;
        let message = format!("the model {name} gives atomic sections no meaning");
        return Err(Mismatch::Unsupported(message));
    }
    attempt.poll()?;
    let rf = reads_from(&attempt, &skeleton)?;
    let orders = coherence(&attempt, &skeleton)?;
    let co = total(&orders, skeleton.execution.events.len());
    skeleton.execution.relations.insert("rf".into(), rf.clone());
    skeleton.execution.relations.insert("co".into(), co.clone());
    let limits = &attempt.limits;
    let outcome =
        check_execution_within(attempt.model, &skeleton.execution, limits).map_err(|problem| {
            match problem {
                Unevaluated::Model(diagnostic) => Mismatch::Unsupported(diagnostic.message),
                Unevaluated::GaveUp => Mismatch::GaveUp,
            }
        })?;
    if let Some(failure) = outcome.failed {
        return Err(Mismatch::Forbidden(failure));
    }
    let whole = Whole { skeleton: &skeleton, rf, co, orders };
    let finding = finding(&mut attempt, &whole, !outcome.flags.is_empty())?;
    describe::describe(&attempt, &whole, finding, outcome.flags)
}

/// Whether there is an atomic section that is more than one access or one read-modify-write, which
/// are atomic in every model.
fn has_large_sections(execution: &Execution) -> bool {
    let Some(sections) = execution.relations.get("same-atomic") else { return false };
    let access =
        |id: EventId| matches!(execution.events[id].kind, EventKind::Read | EventKind::Write);
    let rmw = execution.relations.get("rmw");
    let paired = |a, b| rmw.is_some_and(|rmw| rmw.contains(a, b) || rmw.contains(b, a));
    sections.iter().any(|(a, b)| a != b && access(a) && access(b) && !paired(a, b))
}

/// Every thread came as far as the witness says.
fn check_ends(attempt: &Attempt<'_, '_>) -> Result<(), Mismatch> {
    for (index, run) in attempt.runs.iter().enumerate() {
        let given = &attempt.witness.threads[run.id.index()];
        let what = match (given.end, &run.status) {
            (End::Completed, Status::Ended) | (End::Finding, Status::Wrong(..)) => None,
            (End::Waits, Status::Waits | Status::Joins(_)) => None,
            (End::Spins | End::Repeats { .. }, Status::Spins(_)) => None,
            // An engine need not detect that a thread waits for one that has stopped.
            (End::Completed, Status::Joins(_)) => None,
            (End::Finding, Status::Cut | Status::Ended | Status::Joins(_))
                if run.state.freed_read.is_some() =>
            {
                None
            }
            // Where something is reached in a section, the error may be in the section too.
            (End::Cut { accesses }, Status::Cut | Status::Joins(_) | Status::Ended)
                if !run.state.recorder.is_within_section()
                    || run.state.fails_in_section()
                    || attempt.hub.expected.unfinished =>
            {
                (run.cursor.accesses != accesses)
                    .then(|| format!("it makes {} accesses, not {accesses}", run.cursor.accesses))
            }
            (_, Status::Cut) if run.state.recorder.is_within_section() => {
                Some("it is cut inside an atomic section".to_string())
            }
            (_, Status::Wrong(wrong, _)) => Some(format!("it goes wrong: {:?}", wrong.kind)),
            (end, status) => Some(format!("it is said to be {end:?}, but is {}", name(status))),
        };
        if let Some(what) = what.or_else(|| run.cursor.unused(given)) {
            return Err(attempt.mismatch(index, &what));
        }
    }
    Ok(())
}

fn name(status: &Status) -> &'static str {
    match status {
        Status::Running => "running",
        Status::Ended => "at its end",
        Status::Joins(_) => "waiting for a thread",
        Status::Waits => "waiting",
        Status::Spins(_) => "waiting in a loop",
        Status::Cut => "cut",
        Status::Wrong(..) => "wrong",
    }
}

/// Every object that is accessed has been created.
fn check_made(attempt: &Attempt<'_, '_>) -> Result<(), Mismatch> {
    let touched: BTreeSet<CellId> = attempt
        .runs
        .iter()
        .flat_map(|run| &run.state.recorder.events)
        .filter_map(|event| event.cell)
        .collect();
    for cell in touched {
        let object = attempt.world.objects().get(attempt.world.cells[cell.index()].region);
        if !object.made {
            return Err(Mismatch::Objects(format!("{} is never made", object.name)));
        }
    }
    Ok(())
}

fn shape(run: &Run) -> Shape {
    let Trace { events, values, .. } = run.state.recorder.clone().finish();
    let values = values.into_iter().map(|value| vec![value]).collect();
    Shape { stray: false, events, values, observations: vec![Vec::new()] }
}

fn links(runs: &[Run]) -> Links {
    let position = |thread: ThreadId| runs.iter().position(|run| run.id == thread);
    let mut links = Links { threads: runs.iter().map(|run| run.id).collect(), ..Links::default() };
    for (parent, run) in runs.iter().enumerate() {
        for spawned in &run.state.spawned {
            let child = position(spawned.thread);
            links.spawns.extend(child.map(|child| Link { parent, after: spawned.after, child }));
        }
        for joined in &run.state.joined {
            let child = position(joined.thread);
            links.joins.extend(child.map(|child| Link { parent, after: joined.after, child }));
        }
    }
    links
}

/// The event of a write to a cell, if there is one.
fn write_event(
    attempt: &Attempt<'_, '_>,
    skeleton: &Skeleton<'_>,
    cell: CellId,
    from: WriteRef,
) -> Option<EventId> {
    let index = attempt.runs.iter().position(|run| run.id.index() == from.thread as usize)?;
    let state = &attempt.runs[index].state;
    let numbers = &state.write_numbers;
    let (&position, _) = numbers.iter().find(|(_, number)| **number == from.index)?;
    let events = &skeleton.shapes[index].events;
    let first = events.get(position)?;
    if first.cell == Some(cell) {
        return Some(skeleton.event(index, position));
    }
    let other = |event: &crate::events::trace::Event| {
        let part = first.access.is_some() && event.access == first.access;
        let same_fill = first.whole.is_some()
            && event.whole == first.whole
            && event.instruction == first.instruction;
        (part || same_fill) && event.cell == Some(cell)
    };
    events.iter().position(other).map(|position| skeleton.event(index, position))
}

/// The value of a write.
pub fn value_of(world: &World<'_>, skeleton: &Skeleton<'_>, event: EventId) -> Option<ValueId> {
    match skeleton.position(event) {
        Some((thread, position)) => skeleton.shapes[thread].values[position][0],
        None => {
            let cell = skeleton.cells.get(event.index())?.cell;
            Some(world.cells[cell.index()].initial)
        }
    }
}

fn reads_from(attempt: &Attempt<'_, '_>, skeleton: &Skeleton<'_>) -> Result<Relation, Mismatch> {
    let mut rf = Relation::empty(skeleton.execution.events.len());
    for (index, run) in attempt.runs.iter().enumerate() {
        let events = &skeleton.shapes[index].events;
        let recorded = &events[..run.state.recorder.events.len()];
        let reads = recorded.iter().enumerate().filter(|(_, event)| event.kind == EventKind::Read);
        for (number, ((position, event), from)) in reads.zip(&run.cursor.reads).enumerate() {
            let wrong = |what: String| Mismatch::ReadsFrom {
                thread: run.id.index() as u32,
                read: number as u32,
                what,
            };
            let Some(cell) = event.cell else { continue };
            let mut wrote = Vec::new();
            for part in parts(events, position) {
                let Some(cell) = events[part].cell else { continue };
                let place = &attempt.world.cells[cell.index()];
                let start = event.cell.map_or(0, |cell| attempt.world.cells[cell.index()].offset);
                let given = &attempt.witness.threads[run.id.index()];
                let from = sources::source(given, number, place.offset - start, *from);
                let write = match from {
                    None => skeleton.cells.iter().find(|c| c.cell == cell).map(|c| c.initial),
                    Some(from) => write_event(attempt, skeleton, cell, from),
                };
                let Some(write) = write else {
                    let place = &place.name;
                    return Err(wrong(format!(
                        "the write it reads from does not write to {place}"
                    )));
                };
                wrote.push((cell, value_of(&attempt.world, skeleton, write)));
                rf.insert(write, skeleton.event(index, part));
            }
            let seen = run.state.recorder.values.get(position).copied().flatten();
            let wrote = match wrote.as_slice() {
                &[(_, value)] => value.map(|value| attempt.world.value_of(value)),
                parts => sources::together(&attempt.world, run, position, parts),
            };
            let seen = seen.map(|seen| attempt.world.value_of(seen));
            if wrote != seen {
                let show = |value: Option<Value>| {
                    value.map_or("nothing".to_string(), |value| attempt.world.describe_value(value))
                };
                let place = &attempt.world.cells[cell.index()].name;
                let (wrote, seen) = (show(wrote), show(seen));
                return Err(wrong(format!("{seen} is read at {place}, but {wrote} was written")));
            }
        }
        sources::check(attempt, run)?;
    }
    Ok(rf)
}

fn coherence(
    attempt: &Attempt<'_, '_>,
    skeleton: &Skeleton<'_>,
) -> Result<Vec<Vec<EventId>>, Mismatch> {
    check_places(&attempt.world, skeleton, attempt.witness)?;
    let mut orders = Vec::new();
    for cell in &skeleton.cells {
        let place = &attempt.world.cells[cell.cell.index()];
        let wrong = |what: String| Mismatch::Coherence { location: place.name.to_string(), what };
        let base = attempt.world.objects().get(place.region).base;
        let given =
            attempt.witness.co.iter().find(|co| covers(co, base + place.offset, place.bytes));
        let mut order = vec![cell.initial];
        match given {
            None if cell.writes.len() > 1 => {
                return Err(wrong("the witness does not order the writes".to_string()));
            }
            None => order.extend(&cell.writes),
            Some(given) => {
                for &write in &given.writes {
                    let event = write_event(attempt, skeleton, cell.cell, write);
                    let Some(event) = event else {
                        let WriteRef { thread, index } = write;
                        let text = format!("write {index} of thread {thread} is not one of its");
                        return Err(wrong(text));
                    };
                    if order.contains(&event) {
                        return Err(wrong("a write is listed twice".to_string()));
                    }
                    order.push(event);
                }
            }
        }
        if order.len() != cell.writes.len() + 1 {
            let (listed, made) = (order.len() - 1, cell.writes.len());
            return Err(wrong(format!("{listed} writes are listed, but {made} are made")));
        }
        orders.push(order);
    }
    Ok(orders)
}

/// Whether what is said of some bytes is said of these.
fn covers(co: &Coherence, address: u64, bytes: u64) -> bool {
    co.address <= address && address + bytes <= co.address.saturating_add(u64::from(co.bytes))
}

/// Only locations are ordered that are accessed, each once.
fn check_places(
    world: &World<'_>,
    skeleton: &Skeleton<'_>,
    witness: &Witness,
) -> Result<(), Mismatch> {
    for (index, co) in witness.co.iter().enumerate() {
        let wrong = |what: &str| Mismatch::Coherence {
            location: format!("{:#x}", co.address),
            what: what.to_string(),
        };
        let end = co.address.saturating_add(u64::from(co.bytes));
        let meets = |other: &Coherence| {
            let last = other.address.saturating_add(u64::from(other.bytes));
            co.address < last && other.address < end
        };
        if witness.co[..index].iter().any(meets) {
            return Err(wrong("it is given twice"));
        }
        let known = skeleton.cells.iter().any(|cell| {
            let cell = &world.cells[cell.cell.index()];
            covers(co, world.objects().get(cell.region).base + cell.offset, cell.bytes)
        });
        if !known && !co.writes.is_empty() {
            return Err(wrong("nothing accesses this location"));
        }
        if !(1..=16).contains(&co.bytes) {
            return Err(wrong("no access is that wide"));
        }
    }
    Ok(())
}

fn total(orders: &[Vec<EventId>], size: usize) -> Relation {
    let mut co = Relation::empty(size);
    for order in orders {
        for (index, &before) in order.iter().enumerate() {
            for &after in &order[index + 1..] {
                co.insert(before, after);
            }
        }
    }
    co
}

/// What went wrong in a thread or with an object: where there is more than one thing, what the
/// witness is about.
fn wrong(
    attempt: &Attempt<'_, '_>,
    whole: &Whole<'_>,
) -> Result<Option<describe::Found>, Mismatch> {
    // What follows a read from an object that is gone is only its consequence.
    let of_thread = |(index, run): (usize, &Run)| match (&run.state.freed_read, &run.status) {
        (Some((_, wrong)), _) => Some((wrong.kind.clone(), describe::Found::FreedRead(index))),
        (None, Status::Wrong(wrong, _)) => {
            Some((wrong.kind.clone(), describe::Found::Thread(index)))
        }
        (None, _) => None,
    };
    let mut found: Vec<_> = attempt.runs.iter().enumerate().filter_map(of_thread).collect();
    found.sort_by_key(|(_, found)| !matches!(found, describe::Found::FreedRead(_)));
    for flaw in flaws::of_objects(&attempt.world, whole.skeleton, &whole.orders) {
        let kind = match flaw {
            Flaw::WriteAfterEnd(_, region) => attempt.world.objects().used_after_end(region),
            Flaw::DoubleFree(_) => FindingKind::DoubleFree,
            Flaw::Reused(_) if !found.is_empty() => continue,
            Flaw::Reused(region) => {
                let name = &attempt.world.objects().get(region).name;
                return Err(Mismatch::Objects(format!("{name} is used again, but was not freed")));
            }
        };
        found.push((kind, describe::Found::Object(flaw)));
    }
    let asked =
        found.iter().position(|(kind, _)| attempt.hub.expected.is(kind.class())).unwrap_or(0);
    Ok((!found.is_empty()).then(|| found.swap_remove(asked).1))
}

/// What all cells hold in the end.
fn lasts(attempt: &mut Attempt<'_, '_>, whole: &Whole<'_>) -> Vec<ValueId> {
    let cells = whole.skeleton.cells.iter().zip(&whole.orders);
    let last = |(cell, order): (&CellEvents, &Vec<EventId>)| {
        let value = value_of(&attempt.world, whole.skeleton, *order.last()?)?;
        Some((cell.cell, value))
    };
    let written: BTreeMap<CellId, ValueId> = cells.filter_map(last).collect();
    let mut values = Vec::new();
    for index in 0..attempt.world.cells.len() {
        let cell = CellId::new(index);
        values.push(match written.get(&cell) {
            Some(&value) => value,
            None => {
                let parts = written.iter().map(|(&cell, &value)| (cell, value));
                let value = put_together(&attempt.world, cell, parts);
                attempt.world.value(value)
            }
        });
    }
    values
}

/// What is wrong with the program, and whether the threads may have stopped where they did.
fn finding(
    attempt: &mut Attempt<'_, '_>,
    whole: &Whole<'_>,
    flagged: bool,
) -> Result<Option<describe::Found>, Mismatch> {
    if let Some(found) = wrong(attempt, whole)? {
        return Ok(Some(found));
    }
    let waits = |run: &Run| attempt.waits(run);
    let stopped = |run: &Run| !matches!(run.status, Status::Ended);
    if !attempt.runs.iter().any(stopped) {
        let last = |cell: CellId| {
            let index = whole.skeleton.cells.iter().position(|c| c.cell == cell)?;
            value_of(&attempt.world, whole.skeleton, *whole.orders[index].last()?)
        };
        let asked = |class: FindingClass| attempt.hub.expected.is(class);
        let lost = asked(FindingClass::Leak).then(|| leaks::lost(attempt, &last)).flatten();
        let held = asked(FindingClass::LockHeld).then(|| locks::held(attempt, whole)).flatten();
        return Ok(lost.map(describe::Found::Lost).or(held.map(describe::Found::Held)));
    }
    let cut = attempt.runs.iter().position(|run| stopped(run) && !waits(run));
    // Threads may be in a deadlock whatever others do.
    let partly = attempt.hub.expected.is(FindingClass::Deadlock) && attempt.runs.iter().any(waits);
    match cut {
        // A race is one however far the threads come.
        Some(_) if flagged || attempt.hub.expected.unfinished => return Ok(None),
        Some(index) if !partly => {
            return Err(attempt.mismatch(index, "it stops although nothing is wrong"));
        }
        _ => {}
    }
    let values = lasts(attempt, whole);
    attempt.check_waiting(&values)?;
    attempt.check_spinning(&values)?;
    attempt.check_repeating(whole)?;
    if cut.is_some()
        && let Some(index) = locks::may_go_on(attempt, whole)
    {
        return Err(attempt.mismatch(index, "it waits for what others may still do"));
    }
    let over = attempt.hub.over || ends_with_main(attempt);
    Ok((!over).then_some(describe::Found::Deadlock))
}

/// Whether `main` has returned, and only threads that were detached have not ended: they end with
/// the program.
fn ends_with_main(attempt: &Attempt<'_, '_>) -> bool {
    let is_detached =
        |id: &ThreadId| attempt.runs.iter().any(|run| run.state.detached.contains(id));
    let mut left = attempt.runs.iter().filter(|run| !matches!(run.status, Status::Ended));
    attempt.hub.returned && left.all(|run| is_detached(&run.id))
}
