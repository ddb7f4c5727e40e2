//! Read-modify-writes and compare-and-swaps.

use super::memory::{Part, Target};
use super::{Frame, Language, Result, Sym, Unroller, unsupported};
use crate::bounded::{ActionId, ActionKind, Input, Pairing, Taint, Wrong};
use crate::guard::Guard;
use execution::finding::FindingKind;
use ir::op::{self, BinaryOp, Inst, McasWord, Op, Operand, RmwOp};
use ir::order::{Fence, Order};
use ir::program::{LocId, Width};
use ir::tag::Tag;
use ir::value::Value;

impl Unroller<'_> {
    /// Executes an instruction that reads and writes at once.
    pub(super) fn update(&mut self, frame: &mut Frame, guard: Guard, inst: &Inst) -> Result<Guard> {
        let place = inst.place;
        match &inst.op {
            Op::Rmw { dst, op, access, value } => {
                let old = self.rmw(frame, guard, *op, access, value, place)?;
                if let Some(dst) = dst {
                    self.set(frame, guard, *dst, old);
                }
            }
            Op::Cas { dst, success, access, expected, desired, failure, weak } => {
                let (old, done) =
                    self.cas(frame, guard, access, (expected, desired), *failure, *weak, place)?;
                if let Some(success) = success {
                    let bit = self.bit(done);
                    let flag = Sym { term: bit, taint: old.taint.clone() };
                    self.set(frame, guard, *success, flag);
                }
                if let Some(dst) = dst {
                    self.set(frame, guard, *dst, old);
                }
            }
            Op::Mcas { success, words } => {
                let done = self.mcas(frame, guard, words, place)?;
                if let Some(success) = success {
                    let bit = self.bit(done);
                    self.set(frame, guard, *success, bit.into());
                }
            }
            Op::StoreExclusive { failed, access, value } => {
                let (done, write) = self.store_exclusive(frame, guard, access, value, place)?;
                let bit = self.bit(done);
                let term = self.out.terms.unary(op::UnaryOp::Not, bit);
                let mut taint = Taint::default();
                if let Some(write) = write
                    && self.options.dependencies
                    && self.options.language == Language::RiscV
                {
                    let guards = &mut self.out.terms.guards;
                    taint = super::sym::on_paths(guards, &super::sym::read_of(write), done);
                }
                self.set_fitted(frame, guard, *failed, Sym { term, taint });
            }
            _ => unreachable!("executed elsewhere"),
        }
        Ok(guard)
    }

    /// A term of one bit that is 1 on the paths of `guard`.
    fn bit(&mut self, guard: Guard) -> crate::term::TermId {
        let (yes, no) = (self.constant(Value::bool(true)), self.constant(Value::bool(false)));
        self.out.terms.ite(guard, yes, no)
    }

    /// The fences around a read-modify-write that writes.
    fn surround(
        &mut self,
        frame: &Frame,
        guard: Guard,
        access: &op::Access,
        place: Option<LocId>,
    ) -> Result<()> {
        for tag in &access.tags {
            let Tag::Around(name) = tag else { continue };
            self.next_instruction();
            let fence = ActionKind::Fence(Fence::Named(name.name().to_string()));
            self.act(frame, guard, fence, place)?;
            self.next_instruction();
        }
        Ok(())
    }

    fn rmw(
        &mut self,
        frame: &Frame,
        guard: Guard,
        op: RmwOp,
        access: &op::Access,
        value: &Operand,
        place: Option<LocId>,
    ) -> Result<Sym> {
        let target = self.target(frame, guard, &access.address, place)?;
        let operand = self.operand(frame, guard, value, place)?;
        let address = match target {
            Target::Own(places) => {
                self.keep_in_memory(frame, &places);
                let old = self.read_own(frame, &places, access, true, place);
                let term = self.out.terms.rmw(op, old.term, operand.term);
                let new = old.joined(&operand, term, &mut self.out.terms);
                self.write_own(frame, &places, access, new, place);
                return Ok(old);
            }
            Target::Shared(address) => address,
        };
        self.start_instruction(frame, place);
        self.surround(frame, guard, access, place)?;
        let orders = vec![(access.order, Guard::TRUE)];
        let read = self.access(&address, access, Part::Read, orders.clone(), None);
        let (action, old) = self.read_shared(frame, guard, read, false, place)?;
        let term = self.out.terms.rmw(op, old.term, operand.term);
        let new = Sym { term, taint: operand.taint.clone() };
        let write = self.access(&address, access, Part::Write, orders, None);
        let computed = op != RmwOp::Exchange;
        let pairing = Pairing { read: action, single: true, computed, compared: false };
        self.write_shared(frame, guard, write, &new, Some(pairing), place)?;
        self.surround(frame, guard, access, place)?;
        Ok(old)
    }

    /// Gives the old value, and the guard of the paths on which the new one was written.
    #[allow(clippy::too_many_arguments)]
    fn cas(
        &mut self,
        frame: &Frame,
        guard: Guard,
        access: &op::Access,
        (expected, desired): (&Operand, &Operand),
        failure: Order,
        weak: bool,
        place: Option<LocId>,
    ) -> Result<(Sym, Guard)> {
        let target = self.target(frame, guard, &access.address, place)?;
        let expected = self.operand(frame, guard, expected, place)?;
        let desired = self.operand(frame, guard, desired, place)?;
        let address = match target {
            Target::Own(mut places) => {
                self.keep_in_memory(frame, &places);
                let old = self.read_own(frame, &places, access, true, place);
                let mut done = self.matches(frame, guard, &old, &expected, place);
                if weak {
                    let allowed = self.running.repeated == 0;
                    done = self.unless_spurious(done, allowed);
                }
                for (here, _) in &mut places {
                    *here = self.out.terms.guards.and(*here, done);
                }
                places.retain(|&(here, _)| here != Guard::FALSE);
                self.write_own(frame, &places, access, desired, place);
                return Ok((old, done));
            }
            Target::Shared(address) => address,
        };
        self.start_instruction(frame, place);
        // The read's annotations depend on its own value: the guard is made before the action.
        let (into, term) = self.out.terms.input(access.width);
        let old = Sym { term, taint: Default::default() };
        self.out.inputs.push(Input::Read(self.next_action()));
        let mut done = self.matches_later(&old, &expected, guard);
        let choice = self.out.inputs.next_id();
        if weak {
            // A loop that tries again fails for no reason only once.
            let allowed = self.options.litmus || self.running.repeated == 0;
            done = self.unless_spurious(done, allowed);
        }
        let failed = self.out.terms.guards.not(done);
        let orders = vec![(access.order, done), (failure, failed)];
        let reading = self.access(&address, access, Part::Read, orders, Some(done));
        let kind = ActionKind::Read { access: reading, into, exclusive: false };
        if done != Guard::FALSE {
            self.surround(frame, done, access, place)?;
        }
        let read = self.act(frame, guard, kind, place)?;
        self.out.inputs[into] = Input::Read(read);
        // A thread that stops before the access has not chosen.
        let after = self.moment(guard).sequence;
        if weak && let Input::Spurious { moment, .. } = &mut self.out.inputs[choice] {
            moment.sequence = after;
        }
        let taint = match (self.options.dependencies, self.options.language) {
            (false, _) => Default::default(),
            // A success tells the register only what it held before.
            (true, Language::Arm) => super::sym::confirmed(read, failed),
            (true, _) => super::sym::read_of(read),
        };
        let old = Sym { taint, ..old };
        self.matches(frame, guard, &old, &expected, place);
        if done != Guard::FALSE {
            let orders = vec![(access.order, Guard::TRUE)];
            let write = self.access(&address, access, Part::Write, orders, None);
            let pairing = Pairing { read, single: true, computed: false, compared: true };
            let picked = super::sym::picked(&expected.taint);
            let taint = super::sym::join(&mut self.out.terms.guards, &desired.taint, &picked);
            let desired = Sym { taint, ..desired };
            self.write_shared(frame, done, write, &desired, Some(pairing), place)?;
            self.surround(frame, done, access, place)?;
        }
        Ok((old, done))
    }

    /// The paths of `guard` on which two values are equal; that they are defined is checked.
    fn matches(
        &mut self,
        frame: &Frame,
        guard: Guard,
        old: &Sym,
        expected: &Sym,
        place: Option<LocId>,
    ) -> Guard {
        let equal = self.out.terms.binary(BinaryOp::Eq, old.term, expected.term);
        if self.out.terms.constant(equal).is_none_or(|value| !value.is_defined()) {
            let kind = FindingKind::UndefinedUse("the comparison of a compare-and-swap".into());
            self.check(frame, guard, Wrong::Undefined(equal), kind, place);
        }
        self.matches_later(old, expected, guard)
    }

    fn matches_later(&mut self, old: &Sym, expected: &Sym, guard: Guard) -> Guard {
        let equal = self.out.terms.binary(BinaryOp::Eq, old.term, expected.term);
        let equal = self.out.terms.truth(equal);
        self.out.terms.guards.and(guard, equal)
    }

    /// The paths of `done` on which a weak compare-and-swap does not fail for no reason. A replay
    /// asks in every case, so a witness says it even where it is not allowed to fail.
    fn unless_spurious(&mut self, done: Guard, allowed: bool) -> Guard {
        let moment = self.moment(done);
        let spurious = self.spurious(Input::Spurious { moment, allowed });
        match allowed {
            true => {
                let proper = self.out.terms.guards.not(spurious);
                self.out.terms.guards.and(done, proper)
            }
            false => done,
        }
    }

    fn spurious(&mut self, input: Input) -> Guard {
        let (_, term) = self.out.terms.input(Width::BOOL);
        self.out.inputs.push(input);
        self.out.terms.truth(term)
    }

    /// A multi-word compare-and-swap is an atomic section of its own.
    fn mcas(
        &mut self,
        frame: &Frame,
        guard: Guard,
        words: &[McasWord],
        place: Option<LocId>,
    ) -> Result<Guard> {
        let guards = &mut self.out.terms.guards;
        let Some((section, depth)) = self.running.section.unique(guards, guard) else {
            return unsupported(place, "an atomic section that only some paths have entered");
        };
        if depth == 0 && self.concurrent {
            self.running.sections += 1;
            self.running.section_starts.push(self.sequence);
            let own = (Some(self.running.sections), 1);
            self.running.section.set(guards, guard, own);
        }
        self.next_instruction();
        let mut done = guard;
        let mut writes = Vec::new();
        for word in words {
            let target = self.target(frame, guard, &word.access.address, place)?;
            let expected = self.operand(frame, guard, &word.expected, place)?;
            let desired = self.operand(frame, guard, &word.desired, place)?;
            let (old, read) = self.read_word(frame, guard, &target, &word.access, place)?;
            let equal = self.matches(frame, guard, &old, &expected, place);
            done = self.out.terms.guards.and(done, equal);
            writes.push((target, &word.access, desired, read));
        }
        for (target, access, desired, read) in writes {
            match target {
                Target::Own(mut places) => {
                    self.keep_in_memory(frame, &places);
                    for (here, _) in &mut places {
                        *here = self.out.terms.guards.and(*here, done);
                    }
                    places.retain(|&(here, _)| here != Guard::FALSE);
                    self.write_own(frame, &places, access, desired, place);
                }
                Target::Shared(address) if done != Guard::FALSE => {
                    let orders = vec![(access.order, Guard::TRUE)];
                    let write = self.access(&address, access, Part::Write, orders, None);
                    let pairing =
                        |read| Pairing { read, single: true, computed: false, compared: true };
                    self.write_shared(frame, done, write, &desired, read.map(pairing), place)?;
                }
                Target::Shared(_) => {}
            }
        }
        self.running.section.set(&mut self.out.terms.guards, guard, (section, depth));
        Ok(done)
    }

    fn read_word(
        &mut self,
        frame: &Frame,
        guard: Guard,
        target: &Target,
        access: &op::Access,
        place: Option<LocId>,
    ) -> Result<(Sym, Option<ActionId>)> {
        match target {
            Target::Own(places) => Ok((self.read_own(frame, places, access, true, place), None)),
            Target::Shared(address) => {
                let orders = vec![(access.order, Guard::TRUE)];
                let read = self.access(address, access, Part::Read, orders, None);
                let (action, old) = self.read_shared(frame, guard, read, false, place)?;
                Ok((old, Some(action)))
            }
        }
    }

    /// An exclusive load makes the next exclusive store to its location possible.
    pub(super) fn reserve(
        &mut self,
        guard: Guard,
        load: ActionId,
        place: Option<LocId>,
    ) -> Result<()> {
        let guards = &mut self.out.terms.guards;
        let before = self.running.reserved.get(guards, guard);
        let instruction = self.running.instruction;
        let same = |id: ActionId| self.out.actions[id].instruction == instruction;
        if before.iter().filter_map(|seen| seen.value).any(same) {
            return unsupported(place, "an instruction with several exclusive loads");
        }
        self.running.reserved.set(&mut self.out.terms.guards, guard, Some(load));
        Ok(())
    }

    /// Gives the paths on which the store took place, and the store.
    fn store_exclusive(
        &mut self,
        frame: &Frame,
        guard: Guard,
        access: &op::Access,
        value: &Operand,
        place: Option<LocId>,
    ) -> Result<(Guard, Option<ActionId>)> {
        let target = self.target(frame, guard, &access.address, place)?;
        let value = self.operand(frame, guard, value, place)?;
        let address = match target {
            // No other write can have come between.
            Target::Own(places) => {
                self.keep_in_memory(frame, &places);
                self.write_own(frame, &places, access, value, place);
                return Ok((guard, None));
            }
            Target::Shared(address) => address,
        };
        let Some(reserved) = self.running.reserved.unique(&mut self.out.terms.guards, guard) else {
            return unsupported(place, "an exclusive store that several loads may belong to");
        };
        self.running.reserved.set(&mut self.out.terms.guards, guard, None);
        let Some(read) = reserved else { return Ok((Guard::FALSE, None)) };
        let ActionKind::Read { access: loaded, .. } = &self.out.actions[read].kind else {
            return unsupported(place, "an exclusive store without a load");
        };
        let (first, width) = (loaded.address, loaded.width);
        if width != access.width {
            // Whether such a pair may succeed is not defined; one that accesses other bytes fails.
            let at = |term| self.out.terms.constant(term).map(|value| value.low());
            let apart = match (at(first), at(address.term)) {
                (Some(a), Some(b)) => a + width.bytes() <= b || b + access.width.bytes() <= a,
                _ => false,
            };
            if !apart {
                let what = "a store-exclusive of another size than its load-exclusive";
                return unsupported(place, what);
            }
        }
        let same = self.out.terms.binary(BinaryOp::Eq, address.term, first);
        let same = self.out.terms.truth(same);
        let could = self.out.terms.guards.and(guard, same);
        let moment = self.moment(could);
        let spurious = self.spurious(Input::Exclusive { moment });
        let guards = &mut self.out.terms.guards;
        let proper = guards.not(spurious);
        let both = guards.and(same, proper);
        let done = guards.and(guard, both);
        if done != Guard::FALSE {
            self.start_instruction(frame, place);
            let orders = vec![(access.order, Guard::TRUE)];
            let write = self.access(&address, access, Part::Write, orders, None);
            let pairing = Pairing { read, single: false, computed: false, compared: false };
            let action = self.next_action();
            self.write_shared(frame, done, write, &value, Some(pairing), place)?;
            return Ok((done, Some(action)));
        }
        Ok((done, None))
    }
}
