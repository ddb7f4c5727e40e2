//! Memory under sequential consistency: objects, their bytes, and every check of an access.
//!
//! Addresses are deterministic: each kind of object has an area of the address space, stack and
//! heap one per thread, and addresses are never used twice. So a pointer to a dead object never
//! equals one to a living object, and every invalid access is detected. (The *ids* of long-dead
//! objects are used again, to bound the memory of long runs; an access through a pointer that
//! old is still outside the new object, and thus still a finding.)

mod access;
pub mod contents;
pub mod journal;
mod objects;
pub mod region;
mod sections;
mod shape;

pub use objects::LARGEST_HEAP;

use super::memory::Site;
use super::origin::UndefinedRead;
use crate::program::{FuncId, Global, GlobalId, InitData, Program, Storage, Width};
use crate::value::{RegionId, Value};
use contents::Contents;
use execution::event::ThreadId;
use execution::finding::{AccessInfo, FindingKind, Verb};
use execution::ids::{Id, IdVec};
use journal::{Journal, Undo};
use region::{Region, RegionKind};
use std::collections::VecDeque;

const GLOBALS: u64 = 0x0010_0000;
const FUNCTIONS: u64 = 0x00f0_0000_0000;
const THREAD_LOCALS: u64 = 0x0100_0000_0000;
const HEAPS: u64 = 0x1000_0000_0000;
const STACKS: u64 = 0x7000_0000_0000;
/// The distance between the areas of two threads.
const THREAD_AREA: u64 = 1 << 36;
/// At least this many bytes between two objects belong to none.
const GAP: u64 = 16;
/// Everything is aligned at least so, as `malloc` does.
const LEAST_ALIGN: u64 = 16;
/// Addresses below this are reported as null.
const NULL_PAGE: u64 = 4096;
/// This many dead objects are remembered before their ids are used again.
const REMEMBERED: usize = 1 << 17;

/// A wrong access: what is wrong, and with which object.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What is wrong.
    pub kind: FindingKind,
    /// The access.
    pub access: Option<AccessInfo>,
    /// The object, and where in it the access begins.
    pub object: Option<(RegionId, i64)>,
    /// For a use of an undefined value: the read that it came from, where it is known.
    pub origin: Option<UndefinedRead>,
}

impl From<FindingKind> for Box<Violation> {
    fn from(kind: FindingKind) -> Self {
        Box::new(Violation { kind, access: None, object: None, origin: None })
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
                // The address of a thread-local is not a constant; well-formed programs have none.
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

    /// What is at an address of an object, if the object still exists.
    pub fn peek(&self, id: RegionId, address: u64, width: Width) -> Option<Value> {
        let region = &self.regions[id];
        let offset = address.checked_sub(region.base)?;
        let inside = offset.checked_add(width.bytes()).is_some_and(|end| end <= region.size);
        (inside && region.is_alive()).then(|| region.contents.read(offset as usize, width))
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
                origin: None,
            })),
        }
    }

    fn offset(&self, region: RegionId, address: Value) -> i64 {
        address.low().wrapping_sub(self.regions[region].base) as i64
    }
}

/// The next free address for an object, with room around it.
fn place(next: &mut u64, size: u64, align: u64) -> u64 {
    let align = align.max(LEAST_ALIGN);
    let base = next.next_multiple_of(align);
    *next = base + size + GAP;
    base
}
