//! A critical cycle as a candidate execution, and what the model says of it.
//!
//! Each part of the cycle is a thread: two accesses with what is certainly between them, or one
//! access. What connects two parts is a location of its own, whose accesses are those where the
//! cycle passes. A model that forbids this execution forbids every execution with these events and
//! what else a program does: what is added orders more.

use crate::access::Deed;
use crate::between::{Between, Depends, Orders};
use execution::event::{Event, EventId, EventKind, Execution, ThreadId};
use execution::ids::{Id, IdVec};
use execution::relation::{EventSet, Relation};
use limits::Limits;
use models::{Model, Unevaluated, check_execution_within};
use replay::language::{Language, language_of};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Two accesses of a thread in program order, as a model sees them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PairShape {
    /// The first access.
    pub first: Deed,
    /// The second one.
    pub second: Deed,
    /// What is between them.
    pub between: Vec<Between>,
    /// How the second depends on the first.
    pub depends: Depends,
}

/// A cycle: its pairs in order, each with the access of another thread through which it
/// communicates with the next pair, if it is not directly.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CycleShape(pub Vec<(usize, Option<usize>)>);

/// Asks a model about cycles, each shape once.
pub struct Judge<'m> {
    model: &'m Model,
    language: Language,
    limits: Limits,
    pairs: Vec<PairShape>,
    pair_ids: BTreeMap<PairShape, usize>,
    deeds: Vec<Deed>,
    deed_ids: BTreeMap<Deed, usize>,
    answers: HashMap<CycleShape, bool>,
}

/// Why a model could not be asked.
pub type Unasked = Unevaluated;

impl<'m> Judge<'m> {
    /// Of a model.
    pub fn new(model: &'m Model, limits: Limits) -> Self {
        Judge {
            model,
            language: language_of(model),
            limits,
            pairs: Vec::new(),
            pair_ids: BTreeMap::new(),
            deeds: Vec::new(),
            deed_ids: BTreeMap::new(),
            answers: HashMap::new(),
        }
    }

    /// The number of a pair.
    pub fn pair(&mut self, pair: PairShape) -> usize {
        let fresh = self.pairs.len();
        let id = *self.pair_ids.entry(pair.clone()).or_insert(fresh);
        if id == fresh {
            self.pairs.push(pair);
        }
        id
    }

    /// The number of an access.
    pub fn deed(&mut self, deed: &Deed) -> usize {
        let fresh = self.deeds.len();
        let id = *self.deed_ids.entry(deed.clone()).or_insert(fresh);
        if id == fresh {
            self.deeds.push(deed.clone());
        }
        id
    }

    /// The pair with the model's strongest fence between its accesses.
    pub fn fenced(&mut self, pair: usize) -> usize {
        let mut fenced = self.pairs[pair].clone();
        let names = self.model.full_fence().iter().map(|name| name.to_string()).collect();
        let fence = Between { what: Orders::Fence(names), control: false };
        if !fenced.between.iter().any(|between| between.what == fence.what) {
            fenced.between.push(fence);
        }
        self.pair(fenced)
    }

    /// Whether the strongest fence is certainly between the accesses of a pair.
    pub fn is_fenced(&mut self, pair: usize) -> bool {
        self.fenced(pair) == pair
    }

    /// Whether each connection of a cycle is a communication: one of two accesses that follow each
    /// other writes.
    pub fn communicates(&self, cycle: &CycleShape) -> bool {
        let count = cycle.0.len();
        (0..count).all(|place| {
            let (pair, single) = cycle.0[place];
            let from = &self.pairs[pair].second;
            let to = &self.pairs[cycle.0[(place + 1) % count].0].first;
            single.is_some() || from.write.is_some() || to.write.is_some()
        })
    }

    /// Whether the model allows an execution that is such a cycle.
    pub fn allows(&mut self, cycle: &CycleShape) -> Result<bool, Unasked> {
        if let Some(&answer) = self.answers.get(cycle) {
            return Ok(answer);
        }
        let mut answer = false;
        for choice in 0..1 << cycle.0.len() {
            answer = answer || self.allows_with(cycle, choice)?;
        }
        self.answers.insert(cycle.clone(), answer);
        Ok(answer)
    }

    /// The same, where a bit for each location says whether updates read from a write that is not
    /// on the cycle, after those that are before them.
    fn allows_with(&self, cycle: &CycleShape, choice: usize) -> Result<bool, Unasked> {
        let mut draft = Draft::new(self.language);
        let count = cycle.0.len();
        let mut ends = Vec::new();
        for (thread, (pair, _)) in cycle.0.iter().enumerate() {
            let before = (thread + count - 1) % count;
            ends.push(draft.pair(thread, &self.pairs[*pair], (before, thread)));
        }
        let mut thread = count;
        for (place, (_, single)) in cycle.0.iter().enumerate() {
            let location = location(place);
            let mut list = vec![ends[place].1];
            if let Some(single) = single {
                list.push(draft.access(thread, &self.deeds[*single], &location));
                thread += 1;
            }
            list.push(ends[(place + 1) % count].0);
            // With one pair, its second access is where the location begins and its first where it
            // ends.
            let outside = choice >> place & 1 == 1;
            if outside && !list[1..].iter().any(|made| made.read.is_some() && made.write.is_some())
            {
                return Ok(false);
            }
            draft.communicate(&list, &location, outside.then_some(&mut thread));
        }
        let execution = draft.finish();
        let judgement = check_execution_within(self.model, &execution, &self.limits)?;
        Ok(judgement.allowed())
    }
}

fn location(place: usize) -> Arc<str> {
    format!("x{place}").into()
}

/// The events of an access.
#[derive(Clone, Copy, Debug)]
struct MadeEvents {
    read: Option<EventId>,
    write: Option<EventId>,
}

/// An execution that is being written.
struct Draft {
    language: Language,
    events: IdVec<EventId, Event>,
    sets: BTreeMap<Arc<str>, Vec<EventId>>,
    relations: BTreeMap<Arc<str>, Vec<(EventId, EventId)>>,
    /// The number of the last instruction.
    instruction: u32,
    initial: BTreeMap<Arc<str>, EventId>,
}

impl Draft {
    fn new(language: Language) -> Self {
        let (events, sets) = (IdVec::new(), BTreeMap::new());
        let (relations, initial) = (BTreeMap::new(), BTreeMap::new());
        Draft { language, events, sets, relations, instruction: 0, initial }
    }

    fn event(
        &mut self,
        thread: Option<usize>,
        kind: EventKind,
        location: Option<&Arc<str>>,
        sets: &BTreeSet<String>,
    ) -> EventId {
        let id = self.events.push(Event {
            thread: thread.map(ThreadId::new),
            kind,
            location: location.cloned(),
            value: None,
            label: String::new(),
            instruction: self.instruction,
            source: None,
        });
        let kind = match kind {
            EventKind::Read => "R",
            EventKind::Write => "W",
            _ => "F",
        };
        let names = sets.iter().map(String::as_str).chain([kind]);
        names.for_each(|name| self.sets.entry(name.into()).or_default().push(id));
        id
    }

    fn relate(&mut self, name: &str, from: EventId, to: EventId) {
        self.relations.entry(name.into()).or_default().push((from, to));
    }

    fn initial(&mut self, location: &Arc<str>) -> EventId {
        if let Some(known) = self.initial.get(location) {
            return *known;
        }
        let nothing = BTreeSet::new();
        let id = self.event(None, EventKind::Write, Some(location), &nothing);
        self.sets.entry("IW".into()).or_default().push(id);
        self.initial.insert(location.clone(), id);
        id
    }

    /// The events of an access, with the fences around it.
    fn access(&mut self, thread: usize, deed: &Deed, location: &Arc<str>) -> MadeEvents {
        self.initial(location);
        self.instruction += 1;
        if !deed.around.is_empty() {
            self.event(Some(thread), EventKind::Fence, None, &deed.around);
            self.instruction += 1;
        }
        let at = Some(thread);
        let read = deed.read.as_ref().map(|s| self.event(at, EventKind::Read, Some(location), s));
        let write =
            deed.write.as_ref().map(|s| self.event(at, EventKind::Write, Some(location), s));
        if let (Some(read), Some(write)) = (read, write) {
            for name in ["rmw", "amo"] {
                self.relate(name, read, write);
            }
            for name in ["RMW", "AMO"] {
                self.sets.entry(name.into()).or_default().extend([read, write]);
            }
        }
        self.instruction += 1;
        if !deed.around.is_empty() {
            self.event(Some(thread), EventKind::Fence, None, &deed.around);
        }
        MadeEvents { read, write }
    }

    /// The events of a pair, whose accesses are at the locations of two places.
    fn pair(
        &mut self,
        thread: usize,
        pair: &PairShape,
        (from, to): (usize, usize),
    ) -> (MadeEvents, MadeEvents) {
        let begin = self.events.len();
        let first = self.access(thread, &pair.first, &location(from));
        for (position, between) in pair.between.iter().enumerate() {
            self.instruction += 1;
            let start = self.events.len();
            match &between.what {
                Orders::Fence(names) => {
                    self.event(Some(thread), EventKind::Fence, None, names);
                }
                Orders::Access(deed) => {
                    let own: Arc<str> = format!("own{thread}.{position}").into();
                    let made = self.access(thread, deed, &own);
                    let initial = self.initial[&own];
                    made.read.iter().for_each(|&read| self.relate("rf", initial, read));
                    made.write.iter().for_each(|&write| self.relate("co", initial, write));
                }
            }
            if let (true, Some(read)) = (between.control, first.read) {
                for event in start..self.events.len() {
                    self.depend("ctrl", read, EventId::new(event));
                }
            }
        }
        let second = self.access(thread, &pair.second, &location(to));
        if let Some(read) = first.read {
            for event in second.read.iter().chain(&second.write) {
                if pair.depends.address {
                    self.depend("addr", read, *event);
                }
                if pair.depends.control {
                    self.depend("ctrl", read, *event);
                }
            }
            if let (true, Some(write)) = (pair.depends.data, second.write) {
                self.depend("data", read, write);
            }
        }
        let opposite =
            |(operator, left): &(u32, bool)| pair.second.sides.contains(&(*operator, !left));
        let unordered = pair.first.sides.iter().any(opposite);
        self.order(thread, begin, unordered);
        (first, second)
    }

    fn depend(&mut self, name: &str, from: EventId, to: EventId) {
        self.relate(name, from, to);
        self.relate(&format!("pick-{name}"), from, to);
    }

    /// Program order of the events of a thread, from one on.
    fn order(&mut self, thread: usize, begin: usize, unordered: bool) {
        let own: Vec<EventId> = (begin..self.events.len())
            .map(EventId::new)
            .filter(|&id| self.events[id].thread == Some(ThreadId::new(thread)))
            .collect();
        let inside = self.language.orders_instructions();
        for (position, &from) in own.iter().enumerate() {
            for &to in &own[position + 1..] {
                let same = self.events[from].instruction == self.events[to].instruction;
                let apart = unordered && self.language.is_structured() && !same;
                if (inside || !same) && !apart {
                    self.relate("po", from, to);
                }
            }
        }
    }

    /// The accesses of a location in the order in which they communicate: each read sees the write
    /// before it, or else the initial one. With a thread to spare, an update sees a write of that
    /// thread instead of one that is on the cycle.
    fn communicate(
        &mut self,
        list: &[MadeEvents],
        location: &Arc<str>,
        mut spare: Option<&mut usize>,
    ) {
        let mut writes = vec![self.initial(location)];
        for (position, made) in list.iter().enumerate() {
            let is_update = made.read.is_some() && made.write.is_some();
            if let (true, true, Some(thread)) = (position > 0, is_update, spare.as_mut()) {
                self.instruction += 1;
                let sets = match self.language {
                    Language::C11 => BTreeSet::from(["RLX".to_string(), "A".to_string()]),
                    _ => BTreeSet::new(),
                };
                let outside = self.event(Some(**thread), EventKind::Write, Some(location), &sets);
                **thread += 1;
                writes.push(outside);
            }
            if let Some(read) = made.read {
                let last = *writes.last().expect("there is the initial one");
                self.relate("rf", last, read);
            }
            writes.extend(made.write);
        }
        for (position, &from) in writes.iter().enumerate() {
            writes[position + 1..].iter().for_each(|&to| self.relate("co", from, to));
        }
    }

    fn finish(self) -> Execution {
        let size = self.events.len();
        let sets = self.sets.into_iter().map(|(name, members)| {
            let mut set = EventSet::empty(size);
            members.into_iter().for_each(|event| set.insert(event));
            (name, set)
        });
        let relations = self.relations.into_iter().map(|(name, pairs)| {
            let mut relation = Relation::empty(size);
            pairs.into_iter().for_each(|(from, to)| relation.insert(from, to));
            (name, relation)
        });
        let (sets, relations) = (sets.collect(), relations.collect());
        Execution { events: self.events, sets, relations }
    }
}
