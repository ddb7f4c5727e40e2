//! What each instruction does.

use super::memory::{Fault, Memory, ResolvedAccess, Site};
use super::shown::Costly;
use super::taint::{Dependencies, Taint};
use super::thread::{Code, Progress, Thread};
use crate::op::{Access, BinaryOp, CastOp, Inst, Op, Operand, UnaryOp};
use crate::program::{LocId, Reg, Width};
use crate::value::{Value, provenance, quick};
use execution::finding::DivisionError;

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
            Op::Binary { dst, op, a, b, checked: signed } => {
                if op.is_multiplicative() && memory.watches_arithmetic() {
                    let x = self.value(code, memory, place, a)?;
                    let y = self.value(code, memory, place, b)?;
                    memory.computes(self.site(code, place), Costly::Binary(*op), &[x, y]);
                }
                let checked = memory.checks_overflow() && (*signed || op.is_shift());
                if !checked {
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
                if checked {
                    check_overflow(memory, self.site(code, place), (*op, *signed), x, y)?;
                }
                let value = match x.binary(*op, y) {
                    Ok(value) => value,
                    Err(DivisionError::Undefined) => {
                        let origin = self.taint(b);
                        return Err(memory.undefined(self.site(code, place), "a divisor", &origin));
                    }
                    Err(error) => {
                        return Err(memory.fault(self.site(code, place), Fault::Division(error)));
                    }
                };
                if M::ASKS_FOR_NUMBERS && provenance::reveals(*op, &x, &y) {
                    memory.reveals(x);
                    memory.reveals(y);
                }
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
                        (BinaryOp::Sub, true),
                        Value::int(x.width, 0),
                        x,
                    )?;
                }
                if M::ASKS_FOR_NUMBERS && *op != UnaryOp::Not {
                    memory.reveals(x);
                }
                let taint = self.taint(a);
                self.set(*dst, x.unary(*op), taint);
                Progress::Local
            }
            Op::Cast { dst, op, a } => {
                let width = self.width(code, *dst);
                if width <= Width::I64
                    && let Some((x, from)) = self.plain(a)
                    && let Some(value) = quick::cast(*op, from, width, x)
                {
                    let taint = self.taint(a);
                    return Ok(self.done(*dst, value, taint));
                }
                let value = self.value(code, memory, place, a)?;
                if let CastOp::Float(_) = op {
                    if memory.checks_overflow() && value.does_not_fit(*op, width) {
                        let fault = Fault::Overflow("conversion");
                        return Err(memory.fault(self.site(code, place), fault));
                    }
                    if M::ASKS_FOR_NUMBERS {
                        memory.reveals(value);
                    }
                }
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
                let taint = memory.taint(loaded.event);
                self.set(*dst, loaded.value, taint);
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
            _ => self.execute_effect(code, memory, inst)?,
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

    /// An access with its address, and what that depends on.
    #[inline]
    pub(super) fn resolve<'p, M: Memory<T>>(
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
            align: access.align,
            order: access.order,
            path: access.path.as_deref(),
            purpose: access.purpose,
            tags: &access.tags,
        };
        Ok((resolved, self.taint(&access.address)))
    }

    pub(super) fn dependencies(&self, address: T, data: T) -> Dependencies<T> {
        Dependencies { address, data, control: self.control.clone() }
    }

    pub(super) fn width(&self, code: &Code<'_>, reg: Reg) -> Width {
        let frame = self.frames.last().expect("a running thread is in a call");
        code.program.functions[frame.function].regs[reg].width
    }
}

fn check_overflow<T, M: Memory<T>>(
    memory: &mut M,
    site: Site<'_>,
    (op, signed): (BinaryOp, bool),
    a: Value,
    b: Value,
) -> Result<(), M::Stop> {
    let what = match op {
        _ if a.shifts_too_far(op, b) => "shift",
        _ if !signed || !a.overflows(op, b) => return Ok(()),
        BinaryOp::Add => "addition",
        BinaryOp::Sub => "subtraction",
        BinaryOp::Mul => "multiplication",
        _ => "left shift",
    };
    Err(memory.fault(site, Fault::Overflow(what)))
}
