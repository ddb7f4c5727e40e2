//! What each instruction does.

use super::memory::{Alternatives, Fault, Memory, ResolvedAccess, ResolvedMcasWord, Site};
use super::taint::{Dependencies, Taint};
use super::thread::{Code, Progress, Thread};
use crate::op::{Access, BinaryOp, CastOp, Choice, Inst, McasWord, Op, Operand, UnaryOp};
use crate::program::{LocId, Reg, Width};
use crate::value::ops::DivisionError;
use crate::value::{Value, quick};

impl<T: Taint> Thread<T> {
    /// Executes an instruction and moves past it; where it fails, nothing has changed.
    #[inline]
    pub(super) fn execute<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        inst: &Inst,
    ) -> Result<Progress, M::Stop> {
        let place = inst.place;
        let progress = match &inst.op {
            Op::Copy { dst, src } => {
                let value = self.value(code, memory, place, src)?;
                let taint = self.taint(src);
                self.set(*dst, value, taint);
                Progress::Local
            }
            Op::Binary { dst, op, a, b, checked } => {
                if !*checked || !memory.checks_overflow() {
                    let quick = match (self.plain(a), self.plain(b)) {
                        (Some((x, width)), Some((y, _))) => quick::binary(*op, width, x, y),
                        _ => None,
                    };
                    if let Some(value) = quick {
                        let mut taint = self.taint(a);
                        taint.join(&self.taint(b));
                        return Ok(self.done(*dst, value, taint));
                    }
                }
                let x = self.value(code, memory, place, a)?;
                let y = self.value(code, memory, place, b)?;
                if *checked && memory.checks_overflow() {
                    check_overflow(memory, self.site(code, place), *op, x, y)?;
                }
                let value = match x.binary(*op, y) {
                    Ok(value) => value,
                    Err(error) => {
                        return Err(memory.fault(self.site(code, place), division_fault(error)));
                    }
                };
                let mut taint = self.taint(a);
                taint.join(&self.taint(b));
                self.set(*dst, value, taint);
                Progress::Local
            }
            Op::Unary { dst, op, a, checked } => {
                let x = self.value(code, memory, place, a)?;
                if *checked && *op == UnaryOp::Neg && memory.checks_overflow() {
                    check_overflow(
                        memory,
                        self.site(code, place),
                        BinaryOp::Sub,
                        Value::int(x.width, 0),
                        x,
                    )?;
                }
                let taint = self.taint(a);
                self.set(*dst, x.unary(*op), taint);
                Progress::Local
            }
            Op::Cast { dst, op, a } => {
                let width = self.width(code, *dst);
                if width <= Width::I64
                    && let Some((x, from)) = self.plain(a)
                {
                    let taint = self.taint(a);
                    return Ok(self.done(*dst, quick::cast(*op, from, width, x), taint));
                }
                let value = self.value(code, memory, place, a)?;
                let taint = self.taint(a);
                self.set(*dst, value.cast(*op, width), taint);
                Progress::Local
            }
            Op::Select { dst, cond, a, b } => {
                let c = self.value(code, memory, place, cond)?;
                let x = self.value(code, memory, place, a)?;
                let y = self.value(code, memory, place, b)?;
                let chosen = if c.bits != 0 { a } else { b };
                let taint = T::pick(&self.taint(cond), &self.taint(chosen));
                self.set(*dst, c.select(x, y), taint);
                Progress::Local
            }
            Op::Load { dst, access, exclusive } => {
                let (access, address) = self.resolve(code, memory, place, access)?;
                let depends = self.dependencies(address, T::default());
                let loaded = memory.load(self.site(code, place), access, *exclusive, depends)?;
                self.set(*dst, loaded.value, T::read(loaded.event));
                Progress::Visible
            }
            Op::Store { access, value } => {
                let (access, address) = self.resolve(code, memory, place, access)?;
                let stored = self.value(code, memory, place, value)?;
                let depends = self.dependencies(address, self.taint(value));
                memory.store(self.site(code, place), access, stored, depends)?;
                Progress::Visible
            }
            Op::Call { dst, callee, args } => {
                self.call(code, memory, inst.place, (*dst, callee, args))?;
                return Ok(Progress::Local);
            }
            _ => self.execute_rare(code, memory, inst)?,
        };
        self.advance();
        Ok(progress)
    }

    /// The bits and width of an operand that is a defined number of at most 64 bits.
    #[inline(always)]
    pub(super) fn plain(&self, operand: &Operand) -> Option<(u64, Width)> {
        match *operand {
            Operand::Reg(reg) => {
                let value = self.register_value(reg);
                value.plain().map(|bits| (bits, value.width))
            }
            Operand::Int { width, bits } if width <= Width::I64 => Some((bits as u64, width)),
            _ => None,
        }
    }

    /// Ends a local instruction that sets a register.
    #[inline(always)]
    fn done(&mut self, dst: Reg, value: Value, taint: T) -> Progress {
        self.set(dst, value, taint);
        self.advance();
        Progress::Local
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.frames.last_mut().expect("a running thread is in a call").next += 1;
    }

    /// The instructions that are executed less often.
    fn execute_rare<M: Memory<T>>(
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
                let cond =
                    self.defined(code, memory, place, cond, "the condition of an assertion")?;
                if cond.bits == 0 {
                    return Err(memory
                        .fault(self.site(code, place), Fault::AssertionFailed(message.clone())));
                }
                return Ok(Progress::Local);
            }
            Op::Assume { cond } => {
                self.assume(code, memory, inst.place, cond)?;
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
                    self.set(dst, old.value, T::read(old.event));
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
                    self.set(dst, old.value, T::read(old.event));
                }
                if let Some(success) = *success {
                    self.set(success, Value::bool(done), T::read(old.event));
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
                let address = self.defined(code, memory, place, address, "an address")?;
                return if address.bits == 0 {
                    Ok(())
                } else {
                    memory.free(self.site(code, place), address)
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
                let function = self.callee(code, memory, inst.place, callee, args, None)?;
                let place = inst.place;
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
    ) -> Result<(), M::Stop> {
        let value = self.defined(code, memory, place, cond, "an assumption")?;
        if value.bits == 0 {
            let in_section = self.in_section();
            return Err(
                memory.fault(self.site(code, place), Fault::AssumptionFailed { in_section })
            );
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
            let in_section = self.in_section();
            return Err(
                memory.fault(self.site(code, place), Fault::AssumptionFailed { in_section })
            );
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

    /// An access with its address, and what that depends on.
    #[inline]
    fn resolve<'p, M: Memory<T>>(
        &self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        access: &'p Access,
    ) -> Result<(ResolvedAccess<'p>, T), M::Stop> {
        let address = self.defined(code, memory, place, &access.address, "an address")?;
        let resolved = ResolvedAccess {
            address,
            width: access.width,
            order: access.order,
            path: access.path.as_deref(),
            tags: &access.tags,
        };
        Ok((resolved, self.taint(&access.address)))
    }

    fn dependencies(&self, address: T, data: T) -> Dependencies<T> {
        Dependencies { address, data, control: self.control.clone() }
    }

    fn width(&self, code: &Code<'_>, reg: Reg) -> Width {
        let frame = self.frames.last().expect("a running thread is in a call");
        code.program.functions[frame.function].regs[reg].width
    }
}

fn check_overflow<T, M: Memory<T>>(
    memory: &mut M,
    site: Site<'_>,
    op: BinaryOp,
    a: Value,
    b: Value,
) -> Result<(), M::Stop> {
    if !a.overflows(op, b) {
        return Ok(());
    }
    let what = match op {
        BinaryOp::Add => "addition",
        BinaryOp::Sub => "subtraction",
        BinaryOp::Mul => "multiplication",
        _ => "shift",
    };
    Err(memory.fault(site, Fault::Overflow(what)))
}

fn division_fault(error: DivisionError) -> Fault {
    match error {
        DivisionError::Undefined => Fault::UndefinedUse("a divisor"),
        error => Fault::Division(error),
    }
}
