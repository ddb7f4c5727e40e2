//! The cells of memory that accesses may be at, and what they hold before the threads start.

use super::splits;
use crate::bounded::{ActionId, Bounded};
use crate::encode::MemoryCell;
use crate::term::TermId;
use crate::unroll::Unsupported;
use crate::values::Sets;
use crate::values::places::Addresses;
use ir::program::{Program, Width};
use ir::value::Value;
use models::with_mixed_sizes;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The locations that may be accessed, with what they hold at first.
pub(crate) fn cells(
    bounded: &mut Bounded,
    program: &Program,
    sets: &Sets,
) -> Result<BTreeMap<MemoryCell, TermId>, Unsupported> {
    let mut touched: BTreeMap<MemoryCell, ActionId> = BTreeMap::new();
    for id in bounded.actions.ids() {
        let Some(places) = sets.places(id) else { continue };
        let Addresses::These(addresses) = &places.right else {
            let place = bounded.actions[id].origin.users_place(program);
            return Err(Unsupported::new("an address with too many possible values", place));
        };
        let width = bounded.parts.width(id, places.width);
        for &address in addresses {
            for byte in (0..places.width.bytes()).step_by(width.bytes() as usize) {
                touched.entry(MemoryCell { address: address + byte, width }).or_insert(id);
            }
        }
    }
    let mut last: Option<(MemoryCell, ActionId)> = None;
    for (&cell, &action) in &touched {
        if let Some((other, first)) = last
            && other.address + other.width.bytes() > cell.address
        {
            let splits = splits::splits(bounded, sets).unwrap_or_default();
            return Err(Unsupported { splits, ..overlap(bounded, program, first, action) });
        }
        last = Some((cell, action));
    }
    if let Some(action) = splits::divides_pointers(bounded, sets) {
        let splits = splits::splits(bounded, sets).unwrap_or_default();
        let place = bounded.actions[action].origin.users_place(program);
        let what = "an access of what may be a pointer, to bytes that others write singly";
        return Err(Unsupported { splits, ..Unsupported::new(what, place) });
    }
    let mut cells = BTreeMap::new();
    for (cell, action) in touched {
        let Some(value) = bounded.initial_value(cell.address, cell.width) else {
            let what = "an access that may be where there is no object";
            let place = bounded.actions[action].origin.users_place(program);
            return Err(Unsupported::new(what, place));
        };
        cells.insert(cell, value);
    }
    Ok(cells)
}

/// That two actions access overlapping memory that is not the same.
fn overlap(bounded: &Bounded, program: &Program, one: ActionId, other: ActionId) -> Unsupported {
    let users = |action: ActionId| bounded.actions[action].origin.users_place(program);
    let library = |action: ActionId| bounded.actions[action].origin.library_function(program);
    let by = library(other).map_or(String::new(), |name| format!(" by `{name}`"));
    let mut what = format!("an access{by} to a part of what another one accesses as a whole");
    let lines = [one, other].map(|action| {
        users(action).map(|place| {
            let location = &program.places[place].location;
            format!("{}:{}", location.file, location.line)
        })
    });
    if let [Some(first), Some(second)] = lines
        && first != second
    {
        let by = library(one).map_or(String::new(), |name| format!("by `{name}`, "));
        what = format!("{what} ({by}{first})");
    }
    what += &format!(
        ": {} define this; elsewhere, load and store the whole and compute with its parts",
        with_mixed_sizes().join(", ")
    );
    Unsupported::new(what, users(other))
}

/// A value for each width in which memory is accessed.
pub(crate) fn constants(
    bounded: &mut Bounded,
    cells: &BTreeMap<MemoryCell, TermId>,
    value: impl Fn(Width) -> Value,
) -> HashMap<Width, TermId> {
    let widths: BTreeSet<Width> = cells.keys().map(|cell| cell.width).collect();
    widths.into_iter().map(|width| (width, bounded.terms.value(value(width)))).collect()
}
