//! Instructions that ask the world for more than a load, a store or a call: which part of it each of
//! them asks, and those that check, observe, or begin and end something.

use super::memory::{Fault, Memory};
use super::shown::Costly;
use super::taint::Taint;
use super::thread::{Code, Progress, Thread};
use crate::native::NativeFunction;
use crate::op::{Claim, Inst, Op, Operand};
use crate::program::{LocId, Reg};
use crate::value::Value;

impl<T: Taint> Thread<T> {
    /// Executes an instruction that asks the world for more than a load, a store or a call. It is kept
    /// out of the loop that executes the others, so that this one stays small.
    pub(super) fn execute_effect<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        inst: &Inst,
    ) -> Result<Progress, M::Stop> {
        let place = inst.place;
        match &inst.op {
            Op::StoreExclusive { .. } | Op::Rmw { .. } | Op::Cas { .. } | Op::Mcas { .. } => {
                self.update(code, memory, inst)?;
            }
            Op::Fence(fence) => memory.fence(self.site(code, place), fence, &self.control)?,
            Op::AtomicBegin if self.sections > 0 => {
                self.sections += 1;
                return Ok(Progress::Local);
            }
            Op::AtomicBegin => {
                memory.atomic_begin(self.site(code, place))?;
                self.sections = 1;
            }
            Op::AtomicEnd => match self.sections {
                0 => {
                    return Err(
                        memory.fault(self.site(code, place), Fault::UnbalancedAtomicSection)
                    );
                }
                1 => {
                    memory.atomic_end(self.site(code, place))?;
                    self.sections = 0;
                }
                _ => {
                    self.sections -= 1;
                    return Ok(Progress::Local);
                }
            },
            Op::Enter { slot } => {
                let slot = self.value(code, memory, place, &Operand::Slot(*slot, 0))?;
                memory.enter(self.site(code, place), slot)?;
                return Ok(Progress::Local);
            }
            Op::Alloc { .. } | Op::Free { .. } | Op::BlockSize { .. } => {
                self.manage(code, memory, inst)?;
            }
            Op::Spawn { .. }
            | Op::Join { .. }
            | Op::Detach { .. }
            | Op::Self_ { .. }
            | Op::Yield => {
                return self.threads(code, memory, inst);
            }
            Op::Assert { cond, claim, message } => {
                let index = self.frames.last().map_or(0, |frame| frame.next);
                memory.asserts(self.site(code, place), index);
                let cond =
                    self.defined(code, memory, place, cond, "the condition of an assertion")?;
                if cond.bits == 0 {
                    let fault = Fault::ClaimFailed(*claim, message.clone());
                    return Err(memory.fault(self.site(code, place), fault));
                }
                return Ok(Progress::Local);
            }
            Op::Bound { index, length } => {
                // An undefined one is found where it is used as an address.
                let index = self.value(code, memory, place, index)?;
                if index.is_defined() && index.bits >= u128::from(*length) {
                    return Err(memory.fault(self.site(code, place), Fault::Index(*length)));
                }
                return Ok(Progress::Local);
            }
            Op::Assume { cond, waits } => {
                self.assume(code, memory, inst.place, cond, *waits)?;
                return Ok(Progress::Local);
            }
            Op::Choose { dst, from } => {
                self.choose(code, memory, inst.place, *dst, from)?;
                return Ok(Progress::Local);
            }
            Op::Observe { label, value } => {
                let value = self.defined(code, memory, place, value, "an observed value")?;
                memory.observe(self.site(code, place), label, value)?;
            }
            Op::Commit { label } => memory.commit(self.site(code, place), label)?,
            Op::OperationBegin { name, args } => {
                let what = "an argument of an operation";
                let args = self.all_defined(code, memory, place, args, what)?;
                memory.operation_begin(self.site(code, place), name, &args)?;
            }
            Op::OperationEnd { result } => {
                let what = "the result of an operation";
                let result = match result {
                    Some(operand) => Some(self.defined(code, memory, place, operand, what)?),
                    None => None,
                };
                memory.operation_end(self.site(code, place), result)?;
            }
            Op::Native { dst, function, args } => {
                self.call_native(code, memory, place, (*dst, function, args))?;
                return Ok(Progress::Local);
            }
            Op::Print { dst, target, pieces } => {
                let count = self.print(code, memory, place, target, pieces)?;
                if let Some(dst) = *dst {
                    let width = self.width(code, dst);
                    self.set(dst, Value::int(width, count.into()), T::default());
                }
            }
            op => unreachable!("{op:?} is executed elsewhere"),
        }
        Ok(Progress::Visible)
    }

    /// Calls a function of a shared library; nothing is known of a program in which that fails.
    fn call_native<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        (dst, function, args): (Reg, &NativeFunction, &[Operand]),
    ) -> Result<(), M::Stop> {
        let what = "an argument of a native function";
        let values = self.all_defined(code, memory, place, args, what)?;
        if memory.watches_arithmetic() {
            memory.computes(self.site(code, place), Costly::Native(function), &values);
        }
        let result = code.program.natives.call(function, &values).map_err(|text| {
            memory.fault(self.site(code, place), Fault::ClaimFailed(Claim::Supported, text))
        })?;
        let mut taint = T::default();
        args.iter().for_each(|arg| taint.join(&self.taint(arg)));
        self.set(dst, result, taint);
        Ok(())
    }

    /// The values of operands that must all be defined.
    pub(super) fn all_defined<M: Memory<T>>(
        &self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        operands: &[Operand],
        what: &'static str,
    ) -> Result<Vec<Value>, M::Stop> {
        operands.iter().map(|operand| self.defined(code, memory, place, operand, what)).collect()
    }
}
