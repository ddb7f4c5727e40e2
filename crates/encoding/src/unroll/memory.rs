//! Accesses to memory: to the thread's own at once, to shared memory as actions.
//!
//! Soundness S-090 (verify; weak; cries wolf): A read-modify-write or atomic section on a stack
//! object of one thread inside a loop, or a plain access to it next to a fence that orders some
//! pairs only, is not an access to memory, although the model may give it an order. Test:
//! crates/fencepost/tests/options.rs::own_objects_are_known_under_a_model_that_speaks_of_mfence_only.

use super::sym::read_of;
use super::{Calls, Effect, EffectKind, Frame, Result, Sym, Unroller, unsupported};
use crate::bounded::{
    Access, Action, ActionId, ActionKind, Alternatives, Input, Pairing, Taint, Taken, Wrong,
};
use crate::guard::Guard;
use crate::term::{Term, TermId};
use crate::values::evaluate::is_below;
use execution::finding::FindingKind;
use ir::locks::LockWord;
use ir::op::{self, Operand};
use ir::order::Order;
use ir::program::{LocId, Width};
use ir::step::alignment::Alignment;
use ir::tag::Tag;
use ir::value::Value;
use std::collections::HashMap;

/// This many addresses are distinguished in the initial part and in a thread's own objects.
const MAX_PLACES: usize = 64;

/// Where an access goes.
pub(super) enum Target {
    /// To memory that only this thread sees: each address, with the guard under which it is that.
    Own(Vec<(Guard, Value)>),
    /// To shared memory.
    Shared(Sym),
}

/// Which event of an access a tag is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Read,
    Write,
}

impl Unroller<'_> {
    /// Where an access goes, on the paths of `guard`.
    pub(super) fn target(
        &mut self,
        frame: &Frame,
        guard: Guard,
        address: &Operand,
        place: Option<LocId>,
    ) -> Result<Target> {
        let address = self.defined(frame, guard, address, "an address", place)?;
        let private = |this: &Self, value: &Value| {
            value.provenance.is_some_and(|region| this.is_private(region))
        };
        let known = match self.out.terms.constant(address.term) {
            Some(value) => Some(vec![value]),
            None => self.possible(address.term, &mut HashMap::new()),
        };
        match known {
            Some(values)
                if !self.concurrent
                    || !values.is_empty() && values.iter().all(|value| private(self, value)) =>
            {
                Ok(Target::Own(self.among(guard, address.term, values)))
            }
            None if !self.concurrent => {
                let Some(elements) = self.elements(address.term) else {
                    return unsupported(place, "an address with too many possible values");
                };
                let mut outside = guard;
                for value in &elements {
                    let equal = self.out.terms.equals(address.term, *value);
                    let other = self.out.terms.guards.not(equal);
                    outside = self.out.terms.guards.and(outside, other);
                }
                self.check(frame, outside, Wrong::Always, FindingKind::OutOfBounds, place);
                Ok(Target::Own(self.among(guard, address.term, elements)))
            }
            _ => {
                self.escape(address.term);
                Ok(Target::Shared(address))
            }
        }
    }

    /// These addresses, each with the paths of `guard` on which the term is that.
    fn among(&mut self, guard: Guard, address: TermId, values: Vec<Value>) -> Vec<(Guard, Value)> {
        let mut places = Vec::new();
        for value in values.into_iter().filter(Value::is_defined) {
            let equal = self.out.terms.equals(address, value);
            let here = self.out.terms.guards.and(guard, equal);
            if here != Guard::FALSE {
                places.push((here, value));
            }
        }
        places
    }

    /// All values of a term that does not depend on shared memory; `None` for any other, and for
    /// one with too many.
    pub(super) fn alternatives(&self, term: TermId) -> Option<Vec<Value>> {
        match self.out.terms.constant(term) {
            Some(value) => Some(vec![value]),
            None => {
                let values = self.possible(term, &mut HashMap::new())?;
                Some(values.into_iter().filter(Value::is_defined).collect())
            }
        }
    }

    /// All values of a term that depends on choices of the program only; `None` if it depends on
    /// what was read from shared memory, or has too many.
    fn possible(
        &self,
        id: TermId,
        known: &mut HashMap<TermId, Option<Vec<Value>>>,
    ) -> Option<Vec<Value>> {
        if let Some(values) = known.get(&id) {
            return values.clone();
        }
        let mut values = match *self.out.terms.term(id) {
            Term::Const(value) => Some(vec![value]),
            Term::Input(input) => match &self.out.inputs[input] {
                Input::Read(_) => None,
                Input::Spurious { .. } | Input::Exclusive { .. } | Input::Stays { .. } => {
                    Some(vec![Value::bool(false), Value::bool(true)])
                }
                Input::Choice { from: Alternatives::Range(low, high), .. } => {
                    let width = self.out.terms.width(id);
                    let few = (*high - *low) < MAX_PLACES as i128;
                    few.then(|| (*low..=*high).map(|n| Value::signed(width, n)).collect())
                }
                Input::Choice { from: Alternatives::Terms(terms), .. } => {
                    let mut all = Vec::new();
                    for &term in terms {
                        all.extend(self.possible(term, known)?);
                    }
                    Some(all)
                }
                Input::Choice { from: Alternatives::Any, .. } => None,
            },
            Term::Unary(op, a) => {
                self.possible(a, known).map(|a| a.into_iter().map(|a| a.unary(op)).collect())
            }
            Term::Cast(op, width, a) => {
                self.possible(a, known).map(|a| a.into_iter().map(|a| a.cast(op, width)).collect())
            }
            Term::Below(a, end) => {
                let values = self.possible(a, known);
                values.map(|all| all.into_iter().filter(|v| is_below(v, end)).collect())
            }
            Term::Binary(op, a, b) => {
                let (a, b) = (self.possible(a, known)?, self.possible(b, known)?);
                let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (*a, *b)));
                Some(pairs.filter_map(|(a, b)| a.binary(op, b).ok()).collect())
            }
            Term::Select(_, a, b) | Term::Ite(_, a, b) => {
                let mut all = self.possible(a, known)?;
                all.extend(self.possible(b, known)?);
                Some(all)
            }
        };
        if let Some(values) = &mut values {
            let mut seen = std::collections::HashSet::new();
            values.retain(|value| seen.insert(*value));
        }
        let values = values.filter(|values| values.len() <= MAX_PLACES);
        known.insert(id, values.clone());
        values
    }

    /// Checks an access to the thread's own memory; gives the paths on which it is right.
    fn check_own(
        &mut self,
        frame: &Frame,
        (here, address): (Guard, Value),
        access: &op::Access,
        write: bool,
        place: Option<LocId>,
    ) -> Guard {
        let alignment = Alignment::of(access.width, access.order.is_atomic(), access.align);
        if let Some(kind) = self.out.wrong_access(&address, access.width, write, alignment) {
            self.check(frame, here, Wrong::Always, kind, place);
            return Guard::FALSE;
        }
        let Some(region) = address.provenance else { return Guard::FALSE };
        self.touch(region, write, access.purpose.is_lock_word(), here);
        self.keep_access_in_memory(frame, (here, address), access, write);
        let kind = self.out.used_after_end(region);
        let freed = self.out.regions[region].freed;
        let dead = self.out.terms.guards.and(here, freed);
        if dead != Guard::FALSE {
            self.check(frame, dead, Wrong::Always, kind, place);
        }
        let alive = self.out.terms.guards.not(freed);
        self.out.terms.guards.and(here, alive)
    }

    /// Reads the thread's own memory.
    pub(super) fn read_own(
        &mut self,
        frame: &Frame,
        places: &[(Guard, Value)],
        access: &op::Access,
        write: bool,
        place: Option<LocId>,
    ) -> Sym {
        let mut result: Option<Sym> = None;
        for &(here, address) in places {
            let right = self.check_own(frame, (here, address), access, write, place);
            if right == Guard::FALSE {
                continue;
            }
            let cell = (address.low(), access.width);
            let regions = &self.out.regions;
            let untouched = |address: u64, width: Width| contents(regions, address, width);
            let value = self.store.read(&mut self.out.terms, right, cell, &untouched);
            let value = self.of_running_thread(value);
            result = Some(match result {
                None => value,
                Some(other) => {
                    let term = self.out.terms.ite(right, value.term, other.term);
                    value.joined(&other, term, &mut self.out.terms)
                }
            });
        }
        let undefined = self.constant(Value::undef(access.width));
        result.unwrap_or_else(|| undefined.into())
    }

    /// Writes the thread's own memory.
    pub(super) fn write_own(
        &mut self,
        frame: &Frame,
        places: &[(Guard, Value)],
        access: &op::Access,
        value: Sym,
        place: Option<LocId>,
    ) {
        for &(here, address) in places {
            let right = self.check_own(frame, (here, address), access, true, place);
            if right == Guard::FALSE {
                continue;
            }
            let own = address.provenance.is_some_and(|region| self.is_private(region));
            if !own {
                self.escape(value.term);
            }
            if !self.concurrent
                && let Some(word) = self.taken_word(access, value.term)
            {
                let origin = frame.origin(place);
                let guards = &mut self.out.terms.guards;
                let taken = self.out.taken.entry(address.low());
                let taken =
                    taken.or_insert(Taken { guard: Guard::FALSE, origin: origin.clone(), word });
                *taken = Taken { guard: guards.or(taken.guard, right), origin, word };
                // Whether it is held in the end is asked of objects in memory.
                if word == LockWord::Owner {
                    self.outlive(address);
                }
            }
            let cell = (address.low(), access.width);
            let regions = &self.out.regions;
            let untouched = |address: u64, width: Width| contents(regions, address, width);
            self.store.write(&mut self.out.terms, right, cell, value.clone(), &untouched);
        }
    }

    /// What the word of a lock says that a write may take.
    fn taken_word(&self, access: &op::Access, value: TermId) -> Option<LockWord> {
        let free = self.out.terms.constant(value).is_some_and(|value| value.is_zero());
        access.purpose.lock_word().filter(|_| !free)
    }

    /// The access of one event.
    pub(super) fn access(
        &mut self,
        address: &Sym,
        access: &op::Access,
        part: Part,
        orders: Vec<(Order, Guard)>,
        success: Option<Guard>,
    ) -> Access {
        let (mut tags, mut sides) = (Vec::new(), Vec::new());
        for tag in &access.tags {
            let (annotation, guard) = match (tag, part) {
                (Tag::Both(annotation), _)
                | (Tag::Read(annotation), Part::Read)
                | (Tag::Write(annotation), Part::Write) => (annotation, Guard::TRUE),
                (Tag::Success(annotation), Part::Read) => {
                    (annotation, success.unwrap_or(Guard::TRUE))
                }
                (Tag::Failure(annotation), Part::Read) => {
                    let success = success.unwrap_or(Guard::TRUE);
                    (annotation, self.out.terms.guards.not(success))
                }
                (Tag::Side(side), _) => {
                    sides.push(*side);
                    continue;
                }
                (Tag::Read(_) | Tag::Write(_) | Tag::Success(_) | Tag::Failure(_), _) => continue,
                (Tag::Around(_) | Tag::Mark, _) => continue,
            };
            if guard != Guard::FALSE {
                tags.push((annotation.clone(), guard));
            }
        }
        let atomic = orders.iter().any(|(order, _)| order.is_atomic());
        Access {
            address: address.term,
            width: access.width,
            alignment: Alignment::of(access.width, atomic, access.align),
            orders,
            tags,
            sides,
            path: access.path.as_deref().map(Into::into),
            purpose: access.purpose,
            taint: self.tracked(&address.taint),
        }
    }

    pub(super) fn tracked(&self, taint: &Taint) -> Taint {
        if self.options.dependencies { taint.clone() } else { Taint::default() }
    }

    /// A read of shared memory.
    pub(super) fn read_shared(
        &mut self,
        frame: &Frame,
        guard: Guard,
        access: Access,
        exclusive: bool,
        place: Option<LocId>,
    ) -> Result<(ActionId, Sym)> {
        let known = self.never_written(&access, guard);
        let (into, term) = self.out.terms.input(access.width);
        let term = known.unwrap_or(term);
        self.out.inputs.push(Input::Read(self.next_action()));
        let action = self.act(frame, guard, ActionKind::Read { access, into, exclusive }, place)?;
        let taint = if self.options.dependencies { read_of(action) } else { Taint::default() };
        Ok((action, Sym { term, taint }))
    }

    /// What a read returns if no thread writes there while threads run.
    fn never_written(&mut self, access: &Access, guard: Guard) -> Option<TermId> {
        let Calls::NeverWritten(written) = &self.options.calls else { return None };
        let address = self.out.terms.constant(access.address)?;
        let (at, width) = (address.low(), access.width);
        let end = at.saturating_add(width.bytes());
        let right = self.out.wrong_access(&address, width, false, access.alignment).is_none();
        let known = end <= self.out.before_threads
            && !written.iter().any(|&(from, to)| from < end && at < to);
        if !right || !known {
            return None;
        }
        let regions = &self.out.regions;
        let untouched = |address: u64, width: Width| contents(regions, address, width);
        Some(self.store.read(&mut self.out.terms, guard, (at, width), &untouched).term)
    }

    /// A write to shared memory.
    pub(super) fn write_shared(
        &mut self,
        frame: &Frame,
        guard: Guard,
        access: Access,
        value: &Sym,
        rmw: Option<Pairing>,
        place: Option<LocId>,
    ) -> Result<()> {
        self.escape(value.term);
        let data = self.tracked(&value.taint);
        let old = rmw.and_then(|pairing| match self.out.actions[pairing.read].kind {
            ActionKind::Read { into, .. } => Some(self.out.terms.input_term(into)),
            _ => None,
        });
        let kind = match old {
            _ if self.is_polled(&access) => {
                let (address, action) = (access.address, self.next_action());
                EffectKind::Lock { address, takes: rmw.is_some(), action }
            }
            Some(old) => EffectKind::Update { old, new: value.term },
            None => EffectKind::Seen,
        };
        self.running.effects.push(Effect { guard, kind });
        let kind = ActionKind::Write { access, value: value.term, data, rmw };
        self.act(frame, guard, kind, place)?;
        Ok(())
    }

    /// Whether an access is one of the word of a mutex, if that is asked for.
    fn is_polled(&self, access: &Access) -> bool {
        self.options.reduce_polling && access.purpose.is_mutex_word()
    }

    /// Starts the next instruction of the running thread.
    pub(super) fn next_instruction(&mut self) {
        self.running.instruction += 1;
    }

    /// The same, unless what comes now belongs to the machine instruction before.
    pub(super) fn start_instruction(&mut self, frame: &Frame, place: Option<LocId>) {
        let here = place.map(|place| (place, frame.block, frame.next));
        let last = std::mem::replace(&mut self.running.last_place, here);
        let same = match (last, here) {
            (Some(last), Some(here)) => (last.0, last.1) == (here.0, here.1) && last.2 < here.2,
            _ => false,
        };
        if !(same && self.options.merges) {
            self.next_instruction();
        }
    }

    /// Records an action.
    pub(super) fn act(
        &mut self,
        frame: &Frame,
        guard: Guard,
        kind: ActionKind,
        place: Option<LocId>,
    ) -> Result<ActionId> {
        if self.out.actions.len() >= self.options.max_actions {
            let what = format!("more than {} accesses to shared memory", self.options.max_actions);
            return unsupported(place, what);
        }
        let guards = &mut self.out.terms.guards;
        let Some((section, _)) = self.running.section.unique(guards, guard) else {
            return unsupported(place, "an atomic section that only some paths have entered");
        };
        let Some(operation) = self.running.operation.unique(guards, guard) else {
            return unsupported(place, "an operation that only some paths have begun");
        };
        let sequence = self.moment(guard).sequence;
        let control = self.control(frame);
        let id = self.out.actions.push(Action {
            thread: self.running.thread,
            guard,
            kind,
            sequence,
            instruction: self.running.instruction,
            section,
            operation,
            control,
            origin: frame.origin(place),
        });
        self.out.threads[self.running.thread].actions.push(id);
        Ok(id)
    }
}

/// What an object holds where nothing was written.
fn contents(
    regions: &execution::ids::IdVec<ir::value::RegionId, crate::bounded::Region>,
    address: u64,
    width: Width,
) -> Value {
    match crate::bounded::region_at(regions, address) {
        Some(region) => regions[region].initially(address, width),
        None => Value::undef(width),
    }
}
