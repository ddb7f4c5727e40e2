//! Blocks, branches and loops.
//!
//! Soundness S-077 (check, verify; all; refuses): A loop that nothing decides is followed for
//! 10,000 iterations and, past the bound, 4,000 accesses, such a recursion 250 calls deep and
//! 10,000 calls in all; what is left out is `holds*`. Test:
//! crates/fencepost/tests/effort.rs::recursion_of_a_known_depth_needs_no_bound,
//! crates/fencepost/tests/limits.rs::programs_that_are_too_large_keep_the_time_limit.

use super::counts::Count;
use super::guarded::Guarded;
use super::store::{Past, changed_within};
use super::unchanged::{Comparison, Knowledge};
use super::{Effect, EffectKind, Frame, Result, Sym, Unroller, in_time};
use crate::bounded::{
    ActionId, ActionKind, Alternatives, Assumption, BoundHit, Check, Goal, Input, InstanceKey,
    Waiting, Wrong, in_all_iterations,
};
use crate::guard::Guard;
use crate::term::TermId;
use execution::finding::FindingKind;
use execution::ids::Id;
use ir::cfg::LoopId;
use ir::cfg::counted::{ends_by_itself, is_counted};
use ir::op::{BinaryOp, Callee, Op, Operand, Terminator};
use ir::program::{BlockId, FuncId, LocId, Reg, Width};
use ir::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A loop that nothing decides runs at most so often; before `main` starts the first thread, it
/// only fills memory, which costs little.
const MAX_CONSTANT_ITERATIONS: u32 = 10_000;
const MAX_ITERATIONS_ALONE: u32 = 120_000;
/// The same for a loop that accesses shared memory: it makes at most this many accesses.
pub(super) const MAX_CONSTANT_ACCESSES: usize = 4_000;

/// The clock is looked at so often, and at the end of each block.
const LOOK: usize = 8;

/// What a loop iteration may have changed.
pub(super) struct Snapshot {
    pub(super) regs: Vec<(Reg, Guarded<Sym>)>,
    pub(super) store: Past,
    pub(super) effects: usize,
    pub(super) comparisons: usize,
}

/// A loop that is left at its bound.
struct Left {
    key: InstanceKey,
    /// The number of its iterations, if the bound cannot be raised.
    last: Option<u32>,
    counted: bool,
    /// Whether its last iteration may have changed nothing but numbers.
    counting: bool,
    /// A store that its last iteration may have made.
    stores: Option<LocId>,
}

/// Which iterations do nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// Those that only read.
    Reads,
    /// Those, too, that take mutexes and give them back. Of these, and of those whose reads may
    /// race, one is followed: what it did may show when its thread has gone on.
    Polls,
}

impl Unroller<'_> {
    /// Executes the blocks of a function, or of a loop, that control reaches.
    pub(super) fn blocks(&mut self, frame: &mut Frame, within: Option<LoopId>) -> Result<()> {
        let flow = self.flow(frame.function);
        let inside = |block: BlockId| match within {
            Some(id) => flow.loops.loops[id].blocks.contains(&block),
            None => true,
        };
        let current = within.map(|id| flow.loops.loops[id].header);
        for &block in flow.order.iter().filter(|&&block| inside(block)) {
            if frame.pending[block] == Guard::FALSE {
                continue;
            }
            match flow.loops.headed_by(block) {
                Some(inner) if current != Some(block) => self.iterate(frame, inner)?,
                _ => self.block(frame, block)?,
            }
        }
        Ok(())
    }

    /// Executes a loop.
    fn iterate(&mut self, frame: &mut Frame, id: LoopId) -> Result<()> {
        let flow = self.flow(frame.function);
        let header = flow.loops.loops[id].header;
        let has_exit = !flow.loops.loops[id].exits.is_empty();
        let depth = frame.context.len();
        frame.context.extend([1, header.index() as u32]);
        let key: InstanceKey = frame.context.as_slice().into();
        frame.context.push(0);
        let entered = frame.pending[header];
        let restricted = self.is_restricted(entered) && self.is_retry(frame.function, id);
        let bound = match restricted {
            true => 1,
            false => self.bound_of(&key),
        };
        let place = self.program.functions[frame.function].blocks[header].place;
        let mut iterations = 0;
        let mut undecided = 0;
        let mut idle_but_counting = Guard::FALSE;
        let (mut counting, mut stores) = (false, None);
        // The paths on which one iteration has polled, or made reads that may race.
        let mut polled = Guard::FALSE;
        let actions = self.out.actions.len();
        let outer = self.running.repeated;
        let counted = {
            let flow = self.flow(frame.function);
            is_counted(&self.program.functions[frame.function], &flow.loops.loops[id])
        };
        while frame.pending[header] != Guard::FALSE {
            let guard = frame.pending[header];
            let most = match self.concurrent {
                true => MAX_CONSTANT_ITERATIONS,
                false => MAX_ITERATIONS_ALONE,
            };
            // What a mark led to says nothing: with one that was read, the run is repeated.
            let is_void = !self.store.marks_read.is_empty() && iterations > bound;
            let accesses = self.out.actions.len() - actions;
            let endless = iterations >= most || is_void || too_many(accesses, iterations, bound);
            if undecided >= bound || endless {
                let last = (undecided < bound).then_some(iterations);
                let hit = Left { key, last, counted, counting, stores };
                self.leave_loop(frame, header, hit, place, restricted);
                let goes_on = self.concurrent && self.options.go_on.contains(&self.running.thread);
                if goes_on && !restricted && last.is_none() {
                    self.go_on(frame, id, guard);
                }
                break;
            }
            self.mark_dead(&key, guard);
            let forgotten = self.forget_counts(frame, &key, guard);
            if let Some(last) = frame.context.last_mut() {
                *last = iterations;
            }
            // A loop that ends by itself is no loop that tries again until it succeeds.
            self.running.repeated = if counted { outer } else { undecided };
            let since = self.sequence;
            let (past, outer_past) = self.store.remember();
            let before = self.snapshot(frame, header, past);
            let (threads, first) = (self.out.threads.len(), self.out.actions.len());
            self.blocks(frame, Some(id))?;
            let back = frame.pending[header];
            iterations += 1;
            // Without a bound, a loop that is never left would start threads without end.
            let starts_forever = !has_exit && self.out.threads.len() > threads;
            if back != guard || starts_forever || self.repeats(frame, &before, back) {
                undecided += 1;
            }
            if back != Guard::FALSE && self.options.reduce_spin_loops {
                let nothing = BTreeSet::new();
                let mut idle = match self.may_race(first) {
                    true => Guard::FALSE,
                    false => self.idle(frame, &key, &before, (back, &nothing), Rule::Reads),
                };
                let polls = self.idle(frame, &key, &before, (back, &nothing), Rule::Polls);
                let again = self.out.terms.guards.and(polls, polled);
                idle = self.out.terms.guards.or(idle, again);
                polled = self.out.terms.guards.or(polled, polls);
                if idle != Guard::FALSE {
                    let waits = Some(Waiting { spins: true, since });
                    self.assume_never(frame, idle, place, waits);
                    let busy = self.out.terms.guards.not(idle);
                    frame.pending[header] = self.out.terms.guards.and(back, busy);
                }
            }
            let counts = &flow.bystanders[id];
            if self.concurrent && self.options.reduce_spin_loops && !counts.is_empty() {
                let goes_on = back == guard;
                idle_but_counting = self.count(
                    frame,
                    header,
                    (&key, &before, since),
                    (counts, goes_on),
                    (idle_but_counting, place),
                );
            }
            let accesses = self.out.actions.len() - actions;
            let is_last =
                undecided >= bound || iterations >= most || too_many(accesses, iterations, bound);
            if self.counts_anything(&key) || is_last {
                counting = self.count_anything(
                    frame,
                    id,
                    (&key, &before, since),
                    (first, place, &forgotten),
                );
                stores = self.stores_since(first, frame.pending[header]);
            }
            self.store.forget(outer_past);
        }
        self.running.repeated = outer;
        frame.context.truncate(depth);
        Ok(())
    }

    /// Whether a read since this action may be part of a race: then it may be one with who has seen
    /// what the thread does after the loop.
    fn may_race(&self, first: usize) -> bool {
        let is_plain_read = |id: ActionId| match &self.out.actions[id].kind {
            ActionKind::Read { access, .. } => {
                !access.orders.iter().any(|(order, _)| order.is_atomic()) && access.tags.is_empty()
            }
            _ => false,
        };
        self.options.races && (first..self.out.actions.len()).map(ActionId::new).any(is_plain_read)
    }

    /// Where shared memory may have been written since this action, on these paths.
    fn stores_since(&mut self, first: usize, back: Guard) -> Option<LocId> {
        let program = self.program;
        let mut ids = (first..self.out.actions.len()).map(ActionId::new);
        let store = ids.find(|&id| {
            let action = &self.out.actions[id];
            let (guard, own) = (action.guard, action.thread == self.running.thread);
            let writes = matches!(action.kind, ActionKind::Write { .. });
            own && writes && !self.out.terms.guards.exclude(guard, back)
        })?;
        self.out.actions[store].origin.users_place(program)
    }

    /// Gives up the paths that would iterate the loop once more.
    fn leave_loop(
        &mut self,
        frame: &mut Frame,
        header: BlockId,
        Left { key, last, counted, counting, stores }: Left,
        place: Option<LocId>,
        restricted: bool,
    ) {
        let guard = std::mem::replace(&mut frame.pending[header], Guard::FALSE);
        if restricted {
            self.assume_never(frame, guard, place, None);
            return;
        }
        let moment = self.moment(guard);
        let section = self.section_of(guard);
        self.out.bounds.push(BoundHit {
            moment,
            key,
            last,
            size: None,
            origin: frame.origin(place),
            unseen: None,
            section,
            counted,
            counting,
            stores,
        });
    }

    /// How many iterations a loop has that something decides.
    fn bound_of(&self, key: &[u32]) -> u32 {
        let own = self.options.bounds.get(key).copied();
        let own = own.unwrap_or(self.options.default_bound);
        match self.options.shared_bounds.is_empty() {
            true => own,
            false => {
                let shared = self.options.shared_bounds.get(&in_all_iterations(key)).copied();
                own.max(shared.unwrap_or_default())
            }
        }
    }

    /// Lets the paths that would iterate the loop once more leave it instead, in every way that
    /// there is, and with any numbers that it may have computed until then.
    fn go_on(&mut self, frame: &mut Frame, id: LoopId, mut guard: Guard) {
        let flow = self.flow(frame.function);
        let exits = flow.loops.loops[id].exits.iter();
        let targets: BTreeSet<BlockId> = exits.map(|&(_, target)| target).collect();
        let code = &self.program.functions[frame.function];
        let blocks = flow.loops.loops[id].blocks.iter();
        let computed: BTreeSet<Reg> =
            blocks.flat_map(|&b| &code.blocks[b].insts).flat_map(|i| i.op.results()).collect();
        let live: BTreeSet<Reg> = targets.iter().flat_map(|&t| &flow.live[t]).copied().collect();
        for &reg in computed.intersection(&live) {
            let width = self.width(frame, reg);
            // A pointer is one that was there already.
            if width < Width::PTR {
                let any = self.choice(guard, width, Alternatives::Any);
                self.set(frame, guard, reg, any);
            }
        }
        let last = targets.last().copied();
        for target in targets {
            let mut here = guard;
            if Some(target) != last {
                let taken = self.choice(guard, Width::BOOL, Alternatives::Any);
                let taken = self.out.terms.truth(taken.term);
                here = self.out.terms.guards.and(guard, taken);
                let other = self.out.terms.guards.not(taken);
                guard = self.out.terms.guards.and(guard, other);
            }
            self.arrive(frame, target, here);
        }
    }

    /// Whether a loop tries to update something atomically. One that only searches is no retry
    /// loop.
    fn is_retry(&mut self, function: FuncId, id: LoopId) -> bool {
        let flow = self.flow(function);
        let blocks = &flow.loops.loops[id].blocks;
        let own =
            blocks.iter().flat_map(|&block| &self.program.functions[function].blocks[block].insts);
        let mut open: Vec<FuncId> = Vec::new();
        own.into_iter().any(|inst| updates(&inst.op, &mut open)) || self.update_somewhere(open)
    }

    /// Whether one of these functions tries to update something atomically, or one that they call.
    pub(super) fn update_somewhere(&self, mut open: Vec<FuncId>) -> bool {
        let mut known: BTreeSet<FuncId> = BTreeSet::new();
        while let Some(callee) = open.pop() {
            if known.insert(callee) {
                let blocks = self.program.functions[callee].blocks.iter();
                if blocks.flat_map(|block| &block.insts).any(|inst| updates(&inst.op, &mut open)) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the operation that runs may not try again what it tried: neither in a loop nor by
    /// calling itself.
    pub(super) fn is_restricted(&mut self, guard: Guard) -> bool {
        let operation = self.operation_of(guard);
        let name = operation.map(|index| &self.out.operations[index as usize].name);
        name.is_some_and(|name| self.options.restricted.contains(&**name))
    }

    pub(super) fn assume_never(
        &mut self,
        frame: &Frame,
        guard: Guard,
        place: Option<LocId>,
        waits: Option<Waiting>,
    ) {
        let moment = self.moment(guard);
        let section = self.section_of(guard);
        let operation = self.operation_of(guard);
        let (condition, origin) = (None, frame.origin(place));
        let assumption = Assumption { moment, condition, waits, section, operation, origin };
        self.out.assumptions.push(assumption);
    }

    /// The operation that is running, if it is the same on all paths.
    pub(super) fn operation_of(&mut self, guard: Guard) -> Option<u32> {
        self.running.operation.unique(&mut self.out.terms.guards, guard).flatten()
    }

    /// The atomic section that is running.
    pub(super) fn section_of(&mut self, guard: Guard) -> Option<u32> {
        let section = self.running.section.unique(&mut self.out.terms.guards, guard);
        section.and_then(|(section, _)| section)
    }

    fn snapshot(&mut self, frame: &Frame, header: BlockId, store: Past) -> Snapshot {
        let flow = self.flow(frame.function);
        let live = flow.live[header].iter();
        Snapshot {
            regs: live.map(|&reg| (reg, frame.regs[reg.index()].clone())).collect(),
            store,
            effects: self.running.effects.len(),
            comparisons: self.running.comparisons.len(),
        }
    }

    /// Whether an iteration that surely goes back leaves the thread as it was, so that each one
    /// after it does the same for ever.
    fn repeats(&mut self, frame: &Frame, before: &Snapshot, back: Guard) -> bool {
        if self.running.effects.len() == before.effects {
            // One that does nothing is idle.
            return false;
        }
        let comparisons = &self.running.comparisons[before.comparisons..];
        let (terms, knowledge) = Knowledge::of(&mut self.out, comparisons, self.options);
        let same = |(reg, old): &(Reg, Guarded<Sym>)| {
            changed_within(&frame.regs[reg.index()], old, terms, (knowledge, back)) == Guard::FALSE
        };
        before.regs.iter().all(same)
            && self.store_unchanged((before.store, before.comparisons), back)
    }

    /// An iteration that changes nothing but what decides nothing in the loop, a counter of
    /// attempts, may be the first of endlessly many: the thread goes on, or waits there for ever.
    /// (What it has counted matters to those that leave the loop, so these paths go on, unless
    /// nothing decides whether the loop is left. Who waits in a later iteration could have done so
    /// in the first.) Gives the paths of such an iteration, given those of the one before.
    fn count(
        &mut self,
        frame: &mut Frame,
        header: BlockId,
        (key, before, since): (&InstanceKey, &Snapshot, u32),
        (counters, always): (&BTreeSet<Reg>, bool),
        (counted, place): (Guard, Option<LocId>),
    ) -> Guard {
        let back = frame.pending[header];
        if back == Guard::FALSE {
            return Guard::FALSE;
        }
        let idle = self.idle(frame, key, before, (back, counters), Rule::Reads);
        let earlier = self.out.terms.guards.not(counted);
        let mut here = self.out.terms.guards.and(idle, earlier);
        if always && idle == back {
            here = idle;
        } else if here != Guard::FALSE {
            let moment = self.moment(here);
            let (_, bit) = self.out.terms.input(Width::BOOL);
            self.out.inputs.push(Input::Stays { moment });
            let stays = self.out.terms.truth(bit);
            here = self.out.terms.guards.and(here, stays);
        }
        if here != Guard::FALSE {
            self.assume_never(frame, here, place, Some(Waiting { spins: true, since }));
            let goes_on = self.out.terms.guards.not(here);
            frame.pending[header] = self.out.terms.guards.and(back, goes_on);
        }
        idle
    }

    /// An iteration that changes nothing but numbers is dropped where these are any numbers. Gives
    /// whether there are others that could be.
    fn count_anything(
        &mut self,
        frame: &mut Frame,
        id: LoopId,
        (key, before, since): (&InstanceKey, &Snapshot, u32),
        (first, place, forgotten): (usize, Option<LocId>, &BTreeSet<Count>),
    ) -> bool {
        let flow = self.flow(frame.function);
        let it = &flow.loops.loops[id];
        let back = frame.pending[it.header];
        if back == Guard::FALSE || !self.options.reduce_spin_loops || self.may_race(first) {
            return false;
        }
        // One that counts to its end does not wait; where the loop around it waits, it is a pause.
        let ends = ends_by_itself(&self.promoted().functions[frame.function], it);
        if ends && !self.is_in_a_pause(key) {
            return false;
        }
        let idle = self.leaves_no_trace(before.effects, back, Rule::Reads);
        if idle == Guard::FALSE {
            return false;
        }
        let idle = self.idle_but_for_counts(frame, key, (before, back), (idle, forgotten));
        if idle == Guard::FALSE || !self.counts_anything(key) {
            return idle != Guard::FALSE;
        }
        let waits = (!ends).then_some(Waiting { spins: true, since });
        self.assume_never(frame, idle, place, waits);
        let busy = self.out.terms.guards.not(idle);
        frame.pending[it.header] = self.out.terms.guards.and(back, busy);
        false
    }

    /// The paths of an iteration that goes back without having done anything that a thread can
    /// see later, but for these registers.
    fn idle(
        &mut self,
        frame: &Frame,
        key: &InstanceKey,
        before: &Snapshot,
        (back, but_for): (Guard, &BTreeSet<Reg>),
        rule: Rule,
    ) -> Guard {
        let mut idle = self.leaves_no_trace(before.effects, back, rule);
        if idle == Guard::FALSE {
            return idle;
        }
        let comparisons = &self.running.comparisons[before.comparisons..];
        let (terms, knowledge) = Knowledge::of(&mut self.out, comparisons, self.options);
        for (reg, old) in before.regs.iter().filter(|(reg, _)| !but_for.contains(reg)) {
            let changed = changed_within(&frame.regs[reg.index()], old, terms, (knowledge, idle));
            let unchanged = terms.guards.not(changed);
            idle = terms.guards.and(idle, unchanged);
            if idle == Guard::FALSE {
                return idle;
            }
        }
        let changed = self.store_changed(key, (before.store, before.comparisons), idle);
        let guards = &mut self.out.terms.guards;
        let unchanged = guards.not(changed);
        let idle = guards.and(idle, unchanged);
        if idle != Guard::FALSE && rule == Rule::Polls {
            let locks = self.running.effects[before.effects..].iter().filter_map(lock);
            self.out.polled.extend(locks);
        }
        idle
    }

    /// The paths of these on which no thread can see what was done since the effect of this number.
    fn leaves_no_trace(&mut self, since: usize, paths: Guard, rule: Rule) -> Guard {
        let mut unseen = paths;
        // The mutexes that were taken, each on the paths on which it is held.
        let mut held: BTreeMap<TermId, Guard> = BTreeMap::new();
        for Effect { guard: effect, kind } in &self.running.effects[since..] {
            let terms = &mut self.out.terms;
            if terms.guards.exclude(unseen, *effect) {
                continue;
            }
            let elsewhere = terms.guards.not(*effect);
            let fine = match *kind {
                EffectKind::Seen => elsewhere,
                EffectKind::Lock { .. } if rule == Rule::Reads => elsewhere,
                EffectKind::Update { old, new } => {
                    let same = terms.binary(BinaryOp::Eq, old, new);
                    let same = terms.truth(same);
                    terms.guards.or(elsewhere, same)
                }
                EffectKind::Lock { address, takes, .. } => {
                    let held = held.entry(address).or_insert(Guard::FALSE);
                    let free = terms.guards.not(*held);
                    let (right, now) = match takes {
                        true => (free, terms.guards.or(*held, *effect)),
                        false => (*held, terms.guards.and(*held, elsewhere)),
                    };
                    *held = now;
                    terms.guards.or(elsewhere, right)
                }
            };
            unseen = terms.guards.and(unseen, fine);
        }
        for held in held.into_values() {
            let free = self.out.terms.guards.not(held);
            unseen = self.out.terms.guards.and(unseen, free);
        }
        unseen
    }

    /// Executes a block.
    fn block(&mut self, frame: &mut Frame, id: BlockId) -> Result<()> {
        let mut guard = std::mem::replace(&mut frame.pending[id], Guard::FALSE);
        let block = &self.program.functions[frame.function].blocks[id];
        let depth = frame.context.len();
        for (index, inst) in block.insts.iter().enumerate() {
            frame.context.extend([0, id.index() as u32, index as u32]);
            (frame.block, frame.next) = (id, index);
            if index % LOOK == LOOK - 1 {
                in_time(&self.options.limits)?;
            }
            guard = self.instruction(frame, guard, inst)?;
            frame.context.truncate(depth);
            if guard == Guard::FALSE {
                return Ok(());
            }
        }
        frame.block = id;
        in_time(&self.options.limits)?;
        self.terminate(frame, guard, &block.terminator, block.place)
    }

    fn terminate(
        &mut self,
        frame: &mut Frame,
        guard: Guard,
        terminator: &Terminator,
        place: Option<LocId>,
    ) -> Result<()> {
        match terminator {
            Terminator::Jump(target) => self.arrive(frame, *target, guard),
            Terminator::Branch { cond, then, otherwise } => {
                let what = "the condition of a branch";
                let cond = self.decide(frame, guard, cond, what, place)?;
                self.branched(frame, guard, &cond.taint);
                let taken = self.out.terms.truth(cond.term);
                self.running.comparisons.extend(Comparison::by(&mut self.out.terms, cond.term));
                let not_taken = self.out.terms.guards.not(taken);
                let ways = [(taken, *then), (not_taken, *otherwise)];
                for (arm, (way, target)) in ways.into_iter().enumerate() {
                    let here = self.out.terms.guards.and(guard, way);
                    self.branch_goal(frame, here, arm);
                    let shown = self.as_far_as_shown(frame, (here, guard), arm, place);
                    self.arrive(frame, target, shown);
                }
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.decide(frame, guard, value, "the value of a `switch`", place)?;
                self.branched(frame, guard, &value.taint);
                let mut rest = guard;
                for (arm, case) in cases.iter().enumerate() {
                    in_time(&self.options.limits)?;
                    let inside = self.in_range(value.term, case.low, case.high);
                    let here = self.out.terms.guards.and(rest, inside);
                    self.branch_goal(frame, here, arm);
                    let shown = self.as_far_as_shown(frame, (here, guard), arm, place);
                    self.arrive(frame, case.target, shown);
                    let outside = self.out.terms.guards.not(inside);
                    rest = self.out.terms.guards.and(rest, outside);
                }
                self.branch_goal(frame, rest, cases.len());
                let shown = self.as_far_as_shown(frame, (rest, guard), cases.len(), place);
                self.arrive(frame, *default, shown);
            }
            Terminator::Return(value) => {
                if let Some(operand) = value {
                    let sym = self.operand(frame, guard, operand, place)?;
                    if let Some(result) = &mut frame.result {
                        result.set(&mut self.out.terms.guards, guard, sym);
                    }
                }
                self.leave_call(frame, guard, place)?;
                frame.returned = self.out.terms.guards.or(frame.returned, guard);
            }
            Terminator::ThreadExit(value) => {
                let result = match value {
                    Some(operand) => Some(self.operand(frame, guard, operand, place)?),
                    None => None,
                };
                let mut regions = self.running.stack.clone();
                regions.extend(self.thread_locals());
                self.end_objects(frame, guard, &regions, place)?;
                self.end_thread(guard, result, place)?;
            }
            Terminator::Exit(_) => self.end_program(guard, place)?,
            Terminator::Trap(message) => {
                let kind = FindingKind::Trap(message.clone());
                self.check(frame, guard, Wrong::Always, kind, place);
            }
        }
        Ok(())
    }

    fn branch_goal(&mut self, frame: &Frame, guard: Guard, arm: usize) {
        let (function, block, arm) = (frame.function, frame.block, arm as u32);
        self.goal(guard, Goal::Branch { function, block, arm });
    }

    /// Control reaches something on the paths of `guard`.
    pub(super) fn goal(&mut self, guard: Guard, goal: Goal) {
        if self.options.goals && guard != Guard::FALSE {
            let moment = self.moment(guard);
            self.out.goals.push((goal, moment));
        }
    }

    fn arrive(&mut self, frame: &mut Frame, target: BlockId, guard: Guard) {
        let pending = frame.pending[target];
        frame.pending[target] = self.out.terms.guards.or(pending, guard);
    }

    fn in_range(&mut self, value: TermId, low: u128, high: u128) -> Guard {
        let width = self.out.terms.width(value);
        if low == high {
            return self.out.terms.equals(value, Value::int(width, low));
        }
        let low = self.constant(Value::int(width, low));
        let high = self.constant(Value::int(width, high));
        let above = self.out.terms.binary(BinaryOp::Ule, low, value);
        let below = self.out.terms.binary(BinaryOp::Ule, value, high);
        let (above, below) = (self.out.terms.truth(above), self.out.terms.truth(below));
        self.out.terms.guards.and(above, below)
    }

    /// A value that decides where to go: it must be defined, and what follows depends on it.
    pub(super) fn decide(
        &mut self,
        frame: &Frame,
        guard: Guard,
        operand: &Operand,
        what: &'static str,
        place: Option<LocId>,
    ) -> Result<Sym> {
        let value = self.defined(frame, guard, operand, what, place)?;
        self.decided_by(guard, &value.taint);
        Ok(value)
    }

    /// The value of an operand, which must be defined.
    pub(super) fn defined(
        &mut self,
        frame: &Frame,
        guard: Guard,
        operand: &Operand,
        what: &'static str,
        place: Option<LocId>,
    ) -> Result<Sym> {
        let value = self.operand(frame, guard, operand, place)?;
        if self.out.terms.constant(value.term).is_none_or(|value| !value.is_defined()) {
            let kind = FindingKind::UndefinedUse(what.into());
            self.check(frame, guard, Wrong::Undefined(value.term), kind, place);
        }
        Ok(value)
    }

    pub(super) fn check(
        &mut self,
        frame: &Frame,
        guard: Guard,
        wrong: Wrong,
        kind: FindingKind,
        place: Option<LocId>,
    ) {
        let moment = self.moment(guard);
        let section = self.section_of(guard);
        self.out.checks.push(Check { moment, wrong, kind, origin: frame.origin(place), section });
    }
}

/// Whether a loop that nothing decides has made too many accesses.
fn too_many(accesses: usize, iterations: u32, bound: u32) -> bool {
    accesses > MAX_CONSTANT_ACCESSES && iterations > bound
}

/// The taking or giving back of a mutex.
fn lock(effect: &Effect) -> Option<ActionId> {
    match effect.kind {
        EffectKind::Lock { action, .. } => Some(action),
        EffectKind::Seen | EffectKind::Update { .. } => None,
    }
}

/// Whether an instruction is an atomic update, or begins one; remembers which function it calls.
fn updates(op: &Op, calls: &mut Vec<FuncId>) -> bool {
    match op {
        Op::Call { callee: Callee::Direct(function), .. } => {
            calls.push(*function);
            false
        }
        Op::Cas { .. }
        | Op::Rmw { .. }
        | Op::Mcas { .. }
        | Op::StoreExclusive { .. }
        | Op::AtomicBegin => true,
        _ => false,
    }
}
