//! Memory under sequential consistency: objects, their bytes, and every check of an access.
//!
//! Addresses are deterministic: each kind of object has an area of the address space, stack and
//! heap one per thread, and addresses are never used twice. So a pointer to a dead object never
//! equals one to a living object, and every wrong access is noticed. (The *ids* of long-dead
//! objects are used again, to bound the memory of long runs; an access through a pointer that
//! old is still outside the new object, and thus still a finding.)

use super::contents::Contents;
use super::finding::{AccessInfo, FindingKind, Verb};
use super::frame::trace;
use super::journal::{Journal, Undo};
use super::memory::{ResolvedAccess, Site};
use super::region::{Life, Origin, Region, RegionKind};
use crate::layout::LayoutId;
use crate::order::Order;
use crate::program::{FuncId, Global, GlobalId, InitData, Program, SlotId, Storage};
use crate::value::{RegionId, Value};
use execution::event::ThreadId;
use execution::ids::{Id, IdVec};
use std::collections::VecDeque;

const GLOBALS: u64 = 0x0010_0000;
const FUNCTIONS: u64 = 0x4000_0000;
const THREAD_LOCALS: u64 = 0x0100_0000_0000;
const HEAPS: u64 = 0x1000_0000_0000;
const STACKS: u64 = 0x7000_0000_0000;
/// How far apart the areas of two threads are.
const THREAD_AREA: u64 = 1 << 36;
/// At least this many bytes between two objects belong to none.
const GAP: u64 = 16;
/// Everything is aligned at least so, as `malloc` does.
const LEAST_ALIGN: u64 = 16;
/// Addresses below this are reported as null.
const NULL_PAGE: u64 = 4096;
/// More memory than this is not handed out: `malloc` gives null.
pub const LARGEST_HEAP: u64 = 1 << 30;
/// More than this in the stack objects of one thread is a stack overflow.
const LARGEST_STACK: u64 = 1 << 26;
/// This many dead objects are remembered before their ids are used again.
const REMEMBERED: usize = 1 << 17;
/// This many calls are remembered of the place where a block was allocated or freed.
const TRACE: usize = 16;

/// A wrong access: what is wrong, and with which object.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What is wrong.
    pub kind: FindingKind,
    /// The access.
    pub access: Option<AccessInfo>,
    /// The object, and where in it the access begins.
    pub object: Option<(RegionId, i64)>,
}

impl From<FindingKind> for Box<Violation> {
    fn from(kind: FindingKind) -> Self {
        Box::new(Violation { kind, access: None, object: None })
    }
}

/// The answer to a request that may be wrong.
pub type Checked<V> = Result<V, Box<Violation>>;

/// Memory under sequential consistency.
#[derive(Clone, Debug)]
pub struct ScMemory {
    regions: IdVec<RegionId, Region>,
    globals: IdVec<GlobalId, Option<Value>>,
    functions: IdVec<FuncId, Value>,
    areas: Vec<Area>,
    next_static: u64,
    heap_in_use: u64,
    dead: VecDeque<RegionId>,
    journal: Option<Journal>,
    version: u64,
}

/// What belongs to one thread.
#[derive(Clone, Debug, Default)]
struct Area {
    next_local: u64,
    next_heap: u64,
    next_stack: u64,
    stack_in_use: u64,
    locals: Vec<(GlobalId, Value)>,
    /// What an exclusive load reserved: object, offset, size.
    reservation: Option<(RegionId, u64, u64)>,
}

impl ScMemory {
    /// The memory before the first step of a program.
    pub fn new(program: &Program) -> Self {
        let mut memory = Self {
            regions: IdVec::new(),
            globals: IdVec::new(),
            functions: IdVec::new(),
            areas: Vec::new(),
            next_static: GLOBALS,
            heap_in_use: 0,
            dead: VecDeque::new(),
            journal: None,
            version: 0,
        };
        for function in program.functions.ids() {
            let base = FUNCTIONS + LEAST_ALIGN * function.index() as u64;
            let kind = RegionKind::Function(function);
            let region = memory.regions.push(Region::new(base, kind, Contents::default(), 0));
            memory.functions.push(Value::pointer(region, base));
        }
        for (id, global) in program.globals.enumerate() {
            let kind = match global.storage {
                Storage::ThreadLocal => {
                    memory.globals.push(None);
                    continue;
                }
                Storage::Static => RegionKind::Global(id),
                Storage::Constant => RegionKind::Constant(id),
            };
            let base = place(&mut memory.next_static, global.size, global.align);
            let address =
                memory.add(base, kind, Contents::zeroed(global.size as usize), global.size);
            memory.globals.push(Some(address));
        }
        for (id, global) in program.globals.enumerate() {
            if let Some(address) = memory.globals[id] {
                memory.initialise(address, global);
            }
        }
        memory
    }

    fn initialise(&mut self, address: Value, global: &Global) {
        let region = address.provenance.expect("an object");
        for init in &global.init {
            let offset = init.offset as usize;
            let pointer = match &init.data {
                InitData::Bytes(bytes) => {
                    self.regions[region].contents.write_bytes(offset, bytes);
                    continue;
                }
                // The address of a thread-local is no constant; well-formed programs have none.
                InitData::Global(global, bytes) => {
                    self.globals[*global].map_or(Value::NULL, |base| base.offset(*bytes))
                }
                InitData::Function(function) => self.functions[*function],
            };
            self.regions[region].contents.write(offset, pointer);
        }
    }

    /// An object, alive or dead.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id]
    }

    /// A number that grows with every change of memory.
    pub fn version(&self) -> u64 {
        self.version
    }

    fn add(&mut self, base: u64, kind: RegionKind, contents: Contents, size: u64) -> Value {
        let region = Region::new(base, kind, contents, size);
        Value::pointer(self.regions.push(region), base)
    }

    /// Adds an object, using the id of a long-dead one if there is one.
    fn recycle(&mut self, base: u64, size: u64, kind: RegionKind, zeroed: bool) -> RegionId {
        let make = |bytes: usize| {
            if zeroed { Contents::zeroed(bytes) } else { Contents::undefined(bytes) }
        };
        let id = if self.dead.len() > REMEMBERED {
            let id = self.dead.pop_front().expect("many");
            let mut contents = std::mem::take(&mut self.regions[id].contents);
            if zeroed {
                contents = Contents::zeroed(size as usize);
            } else {
                contents.reset(size as usize);
            }
            self.regions[id] = Region::new(base, kind, contents, size);
            id
        } else {
            self.regions.push(Region::new(base, kind, make(size as usize), size))
        };
        if let Some(journal) = &mut self.journal {
            journal.push(Undo::Created { region: id });
        }
        id
    }

    fn area(&mut self, thread: ThreadId) -> &mut Area {
        let index = thread.index();
        while self.areas.len() <= index {
            let start = THREAD_AREA * self.areas.len() as u64;
            self.areas.push(Area {
                next_local: THREAD_LOCALS + start,
                next_heap: HEAPS + start,
                next_stack: STACKS + start,
                ..Area::default()
            });
        }
        &mut self.areas[index]
    }

    /// The address of a global.
    #[inline]
    pub fn global(&mut self, site: Site<'_>, global: GlobalId) -> Value {
        match self.globals[global] {
            Some(address) => address,
            None => self.thread_local(site, global),
        }
    }

    fn thread_local(&mut self, site: Site<'_>, id: GlobalId) -> Value {
        let area = self.area(site.thread);
        if let Some(&(_, address)) = area.locals.iter().find(|(global, _)| *global == id) {
            return address;
        }
        let global = &site.program.globals[id];
        let base = place(&mut area.next_local, global.size, global.align);
        let kind = RegionKind::ThreadLocal(id, site.thread);
        let address = self.add(base, kind, Contents::zeroed(global.size as usize), global.size);
        self.initialise(address, global);
        self.area(site.thread).locals.push((id, address));
        address
    }

    /// The address of a function.
    pub fn function(&self, function: FuncId) -> Value {
        self.functions[function]
    }

    /// The function at an address.
    pub fn function_at(&self, address: Value) -> Checked<FuncId> {
        let region = address.provenance;
        match region.map(|id| (&self.regions[id], self.regions[id].kind)) {
            Some((region, RegionKind::Function(function))) if region.base == address.low() => {
                Ok(function)
            }
            _ => Err(Box::new(Violation {
                kind: match address.low() {
                    0 => FindingKind::CallOfNull,
                    _ => FindingKind::CallOfNonFunction,
                },
                access: Some(AccessInfo { verb: Verb::Call, size: 0, path: None }),
                object: region.map(|id| (id, self.offset(id, address))),
            })),
        }
    }

    /// Makes a stack object with undefined contents.
    pub fn slot(&mut self, site: Site<'_>, function: FuncId, slot: SlotId) -> Checked<Value> {
        let info = &site.program.functions[function].slots[slot];
        let area = self.area(site.thread);
        if info.size > LARGEST_STACK - area.stack_in_use {
            return Err(FindingKind::StackOverflow.into());
        }
        area.stack_in_use += info.size;
        let base = place(&mut area.next_stack, info.size, info.align);
        let kind = RegionKind::Stack(function, slot, site.thread);
        Ok(Value::pointer(self.recycle(base, info.size, kind, false), base))
    }

    /// Makes the contents of a stack object undefined again.
    pub fn enter(&mut self, slot: Value) {
        let Some(id) = slot.provenance else { return };
        let region = &mut self.regions[id];
        if let Some(journal) = &mut self.journal {
            journal.push(Undo::Emptied { region: id, contents: region.contents.clone() });
        }
        region.contents.reset(region.size as usize);
    }

    /// Ends the lifetime of stack objects.
    pub fn leave(&mut self, slots: &[Value]) {
        for id in slots.iter().filter_map(|slot| slot.provenance) {
            self.end(id, Life::Over);
        }
    }

    /// Ends the lifetime of a thread's thread-local objects.
    pub fn end_thread(&mut self, thread: ThreadId) {
        for (_, address) in std::mem::take(&mut self.area(thread).locals) {
            self.end(address.provenance.expect("an object"), Life::Over);
        }
        self.version += 1;
    }

    /// Counts a stack object as in use, or no longer.
    fn count_stack(&mut self, id: RegionId, in_use: bool) {
        let Region { kind: RegionKind::Stack(_, _, thread), size, .. } = self.regions[id] else {
            return;
        };
        let count = &mut self.areas[thread.index()].stack_in_use;
        *count = if in_use { *count + size } else { *count - size };
    }

    fn end(&mut self, id: RegionId, life: Life) {
        self.count_stack(id, false);
        let region = &mut self.regions[id];
        let before = std::mem::replace(&mut region.life, life);
        if let Some(journal) = &mut self.journal {
            let contents = std::mem::take(&mut region.contents);
            journal.push(Undo::Ended { region: id, life: before, contents });
        } else {
            if region.size > 256 {
                region.contents = Contents::default();
            }
            self.dead.push_back(id);
        }
    }

    /// Allocates a heap block; null where there is no room or no such alignment.
    pub fn alloc(
        &mut self,
        site: Site<'_>,
        size: u64,
        align: u64,
        zeroed: bool,
        layout: Option<LayoutId>,
    ) -> Value {
        let align = align.max(1);
        let room = LARGEST_HEAP.saturating_sub(self.heap_in_use);
        if size > room || align > LARGEST_HEAP || !align.is_power_of_two() {
            return Value::NULL;
        }
        let area = self.area(site.thread);
        // The area of a thread ends where the next one's starts.
        if area.next_heap % THREAD_AREA + size + align > THREAD_AREA - LARGEST_HEAP {
            return Value::NULL;
        }
        let base = place(&mut area.next_heap, size, align);
        let id = self.recycle(base, size, RegionKind::Heap(layout), zeroed);
        self.heap_in_use += size;
        self.regions[id].allocated = Some(origin(site));
        self.version += 1;
        Value::pointer(id, base)
    }

    /// Adds an argument of `main`.
    pub fn argument(&mut self, size: u64) -> Value {
        let base = place(&mut self.next_static, size, LEAST_ALIGN);
        self.add(base, RegionKind::Argument, Contents::zeroed(size as usize), size)
    }

    /// Writes without a check into an object that was just made.
    pub fn preset(&mut self, address: Value, offset: u64, value: Value) {
        let region = address.provenance.expect("an object");
        self.regions[region].contents.write(offset as usize, value);
    }

    /// Frees a heap block.
    pub fn free(&mut self, site: Site<'_>, address: Value) -> Checked<()> {
        let id = self.block(address)?;
        self.heap_in_use -= self.regions[id].size;
        self.end(id, Life::Freed(origin(site)));
        self.version += 1;
        Ok(())
    }

    /// The size of the heap block that starts at an address.
    pub fn block_size(&self, address: Value) -> Checked<u64> {
        Ok(self.regions[self.block(address)?].size)
    }

    /// The living heap block that starts at an address.
    fn block(&self, address: Value) -> Checked<RegionId> {
        let wrong = |kind| {
            Err(Box::new(Violation {
                kind,
                access: Some(AccessInfo { verb: Verb::Free, size: 0, path: None }),
                object: address.provenance.map(|id| (id, self.offset(id, address))),
            }))
        };
        let Some(id) = address.provenance else {
            return wrong(match address.low() {
                low if low < NULL_PAGE => FindingKind::Null,
                address => FindingKind::Wild { address },
            });
        };
        let region = &self.regions[id];
        match (region.kind, &region.life) {
            (RegionKind::Heap(_), Life::Freed(_)) => wrong(FindingKind::DoubleFree),
            (RegionKind::Heap(_), _) if region.base == address.low() => Ok(id),
            (RegionKind::Heap(_), _) => wrong(FindingKind::FreeInsideBlock),
            _ => wrong(FindingKind::FreeOfNonHeap),
        }
    }

    fn offset(&self, region: RegionId, address: Value) -> i64 {
        address.low().wrapping_sub(self.regions[region].base) as i64
    }

    /// Reads.
    #[inline]
    pub fn read(&self, access: &ResolvedAccess<'_>) -> Checked<Value> {
        let (id, offset) = self.locate(access, Verb::Read)?;
        Ok(self.regions[id].contents.read(offset, access.width))
    }

    /// Writes.
    #[inline]
    pub fn write(
        &mut self,
        thread: ThreadId,
        access: &ResolvedAccess<'_>,
        value: Value,
    ) -> Checked<()> {
        let (id, offset) = self.locate(access, Verb::Write)?;
        self.put(thread, id, offset, value);
        Ok(())
    }

    /// Whether an access is right.
    pub fn check(&self, access: &ResolvedAccess<'_>, verb: Verb) -> Checked<()> {
        self.locate(access, verb).map(|_| ())
    }

    /// Reads what an update is about to replace: both must be allowed.
    pub fn read_for_update(&self, access: &ResolvedAccess<'_>) -> Checked<Value> {
        let (id, offset) = self.locate(access, Verb::Update)?;
        Ok(self.regions[id].contents.read(offset, access.width))
    }

    fn put(&mut self, thread: ThreadId, id: RegionId, offset: usize, value: Value) {
        let region = &mut self.regions[id];
        if let Some(journal) = &mut self.journal {
            let part = region.contents.part(offset, value.width.bytes() as usize);
            journal.push(Undo::Part { region: id, offset, part });
        }
        region.contents.write(offset, value);
        self.version += 1;
        let (start, end) = (offset as u64, offset as u64 + value.width.bytes());
        for (other, area) in self.areas.iter_mut().enumerate() {
            let Some((region, offset, size)) = area.reservation else { continue };
            if other != thread.index() && region == id && offset < end && start < offset + size {
                area.reservation = None;
            }
        }
    }

    /// Remembers what an exclusive load read.
    pub fn reserve(&mut self, thread: ThreadId, access: &ResolvedAccess<'_>) {
        let reservation = access
            .address
            .provenance
            .map(|id| (id, self.offset(id, access.address) as u64, access.width.bytes()));
        self.area(thread).reservation = reservation;
    }

    /// Whether an exclusive store finds its reservation; either way it is used up.
    pub fn take_reservation(&mut self, thread: ThreadId, access: &ResolvedAccess<'_>) -> bool {
        let wanted = access
            .address
            .provenance
            .map(|id| (id, self.offset(id, access.address) as u64, access.width.bytes()));
        let reserved = self.area(thread).reservation.take();
        reserved.is_some() && reserved == wanted
    }

    /// The object of an access and where in it, if the access is right.
    #[inline]
    fn locate(&self, access: &ResolvedAccess<'_>, verb: Verb) -> Checked<(RegionId, usize)> {
        if let Some(id) = access.address.provenance {
            let region = &self.regions[id];
            let offset = access.address.low().wrapping_sub(region.base);
            let size = access.width.bytes();
            let inside = size <= region.size && offset <= region.size - size;
            let writable = verb == Verb::Read || !matches!(region.kind, RegionKind::Constant(_));
            if inside && writable && region.is_alive() && !self.misaligned(access, verb) {
                return Ok((id, offset as usize));
            }
        }
        Err(self.explain(access, verb))
    }

    fn misaligned(&self, access: &ResolvedAccess<'_>, verb: Verb) -> bool {
        let atomic = access.order > Order::Volatile || verb == Verb::Update;
        let size = access.width.bytes();
        atomic && size.is_power_of_two() && access.address.low() & (size - 1) != 0
    }

    /// What is wrong with an access.
    #[cold]
    fn explain(&self, access: &ResolvedAccess<'_>, verb: Verb) -> Box<Violation> {
        let address = access.address.low();
        let path = access.path.map(str::to_owned);
        let info = AccessInfo { verb, size: access.width.bytes(), path };
        let Some(id) = access.address.provenance else {
            let kind = match address {
                address if address < NULL_PAGE => FindingKind::Null,
                address => FindingKind::Wild { address },
            };
            return Box::new(Violation { kind, access: Some(info), object: None });
        };
        let region = &self.regions[id];
        let offset = self.offset(id, access.address);
        let inside = offset >= 0 && (offset as u64).saturating_add(info.size) <= region.size;
        let kind = match (&region.life, region.kind) {
            (_, RegionKind::Function(_)) => FindingKind::FunctionAsData,
            (Life::Freed(_), _) => FindingKind::UseAfterFree,
            (Life::Over, RegionKind::ThreadLocal(..)) => FindingKind::UseAfterThread,
            (Life::Over, _) => FindingKind::UseAfterReturn,
            (Life::Alive, _) if !inside => FindingKind::OutOfBounds,
            (Life::Alive, _) if self.misaligned(access, verb) => {
                FindingKind::MisalignedAtomic { address }
            }
            (Life::Alive, _) => FindingKind::WriteToConstant,
        };
        Box::new(Violation { kind, access: Some(info), object: Some((id, offset)) })
    }

    /// From here on changes can be undone.
    pub fn begin(&mut self) {
        self.journal = Some(Journal::new(self.version, self.heap_in_use));
    }

    /// The changes since [`begin`](Self::begin) stay.
    pub fn commit(&mut self) {
        let Some(journal) = self.journal.take() else { return };
        for undo in journal.changes {
            if let Undo::Ended { region, .. } = undo {
                self.dead.push_back(region);
            }
        }
    }

    /// Undoes the changes since [`begin`](Self::begin).
    pub fn roll_back(&mut self) {
        let Some(journal) = self.journal.take() else { return };
        for undo in journal.changes.into_iter().rev() {
            match undo {
                Undo::Part { region, offset, part } => {
                    self.regions[region].contents.restore(offset, &part);
                }
                Undo::Emptied { region, contents } => self.regions[region].contents = contents,
                Undo::Ended { region, life, contents } => {
                    self.count_stack(region, true);
                    self.regions[region].life = life;
                    self.regions[region].contents = contents;
                }
                Undo::Created { region } => {
                    self.count_stack(region, false);
                    self.regions[region].life = Life::Over;
                    self.dead.push_back(region);
                }
            }
        }
        self.version = journal.version;
        self.heap_in_use = journal.heap_in_use;
    }
}

/// The next free address for an object, with room around it.
fn place(next: &mut u64, size: u64, align: u64) -> u64 {
    let align = align.max(LEAST_ALIGN);
    let base = next.next_multiple_of(align);
    *next = base + size + GAP;
    base
}

fn origin(site: Site<'_>) -> Box<Origin> {
    let trace = trace(site.program, site.frames, site.place, TRACE);
    Box::new(Origin { thread: site.thread, trace })
}
