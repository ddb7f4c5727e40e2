//! Cells that no atomic access touches, as long as no threads race for them.
//!
//! Where every two accesses of a cell of which one is a write are ordered by happens-before, a read
//! sees the latest write, so memory holds all there is to know, and it does not matter when an
//! access takes place. What is kept is who knows of the latest write, and of the reads since: marks
//! in the views, which spread as happens-before does. An access that does not know what it has to
//! is a race, and the cell then gets a list, like those of atomic accesses. (An execution with a
//! race has a first one, in an order that extends program order and reads-from; up to there this is
//! what happens, and in whichever order the two accesses are executed, the second does not know of
//! the first.)

use super::future::Future;
use super::view::{Cell, View};
use super::{Weak, normal::Runs};
use crate::explicit::machine::state::{Threads, bit};
use execution::event::ThreadId;

/// What is not known to all of a cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Data {
    /// Whether some do not know of the latest write.
    pub(super) written: bool,
    /// The threads that have read since, of which some writers do not know, with the cells that
    /// stand for their reads.
    pub(super) readers: Vec<(ThreadId, Cell)>,
}

impl Weak {
    pub(super) fn data(&self, cell: Cell) -> Option<&Data> {
        let index = self.data.binary_search_by_key(&cell, |data| data.0).ok()?;
        Some(&self.data[index].1)
    }

    fn data_mut(&mut self, cell: Cell) -> &mut Data {
        let index = match self.data.binary_search_by_key(&cell, |data| data.0) {
            Ok(index) => index,
            Err(index) => {
                self.data.insert(index, (cell, Data::default()));
                index
            }
        };
        &mut self.data[index].1
    }

    fn marks(&mut self, thread: ThreadId, mark: Cell) {
        self.threads[thread].change(|own| {
            own.now.raise(mark, 1);
            own.acquired.raise(mark, 1);
        });
    }

    /// A thread reads a cell, for which another cell stands; gives whether it does so without a
    /// race.
    pub(crate) fn read_data(&mut self, thread: ThreadId, cell: Cell, mark: Cell) -> bool {
        let knows = |view: &View| view.get(cell) > 0;
        let written = self.data(cell).is_some_and(|data| data.written);
        if written && !knows(&self.threads[thread].get().now) {
            return false;
        }
        let data = self.data_mut(cell);
        if let Err(index) = data.readers.binary_search_by_key(&thread, |reader| reader.0) {
            data.readers.insert(index, (thread, mark));
        }
        self.renumber(mark, |_| 0);
        self.marks(thread, mark);
        true
    }

    /// A thread writes a cell; gives whether it does so without a race.
    pub(crate) fn write_data(&mut self, thread: ThreadId, cell: Cell) -> bool {
        let before = self.data(cell).cloned().unwrap_or_default();
        let now = &self.threads[thread].get().now;
        let unknown = |&(other, mark): &(ThreadId, Cell)| other != thread && now.get(mark) == 0;
        if before.written && now.get(cell) == 0 || before.readers.iter().any(unknown) {
            return false;
        }
        for (_, mark) in before.readers {
            self.renumber(mark, |_| 0);
        }
        self.renumber(cell, |_| 0);
        *self.data_mut(cell) = Data { written: true, readers: Vec::new() };
        self.marks(thread, cell);
        true
    }

    /// Forgets what all know that have to.
    pub(super) fn forget_data(&mut self, running: &[(ThreadId, Runs)]) {
        let mut all = std::mem::take(&mut self.data);
        for (cell, data) in &mut all {
            let knows = |mark: Cell, may: fn(&Future, Cell) -> bool, but: Threads| {
                let mut others = running.iter().filter(|it| but & bit(it.0) == 0);
                others.all(|(_, it)| !may(&it.future, *cell) || it.now.get(mark) > 0)
            };
            if data.written && knows(*cell, Future::accesses, 0) {
                data.written = false;
                self.renumber(*cell, |_| 0);
            }
            data.readers.retain(|&(thread, mark)| {
                let known = knows(mark, Future::writes, bit(thread));
                if known {
                    self.renumber(mark, |_| 0);
                }
                !known
            });
        }
        all.retain(|(_, data)| *data != Data::default());
        self.data = all;
    }
}
