//! Effects: what a step changes for the other threads, and how it changes their views.
//!
//! An effect keeps what the stepping thread changed, the locks that it held, and the objects of its
//! own that others may find or may know already; everything else about the thread is forgotten. To
//! apply it to a view with the same shared part, the thread's objects are identified with objects
//! of the view in every consistent way: which of them two threads have in common is not known.

use super::heap::{Life, Lock, MADE, NO_LOCK, Object, Own, REPLACED, Regions, Shared};
use super::history::Helped;
use super::spec::OutcomeId;
use super::world::{Change, World};
use execution::ids::Id;
use ir::program::Width;
use ir::step::sc::contents::Contents;
use ir::value::{RegionId, Value};
use std::sync::Arc;

/// What a step changes for others. Objects are numbered: those of the shared part, then `objects`,
/// then objects of the thread that were forgotten.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Effect {
    pub held: Vec<Lock>,
    pub objects: Vec<Touched>,
    pub writes: Vec<Write>,
    pub ends: Vec<(RegionId, bool)>,
    /// The tokens that no other thread has any more.
    pub tokens: Vec<Lock>,
    /// The operation of another thread that the step completes.
    pub helped: Option<Helped>,
}

/// An object of the stepping thread alone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Touched {
    /// As it was, if other threads may know it.
    pub before: Option<Arc<Object>>,
    /// As it is, if other threads may find it now.
    pub after: Option<Arc<Object>>,
}

/// A word that was changed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Write {
    pub region: RegionId,
    pub offset: u32,
    pub value: Value,
}

/// The effect of a step from `(shared, own)`, if it has any.
pub(super) fn effect(
    world: &World<'_>,
    shared: &Shared,
    own: &Own,
    helped: Option<Helped>,
) -> Option<Effect> {
    let regions = &world.machine.regions;
    let count = shared.objects.len();
    let before = |region: RegionId| -> Option<&Arc<Object>> {
        match regions.heap(region) {
            Some(number) if number < count => shared.objects.get(number),
            Some(number) => own.objects.get(number - count),
            None => shared.globals.get(regions.global(region)?.index()),
        }
    };
    let mut writes: Vec<(RegionId, u32, Width)> = Vec::new();
    let mut ends = Vec::new();
    for change in &world.changes {
        match *change {
            Change::End { region } => ends.push(region),
            Change::Write { region, offset, width } => {
                let read = |object: &Object| object.body().contents.read(offset as usize, width);
                let was = before(region).filter(|object| object.body().life == Life::Alive);
                let alive = world.body(region).is_some_and(|body| body.life == Life::Alive);
                let is = world.body(region).map(|body| &body.contents).filter(|_| alive);
                let is = is.map(|contents| contents.read(offset as usize, width));
                let known = was.map(|object| read(object));
                if alive
                    && known.is_some()
                    && known != is
                    && !writes.contains(&(region, offset, width))
                {
                    writes.push((region, offset, width));
                }
            }
        }
    }
    // What a step both makes and ends, or what no other thread could know, they do not notice.
    ends.retain(|&region| before(region).is_some_and(|object| object.body().escaped));
    writes.retain(|&(region, ..)| before(region).is_some_and(|object| object.body().escaped));
    if writes.is_empty() && ends.is_empty() {
        return None;
    }
    let mut kept = Kept { regions, world, count, order: Vec::new(), whole: 0 };
    for &(region, offset, width) in &writes {
        let value = world.body(region)?.contents.read(offset as usize, width);
        value.provenance.into_iter().chain(value.high).for_each(|to| kept.visit(to));
    }
    kept.follow();
    kept.whole = kept.order.len();
    writes.iter().for_each(|&(region, ..)| kept.visit(region));
    ends.iter().for_each(|&region| kept.visit(region));
    let last = kept.order.len();
    let rename = |number: usize| kept.number(number);
    let rename_region = |region: RegionId| match regions.heap(region) {
        Some(number) => kept.number(number).map(|to| regions.of_heap(to)),
        None => Some(region),
    };
    let touched = |(at, &number): (usize, &usize)| {
        let known = own.objects.get(number - count).filter(|object| object.body().escaped);
        let known = known.map(|object| regions.object(object, &rename, true));
        let after = (at < kept.whole).then(|| {
            regions.object(&world.objects[number], &rename, world.objects[number].body().escaped)
        });
        Some(Touched { before: known.transpose().ok()?, after: after.transpose().ok()? })
    };
    let objects = kept.order.iter().enumerate().map(touched).collect::<Option<Vec<_>>>();
    let write = |&(region, offset, width): &(RegionId, u32, Width)| {
        let value = world.body(region)?.contents.read(offset as usize, width);
        let value = regions.renamed(value, &rename).ok()?;
        Some(Write { region: rename_region(region)?, offset, value })
    };
    let ends = ends.iter().filter_map(|&region| {
        let freed = world.body(region)?.life == Life::Freed;
        Some((rename_region(region)?, freed))
    });
    // Several threads may have published in the place of one object.
    let held = world.held.iter().filter(|(_, kind)| kind & NO_LOCK != REPLACED);
    let held = held.filter_map(|&(region, offset)| {
        let region = rename_region(region)?;
        let number = regions.heap(region);
        number.is_none_or(|number| number < count + last).then_some((region, offset))
    });
    let mut held: Vec<Lock> = held.collect();
    held.sort_unstable();
    let tokens = world.tokens.iter();
    let tokens = tokens.filter_map(|&(region, kind)| Some((rename_region(region)?, kind)));
    let mut tokens: Vec<Lock> = tokens.collect();
    tokens.sort_unstable();
    tokens.dedup();
    // That it is completed is written into its descriptor, which the effect therefore keeps.
    let helped =
        helped.and_then(|helped| Some(Helped { region: rename_region(helped.region)?, ..helped }));
    Some(Effect {
        held,
        helped,
        // Every pointer was rewritten when the objects were made.
        objects: objects.expect("pointers that can be rewritten"),
        writes: writes.iter().filter_map(write).collect(),
        ends: ends.collect(),
        tokens,
    })
}

/// The objects of the stepping thread that an effect keeps.
struct Kept<'a> {
    regions: &'a Regions,
    world: &'a World<'a>,
    count: usize,
    order: Vec<usize>,
    /// So many of them others may find.
    whole: usize,
}

impl Kept<'_> {
    fn visit(&mut self, region: RegionId) {
        let number = self.regions.heap(region).filter(|&number| number >= self.count);
        if let Some(number) = number
            && !self.order.contains(&number)
        {
            self.order.push(number);
        }
    }

    fn follow(&mut self) {
        let mut next = 0;
        while next < self.order.len() {
            let object = self.world.objects[self.order[next]].clone();
            object.links().iter().for_each(|&(_, to)| self.visit(to));
            next += 1;
        }
    }

    /// The number of an object in the effect; those that were forgotten follow the others.
    fn number(&self, number: usize) -> Option<usize> {
        if number < self.count {
            return Some(number);
        }
        let at = self.order.iter().position(|&other| other == number);
        Some(self.count + at.unwrap_or(self.order.len() + number))
    }
}

/// What an effect makes of a view; not yet in the one form.
pub(super) struct Applied {
    pub shared: Shared,
    pub own: Own,
    /// What the thread's operation has come to, if the effect completes it.
    pub helped: Option<OutcomeId>,
}

/// Applies an effect to a thread with the same shared part, in every way in which the two threads
/// may know objects in common.
pub(super) fn apply(
    regions: &Regions,
    effect: &Effect,
    shared: &Shared,
    own: &Own,
    identify: bool,
) -> Vec<Applied> {
    if effect.held.iter().any(|lock| own.mine.contains(lock) && is_shared(regions, lock, shared)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut pairs = vec![None; effect.objects.len()];
    let application = Application { regions, effect, shared, own };
    application.identify(0, &mut pairs, identify, &mut found);
    found
}

fn is_shared(regions: &Regions, &(region, _): &Lock, shared: &Shared) -> bool {
    regions.heap(region).is_none_or(|number| number < shared.objects.len())
}

struct Application<'a> {
    regions: &'a Regions,
    effect: &'a Effect,
    shared: &'a Shared,
    own: &'a Own,
}

/// For each object of an effect, the object of the view that it is.
type Pairs = [Option<usize>];

impl Application<'_> {
    fn identify(
        &self,
        at: usize,
        pairs: &mut Vec<Option<usize>>,
        any: bool,
        found: &mut Vec<Applied>,
    ) {
        if at == pairs.len() {
            if self.is_consistent(pairs) {
                found.extend(self.applied(pairs));
            }
            return;
        }
        pairs[at] = None;
        self.identify(at + 1, pairs, any, found);
        let Some(before) = self.effect.objects[at].before.as_ref().filter(|_| any) else { return };
        for (number, object) in self.own.objects.iter().enumerate() {
            let (a, b) = (before.body(), object.body());
            if b.escaped
                && a.what == b.what
                && (a.life == b.life || a.life == Life::Cut || b.life == Life::Cut)
                && !pairs[..at].contains(&Some(number))
            {
                pairs[at] = Some(number);
                self.identify(at + 1, pairs, any, found);
                pairs[at] = None;
            }
        }
    }

    /// Whether the objects of each pair can be the same.
    fn is_consistent(&self, pairs: &Pairs) -> bool {
        let count = self.shared.objects.len();
        let same = |(at, number): (usize, usize)| {
            let Some(theirs) = &self.effect.objects[at].before else { return false };
            let mine = &self.own.objects[number];
            let own = self.regions.of_heap(count + number);
            let lock = |&(region, offset): &Lock| {
                region == self.regions.of_heap(count + at) && self.own.mine.contains(&(own, offset))
            };
            let both = self.effect.held.iter().any(lock);
            !both && self.may_be_equal(theirs, mine, pairs)
        };
        let pairs = pairs.iter().enumerate().filter_map(|(at, number)| Some((at, (*number)?)));
        pairs.into_iter().all(same)
    }

    fn may_be_equal(&self, theirs: &Object, mine: &Object, pairs: &Pairs) -> bool {
        let (a, b) = (theirs.body(), mine.body());
        if a.life == Life::Cut || b.life == Life::Cut {
            return true;
        }
        let places = |object: &Object| -> Vec<u32> {
            object.links().iter().map(|&(offset, _)| offset).collect()
        };
        if a.contents.len() != b.contents.len() || places(theirs) != places(mine) {
            return false;
        }
        let links = theirs.links().iter().zip(mine.links());
        for (&(offset, to), &(_, own)) in links {
            let offsets = [(a, to), (b, own)].map(|(body, region)| {
                let value = body.contents.read(offset as usize, Width::PTR);
                value.low().wrapping_sub(self.regions.base(region))
            });
            if offsets[0] != offsets[1] || !self.may_be_one(to, own, pairs) {
                return false;
            }
        }
        without_links(theirs) == without_links(mine)
    }

    /// Whether an object of the effect can be an object of the view.
    fn may_be_one(&self, theirs: RegionId, mine: RegionId, pairs: &Pairs) -> bool {
        let count = self.shared.objects.len();
        let (Some(theirs), Some(mine)) = (self.regions.heap(theirs), self.regions.heap(mine))
        else {
            return false;
        };
        match (theirs.checked_sub(count), mine.checked_sub(count)) {
            (None, None) => theirs == mine,
            (Some(theirs), Some(mine)) => match pairs.get(theirs) {
                Some(pair) => *pair == Some(mine),
                // It was forgotten: any object that others may know, and that is no other's twin.
                None => self.own.objects[mine].body().escaped && !pairs.contains(&Some(mine)),
            },
            _ => false,
        }
    }

    fn applied(&self, pairs: &Pairs) -> Option<Applied> {
        let regions = self.regions;
        let count = self.shared.objects.len();
        let mut next = count + self.own.objects.len();
        let number = |(touched, pair): (&Touched, &Option<usize>)| match pair {
            Some(number) => Some(count + number),
            None => touched.after.is_some().then(|| {
                next += 1;
                next - 1
            }),
        };
        let numbers: Vec<Option<usize>> =
            self.effect.objects.iter().zip(pairs).map(number).collect();
        let rename = |at: usize| match at.checked_sub(count) {
            None => Some(at),
            Some(at) => numbers.get(at).copied().flatten(),
        };
        let mut globals = self.shared.globals.clone();
        let mut objects: Vec<Arc<Object>> =
            self.shared.objects.iter().chain(&self.own.objects).cloned().collect();
        for (touched, pair) in self.effect.objects.iter().zip(pairs) {
            if let (Some(after), None) = (&touched.after, pair) {
                objects.push(regions.object(after, &rename, after.body().escaped).ok()?);
            }
        }
        // What this thread had lost sight of, the other one shows.
        for (touched, pair) in self.effect.objects.iter().zip(pairs) {
            if let (Some(after), Some(number)) = (&touched.after, pair)
                && objects[count + number].body().life == Life::Cut
            {
                objects[count + number] = regions.object(after, &rename, true).ok()?;
            }
        }
        let mut noticed = false;
        for write in &self.effect.writes {
            let number = regions.heap(write.region);
            let object = match number {
                None => &mut globals[regions.global(write.region)?.index()],
                // Of no interest to this thread, or in the object's new contents.
                Some(at) if rename(at).is_none_or(|to| to >= count + self.own.objects.len()) => {
                    continue;
                }
                Some(at) => &mut objects[rename(at)?],
            };
            noticed = true;
            if object.body().life != Life::Alive {
                continue;
            }
            let value = regions.renamed(write.value, &rename).ok()?;
            let mut body = object.body().clone();
            body.contents.write(write.offset as usize, value);
            *object = Object::new(regions, body).ok()?;
        }
        for &(region, freed) in &self.effect.ends {
            let Some(to) = regions.heap(region).and_then(rename) else { continue };
            let Some(object) = objects.get_mut(to) else { continue };
            noticed = true;
            let mut body = object.body().clone();
            body.life = if freed { Life::Freed } else { Life::Over };
            body.contents = Contents::default();
            *object = Object::new(regions, body).ok()?;
        }
        let objects_of_own = objects.split_off(count);
        let mut own = Own { objects: objects_of_own, ..self.own.clone() };
        for &(region, kind) in &self.effect.tokens {
            let to = regions.heap(region).and_then(rename).map(|to| (regions.of_heap(to), kind));
            own.mine.retain(|&token| Some(token) != to);
        }
        if !noticed && own.mine == self.own.mine {
            return None;
        }
        let helped = self.effect.helped.and_then(|helped| {
            let region = match regions.heap(helped.region) {
                Some(number) => regions.of_heap(rename(number)?),
                None => helped.region,
            };
            let is_own = own.mine.contains(&(region, MADE));
            own.mine.retain(|lock| !is_own || lock.1 != MADE);
            is_own.then_some(helped.outcome)
        });
        Some(Applied { shared: Shared { globals, objects }, own, helped })
    }
}

/// The contents of an object without its pointers to the heap.
fn without_links(object: &Object) -> Contents {
    let mut contents = object.body().contents.clone();
    for &(offset, _) in object.links() {
        contents.write(offset as usize, Value::NULL);
    }
    contents
}
