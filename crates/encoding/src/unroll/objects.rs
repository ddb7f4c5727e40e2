//! Objects in memory and their addresses.
//!
//! Every object of the unrolled program has a fixed address of its own. Which object gets which
//! is of no importance to programs that do not compare addresses of different objects.

use super::{Frame, ObjectKey, Result, Sym, Unroller, unsupported};
use crate::bounded::{
    ActionId, ActionKind, Allocation, AllocationId, CallId, Contents, InitialCell, ObjectEnd,
    Region, RegionKind,
};
use crate::bytes::Bytes;
use crate::guard::Guard;
use crate::term::{Term, TermId};
use execution::event::ThreadId;
use execution::ids::Id;
use ir::layout::LayoutId;
use ir::points_to::Object;
use ir::program::{FuncId, Global, GlobalId, InitData, LocId, Slot, Storage, Width};

use ir::value::{RegionId, Value};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// At least this many bytes between two objects belong to none.
const GAP: u64 = 16;
const LEAST_ALIGN: u64 = 16;
const FIRST: u64 = 0x10_0000;

/// A heap block: what its allocation asked for, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    pub thread: ThreadId,
    pub size: u64,
    pub align: u64,
    pub zeroed: bool,
    /// Whether several threads run.
    pub concurrent: bool,
    pub layout: Option<LayoutId>,
    pub place: Option<LocId>,
}

/// The addresses that are still free.
#[derive(Debug)]
pub struct Addresses {
    next: u64,
}

impl Default for Addresses {
    fn default() -> Self {
        Self { next: FIRST }
    }
}

impl Addresses {
    /// Where the next object may begin.
    pub(super) fn end(&self) -> u64 {
        self.next
    }

    fn take(&mut self, size: u64, align: u64) -> u64 {
        let base = self.next.next_multiple_of(align.max(LEAST_ALIGN));
        self.next = base + size.max(1) + GAP;
        base
    }
}

/// The objects of a run.
#[derive(Default)]
pub(super) struct Objects {
    globals: HashMap<GlobalId, RegionId>,
    locals: HashMap<(ThreadId, GlobalId), RegionId>,
    functions: HashMap<FuncId, RegionId>,
    /// The blocks that the run before made, by allocation, with their regions in this run.
    pub(super) blocks: Vec<(Block, RegionId)>,
    /// Who accesses the objects that are private to a thread.
    touched: HashMap<RegionId, Touch>,
    pub(super) addresses: Addresses,
}

/// Who accesses an object that no other thread accesses while several threads run.
#[derive(Clone, Debug, Default)]
struct Touch {
    threads: BTreeSet<ThreadId>,
    /// Those that write, or bring it to its end.
    writers: BTreeSet<ThreadId>,
    /// Whether there are locks in it.
    locks: bool,
}

impl Unroller<'_> {
    pub(super) fn make_globals(&mut self) {
        for function in self.program.functions.ids() {
            let code = &self.program.functions[function];
            let base = self.objects.addresses.take(0, LEAST_ALIGN);
            let region = self.region(Region {
                kind: RegionKind::Function(function),
                base,
                size: 0,
                contents: Contents::Bytes(Bytes::zeroed(0)),
                freed: Guard::FALSE,
                private: false,
                name: code.name.as_str().into(),
                layout: None,
                place: code.place,
            });
            self.objects.functions.insert(function, region);
        }
        for (id, global) in self.program.globals.enumerate() {
            if global.storage != Storage::ThreadLocal {
                let constant = global.storage == Storage::Constant;
                let region = self.make_global(global, RegionKind::Global { id, constant });
                self.objects.globals.insert(id, region);
            }
        }
        for (&id, &region) in &self.objects.globals.clone() {
            self.initialise(id, region);
        }
    }

    fn make_global(&mut self, global: &Global, kind: RegionKind) -> RegionId {
        let base = self.objects.addresses.take(global.size, global.align);
        let private = self.may_be_own(kind);
        self.region(Region {
            kind,
            base,
            size: global.size,
            contents: Contents::Bytes(Bytes::of(global)),
            freed: Guard::FALSE,
            private,
            name: global.name.as_str().into(),
            layout: global.layout,
            place: global.place,
        })
    }

    /// Writes the addresses that a global starts with.
    fn initialise(&mut self, id: GlobalId, region: RegionId) {
        let base = self.out.regions[region].base;
        for init in &self.program.globals[id].init {
            let value = match init.data {
                InitData::Bytes(_) => continue,
                InitData::Global(other, offset) => match self.objects.globals.get(&other) {
                    Some(&other) => self.pointer(other).offset(offset),
                    None => Value::NULL,
                },
                InitData::Function(function) => self.function(function),
            };
            let value = self.constant(value);
            if !self.is_private(region) {
                self.escape(value);
            }
            let address = base + init.offset;
            self.out.initial.insert(address, InitialCell { width: Width::PTR, value });
            let untouched = |_: u64, width| Value::undef(width);
            let cell = (address, Width::PTR);
            let terms = &mut self.out.terms;
            self.store.write(terms, Guard::TRUE, cell, value.into(), &untouched);
        }
    }

    pub(super) fn region(&mut self, region: Region) -> RegionId {
        self.out.regions.push(region)
    }

    pub(super) fn pointer(&self, region: RegionId) -> Value {
        Value::pointer(region, self.out.regions[region].base)
    }

    pub(super) fn function(&self, function: FuncId) -> Value {
        self.pointer(self.objects.functions[&function])
    }

    pub(super) fn function_of(&self, region: RegionId) -> Option<FuncId> {
        match self.out.regions[region].kind {
            RegionKind::Function(function) => Some(function),
            _ => None,
        }
    }

    /// The address of a global; of a thread-local one, the running thread's.
    pub(super) fn global(&mut self, id: GlobalId, place: Option<LocId>) -> Result<Value> {
        if let Some(&region) = self.objects.globals.get(&id) {
            return Ok(self.pointer(region));
        }
        let thread = self.running.thread;
        if let Some(&region) = self.objects.locals.get(&(thread, id)) {
            return Ok(self.pointer(region));
        }
        let global = &self.program.globals[id];
        let addresses = |init: &ir::program::Init| !matches!(init.data, InitData::Bytes(_));
        if global.init.iter().any(addresses) {
            return unsupported(place, "a thread-local object that starts with an address");
        }
        let region = self.make_global(global, RegionKind::ThreadLocal { id, thread });
        self.objects.locals.insert((thread, id), region);
        Ok(self.pointer(region))
    }

    pub(super) fn make_slot(&mut self, call: CallId, number: u32, slot: &Slot) -> Value {
        let base = self.objects.addresses.take(slot.size, slot.align);
        let kind = RegionKind::Slot { call, slot: number };
        let private = !self.is_shared(kind);
        let region = self.region(Region {
            kind,
            base,
            size: slot.size,
            contents: Contents::Undefined,
            freed: Guard::FALSE,
            private,
            name: slot.name.as_str().into(),
            layout: slot.layout,
            place: slot.place,
        });
        self.pointer(region)
    }

    /// The block that an allocation makes.
    pub(super) fn make_block(&mut self, guard: Guard, block: Block) -> RegionId {
        let id = self.out.allocations.next_id();
        let known = self.objects.blocks.get(id.index()).filter(|(known, _)| *known == block);
        let region = match known {
            Some(&(_, region)) => region,
            None => self.heap(id, &block),
        };
        let moment = self.moment(guard);
        self.out.allocations.push(Allocation { moment, region, choice: None });
        self.found.made.push(block);
        region
    }

    fn heap(&mut self, id: AllocationId, block: &Block) -> RegionId {
        let Block { size, align, zeroed, concurrent, layout, place, .. } = *block;
        let base = self.objects.addresses.take(size, align);
        let private = !self.options.reuse_blocks && self.may_be_own(RegionKind::Heap(id));
        // While several threads run, the zeros of a shared block are written by its allocation.
        let contents = match zeroed && (private || !concurrent) {
            true => Contents::Bytes(Bytes::zeroed(size)),
            false => Contents::Undefined,
        };
        self.region(Region {
            kind: RegionKind::Heap(id),
            base,
            size,
            contents,
            freed: Guard::FALSE,
            private,
            name: "block".into(),
            layout,
            place,
        })
    }

    /// Makes the blocks that an earlier run made, so that allocations can give those that come
    /// later, too.
    pub(super) fn make_known_blocks(&mut self, blocks: Vec<Block>) {
        for (index, block) in blocks.into_iter().enumerate() {
            let region = self.heap(Id::new(index), &block);
            self.objects.blocks.push((block, region));
        }
    }

    /// The blocks of others that an allocation, the latest, may give because they were freed.
    pub(super) fn reusable(&self, block: &Block) -> Vec<RegionId> {
        if !self.options.reuse_blocks {
            return Vec::new();
        }
        let own = self.found.made.len() - 1;
        let fits = |(index, other): (usize, &(Block, RegionId))| {
            let (other, region) = other;
            let like = (other.size, other.align, other.zeroed);
            let later = other.thread == block.thread && index > own;
            let same = like == (block.size, block.align, block.zeroed);
            (same && index != own && !later).then_some(*region)
        };
        self.objects.blocks.iter().enumerate().filter_map(fits).collect()
    }

    /// Whether an object that is about to be made is private to a thread, as far as is known.
    fn may_be_own(&self, kind: RegionKind) -> bool {
        let alone = self.program.entry.len() == 1 && !self.options.litmus;
        self.options.own_objects && alone && !self.is_shared(kind)
    }

    /// Whether an object that is about to be made is known to be shared.
    fn is_shared(&self, kind: RegionKind) -> bool {
        let object = match kind {
            RegionKind::Global { id, .. } | RegionKind::ThreadLocal { id, .. } => {
                Object::Global(id)
            }
            RegionKind::Slot { call, slot } => Object::Slot(self.out.calls[call].function, slot),
            RegionKind::Heap(_) => Object::Heap,
            RegionKind::Function(_) => return true,
        };
        self.by_text.shared.contains(&object)
            || key(kind).is_some_and(|key| self.assumed.shared.contains(&key))
    }

    /// The running thread accesses an object of its own on the paths of `guard`.
    pub(super) fn touch(&mut self, region: RegionId, write: bool, locks: bool, guard: Guard) {
        if !self.concurrent {
            return;
        }
        let own = self.running.thread;
        let touch = self.objects.touched.entry(region).or_default();
        touch.threads.insert(own);
        if write {
            touch.writers.insert(own);
        }
        touch.locks |= locks;
        let has_locks = touch.locks;
        let rivals = if write { &touch.threads } else { &touch.writers };
        let others: Vec<ThreadId> = rivals.iter().copied().filter(|&other| other != own).collect();
        let kind = self.out.regions[region].kind;
        let key = key(kind);
        let known = key.is_some_and(|key| self.found.escaped.contains(&key));
        // Of locks, it is asked who holds them in the end.
        let outlives = matches!(kind, RegionKind::Global { .. } | RegionKind::Heap(_));
        let kept = has_locks && (outlives || !others.is_empty());
        if !known && (kept || !others.iter().all(|&other| self.is_before(other, guard))) {
            self.found.escaped.extend(key);
        }
    }

    /// Whether all that another thread has done so far comes before what the running one does now,
    /// on these paths: it started the running one, directly or not, or its end was awaited.
    fn is_before(&mut self, other: ThreadId, guard: Guard) -> bool {
        let (mut by, mut before) = (self.running.thread, self.next_action());
        loop {
            if by == other || self.out.is_over(other, (by, guard), before) {
                return true;
            }
            let Some(spawn) = self.out.threads[by].parent else { return false };
            (by, before) = (self.out.actions[spawn].thread, spawn);
        }
    }

    /// A value that the running thread reads, which another one may have written: dependencies are
    /// those of one thread.
    pub(super) fn of_running_thread(&self, mut value: Sym) -> Sym {
        let foreign = |id: &ActionId| self.out.actions[*id].thread != self.running.thread;
        if value.taint.keys().any(foreign) {
            Arc::make_mut(&mut value.taint).retain(|id, _| !foreign(id));
        }
        value
    }

    /// Lifetimes of objects of the running thread end on the paths of `guard`.
    pub(super) fn end_objects(
        &mut self,
        frame: &Frame,
        guard: Guard,
        regions: &[RegionId],
        place: Option<LocId>,
    ) -> Result<()> {
        for &region in regions {
            if !self.concurrent || self.is_private(region) {
                let freed = self.out.regions[region].freed;
                self.out.regions[region].freed = self.out.terms.guards.or(freed, guard);
                self.touch(region, true, false, guard);
                continue;
            }
            let (thread, before) = (self.running.thread, self.next_action());
            let outlived = key(self.out.regions[region].kind)
                .is_some_and(|key| self.options.outlived.contains(&key));
            if outlived {
                self.next_instruction();
                self.act(frame, guard, ActionKind::End(region), place)?;
            } else {
                self.out.ends.push(ObjectEnd { region, thread, guard, before });
            }
        }
        Ok(())
    }

    /// The thread-local objects of the running thread.
    pub(super) fn thread_locals(&self) -> Vec<RegionId> {
        let thread = self.running.thread;
        let own = self.objects.locals.iter().filter(|((owner, _), _)| *owner == thread);
        let mut regions: Vec<RegionId> = own.map(|(_, &region)| region).collect();
        regions.sort();
        regions
    }

    /// Whether an object stays in its thread, as far as is known.
    pub(super) fn is_private(&self, region: RegionId) -> bool {
        self.out.regions[region].private
    }

    /// Remembers that the objects whose addresses a value may hold can be seen by others.
    pub(super) fn escape(&mut self, value: TermId) {
        for region in self.mentioned(value) {
            if !self.is_private(region) {
                continue;
            }
            let kind = self.out.regions[region].kind;
            let constant = matches!(kind, RegionKind::Global { constant: true, .. });
            self.found.escaped.extend(key(kind).filter(|_| !constant));
        }
    }

    /// The objects whose addresses are among the constants that a value is made from.
    pub(super) fn mentioned(&self, value: TermId) -> BTreeSet<RegionId> {
        let mut seen = BTreeSet::new();
        let mut found = BTreeSet::new();
        let mut stack = vec![value];
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match *self.out.terms.term(id) {
                Term::Const(value) => found.extend(value.provenance.into_iter().chain(value.high)),
                Term::Input(_) => {}
                Term::Unary(_, a) | Term::Cast(_, _, a) | Term::Below(a, _) => stack.push(a),
                Term::Binary(_, a, b) | Term::Ite(_, a, b) => stack.extend([a, b]),
                Term::Select(c, a, b) => stack.extend([c, a, b]),
            }
        }
        found
    }
}

/// How an object that may be one thread's own is called.
pub(crate) fn key(kind: RegionKind) -> Option<ObjectKey> {
    Some(match kind {
        RegionKind::Global { id, .. } => ObjectKey::Global(id),
        RegionKind::ThreadLocal { id, thread } => ObjectKey::ThreadLocal(thread, id),
        RegionKind::Slot { call, slot } => ObjectKey::Slot(call, slot),
        RegionKind::Heap(id) => ObjectKey::Heap(id),
        RegionKind::Function(_) => return None,
    })
}
