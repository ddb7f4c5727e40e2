//! What the instructions do that are executed less often.

use super::memory::{Alternatives, Fault, Memory, ResolvedMcasWord};
use super::taint::Taint;
use super::thread::{Code, Progress, Thread};
use crate::op::{CastOp, Choice, Inst, McasWord, Op, Operand};
use crate::program::{LocId, Reg, Width};
use crate::value::Value;

impl<T: Taint> Thread<T> {
    /// The instructions that are executed less often.
    pub(super) fn execute_rare<M: Memory<T>>(
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
            Op::Spawn { .. } | Op::Join { .. } | Op::Self_ { .. } | Op::Yield => {
                return self.threads(code, memory, inst);
            }
            Op::Assert { cond, message } => {
                let index = self.frames.last().map_or(0, |frame| frame.next);
                memory.asserts(self.site(code, place), index);
                let cond =
                    self.defined(code, memory, place, cond, "the condition of an assertion")?;
                if cond.bits == 0 {
                    return Err(memory
                        .fault(self.site(code, place), Fault::AssertionFailed(message.clone())));
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

    /// Instructions that read and write in one step.
    fn update<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        inst: &Inst,
    ) -> Result<(), M::Stop> {
        let place = inst.place;
        match &inst.op {
            Op::StoreExclusive { failed, access, value } => {
                let (access, address) = self.resolve(code, memory, place, access)?;
                let stored = self.value(code, memory, place, value)?;
                let depends = self.dependencies(address, self.taint(value));
                let (done, event) =
                    memory.store_exclusive(self.site(code, place), access, stored, depends)?;
                let width = self.width(code, *failed);
                let taint = event.map_or_else(T::default, T::read);
                self.set(*failed, Value::int(width, u128::from(!done)), taint);
            }
            Op::Rmw { dst, op, access, value } => {
                let (access, address) = self.resolve(code, memory, place, access)?;
                let operand = self.value(code, memory, place, value)?;
                let depends = self.dependencies(address, self.taint(value));
                let old = memory.rmw(
                    self.site(code, place),
                    access,
                    *op,
                    operand,
                    dst.is_some(),
                    depends,
                )?;
                if let Some(dst) = *dst {
                    self.set(dst, old.value, memory.taint(old.event));
                }
            }
            Op::Cas { dst, success, access, expected, desired, failure, weak } => {
                let (access, address) = self.resolve(code, memory, place, access)?;
                let wanted = (self.value(code, memory, place, expected)?, self.taint(expected));
                let new = self.value(code, memory, place, desired)?;
                let depends = self.dependencies(address, self.taint(desired));
                let (old, done) = memory.cas(
                    self.site(code, place),
                    access,
                    wanted,
                    new,
                    *failure,
                    *weak,
                    depends,
                )?;
                if let Some(dst) = *dst {
                    self.set(dst, old.value, memory.taint(old.event));
                }
                if let Some(success) = *success {
                    self.set(success, Value::bool(done), memory.taint(old.event));
                }
            }
            Op::Mcas { success, words } => {
                let words = self.mcas_words(code, memory, place, words)?;
                let done = memory.mcas(self.site(code, place), words)?;
                if let Some(success) = *success {
                    self.set(success, Value::bool(done), T::default());
                }
            }
            op => unreachable!("{op:?} is executed elsewhere"),
        }
        Ok(())
    }

    /// Allocation and release of heap blocks.
    fn manage<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        inst: &Inst,
    ) -> Result<(), M::Stop> {
        let place = inst.place;
        let (dst, result) = match &inst.op {
            Op::Alloc { dst, size, align, zeroed, layout } => {
                let size = self.defined(code, memory, place, size, "the size of an allocation")?;
                let align =
                    self.defined(code, memory, place, align, "the alignment of an allocation")?;
                let block = memory.alloc(
                    self.site(code, place),
                    size.low(),
                    align.low(),
                    *zeroed,
                    *layout,
                )?;
                (*dst, block)
            }
            Op::BlockSize { dst, address } => {
                let address = self.defined(code, memory, place, address, "an address")?;
                let size = memory.block_size(self.site(code, place), address)?;
                (*dst, Value::int(Width::I64, size.into()))
            }
            Op::Free { address } => {
                let taint = self.taint(address);
                let address = self.defined(code, memory, place, address, "an address")?;
                return if address.bits == 0 {
                    Ok(())
                } else {
                    memory.free(self.site(code, place), address, taint)
                };
            }
            op => unreachable!("{op:?} is executed elsewhere"),
        };
        self.set(dst, result, T::default());
        Ok(())
    }

    /// Starting, awaiting and naming threads.
    fn threads<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        inst: &Inst,
    ) -> Result<Progress, M::Stop> {
        match &inst.op {
            Op::Spawn { dst, callee, args } => {
                let place = inst.place;
                let function = self.function_of(code, memory, place, callee)?;
                // `void *run()` starts as a thread too; it does not look at its argument.
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

    /// What follows an assumption depends on it, as it would on the loop that it stands for.
    fn assume<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        cond: &Operand,
        waits: bool,
    ) -> Result<(), M::Stop> {
        let value = self.defined(code, memory, place, cond, "an assumption")?;
        if value.bits == 0 {
            let waits = waits && self.in_section();
            return Err(memory.fault(self.site(code, place), Fault::AssumptionFailed { waits }));
        }
        let taint = self.taint(cond);
        memory.branch(self.site(code, place), &taint)?;
        self.control.join(&taint);
        Ok(())
    }

    fn choose<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        dst: Reg,
        from: &Choice,
    ) -> Result<(), M::Stop> {
        let what = "an alternative of a choice";
        let alternatives = match from {
            Choice::Any => Alternatives::Any,
            Choice::Set(set) => {
                Alternatives::Set(self.all_defined(code, memory, place, set, what)?)
            }
            Choice::Range(low, high) => {
                let low = self.defined(code, memory, place, low, what)?.as_signed();
                let high = self.defined(code, memory, place, high, what)?.as_signed();
                Alternatives::Range(low, high)
            }
        };
        let empty = match &alternatives {
            Alternatives::Any => false,
            Alternatives::Set(set) => set.is_empty(),
            Alternatives::Range(low, high) => low > high,
        };
        if empty {
            let waits = self.in_section();
            return Err(memory.fault(self.site(code, place), Fault::AssumptionFailed { waits }));
        }
        let value = memory.choose(self.site(code, place), self.width(code, dst), alternatives)?;
        self.set(dst, value, T::default());
        Ok(())
    }

    fn all_defined<M: Memory<T>>(
        &self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        operands: &[Operand],
        what: &'static str,
    ) -> Result<Vec<Value>, M::Stop> {
        operands.iter().map(|operand| self.defined(code, memory, place, operand, what)).collect()
    }

    fn mcas_words<'p, M: Memory<T>>(
        &self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        words: &'p [McasWord],
    ) -> Result<Vec<ResolvedMcasWord<'p, T>>, M::Stop> {
        let word = |word: &'p McasWord| {
            let (access, address) = self.resolve(code, memory, place, &word.access)?;
            Ok(ResolvedMcasWord {
                access,
                expected: self.value(code, memory, place, &word.expected)?,
                desired: self.value(code, memory, place, &word.desired)?,
                dependencies: self.dependencies(address, self.taint(&word.desired)),
            })
        };
        words.iter().map(word).collect()
    }
}
