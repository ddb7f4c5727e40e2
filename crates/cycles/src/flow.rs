//! The control flow of one thread, with every call in its place.
//!
//! Each call gets an activation of its own, a copy of the function's graph, so that what two callers
//! of a lock do is not mixed up. A recursive call goes back to the activation that runs, and past
//! [`MAX_STEPS`] steps all calls of a function share one activation: then the graph has more paths
//! than the thread, never fewer.

use execution::id;
use execution::ids::{Id, IdVec};
use ir::op::{BinaryOp, Inst, Op, Operand, Terminator};
use ir::points_to::{Object, PointsTo};
use ir::program::{BlockId, FuncId, LocId, Program, Reg};
use std::collections::{BTreeMap, BTreeSet};

/// Past this many steps, functions are no longer copied for each of their calls.
const MAX_STEPS: usize = 40_000;
/// How many definitions of registers are followed to find an address.
const MAX_DEPTH: u32 = 24;

id! {
    /// A step of a thread: an instruction, in the activation that executes it.
    pub struct StepId("s");
}

id! {
    /// A call that runs.
    pub struct ActivationId("a");
}

/// A register of an activation.
pub type Variable = (ActivationId, Reg);

/// What a step does.
#[derive(Clone, Debug)]
pub enum Action<'p> {
    /// An instruction that is not a call.
    Inst(&'p Inst),
    /// The end of a block, with what it decides by.
    Decide(Option<Operand>),
    /// Values are passed from one activation to another.
    Pass(Vec<(Operand, Variable)>),
}

/// A step.
#[derive(Clone, Debug)]
pub struct Step<'p> {
    /// Where its operands are.
    pub activation: ActivationId,
    /// What it does.
    pub action: Action<'p>,
    /// Where it comes from.
    pub place: Option<LocId>,
    /// The steps that may follow.
    pub next: Vec<StepId>,
}

/// A call that runs.
#[derive(Clone, Debug)]
pub struct Activation {
    /// The function.
    pub function: FuncId,
    /// The step of the call, and its arguments, if there is only one.
    pub call: Option<(StepId, Vec<Operand>)>,
}

/// What an operand is known to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Known {
    /// The address of a global or stack object plus an offset.
    Address(Object, i64),
    /// A function.
    Function(FuncId),
}

/// The graph of a thread.
pub struct Flow<'p> {
    program: &'p Program,
    /// Its steps.
    pub steps: IdVec<StepId, Step<'p>>,
    /// The calls that they belong to.
    pub activations: IdVec<ActivationId, Activation>,
    /// The first step.
    pub start: StepId,
    /// Where activations return, with what.
    exits: BTreeMap<ActivationId, Vec<(StepId, Option<Operand>)>>,
    /// What follows calls, with the register of the result.
    calls: Vec<(ActivationId, StepId, Option<Variable>)>,
    entries: BTreeMap<ActivationId, StepId>,
    shared: BTreeMap<FuncId, ActivationId>,
}

impl<'p> Flow<'p> {
    /// The graph of a thread that begins with a function.
    pub fn of(program: &'p Program, known: &PointsTo<'_>, root: FuncId) -> Self {
        let mut flow = Flow {
            program,
            steps: IdVec::new(),
            activations: IdVec::new(),
            start: StepId::new(0),
            exits: BTreeMap::new(),
            calls: Vec::new(),
            entries: BTreeMap::new(),
            shared: BTreeMap::new(),
        };
        let first = flow.activate(known, root, None, &mut Vec::new());
        flow.start = flow.entries[&first];
        flow.link_returns();
        flow
    }

    fn push(&mut self, activation: ActivationId, action: Action<'p>, at: Option<LocId>) -> StepId {
        self.steps.push(Step { activation, action, place: at, next: Vec::new() })
    }

    /// The activation of a call; `running` are those around it.
    fn activate(
        &mut self,
        known: &PointsTo<'_>,
        function: FuncId,
        call: Option<(StepId, Vec<Operand>)>,
        running: &mut Vec<(FuncId, ActivationId)>,
    ) -> ActivationId {
        let again = running.iter().find(|(other, _)| *other == function).map(|(_, a)| *a);
        let full = self.steps.len() > MAX_STEPS;
        if let Some(again) = again.or_else(|| self.shared.get(&function).copied().filter(|_| full))
        {
            self.activations[again].call = None;
            return again;
        }
        let activation = self.activations.push(Activation { function, call });
        if full {
            self.activations[activation].call = None;
            self.shared.insert(function, activation);
        }
        running.push((function, activation));
        self.copy_blocks(known, activation, running);
        running.pop();
        activation
    }

    fn copy_blocks(
        &mut self,
        known: &PointsTo<'_>,
        activation: ActivationId,
        running: &mut Vec<(FuncId, ActivationId)>,
    ) {
        let function = self.activations[activation].function;
        let code = &self.program.functions[function];
        // All steps first: jumps and calls need the steps that they lead to.
        let mut blocks: BTreeMap<BlockId, Vec<StepId>> = BTreeMap::new();
        for (id, block) in code.blocks.enumerate() {
            let mut steps = Vec::new();
            for inst in &block.insts {
                steps.push(self.push(activation, Action::Inst(inst), inst.place));
            }
            let decides = match &block.terminator {
                Terminator::Branch { cond, .. } => Some(*cond),
                Terminator::Switch { value, .. } => Some(*value),
                _ => None,
            };
            let last = self.push(activation, Action::Decide(decides), block.place);
            if let Terminator::Return(value) = &block.terminator {
                self.exits.entry(activation).or_default().push((last, *value));
            }
            steps.push(last);
            blocks.insert(id, steps);
        }
        self.entries.insert(activation, blocks[&code.entry()][0]);
        for (id, block) in code.blocks.enumerate() {
            let steps = &blocks[&id];
            let last = *steps.last().expect("a block has an end");
            let targets = block.terminator.successors().into_iter();
            self.steps[last].next = targets.map(|target| blocks[&target][0]).collect();
            for (inst, pair) in block.insts.iter().zip(steps.windows(2)) {
                let &[here, next] = pair else { continue };
                let Op::Call { dst, callee, args } = &inst.op else {
                    if !always_fails(inst) {
                        self.steps[here].next = vec![next];
                    }
                    continue;
                };
                let callees = known.callees(function, callee);
                if callees.is_empty() {
                    self.steps[here].next = vec![next];
                }
                for callee in callees {
                    let site = Some((here, args.clone()));
                    let called = self.activate(known, callee, site, running);
                    let params = self.program.functions[callee].params.iter();
                    let passed =
                        args.iter().zip(params).map(|(arg, param)| (*arg, (called, *param)));
                    let pass = Action::Pass(passed.collect());
                    let enter = self.push(activation, pass, inst.place);
                    self.steps[enter].next = vec![self.entries[&called]];
                    self.steps[here].next.push(enter);
                    self.calls.push((called, next, dst.map(|dst| (activation, dst))));
                }
            }
        }
    }

    fn link_returns(&mut self) {
        for (called, next, dst) in std::mem::take(&mut self.calls) {
            for (exit, value) in self.exits.get(&called).cloned().unwrap_or_default() {
                let passed = value.zip(dst).into_iter().collect();
                let place = self.steps[exit].place;
                let leave = self.push(called, Action::Pass(passed), place);
                self.steps[leave].next = vec![next];
                self.steps[exit].next.push(leave);
            }
        }
    }

    /// The steps that may follow a step, itself only if it may be executed again.
    pub fn after(&self, from: StepId) -> BTreeSet<StepId> {
        let mut seen = BTreeSet::new();
        let mut open = self.steps[from].next.clone();
        while let Some(step) = open.pop() {
            if seen.insert(step) {
                open.extend(&self.steps[step].next);
            }
        }
        seen
    }

    /// The steps that may be executed at all.
    pub fn reached(&self) -> BTreeSet<StepId> {
        let mut reached = self.after(self.start);
        reached.insert(self.start);
        reached
    }

    /// The step of the user's that a step belongs to: the call of the library, for one inside of it.
    pub fn users_step(&self, step: StepId) -> StepId {
        let library = |step: StepId| {
            let place = self.steps[step].place;
            place.is_none_or(|place| self.program.places[place].location.is_library())
        };
        let mut at = step;
        while library(at) {
            match &self.activations[self.steps[at].activation].call {
                Some((call, _)) => at = *call,
                None => return step,
            }
        }
        at
    }

    /// What an operand of an activation is, whatever happened before.
    pub fn known(&self, activation: ActivationId, operand: &Operand) -> Option<Known> {
        self.follow(activation, operand, MAX_DEPTH)
    }

    fn follow(&self, activation: ActivationId, operand: &Operand, depth: u32) -> Option<Known> {
        let depth = depth.checked_sub(1)?;
        let function = self.activations[activation].function;
        let reg = match operand {
            Operand::Global(global, at) => {
                return Some(Known::Address(Object::Global(*global), *at));
            }
            Operand::Slot(slot, at) => {
                let slot = Object::Slot(function, slot.index() as u32);
                return Some(Known::Address(slot, *at));
            }
            Operand::Function(function) => return Some(Known::Function(*function)),
            Operand::Reg(reg) => *reg,
            Operand::Int { .. } | Operand::Undef(_) => return None,
        };
        let code = &self.program.functions[function];
        let insts = code.blocks.iter().flat_map(|block| &block.insts);
        let mut writes = insts.filter(|inst| inst.op.results().contains(&reg));
        let param = code.params.iter().position(|param| *param == reg);
        match (param, writes.next(), writes.next()) {
            (Some(index), None, _) => {
                let (call, args) = self.activations[activation].call.as_ref()?;
                self.follow(self.steps[*call].activation, args.get(index)?, depth)
            }
            (None, Some(inst), None) => match &inst.op {
                Op::Copy { src, .. } => self.follow(activation, src, depth),
                Op::Binary { op: BinaryOp::Add, a, b: Operand::Int { width, bits }, .. } => {
                    let Known::Address(object, at) = self.follow(activation, a, depth)? else {
                        return None;
                    };
                    let shift = 128 - width.bits();
                    let added = ((*bits << shift) as i128 >> shift) as i64;
                    Some(Known::Address(object, at.checked_add(added)?))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether it is a claim that never holds: it is a finding to come here, and nothing is asked of
/// what follows.
fn always_fails(inst: &Inst) -> bool {
    matches!(inst.op, Op::Assert { cond: Operand::Int { bits: 0, .. }, .. })
}
