//! Steps of the abstract model: a rule in a state of tracked members, with contents of witnesses
//! chosen as they are read.
//!
//! The machine stops at a cell whose value was not chosen yet; the step is then executed once more
//! for each of its values that the lemmas allow.

use guarded::fault::{Fault, FaultKind};
use guarded::instance::{Claim, Instance};
use guarded::machine::{Knowledge, Machine};
use guarded::reduction::{OTHER, Reduction, UNKNOWN};

/// A state of the tracked members and some witnesses, parts of which are not chosen yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partial {
    /// How many witnesses there are.
    pub visible: usize,
    /// A code for each cell; [`UNKNOWN`] where nothing is known, and [`OTHER`] where it is known
    /// only that it is a member that is not tracked.
    pub codes: Vec<u16>,
}

/// What restricts the contents of witnesses.
pub trait Strengthening {
    /// Whether the contents are possible, in which the value of a cell was just chosen.
    fn allows(&mut self, partial: &Partial, chosen: usize) -> bool;

    /// Hears of a new abstract state; `false` ends the exploration.
    fn reached(&mut self, state: &[u16]) -> bool;
}

/// What a step leads to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// An abstract state; [`UNKNOWN`] where it is as before and that was not known.
    State(Box<[u16]>),
    /// Something fails.
    Fails(Fault),
    /// A property is false.
    IsFalse,
    /// The step depends on more witnesses than there are.
    TooManyWitnesses,
}

/// Hears of outcomes, with the contents of witnesses; an error ends the steps.
pub type Heard<'h> = dyn FnMut(&mut dyn Strengthening, &Partial, Outcome) -> Result<(), Stop> + 'h;

/// Steps are not taken to their end.
#[derive(Clone, Debug)]
pub struct Stop(pub Outcome);

/// What is executed.
#[derive(Clone, Copy)]
pub enum Code<'i> {
    /// A start state.
    Start(&'i Instance),
    /// A rule.
    Rule(&'i Instance),
    /// A property.
    Claim(&'i Claim),
}

/// Puts a state into a machine. Cells of members that are not seen are undefined.
pub fn load(reduction: &Reduction, machine: &mut Machine<'_>, partial: &Partial) {
    let seen = reduction.tracked + partial.visible;
    for (number, (code, cell)) in partial.codes.iter().zip(&reduction.layout.cells).enumerate() {
        let is_seen = cell.members.iter().all(|one| *one < seen);
        let (known, code) = match *code {
            OTHER if is_seen => (Knowledge::Defined, 0),
            UNKNOWN if is_seen => (Knowledge::Nothing, 0),
            OTHER | UNKNOWN => (Knowledge::Value, 0),
            code => (Knowledge::Value, u32::from(code)),
        };
        machine.known[number] = known;
        machine.state_mut()[number] = code;
    }
}

/// Takes steps.
pub struct Stepper<'r> {
    reduction: &'r Reduction,
    /// One for each number of witnesses.
    machines: Vec<Machine<'r>>,
    stack: Vec<Partial>,
}

impl<'r> Stepper<'r> {
    /// Takes steps of a reduced model.
    pub fn new(reduction: &'r Reduction) -> Self {
        let machine = |visible: usize| {
            let mut machine = Machine::new(&reduction.variants[visible].model);
            machine.known = vec![Knowledge::Value; reduction.layout.cells.len()];
            machine
        };
        let machines = (0..=reduction.witnesses).map(machine).collect();
        Self { reduction, machines, stack: Vec::new() }
    }

    /// An abstract state with `visible` witnesses, of which nothing is known.
    pub fn open(&self, state: &[u16], visible: usize) -> Partial {
        let mut codes = vec![UNKNOWN; self.reduction.layout.cells.len()];
        self.reduction.kept.iter().zip(state).for_each(|(cell, code)| codes[*cell] = *code);
        Partial { visible, codes }
    }

    /// Executes code in a state, for all contents of witnesses that are allowed.
    pub fn steps(
        &mut self,
        from: Partial,
        code: Code<'r>,
        strengthening: &mut dyn Strengthening,
        heard: &mut Heard<'_>,
    ) -> Result<(), Stop> {
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push(from);
        while let Some(partial) = stack.pop() {
            let is_claim = matches!(code, Code::Claim(_));
            match self.execute(&partial, code) {
                Ok(true) if !is_claim => {
                    let state = self.abstracted(partial.visible);
                    heard(strengthening, &partial, Outcome::State(state))?;
                }
                Ok(false) if is_claim => heard(strengthening, &partial, Outcome::IsFalse)?,
                Ok(_) | Err(Fault { kind: FaultKind::Assumption, .. }) => {}
                Err(Fault { kind: FaultKind::Unchosen, .. }) => {
                    let machine = self.machine(&partial, code);
                    let cell = machine.wanted.expect("a cell is wanted");
                    if !self.choose(&partial, cell, strengthening, &mut stack) {
                        heard(strengthening, &partial, Outcome::TooManyWitnesses)?;
                    }
                }
                Err(fault) => heard(strengthening, &partial, Outcome::Fails(fault))?,
            }
        }
        self.stack = stack;
        Ok(())
    }

    fn machine(&mut self, partial: &Partial, code: Code<'_>) -> &mut Machine<'r> {
        match code {
            // Properties are about the tracked members.
            Code::Claim(_) => &mut self.machines[0],
            _ => &mut self.machines[partial.visible],
        }
    }

    /// Whether a rule is enabled and was executed, or whether a property is true.
    fn execute(&mut self, partial: &Partial, code: Code<'r>) -> Result<bool, Fault> {
        let reduction = self.reduction;
        let machine = self.machine(partial, code);
        load(reduction, machine, partial);
        let variant = &reduction.variants[partial.visible];
        match code {
            Code::Claim(claim) => claim.is_true(machine),
            Code::Start(instance) => {
                let Some(instance) = variant.same(true, instance) else { return Ok(false) };
                instance.execute(machine).map(|()| true)
            }
            Code::Rule(instance) => {
                let Some(instance) = variant.same(false, instance) else { return Ok(false) };
                if !instance.is_enabled(machine)? {
                    return Ok(false);
                }
                instance.execute(machine).map(|()| true)
            }
        }
    }

    /// The state of the tracked members after a step.
    fn abstracted(&self, visible: usize) -> Box<[u16]> {
        let machine = &self.machines[visible];
        let state = machine.state();
        let code = |cell: &usize| {
            let code = state[*cell] as u16;
            match machine.known[*cell] {
                Knowledge::Defined if code == 0 => return OTHER,
                Knowledge::Nothing if code == 0 => return UNKNOWN,
                _ => {}
            }
            match self.reduction.layout.cells[*cell].member(code) {
                Some(member) if member >= self.reduction.tracked => OTHER,
                _ => code,
            }
        };
        self.reduction.kept.iter().map(code).collect()
    }

    /// Adds the state with each value of a cell that is allowed; `false` if there may be another
    /// value, a witness more than there are.
    fn choose(
        &self,
        partial: &Partial,
        cell: usize,
        strengthening: &mut dyn Strengthening,
        stack: &mut Vec<Partial>,
    ) -> bool {
        let Reduction { tracked, witnesses, layout, .. } = self.reduction;
        let shape = &layout.cells[cell];
        let mut add = |visible: usize, code: u16| {
            let mut next = Partial { visible, codes: partial.codes.clone() };
            next.codes[cell] = code;
            if strengthening.allows(&next, cell) {
                stack.push(next);
            }
        };
        if partial.codes[cell] == UNKNOWN {
            let is_member = |code: u16| shape.member(code).is_some();
            (0..=shape.largest).filter(|code| !is_member(*code)).for_each(|code| {
                add(partial.visible, code);
            });
            if shape.is_pointer() {
                (0..*tracked).for_each(|member| add(partial.visible, shape.code_of(member)));
            }
        }
        if shape.is_pointer() {
            let seen = tracked + partial.visible;
            (*tracked..seen).for_each(|member| add(partial.visible, shape.code_of(member)));
            // Another one, of which nothing else is known.
            if partial.visible == *witnesses {
                return false;
            }
            add(partial.visible + 1, shape.code_of(seen));
        }
        true
    }
}
