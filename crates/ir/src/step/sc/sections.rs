//! Undoing what an atomic section did.

use super::ScMemory;
use super::journal::{Journal, Undo};
use super::region::Life;

impl ScMemory {
    /// From here on changes can be undone.
    pub fn begin(&mut self) {
        self.journal = Some(Journal::new(self.version, self.heap_in_use));
    }

    /// The changes since [`begin`](Self::begin) stay.
    pub fn commit(&mut self) {
        let Some(journal) = self.journal.take() else { return };
        for undo in journal.changes {
            match undo {
                Undo::Ended { region, .. } => self.dead.push_back(region),
                Undo::Revived { region, .. } => self.dead.retain(|&dead| dead != region),
                Undo::Part { .. } | Undo::Emptied { .. } | Undo::Created { .. } => {}
            }
        }
    }

    /// Undoes the changes since [`begin`](Self::begin).
    pub fn roll_back(&mut self) {
        let Some(journal) = self.journal.take() else { return };
        for undo in journal.changes.into_iter().rev() {
            match undo {
                Undo::Part { region, offset, part } => {
                    self.regions[region].contents.restore(offset, &part);
                }
                Undo::Emptied { region, contents } => self.regions[region].contents = contents,
                Undo::Ended { region, life, contents } => {
                    self.count_stack(region, true);
                    self.regions[region].life = life;
                    self.regions[region].contents = contents;
                }
                Undo::Revived { region, life, contents } => {
                    self.regions[region].life = life;
                    self.regions[region].contents = contents;
                }
                Undo::Created { region } => {
                    self.count_stack(region, false);
                    self.regions[region].life = Life::Over;
                    self.dead.push_back(region);
                }
            }
        }
        self.version = journal.version;
        self.heap_in_use = journal.heap_in_use;
    }
}
