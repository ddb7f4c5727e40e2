//! How far each thread comes, and which of its actions take place.
//!
//! A thread is alive up to some point. It stops where something is wrong, where an assumption
//! fails, where it awaits a thread that does not end, and before any other access or atomic section
//! that the solver likes; an execution is complete if nothing of this happened. No thread stops
//! inside an atomic section: one whose assumption fails is not entered. An action takes place if
//! its path is taken and its thread is alive.

use crate::bounded::{Access, ActionId, ActionKind, Assumption, Check, Moment, RegionKind, Wrong};
use crate::encode::questions::stuck::Stuck;
use crate::encode::{Builder, Cell, Finding, Scope};
use crate::guard::Guard;
use crate::parts::Part;
use crate::term::TermId;
use crate::unroll::{Unsupported, in_time};
use crate::values::places::{Addresses, Places};
use execution::event::ThreadId;
use execution::ids::{Id, IdVec};
use ir::program::LocId;
use ir::step::alignment::Alignment;
use ir::step::finding::FindingKind;
use ir::value::{RegionId, Value};
use sat::Lit;
use std::collections::HashMap;

/// How far threads come.
#[derive(Debug, Default)]
pub(crate) struct Lives {
    /// Whether each action takes place.
    pub(crate) exec: IdVec<ActionId, Lit>,
    /// Whether a read sees an object that is gone, and what is wrong with it then; only for reads
    /// that may.
    pub(crate) freed: HashMap<ActionId, Vec<(FindingKind, Lit)>>,
    /// What must hold if the execution is complete: the solver's choices to let threads go on, and
    /// that no assumption fails.
    pub(crate) go: Vec<Lit>,
    /// Where threads may wait for ever.
    pub(crate) stuck: Vec<Stuck>,
    /// By thread: how alive it is from each sequence number on.
    alive: IdVec<ThreadId, Vec<(u32, Lit)>>,
}

impl Lives {
    /// Whether a thread is alive at a moment.
    pub(crate) fn at(&self, moment: &Moment) -> Lit {
        let alive = &self.alive[moment.thread];
        let later = alive.partition_point(|&(sequence, _)| sequence <= moment.sequence);
        later.checked_sub(1).map_or(Lit::TRUE, |index| alive[index].1)
    }

    /// Whether a thread comes to its end.
    pub(crate) fn to_the_end(&self, thread: ThreadId) -> Lit {
        self.alive[thread].last().map_or(Lit::TRUE, |&(_, lit)| lit)
    }
}

/// What may stop a thread, besides its accesses.
enum Item {
    Check(usize),
    Assumption(usize),
    Action(ActionId),
}

/// Where the solver may stop a thread.
struct Gate {
    /// Its choice to let the thread go on.
    go: Lit,
    /// The instruction or the section that is behind it.
    instruction: Option<u32>,
    section: Option<u32>,
    /// The operation, if operations are units.
    operation: Option<u32>,
    /// The paths on which the thread has passed.
    passed: Vec<Guard>,
}

impl Builder {
    /// Decides how far each thread comes.
    pub(crate) fn lives(&mut self) -> Result<Lives, Unsupported> {
        let threads = self.bounded.threads.len();
        let mut lives = Lives {
            exec: self.bounded.actions.iter().map(|_| Lit::FALSE).collect(),
            alive: (0..threads).map(|_| Vec::new()).collect(),
            ..Lives::default()
        };
        let mut items: IdVec<ThreadId, Vec<(u32, Item)>> =
            (0..threads).map(|_| Vec::new()).collect();
        for (index, check) in self.bounded.checks.iter().enumerate() {
            items[check.moment.thread].push((check.moment.sequence, Item::Check(index)));
        }
        for (index, assumption) in self.bounded.assumptions.iter().enumerate() {
            let moment = assumption.moment;
            items[moment.thread].push((moment.sequence, Item::Assumption(index)));
        }
        for (id, action) in self.bounded.actions.enumerate() {
            items[action.thread].push((action.sequence, Item::Action(id)));
        }
        for list in items.iter_mut() {
            list.sort_by_key(|&(sequence, _)| sequence);
        }
        if self.scope == Scope::Waiting {
            lives.stuck = self.may_be_stuck()?;
        }
        // Whoever starts a thread has a smaller number, but may await it.
        let roots: Vec<ThreadId> = self
            .bounded
            .threads
            .enumerate()
            .filter(|(_, t)| t.parent.is_none())
            .map(|(id, _)| id)
            .collect();
        for thread in roots {
            self.live(&mut lives, &items, thread, Lit::TRUE)?;
        }
        Ok(lives)
    }

    fn live(
        &mut self,
        lives: &mut Lives,
        items: &IdVec<ThreadId, Vec<(u32, Item)>>,
        thread: ThreadId,
        start: Lit,
    ) -> Result<(), Unsupported> {
        let mut alive = start;
        lives.alive[thread].push((0, alive));
        let mut gate = None;
        // Whether the thread has read from an object that is gone.
        let mut freed = Lit::FALSE;
        for (sequence, item) in &items[thread] {
            in_time(self.formula.limits())?;
            let before = alive;
            alive = self.pass(lives, &mut gate, item, alive);
            if alive != before {
                // The moment itself is still before the stop.
                lives.alive[thread].push((*sequence, alive));
            }
            let before = alive;
            match item {
                Item::Check(index) => alive = self.checked(*index, alive, freed),
                Item::Assumption(index) => alive = self.assumed(lives, *index, alive),
                Item::Action(id) => {
                    alive = self.act(lives, items, *id, alive)?;
                    for &(_, here) in lives.freed.get(id).into_iter().flatten() {
                        freed = self.formula.or(&[freed, here]);
                    }
                }
            }
            if alive != before {
                lives.alive[thread].push((*sequence + 1, alive));
            }
        }
        Ok(())
    }

    /// Lets the solver stop a thread before an access, or before the atomic section that something
    /// is in (or the operation, if the model has them as units); gives whether the thread is still alive.
    fn pass(&mut self, lives: &mut Lives, gate: &mut Option<Gate>, item: &Item, alive: Lit) -> Lit {
        let (instruction, section, operation, guard) = match item {
            Item::Action(id) => {
                let action = &self.bounded.actions[*id];
                match action.kind {
                    ActionKind::Read { .. }
                    | ActionKind::Write { .. }
                    | ActionKind::Free { .. }
                    | ActionKind::End(_) => {}
                    // Nobody notices these if no access follows.
                    _ => return alive,
                }
                let operation = action.operation.filter(|_| self.whole_operations);
                (Some(action.instruction), action.section, operation, action.guard)
            }
            Item::Assumption(index) => {
                let Assumption { moment, section, operation, .. } =
                    &self.bounded.assumptions[*index];
                let operation = operation.filter(|_| self.whole_operations);
                (None, *section, operation, moment.guard)
            }
            Item::Check(_) => return alive,
        };
        let alone = section.is_none() && operation.is_none();
        if !self.scope.is_every() || instruction.is_none() && alone {
            return alive;
        }
        // The accesses of one instruction, and all that is in one section, take place together.
        let open = gate.take().filter(|open| match (operation, section) {
            (Some(_), _) => open.operation == operation,
            (None, Some(_)) => open.section == section,
            (None, None) => open.instruction == instruction && open.section.is_none(),
        });
        let Gate { go, passed, .. } = open.unwrap_or_else(|| {
            let go = self.formula.fresh();
            lives.go.push(go);
            Gate { go, instruction, section, operation, passed: Vec::new() }
        });
        let known = passed.iter().any(|&earlier| self.unrolled.paths.implies(guard, earlier));
        let passed = passed.into_iter().chain([guard]).collect();
        *gate = Some(Gate { go, instruction, section, operation, passed });
        if known {
            return alive;
        }
        let here = self.guard(guard);
        let stops = self.formula.and(&[here, !go]);
        self.formula.and(&[alive, !stops])
    }

    /// An action of a thread that is alive before it; gives whether it is after it.
    fn act(
        &mut self,
        lives: &mut Lives,
        items: &IdVec<ThreadId, Vec<(u32, Item)>>,
        id: ActionId,
        alive: Lit,
    ) -> Result<Lit, Unsupported> {
        let action = self.bounded.actions[id].clone();
        let guard = self.guard(action.guard);
        let attempt = self.formula.and(&[guard, alive]);
        let (exec, alive) = match &action.kind {
            ActionKind::Read { access, .. } => {
                let (exec, mut alive) = self.reach(id, access, false, (attempt, alive))?;
                let exec = self.unless_own(lives, id, exec)?;
                for kind in self.may_be_gone(access) {
                    let freed = self.formula.fresh();
                    self.formula.implies(freed, exec);
                    lives.freed.entry(id).or_default().push((kind.clone(), freed));
                    // What a plain load returns is nothing defined, and its thread goes on: it may
                    // be a later store of its own that let the object come to its end.
                    let stops = self.unrolled.updates.contains(&id);
                    self.find_at(id, freed, kind, stops);
                    if stops {
                        alive = self.unless(alive, freed);
                    }
                }
                (exec, alive)
            }
            ActionKind::Write { access, .. } => {
                let (exec, alive) = self.reach(id, access, true, (attempt, alive))?;
                (self.unless_stuck(lives, &action, exec), alive)
            }
            ActionKind::Fence(_) | ActionKind::Allocate { .. } => (attempt, alive),
            ActionKind::End(_) => (self.unless_stuck(lives, &action, attempt), alive),
            ActionKind::Free { address, .. } => self.reach_block(id, *address, (attempt, alive))?,
            ActionKind::Spawn(child) => {
                self.live(lives, items, *child, attempt)?;
                (attempt, alive)
            }
            ActionKind::Join(child) => {
                let ended = self.bounded.threads[*child].ended;
                let ended = self.guard(ended);
                let all = [attempt, ended, lives.to_the_end(*child)];
                let exec = self.formula.and(&all);
                let waits = self.formula.and(&[attempt, !exec]);
                if self.scope == Scope::Complete {
                    self.formula.clause(&[!waits]);
                }
                let on = match self.scope {
                    Scope::Complete => alive,
                    Scope::Every | Scope::Waiting => self.formula.and(&[alive, !waits]),
                };
                (exec, on)
            }
        };
        lives.exec[id] = exec;
        Ok(alive)
    }

    /// An access takes place if its address is right.
    fn reach(
        &mut self,
        id: ActionId,
        access: &Access,
        write: bool,
        (attempt, alive): (Lit, Lit),
    ) -> Result<(Lit, Lit), Unsupported> {
        let place = self.bounded.actions[id].origin.place;
        let (elements, listed) = self.elements(access, place)?;
        let mut alive = alive;
        let mut exec = attempt;
        if !listed {
            // Everything else is outside of the objects.
            let inside: Vec<Lit> = elements.iter().map(|v| self.is(access.address, v)).collect();
            let inside = self.formula.or(&inside);
            let undefined = self.values.undefined(&mut self.formula, access.address);
            let wrong = self.formula.and(&[attempt, !inside, !undefined]);
            self.find_at(id, wrong, FindingKind::OutOfBounds, true);
            exec = self.unless(exec, wrong);
            alive = self.unless(alive, wrong);
        }
        for value in elements {
            let kind = self.bounded.wrong_access(&value, access.width, write, access.alignment);
            let dead = match (&kind, value.provenance) {
                (None, Some(region)) => self.bounded.regions[region].freed,
                _ => Guard::TRUE,
            };
            if dead == Guard::FALSE {
                continue;
            }
            let gone = || value.provenance.map(|region| self.bounded.used_after_end(region));
            let kind = kind.or_else(gone).unwrap_or(FindingKind::UseAfterFree);
            let is = self.is(access.address, &value);
            let dead = self.guard(dead);
            let wrong = self.formula.and(&[attempt, is, dead]);
            if wrong == Lit::FALSE {
                continue;
            }
            self.find_at(id, wrong, kind, true);
            exec = self.unless(exec, wrong);
            alive = self.unless(alive, wrong);
        }
        Ok((exec, alive))
    }

    /// `lit`, unless something is wrong; where nothing may be, that is `lit`.
    fn unless(&mut self, lit: Lit, wrong: Lit) -> Lit {
        match self.scope.is_every() {
            true => self.formula.and(&[lit, !wrong]),
            false => lit,
        }
    }

    /// A `free` takes place if what it frees is a block; freeing null is nothing.
    fn reach_block(
        &mut self,
        id: ActionId,
        address: TermId,
        (attempt, alive): (Lit, Lit),
    ) -> Result<(Lit, Lit), Unsupported> {
        let place = self.bounded.actions[id].origin.place;
        let mut alive = alive;
        let mut exec = attempt;
        for value in self.addresses(address, place)? {
            let is = self.is(address, &value);
            if value.is_zero() {
                exec = self.formula.and(&[exec, !is]);
                continue;
            }
            let kind = self.bounded.wrong_free(&value);
            let dead = match (&kind, value.provenance) {
                (None, Some(region)) => self.guard(self.bounded.regions[region].freed),
                _ => Lit::TRUE,
            };
            let wrong = self.formula.and(&[attempt, is, dead]);
            if wrong == Lit::FALSE {
                continue;
            }
            self.find_at(id, wrong, kind.unwrap_or(FindingKind::DoubleFree), true);
            exec = self.unless(exec, wrong);
            alive = self.unless(alive, wrong);
        }
        Ok((exec, alive))
    }

    /// The values that the address of an access may have, and whether these are all. If they are
    /// too many to list, these are the ones inside of objects; the others are outside of an object
    /// that they point to.
    pub(crate) fn elements(
        &self,
        access: &Access,
        place: Option<LocId>,
    ) -> Result<(Vec<Value>, bool), Unsupported> {
        let sets = self.values.sets();
        let set = sets.of(&self.bounded, access.address);
        let Some(shape) = set.shape().filter(|_| set.few().is_none()) else {
            return Ok((self.addresses(access.address, place)?, true));
        };
        let points = |region: &Option<RegionId>| match region {
            Some(region) => !matches!(self.bounded.regions[*region].kind, RegionKind::Function(_)),
            None => false,
        };
        // Those that are not aligned are wrong in their own way.
        let any = Access { alignment: Alignment::NONE, ..access.clone() };
        match Places::of_term(&self.bounded, sets, &any).right {
            Addresses::These(list) if shape.provenance.iter().all(points) => {
                let pointer = |at: u64| {
                    let region = self.bounded.region_at(at)?;
                    Some(Value::pointer(region, at)).filter(|value| shape.contains(value))
                };
                Ok((list.into_iter().filter_map(pointer).collect(), false))
            }
            _ => Err(Unsupported::new("an address with too many possible values", place)),
        }
    }

    /// The values that an address may have.
    pub(crate) fn addresses(
        &self,
        address: TermId,
        place: Option<LocId>,
    ) -> Result<Vec<Value>, Unsupported> {
        // An undefined address is found by a check of its own.
        match self.values.elements(address) {
            Some(values) => Ok(values.into_iter().filter(Value::is_defined).collect()),
            None => Err(Unsupported::new("an address with too many possible values", place)),
        }
    }

    /// A check of a thread that is alive before it; gives whether it is after it. What follows a
    /// read from an object that is gone is only its consequence, and is not told.
    fn checked(&mut self, index: usize, alive: Lit, freed: Lit) -> Lit {
        let Check { moment, wrong, kind, origin, section } = self.bounded.checks[index].clone();
        let guard = self.guard(moment.guard);
        let wrong = match wrong {
            Wrong::Always => Lit::TRUE,
            Wrong::Zero(term) => !self.truth(term),
            Wrong::Undefined(term) => self.values.undefined(&mut self.formula, term),
            Wrong::Division(op, a, b) => self.values.division_fails(&mut self.formula, op, a, b),
            Wrong::Overflow(right, operands) => {
                let right = self.truth(right);
                let [a, b] = operands.map(|term| self.values.undefined(&mut self.formula, term));
                self.formula.and(&[!right, !a, !b])
            }
        };
        let stops = self.formula.and(&[guard, alive, wrong]);
        if stops == Lit::FALSE {
            return alive;
        }
        let thread = moment.thread;
        let wrong = match self.consequences {
            true => stops,
            false => self.formula.and(&[stops, !freed]),
        };
        let (action, stops_here) = (None, true);
        self.find(Finding { kind, thread, origin, action, wrong, stops: stops_here, section });
        self.unless(alive, stops)
    }

    /// An assumption of a thread that is alive before it; gives whether it is after it.
    fn assumed(&mut self, lives: &mut Lives, index: usize, alive: Lit) -> Lit {
        let Assumption { moment, condition, section, operation, .. } =
            self.bounded.assumptions[index].clone();
        let guard = self.guard(moment.guard);
        let holds = match condition {
            Some(term) => self.truth(term),
            None => Lit::FALSE,
        };
        let stuck = lives.stuck.iter().find(|stuck| stuck.assumption == Some(index));
        if let Some(&Stuck { lit, .. }) = stuck {
            self.formula.clause(&[!guard, !alive, holds, lit]);
            for must in [guard, alive, !holds] {
                self.formula.implies(lit, must);
            }
            return self.formula.and(&[alive, !lit]);
        }
        let whole = section.is_some() || self.whole_operations && operation.is_some();
        if whole || !self.scope.is_every() {
            self.formula.clause(&[!guard, !alive, holds]);
            return alive;
        }
        let fails = self.formula.and(&[guard, alive, !holds]);
        lives.go.push(!fails);
        self.formula.and(&[alive, !fails])
    }

    pub(crate) fn guard(&mut self, guard: Guard) -> Lit {
        self.values.guard(&mut self.formula, guard)
    }

    fn truth(&mut self, term: TermId) -> Lit {
        self.values.truth(&mut self.formula, term)
    }

    pub(crate) fn is(&mut self, term: TermId, value: &Value) -> Lit {
        self.values.is(&mut self.formula, term, value)
    }

    /// The literals of the bounds: whether each is gone beyond.
    pub(crate) fn bound_hits(&mut self, lives: &Lives) -> Vec<Lit> {
        let mut hits = Vec::new();
        for index in 0..self.bounded.bounds.len() {
            let moment = self.bounded.bounds[index].moment;
            let guard = self.guard(moment.guard);
            let hit = self.formula.and(&[guard, lives.at(&moment)]);
            if !self.scope.is_every() {
                self.formula.clause(&[!hit]);
            }
            hits.push(hit);
        }
        hits
    }

    /// Where operations are units, nothing goes wrong after one that has gone beyond a bound.
    pub(crate) fn one_unfinished_operation(&mut self, bounds: &[Lit]) {
        if !self.whole_operations || !self.scope.is_every() {
            return;
        }
        for finding in &self.findings {
            for &hit in bounds {
                self.formula.clause(&[!finding.wrong, !hit]);
            }
        }
    }

    /// The literal that is true iff every thread comes to its end and nothing is wrong.
    pub(crate) fn completeness(&mut self, lives: &Lives, bounds: &[Lit]) -> Lit {
        let wrong = self.findings.iter().map(|finding| !finding.wrong);
        let all: Vec<Lit> =
            lives.go.iter().copied().chain(bounds.iter().map(|&b| !b)).chain(wrong).collect();
        self.formula.and(&all)
    }

    /// The cells that a part of an access may be at, each with the literal that says so.
    pub(crate) fn cells_of(
        &mut self,
        access: &Access,
        part: Part,
        place: Option<LocId>,
    ) -> Result<Vec<(Cell, Lit)>, Unsupported> {
        let mut cells: Vec<(Cell, Lit)> = Vec::new();
        for value in self.elements(access, place)?.0 {
            let address = value.low().wrapping_add(part.byte);
            let cell = Cell { address, width: part.width };
            if self.unrolled.cells.contains_key(&cell) {
                let is = self.is(access.address, &value);
                match cells.iter_mut().find(|(other, _)| *other == cell) {
                    Some((_, lit)) => *lit = self.formula.or(&[*lit, is]),
                    None => cells.push((cell, is)),
                }
            }
        }
        Ok(cells)
    }
}

/// The number of a thread.
pub(crate) fn number(thread: ThreadId) -> u32 {
    thread.index() as u32
}
