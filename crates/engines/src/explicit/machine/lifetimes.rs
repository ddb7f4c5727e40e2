//! Lifetimes: the ends of stack and thread-local objects, and of heap blocks.
//!
//! That an object comes to its end is what a store to all of it would be: others notice it if they
//! access the object, and with store buffers it waits behind the stores before it. Whoever has a
//! store to it in a buffer when it ends comes too late.
//!
//! Where nobody can know the address of a stack object of a call that has returned, the next call
//! gets it, so that a loop that calls a function comes back to where it was. Not in programs that
//! compute numbers which tell where objects are (quotients of addresses, hashes), because such a
//! number could be kept and compared.
//!
//! Only a call and those that it makes know the address of an object of its own, unless it was
//! *exposed*: returned, given to a new thread, or stored anywhere but in a stack object of the same
//! thread that was made later, which is gone no later, and that is not exposed itself.
//!
//! Soundness S-136 (verify; sc, tso; misses, cries wolf): Addresses of stack objects are used again
//! where no pointer to them is left, and which of two objects comes first differs between engines,
//! so a program that asserts something about addresses is answered for one choice only. Test:
//! crates/fencepost/tests/lifetimes.rs::numbers_computed_from_addresses_are_not_used_again,
//! crates/fencepost/tests/state_space/main.rs::a_local_that_is_returned_in_the_upper_half_of_a_number_is_not_used_again.

use crate::explicit::machine::layout::{Layout, MadeId, Object};
use crate::explicit::machine::state::{Kind, Life, Made, Pending, Shared};
use crate::explicit::machine::world::{Stop, World};
use execution::event::ThreadId;
use execution::finding::FindingKind;
use ir::value::{RegionId, Value};

impl World<'_> {
    /// A value is stored in an object.
    pub(crate) fn stored(&mut self, object: Object, value: Value) {
        for region in value.provenance.into_iter().chain(value.high) {
            if !self.is_hidden(object, self.layout.object(region)) {
                self.expose(region);
            }
        }
    }

    /// Whether only those that know one object can find another one through it.
    fn is_hidden(&self, object: Object, inside: Object) -> bool {
        let (Object::Made(id), Object::Made(other)) = (object, inside) else {
            return false;
        };
        let made = self.shared.object(id);
        matches!(made.kind, Kind::Slot(..))
            && !made.exposed
            && id.thread == other.thread
            && other.number < id.number
    }

    /// Others may learn where an object is, and what they can find through it.
    pub(crate) fn expose(&mut self, region: RegionId) {
        let mut open = vec![region];
        while let Some(region) = open.pop() {
            let Object::Made(id) = self.layout.object(region) else { continue };
            let made = self.shared.object(id);
            if !made.exposed && matches!(made.kind, Kind::Slot(..)) {
                open.extend(made.contents.pointers());
                self.change().object_mut(id).change(|made| made.exposed = true);
            }
        }
    }

    /// The objects that these stack slots are.
    pub(crate) fn objects(&self, slots: &[Value]) -> Vec<MadeId> {
        let regions = slots.iter().filter_map(|slot| slot.provenance);
        let object = |region| match self.layout.object(region) {
            Object::Made(id) => Some(id),
            _ => None,
        };
        regions.filter_map(object).collect()
    }

    /// The thread-local objects of the running thread.
    pub(crate) fn thread_locals(&self) -> Vec<MadeId> {
        let made = self.shared.made[self.running].iter().enumerate();
        let locals = made.filter(|(_, made)| matches!(made.get().kind, Kind::Local(..)));
        locals.map(|(number, _)| MadeId { thread: self.running, number }).collect()
    }

    /// Whether another thread is there that may still do something.
    pub(crate) fn is_watched(&self) -> bool {
        // One that has ended could have gone on, as long as nobody has awaited it.
        let goes_on = |thread: ThreadId| {
            !self.shared.endings[thread].1 || !self.shared.buffers[thread].is_empty()
        };
        self.shared.endings.ids().any(|thread| thread != self.running && goes_on(thread))
    }

    /// Objects of the running thread are about to come to their ends; takes the turn that this needs.
    pub(crate) fn leave_objects(&mut self, objects: &[MadeId]) -> Result<(), Stop> {
        if self.shared.is_alone() || !self.is_watched() {
            return Ok(());
        }
        let beside = self.beside(self.running);
        let mut sharing = self.layout.sharing.borrow_mut();
        let mut noticed = false;
        for &id in objects {
            let made = self.shared.object(id);
            noticed |= sharing.end(made.kind, made.size, beside);
        }
        if !noticed {
            return Ok(());
        }
        sharing.notice(self.running);
        drop(sharing);
        self.view_end()?;
        if self.section.is_some() && self.is_buffered() {
            self.drain()?;
        }
        // When the end enters a buffer, nobody notices.
        if !self.is_buffered() || self.section.is_some() {
            self.take_turn()?;
        }
        Ok(())
    }

    /// Objects of the running thread come to their ends; it gives this result.
    pub(crate) fn end_objects(&mut self, objects: &[MadeId], result: Option<Value>) {
        let returned = result.into_iter().flat_map(|it| it.provenance.into_iter().chain(it.high));
        for region in returned {
            if objects.iter().any(|&id| self.layout.object(region) == Object::Made(id)) {
                self.expose(region);
            }
        }
        let buffered = self.is_buffered() && self.section.is_none();
        let running = self.running;
        for &id in objects {
            let made = self.shared.object(id);
            let (kind, base, size) = (made.kind, made.base, made.size);
            let shared = self.layout.sharing.borrow().is_shared(kind, 0, size);
            let waits = shared && buffered;
            if !self.shared.is_alone()
                && let Some(record) = &mut self.record
            {
                record.end(running, kind, (base, size), waits);
            }
            match (waits, self.layout.made(id, base).provenance) {
                (true, Some(region)) => self.end_later(region),
                _ => self.change().object_mut(id).change(Made::end),
            }
            if let Some(section) = &mut self.section {
                section.writes |= shared;
            }
        }
        self.forget_dead();
    }

    /// The whole program ends. Nobody comes too late to what is gone with it, but where nobody is left
    /// to come, it need not be kept.
    pub(crate) fn leave_program(&mut self, objects: &[MadeId]) {
        if self.is_watched() {
            return;
        }
        for &id in objects {
            self.change().object_mut(id).change(Made::end);
        }
        self.forget_dead();
    }

    /// The end of an object enters the buffer.
    pub(crate) fn end_later(&mut self, region: RegionId) {
        let running = self.running;
        self.change().buffers[running].push(Pending { region, offset: 0, value: None });
        self.others_first();
    }

    /// Whether the running thread has come to the end of an object, which others have not seen yet.
    pub(crate) fn ends_soon(&self, region: RegionId) -> bool {
        let ends = |pending: &Pending| pending.region == region && pending.value.is_none();
        self.shared.buffers[self.running].iter().any(ends)
    }

    /// Forgets the last objects of the running thread that are dead and that nobody knows.
    fn forget_dead(&mut self) {
        if !self.layout.sharing.borrow().may_use_again() {
            return;
        }
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

/// What is wrong if an object has come to its end while something of this waits in a buffer that is
/// to happen to it: nobody goes on then.
pub(crate) fn comes_too_late<'p>(
    layout: &Layout<'_>,
    shared: &Shared,
    waiting: impl IntoIterator<Item = &'p Pending>,
) -> Option<FindingKind> {
    waiting.into_iter().find_map(|pending| {
        let Object::Made(id) = layout.object(pending.region) else { return None };
        let made = shared.object(id);
        (made.life != Life::Alive).then(|| match (pending.value, made.kind) {
            (None, Kind::Heap(..)) => FindingKind::DoubleFree,
            _ => made.kind.used_after_end(),
        })
    })
}
