//! Starting, awaiting and naming threads.

use super::memory::Memory;
use super::taint::Taint;
use super::thread::{Code, Progress, Thread};
use crate::op::{CastOp, Inst, Op};
use crate::program::Reg;
use crate::value::Value;

impl<T: Taint> Thread<T> {
    /// Starting, awaiting and naming threads.
    pub(super) fn threads<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        inst: &Inst,
    ) -> Result<Progress, M::Stop> {
        match &inst.op {
            Op::Spawn { dst, callee, args } => {
                let place = inst.place;
                let function = self.function_of(code, memory, place, callee)?;
                // `void *run()` starts as a thread too; it does not read its argument.
                let ignores = code.program.functions[function].params.is_empty();
                let args = if ignores { &[] } else { args.as_slice() };
                self.check_call(code, memory, place, function, args, None)?;
                let mut values = Vec::with_capacity(args.len());
                for arg in args {
                    values.push(self.value(code, memory, place, arg)?);
                }
                let handle = memory.spawn(self.site(code, place), function, values)?;
                self.set_fitted(code, *dst, handle);
                return Ok(Progress::Switch);
            }
            Op::Join { dst, thread } => {
                let place = inst.place;
                let thread = self.defined(code, memory, place, thread, "a thread handle")?;
                let result = memory.join(self.site(code, place), thread)?;
                if let Some(dst) = *dst {
                    self.set_fitted(code, dst, result);
                }
            }
            Op::Detach { thread } => {
                let place = inst.place;
                let thread = self.defined(code, memory, place, thread, "a thread handle")?;
                memory.detach(self.site(code, place), thread)?;
            }
            Op::Self_ { dst } => {
                let width = self.width(code, *dst);
                let handle = memory.handle(self.id);
                self.set(*dst, handle.cast(CastOp::ZeroExtend, width), T::default());
                return Ok(Progress::Local);
            }
            _ => {
                memory.yield_now(self.site(code, inst.place))?;
                return Ok(Progress::Switch);
            }
        }
        Ok(Progress::Visible)
    }

    /// Sets a register to a value that may have another width.
    fn set_fitted(&mut self, code: &Code<'_>, reg: Reg, value: Value) {
        let width = self.width(code, reg);
        self.set(reg, value.cast(CastOp::ZeroExtend, width), T::default());
    }
}
