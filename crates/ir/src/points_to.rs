//! Which objects several threads may share, by what the program's text says.
//!
//! That only one thread accesses an object, or that no thread writes it, is found out by unrolling,
//! along the paths that can be taken with what is known to be in such objects. On models that let a
//! write come before the reads that control depends on, this would be circular: of two
//! threads that each write something only if they read what the other writes, neither would ever
//! seem to write. There, the text decides: where the address of each object may be is followed
//! through registers, calls and memory (as in Andersen's thesis, 1994, without telling apart the
//! parts of an object, the heap blocks, or the activations of a function; what a global that
//! nothing in the text writes decides is known), and an object is shared
//! if another thread than `main` mentions it, it may be written while several threads run, and, if
//! each activation or thread has its own, if its address may come to another thread. A stack object
//! that is given to threads only when all has been written to it is not shared either.
//!
//! An object that seems to be shared and is not only makes the formula larger.
//!
//! In the same way the text says which functions a pointer that is read from memory may point to. If
//! one were missing, the solver would take it for no function, which the replay does not confirm.
//!
//! Soundness S-088 (verify; relaxed, c11, c11-simp, lkmm; refuses): On models that let a write take
//! effect before the reads that control depends on, an allocation whose size a thread finds in its
//! argument is refused, and every function whose address may be called by the text is followed.
//! Test: corpus/verify/memory/vector_grows_late.c.
//!
//! Soundness S-089 (check, verify; all; misses): Objects that no two threads access concurrently,
//! or that no thread writes while several run, are not shared memory; an error in what is shared
//! would lose executions. Test:
//! crates/fencepost/tests/verdicts.rs::writes_that_only_each_other_lets_happen_are_seen,
//! corpus/verify/races/before_create_after_join.c.

use crate::op::{Access, Callee, Choice, Inst, Op, Operand, Terminator};
use crate::program::{
    BlockId, FuncId, Function, Global, GlobalId, InitData, Program, Reg, Storage,
};
use crate::value::Value;
use execution::ids::Id;
use std::collections::{BTreeMap, BTreeSet};

/// What an address may point into.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Object {
    /// A global, or each thread's copy of a thread-local.
    Global(GlobalId),
    /// A stack object of each activation.
    Slot(FuncId, u32),
    /// The same, where it is the running activation that has it.
    Here(FuncId, u32),
    /// Every heap block.
    Heap,
    /// A function.
    Function(FuncId),
}

/// A set of objects.
pub type Objects = BTreeSet<Object>;

/// The objects that several threads may share. `threads` says whether there are only threads, and
/// no part before them.
pub fn shared(program: &Program, threads: bool) -> Objects {
    PointsTo::of(program).shared(threads)
}

/// The functions that each register may point to.
pub type Called = BTreeMap<(FuncId, Reg), Vec<FuncId>>;

/// The functions that registers may point to.
pub fn called(program: &Program) -> Called {
    let mut called = Called::new();
    for (register, objects) in PointsTo::of(program).registers {
        let function = |object| match object {
            Object::Function(function) => Some(function),
            _ => None,
        };
        called.insert(register, objects.into_iter().filter_map(function).collect());
    }
    called
}

/// What functions do with addresses.
pub struct PointsTo<'p> {
    program: &'p Program,
    /// The globals that nothing writes.
    unwritten: BTreeSet<GlobalId>,
    /// The functions that may run, with the blocks that they may come to, and those with which
    /// threads may begin.
    blocks: BTreeMap<FuncId, BTreeSet<BlockId>>,
    started: BTreeSet<FuncId>,
    /// What each register may point into, what results may, and what is in memory.
    registers: BTreeMap<(FuncId, Reg), Objects>,
    results: BTreeMap<FuncId, Objects>,
    contents: BTreeMap<Object, Objects>,
    /// What threads are given, and what they give back.
    given: Objects,
    /// What each function accesses, and what it writes.
    mentioned: BTreeMap<FuncId, Objects>,
    written: BTreeMap<FuncId, Objects>,
    /// The stack objects that others than their own activation write.
    passed_and_written: Objects,
    changed: bool,
}

impl<'p> PointsTo<'p> {
    /// The objects that several threads may share: see [`shared`].
    pub fn shared(&self, threads: bool) -> Objects {
        let (mentioned, written) = self.while_threads_run(threads || self.program.entry.len() > 1);
        let seen = self.seen_by_others();
        let both = mentioned.intersection(&written).copied();
        let may_change = |object: &Object| seen.contains(object) && !self.is_finished(object);
        both.filter(|object| self.is_global(object) || may_change(object)).collect()
    }

    /// Where all addresses of a program may be.
    pub fn of(program: &'p Program) -> Self {
        let mut text = PointsTo::new(program, BTreeSet::new());
        text.follow();
        let mut text = PointsTo::new(program, text.unwritten());
        text.follow();
        text
    }

    fn new(program: &'p Program, unwritten: BTreeSet<GlobalId>) -> Self {
        let mut contents: BTreeMap<Object, Objects> = BTreeMap::new();
        for (id, global) in program.globals.enumerate() {
            for init in &global.init {
                let held = match init.data {
                    InitData::Bytes(_) => continue,
                    InitData::Global(other, _) => Object::Global(other),
                    InitData::Function(function) => Object::Function(function),
                };
                contents.entry(Object::Global(id)).or_default().insert(held);
            }
        }
        let mut text = PointsTo {
            program,
            unwritten,
            blocks: BTreeMap::new(),
            started: BTreeSet::new(),
            registers: BTreeMap::new(),
            results: BTreeMap::new(),
            contents,
            given: Objects::new(),
            mentioned: BTreeMap::new(),
            written: BTreeMap::new(),
            passed_and_written: Objects::new(),
            changed: false,
        };
        program.entry.iter().for_each(|&main| text.run(main));
        text
    }

    /// A function may run.
    fn run(&mut self, function: FuncId) {
        if self.blocks.contains_key(&function) {
            return;
        }
        self.changed = true;
        let code = &self.program.functions[function];
        let mut found = BTreeSet::new();
        let mut open = vec![code.entry()];
        while let Some(id) = open.pop() {
            if found.insert(id) {
                open.extend(self.successors(code, id));
            }
        }
        self.blocks.insert(function, found);
    }

    /// The blocks that may follow one, with what globals hold that nothing writes.
    fn successors(&self, code: &Function, id: BlockId) -> Vec<BlockId> {
        let block = &code.blocks[id];
        let Terminator::Branch { cond: Operand::Reg(cond), then, otherwise } = &block.terminator
        else {
            return block.terminator.successors();
        };
        let mut known: BTreeMap<Reg, Value> = BTreeMap::new();
        for inst in &block.insts {
            let value = {
                let get = |operand: &Operand| match operand {
                    Operand::Reg(reg) => known.get(reg).copied(),
                    Operand::Int { width, bits } => Some(Value::int(*width, *bits)),
                    _ => None,
                };
                match &inst.op {
                    Op::Load { access, .. } => self.never_changed(access),
                    Op::Copy { src, .. } => get(src),
                    Op::Unary { op, a, .. } => get(a).map(|a| a.unary(*op)),
                    Op::Cast { dst, op, a } => get(a).map(|a| a.cast(*op, code.regs[*dst].width)),
                    Op::Binary { op, a, b, .. } => {
                        get(a).zip(get(b)).and_then(|(a, b)| a.binary(*op, b).ok())
                    }
                    _ => None,
                }
            };
            for dst in inst.op.results() {
                match value {
                    Some(value) => known.insert(dst, value),
                    None => known.remove(&dst),
                };
            }
        }
        match known.get(cond) {
            Some(value) if value.is_defined() => {
                vec![if value.is_zero() { *otherwise } else { *then }]
            }
            _ => vec![*then, *otherwise],
        }
    }

    /// What is in a global that starts with zeros and that nothing writes.
    fn never_changed(&self, access: &Access) -> Option<Value> {
        let Operand::Global(global, offset) = access.address else { return None };
        let Global { init, size, .. } = &self.program.globals[global];
        let inside = offset >= 0 && offset as u64 + access.width.bytes() <= *size;
        let known = self.unwritten.contains(&global) && init.is_empty() && inside;
        known.then(|| Value::int(access.width, 0))
    }

    /// The globals that nothing writes.
    fn unwritten(&self) -> BTreeSet<GlobalId> {
        let written: Objects = self.written.values().flatten().copied().collect();
        let globals = self.program.globals.enumerate().map(|(id, _)| id);
        globals.filter(|&id| !written.contains(&Object::Global(id))).collect()
    }

    /// Finds out where addresses flow, until nothing changes.
    fn follow(&mut self) {
        loop {
            self.changed = false;
            for (id, blocks) in self.blocks.clone() {
                for block in blocks.iter().map(|&block| &self.program.functions[id].blocks[block]) {
                    block.insts.iter().for_each(|inst| self.look_at(id, &inst.op));
                    let (value, ends) = match &block.terminator {
                        Terminator::Return(Some(value)) => (value, self.started.contains(&id)),
                        Terminator::ThreadExit(Some(value)) => (value, true),
                        _ => continue,
                    };
                    let value = passed(self.objects(id, value));
                    if ends {
                        self.changed |= add(&mut self.given, &value);
                    }
                    self.changed |= add(self.results.entry(id).or_default(), &value);
                }
            }
            if !self.changed {
                return;
            }
        }
    }

    fn look_at(&mut self, function: FuncId, op: &Op) {
        match op {
            Op::Copy { .. }
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Cast { .. }
            | Op::Select { .. }
            | Op::Choose { from: Choice::Set(_), .. } => {
                let all = self.all(function, &op.operands());
                self.flow_to(function, &op.results(), &all);
            }
            Op::Call { dst, callee, args } => {
                let mut result = Objects::new();
                for callee in self.callees(function, callee) {
                    self.pass(function, callee, args);
                    result.extend(self.results.get(&callee).into_iter().flatten());
                }
                dst.iter().for_each(|&dst| self.flow(function, dst, &result));
            }
            Op::Spawn { callee, args, .. } => {
                for callee in self.callees(function, callee) {
                    self.pass(function, callee, args);
                    self.changed |= self.started.insert(callee);
                }
                let given = self.all(function, &args.iter().collect::<Vec<_>>());
                self.changed |= add(&mut self.given, &passed(given));
            }
            Op::Join { dst, .. } => {
                let results: Objects = self.results.values().flatten().copied().collect();
                dst.iter().for_each(|&dst| self.flow(function, dst, &results));
            }
            Op::Alloc { dst, zeroed, .. } => {
                let heap = Objects::from([Object::Heap]);
                self.flow(function, *dst, &heap);
                if *zeroed {
                    self.changed |= add(self.written.entry(function).or_default(), &heap);
                }
            }
            Op::Free { address } => {
                let freed = passed(self.objects(function, address));
                self.changed |= add(self.written.entry(function).or_default(), &freed);
                self.changed |= add(self.mentioned.entry(function).or_default(), &freed);
            }
            _ if !op.accesses().is_empty() => self.access(function, op),
            // Nothing that these decide, show or print is an address that they leave anywhere.
            _ => {}
        }
    }

    /// An access: what is stored may be anywhere in the object, and so may what is read.
    fn access(&mut self, function: FuncId, op: &Op) {
        let addresses: Vec<&Operand> = op.accesses().into_iter().map(|a| &a.address).collect();
        let reached = self.all(function, &addresses);
        let accessed = passed(reached.clone());
        self.changed |= add(self.mentioned.entry(function).or_default(), &accessed);
        if !matches!(op, Op::Load { .. }) {
            self.changed |= add(self.written.entry(function).or_default(), &accessed);
            self.passed_and_written.extend(reached);
            let is_address = |o: &Operand| addresses.iter().any(|a| std::ptr::eq(*a, o));
            let stored = op.operands().into_iter().filter(|o| !is_address(o));
            let stored = passed(self.all(function, &stored.collect::<Vec<_>>()));
            if !stored.is_empty() {
                for &object in &accessed {
                    self.changed |= add(self.contents.entry(object).or_default(), &stored);
                }
            }
        }
        let held = accessed.iter().filter_map(|object| self.contents.get(object));
        let held: Objects = held.flatten().copied().collect();
        self.flow_to(function, &op.results(), &held);
    }

    /// Arguments become parameters.
    fn pass(&mut self, function: FuncId, callee: FuncId, args: &[Operand]) {
        self.run(callee);
        for (&param, arg) in self.program.functions[callee].params.iter().zip(args) {
            let value = passed(self.objects(function, arg));
            self.flow(callee, param, &value);
        }
    }

    fn flow_to(&mut self, function: FuncId, to: &[Reg], objects: &Objects) {
        to.iter().for_each(|&to| self.flow(function, to, objects));
    }

    fn flow(&mut self, function: FuncId, to: Reg, objects: &Objects) {
        if !objects.is_empty() {
            self.changed |= add(self.registers.entry((function, to)).or_default(), objects);
        }
    }

    /// What these operands may point into.
    fn all(&self, function: FuncId, operands: &[&Operand]) -> Objects {
        operands.iter().flat_map(|operand| self.objects(function, operand)).collect()
    }

    /// What an operand of a function may point into.
    pub fn objects(&self, function: FuncId, operand: &Operand) -> Objects {
        match operand {
            Operand::Global(global, _) => Objects::from([Object::Global(*global)]),
            Operand::Slot(slot, _) => Objects::from([Object::Here(function, slot.index() as u32)]),
            Operand::Function(function) => Objects::from([Object::Function(*function)]),
            Operand::Reg(reg) => self.registers.get(&(function, *reg)).cloned().unwrap_or_default(),
            _ => Objects::new(),
        }
    }

    /// The functions that a call may be of.
    pub fn callees(&self, function: FuncId, callee: &Callee) -> BTreeSet<FuncId> {
        let pointer = match callee {
            Callee::Direct(function) => return BTreeSet::from([*function]),
            Callee::Indirect(pointer) => pointer,
        };
        let called = |object| match object {
            Object::Function(function) => Some(function),
            _ => None,
        };
        self.objects(function, pointer).into_iter().filter_map(called).collect()
    }

    /// Whether there is one object of this name for all threads.
    fn is_global(&self, object: &Object) -> bool {
        match *object {
            Object::Global(id) => self.program.globals[id].storage != Storage::ThreadLocal,
            Object::Slot(..) | Object::Here(..) | Object::Heap | Object::Function(_) => false,
        }
    }

    /// Whether nothing is written to a stack object once its address is given away, and that is never
    /// in memory: then the thread that is given it finds what was written before.
    fn is_finished(&self, object: &Object) -> bool {
        let &Object::Slot(owner, slot) = object else { return false };
        let here = Object::Here(owner, slot);
        let gives = |op: &Op| match op {
            Op::Spawn { args, .. } | Op::Call { args, .. } => {
                args.iter().any(|arg| self.objects(owner, arg).contains(&here))
            }
            _ => false,
        };
        let writes = |inst: &Inst| match &inst.op {
            Op::Enter { slot: entered } => entered.index() as u32 == slot,
            Op::Load { .. } => false,
            op => {
                let mut accesses = op.accesses().into_iter();
                accesses.any(|access| self.objects(owner, &access.address).contains(&here))
            }
        };
        let later = after(&self.program.functions[owner], &gives);
        !self.passed_and_written.contains(object)
            && !self.contents.values().any(|held| held.contains(object))
            && !later.into_iter().any(writes)
    }

    /// What may come to another thread than the one that made it: what threads are given and give
    /// back, what globals hold, and what is held by any of these.
    fn seen_by_others(&self) -> Objects {
        let mut seen = self.given.clone();
        let globals = self.contents.iter().filter(|(object, _)| self.is_global(object));
        seen.extend(globals.flat_map(|(_, held)| held));
        let mut open: Vec<Object> = seen.iter().copied().collect();
        while let Some(object) = open.pop() {
            let held = self.contents.get(&object).into_iter().flatten();
            open.extend(held.filter(|&&held| seen.insert(held)));
        }
        seen
    }

    /// While several threads may run: what others than `main` mention, and what any thread writes.
    fn while_threads_run(&self, threads: bool) -> (Objects, Objects) {
        let mut entries = self.started.clone();
        if threads {
            entries.extend(&self.program.entry);
        }
        let threads = self.reached(entries);
        let (mut mentioned, mut written) = (Objects::new(), Objects::new());
        for function in &threads {
            mentioned.extend(self.mentioned.get(function).into_iter().flatten());
        }
        let starting = self.starting();
        let mut running = threads;
        for &main in &self.program.entry {
            let function = &self.program.functions[main];
            let mut called = BTreeSet::new();
            for inst in after(function, &|op| self.starts(&starting, main, op)) {
                match &inst.op {
                    Op::Call { callee, .. } => called.extend(self.callees(main, callee)),
                    Op::Load { .. } => {}
                    Op::Free { address } => written.extend(passed(self.objects(main, address))),
                    Op::Alloc { zeroed: true, .. } => {
                        written.insert(Object::Heap);
                    }
                    op => {
                        for access in op.accesses() {
                            written.extend(passed(self.objects(main, &access.address)));
                        }
                    }
                }
            }
            running.extend(self.reached(called));
        }
        for function in &running {
            written.extend(self.written.get(function).into_iter().flatten());
        }
        (mentioned, written)
    }

    /// The functions in which a thread may be started, by themselves or by what they call.
    fn starting(&self) -> BTreeSet<FuncId> {
        let mut starting = BTreeSet::new();
        loop {
            let more = self.blocks.keys().copied().filter(|&id| {
                !starting.contains(&id)
                    && self.insts(id).any(|inst| self.starts(&starting, id, &inst.op))
            });
            let more: Vec<FuncId> = more.collect();
            if more.is_empty() {
                return starting;
            }
            starting.extend(more);
        }
    }

    fn starts(&self, starting: &BTreeSet<FuncId>, function: FuncId, op: &Op) -> bool {
        match op {
            Op::Spawn { .. } => true,
            Op::Call { callee, .. } => !self.callees(function, callee).is_disjoint(starting),
            _ => false,
        }
    }

    /// These functions, and all that they call.
    fn reached(&self, from: BTreeSet<FuncId>) -> BTreeSet<FuncId> {
        let mut open: Vec<FuncId> = from.iter().copied().collect();
        let mut all = from;
        while let Some(function) = open.pop() {
            for inst in self.insts(function) {
                let Op::Call { callee, .. } = &inst.op else { continue };
                let callees = self.callees(function, callee);
                open.extend(callees.into_iter().filter(|callee| all.insert(*callee)));
            }
        }
        all
    }

    /// The instructions that a function may come to.
    fn insts(&self, function: FuncId) -> impl Iterator<Item = &Inst> {
        let blocks = self.blocks.get(&function).into_iter().flatten();
        blocks.flat_map(move |&block| &self.program.functions[function].blocks[block].insts)
    }
}

/// The instructions that may follow one that `starts` something, and that one.
fn after<'f>(function: &'f Function, starts: &dyn Fn(&Op) -> bool) -> Vec<&'f Inst> {
    let mut all = Vec::new();
    let mut open: Vec<BlockId> = Vec::new();
    for block in function.blocks.iter() {
        let first = block.insts.iter().position(|inst| starts(&inst.op));
        if let Some(first) = first {
            all.extend(&block.insts[first..]);
            open.extend(block.terminator.successors());
        }
    }
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            all.extend(&function.blocks[id].insts);
            open.extend(function.blocks[id].terminator.successors());
        }
    }
    all
}

/// The same objects, for another activation.
pub fn passed(objects: Objects) -> Objects {
    let pass = |object| match object {
        Object::Here(function, slot) => Object::Slot(function, slot),
        other => other,
    };
    objects.into_iter().map(pass).collect()
}

/// Whether that was news.
fn add(to: &mut Objects, more: &Objects) -> bool {
    let before = to.len();
    to.extend(more);
    to.len() > before
}
