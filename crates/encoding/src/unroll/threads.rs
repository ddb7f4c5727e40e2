//! Starting, ending and awaiting threads.

use super::{Frame, Result, Running, Sym, Unroller, unsupported};
use crate::bounded::{ActionId, ActionKind, Thread};
use crate::guard::Guard;
use execution::event::ThreadId;
use execution::ids::Id;
use ir::op::{Callee, Operand};
use ir::program::{FuncId, LocId, Reg, Width};
use ir::value::Value;

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
        self.running.active.push(function);
        self.blocks(&mut frame, None)?;
        if frame.returned != Guard::FALSE {
            let returned = frame.returned;
            let result = frame.result.as_ref().map(|r| r.read(&mut self.out.terms, returned));
            self.end_thread(returned, result, None)?;
        }
        self.out.threads[id].ended = self.running.ended;
        self.running = outer;
        Ok(id)
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

    /// The whole program ends.
    pub(super) fn end_program(&mut self, guard: Guard, place: Option<LocId>) -> Result<()> {
        if self.running.thread.index() > 0 {
            return unsupported(place, "the end of the program in a thread other than the first");
        }
        self.end_thread(guard, None, place)
    }

    pub(super) fn spawn(
        &mut self,
        frame: &mut Frame,
        guard: Guard,
        dst: Reg,
        callee: &Callee,
        args: &[Operand],
        place: Option<LocId>,
    ) -> Result<()> {
        let function = self.callee(frame, guard, callee, place)?;
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
            self.concurrent = true;
        }
        let next = self.out.threads.next_id();
        self.next_instruction();
        let action = self.act(frame, guard, ActionKind::Spawn(next), place)?;
        self.running.effects.push((guard, None));
        let id = self.thread(function, values, guard, Some(action))?;
        debug_assert_eq!(id, next);
        let handle = self.constant(Value::int(Width::I64, id.index() as u128 + 1));
        self.set_fitted(frame, guard, dst, handle.into());
        Ok(())
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
        let handle = self.out.terms.constant(handle.term).map(|value| value.low());
        let index = handle.and_then(|handle| handle.checked_sub(1));
        let known = index.filter(|&index| (index as usize) < self.out.threads.len());
        let Some(index) = known else {
            return unsupported(place, "waiting for a thread that is not known beforehand");
        };
        let id = ThreadId::new(index as usize);
        let before = self.joined.get(&id).copied().unwrap_or(Guard::FALSE);
        let twice = self.out.terms.guards.and(before, guard);
        if twice != Guard::FALSE {
            let kind = ir::step::finding::FindingKind::BadJoin;
            self.check(frame, twice, crate::bounded::Wrong::Always, kind, place);
        }
        let joined = self.out.terms.guards.or(before, guard);
        self.joined.insert(id, joined);
        // Where the thread does not end, whoever awaits it does not go on.
        let ended = self.out.threads[id].ended;
        let on = self.out.terms.guards.and(guard, ended);
        if on == Guard::FALSE {
            return Ok(on);
        }
        self.next_instruction();
        self.act(frame, on, ActionKind::Join(id), place)?;
        self.running.effects.push((on, None));
        if let Some(dst) = dst {
            let zero = self.constant(Value::int(Width::I64, 0));
            let result = self.results.get(&id).map_or(zero, |result| result.term);
            self.set_fitted(frame, on, dst, result.into());
        }
        Ok(on)
    }
}
