//! One thread of a program: registers, call stack, and stepping it against a memory.
//!
//! The stepper walks the program's own instructions; there is no second form of the code. A
//! *visible* instruction is one that another thread, or an observer of the program, may notice:
//! memory accesses, fences, sections, allocation, threads, output and observations. Everything
//! else is local. One step is any number of local instructions and then one visible one.

use super::frame::{Frame, TraceEntry, trace};
use super::memory::{Memory, Site};
use super::taint::Taint;
use crate::cfg::Liveness;
use crate::op::{Inst, Op, Operand, Terminator};
use crate::program::{FuncId, LocId, Program, Reg};
use crate::value::{RegionId, Value};
use execution::event::ThreadId;
use execution::ids::{Id, IdVec};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

/// A program made ready for stepping.
#[derive(Clone, Debug)]
pub struct Code<'p> {
    /// The program.
    pub program: &'p Program,
    /// What the registers of a function hold before the arguments: nothing defined.
    registers: IdVec<FuncId, Vec<Value>>,
    /// How many calls may be active in one thread before it is a stack overflow.
    pub max_depth: usize,
}

impl<'p> Code<'p> {
    /// Makes a program ready. It must be well formed.
    pub fn new(program: &'p Program) -> Self {
        let undefined = |f: &crate::program::Function| {
            f.regs.iter().map(|info| Value::undef(info.width)).collect()
        };
        let registers = program.functions.iter().map(undefined).collect();
        Self { program, registers, max_depth: 1 << 15 }
    }
}

/// How a thread ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Its first function returned.
    Returned(Option<Value>),
    /// It ended itself.
    ThreadExit(Option<Value>),
    /// It ended the whole program with a status.
    Exit(Value),
}

/// What came of stepping a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step<S> {
    /// It did what was requested, or reached a place where it always stops: before an outermost
    /// atomic section, after starting a thread, after yielding.
    Ran,
    /// It has ended.
    Finished(Ending),
    /// The memory did not answer. The thread is exactly before the instruction that asked.
    Stopped(S),
    /// It executed as many instructions as it was allowed to, without a visible one among them
    /// at the end. Stepping again goes on from there.
    OutOfFuel,
}

/// What a thread does next.
#[derive(Clone, Copy, Debug)]
pub enum Next<'p> {
    /// An instruction.
    Inst(&'p Inst),
    /// The end of a block.
    Terminator(&'p Terminator),
    /// Nothing, it has ended.
    Ended,
}

/// The state of a thread. Cloning it copies a few vectors; nothing is shared.
#[derive(Debug)]
pub struct Thread<T> {
    pub(super) id: ThreadId,
    pub(super) frames: Vec<Frame>,
    /// The registers of all active calls.
    pub(super) values: Vec<Value>,
    /// The taints of the registers.
    pub(super) taints: Vec<T>,
    /// The addresses of the stack objects of all active calls.
    pub(super) slots: Vec<Value>,
    /// What the branches so far were decided by.
    pub(super) control: T,
    pub(super) executed: u64,
    /// How many atomic sections it is in.
    pub(super) sections: u32,
    pub(super) ending: Option<Ending>,
    /// Whether the stack objects of the first call have been made.
    entered: bool,
}

impl<T: Clone> Clone for Thread<T> {
    fn clone(&self) -> Self {
        Self {
            frames: self.frames.clone(),
            values: self.values.clone(),
            taints: self.taints.clone(),
            slots: self.slots.clone(),
            control: self.control.clone(),
            ..*self
        }
    }

    /// Reuses the room that `self` already has: cheap enough for every atomic section.
    fn clone_from(&mut self, source: &Self) {
        self.frames.clone_from(&source.frames);
        self.values.clone_from(&source.values);
        self.taints.clone_from(&source.taints);
        self.slots.clone_from(&source.slots);
        self.control.clone_from(&source.control);
        self.id = source.id;
        self.executed = source.executed;
        self.sections = source.sections;
        self.ending = source.ending;
        self.entered = source.entered;
    }
}

impl<T: Taint> Thread<T> {
    /// A thread about to call `function` with `args`, of which there are as many as it takes.
    pub fn new(code: &Code<'_>, id: ThreadId, function: FuncId, args: &[Value]) -> Self {
        let entry = code.program.functions[function].entry();
        let frame = Frame { function, block: entry, next: 0, regs: 0, slots: 0, result: None };
        let mut values = code.registers[function].clone();
        for (&param, &arg) in code.program.functions[function].params.iter().zip(args) {
            values[param.index()] = arg;
        }
        Self {
            id,
            frames: vec![frame],
            taints: vec![T::default(); values.len()],
            values,
            slots: Vec::new(),
            control: T::default(),
            executed: 0,
            sections: 0,
            ending: None,
            entered: false,
        }
    }

    /// The same thread under another number.
    pub fn renumbered(&self, id: ThreadId) -> Self
    where
        T: Clone,
    {
        Self { id, ..self.clone() }
    }

    /// The thread's number.
    pub fn id(&self) -> ThreadId {
        self.id
    }

    /// How many instructions it has executed, ends of blocks included.
    pub fn executed(&self) -> u64 {
        self.executed
    }

    /// How it ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Whether it is inside an atomic section.
    pub fn in_section(&self) -> bool {
        self.sections > 0
    }

    /// What the branches so far were decided by.
    pub fn control(&self) -> &T {
        &self.control
    }

    /// The active calls, outermost first.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// About how many bytes its calls need.
    pub fn bytes(&self) -> usize {
        self.frames.len() * size_of::<Frame>()
            + (self.values.len() + self.slots.len()) * size_of::<Value>()
    }

    /// A register of the innermost call (after the end of the thread, of its last one).
    pub fn register(&self, reg: Reg) -> Option<(Value, &T)> {
        let index = self.frames.last()?.regs as usize + reg.index();
        Some((*self.values.get(index)?, &self.taints[index]))
    }

    /// A register of an active call, by its number from the outermost one.
    pub fn register_of(&self, call: usize, reg: Reg) -> Option<Value> {
        self.values.get(self.frames.get(call)?.regs as usize + reg.index()).copied()
    }

    /// What it does next.
    pub fn next<'p>(&self, code: &Code<'p>) -> Next<'p> {
        let (None, Some(frame)) = (self.ending, self.frames.last()) else { return Next::Ended };
        let block = &code.program.functions[frame.function].blocks[frame.block];
        match block.insts.get(frame.next as usize) {
            Some(inst) => Next::Inst(inst),
            None => Next::Terminator(&block.terminator),
        }
    }

    /// Whether the next instruction starts an outermost atomic section. A step never goes past
    /// such a place without having stopped there first, so a driver that may have to undo the
    /// section can copy the thread.
    pub fn at_section(&self, code: &Code<'_>) -> bool {
        self.sections == 0
            && matches!(self.next(code), Next::Inst(Inst { op: Op::AtomicBegin, .. }))
    }

    /// Whether it is at the same instruction as another thread was, with the same values in all
    /// registers: if memory is the same too, the two continue in the same way.
    pub fn is_where(&self, other: &Self) -> bool {
        self.frames == other.frames
            && self.sections == other.sections
            && self.ending == other.ending
            && self.values == other.values
            && self.slots == other.slots
    }

    /// The objects that its registers point to, in a fixed order.
    pub fn objects(&self) -> impl Iterator<Item = RegionId> + '_ {
        self.values.iter().flat_map(|value| value.provenance.into_iter().chain(value.high))
    }

    /// The addresses of the stack objects of all active calls, outermost first.
    pub fn slots(&self) -> &[Value] {
        &self.slots
    }

    /// Changes the values of all registers and the addresses of all stack objects, for a driver that
    /// moves objects.
    pub fn change_values(&mut self, change: impl FnMut(&mut Value)) {
        self.values.iter_mut().chain(&mut self.slots).for_each(change);
    }

    /// The same as [`is_where`](Self::is_where), where the stack objects of one may be elsewhere in
    /// memory than those of the other.
    pub fn is_where_with_other_slots(&self, other: &Self) -> bool {
        let pairs = || self.slots.iter().zip(&other.slots);
        let same_target = |a: &Value, b: &Value| {
            let slots = pairs().find(|(slot, _)| slot.provenance == a.provenance);
            slots.is_some_and(|(mine, theirs)| {
                let offset = a.low().wrapping_sub(mine.low());
                b.provenance == theirs.provenance
                    && b.low().wrapping_sub(theirs.low()) == offset
                    && (a.undef, a.high, a.width) == (b.undef, b.high, b.width)
            })
        };
        let same = |(a, b): (&Value, &Value)| a == b || a.provenance.is_some() && same_target(a, b);
        self.frames == other.frames
            && self.sections == other.sections
            && self.ending == other.ending
            && self.slots.len() == other.slots.len()
            && self.values.len() == other.values.len()
            && self.values.iter().zip(&other.values).all(same)
    }

    /// Feeds a hasher with everything that [`is_where`](Self::is_where) compares.
    pub fn hash_where(&self, state: &mut impl Hasher) {
        self.id.hash(state);
        self.frames.hash(state);
        self.sections.hash(state);
        self.ending.hash(state);
        self.values.hash(state);
        self.slots.hash(state);
    }

    /// Makes dead registers undefined, so that threads that continue in the same way are equal.
    pub fn forget(&mut self, code: &Code<'_>, alive: &IdVec<FuncId, Liveness>) {
        for (depth, frame) in self.frames.iter().enumerate() {
            let function = &alive[frame.function];
            // A call that is active has still to set the register for its result.
            let awaited = self.frames.get(depth + 1).and_then(|inner| inner.result);
            for (index, undefined) in code.registers[frame.function].iter().enumerate() {
                let reg = Reg::new(index);
                let read = function.is_alive(frame.block, frame.next as usize, reg);
                if !read || awaited == Some(reg) {
                    self.values[frame.regs as usize + index] = *undefined;
                }
            }
        }
    }

    /// Makes these registers of the innermost call undefined.
    pub fn forget_registers(&mut self, code: &Code<'_>, regs: &BTreeSet<Reg>) {
        let Some(frame) = self.frames.last() else { return };
        for &reg in regs {
            let undefined = code.registers[frame.function][reg.index()];
            self.values[frame.regs as usize + reg.index()] = undefined;
        }
    }

    /// Where it is: the innermost `limit` calls, innermost first.
    pub fn trace(&self, code: &Code<'_>, limit: usize) -> Vec<TraceEntry> {
        let place = self.frames.last().and_then(|frame| frame.next_place(code.program));
        trace(code.program, &self.frames, place, limit)
    }

    /// One step: local instructions, then one visible one; at most `fuel` in all.
    pub fn step<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        fuel: u64,
    ) -> Step<M::Stop> {
        self.run(code, memory, 1, fuel)
    }

    /// Up to `steps` steps at once, with at most `fuel` instructions in all. Starting a thread and
    /// yielding to others end it early.
    pub fn run<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        mut steps: u64,
        fuel: u64,
    ) -> Step<M::Stop> {
        if let Some(ending) = self.ending {
            return Step::Finished(ending);
        }
        if !self.entered {
            let function = self.frames[0].function;
            let place = code.program.functions[function].place;
            if let Err(stop) = self.make_slots(code, memory, function, place) {
                return Step::Stopped(stop);
            }
            self.entered = true;
        }
        let start = self.executed;
        let end = start.saturating_add(fuel);
        while steps > 0 {
            if self.executed >= end {
                return Step::OutOfFuel;
            }
            match self.one(code, memory, start) {
                Ok(Progress::Local) => {}
                Ok(Progress::Visible) => steps -= 1,
                Ok(Progress::Switch) => return Step::Ran,
                Ok(Progress::Ended) => {
                    let ending = self.ending.expect("it has ended");
                    return Step::Finished(ending);
                }
                Err(stop) => return Step::Stopped(stop),
            }
        }
        Step::Ran
    }

    /// Executes one instruction or terminator.
    #[inline]
    fn one<M: Memory<T>>(
        &mut self,
        code: &Code<'_>,
        memory: &mut M,
        start: u64,
    ) -> Result<Progress, M::Stop> {
        let frame = self.frames.last().expect("a running thread is in a call");
        let block = &code.program.functions[frame.function].blocks[frame.block];
        let Some(inst) = block.insts.get(frame.next as usize) else {
            return self.terminate(code, memory, block);
        };
        if self.sections == 0 && self.executed != start && matches!(inst.op, Op::AtomicBegin) {
            return Ok(Progress::Switch);
        }
        let progress = self.execute(code, memory, inst)?;
        self.executed += 1;
        Ok(progress)
    }

    /// The site of an instruction at `place`.
    pub(super) fn site<'s>(&'s self, code: &Code<'s>, place: Option<LocId>) -> Site<'s> {
        let frame = self.frames.last().expect("a running thread is in a call");
        Site {
            program: code.program,
            thread: self.id,
            function: frame.function,
            block: frame.block,
            place,
            instruction: self.executed,
            frames: &self.frames,
        }
    }

    /// The value of an operand.
    #[inline(always)]
    pub(super) fn value<M: Memory<T>>(
        &self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        operand: &Operand,
    ) -> Result<Value, M::Stop> {
        match *operand {
            Operand::Reg(reg) => Ok(*self.register_value(reg)),
            Operand::Int { width, bits } => {
                Ok(Value { bits, undef: 0, provenance: None, high: None, width })
            }
            _ => self.address(code, memory, place, operand),
        }
    }

    /// The value of an operand that is neither a register nor a number.
    fn address<M: Memory<T>>(
        &self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        operand: &Operand,
    ) -> Result<Value, M::Stop> {
        let site = self.site(code, place);
        Ok(match *operand {
            Operand::Global(global, offset) => memory.global(site, global)?.offset(offset),
            Operand::Slot(slot, offset) => {
                let frame = self.frames.last().expect("a running thread is in a call");
                self.slots[frame.slots as usize + slot.index()].offset(offset)
            }
            Operand::Function(function) => memory.function(site, function)?,
            Operand::Reg(_) | Operand::Int { .. } => {
                return self.value(code, memory, place, operand);
            }
            Operand::Undef(width) => Value::undef(width),
        })
    }

    /// A register of the running call.
    #[inline(always)]
    pub(super) fn register_value(&self, reg: Reg) -> &Value {
        &self.values[self.base() + reg.index()]
    }

    /// Where the registers of the innermost call start.
    #[inline(always)]
    fn base(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.regs as usize)
    }

    /// The taint of an operand.
    #[inline(always)]
    pub(super) fn taint(&self, operand: &Operand) -> T {
        match *operand {
            Operand::Reg(reg) => self.taints[self.base() + reg.index()].clone(),
            _ => T::default(),
        }
    }

    /// Sets a register of the innermost call.
    #[inline(always)]
    pub(super) fn set(&mut self, reg: Reg, value: Value, taint: T) {
        let base = self.base();
        self.values[base + reg.index()] = value;
        self.taints[base + reg.index()] = taint;
    }

    /// Adds the registers of a call, undefined.
    pub(super) fn push_registers(&mut self, code: &Code<'_>, function: FuncId) {
        self.values.extend_from_slice(&code.registers[function]);
        self.taints.resize(self.values.len(), T::default());
    }
}

/// The result of one instruction.
pub(super) enum Progress {
    Local,
    Visible,
    /// It is time for the driver to think about other threads.
    Switch,
    /// The thread has ended; how is in its state.
    Ended,
}
