//! Allocations write to their blocks: one of zeros does on every model, and on models of languages
//! each does, so that an access which is not ordered after the allocation races with it.
//!
//! Blocks may be used again: an allocation may give one that was freed and not given since. It
//! then writes to every cell of that block, after the `free` in coherence order, with no other
//! `free` or allocation of the block between them. The order of these is the same in all cells, as
//! if the allocator had a lock. A block of which no cell is ever accessed is not used again.

use super::threads::Lives;
use crate::bounded::{Action, ActionId, ActionKind};
use crate::encode::{Builder, Cell, Source};
use crate::graph::{Edges, Graph};
use crate::term::TermId;
use crate::unroll::Unsupported;
use execution::event::EventId;
use execution::ids::Id;
use ir::program::LocId;
use ir::value::{RegionId, Value};
use sat::Lit;

/// A `free` of a block, or an allocation that gives it again.
#[derive(Clone, Copy)]
struct Turn {
    action: ActionId,
    frees: bool,
    /// Whether it takes place, with this block.
    exec: Lit,
}

impl Builder {
    /// The older blocks that an allocation may give, each with the literal that says so.
    fn refilled_blocks(
        &mut self,
        block: TermId,
        fresh: RegionId,
        place: Option<LocId>,
    ) -> Result<Vec<(RegionId, Lit)>, Unsupported> {
        let mut blocks = Vec::new();
        for value in self.addresses(block, place)? {
            let Some(region) = value.provenance.filter(|&region| region != fresh) else { continue };
            blocks.push((region, self.is(block, &value)));
        }
        Ok(blocks)
    }

    /// The cells that an allocation may write, each with the literal that says that it gives the
    /// block.
    pub(crate) fn filled_cells(
        &mut self,
        allocation: &Action,
    ) -> Result<Vec<(Cell, Lit)>, Unsupported> {
        let ActionKind::Allocate { block, fresh, writes, .. } = allocation.kind else {
            return Ok(Vec::new());
        };
        let mut blocks = self.refilled_blocks(block, fresh, allocation.origin.place)?;
        if writes {
            let base = self.bounded.regions[fresh].base;
            blocks.push((fresh, self.is(block, &Value::pointer(fresh, base))));
        }
        let mut cells = Vec::new();
        for (region, lit) in blocks {
            cells.extend(self.cells_inside(region).into_iter().map(|cell| (cell, lit)));
        }
        Ok(cells)
    }

    /// Whether a write is that of the allocation which makes the block, not of one that gives it
    /// again.
    pub(crate) fn is_first(&self, allocation: ActionId, cell: Cell) -> bool {
        match self.bounded.actions[allocation].kind {
            ActionKind::Allocate { fresh, .. } => {
                self.bounded.region_at(cell.address) == Some(fresh)
            }
            _ => false,
        }
    }

    pub(crate) fn cells_inside(&self, region: RegionId) -> Vec<Cell> {
        let region = &self.bounded.regions[region];
        let inside = |cell: &&Cell| cell.address.wrapping_sub(region.base) < region.size;
        self.unrolled.cells.keys().filter(inside).copied().collect()
    }

    fn refills(&self) -> Vec<(ActionId, TermId, RegionId)> {
        let refill = |(id, action): (ActionId, &crate::bounded::Action)| match action.kind {
            ActionKind::Allocate { block, fresh, .. } => Some((id, block, fresh)),
            _ => None,
        };
        self.bounded.actions.enumerate().filter_map(refill).collect()
    }

    /// Everything that frees a block or gives it again.
    fn turns(&mut self, lives: &Lives, region: RegionId) -> Result<Vec<Turn>, Unsupported> {
        let mut turns = Vec::new();
        for (action, block, fresh) in self.refills() {
            let place = self.bounded.actions[action].origin.place;
            for (other, lit) in self.refilled_blocks(block, fresh, place)? {
                if other == region {
                    let exec = self.formula.and(&[lit, lives.exec[action]]);
                    turns.push(Turn { action, frees: false, exec });
                }
            }
        }
        if turns.is_empty() {
            return Ok(turns);
        }
        for (action, address) in self.frees().collect::<Vec<_>>() {
            let place = self.bounded.actions[action].origin.place;
            for (other, lit) in self.freed_blocks(address, place)? {
                if other == region {
                    let exec = self.formula.and(&[lit, lives.exec[action]]);
                    turns.push(Turn { action, frees: true, exec });
                }
            }
        }
        Ok(turns)
    }

    fn turn_event(&self, turn: &Turn, cell: Cell) -> Option<EventId> {
        let source = match turn.frees {
            true => Source::Freed(turn.action, cell),
            false => Source::Filled(turn.action, cell),
        };
        self.events.get(&source).copied()
    }

    /// Whether one turn comes before another, given that both take place.
    fn turn_before(&self, co: &Edges, cell: Cell, a: &Turn, b: &Turn) -> Lit {
        match (self.turn_event(a, cell), self.turn_event(b, cell)) {
            (Some(a), Some(b)) => co.get(&(a, b)).copied().unwrap_or(Lit::FALSE),
            _ => Lit::FALSE,
        }
    }

    /// An allocation gives only a block that was freed just before.
    pub(crate) fn reused(&mut self, lives: &Lives, co: &Edges) -> Result<(), Unsupported> {
        for region in self.bounded.regions.ids().collect::<Vec<_>>() {
            let turns = self.turns(lives, region)?;
            if turns.is_empty() {
                continue;
            }
            let cells = self.cells_inside(region);
            let Some(&first) = cells.first() else {
                turns.iter().filter(|t| !t.frees).for_each(|t| self.formula.clause(&[!t.exec]));
                continue;
            };
            for (index, a) in turns.iter().enumerate() {
                for b in &turns[index + 1..] {
                    let order = self.turn_before(co, first, a, b);
                    for &cell in &cells[1..] {
                        let other = self.turn_before(co, cell, a, b);
                        self.formula.clause(&[!a.exec, !b.exec, !order, other]);
                        self.formula.clause(&[!a.exec, !b.exec, order, !other]);
                    }
                }
            }
            for given in turns.iter().filter(|turn| !turn.frees) {
                self.follows_a_free(co, first, &turns, given);
            }
        }
        Ok(())
    }

    fn follows_a_free(&mut self, co: &Edges, cell: Cell, turns: &[Turn], given: &Turn) {
        let mut some = vec![!given.exec];
        for free in turns.iter().filter(|turn| turn.frees) {
            let order = self.turn_before(co, cell, free, given);
            let mut last = vec![free.exec, order];
            let others = turns
                .iter()
                .filter(|turn| turn.action != free.action && turn.action != given.action);
            for other in others {
                let after = self.turn_before(co, cell, free, other);
                let before = self.turn_before(co, cell, other, given);
                last.push(!self.formula.and(&[other.exec, after, before]));
            }
            some.push(self.formula.and(&last));
        }
        self.formula.clause(&some);
    }

    /// Whether an allocation gives a block again between two frees of it.
    pub(crate) fn refilled_between(
        &mut self,
        lives: &Lives,
        co: &Edges,
        region: RegionId,
        first: ActionId,
        second: ActionId,
    ) -> Result<Lit, Unsupported> {
        let turns = self.turns(lives, region)?;
        let Some(&cell) = self.cells_inside(region).first() else { return Ok(Lit::FALSE) };
        let free = |action| Turn { action, frees: true, exec: Lit::TRUE };
        let mut between = Vec::new();
        for given in turns.iter().filter(|turn| !turn.frees) {
            let after = self.turn_before(co, cell, &free(first), given);
            let before = self.turn_before(co, cell, given, &free(second));
            between.push(self.formula.and(&[given.exec, after, before]));
        }
        Ok(self.formula.or(&between))
    }

    /// Whether an allocation gives a cell again between a `free` and a write.
    pub(crate) fn revived(
        &mut self,
        graph: &Graph,
        co: &Edges,
        free: EventId,
        write: EventId,
    ) -> Lit {
        let Source::Freed(_, cell) = self.sources[free.index()] else { return Lit::FALSE };
        let mut between = Vec::new();
        for (index, &source) in self.sources.clone().iter().enumerate() {
            let Source::Filled(id, own) = source else { continue };
            if own != cell || self.is_first(id, cell) {
                continue;
            }
            let given = EventId::new(index);
            let lit = |pair| co.get(&pair).copied().unwrap_or(Lit::FALSE);
            let all = [graph.nodes[given].exec, lit((free, given)), lit((given, write))];
            between.push(self.formula.and(&all));
        }
        self.formula.or(&between)
    }
}
