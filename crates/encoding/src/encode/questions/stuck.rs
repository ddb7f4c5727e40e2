//! Threads that wait for ever: at an atomic section whose assumption fails, in a loop that changes
//! nothing, or for a thread that does not end.
//!
//! A thread is stuck if its attempt fails although each of its reads sees what is last in coherence
//! order: then, all other threads having terminated or being stuck too, every later attempt fails
//! in the same way, however fair the scheduler and the memory are. The attempt's reads are events
//! of the execution, its writes are not: they are undone, and so are reads that see them. (For
//! loops this is the notion of Lahav, Namakonov, Oberhauser, Podkopaev, Vafeiadis, *Making weak
//! memory models fair*, OOPSLA 2021; for locks, of the deadlock check of Burckhardt, Alur, Martin,
//! CAV 2006.)
//!
//! Soundness S-109 (verify; all; refuses): A cycle of joins through handles in memory is found as a
//! deadlock by states and interleavings only; the solver refuses the program. Test:
//! corpus/verify/approximations/joins_in_a_circle.c.

use crate::bounded::{
    Access, Action, ActionId, ActionKind, Assumption, Bounded, Check, Input, Moment, Origin,
    Waiting, Wrong,
};
use crate::encode::Encoding;
use crate::encode::clauses::Clauses;
use crate::encode::structure::events::Coherent;
use crate::encode::structure::threads::Lives;
use crate::term::TermId;
use crate::unroll::Unsupported;
use crate::values::Values;
use execution::event::{EventId, ThreadId};
use execution::ids::Id;
use ir::program::LocId;
use ir::value::Value;
use sat::{Answer, BackendKind, Formula, Lit};
use std::collections::{BTreeMap, BTreeSet};

/// A place where a thread may wait for ever.
#[derive(Clone, Debug)]
pub struct Stuck {
    /// The thread.
    pub thread: ThreadId,
    /// How it waits; `None` if it waits for a thread.
    pub waits: Option<Waiting>,
    /// Where.
    pub origin: Origin,
    /// True in solutions in which it does.
    pub lit: Lit,
    /// The assumption that fails.
    pub(crate) assumption: Option<usize>,
}

/// An iteration in which a thread may wait for ever.
pub struct Spin {
    moment: Moment,
    waits: Waiting,
}

/// Where threads may wait at assumptions.
pub(crate) fn may_be_stuck(clauses: &mut Clauses) -> Result<Vec<Stuck>, Unsupported> {
    let bounded = clauses.bounded.clone();
    let mut found = Vec::new();
    for (index, assumption) in bounded.assumptions.iter().enumerate() {
        let Some(waits) = assumption.waits else { continue };
        let (moment, since) = (&assumption.moment, waits.since);
        // An iteration that does nothing frees nothing, whatever else the loop may do.
        if !waits.spins && is_odd(clauses, moment, since) {
            let what = "an atomic section that frees, reads and then waits";
            return Err(Unsupported::new(what, assumption.origin.place));
        }
        found.push(Stuck {
            thread: assumption.moment.thread,
            waits: Some(waits),
            origin: assumption.origin.clone(),
            lit: clauses.formula.fresh(),
            assumption: Some(index),
        });
    }
    Ok(found)
}

/// Whether an attempt that fails may read after it has freed something.
fn is_odd(clauses: &Clauses, moment: &Moment, since: u32) -> bool {
    let frees = |action: &Action| matches!(action.kind, ActionKind::Free { .. });
    let mut later =
        attempt(&clauses.bounded, moment, since).skip_while(|(_, action)| !frees(action));
    later.any(|(_, action)| matches!(action.kind, ActionKind::Read { .. }))
}

/// A read takes place unless it sees what was written, just before, by an attempt that fails
/// for ever: both are undone then.
pub(crate) fn unless_own(
    clauses: &mut Clauses,
    lives: &Lives,
    id: ActionId,
    exec: Lit,
) -> Result<Lit, Unsupported> {
    let bounded = clauses.bounded.clone();
    let action = &bounded.actions[id];
    let ActionKind::Read { access, into, .. } = &action.kind else { return Ok(exec) };
    let read = bounded.terms.input_term(*into);
    let mut exec = exec;
    for stuck in lives.stuck.iter().filter(|stuck| stuck.thread == action.thread) {
        let moment = stuck.assumption.map(|index| bounded.assumptions[index].moment);
        let Some((waits, moment)) = stuck.waits.zip(moment) else { continue };
        if !(waits.since + 1..moment.sequence).contains(&action.sequence) {
            continue;
        }
        let until = Moment { sequence: action.sequence, ..moment };
        let earlier: Vec<ActionId> =
            attempt(&clauses.bounded, &until, waits.since).map(|(id, _)| id).collect();
        let mut rest = stuck.lit;
        for id in earlier.into_iter().rev() {
            let written = &bounded.actions[id];
            let ActionKind::Write { access: to, value, .. } = &written.kind else { continue };
            let same = same_cell(clauses, access, to, action.origin.place)?;
            let guard = clauses.guard(written.guard);
            let here = clauses.formula.and(&[rest, guard, same]);
            if here != Lit::FALSE {
                clauses.values.same_if(&mut clauses.formula, here, [*value, read]);
                exec = clauses.formula.and(&[exec, !here]);
                rest = clauses.formula.and(&[rest, !here]);
            }
        }
    }
    Ok(exec)
}

/// Whether two accesses are of one cell.
fn same_cell(
    clauses: &mut Clauses,
    a: &Access,
    b: &Access,
    place: Option<LocId>,
) -> Result<Lit, Unsupported> {
    if a.width != b.width {
        return Ok(Lit::FALSE);
    }
    let others = clauses.elements(b, place)?.0;
    let mut ways = Vec::new();
    for value in clauses.elements(a, place)?.0 {
        for other in others.iter().filter(|other| other.low() == value.low()) {
            let both = [clauses.is(a.address, &value), clauses.is(b.address, other)];
            ways.push(clauses.formula.and(&both));
        }
    }
    Ok(clauses.formula.or(&ways))
}

/// A write takes place unless the attempt that it belongs to fails for ever.
pub(crate) fn unless_stuck(
    clauses: &mut Clauses,
    lives: &Lives,
    action: &Action,
    exec: Lit,
) -> Lit {
    let of = |stuck: &&Stuck| {
        let moment = stuck.assumption.map(|index| clauses.bounded.assumptions[index].moment);
        let range = stuck.waits.zip(moment).map(|(w, m)| w.since + 1..m.sequence);
        stuck.thread == action.thread && range.is_some_and(|r| r.contains(&action.sequence))
    };
    let undone = lives.stuck.iter().filter(of).map(|stuck| !stuck.lit);
    let all: Vec<Lit> = std::iter::once(exec).chain(undone).collect();
    clauses.formula.and(&all)
}

/// The thread that is stuck reads what is last in coherence order, and fails for a reason.
pub(crate) fn stuck(clauses: &mut Clauses, lives: &Lives, Coherent { events, co }: Coherent<'_>) {
    let mut from: BTreeMap<EventId, Vec<(EventId, Lit)>> = BTreeMap::new();
    if !lives.stuck.is_empty() {
        for (&(write, read), &lit) in &events.graph.rf {
            from.entry(read).or_default().push((write, lit));
        }
    }
    for stuck in &lives.stuck {
        let (Some(index), Some(waits)) = (stuck.assumption, stuck.waits) else { continue };
        let moment = clauses.bounded.assumptions[index].moment;
        let bounded = clauses.bounded.clone();
        let mut alone =
            Alone { formula: &mut clauses.formula, values: &mut clauses.values, bounded: &bounded };
        alone.fails_for_a_reason(stuck.lit, &moment, waits.since);
        if waits.spins {
            // This follows, and is easy to see.
            alone.reads_alike(stuck.lit, &moment, waits.since);
        }
        let actions: Vec<ActionId> =
            attempt(&clauses.bounded, &moment, waits.since).map(|(id, _)| id).collect();
        for id in actions {
            let reads = events.sources.of_access(&clauses.bounded, id);
            let seen = reads.iter().filter_map(|read| from.get(read)).flatten();
            for &(write, seen) in seen {
                let later = co.range((write, EventId::new(0))..);
                for (&(_, other), &after) in later.take_while(|((w, _), _)| *w == write) {
                    let exec = events.graph.nodes[other].exec;
                    let same = events.graph.loc.get(&(write, other)).copied().unwrap_or(Lit::FALSE);
                    clauses.formula.clause(&[!stuck.lit, !seen, !after, !exec, !same]);
                }
            }
        }
    }
}

/// The actions of an attempt that fails at this moment.
fn attempt<'b>(
    bounded: &'b Bounded,
    moment: &Moment,
    since: u32,
) -> impl Iterator<Item = (ActionId, &'b Action)> + use<'b> {
    let range = since + 1..moment.sequence;
    let actions = bounded.threads[moment.thread].actions.iter();
    let actions = actions.map(|&id| (id, &bounded.actions[id]));
    actions.filter(move |(_, action)| range.contains(&action.sequence))
}

/// What a thread does by itself, given what it reads.
struct Alone<'a> {
    formula: &'a mut Formula,
    values: &'a mut Values,
    bounded: &'a Bounded,
}

impl Alone<'_> {
    /// If `lit`, the attempt that fails at this moment is one that will always fail, as far as its
    /// thread knows.
    fn waits(&mut self, lit: Lit, moment: &Moment, since: u32) {
        self.fails_for_a_reason(lit, moment, since);
        self.knows_what_it_does(lit, moment, since);
        self.swaps_nothing(lit, moment, since);
        self.reads_alike(lit, moment, since);
    }

    /// If `lit`, the attempt that fails at this moment does not do so because a compare-and-swap or
    /// an exclusive store fails for no reason.
    fn fails_for_a_reason(&mut self, lit: Lit, moment: &Moment, since: u32) {
        for (input, kind) in self.bounded.inputs.enumerate() {
            let (Input::Spurious { moment: chosen, .. } | Input::Exclusive { moment: chosen }) =
                kind
            else {
                continue;
            };
            let range = since + 1..moment.sequence;
            if chosen.thread == moment.thread && range.contains(&chosen.sequence) {
                let term = self.bounded.terms.input_term(input);
                let fails = self.values.truth(self.formula, term);
                let guard = self.values.guard(self.formula, chosen.guard);
                self.formula.clause(&[!lit, !guard, !fails]);
            }
        }
    }

    /// If `lit`, nothing undefined decides what that attempt does, and where: this would be wrong.
    fn knows_what_it_does(&mut self, lit: Lit, moment: &Moment, since: u32) {
        let bounded = self.bounded;
        let decides = bounded.checks.iter().filter_map(|Check { moment: at, wrong, .. }| {
            let here =
                at.thread == moment.thread && (since..moment.sequence).contains(&at.sequence);
            match *wrong {
                Wrong::Undefined(term) if here => Some((at.guard, term)),
                _ => None,
            }
        });
        let accesses =
            attempt(bounded, moment, since).filter_map(|(_, action)| match &action.kind {
                ActionKind::Read { access, .. } | ActionKind::Write { access, .. } => {
                    Some((action.guard, access.address))
                }
                _ => None,
            });
        for (guard, term) in decides.chain(accesses) {
            let guard = self.values.guard(self.formula, guard);
            let undefined = self.values.undefined(self.formula, term);
            self.formula.clause(&[!lit, !guard, !undefined]);
        }
    }

    /// If `lit`, no compare-and-swap of that attempt succeeds: to put back what was there is no way
    /// to wait, unless it takes a mutex that is given back.
    fn swaps_nothing(&mut self, lit: Lit, moment: &Moment, since: u32) {
        for (id, action) in attempt(self.bounded, moment, since) {
            if let ActionKind::Write { rmw: Some(pairing), .. } = &action.kind
                && pairing.compared
                && !self.bounded.polled.contains(&id)
            {
                let succeeds = self.values.guard(self.formula, action.guard);
                self.formula.clause(&[!lit, !succeeds]);
            }
        }
    }

    /// If `lit`, that attempt reads the same wherever it reads one place twice: what is last there,
    /// or what it has itself written back. (Words of mutexes change when it takes them.)
    fn reads_alike(&mut self, lit: Lit, moment: &Moment, since: u32) {
        let bounded = self.bounded;
        let read = |(_, action): (ActionId, &Action)| match &action.kind {
            ActionKind::Read { access, into, .. } => {
                Some((action.guard, access.address, bounded.terms.input_term(*into)))
            }
            _ => None,
        };
        let path = |action: &Action| match &action.kind {
            ActionKind::Read { access, .. } | ActionKind::Write { access, .. } => {
                access.path.clone()
            }
            _ => None,
        };
        let polled = attempt(bounded, moment, since).filter(|(id, _)| bounded.polled.contains(id));
        let taken: BTreeSet<_> = polled.filter_map(|(_, action)| path(action)).collect();
        let is_taken = |action: &Action| path(action).is_some_and(|path| taken.contains(&path));
        let reads: Vec<_> = attempt(bounded, moment, since)
            .filter(|(_, action)| !is_taken(action))
            .filter_map(read)
            .collect();
        for (index, &(guard, address, value)) in reads.iter().enumerate() {
            for &(other_guard, other, again) in &reads[index + 1..] {
                if bounded.terms.width(value) != bounded.terms.width(again) {
                    continue;
                }
                let same = self.values.same_address(self.formula, address, other);
                let guard = self.values.guard(self.formula, guard);
                let other_guard = self.values.guard(self.formula, other_guard);
                let both = self.formula.and(&[lit, same, guard, other_guard]);
                if both != Lit::FALSE {
                    self.values.same_if(self.formula, both, [value, again]);
                }
            }
        }
    }
}

impl Encoding<'_> {
    /// Where one of these threads may wait for ever in a loop. Looked at is only what it does by
    /// itself, whatever it reads, if it reads the same wherever it reads a place twice: most loops
    /// that try again because others were faster cannot even reach the end of an iteration that
    /// does nothing. What is left out is shown not to, but for loops that put back what is there by
    /// compare-and-swaps that succeed.
    pub fn may_spin(&self, threads: &BTreeSet<ThreadId>) -> Vec<Spin> {
        let bounded = &self.bounded;
        let mut formula = Formula::new(BackendKind::default());
        formula.set_limits(self.formula.limits().clone());
        let mut values = self.values.afresh();
        let spins = |assumption: &&Assumption| {
            let moment = &assumption.moment;
            let Some(waits) = assumption.waits.filter(|waits| waits.spins) else { return false };
            if !threads.contains(&moment.thread) {
                return false;
            }
            let (spins, comes) = (formula.fresh(), values.guard(&mut formula, moment.guard));
            formula.implies(spins, comes);
            let (formula, values) = (&mut formula, &mut values);
            let mut alone = Alone { formula, values, bounded };
            alone.waits(spins, moment, waits.since);
            alone.formula.solve(&[spins]) != Answer::Unsat
        };
        let spin = |a: &Assumption| a.waits.map(|waits| Spin { moment: a.moment, waits });
        bounded.assumptions.iter().filter(spins).filter_map(spin).collect()
    }

    /// A literal that is true only in executions in which a thread reaches the end of an iteration
    /// in which it may wait for ever.
    pub fn spins(&mut self, Spin { moment, waits }: &Spin) -> Lit {
        let (spins, comes) = (self.formula.fresh(), self.reaches(moment));
        self.formula.implies(spins, comes);
        let bounded = &self.bounded.clone();
        let mut alone = Alone { formula: &mut self.formula, values: &mut self.values, bounded };
        alone.waits(spins, moment, waits.since);
        spins
    }

    /// Where threads may wait for ever, in an encoding of executions that wait.
    pub fn stuck(&mut self) -> Vec<Stuck> {
        let mut all = self.lives.stuck.clone();
        for (moment, origin) in self.bounded.clone().blocked.iter() {
            let lit = self.reaches(moment);
            let (thread, origin) = (moment.thread, origin.clone());
            all.push(Stuck { thread, waits: None, origin, lit, assumption: None });
        }
        all
    }

    /// A literal that is true iff the whole program ends by design, whatever these threads wait
    /// for: a thread calls `exit`, or `main` returns and all that wait are detached. (If `main`
    /// returns, others have had a fair chance to end.)
    pub fn exits_by_design(&mut self, waiting: &[Stuck]) -> Lit {
        let bounded = self.bounded.clone();
        let exits = self.reaches_any(&bounded.exit_calls);
        if bounded.detached.is_empty() {
            return exits;
        }
        let mut over = vec![self.program_ends()];
        for stuck in waiting {
            let detached = self.is_detached(stuck.thread);
            over.push(self.formula.or(&[!stuck.lit, detached]));
        }
        let with_main = self.formula.and(&over);
        self.formula.or(&[exits, with_main])
    }

    /// A literal that is true iff a thread is detached.
    fn is_detached(&mut self, thread: ThreadId) -> Lit {
        let bounded = self.bounded.clone();
        let detach = |&(ref moment, handle): &(Moment, TermId)| {
            let width = bounded.terms.width(handle);
            let number = Value::int(width, thread.index() as u128 + 1);
            let is_it = self.values.is(&mut self.formula, handle, &number);
            let comes = self.reaches(moment);
            self.formula.and(&[is_it, comes])
        };
        let all: Vec<Lit> = bounded.detached.iter().map(detach).collect();
        self.formula.or(&all)
    }

    /// A literal that is true iff a thread ends the whole program: it is `main` and returns, or it
    /// calls `exit`.
    pub(crate) fn ends_program(&mut self, thread: ThreadId) -> Lit {
        let bounded = self.bounded.clone();
        let own = bounded.exits.iter().filter(|moment| moment.thread == thread);
        let own: Vec<Moment> = own.copied().collect();
        self.reaches_any(&own)
    }

    /// A literal that is true iff `main` returns, or a thread calls `exit`.
    pub fn program_ends(&mut self) -> Lit {
        let bounded = self.bounded.clone();
        self.reaches_any(&bounded.exits)
    }

    fn reaches_any(&mut self, moments: &[Moment]) -> Lit {
        let any: Vec<Lit> = moments.iter().map(|moment| self.reaches(moment)).collect();
        self.formula.or(&any)
    }

    /// A literal that is true iff a thread waits for a thread that has ended the whole program, or
    /// for one that does so.
    pub fn awaits_in_vain(&mut self) -> Lit {
        let blocked = self.bounded.clone();
        let blocked: Vec<Lit> = blocked.blocked.iter().map(|(at, _)| self.reaches(at)).collect();
        self.formula.or(&blocked)
    }

    /// Whether a thread reaches a moment.
    pub(crate) fn reaches(&mut self, moment: &Moment) -> Lit {
        let guard = self.values.guard(&mut self.formula, moment.guard);
        let alive = self.lives.at(moment);
        self.formula.and(&[guard, alive])
    }

    /// After a solution: how a thread waits for ever, if it does.
    pub(crate) fn stuck_in(&self, thread: ThreadId) -> Option<Waiting> {
        let there = self.lives.stuck.iter().filter(|stuck| stuck.thread == thread);
        let mut there = there.filter(|stuck| self.formula.value(stuck.lit));
        there.find_map(|stuck| stuck.waits)
    }

    /// After a solution: whether something belongs to an attempt of its thread that fails for ever,
    /// and is undone.
    pub(crate) fn is_undone(&self, thread: ThreadId, sequence: u32) -> bool {
        self.stuck_in(thread).is_some_and(|waits| sequence > waits.since)
    }
}
