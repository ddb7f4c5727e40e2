//! Which accesses must be made in pieces, so that no two accesses overlap in part.
//!
//! Each location of the encoding is accessed as a whole. Where a `long` is accessed in one place
//! and its halves in another, the wider access is halved until nothing overlaps any more. Where the
//! model gives that a meaning, an access is several events then ([`analysed`]). Elsewhere the
//! program can be made in pieces ([`splits`]), but only its plain accesses; that an atomic one
//! would have to be is not a way out.

use crate::bounded::{Access, Action, ActionId, ActionKind, Bounded};
use crate::encode::EncodeOptions;
use crate::term::TermId;
use crate::values::places::Addresses;
use crate::values::{self, Sets};
use execution::ids::Id;
use execution::witness::Split;
use ir::order::Order;
use ir::program::{LocId, Width};
use std::collections::{BTreeMap, BTreeSet};

/// What is accessed is divided, and then known better or worse, so often.
const ROUNDS: usize = 8;

/// The values of a program's terms. If `in_parts`, the accesses that overlap with others of another
/// extent are divided.
pub(crate) fn analysed(bounded: &mut Bounded, options: &EncodeOptions, in_parts: bool) -> Sets {
    let analyse =
        |bounded: &Bounded| values::analyse_within(bounded, &options.values, &options.limits);
    let mut sets = analyse(bounded);
    for _ in 0..ROUNDS {
        let Some(mut widths) = divided(bounded, &sets) else { break };
        if !widths.is_empty() {
            // Where accesses seem to overlap, it is worth a closer look.
            sets.narrow(bounded);
            widths = divided(bounded, &sets).unwrap_or(widths);
        }
        if !in_parts || widths == bounded.parts.widths() || options.limits.expired() {
            break;
        }
        bounded.divide(&widths, &sets);
        sets = analyse(bounded);
    }
    sets
}

/// How wide the parts of the accesses are that must be divided; `None` if that is not known.
fn divided(bounded: &Bounded, sets: &Sets) -> Option<BTreeMap<ActionId, Width>> {
    let mut cells: BTreeSet<(u64, u64)> = BTreeSet::new();
    let places = || bounded.actions.ids().filter_map(|id| Some((id, sets.places(id)?)));
    for (_, places) in places() {
        let Addresses::These(addresses) = &places.right else { return None };
        cells.extend(addresses.iter().map(|&address| (address, places.width.bytes())));
    }
    let mut pairs = cells.iter().zip(cells.iter().skip(1));
    let overlap = pairs.any(|(&(first, bytes), &(second, _))| first + bytes > second);
    if !overlap && bounded.parts.is_empty() {
        return Some(BTreeMap::new());
    }
    let mut accesses: BTreeSet<(u64, (u64, ActionId))> = BTreeSet::new();
    for (id, places) in places() {
        let Addresses::These(addresses) = &places.right else { return None };
        let bytes = places.width.bytes();
        accesses.extend(addresses.iter().map(|&address| (address, (bytes, id))));
    }
    let mut pieces: BTreeMap<(u64, ActionId), u64> = BTreeMap::new();
    loop {
        let wide = overlapping(&accesses, |key| key.0, &pieces);
        if wide.is_empty() {
            break;
        }
        for access in wide {
            let piece = pieces.entry(access).or_insert(access.0);
            if *piece == 1 {
                return None;
            }
            *piece /= 2;
        }
    }
    // What was divided before stays so, since less may be known of it now.
    for (action, width) in bounded.parts.widths() {
        let whole = sets.places(action)?.width.bytes();
        let piece = pieces.entry((whole, action)).or_insert(width.bytes());
        *piece = width.bytes().min(*piece);
    }
    pieces.into_iter().map(|((_, id), bytes)| Some((id, Width::from_bytes(bytes)?))).collect()
}

/// Whether a value that may be a pointer is divided so that other values may be written to some of
/// its bytes: what it points to then is not told by its parts.
pub(crate) fn divides_pointers(bounded: &Bounded, sets: &Sets) -> Option<ActionId> {
    let is_narrow = |id: ActionId| sets.places(id).is_some_and(|p| p.width < Width::PTR);
    let writes = bounded
        .actions
        .enumerate()
        .filter(|(id, action)| matches!(action.kind, ActionKind::Write { .. }) && is_narrow(*id));
    let narrow: Vec<ActionId> = writes.map(|(id, _)| id).collect();
    let points = |value: TermId| {
        let shape = sets.of(bounded, value).shape();
        shape.is_some_and(|shape| shape.provenance.iter().chain(&shape.high).any(Option::is_some))
    };
    let mut divided = bounded.parts.widths().into_iter().filter(|(_, width)| *width < Width::PTR);
    divided.find_map(|(id, _)| {
        let value = match &bounded.actions[id].kind {
            ActionKind::Read { into, .. } => bounded.terms.input_term(*into),
            ActionKind::Write { value, .. } => *value,
            _ => return None,
        };
        let met = |&other: &ActionId| sets.may_overlap(bounded, id, other);
        (points(value) && narrow.iter().any(met)).then_some(id)
    })
}

/// All accesses of one width at one place in the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Site {
    /// Where; `None` if they must stay whole.
    place: Option<LocId>,
    bytes: u64,
}

/// How to make plain accesses in pieces, so that what overlaps is the same; `None` if there is no
/// such way.
pub(crate) fn splits(bounded: &Bounded, sets: &Sets) -> Option<Vec<Split>> {
    let mut accesses: BTreeSet<(u64, Site)> = BTreeSet::new();
    for (id, action) in bounded.actions.enumerate() {
        let Some(places) = sets.places(id) else { continue };
        let Addresses::These(addresses) = &places.right else { return None };
        let site = Site { place: divisible(action), bytes: places.width.bytes() };
        accesses.extend(addresses.iter().map(|&address| (address, site)));
    }
    let mut pieces: BTreeMap<Site, u64> = BTreeMap::new();
    loop {
        let wide = overlapping(&accesses, |site| site.bytes, &pieces);
        if wide.is_empty() {
            break;
        }
        for site in wide {
            let piece = pieces.entry(site).or_insert(site.bytes);
            if site.place.is_none() || !piece.is_power_of_two() || *piece == 1 {
                return None;
            }
            *piece /= 2;
        }
    }
    let split = |(site, into): (Site, u64)| {
        let place = u32::try_from(site.place?.index()).ok()?;
        Some(Split { place, bytes: site.bytes.try_into().ok()?, into: into.try_into().ok()? })
    };
    pieces.into_iter().map(split).collect()
}

/// Where an access is that may be made in pieces.
fn divisible(action: &Action) -> Option<LocId> {
    let plain = |access: &Access| {
        access.tags.is_empty() && access.orders.iter().all(|(order, _)| *order == Order::NonAtomic)
    };
    match &action.kind {
        ActionKind::Read { access, exclusive: false, .. }
        | ActionKind::Write { access, rmw: None, .. }
            if plain(access) =>
        {
            action.origin.place
        }
        _ => None,
    }
}

/// The accesses whose pieces overlap with others that are different, and not wider.
fn overlapping<K: Copy + Ord>(
    accesses: &BTreeSet<(u64, K)>,
    bytes: impl Fn(&K) -> u64,
    pieces: &BTreeMap<K, u64>,
) -> BTreeSet<K> {
    let mut cells: BTreeMap<(u64, u64), BTreeSet<K>> = BTreeMap::new();
    for &(address, site) in accesses {
        let whole = bytes(&site);
        let piece = pieces.get(&site).copied().unwrap_or(whole);
        for at in (address..address + whole).step_by(piece as usize) {
            cells.entry((at, piece)).or_default().insert(site);
        }
    }
    let mut wide = BTreeSet::new();
    let mut last: Option<((u64, u64), &BTreeSet<K>)> = None;
    for (&(at, bytes), sites) in &cells {
        match last {
            Some(((before, size), others)) if before + size > at => {
                if size >= bytes {
                    wide.extend(others);
                }
                if bytes >= size {
                    wide.extend(sites);
                }
                if at + bytes > before + size {
                    last = Some(((at, bytes), sites));
                }
            }
            _ => last = Some(((at, bytes), sites)),
        }
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(accesses: &[(u64, Site)], pieces: &[(Site, u64)]) -> Vec<u64> {
        let accesses = accesses.iter().copied().collect();
        let pieces = pieces.iter().copied().collect();
        let wide = overlapping(&accesses, |site: &Site| site.bytes, &pieces);
        wide.into_iter().map(|site| site.bytes).collect()
    }

    #[test]
    fn the_wider_of_two_overlapping_accesses_must_be_split() {
        let site = |place, bytes| Site { place: Some(LocId::new(place)), bytes };
        let (long, int) = (site(0, 8), site(1, 4));
        assert_eq!(wide(&[(16, long), (20, int)], &[]), [8]);
        assert_eq!(wide(&[(16, long), (16, int)], &[]), [8]);
        assert_eq!(wide(&[(16, long), (20, int)], &[(long, 4)]), []);
        assert_eq!(wide(&[(16, long), (24, int)], &[]), []);
        // Both of one width, next to each other by half.
        assert_eq!(wide(&[(16, long), (20, site(1, 8))], &[]), [8, 8]);
        // One that lies after a narrower one, too.
        assert_eq!(wide(&[(16, long), (16, site(1, 1)), (20, int)], &[]), [8]);
    }
}
