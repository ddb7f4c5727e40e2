//! Rules about functions, blocks and instructions.

use super::{Checker, Part};
use crate::cfg::{LoopForest, reverse_postorder};
use crate::locks::LockView;
use crate::native::NativeFunction;
use crate::op::{
    Access, BinaryOp, Callee, CastOp, Choice, Conversion, FloatCast, Inst, Op, Operand,
    PrintFormat, PrintPiece, PrintTarget, SwitchCase, Terminator, UnaryOp,
};
use crate::order::{Directions, Fence, Order};
use crate::program::{BlockId, FuncId, Function, LocId, Reg, Width};
use execution::ids::Id;
use std::collections::HashSet;

impl<'p> Checker<'p> {
    pub(super) fn functions(&mut self) {
        let mut names = HashSet::new();
        for (id, function) in self.program.functions.enumerate() {
            if !names.insert(&function.name) {
                let message = format!("there are two functions called `{}`", function.name);
                self.broken(3, Part::Function(id), message);
            }
            self.function(id, function);
        }
    }

    fn function(&mut self, id: FuncId, function: &'p Function) {
        let part = Part::Function(id);
        self.place_exists(function.place, part);
        let mut params = HashSet::new();
        for &param in &function.params {
            if function.regs.get(param).is_none() {
                self.broken(1, part, format!("there is no register {}", param.index()));
            }
            self.require(params.insert(param), 4, part, "two parameters are the same register");
        }
        let known = function.lock_view == LockView::Exact || self.is_library(function.place);
        self.require(known, 22, part, "only the library says what it makes of the words of locks");
        for slot in &function.slots {
            self.extent("a stack object", slot.size, slot.align, part);
            self.layout_exists(slot.layout, part);
            self.place_exists(slot.place, part);
        }
        let before = self.violations.len();
        for (block, contents) in function.blocks.enumerate() {
            for (index, inst) in contents.insts.iter().enumerate() {
                InstChecker::new(self, id, block, index, inst.place).inst(inst);
            }
            let index = contents.insts.len();
            let mut inst = InstChecker::new(self, id, block, index, contents.place);
            inst.terminator(&contents.terminator);
        }
        let ids_exist = self.violations[before..].iter().all(|violation| violation.rule.0 != 1);
        if ids_exist {
            self.flow(id, function);
        }
    }

    fn flow(&mut self, id: FuncId, function: &Function) {
        let part = Part::Function(id);
        if function.blocks.is_empty() {
            return self.broken(2, part, "this function has no block");
        }
        let reached: HashSet<BlockId> = reverse_postorder(function).into_iter().collect();
        for block in function.blocks.ids().filter(|block| !reached.contains(block)) {
            self.broken(2, Part::Inst(id, block, 0), format!("{block} cannot be reached"));
        }
        if let Err(irreducible) = LoopForest::new(function) {
            let (from, to) = irreducible.edge;
            let entries = irreducible.entries.iter();
            let entries: Vec<String> =
                entries.map(|((from, to), _)| format!("from {from} to {to}")).collect();
            let message = format!(
                "the jump from {from} to {to} closes a cycle that is entered {}",
                entries.join(" and ")
            );
            let last = function.blocks[from].insts.len();
            self.broken(21, Part::Inst(id, from, last), message);
        }
    }
}

/// An instruction under scrutiny.
struct InstChecker<'c, 'p> {
    checker: &'c mut Checker<'p>,
    function: &'p Function,
    part: Part,
    place: Option<LocId>,
}

impl<'c, 'p> InstChecker<'c, 'p> {
    fn new(
        checker: &'c mut Checker<'p>,
        id: FuncId,
        block: BlockId,
        index: usize,
        place: Option<LocId>,
    ) -> Self {
        let part = Part::Inst(id, block, index);
        checker.place_exists(place, part);
        let function = &checker.program.functions[id];
        Self { checker, function, part, place }
    }

    fn broken(&mut self, rule: u8, message: impl Into<String>) {
        self.checker.broken(rule, self.part, message);
    }

    fn require(&mut self, holds: bool, rule: u8, message: &str) {
        self.checker.require(holds, rule, self.part, message);
    }

    /// The width of an operand that exists.
    fn width(&self, operand: &Operand) -> Width {
        self.function.operand_width(operand).unwrap_or(Width::PTR)
    }

    fn reg(&self, reg: Reg) -> Width {
        self.width(&Operand::Reg(reg))
    }

    /// Checks that an operand has a width.
    fn has(&mut self, rule: u8, what: &str, found: Width, wanted: Width) {
        if found != wanted {
            self.broken(rule, format!("{what} is {found}, not {wanted}"));
        }
    }

    fn operand_has(&mut self, rule: u8, what: &str, operand: &Operand, wanted: Width) {
        self.has(rule, what, self.width(operand), wanted);
    }

    fn inst(&mut self, inst: &Inst) {
        let op = &inst.op;
        if !self.ids_exist(&op.operands(), &op.results(), op) {
            return;
        }
        match op {
            Op::Copy { .. }
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Cast { .. }
            | Op::Select { .. } => self.pure(op),
            Op::Load { .. }
            | Op::Store { .. }
            | Op::StoreExclusive { .. }
            | Op::Rmw { .. }
            | Op::Cas { .. }
            | Op::Mcas { .. } => self.memory(op),
            Op::Fence(fence) => self.fence(fence),
            Op::Alloc { .. } | Op::Free { .. } | Op::BlockSize { .. } => self.heap(op),
            Op::Spawn { dst, callee, args } => {
                self.has(15, "the handle", self.reg(*dst), Width::I64);
                self.call(None, callee, args);
            }
            Op::Join { thread, .. } | Op::Detach { thread } => {
                self.operand_has(15, "the handle", thread, Width::I64)
            }
            Op::Self_ { dst } => self.has(15, "the handle", self.reg(*dst), Width::I64),
            Op::Assert { cond, .. } | Op::Assume { cond, .. } => self.condition(cond),
            Op::Bound { index, .. } => self.operand_has(12, "the index", index, Width::PTR),
            Op::Choose { dst, from } => self.choose(*dst, from),
            Op::Native { dst, function, args } => self.native(*dst, function, args),
            Op::Call { dst, callee, args } => self.call(*dst, callee, args),
            Op::Print { target, pieces, .. } => self.print(target, pieces),
            Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Enter { .. }
            | Op::Yield
            | Op::Observe { .. }
            | Op::Commit { .. }
            | Op::OperationBegin { .. }
            | Op::OperationEnd { .. } => {}
        }
    }

    /// Checks W1 and that numbers fit their widths.
    fn ids_exist(&mut self, operands: &[&Operand], results: &[Reg], op: &Op) -> bool {
        let mut exist = self.operands_exist(operands);
        for &reg in results {
            exist &= self.exists(self.function.regs.get(reg).is_some(), "register", reg.index());
        }
        match op {
            Op::Enter { slot } => {
                let found = self.function.slots.get(*slot).is_some();
                exist &= self.exists(found, "stack object", slot.index());
            }
            Op::Alloc { layout, .. } => exist &= self.checker.layout_exists(*layout, self.part),
            Op::Call { callee: Callee::Direct(callee), .. }
            | Op::Spawn { callee: Callee::Direct(callee), .. } => {
                let found = self.checker.program.functions.get(*callee).is_some();
                exist &= self.exists(found, "function", callee.index());
            }
            _ => {}
        }
        exist
    }

    fn operands_exist(&mut self, operands: &[&Operand]) -> bool {
        let mut exist = true;
        let program = self.checker.program;
        for operand in operands {
            exist &= match **operand {
                Operand::Reg(reg) => {
                    self.exists(self.function.regs.get(reg).is_some(), "register", reg.index())
                }
                Operand::Slot(slot, _) => {
                    let found = self.function.slots.get(slot).is_some();
                    self.exists(found, "stack object", slot.index())
                }
                Operand::Global(id, _) => {
                    self.exists(program.globals.get(id).is_some(), "global", id.index())
                }
                Operand::Function(id) => {
                    self.exists(program.functions.get(id).is_some(), "function", id.index())
                }
                Operand::Int { width, bits } => {
                    self.require(bits <= width.mask(), 10, "a number does not fit its width");
                    true
                }
                Operand::Undef(_) => true,
            };
        }
        exist
    }

    fn exists(&mut self, found: bool, what: &str, index: usize) -> bool {
        if !found {
            self.broken(1, format!("there is no {what} {index}"));
        }
        found
    }

    fn condition(&mut self, cond: &Operand) {
        self.operand_has(11, "the condition", cond, Width::BOOL);
    }

    fn pure(&mut self, op: &Op) {
        match op {
            Op::Copy { dst, src } => self.operand_has(10, "the operand", src, self.reg(*dst)),
            Op::Unary { dst, op, a, .. } => {
                self.operand_has(10, "the operand", a, self.reg(*dst));
                let whole = *op != UnaryOp::ByteSwap || self.width(a).bits().is_multiple_of(8);
                self.require(whole, 10, "only whole bytes can be swapped");
                if let UnaryOp::Float(_) = op {
                    self.float(a);
                }
            }
            Op::Binary { dst, op, a, b, .. } => {
                self.operand_has(10, "the second operand", b, self.width(a));
                self.has(10, "the result", self.reg(*dst), self.result_width(*op, a));
                if let BinaryOp::Float(_) = op {
                    self.float(a);
                }
            }
            Op::Cast { dst, op, a } => {
                let (from, to) = (self.width(a), self.reg(*dst));
                let holds = match op {
                    CastOp::ZeroExtend | CastOp::SignExtend => from <= to,
                    CastOp::Truncate => from >= to,
                    CastOp::Float(op) => return self.float_cast(*op, a, &Operand::Reg(*dst)),
                };
                self.require(holds, 10, "this cast changes the width in the other direction");
            }
            Op::Select { dst, cond, a, b } => {
                self.condition(cond);
                self.operand_has(10, "the first alternative", a, self.reg(*dst));
                self.operand_has(10, "the second alternative", b, self.reg(*dst));
            }
            _ => {}
        }
    }

    /// Checks that an operand may be a floating-point number.
    fn float(&mut self, operand: &Operand) {
        let fits = [Width::I32, Width::I64].contains(&self.width(operand));
        self.require(fits, 10, "a floating-point number has 32 or 64 bits");
    }

    fn float_cast(&mut self, op: FloatCast, from: &Operand, to: &Operand) {
        if !matches!(op, FloatCast::FromSigned | FloatCast::FromUnsigned) {
            self.float(from);
        }
        if !matches!(op, FloatCast::ToSigned | FloatCast::ToUnsigned) {
            self.float(to);
        }
    }

    fn result_width(&self, op: BinaryOp, a: &Operand) -> Width {
        if op.is_comparison() { Width::BOOL } else { self.width(a) }
    }

    fn memory(&mut self, op: &Op) {
        for access in op.accesses() {
            self.operand_has(12, "the address", &access.address, Width::PTR);
            let whole = access.width.bits().is_multiple_of(8);
            self.require(whole, 12, "the access does not cover whole bytes");
            let known = !access.purpose.is_lock_word() || self.checker.is_library(self.place);
            self.require(known, 22, "only the library accesses the word of a lock as such");
            let aligned = access.align.is_power_of_two();
            self.require(aligned, 12, "the alignment of the access is not a power of two");
        }
        match op {
            Op::Load { dst, access, exclusive } => {
                self.has(12, "the register", self.reg(*dst), access.width);
                let fits = *exclusive || access.order != Order::Release;
                self.require(fits, 13, "a load cannot be just release");
            }
            Op::Store { access, value } => {
                self.operand_has(12, "the value", value, access.width);
                let acquire =
                    matches!(access.order, Order::Consume | Order::Acquire | Order::AcquirePc);
                self.require(!acquire, 13, "a store cannot be just consume or acquire");
            }
            Op::StoreExclusive { access, value, .. } => {
                self.operand_has(12, "the value", value, access.width);
            }
            Op::Rmw { dst, access, value, .. } => {
                self.operand_has(12, "the operand", value, access.width);
                self.old_value(*dst, access);
            }
            Op::Cas { dst, success, access, expected, desired, failure, .. } => {
                self.operand_has(12, "the expected value", expected, access.width);
                self.operand_has(12, "the new value", desired, access.width);
                self.old_value(*dst, access);
                self.success(*success);
                let release = matches!(failure, Order::Release | Order::AcqRel);
                self.require(!release, 13, "a failed compare-and-swap has no release order");
            }
            Op::Mcas { success, words } => {
                for word in words {
                    let width = word.access.width;
                    self.operand_has(12, "the expected value", &word.expected, width);
                    self.operand_has(12, "the new value", &word.desired, width);
                }
                self.success(*success);
                self.require(!words.is_empty(), 12, "a compare-and-swap of no words");
            }
            _ => {}
        }
    }

    fn old_value(&mut self, dst: Option<Reg>, access: &Access) {
        if let Some(dst) = dst {
            self.has(12, "the register of the old value", self.reg(dst), access.width);
        }
    }

    fn success(&mut self, flag: Option<Reg>) {
        if let Some(flag) = flag {
            self.has(12, "the success flag", self.reg(flag), Width::BOOL);
        }
    }

    fn fence(&mut self, fence: &Fence) {
        match fence {
            Fence::Directed(directions) => {
                let some = *directions != Directions::default();
                self.require(some, 14, "this fence orders nothing");
            }
            Fence::C11(order) => {
                let sensible = order.is_atomic() && *order != Order::AcquirePc;
                self.require(sensible, 14, "a C11 fence cannot have this order");
            }
            Fence::Named(name) => self.require(!name.is_empty(), 14, "this fence has no name"),
            Fence::Compiler => {}
        }
    }

    fn heap(&mut self, op: &Op) {
        match op {
            Op::Alloc { dst, size, align, .. } => {
                self.has(19, "the address", self.reg(*dst), Width::PTR);
                self.operand_has(19, "the size", size, Width::I64);
                self.operand_has(19, "the alignment", align, Width::I64);
                if let Operand::Int { bits, .. } = align {
                    let power = bits.is_power_of_two();
                    self.require(power, 19, "the alignment is not a power of two");
                }
            }
            Op::Free { address } => self.operand_has(19, "the address", address, Width::PTR),
            Op::BlockSize { dst, address } => {
                self.operand_has(19, "the address", address, Width::PTR);
                self.has(19, "the size", self.reg(*dst), Width::I64);
            }
            _ => {}
        }
    }

    fn native(&mut self, dst: Reg, function: &NativeFunction, args: &[Operand]) {
        self.has(15, "the result", self.reg(dst), function.result.width());
        let (given, taken) = (args.len(), function.parameters.len());
        if given != taken {
            let name = &function.name;
            return self.broken(15, format!("`{name}` takes {taken} arguments, not {given}"));
        }
        for (arg, scalar) in args.iter().zip(&function.parameters) {
            self.operand_has(15, "an argument", arg, scalar.width());
        }
    }

    fn call(&mut self, dst: Option<Reg>, callee: &Callee, args: &[Operand]) {
        let callee = match callee {
            Callee::Direct(callee) => &self.checker.program.functions[*callee],
            Callee::Indirect(address) => {
                return self.operand_has(15, "the function's address", address, Width::PTR);
            }
        };
        if args.len() != callee.params.len() {
            let (given, taken) = (args.len(), callee.params.len());
            let name = &callee.name;
            return self.broken(15, format!("`{name}` takes {taken} arguments, not {given}"));
        }
        for (i, (arg, &param)) in args.iter().zip(&callee.params).enumerate() {
            if let Some(info) = callee.regs.get(param) {
                self.operand_has(15, &format!("argument {}", i + 1), arg, info.width);
            }
        }
        match (dst, callee.result) {
            (Some(_), None) => self.broken(15, format!("`{}` has no result", callee.name)),
            (Some(dst), Some(result)) => {
                self.has(15, "the register of the result", self.reg(dst), result);
            }
            (None, _) => {}
        }
    }

    fn choose(&mut self, dst: Reg, from: &Choice) {
        let width = self.reg(dst);
        match from {
            Choice::Range(low, high) => {
                self.operand_has(18, "the least value", low, width);
                self.operand_has(18, "the greatest value", high, width);
            }
            Choice::Set(values) => {
                self.require(!values.is_empty(), 18, "there is nothing to choose from");
                for value in values {
                    self.operand_has(18, "an alternative", value, width);
                }
            }
            Choice::Any => {}
        }
    }

    fn print(&mut self, target: &PrintTarget, pieces: &[PrintPiece]) {
        if let PrintTarget::Buffer { address, size } = target {
            self.operand_has(20, "the buffer", address, Width::PTR);
            self.operand_has(20, "the buffer's size", size, Width::I64);
        }
        for piece in pieces {
            let PrintPiece::Value { format, value } = piece else { continue };
            let PrintFormat { conversion, width, precision, .. } = format;
            if matches!(conversion, Conversion::String | Conversion::Pointer) {
                self.operand_has(20, "a printed address", value, Width::PTR);
            }
            if conversion.is_float() {
                self.operand_has(20, "a printed floating-point number", value, Width::I64);
            }
            for operand in width.iter().chain(precision) {
                self.operand_has(20, "a width or precision", operand, Width::I32);
            }
        }
    }

    fn terminator(&mut self, end: &Terminator) {
        let mut exist = self.operands_exist(&end.operands());
        for target in end.successors() {
            let found = self.function.blocks.get(target).is_some();
            exist &= self.exists(found, "block", target.index());
        }
        if !exist {
            return;
        }
        match end {
            Terminator::Branch { cond, .. } => self.condition(cond),
            Terminator::Switch { value, cases, .. } => self.switch(self.width(value), cases),
            Terminator::Return(value) => match (value, self.function.result) {
                (Some(value), Some(width)) => {
                    self.operand_has(16, "the returned value", value, width);
                }
                (None, Some(width)) => self.broken(16, format!("this function returns {width}")),
                (Some(_), None) => self.broken(16, "this function returns nothing"),
                (None, None) => {}
            },
            Terminator::Exit(status) => self.operand_has(16, "the status", status, Width::I32),
            Terminator::Jump(_) | Terminator::ThreadExit(_) | Terminator::Trap(_) => {}
        }
    }

    fn switch(&mut self, width: Width, cases: &[SwitchCase]) {
        let mut sorted: Vec<&SwitchCase> = cases.iter().collect();
        sorted.sort_by_key(|case| case.low);
        for case in &sorted {
            let SwitchCase { low, high, .. } = case;
            if low > high {
                self.broken(17, format!("the case {low}..{high} is empty"));
            }
            if *high > width.mask() {
                self.broken(17, format!("the case {high} does not fit {width}"));
            }
        }
        for pair in sorted.windows(2) {
            if pair[1].low <= pair[0].high {
                self.broken(17, format!("two cases hold {}", pair[1].low));
            }
        }
    }
}
