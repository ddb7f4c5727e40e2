//! The cells that accesses of shared memory make: which bytes are read and written together.
//!
//! Soundness S-502 (verify; rc11; refuses): Accesses of different sizes to the same bytes that several
//! threads access are left to the solver. Test:
//! crates/engines/src/explicit/machine/weak/cells.rs::cells_do_not_overlap.

use super::view::Cell;
use execution::event::ThreadId;
use ir::value::RegionId;
use std::collections::BTreeMap;

/// All cells that there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    known: BTreeMap<(RegionId, u64), (Cell, u64)>,
    blocks: BTreeMap<RegionId, Cell>,
    readers: BTreeMap<(Cell, ThreadId), Cell>,
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

    /// The cell that stands for what a thread reads of one.
    pub(crate) fn reader(&mut self, cell: Cell, thread: ThreadId) -> Option<Cell> {
        if let Some(&mark) = self.readers.get(&(cell, thread)) {
            return Some(mark);
        }
        let mark = self.number()?;
        self.readers.insert((cell, thread), mark);
        Some(mark)
    }

    fn number(&mut self) -> Option<Cell> {
        let cell = self.next;
        self.next = cell.checked_add(1)?;
        Some(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::ids::Id;

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
}
