//! The order in which places appear in a text, and whether a program has them in that order.

use crate::program::{LocId, Program, SourcePlace};
use execution::ids::{Id, IdVec};
use std::collections::HashMap;

/// The places around a place through which it was inlined, outermost first, then itself; `None`
/// if a place of the chain does not exist or the chain does not end.
pub(crate) fn chain(program: &Program, place: LocId) -> Option<Vec<LocId>> {
    let mut chain = Vec::new();
    let mut next = Some(place);
    while let Some(id) = next {
        if chain.len() == program.places.len() {
            return None;
        }
        chain.push(id);
        next = program.places.get(id)?.inlined_at;
    }
    chain.reverse();
    Some(chain)
}

/// Calls `visit` on every reference to a place, in the order of the text form.
pub(crate) fn visit_places(program: &mut Program, mut visit: impl FnMut(&mut LocId)) {
    for global in program.globals.iter_mut() {
        global.place.iter_mut().for_each(&mut visit);
    }
    for function in program.functions.iter_mut() {
        function.place.iter_mut().for_each(&mut visit);
        for slot in function.slots.iter_mut() {
            slot.place.iter_mut().for_each(&mut visit);
        }
        for block in function.blocks.iter_mut() {
            for inst in &mut block.insts {
                inst.place.iter_mut().for_each(&mut visit);
            }
            block.place.iter_mut().for_each(&mut visit);
        }
    }
}

/// Whether the places of a program are numbered as they appear in its text, each once.
pub(crate) fn in_text_order(program: &Program) -> bool {
    let mut next = 0;
    let mut ordered = true;
    let mut values: HashMap<&SourcePlace, LocId> = HashMap::new();
    // Only to read the references, which `visit_places` gives mutably.
    let mut copy = Program { places: IdVec::new(), ..program.clone() };
    visit_places(&mut copy, |&mut id| match chain(program, id) {
        None => ordered = false,
        Some(chain) => {
            for id in chain {
                ordered &= *values.entry(&program.places[id]).or_insert(id) == id;
                ordered &= id.index() <= next;
                next = next.max(id.index() + 1);
            }
        }
    });
    ordered && next == program.places.len()
}
