//! What each instruction does.

use super::memory::{Part, Target};
use super::sym::{join, on_paths, picked};
use super::{Effect, Frame, Result, Sym, Unroller, unsupported};
use crate::bounded::{
    ActionKind, Alternatives, Assumption, Commit, Goal, Input, Observation, Operation, Waiting,
    Wrong,
};
use crate::guard::Guard;
use crate::term::TermId;
use execution::finding::DivisionError;
use execution::finding::FindingKind;
use execution::ids::Id;
use ir::op::{
    BinaryOp, CastOp, Choice, FloatBinary, FloatCast, FloatUnary, Inst, Op, Operand, PrintTarget,
    UnaryOp,
};
use ir::program::{Function, LocId, Reg, Width};
use ir::step::mismatch;
use ir::tag;
use ir::value::Value;

impl Unroller<'_> {
    /// Executes an instruction; gives the guard of the paths that go on.
    pub(super) fn instruction(
        &mut self,
        frame: &mut Frame,
        guard: Guard,
        inst: &Inst,
    ) -> Result<Guard> {
        let place = inst.place;
        self.out.instructions += 1;
        if let Op::Load { access, .. } | Op::Store { access, .. } = &inst.op
            && tag::is_mark(&access.tags)
        {
            return unsupported(place, "an event that is neither read nor write");
        }
        match &inst.op {
            Op::Copy { dst, src } => {
                let value = self.operand(frame, guard, src, place)?;
                self.set(frame, guard, *dst, value);
            }
            Op::Unary { dst, op, a, checked } => {
                let a = self.operand(frame, guard, a, place)?;
                if *checked && *op == UnaryOp::Neg {
                    let zero = self.constant(Value::int(self.out.terms.width(a.term), 0));
                    self.check_overflow(frame, guard, (BinaryOp::Sub, zero, a.term), place)?;
                }
                let before = self.out.terms.len();
                let term = self.out.terms.unary(*op, a.term);
                self.note_floats(frame, before, place);
                self.set(frame, guard, *dst, Sym { term, ..a });
            }
            Op::Binary { dst, op, a, b, checked } => {
                let a = self.operand(frame, guard, a, place)?;
                let b = self.operand(frame, guard, b, place)?;
                self.check_division(frame, guard, *op, &a, &b, place);
                if op.is_shift() {
                    self.check_amount(frame, guard, (a.term, b.term), place);
                }
                if self.is_tabled(frame, [a.term, b.term]) {
                    return Ok(self.look_up(frame, guard, inst, [&a, &b]));
                }
                if *checked {
                    self.check_overflow(frame, guard, (*op, a.term, b.term), place)?;
                }
                let before = self.out.terms.len();
                let term = self.out.terms.binary(*op, a.term, b.term);
                self.note_floats(frame, before, place);
                self.note_costly(frame, *op, [a.term, b.term], term);
                let value = a.joined(&b, term, &mut self.out.terms);
                self.set(frame, guard, *dst, value);
            }
            Op::Cast { dst, op, a } => {
                let a = self.operand(frame, guard, a, place)?;
                let width = self.width(frame, *dst);
                let before = self.out.terms.len();
                if let CastOp::Float(op) = op {
                    self.check_fit(frame, guard, (*op, width, a.term), place);
                }
                let term = self.out.terms.cast(*op, width, a.term);
                self.note_floats(frame, before, place);
                self.set(frame, guard, *dst, Sym { term, ..a });
            }
            Op::Select { dst, cond, a, b } => {
                let cond = self.operand(frame, guard, cond, place)?;
                let a = self.operand(frame, guard, a, place)?;
                let b = self.operand(frame, guard, b, place)?;
                let term = self.out.terms.select(cond.term, a.term, b.term);
                // Only the value that is chosen flows on; what chose it picks.
                let chosen = self.out.terms.truth(cond.term);
                let guards = &mut self.out.terms.guards;
                let other = guards.not(chosen);
                let a = on_paths(guards, &a.taint, chosen);
                let b = on_paths(guards, &b.taint, other);
                let taint = join(guards, &a, &b);
                let taint = join(guards, &taint, &picked(&cond.taint));
                self.set(frame, guard, *dst, Sym { term, taint });
            }
            Op::Load { dst, access, exclusive } => {
                let value = match self.target(frame, guard, &access.address, place)? {
                    Target::Own(places) => self.read_own(frame, &places, access, false, place),
                    Target::Shared(address) => {
                        self.start_instruction(frame, place);
                        let orders = vec![(access.order, Guard::TRUE)];
                        let access = self.access(&address, access, Part::Read, orders, None);
                        let (action, value) =
                            self.read_shared(frame, guard, access, *exclusive, place)?;
                        if *exclusive {
                            self.reserve(guard, action, place)?;
                        }
                        value
                    }
                };
                self.set(frame, guard, *dst, value);
            }
            Op::Store { access, value } => {
                let target = self.target(frame, guard, &access.address, place)?;
                let value = self.operand(frame, guard, value, place)?;
                match target {
                    Target::Own(places) => self.write_own(frame, &places, access, value, place),
                    Target::Shared(address) => {
                        self.start_instruction(frame, place);
                        let orders = vec![(access.order, Guard::TRUE)];
                        let access = self.access(&address, access, Part::Write, orders, None);
                        self.write_shared(frame, guard, access, &value, None, place)?;
                    }
                }
            }
            Op::StoreExclusive { .. } | Op::Rmw { .. } | Op::Cas { .. } | Op::Mcas { .. } => {
                return self.update(frame, guard, inst);
            }
            Op::Fence(fence) => {
                if self.concurrent {
                    self.fence_own(fence);
                    self.start_instruction(frame, place);
                    self.act(frame, guard, ActionKind::Fence(fence.clone()), place)?;
                }
            }
            Op::AtomicBegin | Op::AtomicEnd => self.section(guard, &inst.op, place)?,
            Op::Enter { slot } => self.enter(frame, guard, slot.index(), place)?,
            Op::Alloc { .. } | Op::Free { .. } | Op::BlockSize { .. } => {
                return self.manage(frame, guard, inst);
            }
            Op::Spawn { dst, callee, args } => {
                return self.spawn(frame, guard, *dst, callee, args, place);
            }
            Op::Join { dst, thread } => return self.join(frame, guard, *dst, thread, place),
            Op::Detach { thread } => {
                let what = "the handle of a thread";
                let handle = self.defined(frame, guard, thread, what, place)?;
                let moment = self.moment(guard);
                self.out.detached.push((moment, handle.term));
            }
            Op::Self_ { dst } => {
                let width = self.width(frame, *dst);
                let handle = Value::int(width, self.running.thread.index() as u128 + 1);
                let handle = self.constant(handle);
                self.set(frame, guard, *dst, handle.into());
            }
            Op::Yield => {}
            Op::Assert { cond, claim, message } => {
                let (function, block, index) = (frame.function, frame.block, frame.next as u32);
                self.goal(guard, Goal::Assertion { function, block, index });
                let what = "the condition of an assertion";
                let cond = self.defined(frame, guard, cond, what, place)?;
                let kind = claim.fails(message);
                self.check(frame, guard, Wrong::Zero(cond.term), kind, place);
            }
            Op::Bound { index, length } => {
                let value = self.operand(frame, guard, index, place)?;
                let (number, length) = (value.term, *length);
                let terms = &mut self.out.terms;
                let end = terms.value(Value::int(Width::PTR, u128::from(length)));
                let right = terms.binary(BinaryOp::Ult, number, end);
                if terms.truth(right) != Guard::TRUE {
                    let kind = FindingKind::IndexOutOfBounds { length };
                    self.check(frame, guard, Wrong::Overflow(right, [number, number]), kind, place);
                    if self.out.terms.constant(number).is_some_and(|number| number.is_defined()) {
                        // What follows here would be taken for an access to the object after it.
                        return Ok(Guard::FALSE);
                    }
                    if let Operand::Reg(reg) = index {
                        let term = self.out.terms.below(number, length);
                        self.set(frame, guard, *reg, Sym { term, ..value });
                    }
                }
            }
            Op::Assume { cond, waits } => self.assume(frame, guard, cond, *waits, place)?,
            Op::Choose { dst, from } => self.choose(frame, guard, *dst, from, place)?,
            Op::Observe { label, value } => {
                let value = self.defined(frame, guard, value, "an observed value", place)?;
                self.observe(guard, label, &value, place)?;
            }
            Op::Commit { .. } => self.commit(guard, place)?,
            Op::OperationBegin { name, .. } => {
                let index = self.out.operations.len() as u32;
                let thread = self.running.thread;
                self.out.operations.push(Operation { thread, name: name.as_str().into(), guard });
                let guards = &mut self.out.terms.guards;
                self.running.operation.set(guards, guard, Some(index));
                self.running.effects.push(Effect::seen(guard));
            }
            Op::OperationEnd { result } => {
                // A mark, not an observation: a caller that wants the result seen observes it.
                if let Some(result) = result {
                    self.defined(frame, guard, result, "the result of an operation", place)?;
                }
                self.running.operation.set(&mut self.out.terms.guards, guard, None);
                self.running.effects.push(Effect::seen(guard));
            }
            Op::Call { dst, callee, args } => {
                let mut values = Vec::with_capacity(args.len());
                for arg in args {
                    values.push(self.operand(frame, guard, arg, place)?);
                }
                let mut all = Guard::FALSE;
                let given: Vec<Width> =
                    values.iter().map(|value| self.out.terms.width(value.term)).collect();
                let wanted = dst.map(|dst| self.width(frame, dst));
                let mismatch = |called: &Function| mismatch(called, &given, wanted);
                for (here, function) in self.callees(frame, guard, callee, &mismatch, place)? {
                    let (returned, result) =
                        self.call(frame, here, function, values.clone(), place)?;
                    if let (Some(dst), Some(result)) = (dst, result) {
                        self.set(frame, returned, *dst, result);
                    }
                    all = self.out.terms.guards.or(all, returned);
                }
                return Ok(all);
            }
            Op::Native { dst, function, args } => {
                return self.call_native(frame, guard, (*dst, function, args), place);
            }
            Op::Print { dst, target, .. } => {
                if matches!(target, PrintTarget::Buffer { .. }) {
                    return unsupported(place, "printing to memory");
                }
                self.running.effects.push(Effect::seen(guard));
                if let Some(dst) = dst {
                    let value = self.choice(guard, self.width(frame, *dst), Alternatives::Any);
                    self.set(frame, guard, *dst, value);
                }
            }
        }
        Ok(guard)
    }

    pub(super) fn set(&mut self, frame: &mut Frame, guard: Guard, reg: Reg, value: Sym) {
        frame.regs[reg.index()].set(&mut self.out.terms.guards, guard, value);
    }

    pub(super) fn width(&self, frame: &Frame, reg: Reg) -> Width {
        self.program.functions[frame.function].regs[reg].width
    }

    /// Sets a register to a value that may have another width.
    pub(super) fn set_fitted(&mut self, frame: &mut Frame, guard: Guard, reg: Reg, value: Sym) {
        let width = self.width(frame, reg);
        let op = match self.out.terms.width(value.term) > width {
            true => CastOp::Truncate,
            false => CastOp::ZeroExtend,
        };
        let term = self.out.terms.cast(op, width, value.term);
        self.set(frame, guard, reg, Sym { term, ..value });
    }

    fn check_division(
        &mut self,
        frame: &Frame,
        guard: Guard,
        op: BinaryOp,
        a: &Sym,
        b: &Sym,
        place: Option<LocId>,
    ) {
        use BinaryOp::{SDiv, SRem, UDiv, URem};
        if matches!(op, SDiv | SRem) {
            // Before the other check, which it is a part of.
            let terms = &mut self.out.terms;
            let width = terms.width(a.term);
            let least = terms.value(Value::int(width, 1 << (width.bits() - 1)));
            let minus_one = terms.value(Value::signed(width, -1));
            let [x, y] = [(a.term, least), (b.term, minus_one)]
                .map(|(term, value)| terms.binary(BinaryOp::Ne, term, value));
            if terms.truth(x) != Guard::TRUE && terms.truth(y) != Guard::TRUE {
                let right = terms.binary(BinaryOp::Or, x, y);
                let kind = FindingKind::Division(DivisionError::Overflow);
                self.check(frame, guard, Wrong::Overflow(right, [a.term, b.term]), kind, place);
            }
        }
        if matches!(op, UDiv | SDiv | URem | SRem) {
            let kind = FindingKind::Division(DivisionError::ByZero);
            self.check(frame, guard, Wrong::Division(op, a.term, b.term), kind, place);
        }
    }

    /// The amount of a shift is less than the width.
    fn check_amount(
        &mut self,
        frame: &Frame,
        guard: Guard,
        (a, by): (TermId, TermId),
        place: Option<LocId>,
    ) {
        if !self.options.overflow {
            return;
        }
        let terms = &mut self.out.terms;
        let width = terms.width(a);
        let bits = terms.value(Value::int(width, u128::from(width.bits())));
        let right = terms.binary(BinaryOp::Ult, by, bits);
        if terms.truth(right) != Guard::TRUE {
            let kind = FindingKind::Overflow("shift".into());
            self.check(frame, guard, Wrong::Overflow(right, [a, by]), kind, place);
        }
    }

    /// Signed arithmetic is right if the result is that of twice the width; a shift to the left if
    /// its operand is at most the greatest number, shifted to the right by as much.
    fn check_overflow(
        &mut self,
        frame: &Frame,
        guard: Guard,
        (op, a, b): (BinaryOp, TermId, TermId),
        place: Option<LocId>,
    ) -> Result<()> {
        if self.options.overflow && self.ranges.fits(&self.out.terms, op, a, b) {
            return Ok(());
        }
        let terms = &mut self.out.terms;
        let width = terms.width(a);
        let twice = Width::from_bytes(width.bytes() * 2);
        let (right, what) = match (op, twice) {
            (BinaryOp::Add | BinaryOp::Sub, None) if self.options.overflow => {
                // The result has another sign than it must have.
                let result = terms.binary(op, a, b);
                let other = if op == BinaryOp::Add { result } else { a };
                let x = terms.binary(BinaryOp::Xor, a, result);
                let y = terms.binary(BinaryOp::Xor, b, other);
                let signs = terms.binary(BinaryOp::And, x, y);
                let zero = terms.value(Value::int(width, 0));
                let what = if op == BinaryOp::Add { "addition" } else { "subtraction" };
                (terms.binary(BinaryOp::Sle, zero, signs), what)
            }
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, Some(twice))
                if self.options.overflow =>
            {
                let [x, y] = [a, b].map(|term| terms.cast(CastOp::SignExtend, twice, term));
                let wide = terms.binary(op, x, y);
                let narrow = terms.cast(CastOp::Truncate, width, wide);
                let again = terms.cast(CastOp::SignExtend, twice, narrow);
                let what = match op {
                    BinaryOp::Add => "addition",
                    BinaryOp::Sub => "subtraction",
                    _ => "multiplication",
                };
                (terms.binary(BinaryOp::Eq, wide, again), what)
            }
            (BinaryOp::Shl, _) if self.options.overflow => {
                let greatest = terms.value(Value::int(width, width.mask() >> 1));
                let most = terms.binary(BinaryOp::LShr, greatest, b);
                (terms.binary(BinaryOp::Ule, a, most), "left shift")
            }
            (BinaryOp::Mul, None) if self.options.overflow => {
                return unsupported(place, "a product of 128 bits that may overflow");
            }
            _ => return Ok(()),
        };
        if self.out.terms.truth(right) != Guard::TRUE {
            let kind = FindingKind::Overflow(what.into());
            self.check(frame, guard, Wrong::Overflow(right, [a, b]), kind, place);
        }
        Ok(())
    }

    /// A floating-point number becomes an integer if its whole part is one of the width.
    fn check_fit(
        &mut self,
        frame: &Frame,
        guard: Guard,
        (op, width, a): (FloatCast, Width, TermId),
        place: Option<LocId>,
    ) {
        let bits = width.bits() as i32;
        let (least, beyond) = match op {
            FloatCast::ToSigned => (-(2f64.powi(bits - 1)), 2f64.powi(bits - 1)),
            FloatCast::ToUnsigned => (0.0, 2f64.powi(bits)),
            FloatCast::FromSigned | FloatCast::FromUnsigned | FloatCast::Resize => return,
        };
        if !self.options.overflow {
            return;
        }
        let terms = &mut self.out.terms;
        let format = terms.width(a);
        let [least, beyond] = [least, beyond].map(|limit| {
            let double = Value::int(Width::I64, limit.to_bits().into());
            terms.value(double.cast(CastOp::Float(FloatCast::Resize), format))
        });
        let whole = terms.unary(UnaryOp::Float(FloatUnary::Trunc), a);
        let above = terms.binary(BinaryOp::Float(FloatBinary::Le), least, whole);
        let below = terms.binary(BinaryOp::Float(FloatBinary::Lt), whole, beyond);
        let right = terms.binary(BinaryOp::And, above, below);
        if terms.truth(right) != Guard::TRUE {
            let kind = FindingKind::Overflow("conversion".into());
            self.check(frame, guard, Wrong::Overflow(right, [a, a]), kind, place);
        }
    }

    /// Remembers where the floating-point operations among the latest terms come from.
    fn note_floats(&mut self, frame: &Frame, before: usize, place: Option<LocId>) {
        for id in (before..self.out.terms.len()).map(TermId::new) {
            if self.out.terms.term(id).is_float() {
                let place = self.users_place(frame, place);
                self.out.floats.insert(id, place);
            }
        }
    }

    /// Begins or ends an atomic section.
    fn section(&mut self, guard: Guard, op: &Op, place: Option<LocId>) -> Result<()> {
        let guards = &mut self.out.terms.guards;
        let Some((section, depth)) = self.running.section.unique(guards, guard) else {
            return unsupported(place, "an atomic section that only some paths have entered");
        };
        let next = match (op, depth) {
            (Op::AtomicBegin, 0) => {
                self.running.sections += 1;
                self.running.section_starts.push(self.sequence);
                (Some(self.running.sections), 1)
            }
            (Op::AtomicBegin, depth) => (section, depth + 1),
            (_, 0) => return unsupported(place, "the end of an atomic section outside of one"),
            (_, 1) => (None, 0),
            (_, depth) => (section, depth - 1),
        };
        self.running.section.set(guards, guard, next);
        Ok(())
    }

    /// Starts the lifetime of a stack object again.
    fn enter(
        &mut self,
        frame: &Frame,
        guard: Guard,
        slot: usize,
        place: Option<LocId>,
    ) -> Result<()> {
        let address = frame.slots[slot];
        let Some(region) = address.provenance else { return Ok(()) };
        let (base, size) = (self.out.regions[region].base, self.out.regions[region].size);
        if self.is_private(region) || !self.concurrent {
            self.store.reset(&mut self.out.terms, guard, (base, size), Value::undef);
        } else if !self.entered.insert(region) || self.store.holds_any((base, size)) {
            return unsupported(place, "a shared local object that is declared in a loop");
        }
        Ok(())
    }

    /// What follows an assumption depends on it, as it would on the loop that it stands for.
    fn assume(
        &mut self,
        frame: &Frame,
        guard: Guard,
        cond: &Operand,
        waits: bool,
        place: Option<LocId>,
    ) -> Result<()> {
        let value = self.decide(frame, guard, cond, "an assumption", place)?;
        if self.out.terms.truth(value.term) == Guard::TRUE {
            return Ok(());
        }
        let guards = &mut self.out.terms.guards;
        let Some((section, _)) = self.running.section.unique(guards, guard) else {
            return unsupported(place, "an atomic section that only some paths have entered");
        };
        let moment = self.moment(guard);
        let waits = section.filter(|_| waits).map(|section| Waiting {
            spins: false,
            since: self.running.section_starts[section as usize],
        });
        let (condition, origin) = (Some(value.term), frame.origin(place));
        let operation = self.operation_of(guard);
        let assumption = Assumption { moment, condition, waits, section, operation, origin };
        self.out.assumptions.push(assumption);
        Ok(())
    }

    fn choose(
        &mut self,
        frame: &mut Frame,
        guard: Guard,
        dst: Reg,
        from: &Choice,
        place: Option<LocId>,
    ) -> Result<()> {
        let what = "an alternative of a choice";
        let from = match from {
            Choice::Any => Alternatives::Any,
            Choice::Set(set) => {
                let mut terms = Vec::new();
                for operand in set {
                    terms.push(self.defined(frame, guard, operand, what, place)?.term);
                }
                Alternatives::Terms(terms)
            }
            Choice::Range(low, high) => {
                let low = self.defined(frame, guard, low, what, place)?;
                let high = self.defined(frame, guard, high, what, place)?;
                let terms = &self.out.terms;
                match (terms.constant(low.term), terms.constant(high.term)) {
                    (Some(low), Some(high)) => {
                        Alternatives::Range(low.as_signed(), high.as_signed())
                    }
                    _ => {
                        return unsupported(place, "a choice between bounds that are not constant");
                    }
                }
            }
        };
        let value = self.choice(guard, self.width(frame, dst), from);
        self.running.effects.push(Effect::seen(guard));
        self.set(frame, guard, dst, value);
        Ok(())
    }

    pub(super) fn choice(&mut self, guard: Guard, width: Width, from: Alternatives) -> Sym {
        let (_, term) = self.out.terms.input(width);
        let moment = self.moment(guard);
        self.out.inputs.push(Input::Choice { from, moment });
        term.into()
    }

    /// A commit point, if anybody asks; elsewhere than in an operation it means nothing.
    fn commit(&mut self, guard: Guard, place: Option<LocId>) -> Result<()> {
        if !self.options.commits {
            return Ok(());
        }
        let Some(operation) = self.running.operation.unique(&mut self.out.terms.guards, guard)
        else {
            return unsupported(place, "an operation that only some paths have begun");
        };
        self.running.effects.push(Effect::seen(guard));
        let moment = self.moment(guard);
        self.out.commits.extend(operation.map(|operation| Commit { moment, operation }));
        Ok(())
    }

    fn observe(
        &mut self,
        guard: Guard,
        label: &str,
        value: &Sym,
        place: Option<LocId>,
    ) -> Result<()> {
        let Some(operation) = self.running.operation.unique(&mut self.out.terms.guards, guard)
        else {
            return unsupported(place, "an operation that only some paths have begun");
        };
        self.running.effects.push(Effect::seen(guard));
        let moment = self.moment(guard);
        self.out.observations.push(Observation {
            moment,
            operation,
            label: label.into(),
            value: value.term,
        });
        Ok(())
    }
}
