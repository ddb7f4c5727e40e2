//! Blocks that are left in the end although nothing points to them.
//!
//! A block is lost if it is not freed, and in the end no global and no other block that is left
//! holds a pointer into it. Blocks that only point to each other are not found.

use super::{Cell, Encoding};
use crate::bounded::{ActionKind, AllocationId, RegionKind};
use crate::term::TermId;
use ir::program::Width;
use ir::value::{RegionId, Value};
use sat::Lit;

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
    /// For each allocation, a literal that is true in a complete execution iff its block is lost.
    pub fn leaks(&mut self) -> Vec<(AllocationId, Lit)> {
        let held = self.held();
        let bounded = self.bounded.clone();
        let mut leaks = Vec::new();
        for (id, allocation) in bounded.allocations.enumerate() {
            let region = allocation.region;
            let made = self.reaches(&allocation.moment);
            let mut kept = vec![self.is_freed(region)];
            for pointer in held.iter().filter(|pointer| pointer.holder != region) {
                let points = self.points_into(pointer.value, region);
                kept.push(self.formula.and(&[pointer.there, points]));
            }
            let kept = self.formula.or(&kept);
            let lost = self.formula.and(&[made, !kept]);
            if lost != Lit::FALSE {
                leaks.push((id, lost));
            }
        }
        leaks
    }

    /// All pointers that may be left in globals and blocks.
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
        for &cell in cells.iter().filter(|cell| cell.width == Width::PTR) {
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

    /// Whether a value points into a block; one with too many values may.
    fn points_into(&mut self, value: TermId, region: RegionId) -> Lit {
        let Some(values) = self.values.elements(value) else { return Lit::TRUE };
        let into = |value: &&Value| value.provenance == Some(region) || value.high == Some(region);
        let is = |pointer: &Value| self.values.is(&mut self.formula, value, pointer);
        let lits: Vec<Lit> = values.iter().filter(into).map(is).collect();
        self.formula.or(&lits)
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
