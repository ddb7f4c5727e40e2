//! Calls, returns and the ends of blocks.

use super::frame::Frame;
use super::memory::{Fault, Memory};
use super::taint::Taint;
use super::thread::{Code, Ending, Progress, Thread};
use crate::op::{Callee, Operand, Terminator};
use crate::program::{Block, BlockId, FuncId, Function, LocId, Reg, Width};
use crate::value::Value;
use execution::ids::Id;

impl<T: Taint> Thread<T> {
    /// Executes the end of a block.
    pub(super) fn terminate<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        block: &Block,
    ) -> Result<Progress, M::Stop> {
        let progress = match &block.terminator {
            Terminator::Jump(target) => {
                self.jump(*target);
                Progress::Local
            }
            Terminator::Branch { cond, then, otherwise } => {
                let what = "the condition of a branch";
                let value = self.decide(code, memory, block.place, cond, what)?;
                memory.goes(self.site(code, block.place), usize::from(value.bits == 0));
                self.jump(if value.bits != 0 { *then } else { *otherwise });
                Progress::Local
            }
            Terminator::Switch { value, cases, default } => {
                let what = "the value of a `switch`";
                let value = self.decide(code, memory, block.place, value, what)?;
                let case = cases.iter().position(|c| (c.low..=c.high).contains(&value.bits));
                memory.goes(self.site(code, block.place), case.unwrap_or(cases.len()));
                self.jump(case.map_or(*default, |case| cases[case].target));
                Progress::Local
            }
            Terminator::Return(result) => {
                let result = self.result(code, memory, block.place, result)?;
                self.leave_call(code, memory, block.place, result)?
            }
            Terminator::ThreadExit(result) => {
                let result = self.result(code, memory, block.place, result)?;
                let value = result.map(|(value, _)| value);
                self.leave_thread(code, memory, block.place, value)?;
                self.end(Ending::ThreadExit(value))
            }
            Terminator::Exit(status) => {
                let status = self.defined(code, memory, block.place, status, "the exit status")?;
                self.end(Ending::Exit(status))
            }
            Terminator::Trap(message) => {
                let site = self.site(code, block.place);
                return Err(memory.fault(site, Fault::Trap(message.clone())));
            }
        };
        self.executed += 1;
        Ok(progress)
    }

    fn end(&mut self, ending: Ending) -> Progress {
        self.ending = Some(ending);
        Progress::Ended
    }

    fn jump(&mut self, target: BlockId) {
        let frame = self.frames.last_mut().expect("a running thread is in a call");
        frame.block = target;
        frame.next = 0;
    }

    /// A value that decides where to go: it must be defined, and what follows depends on it.
    fn decide<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        operand: &Operand,
        what: &'static str,
    ) -> Result<Value, M::Stop> {
        let value = self.defined(code, memory, place, operand, what)?;
        let taint = self.taint(operand);
        memory.branch(self.site(code, place), &taint)?;
        self.control.join(&taint);
        Ok(value)
    }

    /// The value of an operand, which must be defined.
    #[inline(always)]
    pub(super) fn defined<M: Memory<T>>(
        &self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        operand: &Operand,
        what: &'static str,
    ) -> Result<Value, M::Stop> {
        let value = self.value(code, memory, place, operand)?;
        if !value.is_defined() {
            let origin = self.taint(operand);
            return Err(memory.undefined(self.site(code, place), what, &origin));
        }
        Ok(value)
    }

    fn result<M: Memory<T>>(
        &self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        result: &Option<Operand>,
    ) -> Result<Option<(Value, T)>, M::Stop> {
        let Some(operand) = result else { return Ok(None) };
        let value = self.value(code, memory, place, operand)?;
        Ok(Some((value, self.taint(operand))))
    }

    fn leave_call<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        result: Option<(Value, T)>,
    ) -> Result<Progress, M::Stop> {
        if self.frames.len() == 1 {
            let value = result.map(|(value, _)| value);
            self.leave_thread(code, memory, place, value)?;
            return Ok(self.end(Ending::Returned(value)));
        }
        let frame = *self.frames.last().expect("there are several");
        let slots = frame.slots as usize;
        if slots < self.slots.len() {
            let value = result.as_ref().map(|(value, _)| *value);
            memory.leave(self.site(code, place), &self.slots[slots..], value)?;
        }
        memory.returns(self.site(code, place));
        self.slots.truncate(slots);
        self.values.truncate(frame.regs as usize);
        self.taints.truncate(frame.regs as usize);
        self.frames.pop();
        if let (Some(reg), Some((value, taint))) = (frame.result, result) {
            self.set(reg, value, taint);
        }
        Ok(Progress::Local)
    }

    fn leave_thread<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        result: Option<Value>,
    ) -> Result<(), M::Stop> {
        let site = self.site(code, place);
        if self.sections > 0 {
            return Err(memory.fault(site, Fault::UnbalancedAtomicSection));
        }
        memory.leave_thread(site, &self.slots, result)
    }

    /// Calls a function; the frame of the caller has been moved past the call when it succeeds.
    pub(super) fn call<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        (dst, callee, args): (Option<Reg>, &Callee, &[Operand]),
    ) -> Result<(), M::Stop> {
        let function = self.callee(code, memory, place, callee, args, dst)?;
        let site = self.site(code, place);
        if self.frames.len() >= code.max_depth {
            return Err(memory.fault(site, Fault::StackOverflow));
        }
        let base = self.values.len();
        let slots = self.slots.len();
        let mut passed: [Option<(Value, T)>; 6] = Default::default();
        let few = args.len() <= passed.len();
        let mut many = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let value = self.value(code, memory, place, arg)?;
            let taint = self.taint(arg);
            if few {
                passed[i] = Some((value, taint));
            } else {
                many.push((value, taint));
            }
        }
        self.make_slots(code, memory, function, place)?;
        self.push_registers(code, function);
        let callee = &code.program.functions[function];
        let given = passed.into_iter().flatten().chain(many);
        for (&param, (value, taint)) in callee.params.iter().zip(given) {
            self.values[base + param.index()] = value;
            self.taints[base + param.index()] = taint;
        }
        self.frames.last_mut().expect("the caller").next += 1;
        self.frames.push(Frame {
            function,
            block: callee.entry(),
            next: 0,
            regs: base as u32,
            slots: slots as u32,
            result: dst,
        });
        Ok(())
    }

    /// Makes the stack objects of a call of `function`; none if one cannot be made.
    pub(super) fn make_slots<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        function: FuncId,
        place: Option<LocId>,
    ) -> Result<(), M::Stop> {
        let before = self.slots.len();
        let depth = self.frames.len() as u32;
        for slot in code.program.functions[function].slots.ids() {
            match memory.slot(self.site(code, place), function, slot, depth) {
                Ok(address) => self.slots.push(address),
                Err(stop) => {
                    self.slots.truncate(before);
                    return Err(stop);
                }
            }
        }
        Ok(())
    }

    /// The function that is called, which must take these arguments.
    pub(super) fn callee<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        callee: &Callee,
        args: &[Operand],
        dst: Option<Reg>,
    ) -> Result<FuncId, M::Stop> {
        let function = self.function_of(code, memory, place, callee)?;
        if let Callee::Indirect(_) = callee {
            self.check_call(code, memory, place, function, args, dst)?;
        }
        Ok(function)
    }

    /// The function that is called, whatever it takes.
    pub(super) fn function_of<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        callee: &Callee,
    ) -> Result<FuncId, M::Stop> {
        let operand = match callee {
            Callee::Direct(function) => return Ok(*function),
            Callee::Indirect(operand) => operand,
        };
        let address = self.decide(code, memory, place, operand, "the address of a function")?;
        memory.function_at(self.site(code, place), address)
    }

    /// Checks that a function takes these arguments and has this result.
    pub(super) fn check_call<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        function: FuncId,
        args: &[Operand],
        dst: Option<Reg>,
    ) -> Result<(), M::Stop> {
        let frame = self.frames.last().expect("the caller");
        let caller = &code.program.functions[frame.function];
        let called = &code.program.functions[function];
        let mut given = Vec::with_capacity(args.len());
        for arg in args {
            given.push(self.value(code, memory, place, arg)?.width);
        }
        match mismatch(called, &given, dst.map(|reg| caller.regs[reg].width)) {
            Some(message) => Err(memory.fault(self.site(code, place), Fault::BadCall(message))),
            None => Ok(()),
        }
    }
}

/// Why a function cannot be called with arguments of these widths for a result of this width.
pub fn mismatch(called: &Function, given: &[Width], wanted: Option<Width>) -> Option<String> {
    let name = &called.name;
    let taken: Vec<Width> = called.params.iter().map(|&param| called.regs[param].width).collect();
    if taken.len() != given.len() {
        let (takes, has) = (arguments(taken.len()), arguments(given.len()));
        return Some(format!("`{name}` takes {takes}, but is called with {has}"));
    }
    let differs = taken.iter().zip(given).position(|(taken, given)| taken != given);
    if let Some(i) = differs {
        let (takes, has) = (taken[i].bits(), given[i].bits());
        let nth = i + 1;
        return Some(format!(
            "argument {nth} of `{name}` has {takes} bits, but the call passes {has}"
        ));
    }
    let wanted = wanted?.bits();
    match called.result {
        None => Some(format!("`{name}` has no result, but the call uses one")),
        Some(result) if result.bits() != wanted => Some(format!(
            "the result of `{name}` has {} bits, but the call expects {wanted}",
            result.bits()
        )),
        Some(_) => None,
    }
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".into(),
        1 => "1 argument".into(),
        n => format!("{n} arguments"),
    }
}
