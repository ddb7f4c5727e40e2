//! What lies between two accesses on every path from one to the other: fences, accesses that order
//! others, and dependencies.
//!
//! A forward data-flow analysis from the first access, in which what two paths have in common
//! survives where they meet; what is not certain is left out, so that the pair seems less ordered
//! than it is.

use crate::access::{Deed, Made, Reader};
use crate::flow::{Action, Flow, StepId, Variable};
use ir::op::{Inst, Op, Operand};
use replay::events::record::fence_names;
use replay::language::Language;
use std::collections::{BTreeMap, BTreeSet};

/// How many orderings between two accesses are remembered; more are left out.
const MOST_BETWEEN: usize = 6;

/// Something between two accesses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Between {
    /// A fence, by the sets of its event; or an access.
    pub what: Orders,
    /// Whether a branch that depends on the first access governs it.
    pub control: bool,
}

/// What may order accesses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Orders {
    /// A fence.
    Fence(BTreeSet<String>),
    /// An access of which models know more than that it reads or writes.
    Access(Deed),
}

/// How an access depends on an earlier one, certainly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Depends {
    /// Its address does.
    pub address: bool,
    /// What it writes does.
    pub data: bool,
    /// Whether it takes place does.
    pub control: bool,
}

/// What is certain before a step, once the first access has taken place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Certain {
    /// What lies between, in order.
    pub between: Vec<Between>,
    /// The variables whose values depend on the first access.
    flows: BTreeSet<Variable>,
    /// Whether a branch was decided by one of these.
    control: bool,
}

impl Certain {
    /// How an access depends on the first one.
    pub fn depends(&self, flow: &Flow<'_>, step: StepId, made: &Made) -> Depends {
        let activation = flow.steps[step].activation;
        let flows = |operand: &Operand| match operand {
            Operand::Reg(reg) => self.flows.contains(&(activation, *reg)),
            _ => false,
        };
        Depends {
            address: made.address.as_ref().is_some_and(flows),
            data: made.values.iter().any(flows),
            control: self.control,
        }
    }

    fn meet(&self, other: &Certain) -> Certain {
        Certain {
            between: common(&self.between, &other.between),
            flows: self.flows.intersection(&other.flows).copied().collect(),
            control: self.control && other.control,
        }
    }
}

/// The longest list that is a part of both, in order.
fn common(a: &[Between], b: &[Between]) -> Vec<Between> {
    let (Some((first, a_rest)), Some((other, b_rest))) = (a.split_first(), b.split_first()) else {
        return Vec::new();
    };
    if first.what == other.what {
        let control = first.control && other.control;
        let mut list = vec![Between { what: first.what.clone(), control }];
        list.extend(common(a_rest, b_rest));
        return list;
    }
    let (left, right) = (common(a_rest, b), common(a, b_rest));
    if left.len() >= right.len() { left } else { right }
}

/// What every step makes, found once for all analyses of a thread.
pub struct Steps<'a, 'p> {
    /// The thread.
    pub flow: &'a Flow<'p>,
    /// The accesses of its steps.
    pub made: BTreeMap<StepId, Vec<Made>>,
    language: Language,
}

impl<'a, 'p> Steps<'a, 'p> {
    /// Of a thread.
    pub fn of(flow: &'a Flow<'p>, reader: &Reader<'_>) -> Self {
        let mut made = BTreeMap::new();
        for (id, step) in flow.steps.enumerate() {
            if let Action::Inst(inst) = step.action {
                let all = reader.made(flow, id, inst);
                if !all.is_empty() {
                    made.insert(id, all);
                }
            }
        }
        Steps { flow, made, language: reader.language }
    }

    /// What is certain before each step that may follow a first access.
    pub fn from(&self, first: StepId) -> BTreeMap<StepId, Certain> {
        let mut start = Certain::default();
        let step = &self.flow.steps[first];
        if let Action::Inst(Inst {
            op: Op::Load { dst, .. } | Op::Rmw { dst: Some(dst), .. },
            ..
        }) = &step.action
        {
            start.flows.insert((step.activation, *dst));
        }
        let mut known: BTreeMap<StepId, Certain> = BTreeMap::new();
        let mut open: BTreeSet<StepId> = BTreeSet::new();
        for &next in &step.next {
            known.insert(next, start.clone());
            open.insert(next);
        }
        while let Some(id) = open.pop_first() {
            let after = self.pass(id, known[&id].clone());
            for &next in &self.flow.steps[id].next {
                let met = match known.get(&next) {
                    Some(before) => before.meet(&after),
                    None => after.clone(),
                };
                if known.get(&next) != Some(&met) {
                    known.insert(next, met);
                    open.insert(next);
                }
            }
        }
        known
    }

    /// What is certain after a step.
    fn pass(&self, id: StepId, mut certain: Certain) -> Certain {
        let step = &self.flow.steps[id];
        let activation = step.activation;
        let flows = |certain: &Certain, operand: &Operand| match operand {
            Operand::Reg(reg) => certain.flows.contains(&(activation, *reg)),
            _ => false,
        };
        let inst = match &step.action {
            Action::Decide(by) => {
                let decides = by.as_ref().is_some_and(|by| flows(&certain, by));
                certain.control |= decides && self.language != Language::Kernel;
                return certain;
            }
            Action::Pass(values) => {
                let flowing: Vec<bool> = values.iter().map(|(v, _)| flows(&certain, v)).collect();
                for ((_, to), flows) in values.iter().zip(flowing) {
                    set(&mut certain, *to, flows);
                }
                return certain;
            }
            Action::Inst(inst) => inst,
        };
        let flowing = match &inst.op {
            Op::Copy { .. } | Op::Unary { .. } | Op::Binary { .. } | Op::Cast { .. } => {
                inst.op.operands().into_iter().any(|operand| flows(&certain, operand))
            }
            // What picks between values is not always a dependency.
            Op::Select { a, b, .. } => flows(&certain, a) && flows(&certain, b),
            _ => false,
        };
        if let Op::Assume { cond, .. } = &inst.op {
            let decides = flows(&certain, cond);
            certain.control |= decides && self.language != Language::Kernel;
        }
        inst.op.results().into_iter().for_each(|dst| set(&mut certain, (activation, dst), flowing));
        if let Some(what) = self.orders(id, inst)
            && certain.between.len() < MOST_BETWEEN
            && certain.between.iter().all(|between| between.what != what)
        {
            let control = certain.control;
            certain.between.push(Between { what, control });
        }
        certain
    }

    /// What an instruction orders, if it does in every execution of it.
    fn orders(&self, id: StepId, inst: &Inst) -> Option<Orders> {
        if let Op::Fence(fence) = &inst.op {
            let names = fence_names(fence)?.into_iter().map(String::from).collect();
            return Some(Orders::Fence(names));
        }
        let made = self.made.get(&id)?;
        match (&inst.op, made.as_slice()) {
            // One that fails is less than one that succeeds.
            (Op::Cas { .. }, [_, failed]) => {
                Some(Orders::Access(failed.deed.clone())).filter(|_| failed.deed.may_order())
            }
            (_, [one]) if one.deed.may_order() => Some(Orders::Access(one.deed.clone())),
            _ => None,
        }
    }
}

fn set(certain: &mut Certain, variable: Variable, flows: bool) {
    if flows {
        certain.flows.insert(variable);
    } else {
        certain.flows.remove(&variable);
    }
}
