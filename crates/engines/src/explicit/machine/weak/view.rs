//! Views: how far a thread has seen the writes of each cell.

/// A cell of memory that threads share, by its number.
pub(crate) type Cell = u32;

/// For cells, a position in the list of their messages; none is the first. In the order of cells.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct View(Vec<(Cell, u16)>);

impl View {
    /// The position for a cell.
    pub(crate) fn get(&self, cell: Cell) -> u16 {
        match self.0.binary_search_by_key(&cell, |entry| entry.0) {
            Ok(index) => self.0[index].1,
            Err(_) => 0,
        }
    }

    /// Sees a cell at least up to a position.
    pub(crate) fn raise(&mut self, cell: Cell, position: u16) {
        if position == 0 {
            return;
        }
        match self.0.binary_search_by_key(&cell, |entry| entry.0) {
            Ok(index) => self.0[index].1 = self.0[index].1.max(position),
            Err(index) => self.0.insert(index, (cell, position)),
        }
    }

    /// Sees what another view sees, too.
    pub(crate) fn join(&mut self, other: &View) {
        if self.0.is_empty() {
            self.0.clone_from(&other.0);
            return;
        }
        for &(cell, position) in &other.0 {
            self.raise(cell, position);
        }
    }

    /// Whether another view sees all that this one does.
    pub(crate) fn is_within(&self, other: &View) -> bool {
        self.0.iter().all(|&(cell, position)| position <= other.get(cell))
    }

    /// The same of cells with other names.
    pub(crate) fn renamed(&self, name: impl Fn(Cell) -> Cell) -> View {
        let mut all: Vec<(Cell, u16)> = self.0.iter().map(|&(cell, at)| (name(cell), at)).collect();
        all.sort_unstable();
        View(all)
    }

    /// Forgets a cell.
    pub(crate) fn forget(&mut self, cell: Cell) {
        self.0.retain(|entry| entry.0 != cell);
    }

    /// Forgets all cells but some.
    pub(crate) fn retain(&mut self, keep: impl Fn(Cell) -> bool) {
        self.0.retain(|entry| keep(entry.0));
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts the positions of a cell where others are.
    pub(crate) fn renumber(&mut self, cell: Cell, to: impl Fn(u16) -> u16) {
        if let Ok(index) = self.0.binary_search_by_key(&cell, |entry| entry.0) {
            self.0[index].1 = to(self.0[index].1);
            if self.0[index].1 == 0 {
                self.0.remove(index);
            }
        }
    }
}
