//! Starting, ending and awaiting threads.
//!
//! Soundness S-097 (check, verify; all; refuses): Refused for the solver: a thread other than the
//! first that joins through a handle read from shared memory, two threads that join the same
//! thread, and more than 256 threads; a loop that starts threads for ever is a bound, and threads
//! that start others with the same function are followed for 16 generations (`holds*`). Test:
//! crates/fencepost/tests/verify.rs::a_loop_that_starts_threads_without_end_is_named,
//! crates/fencepost/tests/verify.rs::threads_that_are_started_without_end_are_followed_as_far_as_bounds_say,
//! crates/fencepost/tests/verify.rs::too_many_threads_are_told_at_the_users_line.

use super::{Effect, Frame, Result, Running, Sym, Unroller, unsupported};
use crate::bounded::{ActionId, ActionKind, BoundHit, Thread, Wrong};
use crate::guard::Guard;
use execution::event::ThreadId;
use execution::finding::FindingKind;
use execution::ids::Id;
use ir::op::{Callee, Operand};
use ir::program::{FuncId, Function, LocId, Reg, Width};
use ir::step::mismatch;
use ir::value::Value;

/// This many threads are explored.
const MAX_THREADS: usize = 256;
/// Of threads that start others which run the same function, this many generations; fewer where
/// these are more threads than are looked at.
pub(super) const MAX_GENERATIONS: u32 = 16;

impl Unroller<'_> {
    /// Executes a whole thread.
    pub(super) fn thread(
        &mut self,
        function: FuncId,
        args: Vec<Sym>,
        guard: Guard,
        parent: Option<ActionId>,
    ) -> Result<ThreadId> {
        let actions = Vec::new();
        let ended = Guard::FALSE;
        let id = self.out.threads.push(Thread { function, parent, guard, actions, ended });
        let outer = std::mem::replace(&mut self.running, Running::new(id));
        let calls = [(function, None)].into();
        let mut frame = self.frame(guard, function, args, calls, vec![id.index() as u32])?;
        frame.pending[self.program.functions[function].entry()] = guard;
        self.enter_call(&frame, guard);
        self.blocks(&mut frame, None)?;
        if frame.returned != Guard::FALSE {
            let returned = frame.returned;
            let result = frame.result.as_ref().map(|r| r.read(&mut self.out.terms, returned));
            if id.index() == 0 {
                self.check_result(&frame, returned, result.as_ref());
                let moment = self.moment(returned);
                self.out.exits.push(moment);
            }
            self.end_thread(returned, result, None)?;
        }
        self.out.threads[id].ended = self.running.ended;
        self.running = outer;
        Ok(id)
    }

    /// What `main` returns is what others see of the program: it must be defined.
    fn check_result(&mut self, frame: &Frame, guard: Guard, result: Option<&Sym>) {
        let alone = self.program.entry.len() == 1 && !self.options.litmus;
        let Some(result) = result.filter(|_| alone) else { return };
        if self.out.terms.constant(result.term).is_none_or(|value| !value.is_defined()) {
            let kind = FindingKind::UndefinedUse("the result of `main`".into());
            let place = self.program.functions[frame.function].place;
            self.check(frame, guard, Wrong::Undefined(result.term), kind, place);
        }
    }

    /// The running thread ends on the paths of `guard`.
    pub(super) fn end_thread(
        &mut self,
        guard: Guard,
        result: Option<Sym>,
        place: Option<LocId>,
    ) -> Result<()> {
        let section = self.running.section.unique(&mut self.out.terms.guards, guard);
        if section.is_none_or(|(section, _)| section.is_some()) {
            return unsupported(place, "a thread that ends inside an atomic section");
        }
        self.running.ended = self.out.terms.guards.or(self.running.ended, guard);
        let zero = self.constant(Value::int(Width::I64, 0));
        let result = result.unwrap_or_else(|| zero.into());
        let thread = self.running.thread;
        let result = match self.results.get(&thread).cloned() {
            Some(other) => {
                let term = self.out.terms.ite(guard, result.term, other.term);
                result.joined(&other, term, &mut self.out.terms)
            }
            None => result,
        };
        self.results.insert(thread, result);
        Ok(())
    }

    /// The whole program ends. In a thread other than the first, this thread goes no further, and
    /// who waits for it waits for ever: what the others still do may also have been done before.
    pub(super) fn end_program(&mut self, guard: Guard, place: Option<LocId>) -> Result<()> {
        let moment = self.moment(guard);
        self.out.exits.push(moment);
        self.out.exit_calls.push(moment);
        if self.running.thread.index() > 0 {
            return Ok(());
        }
        self.end_thread(guard, None, place)
    }

    /// Starts a thread; gives the guard of the paths that go on.
    pub(super) fn spawn(
        &mut self,
        frame: &mut Frame,
        guard: Guard,
        dst: Reg,
        callee: &Callee,
        args: &[Operand],
        place: Option<LocId>,
    ) -> Result<Guard> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let value = self.operand(frame, guard, arg, place)?;
            if !self.options.own_objects {
                self.escape(value.term);
            }
            // Arguments are passed by value, and order is that of thread creation.
            values.push(Sym::from(value.term));
        }
        if !self.concurrent {
            self.freeze();
            self.out.before_threads = self.objects.addresses.end();
            self.concurrent = true;
        }
        let mut on = guard;
        let given: Vec<Width> =
            values.iter().map(|value| self.out.terms.width(value.term)).collect();
        // A function without parameters does not look at its argument.
        let mismatch = |called: &Function| match called.params.is_empty() {
            true => None,
            false => mismatch(called, &given, None),
        };
        for (here, function) in self.callees(frame, guard, callee, &mismatch, place)? {
            let generation = self.generation(function);
            if self.out.threads.len() >= MAX_THREADS {
                self.found.crowded = generation > 0;
                let place = self.users_place(frame, place);
                let what = "(if they are started in a loop or by each other, give that an end)";
                return unsupported(place, format!("more than {MAX_THREADS} threads {what}"));
            }
            if generation >= self.assumed.generations {
                self.stop_starting(frame, here, (function, generation), place);
                let elsewhere = self.out.terms.guards.not(here);
                on = self.out.terms.guards.and(on, elsewhere);
                continue;
            }
            let next = self.out.threads.next_id();
            self.next_instruction();
            let action = self.act(frame, here, ActionKind::Spawn(next), place)?;
            self.running.effects.push(Effect::seen(here));
            let id = self.thread(function, values.clone(), here, Some(action))?;
            debug_assert_eq!(id, next);
            let handle = self.constant(Value::int(Width::I64, id.index() as u128 + 1));
            self.set_fitted(frame, here, dst, handle.into());
        }
        Ok(on)
    }

    /// How many threads of a function have led to the one that runs, each starting the next.
    fn generation(&self, function: FuncId) -> u32 {
        let line = std::iter::once(self.running.thread).chain(self.ancestors());
        line.filter(|&id| self.out.threads[id].function == function).count() as u32
    }

    /// The thread that has started the one that runs, the one that has started that, and so on.
    fn ancestors(&self) -> impl Iterator<Item = ThreadId> {
        let parent = |&id: &ThreadId| {
            self.out.threads[id].parent.map(|spawn| self.out.actions[spawn].thread)
        };
        std::iter::successors(parent(&self.running.thread), parent)
    }

    /// Gives up the paths on which one more generation of threads would be started.
    fn stop_starting(
        &mut self,
        frame: &Frame,
        guard: Guard,
        (function, generation): (FuncId, u32),
        place: Option<LocId>,
    ) {
        let moment = self.moment(guard);
        let key = [self.running.thread.index() as u32, 3, function.index() as u32];
        let place = self.users_place(frame, place);
        let (key, last) = (key[..].into(), Some(generation));
        let section = self.section_of(guard);
        self.out.bounds.push(BoundHit {
            moment,
            key,
            last,
            size: None,
            origin: frame.origin(place),
            unseen: None,
            section,
            counted: false,
            counting: false,
            stores: None,
        });
    }

    /// Awaits a thread; gives the guard of the paths on which it ends.
    pub(super) fn join(
        &mut self,
        frame: &mut Frame,
        guard: Guard,
        dst: Option<Reg>,
        thread: &Operand,
        place: Option<LocId>,
    ) -> Result<Guard> {
        let handle = self.defined(frame, guard, thread, "the handle of a thread", place)?;
        // The first thread knows all that were started so far; another may be handed later ones.
        let first = self.running.thread.index() == 0;
        let known = match self.alternatives(handle.term) {
            Some(values) => values.iter().filter_map(|value| value.low().checked_sub(1)).collect(),
            None if first => (1..self.out.threads.len() as u64).collect::<Vec<_>>(),
            None => return unsupported(place, "waiting for a thread that is not known beforehand"),
        };
        let width = self.out.terms.width(handle.term);
        let (mut rest, mut joined) = (guard, Guard::FALSE);
        let started = self.out.threads.len() as u64;
        for index in known.into_iter().filter(|&index| index < started) {
            let value = Value::int(width, u128::from(index) + 1);
            let equal = self.out.terms.equals(handle.term, value);
            let here = self.out.terms.guards.and(rest, equal);
            let other = self.out.terms.guards.not(equal);
            rest = self.out.terms.guards.and(rest, other);
            if here != Guard::FALSE {
                let on = self.join_one(frame, here, dst, ThreadId::new(index as usize), place)?;
                joined = self.out.terms.guards.or(joined, on);
            }
        }
        if rest != Guard::FALSE {
            let kind = FindingKind::BadJoin;
            self.check(frame, rest, Wrong::Always, kind, place);
        }
        Ok(joined)
    }

    fn join_one(
        &mut self,
        frame: &mut Frame,
        guard: Guard,
        dst: Option<Reg>,
        id: ThreadId,
        place: Option<LocId>,
    ) -> Result<Guard> {
        let by = self.running.thread;
        if self.ancestors().any(|ancestor| ancestor == id) {
            // What it still does is not known yet.
            let place = self.users_place(frame, place);
            return unsupported(place, "waiting for the thread that has started this one");
        }
        for (other, before) in self.joined.get(&id).cloned().unwrap_or_default() {
            let twice = self.out.terms.guards.and(before, guard);
            if twice == Guard::FALSE {
                continue;
            }
            if other != by {
                let place = self.users_place(frame, place);
                return unsupported(place, "a thread that two threads wait for");
            }
            let kind = FindingKind::BadJoin;
            self.check(frame, twice, Wrong::Always, kind, place);
        }
        self.joined.entry(id).or_default().push((by, guard));
        // Where the thread does not end, a thread that awaits it does not go on.
        let ended = self.out.threads[id].ended;
        let on = self.out.terms.guards.and(guard, ended);
        let not_ended = self.out.terms.guards.not(ended);
        let blocked = self.out.terms.guards.and(guard, not_ended);
        if blocked != Guard::FALSE {
            let moment = self.moment(blocked);
            self.out.blocked.push((moment, frame.origin(place)));
        }
        if on == Guard::FALSE {
            return Ok(on);
        }
        self.next_instruction();
        self.act(frame, on, ActionKind::Join(id), place)?;
        self.running.effects.push(Effect::seen(on));
        if let Some(dst) = dst {
            let zero = self.constant(Value::int(Width::I64, 0));
            let result = self.results.get(&id).map_or(zero, |result| result.term);
            self.set_fitted(frame, on, dst, result.into());
        }
        Ok(on)
    }
}
