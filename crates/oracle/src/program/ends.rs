//! What a program leaves in the end: blocks that nothing points to, and locks that are held.

use super::combine::Combination;
use super::guesser::Task;
use super::run::{Extra, Run};
use execution::event::{EventKind, ThreadId};
use execution::finding::FindingKind;
use execution::ids::Id;
use execution::witness::ObjectKind;
use ir::locks::LockWord;
use ir::step::sc::contents::Contents;
use ir::value::{RegionId, Value};
use replay::events::trace::Filling;
use replay::memory::objects::{Life, Object, Objects};
use replay::memory::world::{CellId, World, freed};
use replay::thread::state::{State, Word};
use std::collections::{BTreeMap, BTreeSet};

/// What is wrong with what is left.
pub type Left = Vec<FindingKind>;

fn left(lost: bool, held: bool) -> Left {
    let lost = lost.then_some(FindingKind::Leak);
    lost.into_iter().chain(held.then_some(FindingKind::LockHeld)).collect()
}

/// Whether one of the blocks that were made is there and cannot be reached from a global.
fn loses(
    objects: &Objects,
    made: &BTreeSet<RegionId>,
    is_alive: &dyn Fn(RegionId) -> bool,
    contents: &dyn Fn(RegionId) -> Contents,
) -> bool {
    let is_global = |object: &Object| matches!(object.kind, ObjectKind::Global { .. });
    let globals = objects.all().filter(|(_, object)| is_global(object));
    let mut open: Vec<RegionId> = globals.map(|(region, _)| region).collect();
    let mut reached: BTreeSet<RegionId> = open.iter().copied().collect();
    while let Some(region) = open.pop() {
        let place = |region: RegionId| (objects.get(region).base, objects.get(region).size);
        for next in contents(region).leads_to(place) {
            // Objects of calls and of threads are gone.
            if made.contains(&next) && is_alive(next) && reached.insert(next) {
                open.push(next);
            }
        }
    }
    made.iter().any(|block| is_alive(*block) && !reached.contains(block))
}

/// What `main` leaves if it starts no thread.
pub fn of_main(world: &World<'_>, state: &State) -> Left {
    let objects = world.objects();
    let own = |region: RegionId| state.local.get(&region);
    let life = |region: RegionId| own(region).map_or(objects.get(region).life, |own| own.life);
    let contents = |region: RegionId| {
        own(region).map_or(&objects.get(region).contents, |own| &own.contents).clone()
    };
    let made = state.log.allocations.iter().flatten().copied().collect();
    let lost = loses(objects, &made, &|region| life(region) == Life::Alive, &contents);
    // Locks of a single thread are irrelevant.
    left(lost, false)
}

/// The objects that several threads may access, of which one may write.
pub fn shared(world: &World<'_>, runs: &[(ThreadId, &[Run])]) -> BTreeSet<RegionId> {
    let mut users: BTreeMap<RegionId, (BTreeSet<ThreadId>, bool)> = BTreeMap::new();
    for (thread, runs) in runs {
        for event in runs.iter().flat_map(|run| &run.events) {
            let Some(cell) = event.cell else { continue };
            let entry = users.entry(world.cells[cell.index()].region).or_default();
            entry.0.insert(*thread);
            entry.1 |= event.kind == EventKind::Write;
        }
    }
    let several = users.into_iter().filter(|(_, (threads, written))| threads.len() > 1 && *written);
    several.map(|(region, _)| region).collect()
}

/// What an execution leaves in which all threads have ended.
pub fn of_all(
    combination: &Combination<'_, '_, '_>,
    tasks: &[Task],
    shared: &BTreeSet<RegionId>,
) -> Left {
    let world = combination.found.world;
    let objects = world.objects();
    let extras: Vec<&Extra> = combination.extras().collect();
    let made: BTreeSet<RegionId> =
        extras.iter().flat_map(|extra| extra.log.allocations.iter().flatten().copied()).collect();
    let events = combination.parts.iter().flat_map(|(_, group)| &group.shape.events);
    let ended: BTreeSet<RegionId> = events
        .filter_map(|event| event.whole)
        .filter(|(_, filling)| *filling == Filling::Freed)
        .map(|(region, _)| region)
        .collect();
    let is_alive =
        |region: RegionId| objects.get(region).life == Life::Alive && !ended.contains(&region);
    let contents = |region: RegionId| {
        let mut contents = objects.get(region).contents.clone();
        for (index, cell) in world.cells.iter().enumerate() {
            if cell.region == region {
                let value = combination.last(CellId::new(index));
                contents.write(cell.offset as usize, value);
            }
        }
        contents
    };
    let lost = loses(objects, &made, &is_alive, &contents);
    let threads = combination.parts.iter().map(|(task, _)| tasks[*task].thread);
    let extras: Vec<(ThreadId, &Extra)> = threads.zip(extras).collect();
    left(lost, holds(combination, &extras, shared, &ended))
}

/// Whether a lock is held that several threads use, or whose word says who holds it.
fn holds(
    combination: &Combination<'_, '_, '_>,
    extras: &[(ThreadId, &Extra)],
    shared: &BTreeSet<RegionId>,
    ended: &BTreeSet<RegionId>,
) -> bool {
    let world = combination.found.world;
    let words: BTreeSet<Word> = extras.iter().flat_map(|(_, extra)| extra.words.clone()).collect();
    let cells = combination.found.skeleton.cells.iter().zip(combination.orders());
    let cells: Vec<_> = cells.map(|(events, order)| (events.cell, order)).collect();
    let counts = |(region, _, _, says): &Word| {
        let kind = &world.objects().get(*region).kind;
        let outlives = matches!(kind, ObjectKind::Global { .. } | ObjectKind::Heap { .. });
        shared.contains(region) || outlives && *says == LockWord::Owner
    };
    words.into_iter().filter(counts).any(|word| {
        let (region, offset, width, says) = word;
        let object = world.objects().get(region);
        let is_it = |cell: &CellId| {
            let cell = &world.cells[cell.index()];
            (cell.region, cell.offset) == (region, offset)
        };
        let value = match cells.iter().find(|(cell, _)| is_it(cell)) {
            Some((_, order)) => {
                // The end of a local object gives no lock back.
                let values = order.iter().rev().filter_map(|&write| combination.found.value(write));
                let mut values = values.map(|value| world.value_of(value));
                values.find(|value| !object.ends || *value != freed())
            }
            None if object.life == Life::Freed || ended.contains(&region) => None,
            None => Some(object.contents.read(offset as usize, width)),
        };
        // A thread that ends the whole program with a lock keeps it from none.
        let ends = |owner: ThreadId| {
            let extra = extras.iter().find(|(thread, _)| *thread == owner);
            extra.is_some_and(|(_, extra)| extra.over || extra.returned && owner.index() == 0)
        };
        let is_kept = |value: Value| !says.owner(value).is_some_and(ends);
        value.is_some_and(|value| value != freed() && !value.is_zero() && is_kept(value))
    })
}
