//! How far each thread comes, and which of its actions take place.
//!
//! A thread is alive up to some point. It stops where something is wrong, where an assumption
//! fails, where it awaits a thread that does not end, and before any other access or atomic section
//! that the solver likes; an execution is complete if nothing of this happened. No thread stops
//! inside an atomic section: one whose assumption fails is not entered. An action takes place if
//! its path is taken and its thread is alive.

use super::lifetimes;
use crate::bounded::{Access, ActionId, ActionKind, Assumption, Check, Moment, Wrong};
use crate::encode::clauses::Clauses;
use crate::encode::questions::stuck::{self, Stuck};
use crate::encode::{Finding, Scope};
use crate::guard::Guard;
use crate::term::TermId;
use crate::unroll::{Unsupported, in_time};
use execution::event::ThreadId;
use execution::finding::FindingKind;
use execution::ids::{Id, IdVec};
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

    /// Whether a thread terminates.
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
    /// The instruction or the section that is after it.
    instruction: Option<u32>,
    section: Option<u32>,
    /// The operation, if operations are units.
    operation: Option<u32>,
    /// The paths on which the thread has passed.
    passed: Vec<Guard>,
}

/// Decides how far each thread comes.
pub(crate) fn lives(clauses: &mut Clauses) -> Result<Lives, Unsupported> {
    ThreadLives { clauses }.lives()
}

/// The stage.
struct ThreadLives<'a> {
    clauses: &'a mut Clauses,
}

impl ThreadLives<'_> {
    fn lives(mut self) -> Result<Lives, Unsupported> {
        let threads = self.clauses.bounded.threads.len();
        let mut lives = Lives {
            exec: self.clauses.bounded.actions.iter().map(|_| Lit::FALSE).collect(),
            alive: (0..threads).map(|_| Vec::new()).collect(),
            ..Lives::default()
        };
        let mut items: IdVec<ThreadId, Vec<(u32, Item)>> =
            (0..threads).map(|_| Vec::new()).collect();
        for (index, check) in self.clauses.bounded.checks.iter().enumerate() {
            items[check.moment.thread].push((check.moment.sequence, Item::Check(index)));
        }
        for (index, assumption) in self.clauses.bounded.assumptions.iter().enumerate() {
            let moment = assumption.moment;
            items[moment.thread].push((moment.sequence, Item::Assumption(index)));
        }
        for (id, action) in self.clauses.bounded.actions.enumerate() {
            items[action.thread].push((action.sequence, Item::Action(id)));
        }
        for list in items.iter_mut() {
            list.sort_by_key(|&(sequence, _)| sequence);
        }
        if self.clauses.scope == Scope::Waiting {
            lives.stuck = stuck::may_be_stuck(self.clauses)?;
        }
        // The thread that starts a thread has a smaller number, but may await it.
        let roots: Vec<ThreadId> = self
            .clauses
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
            in_time(self.clauses.formula.limits())?;
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
                        freed = self.clauses.formula.or(&[freed, here]);
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
    /// is in (or the operation, if the model has them as units); gives whether the thread is still
    /// alive.
    fn pass(&mut self, lives: &mut Lives, gate: &mut Option<Gate>, item: &Item, alive: Lit) -> Lit {
        let (instruction, section, operation, guard) = match item {
            Item::Action(id) => {
                let action = &self.clauses.bounded.actions[*id];
                match action.kind {
                    ActionKind::Read { .. }
                    | ActionKind::Write { .. }
                    | ActionKind::Free { .. }
                    | ActionKind::End(_) => {}
                    // They are not noticed if no access follows.
                    _ => return alive,
                }
                let operation = action.operation.filter(|_| self.clauses.whole_operations);
                (Some(action.instruction), action.section, operation, action.guard)
            }
            Item::Assumption(index) => {
                let Assumption { moment, section, operation, .. } =
                    &self.clauses.bounded.assumptions[*index];
                let operation = operation.filter(|_| self.clauses.whole_operations);
                (None, *section, operation, moment.guard)
            }
            Item::Check(_) => return alive,
        };
        let alone = section.is_none() && operation.is_none();
        if !self.clauses.scope.is_every() || instruction.is_none() && alone {
            return alive;
        }
        // The accesses of one instruction, and all that is in one section, take place together.
        let open = gate.take().filter(|open| match (operation, section) {
            (Some(_), _) => open.operation == operation,
            (None, Some(_)) => open.section == section,
            (None, None) => open.instruction == instruction && open.section.is_none(),
        });
        let Gate { go, passed, .. } = open.unwrap_or_else(|| {
            let go = self.clauses.formula.fresh();
            lives.go.push(go);
            Gate { go, instruction, section, operation, passed: Vec::new() }
        });
        let known =
            passed.iter().any(|&earlier| self.clauses.unrolled.paths.implies(guard, earlier));
        let passed = passed.into_iter().chain([guard]).collect();
        *gate = Some(Gate { go, instruction, section, operation, passed });
        if known {
            return alive;
        }
        let here = self.clauses.guard(guard);
        let stops = self.clauses.formula.and(&[here, !go]);
        self.clauses.formula.and(&[alive, !stops])
    }

    /// An action of a thread that is alive before it; gives whether it is after it.
    fn act(
        &mut self,
        lives: &mut Lives,
        items: &IdVec<ThreadId, Vec<(u32, Item)>>,
        id: ActionId,
        alive: Lit,
    ) -> Result<Lit, Unsupported> {
        let action = self.clauses.bounded.actions[id].clone();
        let guard = self.clauses.guard(action.guard);
        let attempt = self.clauses.formula.and(&[guard, alive]);
        let (exec, alive) = match &action.kind {
            ActionKind::Read { access, .. } => {
                let (exec, mut alive) = self.reach(id, access, false, (attempt, alive))?;
                let exec = stuck::unless_own(self.clauses, lives, id, exec)?;
                for kind in lifetimes::may_be_gone(self.clauses, access) {
                    let freed = self.clauses.formula.fresh();
                    self.clauses.formula.implies(freed, exec);
                    lives.freed.entry(id).or_default().push((kind.clone(), freed));
                    // What a plain load returns is nothing defined, and its thread goes on: it may
                    // be a later store of its own that let the object's lifetime end.
                    let stops = self.clauses.unrolled.updates.contains(&id);
                    self.clauses.find_at(id, freed, kind, stops);
                    if stops {
                        alive = self.unless(alive, freed);
                    }
                }
                (exec, alive)
            }
            ActionKind::Write { access, .. } => {
                let (exec, alive) = self.reach(id, access, true, (attempt, alive))?;
                (stuck::unless_stuck(self.clauses, lives, &action, exec), alive)
            }
            ActionKind::Fence(_) | ActionKind::Allocate { .. } => (attempt, alive),
            ActionKind::End(_) => {
                (stuck::unless_stuck(self.clauses, lives, &action, attempt), alive)
            }
            ActionKind::Free { address, .. } => self.reach_block(id, *address, (attempt, alive))?,
            ActionKind::Spawn(child) => {
                self.live(lives, items, *child, attempt)?;
                (attempt, alive)
            }
            ActionKind::Join(child) => {
                let ended = self.clauses.bounded.threads[*child].ended;
                let ended = self.clauses.guard(ended);
                let all = [attempt, ended, lives.to_the_end(*child)];
                let exec = self.clauses.formula.and(&all);
                let waits = self.clauses.formula.and(&[attempt, !exec]);
                if self.clauses.scope == Scope::Complete {
                    self.clauses.formula.clause(&[!waits]);
                }
                let on = match self.clauses.scope {
                    Scope::Complete => alive,
                    Scope::Every | Scope::Waiting => self.clauses.formula.and(&[alive, !waits]),
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
        let place = self.clauses.bounded.actions[id].origin.place;
        let (elements, listed) = self.clauses.elements(access, place)?;
        let mut alive = alive;
        let mut exec = attempt;
        if !listed {
            // Everything else is outside of the objects.
            let inside: Vec<Lit> =
                elements.iter().map(|v| self.clauses.is(access.address, v)).collect();
            let inside = self.clauses.formula.or(&inside);
            let undefined =
                self.clauses.values.undefined(&mut self.clauses.formula, access.address);
            let wrong = self.clauses.formula.and(&[attempt, !inside, !undefined]);
            self.clauses.find_at(id, wrong, FindingKind::OutOfBounds, true);
            exec = self.unless(exec, wrong);
            alive = self.unless(alive, wrong);
        }
        for value in elements {
            let kind =
                self.clauses.bounded.wrong_access(&value, access.width, write, access.alignment);
            let dead = match (&kind, value.provenance) {
                (None, Some(region)) => self.clauses.bounded.regions[region].freed,
                _ => Guard::TRUE,
            };
            if dead == Guard::FALSE {
                continue;
            }
            let gone =
                || value.provenance.map(|region| self.clauses.bounded.used_after_end(region));
            let kind = kind.or_else(gone).unwrap_or(FindingKind::UseAfterFree);
            let is = self.clauses.is(access.address, &value);
            let dead = self.clauses.guard(dead);
            let wrong = self.clauses.formula.and(&[attempt, is, dead]);
            if wrong == Lit::FALSE {
                continue;
            }
            self.clauses.find_at(id, wrong, kind, true);
            exec = self.unless(exec, wrong);
            alive = self.unless(alive, wrong);
        }
        Ok((exec, alive))
    }

    /// `lit`, unless something is wrong; where nothing may be, that is `lit`.
    fn unless(&mut self, lit: Lit, wrong: Lit) -> Lit {
        match self.clauses.scope.is_every() {
            true => self.clauses.formula.and(&[lit, !wrong]),
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
        let place = self.clauses.bounded.actions[id].origin.place;
        let mut alive = alive;
        let mut exec = attempt;
        for value in self.clauses.addresses(address, place)? {
            let is = self.clauses.is(address, &value);
            if value.is_zero() {
                exec = self.clauses.formula.and(&[exec, !is]);
                continue;
            }
            let kind = self.clauses.bounded.wrong_free(&value);
            let dead = match (&kind, value.provenance) {
                (None, Some(region)) => {
                    self.clauses.guard(self.clauses.bounded.regions[region].freed)
                }
                _ => Lit::TRUE,
            };
            let wrong = self.clauses.formula.and(&[attempt, is, dead]);
            if wrong == Lit::FALSE {
                continue;
            }
            self.clauses.find_at(id, wrong, kind.unwrap_or(FindingKind::DoubleFree), true);
            exec = self.unless(exec, wrong);
            alive = self.unless(alive, wrong);
        }
        Ok((exec, alive))
    }

    /// A check of a thread that is alive before it; gives whether it is after it. What follows a
    /// read from an object that is gone is only its consequence, and is not told.
    fn checked(&mut self, index: usize, alive: Lit, freed: Lit) -> Lit {
        let Check { moment, wrong, kind, origin, section } =
            self.clauses.bounded.checks[index].clone();
        let guard = self.clauses.guard(moment.guard);
        let wrong = match wrong {
            Wrong::Always => Lit::TRUE,
            Wrong::Zero(term) => !self.clauses.truth(term),
            Wrong::Undefined(term) => {
                self.clauses.values.undefined(&mut self.clauses.formula, term)
            }
            Wrong::Division(op, a, b) => {
                self.clauses.values.division_fails(&mut self.clauses.formula, op, a, b)
            }
            Wrong::Overflow(right, operands) => {
                let right = self.clauses.truth(right);
                let [a, b] = operands
                    .map(|term| self.clauses.values.undefined(&mut self.clauses.formula, term));
                self.clauses.formula.and(&[!right, !a, !b])
            }
        };
        let stops = self.clauses.formula.and(&[guard, alive, wrong]);
        if stops == Lit::FALSE {
            return alive;
        }
        let thread = moment.thread;
        let wrong = match self.clauses.consequences {
            true => stops,
            false => self.clauses.formula.and(&[stops, !freed]),
        };
        let (action, stops_here) = (None, true);
        self.clauses.find(Finding {
            kind,
            thread,
            origin,
            action,
            wrong,
            stops: stops_here,
            section,
        });
        self.unless(alive, stops)
    }

    /// An assumption of a thread that is alive before it; gives whether it is after it.
    fn assumed(&mut self, lives: &mut Lives, index: usize, alive: Lit) -> Lit {
        let Assumption { moment, condition, section, operation, .. } =
            self.clauses.bounded.assumptions[index].clone();
        let guard = self.clauses.guard(moment.guard);
        let holds = match condition {
            Some(term) => self.clauses.truth(term),
            None => Lit::FALSE,
        };
        let stuck = lives.stuck.iter().find(|stuck| stuck.assumption == Some(index));
        if let Some(&Stuck { lit, .. }) = stuck {
            self.clauses.formula.clause(&[!guard, !alive, holds, lit]);
            for must in [guard, alive, !holds] {
                self.clauses.formula.implies(lit, must);
            }
            return self.clauses.formula.and(&[alive, !lit]);
        }
        let whole = section.is_some() || self.clauses.whole_operations && operation.is_some();
        if whole || !self.clauses.scope.is_every() {
            self.clauses.formula.clause(&[!guard, !alive, holds]);
            return alive;
        }
        let fails = self.clauses.formula.and(&[guard, alive, !holds]);
        lives.go.push(!fails);
        self.clauses.formula.and(&[alive, !fails])
    }
}

/// The number of a thread.
pub(crate) fn number(thread: ThreadId) -> u32 {
    thread.index() as u32
}
