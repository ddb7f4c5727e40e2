//! Objects whose lifetimes end: a `free` writes to every cell of its block, and nothing may come
//! after it, unless an allocation gives the block again ([`reuse`](super::reuse)).
//!
//! The same is true of a stack object when its call returns, and of a thread-local one when its
//! thread ends. That is an action only where some access may come later: one of another thread that
//! has not been awaited, or one after it in its own thread
//! ([`outlived`](crate::encode::program::outlived)).

use super::events::Coherent;
use super::reuse::{is_first, refilled_between, reused, revived};
use super::sources::{Source, Sources};
use super::threads::Lives;
use crate::bounded::{Access, ActionId, ActionKind, Bounded};
use crate::encode::MemoryCell;
use crate::encode::clauses::Clauses;
use crate::encode::program::outlived::pointed_to;
use crate::term::TermId;
use crate::unroll::Unsupported;
use execution::event::EventId;
use execution::finding::FindingKind;
use execution::ids::Id;
use ir::program::LocId;
use ir::value::{RegionId, Value};
use sat::Lit;

/// How it may be wrong that what an access reads is gone.
pub(crate) fn may_be_gone(clauses: &Clauses, access: &Access) -> Vec<FindingKind> {
    let mut kinds = Vec::new();
    if may_be_freed(clauses, access) {
        kinds.push(FindingKind::UseAfterFree);
    }
    if !clauses.unrolled.ending.is_empty() {
        let reached = pointed_to(clauses.values.sets(), &clauses.bounded, access.address);
        for &region in clauses.unrolled.ending.intersection(&reached) {
            let kind = clauses.bounded.used_after_end(region);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    kinds
}

/// Whether some action may free what an access reads.
fn may_be_freed(clauses: &Clauses, access: &Access) -> bool {
    let Some(read) = clauses.values.elements(access.address) else { return true };
    frees(&clauses.bounded).any(|(_, address)| {
        let Some(freed) = clauses.values.elements(address) else { return true };
        let region = |value: &Value| value.provenance;
        freed.iter().filter_map(region).any(|f| read.iter().filter_map(region).any(|r| r == f))
    })
}

/// The cells that the end of an object writes.
pub(crate) fn ended_cells(clauses: &Clauses, region: RegionId) -> Vec<(MemoryCell, Lit)> {
    clauses.cells_inside(region).into_iter().map(|cell| (cell, Lit::TRUE)).collect()
}

/// What is wrong with an access that comes after this end.
pub(crate) fn used_after(bounded: &Bounded, sources: &Sources, end: EventId) -> FindingKind {
    match sources.of(end) {
        Source::Freed(id, _) => match bounded.actions[id].kind {
            ActionKind::End(region) => bounded.used_after_end(region),
            _ => FindingKind::UseAfterFree,
        },
        _ => FindingKind::UseAfterFree,
    }
}

fn is_zeroed(clauses: &Clauses, allocation: ActionId) -> bool {
    let kind = &clauses.bounded.actions[allocation].kind;
    matches!(kind, ActionKind::Allocate { zeroed: true, .. })
}

pub(crate) fn frees(bounded: &Bounded) -> impl Iterator<Item = (ActionId, TermId)> {
    bounded.actions.enumerate().filter_map(|(id, action)| match action.kind {
        ActionKind::Free { address, .. } => Some((id, address)),
        _ => None,
    })
}

/// The blocks that a `free` may free, each with the literal that says so.
pub(crate) fn freed_blocks(
    clauses: &mut Clauses,
    address: TermId,
    place: Option<LocId>,
) -> Result<Vec<(RegionId, Lit)>, Unsupported> {
    let mut blocks = Vec::new();
    for value in clauses.addresses(address, place)? {
        if value.is_zero() || clauses.bounded.wrong_free(&value).is_some() {
            continue;
        }
        let Some(region) = value.provenance else { continue };
        blocks.push((region, clauses.is(address, &value)));
    }
    Ok(blocks)
}

/// The cells that a `free` writes, each with the literal that says that its block is freed.
pub(crate) fn freed_cells(
    clauses: &mut Clauses,
    address: TermId,
    place: Option<LocId>,
) -> Result<Vec<(MemoryCell, Lit)>, Unsupported> {
    let mut cells = Vec::new();
    for (region, lit) in freed_blocks(clauses, address, place)? {
        let region = &clauses.bounded.regions[region];
        let inside = |cell: &&MemoryCell| cell.address.wrapping_sub(region.base) < region.size;
        cells.extend(clauses.unrolled.cells.keys().filter(inside).map(|&cell| (cell, lit)));
    }
    Ok(cells)
}

/// What writes to an object after its end, or frees it twice, is wrong.
pub(crate) fn overwritten(
    clauses: &mut Clauses,
    lives: &Lives,
    coherent: Coherent<'_>,
) -> Result<(), Unsupported> {
    let Coherent { events, co } = coherent;
    for (free, source) in events.sources.iter() {
        let Source::Freed(..) = source else { continue };
        let later = co.range((free, EventId::new(0))..);
        for (&(_, write), &after) in later.take_while(|((from, _), _)| *from == free) {
            let id = match events.sources.of(write) {
                Source::Action(id) | Source::Part(id, _) => id,
                // Its zeros come too late; of what is undefined, no read could tell.
                Source::Filled(id, cell)
                    if is_first(&clauses.bounded, id, cell) && is_zeroed(clauses, id) =>
                {
                    id
                }
                _ => continue,
            };
            let same = events.graph.loc.get(&(free, write)).copied().unwrap_or(Lit::FALSE);
            let revived = revived(clauses, coherent, free, write);
            let (freed, written) = (events.graph.nodes[free].exec, events.graph.nodes[write].exec);
            let wrong = clauses.formula.and(&[after, same, freed, written, !revived]);
            clauses.find_at(id, wrong, used_after(&clauses.bounded, &events.sources, free), false);
        }
    }
    reused(clauses, lives, coherent)?;
    freed_twice(clauses, lives, coherent)
}

/// Of two frees of one block, the one that comes later is wrong.
fn freed_twice(
    clauses: &mut Clauses,
    lives: &Lives,
    coherent: Coherent<'_>,
) -> Result<(), Unsupported> {
    let frees: Vec<_> = frees(&clauses.bounded).collect();
    let mut blocks = Vec::new();
    for (id, address) in frees {
        let place = clauses.bounded.actions[id].origin.place;
        for (region, lit) in freed_blocks(clauses, address, place)? {
            blocks.push((id, region, lit));
        }
    }
    for (index, &(first, region, is_first)) in blocks.iter().enumerate() {
        for &(second, other, is_second) in &blocks[index + 1..] {
            if region != other || first == second {
                continue;
            }
            let both = [is_first, is_second, lives.exec[first], lives.exec[second]];
            let both = clauses.formula.and(&both);
            let own =
                clauses.bounded.actions[first].thread == clauses.bounded.actions[second].thread;
            let orders = match own {
                true => vec![(second, Lit::TRUE)],
                false => later_free(clauses, coherent, region, [first, second]).to_vec(),
            };
            for (later, order) in orders {
                let earlier = if later == first { second } else { first };
                let revived = refilled_between(clauses, lives, coherent, region, [earlier, later])?;
                let wrong = clauses.formula.and(&[both, order, !revived]);
                clauses.find_at(later, wrong, FindingKind::DoubleFree, false);
            }
        }
    }
    Ok(())
}

/// When each of two frees of a block by different threads is the later one; if no execution
/// touches the block, either may be.
fn later_free(
    clauses: &Clauses,
    Coherent { events, co }: Coherent<'_>,
    region: RegionId,
    [first, second]: [ActionId; 2],
) -> [(ActionId, Lit); 2] {
    let region = &clauses.bounded.regions[region];
    let inside = |cell: &&MemoryCell| cell.address.wrapping_sub(region.base) < region.size;
    let event = |free, cell| events.sources.event(Source::Freed(free, cell));
    let mut events = clauses.unrolled.cells.keys().filter(inside);
    match events.find_map(|&cell| Some((event(first, cell)?, event(second, cell)?))) {
        Some((a, b)) => {
            let lit = |pair| co.get(&pair).copied().unwrap_or(Lit::FALSE);
            [(second, lit((a, b))), (first, lit((b, a)))]
        }
        None => [(second, Lit::TRUE), (first, Lit::TRUE)],
    }
}
