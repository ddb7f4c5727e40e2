//! Which accesses of a thread to its own objects stay accesses to memory, since they order others.
//!
//! No other thread sees them, but what comes before and after them may be in order only through
//! them: a read-modify-write that is a fence, an annotated access, one in an atomic section. The
//! same is true of plain accesses next to a fence that orders some pairs only. Let an own access be
//! between two others. An own load orders them if a fence orders the first before loads, and the second
//! is a store, which depends on the load or which the model keeps after loads: unless the fence orders
//! the first before stores, too. An own store orders them if the model keeps it after the first,
//! a load, and a fence orders it before loads: unless the fence orders loads before loads, too.
//!
//! An access that is kept although it orders nothing only makes the formula larger.

use super::objects::key;
use super::{Frame, ObjectKey, Unroller};
use crate::bounded::RegionKind;
use crate::guard::Guard;
use ir::op::Access;
use ir::order::{Directions, Fence};
use ir::tag::{Annotation, Tag};
use ir::value::{RegionId, Value};

impl Unroller<'_> {
    /// A thread does more to objects of its own than to load and store: where the model gives that an
    /// order, it stays among the accesses to memory. Stack objects in loops cannot be there.
    pub(super) fn keep_in_memory(&mut self, frame: &Frame, places: &[(Guard, Value)]) {
        if !self.options.ordered_own_objects || !self.concurrent {
            return;
        }
        for region in places.iter().filter_map(|(_, address)| address.provenance) {
            if !self.is_constant(region) {
                let key = self.can_be_in_memory(frame, region);
                self.found.escaped.extend(key);
            }
        }
    }

    /// The same for a load or a store, if it is annotated or in an atomic section, or if fences
    /// make it order others.
    pub(super) fn keep_access_in_memory(
        &mut self,
        frame: &Frame,
        place: (Guard, Value),
        access: &Access,
        write: bool,
    ) {
        let section = self.running.section.unique(&mut self.out.terms.guards, place.0);
        let in_section = section.is_none_or(|(_, depth)| depth > 0);
        // `P` is what x86 calls an access without an annotation.
        let annotated = access.tags.iter().any(|tag| *tag != Tag::Both(Annotation::P));
        if in_section || annotated {
            self.keep_in_memory(frame, &[place]);
        }
        if self.options.fenced_own_objects && self.concurrent {
            let key = place.1.provenance.and_then(|region| self.can_be_in_memory(frame, region));
            match write {
                true => self.running.written.extend(key),
                false if self.running.loads_fenced => self.found.escaped.extend(key),
                false => {}
            }
        }
    }

    /// A fence: what it makes of the thread's own objects.
    pub(super) fn fence_own(&mut self, fence: &Fence) {
        if !self.options.fenced_own_objects {
            return;
        }
        let directions = match fence {
            Fence::Directed(directions) => *directions,
            Fence::Named(name) => riscv(name),
            Fence::C11(_) | Fence::Compiler => return,
        };
        let Directions { load_load, load_store, store_load, store_store } = directions;
        self.running.loads_fenced |= load_load && !load_store || store_load && !store_store;
        if store_load && !load_load {
            let written = std::mem::take(&mut self.running.written);
            self.found.escaped.extend(written);
        }
    }

    /// An object is one in memory if no thread that terminates takes it along.
    pub(super) fn outlive(&mut self, address: Value) {
        let kind = address.provenance.map(|region| self.out.regions[region].kind);
        let kept =
            kind.filter(|kind| matches!(kind, RegionKind::Global { .. } | RegionKind::Heap(_)));
        self.found.escaped.extend(kept.and_then(key));
    }

    fn is_constant(&self, region: RegionId) -> bool {
        matches!(self.out.regions[region].kind, RegionKind::Global { constant: true, .. })
    }

    /// The key by which an object is made an object in memory, unless it is one of the stack
    /// objects that cannot be.
    fn can_be_in_memory(&self, frame: &Frame, region: RegionId) -> Option<ObjectKey> {
        let kind = self.out.regions[region].kind;
        let in_loop = frame.context[1..].chunks_exact(3).any(|part| part[0] == 1);
        let declared_again = in_loop && matches!(kind, RegionKind::Slot { .. });
        key(kind).filter(|_| !declared_again)
    }
}

/// The pairs that a fence of RISC-V keeps in order, by its name: `fence.rw.w`; none for others,
/// which order either all pairs or none of stores before loads.
fn riscv(name: &str) -> Directions {
    let name = name.to_ascii_lowercase();
    let mut parts = name.split('.');
    let (Some("fence"), Some(before), Some(after)) = (parts.next(), parts.next(), parts.next())
    else {
        return Directions::default();
    };
    let pair = |first, second| before.contains(first) && after.contains(second);
    Directions {
        load_load: pair('r', 'r'),
        load_store: pair('r', 'w'),
        store_load: pair('w', 'r'),
        store_store: pair('w', 'w'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_of_a_riscv_fence_are_its_pairs() {
        let some = riscv("Fence.w.r");
        assert!(some.store_load && !some.store_store && !some.load_load && !some.load_store);
        let some = riscv("fence.rw.r");
        assert!(some.store_load && some.load_load && !some.store_store && !some.load_store);
        assert_eq!(riscv("Fence.tso"), Directions::default());
        assert_eq!(riscv("Fence.i"), Directions::default());
        assert_eq!(riscv("MFENCE"), Directions::default());
    }
}
