//! Stack objects of calls that have returned: where nobody can know their addresses, the next call
//! gets them, so that a loop that calls a function comes back to where it was.
//!
//! Only a call and those that it makes know the address of an object of its own, unless it was
//! *exposed*: returned, given to a new thread, or stored anywhere but in a stack object of the same
//! thread that was made later, which is gone no later, and that is not exposed itself.

use super::layout::Object;
use super::state::{Kind, Life};
use super::world::World;
use ir::value::{RegionId, Value};

impl World<'_> {
    /// A value is stored in an object.
    pub(super) fn stored(&mut self, object: Object, value: Value) {
        for region in value.provenance.into_iter().chain(value.high) {
            if !self.is_hidden(object, self.layout.object(region)) {
                self.expose(region);
            }
        }
    }

    /// Whether only those that know one object can find another one through it.
    fn is_hidden(&self, object: Object, inside: Object) -> bool {
        let (Object::Made(thread, number), Object::Made(other, earlier)) = (object, inside) else {
            return false;
        };
        let made = self.shared.made[thread][number].get();
        matches!(made.kind, Kind::Slot(..)) && !made.exposed && thread == other && earlier < number
    }

    /// Others may learn where an object is, and what they can find through it.
    pub(super) fn expose(&mut self, region: RegionId) {
        let mut open = vec![region];
        while let Some(region) = open.pop() {
            let Object::Made(thread, number) = self.layout.object(region) else { continue };
            let made = self.shared.made[thread][number].get();
            if !made.exposed && matches!(made.kind, Kind::Slot(..)) {
                open.extend(made.contents.pointers());
                self.change().made[thread][number].change(|made| made.exposed = true);
            }
        }
    }

    /// Forgets the last objects of the running thread that are dead and that nobody knows.
    pub(super) fn forget_dead(&mut self) {
        let own = self.running;
        while let Some(made) = self.shared.made[own].last() {
            let made = made.get();
            let lasts = made.life != Life::Over
                || made.exposed
                || !made.locks.is_empty()
                || !matches!(made.kind, Kind::Slot(..))
                || self.layout.sharing.borrow().is_shared_object(made.kind);
            if lasts {
                return;
            }
            if let Some(record) = &mut self.record {
                record.forget(made.base);
            }
            self.change().made[own].pop();
        }
    }
}
