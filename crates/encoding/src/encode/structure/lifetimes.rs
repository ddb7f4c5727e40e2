//! Objects that come to their ends: a `free` writes to every cell of its block, and nothing may come
//! after it, unless an allocation gives the block again ([`reuse`](super::reuse)).
//!
//! The same is true of a stack object when its call returns, and of a thread-local one when its
//! thread ends. That is an action only where some access may come later: one of another thread that
//! has not been awaited, or one after it in its own thread
//! ([`outlived`](crate::encode::program::outlived)).

use super::threads::Lives;
use crate::bounded::{Access, ActionId, ActionKind};
use crate::encode::program::outlived::pointed_to;
use crate::encode::{Builder, Cell, Source};
use crate::graph::{Edges, Graph};
use crate::term::TermId;
use crate::unroll::Unsupported;
use execution::event::EventId;
use ir::program::LocId;
use ir::step::finding::FindingKind;
use ir::value::{RegionId, Value};
use sat::Lit;

impl Builder {
    /// How it may be wrong that what an access reads is gone.
    pub(crate) fn may_be_gone(&self, access: &Access) -> Vec<FindingKind> {
        let mut kinds = Vec::new();
        if self.may_be_freed(access) {
            kinds.push(FindingKind::UseAfterFree);
        }
        if !self.unrolled.ending.is_empty() {
            let reached = pointed_to(self.values.sets(), &self.bounded, access.address);
            for &region in self.unrolled.ending.intersection(&reached) {
                let kind = self.bounded.used_after_end(region);
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        }
        kinds
    }

    /// Whether some action may free what an access reads.
    fn may_be_freed(&self, access: &Access) -> bool {
        let Some(read) = self.values.elements(access.address) else { return true };
        self.frees().any(|(_, address)| {
            let Some(freed) = self.values.elements(address) else { return true };
            let region = |value: &Value| value.provenance;
            freed.iter().filter_map(region).any(|f| read.iter().filter_map(region).any(|r| r == f))
        })
    }

    /// The cells that the end of an object writes.
    pub(crate) fn ended_cells(&self, region: RegionId) -> Vec<(Cell, Lit)> {
        self.cells_inside(region).into_iter().map(|cell| (cell, Lit::TRUE)).collect()
    }

    /// What is wrong with an access that comes after this end.
    pub(crate) fn used_after(&self, end: EventId) -> FindingKind {
        match self.sources[write_index(end)] {
            Source::Freed(id, _) => match self.bounded.actions[id].kind {
                ActionKind::End(region) => self.bounded.used_after_end(region),
                _ => FindingKind::UseAfterFree,
            },
            _ => FindingKind::UseAfterFree,
        }
    }

    fn is_zeroed(&self, allocation: ActionId) -> bool {
        let kind = &self.bounded.actions[allocation].kind;
        matches!(kind, ActionKind::Allocate { zeroed: true, .. })
    }

    pub(crate) fn frees(&self) -> impl Iterator<Item = (ActionId, TermId)> {
        self.bounded.actions.enumerate().filter_map(|(id, action)| match action.kind {
            ActionKind::Free { address, .. } => Some((id, address)),
            _ => None,
        })
    }

    /// The blocks that a `free` may free, each with the literal that says so.
    pub(crate) fn freed_blocks(
        &mut self,
        address: TermId,
        place: Option<LocId>,
    ) -> Result<Vec<(RegionId, Lit)>, Unsupported> {
        let mut blocks = Vec::new();
        for value in self.addresses(address, place)? {
            if value.is_zero() || self.bounded.wrong_free(&value).is_some() {
                continue;
            }
            let Some(region) = value.provenance else { continue };
            blocks.push((region, self.is(address, &value)));
        }
        Ok(blocks)
    }

    /// The cells that a `free` writes, each with the literal that says that its block is freed.
    pub(crate) fn freed_cells(
        &mut self,
        address: TermId,
        place: Option<LocId>,
    ) -> Result<Vec<(Cell, Lit)>, Unsupported> {
        let mut cells = Vec::new();
        for (region, lit) in self.freed_blocks(address, place)? {
            let region = &self.bounded.regions[region];
            let inside = |cell: &&Cell| cell.address.wrapping_sub(region.base) < region.size;
            cells.extend(self.unrolled.cells.keys().filter(inside).map(|&cell| (cell, lit)));
        }
        Ok(cells)
    }

    /// What writes to an object after its end, or frees it twice, is wrong.
    pub(crate) fn overwritten(
        &mut self,
        lives: &Lives,
        graph: &Graph,
        co: &Edges,
    ) -> Result<(), Unsupported> {
        for (index, &source) in self.sources.clone().iter().enumerate() {
            let Source::Freed(..) = source else { continue };
            let free = execution::ids::Id::new(index);
            let later: Vec<_> =
                co.range((free, execution::ids::Id::new(0))..).map(|(&k, &l)| (k, l)).collect();
            for ((_, write), after) in later.into_iter().take_while(|((from, _), _)| *from == free)
            {
                let id = match self.sources[write_index(write)] {
                    Source::Action(id) | Source::Part(id, _) => id,
                    // Its zeros come too late; of what is undefined, no read could tell.
                    Source::Filled(id, cell) if self.is_first(id, cell) && self.is_zeroed(id) => id,
                    _ => continue,
                };
                let same = graph.loc.get(&(free, write)).copied().unwrap_or(Lit::FALSE);
                let revived = self.revived(graph, co, free, write);
                let (freed, written) = (graph.nodes[free].exec, graph.nodes[write].exec);
                let wrong = self.formula.and(&[after, same, freed, written, !revived]);
                self.find_at(id, wrong, self.used_after(free), false);
            }
        }
        self.reused(lives, co)?;
        self.freed_twice(lives, co)
    }

    /// Of two frees of one block, the one that comes later is wrong.
    fn freed_twice(&mut self, lives: &Lives, co: &Edges) -> Result<(), Unsupported> {
        let frees: Vec<_> = self.frees().collect();
        let mut blocks = Vec::new();
        for (id, address) in frees {
            let place = self.bounded.actions[id].origin.place;
            for (region, lit) in self.freed_blocks(address, place)? {
                blocks.push((id, region, lit));
            }
        }
        for (index, &(first, region, is_first)) in blocks.iter().enumerate() {
            for &(second, other, is_second) in &blocks[index + 1..] {
                if region != other || first == second {
                    continue;
                }
                let both = [is_first, is_second, lives.exec[first], lives.exec[second]];
                let both = self.formula.and(&both);
                let own = self.bounded.actions[first].thread == self.bounded.actions[second].thread;
                let orders = match own {
                    true => vec![(second, Lit::TRUE)],
                    false => self.later_free(co, region, first, second).to_vec(),
                };
                for (later, order) in orders {
                    let earlier = if later == first { second } else { first };
                    let revived = self.refilled_between(lives, co, region, earlier, later)?;
                    let wrong = self.formula.and(&[both, order, !revived]);
                    self.find_at(later, wrong, FindingKind::DoubleFree, false);
                }
            }
        }
        Ok(())
    }

    /// When each of two frees of a block by different threads is the later one; if no execution
    /// touches the block, either may be.
    fn later_free(
        &self,
        co: &Edges,
        region: RegionId,
        first: ActionId,
        second: ActionId,
    ) -> [(ActionId, Lit); 2] {
        let region = &self.bounded.regions[region];
        let inside = |cell: &&Cell| cell.address.wrapping_sub(region.base) < region.size;
        let event = |free, cell| self.events.get(&Source::Freed(free, cell)).copied();
        let mut events = self.unrolled.cells.keys().filter(inside);
        match events.find_map(|&cell| Some((event(first, cell)?, event(second, cell)?))) {
            Some((a, b)) => {
                let lit = |pair| co.get(&pair).copied().unwrap_or(Lit::FALSE);
                [(second, lit((a, b))), (first, lit((b, a)))]
            }
            None => [(second, Lit::TRUE), (first, Lit::TRUE)],
        }
    }
}

fn write_index(event: execution::event::EventId) -> usize {
    execution::ids::Id::index(event)
}
