//! What one thread of a C program has done so far, besides its events.

use super::answers::Wrong;
use crate::events::record::Recorder;
use crate::events::trace::Flow;
use crate::memory::objects::{Life, Objects};
use execution::event::ThreadId;
use ir::locks::{LockWord, Purpose};
use ir::program::{BlockId, FuncId, Width};
use ir::step::frame::TraceEntry;
use ir::step::sc::contents::Contents;
use ir::step::taint::Taint;
use ir::value::{RegionId, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The contents of an object that is not shared.
#[derive(Clone, Debug)]
pub struct Local {
    /// What is in it.
    pub contents: Contents,
    /// What each byte was computed from.
    taints: BTreeMap<u64, Flow>,
    /// Whether it exists.
    pub life: Life,
    /// How often it was changed since other threads run.
    pub changes: u32,
}

/// Objects that are not shared.
pub type Locals = HashMap<RegionId, Local>;

impl Local {
    /// An object as it is before the thread touches it.
    pub fn new(objects: &Objects, region: RegionId) -> Self {
        let object = objects.get(region);
        let (contents, life) = (object.contents.clone(), object.life);
        Self { contents, taints: BTreeMap::new(), life, changes: 0 }
    }

    /// Its lifetime ends.
    pub fn end(&mut self, life: Life) {
        self.life = life;
        self.changes += 1;
    }

    /// What another thread finds: dependencies are those of one thread.
    pub fn handed(&self) -> Self {
        let (contents, life) = (self.contents.clone(), self.life);
        Self { contents, taints: BTreeMap::new(), life, changes: self.changes }
    }

    /// Reads a value, and what it was computed from.
    pub fn read(&self, offset: u64, width: Width) -> (Value, Flow) {
        let mut flow = Flow::default();
        for (_, taint) in self.taints.range(offset..offset + width.bytes()) {
            flow.join(taint);
        }
        (self.contents.read(offset as usize, width), flow)
    }

    /// Writes a value that was computed from something.
    pub fn write(&mut self, offset: u64, value: Value, flow: &Flow) {
        self.contents.write(offset as usize, value);
        self.changes += 1;
        for byte in offset..offset + value.width.bytes() {
            match flow.pick.is_empty() {
                true => self.taints.remove(&byte),
                false => self.taints.insert(byte, flow.clone()),
            };
        }
    }

    /// Makes the contents undefined.
    pub fn reset(&mut self, size: u64) {
        self.contents = Contents::undefined(size as usize);
        self.changes += 1;
        self.taints.clear();
    }
}

/// A thread that was started.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spawned {
    /// The last instruction before it.
    pub after: u32,
    /// The thread.
    pub thread: ThreadId,
    /// Its function.
    pub function: FuncId,
    /// The arguments.
    pub args: Vec<Value>,
}

/// A thread whose end was awaited.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Joined {
    /// The last instruction before it.
    pub after: u32,
    /// The thread.
    pub thread: ThreadId,
    /// Its result.
    pub result: Value,
}

/// A value that the client saw.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Seen {
    /// The operation of the thread, from zero; `None` outside operations.
    pub operation: Option<u32>,
    /// The label.
    pub label: String,
    /// The value.
    pub value: Value,
}

/// Where an event comes from, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Where the thread was, innermost call first.
    pub stack: Vec<TraceEntry>,
    /// What the source calls the place that is accessed.
    pub path: Option<String>,
    /// What the access is for.
    pub purpose: Purpose,
}

/// What was decided for a thread and what it made, in order, for a witness.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Log {
    /// Whether store-exclusives succeeded.
    pub exclusives: Vec<bool>,
    /// Whether weak compare-and-swaps failed that could have succeeded.
    pub spurious: Vec<bool>,
    /// What was chosen.
    pub choices: Vec<Value>,
    /// What was allocated; `None` for null.
    pub allocations: Vec<Option<RegionId>>,
    /// The stack and thread-local objects.
    pub objects: Vec<RegionId>,
    /// How many accesses there had been when an event was recorded, itself included.
    pub accesses: Vec<u32>,
}

/// Where a call returns to: the caller, its block, and the instruction.
pub type Return = (FuncId, BlockId, u32);

/// The word of a lock: object, offset and width, and what it says.
pub type Word = (RegionId, u64, Width, LockWord);

/// What a thread has done so far.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Its events.
    pub recorder: Recorder,
    /// Whether `main` still runs alone: then no object is shared.
    pub prefix: bool,
    /// The objects that are not shared and that it has touched.
    pub local: Locals,
    /// What these were where it started threads, as far as they had been changed by then, if
    /// threads may hand them to each other.
    pub handed: Vec<(ThreadId, Locals)>,
    /// What its branches so far depend on.
    pub control: Flow,
    /// What values that were read from such objects were computed from.
    pub passed: Vec<Flow>,
    /// The threads it started.
    pub spawned: Vec<Spawned>,
    /// The threads whose end it awaited.
    pub joined: Vec<Joined>,
    /// What it observed.
    pub seen: Vec<Seen>,
    /// The names of its operations.
    pub operations: Vec<String>,
    /// How many events there were when an operation, by its number, passed its last commit point.
    pub commits: HashMap<u32, usize>,
    /// How often it called each function that has stack objects.
    pub calls: HashMap<FuncId, u32>,
    /// How many blocks it allocated.
    pub allocations: u32,
    /// The shared stack objects whose lifetime has started.
    pub entered: HashSet<RegionId>,
    /// The shared objects of its own that are gone.
    pub left: HashSet<RegionId>,
    /// The event at which the running atomic section started, and whether anything was chosen in
    /// it (that a store-exclusive fails is).
    pub section: Option<(usize, bool)>,
    /// How often each branch was decided by what was read, in each call.
    pub taken: HashMap<(Vec<Return>, FuncId, BlockId), u32>,
    /// The first event that read from a freed block, or from another object that is gone.
    pub freed_read: Option<(usize, Box<Wrong>)>,
    /// What was decided for it, for a witness.
    pub log: Log,
    /// How many accesses it made.
    pub accesses: u32,
    /// How many writes it made (see [`execution::witness`]).
    pub writes: u32,
    /// For each event that writes, which of the writes it is.
    pub write_numbers: HashMap<usize, u32>,
    /// Where each event comes from, if that is recorded.
    pub notes: Vec<Note>,
    /// Where each block was allocated, if that is recorded.
    pub made: HashMap<RegionId, Vec<TraceEntry>>,
    /// Where `main` acquired each lock while it ran alone, by object, offset and width, if that is
    /// recorded.
    pub locked: BTreeMap<(RegionId, u64, Width), Vec<TraceEntry>>,
    /// The words of locks that it wrote, if that is recorded.
    pub words: BTreeSet<Word>,
    /// Whether it ended the whole program by design: it called `exit`.
    pub over: bool,
    /// Whether it returned, and did not only end its own thread.
    pub returned: bool,
    /// The threads that it has detached.
    pub detached: BTreeSet<ThreadId>,
    /// The instruction that asks, and what was decided for it so far.
    pub asking: Option<u64>,
    /// The answers to what it asks.
    pub decided: Vec<usize>,
    /// How many of the answers have been used.
    pub used: usize,
}

impl State {
    /// Whether the running atomic section has read from an object that is gone, which is where the
    /// section ends.
    pub fn fails_in_section(&self) -> bool {
        let (Some((start, _)), Some((read, _))) = (&self.section, &self.freed_read) else {
            return false;
        };
        start <= read
    }

    /// `main` has run alone long enough: what it leaves is what memory starts with.
    pub fn end_prefix(&mut self, objects: &mut Objects) {
        for (&region, local) in &self.local {
            let object = objects.get_mut(region);
            object.contents = local.contents.clone();
            object.life = local.life;
        }
        self.local.retain(|&region, _| objects.get(region).private);
        self.local.values_mut().for_each(|local| local.changes = 0);
        self.prefix = false;
        self.asking = None;
    }

    /// What another thread finds in the objects that are not shared, where it has an order after all
    /// that this one has done.
    pub fn hand_over(&self) -> Locals {
        let changed = self.local.iter().filter(|(_, local)| local.changes > 0);
        changed.map(|(&region, local)| (region, local.handed())).collect()
    }

    /// Finds what another thread has left in such objects.
    pub fn take_over(&mut self, objects: &Locals) {
        for (&region, local) in objects {
            // Changes have an order, so who has seen more of them has seen the last.
            let known = self.local.get(&region).map_or(0, |local| local.changes);
            if local.changes > known {
                self.local.insert(region, local.handed());
            }
        }
    }
}
