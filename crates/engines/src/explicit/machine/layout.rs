//! What is the same in all states: the program, where its objects are, and who may be noticed.

use crate::explicit::Machine;
use crate::explicit::machine::state::{Kind, Life, Made, Part, Quick, Shared};
use crate::explicit::machine::weak::acquires;
use crate::explicit::machine::weak::future::Futures;
use crate::explicit::machine::weak::rules::Rules;
use crate::explicit::reductions::sharing::Sharing;
use execution::event::ThreadId;
use execution::ids::{Id, IdVec};
use ir::cfg::counted::is_counted;
use ir::cfg::{Liveness, LoopForest, bystanders};
use ir::op::{BinaryOp, Inst, Op, Operand};
use ir::order::{Fence, Order};
use ir::prepare;
use ir::program::{FuncId, Global, GlobalId, InitData, Program, Reg, SlotId, Storage};
use ir::step::sc::contents::Contents;
use ir::step::thread::Code;
use ir::value::{RegionId, Value};
use sat::Limits;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;

const GLOBALS: u64 = 0x0010_0000;
const FUNCTIONS: u64 = 0x0800_0000_0000;
const OBJECTS: u64 = 0x1000_0000_0000;
/// How far apart the areas of two threads are.
const AREA: u64 = 1 << 36;
/// At least this many bytes between two objects belong to none.
const GAP: u64 = 16;
/// How many objects one thread can make.
const MOST: usize = 1 << 18;

/// The program with what never changes.
pub(crate) struct Layout<'p> {
    pub code: Code<'p>,
    pub machine: Machine,
    /// Stack objects that are registers.
    pub promoted: &'p HashSet<(FuncId, SlotId)>,
    pub alive: &'p IdVec<FuncId, Liveness>,
    /// Whether signed overflow is a finding.
    pub overflow: bool,
    /// Whether only some of very many values are tried, so that there are more states.
    pub samples: bool,
    /// Whether an allocation writes even if what it writes is undefined.
    pub allocations: bool,
    /// When to give up, unless somebody tells what was found until then.
    pub limits: Limits,
    pub telling: Cell<bool>,
    /// Which parts of memory several threads touch, and who changes any.
    pub sharing: RefCell<Sharing>,
    /// What may follow the places of the program, on a machine with views.
    pub futures: Futures,
    /// Whether what threads may do is not relied on yet.
    pub training: Cell<bool>,
    /// What that machine does.
    pub rules: Rules,
    /// Whether the program has acquire fences.
    pub acquire_fences: bool,
    /// Whether it has SC fences.
    pub sc_fences: bool,
    /// Whether the machine does more than the model in this program.
    pub generous: Cell<bool>,
    /// Whether some access to memory with a list is not atomic.
    pub races: Cell<bool>,
    globals: IdVec<GlobalId, u64>,
    constants: IdVec<GlobalId, Contents>,
}

/// A program whose stack objects are registers where they can be.
pub(crate) struct Prepared {
    pub program: Program,
    promoted: HashSet<(FuncId, SlotId)>,
    alive: IdVec<FuncId, Liveness>,
}

impl Prepared {
    pub(crate) fn new(program: &Program) -> Self {
        let program = prepare::for_states(program.clone());
        let functions = program.functions.enumerate();
        let promoted = functions
            .flat_map(|(id, function)| function.unused_slots().into_iter().map(move |it| (id, it)))
            .collect();
        let alive = program.functions.iter().map(Liveness::new).collect();
        Self { program, promoted, alive }
    }

    /// Whether a loop that reads memory changes nothing but registers that decide nothing there, and
    /// that matter later, or counts in memory and does not end by that.
    pub(crate) fn counts(&self) -> bool {
        let functions = self.program.functions.enumerate();
        functions.into_iter().any(|(id, function)| {
            let Ok(forest) = LoopForest::new(function) else { return false };
            forest.loops.iter().any(|it| {
                let own = bystanders(function, it);
                let ops = || it.blocks.iter().flat_map(|&block| &function.blocks[block].insts);
                if !is_counted(function, it) && ops().any(|inst| counts_up(&inst.op, &ops)) {
                    return true;
                }
                let lasts = |reg: &Reg| self.alive[id].is_alive(it.header, 0, *reg);
                let changed: Vec<Reg> =
                    ops().flat_map(|inst| inst.op.results()).filter(lasts).collect();
                let reads = ops().any(|inst| matches!(inst.op, Op::Load { .. } | Op::Call { .. }));
                reads && !changed.is_empty() && changed.iter().all(|reg| own.contains(reg))
            })
        })
    }

    pub(crate) fn layout(&self, machine: Machine, overflow: bool, sharing: Sharing) -> Layout<'_> {
        let program = &self.program;
        let mut next = GLOBALS;
        let place = |global: &Global| place(&mut next, global.size, global.align);
        let globals = program.globals.iter().map(place).collect();
        let futures = Futures::new(program, sharing.accesses.clone());
        let mut layout = Layout {
            code: Code::new(program),
            machine,
            promoted: &self.promoted,
            alive: &self.alive,
            overflow,
            samples: false,
            allocations: false,
            limits: Limits::default(),
            telling: Cell::new(false),
            sharing: RefCell::new(sharing),
            futures,
            training: Cell::new(false),
            rules: Rules::default(),
            acquire_fences: has_fences(program, acquires),
            sc_fences: has_fences(program, |order| order == Order::SeqCst),
            generous: Cell::new(false),
            races: Cell::new(false),
            globals,
            constants: IdVec::new(),
        };
        let constants = program.globals.iter().map(|global| match global.storage {
            Storage::Constant => layout.contents(global),
            _ => Contents::default(),
        });
        layout.constants = constants.collect();
        layout
    }
}

/// Whether a plain store puts back what one of the instructions has loaded there, and more.
fn counts_up<'o, I: Iterator<Item = &'o Inst>>(op: &Op, all: &impl Fn() -> I) -> bool {
    let Op::Store { access, value: Operand::Reg(value) } = op else { return false };
    let loads = |reg: Reg| {
        all().any(|inst| match &inst.op {
            Op::Load { dst, access: from, .. } => *dst == reg && from.address == access.address,
            _ => false,
        })
    };
    let adds = |op: &Op| match op {
        Op::Binary {
            op: BinaryOp::Add, dst, a: Operand::Reg(old), b: Operand::Int { .. }, ..
        } => dst == value && loads(*old),
        _ => false,
    };
    !access.order.is_atomic() && all().any(|inst| adds(&inst.op))
}

/// Whether some thread may execute a fence of some orders.
fn has_fences(program: &Program, of: impl Fn(Order) -> bool) -> bool {
    let blocks = program.functions.iter().flat_map(|function| function.blocks.iter());
    let mut ops = blocks.flat_map(|block| block.insts.iter().map(|inst| &inst.op));
    ops.any(|op| matches!(op, Op::Fence(Fence::C11(order)) if of(*order)))
}

/// Which object a region is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Object {
    Function(FuncId),
    Global(GlobalId),
    /// One that a thread made.
    Made(MadeId),
}

/// An object that a thread made: the thread, and which of its objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MadeId {
    pub thread: ThreadId,
    pub number: usize,
}

impl Layout<'_> {
    /// Whether a step that takes long is to be given up.
    pub(crate) fn is_too_late(&self) -> bool {
        !self.telling.get() && self.limits.expired()
    }

    pub(crate) fn program(&self) -> &Program {
        self.code.program
    }

    /// The memory before the first step.
    pub(crate) fn initial(&self) -> Shared {
        let contents = |global: &Global| match global.storage {
            Storage::Static => self.contents(global),
            Storage::Constant | Storage::ThreadLocal => Contents::default(),
        };
        let globals = self.program().globals.iter().map(|global| Part::new(contents(global)));
        let mut shared = Shared { globals: globals.collect(), ..Shared::default() };
        shared.add_thread();
        shared
    }

    /// What a global holds at first.
    pub(crate) fn contents(&self, global: &Global) -> Contents {
        let mut contents = Contents::zeroed(global.size as usize);
        for init in &global.init {
            let offset = init.offset as usize;
            match &init.data {
                InitData::Bytes(bytes) => contents.write_bytes(offset, bytes),
                InitData::Global(to, bytes) => {
                    contents.write(offset, self.global(*to).offset(*bytes));
                }
                InitData::Function(to) => contents.write(offset, self.function(*to)),
            }
        }
        contents
    }

    pub(crate) fn constant(&self, global: GlobalId) -> &Contents {
        &self.constants[global]
    }

    /// The address of a global that is not a thread-local.
    pub(crate) fn global(&self, global: GlobalId) -> Value {
        let region = self.program().functions.len() + global.index();
        Value::pointer(RegionId::new(region), self.globals[global])
    }

    pub(crate) fn function(&self, function: FuncId) -> Value {
        let base = FUNCTIONS + GAP * function.index() as u64;
        Value::pointer(RegionId::new(function.index()), base)
    }

    /// The address of an object that a thread made.
    pub(crate) fn made(&self, MadeId { thread, number }: MadeId, base: u64) -> Value {
        let first = self.program().functions.len() + self.program().globals.len();
        Value::pointer(RegionId::new(first + thread.index() * MOST + number), base)
    }

    /// Which object a region is.
    pub(crate) fn object(&self, region: RegionId) -> Object {
        let (functions, globals) = (self.program().functions.len(), self.program().globals.len());
        match region.index() {
            index if index < functions => Object::Function(FuncId::new(index)),
            index if index < functions + globals => {
                Object::Global(GlobalId::new(index - functions))
            }
            index => {
                let index = index - functions - globals;
                Object::Made(MadeId { thread: ThreadId::new(index / MOST), number: index % MOST })
            }
        }
    }

    /// Makes an object of a thread; nothing if there are too many, or if they are too large.
    pub(crate) fn make(
        &self,
        shared: &mut Shared,
        thread: ThreadId,
        (size, align): (u64, u64),
        kind: Kind,
        contents: Contents,
    ) -> Option<Value> {
        let own = &mut shared.made[thread];
        let number = own.len();
        let mut next = own.last().map_or(OBJECTS + AREA * thread.index() as u64, |last| {
            let last = last.get();
            last.base + last.size + GAP
        });
        let base = place(&mut next, size, align);
        let fits = next <= OBJECTS + AREA * (thread.index() as u64 + 1);
        let life = Life::Alive;
        let (entered, exposed, locks) = (false, false, Vec::new());
        own.push(Part::new(Made { base, size, kind, life, contents, entered, exposed, locks }));
        (fits && number < MOST).then(|| self.made(MadeId { thread, number }, base))
    }

    /// The address of a region.
    pub(crate) fn base(&self, shared: &Shared, region: RegionId) -> u64 {
        match self.object(region) {
            Object::Function(function) => self.function(function).low(),
            Object::Global(global) => self.globals[global],
            Object::Made(id) => shared.object(id).base,
        }
    }
}

/// The next free address for an object, with room around it.
fn place(next: &mut u64, size: u64, align: u64) -> u64 {
    let base = next.next_multiple_of(align.max(GAP));
    *next = base + size + GAP;
    base
}

/// Keeps the kind of hash maps in one place.
pub(crate) type Map<K, V> = std::collections::HashMap<K, V, Quick>;
