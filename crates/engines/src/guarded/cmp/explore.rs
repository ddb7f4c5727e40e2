//! Explores the abstract model: all states of the tracked members that steps of tracked members and
//! of witnesses lead to.

use super::step::{Code, Outcome, Partial, Stepper, Stop, Strengthening};
use super::summary::Summaries;
use guarded::fault::Fault;
use guarded::instance::Instance;
use guarded::model::{PropertyId, RuleId};
use guarded::reduction::{Reduction, UNKNOWN};
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
    let mut exploration = Exploration {
        reduction,
        stepper: Stepper::new(reduction),
        explored: Explored::default(),
        summaries: Summaries::new(reduction),
        is_refuted: false,
    };
    let ended = exploration.run(strengthening, limits, progress);
    let Exploration { explored, is_refuted, .. } = exploration;
    let ended = match ended {
        Err(ended) => ended,
        Ok(()) if is_refuted => Ended::Refuted,
        Ok(()) => Ended::Done,
    };
    (explored, ended)
}

struct Exploration<'r> {
    reduction: &'r Reduction,
    stepper: Stepper<'r>,
    explored: Explored,
    summaries: Summaries<'r>,
    is_refuted: bool,
}

impl<'r> Exploration<'r> {
    fn run(
        &mut self,
        strengthening: &mut dyn Strengthening,
        limits: &Limits,
        progress: &mut dyn FnMut(usize),
    ) -> Result<(), Ended> {
        self.starts(strengthening)?;
        let poll = Poll::new(limits, POLL_INTERVAL);
        let mut next = 0;
        while next < self.explored.states.len() && !self.is_refuted {
            if poll.expired()
                && let Some(exceeded) = limits.exceeded()
            {
                return Err(Ended::Limit(exceeded));
            }
            if next.is_multiple_of(REPORT_INTERVAL) {
                progress(self.explored.states.len());
            }
            let state = self.explored.states[next].clone();
            self.claims(next as u32, &state, strengthening)?;
            self.rules(next as u32, &state, strengthening)?;
            next += 1;
        }
        Ok(())
    }

    fn starts(&mut self, strengthening: &mut dyn Strengthening) -> Result<(), Ended> {
        for (visible, variant) in self.reduction.variants.iter().enumerate() {
            for position in &variant.starts {
                let start = &variant.instances.starts[*position];
                let mut from = self.stepper.open(&[], visible);
                from.codes.fill(0);
                let origin = Origin { from: 0, visible: visible as u8, position: *position as u32 };
                self.steps(from, Code::Start(start), origin, strengthening)
                    .map_err(|stop| self.stopped(None, None, Some(start), stop))?;
            }
        }
        self.explored.starts = self.explored.states.len();
        Ok(())
    }

    fn claims(
        &mut self,
        number: u32,
        state: &[u16],
        strengthening: &mut dyn Strengthening,
    ) -> Result<(), Ended> {
        for claim in &self.reduction.variants[0].instances.claims {
            if !self.reduction.is_invariant(claim.property) {
                continue;
            }
            let from = self.stepper.open(state, 0);
            let mut heard = |_: &mut dyn Strengthening, _: &Partial, found| Err(Stop(found));
            self.stepper
                .steps(from, Code::Claim(claim), strengthening, &mut heard)
                .map_err(|stop| self.stopped(Some(number), Some(claim.property), None, stop))?;
        }
        Ok(())
    }

    fn rules(
        &mut self,
        number: u32,
        state: &[u16],
        strengthening: &mut dyn Strengthening,
    ) -> Result<(), Ended> {
        let is_summarised = self.summaries.is_used;
        for (visible, variant) in self.reduction.variants.iter().enumerate() {
            for position in &variant.rules {
                if is_summarised && variant.of_witnesses[*position] {
                    continue;
                }
                let rule = &variant.instances.rules[*position];
                let from = self.stepper.open(state, visible);
                let origin =
                    Origin { from: number, visible: visible as u8, position: *position as u32 };
                self.steps(from, Code::Rule(rule), origin, strengthening)
                    .map_err(|stop| self.stopped(Some(number), None, Some(rule), stop))?;
            }
        }
        if !is_summarised {
            return Ok(());
        }
        let branches = self.summaries.of(&mut self.stepper, state, strengthening);
        for branch in branches.iter().filter(|branch| branch.applies(state)) {
            let origin =
                Origin { from: number, visible: branch.visible, position: branch.position };
            match &branch.outcome {
                Outcome::State(template) => {
                    let filled = template.iter().zip(state);
                    let filled = filled.map(|(new, old)| if *new == UNKNOWN { *old } else { *new });
                    self.add(filled.collect(), origin, strengthening);
                }
                outcome => {
                    let instances = &self.reduction.variants[branch.visible as usize].instances;
                    let rule = &instances.rules[branch.position as usize];
                    let stop = Stop(outcome.clone());
                    return Err(self.stopped(Some(number), None, Some(rule), stop));
                }
            }
        }
        Ok(())
    }

    /// Takes steps from a state and adds those that they lead to.
    fn steps(
        &mut self,
        from: Partial,
        code: Code<'r>,
        origin: Origin,
        strengthening: &mut dyn Strengthening,
    ) -> Result<(), Stop> {
        let mut reached = Vec::new();
        let mut heard = |_: &mut dyn Strengthening, _: &Partial, found| match found {
            Outcome::State(state) => {
                reached.push(state);
                Ok(())
            }
            other => Err(Stop(other)),
        };
        let ended = self.stepper.steps(from, code, strengthening, &mut heard);
        for state in reached {
            self.add(state, origin, strengthening);
        }
        ended
    }

    fn add(&mut self, state: Box<[u16]>, origin: Origin, strengthening: &mut dyn Strengthening) {
        debug_assert!(!state.contains(&UNKNOWN), "all tracked cells are known");
        if self.explored.add(state, origin) {
            let state = self.explored.states.last().expect("it was added");
            self.is_refuted |= !strengthening.reached(state);
        }
    }

    /// What an exploration that stopped in a state amounts to.
    fn stopped(
        &self,
        state: Option<u32>,
        property: Option<PropertyId>,
        instance: Option<&Instance>,
        stop: Stop,
    ) -> Ended {
        let what = match (stop.0, property) {
            (Outcome::Fails(fault), _) => Err(fault),
            (Outcome::IsFalse, Some(property)) => Ok(property),
            (Outcome::TooManyWitnesses, _) => {
                return Ended::TooManyWitnesses(instance.map(|one| one.rule));
            }
            (outcome, _) => unreachable!("{outcome:?} does not stop an exploration"),
        };
        let steps = state.map(|state| self.explored.way(self.reduction, state));
        let steps = steps.unwrap_or_default();
        Ended::Suspicion(Box::new(Suspicion { what, steps, rule: instance.map(named) }))
    }
}
