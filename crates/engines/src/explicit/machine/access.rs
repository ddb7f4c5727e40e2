//! Reading and writing: which accesses are right, when they need a turn, and what they see.

use crate::explicit::machine::layout::Object;
use crate::explicit::machine::state::{Kind, Life, Pending, Threads, bit};
use crate::explicit::machine::world::{Stop, World};
use execution::event::ThreadId;
use execution::finding::{FindingKind, Verb};
use ir::locks::LockWord;
use ir::program::{GlobalId, Storage};
use ir::step::memory::{ResolvedAccess, Site};
use ir::value::{RegionId, Value};

/// Addresses below this are reported as null.
const NULL_PAGE: u64 = 4096;

/// What is wrong with an address that belongs to no object.
pub(crate) fn without_object(address: u64) -> FindingKind {
    match address < NULL_PAGE {
        true => FindingKind::Null,
        false => FindingKind::Wild { address },
    }
}
/// This many stores may wait in a buffer.
const LONGEST_BUFFER: usize = 1024;
/// So many cells that a step writes are remembered.
const FEW: usize = 16;

/// Where an access is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub region: RegionId,
    pub object: Object,
    pub kind: Kind,
    pub offset: u64,
    pub bytes: u64,
    pub address: u64,
    /// Whether several threads touch it.
    pub shared: bool,
}

impl World<'_> {
    /// Where an access is, if it is right; takes the turn that it needs.
    pub(crate) fn locate(
        &mut self,
        site: Site<'_>,
        access: &ResolvedAccess<'_>,
        verb: Verb,
    ) -> Result<Place, Stop> {
        let place = self.find(access, verb)?;
        if let Object::Made(id) = place.object {
            self.view_object(id)?;
        }
        self.touch(site, place, verb);
        if place.shared {
            // When a store enters its buffer, nobody notices; when a load reads from there, its own
            // thread may, because the store may have left it. In a section stores have no buffer.
            // No thread can observe either when one takes place that races with none.
            let waits = verb == Verb::Write && self.is_buffered() && self.section.is_none();
            if !waits && !self.is_data(place, access) {
                self.take_turn()?;
            }
        }
        match self.life(place.object) {
            Life::Alive if self.ends_soon(place.region) => {
                Err(self.used_after_end(site, place, verb))
            }
            Life::Alive => {
                if verb != Verb::Read {
                    self.note_lock(access, place);
                }
                Ok(place)
            }
            Life::Freed | Life::Over => Err(self.used_after_end(site, place, verb)),
        }
    }

    /// Where an access is, if nothing is wrong that does not depend on the moment.
    fn find(&self, access: &ResolvedAccess<'_>, verb: Verb) -> Result<Place, Stop> {
        let address = access.address.low();
        let Some(region) = access.address.provenance else {
            return Err(Stop::Wrong(without_object(address)));
        };
        let object = self.layout.object(region);
        let (kind, size, constant) = match object {
            Object::Function(_) => return Err(Stop::Wrong(FindingKind::FunctionAsData)),
            Object::Global(id) => {
                let global = &self.layout.program().globals[id];
                (Kind::Global(id), global.size, global.storage == Storage::Constant)
            }
            Object::Made(id) => {
                let made = self.shared.object(id);
                (made.kind, made.size, false)
            }
        };
        let (base, bytes) = (self.layout.base(&self.shared, region), access.width.bytes());
        let offset = address.wrapping_sub(base);
        if bytes > size || offset > size - bytes {
            // What is wrong with a dead object is that it is dead.
            return Err(match self.life(object) {
                Life::Alive => Stop::Wrong(FindingKind::OutOfBounds),
                _ => Stop::Unsupported("an access outside of an object that is gone".into()),
            });
        }
        if let Some(misaligned) = access.alignment(verb).wrong(address) {
            return Err(Stop::Wrong(misaligned));
        }
        if constant && verb != Verb::Read {
            return Err(Stop::Wrong(FindingKind::WriteToConstant));
        }
        let shared = self.layout.sharing.borrow().is_shared(kind, offset, bytes);
        Ok(Place { region, object, kind, offset, bytes, address, shared })
    }

    pub(crate) fn life(&self, object: Object) -> Life {
        match object {
            Object::Function(_) | Object::Global(_) => Life::Alive,
            Object::Made(id) => self.shared.object(id).life,
        }
    }

    /// Remembers where locks are.
    fn note_lock(&mut self, access: &ResolvedAccess<'_>, place: Place) {
        let Some(word) = access.purpose.lock_word() else { return };
        let lock = (place.offset, access.width, word);
        let outlives = matches!(place.kind, Kind::Global(_) | Kind::Heap(..));
        if outlives && word == LockWord::Owner && self.shared.endings.len() > 1 {
            self.layout.sharing.borrow_mut().take_for_shared(place.kind);
        }
        self.word = access.purpose.is_mutex_word().then_some((place.object, lock));
        match place.object {
            Object::Global(id) => self.layout.sharing.borrow_mut().lock(id, lock),
            Object::Made(id) => {
                if !self.shared.object(id).locks.contains(&lock) {
                    self.change().object_mut(id).change(|made| made.locks.push(lock));
                }
            }
            Object::Function(_) => {}
        }
    }

    /// Notes what a loop may wait for: what it reads, and does not write itself.
    fn note(&mut self, place: Place, verb: Verb) {
        let cell = (place.kind, place.offset);
        if self.last.is_none() || verb == Verb::Read && !self.written.contains(&cell) {
            self.last = Some(place);
        }
        if verb != Verb::Read && self.written.len() < FEW && !self.written.contains(&cell) {
            self.written.push(cell);
        }
    }

    fn touch(&mut self, site: Site<'_>, place: Place, verb: Verb) {
        if !self.shared.is_alone() {
            self.note(place, verb);
            let thread = self.thread(site);
            let beside = self.beside(thread);
            let mut sharing = self.layout.sharing.borrow_mut();
            sharing.touch((thread, beside), (place.kind, place.offset, place.bytes), verb);
            if verb != Verb::Read && sharing.is_passed(place.kind, place.offset, place.bytes) {
                sharing.notice(thread);
            }
        }
    }

    /// The threads that a thread has started and not awaited; a bit for each.
    pub(crate) fn beside(&self, thread: ThreadId) -> Threads {
        let sharing = self.layout.sharing.borrow();
        let is_beside =
            |other: &ThreadId| !self.shared.endings[*other].1 && sharing.is_child(*other, thread);
        self.shared.endings.ids().filter(is_beside).fold(0, |bits, other| bits | bit(other))
    }

    /// What is in memory.
    pub(crate) fn read(&self, place: Place, access: &ResolvedAccess<'_>) -> Value {
        let offset = place.offset as usize;
        match place.object {
            Object::Global(id) => match self.is_constant(id) {
                true => self.layout.constant(id).read(offset, access.width),
                false => self.shared.globals[id].get().read(offset, access.width),
            },
            Object::Made(id) => self.shared.object(id).contents.read(offset, access.width),
            Object::Function(_) => Value::undef(access.width),
        }
    }

    fn is_constant(&self, id: GlobalId) -> bool {
        self.layout.program().globals[id].storage == Storage::Constant
    }

    /// Changes memory.
    pub(crate) fn write(&mut self, object: Object, offset: u64, value: Value) {
        self.stored(object, value);
        let offset = offset as usize;
        match object {
            Object::Global(id) => {
                self.change().globals[id].change(|contents| contents.write(offset, value));
            }
            Object::Made(id) => {
                self.change().object_mut(id).change(|made| made.contents.write(offset, value));
            }
            Object::Function(_) => {}
        }
    }

    /// Whether stores that others may see wait in a buffer. If nobody influences the thread, nobody
    /// can tell.
    pub(crate) fn is_buffered(&self) -> bool {
        self.layout.machine.has_buffers()
            && !self.shared.is_alone()
            && self.layout.sharing.borrow().is_influenced(self.running)
            && !self.is_last()
    }

    /// The value of the newest own store to a place that waits in the buffer.
    pub(crate) fn pending(&self, place: Place) -> Result<Option<Value>, Stop> {
        let (from, to) = (place.offset, place.offset + place.bytes);
        for pending in self.shared.buffers[self.running].iter().rev() {
            let Some(value) = pending.value else { continue };
            let (start, bytes) = (u64::from(pending.offset), value.width.bytes());
            if pending.region == place.region && start < to && from < start + bytes {
                return match start == from && bytes == place.bytes {
                    true => Ok(Some(value)),
                    false => Err(Stop::Unsupported(
                        "a read of a part of what waits in the store buffer".into(),
                    )),
                };
            }
        }
        Ok(None)
    }

    /// Stores, by way of the buffer where there is one.
    pub(crate) fn put(&mut self, place: Place, value: Value) -> Result<(), Stop> {
        if !place.shared || !self.is_buffered() {
            self.write(place.object, place.offset, value);
            return Ok(());
        }
        self.stored(place.object, value);
        let running = self.running;
        if self.shared.buffers[running].len() >= LONGEST_BUFFER {
            // Somebody will notice a thread that runs at once and stores that much.
            if self.turns > 1 {
                return Err(Stop::Pause);
            }
            return Err(Stop::Unsupported("a store buffer that grows and grows".into()));
        }
        let (region, offset) = (place.region, place.offset as u32);
        self.change().buffers[running].push(Pending { region, offset, value: Some(value) });
        // It may leave the buffer before the thread does anything else.
        self.others_first();
        Ok(())
    }

    /// Waits until all own stores have been seen.
    pub(crate) fn drain(&self) -> Result<(), Stop> {
        match self.shared.buffers[self.running].is_empty() {
            true => Ok(()),
            false => Err(Stop::Wait),
        }
    }
}
