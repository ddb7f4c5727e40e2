//! Answers from a witness.

use crate::Expected;
use crate::memory::world::{CellId, ValueId, World};
use crate::thread::answers::{Answers, Stop, Wanted, Wrong};
use crate::thread::state::{Locals, State};
use execution::event::ThreadId;
use execution::finding::{FindingClass, FindingKind};
use execution::ids::Id;
use execution::witness::{Bits, End, ThreadWitness, Witness, WriteRef};
use ir::program::Width;
use ir::step::memory::{Alternatives, Site};
use ir::step::shown::{Costly, Shown};
use ir::value::{RegionId, Value};
use std::collections::HashMap;

/// How many of a thread's decisions have been used.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    /// Where each read took its value from.
    pub reads: Vec<Option<WriteRef>>,
    exclusives: usize,
    spurious: usize,
    choices: usize,
    allocations: usize,
    /// The objects of its own that it touched after its last access, and whether it wrote there:
    /// irrelevant, unless it starts a thread afterwards.
    late: Vec<(RegionId, bool)>,
    /// How many accesses it made.
    pub accesses: u32,
    /// Whether it has been where it is to come back to.
    pub marked: bool,
}

impl Cursor {
    /// The decisions of the witness that the thread did not ask for. What a thread that was cut
    /// does after its last access is irrelevant.
    pub fn unused(&self, given: &ThreadWitness) -> Option<String> {
        let lists = [
            ("reads", self.reads.len(), given.reads.len()),
            ("store-exclusives", self.exclusives, given.exclusives.len()),
            ("weak compare-and-swaps", self.spurious, given.spurious.len()),
            ("choices", self.choices, given.choices.len()),
            ("allocations", self.allocations, given.allocations.len()),
        ];
        let cut = matches!(given.end, End::Cut { .. });
        let compared = if cut { &lists[..1] } else { &lists[..] };
        let more = compared.iter().find(|(_, used, given)| used < given);
        more.map(|(what, used, given)| format!("it makes {used} {what}, not {given}"))
    }
}

/// The objects that a value points to.
pub type Provenance = (Option<RegionId>, Option<RegionId>);

/// A thread touches an object that is not shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Touch {
    thread: ThreadId,
    /// How many threads it had started before.
    age: u32,
    writes: bool,
}

/// What the threads of a replay share.
#[derive(Debug, Default)]
pub struct Hub {
    /// Who has touched each object that is not shared.
    touched: HashMap<RegionId, Vec<Touch>>,
    /// How many threads each thread has started, and how much each knows of the others: what they
    /// did when they were younger than this comes before what it does now.
    ages: HashMap<ThreadId, u32>,
    known: HashMap<ThreadId, HashMap<ThreadId, u32>>,
    /// What the threads that have ended left in such objects.
    pub left: HashMap<ThreadId, Locals>,
    /// The results of the threads that have ended.
    pub results: HashMap<ThreadId, Value>,
    /// What the witness is about.
    pub expected: Expected,
    /// Whether that is a signed overflow.
    overflow: bool,
    /// What the run shows, if that is asked for.
    pub shown: Option<Shown>,
    /// Whether a thread has ended the whole program by design: it called `exit`.
    pub over: bool,
    /// Whether `main` has returned, and not only ended its own thread.
    pub returned: bool,
    /// What reads point to, by thread and number, where the witness did not say it right.
    pub corrected: HashMap<(usize, usize), Provenance>,
}

impl Hub {
    /// Nothing is known yet.
    pub fn new(expected: Expected) -> Self {
        let overflow = expected.is(FindingClass::Overflow);
        Self { expected, overflow, ..Self::default() }
    }

    /// A thread touches an object that is not shared; whether it may: all that others did to it has
    /// an order before that, by threads that were started and awaited, unless all only read.
    fn touch(&mut self, region: RegionId, thread: ThreadId, writes: bool) -> bool {
        let age = self.ages.get(&thread).copied().unwrap_or(0);
        let known = self.known.get(&thread);
        let now = Touch { thread, age, writes };
        let touched = self.touched.entry(region).or_default();
        let may = touched.iter().all(|other| {
            let older = known.and_then(|known| known.get(&other.thread));
            other.thread == thread
                || !(other.writes || writes)
                || older.is_some_and(|&older| other.age < older)
        });
        if !touched.contains(&now) {
            touched.push(now);
        }
        may
    }

    /// A thread starts another one, which knows all that it has done.
    fn starts(&mut self, thread: ThreadId, other: ThreadId) {
        let age = self.ages.entry(thread).or_insert(0);
        *age += 1;
        let mut known = self.known.get(&thread).cloned().unwrap_or_default();
        known.insert(thread, *age);
        self.known.insert(other, known);
    }

    /// A thread has awaited another one, and knows all that this one knew and did.
    fn awaits(&mut self, thread: ThreadId, other: ThreadId) {
        let mut more = self.known.get(&other).cloned().unwrap_or_default();
        more.insert(other, self.ages.get(&other).copied().unwrap_or(0) + 1);
        let known = self.known.entry(thread).or_default();
        for (thread, age) in more {
            let older = known.entry(thread).or_insert(0);
            *older = age.max(*older);
        }
    }

    /// For another attempt, in which reads point to what is known by now.
    pub fn again(self) -> Self {
        Self { corrected: self.corrected, shown: self.shown, ..Self::new(self.expected) }
    }
}

/// Answers from a witness.
pub struct Decided<'w, 'h> {
    /// The witness.
    pub witness: &'w Witness,
    /// The thread.
    pub thread: usize,
    /// What has been used.
    pub cursor: Cursor,
    /// What the threads share.
    pub hub: &'h mut Hub,
}

impl Decided<'_, '_> {
    fn given(&self) -> &ThreadWitness {
        &self.witness.threads[self.thread]
    }

    /// Whether the thread has made its last access, and others do not depend on what it does.
    fn is_past(&self) -> bool {
        self.given().end == (End::Cut { accesses: self.cursor.accesses })
    }

    /// Whether the thread is said to stop at a read from what is gone, and has reached it: what it
    /// does next is only a consequence.
    fn has_read_gone(&self) -> bool {
        let given = self.given();
        let used = self.cursor.reads.len() == given.reads.len();
        let last = given.reads.last().filter(|_| used).map(|read| read.value);
        given.end == End::Finding && last == Some(Bits::FREED)
    }

    fn missing<V>(&self, what: &str) -> Result<V, Stop> {
        // Past its last access, or after a read from what is gone, nothing is decided for a thread.
        if self.is_past() || self.has_read_gone() {
            return Err(Stop::Cut);
        }
        Err(Stop::Mismatch(format!("the witness does not say {what}")))
    }

    fn value(&self, world: &World<'_>, bits: Bits, width: Width) -> Result<Value, Stop> {
        if (bits.bits | bits.undef) & !width.mask() != 0 || bits.bits & bits.undef != 0 {
            let text = format!("{:#x} is not a value of {width}", bits.bits);
            return Err(Stop::Mismatch(text));
        }
        let region = |base: Option<u64>| match base {
            None => Ok(None),
            Some(base) => match world.objects().at(base) {
                Some(region) => Ok(Some(region)),
                None => Err(Stop::Mismatch(format!("there is no object at {base:#x}"))),
            },
        };
        let (provenance, high) = (region(bits.object)?, region(bits.high)?);
        Ok(Value { bits: bits.bits, undef: bits.undef, provenance, high, width })
    }
}

fn next<T: Copy>(list: &[T], used: &mut usize) -> Option<T> {
    let found = list.get(*used).copied();
    *used += usize::from(found.is_some());
    found
}

impl Answers for Decided<'_, '_> {
    const FORKS: bool = false;

    fn checks_overflow(&self) -> bool {
        self.hub.overflow
    }

    fn goes(&mut self, site: Site<'_>, arm: usize) {
        if let Some(shown) = &mut self.hub.shown {
            shown.goes(site, arm);
        }
    }

    fn asserts(&mut self, site: Site<'_>, index: u32) {
        if let Some(shown) = &mut self.hub.shown {
            shown.asserts(site, index);
        }
    }

    fn computes(&mut self, site: Site<'_>, what: Costly<'_>, operands: &[Value]) {
        if let Some(shown) = &mut self.hub.shown {
            shown.computes(site, what, operands);
        }
    }

    fn access(&mut self) -> Result<(), Stop> {
        if self.has_read_gone() || self.is_past() {
            return Err(Stop::Cut);
        }
        if let End::Repeats { since, until } = self.given().end {
            let goal = if self.cursor.marked { until } else { since };
            if self.cursor.accesses == goal {
                return Err(Stop::Repeats);
            }
        }
        self.cursor.accesses += 1;
        Ok(())
    }

    fn no_access(&mut self) {
        self.cursor.accesses -= 1;
    }

    fn read(
        &mut self,
        world: &mut World<'_>,
        asks: &mut State,
        _cell: CellId,
        width: Width,
    ) -> Result<ValueId, Stop> {
        let number = self.cursor.reads.len();
        let Some(&read) = self.given().reads.get(number) else {
            // Nothing is decided for a waiting thread about the section that it cannot enter.
            return match (self.given().end, asks.section) {
                (End::Waits, Some(_)) => Err(Stop::Waits),
                (End::Spins, _) => Err(Stop::Spins),
                _ => self.missing("what a read returns"),
            };
        };
        if is_freed(read.value) {
            self.cursor.reads.push(read.from);
            return Ok(world.value(crate::memory::world::freed()));
        }
        let mut value = self.value(world, read.value, width)?;
        if let Some(&(low, high)) = self.hub.corrected.get(&(self.thread, number)) {
            (value.provenance, value.high) = (low, high);
        }
        self.cursor.reads.push(read.from);
        Ok(world.value(value))
    }

    fn stores(&mut self, _asks: &mut State) -> Result<bool, Stop> {
        match next(&self.witness.threads[self.thread].exclusives, &mut self.cursor.exclusives) {
            Some(answer) => Ok(answer),
            None => self.missing("whether a store-exclusive succeeds"),
        }
    }

    fn fails(&mut self, _asks: &mut State) -> Result<bool, Stop> {
        match next(&self.witness.threads[self.thread].spurious, &mut self.cursor.spurious) {
            Some(answer) => Ok(answer),
            None => self.missing("whether a weak compare-and-swap fails"),
        }
    }

    fn choose(
        &mut self,
        world: &World<'_>,
        _asks: &mut State,
        width: Width,
        from: &Alternatives,
    ) -> Result<Value, Stop> {
        let given = &self.witness.threads[self.thread].choices;
        let Some(bits) = next(given, &mut self.cursor.choices) else {
            return self.missing("what a choice gives");
        };
        let value = self.value(world, bits, width)?;
        let allowed = match from {
            Alternatives::Any => value.is_defined(),
            Alternatives::Range(low, high) => {
                value.is_defined() && (*low..=*high).contains(&value.as_signed())
            }
            Alternatives::Set(set) => set.contains(&value),
        };
        match allowed {
            true => Ok(value),
            false => {
                let text = format!("{} is not among what can be chosen", value.as_signed());
                Err(Stop::Mismatch(text))
            }
        }
    }

    fn allocate(
        &mut self,
        world: &mut World<'_>,
        _asks: &mut State,
        wanted: &Wanted,
    ) -> Result<Option<(RegionId, bool)>, Stop> {
        let given = &self.witness.threads[self.thread].allocations;
        let Some(base) = next(given, &mut self.cursor.allocations) else {
            return self.missing("the address of an allocation");
        };
        if base == 0 {
            return Ok(None);
        }
        let program = world.program;
        let objects = world.objects_mut();
        let listed = objects.at(base);
        let (thread, number) = wanted.who;
        let own = execution::witness::ObjectKind::Heap { thread, number };
        let reused = listed.filter(|&region| objects.get(region).kind != own);
        if let Some(region) = reused {
            let size = objects.get(region).size;
            if objects.block(objects.address(region)).is_err() || size != wanted.room.0 {
                return Err(Stop::Mismatch(format!(
                    "what is at {base:#x} is not such a heap block"
                )));
            }
            return Ok(Some((region, true)));
        }
        let (zeroed, layout) = (wanted.zeroed, wanted.layout);
        let made = objects.heap(program, wanted.who, wanted.room, zeroed, layout);
        let region = made.map_err(Stop::Mismatch)?;
        match objects.get(region).base == base {
            true => Ok(Some((region, false))),
            false => Err(Stop::Mismatch(format!("an allocation does not give {base:#x}"))),
        }
    }

    fn spawn(&mut self, parent: ThreadId, number: u32) -> Result<ThreadId, Stop> {
        for (region, writes) in std::mem::take(&mut self.cursor.late) {
            if !self.hub.touch(region, parent, writes) {
                return Err(Stop::Cut);
            }
        }
        let parent = execution::witness::Parent { thread: parent.index() as u32, spawn: number };
        match self.witness.threads.iter().position(|thread| thread.parent == Some(parent)) {
            Some(index) => {
                self.hub.starts(ThreadId::new(parent.thread as usize), ThreadId::new(index));
                Ok(ThreadId::new(index))
            }
            None => self.missing("which thread is started"),
        }
    }

    fn join(&mut self, _asks: &mut State, thread: ThreadId) -> Result<Value, Stop> {
        match self.hub.results.get(&thread) {
            Some(&result) => {
                self.hub.awaits(ThreadId::new(self.thread), thread);
                Ok(result)
            }
            None if self.has_read_gone() => Err(Stop::Cut),
            None if thread.index() >= self.witness.threads.len() => {
                Err(Stop::Wrong(Box::new(Wrong::new(FindingKind::BadJoin))))
            }
            None => Err(Stop::WaitsFor(thread)),
        }
    }

    fn left_by(&self, thread: ThreadId) -> Option<&Locals> {
        self.hub.left.get(&thread)
    }

    fn escapes(&mut self, _world: &World<'_>, _region: RegionId) -> Result<(), Stop> {
        Ok(())
    }

    fn touches(
        &mut self,
        world: &World<'_>,
        region: RegionId,
        thread: ThreadId,
        writes: bool,
    ) -> Result<(), Stop> {
        if self.is_past() || self.has_read_gone() {
            self.cursor.late.push((region, writes));
            return Ok(());
        }
        let name = &world.objects().get(region).name;
        match self.hub.touch(region, thread, writes) {
            true => Ok(()),
            false => Err(Stop::Mismatch(format!(
                "{name} is private, but two threads access it without an order"
            ))),
        }
    }
}

/// How a witness writes down what is read from a freed block.
fn is_freed(value: Bits) -> bool {
    value == Bits::FREED
}
