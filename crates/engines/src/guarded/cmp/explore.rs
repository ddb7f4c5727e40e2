//! Explores the abstract model: all states of the tracked members that steps of tracked members and
//! of witnesses lead to.

use super::step::{Code, Stepper, Stop, Strengthening};
use guarded::fault::Fault;
use guarded::instance::Instance;
use guarded::model::{PropertyId, RuleId};
use guarded::reduction::Reduction;
use limits::{Exceeded, Limits, Poll};
use rustc_hash::FxHashMap;

/// How often limits are polled, in abstract states.
const POLL_INTERVAL: u32 = 16;

/// How often progress is reported, in abstract states.
const REPORT_INTERVAL: usize = 2_000;

/// What a state of the abstract model comes from.
#[derive(Clone, Copy, Debug)]
struct Origin {
    from: u32,
    visible: u8,
    position: u32,
}

/// The states of the abstract model.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// In the order in which they were found.
    pub states: Vec<Box<[u16]>>,
    numbers: FxHashMap<Box<[u16]>, u32>,
    origins: Vec<Origin>,
    starts: usize,
}

/// A step of an abstract execution.
#[derive(Clone, Debug)]
pub struct AbstractStep {
    /// The rule; of the first step, the start state.
    pub rule: RuleId,
    /// Its parameters.
    pub values: Vec<i64>,
    /// What it leads to.
    pub state: Box<[u16]>,
}

/// Something that the abstract model cannot exclude.
#[derive(Clone, Debug)]
pub struct Suspicion {
    /// The false invariant, or what fails.
    pub what: Result<PropertyId, Fault>,
    /// The way to it.
    pub steps: Vec<AbstractStep>,
    /// The rule that fails, with its parameters.
    pub rule: Option<(RuleId, Vec<i64>)>,
}

/// How an exploration ended.
#[derive(Clone, Debug)]
pub enum Ended {
    /// All states were explored; nothing is wrong.
    Done,
    /// Something is wrong.
    Suspicion(Box<Suspicion>),
    /// The lemmas do not hold in the last state.
    Refuted,
    /// A step depends on too many members: of this rule.
    TooManyWitnesses(Option<RuleId>),
    /// A limit was reached.
    Limit(Exceeded),
}

impl Explored {
    /// Whether a state was reached.
    pub fn contains(&self, state: &[u16]) -> bool {
        self.numbers.contains_key(state)
    }

    fn add(&mut self, state: Box<[u16]>, origin: Origin) -> bool {
        if self.numbers.contains_key(&state) {
            return false;
        }
        self.numbers.insert(state.clone(), self.states.len() as u32);
        self.states.push(state);
        self.origins.push(origin);
        true
    }

    /// The way to a state.
    fn way(&self, reduction: &Reduction, number: u32) -> Vec<AbstractStep> {
        let mut way = Vec::new();
        let mut at = number;
        loop {
            let Origin { from, visible, position } = self.origins[at as usize];
            let instances = &reduction.variants[visible as usize].instances;
            let is_start = (at as usize) < self.starts;
            let all = if is_start { &instances.starts } else { &instances.rules };
            let (rule, values) = named(&all[position as usize]);
            way.push(AbstractStep { rule, values, state: self.states[at as usize].clone() });
            if is_start {
                break;
            }
            at = from;
        }
        way.reverse();
        way
    }
}

fn named(instance: &Instance) -> (RuleId, Vec<i64>) {
    (instance.rule, instance.slots.iter().map(|(_, value)| *value).collect())
}

/// Explores the abstract model under a strengthening. `progress` hears of the number of states.
pub fn explore(
    reduction: &Reduction,
    strengthening: &mut dyn Strengthening,
    limits: &Limits,
    progress: &mut dyn FnMut(usize),
) -> (Explored, Ended) {
    let mut stepper = Stepper::new(reduction);
    let mut explored = Explored::default();
    let ended = exploration(reduction, &mut stepper, strengthening, limits, progress, &mut explored);
    (explored, ended)
}

fn exploration<'r>(
    reduction: &'r Reduction,
    stepper: &mut Stepper<'r>,
    strengthening: &mut dyn Strengthening,
    limits: &Limits,
    progress: &mut dyn FnMut(usize),
    explored: &mut Explored,
) -> Ended {
    let mut refuted = false;
    for (visible, variant) in reduction.variants.iter().enumerate() {
        for position in &variant.starts {
            let start = &variant.instances.starts[*position];
            let mut from = stepper.open(&[], visible);
            from.codes.fill(0);
            let origin = Origin { from: 0, visible: visible as u8, position: *position as u32 };
            let mut reached = |strengthening: &mut dyn Strengthening, state: Box<[u16]>| {
                if explored.add(state, origin) {
                    let state = explored.states.last().expect("it was added");
                    refuted |= !strengthening.reached(state);
                }
            };
            let ended = stepper.steps(from, Code::Start(start), strengthening, &mut reached);
            if let Err(stop) = ended {
                return stopped(reduction, explored, None, Some(start), stop);
            }
        }
    }
    explored.starts = explored.states.len();
    let poll = Poll::new(limits, POLL_INTERVAL);
    let mut next = 0;
    while next < explored.states.len() && !refuted {
        if poll.expired()
            && let Some(exceeded) = limits.exceeded()
        {
            return Ended::Limit(exceeded);
        }
        if next.is_multiple_of(REPORT_INTERVAL) {
            progress(explored.states.len());
        }
        let state = explored.states[next].clone();
        for claim in &reduction.variants[0].instances.claims {
            if !reduction.is_invariant(claim.property) {
                continue;
            }
            let from = stepper.open(&state, 0);
            let ended = stepper.steps(from, Code::Claim(claim), strengthening, &mut |_, _| {});
            if let Err(stop) = ended {
                let at = (next as u32, Some(claim.property));
                return stopped(reduction, explored, Some(at), None, stop);
            }
        }
        for (visible, variant) in reduction.variants.iter().enumerate() {
            for position in &variant.rules {
                let rule = &variant.instances.rules[*position];
                let from = stepper.open(&state, visible);
                let origin = Origin {
                    from: next as u32,
                    visible: visible as u8,
                    position: *position as u32,
                };
                let mut reached = |strengthening: &mut dyn Strengthening, state: Box<[u16]>| {
                    if explored.add(state, origin) {
                        let state = explored.states.last().expect("it was added");
                        refuted |= !strengthening.reached(state);
                    }
                };
                let ended = stepper.steps(from, Code::Rule(rule), strengthening, &mut reached);
                if let Err(stop) = ended {
                    let at = (next as u32, None);
                    return stopped(reduction, explored, Some(at), Some(rule), stop);
                }
            }
        }
        next += 1;
    }
    if refuted { Ended::Refuted } else { Ended::Done }
}

/// What an exploration that stopped in a state amounts to.
fn stopped(
    reduction: &Reduction,
    explored: &Explored,
    at: Option<(u32, Option<PropertyId>)>,
    instance: Option<&Instance>,
    stop: Stop,
) -> Ended {
    let fault = match stop {
        Stop::TooManyWitnesses => return Ended::TooManyWitnesses(instance.map(|one| one.rule)),
        Stop::Wrong(fault, _) => fault,
    };
    let (state, property) = at.map_or((None, None), |(state, property)| (Some(state), property));
    let what = match (fault, property) {
        (Some(fault), _) => Err(fault),
        (None, Some(property)) => Ok(property),
        (None, None) => unreachable!("only properties are false"),
    };
    let mut explored = explored.clone();
    if explored.starts == 0 {
        explored.starts = explored.states.len();
    }
    let steps = state.map(|state| explored.way(reduction, state)).unwrap_or_default();
    Ended::Suspicion(Box::new(Suspicion { what, steps, rule: instance.map(named) }))
}
