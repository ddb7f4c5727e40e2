//! What each access of the text depends on, exactly: the loads from which its address, its value and
//! the branches before it come, on every path alike.
//!
//! **Idea.** A forward data-flow analysis for each load of the text, as in [`crate::between`], in
//! which every variable has one of three marks where it stands: it comes from the last execution of
//! the load, or it does not, or that depends on the path. The same is known about the earlier
//! executions of the load, which loops have, taken together. What is not the same on all paths is
//! reported where an access uses it, so that nothing is approximated.
//!
//! What passes through memory that only its own thread accesses, or that is not among the accesses
//! in question, is followed where its address is known.

use crate::access::{Made, Reader};
use crate::between::Steps;
use crate::flow::{self, Action, ActivationId, Flow, StepId};
use crate::threads::{Root, roots};
use crate::values::Stored;
use ir::op::{Inst, Op, Operand};
use ir::points_to::{Object, PointsTo};
use ir::program::{LocId, Program, Reg};
use models::Model;
use replay::language::language_of;
use std::collections::{BTreeMap, BTreeSet};

/// The loads of some places in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Those of which the last execution counts.
    pub last: BTreeSet<LocId>,
    /// Those of which the executions before the last count.
    pub older: BTreeSet<LocId>,
}

/// What an access depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Its address.
    pub address: Places,
    /// The value that it writes.
    pub data: Places,
    /// The branches before it.
    pub control: Places,
    /// What a compare-and-swap compares with.
    pub compared: Places,
}

/// What is known of the accesses at a place.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// What its reads depend on.
    pub load: Sources,
    /// What its writes depend on.
    pub store: Sources,
    /// The values that a read there may find although they are written later, if its thread goes on
    /// to write; `None` if they are not known.
    pub late: Option<BTreeSet<u128>>,
}

/// What is known of the accesses at some places.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// By place; places at the same line and column count as one of them.
    pub facts: BTreeMap<LocId, Facts>,
    /// How many accesses a thread makes there at most, if no loop has one. A read-modify-write counts
    /// as two.
    pub most: Option<u32>,
}

/// An access of which it is not the same on all paths what it depends on.
#[derive(Clone, Debug)]
pub struct Unclear {
    /// The access.
    pub place: LocId,
    /// The load that it may depend on.
    pub load: LocId,
}

/// Finds what the accesses at some places depend on, of a program that is compiled for a model.
pub fn sources(
    program: &Program,
    model: &Model,
    places: &BTreeSet<LocId>,
) -> Result<Known, Vec<Unclear>> {
    let known = PointsTo::of(program);
    let roots = roots(program, &known);
    let reader =
        Reader { known: &known, shared: known.shared(false), language: language_of(model) };
    let stored = Stored::of(program, &roots, &reader);
    let mut seen: BTreeMap<(LocId, bool, Kind, LocId, bool), BTreeSet<Mark>> = BTreeMap::new();
    let mut facts: BTreeMap<LocId, Facts> = BTreeMap::new();
    let alias = aliases(program, places);
    for place in alias.values() {
        facts.entry(*place).or_insert(Facts { late: Some(BTreeSet::new()), ..Facts::default() });
    }
    let mut most = Some(0);
    for root in roots.iter().filter(|root| root.count > 0) {
        let thread = Thread::of(root, &reader, &alias);
        most = most.zip(thread.accesses()).map(|(a, b): (u32, u32)| a.max(b));
        thread.late(&stored, &mut facts);
        for load in thread.loads() {
            thread.uses_of(load, &mut seen);
        }
    }
    let mut unclear = Vec::new();
    for ((place, writes, kind, load, older), marks) in seen {
        let sources = facts.entry(place).or_default();
        let sources = if writes { &mut sources.store } else { &mut sources.load };
        let places = match kind {
            Kind::Address => &mut sources.address,
            Kind::Data => &mut sources.data,
            Kind::Control => &mut sources.control,
            Kind::Compared => &mut sources.compared,
        };
        let places = if older { &mut places.older } else { &mut places.last };
        if marks.iter().eq([&Mark::From]) {
            places.insert(load);
        } else if !marks.iter().eq([&Mark::Not]) {
            unclear.push(Unclear { place, load });
        }
    }
    if unclear.is_empty() { Ok(Known { facts, most }) } else { Err(unclear) }
}

/// One place for all that stand at the same line and column.
fn aliases(program: &Program, places: &BTreeSet<LocId>) -> BTreeMap<LocId, LocId> {
    let mut first = BTreeMap::new();
    let alias = |&place: &LocId| {
        (place, *first.entry(program.places[place].location.clone()).or_insert(place))
    };
    places.iter().map(alias).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Address,
    Data,
    Control,
    Compared,
}

/// Whether something comes from a load.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Mark {
    Not,
    From,
    Unclear,
}

impl Mark {
    /// Of what is computed from both.
    fn and(self, other: Mark) -> Mark {
        match (self, other) {
            (Mark::From, _) | (_, Mark::From) => Mark::From,
            (Mark::Unclear, _) | (_, Mark::Unclear) => Mark::Unclear,
            _ => Mark::Not,
        }
    }

    /// Of what is one of both.
    fn or(self, other: Mark) -> Mark {
        if self == other { self } else { Mark::Unclear }
    }
}

/// What can hold a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Variable {
    Register(ActivationId, Reg),
    /// Memory that only its thread accesses, or whose accesses are not in question.
    Memory(Object, i64),
}

/// What comes from some executions of the load; variables that are not mentioned do not.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Marks {
    variables: BTreeMap<Variable, Mark>,
    control: Mark,
    /// What is in memory whose address is not known.
    elsewhere: Mark,
}

impl Marks {
    fn none() -> Self {
        Marks { variables: BTreeMap::new(), control: Mark::Not, elsewhere: Mark::Not }
    }

    fn get(&self, variable: &Variable) -> Mark {
        self.variables.get(variable).copied().unwrap_or(Mark::Not)
    }

    fn set(&mut self, variable: Variable, mark: Mark) {
        match mark {
            Mark::Not => self.variables.remove(&variable),
            mark => self.variables.insert(variable, mark),
        };
    }

    fn or(&self, other: &Marks) -> Marks {
        let mut variables = BTreeMap::new();
        for variable in self.variables.keys().chain(other.variables.keys()) {
            variables.insert(*variable, self.get(variable).or(other.get(variable)));
        }
        Marks {
            variables,
            control: self.control.or(other.control),
            elsewhere: self.elsewhere.or(other.elsewhere),
        }
    }

    /// Of what comes from any of the executions that both are about.
    fn and(&self, other: &Marks) -> Marks {
        let mut variables = BTreeMap::new();
        for variable in self.variables.keys().chain(other.variables.keys()) {
            variables.insert(*variable, self.get(variable).and(other.get(variable)));
        }
        Marks {
            variables,
            control: self.control.and(other.control),
            elsewhere: self.elsewhere.and(other.elsewhere),
        }
    }
}

/// After the load was executed: what comes from its last execution, and what comes from all earlier
/// ones, if there are any.
#[derive(Clone, PartialEq, Eq, Debug)]
struct State {
    last: Marks,
    older: Option<Marks>,
}

impl State {
    fn or(&self, other: &State) -> State {
        let older = match (&self.older, &other.older) {
            (Some(a), Some(b)) => Some(a.or(b)),
            (a, b) => a.as_ref().or(b.as_ref()).cloned(),
        };
        State { last: self.last.or(&other.last), older }
    }

    fn each(&mut self, mut change: impl FnMut(&mut Marks)) {
        change(&mut self.last);
        self.older.iter_mut().for_each(change);
    }
}

/// A thread, with the accesses in question.
struct Thread<'t, 'p> {
    flow: &'t Flow<'p>,
    steps: Steps<'t, 'p>,
    /// The places of these accesses.
    at: BTreeMap<StepId, LocId>,
    reached: BTreeSet<StepId>,
}

impl<'t, 'p> Thread<'t, 'p> {
    fn of(root: &'t Root<'p>, reader: &'t Reader<'_>, alias: &BTreeMap<LocId, LocId>) -> Self {
        let flow = &root.flow;
        let steps = Steps::of(flow, reader);
        let mut at = BTreeMap::new();
        for (&step, made) in &steps.made {
            let is_new = matches!(
                &flow.steps[step].action,
                Action::Inst(Inst { op: Op::Alloc { .. } | Op::Enter { .. }, .. })
            );
            let shares = made.iter().any(|made| !made.spot.objects.is_empty());
            let place = flow.steps[flow.users_step(step)].place;
            if let Some(place) = place.and_then(|place| alias.get(&place))
                && shares
                && !is_new
            {
                at.insert(step, *place);
            }
        }
        Thread { flow, steps, at, reached: flow.reached() }
    }

    /// How many accesses the thread makes at most, if no loop has one.
    fn accesses(&self) -> Option<u32> {
        let mut sum = 0;
        for step in self.at.keys().filter(|step| self.reached.contains(step)) {
            if self.flow.after(*step).contains(step) {
                return None;
            }
            let update = self.steps.made[step].iter().any(|made| made.deed.is_update());
            sum += if update { 2 } else { 1 };
        }
        Some(sum)
    }

    /// The places of loads.
    fn loads(&self) -> BTreeSet<LocId> {
        let reads =
            |step: &StepId| self.steps.made[step].iter().any(|made| made.deed.read.is_some());
        let at = self.at.iter().filter(|(step, _)| self.reached.contains(step) && reads(step));
        at.map(|(_, place)| *place).collect()
    }

    /// What the loads from which writes of the thread follow may find that is stored later.
    fn late(&self, stored: &Stored, facts: &mut BTreeMap<LocId, Facts>) {
        let writes = |step: &StepId| {
            self.at.contains_key(step)
                && self.steps.made[step].iter().any(|made| made.deed.write.is_some())
        };
        for (step, place) in &self.at {
            let reads = self.steps.made[step].iter().filter(|made| made.deed.read.is_some());
            if !self.reached.contains(step) || !self.flow.after(*step).iter().any(writes) {
                continue;
            }
            let Some(facts) = facts.get_mut(place) else { continue };
            for made in reads {
                let found = stored.later_in(&made.spot.objects);
                facts.late = match (facts.late.take(), found) {
                    (Some(mut known), Some(found)) => {
                        known.extend(found);
                        Some(known)
                    }
                    _ => None,
                };
            }
        }
    }

    /// Follows what a load gives, and notes what the accesses in question depend on.
    fn uses_of(
        &self,
        load: LocId,
        seen: &mut BTreeMap<(LocId, bool, Kind, LocId, bool), BTreeSet<Mark>>,
    ) {
        let mut known: BTreeMap<StepId, State> = BTreeMap::new();
        let mut open: BTreeSet<StepId> = BTreeSet::new();
        let starts = self.at.iter().filter(|(step, place)| {
            **place == load && self.reached.contains(step) && self.result(**step).is_some()
        });
        for (&step, _) in starts {
            self.go_on(step, self.pass(step, None, load), &mut known, &mut open);
        }
        while let Some(step) = open.pop_first() {
            let after = self.pass(step, known.get(&step), load);
            self.go_on(step, after, &mut known, &mut open);
        }
        for (&step, state) in &known {
            let Some(&place) = self.at.get(&step) else { continue };
            for made in &self.steps.made[&step] {
                self.note((step, place, made), load, state, seen);
            }
        }
    }

    fn go_on(
        &self,
        step: StepId,
        after: Option<State>,
        known: &mut BTreeMap<StepId, State>,
        open: &mut BTreeSet<StepId>,
    ) {
        let Some(after) = after else { return };
        for &next in &self.flow.steps[step].next {
            let met = match known.get(&next) {
                Some(before) => before.or(&after),
                None => after.clone(),
            };
            if known.get(&next) != Some(&met) {
                known.insert(next, met);
                open.insert(next);
            }
        }
    }

    /// What an access that follows the load depends on.
    fn note(
        &self,
        (step, place, made): (StepId, LocId, &Made),
        load: LocId,
        state: &State,
        seen: &mut BTreeMap<(LocId, bool, Kind, LocId, bool), BTreeSet<Mark>>,
    ) {
        let Action::Inst(inst) = &self.flow.steps[step].action else { return };
        let parts = [(false, made.deed.read.is_some()), (true, made.deed.write.is_some())];
        for (writes, _) in parts.into_iter().filter(|(_, does)| *does) {
            for (older, marks) in [(false, Some(&state.last)), (true, state.older.as_ref())] {
                let Some(marks) = marks else { continue };
                let mut add = |kind, mark| {
                    seen.entry((place, writes, kind, load, older)).or_default().insert(mark);
                };
                let of = |operand: &Operand| self.mark(step, operand, marks);
                add(Kind::Address, made.address.as_ref().map_or(Mark::Not, of));
                add(Kind::Control, marks.control);
                let data = match &inst.op {
                    Op::Cas { desired, .. } => of(desired),
                    _ => made.values.iter().map(of).fold(Mark::Not, Mark::and),
                };
                add(Kind::Data, data);
                if let Op::Cas { expected, .. } = &inst.op {
                    add(Kind::Compared, of(expected));
                }
            }
        }
    }

    fn mark(&self, step: StepId, operand: &Operand, marks: &Marks) -> Mark {
        match operand {
            Operand::Reg(reg) => {
                marks.get(&Variable::Register(self.flow.steps[step].activation, *reg))
            }
            _ => Mark::Not,
        }
    }

    /// The register with what a load gives.
    fn result(&self, step: StepId) -> Option<Variable> {
        let at = &self.flow.steps[step];
        let Action::Inst(inst) = &at.action else { return None };
        match &inst.op {
            Op::Load { dst, .. } => Some(Variable::Register(at.activation, *dst)),
            Op::Rmw { .. } | Op::Cas { .. } => {
                Some(Variable::Register(at.activation, *inst.op.results().first()?))
            }
            _ => None,
        }
    }

    /// What is so after a step; nothing if the load was not executed yet.
    fn pass(&self, step: StepId, before: Option<&State>, load: LocId) -> Option<State> {
        let at = &self.flow.steps[step];
        let is_load = self.at.get(&step) == Some(&load) && self.result(step).is_some();
        let mut state = match (before, is_load) {
            (None, false) => return None,
            (None, true) => State { last: Marks::none(), older: None },
            (Some(before), false) => before.clone(),
            (Some(before), true) => {
                let older = match &before.older {
                    Some(older) => older.and(&before.last),
                    None => before.last.clone(),
                };
                State { last: Marks::none(), older: Some(older) }
            }
        };
        match &at.action {
            Action::Decide(by) => state.each(|marks| {
                let mark = by.as_ref().map_or(Mark::Not, |by| self.mark(step, by, marks));
                marks.control = marks.control.and(mark);
            }),
            Action::Pass(values) => state.each(|marks| {
                let passed: Vec<Mark> =
                    values.iter().map(|(value, _)| self.mark(step, value, marks)).collect();
                for ((_, (activation, reg)), mark) in values.iter().zip(passed) {
                    marks.set(Variable::Register(*activation, *reg), mark);
                }
            }),
            Action::Inst(inst) => {
                state.each(|marks| self.instruction(step, inst, marks));
                if is_load {
                    for result in inst.op.results() {
                        state.last.set(Variable::Register(at.activation, result), Mark::From);
                    }
                }
            }
        }
        Some(state)
    }

    fn instruction(&self, step: StepId, inst: &Inst, marks: &mut Marks) {
        let activation = self.flow.steps[step].activation;
        let of = |operand: &Operand| self.mark(step, operand, marks);
        let mark = match &inst.op {
            Op::Copy { .. } | Op::Unary { .. } | Op::Binary { .. } | Op::Cast { .. } => {
                inst.op.operands().into_iter().map(of).fold(Mark::Not, Mark::and)
            }
            // What picks between values is not always a dependency.
            Op::Select { cond, a, b, .. } => match of(cond) {
                Mark::Not => of(a).or(of(b)),
                _ => Mark::Unclear,
            },
            Op::Load { access, .. } if !self.at.contains_key(&step) => {
                match self.memory(step, &access.address) {
                    Some(variable) => marks.get(&variable).and(of(&access.address)),
                    None => {
                        let inside = |variable: &Variable| matches!(variable, Variable::Memory(..));
                        let mut found = marks.variables.iter().filter(|(v, _)| inside(v));
                        let any = found.next().is_some() || marks.elsewhere != Mark::Not;
                        if any { Mark::Unclear } else { of(&access.address) }
                    }
                }
            }
            Op::Assume { cond, .. } => {
                marks.control = marks.control.and(of(cond));
                return;
            }
            Op::Store { access, value } if !self.at.contains_key(&step) => {
                let mark = of(value).and(of(&access.address));
                match self.memory(step, &access.address) {
                    Some(variable) => marks.set(variable, mark),
                    None if mark != Mark::Not => marks.elsewhere = Mark::Unclear,
                    None => {}
                }
                return;
            }
            _ => Mark::Not,
        };
        for result in inst.op.results() {
            marks.set(Variable::Register(activation, result), mark);
        }
    }

    /// Memory with a known address.
    fn memory(&self, step: StepId, address: &Operand) -> Option<Variable> {
        match self.flow.known(self.flow.steps[step].activation, address)? {
            flow::Known::Address(object, offset) => Some(Variable::Memory(object, offset)),
            flow::Known::Function(_) => None,
        }
    }
}
