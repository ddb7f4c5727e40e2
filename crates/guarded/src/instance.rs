//! Rules and properties, one for each choice of their parameters, folded.

use crate::code::{Block, Expr};
use crate::fault::Fault;
use crate::fold::{Folder, Order};
use crate::machine::Machine;
use crate::model::{Model, Parameter, ParameterDomain, Property, PropertyId, Rule, RuleId};

/// How many nodes one instance may grow to by writing out loops and quantifiers.
const INSTANCE_ROOM: usize = 4_000;

/// How many nodes all instances may grow to.
const ALL_ROOM: usize = 2_000_000;

/// More instances than this are refused.
pub const MOST_INSTANCES: usize = 1 << 20;

/// A rule for one choice of its parameters.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The rule: of start states, its position.
    pub rule: RuleId,
    /// The slot and the value of each parameter.
    pub slots: Vec<(u32, i64)>,
    /// When it is enabled.
    pub guard: Expr,
    /// What it does.
    pub body: Block,
    /// How many cells its frame has.
    pub frame: u32,
}

impl Instance {
    /// Whether it is enabled in the machine's state.
    #[inline]
    pub fn is_enabled(&self, machine: &mut Machine<'_>) -> Result<bool, Fault> {
        match &self.guard {
            Expr::Constant(value) => Ok(*value != 0),
            guard => {
                machine.enter(self.frame, &self.slots);
                machine.truth(guard)
            }
        }
    }

    /// Executes it in the machine's state.
    pub fn execute(&self, machine: &mut Machine<'_>) -> Result<(), Fault> {
        machine.enter(self.frame, &self.slots);
        machine.execute(&self.body)
    }
}

/// A property for one choice of its parameters.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The property.
    pub property: PropertyId,
    /// The slot and the value of each parameter.
    pub slots: Vec<(u32, i64)>,
    /// What is true.
    pub condition: Expr,
    /// How many cells its frame has.
    pub frame: u32,
}

impl Claim {
    /// Whether it is true of the machine's state.
    pub fn is_true(&self, machine: &mut Machine<'_>) -> Result<bool, Fault> {
        machine.enter(self.frame, &self.slots);
        machine.truth(&self.condition)
    }
}

/// Everything that is executed.
#[derive(Clone, Debug)]
pub struct Instances {
    /// Start states.
    pub starts: Vec<Instance>,
    /// Rules; instances whose guard is false for every state are left out.
    pub rules: Vec<Instance>,
    /// Properties.
    pub claims: Vec<Claim>,
}

/// There are more than [`MOST_INSTANCES`].
#[derive(Clone, Copy, Debug)]
pub struct TooMany;

impl Instances {
    /// All instances of a model.
    pub fn new(model: &Model, order: Order) -> Result<Self, TooMany> {
        Self::with_room(model, ALL_ROOM, order)
    }

    /// The same instances, in the same order, without loops and quantifiers written out.
    pub fn plain(model: &Model) -> Result<Self, TooMany> {
        Self::with_room(model, 0, Order::Fixed)
    }

    fn with_room(model: &Model, room: usize, order: Order) -> Result<Self, TooMany> {
        let mut maker = Maker { model, room, made: 0, order };
        let mut starts = Vec::new();
        for (position, start) in model.starts.iter().enumerate() {
            maker.rule(execution::ids::Id::new(position), start, &mut starts)?;
        }
        let mut rules = Vec::new();
        for (id, rule) in model.rules.enumerate() {
            maker.rule(id, rule, &mut rules)?;
        }
        rules.retain(|rule| rule.guard != Expr::Constant(0));
        let mut claims = Vec::new();
        for (id, property) in model.properties.enumerate() {
            maker.property(id, property, &mut claims)?;
        }
        Ok(Self { starts, rules, claims })
    }
}

struct Maker<'m> {
    model: &'m Model,
    room: usize,
    made: usize,
    order: Order,
}

impl Maker<'_> {
    fn count(&mut self) -> Result<usize, TooMany> {
        self.made += 1;
        let room = INSTANCE_ROOM.min(self.room);
        self.room -= room / 8;
        if self.made > MOST_INSTANCES { Err(TooMany) } else { Ok(room) }
    }

    fn rule(&mut self, id: RuleId, rule: &Rule, made: &mut Vec<Instance>) -> Result<(), TooMany> {
        for choice in choices(self.model, &rule.parameters)? {
            let room = self.count()?;
            let slots = choice.slots;
            let mut folder = Folder::new(self.model, slots.iter().copied(), room);
            folder.order = self.order;
            let mut guards: Vec<Expr> =
                choice.present.iter().map(|present| folder.expr(present)).collect();
            guards.push(folder.expr(&rule.guard));
            let guard = folder.expr(&Expr::All(guards));
            let body = folder.block(&rule.body);
            made.push(Instance { rule: id, slots, guard, body, frame: rule.frame });
        }
        Ok(())
    }

    fn property(
        &mut self,
        id: PropertyId,
        property: &Property,
        made: &mut Vec<Claim>,
    ) -> Result<(), TooMany> {
        for choice in choices(self.model, &property.parameters)? {
            let room = self.count()?;
            let slots = choice.slots;
            let mut folder = Folder::new(self.model, slots.iter().copied(), room);
            folder.order = self.order;
            let condition = folder.expr(&property.condition);
            made.push(Claim { property: id, slots, condition, frame: property.frame });
        }
        Ok(())
    }
}

/// One choice of parameters.
#[derive(Clone, Default)]
struct Choice {
    slots: Vec<(u32, i64)>,
    /// What must be true for the choice to exist.
    present: Vec<Expr>,
}

fn choices(model: &Model, parameters: &[Parameter]) -> Result<Vec<Choice>, TooMany> {
    let mut all = vec![Choice::default()];
    for parameter in parameters {
        let values: Vec<i64> = match &parameter.domain {
            ParameterDomain::Scalar(scalar) => {
                model.types.values(*scalar).take(MOST_INSTANCES + 1).collect()
            }
            ParameterDomain::Numbers { from, to, step } => {
                let inside = |value: &i64| if *step > 0 { value <= to } else { value >= to };
                let next = |value: &i64| value.checked_add(*step);
                let values = std::iter::successors(Some(*from), next).take_while(inside);
                values.take(MOST_INSTANCES + 1).collect()
            }
            ParameterDomain::Multiset { capacity, position, .. } => {
                let low = model.types.scalars[*position].low;
                (low..low + i64::from(*capacity)).collect()
            }
        };
        if all.len().saturating_mul(values.len()) > MOST_INSTANCES {
            return Err(TooMany);
        }
        let extend = |choice: &Choice| {
            let choice = choice.clone();
            values.clone().into_iter().map(move |value| {
                let mut choice = choice.clone();
                choice.slots.push((parameter.slot, value));
                if let ParameterDomain::Multiset { place, stride, position, .. } = &parameter.domain
                {
                    let low = model.types.scalars[*position].low;
                    let mut slot = place.as_ref().clone();
                    slot.offset += (value - low) as u32 * stride;
                    choice.present.push(Expr::Not(Box::new(Expr::IsUndefined(Box::new(slot)))));
                }
                choice
            })
        };
        all = all.iter().flat_map(extend).collect();
    }
    Ok(all)
}
