//! The cells that accesses of shared memory make: which bytes are read and written together.
//!
//! Soundness S-502 (verify; rc11; refuses): Accesses of different sizes to the same bytes that several
//! threads access are left to the solver. Test:
//! crates/engines/src/explicit/machine/weak/cells.rs::cells_do_not_overlap.

use super::view::Cell;
use crate::explicit::machine::world::MOST_THREADS;
use execution::event::ThreadId;
use execution::ids::Id;
use ir::value::RegionId;
use std::collections::BTreeMap;

/// The number of a cell that stands for what a thread reads of another one has a bit for that, the
/// other one's, and the thread's.
const READER: Cell = 1 << 31;
const THREADS: Cell = MOST_THREADS as Cell;
/// With more cells than this, there are too many states anyway.
const MOST_CELLS: Cell = 1 << 16;

/// The cell that stands for what a thread reads of one.
pub(crate) fn reader(cell: Cell, thread: ThreadId) -> Cell {
    READER | (cell * THREADS) | thread.index() as Cell
}

/// What a cell stands for where threads have other numbers.
pub(crate) fn renamed(cell: Cell, number: impl Fn(ThreadId) -> ThreadId) -> Cell {
    match cell & READER {
        0 => cell,
        _ => {
            let own = cell & !READER;
            reader(own / THREADS, number(ThreadId::new((own % THREADS) as usize)))
        }
    }
}

/// All cells that there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    known: BTreeMap<(RegionId, u64), (Cell, u64)>,
    blocks: BTreeMap<RegionId, Cell>,
    next: Cell,
}

impl Cells {
    /// The cell of this many bytes at an offset of an object; nothing if some of them belong to
    /// another one, or if there are too many.
    pub(crate) fn at(&mut self, region: RegionId, offset: u64, bytes: u64) -> Option<Cell> {
        if let Some(&(cell, known)) = self.known.get(&(region, offset)) {
            return (known == bytes).then_some(cell);
        }
        let before = self.known.range((region, 0)..(region, offset)).next_back();
        let after = self.known.range((region, offset)..(region, offset + bytes)).next();
        let meets = before.is_some_and(|(&(_, start), &(_, length))| start + length > offset);
        if meets || after.is_some() {
            return None;
        }
        let cell = self.number()?;
        self.known.insert((region, offset), (cell, bytes));
        Some(cell)
    }

    /// The cell that stands for the allocation of a block.
    pub(crate) fn block(&mut self, region: RegionId) -> Option<Cell> {
        if let Some(&cell) = self.blocks.get(&region) {
            return Some(cell);
        }
        let cell = self.number()?;
        self.blocks.insert(region, cell);
        Some(cell)
    }

    /// The same for a block that has one.
    pub(crate) fn known_block(&self, region: RegionId) -> Option<Cell> {
        self.blocks.get(&region).copied()
    }

    fn number(&mut self) -> Option<Cell> {
        let cell = self.next;
        self.next += 1;
        (cell < MOST_CELLS).then_some(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_do_not_overlap() {
        let (mut cells, one) = (Cells::default(), RegionId::new(1));
        assert_eq!(cells.at(one, 8, 8), Some(0));
        assert_eq!(cells.at(one, 4, 4), Some(1));
        assert_eq!(cells.at(one, 16, 1), Some(2));
        assert_eq!(cells.at(one, 8, 8), Some(0));
        assert_eq!(cells.at(RegionId::new(2), 4, 8), Some(3));
        for (offset, bytes) in [(8, 4), (12, 4), (7, 2), (0, 5), (15, 1), (0, 32)] {
            assert_eq!(cells.at(one, offset, bytes), None, "{bytes} at {offset}");
        }
    }

    #[test]
    fn readers_have_names_of_their_own() {
        let thread = ThreadId::new;
        let last = reader(MOST_CELLS - 1, thread(MOST_THREADS - 1));
        assert_ne!(reader(3, thread(1)), reader(3, thread(2)));
        assert_eq!(renamed(last, |_| thread(2)), reader(MOST_CELLS - 1, thread(2)));
        assert_eq!(renamed(7, |_| thread(2)), 7);
    }
}
