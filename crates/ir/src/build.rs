//! Builders with which front ends make programs: interned places and layouts, blocks in any order.
//!
//! ```
//! use ir::build::{FunctionBuilder, ProgramBuilder};
//! use ir::op::{Op, Operand, Terminator};
//! use ir::program::Width;
//!
//! let mut program = ProgramBuilder::new();
//! let main = program.declare("main");
//! let mut f = FunctionBuilder::new("main", Some(Width::I32), None);
//! let x = f.reg(Width::I32, Some("x"));
//! f.emit(Op::Copy { dst: x, src: Operand::int(Width::I32, 7) }, None);
//! f.terminate(Terminator::Return(Some(Operand::Reg(x))), None);
//! program.define(main, f.finish());
//! program.entry(main);
//! let program = program.finish();
//! assert_eq!(program.functions[main].name, "main");
//! ```

use crate::layout::{Layout, LayoutId, LayoutKind};
use crate::locks::LockView;
use crate::op::{Inst, Op, Terminator};
use crate::prepare;
use crate::program::{
    Block, BlockId, FuncId, Function, Global, GlobalId, LocId, Program, Reg, RegInfo, Slot, SlotId,
    SourcePlace, Width,
};
use execution::ids::{Id, IdVec};
use std::collections::HashMap;

/// A program in the making.
#[derive(Debug, Default)]
pub struct ProgramBuilder {
    program: Program,
    places: HashMap<SourcePlace, LocId>,
    layouts: HashMap<Layout, LayoutId>,
}

impl ProgramBuilder {
    /// An empty program.
    pub fn new() -> Self {
        Self::default()
    }

    /// The id of a place; equal places share one.
    pub fn place(&mut self, place: SourcePlace) -> LocId {
        *self
            .places
            .entry(place)
            .or_insert_with_key(|place| self.program.places.push(place.clone()))
    }

    /// The id of a layout; equal layouts share one.
    pub fn layout(&mut self, layout: Layout) -> LayoutId {
        let layouts = &mut self.program.layouts;
        *self.layouts.entry(layout).or_insert_with_key(|layout| layouts.push(layout.clone()))
    }

    /// An id for a layout that is not known yet, such as a record that points to itself. It is
    /// opaque and empty until [`define_layout`](Self::define_layout).
    pub fn reserve_layout(&mut self) -> LayoutId {
        self.program.layouts.push(Layout { size: 0, align: 1, kind: LayoutKind::Opaque })
    }

    /// Says what a reserved layout is.
    pub fn define_layout(&mut self, id: LayoutId, layout: Layout) {
        self.program.layouts[id] = layout;
    }

    /// Adds a global. Its initial contents may be set later through
    /// [`global_mut`](Self::global_mut), since they may mention globals that are yet to come.
    pub fn global(&mut self, global: Global) -> GlobalId {
        self.program.globals.push(global)
    }

    /// A global, to be changed.
    pub fn global_mut(&mut self, id: GlobalId) -> &mut Global {
        &mut self.program.globals[id]
    }

    /// An id for a function that will be [`define`](Self::define)d later. Until then it is a
    /// function that traps.
    pub fn declare(&mut self, name: &str) -> FuncId {
        let mut body = FunctionBuilder::new(name, None, None);
        body.terminate(Terminator::Trap(format!("`{name}` has no definition")), None);
        self.program.functions.push(body.finish())
    }

    /// Gives a declared function its definition. It keeps its name, which is its own also where the
    /// sources of several files have functions of one name.
    pub fn define(&mut self, id: FuncId, function: Function) {
        let name = std::mem::take(&mut self.program.functions[id].name);
        self.program.functions[id] = Function { name, ..function };
    }

    /// Makes a function an initial thread.
    pub fn entry(&mut self, function: FuncId) {
        self.program.entry.push(function);
    }

    /// What has been built so far.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program.
    pub fn finish(self) -> Program {
        self.program
    }
}

/// A function in the making. It starts with one empty block, its entry, which is current.
#[derive(Debug)]
pub struct FunctionBuilder {
    name: String,
    params: Vec<Reg>,
    result: Option<Width>,
    regs: IdVec<Reg, RegInfo>,
    slots: IdVec<SlotId, Slot>,
    blocks: IdVec<BlockId, OpenBlock>,
    place: Option<LocId>,
    current: BlockId,
}

/// A block that may still lack its terminator.
#[derive(Debug, Default)]
struct OpenBlock {
    insts: Vec<Inst>,
    end: Option<(Terminator, Option<LocId>)>,
}

impl FunctionBuilder {
    /// A function with no parameters yet.
    pub fn new(name: &str, result: Option<Width>, place: Option<LocId>) -> Self {
        let mut blocks = IdVec::new();
        let current = blocks.push(OpenBlock::default());
        let (regs, slots) = (IdVec::new(), IdVec::new());
        let (name, params) = (name.to_string(), Vec::new());
        Self { name, params, result, regs, slots, blocks, place, current }
    }

    /// Adds a parameter; gives the register that receives it.
    pub fn param(&mut self, width: Width, name: Option<&str>) -> Reg {
        let reg = self.reg(width, name);
        self.params.push(reg);
        reg
    }

    /// A new register.
    pub fn reg(&mut self, width: Width, name: Option<&str>) -> Reg {
        self.regs.push(RegInfo { width, name: name.map(str::to_string) })
    }

    /// The width of a register.
    pub fn width(&self, reg: Reg) -> Width {
        self.regs[reg].width
    }

    /// A new stack object.
    pub fn slot(&mut self, slot: Slot) -> SlotId {
        self.slots.push(slot)
    }

    /// A new empty block, not current.
    pub fn new_block(&mut self) -> BlockId {
        self.blocks.push(OpenBlock::default())
    }

    /// Makes a block current: instructions go to its end.
    pub fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }

    /// The current block.
    pub fn current(&self) -> BlockId {
        self.current
    }

    /// Whether the current block has its terminator: what is emitted now is dead code.
    pub fn is_terminated(&self) -> bool {
        self.blocks[self.current].end.is_some()
    }

    /// Appends an instruction to the current block; after its terminator, to a new block that
    /// nothing leads to.
    pub fn emit(&mut self, op: Op, place: Option<LocId>) {
        self.leave_terminated();
        self.blocks[self.current].insts.push(Inst { op, place });
    }

    /// Ends the current block (or, after its terminator, a new block that nothing leads to).
    pub fn terminate(&mut self, terminator: Terminator, place: Option<LocId>) {
        self.leave_terminated();
        self.blocks[self.current].end = Some((terminator, place));
    }

    fn leave_terminated(&mut self) {
        if self.is_terminated() {
            self.current = self.new_block();
        }
    }

    /// The function, without the blocks that cannot be reached.
    ///
    /// # Panics
    /// If a block that can be reached has no terminator.
    pub fn finish(self) -> Function {
        let unfinished = || (Terminator::Trap(UNFINISHED.to_string()), None);
        let close = |open: OpenBlock| {
            let (terminator, place) = open.end.unwrap_or_else(unfinished);
            Block { insts: open.insts, terminator, place }
        };
        let missing: Vec<bool> = self.blocks.iter().map(|block| block.end.is_none()).collect();
        let blocks = self.blocks.into_iter().map(close).collect();
        let Self { name, params, result, regs, slots, place, .. } = self;
        let lock_view = LockView::default();
        let whole = Function { name, params, result, regs, slots, blocks, lock_view, place };
        for block in crate::cfg::reverse_postorder(&whole) {
            assert!(!missing[block.index()], "{block} of `{}` has no terminator", whole.name);
        }
        prepare::built(whole)
    }
}

/// Stands in dead blocks only, and these are dropped.
const UNFINISHED: &str = "unfinished block";
