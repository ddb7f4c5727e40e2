//! Answers from what memory holds in the end: can a thread that waits go on?

use crate::program::answers::{Answers, Stop, Wanted};
use crate::program::state::State;
use crate::world::{CellId, ValueId, World};
use execution::event::ThreadId;
use execution::ids::Id;
use ir::program::Width;
use ir::step::memory::Alternatives;
use ir::value::{RegionId, Value};
use std::collections::HashMap;

/// The last values of all cells.
pub struct Last<'v> {
    /// By cell.
    values: &'v [ValueId],
    /// What the thread has written since.
    written: HashMap<CellId, ValueId>,
}

impl<'v> Last<'v> {
    /// What memory holds, by cell.
    pub fn new(values: &'v [ValueId]) -> Self {
        Self { values, written: HashMap::new() }
    }
}

fn unsupported<V>(what: &str) -> Result<V, Stop> {
    Err(Stop::Unsupported(format!(
        "a thread that waits in an atomic section or a loop with {what}"
    )))
}

impl Answers for Last<'_> {
    const FORKS: bool = false;

    fn access(&mut self) -> Result<(), Stop> {
        Ok(())
    }

    fn read(
        &mut self,
        world: &mut World<'_>,
        _asks: &mut State,
        cell: CellId,
        _width: Width,
    ) -> Result<ValueId, Stop> {
        let own = self.written.get(&cell).or(self.values.get(cell.index())).copied();
        Ok(own.unwrap_or(world.cells[cell.index()].initial))
    }

    fn wrote(&mut self, cell: CellId, value: Option<ValueId>) {
        self.written.extend(value.map(|value| (cell, value)));
    }

    fn stores(&mut self, _asks: &mut State) -> Result<bool, Stop> {
        // Nobody disturbs it for ever.
        Ok(true)
    }

    fn fails(&mut self, _asks: &mut State) -> Result<bool, Stop> {
        Ok(false)
    }

    fn choose(
        &mut self,
        _world: &World<'_>,
        _asks: &mut State,
        _width: Width,
        _from: &Alternatives,
    ) -> Result<Value, Stop> {
        unsupported("a choice")
    }

    fn allocate(
        &mut self,
        _world: &mut World<'_>,
        _asks: &mut State,
        _wanted: &Wanted,
    ) -> Result<Option<(RegionId, bool)>, Stop> {
        unsupported("an allocation")
    }

    fn spawn(&mut self, _parent: ThreadId, _number: u32) -> Result<ThreadId, Stop> {
        unsupported("the start of a thread")
    }

    fn join(&mut self, _asks: &mut State, thread: ThreadId) -> Result<Value, Stop> {
        Err(Stop::WaitsFor(thread))
    }

    fn escapes(&mut self, _world: &World<'_>, _region: RegionId) -> Result<(), Stop> {
        Ok(())
    }

    fn touches(
        &mut self,
        _world: &World<'_>,
        _region: RegionId,
        _thread: ThreadId,
        _writes: bool,
    ) -> Result<(), Stop> {
        Ok(())
    }
}
