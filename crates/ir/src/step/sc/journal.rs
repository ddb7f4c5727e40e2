//! What is needed to undo the changes of an atomic section.

use super::contents::Contents;
use super::region::Life;
use crate::value::RegionId;

/// The changes of a section so far, oldest first.
#[derive(Clone, Debug)]
pub struct Journal {
    pub(super) changes: Vec<Undo>,
    pub(super) version: u64,
    pub(super) heap_in_use: u64,
}

/// How to undo one change.
#[derive(Clone, Debug)]
pub(super) enum Undo {
    /// Some bytes were written; these were there before.
    Part { region: RegionId, offset: usize, part: Contents },
    /// An object was emptied; this was in it.
    Emptied { region: RegionId, contents: Contents },
    /// An object ended; this is how it was before.
    Ended { region: RegionId, life: Life, contents: Contents },
    /// A freed block was given again; this is how it was before.
    Revived { region: RegionId, life: Life, contents: Contents },
    /// An object was made.
    Created { region: RegionId },
}

impl Journal {
    /// Nothing has changed yet.
    pub(super) fn new(version: u64, heap_in_use: u64) -> Self {
        Self { changes: Vec::new(), version, heap_in_use }
    }

    pub(super) fn push(&mut self, undo: Undo) {
        self.changes.push(undo);
    }
}
