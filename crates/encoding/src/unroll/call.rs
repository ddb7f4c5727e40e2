//! Calls, and the operands of instructions.

use super::guarded::Guarded;
use super::{Frame, Result, Sym, Unroller, unsupported};
use crate::bounded::{BoundHit, Call};
use crate::guard::Guard;
use execution::ids::Id;
use ir::op::{Callee, Operand};
use ir::program::{FuncId, LocId, Width};
use ir::value::Value;

impl Unroller<'_> {
    /// The value of an operand on the paths of `guard`.
    pub(super) fn operand(
        &mut self,
        frame: &Frame,
        guard: Guard,
        operand: &Operand,
        place: Option<LocId>,
    ) -> Result<Sym> {
        let value = match *operand {
            Operand::Reg(reg) => {
                return Ok(frame.regs[reg.index()].read(&mut self.out.terms, guard));
            }
            Operand::Int { width, bits } => Value::int(width, bits),
            Operand::Undef(width) => Value::undef(width),
            Operand::Global(global, offset) => self.global(global, place)?.offset(offset),
            Operand::Slot(slot, offset) => frame.slots[slot.index()].offset(offset),
            Operand::Function(function) => self.function(function),
        };
        Ok(self.constant(value).into())
    }

    /// The function that is called.
    pub(super) fn callee(
        &mut self,
        frame: &Frame,
        guard: Guard,
        callee: &Callee,
        place: Option<LocId>,
    ) -> Result<FuncId> {
        let operand = match callee {
            Callee::Direct(function) => return Ok(*function),
            Callee::Indirect(operand) => operand,
        };
        let address = self.decide(frame, guard, operand, "the address of a function", place)?;
        let known = self.out.terms.constant(address.term).and_then(|value| value.provenance);
        let function = known.and_then(|region| self.function_of(region));
        match function {
            Some(function) => Ok(function),
            None => unsupported(place, "a call through a pointer that is not a constant"),
        }
    }

    /// Executes a call; gives the guard of the paths that come back, and the result.
    pub(super) fn call(
        &mut self,
        frame: &Frame,
        guard: Guard,
        function: FuncId,
        args: Vec<Sym>,
        place: Option<LocId>,
    ) -> Result<(Guard, Option<Sym>)> {
        let depth = self.running.active.iter().filter(|&&active| active == function).count();
        let key = [self.running.thread.index() as u32, 2, function.index() as u32];
        let bound = self.options.bounds.get(&key[..]).copied();
        if depth > 0 && depth as u32 > bound.unwrap_or(self.options.default_bound) {
            let moment = self.moment(guard);
            self.out.bounds.push(BoundHit {
                moment,
                key: key[..].into(),
                origin: frame.origin(place),
            });
            return Ok((Guard::FALSE, None));
        }
        let calls = frame.calls.iter().copied().chain([(function, place)]).collect();
        let mut callee = self.frame(guard, function, args, calls, frame.context.clone())?;
        callee.pending[self.program.functions[function].entry()] = guard;
        self.running.active.push(function);
        self.blocks(&mut callee, None)?;
        self.running.active.pop();
        self.leave(&callee);
        let result = match &callee.result {
            Some(result) if callee.returned != Guard::FALSE => {
                Some(result.read(&mut self.out.terms, callee.returned))
            }
            _ => None,
        };
        Ok((callee.returned, result))
    }

    /// The stack objects of a call that has returned are dead.
    fn leave(&mut self, callee: &Frame) {
        for region in callee.slots.iter().filter_map(|slot| slot.provenance) {
            let freed = self.out.regions[region].freed;
            self.out.regions[region].freed = self.out.terms.guards.or(freed, callee.returned);
        }
    }

    /// A call that is about to be executed.
    pub(super) fn frame(
        &mut self,
        guard: Guard,
        function: FuncId,
        args: Vec<Sym>,
        calls: std::sync::Arc<[(FuncId, Option<LocId>)]>,
        context: Vec<u32>,
    ) -> Result<Frame> {
        let code = &self.program.functions[function];
        let undef = |this: &mut Self, width: Width| Sym::from(this.constant(Value::undef(width)));
        let mut regs = Vec::with_capacity(code.regs.len());
        for reg in code.regs.iter() {
            let undef = undef(self, reg.width);
            regs.push(Guarded::new(undef));
        }
        for (&param, arg) in code.params.iter().zip(args) {
            regs[param.index()] = Guarded::new(arg);
        }
        let mut slots = Vec::with_capacity(code.slots.len());
        let moment = self.moment(guard);
        let call = self.out.calls.push(Call { moment, function });
        for (number, slot) in code.slots.iter().enumerate() {
            slots.push(self.make_slot(call, number as u32, slot));
        }
        let result = code.result.map(|width| Guarded::new(undef(self, width)));
        let pending = code.blocks.iter().map(|_| Guard::FALSE).collect();
        let (block, next) = (code.entry(), 0);
        Ok(Frame {
            function,
            block,
            next,
            regs,
            slots,
            pending,
            result,
            returned: Guard::FALSE,
            calls,
            context,
        })
    }
}
