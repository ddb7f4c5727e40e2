//! Allocations write to their blocks: one of zeros does on every model, and on models of languages
//! each does, so that an access which is not ordered after the allocation races with it.
//!
//! Blocks may be used again: an allocation may give one that was freed and not given since. It
//! then writes to every cell of that block, after the `free` in coherence order, with no other
//! `free` or allocation of the block between them. The order of these is the same in all cells, as
//! if the allocator had a lock. A block of which no cell is ever accessed is not used again.
//!
//! Soundness S-095 (check; all; misses): With `--reuse-memory`, a block is used again by
//! allocations of the same size, alignment and kind only, on a model only if a thread freed it
//! while several run, and not if the threads access nothing of it. Test:
//! crates/fencepost/tests/check.rs::with_memory_that_is_used_again_it_counts_how_a_block_was_got,
//! crates/engines/src/serial/mine/tests.rs::freed_blocks_may_be_given_again.
//!
//! Soundness S-096 (check; languages; refuses): `--reuse-memory` is refused under models of
//! languages, where only a read could order what an allocator orders. Test:
//! crates/fencepost/tests/approximations.rs::memory_is_not_used_again_under_models_of_languages.

use super::events::{Coherent, Events};
use super::lifetimes::{freed_blocks, frees};
use super::sources::Source;
use super::threads::Lives;
use crate::bounded::{Action, ActionId, ActionKind, Bounded};
use crate::encode::MemoryCell;
use crate::encode::clauses::Clauses;
use crate::term::TermId;
use crate::unroll::Unsupported;
use execution::event::EventId;
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

/// The older blocks that an allocation may give, each with the literal that says so.
fn refilled_blocks(
    clauses: &mut Clauses,
    block: TermId,
    fresh: RegionId,
    place: Option<LocId>,
) -> Result<Vec<(RegionId, Lit)>, Unsupported> {
    let mut blocks = Vec::new();
    for value in clauses.addresses(block, place)? {
        let Some(region) = value.provenance.filter(|&region| region != fresh) else { continue };
        blocks.push((region, clauses.is(block, &value)));
    }
    Ok(blocks)
}

/// The cells that an allocation may write, each with the literal that says that it gives the
/// block.
pub(crate) fn filled_cells(
    clauses: &mut Clauses,
    allocation: &Action,
) -> Result<Vec<(MemoryCell, Lit)>, Unsupported> {
    let ActionKind::Allocate { block, fresh, writes, .. } = allocation.kind else {
        return Ok(Vec::new());
    };
    let mut blocks = refilled_blocks(clauses, block, fresh, allocation.origin.place)?;
    if writes {
        let base = clauses.bounded.regions[fresh].base;
        blocks.push((fresh, clauses.is(block, &Value::pointer(fresh, base))));
    }
    let mut cells = Vec::new();
    for (region, lit) in blocks {
        cells.extend(clauses.cells_inside(region).into_iter().map(|cell| (cell, lit)));
    }
    Ok(cells)
}

/// Whether a write is that of the allocation which makes the block, not of one that gives it
/// again.
pub(crate) fn is_first(bounded: &Bounded, allocation: ActionId, cell: MemoryCell) -> bool {
    match bounded.actions[allocation].kind {
        ActionKind::Allocate { fresh, .. } => bounded.region_at(cell.address) == Some(fresh),
        _ => false,
    }
}

fn refills(bounded: &Bounded) -> Vec<(ActionId, TermId, RegionId)> {
    let refill = |(id, action): (ActionId, &crate::bounded::Action)| match action.kind {
        ActionKind::Allocate { block, fresh, .. } => Some((id, block, fresh)),
        _ => None,
    };
    bounded.actions.enumerate().filter_map(refill).collect()
}

/// Everything that frees a block or gives it again.
fn turns(clauses: &mut Clauses, lives: &Lives, region: RegionId) -> Result<Vec<Turn>, Unsupported> {
    let mut turns = Vec::new();
    for (action, block, fresh) in refills(&clauses.bounded) {
        let place = clauses.bounded.actions[action].origin.place;
        for (other, lit) in refilled_blocks(clauses, block, fresh, place)? {
            if other == region {
                let exec = clauses.formula.and(&[lit, lives.exec[action]]);
                turns.push(Turn { action, frees: false, exec });
            }
        }
    }
    if turns.is_empty() {
        return Ok(turns);
    }
    for (action, address) in frees(&clauses.bounded).collect::<Vec<_>>() {
        let place = clauses.bounded.actions[action].origin.place;
        for (other, lit) in freed_blocks(clauses, address, place)? {
            if other == region {
                let exec = clauses.formula.and(&[lit, lives.exec[action]]);
                turns.push(Turn { action, frees: true, exec });
            }
        }
    }
    Ok(turns)
}

fn turn_event(events: &Events, turn: &Turn, cell: MemoryCell) -> Option<EventId> {
    let source = match turn.frees {
        true => Source::Freed(turn.action, cell),
        false => Source::Filled(turn.action, cell),
    };
    events.sources.event(source)
}

/// Whether one turn comes before another, given that both take place.
fn turn_before(Coherent { events, co }: Coherent<'_>, cell: MemoryCell, a: &Turn, b: &Turn) -> Lit {
    match (turn_event(events, a, cell), turn_event(events, b, cell)) {
        (Some(a), Some(b)) => co.get(&(a, b)).copied().unwrap_or(Lit::FALSE),
        _ => Lit::FALSE,
    }
}

/// An allocation gives only a block that was freed just before.
pub(crate) fn reused(
    clauses: &mut Clauses,
    lives: &Lives,
    coherent: Coherent<'_>,
) -> Result<(), Unsupported> {
    for region in clauses.bounded.regions.ids().collect::<Vec<_>>() {
        let turns = turns(clauses, lives, region)?;
        if turns.is_empty() {
            continue;
        }
        let cells = clauses.cells_inside(region);
        let Some(&first) = cells.first() else {
            turns.iter().filter(|t| !t.frees).for_each(|t| clauses.formula.clause(&[!t.exec]));
            continue;
        };
        for (index, a) in turns.iter().enumerate() {
            for b in &turns[index + 1..] {
                let order = turn_before(coherent, first, a, b);
                for &cell in &cells[1..] {
                    let other = turn_before(coherent, cell, a, b);
                    clauses.formula.clause(&[!a.exec, !b.exec, !order, other]);
                    clauses.formula.clause(&[!a.exec, !b.exec, order, !other]);
                }
            }
        }
        for given in turns.iter().filter(|turn| !turn.frees) {
            follows_a_free(clauses, coherent, first, &turns, given);
        }
    }
    Ok(())
}

fn follows_a_free(
    clauses: &mut Clauses,
    coherent: Coherent<'_>,
    cell: MemoryCell,
    turns: &[Turn],
    given: &Turn,
) {
    let mut some = vec![!given.exec];
    for free in turns.iter().filter(|turn| turn.frees) {
        let order = turn_before(coherent, cell, free, given);
        let mut last = vec![free.exec, order];
        let others =
            turns.iter().filter(|turn| turn.action != free.action && turn.action != given.action);
        for other in others {
            let after = turn_before(coherent, cell, free, other);
            let before = turn_before(coherent, cell, other, given);
            last.push(!clauses.formula.and(&[other.exec, after, before]));
        }
        some.push(clauses.formula.and(&last));
    }
    clauses.formula.clause(&some);
}

/// Whether an allocation gives a block again between two frees of it.
pub(crate) fn refilled_between(
    clauses: &mut Clauses,
    lives: &Lives,
    coherent: Coherent<'_>,
    region: RegionId,
    [first, second]: [ActionId; 2],
) -> Result<Lit, Unsupported> {
    let turns = turns(clauses, lives, region)?;
    let Some(&cell) = clauses.cells_inside(region).first() else { return Ok(Lit::FALSE) };
    let free = |action| Turn { action, frees: true, exec: Lit::TRUE };
    let mut between = Vec::new();
    for given in turns.iter().filter(|turn| !turn.frees) {
        let after = turn_before(coherent, cell, &free(first), given);
        let before = turn_before(coherent, cell, given, &free(second));
        between.push(clauses.formula.and(&[given.exec, after, before]));
    }
    Ok(clauses.formula.or(&between))
}

/// Whether an allocation gives a cell again between a `free` and a write.
pub(crate) fn revived(
    clauses: &mut Clauses,
    Coherent { events, co }: Coherent<'_>,
    free: EventId,
    write: EventId,
) -> Lit {
    let Source::Freed(_, cell) = events.sources.of(free) else { return Lit::FALSE };
    let mut between = Vec::new();
    for (given, source) in events.sources.iter() {
        let Source::Filled(id, own) = source else { continue };
        if own != cell || is_first(&clauses.bounded, id, cell) {
            continue;
        }
        let lit = |pair| co.get(&pair).copied().unwrap_or(Lit::FALSE);
        let all = [events.graph.nodes[given].exec, lit((free, given)), lit((given, write))];
        between.push(clauses.formula.and(&all));
    }
    clauses.formula.or(&between)
}
