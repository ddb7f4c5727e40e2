//! Calls, and the operands of instructions.

use super::flow::MAX_CONSTANT_ACCESSES;
use super::guarded::Guarded;
use super::{Active, Calls, Frame, Result, Sym, Unroller, Unsupported};
use crate::bounded::{BoundHit, Call, Wrong};
use crate::guard::Guard;
use execution::finding::FindingKind;
use execution::ids::Id;
use ir::op::{Callee, Operand};
use ir::points_to;
use ir::program::{FuncId, Function, LocId, Width};
use ir::value::Value;

/// Recursion that nothing decides goes at most so deep, and makes at most this many calls.
const MAX_CONSTANT_DEPTH: usize = 250;
const MAX_CONSTANT_CALLS: usize = 10_000;

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

    /// The functions that may be called, each with the paths on which it is; that it is one that
    /// can be, because `mismatch` says nothing against it, is checked.
    pub(super) fn callees(
        &mut self,
        frame: &Frame,
        guard: Guard,
        callee: &Callee,
        mismatch: &dyn Fn(&Function) -> Option<String>,
        place: Option<LocId>,
    ) -> Result<Vec<(Guard, FuncId)>> {
        let operand = match callee {
            Callee::Direct(function) => return Ok(vec![(guard, *function)]),
            Callee::Indirect(operand) => operand,
        };
        let address = self.decide(frame, guard, operand, "the address of a function", place)?;
        let known = self.alternatives(address.term);
        let pointers: Vec<FuncId> = match known {
            Some(values) => {
                let regions = values.iter().filter_map(|value| value.provenance);
                regions.filter_map(|region| self.function_of(region)).collect()
            }
            // What is read from memory may be any function whose address may come there.
            None => {
                self.out.calls_any = true;
                match self.options.calls {
                    Calls::Reported => return Ok(Vec::new()),
                    Calls::Any | Calls::NeverWritten(_) => self.pointed_to(frame, operand),
                }
            }
        };
        let mut found = Vec::new();
        let mut rest = guard;
        for function in pointers {
            let pointer = self.function(function);
            let equal = self.out.terms.equals(address.term, pointer);
            let here = self.out.terms.guards.and(rest, equal);
            if here == Guard::FALSE {
                continue;
            }
            let other = self.out.terms.guards.not(equal);
            rest = self.out.terms.guards.and(rest, other);
            if let Some(why) = mismatch(&self.program.functions[function]) {
                self.check(frame, here, Wrong::Always, FindingKind::BadCall(why), place);
                continue;
            }
            found.push((here, function));
        }
        if rest != Guard::FALSE {
            self.check(frame, rest, Wrong::Always, FindingKind::CallOfNonFunction, place);
        }
        Ok(found)
    }

    /// The functions that an operand may point to, by the text of the program.
    fn pointed_to(&self, frame: &Frame, operand: &Operand) -> Vec<FuncId> {
        let Operand::Reg(reg) = operand else { return Vec::new() };
        let called = self.by_text.called.get_or_init(|| points_to::called(self.program));
        called.get(&(frame.function, *reg)).cloned().unwrap_or_default()
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
        let depth = self.running.active.iter().filter(|a| a.function == function).count();
        if depth > 0 && self.is_restricted(guard) && self.update_somewhere(vec![function]) {
            self.assume_never(frame, guard, place, None);
            return Ok((Guard::FALSE, None));
        }
        let key = [self.running.thread.index() as u32, 2, function.index() as u32];
        let bound = self.options.bounds.get(&key[..]).copied();
        let bound = bound.unwrap_or(self.options.default_bound);
        let active = self.active(function, guard);
        let (actions, calls) = active.before;
        let many = self.out.actions.len() - actions > MAX_CONSTANT_ACCESSES
            || self.out.calls.len() - calls > MAX_CONSTANT_CALLS;
        let endless = depth > MAX_CONSTANT_DEPTH || many && depth as u32 > bound;
        if active.decided > bound || endless {
            let moment = self.moment(guard);
            let section = self.section_of(guard);
            self.out.bounds.push(BoundHit {
                moment,
                key: key[..].into(),
                last: (active.decided <= bound).then_some(depth as u32),
                size: None,
                origin: frame.origin(place),
                unseen: None,
                section,
                counted: false,
                counting: false,
                stores: None,
            });
            return Ok((Guard::FALSE, None));
        }
        let calls = frame.calls.iter().copied().chain([(function, place)]).collect();
        let mut callee = self.frame(guard, function, args, calls, frame.context.clone())?;
        callee.pending[self.program.functions[function].entry()] = guard;
        let outer = self.enter_call(&callee, guard);
        let arm = self.enter_arm(frame);
        self.blocks(&mut callee, None).map_err(|problem| self.told_by_caller(problem, place))?;
        self.leave_arm(arm);
        self.running.active.pop();
        self.running.stack.truncate(outer);
        let result = match &callee.result {
            Some(result) if callee.returned != Guard::FALSE => {
                Some(result.read(&mut self.out.terms, callee.returned))
            }
            _ => None,
        };
        Ok((callee.returned, result))
    }

    /// What is not supported in an embedded header is told where the user calls it.
    fn told_by_caller(&self, problem: Unsupported, caller: Option<LocId>) -> Unsupported {
        let is_library = |place: LocId| self.program.places[place].location.is_library();
        let embedded = problem.place.is_some_and(is_library);
        let place = if embedded { caller.or(problem.place) } else { problem.place };
        Unsupported { place, ..problem }
    }

    /// What is known of a call that is about to run.
    fn active(&self, function: FuncId, guard: Guard) -> Active {
        let around = self.running.active.iter().rfind(|active| active.function == function);
        let (decided, before) = match around {
            Some(around) => (around.decided + u32::from(around.guard != guard), around.before),
            None => (0, (self.out.actions.len(), self.out.calls.len())),
        };
        Active { function, guard, decided, before }
    }

    /// A call begins to run; gives how many stack objects there are around it.
    pub(super) fn enter_call(&mut self, frame: &Frame, guard: Guard) -> usize {
        let outer = self.running.stack.len();
        let active = self.active(frame.function, guard);
        self.running.active.push(active);
        self.running.stack.extend(frame.slots.iter().filter_map(|slot| slot.provenance));
        outer
    }

    /// A call returns: its stack objects are gone. With `main` the whole program ends, so that
    /// no access can come too late.
    pub(super) fn leave_call(
        &mut self,
        frame: &Frame,
        guard: Guard,
        place: Option<LocId>,
    ) -> Result<()> {
        let is_thread = frame.calls.len() == 1;
        if is_thread && self.running.thread.index() == 0 {
            return Ok(());
        }
        let slots = frame.slots.iter().filter_map(|slot| slot.provenance);
        let mut regions: Vec<_> = slots.collect();
        if is_thread {
            regions.extend(self.thread_locals());
        }
        self.end_objects(frame, guard, &regions, place)
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
