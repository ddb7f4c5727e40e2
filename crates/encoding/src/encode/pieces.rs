//! Which plain accesses must be made in pieces, so that no two accesses overlap in part.
//!
//! Each location of the encoding is accessed as a whole. Where a `long` is accessed in one place
//! and its halves in another, the wider access is halved until nothing overlaps any more. Only
//! plain accesses can be; that an atomic one would have to be is no way out.

use crate::bounded::{Access, Action, ActionKind, Bounded};
use crate::values::Sets;
use crate::values::places::Addresses;
use execution::ids::Id;
use execution::witness::Split;
use ir::order::Order;
use ir::program::LocId;
use std::collections::{BTreeMap, BTreeSet};

/// All accesses of one width at one place in the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Site {
    /// Where; `None` if they must stay whole.
    place: Option<LocId>,
    bytes: u64,
}

/// How to make plain accesses in pieces, so that what overlaps is the same; `None` if there is no
/// such way.
pub(super) fn splits(bounded: &Bounded, sets: &Sets) -> Option<Vec<Split>> {
    let mut accesses: BTreeSet<(u64, Site)> = BTreeSet::new();
    for (id, action) in bounded.actions.enumerate() {
        let Some(places) = sets.places(id) else { continue };
        let Addresses::These(addresses) = &places.right else { return None };
        let site = Site { place: divisible(action), bytes: places.width.bytes() };
        accesses.extend(addresses.iter().map(|&address| (address, site)));
    }
    let mut pieces: BTreeMap<Site, u64> = BTreeMap::new();
    loop {
        let wide = overlapping(&accesses, &pieces);
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
fn overlapping(accesses: &BTreeSet<(u64, Site)>, pieces: &BTreeMap<Site, u64>) -> BTreeSet<Site> {
    let mut cells: BTreeMap<(u64, u64), BTreeSet<Site>> = BTreeMap::new();
    for &(address, site) in accesses {
        let piece = pieces.get(&site).copied().unwrap_or(site.bytes);
        for at in (address..address + site.bytes).step_by(piece as usize) {
            cells.entry((at, piece)).or_default().insert(site);
        }
    }
    let mut wide = BTreeSet::new();
    let mut last: Option<((u64, u64), &BTreeSet<Site>)> = None;
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
        overlapping(&accesses, &pieces).into_iter().map(|site| site.bytes).collect()
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
        // One that lies behind a narrower one, too.
        assert_eq!(wide(&[(16, long), (16, site(1, 1)), (20, int)], &[]), [8]);
    }
}
