//! An operation as one function without calls, whose local variables are registers.
//!
//! Every call is replaced by a copy of the function that it calls. What each copy observes goes into
//! a register of its own, and is observed where the operation ends.

use crate::Refused;
use execution::ids::{Id, IdVec};
use ir::locks::LockView;
use ir::op::{Callee, Inst, Op, Operand, Terminator};
use ir::prepare;
use ir::program::{Block, BlockId, FuncId, Function, LocId, Program, Reg, RegInfo, SlotId, Width};
use std::collections::{HashMap, HashSet};

/// An operation without calls.
#[derive(Debug)]
pub struct Whole {
    /// The one function.
    pub function: Function,
    /// For each block, whose code it is.
    pub origins: IdVec<BlockId, Origin>,
    /// Where the operation ends; what it observes is observed there, in this order.
    pub end: BlockId,
    /// The choices of the operation, in order of their places.
    pub choices: Vec<Reg>,
}

/// Where a block comes from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// What its function makes of the words of locks that it reads.
    pub view: LockView,
    /// The user's function.
    pub name: String,
    /// The call of the user's, if it is code of the library.
    pub call: Option<LocId>,
}

/// More blocks than this are too many.
const MOST_BLOCKS: usize = 20_000;

struct Inliner<'p> {
    program: &'p Program,
    whole: Whole,
    observed: Vec<(String, Reg)>,
    active: Vec<FuncId>,
}

/// The operation that a function runs.
pub fn inline(program: &Program, function: FuncId) -> Result<Whole, Refused> {
    let source = &program.functions[function];
    let whole = Whole {
        function: Function {
            name: source.name.clone(),
            params: Vec::new(),
            result: None,
            regs: IdVec::new(),
            slots: IdVec::new(),
            blocks: IdVec::new(),
            lock_view: LockView::default(),
            place: source.place,
        },
        origins: IdVec::new(),
        end: BlockId::new(0),
        choices: Vec::new(),
    };
    let mut inliner = Inliner { program, whole, observed: Vec::new(), active: Vec::new() };
    let first = inliner.block(&Origin::default());
    let end = inliner.block(&Origin::default());
    inliner.whole.end = end;
    let top = Caller { origin: Origin::default(), dst: None, next: end, place: None };
    let entry = inliner.copy(function, &[], &top)?;
    inliner.whole.function.blocks[first].terminator = Terminator::Jump(entry);
    let observed = inliner.observed.iter().map(|(label, reg)| Inst {
        op: Op::Observe { label: label.clone(), value: Operand::Reg(*reg) },
        place: None,
    });
    inliner.whole.function.blocks[end].insts = observed.collect();
    let mut whole = inliner.whole;
    whole.function = promoted(program, whole.function);
    Ok(whole)
}

/// The function with registers in the place of local variables.
fn promoted(program: &Program, function: Function) -> Function {
    let blocks = function.blocks.len();
    let alone = Program {
        functions: [function].into_iter().collect(),
        entry: vec![FuncId::new(0)],
        ..program.clone()
    };
    let mut done = prepare::for_states(alone).functions;
    let function = done.as_mut_slice()[0].clone();
    assert_eq!(function.blocks.len(), blocks, "no pass changes blocks");
    function
}

impl Inliner<'_> {
    fn block(&mut self, origin: &Origin) -> BlockId {
        self.whole.origins.push(origin.clone());
        let terminator = Terminator::Return(None);
        self.whole.function.blocks.push(Block { insts: Vec::new(), terminator, place: None })
    }

    fn reg(&mut self, width: Width, name: Option<String>) -> Reg {
        self.whole.function.regs.push(RegInfo { width, name })
    }

    /// Copies a function, which goes on at `next`; the block where it starts.
    fn copy(
        &mut self,
        function: FuncId,
        args: &[Operand],
        caller: &Caller,
    ) -> Result<BlockId, Refused> {
        let (program, place) = (self.program, caller.place);
        let source = &program.functions[function];
        if self.active.contains(&function) {
            return Err(Refused::at("a function that calls itself", place));
        }
        self.active.push(function);
        let written: HashSet<Reg> =
            source.blocks.iter().flat_map(|b| &b.insts).flat_map(|i| i.op.results()).collect();
        let mut regs: HashMap<Reg, Operand> = HashMap::new();
        let mut copies = Vec::new();
        for (reg, info) in source.regs.enumerate() {
            let param = source.params.iter().position(|param| *param == reg);
            let arg = param.and_then(|at| args.get(at));
            let operand = match arg {
                Some(arg) if !written.contains(&reg) => *arg,
                _ => Operand::Reg(self.reg(info.width, info.name.clone())),
            };
            if let (Some(&src), Operand::Reg(dst), true) = (arg, operand, written.contains(&reg)) {
                copies.push(Inst { op: Op::Copy { dst, src }, place });
            }
            regs.insert(reg, operand);
        }
        let slots: Vec<SlotId> =
            source.slots.iter().map(|slot| self.whole.function.slots.push(slot.clone())).collect();
        let is_library = source.place.is_some_and(|at| program.places[at].location.is_library());
        let view = source.lock_view;
        let origin = match is_library {
            true => Origin {
                view,
                name: caller.origin.name.clone(),
                call: caller.origin.call.or(place),
            },
            false => Origin { view, name: source.name.clone(), call: None },
        };
        let blocks: Vec<BlockId> = source.blocks.iter().map(|_| self.block(&origin)).collect();
        if self.whole.function.blocks.len() > MOST_BLOCKS {
            return Err(Refused::at("an operation with very much code", place));
        }
        let names = Names { regs, slots, blocks, dst: caller.dst, next: caller.next };
        self.whole.function.blocks[names.blocks[0]].insts = copies;
        for (at, block) in source.blocks.enumerate() {
            self.body(block, names.blocks[at.index()], &origin, &names)?;
        }
        self.active.pop();
        Ok(names.blocks[0])
    }

    /// Copies a block of a function.
    fn body(
        &mut self,
        block: &Block,
        mut to: BlockId,
        origin: &Origin,
        names: &Names,
    ) -> Result<(), Refused> {
        for inst in &block.insts {
            let mut op = inst.op.clone();
            names.rename(&mut op);
            match op {
                Op::Call { dst, callee: Callee::Direct(function), args } => {
                    let next = self.block(origin);
                    let caller = Caller { origin: origin.clone(), dst, next, place: inst.place };
                    let start = self.copy(function, &args, &caller)?;
                    self.whole.function.blocks[to].terminator = Terminator::Jump(start);
                    to = next;
                }
                Op::Observe { label, value } => {
                    let width = self.width(&value);
                    let dst = self.reg(width, Some(label.clone()));
                    self.observed.push((label, dst));
                    let op = Op::Copy { dst, src: value };
                    self.push(to, op, inst.place);
                }
                op => {
                    if let Op::Choose { dst, .. } = &op {
                        self.whole.choices.push(*dst);
                    }
                    self.push(to, op, inst.place);
                }
            }
        }
        let terminator = match &block.terminator {
            Terminator::Return(value) => {
                if let (Some(dst), Some(value)) = (names.dst, value) {
                    let src = names.operand(value);
                    self.push(to, Op::Copy { dst, src }, block.place);
                }
                Terminator::Jump(names.next)
            }
            other => {
                let mut other = other.clone();
                for operand in other.operands_mut() {
                    *operand = names.operand(operand);
                }
                other.map_targets(|target| names.blocks[target.index()]);
                other
            }
        };
        let copied = &mut self.whole.function.blocks[to];
        copied.terminator = terminator;
        copied.place = block.place;
        Ok(())
    }

    fn push(&mut self, block: BlockId, op: Op, place: Option<LocId>) {
        self.whole.function.blocks[block].insts.push(Inst { op, place });
    }

    fn width(&self, operand: &Operand) -> Width {
        match operand {
            Operand::Reg(reg) => self.whole.function.regs[*reg].width,
            Operand::Int { width, .. } | Operand::Undef(width) => *width,
            Operand::Global(..) | Operand::Slot(..) | Operand::Function(_) => Width::PTR,
        }
    }
}

/// Who calls a function.
struct Caller {
    origin: Origin,
    /// The register for the result.
    dst: Option<Reg>,
    /// Where it goes on.
    next: BlockId,
    place: Option<LocId>,
}

/// What a copy of a function calls what the function has.
struct Names {
    regs: HashMap<Reg, Operand>,
    slots: Vec<SlotId>,
    blocks: Vec<BlockId>,
    dst: Option<Reg>,
    next: BlockId,
}

impl Names {
    fn operand(&self, operand: &Operand) -> Operand {
        match operand {
            Operand::Reg(reg) => self.regs[reg],
            Operand::Slot(slot, offset) => Operand::Slot(self.slots[slot.index()], *offset),
            other => *other,
        }
    }

    fn rename(&self, op: &mut Op) {
        for operand in op.operands_mut() {
            *operand = self.operand(operand);
        }
        let renamed = |reg: &mut Reg| {
            if let Operand::Reg(new) = self.regs[reg] {
                *reg = new;
            }
        };
        if let Op::Enter { slot } = op {
            *slot = self.slots[slot.index()];
        }
        results_mut(op).into_iter().for_each(renamed);
    }
}

/// The registers that an instruction writes, to be changed.
fn results_mut(op: &mut Op) -> Vec<&mut Reg> {
    match op {
        Op::Copy { dst, .. }
        | Op::Unary { dst, .. }
        | Op::Binary { dst, .. }
        | Op::Cast { dst, .. }
        | Op::Select { dst, .. }
        | Op::Load { dst, .. }
        | Op::StoreExclusive { failed: dst, .. }
        | Op::Alloc { dst, .. }
        | Op::BlockSize { dst, .. }
        | Op::Spawn { dst, .. }
        | Op::Self_ { dst }
        | Op::Choose { dst, .. } => vec![dst],
        Op::Rmw { dst, .. }
        | Op::Mcas { success: dst, .. }
        | Op::Join { dst, .. }
        | Op::Call { dst, .. }
        | Op::Print { dst, .. } => dst.iter_mut().collect(),
        Op::Cas { dst, success, .. } => dst.iter_mut().chain(success).collect(),
        _ => Vec::new(),
    }
}
