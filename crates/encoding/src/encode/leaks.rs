//! Blocks that are left in the end although nothing points to them.
//!
//! A block is lost if it is not freed and cannot be reached in the end: no global holds a pointer
//! into it, and neither does a block that is left and can be reached. The blocks that can be reached
//! are the least set of this kind, but any such set that leaves a block out shows that it is lost;
//! so the solver may choose one.

use super::{Cell, Encoding};
use crate::bounded::{ActionKind, AllocationId, RegionKind};
use crate::term::TermId;
use ir::value::RegionId;
use sat::Lit;
use std::collections::BTreeMap;

/// What is known of a block in the end.
struct Block {
    /// Whether it is freed.
    freed: Lit,
    /// Whether it is in the set of those that can be reached.
    found: Lit,
}

/// A pointer that something holds in the end.
struct Held {
    /// Where it is.
    holder: RegionId,
    /// When it is there.
    there: Lit,
    /// The pointer.
    value: TermId,
}

impl Encoding<'_> {
    /// For each allocation, a literal that is true in a complete execution only if its block is
    /// lost; where it is, there is a solution in which it is true.
    pub fn leaks(&mut self) -> Vec<(AllocationId, Lit)> {
        let held = self.held();
        let bounded = self.bounded.clone();
        let mut blocks: BTreeMap<RegionId, Block> = BTreeMap::new();
        for allocation in bounded.allocations.iter() {
            let (freed, found) = (self.is_freed(allocation.region), self.formula.fresh());
            blocks.insert(allocation.region, Block { freed, found });
        }
        for (&region, block) in &blocks {
            for pointer in held.iter().filter(|pointer| pointer.holder != region) {
                let points = self.points_into(pointer.value, region);
                // What nobody finds, and what is not there any more, leads nowhere.
                let lost = match blocks.get(&pointer.holder) {
                    Some(holder) => vec![!holder.found, holder.freed],
                    None => Vec::new(),
                };
                let clause: Vec<Lit> =
                    lost.into_iter().chain([!pointer.there, !points, block.found]).collect();
                self.formula.clause(&clause);
            }
        }
        let mut leaks = Vec::new();
        for (id, allocation) in bounded.allocations.enumerate() {
            let made = self.reaches(&allocation.moment);
            let Block { freed, found } = blocks[&allocation.region];
            let lost = self.formula.and(&[made, !freed, !found]);
            if lost != Lit::FALSE {
                leaks.push((id, lost));
            }
        }
        leaks
    }

    /// All pointers that may be left in globals and blocks, and pieces of some.
    fn held(&mut self) -> Vec<Held> {
        let bounded = self.bounded.clone();
        let holder = |address: u64| {
            let region = bounded.region_at(address)?;
            let kind = bounded.regions[region].kind;
            let lasts = matches!(kind, RegionKind::Global { .. } | RegionKind::Heap(_));
            lasts.then_some(region)
        };
        let mut held = Vec::new();
        let cells: Vec<Cell> = self.initial.keys().copied().collect();
        for &cell in &cells {
            let Some(holder) = holder(cell.address) else { continue };
            for write in self.last_writes(cell) {
                let Some(value) = write.value else { continue };
                held.push(Held { holder, there: write.last, value });
            }
        }
        let accessed = |address: u64| cells.iter().any(|cell| cell.address == address);
        let before = bounded.initial.iter().filter(|(address, _)| !accessed(**address));
        let before = before.map(|(&address, cell)| (address, cell.value));
        for (address, value) in before.chain(bounded.own_cells.iter().copied()) {
            if let Some(holder) = holder(address) {
                held.push(Held { holder, there: Lit::TRUE, value });
            }
        }
        held
    }

    /// Whether a value points into a block.
    fn points_into(&mut self, value: TermId, region: RegionId) -> Lit {
        self.values.points_into(&mut self.formula, value, region)
    }

    /// Whether a block is freed.
    pub(super) fn is_freed(&mut self, region: RegionId) -> Lit {
        let bounded = self.bounded.clone();
        let own = self.values.guard(&mut self.formula, bounded.regions[region].freed);
        let mut lits = vec![own];
        for (id, action) in bounded.actions.enumerate() {
            if let ActionKind::Free { address, .. } = action.kind {
                let points = self.points_into(address, region);
                lits.push(self.formula.and(&[self.lives.exec[id], points]));
            }
        }
        self.formula.or(&lits)
    }
}
