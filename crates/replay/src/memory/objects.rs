//! The objects of a C program: where they are, how large, and which accesses of them are valid.
//!
//! Objects are made as threads ask for them. Who asks, and how often it asked before, decides
//! which object that is, so that executions of one thread that are explored one after the other
//! agree on what they made. Addresses are made up here, or given by a witness.

use execution::finding::{FindingKind, Verb};
use execution::ids::{Id, IdVec};
use execution::witness::{self, ObjectKind};
use ir::layout::{LayoutId, LayoutKind};
use ir::program::{FuncId, Global, GlobalId, InitData, Program, Storage, Width};
use ir::step::describe::{lock_at, member_at, target_at};
use ir::step::memory::ResolvedAccess;
use ir::step::sc::contents::Contents;
use ir::value::{RegionId, Value};
use std::collections::{BTreeSet, HashMap};

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Which one.
    pub kind: ObjectKind,
    /// Its address.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Whether accesses of it are not events.
    pub private: bool,
    /// Whether the end of its life is a write.
    pub ends: bool,
    /// Whether it may not be written.
    pub constant: bool,
    /// The function, for a function.
    pub function: Option<FuncId>,
    /// What is inside.
    pub layout: Option<LayoutId>,
    /// What it is called where people read.
    pub name: String,
    /// What it holds before the concurrent part (or, if it is made later, at first).
    pub contents: Contents,
    /// Whether it exists before the concurrent part.
    pub life: Life,
    /// Whether it has been created; a witness lists objects before that.
    pub made: bool,
}

/// Whether an object exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// It does.
    Alive,
    /// It was freed.
    Freed,
    /// Its call has returned.
    Over,
}

/// Local objects whose addresses are passed on, by [`key`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Passed {
    /// Those that are shared, because their address was.
    pub shared: BTreeSet<String>,
    /// Those of them that may be accessed after their end: another thread accesses them, or their
    /// own one does so too late.
    pub outlived: BTreeSet<String>,
}

impl Passed {
    /// Whether nothing is here that is not known there.
    pub fn is_within(&self, known: &Passed) -> bool {
        self.shared.is_subset(&known.shared) && self.outlived.is_subset(&known.outlived)
    }

    /// Adds what is known there.
    pub fn append(&mut self, other: &mut Passed) {
        self.shared.append(&mut other.shared);
        self.outlived.append(&mut other.outlived);
    }
}

/// Where addresses come from.
#[derive(Clone, Debug)]
enum Addresses {
    /// They are made up.
    Own(Passed),
    /// By a witness.
    Given,
}

/// All objects so far.
#[derive(Clone, Debug)]
pub struct Objects {
    list: IdVec<RegionId, Object>,
    known: HashMap<(ObjectKind, u64, bool), RegionId>,
    addresses: Addresses,
    next: u64,
    globals: IdVec<GlobalId, Option<RegionId>>,
    functions: IdVec<FuncId, RegionId>,
    names: HashMap<String, u32>,
}

/// Addresses below this are reported as null.
const NULL_PAGE: u64 = 4096;
/// The first address that is made up, far above what a witness is expected to use.
const FIRST: u64 = 0x5000_0000_0000;
/// At least this many bytes between two objects belong to none.
const GAP: u64 = 16;
/// A witness cannot have larger blocks of the heap.
const LARGEST_BLOCK: u64 = 1 << 30;
/// No object lies after this address, so that there is room for others.
const LAST: u64 = 1 << 62;

impl Objects {
    /// The objects of a program before it runs, at addresses of our own; local objects whose
    /// address is passed on are not private.
    pub fn new(program: &Program, passed: Passed) -> Result<Self, String> {
        let mut objects = Self::empty(Addresses::Own(passed));
        objects.fill(program)?;
        Ok(objects)
    }

    /// The objects of a program before it runs, at the addresses of a witness.
    pub fn given(program: &Program, table: &[witness::Object]) -> Result<Self, String> {
        let mut objects = Self::empty(Addresses::Given);
        for given in table {
            let end = given.base.checked_add(given.size);
            if given.base == 0 || end.is_none_or(|end| end > LAST) {
                return Err(format!("{} is at no address", key(&given.kind)));
            }
            let (size, private) = (given.size, given.private);
            // Memory for it is taken before anybody makes it.
            if size > declared(program, &given.kind).unwrap_or(LARGEST_BLOCK) {
                return Err(format!("{} does not have {size} bytes", key(&given.kind)));
            }
            let region = objects.add(given.kind.clone(), (given.base, size), private)?;
            objects.list[region].ends = given.ends && !private && is_local(&given.kind);
            if objects.known.insert((given.kind.clone(), 0, false), region).is_some() {
                return Err(format!("{} is listed twice", key(&given.kind)));
            }
            let end = (given.base + size).saturating_add(GAP);
            objects.next = objects.next.max(end);
        }
        objects.fill(program)?;
        Ok(objects)
    }

    fn empty(addresses: Addresses) -> Self {
        Self {
            list: IdVec::new(),
            known: HashMap::new(),
            addresses,
            next: FIRST,
            globals: IdVec::new(),
            functions: IdVec::new(),
            names: HashMap::new(),
        }
    }

    /// Makes what a program starts with.
    fn fill(&mut self, program: &Program) -> Result<(), String> {
        let objects = self;
        for (id, function) in program.functions.enumerate() {
            let kind = ObjectKind::Function { name: function.name.clone() };
            let region = objects.make(program, kind, (0, 1), Contents::default(), None)?;
            objects.list[region].function = Some(id);
            objects.functions.push(region);
        }
        for global in program.globals.iter() {
            let region = match global.storage {
                Storage::ThreadLocal => None,
                Storage::Static | Storage::Constant => {
                    let kind = ObjectKind::Global { name: global.name.clone() };
                    Some(objects.global_object(program, kind, global)?)
                }
            };
            objects.globals.push(region);
        }
        for (id, global) in program.globals.enumerate() {
            if let Some(region) = objects.globals[id] {
                objects.initialise(region, global);
            }
        }
        Ok(())
    }

    fn global_object(
        &mut self,
        program: &Program,
        kind: ObjectKind,
        global: &Global,
    ) -> Result<RegionId, String> {
        let contents = Contents::zeroed(global.size as usize);
        let room = (global.size, global.align);
        let region = self.make(program, kind, room, contents, global.layout)?;
        let constant = global.storage == Storage::Constant;
        self.list[region].constant = constant;
        self.list[region].private |= constant && matches!(self.addresses, Addresses::Own(_));
        Ok(region)
    }

    fn initialise(&mut self, region: RegionId, global: &Global) {
        for part in &global.init {
            let offset = part.offset as usize;
            let pointer = match &part.data {
                InitData::Bytes(bytes) => {
                    self.list[region].contents.write_bytes(offset, bytes);
                    continue;
                }
                InitData::Global(target, shift) => self.globals[*target]
                    .map_or(Value::NULL, |target| self.address(target).offset(*shift)),
                InitData::Function(function) => self.function(*function),
            };
            self.list[region].contents.write(offset, pointer);
        }
    }

    /// The requested object; it is created if it is not known yet.
    fn make(
        &mut self,
        program: &Program,
        kind: ObjectKind,
        (size, align): (u64, u64),
        contents: Contents,
        layout: Option<LayoutId>,
    ) -> Result<RegionId, String> {
        // Executions that differ in what they allocate first have different objects.
        let wanted = match &self.addresses {
            Addresses::Own(_) => (kind, size, contents == Contents::zeroed(size as usize)),
            Addresses::Given => (kind, 0, false),
        };
        let region = match self.known.get(&wanted) {
            Some(&known) => known,
            None => {
                let kind = wanted.0.clone();
                let (private, ends) = match &self.addresses {
                    Addresses::Own(Passed { shared, outlived }) => {
                        let private = is_local(&kind) && !shared.contains(&key(&kind));
                        (private, outlived.contains(&key(&kind)))
                    }
                    Addresses::Given => (true, false),
                };
                let base = self.fresh(size, align);
                let region = self.add(kind, (base, size), private)?;
                self.list[region].ends = ends;
                self.known.insert(wanted.clone(), region);
                region
            }
        };
        if self.list[region].size != size {
            let given = self.list[region].size;
            return Err(format!("{} has {size} bytes, not {given}", key(&wanted.0)));
        }
        if !self.list[region].made {
            let name = self.name(program, &wanted.0, layout);
            let object = &mut self.list[region];
            (object.name, object.layout, object.contents) = (name, layout, contents);
            object.made = true;
        }
        Ok(region)
    }

    fn add(
        &mut self,
        kind: ObjectKind,
        (base, size): (u64, u64),
        private: bool,
    ) -> Result<RegionId, String> {
        let overlaps = |other: &&Object| {
            base < other.base + other.size.max(1) && other.base < base + size.max(1)
        };
        if let Some(other) = self.list.iter().find(overlaps) {
            return Err(format!("{} and {} overlap", key(&kind), key(&other.kind)));
        }
        Ok(self.list.push(Object {
            name: key(&kind),
            kind,
            base,
            size,
            private,
            ends: false,
            constant: false,
            function: None,
            layout: None,
            contents: Contents::undefined(size as usize),
            life: Life::Alive,
            made: false,
        }))
    }

    fn fresh(&mut self, size: u64, align: u64) -> u64 {
        let base = self.next.next_multiple_of(align.clamp(16, 1 << 32));
        self.next = base + size + GAP;
        base
    }

    fn name(&mut self, program: &Program, kind: &ObjectKind, layout: Option<LayoutId>) -> String {
        match kind {
            ObjectKind::Global { name } | ObjectKind::Function { name } => name.clone(),
            ObjectKind::ThreadLocal { name, thread } => format!("{name}@{thread}"),
            ObjectKind::Slot { thread, function, slot, call } => {
                let found = program.functions.iter().find(|f| f.name == *function);
                let slot = found.and_then(|f| f.slots.iter().nth(*slot as usize));
                let name = slot.map_or("", |slot| slot.name.as_str());
                let name = if name.is_empty() { "temporary" } else { name };
                match call {
                    0 => format!("{name}@{thread}"),
                    call => format!("{name}@{thread}.{call}"),
                }
            }
            ObjectKind::Heap { .. } => {
                let layout = layout.map(|id| &program.layouts[id].kind);
                let stem = match layout {
                    Some(LayoutKind::Record { name, .. }) => stem(name),
                    _ => "block".to_string(),
                };
                let number = self.names.entry(stem.clone()).or_default();
                *number += 1;
                format!("{stem}{number}")
            }
        }
    }

    /// An object.
    pub fn get(&self, region: RegionId) -> &Object {
        &self.list[region]
    }

    /// An object, to be changed.
    pub fn get_mut(&mut self, region: RegionId) -> &mut Object {
        &mut self.list[region]
    }

    /// All objects.
    pub fn all(&self) -> impl Iterator<Item = (RegionId, &Object)> {
        self.list.enumerate()
    }

    /// The object that starts at an address.
    pub fn at(&self, base: u64) -> Option<RegionId> {
        self.list.enumerate().find(|(_, object)| object.base == base).map(|(region, _)| region)
    }

    /// The thread-local objects of a thread that are not shared.
    pub fn private_locals(&self, thread: u32) -> Vec<RegionId> {
        let own = |object: &Object| matches!(object.kind, ObjectKind::ThreadLocal { thread: t, .. } if t == thread);
        let private = self.list.enumerate().filter(|(_, object)| object.private && own(object));
        private.map(|(region, _)| region).collect()
    }

    /// The thread-local objects of a thread whose end is a write.
    pub fn ending(&self, thread: u32) -> Vec<RegionId> {
        let own = |object: &Object| matches!(object.kind, ObjectKind::ThreadLocal { thread: t, .. } if t == thread);
        let ending = self.list.enumerate().filter(|(_, object)| object.ends && own(object));
        ending.map(|(region, _)| region).collect()
    }

    /// How an access is wrong that comes after the end of an object.
    pub fn used_after_end(&self, region: RegionId) -> FindingKind {
        match self.list[region].kind {
            ObjectKind::Slot { .. } => FindingKind::UseAfterReturn,
            ObjectKind::ThreadLocal { .. } => FindingKind::UseAfterThread,
            _ => FindingKind::UseAfterFree,
        }
    }

    /// The address of an object.
    pub fn address(&self, region: RegionId) -> Value {
        Value::pointer(region, self.list[region].base)
    }

    /// The address of a function.
    pub fn function(&self, function: FuncId) -> Value {
        self.address(self.functions[function])
    }

    /// The address of a global; of the thread's own, for a thread-local.
    pub fn global(
        &mut self,
        program: &Program,
        thread: u32,
        id: GlobalId,
    ) -> Result<Value, String> {
        if let Some(region) = self.globals[id] {
            return Ok(self.address(region));
        }
        let global = &program.globals[id];
        let kind = ObjectKind::ThreadLocal { name: global.name.clone(), thread };
        let (size, zeroed) = match self.addresses {
            Addresses::Own(_) => (global.size, true),
            Addresses::Given => (0, false),
        };
        let known = self.known.get(&(kind.clone(), size, zeroed)).copied();
        if let Some(region) = known.filter(|&region| self.list[region].made) {
            return Ok(self.address(region));
        }
        let region = self.global_object(program, kind, global)?;
        self.initialise(region, global);
        Ok(self.address(region))
    }

    /// A stack object of a call.
    pub fn slot(
        &mut self,
        program: &Program,
        thread: u32,
        (function, slot): (FuncId, ir::program::SlotId),
        call: u32,
    ) -> Result<RegionId, String> {
        let function = &program.functions[function];
        let info = &function.slots[slot];
        let (name, number) = (function.name.clone(), slot.index() as u32);
        let kind = ObjectKind::Slot { thread, function: name, slot: number, call };
        let contents = Contents::undefined(info.size as usize);
        self.make(program, kind, (info.size, info.align), contents, info.layout)
    }

    /// A new heap block.
    pub fn heap(
        &mut self,
        program: &Program,
        (thread, number): (u32, u32),
        (size, align): (u64, u64),
        zeroed: bool,
        layout: Option<LayoutId>,
    ) -> Result<RegionId, String> {
        let kind = ObjectKind::Heap { thread, number };
        let bytes = size as usize;
        let contents = if zeroed { Contents::zeroed(bytes) } else { Contents::undefined(bytes) };
        self.make(program, kind, (size, align), contents, layout)
    }

    /// The object of an access and where in it, if the access is right for a living object.
    pub fn locate(
        &self,
        access: &ResolvedAccess<'_>,
        verb: Verb,
    ) -> Result<(RegionId, u64), FindingKind> {
        let address = access.address.low();
        let Some(region) = access.address.provenance else {
            return Err(match address {
                address if address < NULL_PAGE => FindingKind::Null,
                address => FindingKind::Wild { address },
            });
        };
        let object = &self.list[region];
        let (offset, size) = (address.wrapping_sub(object.base), access.width.bytes());
        if object.function.is_some() {
            return Err(FindingKind::FunctionAsData);
        }
        if size > object.size || offset > object.size - size {
            return Err(FindingKind::OutOfBounds);
        }
        if let Some(misaligned) = access.alignment(verb).wrong(address) {
            return Err(misaligned);
        }
        if object.constant && verb != Verb::Read {
            return Err(FindingKind::WriteToConstant);
        }
        Ok((region, offset))
    }

    /// The heap block that starts at an address.
    pub fn block(&self, address: Value) -> Result<RegionId, FindingKind> {
        let Some(region) = address.provenance else {
            return Err(match address.low() {
                low if low < NULL_PAGE => FindingKind::Null,
                address => FindingKind::Wild { address },
            });
        };
        let object = &self.list[region];
        match object.kind {
            ObjectKind::Heap { .. } if object.base == address.low() => Ok(region),
            ObjectKind::Heap { .. } => Err(FindingKind::FreeInsideBlock),
            _ => Err(FindingKind::FreeOfNonHeap),
        }
    }

    /// The function at an address.
    pub fn function_at(&self, address: Value) -> Result<FuncId, FindingKind> {
        let object = address.provenance.map(|region| &self.list[region]);
        let found = object.filter(|object| object.base == address.low());
        match (found.and_then(|object| object.function), address.low()) {
            (Some(function), _) => Ok(function),
            (None, 0) => Err(FindingKind::CallOfNull),
            (None, _) => Err(FindingKind::CallOfNonFunction),
        }
    }

    /// What is at an offset of an object: `queue.head`, `node1.next`, `counter`.
    pub fn place_name(&self, program: &Program, region: RegionId, offset: u64) -> String {
        let object = &self.list[region];
        let member = object.layout.map_or(String::new(), |id| member_at(program, id, offset));
        match (member.is_empty(), offset) {
            (true, 0) => object.name.clone(),
            (true, offset) => format!("{}+{offset}", object.name),
            (false, _) => format!("{}{member}", object.name),
        }
    }

    /// What a pointer to an offset of an object points to: `nodes[1]`, although the place there is
    /// that of its first member.
    fn target_name(&self, program: &Program, region: RegionId, offset: u64) -> String {
        let object = &self.list[region];
        let target = object.layout.map_or(String::new(), |id| target_at(program, id, offset));
        match target.is_empty() {
            true => self.place_name(program, region, offset),
            false => format!("{}{target}", object.name),
        }
    }

    /// The name of the lock whose word is at an offset of an object: `queue.lock`.
    pub fn lock_name(&self, program: &Program, region: RegionId, offset: u64) -> String {
        let object = &self.list[region];
        let is_member = |id: &LayoutId| !member_at(program, *id, offset).is_empty();
        match object.layout.filter(is_member) {
            Some(layout) => format!("{}{}", object.name, lock_at(program, layout, offset)),
            None => self.place_name(program, region, offset),
        }
    }

    /// A value for people: a number, or the name of what it points to; of two words, both, since
    /// what is accessed as 16 bytes at once is hardly ever one number.
    pub fn describe(&self, program: &Program, value: Value) -> String {
        if value.width == Width::I128 {
            let words = [0, 64].map(|bits| Value {
                bits: value.bits >> bits & Width::I64.mask(),
                undef: value.undef >> bits & Width::I64.mask(),
                provenance: if bits == 0 { value.provenance } else { value.high },
                high: None,
                width: Width::I64,
            });
            let [low, high] = words.map(|word| self.describe(program, word));
            return format!("{{{low}, {high}}}");
        }
        if !value.is_defined() {
            return "undefined".to_string();
        }
        let Some(region) = value.provenance.filter(|_| value.low() != 0) else {
            return value.as_signed().to_string();
        };
        let object = &self.list[region];
        if object.function.is_some() {
            return object.name.clone();
        }
        match value.low().checked_sub(object.base) {
            Some(0) => format!("&{}", object.name),
            Some(offset) if offset < object.size => {
                let name = |offset: u64| self.place_name(program, region, offset);
                // Between two places it is a pointer with something in its low bits.
                let same = |start: &u64| name(*start) == name(offset);
                let start = (0..offset).rev().take_while(same).last().unwrap_or(offset);
                match (start, offset - start) {
                    (_, 0) => format!("&{}", self.target_name(program, region, offset)),
                    (0, more) => format!("&{}+{more}", object.name),
                    (start, more) => {
                        format!("&{}+{more}", self.target_name(program, region, start))
                    }
                }
            }
            _ => {
                let offset = value.low().wrapping_sub(object.base) as i64;
                format!("&{}{offset:+}", object.name)
            }
        }
    }
}

/// The words of a type's name that can start the name of an object: `struct node` gives `node`,
/// `queue_t` gives `queue`.
fn stem(name: &str) -> String {
    let word = name.split_whitespace().last().unwrap_or("block");
    word.strip_suffix("_t").filter(|stem| !stem.is_empty()).unwrap_or(word).to_string()
}

/// Whether an object belongs to one thread as long as its address is not passed on.
fn is_local(kind: &ObjectKind) -> bool {
    owner(kind).is_some()
}

/// The thread that an object belongs to as long as its address is not passed on.
pub fn owner(kind: &ObjectKind) -> Option<u32> {
    match kind {
        ObjectKind::Slot { thread, .. } | ObjectKind::ThreadLocal { thread, .. } => Some(*thread),
        _ => None,
    }
}

/// A name for an object by which it is found again: which it is, not which execution made it.
pub fn key(kind: &ObjectKind) -> String {
    match kind {
        ObjectKind::Global { name } => format!("`{name}`"),
        ObjectKind::Function { name } => format!("the function `{name}`"),
        ObjectKind::ThreadLocal { name, thread } => format!("`{name}` of thread {thread}"),
        ObjectKind::Slot { thread, function, slot, .. } => {
            format!("local object {slot} of `{function}` in thread {thread}")
        }
        ObjectKind::Heap { thread, number } => {
            format!("heap block {number} of thread {thread}")
        }
    }
}
/// The size that the program gives an object; `None` for a block of the heap.
fn declared(program: &Program, kind: &ObjectKind) -> Option<u64> {
    match kind {
        ObjectKind::Global { name } | ObjectKind::ThreadLocal { name, .. } => {
            let own = program.globals.iter().find(|global| global.name == *name);
            Some(own.map_or(0, |global| global.size))
        }
        ObjectKind::Function { .. } => Some(0),
        ObjectKind::Slot { function, slot, .. } => {
            let own = program.functions.iter().find(|own| own.name == *function);
            let slot = own.and_then(|own| own.slots.iter().nth(*slot as usize));
            Some(slot.map_or(0, |slot| slot.size))
        }
        ObjectKind::Heap { .. } => None,
    }
}
