//! One concrete execution: its events, and the base sets and relations a memory model speaks of.

use crate::id;
use crate::ids::IdVec;
use crate::relation::{EventSet, Relation};
use crate::span::Location;
use std::collections::BTreeMap;
use std::sync::Arc;

id! {
    /// An event of one execution.
    pub struct EventId("e");
}

id! {
    /// A thread.
    pub struct ThreadId("P");
}

impl ThreadId {
    /// The thread that a program starts with.
    pub const MAIN: ThreadId = ThreadId(0);
}

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventKind {
    /// Reads memory.
    Read,
    /// Writes memory.
    Write,
    /// Orders other events.
    Fence,
    /// Decides a branch (only some models use these).
    Branch,
    /// Anything else that a model may name (lock operations, RCU marks, register accesses …).
    Other,
}

/// One event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its thread; `None` for the writes that set up the initial memory.
    pub thread: Option<ThreadId>,
    /// What it does.
    pub kind: EventKind,
    /// The location accessed, as its printed name (`x`, `q->tail`, `arr[1]`); equal names are
    /// equal locations.
    pub location: Option<Arc<str>>,
    /// The value read or written, as printed.
    pub value: Option<Arc<str>>,
    /// How the event is written when it is shown: `R[acq]x=1`, `MFENCE`.
    pub label: String,
    /// Which instruction of the thread it belongs to; events of one instruction share it.
    pub instruction: u32,
    /// The source line it came from.
    pub source: Option<Location>,
}

/// One concrete execution, complete: nothing about it is left to choose.
///
/// `sets` and `relations` hold the *base* vocabulary by its name in the cat language (`R`, `W`,
/// `IW`, `A`, `po`, `rf`, `co`, `addr`, `rmw` …). What can be derived from these (`fr`, `po-loc`,
/// `rfe`, `id`, `loc`, `int`, `ext` …) is derived by the model's evaluator.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Execution {
    /// All events.
    pub events: IdVec<EventId, Event>,
    /// Base sets by name.
    pub sets: BTreeMap<Arc<str>, EventSet>,
    /// Base relations by name.
    pub relations: BTreeMap<Arc<str>, Relation>,
}
