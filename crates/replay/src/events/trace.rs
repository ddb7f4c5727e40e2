//! One execution of one thread, for given answers to its reads: its events and what they depend on.

use crate::events::mask::Mask;
use crate::memory::world::{CellId, SetId, ValueId};
use execution::event::EventKind;
use ir::program::LocId;
use ir::step::taint::Taint;
use ir::tag::Side;
use ir::value::RegionId;
use std::collections::{BTreeMap, BTreeSet};

/// The events from which a value was computed: through data alone, and also through what picked
/// between alternatives (conditional selection, the comparison of compare-and-swap).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Flow {
    /// Through data.
    pub plain: Mask,
    /// Through data or picking; contains `plain`.
    pub pick: Mask,
}

/// Added to the number of a read whose value only confirmed what was known: a successful
/// compare-and-swap gives the register the value that it held before.
pub const CONFIRMED: u32 = 1 << 30;

impl Taint for Flow {
    fn read(event: u32) -> Self {
        let pick = Mask::single((event % CONFIRMED) as usize);
        Self { plain: if event < CONFIRMED { pick.clone() } else { Mask::default() }, pick }
    }

    fn join(&mut self, other: &Self) {
        self.plain.join(&other.plain);
        self.pick.join(&other.pick);
    }

    fn pick(cond: &Self, chosen: &Self) -> Self {
        let mut pick = cond.pick.clone();
        pick.join(&chosen.pick);
        Self { plain: chosen.plain.clone(), pick }
    }
}

/// How a read is tied to the write of the same read-modify-write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pairing {
    /// One instruction; `true` if the value written is computed from the one read.
    Single {
        /// Whether the new value is computed from the old one.
        computed: bool,
        /// Whether the write depended on a comparison (compare-and-swap).
        compared: bool,
    },
    /// A load-exclusive and a store-exclusive.
    Exclusive,
}

/// What is written to every cell of an object at once, as far as an execution touches it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Filling {
    /// The object ends.
    Freed,
    /// It starts anew, undefined.
    Undefined,
    /// It starts anew, with zeros.
    Zero,
    /// The allocation that makes a block writes to it.
    Made {
        /// Whether it writes zeros; otherwise what it writes is undefined.
        zeroed: bool,
    },
}

impl Event {
    /// Whether it reads or writes, an object as a whole included.
    pub fn is_access(&self) -> bool {
        matches!(self.kind, EventKind::Read | EventKind::Write) || self.whole.is_some()
    }

    /// Whether two events of a thread are evaluated in no particular order.
    pub fn is_unordered_with(&self, other: &Event) -> bool {
        self.sides.iter().any(|side| other.sides.contains(&side.other()))
    }
}

/// One event, without its value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// What it does.
    pub kind: EventKind,
    /// The cell that is accessed.
    pub cell: Option<CellId>,
    /// The sets it is in, besides those that its kind implies.
    pub sets: Vec<SetId>,
    /// Its instruction: events of one instruction have the same number.
    pub instruction: u32,
    /// Where its address comes from.
    pub address: Flow,
    /// Where its value comes from.
    pub data: Flow,
    /// What the branches before it depend on.
    pub control: Flow,
    /// For the write of a read-modify-write: the position of its read.
    pub read: Option<(u32, Pairing)>,
    /// The operators on one side of which it is: accesses on different sides are unordered.
    pub sides: Vec<Side>,
    /// Whether it is an access of a load- or store-exclusive.
    pub exclusive: bool,
    /// The atomic section it is in.
    pub section: Option<u32>,
    /// The operation it is in.
    pub operation: Option<u32>,
    /// For a write to a whole object: the object, and what is written.
    pub whole: Option<(RegionId, Filling)>,
    /// For a part of an access that is divided: the position of the first part.
    pub access: Option<u32>,
    /// Where it comes from.
    pub place: Option<LocId>,
}

/// The atomic sections that make more than one access; two of one read-modify-write count as one.
/// A section that makes no more is what its access is without a section.
pub fn joint_sections(events: &[Event]) -> BTreeSet<u32> {
    let mut units: BTreeMap<u32, u32> = BTreeMap::new();
    let mut joint = BTreeSet::new();
    for event in events.iter().filter(|event| event.is_access()) {
        let Some(section) = event.section else { continue };
        let read = event.read.and_then(|(read, _)| events.get(read as usize));
        let unit = read.unwrap_or(event).instruction;
        if *units.entry(section).or_insert(unit) != unit {
            joint.insert(section);
        }
    }
    joint
}

/// One execution of one thread.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Its events, in program order.
    pub events: Vec<Event>,
    /// The value of each event that has one.
    pub values: Vec<Option<ValueId>>,
    /// What it observed, in order: the position of the label, and the value.
    pub observations: Vec<(String, ValueId)>,
    /// Whether it ended early, before an access of something that is not an address.
    pub stray: bool,
}
