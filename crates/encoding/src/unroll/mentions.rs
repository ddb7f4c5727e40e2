//! Which globals several threads may share, by what the program's text says.
//!
//! That only one thread accesses an object, or that nobody writes it, is found out by unrolling,
//! along the paths that can be taken with what is known to be in such objects. On models that let a
//! write come before the reads that control depends on, this would go round in a circle: of two
//! threads that each write something only if they read what the other writes, neither would ever
//! seem to write. There, the text decides: a global is shared if it may be written where several
//! threads run, and another thread than `main` mentions it there, or if its address is anywhere in
//! memory.

use ir::op::{Callee, Inst, Op, Operand, Terminator};
use ir::program::{BlockId, FuncId, Function, GlobalId, InitData, Program, Reg};
use std::collections::{BTreeMap, BTreeSet};

type Globals = BTreeSet<GlobalId>;

/// The globals that several threads may share.
pub(super) fn shared(program: &Program) -> Globals {
    let mut text = Text::new(program);
    text.follow();
    let (mentioned, written) = text.while_threads_run();
    let both = mentioned.intersection(&written).copied();
    both.chain(text.in_memory.iter().copied()).collect()
}

/// What functions do with the addresses of globals.
struct Text<'p> {
    program: &'p Program,
    /// The functions whose addresses are taken.
    pointed_to: BTreeSet<FuncId>,
    /// The globals that each register may point into, and those of results.
    registers: BTreeMap<(FuncId, Reg), Globals>,
    results: BTreeMap<FuncId, Globals>,
    /// What each function accesses, and what it writes.
    mentioned: BTreeMap<FuncId, Globals>,
    written: BTreeMap<FuncId, Globals>,
    /// The globals whose addresses are in memory.
    in_memory: Globals,
    changed: bool,
}

impl<'p> Text<'p> {
    fn new(program: &'p Program) -> Self {
        let (mut pointed_to, mut in_memory) = (BTreeSet::new(), Globals::new());
        for init in program.globals.iter().flat_map(|global| &global.init) {
            match init.data {
                InitData::Bytes(_) => {}
                InitData::Global(other, _) => drop(in_memory.insert(other)),
                InitData::Function(function) => drop(pointed_to.insert(function)),
            }
        }
        for block in program.functions.iter().flat_map(|function| function.blocks.iter()) {
            let operands = block.insts.iter().flat_map(|inst| inst.op.operands());
            for operand in operands.chain(block.terminator.operands()) {
                if let Operand::Function(function) = operand {
                    pointed_to.insert(*function);
                }
            }
        }
        Text {
            program,
            pointed_to,
            registers: BTreeMap::new(),
            results: BTreeMap::new(),
            mentioned: BTreeMap::new(),
            written: BTreeMap::new(),
            in_memory,
            changed: false,
        }
    }

    /// Finds out where addresses flow, until nothing changes.
    fn follow(&mut self) {
        loop {
            self.changed = false;
            for (id, function) in self.program.functions.enumerate() {
                for block in function.blocks.iter() {
                    block.insts.iter().for_each(|inst| self.look_at(id, &inst.op));
                    if let Terminator::Return(Some(value)) | Terminator::ThreadExit(Some(value)) =
                        &block.terminator
                    {
                        let value = self.globals(id, value);
                        self.changed |= add(self.results.entry(id).or_default(), value);
                    }
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
            | Op::Select { .. } => {
                let all = op.operands().into_iter().flat_map(|o| self.globals(function, o));
                let all: Globals = all.collect();
                for dst in op.results() {
                    self.flow(function, dst, all.clone());
                }
            }
            Op::Call { dst, callee, args } => {
                let mut result = Globals::new();
                for callee in self.callees(callee) {
                    for (&param, arg) in self.program.functions[callee].params.iter().zip(args) {
                        let value = self.globals(function, arg);
                        self.flow(callee, param, value);
                    }
                    result.extend(self.results.get(&callee).into_iter().flatten());
                }
                dst.iter().for_each(|&dst| self.flow(function, dst, result.clone()));
            }
            Op::Join { dst, .. } => {
                let results: Globals = self.results.values().flatten().copied().collect();
                dst.iter().for_each(|&dst| self.flow(function, dst, results.clone()));
            }
            // Nothing that these decide is an address that they leave anywhere.
            Op::Assert { .. } | Op::Assume { .. } | Op::Bound { .. } | Op::Free { .. } => {}
            _ => {
                let addresses: Vec<&Operand> =
                    op.accesses().into_iter().map(|access| &access.address).collect();
                let accessed: Globals =
                    addresses.iter().flat_map(|o| self.globals(function, o)).collect();
                if !matches!(op, Op::Load { .. }) {
                    self.changed |=
                        add(self.written.entry(function).or_default(), accessed.clone());
                }
                self.changed |= add(self.mentioned.entry(function).or_default(), accessed);
                // What is stored, given to a thread, or whatever else.
                let is_address = |o: &Operand| addresses.iter().any(|a| std::ptr::eq(*a, o));
                let others = op.operands().into_iter().filter(|o| !is_address(o));
                let others: Globals = others.flat_map(|o| self.globals(function, o)).collect();
                self.changed |= add(&mut self.in_memory, others);
            }
        }
    }

    fn flow(&mut self, function: FuncId, to: Reg, globals: Globals) {
        if !globals.is_empty() {
            self.changed |= add(self.registers.entry((function, to)).or_default(), globals);
        }
    }

    /// The globals that an operand may point into.
    fn globals(&self, function: FuncId, operand: &Operand) -> Globals {
        match operand {
            Operand::Global(global, _) => Globals::from([*global]),
            Operand::Reg(reg) => self.registers.get(&(function, *reg)).cloned().unwrap_or_default(),
            _ => Globals::new(),
        }
    }

    fn callees(&self, callee: &Callee) -> BTreeSet<FuncId> {
        match callee {
            Callee::Direct(function) => BTreeSet::from([*function]),
            Callee::Indirect(_) => self.pointed_to.clone(),
        }
    }

    /// While several threads may run: what others than `main` mention, and what anybody writes.
    fn while_threads_run(&self) -> (Globals, Globals) {
        let mut entries = BTreeSet::new();
        for inst in self.program.functions.iter().flat_map(insts) {
            if let Op::Spawn { callee, .. } = &inst.op {
                entries.extend(self.callees(callee));
            }
        }
        let threads = self.reached(entries);
        let (mut mentioned, mut written) = (Globals::new(), Globals::new());
        for function in &threads {
            mentioned.extend(self.mentioned.get(function).into_iter().flatten());
        }
        let starting = self.starting();
        let mut running = threads;
        for &main in &self.program.entry {
            let function = &self.program.functions[main];
            let mut called = BTreeSet::new();
            for inst in after(function, &|op| self.starts(&starting, op)) {
                match &inst.op {
                    Op::Call { callee, .. } => called.extend(self.callees(callee)),
                    Op::Load { .. } => {}
                    op => {
                        for access in op.accesses() {
                            written.extend(self.globals(main, &access.address));
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
            let more = self.program.functions.enumerate().filter(|(id, function)| {
                !starting.contains(id)
                    && insts(function).any(|inst| self.starts(&starting, &inst.op))
            });
            let more: Vec<FuncId> = more.map(|(id, _)| id).collect();
            if more.is_empty() {
                return starting;
            }
            starting.extend(more);
        }
    }

    fn starts(&self, starting: &BTreeSet<FuncId>, op: &Op) -> bool {
        match op {
            Op::Spawn { .. } => true,
            Op::Call { callee, .. } => !self.callees(callee).is_disjoint(starting),
            _ => false,
        }
    }

    /// These functions, and all that they call.
    fn reached(&self, from: BTreeSet<FuncId>) -> BTreeSet<FuncId> {
        let mut open: Vec<FuncId> = from.iter().copied().collect();
        let mut all = from;
        while let Some(function) = open.pop() {
            for inst in insts(&self.program.functions[function]) {
                let Op::Call { callee, .. } = &inst.op else { continue };
                let new = self.callees(callee).into_iter().filter(|callee| all.insert(*callee));
                open.extend(new.collect::<Vec<_>>());
            }
        }
        all
    }
}

fn insts(function: &Function) -> impl Iterator<Item = &Inst> {
    function.blocks.iter().flat_map(|block| &block.insts)
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

/// Whether that was news.
fn add(to: &mut Globals, more: Globals) -> bool {
    let before = to.len();
    to.extend(more);
    to.len() > before
}
