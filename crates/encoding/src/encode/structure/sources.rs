//! What each event of the graph comes from.

use crate::bounded::{ActionId, Bounded};
use execution::event::EventId;
use execution::ids::Id;
use ir::program::Width;
use std::collections::HashMap;

/// An event of the graph: an action, or the part of one that is at one cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// The initial write of a cell.
    Initial(MemoryCell),
    /// An access or a fence; of an access in parts, the first part.
    Action(ActionId),
    /// The part of an access that begins with this byte of it, which is not the first.
    Part(ActionId, u64),
    /// What a `free`, or the end of another object, does to one cell.
    Freed(ActionId, MemoryCell),
    /// What an allocation does to one cell of a block that is used again.
    Filled(ActionId, MemoryCell),
}

impl Source {
    /// The part of an access that begins with this byte of it.
    pub(crate) fn part(id: ActionId, byte: u64) -> Source {
        if byte == 0 { Source::Action(id) } else { Source::Part(id, byte) }
    }

    /// The byte of an access with which this part of it begins.
    pub(crate) fn byte(self) -> u64 {
        if let Source::Part(_, byte) = self { byte } else { 0 }
    }

    /// The action that it comes from; `None` for an initial write.
    pub(crate) fn action(self) -> Option<ActionId> {
        match self {
            Source::Initial(_) => None,
            Source::Action(id)
            | Source::Part(id, _)
            | Source::Freed(id, _)
            | Source::Filled(id, _) => Some(id),
        }
    }

    /// The access that it is, or is a part of.
    pub(crate) fn access(self) -> Option<ActionId> {
        match self {
            Source::Action(id) | Source::Part(id, _) => Some(id),
            Source::Initial(_) | Source::Freed(..) | Source::Filled(..) => None,
        }
    }
}

/// A location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct MemoryCell {
    pub(crate) address: u64,
    pub(crate) width: Width,
}

/// The events of a graph with what they come from.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    all: Vec<Source>,
    events: HashMap<Source, EventId>,
}

impl Sources {
    /// The next event of the graph comes from this.
    pub(crate) fn push(&mut self, event: EventId, source: Source) {
        self.all.push(source);
        self.events.insert(source, event);
    }

    /// How many events there are.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// What an event comes from.
    pub(crate) fn of(&self, event: EventId) -> Source {
        self.all[event.index()]
    }

    /// The event that comes from this, if there is one.
    pub(crate) fn event(&self, source: Source) -> Option<EventId> {
        self.events.get(&source).copied()
    }

    /// All events.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (EventId, Source)> {
        self.all.iter().enumerate().map(|(index, &source)| (EventId::new(index), source))
    }

    /// The events of an access.
    pub(crate) fn of_access(&self, bounded: &Bounded, id: ActionId) -> Vec<EventId> {
        let bytes = bounded.parts.of(id).unwrap_or(&[]).iter().map(|part| part.byte);
        let sources = std::iter::once(0).chain(bytes.skip(1)).map(|byte| Source::part(id, byte));
        sources.filter_map(|source| self.event(source)).collect()
    }
}
