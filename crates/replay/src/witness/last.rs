//! Answers from what memory holds in the end: can a thread that waits go on?

use crate::memory::parts::{Assembly, put_together};
use crate::memory::world::{CellId, ValueId, World};
use crate::thread::answers::{Answers, Stop, Wanted};
use crate::thread::state::State;
use execution::event::ThreadId;
use execution::ids::Id;
use ir::program::Width;
use ir::step::memory::Alternatives;
use ir::value::{RegionId, Value};

/// The last values of all cells.
pub struct Last<'v> {
    /// By cell.
    values: &'v [ValueId],
    /// What the thread has written since, in order.
    written: Vec<(CellId, ValueId)>,
}

impl<'v> Last<'v> {
    /// What memory holds, by cell.
    pub fn new(values: &'v [ValueId]) -> Self {
        Self { values, written: Vec::new() }
    }
}

/// What a cell holds in the end, if these are the last values of the cells that were known then.
pub fn last_value(world: &World<'_>, values: &[ValueId], cell: CellId) -> Value {
    if let Some(&value) = values.get(cell.index()) {
        return world.value_of(value);
    }
    let known = values.iter().enumerate();
    put_together(world, cell, known.map(|(index, &value)| (CellId::new(index), value)))
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
        let own = self.written.iter().filter(|&&(other, _)| world.meet(other, cell));
        let own: Vec<(CellId, ValueId)> = own.copied().collect();
        match own.last() {
            Some(&(other, value)) if other == cell => return Ok(value),
            None if cell.index() < self.values.len() => return Ok(self.values[cell.index()]),
            _ => {}
        }
        let base = last_value(world, self.values, cell);
        let width = Width::from_bytes(world.cells[cell.index()].bytes).unwrap_or(Width::I8);
        let mut whole = Assembly::new(base, width);
        for (other, value) in own {
            let (from, to) = (&world.cells[other.index()], &world.cells[cell.index()]);
            let width = Width::from_bytes(from.bytes).unwrap_or(Width::I8);
            whole.put(from.offset as i64 - to.offset as i64, world.value_of(value), width);
        }
        Ok(world.value(whole.finish()))
    }

    fn wrote(&mut self, cell: CellId, value: Option<ValueId>) {
        self.written.retain(|&(other, _)| other != cell);
        self.written.extend(value.map(|value| (cell, value)));
    }

    fn stores(&mut self, _asks: &mut State) -> Result<bool, Stop> {
        // No other thread interferes for ever.
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
