//! One execution written down while it is run, as a witness that others can run again.

use crate::explicit::machine::access::Place;
use crate::explicit::machine::layout::Layout;
use crate::explicit::machine::state::Kind;
use crate::explicit::machine::weak::view::Cell;
use execution::event::ThreadId;
use execution::finding::Verb;
use execution::ids::{Id, IdVec};
use execution::witness::{
    Bits, Coherence, End, Object, ObjectKind, Parent, PartRead, Read, ThreadWitness, Witness,
    WriteRef,
};
use ir::program::{FuncId, SlotId};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// What is known of a part of memory that each access has all of or nothing of.
#[derive(Clone, Debug)]
struct Location {
    bytes: u64,
    /// The writes, in the order in which they took place, with their times.
    writes: Vec<(u64, WriteRef)>,
}

/// A write that waits in a buffer.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    address: u64,
    bytes: u64,
    write: WriteRef,
    /// Whether it is the end of a whole object.
    ends: bool,
}

/// A write to a whole object, where its lifetime starts or ends: when, of what, and which write it
/// is.
#[derive(Clone, Copy, Debug)]
struct Whole {
    time: u64,
    block: (u64, u64),
    write: WriteRef,
}

impl Whole {
    fn contains(&self, address: u64) -> bool {
        (self.block.0..self.block.0 + self.block.1).contains(&address)
    }
}

/// The writes of a cell that is seen by way of views.
#[derive(Clone, Debug, Default)]
struct CellWrites {
    address: u64,
    bytes: u64,
    /// All, in coherence order; not the first one.
    all: Vec<WriteRef>,
    /// Those that the machine's list has; nothing for the first one.
    listed: Vec<Option<WriteRef>>,
}

/// What has happened so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    time: u64,
    threads: IdVec<ThreadId, ThreadWitness>,
    accesses: IdVec<ThreadId, u32>,
    writes: IdVec<ThreadId, u32>,
    spawns: IdVec<ThreadId, u32>,
    allocations: IdVec<ThreadId, u32>,
    calls: HashMap<(ThreadId, FuncId), u32>,
    waiting: IdVec<ThreadId, VecDeque<Waiting>>,
    locations: BTreeMap<u64, Location>,
    freed: Vec<Whole>,
    /// Where lifetimes of blocks started, and those of stack objects again.
    started: Vec<Whole>,
    /// The writes of cells that are seen by way of views.
    cells: BTreeMap<Cell, CellWrites>,
    objects: Vec<Object>,
    /// Objects that are not private.
    events: std::collections::HashSet<Kind>,
    /// Whether the last access was wrong only because of its place in the coherence order.
    pub out_of_order: bool,
    /// What cannot be told in a witness, if there is something.
    pub problem: Option<&'static str>,
}

impl Record {
    /// Nothing has happened yet.
    pub(crate) fn new(layout: &Layout<'_>, kinds: impl Iterator<Item = Kind>) -> Self {
        let mut record = Record { events: kinds.collect(), ..Record::default() };
        record.thread(None);
        let program = layout.program();
        for (id, function) in program.functions.enumerate() {
            let kind = ObjectKind::Function { name: function.name.clone() };
            let base = layout.function(id).low();
            record.objects.push(Object { kind, base, size: 0, private: true, ends: false });
        }
        for (id, global) in program.globals.enumerate() {
            if global.storage == ir::program::Storage::ThreadLocal {
                continue;
            }
            let kind = ObjectKind::Global { name: global.name.clone() };
            let private = !record.events.contains(&Kind::Global(id));
            let (base, size) = (layout.global(id).low(), global.size);
            record.objects.push(Object { kind, base, size, private, ends: false });
        }
        record
    }

    fn thread(&mut self, parent: Option<Parent>) {
        self.threads.push(ThreadWitness { parent, ..ThreadWitness::default() });
        self.accesses.push(0);
        self.writes.push(0);
        self.spawns.push(0);
        self.allocations.push(0);
        self.waiting.push(VecDeque::new());
    }

    pub(crate) fn spawn(&mut self, parent: ThreadId, child: ThreadId) {
        let spawn = self.spawns[parent];
        self.spawns[parent] += 1;
        debug_assert_eq!(child, self.threads.next_id());
        self.thread(Some(Parent { thread: parent.index() as u32, spawn }));
    }

    pub(crate) fn choice(&mut self, thread: ThreadId, value: Bits) {
        self.threads[thread].choices.push(value);
    }

    pub(crate) fn spurious(&mut self, thread: ThreadId, fails: bool) {
        self.threads[thread].spurious.push(fails);
    }

    /// A stack object of a call is to be made.
    pub(crate) fn call(&mut self, thread: ThreadId, function: FuncId, slot: SlotId) {
        if slot.index() == 0 {
            *self.calls.entry((thread, function)).or_default() += 1;
        }
    }

    /// An object is made.
    pub(crate) fn make(
        &mut self,
        layout: &Layout<'_>,
        thread: ThreadId,
        kind: Kind,
        (base, size): (u64, u64),
    ) {
        let program = layout.program();
        let number = thread.index() as u32;
        let object = match kind {
            Kind::Global(_) => return,
            Kind::Local(id, _) => {
                let name = program.globals[id].name.clone();
                ObjectKind::ThreadLocal { name, thread: number }
            }
            Kind::Slot(function, slot, _) => {
                let call = self.calls.get(&(thread, function)).map_or(0, |calls| calls - 1);
                let name = program.functions[function].name.clone();
                let slot = slot.index() as u32;
                ObjectKind::Slot { thread: number, function: name, slot, call }
            }
            Kind::Heap(..) => {
                self.threads[thread].allocations.push(base);
                self.allocations[thread] += 1;
                ObjectKind::Heap { thread: number, number: self.allocations[thread] - 1 }
            }
        };
        let private = !self.events.contains(&kind);
        let ends = !private && kind.owner().is_some();
        self.objects.push(Object { kind: object, base, size, private, ends });
    }

    /// An object of the thread's own is gone, and another one may be made in its place.
    pub(crate) fn forget(&mut self, base: u64) {
        self.objects.retain(|object| object.base != base);
    }

    /// An access, whatever it does, of an object.
    pub(crate) fn access(&mut self, thread: ThreadId, kind: Kind) {
        self.accesses[thread] += u32::from(self.events.contains(&kind));
    }

    /// The addresses of the locations of an access. Those that it has only a part of are divided,
    /// and what was not accessed before is a new one.
    fn locations(&mut self, address: u64, bytes: u64) -> Vec<u64> {
        let end = address + bytes;
        for cut in [address, end] {
            let Some((&start, known)) = self.locations.range_mut(..cut).next_back() else {
                continue;
            };
            if start + known.bytes > cut {
                let rest = Location { bytes: start + known.bytes - cut, ..known.clone() };
                known.bytes = cut - start;
                self.locations.insert(cut, rest);
            }
        }
        let mut starts = Vec::new();
        let mut at = address;
        while at < end {
            let next = self.locations.range(at..end).next();
            let next = next.map_or((end, 0), |(&start, known)| (start, known.bytes));
            if next.0 > at {
                self.locations.insert(at, Location { bytes: next.0 - at, writes: Vec::new() });
                starts.push(at);
            }
            if next.0 < end {
                starts.push(next.0);
            }
            at = next.0 + next.1;
        }
        starts
    }

    pub(crate) fn read(&mut self, thread: ThreadId, place: Place, value: Bits) {
        if !self.events.contains(&place.kind) {
            return;
        }
        let starts = self.locations(place.address, place.bytes);
        let sources: Vec<Option<WriteRef>> =
            starts.iter().map(|&start| self.source(thread, start)).collect();
        let read = self.threads[thread].reads.len() as u32;
        let first = sources.first().copied().flatten();
        self.threads[thread].reads.push(Read { value, from: first });
        for (index, &from) in sources.iter().enumerate().skip(1) {
            if from != sources[index - 1] {
                let byte = (starts[index] - place.address) as u32;
                self.threads[thread].parts.push(PartRead { read, byte, from });
            }
        }
    }

    /// The writes of a cell.
    fn cell(&mut self, cell: Cell, place: Place) -> &mut CellWrites {
        let new = || CellWrites {
            address: place.address,
            bytes: place.bytes,
            all: Vec::new(),
            listed: vec![None],
        };
        self.cells.entry(cell).or_insert_with(new)
    }

    /// A read of what is at a position of a cell's list.
    pub(crate) fn read_at(
        &mut self,
        thread: ThreadId,
        place: Place,
        value: Bits,
        (cell, position): (Cell, usize),
    ) {
        if self.events.contains(&place.kind) {
            let from = self.cell(cell, place).listed[position];
            self.threads[thread].reads.push(Read { value, from });
        }
    }

    /// A write that is placed at a position of a cell's list.
    pub(crate) fn write_at(
        &mut self,
        thread: ThreadId,
        place: Place,
        (cell, position): (Cell, usize),
    ) {
        if !self.events.contains(&place.kind) {
            return;
        }
        let write = self.next_write(thread);
        let writes = self.cell(cell, place);
        let before = writes.listed[position - 1];
        let after = |before| writes.all.iter().position(|&other| other == before);
        let index = before.map_or(0, |before| after(before).map_or(0, |index| index + 1));
        writes.all.insert(index, write);
        writes.listed.insert(position, Some(write));
    }

    /// What is at a position of a cell's list is dropped from there.
    pub(crate) fn drop_at(&mut self, cell: Cell, position: usize) {
        if let Some(writes) = self.cells.get_mut(&cell) {
            writes.listed.remove(position);
        }
    }

    /// The write that a thread sees in a location.
    fn source(&self, thread: ThreadId, address: u64) -> Option<WriteRef> {
        let own = self.waiting[thread].iter().rev().filter(|waiting| !waiting.ends);
        let mut own = own.filter(|w| (w.address..w.address + w.bytes).contains(&address));
        if let Some(waiting) = own.next() {
            return Some(waiting.write);
        }
        let started = self.started.iter().rev().find(|it| it.contains(address));
        let started = started.map(|it| (it.time, it.write));
        let last = self.locations.get(&address).and_then(|known| known.writes.last().copied());
        let last = last.into_iter().chain(started).max_by_key(|&(time, _)| time);
        last.map(|(_, write)| write)
    }

    pub(crate) fn write(&mut self, thread: ThreadId, place: Place, waits: bool) {
        if !self.events.contains(&place.kind) {
            return;
        }
        let write = self.next_write(thread);
        let (address, bytes) = (place.address, place.bytes);
        match waits {
            true => {
                // Its own thread may see it before it takes place.
                self.locations(address, bytes);
                let waiting = Waiting { address, bytes, write, ends: false };
                self.waiting[thread].push_back(waiting);
            }
            false => self.take_place(address, bytes, write),
        }
    }

    fn next_write(&mut self, thread: ThreadId) -> WriteRef {
        let index = self.writes[thread];
        self.writes[thread] += 1;
        WriteRef { thread: thread.index() as u32, index }
    }

    fn take_place(&mut self, address: u64, bytes: u64, write: WriteRef) {
        self.time += 1;
        let time = self.time;
        for start in self.locations(address, bytes) {
            if let Some(location) = self.locations.get_mut(&start) {
                location.writes.push((time, write));
            }
        }
    }

    /// The oldest store in a buffer takes place.
    pub(crate) fn flush(&mut self, thread: ThreadId) {
        match self.waiting[thread].pop_front() {
            Some(Waiting { address, bytes, write, ends: true }) => {
                self.gone((address, bytes), write);
            }
            Some(Waiting { address, bytes, write, ends: false }) => {
                self.take_place(address, bytes, write);
            }
            None => {}
        }
    }

    fn gone(&mut self, block: (u64, u64), write: WriteRef) {
        self.time += 1;
        self.freed.push(Whole { time: self.time, block, write });
    }

    /// A local object comes to its end.
    pub(crate) fn end(&mut self, thread: ThreadId, kind: Kind, block: (u64, u64), waits: bool) {
        if !self.events.contains(&kind) {
            return;
        }
        self.access(thread, kind);
        self.ends(thread, block, waits);
    }

    fn ends(&mut self, thread: ThreadId, block: (u64, u64), waits: bool) {
        let write = self.next_write(thread);
        let (address, bytes) = block;
        match waits {
            true => {
                let waiting = Waiting { address, bytes, write, ends: true };
                self.waiting[thread].push_back(waiting);
            }
            false => self.gone(block, write),
        }
    }

    /// The lifetime of a local object starts again: that is a write to all of it.
    pub(crate) fn restart(&mut self, thread: ThreadId, kind: Kind, block: (u64, u64)) {
        if !self.events.contains(&kind) {
            return;
        }
        if !self.waiting[thread].is_empty() {
            self.problem = Some("a shared stack object that starts again");
        }
        let write = self.next_write(thread);
        self.time += 1;
        self.started.push(Whole { time: self.time, block, write });
    }

    /// A block is allocated while several threads run, which may be a write to all of it. Where
    /// stores wait in buffers it waits like others, but no thread can see that: a thread that
    /// knows the block has its address from a later store of the same thread.
    pub(crate) fn allocate(
        &mut self,
        thread: ThreadId,
        kind: Kind,
        block: (u64, u64),
        writes: bool,
    ) {
        if !self.events.contains(&kind) {
            return;
        }
        let write = self.next_write(thread);
        if writes {
            self.time += 1;
            self.started.push(Whole { time: self.time, block, write });
        }
    }

    /// A block is freed, perhaps again.
    pub(crate) fn free(&mut self, thread: ThreadId, kind: Kind, block: (u64, u64), waits: bool) {
        self.access(thread, kind);
        if !self.events.contains(&kind) {
            return;
        }
        let soon = |waiting: &Waiting| waiting.ends && (waiting.address, waiting.bytes) == block;
        let again = self.freed.iter().any(|freed| freed.block == block)
            || self.waiting[thread].iter().any(soon);
        self.ends(thread, block, waits);
        self.out_of_order = again;
    }

    /// An access to an object that is gone.
    pub(crate) fn after_end(&mut self, thread: ThreadId, place: Place, verb: Verb) {
        // The thread may be the only one that knows that.
        while self.waiting[thread].iter().any(|waiting| waiting.ends) {
            self.flush(thread);
        }
        let freed = self.freed.iter().find(|freed| freed.contains(place.address));
        let freed = freed.map(|freed| freed.write);
        // Of local objects that were gone before there were threads, everybody knows.
        if freed.is_none() && place.kind.owner().is_some() {
            return;
        }
        self.access(thread, place.kind);
        if !self.events.contains(&place.kind) {
            return;
        }
        if verb == Verb::Write {
            let write = self.next_write(thread);
            self.take_place(place.address, place.bytes, write);
            self.out_of_order = true;
        } else {
            self.locations(place.address, place.bytes);
            self.threads[thread].reads.push(Read { value: Bits::FREED, from: freed });
        }
    }

    /// How many accesses a thread has made.
    pub(crate) fn cut(&self, thread: ThreadId) -> End {
        End::Cut { accesses: self.accesses[thread] }
    }

    /// A thread repeats what it did from here to there.
    pub(crate) fn until(&self, later: &Record, thread: ThreadId) -> End {
        End::Repeats { since: self.accesses[thread], until: later.accesses[thread] }
    }

    /// The witness, with how far each thread came.
    pub(crate) fn witness(mut self, ends: &[End]) -> Witness {
        for thread in self.waiting.ids() {
            while !self.waiting[thread].is_empty() {
                self.flush(thread);
            }
        }
        for whole in self.freed.iter().chain(&self.started) {
            let block = whole.block.0..whole.block.0 + whole.block.1;
            for (_, location) in self.locations.range_mut(block) {
                location.writes.push((whole.time, whole.write));
            }
        }
        let mut co = Vec::new();
        for CellWrites { address, bytes, all, .. } in std::mem::take(&mut self.cells).into_values()
        {
            let of = |wholes: &[Whole]| -> Vec<WriteRef> {
                let all = wholes.iter().filter(|whole| whole.contains(address));
                all.map(|whole| whole.write).collect()
            };
            let mut writes = of(&self.started);
            writes.extend(all);
            writes.extend(of(&self.freed));
            if !writes.is_empty() {
                co.push(Coherence { address, bytes: bytes as u32, writes });
            }
            self.locations.remove(&address);
        }
        for (address, mut location) in self.locations {
            location.writes.sort_by_key(|&(time, _)| time);
            let writes: Vec<WriteRef> = location.writes.iter().map(|&(_, write)| write).collect();
            if !writes.is_empty() {
                co.push(Coherence { address, bytes: location.bytes as u32, writes });
            }
        }
        for (thread, &end) in self.threads.iter_mut().zip(ends) {
            thread.end = end;
        }

        Witness {
            objects: self.objects,
            threads: self.threads.into_iter().collect(),
            co,
            splits: Vec::new(),
        }
    }
}
